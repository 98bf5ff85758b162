package explore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// reading reports whether reads of event rows are under way.
func reading(t *testing.T, s *testkit.Server) bool {
	t.Helper()
	w := httptest.NewRecorder()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	s.App().MetricsHandler().ServeHTTP(w, r)
	const gauge = `quipu_admission_used{gate="event_rows"} `
	if !strings.Contains(w.Body.String(), gauge) {
		t.Fatal("no such gauge: " + gauge)
	}
	return !strings.Contains(w.Body.String(), gauge+"0")
}

// TestClientLeaves closes the connection of a slow read, and sees the database stop.
func TestClientLeaves(t *testing.T) {
	s := testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) { c.MetricsListen = "127.0.0.1:0" }))
	a := s.CreateApp("a", "UTC")
	var list []string
	for i := range 500 {
		list = append(list, fmt.Sprintf(`{"key":"buy","segmentation":{"what":%q}}`, fmt.Sprint(i, strings.Repeat("ab", 100))))
	}
	for i := range 40 {
		s.Ingest(a, fmt.Sprint("d", i), "events", "["+strings.Join(list, ",")+"]")
	}
	s.Flush()
	var slow []any
	for i := range 150 {
		slow = append(slow, map[string]any{"sg.what": map[string]any{"$regex": fmt.Sprintf("^.*(a|b)%dx$", i)}})
	}
	query, err := json.Marshal(map[string]any{"$or": slow})
	if err != nil {
		t.Fatal(err)
	}
	form := testkit.Query("api_key", s.Key, "app_id", a.ID, "events", `["buy"]`, "query", string(query))
	read := func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL()+"/o/explore/count", strings.NewReader(form))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := (&http.Client{}).Do(r)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(res.Body)
		if res.StatusCode != http.StatusOK || string(body) != `{"count":0,"total":20000}` {
			return fmt.Errorf("%d %s", res.StatusCode, body)
		}
		return errors.Join(err, res.Body.Close())
	}
	s.Admin("/i/configs", "configs", `{"api":{"request_threshold":300}}`)
	began := time.Now()
	if err := read(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(began)
	if whole < 200*time.Millisecond {
		t.Fatalf("the read is not slow: %v", whole)
	}
	// Beside other work a machine may be too busy to stop at once: a database that does not stop is late each time.
	var took time.Duration
	for range 5 {
		took = leaves(t, s, whole, read)
		if took <= whole/2 {
			t.Logf("whole read %v, stopped %v after the client had left", whole, took)
			return
		}
	}
	t.Errorf("the database went on for %v after the client had left; the whole read takes %v", took, whole)
}

// leaves cancels a read that takes whole, once it is under way, and gives the time until the database has stopped.
func leaves(t *testing.T, s *testkit.Server, whole time.Duration, read func(context.Context) error) time.Duration {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	done := make(chan error, 1)
	go func() { done <- read(ctx) }()
	for !reading(t, s) {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(whole / 10) // into the statement that is slow
	if !reading(t, s) {
		t.Fatal("the read has ended before its client leaves")
	}
	left := time.Now()
	leave()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the client that left got %v", err)
	}
	for reading(t, s) {
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(left)
}
