package modeltest_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/store/pgtest"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

var (
	seedFlag = flag.Uint64("seed", 0, "seed of the traffic, 0 = a new one")
	longFlag = flag.Int("long", 0, "rounds to make, each with a seed of its own")
	// ClickHouse's engine in the process answers one read after the other: a round takes minutes.
	clusterFlag = flag.Bool("cluster", false, "compare a node of a whole cluster, too")
	sizeFlag    = flag.Int("requests", 900, "requests of a round")
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestModel(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64N(1 << 32)
	}
	for i := range max(1, *longFlag) {
		if t.Failed() {
			return
		}
		s := seed + uint64(i) // small
		t.Run(fmt.Sprintf("seed=%d", s), func(t *testing.T) { round(t, s) })
		t.Run(fmt.Sprintf("PostgreSQL/seed=%d", s), func(t *testing.T) { round(t, s, clustered.State(t)) })
		if *clusterFlag {
			t.Run(fmt.Sprintf("Cluster/seed=%d", s), func(t *testing.T) { round(t, s, clustered.NewStores(t).Node()) })
		}
	}
}

// round sends traffic to a server and compares its reads with the model, in the
// middle, after a restart, and in the end.
func round(t *testing.T, seed uint64, options ...testkit.Option) {
	t.Helper()
	t.Logf("seed %d", seed)
	r := &traffic{Rand: rand.New(rand.NewPCG(seed, 1))} // not for secrets
	r.now = r.moment()
	srv := testkit.New(t, append(options, testkit.At(r.now))...)
	for _, zone := range r.zones() {
		made := srv.CreateApp(zone, zone)
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		a := &app{id: made.ID, key: made.Key, zone: loc}
		a.reset()
		r.apps = append(r.apps, r.newSource(a))
	}
	c := &comparison{t: t, r: r, srv: srv, seed: seed, faults: map[string]bool{}}
	c.all() // of apps that got nothing
	n := *sizeFlag
	c.step = max(1, min(600, int64(20*time.Minute/time.Millisecond)/int64(n)))
	c.send(n / 10)
	c.all()
	c.send(n / 2)
	srv.Stop()
	srv.Start()
	c.all()
	c.wait(20 * time.Minute)
	c.send(n / 10)
	c.wait(15 * time.Minute) // the sessions heard of since stay open
	c.reset(r.apps[1])
	c.all()
	c.send(n - n/10 - n/2 - n/10)
	c.all()
	t.Logf("%d reads compared", c.reads)
}

type comparison struct {
	t      *testing.T
	r      *traffic
	srv    *testkit.Server
	seed   uint64
	step   int64 // ms that the clock moves on at most with each request
	reads  int
	faults map[string]bool // reads that were found wrong: once is enough
}

// send sends about n requests; a bulk counts as its items.
func (c *comparison) send(n int) {
	for n > 0 {
		s := c.r.next()
		c.move(time.Duration(c.r.Int64N(c.step)) * time.Millisecond)
		s.send(c.t, c.srv)
		n -= len(s.items)
	}
}

// move moves the clock of the server.
func (c *comparison) move(by time.Duration) {
	c.r.now = c.r.now.Add(by)
	c.srv.Clock().Set(c.r.now)
}

// wait lets time pass without a request, so that sessions time out.
func (c *comparison) wait(d time.Duration) {
	c.srv.Flush()
	c.move(d)
	if err := c.srv.App().Sweep(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	for _, s := range c.r.apps {
		s.model.expire(c.r.now.UnixMilli())
	}
}

// reset resets an app; what its clients do is no re-send of what they did before.
func (c *comparison) reset(s *source) {
	c.srv.Admin("/i/apps/reset", "args", marshal(map[string]any{"app_id": s.model.id, "period": "reset"}))
	s.model.reset()
	for _, from := range c.r.apps {
		from.history = nil
	}
}

// all compares every read of every app.
func (c *comparison) all() {
	c.srv.Flush()
	for _, s := range c.r.apps {
		c.documents(s.model)
		c.events(s.model)
		c.analytics(s.model)
		c.revenue(s.model)
		c.people(s.model)
	}
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// read compares one answer.
func (c *comparison) read(a *app, want any, path string, pairs ...string) {
	c.t.Helper()
	c.readAs(a, want, func(v any) any { return v }, path, pairs...)
}

// readAs compares one answer; form brings both sides into a form in which what the
// wire leaves open is equal.
func (c *comparison) readAs(a *app, want any, form func(any) any, path string, pairs ...string) {
	c.t.Helper()
	c.reads++
	kind := path
	for i := 0; i+1 < len(pairs); i += 2 {
		if kind += " " + pairs[i]; pairs[i] == "method" || pairs[i] == "action" {
			kind += "=" + pairs[i+1]
		}
	}
	if c.faults[kind] {
		return
	}
	body := c.srv.Admin(path, append([]string{"app_id", a.id}, pairs...)...)
	got := form(parse(c.t, body))
	wanted := form(escape(parse(c.t, marshal(want))))
	if d := cmp.Diff(wanted, got); d != "" {
		c.t.Errorf("seed %d, app in %s, now %s: %s %q (-model +server)\n%s", c.seed, a.zone, c.r.now.Format(time.RFC3339Nano), path, pairs, d)
		c.faults[kind] = true
	}
}

func parse(t *testing.T, body string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, body)
	}
	return v
}

