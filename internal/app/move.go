package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/move"
	"quipu/internal/store/docs"
	docspg "quipu/internal/store/docs/postgres"
	"quipu/internal/store/docs/sqlite"
	chevents "quipu/internal/store/events/clickhouse"
	"quipu/internal/store/files/disk"
	"quipu/internal/store/journal"
	"quipu/internal/store/rollup"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// MoveOptions say what Move does.
type MoveOptions struct {
	// Comparing is how long reports may be compared while nothing is accepted; those of one app are, in any case.
	Comparing time.Duration
	// Progress is called with lines that say how far the move is; nil = they are dropped.
	Progress func(line string)
}

// movedIn is what a cluster notes of data that moves in, and of data that has left.
type movedIn struct {
	// ID is that of the move, see moving.
	ID string `json:"id"`
	// Copied says that the snapshot is, up to the record Through; the journal begins behind Bases then.
	Copied  bool              `json:"copied"`
	Through uint64            `json:"through"`
	Bases   journal.Watermark `json:"bases"`
	// Done says that all has moved.
	Done bool `json:"done"`
	// Left is the id of the move by which the data has left for a folder; "" = it is here.
	Left string `json:"left,omitempty"`
}

// readMovedIn reads it; the zero value when nothing moved in.
func readMovedIn(ctx context.Context, db *postgres.DB) (m movedIn, err error) {
	body, err := db.Moved(ctx)
	if err != nil || body == nil {
		return m, err
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("read what moved in: %w", err)
	}
	return m, nil
}

func (m movedIn) body() ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("note what moves: %w", err)
	}
	return body, nil
}

func (m movedIn) write(ctx context.Context, db *postgres.DB) error {
	body, err := m.body()
	if err != nil {
		return err
	}
	return db.NoteMoved(ctx, body)
}

// errMovingIn says that a cluster is not whole yet.
var errMovingIn = errors.New("data is being moved into this cluster (quipu move): start nodes when the move has ended")

// errMovedBack says that the data of a cluster is elsewhere.
var errMovedBack = errors.New("the data of this cluster has moved to a data folder (quipu move --back): start the server on that")

// follow numbers the records of the journal behind what moved in, and refuses a cluster into which data still moves, or whose data has left.
func (c *cluster) follow(ctx context.Context, moving bool) error {
	m, err := readMovedIn(ctx, c.db)
	if err != nil {
		return err
	}
	if m.ID != "" && !m.Done && !moving {
		return errMovingIn
	}
	if m.Left != "" && !moving {
		return errMovedBack
	}
	if _, frozen := c.journal.(*frozenJournal); !frozen {
		c.journal = journal.Behind(c.journal, m.Bases)
	}
	return nil
}

// errDrains says that a folder still takes from a cluster.
var errDrains = errors.New("data has been or is being moved to this folder from a cluster whose journal may have more records: end the move first (quipu move --back --end)")

// ErrMoveDiffers says that reports of both sides differ: the move is not done.
var ErrMoveDiffers = errors.New("the figures of the cluster differ: the data has not moved, and its server continues")

// mover moves a folder to a cluster.
type mover struct {
	cfg  Config // of the folder
	node Config // of the cluster
	proc Process
	say  func(format string, args ...any)
	from moveSource
	c    *cluster
	docs *docspg.Store
	in   movedIn
	// comparing is MoveOptions.Comparing.
	comparing time.Duration
	// stored are names of files that are there.
	stored map[string]bool
}

