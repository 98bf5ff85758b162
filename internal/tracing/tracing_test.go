package tracing_test

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"quipu/internal/testkit/logged"
	"quipu/internal/tracing"
)

func open(t *testing.T, o tracing.Options) *tracing.Tracer {
	t.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	tr, err := tracing.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func shut(t *testing.T, tr *tracing.Tracer, within time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), within)
	defer cancel()
	if err := tr.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestTransport hands the trace of a request on, as the span of what is asked, and leaves requests without a trace as they are.
func TestTransport(t *testing.T) {
	var got atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got.Store(r.Header.Get("Traceparent")) }))
	defer server.Close()
	client := &http.Client{Transport: tracing.Transport(http.DefaultTransport)}
	ask := func(ctx context.Context) string {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/?key=secret", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if r.Header.Get("Traceparent") != "" {
			t.Error("the caller's own request was changed")
		}
		text, _ := got.Load().(string)
		return text
	}
	if text := ask(t.Context()); text != "" {
		t.Errorf("without a trace: %q", text)
	}
	tr := open(t, tracing.Options{Endpoint: server.URL, Sample: 1})
	defer shut(t, tr, time.Second)
	ctx, end := tr.Start(t.Context(), "task x")
	first, second := ask(ctx), ask(ctx)
	end(nil)
	form := regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-01$`)
	a, b := form.FindStringSubmatch(first), form.FindStringSubmatch(second)
	if a == nil || b == nil || a[1] != b[1] || a[2] == b[2] {
		t.Errorf("of one trace: %q, %q", first, second)
	}
}

// TestCallers takes the trace of a caller over; one that is not sampled stays so, and its id alone decides on one that is.
func TestCallers(t *testing.T) {
	for _, tt := range []struct {
		sample      float64
		given, want string // traceparent of the request, and of one that is made for it
	}{
		{1, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", `^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$`},
		{1, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", `^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$`},
		{0, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", `^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$`},
		{1, "", `^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`},
		{1, "00-" + strings.Repeat("0", 32) + "-b7ad6b7169203331-01", `^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`},
		{1, strings.Repeat("x", 100_000), `^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`},
	} {
		tr := open(t, tracing.Options{Endpoint: "http://127.0.0.1:1", Sample: tt.sample})
		var passed string
		next := tracing.Transport(roundTrip(func(r *http.Request) (*http.Response, error) {
			passed = r.Header.Get("Traceparent")
			return nil, errors.New("nobody is there")
		}))
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header.Set("Traceparent", tt.given)
		tr.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			out, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://127.0.0.1:1/", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			if res, err := next.RoundTrip(out); err == nil {
				_ = res.Body.Close()
				t.Error("answered")
			}
		})).ServeHTTP(httptest.NewRecorder(), r)
		shut(t, tr, 10*time.Millisecond)
		if !regexp.MustCompile(tt.want).MatchString(passed) {
			t.Errorf("%v, %.80q: passed on %q, want %s", tt.sample, tt.given, passed, tt.want)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestCollectorAnswers counts spans by what the collector says of them: a batch that it cannot take now is sent again.
func TestCollectorAnswers(t *testing.T) {
	t.Parallel()
	partial := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 3))
	garbage, _ := hex.DecodeString("0aff")
	for name, tt := range map[string]struct {
		answers            []int
		body               []byte
		sent, failed, asks int64
	}{
		"taken":          {answers: []int{200}, sent: 10, asks: 1},
		"later":          {answers: []int{503, 200}, sent: 10, asks: 2},
		"never":          {answers: []int{400}, failed: 10, asks: 1},
		"led elsewhere":  {answers: []int{307}, failed: 10, asks: 1},
		"a part":         {answers: []int{200}, body: partial, sent: 7, failed: 3, asks: 1},
		"unclear answer": {answers: []int{200}, body: garbage, sent: 10, asks: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asks atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				n := asks.Add(1)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.answers[min(int(n), len(tt.answers))-1])
				_, _ = w.Write(tt.body)
			}))
			t.Cleanup(server.Close)
			tr := open(t, tracing.Options{Endpoint: server.URL, Sample: 1})
			for range 10 {
				_, end := tr.Start(t.Context(), "x")
				end(nil)
			}
			for range 1000 { // ten seconds
				if sent, _, failed := tr.Counts(); sent+failed == 10 {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			shut(t, tr, time.Second)
			if sent, dropped, failed := tr.Counts(); sent != tt.sent || failed != tt.failed || dropped != 0 || asks.Load() != tt.asks {
				t.Errorf("sent %d, failed %d, dropped %d by %d requests", sent, failed, dropped, asks.Load())
			}
		})
	}
}

// TestTroubleIsSaidOnce has a collector refuse three batches and take the rest: the log has one line of each.
func TestTroubleIsSaidOnce(t *testing.T) {
	t.Parallel()
	var asks atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asks.Add(1) <= 3 {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	t.Cleanup(server.Close)
	var log logged.Buffer
	tr, err := tracing.New(t.Context(), tracing.Options{Endpoint: server.URL, Sample: 1, Queue: 10_000, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 * 512 {
		_, end := tr.Start(t.Context(), "x")
		end(nil)
	}
	shut(t, tr, 10*time.Second)
	bad, good := strings.Count(log.String(), "traces are not sent"), strings.Count(log.String(), "traces are sent again")
	if sent, dropped, failed := tr.Counts(); bad != 1 || good != 1 || sent != 2*512 || failed != 3*512 || dropped != 0 {
		t.Errorf("%d and %d lines; sent %d, failed %d, dropped %d", bad, good, sent, failed, dropped)
	}
}

// BenchmarkFull ends spans while the collector does not answer.
func BenchmarkFull(b *testing.B) {
	tr, err := tracing.New(b.Context(), tracing.Options{Endpoint: "http://192.0.2.1:4318/", Sample: 1, Queue: 16, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_, end := tr.Start(b.Context(), "x")
		end(nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_ = tr.Close(ctx) // cut short
}
