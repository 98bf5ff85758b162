package whole_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
	"quipu/internal/verify"
)

// act is an event of a person in the model.
type act struct {
	key, value string
	count      int
	at         time.Time
	nr         int // in the order of arrival
}

// human is a person of the model.
type human struct {
	acts []act
	vip  bool
}

// span is a period with the days that it stands for at a moment.
type span struct {
	text string
	of   func(now time.Time) (first, last time.Time) // midnights of the first day and of the day after the last one
}

func midnight(t time.Time) time.Time { return t.UTC().Truncate(day) }

func spans() []span {
	list := []span{
		{"0days", func(now time.Time) (time.Time, time.Time) { return time.Time{}, midnight(now).Add(day) }},
		{"yesterday", func(now time.Time) (time.Time, time.Time) { return midnight(now).Add(-day), midnight(now) }},
		{`{"since":"2031-05-10"}`, func(now time.Time) (time.Time, time.Time) {
			return time.Date(2031, 5, 10, 0, 0, 0, 0, time.UTC), midnight(now).Add(day)
		}},
		{`[1936440000000,1936699200000]`, func(time.Time) (time.Time, time.Time) {
			return time.Date(2031, 5, 13, 0, 0, 0, 0, time.UTC), time.Date(2031, 5, 17, 0, 0, 0, 0, time.UTC)
		}},
	}
	for _, n := range []int{1, 2, 3, 7, 10} {
		list = append(list, span{fmt.Sprint(n, "days"), func(now time.Time) (time.Time, time.Time) {
			return midnight(now).Add(-time.Duration(n-1) * day), midnight(now).Add(day)
		}})
	}
	return list
}

// liveRule is a step of a live cohort.
type liveRule struct {
	kind, key, value, conj string
	span                   span
	least, most            int
	before                 []link
}

// link is what is done before something else, within a time.
type link struct {
	key, value string
	within     time.Duration
}

// steps are the step, with those that it is behind.
func (r liveRule) steps() []any {
	last := r.step()
	if len(r.before) == 0 {
		return []any{last}
	}
	delete(last, "times")
	var out []any
	conj, within := r.conj, time.Duration(0)
	for _, l := range append(slices.Clone(r.before), link{key: r.key}) {
		step := map[string]any{"type": "did", "event": l.key, "period": r.span.text, "conj": conj}
		if l.value != "" {
			step["query"] = map[string]any{"sg.what": l.value}
		}
		if len(out) == len(r.before) {
			step = last
			step["conj"] = conj
		}
		if within > 0 {
			step["within"] = int64(within / time.Second)
		}
		out = append(out, step)
		conj, within = "then", l.within
	}
	return out
}

// behind reports whether an act is behind all of links, one after the other.
func (h *human) behind(a act, links []link) bool {
	if len(links) == 0 {
		return true
	}
	l := links[len(links)-1]
	for _, b := range h.acts {
		earlier := b.at.Before(a.at) || b.at.Equal(a.at) && b.nr < a.nr
		if earlier && a.at.Sub(b.at) <= l.within && b.key == l.key && (l.value == "" || b.value == l.value) && h.behind(b, links[:len(links)-1]) {
			return true
		}
	}
	return false
}

func (r liveRule) step() map[string]any {
	out := map[string]any{"type": r.kind, "event": r.key, "period": r.span.text, "conj": r.conj}
	if r.value != "" {
		out["query"] = map[string]any{"sg.what": r.value}
	}
	if r.kind != "first" {
		times := map[string]any{"$gte": r.least}
		if r.most > 0 {
			times["$lte"] = r.most
		}
		out["times"] = times
	}
	return out
}

func (r liveRule) holds(h *human, now time.Time) bool {
	first, end := r.span.of(now)
	any, n, earlier := false, 0, false
	for _, a := range h.acts {
		switch {
		case a.key != r.key || r.value != "" && a.value != r.value:
		case a.at.Before(first):
			earlier = true
		case a.at.Before(end):
			if !h.behind(a, r.before) {
				continue
			}
			any = true
			n += a.count
		}
	}
	did := any && (r.least == 1 && r.most == 0 || n >= r.least && (r.most == 0 || n <= r.most))
	switch r.kind {
	case "didnt":
		return !did
	case "first":
		return any && !earlier
	}
	return did
}

