// Package whole_test has the tests of the module in a whole server. They stand apart from those that see inside the package: with one of
// these in its own folder, the server, which imports the package, is compiled once more.
package whole_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit"
)

const (
	benchCohorts  = 200
	benchUsers    = 2000
	benchRequests = 4000
	benchEvents   = 10 // of a request
)

// benchServer is a server with an app that has cohorts.
func benchServer(b *testing.B, cohorts int, of func(n int) (steps, users string)) (*testkit.Server, testkit.TestApp) {
	b.Helper()
	s := testkit.New(b)
	a := s.CreateApp("a", "Europe/Berlin")
	benchSend(b, s, a, -1, 0)
	ids := []string{}
	for i := range cohorts {
		steps, users := of(i)
		id, same := add(s, a, "cohort_name", fmt.Sprint("c", i), "steps", steps, "user_segmentation", users)
		if same {
			b.Fatal("a cohort is there already: ", steps, users)
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		for n := 0; !strings.Contains(s.Admin("/o", "method", "get_cohort", "app_id", a.ID, "cohort", id), `"live":true`); n++ {
			if n > 6000 {
				b.Fatal("a cohort is not live")
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return s, a
}

// benchCohort is the n-th cohort: of a hundred, 5 ask who did something and then something else, 40 who did something within days, 20 by a property of the event, 15 how often, 10 for two
// things, 5 by a property of the user, 3 by the number of sessions, and 2 for the first time.
func benchCohort(n int) (steps, users string) {
	users = "{}"
	key, days := fmt.Sprintf("event_%02d", n%20), []int{1, 7, 14, 30, 60, 90}[n%6]+n/100
	switch k := n % 100; {
	case k < 5:
		steps = fmt.Sprintf(`[{"type":"did","event":%q,"period":"%ddays"},{"type":"did","event":"event_%02d","period":"%ddays","conj":"then","within":3600}]`, key, days, (n+3)%20, days)
	case k < 45:
		steps = fmt.Sprintf(`[{"type":"did","event":%q,"period":"%ddays"}]`, key, days+n/20)
	case k < 65:
		steps = fmt.Sprintf(`[{"type":"did","event":%q,"period":"%ddays","query":{"sg.plan":"plan_%d"}}]`, key, days, n%3)
	case k < 80:
		steps = fmt.Sprintf(`[{"type":"did","event":%q,"period":"%ddays","times":%d}]`, key, days, 2+n%5)
	case k < 90:
		steps = fmt.Sprintf(`[{"type":"did","event":%q,"period":"%ddays"},{"type":"didnt","event":"event_%02d","period":"7days"}]`, key, days+n/20, (n+7)%20)
	case k < 95:
		steps, users = fmt.Sprintf(`[{"type":"didnt","event":%q,"period":"%ddays"}]`, key, days), fmt.Sprintf(`{"custom.plan":"p%d"}`, n%7)
	case k < 98:
		steps, users = "[]", fmt.Sprintf(`{"sc":{"$gte":%d}}`, n)
	default:
		steps = fmt.Sprintf(`[{"type":"first","event":%q,"period":"%ddays"}]`, key, days)
	}
	return steps, users
}

// benchThen is benchCohort, but each fourth cohort is of two or three things that are done one after the other.
func benchThen(n int) (steps, users string) {
	if n%4 > 0 {
		return benchCohort(n)
	}
	days := 7 + n%60
	steps = fmt.Sprintf(`{"type":"did","event":"event_%02d","period":"%ddays"},{"type":"did","event":"event_%02d","period":"%ddays","conj":"then","within":%d}`, n%20, days, (n+3)%20, days, 600+n)
	if n%8 == 0 {
		steps += fmt.Sprintf(`,{"type":"did","event":"event_%02d","period":"%ddays","conj":"then","within":86400}`, (n+9)%20, days)
	}
	return "[" + steps + "]", "{}"
}

// benchSend sends a round of requests and waits until they are readable; each late-th one, unless that is 0, is of up to an hour before. It returns how long that took and the
// processor time of the process.
func benchSend(b *testing.B, s *testkit.Server, a testkit.TestApp, round, late int) (wall, used time.Duration) {
	b.Helper()
	now := time.Now().UnixMilli() - 60_000
	var bodies [][]byte
	var list []map[string]any
	for i := range benchRequests {
		ts := now + int64(round)*1000 + int64(i)
		if late > 0 && i%late == late/2 {
			ts -= int64(i%60) * 60_000
		}
		var evs []string
		for e := range benchEvents {
			evs = append(evs, fmt.Sprintf(`{"key":"event_%02d","count":1,"sum":%d.5,"timestamp":%d,"segmentation":{"plan":"plan_%d","screen":"screen_%02d","price":%d}}`,
				(i+e)%20, e, ts, i%3, (i+e)%50, (i*e)%200))
		}
		r := map[string]any{"app_key": a.Key, "device_id": fmt.Sprint("device-", i%benchUsers), "timestamp": ts, "events": "[" + strings.Join(evs, ",") + "]"}
		if i < benchUsers && round%4 <= 0 {
			r["begin_session"], r["user_details"] = 1, fmt.Sprintf(`{"custom":{"plan":"p%d"}}`, (i+round)%7)
		}
		if list = append(list, r); len(list) == 500 {
			text, err := json.Marshal(map[string]any{"requests": list})
			if err != nil {
				b.Fatal(err)
			}
			bodies, list = append(bodies, text), nil
		}
	}
	began, before := time.Now(), processor(b)
	for _, body := range bodies {
		if r := s.Do(http.MethodPost, "/i/bulk", bytes.NewReader(body), "Content-Type", "application/json"); r.Status != http.StatusOK {
			b.Fatalf("/i/bulk: %d %s", r.Status, r.Body)
		}
	}
	s.Flush()
	return time.Since(began), processor(b) - before
}

func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLive sends the same events to a server without cohorts and to one with 200 live ones, by turns: with few and with many of things that are done one after the
// other, and of these with a tenth of the requests late.
func BenchmarkLive(b *testing.B) {
	for _, c := range []struct {
		name string
		of   func(n int) (steps, users string)
		late int
	}{{"usual", benchCohort, 0}, {"then", benchThen, 0}, {"then, late", benchThen, 10}} {
		b.Run(c.name, func(b *testing.B) { benchmarkLive(b, c.of, c.late) })
	}
}

func benchmarkLive(b *testing.B, cohort func(n int) (steps, users string), late int) {
	b.Helper()
	plain, of := benchServer(b, 0, cohort)
	live, in := benchServer(b, benchCohorts, cohort)
	var wall, used [2]time.Duration
	rounds := 0
	for b.Loop() {
		for i := range 2 {
			s, a := plain, of
			if i == 1 {
				s, a = live, in
			}
			w, u := benchSend(b, s, a, rounds, late)
			wall[i], used[i] = wall[i]+w, used[i]+u
		}
		rounds++
	}
	events := float64(rounds * benchRequests * benchEvents)
	b.ReportMetric(events/wall[0].Seconds(), "events/s-without")
	b.ReportMetric(events/wall[1].Seconds(), "events/s-with")
	b.ReportMetric(float64(used[0].Nanoseconds())/events, "cpu-ns/event-without")
	b.ReportMetric(float64(used[1].Nanoseconds())/events, "cpu-ns/event-with")
	b.ReportMetric(0, "ns/op")
}
