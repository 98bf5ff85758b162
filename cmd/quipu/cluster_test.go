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
	"github.com/google/go-cmp/cmp/cmpopts"

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

// answer is that of a side to a read about one of the apps, in a form that sides have in common: the ids of apps differ.
func (s *side) answer(app int, r url.Values) []any {
	s.t.Helper()
	v := url.Values{"api_key": {s.key}, "app_id": {s.ids[app]}}
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
	return []any{float64(status), parsed}
}

// question is a read about one of the apps.
type question struct {
	app int
	url.Values
}

// questions are all reads about all apps, or one of so many parts of them.
func questions(part, of int) (out []question) {
	for app := range sites {
		for i, r := range reads() {
			if (i+app)%of == part {
				out = append(out, question{app, r})
			}
		}
	}
	return out
}

// lastDigits are those of sums of numbers that are no binary fractions: they depend on the order in which they are added.
var lastDigits = cmpopts.EquateApprox(1e-13, 0)

// equal waits until both sides answer alike, question by question, all of them once without having been waited for in between: what came late may have
// come twice.
func equal(t *testing.T, what string, want, got *side, list []question) {
	t.Helper()
	end := time.Now().Add(60 * time.Second)
	whole := map[int]bool{}
	for i, alike := 0, 0; alike < len(list); i, alike = (i+1)%len(list), alike+1 {
		q := list[i]
		for {
			wanted := want.answer(q.app, q.Values)
			diff := cmp.Diff(wanted, got.answer(q.app, q.Values), lastDigits)
			if status, _ := wanted[0].(float64); status == http.StatusOK && len(fmt.Sprint(wanted[1])) > 20 {
				whole[i] = true
			} else if status != http.StatusOK && status != http.StatusNotFound {
				t.Errorf("app %d, %s: %v", q.app, q.Encode(), wanted)
			}
			if diff == "" {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: app %d, %s (-embedded +cluster):\n%s", what, q.app, q.Encode(), diff[:min(len(diff), 6000)])
			}
			alike = 0
			time.Sleep(100 * time.Millisecond)
		}
	}
	if len(whole) < len(list)/2 {
		t.Errorf("%s: only %d of %d answers say anything", what, len(whole), len(list))
	}
	t.Logf("%s: %d answers are equal", what, len(list))
}

// takenOver is how long after a node was killed the others work on all that it did, at most.
const takenOver = 10 * time.Second

// works sends an event to each app and waits until a node has counted them all.
func works(t *testing.T, began time.Time, want, got *side) {
	t.Helper()
	for _, site := range sites {
		body := []byte(url.Values{"app_key": {site.key}, "device_id": {"watch"}, "events": {`[{"key":"watched","count":1}]`}, "timestamp": {fmt.Sprint(began.UnixMilli())}}.Encode())
		want.post(body)
		got.post(body)
	}
	for app := range sites {
		for {
			status, body := got.get("/o", url.Values{"api_key": {got.key}, "app_id": {got.ids[app]}, "method": {"get_events"}})
			if status == http.StatusOK && strings.Contains(body, `"watched"`) {
				break
			}
			if time.Since(began) > 4*takenOver {
				t.Fatalf("app %d is not worked on: %d %s", app, status, body)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	took := time.Since(began)
	t.Logf("all apps are worked on %v after the kill", took.Round(10*time.Millisecond))
	if took > takenOver {
		t.Errorf("all apps are worked on after %v only", took)
	}
}

// TestCluster sends the same traffic to a server with its own stores and to nodes on PostgreSQL, ClickHouse and NATS JetStream, whose processes are killed meanwhile: every
// answer is the same, so what was acknowledged is there once.
func TestCluster(t *testing.T) {
	stores := clustered.NewStores(t)
	for _, c := range []struct{ flags, want, not string }{{"--plan", "PostgreSQL, state: 1. make the tables of the state\n", "done"}, {"", "\ndone\n", "nothing to do"}, {"", "journal: nothing to do\n", "done"}} {
		out, err := command(t, "", append([]string{"migrate", "--cluster", stores.File}, strings.Fields(c.flags)...)...)
		if err != nil || !strings.Contains(out, c.want) || strings.Contains(out, c.not) {
			t.Fatalf("migrate %s: %v\n%s", c.flags, err, out)
		}
	}
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
	equal(t, "one node", want, got, questions(0, 3))
	send(60, got.process)
	kill(got.process) // some of it is on its way
	got.process = node()
	send(60, got.process)
	equal(t, "after a kill", want, got, questions(1, 3))

	second := node()
	other := &side{process: second, key: got.key, ids: got.ids}
	send(80, got.process, second)
	equal(t, "two nodes, the first", want, got, questions(2, 3))
	equal(t, "two nodes, the second", want, other, questions(0, 2))
	send(40, got.process, second)
	kill(got.process)
	works(t, time.Now(), want, other)
	send(40, second)
	equal(t, "the other node", want, other, questions(0, 1))
	t.Logf("%d requests", sent)
	for _, p := range []*process{second, want.process} {
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
}