// liveCohort is a cohort of the model.
type liveCohort struct {
	id    string
	rules []liveRule
	vip   bool // of these alone
	text  string
}

func (c liveCohort) has(h *human, now time.Time) bool {
	in := true
	for i, r := range c.rules {
		switch holds := r.holds(h, now); {
		case i == 0:
			in = holds
		case r.conj == "or":
			in = in || holds
		default:
			in = in && holds
		}
	}
	return in && (!c.vip || h.vip)
}

// world is a server and what the model knows of it.
type world struct {
	*testing.T
	s       *testkit.Server
	a       testkit.TestApp
	r       *rand.Rand
	now     time.Time
	people  map[string]*human // by device
	cohorts []liveCohort
	sent    int
	acts    int
}

func (w *world) person(device string) *human {
	h := w.people[device]
	if h == nil {
		h = &human{}
		w.people[device] = h
	}
	return h
}

func (w *world) device() string { return "d" + strconv.Itoa(w.r.IntN(14)) }

// ingest sends a request that is like no other: those that are alike count once.
func (w *world) ingest(device string, pairs ...string) {
	w.sent++
	w.s.Ingest(w.a, device, append(pairs, "timestamp", strconv.FormatInt(w.now.UnixMilli()+int64(w.sent), 10))...)
}

var liveKeys = []string{"see", "buy"}

// event sends events of a device: now, late by up to 25 days, or up to an hour early.
func (w *world) event() {
	d := w.device()
	var list []string
	for range 1 + w.r.IntN(3) {
		w.acts++
		a := act{liveKeys[w.r.IntN(2)], []string{"tea", "milk"}[w.r.IntN(2)], 1 + w.r.IntN(2), w.now, w.acts}
		switch w.r.IntN(4) {
		case 0:
			a.at = w.now.Add(-time.Duration(w.r.IntN(25*24)) * time.Hour)
		case 1:
			a.at = w.now.Add(time.Duration(w.r.IntN(59)) * time.Minute)
		}
		a.at = a.at.Truncate(time.Second)
		h := w.person(d)
		h.acts = append(h.acts, a)
		list = append(list, fmt.Sprintf(`{"key":%q,"count":%d,"timestamp":%d,"segmentation":{"what":%q,"nr":"%d"}}`, a.key, a.count, a.at.UnixMilli(), a.value, w.sent))
	}
	w.ingest(d, "events", "["+strings.Join(list, ",")+"]")
}

func (w *world) merge() {
	to, from := w.device(), w.device()
	if to == from {
		return
	}
	w.ingest(to, "old_device_id", from)
	h := w.person(to)
	if old := w.people[from]; old != nil {
		h.acts, h.vip = append(h.acts, old.acts...), h.vip || old.vip
		delete(w.people, from)
	}
}

// add makes a random cohort, and goes on while it is calculated.
func (w *world) add() {
	c := liveCohort{vip: w.r.IntN(4) == 0}
	all := spans()
	for range 1 + w.r.IntN(3) {
		rule := liveRule{
			kind: []string{"did", "did", "didnt", "first"}[w.r.IntN(4)], key: liveKeys[w.r.IntN(2)], conj: []string{"and", "or"}[w.r.IntN(2)],
			value: []string{"", "", "tea", "milk"}[w.r.IntN(4)], span: all[w.r.IntN(len(all))], least: 1,
		}
		if w.r.IntN(2) == 0 && rule.kind != "first" {
			rule.least = 1 + w.r.IntN(3)
			if w.r.IntN(2) == 0 {
				rule.most = rule.least + w.r.IntN(4)
			}
		}
		if w.r.IntN(2) == 0 && rule.kind != "first" {
			rule.least, rule.most = 1, 0
			for range 1 + w.r.IntN(2) {
				within := []time.Duration{time.Second, time.Hour, 7 * time.Hour, day, 3 * day, 20 * day}[w.r.IntN(6)]
				rule.before = append(rule.before, link{liveKeys[w.r.IntN(2)], []string{"", "", "tea", "milk"}[w.r.IntN(4)], within})
			}
		}
		c.rules = append(c.rules, rule)
	}
	var steps []any
	for _, r := range c.rules {
		steps = append(steps, r.steps()...)
	}
	text, err := json.Marshal(steps)
	if err != nil {
		w.Fatal(err)
	}
	pairs := []string{"cohort_name", "c" + strconv.Itoa(len(w.cohorts)), "steps", string(text)}
	if c.vip {
		pairs = append(pairs, "user_segmentation", `{"custom.vip":"yes"}`)
	}
	c.text = string(text)
	var same bool
	if c.id, same = add(w.s, w.a, pairs...); !same {
		w.cohorts = append(w.cohorts, c)
	}
}

