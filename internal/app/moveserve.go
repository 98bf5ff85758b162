package app

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/journal"
	"quipu/internal/store/rollup"
	"quipu/internal/topic"
)

// moveFolder holds, in a data folder, what a move to a cluster needs of it, and moveFile in it how far that is.
const (
	moveFolder = "move"
	moveFile   = "move.json"
	// moveSnapshot is the folder with the stores as they are copied, moveDocuments the documents as they were lately.
	moveSnapshot  = "snapshot"
	moveDocuments = "documents.sqlite"
	// moveTarget holds the name of the cluster.
	moveTarget = "target"
)

// moving is the content of moveFile.
type moving struct {
	// ID is that of the move, which the cluster knows, too.
	ID string `json:"id"`
	// Behind is the offset behind which records of the journal are kept.
	Behind uint64 `json:"behind"`
	// Whole says that the snapshot is whole, Done that the data has moved.
	Whole bool `json:"whole"`
	Done  bool `json:"done"`
}

func movePath(data string, names ...string) string {
	return filepath.Join(append([]string{data, moveFolder}, names...)...)
}

// readMoving reads it; the zero value when no move is under way.
func readMoving(data string) (m moving, err error) {
	text, err := os.ReadFile(movePath(data, moveFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("read how far the move is: %w", err)
	}
	return m, nil
}

func (m moving) write(data string) error {
	text, err := json.Marshal(m)
	if err == nil {
		err = os.MkdirAll(movePath(data), 0o700)
	}
	if err == nil {
		err = writeWhole(movePath(data, moveFile), text)
	}
	if err != nil {
		return fmt.Errorf("note how far the move is: %w", err)
	}
	return nil
}

// errMoved says that a folder's data lies in a cluster by now.
var errMoved = errors.New("the data of this folder has moved to a cluster: start nodes there. To use the folder as it was when it moved, without later data, remove its folder " + moveFolder)

// resumeMove keeps what a move under way needs, and refuses a folder that has moved.
func (a *App) resumeMove() error {
	m, err := readMoving(a.cfg.Data)
	if err != nil || m.ID == "" {
		return err
	}
	if m.Done {
		return errMoved
	}
	a.gated.hold(&m.Behind)
	a.log.Warn("a move to a cluster is under way: the journal is kept until it has ended; quipu move goes on with it, quipu move --give-up forgets it", "behind", m.Behind)
	return nil
}

// beginMove makes the snapshot that is copied, unless it is there, and from then on keeps what the journal gets.
func (a *App) beginMove(ctx context.Context) (m moving, err error) {
	if err := a.inFolder(); err != nil {
		return m, err
	}
	if a.back.taking() {
		return m, errStillBack
	}
	if m, err = readMoving(a.cfg.Data); err != nil || m.Whole {
		return m, err
	}
	if m.ID == "" {
		m.ID = model.NewID().String()
		if err := os.Remove(movePath(a.cfg.Data, moveTarget)); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a move that was not given up whole
			return m, fmt.Errorf("forget where the folder moved to: %w", err)
		}
	}
	if err := m.write(a.cfg.Data); err != nil { // nothing is trimmed from now on
		return m, err
	}
	a.gated.hold(&m.Behind)
	dir := movePath(a.cfg.Data, moveSnapshot)
	if err := os.RemoveAll(dir); err != nil {
		return m, fmt.Errorf("remove a snapshot that broke off: %w", err)
	}
	info, err := a.Snapshot(ctx, dir)
	if err != nil {
		return m, err
	}
	m.Behind, m.Whole = info.Watermark, true
	if err := m.write(a.cfg.Data); err != nil {
		return m, err
	}
	a.gated.hold(&m.Behind)
	a.log.InfoContext(ctx, "a move to a cluster has begun: the journal is kept behind its snapshot", "behind", m.Behind)
	return m, nil
}

