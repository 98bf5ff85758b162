package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit/clustered"
	"quipu/internal/traffic"
)

// side is a server, or a cluster, that gets the same as another.
type side struct {
	*process
	key string
	ids []string // of the apps
}

// sites are the apps of the test, by their keys: in several partitions, and time zones.
var sites = []struct{ key, zone string }{{"k1", "Europe/Berlin"}, {"k2", "America/New_York"}, {"k3", "Asia/Kolkata"}, {"k4", "Etc/UTC"}}

// newSide makes the apps.
func newSide(t *testing.T, p *process) *side {
	t.Helper()
	s := &side{process: p}
	_, s.key = p.get("/api-key", nil)
	for _, site := range sites {
		status, body := p.get("/i/apps/create", url.Values{"api_key": {s.key}, "args": {fmt.Sprintf(`{"name":%q,"key":%q,"timezone":%q}`, site.key, site.key, site.zone)}})
		var made struct {
			ID string `json:"_id"`
		}
		if err := json.Unmarshal([]byte(body), &made); err != nil || made.ID == "" {
			t.Fatalf("make an app: %d %s", status, body)
		}
		s.ids = append(s.ids, made.ID)
	}
	return s
}

// post sends a request of an SDK and fails the test unless it is acknowledged.
func (p *process) post(body []byte) {
	p.t.Helper()
	for try := 0; ; try++ { // as SDKs do: a node that has just begun may not take it yet
		req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.url+"/i", bytes.NewReader(body))
		if err != nil {
			p.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			p.t.Fatal(err)
		}
		answer, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		switch {
		case err == nil && res.StatusCode == http.StatusOK:
			return
		case res.StatusCode == http.StatusServiceUnavailable && try < 50:
			time.Sleep(100 * time.Millisecond)
		default:
			p.t.Fatalf("/i: %d %s, %v", res.StatusCode, answer, err)
		}
	}
}

// reads are what both sides have to answer alike.
func reads() (out []url.Values) {
	add := func(path string, pairs ...string) {
		v := url.Values{"": {path}}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		out = append(out, v)
	}
	for _, method := range []string{"users", "countries", "devices", "device_details", "app_versions", "carriers", "browser", "langs", "get_events", "events", "total_users", "views"} {
		add("/o", "method", method)
	}
	for _, period := range []string{"7days", "month"} {
		add("/o/analytics/dashboard", "period", period)
		add("/o/analytics/sessions", "period", period)
		add("/o/analytics/tops", "period", period)
		add("/o", "method", "segmentation", "event", "[CLY]_session", "queryObject", "{}", "bucket", "daily", "period", period)
		add("/o", "method", "segmentation", "event", "[CLY]_view", "queryObject", "{}", "bucket", "daily", "projectionKey", `["up.cc"]`, "period", period)
		add("/o/analytics/durations", "period", period)
		add("/o/analytics/frequency", "period", period)
	}
	add("/o/slipping", "period", "30days")
	return out
}

// ofNow is what answers say of the moment at which they were made.
var ofNow = regexp.MustCompile(`"(timeStamp|query_time|lu)":("[^"]*"|\d+)`)

// answers are those of a side about all apps, without the ids of the apps, which differ.
func (s *side) answers() map[string]any {
	s.t.Helper()
	out := map[string]any{}
	for i, id := range s.ids {
		for _, r := range reads() {
			v := url.Values{"api_key": {s.key}, "app_id": {id}}
			for name, values := range r {
				if name != "" {
					v[name] = values
				}
			}
			status, body := s.get(r.Get(""), v)
			for k, id := range s.ids {
				body = strings.ReplaceAll(body, id, fmt.Sprint("app", k))
			}
			body = ofNow.ReplaceAllString(body, `"$1":0`)
			var parsed any
			if json.Unmarshal([]byte(body), &parsed) != nil {
				parsed = body
			}
			delete(v, "api_key")
			out[fmt.Sprint(i, r.Encode())] = []any{float64(status), parsed}
		}
	}
	return out
}

// equal waits until both sides answer alike.
func equal(t *testing.T, what string, want, got *side) {
	t.Helper()
	wanted := want.answers()
	end := time.Now().Add(40 * time.Second)
	for {
		diff := cmp.Diff(wanted, got.answers())
		if diff == "" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%s (-embedded +cluster):\n%s", what, diff[:min(len(diff), 6000)])
		}
		time.Sleep(300 * time.Millisecond)
		wanted = want.answers() // it may not have been done, either
	}
	whole := 0
	for read, answer := range wanted {
		list, _ := answer.([]any)
		if status, _ := list[0].(float64); status == http.StatusOK && len(fmt.Sprint(list[1])) > 20 {
			whole++
		} else if status != http.StatusOK && status != http.StatusNotFound {
			t.Errorf("%s: %v", read, answer)
		}
	}
	if whole < len(wanted)/2 {
		t.Errorf("%s: only %d of %d answers say anything", what, whole, len(wanted))
	}
	t.Logf("%s: %d answers are equal", what, len(wanted))
}

// TestCluster sends the same traffic to a server with its own stores and to nodes on PostgreSQL, ClickHouse and NATS JetStream, whose processes are killed meanwhile: every
// answer is the same, so what was acknowledged is there once.
func TestCluster(t *testing.T) {
	stores := clustered.NewStores(t)
	want := newSide(t, start(t, filepath.Join(t.TempDir(), "data"), admin...))
	secret := filepath.Join(t.TempDir(), "secret.key")
	if err := os.WriteFile(secret, []byte(strings.Repeat("5a", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	node := func() *process {
		t.Helper()
		return startWith(t, []string{"--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--cluster", stores.File}, append([]string{"QUIPU_SECRET_KEY_FILE=" + secret}, admin...)...)
	}
	got := newSide(t, node())
	g, err := traffic.New(traffic.Config{Seed: 7, Users: 60, Start: time.Now().Add(-50 * time.Hour), SessionsPerDay: 120})
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	send := func(n int, to ...*process) {
		t.Helper()
		for range n {
			body, _ := g.Next(nil, traffic.Form)
			body = append(body, "&app_key="+sites[sent%len(sites)].key...)
			want.post(body)
			to[sent%len(to)].post(body)
			sent++
		}
	}
	kill := func(p *process) {
		t.Helper()
		if err := p.end(syscall.SIGKILL); err == nil {
			t.Error("a process that was killed ended well")
		}
	}
	send(120, got.process)
	equal(t, "one node", want, got)
	send(60, got.process)
	kill(got.process) // some of it is on its way
	got.process = node()
	send(60, got.process)
	equal(t, "after a kill", want, got)

	second := node()
	other := &side{process: second, key: got.key, ids: got.ids}
	send(80, got.process, second)
	equal(t, "two nodes, the first", want, got)
	equal(t, "two nodes, the second", want, other)
	send(40, got.process, second)
	kill(got.process)
	began := time.Now()
	send(40, second)
	equal(t, "the other node", want, other)
	t.Logf("%v after the kill; %d requests", time.Since(began).Round(100*time.Millisecond), sent)
	for _, p := range []*process{second, want.process} {
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
}
