package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quipu/internal/move"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/kafka"
	"quipu/internal/store/state/postgres"
)

// drainer takes from the journal of a cluster what it still gets after the data has moved to this folder: nodes accept until they are stopped. What it takes is in the
// journal of the folder, once, before it goes from that of the cluster.
type drainer struct {
	a    *App
	note movingBack
	// patience is for how long clients are refused at the start while the journal of the cluster cannot be reached. While it can, they are until all that it had is taken, so
	// that records of one client keep their order.
	patience time.Duration
	// unpark takes over outcomes that nodes had counted; all is false when there may be more of them.
	unpark func(context.Context) (all bool, err error)

	// turn holds a token while records are read and taken, or all is ended. It is with whom the fields below it belong to.
	turn  chan struct{}
	drain move.Drain
	ended bool // nothing is taken any more
	// untrimmed says that a trim failed, holes that records were missing: each is logged once.
	untrimmed, holes bool

	// reached is the journal of the cluster; nil = it cannot be reached.
	reached atomic.Pointer[clusterJournal]
	done    atomic.Bool // as ended
}

// clusterJournal is the journal of a cluster that is read without the cluster, numbered as its nodes number it.
type clusterJournal struct {
	journal.Journal
	check func(context.Context) error
	close func() error
}

// The bounds of what is taken at once.
const (
	drainBytes   = 256 << 10 // of a read
	drainPart    = 1 << 20   // of a commit, of one partition
	drainRecords = 500
	// drainPause is how long it waits for room in the journal of the folder.
	drainPause = 100 * time.Millisecond
)

// How the journal of the cluster is watched and reached again.
const (
	backFirst   = 200 * time.Millisecond
	backMost    = 10 * time.Second
	backCheck   = 5 * time.Second // after so long without records
	backAnswers = 5 * time.Second // is how long an answer may take then
	backOpens   = 10 * time.Minute
)

// backPatience is Process.BackPatience unless that is set.
const backPatience = 30 * time.Second

var (
	errMovingBack = errors.New("data moves into this folder from a cluster (quipu move --back), and it is not whole: go on with the move, or remove the folder")
	errNoBack     = errors.New("no records are read from the journal of a cluster")
	errBackEnded  = errors.New("records are no longer read from the journal of the cluster")
	errStillBack  = errors.New("records are still read from the journal of the cluster that the data has moved from: end that first (quipu move --back --end)")
)

// resumeMoveBack prepares to take what a cluster still accepts from which the data has moved, and refuses a folder into which it still moves.
func (a *App) resumeMoveBack(ctx context.Context, proc Process) error {
	m, err := readMovingBack(a.cfg.Data)
	if err != nil {
		return err
	}
	switch {
	case m.ID == "":
		if taken := a.own.Taken(); len(taken) > 0 && !a.moving {
			a.log.WarnContext(ctx, "this folder is a copy of one that takes records from the journal of a cluster: it takes none itself; quipu move --back --give-up forgets the cluster", "taken", taken)
		}
		return nil
	case !m.Done && a.moving:
		return nil
	case !m.Done:
		return errMovingBack
	}
	m.At = m.At.Clone()
	for partition, base := range m.Bases { // what moved in from a folder is projected
		m.At[partition] = max(m.At[partition], base)
	}
	a.back = &drainer{a: a, note: m, patience: cmp.Or(proc.BackPatience, backPatience), turn: make(chan struct{}, 1), drain: move.Drain{At: m.At}}
	return nil
}

// taking reports whether records are still taken from a cluster.
func (d *drainer) taking() bool { return d != nil && !d.done.Load() }

// missing is how many records of the cluster are not taken yet; -1 = unknown.
func (d *drainer) missing() int64 {
	if !d.taking() {
		return 0
	}
	j := d.reached.Load()
	if j == nil {
		return -1
	}
	n, _ := j.Size(d.from())
	return n
}

// from is up to where the journal of the cluster is taken.
func (d *drainer) from() journal.Watermark {
	w := d.note.At.Clone()
	for partition, offset := range d.a.own.Taken() {
		w[partition] = max(w[partition], offset)
	}
	return w
}

// open opens the journal of the cluster as it is.
func (d *drainer) open(ctx context.Context) (*clusterJournal, error) {
	file, err := LoadCluster(d.note.Cluster)
	if err != nil {
		return nil, err
	}
	return newCluster(d.a.cfg, file).readJournal(ctx, d.a, d.note.Bases)
}

