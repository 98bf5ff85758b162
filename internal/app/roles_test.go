package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

// TestRoles runs three nodes of a cluster with one role each: each does its part and refuses the others', and together they do all, tasks and what is
// refused at the edge included.
func TestRoles(t *testing.T) {
	stores := clustered.NewStores(t)
	node := func(roles ...string) *testkit.Server {
		t.Helper()
		s := testkit.New(t, stores.Node(), testkit.WithConfig(func(c *app.Config) { c.Roles = roles }))
		return s
	}
	read := node("read")
	work, ingest := node("work"), node("ingest")
	a := read.CreateApp("shop", "UTC")
	for end := time.Now().Add(20 * time.Second); ingest.Post("/i", "app_key", a.Key, "device_id", "d1", "begin_session", "1").Status != http.StatusOK; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the app is not known")
		}
	}
	for _, c := range []struct {
		of           *testkit.Server
		name, method string
		path, code   string
		status       int
	}{
		{read, "read", "POST", "/i", "ingest.unavailable", 503},
		{read, "read", "GET", "/i/bulk?requests=[]", "ingest.unavailable", 503},
		{read, "read", "GET", "/pixel.png?app_key=x", "ingest.unavailable", 503},
		{read, "read", "GET", "/o/sdk?method=sc&app_key=" + a.Key + "&device_id=d", "cluster.no_role", 503},
		{read, "read", "POST", "/api/1/envelope/", "cluster.no_role", 503},
		{read, "read", "GET", "/o/ping", "", 200},
		{read, "read", "GET", "/login", "", 200},
		{ingest, "ingest", "GET", "/o/sdk?method=sc&app_key=" + a.Key + "&device_id=d", "", 200},
		{ingest, "ingest", "GET", "/o/apps/mine?api_key=" + read.Key, "cluster.no_role", 503},
		{ingest, "ingest", "POST", "/i/apps/create?api_key=" + read.Key, "cluster.no_role", 503},
		{ingest, "ingest", "GET", "/o/method/users?api_key=" + read.Key, "cluster.no_role", 503},
		{ingest, "ingest", "GET", "/dashboard", "cluster.no_role", 503},
		{ingest, "ingest", "GET", "//login", "cluster.no_role", 503},
		{ingest, "ingest", "GET", "/api-key", "cluster.no_role", 503},
		{ingest, "ingest", "GET", "/nothing", "cluster.no_role", 503},
		{work, "work", "POST", "/i", "ingest.unavailable", 503},
		{work, "work", "GET", "/o/apps/mine?api_key=" + read.Key, "cluster.no_role", 503},
		{work, "work", "OPTIONS", "/o/apps/mine", "", 204},
		{work, "work", "GET", "/livez", "", 200},
		{read, "read", "GET", "/readyz", "", 200},
		{work, "work", "GET", "/readyz", "", 200},
		{ingest, "ingest", "GET", "/readyz", "", 200},
		{read, "read", "GET", "/readyz?role=read", "", 200},
		{read, "read", "GET", "/readyz?role=ingest", "system.refusing", 503},
		{read, "read", "GET", "/readyz?role=work", "system.refusing", 503},
		{ingest, "ingest", "GET", "/readyz?role=ingest", "", 200},
		{ingest, "ingest", "GET", "/readyz?role=read", "system.refusing", 503},
		{work, "work", "GET", "/readyz?role=work", "", 200},
		{work, "work", "GET", "/readyz?role=admin", "request.bad_parameter", 400},
	} {
		r := c.of.Do(c.method, c.path, nil)
		if r.Status != c.status || r.Header.Get("Quipu-Error") != c.code {
			t.Errorf("%s node, %s %s: %d %q %s, want %d %q", c.name, c.method, c.path, r.Status, r.Header.Get("Quipu-Error"), r.Body, c.status, c.code)
		}
		if after := r.Header.Get("Retry-After"); (after == "5") != (r.Status == 503 && !strings.HasPrefix(c.path, "/readyz")) {
			t.Errorf("%s node, %s %s: Retry-After is %q", c.name, c.method, c.path, after)
		}
	}
	until := func(what string, is func() (bool, string)) {
		t.Helper()
		for end := time.Now().Add(40 * time.Second); ; time.Sleep(100 * time.Millisecond) {
			ok, got := is()
			if ok {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %s", what, got)
			}
		}
	}
	until("sessions", func() (bool, string) {
		got := read.Admin("/o", "method", "users", "app_id", a.ID)
		return strings.Contains(got, `"t":1`), got
	})
	for range 3 {
		ingest.Post("/i", "app_key", a.Key, "device_id", "00000000-0000-0000-0000-000000000000", "begin_session", "1")
	}
	until("what the edge refused", func() (bool, string) {
		got := read.Admin("/o/ingest/outcomes", "app_id", a.ID, "period", "7days")
		return strings.Contains(got, `"ignored_device":3`), got
	})
	until("the log of requests that another node received", func() (bool, string) {
		got := read.Admin("/o", "method", "logs", "app_id", a.ID)
		return strings.Contains(got, `"begin_session"`), got
	})
	read.Admin("/i/cohorts/add", "app_id", a.ID, "cohort_name", "All", "steps", `[{"type":"did","event":"[CLY]_session","period":"7days"}]`)
	until("a task", func() (bool, string) {
		got := read.Admin("/o", "method", "get_cohorts", "app_id", a.ID)
		return strings.Contains(got, `"state":"completed"`) && strings.Contains(got, `"live":true`), got
	})
}
