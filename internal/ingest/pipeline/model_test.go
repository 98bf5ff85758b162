package pipeline_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/rollup"
)

// naive counts what the pipeline should, in the plainest way: lists and maps,
// package time for the calendar, encoding/json for the requests.
type naive struct {
	loc     *time.Location
	users   map[string]*naiveUser // by device
	all     []*naiveUser
	seen    map[string]bool
	days    map[string]*naiveDay
	views   []*naiveView // in order of first appearance
	dropped map[string]int
}

type naiveView struct{ name, url string }

// naiveVisits is what a session saw.
type naiveVisits struct {
	n       int
	last    string
	seen    []string
	counted *naiveVisits // as it was when the session ended before
}

type naiveUser struct {
	into              *naiveUser // merged
	uid               int
	sessions          int
	lastStart         int64 // s
	lac, sync         int64 // s
	open              bool
	seconds           float64
	last, seen        int64
	again             bool // reopened
	wasAt, endedAt    int64
	was, endedSeconds float64
	visits, ended     naiveVisits
}

type naiveDay struct {
	e, t, n int
	d       float64
	users   map[*naiveUser]bool
	f, ds   map[int]int
	events  map[string]*naiveEvent
	views   map[string]*naiveViewed // by name, and by name and value of a segment
	exits   map[string]*[3]int      // exits, bounces, sessions, by name
}

type naiveViewed struct {
	t, s   int
	d, scr float64
	users  map[*naiveUser]bool
}

type naiveEvent struct {
	count    int
	sum, dur float64
	users    map[*naiveUser]bool
	values   map[string]int
}

func newNaive(zone string) *naive {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		panic(err)
	}
	return &naive{loc: loc, users: map[string]*naiveUser{}, seen: map[string]bool{}, days: map[string]*naiveDay{}, dropped: map[string]int{}}
}

func (m *naive) day(ms int64) *naiveDay {
	k := time.UnixMilli(ms).In(m.loc).Format(time.DateOnly)
	d := m.days[k]
	if d == nil {
		d = &naiveDay{
			users: map[*naiveUser]bool{}, f: map[int]int{}, ds: map[int]int{}, events: map[string]*naiveEvent{},
			views: map[string]*naiveViewed{}, exits: map[string]*[3]int{},
		}
		m.days[k] = d
	}
	return d
}

func length(seconds float64) int {
	return slices.IndexFunc([]float64{10, 30, 60, 180, 600, 1800, 3600, 1e18}, func(l float64) bool { return seconds <= l })
}

func (m *naive) close(u *naiveUser, at int64) {
	if u.again {
		m.day(u.wasAt).ds[length(u.was)]--
	}
	m.day(at).ds[length(u.seconds)]++
	u.open, u.again = false, false
}

func (m *naive) timeout(rec request.Record, key string) {
	for did, u := range m.users {
		if model.NewProfileID(key, did) == rec.Profile && u.open && u.seen < rec.Received-30*60_000 {
			m.close(u, u.last)
		}
	}
}

func (m *naive) request(rec request.Record) {
	params := map[string]string{}
	whole := ""
	for _, p := range rec.Params {
		params[p.Name] = string(p.Value)
		whole += p.Name + "=" + string(p.Value) + "&"
	}
	stamp := params["timestamp"]
	ts, _ := strconv.ParseInt(stamp, 10, 64)
	if len(stamp) == 10 {
		ts *= 1000
	} else {
		if m.seen[whole] {
			m.dropped["duplicate"]++
			return
		}
		m.seen[whole] = true
	}
	u, old := m.users[params["device_id"]], m.users[params["old_device_id"]]
	if old == u {
		old = nil
	}
	has := func(name string) bool { return params[name] != "" }
	if u == nil && old == nil && has("end_session") && !has("begin_session") && !usable(params["events"]) &&
		!has("user_details") && !has("consent") && !has("crash") && !has("apm") {
		m.dropped["end"]++
		return
	}
	if u == nil {
		u = &naiveUser{uid: len(m.all) + 1}
		m.all = append(m.all, u)
		m.users[params["device_id"]] = u
	}
	if old != nil {
		delete(m.users, params["old_device_id"])
		m.merge(u, old)
	}
	u.lac, u.sync = max(u.lac, ts/1000), max(u.sync, rec.Received/1000)
	if u.open {
		u.last, u.seen = max(u.last, ts), max(u.seen, rec.Received)
	}
	day := m.day(ts)
	day.e++
	if has("begin_session") {
		m.begin(u, ts, rec.Received)
	}
	if d, err := strconv.ParseFloat(params["session_duration"], 64); err == nil {
		d = min(d, 120)
		day.d += d
		if u.open {
			u.seconds += d
		}
	}
	m.see(u, params["events"], ts)
	if has("end_session") && u.open {
		u.endedAt, u.endedSeconds, u.ended = ts, u.seconds, u.visits
		if v := u.visits; v.n > 0 {
			if v.counted != nil {
				m.leave(u.wasAt, *v.counted, -1)
			}
			m.leave(ts, v, 1)
			u.ended.counted = &v
		}
		m.close(u, ts)
	}
	m.events(u, params["events"], ts, rec.Received)
}

