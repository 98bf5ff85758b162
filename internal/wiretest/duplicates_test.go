package wiretest_test

import (
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// TestSentAgain sends one request in every form there is, at once and once it is readable, with an old and a
// new key of its app, and after the app was emptied. It counts once, and each answer to a repeat says that it is a duplicate.
func TestSentAgain(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("a", "UTC")
	const (
		success   = `{"result":"Success"}`
		duplicate = `{"result":"Success","info":"Request ignored: Duplicate request"}`
		events    = `[{"key":"buy","count":2,"segmentation":{"item":"a \"b\" é","n":1}}]`
		ms        = "1936526400123"
	)
	expect := func(what, want string, r testkit.Response) {
		t.Helper()
		if r.Status != http.StatusOK || r.Body != want {
			t.Errorf("%s: %d %s, want 200 %s", what, r.Status, r.Body, want)
		}
	}
	get := func() testkit.Response {
		return s.Get("/i", "app_key", a.Key, "device_id", "d", "timestamp", ms, "events", events, "rr", "3")
	}
	json := func() testkit.Response {
		return s.Do(http.MethodPost, "/i", strings.NewReader(`{"events":[{"segmentation2":0}],"device_id":"d", "events": [ { "key":"buy", "count":2, "segmentation": {"item":"a \u0022b\u0022 \u00e9","n":1}}],"timestamp":`+ms+`,"app_key":"`+a.Key+`"}`), "Content-Type", "application/json")
	}
	outcomes := func(what string, want string) {
		t.Helper()
		s.Flush()
		var got struct{ Totals map[string]map[string]int64 }
		testkit.Decode(t, s.Admin("/o/ingest/outcomes", "app_id", a.ID), &got)
		if got := text(t, got.Totals); got != want {
			t.Errorf("outcomes %s: %s, want %s", what, got, want)
		}
	}
	expect("first", success, get())
	expect("at once", duplicate, get())
	expect("at once as JSON", duplicate, json())
	expect("at once in another order", duplicate, s.Post("/i", "events", events, "timestamp", ms, "rr", "0", "device_id", "d", "app_key", a.Key))
	expect("in a bulk request", success, s.Post("/i/bulk", "app_key", a.Key, "requests", `[{"timestamp":"`+ms+`","events":`+events+`,"device_id":"d"}]`))
	outcomes("after five of one", `{"event":{"accepted":1,"duplicate":4},"request":{"accepted":1,"duplicate":4}}`)
	expect("once it is readable", duplicate, get())

	s.Stop()
	s.Start()
	s.Ingest(a, "other") // what was stored is read into memory with the next batch
	s.Flush()
	expect("after a restart", duplicate, get())

	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","key":"rotated"}`)
	a.Key = "rotated"
	expect("with another key", duplicate, get())
	outcomes("before the app is emptied", `{"event":{"accepted":1,"duplicate":7},"request":{"accepted":2,"duplicate":7}}`)

	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	expect("after the app was emptied", success, get())
	expect("and again", duplicate, get())

	s.Admin("/i/configs", "configs", `{"api":{"prevent_duplicate_requests":false}}`)
	expect("where duplicates count", success, get())
}
