package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/move"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/files/disk"
	"quipu/internal/store/journal"
	"quipu/internal/store/state"
	"quipu/internal/store/state/postgres"
)

// backMover moves what a cluster has collected to a folder.
type backMover struct {
	mover
	note movingBack
	// leases are those of all partitions, under which was copied.
	leases []postgres.Lease
}

// errLeftElsewhere says that the data of a cluster is in another folder by now.
var errLeftElsewhere = errors.New("the data of this cluster has moved to another folder")

// MoveBack copies the data of the cluster that cfg names to its folder, which has to be empty but for the secret key, compares both, and has the nodes project
// nothing any more. Nodes go on accepting what devices send all the time; while it copies they project nothing, so reports stand still. What they accepted behind
// the copy the folder's server takes from the cluster's journal, see drain. A move that broke off copies once more.
func MoveBack(ctx context.Context, cfg Config, proc Process, o MoveOptions) (err error) {
	proc.fill()
	if o.Comparing < 0 || o.Comparing > MostComparing {
		return fmt.Errorf("reports can be compared for at most %v", MostComparing)
	}
	if cfg.Docs != "" {
		return errors.New("the documents are to be in a PostgreSQL database (docs), to which quipu move does not bring them")
	}
	if cfg.Cluster == "" {
		return errNoCluster
	}
	proc.FirstAdmin, proc.Shared, proc.moving, proc.frozen = NewAdmin{}, true, true, true
	m := &backMover{mover: mover{cfg: cfg.embedded(), proc: proc, comparing: o.Comparing, say: func(format string, args ...any) {
		if o.Progress != nil {
			o.Progress(fmt.Sprintf(format, args...))
		}
	}}}
	if err := os.MkdirAll(movePath(cfg.Data), 0o700); err != nil {
		return fmt.Errorf("make a folder for the move: %w", err)
	}
	lock, err := lockMove(cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := m.cfg.forNodes(); err != nil {
		return err
	}
	if m.note, err = readMovingBack(cfg.Data); err != nil {
		return err
	}
	if m.note.Done {
		return errMovedHere
	}
	if err := wholeCluster(ctx, cfg, proc); err != nil {
		return err
	}
	if err := m.claimFolder(cfg.Cluster); err != nil {
		return err
	}
	if m.node, err = cfg.beside("node", m.note.Cluster); err != nil {
		return err
	}
	if err := os.MkdirAll(m.node.Data, 0o700); err != nil {
		return fmt.Errorf("make a folder for the move: %w", err)
	}
	if err := m.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }() //nolint:contextcheck // closing must not be cut short
	return m.run(ctx)
}

// errMovedHere says that there is nothing left to do.
var errMovedHere = errors.New("the data has already moved to this folder: start the server on it")