// leave counts the end of a session.
func (m *naive) leave(at int64, v naiveVisits, n int) {
	day := m.day(at)
	exit := func(view string) *[3]int {
		if day.exits[view] == nil {
			day.exits[view] = &[3]int{}
		}
		return day.exits[view]
	}
	exit(v.last)[0] += n
	if v.n == 1 {
		exit(v.last)[1] += n
	}
	for _, view := range v.seen {
		exit(view)[2] += n
	}
}

// naiveItem is an event as it was sent.
type naiveItem struct {
	Key          string
	Count        int
	Sum, Dur     float64
	Timestamp    int64
	Segmentation map[string]any
}

func items(text string) (list []naiveItem) {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		panic(err)
	}
	return list
}

func set(v any) bool { return v != nil && v != 0.0 && v != "" && v != false && v != "0" }

// see counts the items of views, and takes visits down for the session.
func (m *naive) see(u *naiveUser, text string, ts int64) {
	for _, e := range items(text) {
		at := ts
		if e.Timestamp != 0 {
			at = e.Timestamp
		}
		name, _ := e.Segmentation["name"].(string)
		url, _ := e.Segmentation["view"].(string)
		find := func(is func(v *naiveView) bool) *naiveView {
			if i := slices.IndexFunc(m.views, is); i >= 0 {
				return m.views[i]
			}
			return nil
		}
		v := find(func(v *naiveView) bool { return v.name == name })
		add := func(key string, do func(c *naiveViewed)) {
			day := m.day(at)
			if day.views[key] == nil {
				day.views[key] = &naiveViewed{users: map[*naiveUser]bool{}}
			}
			do(day.views[key])
		}
		started := 0
		if set(e.Segmentation["start"]) {
			started = 1
		}
		switch {
		case e.Key == "[CLY]_view" && name != "":
			if v == nil {
				v = &naiveView{name: name}
				m.views = append(m.views, v)
			}
			if url != "" {
				v.url = url
			}
			visited := set(e.Segmentation["visit"])
			if visited && u.open {
				u.visits.n++
				u.visits.last = name
				if !slices.Contains(u.visits.seen, name) {
					u.visits.seen = append(slices.Clone(u.visits.seen), name)
				}
			}
			if !visited && started == 0 && e.Dur == 0 {
				continue
			}
			count := func(c *naiveViewed) {
				if visited {
					c.t++
					c.users[u] = true
				}
				c.s += started
				c.d += e.Dur
			}
			add(name, count)
			for segment, value := range e.Segmentation {
				switch segment {
				case "name", "visit", "start", "view", "utm_source":
					continue
				case "segment":
					if e.Segmentation["platform"] != nil {
						continue
					}
					segment = "platform"
				}
				add(name+" "+strings.ReplaceAll(segment, ".", "")+"="+strings.ReplaceAll(fmt.Sprint(value), ".", ":"), count)
			}
		case e.Key == "[CLY]_action" && e.Segmentation["type"] == "scroll":
			if v == nil && url != "" {
				v = find(func(v *naiveView) bool { return v.url == url })
			}
			y, _ := e.Segmentation["y"].(float64)
			if v != nil && started+int(y) > 0 {
				add(v.name, func(c *naiveViewed) {
					c.s += started
					c.scr += y / 2
				})
			}
		}
	}
}

// usable reports whether a list has an event with a key that counts.
func usable(list string) bool {
	for _, key := range []string{"buy", "open", "close", "[CLY]_view", "[CLY]_action"} {
		if strings.Contains(list, `"key":"`+key+`"`) {
			return true
		}
	}
	return false
}