// GiveUpMove forgets a move that has not ended: the server of the folder goes on as before. What is in the cluster stays.
func GiveUpMove(ctx context.Context, cfg Config, proc Process) (err error) {
	if err := isDataFolder(cfg.Data); err != nil {
		return err
	}
	if was, err := readMoving(cfg.Data); err != nil || was.ID == "" {
		return cmp.Or(err, errNoMove)
	}
	lock, err := lockMove(cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	_, err = askServer(ctx, cfg.Data, "/move/cancel", nil)
	if errors.Is(err, errNoServer) {
		return Offline(ctx, cfg, proc, func(ctx context.Context, a *App) error { return a.cancelMove(ctx) })
	}
	return err
}

// Move copies the data of a folder, whose server may run, to the cluster that cfg names, follows what arrives meanwhile, compares both, and has the
// server accept nothing any more. After a break it goes on where it was.
func Move(ctx context.Context, cfg Config, proc Process, o MoveOptions) (err error) {
	proc.fill()
	if o.Comparing < 0 || o.Comparing > MostComparing {
		return fmt.Errorf("reports can be compared for at most %v", MostComparing)
	}
	proc.FirstAdmin, proc.Shared = NewAdmin{}, true
	if err := hasStores(ctx, cfg.embedded()); err != nil {
		return err
	}
	if cfg.Docs != "" {
		return errors.New("the documents are in a PostgreSQL database (docs), which quipu move does not read")
	}
	if note, err := readMovingBack(cfg.Data); err != nil || note.ID != "" {
		return cmp.Or(err, errDrains)
	}
	m := &mover{cfg: cfg.embedded(), proc: proc, comparing: o.Comparing, stored: map[string]bool{}, say: func(format string, args ...any) {
		if o.Progress != nil {
			o.Progress(fmt.Sprintf(format, args...))
		}
	}}
	lock, err := lockMove(cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if m.node, err = cfg.beside("node", cfg.Cluster); err != nil {
		return err
	}
	if err := os.MkdirAll(m.node.Data, 0o700); err != nil {
		return fmt.Errorf("make a folder for the move: %w", err)
	}
	if err := m.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }() //nolint:contextcheck // closing must not be cut short
	if was, err := readMoving(cfg.Data); err != nil || was.Done {
		if err != nil {
			return err
		}
		if err := was.write(cfg.Data); err != nil { // it may have been noted, but not durably
			return err
		}
		return m.end(ctx, was)
	}
	server := serverSource{cfg.Data}
	m.from = server
	if _, err := server.begin(ctx); !errors.Is(err, errNoServer) {
		if err != nil {
			return err
		}
		return m.run(ctx)
	}
	m.say("no server runs on the folder: it is opened for the move")
	return opened(ctx, m.cfg, proc, func(ctx context.Context, a *App) error {
		m.from = ownSource{a}
		return m.run(ctx)
	})
}

// embedded is the configuration of the folder's own server.
func (c Config) embedded() Config { // a copy is what is wanted
	c.Cluster, c.Roles = "", allRoles()
	return c
}

// beside is the configuration of a server on a folder of the move, with the same secret key.
func (c Config) beside(name, cluster string) (Config, error) { // a copy is what is wanted
	if c.SecretKey == "" {
		path, err := filepath.Abs(c.secretPath())
		if err != nil {
			return c, fmt.Errorf("locate the secret key: %w", err)
		}
		c.SecretKeyFile = path
	}
	c.Data, c.Cluster, c.Docs, c.Roles = movePath(c.Data, name), cluster, "", allRoles()
	c.MetricsListen, c.Backup, c.Upgrade.Snapshot = "", BackupConfig{}, false
	return c, nil
}

// open opens the stores of the cluster, which it makes where they are missing.
func (m *mover) open(ctx context.Context) error {
	c, a, err := outside(m.node, m.proc)
	if err != nil {
		return err
	}
	a.cluster, a.moving, m.c = c, true, c
	err = c.open(ctx, a)
	if err == nil {
		m.docs, _ = a.docs.(*docspg.Store)
		m.in, err = readMovedIn(ctx, c.db)
	}
	if err != nil {
		if a.docs != nil {
			err = errors.Join(err, a.docs.Close())
		}
		return errors.Join(err, c.close())
	}
	return nil
}

func (m *mover) close() error { return errors.Join(m.docs.Close(), m.c.close()) }

// run moves.
func (m *mover) run(ctx context.Context) error {
	was, err := m.from.begin(ctx)
	if err != nil {
		return err
	}
	if was.Done {
		return errMoved
	}
	if err := m.claim(ctx, was.ID); err != nil {
		return err
	}
	if !m.in.Copied {
		if err := m.copy(ctx); err != nil {
			return err
		}
	}
	f := move.NewFollower(m.c.journal, m.c.db.Partition, m.in.Through, m.in.Bases)
	if err := m.keepUp(ctx, f); err != nil {
		return err
	}
	return m.switchOver(ctx, f)
}

// lockMove keeps a second move of a folder away, as long as this one runs.
func lockMove(data string) (*folderLock, error) {
	lock, err := lockFolder(movePath(data))
	if err != nil {
		return nil, fmt.Errorf("another quipu move of this folder runs, or its folder cannot be used: %w", err)
	}
	return lock, nil
}

// aim refuses a cluster other than the one that it is noted that a folder moves to. It reports whether one is noted.
func aim(data, name string) (noted bool, err error) {
	target, err := os.ReadFile(movePath(data, moveTarget))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read where the folder moves to: %w", err)
	case string(target) != name:
		return true, errors.New("this folder is already being moved to another cluster: continue that move, or give it up first (quipu move --give-up)")
	}
	return true, nil
}

