package verify_test

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/app"
	"quipu/internal/model"
	"quipu/internal/store/kv"
	pebbleprofile "quipu/internal/store/profile/pebble"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

// noon is when the servers of the tests live.
var noon = time.Date(2031, 5, 14, 12, 0, 0, 0, time.UTC)

// traffic sends n random requests: sessions, late events, merges, opt-outs, properties of mixed types.
func traffic(t *testing.T, r *rand.Rand, srv *testkit.Server, a testkit.TestApp, n int) {
	t.Helper()
	for range n {
		ts := noon.UnixMilli() - r.Int64N(3*3_600_000)
		if r.IntN(5) == 0 {
			ts -= r.Int64N(50 * 24 * 3_600_000)
		}
		pairs := []string{"timestamp", strconv.FormatInt(ts, 10)}
		add := func(odds int, k, v string) {
			if r.IntN(odds) == 0 {
				pairs = append(pairs, k, v)
			}
		}
		add(3, "begin_session", "1")
		add(3, "session_duration", strconv.FormatFloat(float64(r.IntN(700))/7, 'f', -1, 64))
		add(5, "end_session", "1")
		add(3, "metrics", fmt.Sprintf(`{"_os":"%s","_os_version":"%d","_device":"D%d","_carrier":"ü\u0000%d"}`, []string{"iOS", "Android"}[r.IntN(2)], r.IntN(3), r.IntN(4), r.IntN(2)))
		add(4, "user_details", fmt.Sprintf(`{"name":"N%d","byear":%d,"custom":{"plan":"p%d","n":{"$inc":1},"l":{"$push":"x%d"}}}`, r.IntN(4), 1950+r.IntN(5), r.IntN(3), r.IntN(3)))
		add(6, "consent", fmt.Sprintf(`{"push":%v,"events":%v}`, r.IntN(2) == 0, r.IntN(2) == 0))
		add(8, "crash", `{"_error":"boom"}`)
		add(8, "country_code", []string{"DE", "PE", "FR"}[r.IntN(3)])
		add(10, "location", "")
		add(9, "old_device_id", "d"+strconv.Itoa(r.IntN(12)))
		add(5, "hour", strconv.Itoa(r.IntN(24)))
		add(5, "dow", strconv.Itoa(r.IntN(7)))
		if r.IntN(3) > 0 {
			pairs = append(pairs, "events", events(r, ts))
		}
		srv.Ingest(a, "d"+strconv.Itoa(r.IntN(12)), pairs...)
	}
	srv.Flush()
}