// cancelMove forgets a move.
func (a *App) cancelMove(ctx context.Context) error {
	m, err := readMoving(a.cfg.Data)
	if err != nil || m.ID == "" {
		return err
	}
	if m.Done {
		return errMoved
	}
	if err := errors.Join(os.Remove(movePath(a.cfg.Data, moveFile)), os.RemoveAll(movePath(a.cfg.Data))); err != nil {
		return fmt.Errorf("forget the move: %w", err)
	}
	a.gated.hold(nil)
	a.log.InfoContext(ctx, "the move to a cluster is given up")
	return nil
}

// movedRecord is a record on its way through the control socket.
type movedRecord struct {
	Offset  uint64 `json:"o"`
	Payload string `json:"p"` // base64
}

// recordsAtOnce bounds the payloads of an answer, bytes.
const recordsAtOnce = 4 << 20

// movedRecords returns records behind an offset.
func (a *App) movedRecords(ctx context.Context, after uint64) (list []movedRecord, err error) {
	err = a.journal.Read(ctx, journal.Watermark{0: after}, recordsAtOnce, func(r journal.Record) bool {
		list = append(list, movedRecord{r.Offset, base64.StdEncoding.EncodeToString(r.Payload)})
		return true
	})
	return list, err
}

// copyDocuments puts a consistent copy of the documents into the folder of the move.
func (a *App) copyDocuments(ctx context.Context) error {
	file, ok := a.gatedDocs.documents.(*sqlite.Store)
	if !ok {
		return errOwnDatabase
	}
	path := movePath(a.cfg.Data, moveDocuments)
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an older copy of the documents: %w", err)
		}
	}
	return file.Backup(ctx, path)
}

// outcomeCell is a cell of outcomes: what the edge counts is in no journal.
type outcomeCell struct {
	App    model.AppID   `json:"app"`
	Bucket rollup.Bucket `json:"bucket"`
	Value  string        `json:"value"`
	Count  int64         `json:"count"`
}