// withoutStores refuses a folder that has stores.
func withoutStores(data string) error {
	for _, name := range stores() {
		if _, err := os.Lstat(filepath.Join(data, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the folder already has data (%s): use an empty folder with the secret key of the nodes", name)
		}
	}
	return nil
}

// forNodes refuses a folder without a secret key: one that is made would not open what nodes have sealed.
func (c *Config) forNodes() error {
	if _, err := c.readSecret(); err != nil {
		return fmt.Errorf("the folder needs the secret key of the nodes first: %w", err)
	}
	return nil
}

// claimFolder notes the move in the folder, which must have no stores but those that an earlier try has left.
func (m *backMover) claimFolder(cluster string) error {
	path, err := filepath.Abs(cluster)
	if err != nil {
		return fmt.Errorf("locate the cluster's file: %w", err)
	}
	if m.note.ID == "" {
		was, err := readMoving(m.cfg.Data)
		if err != nil {
			return err
		}
		if was.ID != "" {
			return errors.New("the folder has been or is being moved to a cluster: use an empty folder with the secret key of the nodes")
		}
		if err := withoutStores(m.cfg.Data); err != nil {
			return err
		}
		m.note.ID = model.NewID().String()
	}
	m.note.Cluster = path
	return m.note.write(m.cfg.Data)
}

// run moves, or ends a move that broke off.
func (m *backMover) run(ctx context.Context) error {
	switch m.in.Left {
	case "":
	case m.note.ID:
		m.say("the data has left the cluster: the move goes on where it was")
		return m.finish(ctx)
	default:
		return errLeftElsewhere
	}
	if m.in.ID != "" && !m.in.Done {
		return errMovingIn
	}
	if err := m.findJournal(ctx); err != nil {
		return err
	}
	m.say("takes all partitions: nodes go on accepting data, and project nothing until the move has ended")
	left := false
	err := opened(ctx, m.node, m.proc, func(ctx context.Context, nodes *App) error {
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		s, err := m.hold(ctx, nodes)
		if err != nil {
			return err
		}
		unwatch := m.watch(ctx, nodes, s, stop)
		err = m.copyBack(ctx, nodes)
		if err == nil {
			err = m.compareBack(ctx, nodes)
		}
		unwatch() // the switch looks by itself, and takes them
		if err == nil {
			err = m.leave(ctx)
			left = err == nil
		}
		if cause := context.Cause(ctx); cause != nil && !left { // nobody holds a partition any more once the data has left
			return cause
		}
		return err
	})
	if !left {
		return err
	}
	m.say("the data has left the cluster: brings the documents once more")
	return errors.Join(err, m.finish(ctx))
}

// findJournal refuses a cluster whose journal cannot be read from here, or is another one than that of which was projected: what nodes accept behind the copy is only there.
func (m *backMover) findJournal(ctx context.Context) error {
	at, err := m.c.db.Watermark(ctx)
	if err != nil {
		return err
	}
	end, err := journalEnd(ctx, m.node, m.proc, m.in.Bases)
	if err != nil {
		return err
	}
	for _, partition := range slices.Sorted(maps.Keys(at)) {
		if at[partition] > end[partition] {
			return fmt.Errorf("the journal named in the cluster file is not the journal of this cluster, or lacks records: partition %d has %d, but %d were projected", partition, end[partition], at[partition])
		}
	}
	return nil
}

// journalEnd is up to where the journal of a cluster has records.
func journalEnd(ctx context.Context, cfg Config, proc Process, bases journal.Watermark) (journal.Watermark, error) { // as Open has it
	c, a, err := outside(cfg, proc)
	if err != nil {
		return nil, err
	}
	j, err := c.readJournal(ctx, a, bases)
	if err != nil {
		return nil, fmt.Errorf("the journal of the cluster must be reachable from here, since the folder's server reads from it what nodes accept during and after the move: %w", err)
	}
	end := j.End()
	return end, j.close()
}

// hold waits until all partitions are held and what was projected lies where it is read.
func (m *backMover) hold(ctx context.Context, nodes *App) (*share, error) {
	work := nodes.work.(*nodeWork)
	limited, cancel := context.WithTimeout(ctx, mostWaiting)
	defer cancel()
	var s *share
	for {
		if s = work.share(); s != nil && len(s.parts) == m.c.cfg.Partitions {
			break
		}
		if err := waited(limited, askEvery); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if now, err := readMovedIn(ctx, m.c.db); err == nil && now.Left != "" && now.Left != m.note.ID {
				return nil, errLeftElsewhere
			}
			return nil, fmt.Errorf("nodes or another move hold partitions of this cluster and do not release them; all nodes must have this version: %w", err)
		}
	}
	at, err := s.w.Watermark(ctx)
	if err != nil {
		return nil, err
	}
	nodes.frozen.endsAt(at)
	if err := work.Flush(ctx); err != nil {
		return nil, fmt.Errorf("flush pending rows to ClickHouse: %w", err)
	}
	nodes.cluster.cells.Forget()
	m.leases = s.w.Leases()
	m.note.At, m.note.Bases = at, m.in.Bases
	return s, m.note.write(m.cfg.Data)
}

// errLostPartitions says that nodes may have projected meanwhile.
var errLostPartitions = errors.New("nodes have taken partitions in the meantime, since PostgreSQL could not be reached for a while: start the move again")

