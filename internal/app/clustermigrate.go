package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"quipu/internal/memory"
	"quipu/internal/store/ch"
	docspg "quipu/internal/store/docs/postgres"
	chevents "quipu/internal/store/events/clickhouse"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/kafka"
	"quipu/internal/store/pg"
	chcells "quipu/internal/store/rollup/clickhouse"
	"quipu/internal/store/state/postgres"
)

// Planned is what a start would do to a store of a cluster.
type Planned struct {
	Store string
	Steps []string
}

// errNoCluster says that there is nothing to migrate.
var errNoCluster = errors.New("no cluster is named (cluster): the stores of a data folder are migrated when its server starts")

// PlanCluster lists what the first node of this version would make or change in each store of a cluster, and does nothing of it. It reports all that is
// wrong with any of them at once.
func PlanCluster(ctx context.Context, cfg Config, proc Process) ([]Planned, error) {
	c, a, err := outside(cfg, proc)
	if err != nil {
		return nil, err
	}
	client, err := c.cfg.clickHouse(a)
	if err != nil {
		return nil, fmt.Errorf("ClickHouse: %w", err)
	}
	defer client.Close()
	var list []Planned
	var errs []error
	for _, part := range []struct {
		name string
		plan func() ([]string, error)
	}{
		{"PostgreSQL, state", func() ([]string, error) {
			return named(postgres.Plan(ctx, c.stateOptions(a)))
		}},
		{"PostgreSQL, documents", func() ([]string, error) {
			return named(docspg.Plan(ctx, docspg.Options{DSN: c.cfg.Documents.Address.Value, Log: a.log}))
		}},
		{"ClickHouse, cells", func() ([]string, error) {
			return named(chcells.Plan(ctx, chcells.Options{Client: client, Now: time.Now}))
		}},
		{"ClickHouse, event rows", func() ([]string, error) {
			return named(chevents.Plan(ctx, chevents.Options{Client: client, Now: time.Now}))
		}},
		{"journal", func() ([]string, error) { return c.planJournal(ctx, a) }},
	} {
		steps, err := part.plan()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", part.name, err))
		}
		list = append(list, Planned{part.name, steps})
	}
	return list, errors.Join(errs...)
}

// named are steps with their numbers.
func named[T pg.Step | ch.Step](steps []T, err error) (list []string, _ error) {
	for _, s := range steps {
		switch s := any(s).(type) {
		case pg.Step:
			list = append(list, fmt.Sprintf("%d. %s", s.Number, s.What))
		case ch.Step:
			list = append(list, fmt.Sprintf("%d. %s", s.Number, s.What))
		}
	}
	return list, err
}

func (c *cluster) planJournal(ctx context.Context, a *App) ([]string, error) {
	if a.frozen != nil { // it is not touched
		return nil, nil
	}
	if c.cfg.Journal.Engine == engineKafka {
		o, err := c.kafkaOptions(a)
		if err != nil {
			return nil, err
		}
		return kafka.Plan(ctx, o)
	}
	nc, err := c.cfg.Journal.nats(c.cfg.Journal.User, c.cfg.Journal.Password.Value, dialOf(a.dial, EngineJournal))
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	return jetstream.Plan(ctx, nc, c.jetStreamOptions(a))
}

// MigrateCluster makes and migrates what PlanCluster lists, as the start of a node does, with the same checks.
func MigrateCluster(ctx context.Context, cfg Config, proc Process) error {
	c, a, err := outside(cfg, proc)
	if err != nil {
		return err
	}
	a.cluster = c
	err = c.open(ctx, a)
	if a.docs != nil {
		err = errors.Join(err, a.docs.Close())
	}
	return errors.Join(err, c.close())
}

// outside is a cluster as a command has it that is no node.
func outside(cfg Config, proc Process) (*cluster, *App, error) {
	proc.fill()
	if cfg.Cluster == "" {
		return nil, nil, errNoCluster
	}
	file, err := LoadCluster(cfg.Cluster)
	if err != nil {
		return nil, nil, err
	}
	total, err := ParseBytes(cfg.Memory)
	if err != nil {
		return nil, nil, err
	}
	level := levelOf(cfg.Log)
	a := &App{cfg: cfg, level: level, dial: proc.Dial, log: newLogger(cfg.Log, level, proc.Err, slog.DiscardHandler), now: proc.Now}
	a.memory = memory.New(memory.Split(total), a.log, time.Now)
	if proc.frozen {
		a.frozen = &frozenJournal{}
	}
	return newCluster(cfg, file), a, nil
}