func (m *naive) begin(u *naiveUser, ts, received int64) {
	if !u.open && u.endedAt != 0 && ts >= u.endedAt && ts-u.endedAt <= 15_000 {
		u.open, u.again, u.wasAt, u.was = true, true, u.endedAt, u.endedSeconds
		u.seconds, u.last, u.seen, u.endedAt = u.endedSeconds, max(u.last, ts), received, 0
		u.visits = u.ended
		m.dropped["cooldown"]++
		return
	}
	if u.open {
		m.close(u, ts)
	}
	day := m.day(ts)
	day.t++
	day.users[u] = true
	switch hours := (ts/1000 - u.lastStart) / 3600; {
	case u.sessions == 0:
		day.f[0]++
		day.n++
	case hours >= 744:
		day.f[11]++
	case hours >= 360:
		day.f[10]++
	case hours >= 192:
		day.f[9]++
	case hours >= 24:
		day.f[int(hours/24)+1]++
	default:
		day.f[1]++
	}
	u.sessions++
	u.lastStart = max(u.lastStart, ts/1000)
	u.open, u.seconds, u.last, u.seen, u.endedAt = true, 0, ts, received, 0
	u.visits = naiveVisits{}
}

func (m *naive) merge(u, old *naiveUser) {
	old.into = u
	u.sessions += old.sessions
	u.lastStart = max(u.lastStart, old.lastStart)
	u.lac, u.sync = max(u.lac, old.lac), max(u.sync, old.sync)
	switch {
	case u.open && old.open:
		m.close(old, old.last)
		u.endedAt = 0
	case u.open:
		u.endedAt = 0
	case old.open:
		u.open, u.seconds, u.last, u.seen = true, old.seconds, old.last, old.seen
		u.again, u.wasAt, u.was, u.endedAt = old.again, old.wasAt, old.was, 0
		u.visits = old.visits
	case old.endedAt > u.endedAt:
		u.endedAt, u.endedSeconds, u.last, u.ended = old.endedAt, old.endedSeconds, old.last, old.ended
	}
}

func (m *naive) events(u *naiveUser, text string, ts, received int64) {
	for _, e := range items(text) {
		if e.Key == "" || e.Key == "[CLY]_nope" {
			m.dropped["event"]++
			continue
		}
		at := ts
		if e.Timestamp != 0 {
			at = e.Timestamp
		}
		if e.Key == "[CLY]_view" || e.Key == "[CLY]_action" {
			continue // counted by view
		}
		day := m.day(at)
		ev := day.events[e.Key]
		if ev == nil {
			ev = &naiveEvent{users: map[*naiveUser]bool{}, values: map[string]int{}}
			day.events[e.Key] = ev
		}
		ev.count += e.Count
		ev.sum += e.Sum
		ev.dur += e.Dur
		ev.users[u] = true
		for name, v := range e.Segmentation {
			switch v.(type) {
			case string, float64, bool:
				ev.values[name+"="+strings.ReplaceAll(fmt.Sprint(v), ".", ":")] += e.Count
			}
		}
	}
}

// text writes the model's figures as the cells are written.
func (m *naive) text() map[string]string {
	out := map[string]string{}
	for k, d := range m.days {
		if d.e+d.t > 0 || d.d > 0 {
			out[k+" users"] = fmt.Sprintf("e:%d t:%d n:%d u:%d d:%v", d.e, d.t, d.n, uniques(d.users), d.d)
		}
		for i, n := range d.f {
			out[fmt.Sprint(k, " f", i)] = strconv.Itoa(n)
		}
		for i, n := range d.ds {
			if n != 0 {
				out[fmt.Sprint(k, " ds", i)] = strconv.Itoa(n)
			}
		}
		for key, e := range d.events {
			out[k+" "+key] = fmt.Sprintf("c:%d s:%v dur:%v u:%d", e.count, e.sum, e.dur, uniques(e.users))
			for v, n := range e.values {
				out[k+" "+key+" "+v] = strconv.Itoa(n)
			}
		}
		for key, v := range d.views {
			out[k+" view "+key] = fmt.Sprintf("t:%d u:%d s:%d d:%v scr:%v", v.t, uniques(v.users), v.s, v.d, v.scr)
		}
		for name, x := range d.exits {
			if *x != [3]int{} {
				out[k+" exit "+name] = fmt.Sprintf("e:%d b:%d uvc:%d", x[0], x[1], x[2])
			}
		}
	}
	return out
}

