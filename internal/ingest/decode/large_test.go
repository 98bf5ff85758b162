package decode_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/store/journal"
)

// TestLargeRequestKeepsItsPlace sends requests that are larger than the share of a client: the first keeps its place
// until the pipeline has projected it, also when its client leaves, and for a few seconds at most.
func TestLargeRequestKeepsItsPlace(t *testing.T) {
	text := "app_key=K&device_id=D&events=" + strings.Repeat("a", 10<<20)
	item := `{"app_key":"K","device_id":"D","user_details":"` + strings.Repeat("a", 1000) + `"},`
	for _, tt := range []struct{ name, path, body string }{
		{"a request", "/i", text},
		{"a bulk request", "/i/bulk", "[" + strings.Repeat(item, 10_000) + "0]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, now := newIntake(), func() time.Time { return testNow }
				projected := make(chan struct{})
				d, err := decode.New(decode.Options{
					Apps: directory{plainApp}, Journal: null{}, Pictures: null{}, Now: now, Outcomes: outcome.NewCounter(now),
					Healthy: func() (time.Duration, bool) { return 0, true }, Intake: in,
					Projected: func(ctx context.Context, _ journal.Position) error {
						select {
						case <-projected:
							return nil
						case <-ctx.Done():
							return ctx.Err()
						}
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				send := func(ctx context.Context, body string) int {
					w := httptest.NewRecorder()
					d.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, tt.path, strings.NewReader(body)))
					return w.Code
				}
				ctx, leave := context.WithCancel(t.Context())
				first := make(chan int, 1)
				go func() { first <- send(ctx, tt.body) }()
				synctest.Wait()
				leave()
				synctest.Wait()
				select {
				case code := <-first:
					t.Fatalf("the first one has ended before it is projected: %d", code)
				default:
				}
				if code := send(t.Context(), "app_key=K&device_id=D&requests=[]"); code != http.StatusOK {
					t.Errorf("a small one beside it: %d, want 200", code)
				}
				second := make(chan int, 1)
				go func() { second <- send(t.Context(), tt.body) }()
				time.Sleep(time.Second)
				close(projected)
				if code := <-first; code != http.StatusOK {
					t.Errorf("the first one: %d, want 200", code)
				}
				if code := <-second; code != http.StatusOK {
					t.Errorf("the second one, which has waited for it: %d, want 200", code)
				}
				projected = make(chan struct{}) // never
				began := time.Now()
				if code := send(t.Context(), tt.body); code != http.StatusOK {
					t.Errorf("one that is not projected: %d, want 200", code)
				}
				if d := time.Since(began); d != 5*time.Second {
					t.Errorf("one that is not projected keeps its place for %v, want 5s", d)
				}
				if n := in.Bodies.Used(); n != 0 {
					t.Errorf("%d bytes charged at the end", n)
				}
			})
		})
	}
}

// TestLargeDuplicate sends a request that is larger than the share of a client again, when the pipeline has not reached the first.
func TestLargeDuplicate(t *testing.T) {
	t.Parallel()
	body := "app_key=K&device_id=D&timestamp=1936515600123&events=" + strings.Repeat("a", 10<<20)
	now := func() time.Time { return testNow }
	followed := 0
	d, err := decode.New(decode.Options{
		Apps: directory{plainApp}, Journal: null{}, Pictures: null{}, Now: now, Outcomes: outcome.NewCounter(now),
		Healthy: func() (time.Duration, bool) { return 0, true }, Intake: newIntake(), Memory: &memory{},
		Projected: func(context.Context, journal.Position) error {
			followed++
			return context.DeadlineExceeded
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{okBody, duplicateBody} {
		if got := do(d, "POST", "/i", formType, body).Body.String(); got != want {
			t.Errorf("answer %s, want %s", got, want)
		}
	}
	if followed != 2 {
		t.Errorf("%d requests kept their place, want 2", followed)
	}
}

// TestLargeBodiesAreNotCopiedAround counts what is allocated for a body of 16 MB: its pieces, the body, its records. It is not
// parallel, as it counts for the process.
func TestLargeBodiesAreNotCopiedAround(t *testing.T) {
	if raced {
		t.Skip("the race detector allocates, too")
	}
	const size = 16 << 20
	item := `{"app_key":"K","device_id":"D","user_details":"` + strings.Repeat("a", 1000) + `"},`
	now := func() time.Time { return testNow }
	d, err := decode.New(decode.Options{
		Apps: directory{plainApp}, Journal: null{}, Pictures: null{}, Now: now, Outcomes: outcome.NewCounter(now),
		Healthy: func() (time.Duration, bool) { return 0, true }, Intake: newIntake(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path, body string
		times            float64
	}{
		{"a request", "/i", "app_key=K&device_id=D&events=" + strings.Repeat("a", size), 3},
		{"an escaped one", "/i", "app_key=K&device_id=D&events=%5B" + strings.Repeat("a", size), 4},
		{"a bulk request", "/i/bulk", "[" + strings.Repeat(item, size/len(item)) + "0]", 3.5}, // and what keeps the ends of records
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, tt.path, strings.NewReader(zip(t, tt.body)))
		r.Header.Set("Content-Encoding", "gzip")
		w := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", tt.name, w.Code, w.Body)
		}
		if got := float64(after.TotalAlloc-before.TotalAlloc) / size; got > tt.times+0.2 {
			t.Errorf("%s: %.1f times its size is allocated, want %.1f", tt.name, got, tt.times)
		}
	}
}