// live waits until all cohorts are live.
func (w *world) live() {
	w.Helper()
	for _, c := range w.cohorts {
		for n := 0; ; n++ {
			var got struct {
				Live             bool
				State, Scheduled string
			}
			decode(w.s.Admin("/o", "method", "get_cohort", "app_id", w.a.ID, "cohort", c.id), &got)
			if got.Live {
				break
			}
			if n > 2000 || got.State == "error" {
				w.Fatalf("cohort %s %s is not live: %+v", c.id, c.text, got)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// check compares the members of all cohorts with those of the model.
func (w *world) check(when string) {
	w.Helper()
	w.s.Flush()
	w.live()
	for _, c := range w.cohorts {
		var want []string
		for device, h := range w.people {
			if c.has(h, w.now) {
				want = append(want, device)
			}
		}
		slices.Sort(want)
		var table struct {
			Rows []struct{ DID string } `json:"aaData"`
		}
		decode(w.s.Admin("/o", "method", "user_details", "app_id", w.a.ID, "iDisplayLength", "100", "query", `{"chr":"`+c.id+`"}`), &table)
		got := []string{}
		for _, r := range table.Rows {
			got = append(got, r.DID)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			w.verified()
			w.Fatalf("after %s: members of %s (vip %v)\ngot  %v\nwant %v", when, c.text, c.vip, got, want)
		}
		if n := get(w.s, w.a, c.id).Result; n != len(want) {
			w.Fatalf("after %s: size of %s is %d, want %d", when, c.text, n, len(want))
		}
	}
}

// verified has everything recomputed from rows.
func (w *world) verified() {
	w.Helper()
	report, err := w.s.App().Verify(w.Context(), verify.Options{})
	if err != nil {
		w.Fatal(err)
	}
	for _, d := range report.Differences {
		w.Error(d)
	}
	for _, n := range report.Notes {
		if strings.Contains(n, "cohorts") {
			w.Error(n)
		}
	}
}

// documents are the files of the store of documents.
func (w *world) documents() []string {
	list, err := filepath.Glob(filepath.Join(w.s.Data(), "docs*"))
	if err != nil || len(list) == 0 {
		w.Fatal("no documents", err)
	}
	return list
}

// crash restarts the server with members as they were stored some time ago, as after a crash.
func (w *world) crash() {
	w.s.Stop()
	kept := map[string][]byte{}
	for _, name := range w.documents() {
		b, err := os.ReadFile(name) // of the test's own folder
		if err != nil {
			w.Fatal(err)
		}
		kept[name] = b
	}
	w.s.Start()
	if w.r.IntN(2) == 0 {
		w.live()
	}
	for range 1 + w.r.IntN(8) {
		if w.r.IntN(5) == 0 {
			w.merge()
		} else {
			w.event()
		}
	}
	w.s.Flush()
	w.s.Stop()
	for _, name := range w.documents() {
		if err := os.Remove(name); err != nil {
			w.Fatal(err)
		}
	}
	for name, b := range kept {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			w.Fatal(err)
		}
	}
	w.s.Start()
}

// knows reports whether anybody has an event of this key. The server refuses to delete events of a key that it does not know.
func (w *world) knows(key string) bool {
	for _, h := range w.people {
		if slices.ContainsFunc(h.acts, func(a act) bool { return a.key == key }) {
			return true
		}
	}
	return false
}

// TestLiveModel sends random traffic and compares the members of live cohorts at random instants with those of a model that looks at every
// event of everyone: with late and early events, merges, deletions, resets, days that go by, restarts, and crashes.
func TestLiveModel(t *testing.T) {
	seed := uint64(time.Now().UnixNano()) // a seed
	if text := os.Getenv("COHORTS_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("seed %d", seed)
	s := testkit.New(t, testkit.At(start))
	w := &world{T: t, s: s, a: s.CreateApp("a", "UTC"), r: rand.New(rand.NewPCG(seed, 2)), now: start, people: map[string]*human{}} // a test
	for range 8 {
		w.event()
		w.add()
	}
	rare := map[int]func() string{
		0: func() string {
			s.Admin("/i/apps/reset", "args", `{"app_id":"`+w.a.ID+`","period":"reset"}`)
			clear(w.people)
			return "reset"
		},
		1: func() string { s.Stop(); s.Start(); return "restart" },
		2: func() string { w.crash(); return "crash" },
		3: func() string {
			s.Flush()
			key := liveKeys[w.r.IntN(2)]
			if !w.knows(key) {
				return "no event to delete"
			}
			s.Admin("/i/events/delete_events", "app_id", w.a.ID, "events", `["`+key+`"]`)
			for _, h := range w.people {
				h.acts = slices.DeleteFunc(h.acts, func(a act) bool { return a.key == key })
			}
			return "deletion of events"
		},
		4: func() string { w.s.Flush(); w.live(); w.verified(); return "verify" },
	}
	for i := range 160 {
		last := "traffic"
		switch n := w.r.IntN(100); {
		case n < 60:
			w.event()
		case n < 70:
			w.merge()
		case n < 75:
			d := w.device()
			w.person(d).vip = true
			w.ingest(d, "user_details", `{"custom":{"vip":"yes"}}`)
		case n < 79:
			d := w.device()
			s.Flush()
			if w.people[d] != nil {
				s.Admin("/i/app_users/delete", "app_id", w.a.ID, "query", `{"did":"`+d+`"}`, "force", "true")
				delete(w.people, d)
			}
			last = "deletion of a user"
		case n < 86:
			s.Flush() // times are those at which the server got them
			w.now = w.now.Add(time.Duration(w.r.IntN(20*60)) * time.Minute)
			s.Clock().Set(w.now)
			last = "time"
		case n < 90 && len(w.cohorts) < 30:
			w.add()
			w.event()
			w.merge()
			last = "new cohort"
		case n < 92:
			last = rare[w.r.IntN(len(rare))]()
		default:
			continue
		}
		if w.r.IntN(4) == 0 || last != "traffic" {
			w.check(fmt.Sprint(last, " in step ", i))
		}
	}
	w.check("the end")
	w.verified()
	for _, c := range slices.Collect(maps.Values(w.sums())) {
		if c[0] != c[1] {
			t.Errorf("a cohort has %d members, and by its history %d", c[0], c[1])
		}
	}
}

// sums are, by cohort, the size and what the history adds up to.
func (w *world) sums() map[string][2]int {
	out := map[string][2]int{}
	for _, c := range w.cohorts {
		var list []struct{ Data map[string]json.RawMessage }
		decode(w.s.Admin("/o", "method", "cohortdata", "app_id", w.a.ID, "cohorts", `["`+c.id+`"]`), &list)
		var total int
		decode(string(list[0].Data["iTotalRecords"]), &total)
		sum := 0
		for year, raw := range list[0].Data {
			if _, err := strconv.Atoi(year); err != nil {
				continue
			}
			var months map[string]map[string]map[string]int
			decode(string(raw), &months)
			for _, days := range months {
				for _, d := range days {
					sum += d["in"] - d["out"]
				}
			}
		}
		out[c.id] = [2]int{total, sum}
	}
	return out
}