// byKey sorts rows by a key where the wire names no order.
func byKey(key string) func(any) any {
	return func(v any) any {
		if rows, ok := v.([]any); ok {
			slices.SortFunc(rows, func(a, b any) int { return strings.Compare(textOf(a, key), textOf(b, key)) })
		}
		return v
	}
}

func textOf(row any, key string) string {
	m, _ := row.(map[string]any)
	s, _ := m[key].(string)
	return s
}

// anyOrder sorts the lists of meta, and takes an empty list for none.
func anyOrder(v any) any {
	doc, _ := v.(map[string]any)
	meta, _ := doc["meta"].(map[string]any)
	for k, list := range meta {
		l, ok := list.([]any)
		if !ok || len(l) == 0 {
			delete(meta, k)
			continue
		}
		slices.SortFunc(l, func(a, b any) int { return strings.Compare(marshal(a), marshal(b)) })
	}
	return v
}

func (c *comparison) documents(a *app) {
	for _, p := range []string{"", "today", "month", "prevMonth", "400days", c.r.periods(c.r.now)[14], "[8640000000,8640000001]"} {
		w := a.window(p, c.r.now, a.zone)
		for _, method := range []string{"users", "sessions", "locations", "countries"} {
			c.read(a, a.usersDocument(w, false), "/o", "method", method, "period", p)
		}
		for _, method := range keysOf(metricDocuments) {
			c.readAs(a, a.metricDocument(method, w, false), anyOrder, "/o", "method", method, "period", p)
		}
	}
	w := a.window("", c.r.now, a.zone)
	c.read(a, a.usersDocument(w, true), "/o", "method", "users", "action", "refresh")
	for _, method := range keysOf(metricDocuments) {
		c.readAs(a, a.metricDocument(method, w, true), anyOrder, "/o", "method", method, "action", "refresh")
	}
	for _, p := range c.r.periods(c.r.now) {
		w := a.window(p, c.r.now, a.zone)
		c.read(a, w.object(), "/o", "method", "get_period_obj", "period", p)
		c.read(a, a.totalUsers(w), "/o", "method", "total_users", "period", p)
	}
	// Another zone and another present choose the days; the numbers of a day stay.
	other := time.FixedZone("", 13*3600)
	then := c.r.now.AddDate(0, 0, -45)
	moved := a.window("30days", then, other)
	options := []string{"timezone", "Etc/GMT-13", "timestamp", text(then.UnixMilli()), "period", "30days"}
	c.read(a, moved.object(), "/o", append(options, "method", "get_period_obj")...)
	c.read(a, a.totalUsers(moved), "/o", append(options, "method", "total_users")...)
	c.read(a, a.sessionRows(moved, moved.step), "/o/analytics/sessions", options...)
}

func (c *comparison) events(a *app) {
	c.read(a, a.eventsMethod(), "/o", "method", "get_events")
	keys := append(a.customKeys(), "never sent")
	for _, kind := range append(keys, "[CLY]_session") {
		c.read(a, a.timesOfDay(kind, func(month) bool { return true }), "/o", "method", "times-of-day", "tod_type", kind)
	}
	m := date(c.r.now.Unix()/86400 - c.r.Int64N(400)).month()
	c.read(a, a.timesOfDay("[CLY]_session", func(x month) bool { return x == m }), "/o",
		"method", "times-of-day", "tod_type", "[CLY]_session", "date_range", fmt.Sprintf("%d:%02d", m.year, m.month))
	first := keys[:min(1, len(keys)-1)]
	periods := c.r.periods(c.r.now)
	for _, p := range []string{"", "month", "400days", periods[14]} {
		w := a.window(p, c.r.now, a.zone)
		c.readAs(a, a.eventDocument(first, "", w, false), anyOrder, "/o", "method", "events", "period", p)
		for _, key := range keys {
			c.readAs(a, a.eventDocument([]string{key}, "", w, false), anyOrder, "/o", "method", "events", "event", key, "period", p)
			for _, s := range some(c.r, 2, "plan", "mixed", "size", "on", "tags") {
				c.readAs(a, a.eventDocument([]string{key}, s, w, false), anyOrder, "/o", "method", "events", "event", key, "segmentation", s, "period", p)
			}
		}
		c.readAs(a, a.eventDocument(keys, "", w, false), withoutMeta, "/o", "method", "events", "events", marshal(keys), "period", p)
	}
	w := a.window("", c.r.now, a.zone)
	c.readAs(a, a.eventDocument(keys[:1], "", w, true), anyOrder, "/o", "method", "events", "event", keys[0], "action", "refresh")
	for _, p := range periods {
		w := a.window(p, c.r.now, a.zone)
		c.readAs(a, a.eventTotals(w), rowsOf("all", "key"), "/o/analytics/events", "period", p)
		c.read(a, a.overview(keys, w), "/o", "method", "events", "events", marshal(keys), "overview", "true", "period", p)
		both := map[string]any{}
		for _, key := range keys {
			both[key] = a.eventRows(key, w, w.step)
		}
		c.read(a, both, "/o/analytics/events", "events", marshal(keys), "period", p)
		key := keys[c.r.IntN(len(keys))]
		c.read(a, a.eventRows(key, w, days), "/o/analytics/events", "event", key, "period", p, "bucket", "daily")
		c.readAs(a, a.segmentRows(key, "mixed", w), byKey("_id"), "/o/analytics/events", "event", key, "segmentation", "mixed", "period", p)
	}
}