// claim makes sure that nothing but this move is in the cluster, and then notes that the folder moves there.
func (m *mover) claim(ctx context.Context, id string) error {
	name, err := m.c.db.Name(ctx)
	if err != nil {
		return err
	}
	noted, err := aim(m.cfg.Data, name)
	if err != nil {
		return err
	}
	if m.in.ID == id {
		m.say("the move goes on where it was")
	} else if err := m.claimEmpty(ctx, id); err != nil {
		return err
	}
	if noted {
		return nil
	}
	if err := writeWhole(movePath(m.cfg.Data, moveTarget), []byte(name)); err != nil {
		return fmt.Errorf("note where the folder moves to: %w", err)
	}
	return nil
}

// claimEmpty notes this move in a cluster, which has to be empty.
func (m *mover) claimEmpty(ctx context.Context, id string) error {
	if m.in.ID != "" {
		return errors.New("other data has been or is being moved into this cluster: use empty databases and another name for the journal")
	}
	at, err := m.c.db.Watermark(ctx)
	if err != nil {
		return err
	}
	empty, err := m.docs.Empty(ctx)
	if err != nil {
		return err
	}
	if at.Total() > 0 || m.c.journal.End().Total() > 0 || !empty {
		return errors.New("the cluster already has data: a folder can only be moved into empty databases and a journal without records")
	}
	m.in = movedIn{ID: id}
	body, err := json.Marshal(m.in)
	if err != nil {
		return err
	}
	first, err := m.c.db.ClaimMoved(ctx, body)
	if err == nil && !first {
		err = errors.New("other data moves into this cluster at this moment")
	}
	return err
}

// holding calls fn with all partitions.
func (m *mover) holding(ctx context.Context, fn func(context.Context, *postgres.Worker, *chevents.Store) error) error {
	return holdingAll(ctx, m.c.keeper, m.c.cfg.Partitions, m.say, func(ctx context.Context, w *postgres.Worker) error {
		m.c.cells.Forget()
		rows, err := chevents.Open(ctx, chevents.Options{Client: m.c.client, Ledger: w.Ledger(), Now: time.Now, Alone: m.c.alone})
		if err != nil {
			return err
		}
		return fn(ctx, w, rows)
	})
}

// keeper is a postgres.Keeper.
type keeper interface {
	Run(ctx context.Context, work func(context.Context, *postgres.Worker) error) error
}

