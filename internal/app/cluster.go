package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/jobs"
	"quipu/internal/store/ch"
	chevents "quipu/internal/store/events/clickhouse"
	"quipu/internal/store/files"
	diskfiles "quipu/internal/store/files/disk"
	s3files "quipu/internal/store/files/s3"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/kafka"
	chcells "quipu/internal/store/rollup/clickhouse"
	"quipu/internal/store/s3"
	"quipu/internal/store/schema"
	"quipu/internal/store/state/postgres"
)

// cluster holds the stores of a cluster, as one node has them.
type cluster struct {
	cfg     ClusterConfig
	limits  schema.Limits
	db      *postgres.DB
	keeper  *postgres.Keeper
	client  *ch.Client
	events  *chevents.Store // for readers
	cells   *chcells.Store
	journal journal.Journal
	files   *files.Store
	lag     time.Duration // of reads of cells
	// closers end what was opened, the last first.
	closers []func() error
}

// maxSkew is how far clocks may be apart. Nothing that is stored depends on them, but times of what clients send do.
const maxSkew = time.Minute

// cellsLag is how far reads of cells may be behind what has arrived in ClickHouse, so that they need not wait for it. As a rule they are half a second behind.
const cellsLag = 3 * time.Second

// openCluster opens the stores of the cluster, and reports all that is wrong with any of them at once.
func (a *App) openCluster(ctx context.Context) error {
	cfg, err := LoadCluster(a.cfg.Cluster)
	if err != nil {
		return err
	}
	if err := a.foreignFolder(); err != nil {
		return err
	}
	c := newCluster(a.cfg, cfg)
	if !a.moving { // which compares what has arrived
		c.lag = cellsLag
	}
	a.cluster = c
	if err := c.open(ctx, a); err != nil {
		return err
	}
	a.journal, a.state, a.profiles, a.schema, a.events, a.cells = c.journal, c.db, c.db.Profiles(), c.db.Schema(), c.events, c.cells
	a.jobs = jobs.New(a.log, a.now, c.keeper.Turns(nil))
	return nil
}

// newCluster is a cluster of which nothing is open yet.
func newCluster(cfg Config, file ClusterConfig) *cluster {
	in := cfg.Ingest
	return &cluster{cfg: file, limits: schema.Limits{Events: in.EventLimit, Segments: in.EventSegmentationLimit, Values: in.SegmentationValueLimit}}
}

