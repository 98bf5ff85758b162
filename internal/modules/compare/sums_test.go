package compare_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var seed = flag.Uint64("compare-seed", 0, "seed of the random visits; 0 = others each time")

type counters struct {
	Sessions, Users, New, Events int64
	Crashes                      *int64
	CrashFree                    *int64 `json:"crash_free"`
}

type sums struct {
	Apps []struct {
		ID, Name string
		counters
	}
	Total struct {
		counters
		Shared int64
	}
	More int
}

func readSums(t *testing.T, s *testkit.Server, pairs ...string) (out sums) {
	t.Helper()
	s.Flush()
	testkit.Decode(t, s.Admin("/o/compare/sums", pairs...), &out)
	return out
}

// visits are what the naive model knows of an app: by device, on which days back from today there were sessions, how many events, and on which days a fatal crash.
type visits struct {
	sessions map[string][]int
	first    map[string]int
	events   []int
	crashes  map[string][]int
}

// TestSums sends random visits of the same devices to several apps, merges some, and compares the sums with a naive model.
func TestSums(t *testing.T) {
	t.Parallel()
	n := *seed
	if n == 0 {
		n = rand.Uint64()
	}
	t.Logf("-compare-seed %d", n)
	r := rand.New(rand.NewPCG(n, 3))
	s := testkit.New(t, testkit.At(now))
	var apps []testkit.TestApp
	model := map[string]*visits{}
	for i := range 4 {
		a := s.CreateApp(fmt.Sprintf("app %d", i), "UTC")
		apps = append(apps, a)
		model[a.ID] = &visits{sessions: map[string][]int{}, first: map[string]int{}, crashes: map[string][]int{}}
	}
	for range 250 {
		a := apps[r.IntN(3)] // the last has nobody
		m := model[a.ID]
		device, ago := fmt.Sprintf("device %d", r.IntN(30)), r.IntN(20)
		switch k := r.IntN(10); {
		case k < 6:
			s.Ingest(a, device, "begin_session", "1", "ignore_cooldown", "true", "timestamp", at(-ago))
			m.sessions[device] = append(m.sessions[device], ago)
		case k < 8:
			s.Ingest(a, device, "events", fmt.Sprintf(`[{"key":"e","count":%d}]`, 1+r.IntN(3)), "timestamp", at(-ago), "begin_session", "1", "ignore_cooldown", "true")
			m.sessions[device] = append(m.sessions[device], ago)
			m.events = append(m.events, ago)
		case k < 9:
			s.Ingest(a, device, "crash", fmt.Sprintf(`{"_error":"x at y","_os":"A","_app_version":"1","_nonfatal":%t}`, r.IntN(2) == 0), "timestamp", at(-ago))
			m.crashes[device] = append(m.crashes[device], ago)
		default:
			into := fmt.Sprintf("device %d", 30+r.IntN(5))
			if len(m.sessions[device]) == 0 {
				continue
			}
			s.Ingest(a, into, "old_device_id", device, "timestamp", at(-ago))
			m.sessions[into] = append(m.sessions[into], m.sessions[device]...)
			m.crashes[into] = append(m.crashes[into], m.crashes[device]...)
			delete(m.sessions, device)
			delete(m.crashes, device)
		}
	}
	for _, days := range []int{1, 7, 30} {
		got := readSums(t, s, "period", fmt.Sprintf("%ddays", days))
		people := map[string]int{}
		for i, a := range apps {
			m := model[a.ID]
			sessions, users := 0, 0
			for device, list := range m.sessions {
				here := 0
				for _, ago := range list {
					if ago < days {
						here++
					}
				}
				sessions += here
				if here > 0 {
					users++
					people[device]++
				}
			}
			if row := got.Apps[i]; row.Name != fmt.Sprintf("app %d", i) || row.Sessions != int64(sessions) || row.Users != int64(users) || row.Crashes == nil {
				t.Errorf("%d days of %s: %+v, want %d sessions of %d users", days, a.ID, row, sessions, users)
			}
		}
		shared := int64(0)
		for _, n := range people {
			if n > 1 {
				shared++
			}
		}
		if got.Total.Users != int64(len(people)) || got.Total.Shared != shared {
			t.Errorf("%d days: %d people, %d of several apps; want %d and %d", days, got.Total.Users, got.Total.Shared, len(people), shared)
		}
	}
}

