package decode_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
)

const duplicateBody = `{"result":"Success","info":"Request ignored: Duplicate request"}`

// memory stands for the store of fingerprints. Beside it, the decoder remembers by itself what was just received.
type memory struct {
	known map[[16]byte]bool
	asked [][16]byte
	allow bool
}

func (m *memory) SuppressesDuplicates(*model.App) bool { return !m.allow }

func (m *memory) Knows(_ model.AppID, print [16]byte, _ int64) bool {
	m.asked = append(m.asked, print)
	return m.known[print]
}

// TestDuplicates sends requests again in several forms, each to a new decoder. What is sent again is in the journal all the same:
// the pipeline drops it.
func TestDuplicates(t *testing.T) {
	const first = "app_key=K&device_id=D&timestamp=1936515600123&events=%5B%7B%22key%22%3A%22a%22%7D%5D&rr=2"
	forms := map[string]func(d *decode.Decoder) string{
		"as it was": func(d *decode.Decoder) string { return do(d, "GET", "/i?"+first, "", "").Body.String() },
		"in another order, as a form": func(d *decode.Decoder) string {
			return do(d, "POST", "/i", formType, "rr=0&timestamp=1936515600123&events=%5B%7B%22key%22%3A%22a%22%7D%5D&device_id=D&app_key=K").Body.String()
		},
		"as JSON": func(d *decode.Decoder) string {
			return do(d, "POST", "/i", "application/json", `{"app_key":"K","device_id":"D","timestamp":1936515600123,"events":[{"key": "a"}]}`).Body.String()
		},
	}
	for name, again := range forms {
		t.Run(name, func(t *testing.T) {
			s := &sink{}
			d, _ := remembering(t, s, &memory{}, nil)
			if got := do(d, "GET", "/i?"+first, "", "").Body.String(); got != okBody {
				t.Errorf("first answer = %s", got)
			}
			if got := again(d); got != duplicateBody {
				t.Errorf("second answer = %s, want %s", got, duplicateBody)
			}
			if len(s.records) != 2 {
				t.Errorf("%d records, want both", len(s.records))
			}
			if got := do(d, "GET", "/i?"+first+"&hour=3", "", "").Body.String(); got != okBody {
				t.Errorf("answer to another request = %s", got)
			}
			d.Forget()
			if got := again(d); got != okBody {
				t.Errorf("answer after all was forgotten = %s", got)
			}
		})
	}
}

func TestDuplicatesAreTold(t *testing.T) {
	const target = "/i?app_key=K&device_id=D&timestamp=1936515600123"
	answers := func(d *decode.Decoder, target string) [2]string {
		return [2]string{do(d, "GET", target, "", "").Body.String(), do(d, "GET", target, "", "").Body.String()}
	}
	t.Run("only if duplicates are dropped", func(t *testing.T) {
		d, _ := remembering(t, &sink{}, &memory{allow: true}, nil)
		if got := answers(d, target); got != [2]string{okBody, okBody} {
			t.Errorf("answers = %q", got)
		}
	})
	t.Run("only with a timestamp of a millisecond", func(t *testing.T) {
		d, _ := remembering(t, &sink{}, &memory{}, nil)
		if got := answers(d, "/i?app_key=K&device_id=D&timestamp=1936515600"); got != [2]string{okBody, okBody} {
			t.Errorf("answers = %q", got)
		}
	})
	t.Run("once the first is durable", func(t *testing.T) {
		s := &sink{err: errors.New("no")}
		d, _ := remembering(t, s, &memory{}, nil)
		if w := do(d, "GET", target, "", ""); w.Code != http.StatusServiceUnavailable {
			t.Errorf("answer of a full disk = %d %s", w.Code, w.Body)
		}
		s.err = nil
		if got := answers(d, target); got != [2]string{okBody, duplicateBody} {
			t.Errorf("answers = %q", got)
		}
	})
	t.Run("when the store knows the first", func(t *testing.T) {
		m := &memory{}
		d, _ := remembering(t, &sink{}, m, nil)
		do(d, "GET", target, "", "")
		m.known = map[[16]byte]bool{m.asked[0]: true}
		d.Forget()
		if got := answers(d, target); got != [2]string{duplicateBody, duplicateBody} {
			t.Errorf("answers = %q", got)
		}
	})
	t.Run("for an hour without the store", func(t *testing.T) {
		now := &clock{at: testNow}
		d, _ := remembering(t, &sink{}, &memory{}, now)
		do(d, "GET", target, "", "")
		now.at = testNow.Add(time.Hour - time.Second)
		if got := do(d, "GET", target, "", "").Body.String(); got != duplicateBody {
			t.Errorf("answer within the hour = %s", got)
		}
		now.at = testNow.Add(2*time.Hour + time.Second)
		if got := do(d, "GET", target, "", "").Body.String(); got != okBody {
			t.Errorf("answer after the hour = %s", got)
		}
	})
	t.Run("to watchers, too", func(t *testing.T) {
		s := &seer{}
		d, _ := remembering(t, &sink{}, &memory{}, nil, s)
		answers(d, target)
		if len(s.seen) != 2 || s.seen[0].Refused != "" || s.seen[1].Refused != "duplicate" || s.seen[1].Body != duplicateBody {
			t.Errorf("seen %+v", s.seen)
		}
	})
}

// TestDuplicatesConcurrent sends the same requests from many sides: each is accepted at least once, and an answer that reports a
// duplicate follows on one that did not.
func TestDuplicatesConcurrent(t *testing.T) {
	s := &sink{}
	d, _ := remembering(t, s, nobody{}, nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	told := map[string]int{}
	for range 4 {
		wg.Go(func() {
			for _, ms := range numbered("%03d", 200) {
				got := do(d, "GET", "/i?app_key=K&device_id=D&timestamp=1936515600"+ms, "", "").Body.String()
				mu.Lock()
				told[got]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if told[okBody] < 200 || told[okBody]+told[duplicateBody] != 800 || len(s.records) != 800 {
		t.Errorf("answers %v, %d records", told, len(s.records))
	}
}

// nobody knows nothing.
type nobody struct{}

func (nobody) SuppressesDuplicates(*model.App) bool    { return true }
func (nobody) Knows(model.AppID, [16]byte, int64) bool { return false }

type clock struct{ at time.Time }

// seer watches all apps.
type seer struct{ seen []decode.Seen }

func (s *seer) Wants(*model.App) bool { return true }
func (s *seer) Saw(one decode.Seen)   { s.seen = append(s.seen, one) }

// remembering returns a decoder with a memory, a clock (nil = one that stands still) and watchers.
func remembering(tb testing.TB, s *sink, m decode.Memory, c *clock, watchers ...decode.Watcher) (*decode.Decoder, *outcome.Counter) {
	tb.Helper()
	if c == nil {
		c = &clock{at: testNow}
	}
	now := func() time.Time { return c.at }
	counter := outcome.NewCounter(now)
	watch := &decode.Watchers{}
	for _, w := range watchers {
		watch.Add(w)
	}
	d, err := decode.New(decode.Options{
		Apps: directory{plainApp, saltedApp, pausedApp, lockedApp}, Journal: s, Outcomes: counter, Pictures: s, Now: now, Healthy: s.healthy,
		Memory: m, Intake: newIntake(), Watch: watch,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return d, counter
}