// open opens the stores, and reports all that is wrong with any of them at once.
func (c *cluster) open(ctx context.Context, a *App) error {
	var errs []error
	for _, part := range []struct {
		name string
		open func(context.Context, *App) error
	}{{"PostgreSQL", c.openState}, {"documents", c.openDocuments}, {"ClickHouse", c.openClickHouse}, {"journal", c.openJournal}, {"files", c.openFiles}} {
		if err := part.open(ctx, a); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", part.name, err))
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	c.files = a.files
	return c.follow(ctx, a.moving)
}

// foreignFolder refuses a data folder with stores of a server without a cluster.
func (a *App) foreignFolder() error {
	for _, name := range []string{"state", eventsFile, docsFile} {
		if _, err := os.Lstat(filepath.Join(a.cfg.Data, name)); err == nil {
			return fmt.Errorf("the data folder has the stores of a single server (%s): start on an empty data folder", name)
		}
	}
	return nil
}

func (c *cluster) stateOptions(a *App) postgres.Options {
	return postgres.Options{DSN: c.cfg.State.Address.Value, Partitions: c.cfg.Partitions, Log: a.log, Now: time.Now, Dial: dialOf(a.dial, EnginePostgreSQL)}
}

func (c *cluster) openState(ctx context.Context, a *App) (err error) {
	c.db, err = postgres.Open(ctx, c.stateOptions(a))
	if err != nil {
		return err
	}
	c.closers = append(c.closers, c.db.Close)
	c.keeper = c.db.Keep(postgres.KeeperOptions{Idle: !a.has(roleWork), Alone: a.frozen != nil, Worker: postgres.WorkerOptions{Limits: c.limits, CacheProfiles: int(a.memory.Plan().Total >> 15), PrintBytes: a.memory.Plan().Prints}, Log: a.log})
	return skewed(ctx, "PostgreSQL", c.db.Clock)
}

// skewed refuses a server whose clock is far from this node's.
func skewed(ctx context.Context, of string, clock func(context.Context) (time.Time, error)) error {
	began := time.Now()
	at, err := clock(ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	switch {
	case at.After(now.Add(maxSkew)):
		return fmt.Errorf("the clock of %s is %v ahead of this node's", of, at.Sub(now).Round(time.Second))
	case at.Before(began.Add(-maxSkew)):
		return fmt.Errorf("the clock of %s is %v behind this node's", of, began.Sub(at).Round(time.Second))
	}
	return nil
}

func (c *cluster) openDocuments(ctx context.Context, a *App) (err error) {
	a.docs, err = c.cfg.documents(ctx, a.log, a.dial)
	return err
}

// clickHouse makes a client of ClickHouse.
func (c *ClusterConfig) clickHouse(a *App) (*ch.Client, error) {
	o := c.ClickHouse
	return ch.New(ch.Options{Addresses: o.Addresses, Database: o.Database, User: o.User, Password: o.Password.Value, CAFile: o.CA, Cluster: ch.Cluster{Name: o.Cluster, Replicated: o.Replicated}, ReadMemory: o.ReadBytes, Dial: dialOf(a.dial, EngineClickHouse), Logger: a.log})
}

func (c *cluster) openClickHouse(ctx context.Context, a *App) (err error) {
	if c.client, err = c.cfg.clickHouse(a); err != nil {
		return err
	}
	c.closers = append(c.closers, func() error { c.client.Close(); return nil })
	err = errors.Join(skewed(ctx, "ClickHouse", c.client.Clock), c.client.Find(ctx))
	if err != nil || c.db == nil { // without a state nobody knows whose the tables are
		return err
	}
	if c.cells, err = chcells.Open(ctx, chcells.Options{Client: c.client, Now: time.Now, State: c.db.Name, Alone: c.alone, Lag: c.lag, Logger: a.log}); err != nil {
		return err
	}
	c.events, err = chevents.Open(ctx, chevents.Options{Client: c.client, Now: time.Now, State: c.db.Name, Alone: c.alone, Logger: a.log})
	return err
}

// alone makes tables of ClickHouse while no other node does.
func (c *cluster) alone(ctx context.Context, fn func(context.Context) error) error {
	return c.db.Alone(ctx, "tables of ClickHouse", fn)
}

// journalBounds are how large a record is at most, and a partition of the journal.
func (c *cluster) journalBounds(a *App) (most int, each int64) {
	return int(a.cfg.Ingest.MaxBody + a.cfg.Ingest.MaxBody/8 + 1<<16), a.cfg.Ingest.JournalLimit / int64(c.cfg.Partitions)
}

func (c *cluster) kafkaOptions(a *App) (kafka.Options, error) {
	j := c.cfg.Journal
	o, err := j.kafka(dialOf(a.dial, EngineJournal))
	most, each := c.journalBounds(a)
	return kafka.Options{Client: o, Topic: j.Name, Partitions: c.cfg.Partitions, Replicas: j.Replicas, MinInSync: j.MinInSync, MaxBytes: each, MaxAppend: most, Log: a.log}, err
}

func (c *cluster) jetStreamOptions(a *App) jetstream.Options {
	j := c.cfg.Journal
	most, each := c.journalBounds(a)
	return jetstream.Options{Prefix: j.Name, Partitions: c.cfg.Partitions, Replicas: j.Replicas, MaxBytes: max(each, leastJournal), MaxAppend: most, Log: a.log}
}

func (c *cluster) openJournal(ctx context.Context, a *App) error {
	if a.frozen != nil {
		c.journal = a.frozen
		return nil
	}
	j := c.cfg.Journal
	switch j.Engine {
	case engineKafka:
		o, err := c.kafkaOptions(a)
		if err != nil {
			return err
		}
		open, err := kafka.Open(ctx, o)
		if err != nil {
			return err
		}
		c.journal = open
		c.closers = append(c.closers, open.Close)
	default:
		nc, err := j.nats(j.User, j.Password.Value, dialOf(a.dial, EngineJournal))
		if err != nil {
			return err
		}
		c.closers = append(c.closers, func() error { nc.Close(); return nil })
		if err := j.synced(ctx, dialOf(a.dial, EngineJournal)); err != nil {
			return err
		}
		open, err := jetstream.Open(ctx, nc, c.jetStreamOptions(a))
		if err != nil {
			return err
		}
		c.journal = open
		c.closers = append(c.closers, open.Close)
	}
	return nil
}

// filesCache is the folder of a node's data folder for what it has lately read of uploaded files in a store.
const filesCache = "files-cache"

func (c *cluster) openFiles(ctx context.Context, a *App) (err error) {
	f := c.cfg.Files
	if f.Folder == "" {
		o := s3.Options{Config: f.S3.store(), Bucket: f.S3.Bucket, Prefix: f.S3.Prefix, Settings: "files.s3"}
		a.files, err = s3files.Open(ctx, s3files.Options{Options: o, Dir: filepath.Join(a.cfg.Data, filesCache), CacheBytes: f.S3.CacheBytes})
		return err
	}
	e, err := diskfiles.New(f.Folder)
	if err != nil {
		return err
	}
	if _, err := e.Clock(ctx); err != nil { // it can be written to
		return err
	}
	a.files = files.New(e, files.Options{Shared: true})
	return nil
}

// leastJournal is the least bound of a partition of the journal, bytes.
const leastJournal = 64 << 20

// close ends what was opened.
func (c *cluster) close() error {
	var errs []error
	for _, end := range slices.Backward(c.closers) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// projection returns what projects the journal.
func (c *cluster) projection(a *App, proc Process, edge *outcome.Counter) *nodeWork {
	return &nodeWork{c: c, a: a, make: func(w work) (*pipeline.Pipeline, error) { return a.pipelineOf(proc, edge, w) }}
}