// readJournal opens the journal as it is, and nothing else of the cluster, which it closes on an error.
func (c *cluster) readJournal(ctx context.Context, a *App, bases journal.Watermark) (*clusterJournal, error) {
	ctx, cancel := context.WithTimeout(ctx, backOpens)
	defer cancel()
	check, err := c.openExisting(ctx, a)
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return &clusterJournal{journal.Behind(c.journal, bases), check, c.close}, nil
}

// openExisting opens the journal, which has to be there, and nothing else of the cluster. check asks whether its servers answer.
func (c *cluster) openExisting(ctx context.Context, a *App) (check func(context.Context) error, err error) {
	j := c.cfg.Journal
	if j.Engine == engineKafka {
		o, err := c.kafkaOptions(a)
		if err != nil {
			return nil, err
		}
		o.Existing, o.MaxBytes, o.MaxAppend = true, 0, 0
		open, err := kafka.Open(ctx, o)
		if err != nil {
			return nil, err
		}
		c.journal, c.closers = open, append(c.closers, open.Close)
		return open.Check, nil
	}
	nc, err := j.nats(j.User, j.Password.Value, dialOf(a.dial, EngineJournal))
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, func() error { nc.Close(); return nil })
	o := c.jetStreamOptions(a)
	o.Existing, o.MaxBytes, o.MaxAppend = true, 0, 0
	open, err := jetstream.Open(ctx, nc, o)
	if err != nil {
		return nil, err
	}
	c.journal, c.closers = open, append(c.closers, open.Close)
	return open.Check, nil
}

// run takes what comes until ctx is done, all is ended, or the journal of the folder fails. The server does not depend on it: the journal of the cluster may be away for as long as it likes.
func (d *drainer) run(ctx context.Context) {
	let := sync.OnceFunc(func() { d.a.gated.first.set(false) })
	defer let()
	var over atomic.Bool // the patience is
	defer time.AfterFunc(d.patience, func() {
		over.Store(true)
		if d.reached.Load() == nil {
			let()
		}
	}).Stop()
	d.takeOutcomes(ctx)
	log, failing, wait, once := d.a.log, false, backFirst, sync.Once{}
	for {
		err := d.follow(ctx, func() {
			if failing {
				log.InfoContext(ctx, "the journal of the cluster can be reached again")
			}
			failing, wait = false, backFirst
		}, func() {
			let()
			once.Do(func() {
				log.InfoContext(ctx, "all records that the journal of the cluster had are taken; quipu move --back --end ends this once its nodes are stopped")
			})
		})
		d.reached.Store(nil)
		switch {
		case ctx.Err() != nil || errors.Is(err, errBackEnded) || errors.Is(err, journal.ErrClosed):
			return
		case errors.Is(err, errOwnJournal):
			log.ErrorContext(ctx, "nothing is taken from the journal of the cluster until the next start", "error", err)
			return
		case !failing:
			log.WarnContext(ctx, "nothing is taken from the journal of the cluster, it is tried again", "error", err)
		}
		if failing = true; over.Load() {
			let()
		}
		if waited(ctx, wait) != nil {
			return
		}
		wait = min(2*wait, backMost)
	}
}

// takeOutcomes takes over what nodes had counted at their edge and handed over to nobody.
func (d *drainer) takeOutcomes(ctx context.Context) {
	for d.unpark != nil {
		all, err := d.unpark(ctx)
		if err != nil && ctx.Err() == nil {
			d.a.log.WarnContext(ctx, "outcomes that nodes of the cluster counted are left until the next start", "error", err)
		}
		if all || err != nil {
			return
		}
	}
}

// follow opens the journal of the cluster and takes what comes. It calls works whenever the servers have answered, and caughtUp once all is taken that was there when it was opened: nodes
// under load may leave no moment at which nothing more is there.
func (d *drainer) follow(ctx context.Context, works, caughtUp func()) (err error) {
	j, err := d.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	d.reached.Store(j)
	had := j.End()
	for {
		if err := d.room(ctx); err != nil {
			return err
		}
		n, err := d.take(ctx, j)
		if err != nil {
			return err
		}
		works()
		if n == 0 || d.from().Reaches(had) {
			caughtUp()
		}
		if n > 0 {
			continue
		}
		if err := d.wait(ctx, j); err != nil {
			return err
		}
	}
}