// watch ends the move when partitions are lost, until it is called off.
func (*backMover) watch(ctx context.Context, nodes *App, s *share, stop context.CancelCauseFunc) (unwatch func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for waited(ctx, time.Second) == nil {
			if nodes.work.(*nodeWork).share() != s {
				stop(errLostPartitions)
				return
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// figures are what the nodes have.
func (m *backMover) figures(nodes *App) move.Figures {
	return move.Figures{Profiles: nodes.cluster.db.Profiles(), Cells: nodes.cluster.cells, Rows: nodes.cluster.events, Places: kernel.Ingestion(nodes.modules()).Places}
}

// known are the apps that may have data.
func (m *backMover) known(ctx context.Context, nodes *App) ([]model.AppID, error) {
	list, err := nodes.cluster.db.Profiles().Apps(ctx)
	return append(append(nodes.ids(), model.AppID{}), list...), err
}

// copyBack makes the stores of the folder.
func (m *backMover) copyBack(ctx context.Context, nodes *App) (err error) {
	if err := m.emptyFolder(); err != nil {
		return err
	}
	apps, err := m.known(ctx, nodes)
	if err != nil {
		return err
	}
	db, figures := nodes.cluster.db, m.figures(nodes)
	from := move.Source{Apps: apps, Of: db.Partition, Profiles: db.Profiles(), Schema: db.Schema(), Marks: db, Cells: figures.Cells, Rows: figures.Rows, Places: figures.Places}
	for _, offset := range m.note.At {
		from.Through = max(from.Through, offset)
	}
	a, err := Open(ctx, m.cfg, m.proc)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }() //nolint:contextcheck // closing must not be cut short
	now := m.proc.Now
	began, said, last := now(), now(), move.Progress{}
	m.say("copies what was projected, of %d apps", len(nodes.ids()))
	_, err = move.Copy(ctx, from, move.Target{
		Partitions: 1, Of: func(model.AppID) uint16 { return 0 }, State: a.store, Rows: a.duck, Cells: func(context.Context) error { return nil },
	}, func(p move.Progress) {
		if last = p; now().Sub(said) >= sayEvery {
			said = now()
			m.say("copied: %s", progressText(p, now().Sub(began)))
		}
	})
	if err != nil {
		return err
	}
	m.say("copied: %s", progressText(last, now().Sub(began)))
	return nil
}

// emptyFolder removes what an earlier try has left.
func (m *backMover) emptyFolder() error {
	for _, name := range append(stores(), eventsFile+".wal", docsFile+"-wal", docsFile+"-shm", formatsFile) {
		if err := os.RemoveAll(filepath.Join(m.cfg.Data, name)); err != nil {
			return fmt.Errorf("remove what an earlier try has left: %w", err)
		}
	}
	return nil
}

// compareBack compares all that both have, and the reports of both.
func (m *backMover) compareBack(ctx context.Context, nodes *App) error {
	if err := m.bringBack(ctx); err != nil {
		return err
	}
	return opened(ctx, m.cfg, m.proc, func(ctx context.Context, a *App) error {
		apps, err := m.known(ctx, nodes)
		if err != nil {
			return err
		}
		folder := move.Figures{Profiles: a.profiles, Cells: a.cells, Rows: a.events, Places: kernel.Ingestion(a.modules()).Places}
		differences, err := move.Compare(ctx, apps, m.figures(nodes), folder, nil)
		if err != nil {
			return fmt.Errorf("compare what was copied: %w", err)
		}
		if len(differences) > 0 {
			return fmt.Errorf("%w:\n%s", errBackDiffers, strings.Join(differences, "\n"))
		}
		apps = slices.DeleteFunc(a.ids(), func(id model.AppID) bool { return nodes.apps.ByID(id) == nil }) // not those that are new since
		n, compared, differences, err := compareReports(ctx, apps, m.comparing, reportsSettle, m.proc.Now, a.readAsAdmin, nodes.readAsAdmin)
		if err != nil {
			return err
		}
		if len(differences) > 0 {
			return fmt.Errorf("%w; %d of %d reports differ:\n%s", errBackDiffers, len(differences), n, strings.Join(differences, "\n"))
		}
		m.say("all cells, rows, states and profiles, and %d reports of %d apps, are the same", n, compared)
		if rest := len(apps) - compared; rest > 0 {
			m.say("the time for comparing was over: reports of %d apps were not compared, only what was copied", rest)
		}
		return nil
	})
}

// errBackDiffers says that reports of both sides differ: the move is not done.
var errBackDiffers = errors.New("the figures of the folder differ from the cluster's: the data has not moved, and the nodes continue")

// bringBack replaces the documents of the folder by those of the cluster, and copies files that are missing.
func (m *backMover) bringBack(ctx context.Context) (err error) {
	path := filepath.Join(m.cfg.Data, docsFile)
	part := movePath(m.cfg.Data, moveDocuments)
	for _, name := range []string{part, part + "-wal", part + "-shm", path + "-wal", path + "-shm"} {
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("remove an older copy of the documents: %w", err)
		}
	}
	db, err := sqlite.Open(ctx, sqlite.Options{Path: part, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("make the documents: %w", err)
	}
	err = m.docs.Export(ctx, func(collection string, version int, records iter.Seq2[docs.Record, error]) error {
		_, err := db.Import(ctx, collection, version, records)
		return err
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("put the documents in place: %w", err)
	}
	if err := syncFolder(m.cfg.Data); err != nil {
		return err
	}
	to, err := disk.Open(filepath.Join(m.cfg.Data, "files"))
	if err != nil {
		return err
	}
	return to.Copy(ctx, m.c.files, nil) // a file that was there may be gone: a server that opened the folder since, to compare, removes those that no document names
}

// leave notes in the cluster that the data has left, from where on no node projects.
func (m *backMover) leave(ctx context.Context) error {
	m.in.Left = m.note.ID
	body, err := m.in.body()
	if err != nil {
		return err
	}
	err = m.c.db.MoveOut(ctx, m.leases, body)
	if errors.Is(err, state.ErrLost) {
		return errLostPartitions
	}
	if err == nil {
		return nil
	}
	now, rerr := readMovedIn(ctx, m.c.db) // the answer may have been lost
	if rerr != nil || now.Left != m.note.ID {
		return fmt.Errorf("record that the data leaves, after which the move continues when started again: %w", errors.Join(err, rerr))
	}
	return nil
}

// finish brings the documents once more, which nobody can change any more, and the files that came since, and notes in the folder that the data has moved.
func (m *backMover) finish(ctx context.Context) error {
	if err := m.docs.Shut(ctx); err != nil {
		return err
	}
	if err := waited(ctx, 2*leftEvery); err != nil { // nodes take pictures until they see that the data has left
		return err
	}
	if err := m.bringBack(ctx); err != nil {
		return err
	}
	m.note.Done = true
	if err := m.note.write(m.cfg.Data); err != nil {
		return err
	}
	m.say("the data has moved: start a server on %s and point clients at it. It takes what nodes still accept, by way of the cluster's journal, for which it reads %s; once the nodes are stopped, end that with quipu move --back --end", m.cfg.Data, m.note.Cluster)
	return nil
}