func uniques(users map[*naiveUser]bool) int {
	set := map[*naiveUser]bool{}
	for u := range users {
		for u.into != nil {
			u = u.into
		}
		set[u] = true
	}
	return len(set)
}

// text writes the figures of a world's cells.
func (w *world) text(t *testing.T, app *model.App) map[string]string {
	t.Helper()
	out := map[string]string{}
	store := w.cellStore()
	list, err := w.schema.Subjects(t.Context(), app.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	views := map[string]string{}
	for _, v := range list {
		views[rollup.SubjectValue(v.Num)] = v.Name
	}
	for s := range w.series(t, app) {
		err := store.Scan(t.Context(), app.ID, s, rollup.Day, 0, 1<<31, func(b rollup.Bucket, value string, c *rollup.Cell) error {
			y, mo, d := period.Day(b).Date()
			k := fmt.Sprintf("%04d-%02d-%02d", y, mo, d)
			switch s.Metric {
			case rollup.Users:
				out[k+" users"] = totals(c)
			case rollup.Frequency:
				out[k+" f"+value] = counts(c)
			case rollup.Durations:
				if c.Count != 0 {
					out[k+" ds"+value] = counts(c)
				}
			case rollup.Events:
				out[k+" "+value] = fmt.Sprintf("c:%d s:%v dur:%v u:%d", c.Count, c.Sum, c.Dur, c.Uniques())
			case rollup.Segments:
				event, segment, _ := strings.Cut(s.Dim, "\x00")
				out[k+" "+event+" "+segment+"="+value] = counts(c)
			case rollup.Views, rollup.ViewSegments:
				key := views[value]
				if segment, of, ok := strings.Cut(s.Dim, "\x00"); ok {
					key += " " + segment + "=" + of
				}
				out[k+" view "+key] = fmt.Sprintf("t:%d u:%d s:%d d:%v scr:%v", c.Count, c.Uniques(), c.New, c.Dur, c.Sum)
			case rollup.ViewEnds:
				if c.Count != 0 || c.New != 0 || c.Requests != 0 {
					out[k+" exit "+views[value]] = fmt.Sprintf("e:%d b:%d uvc:%d", c.Count, c.New, c.Requests)
				}
			default:
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestModel compares the cells of random traffic with the naive model, and
// then the cells rebuilt from rows with those counted at first.
func TestModel(t *testing.T) {
	t.Parallel()
	testModel(t, vfs.NewMem())
}

func testModel(t *testing.T, fs *vfs.MemFS) {
	t.Helper()
	seed := rand.Uint64()
	models, records, r := wild(t, &seed)
	t.Logf("seed %d", seed)
	w := open(t, fs, newMemory(), func(o *pipeline.Options) { o.BatchRecords = 1 + r.IntN(200) }).start(t)
	defer w.close(t)
	w.send(t, records...)
	w.compare(t, models, records)
}

// TestModelOfPartitions is TestModel over a journal of several partitions, with a pipeline that starts again now
// and then: each app is in one of them, and in its order.
func TestModelOfPartitions(t *testing.T) {
	t.Parallel()
	testModelOfPartitions(t, vfs.NewMem())
}

func testModelOfPartitions(t *testing.T, fs *vfs.MemFS) {
	t.Helper()
	seed := rand.Uint64()
	models, records, r := wild(t, &seed)
	t.Logf("seed %d", seed)
	ev, j := newMemory(), journaltest.NewMemory(5)
	start := func() *world {
		return open(t, fs, ev, func(o *pipeline.Options) { o.Journal, o.BatchRecords = j, 1+r.IntN(200) }).start(t)
	}
	w := start()
	for rest := records; len(rest) > 0; {
		n := min(len(rest), 1+r.IntN(len(records)/3))
		w.append(t, rest[:n]...)
		rest = rest[n:]
		if r.IntN(2) == 0 {
			w.flush(t)
		}
		w.close(t) // in the middle of what was appended
		j = j.Reopen()
		w = start()
	}
	defer func() { w.close(t) }()
	w.flush(t)
	w.compare(t, models, records)
	for app := range models {
		want := j.Partition(journal.Routing(app.ID))
		for _, row := range ev.rows(app) {
			if got := journal.PositionOf(row.Offset).Partition; got != want {
				t.Fatalf("a row of app %s is of partition %d, want %d", app.ID, got, want)
			}
		}
		// Nothing that was sent before a reset comes after it.
		w.submit(t, request.Record{Kind: request.ResetApp, App: app.ID})
		if n := len(w.cells(t, app)); n > 0 {
			t.Errorf("%d cells of app %s after its reset", n, app.ID)
		}
	}
	if utc, kolkata := j.Partition(journal.Routing(utcApp.ID)), j.Partition(journal.Routing(kolkataApp.ID)); utc == kolkata {
		t.Errorf("both apps are in partition %d", utc)
	}
	if len(ev.diverged) > 0 {
		t.Errorf("rows of a replay differ: %v", ev.diverged)
	}
}

// compare compares what the pipeline made of records with models of the apps, and with what a rebuild gives.
func (w *world) compare(t *testing.T, models map[*model.App]*naive, records []request.Record) {
	t.Helper()
	for app, m := range models {
		if diff := cmp.Diff(m.text(), w.text(t, app)); diff != "" {
			t.Errorf("%s (-model +cells):\n%s", app.Timezone, diff)
		}
		checkOutcomes(t, w, app, records)
		before := w.cells(t, app)
		w.submit(t, request.Record{Kind: request.RebuildCells, App: app.ID})
		if diff := cmp.Diff(before, w.cells(t, app)); diff != "" {
			t.Errorf("%s (-counted +rebuilt):\n%s", app.Timezone, diff)
		}
	}
}

// wild makes up traffic that has all that the model is about, in both apps. It moves the seed on past traffic
// that is too tame, of which there is some in a thousand.
func wild(t *testing.T, seed *uint64) (models map[*model.App]*naive, records []request.Record, r *rand.Rand) {
	t.Helper()
	for range 10 {
		r = rand.New(rand.NewPCG(*seed, 3))
		records, models = nil, map[*model.App]*naive{}
		for _, rec := range traffic(r, 1500, true) {
			if rec.Kind == request.Client || rec.Kind == request.SessionTimeout {
				records = append(records, rec)
			}
		}
		tame := ""
		for _, app := range []*model.App{&utcApp, &kolkataApp} {
			models[app] = modelOf(app, records)
			tame += models[app].lacks()
		}
		if tame == "" {
			return models, records, r
		}
		t.Logf("seed %d is too tame: it has no%s", *seed, tame)
		*seed++
	}
	t.Fatal("all traffic is too tame")
	return nil, nil, nil
}

// modelOf returns the model of an app's part of records.
func modelOf(app *model.App, records []request.Record) *naive {
	m := newNaive(app.Timezone)
	for _, rec := range records {
		switch {
		case rec.App != app.ID:
		case rec.Kind == request.Client:
			m.request(rec)
		default:
			m.timeout(rec, app.IDKey)
		}
	}
	return m
}

// lacks names what the model has not met; "" when it has met all.
func (m *naive) lacks() string {
	out := ""
	if m.dropped["duplicate"] == 0 || m.dropped["cooldown"]+m.dropped["end"] == 0 {
		out = " duplicate or session that is dropped"
	}
	for _, part := range []string{" view Home", " view Home platform=web", " exit Home"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(m.text())), func(k string) bool { return strings.HasSuffix(k, part) }) {
			out += part
		}
	}
	return out
}

// checkOutcomes: what was received is the sum of what became of it.
func checkOutcomes(t *testing.T, w *world, app *model.App, records []request.Record) {
	t.Helper()
	received := map[string]int64{}
	for _, rec := range records {
		if rec.App != app.ID || rec.Kind != request.Client {
			continue
		}
		received["request"]++
		for _, p := range rec.Params {
			switch p.Name {
			case "begin_session":
				received["session"]++
			case "crash":
				received["crash"]++
			case "apm":
				received["trace"]++
			case "events":
				var list []json.RawMessage
				if err := json.Unmarshal(p.Value, &list); err != nil {
					t.Fatal(err)
				}
				received["event"] += int64(len(list))
			}
		}
	}
	got := map[string]int64{}
	store := w.cellStore()
	series := rollup.Series{Metric: rollup.Outcomes}
	err := store.Scan(t.Context(), app.ID, series, rollup.Day, 0, 1<<31, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
		if part := splitNUL(value); len(part) == 4 && part[1] != "clamped" {
			got[part[0]] += c.Count
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(received, got); diff != "" {
		t.Errorf("outcomes (-received +counted):\n%s", diff)
	}
}