// holdingAll calls fn with all of n partitions, for which it waits mostWaiting at most, also when some are lost meanwhile.
func holdingAll(ctx context.Context, k keeper, n int, say func(format string, args ...any), fn func(context.Context, *postgres.Worker) error) error {
	run, stop := context.WithCancel(ctx)
	defer stop()
	err := errors.New("other nodes, or another move, hold partitions of this cluster: stop them")
	wait := time.AfterFunc(mostWaiting, stop)
	defer wait.Stop()
	_ = k.Run(run, func(ctx context.Context, w *postgres.Worker) error { // it returns nil
		if held := len(w.Leases()); held < n { // those of a move that broke off run out
			say("holds %d of %d partitions, waits for the others", held, n)
			<-ctx.Done()
			return nil
		}
		if !wait.Stop() { // run is done
			return nil
		}
		failed := fn(ctx, w)
		if errors.Is(failed, state.ErrLost) {
			wait.Reset(mostWaiting)
			return failed // it is tried again
		}
		err = failed
		stop()
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// mostWaiting bounds how long partitions are waited for: leases end within seconds.
const mostWaiting = time.Minute

// sayEvery is how often progress is reported.
const sayEvery = 2 * time.Second

// copy copies the snapshot and compares it.
func (m *mover) copy(ctx context.Context) error {
	cfg, err := m.cfg.beside(moveSnapshot, "")
	if err != nil {
		return err
	}
	proc := m.proc
	proc.moving = true
	return opened(ctx, cfg, proc, func(ctx context.Context, a *App) error {
		if err := a.flush(ctx); err != nil {
			return err
		}
		from := move.Source{Through: a.journal.End()[0], Profiles: a.embedded.profiles, Schema: a.embedded.schema, Marks: a.state, Cells: a.cells, Rows: a.pipeline.Reader(a.events), Places: kernel.Ingestion(a.modules()).Places}
		known, err := a.embedded.profiles.Apps(ctx)
		if err != nil {
			return err
		}
		from.Apps = append(append(a.ids(), model.AppID{}), known...)
		now := m.proc.Now
		began, said, last := now(), now(), move.Progress{}
		show := func(p move.Progress) {
			last = p
			if now().Sub(said) >= sayEvery {
				said = now()
				m.say("copied: %s", progressText(p, now().Sub(began)))
			}
		}
		m.say("copies what was projected up to record %d, of %d apps", from.Through, len(a.ids()))
		var bases journal.Watermark
		err = m.holding(ctx, func(ctx context.Context, w *postgres.Worker, rows *chevents.Store) (err error) {
			bases, err = move.Copy(ctx, from, move.Target{
				Partitions: m.c.cfg.Partitions, Of: m.c.db.Partition, State: w, Rows: rows, Cells: w.MoveCells(m.c.cells).Drain,
			}, show)
			return err
		})
		if err != nil {
			return err
		}
		m.say("copied: %s", progressText(last, now().Sub(began)))
		m.c.db.Stale()
		m.c.cells.Forget()
		differences, err := move.Compare(ctx, from.Apps, move.Figures{Profiles: from.Profiles, Cells: from.Cells, Rows: from.Rows, Places: from.Places},
			move.Figures{Profiles: m.c.db.Profiles(), Cells: m.c.cells, Rows: m.c.events, Places: from.Places}, nil)
		if err != nil {
			return fmt.Errorf("compare what was copied: %w", err)
		}
		if len(differences) > 0 {
			return fmt.Errorf("%w:\n%s", ErrMoveDiffers, strings.Join(differences, "\n"))
		}
		m.say("all cells, rows, states and profiles of %d apps are the same", len(a.ids()))
		m.in.Copied, m.in.Through, m.in.Bases = true, from.Through, bases
		if err := m.in.write(ctx, m.c.db); err != nil {
			return err
		}
		m.c.journal = journal.Behind(m.c.journal, bases)
		return nil
	})
}

// progressText says how much was copied, and how fast.
func progressText(p move.Progress, took time.Duration) string {
	rate := float64(p.Rows) / max(took.Seconds(), 0.001)
	return fmt.Sprintf("%d event rows, %d requests, %d user states, %d profiles, %d cells, %d fingerprints; %.0f event rows/s in %v", p.Rows, p.Requests, p.States, p.Profiles, p.Cells, p.Prints, rate, took.Round(100*time.Millisecond))
}

// append appends the records up to an offset.
func (m *mover) append(ctx context.Context, f *move.Follower, through uint64) error {
	for f.Last() < through {
		list, err := m.from.records(ctx, f.Last())
		if err != nil {
			return err
		}
		for n := len(list); n > 0 && list[n-1].Offset > through; n-- {
			list = list[:n-1]
		}
		if len(list) == 0 {
			return fmt.Errorf("the journal of the folder has no records after %d, but it ends at %d", f.Last(), through)
		}
		if err := f.Append(ctx, list); err != nil {
			return err
		}
	}
	if f.Missing() {
		return errors.New("the journal of the cluster has more records than the folder: something else was appended to it")
	}
	return nil
}

// The rounds in which the cluster catches up.
const (
	closeEnough = 10 * time.Second // a round that takes no longer is the last but that of the pause
	mostRounds  = 20
)

// keepUp appends what came, until little is missing.
func (m *mover) keepUp(ctx context.Context, f *move.Follower) error {
	for range mostRounds {
		began, before := m.proc.Now(), f.Appended()
		end, err := m.from.end(ctx)
		if err == nil {
			err = m.project(ctx, f, end, nil)
		}
		if err != nil {
			return err
		}
		took := m.proc.Now().Sub(began)
		m.say("followed: %d records, up to record %d, in %v", f.Appended()-before, f.Last(), took.Round(10*time.Millisecond))
		if took <= closeEnough {
			break
		}
	}
	return nil
}

// project has the cluster project the records up to an offset, which are appended meanwhile, and calls fn with a server that has. The documents come first: they have the apps of
// all these records.
func (m *mover) project(ctx context.Context, f *move.Follower, through uint64, fn func(context.Context, *App) error) error {
	if err := m.bring(ctx); err != nil {
		return err
	}
	proc := m.proc
	proc.moving = true
	return opened(ctx, m.node, proc, func(ctx context.Context, a *App) error {
		err := m.append(ctx, f, through)
		if err == nil {
			err = a.work.Await(ctx, m.c.journal.End())
		}
		if err == nil {
			err = a.work.Flush(ctx)
		}
		if err != nil {
			return fmt.Errorf("follow the journal: %w", err)
		}
		if fn == nil {
			return nil
		}
		return fn(ctx, a)
	})
}

// bring brings documents and files up to date.
func (m *mover) bring(ctx context.Context) (err error) {
	if err := m.from.documents(ctx); err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, sqlite.Options{Path: movePath(m.cfg.Data, moveDocuments), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("open the copy of the documents: %w", err)
	}
	err = db.Export(ctx, func(collection string, version int, records iter.Seq2[docs.Record, error]) error {
		_, err := m.docs.Import(ctx, collection, version, records)
		return err
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return m.bringFiles(ctx)
}

// bringFiles stores files that are not there yet.
func (m *mover) bringFiles(ctx context.Context) error {
	from, err := disk.Open(filepath.Join(m.cfg.Data, "files"))
	if err != nil {
		return err
	}
	return m.c.files.Copy(ctx, from, m.stored)
}

// reportsSettle is how long reports may differ after the last records: lists of users are brought up to date every half a minute.
const reportsSettle = 35 * time.Second

// switchOver pauses the server, brings what is left, compares, and has the server accept nothing any more.
func (m *mover) switchOver(ctx context.Context, f *move.Follower) error {
	began := m.proc.Now()
	p, release, err := m.from.pause(ctx)
	if err != nil {
		return err
	}
	defer release()
	m.say("the server is paused behind record %d", p.End)
	var differences []string
	var apps []model.AppID
	n, compared := 0, 0
	err = m.project(ctx, f, p.End, func(ctx context.Context, a *App) (err error) {
		apps = a.ids()
		n, compared, differences, err = compareReports(ctx, apps, m.comparing, reportsSettle, m.proc.Now, m.from.read, a.readAsAdmin)
		return err
	})
	if err == nil {
		err = m.bringOutcomes(ctx, append(apps, model.AppID{}), p.Outcomes)
	}
	if err != nil {
		return err
	}
	if len(differences) > 0 {
		return fmt.Errorf("%w; %d of %d reports differ:\n%s", ErrMoveDiffers, len(differences), n, strings.Join(differences, "\n"))
	}
	m.say("%d reports of %d apps are the same", n, compared)
	if rest := len(apps) - compared; rest > 0 {
		m.say("the time for comparing was over: reports of %d apps were not compared after the last records, only what was copied", rest)
	}
	if err := m.from.finish(ctx); err != nil {
		return err
	}
	was, err := readMoving(m.cfg.Data)
	if err != nil {
		return err
	}
	if err := m.end(ctx, was); err != nil {
		return err
	}
	m.say("nothing was accepted for %v so far", m.proc.Now().Sub(began).Round(10*time.Millisecond))
	return nil
}

// end notes in the cluster that the data has moved, and removes what the move needed in the folder.
func (m *mover) end(ctx context.Context, was moving) error {
	if m.in.ID != was.ID || !m.in.Copied {
		return errMoved
	}
	m.in.Done = true
	if err := m.in.write(ctx, m.c.db); err != nil {
		return err
	}
	for _, name := range []string{moveSnapshot, moveDocuments, moveDocuments + "-wal", moveDocuments + "-shm"} {
		if err := os.RemoveAll(movePath(m.cfg.Data, name)); err != nil {
			return fmt.Errorf("remove what the move needed: %w", err)
		}
	}
	m.say("the data has moved: start the nodes with the same secret key (%s), point clients at them, and stop this server", m.cfg.secretPath())
	return nil
}

// bringOutcomes adds what the edge of the server has counted and no journal has.
func (m *mover) bringOutcomes(ctx context.Context, apps []model.AppID, want []outcomeCell) error {
	return m.holding(ctx, func(ctx context.Context, w *postgres.Worker, _ *chevents.Store) error {
		if err := w.MoveCells(m.c.cells).Drain(ctx); err != nil { // of an earlier try
			return err
		}
		deltas, err := m.missingOutcomes(ctx, apps, want)
		if err != nil {
			return err
		}
		for app, cells := range deltas {
			partition := m.c.db.Partition(app)
			w0, err := w.Watermark(ctx)
			if err != nil {
				return err
			}
			c := state.Change{Watermark: journal.Watermark{partition: w0[partition]}, Apps: []state.App{{ID: app, Cells: cells}}}
			if err := w.Commit(ctx, &c); err != nil {
				return err
			}
		}
		return w.MoveCells(m.c.cells).Drain(ctx)
	})
}

// missingOutcomes is what the cluster lacks of the counts of the server, by app.
func (m *mover) missingOutcomes(ctx context.Context, apps []model.AppID, want []outcomeCell) (map[model.AppID]rollup.Delta, error) {
	series := rollup.Series{Metric: rollup.Outcomes}
	type at struct {
		app   model.AppID
		key   rollup.Bucket
		value string
	}
	have := map[at]int64{}
	m.c.cells.Forget()
	for _, app := range apps {
		err := m.c.cells.Scan(ctx, app, series, rollup.Day, 0, 1<<32-1, func(b rollup.Bucket, value string, c *rollup.Cell) error {
			have[at{app, b, value}] = c.Count
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	deltas := map[model.AppID]rollup.Delta{}
	for _, o := range want {
		n := o.Count - have[at{o.App, o.Bucket, o.Value}]
		if n == 0 || !slices.Contains(apps, o.App) {
			continue
		}
		if deltas[o.App] == nil {
			deltas[o.App] = rollup.Delta{}
		}
		deltas[o.App].At(rollup.Key{Series: series, Grain: rollup.Day, Bucket: o.Bucket, Value: o.Value}).Count = n
	}
	return deltas, nil
}