// TestSumsOfCrashes counts people without a fatal crash, in one app and in all of them.
func TestSumsOfCrashes(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(now))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "Asia/Tokyo")
	crash := func(app testkit.TestApp, device string, nonfatal bool, ago int) {
		s.Ingest(app, device, "crash", fmt.Sprintf(`{"_error":"x at y","_os":"A","_app_version":"1","_nonfatal":%t}`, nonfatal), "timestamp", at(-ago))
	}
	for _, device := range []string{"one", "two", "three"} {
		s.Ingest(a, device, "begin_session", "1", "timestamp", at(-1))
		s.Ingest(b, device, "begin_session", "1", "timestamp", at(-1))
	}
	s.Ingest(a, "four", "begin_session", "1", "timestamp", at(-1))
	crash(a, "one", false, 1)
	crash(a, "one", false, 1)
	crash(b, "one", false, 1)
	crash(b, "two", true, 1) // not fatal
	crash(b, "three", false, 20)
	crash(a, "five", false, 1) // no session in the period
	got := readSums(t, s, "period", "7days")
	want := func(c counters, users, crashes, free int64) {
		t.Helper()
		if c.Crashes == nil || c.CrashFree == nil || c.Users != users || *c.Crashes != crashes || *c.CrashFree != free {
			text, _ := json.Marshal(c)
			t.Errorf("got %s, want %d users, %d crashes, %d free of them", text, users, crashes, free)
		}
	}
	want(got.Apps[0].counters, 4, 3, 3)
	want(got.Apps[1].counters, 3, 1, 2)
	want(got.Total.counters, 4, 4, 3)
	if got.Total.Shared != 3 {
		t.Errorf("%d use both, want 3", got.Total.Shared)
	}

	// One app alone, and the caller's rights.
	if got := readSums(t, s, "period", "7days", "apps", `["`+b.ID+`","`+b.ID+`"]`); len(got.Apps) != 1 || got.Total.Users != 3 || got.Total.Shared != 0 {
		t.Errorf("one app: %+v", got)
	}
	var member struct {
		Key string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", `{"full_name":"Ada","username":"ada","email":"ada@example.org","password":"Leopard-42-moss",`+
		`"permission":{"_":{"u":[["`+a.ID+`"]],"a":[]},"r":{"`+a.ID+`":{"all":false,"allowed":{"compare":true}}}}}`), &member)
	var own sums
	r := s.Get("/o/compare/sums", "api_key", member.Key, "period", "7days")
	testkit.Decode(t, r.Body, &own)
	if len(own.Apps) != 1 || own.Apps[0].ID != a.ID || own.Total.Users != 4 || own.Total.Crashes != nil || own.Apps[0].CrashFree != nil {
		t.Errorf("what a member sees: %s", r.Body)
	}
	for apps, status := range map[string]int{
		`["` + b.ID + `"]`: 401, `["` + a.ID + `","` + b.ID + `"]`: 401, `["12"]`: 400, `{}`: 400, `[]`: 400, `[1]`: 400, `["` + strings.Repeat("a", 24) + `"]`: 401,
		"[" + strings.TrimSuffix(strings.Repeat(`"x",`, 201), ",") + "]": 400,
	} {
		if r := s.Get("/o/compare/sums", "api_key", member.Key, "apps", apps); r.Status != status || strings.Contains(r.Body, `"sessions"`) {
			t.Errorf("apps %.40s: %d %s, want %d", apps, r.Status, r.Body, status)
		}
	}
	if r := s.Get("/o/compare/sums"); r.Status != 400 {
		t.Errorf("without credentials: %d %s", r.Status, r.Body)
	}
	if d := cmp.Diff([]string{"a", "b"}, []string{got.Apps[0].Name, got.Apps[1].Name}); d != "" || !slices.IsSortedFunc(got.Apps, func(x, y struct {
		ID, Name string
		counters
	},
	) int {
		return strings.Compare(x.Name, y.Name)
	}) {
		t.Error("apps are not in the order of their names", d)
	}
}