// wait returns when records are there, and with an error when the servers do not answer.
func (d *drainer) wait(ctx context.Context, j *clusterJournal) error {
	for d.taking() {
		quiet, cancel := context.WithTimeout(ctx, backCheck)
		err := j.Wait(quiet, d.from())
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		answers, cancel := context.WithTimeout(ctx, backAnswers)
		err = j.check(answers)
		cancel()
		if err != nil {
			return err
		}
	}
	return errBackEnded
}

// room waits until most of the folder's journal is left to the folder's own clients.
func (d *drainer) room(ctx context.Context) error {
	for {
		if _, waiting := d.a.own.Size(nil); waiting <= d.a.cfg.Ingest.JournalLimit/4 {
			return nil
		}
		if err := waited(ctx, drainPause); err != nil {
			return err
		}
	}
}

// exclusively calls fn while nobody else takes records.
func (d *drainer) exclusively(ctx context.Context, fn func() error) error {
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-d.turn }()
	if d.ended {
		return errBackEnded
	}
	return fn()
}

// part is what one commit takes of a partition.
type part struct {
	through uint64 // the last record that it has, or leaves out
	entries []journal.Entry
	bytes   int
}

// take takes some records of the cluster's journal, and then trims that. n is how many they are, those that are left out included.
func (d *drainer) take(ctx context.Context, j journal.Journal) (n int, err error) {
	err = d.exclusively(ctx, func() error {
		from, parts := d.from(), map[uint16][]*part{}
		most := min(drainPart, int(d.a.cfg.Ingest.JournalLimit/4))
		read := j.Read(ctx, from, drainBytes, func(r journal.Record) bool {
			n++
			if r.Offset != from[r.Partition]+1 && !d.holes {
				d.holes = true
				d.a.log.ErrorContext(ctx, "the journal of the cluster lacks records that were not taken", "partition", r.Partition, "behind", from[r.Partition], "next", r.Offset)
			}
			from[r.Partition] = r.Offset
			list := parts[r.Partition]
			e, ok := d.drain.Entry(r)
			if len(list) == 0 || ok && list[len(list)-1].full(len(e.Payload), most) {
				list = append(list, &part{})
				parts[r.Partition] = list
			}
			list[len(list)-1].add(r.Offset, e, ok)
			return true
		})
		var g errgroup.Group // the commits share a sync
		for partition, list := range parts {
			g.Go(func() error {
				for _, p := range list {
					if err := d.store(ctx, journal.Position{Partition: partition, Offset: p.through}, p.entries); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if n > 0 {
			d.trim(ctx, j)
		}
		return read
	})
	return n, err
}

// full reports whether so many bytes more are for another part.
func (p *part) full(more, most int) bool {
	return len(p.entries) > 0 && (len(p.entries) == drainRecords || p.bytes+more > most)
}

// add adds the next record, or leaves it out.
func (p *part) add(offset uint64, e journal.Entry, ok bool) {
	p.through = offset
	if ok {
		p.entries = append(p.entries, journal.Entry{Routing: e.Routing, Payload: bytes.Clone(e.Payload)})
		p.bytes += len(e.Payload)
	}
}

// errOwnJournal says that not the journal of the cluster failed, but that of the folder.
var errOwnJournal = errors.New("journal of the folder")

// store appends entries to the journal of the folder, which are the records of the cluster up to a position. It waits for room, and while the server is paused for another move.
func (d *drainer) store(ctx context.Context, through journal.Position, entries []journal.Entry) error {
	for {
		err := d.a.gated.gate.pass(func() error {
			_, err := d.a.own.Take(ctx, through, entries...)
			return err
		})
		switch {
		case err == nil || errors.Is(err, journal.ErrClosed) || ctx.Err() != nil:
			return err
		case !errors.Is(err, journal.ErrFull) && !errors.Is(err, errMoving):
			return fmt.Errorf("%w: %w", errOwnJournal, err)
		}
		if err := waited(ctx, drainPause); err != nil {
			return err
		}
	}
}

// trim removes from the journal of the cluster what is taken. It is tried again with the next records.
func (d *drainer) trim(ctx context.Context, j journal.Journal) {
	err := j.Trim(ctx, d.from())
	if err != nil && !d.untrimmed && ctx.Err() == nil {
		d.a.log.WarnContext(ctx, "the journal of the cluster keeps what is taken from it", "error", err)
	}
	d.untrimmed = err != nil
}

// takeLast takes what the journal of the cluster has, and fails unless that is all.
func (d *drainer) takeLast(ctx context.Context) (err error) {
	const otherwise = "; to forget the cluster without what may wait there: quipu move --back --give-up"
	j, err := d.open(ctx)
	if err != nil {
		return fmt.Errorf("the journal of the cluster cannot be reached, so it is not known whether records wait there: start its servers, and try again%s: %w", otherwise, err)
	}
	defer func() { err = errors.Join(err, j.close()) }()
	if err := d.stopped(ctx); err != nil {
		return err
	}
	for {
		n, err := d.take(ctx, j)
		if err != nil {
			return fmt.Errorf("some records of the cluster were not read%s: %w", otherwise, err)
		}
		if from, end := d.from(), j.End(); n == 0 && !from.Reaches(end) {
			var lack []string
			for _, partition := range slices.Sorted(maps.Keys(end)) {
				if end[partition] > from[partition] {
					lack = append(lack, fmt.Sprintf("partition %d: taken up to record %d of %d", partition, from[partition], end[partition]))
				}
			}
			return fmt.Errorf("some records of the cluster were not read%s: %v", otherwise, lack)
		}
		if n == 0 {
			return nil
		}
	}
}

// stopped refuses to end while nodes live, which may accept more. Where PostgreSQL cannot be asked, it is taken for stopped, too.
func (d *drainer) stopped(ctx context.Context) error {
	file, err := LoadCluster(d.note.Cluster)
	if err != nil {
		return err
	}
	c := newCluster(d.a.cfg, file)
	limited, cancel := context.WithTimeout(ctx, backAnswers)
	defer cancel()
	live, err := postgres.Live(limited, c.stateOptions(d.a))
	if err != nil {
		d.a.log.WarnContext(ctx, "it is not known whether nodes of the cluster still run", "error", err)
		return nil
	}
	if live > 0 {
		return fmt.Errorf("%d nodes of the cluster still run and may accept more data: stop them first (a killed node counts for another %v)", live, postgres.LeaseTTL)
	}
	return nil
}

// endMoveBack forgets the cluster that the data has moved from, once all that its journal has is taken, or, when it is given up, without looking. The note that more is taken goes
// first: a server that starts after a break in between takes nothing, and none twice.
func (a *App) endMoveBack(ctx context.Context, giveUp bool) error {
	if a.own == nil {
		return errNoBack
	}
	if !a.back.taking() { // that of a copy, or of an end that broke off
		if len(a.own.Taken()) == 0 {
			return errNoBack
		}
		return a.own.Forget(ctx)
	}
	d := a.back
	if !giveUp {
		if err := d.takeLast(ctx); err != nil {
			return err
		}
	}
	return d.exclusively(ctx, func() error {
		missing := d.missing()
		if err := forgetMovingBack(a.cfg.Data); err != nil {
			return err
		}
		d.ended = true
		d.done.Store(true)
		a.log.InfoContext(ctx, "records are no longer read from the journal of the cluster", "given_up", giveUp, "waiting", missing)
		return a.own.Forget(ctx)
	})
}

// EndMoveBack forgets the cluster from which the data of a folder has moved, after the last records of its journal are taken: its nodes have to be stopped. The error says what
// is missing. giveUp forgets it without looking.
func EndMoveBack(ctx context.Context, cfg Config, proc Process, giveUp bool) (err error) {
	if m, err := readMovingBack(cfg.Data); err != nil {
		return err
	} else if m.ID != "" && !m.Done {
		return errMovingBack
	}
	if err := isDataFolder(cfg.Data); err != nil {
		return err
	}
	lock, err := lockMove(cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	path := "/move/back-end"
	if giveUp {
		path = "/move/back-give-up"
	}
	_, err = askServer(ctx, cfg.Data, path, nil)
	if errors.Is(err, errNoServer) {
		return Offline(ctx, cfg.embedded(), proc, func(ctx context.Context, a *App) error { return a.endMoveBack(ctx, giveUp) })
	}
	return err
}
