package clickhouse_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block"
	"quipu/internal/store/rollup/clickhouse"
	"quipu/internal/store/rollup/rolluptest"
)

// open opens a store of a state.
func open(tb testing.TB, c *ch.Client, change ...func(*clickhouse.Options)) *clickhouse.Store {
	tb.Helper()
	o := clickhouse.Options{Client: c, Now: time.Now, Hasty: true, State: func(context.Context) (string, error) { return "test", nil }}
	for _, f := range change {
		f(&o)
	}
	s, err := clickhouse.Open(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// backend writes blocks of one partition, each as a sending of its own.
type backend struct {
	*clickhouse.Store
	c       *ch.Client
	last    uint64
	aliases map[model.AppID]map[uint32]uint32
}

func (b *backend) put(ctx context.Context, apps ...block.App) error {
	b.last++
	return b.Put(ctx, block.Sending{Partition: 3, First: b.last, Last: b.last}, []block.Block{apps})
}

func (b *backend) Write(ctx context.Context, app model.AppID, aliases []rollup.Alias, d rollup.Delta) error {
	merged := map[uint32]uint32{}
	for _, a := range aliases {
		merged[a.Old] = a.New
	}
	if b.aliases[app] == nil {
		b.aliases[app] = map[uint32]uint32{}
	}
	maps.Copy(b.aliases[app], merged)
	return b.put(ctx, block.App{ID: app, Merged: merged}, block.App{ID: app, Cells: d})
}

func (b *backend) Rewrite(ctx context.Context, app model.AppID, between func() error) error {
	gone := maps.Clone(b.aliases[app])
	if err := between(); err != nil {
		return err
	}
	if err := b.put(ctx, block.App{ID: app, Replace: gone}); err != nil {
		return err
	}
	if err := between(); err != nil {
		return err
	}
	forgotten := map[uint32]uint32{}
	for old := range gone {
		delete(b.aliases[app], old)
		forgotten[old] = 0
	}
	return b.put(ctx, block.App{ID: app, Merged: forgotten})
}

func (b *backend) Compact(ctx context.Context) error {
	return b.c.Exec(ctx, ch.Statement{SQL: "OPTIMIZE TABLE " + b.c.Place().Local("cells") + " FINAL"})
}

func (b *backend) remove(ctx context.Context, app model.AppID, r rollup.Removal) error {
	return b.put(ctx, block.App{ID: app, Remove: []rollup.Removal{r}})
}

func (b *backend) DeleteApp(ctx context.Context, app model.AppID) error {
	return b.remove(ctx, app, rollup.RemoveApp{})
}

func (b *backend) DeleteSeries(ctx context.Context, app model.AppID, s rollup.Series) error {
	return b.remove(ctx, app, rollup.RemoveSeries{Series: s})
}

func (b *backend) DeleteDims(ctx context.Context, app model.AppID, m rollup.Metric, prefix string) error {
	return b.remove(ctx, app, rollup.RemoveDims{Metric: m, Prefix: prefix})
}

func (b *backend) DeleteValue(ctx context.Context, app model.AppID, s rollup.Series, value string) error {
	return b.remove(ctx, app, rollup.RemoveValue{Series: s, Value: value})
}

// TestConformance runs the suite, on a server and on a cluster of one shard.
func TestConformance(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	on := func(cluster string) func(t *testing.T) rolluptest.Backend {
		return func(t *testing.T) rolluptest.Backend {
			t.Helper()
			c := server.Client(t, func(o *ch.Options) { o.Cluster.Name = cluster })
			if err := c.Find(t.Context()); err != nil {
				t.Fatal(err)
			}
			return &backend{Store: open(t, c), c: c, aliases: map[model.AppID]map[uint32]uint32{}}
		}
	}
	rolluptest.Run(t, on(""), "Order", "Bounds", "CallbackError", "Cancelled", "UnionOutlivesScan", "AliasChain")
	t.Run("Random", func(t *testing.T) { rolluptest.Random(t, on(""), 2) }) // a round takes the engine seconds
	t.Run("cluster", func(t *testing.T) {
		rolluptest.Run(t, on(chdbtest.Cluster), "Order", "Bounds", "UnionOutlivesScan", "AliasChain")
	})
}

// TestRefused has stores that cannot be opened, or only read.
func TestRefused(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	steps, err := clickhouse.Plan(t.Context(), clickhouse.Options{Client: c})
	if err != nil || len(steps) != 1 {
		t.Errorf("plan: %v, %v", steps, err)
	}
	app, series := model.AppID{1}, rollup.Series{Metric: rollup.Users}
	s := open(t, c, func(o *clickhouse.Options) { o.Hasty = false })
	one := block.Block{{ID: app, Cells: rollup.Delta{{Series: series, Grain: rollup.Day, Bucket: 5}: {Count: 1}}}}
	if err := s.Put(t.Context(), block.Sending{First: 1, Last: 1}, []block.Block{one}); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), block.Sending{First: 2, Last: 3}, []block.Block{one}); err == nil {
		t.Error("a sending that lacks a block is taken")
	}
	o := clickhouse.Options{Client: c, Now: time.Now, State: func(context.Context) (string, error) { return "another", nil }}
	if _, err := clickhouse.Open(t.Context(), o); fault.CodeOf(err) != "clickhouse.other_state" {
		t.Errorf("cells of another state: %v", err)
	}
	reader := open(t, c, func(o *clickhouse.Options) { o.State = nil })
	if err := reader.Put(t.Context(), block.Sending{First: 2, Last: 2}, []block.Block{one}); err == nil {
		t.Error("a reader writes")
	}
	for _, r := range []rollup.Reader{s, reader} {
		rows, err := rolluptest.Rows(t.Context(), r, app, series, rollup.Day, 0, 9)
		if err != nil || len(rows) != 1 || rows[0].Cell.Count != 1 {
			t.Errorf("%v, %v", rows, err)
		}
	}
	server.Stop()
	if err := s.Put(t.Context(), block.Sending{First: 2, Last: 2}, []block.Block{one}); fault.CodeOf(err) != "clickhouse.unreachable" {
		t.Errorf("without a server: %v", err)
	}
	server.Resume(t)
	if err := s.Put(t.Context(), block.Sending{First: 2, Last: 2}, []block.Block{one}); err != nil {
		t.Fatal(err)
	}
	rows, err := rolluptest.Rows(t.Context(), s, app, series, rollup.Day, 0, 9)
	if err != nil || !slices.ContainsFunc(rows, func(r rolluptest.Row) bool { return r.Cell.Count == 2 }) {
		t.Errorf("after that: %v, %v", rows, err)
	}
}