// outcomes are those of apps and of the server.
func (a *App) outcomes(ctx context.Context, cells rollup.Reader) (list []outcomeCell, err error) {
	for _, app := range append(a.ids(), model.AppID{}) {
		err := cells.Scan(ctx, app, rollup.Series{Metric: rollup.Outcomes}, rollup.Day, 0, 1<<32-1, func(b rollup.Bucket, value string, c *rollup.Cell) error {
			list = append(list, outcomeCell{app, b, value, c.Count})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// paused is what is known once nothing is accepted and all that was is projected.
type paused struct {
	End      uint64        `json:"end"` // of the journal
	Outcomes []outcomeCell `json:"outcomes"`
}

// pausing says whether a server is paused for a move. It is not opened again while the move is being finished, nor finished once it was opened.
type pausing struct {
	mu     sync.Mutex
	paused bool
	// noting says that the note that the data has moved may be on disk.
	noting bool
}

var errNoMove = errors.New("no move is under way")

var errPaused = errors.New("the server is paused for a move already")

// pause lets nothing be written until open is called, and projects what was accepted. When the data has moved meanwhile, or it cannot be known whether it has, open does nothing and returns false.
func (a *App) pause(ctx context.Context) (p paused, open func() bool, err error) {
	a.pausing.mu.Lock()
	defer a.pausing.mu.Unlock()
	if a.pausing.paused {
		return p, nil, errPaused
	}
	unlock := func() {
		a.gatedDocs.gate.set(false)
		a.gated.gate.set(false)
	}
	open = func() bool {
		a.pausing.mu.Lock()
		defer a.pausing.mu.Unlock()
		if a.pausing.noting {
			if m, err := readMoving(a.cfg.Data); err != nil || m.Done { // a move that finds this note goes on to open the cluster
				return false
			}
			a.pausing.noting = false
		}
		a.pausing.paused = false
		unlock()
		return true
	}
	if err := a.settled(ctx); err != nil { // most of what waits, while data is still accepted
		return p, nil, err
	}
	a.gated.gate.set(true)
	err = a.settled(ctx)
	if err == nil {
		a.gatedDocs.gate.set(true)
		p.End = a.journal.End()[0]
		p.Outcomes, err = a.outcomes(ctx, a.cells)
	}
	if err != nil {
		unlock()
		return p, nil, err
	}
	a.pausing.paused = true
	return p, open, nil
}

// settled projects what was accepted, and has features store what they hold in memory.
func (a *App) settled(ctx context.Context) error {
	if err := a.flush(ctx); err != nil {
		return err
	}
	if err := hook.Emit(ctx, a.bus, topic.ProjectionPaused{}); err != nil {
		return fmt.Errorf("store what is held in memory: %w", err)
	}
	return nil
}

// finishMove says that the data has moved.
func (a *App) finishMove(ctx context.Context) error {
	a.pausing.mu.Lock()
	defer a.pausing.mu.Unlock()
	if !a.pausing.paused {
		return errors.New("the server has accepted data again in the meantime: start the move again")
	}
	m, err := readMoving(a.cfg.Data)
	if err != nil {
		return err
	}
	if m.ID == "" {
		return errNoMove
	}
	m.Done, a.pausing.noting = true, true
	if err := m.write(a.cfg.Data); err != nil {
		a.log.ErrorContext(ctx, "it was not noted that the data has moved; the server accepts data again unless the note is on disk nevertheless", "err", err)
		return err
	}
	a.log.WarnContext(ctx, "the data has moved to a cluster: this server accepts nothing any more; point clients at the nodes, then stop it")
	return nil
}

// pauseLimit is how long a server stays paused whose move neither ends nor leaves.
const pauseLimit = 15 * time.Minute

// MostComparing bounds MoveOptions.Comparing.
const MostComparing = 10 * time.Minute

// serveMove answers what a move asks for.
func (a *App) serveMove(mux *http.ServeMux, busy func() func()) {
	handle := func(path string, fn func(ctx context.Context, body []byte) (any, error)) {
		mux.HandleFunc("POST /move/"+path, func(w http.ResponseWriter, r *http.Request) {
			defer busy()()
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAdminBody))
			var answer any
			if err == nil {
				answer, err = fn(r.Context(), body)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusUnprocessableEntity)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(answer) // who left asks again
		})
	}
	handle("begin", func(ctx context.Context, _ []byte) (any, error) { return a.beginMove(ctx) })
	handle("cancel", func(ctx context.Context, _ []byte) (any, error) { return nil, a.cancelMove(ctx) })
	handle("end", func(context.Context, []byte) (any, error) { return a.journal.End()[0], nil })
	handle("records", func(ctx context.Context, body []byte) (any, error) {
		var after uint64
		if err := json.Unmarshal(body, &after); err != nil {
			return nil, err
		}
		return a.movedRecords(ctx, after)
	})
	handle("documents", func(ctx context.Context, _ []byte) (any, error) { return nil, a.copyDocuments(ctx) })
	handle("read", func(ctx context.Context, body []byte) (any, error) {
		var ask moveRead
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		return a.readAsAdmin(ctx, ask)
	})
	handle("finish", func(ctx context.Context, _ []byte) (any, error) { return nil, a.finishMove(ctx) })
	handle("back-end", func(ctx context.Context, _ []byte) (any, error) { return nil, a.endMoveBack(ctx, false) })
	handle("back-give-up", func(ctx context.Context, _ []byte) (any, error) { return nil, a.endMoveBack(ctx, true) })
	mux.HandleFunc("POST /move/pause", func(w http.ResponseWriter, r *http.Request) {
		defer busy()()
		a.servePause(w, r)
	})
}

// servePause pauses the server for as long as the connection lives, or for good when the data has moved meanwhile.
func (a *App) servePause(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), pauseLimit)
	defer cancel()
	p, open, err := a.pause(ctx)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	began := a.now()
	a.log.InfoContext(ctx, "nothing is accepted while the rest moves to the cluster")
	left := answerHeld(ctx, w, p, true)
	if open() {
		a.log.WarnContext(context.WithoutCancel(ctx), "the move did not end: the server accepts data again", "paused", a.now().Sub(began), "err", left)
	}
}
