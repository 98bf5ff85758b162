package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/client"
	"quipu/internal/testkit"
)

// TestWalk goes the way of someone who integrates: an app is created, an event is sent and read back, and faults are handled.
func TestWalk(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	ctx := t.Context()
	c, err := client.New(s.URL(), s.Key)
	if err != nil {
		t.Fatal(err)
	}
	app, err := c.PostAppsCreate(ctx, client.PostAppsCreateParams{Args: map[string]any{"name": "Shop & <Café>", "timezone": "Europe/Berlin"}})
	if err != nil || app.Name != "Shop & <Café>" {
		t.Fatalf("create an app: %+v, %v", app, err)
	}
	send := func(key string) client.Stored {
		t.Helper()
		stored, err := c.PostI(ctx, client.PostIParams{
			IdempotencyKey: key, AppKey: app.Key, DeviceID: "d", Receipt: true, Timestamp: s.Clock().Now().UnixMilli(),
			Events: []map[string]any{{"key": "purchase", "sum": 9.99, "segmentation": map[string]string{"plan": "a&b=c"}}, {"sum": 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return stored
	}
	first := send("k1")
	if r := first.Receipt[0]; first.Result != "Success" || r.Outcome != "accepted" || r.Items[0].Outcome != "accepted" || r.Items[1].Code != "ingest.no_key" {
		t.Errorf("first receipt: %+v", first)
	}
	if r := send("k1").Receipt[0]; r.Code != "ingest.duplicate" {
		t.Errorf("second receipt: %+v", r)
	}
	s.Flush()
	ledger, err := c.GetIngestOutcomes(ctx, client.GetIngestOutcomesParams{AppID: app.ID})
	if err != nil || ledger.Totals["event"]["accepted"] != 1 || ledger.Totals["event"]["no_key"] != 2 {
		t.Errorf("outcomes: %+v, %v", ledger, err)
	}
	figures, err := c.GetMethodEvents(ctx, client.GetMethodEventsParams{AppID: app.ID, Event: "purchase"})
	if err != nil || !strings.Contains(string(figures), `"s":9.99`) {
		t.Errorf("figures: %s, %v", figures, err)
	}
	_, err = c.GetIngestOutcomes(ctx, client.GetIngestOutcomesParams{AppID: "0123456789abcdef01234567"})
	var fault *client.Error
	if !errors.As(err, &fault) || fault.Code != "access.unknown_app" || fault.Status != http.StatusUnauthorized || fault.Temporary() {
		t.Errorf("unknown app: %v", err)
	}
	nobody, err := client.New(s.URL(), "wrong")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nobody.GetAppsMine(ctx, client.GetAppsMineParams{}); !errors.As(err, &fault) || !strings.HasPrefix(fault.Code, "auth.") {
		t.Errorf("wrong key: %v", err)
	}
}

// TestStream follows an app until an event comes.
func TestStream(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "d", "events", `[{"key":"buy"}]`)
	s.Flush()
	c, err := client.New(s.URL(), s.Key)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	seen := errors.New("seen")
	err = c.Stream(ctx, "/o/live/feed", client.GetLiveFeedParams{AppID: a.ID}, func(e client.Event) error {
		if e.Kind == "feed" && strings.Contains(string(e.Data), `"buy"`) && json.Valid(e.Data) {
			return seen
		}
		return nil
	})
	if !errors.Is(err, seen) {
		t.Errorf("stream ended with %v", err)
	}
	var fault *client.Error
	if err := c.Stream(ctx, "/o/live/feed", client.GetLiveFeedParams{}, nil); !errors.As(err, &fault) || fault.Code != "request.missing_parameter" {
		t.Errorf("stream of no app: %v", err)
	}
}

// TestHostileServer has answers that a client must not trust.
func TestHostileServer(t *testing.T) {
	t.Parallel()
	var other *httptest.Server
	paths := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths <- r.URL.EscapedPath()
		switch {
		case strings.HasPrefix(r.URL.Path, "/o/apps/mine"):
			http.Redirect(w, r, other.URL, http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/o/ingest"):
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, "<html>no JSON")
		default:
			fmt.Fprint(w, "{")
		}
	}))
	t.Cleanup(s.Close)
	other = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other server was called, with credentials %q", r.Header.Get("Authorization"))
	}))
	t.Cleanup(other.Close)
	c, err := client.New(s.URL+"/below/", "secret-key")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.GetInspectorProfile(t.Context(), client.GetInspectorProfileParams{Profile: "../../i/a?b#c"})
	if got, want := <-paths, "/below/o/inspector/..%2F..%2Fi%2Fa%3Fb%23c"; got != want {
		t.Errorf("path %s, want %s (%v)", got, want, err)
	}
	s2, err := client.New(s.URL, "secret-key")
	if err != nil {
		t.Fatal(err)
	}
	var fault *client.Error
	if _, err := s2.GetAppsMine(t.Context(), client.GetAppsMineParams{}); !errors.As(err, &fault) || fault.Status != http.StatusFound {
		t.Errorf("redirect: %v", err)
	}
	if _, err := s2.GetIngestOutcomes(t.Context(), client.GetIngestOutcomesParams{}); !errors.As(err, &fault) || fault.RetryAfter != 7*time.Second || !fault.Temporary() || fault.Code != "" {
		t.Errorf("busy: %v", err)
	}
	if _, err := s2.GetLiveNow(t.Context(), client.GetLiveNowParams{}); err == nil {
		t.Error("half of an answer is no error")
	}
	s.Close()
	if _, err := s2.GetLiveNow(t.Context(), client.GetLiveNowParams{AppID: "shown"}); err == nil || strings.Contains(err.Error(), "shown") || strings.Contains(err.Error(), "secret-key") {
		t.Errorf("no server: %v", err)
	}
	for _, bad := range []string{"", "quipu.example", "ftp://x", "http://"} {
		if _, err := client.New(bad, ""); err == nil {
			t.Errorf("%q is an address", bad)
		}
	}
}

// TestFault reads what a fault says for programs.
func TestFault(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Quipu-Error", "sql.invalid")
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprint(w, `{"detail":"no such column","fields":{"sql":"wrong"},"params":{"line":2,"character":5},"incident":"7"}`) // the client may be gone
	}))
	defer srv.Close()
	c, err := client.New(srv.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	_, got := c.GetSql(t.Context(), client.GetSqlParams{})
	want := &client.Error{
		Status: http.StatusBadRequest, Code: "sql.invalid", Detail: "no such column", Fields: map[string]string{"sql": "wrong"},
		Params: map[string]int{"line": 2, "character": 5}, Incident: "7", RetryAfter: 3 * time.Second,
	}
	var fault *client.Error
	if !errors.As(got, &fault) || !cmp.Equal(fault, want) {
		t.Errorf("got %v, want %v: %s", got, want, cmp.Diff(fault, want))
	}
}
