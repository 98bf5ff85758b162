package whole_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/testkit"
	"quipu/internal/topic"
	"quipu/internal/verify"
)

// listener keeps what a subscriber hears of cohorts.
type listener struct {
	mu  sync.Mutex
	got []topic.CohortChanged
}

func (l *listener) module() kernel.Module {
	return kernel.Module{Name: "listener", Setup: kernel.Alone(func(s *kernel.Scope) error {
		hook.On(s.Bus, s.Name, func(_ context.Context, ev topic.CohortChanged) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.got = append(l.got, ev)
			return nil
		})
		return nil
	})}
}

// take returns what was heard since the last time, in short.
func (l *listener) take() (out []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ev := range l.got {
		out = append(out, fmt.Sprint("+", ev.Entered, " -", ev.Left))
	}
	l.got = nil
	return out
}

// TestLiveChanges has users come and leave by what they do, by who they are, and by time.
func TestLiveChanges(t *testing.T) {
	var heard listener
	s := testkit.New(t, testkit.At(start), testkit.WithModules(func(list []kernel.Module) []kernel.Module { return append(list, heard.module()) }))
	a := s.CreateApp("a", "Europe/Berlin")
	fill(s, a)
	id, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers, "user_segmentation", `{"custom.plan":{"$in":["pro","free"]}}`)
	calculated(t, s, a, id)
	expect := func(what string, want []string, members ...string) {
		t.Helper()
		if d := cmp.Diff(want, heard.take()); d != "" {
			t.Errorf("%s: heard (-want +got):\n%s", what, d)
		}
		got, _ := uids(t, s, a, id)
		if !slices.Equal(got, members) {
			t.Errorf("%s: members %v, want %v", what, got, members)
		}
	}
	expect("a new cohort", nil, "1", "2")
	send(s, a, "d3", "buy", `{}`, time.Minute)
	s.Flush()
	expect("an event", []string{"+[3] -[]"}, "1", "2", "3")
	send(s, a, "d3", "buy", `{}`, 2*time.Minute)
	s.Flush()
	expect("an event of a member", nil, "1", "2", "3")
	s.Ingest(a, "d1", "user_details", `{"custom":{"plan":"none"}}`)
	s.Flush()
	expect("a property", []string{"+[] -[1]"}, "2", "3")
	s.Admin("/i/app_users/update", "app_id", a.ID, "query", `{"did":"d1"}`, "update", `{"$set":{"custom.plan":"pro"}}`)
	expect("a property set by a member", []string{"+[1] -[]"}, "1", "2", "3")
	s.Ingest(a, "d2", "old_device_id", "d3")
	s.Flush()
	expect("a merge of two members", nil, "1", "2")
	s.Ingest(a, "d9", "old_device_id", "d1")
	s.Flush()
	if got, _ := uids(t, s, a, id); len(got) != 2 || got[0] != "2" {
		t.Errorf("a merge into another user: members %v", got)
	}
	if d := cmp.Diff([]string(nil), heard.take()); d != "" {
		t.Errorf("who takes the place of another comes: %s", d)
	}
	s.Clock().Set(time.Date(2031, 5, 20, 21, 59, 59, 0, time.UTC)) // a second before midnight in Berlin
	if got, _ := uids(t, s, a, id); len(got) != 2 {
		t.Errorf("before the last midnight: members %v", got)
	}
	s.Clock().Set(time.Date(2031, 5, 20, 22, 0, 0, 0, time.UTC))
	if got, _ := uids(t, s, a, id); len(got) != 0 {
		t.Errorf("after the last midnight: members %v", got)
	}
	if got := heard.take(); len(got) != 1 || !strings.HasPrefix(got[0], "+[] -[2 ") {
		t.Errorf("by time: heard %v", got)
	}
	report, err := s.App().Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Error(err, report)
	}
}

// TestScheduled says why cohorts are not live.
func TestScheduled(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	first, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	calculated(t, s, a, first)
	for want, pairs := range map[string][]string{
		"cohorts":         {"user_segmentation", `{"chr":"` + first + `"}`},
		"user_properties": {"steps", `[{"type":"did","event":"buy","period":"7days","query":{"up.cc":"DE"}}]`},
		"":                {"steps", `[{"type":"did","event":"buy","period":"7days","query":{"sg.x":"y"}}]`},
	} {
		id, _ := add(s, a, append([]string{"cohort_name", "c"}, pairs...)...)
		calculated(t, s, a, id)
		var got struct {
			Live      bool
			Scheduled string
		}
		decode(s.Admin("/o", "method", "get_cohort", "app_id", a.ID, "cohort", id), &got)
		if got.Scheduled != want || got.Live != (want == "") {
			t.Errorf("%v: got %+v, want %q", pairs, got, want)
		}
	}
}

// TestLiveMemory has what does not fit calculated on schedule.
func TestLiveMemory(t *testing.T) {
	s := testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) {
		c.Modules = map[string]any{"cohorts": map[string]any{"live_memory": 1}}
	}))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	id, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	if c := calculated(t, s, a, id); c.Result != 2 {
		t.Errorf("got %+v", c)
	}
	if text := s.Admin("/o", "method", "get_cohort", "app_id", a.ID, "cohort", id); !strings.Contains(text, `"scheduled":"memory"`) {
		t.Errorf("got %s", text)
	}
	if got := listed(t, s, a, "query", `{"chr":"`+id+`"}`); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("members %v", got)
	}
}

// rawMembers is how members of cohorts are stored.
type rawMembers struct {
	ID   string `json:"_id"`
	Bits string `json:"bits"`
}

func (m rawMembers) Key() string   { return m.ID }
func (rawMembers) Validate() error { return nil }

// TestVerifyFinds damages the stored members of a cohort.
func TestVerifyFinds(t *testing.T) {
	var cfg app.Config
	s := testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) { cfg = *c }))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	one, _ := add(s, a, "cohort_name", "Buyers", "steps", buyers)
	two, _ := add(s, a, "cohort_name", "Lookers", "steps", `[{"type":"did","event":"see","period":"7days"}]`)
	calculated(t, s, a, one)
	calculated(t, s, a, two)
	send(s, a, "d3", "buy", `{"a":1}`, time.Minute)
	s.Flush()
	s.Stop()
	verified := func() *verify.Report {
		t.Helper()
		report, err := app.Verify(t.Context(), cfg, app.Process{Now: s.Clock().Now}, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if r := verified(); !r.OK() || strings.Contains(fmt.Sprint(r.Notes), "cohort") {
		t.Fatalf("before: %+v", r)
	}
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(cfg.Data, "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	id, err := model.ParseID(a.ID)
	if err != nil {
		t.Fatal(err)
	}
	members := docs.Spec[rawMembers]{Name: "cohorts.members", Version: 1}.In(db, id)
	lookers, err := members.Get(t.Context(), two)
	if err == nil {
		_, err = members.Update(t.Context(), one, func(m *rawMembers) error { m.Bits = lookers.Bits; return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r := verified()
	if !slices.ContainsFunc(r.Differences, func(d verify.Difference) bool {
		return d.Part == "cohorts" && strings.Contains(d.Where, one) && strings.Contains(d.Where, "Buyers")
	}) {
		text, _ := json.Marshal(r)
		t.Errorf("not found: %s", text)
	}
	s.Start() // which starts over from the rows
	for range 1000 {
		if strings.Contains(s.Admin("/o", "method", "get_cohort", "app_id", a.ID, "cohort", one), `"live":true`) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got, _ := uids(t, s, a, one); !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("after a restart: members %v", got)
	}
}