func events(r *rand.Rand, ts int64) string {
	var list []string
	for range 1 + r.IntN(3) {
		list = append(list, fmt.Sprintf(`{"key":%q,"count":%d,"sum":%v,"dur":%v,"timestamp":%d,"segmentation":{%s}}`,
			[]string{"buy", "open é", "[CLY]_view", "[CLY]_action", "a.b"}[r.IntN(5)], 1+r.IntN(3), float64(r.IntN(300))/7-9, float64(r.IntN(9))/3, ts-r.Int64N(3_600_000),
			[]string{
				`"plan":"v.5"`, `"mixed":"7"`, `"mixed":7`, `"mixed":true,"n":1e21`, `"list":[1],"o":{"a":1}`, `"name":"home","dur":12.5`, `"empty":"","q":"\"\\\ud83d\ude00"`,
				`"name":"ü.x","visit":1,"start":1,"segment":"web","view":"/x"`, `"name":"home","visit":true,"platform":"w.1","a.b":7`,
				`"type":"scroll","y":333,"height":700,"view":"/x"`,
			}[r.IntN(10)]))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func check(t *testing.T, srv *testkit.Server) *verify.Report {
	t.Helper()
	report, err := srv.App().Verify(t.Context(), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Differences {
		t.Error(d)
	}
	return report
}

func newServer(t *testing.T, options ...testkit.Option) *testkit.Server {
	t.Helper()
	return testkit.New(t, append([]testkit.Option{testkit.At(noon)}, options...)...)
}

// TestVerify compares after random traffic and after each kind of command.
func TestVerify(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	srv := newServer(t)
	berlin, kolkata := srv.CreateApp("one", "Europe/Berlin"), srv.CreateApp("two", "Asia/Kolkata")
	both := func(n int) {
		t.Helper()
		traffic(t, r, srv, berlin, n)
		traffic(t, r, srv, kolkata, n)
	}
	both(120)
	report := check(t, srv)
	if report.Apps != 2 || report.Rows < 100 || report.Cells < 500 || report.Profiles < 10 || report.Requests < 200 || report.States < 20 {
		t.Errorf("compared too little: %+v", report)
	}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"delete an event", func() {
			srv.Admin("/i/events/delete_events", "app_id", berlin.ID, "events", `["buy"]`)
		}},
		{"delete users", func() {
			srv.Admin("/i/app_users/delete", "app_id", berlin.ID, "query", `{"did":{"$in":["d0","d1","d2","d3","d4","d5"]}}`, "force", "true")
		}},
		{"create a user", func() {
			srv.Admin("/i/app_users/create", "app_id", berlin.ID, "data", `{"did":"made","sc":7,"name":"M"}`)
		}},
		{"other time zone", func() {
			srv.Admin("/i/apps/update", "app_id", kolkata.ID, "args", fmt.Sprintf(`{"app_id":%q,"timezone":"America/New_York"}`, kolkata.ID))
		}},
		{"delete an app", func() {
			gone := srv.CreateApp("gone", "Etc/UTC")
			srv.Ingest(gone, "d", "begin_session", "1")
			srv.Admin("/i/apps/delete", "args", fmt.Sprintf(`{"app_id":%q}`, gone.ID))
		}},
		{"restart", func() { srv.Stop(); srv.Start() }},
	} {
		step.do()
		srv.Flush()
		check(t, srv)
		if t.Failed() {
			t.Fatalf("differences appeared after: %s", step.name)
		}
		both(20)
		check(t, srv)
		if t.Failed() {
			t.Fatalf("differences appeared with traffic after: %s", step.name)
		}
	}
}

// TestFinds damages a folder in one place and expects that it is found.
func TestFinds(t *testing.T) {
	t.Parallel()
	var cfg app.Config
	srv := newServer(t, testkit.WithConfig(func(c *app.Config) { cfg = *c }))
	a := srv.CreateApp("one", "Europe/Berlin")
	id, err := model.ParseID(a.ID)
	if err != nil {
		t.Fatal(err)
	}
	traffic(t, rand.New(rand.NewPCG(1, 2)), srv, a, 60)
	srv.Ingest(a, "d3", "begin_session", "1", "metrics", `{"_os":"iOS"}`, "events", `[{"key":"buy","segmentation":{"plan":"x"}}]`)
	if r := srv.Do(http.MethodPost, "/i?"+testkit.Query("app_key", a.Key, "device_id", "d3", "user_details", `{"name":"Z"}`), nil); r.Status != http.StatusOK {
		t.Fatalf("/i: %d", r.Status)
	}
	srv.Flush()
	check(t, srv)
	srv.Stop()

	state := func(change func(db *kv.DB, b *kv.Batch) error) func() error {
		return func() error {
			db, err := kv.Open(t.Context(), kv.Options{Dir: filepath.Join(cfg.Data, "state"), Merger: pebblerollup.Merger()})
			if err != nil {
				return err
			}
			b := db.NewBatch()
			defer b.Discard()
			if err := change(db, b); err != nil {
				return err
			}
			if err := db.Commit(b); err != nil {
				return err
			}
			return db.Close()
		}
	}
	cell := func(k rollup.Key, c rollup.Cell) func() error {
		return state(func(_ *kv.DB, b *kv.Batch) error { return pebblerollup.Write(b.Pebble(), id, rollup.Delta{k: &c}) })
	}
	edit := func(change func(p *model.Profile)) func() error {
		return state(func(db *kv.DB, b *kv.Batch) error {
			s, err := pebbleprofile.Open(db, pebbleprofile.Options{})
			if err != nil {
				return err
			}
			p, err := s.LoadUID(id, 2)
			if err != nil {
				return err
			}
			change(p)
			if err := s.Put(id, p); err != nil {
				return err
			}
			c, end, err := s.Flush()
			if err != nil {
				return err
			}
			b.OnEnd(end)
			return pebbleprofile.NewWriter(db).Write(b, &c)
		})
	}
	duck := func(statement string) func() error {
		return func() error {
			c, err := duckdb.NewConnector(filepath.Join(cfg.Data, "events.duckdb"), nil)
			if err != nil {
				return err
			}
			db := sql.OpenDB(c)
			_, err = db.ExecContext(context.Background(), strings.ReplaceAll(statement, "$", a.ID))
			return errorsOf(err, db.Close())
		}
	}
	users := rollup.Cell{First: 1, Count: 1}
	users.AddUser(9999)
	for _, tt := range []struct {
		name, part   string
		harm, repair func() error
	}{
		{
			"a counter of a day", "cells country",
			cell(rollup.Key{Series: rollup.Series{Metric: rollup.Countries}, Grain: rollup.Day, Bucket: 20000, Value: "DE"}, rollup.Cell{First: 1, Count: 1}),
			cell(rollup.Key{Series: rollup.Series{Metric: rollup.Countries}, Grain: rollup.Day, Bucket: 20000, Value: "DE"}, rollup.Cell{Count: -1}),
		},
		{
			"a bitmap", "cells users",
			cell(rollup.Key{Series: rollup.Series{Metric: rollup.Users}, Grain: rollup.Month, Bucket: 24376}, users), nil,
		},
		{
			"a month", "cells events",
			cell(rollup.Key{Series: rollup.Series{Metric: rollup.Events}, Grain: rollup.Month, Bucket: 24376, Value: "buy"}, rollup.Cell{Sum: 1e-3}),
			cell(rollup.Key{Series: rollup.Series{Metric: rollup.Events}, Grain: rollup.Month, Bucket: 24376, Value: "buy"}, rollup.Cell{Sum: -1e-3}),
		},
		{"sessions of a user", "profile", edit(func(p *model.Profile) { p.Sessions++ }), edit(func(p *model.Profile) { p.Sessions-- })},
		{"seconds of a user", "profile", edit(func(p *model.Profile) { p.TotalDuration++ }), edit(func(p *model.Profile) { p.TotalDuration-- })},
		{"a property of a user", "mirror", edit(func(p *model.Profile) { p.Name += "x" }), edit(func(p *model.Profile) { p.Name = strings.TrimSuffix(p.Name, "x") })},
		{
			"a sum that is none", "cells events",
			cell(rollup.Key{Series: rollup.Series{Metric: rollup.Events}, Grain: rollup.Day, Bucket: 22413, Value: "buy"}, rollup.Cell{Sum: math.Inf(1)}), nil,
		},
		{"a sum beyond its bound", "numbers", duck("UPDATE events SET s = 1e308 WHERE n = 'buy' AND off = (SELECT min(off) FROM events WHERE n = 'buy')"), nil},
		{"a count beyond its bound", "numbers", duck("UPDATE events SET c = 9000000000000000 WHERE n = 'buy' AND off = (SELECT min(off) FROM events WHERE n = 'buy')"), nil},
		{"a row less", "cells events", duck("DELETE FROM events WHERE off = (SELECT max(off) FROM events WHERE n = 'buy')"), nil},
		{"a request less", "outcomes", duck("DELETE FROM requests WHERE off = (SELECT max(off) FROM requests)"), nil},
		{"a mirror less", "mirror", duck("DELETE FROM users WHERE uid = (SELECT min(uid) FROM users)"), nil},
		{"a state less", "states", duck("DELETE FROM states WHERE state = (SELECT max(state) FROM states)"), nil},
		{"a property without a slot", "schema", duck("UPDATE events SET s16 = 'x' WHERE n = 'buy'"), nil},
	} {
		if err := tt.harm(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		report, err := app.Verify(t.Context(), cfg, app.Process{Now: srv.Clock().Now}, verify.Options{Limit: 1000})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if !slices.ContainsFunc(report.Differences, func(d verify.Difference) bool { return d.Part == tt.part }) {
			t.Errorf("%s: not found among %v", tt.name, report.Differences)
		}
		if tt.repair == nil {
			continue
		}
		if err := tt.repair(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
