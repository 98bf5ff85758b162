package app_test

import (
	"context"
	"database/sql"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/app"
	"quipu/internal/model"
	"quipu/internal/store/kv"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/verify"
)

// TestRepairNumbers repairs a folder from the time when numbers had no bounds: the reads of one answer
// from the start, verify finds what is in it, and repair leaves nothing of it.
func TestRepairNumbers(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, app.Process{})
	const sent = 6
	for n := range sent {
		r.send(n)
	}
	r.expect(sent)
	r.end()

	id, err := model.ParseID(r.id)
	if err != nil {
		t.Fatal(err)
	}
	db, err := kv.Open(t.Context(), kv.Options{Dir: filepath.Join(r.cfg.Data, "state"), Merger: pebblerollup.Merger()})
	if err != nil {
		t.Fatal(err)
	}
	profiles, err := pebbleprofile.Open(db, pebbleprofile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	delta := rollup.Delta{}
	series := rollup.Series{Metric: rollup.Events}
	for g := rollup.Hour; g <= rollup.Month; g++ {
		err := pebblerollup.NewStore(db.Reader(), profiles).Scan(t.Context(), id, series, g, 0, math.MaxUint32, func(b rollup.Bucket, value string, _ *rollup.Cell) error {
			delta[rollup.Key{Series: series, Grain: g, Bucket: b, Value: value}] = &rollup.Cell{Count: math.MaxInt64 - 5, Sum: math.Inf(1), Dur: math.NaN(), Flags: rollup.HasSum | rollup.HasDur}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b := db.NewBatch()
	defer b.Discard()
	if err := pebblerollup.Write(b.Pebble(), id, delta); err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(b); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := duckdb.NewConnector(filepath.Join(r.cfg.Data, "events.duckdb"), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := sql.OpenDB(c)
	_, err = rows.ExecContext(context.Background(), "UPDATE events SET s = CASE off % 3 WHEN 0 THEN 1e308 WHEN 1 THEN -1e308 ELSE 'nan' END, dur = 1e300, c = 9007199254740992")
	if cerr := rows.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}

	r.start()
	if status, body, _ := r.get("/o", "method", "events", "event", "e"); status != 200 || !strings.Contains(body, `"s":1e+30`) {
		t.Errorf("the event's page: %d %s", status, body)
	}
	r.end()
	report, err := app.Verify(t.Context(), r.cfg, app.Process{}, verify.Options{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, d := range report.Differences {
		found[d.Part]++
	}
	if found[verify.Numbers] != 3*sent || found["cells events"] == 0 {
		t.Errorf("found %v", found)
	}
	repaired, err := app.Repair(t.Context(), r.cfg, app.Process{}, app.RepairOptions{})
	if err != nil {
		t.Fatal(err)
	}
	done := ""
	for _, s := range repaired.Stores {
		if s.Store == "figures" {
			done = s.Done
		}
		if s.Lost != "" {
			t.Errorf("%s: lost %s", s.Store, s.Lost)
		}
	}
	if !strings.Contains(done, "set numbers beyond their bounds to the bounds in the rows of 1 apps") {
		t.Errorf("done %q", done)
	}
	if report, err = app.Verify(t.Context(), r.cfg, app.Process{}, verify.Options{}); err != nil || !report.OK() {
		t.Errorf("after the repair: %v, %v", err, report.Differences)
	}
}