// withoutMeta leaves meta out, which may be merged or empty for several events.
func withoutMeta(v any) any {
	if m, ok := v.(map[string]any); ok {
		delete(m, "meta")
	}
	return v
}

func rowsOf(list, key string) func(any) any {
	return func(v any) any {
		m, _ := v.(map[string]any)
		byKey(key)(m[list])
		return v
	}
}

func (c *comparison) analytics(a *app) {
	usual := map[string]any{}
	countries := map[string]any{}
	for _, p := range []string{"30days", "7days", "today"} {
		w := a.window(p, c.r.now, a.zone)
		usual[p], countries[p] = a.summary(w), a.countryBlock(w)
	}
	c.read(a, usual, "/o/analytics/dashboard")
	c.read(a, countries, "/o/analytics/countries", "period", "yesterday")
	for _, p := range c.r.periods(c.r.now) {
		w := a.window(p, c.r.now, a.zone)
		if p != "" && p != "30days" {
			c.read(a, map[string]any{p: a.summary(w)}, "/o/analytics/dashboard", "period", p)
		}
		c.read(a, a.sessionRows(w, w.step), "/o/analytics/sessions", "period", p)
		c.read(a, a.sessionRows(w, months), "/o/analytics/sessions", "period", p, "bucket", "monthly")
		c.read(a, a.sessionRows(w, days), "/o/analytics/sessions", "period", p, "bucket", "daily")
		four := map[string]any{}
		for _, name := range []string{"platforms", "resolutions", "carriers", "countries"} {
			four[name] = a.top(name, w, 3)
		}
		c.read(a, four, "/o/analytics/tops", "period", p)
		every := map[string]any{}
		for _, name := range keysOf(metricNames) {
			every[name] = a.top(name, w, all)
		}
		for _, name := range some(c.r, 4, keysOf(metricNames)...) {
			c.readAs(a, a.metricRows(name, w), byKey("_id"), "/o/analytics/metric", "metric", name, "period", p)
		}
		c.read(a, every, "/o/analytics/tops", "metrics", marshal(keysOf(metricNames)), "period", p)
		c.readAs(a, a.usersByValue("countries", w), byKey("_id"), "/o", "method", "total_users", "metric", "countries", "period", p)
		c.read(a, []any{}, "/o/analytics/loyalty", "period", p)
		c.read(a, a.frequencyRows(w), "/o/analytics/frequency", "period", p)
		c.read(a, a.durationRows(w), "/o/analytics/durations", "period", p)
	}
}

func (c *comparison) people(a *app) {
	c.read(a, a.loyaltyReport(c.r.now.Unix()), "/o/app_users/loyalty")
	ids := []string{"never-0"}
	for _, s := range c.r.apps {
		for _, d := range s.devices {
			ids = appendNew(ids, d.id)
		}
	}
	for _, id := range ids {
		want := map[string]any{}
		if p := a.profiles[id]; p != nil {
			want = p.document()
		}
		c.read(a, want, "/o", "method", "user_details", "did", id)
	}
	c.readAs(a, map[string]any{"iTotalRecords": len(a.profiles), "iTotalDisplayRecords": len(a.profiles)}, withoutRows, "/o", "method", "user_details")
	c.outcomes(a)
}

// withoutRows leaves the rows of a table out, which are compared one by one.
func withoutRows(v any) any {
	if m, ok := v.(map[string]any); ok {
		delete(m, "aaData")
	}
	return v
}

// outcomes: what was received is the sum of what became of it, in total and by
// day.
func (c *comparison) outcomes(a *app) {
	byDay := func(v any) any {
		m, _ := v.(map[string]any)
		sum := map[string]any{}
		days, _ := m["days"].(map[string]any)
		for _, day := range days {
			for item, reasons := range day.(map[string]any) { // a panic tells enough
				if sum[item] == nil {
					sum[item] = map[string]any{}
				}
				for reason, n := range reasons.(map[string]any) {
					to := sum[item].(map[string]any)
					was, _ := to[reason].(float64)
					to[reason] = was + n.(float64)
				}
			}
		}
		if days != nil {
			m["days"] = sum
		}
		return v
	}
	want := map[string]any{"period": "400days", "totals": a.outcomes, "days": map[string]any{"": a.outcomes}, "clamped": map[string]any{}}
	c.readAs(a, want, byDay, "/o/ingest/outcomes", "period", "400days")
}
