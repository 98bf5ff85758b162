package wiretest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

const receiptSuccess = `{"result":"Success","receipt":[`

// keyed sends a form with an Idempotency-Key and more headers.
func keyed(s *testkit.Server, key, path string, pairs []string, headers ...string) testkit.Response {
	return s.Do(http.MethodPost, path, strings.NewReader(testkit.Query(pairs...)),
		append([]string{"Content-Type", "application/x-www-form-urlencoded", "Idempotency-Key", key}, headers...)...)
}

// totals are the outcomes of an app, or of the server.
func totals(t *testing.T, s *testkit.Server, app string) string {
	t.Helper()
	s.Flush()
	var got struct{ Totals map[string]map[string]int64 }
	pairs := []string{}
	if app != "" {
		pairs = []string{"app_id", app}
	}
	testkit.Decode(t, s.Admin("/o/ingest/outcomes", pairs...), &got)
	return text(t, got.Totals)
}

// TestIdempotencyKey sends requests without timestamps again under a key: at once, after a restart, where duplicates are allowed, with an
// app that the data flow into, and to another app, where the key means another request.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	into, other := s.CreateApp("into", "UTC"), s.CreateApp("other", "UTC")
	s.Admin("/i/apps/update/plugins", "app_id", into.ID, "args", `{"consolidate":{"selectedApps":["`+a.ID+`","`+b.ID+`"],"initialApps":[]}}`)
	buy := func(app testkit.TestApp) []string {
		return []string{"app_key", app.Key, "device_id", "d", "events", `[{"key":"buy"}]`}
	}
	bulk := []string{"app_key", a.Key, "requests", `[{"device_id":"d","events":[{"key":"buy"}]},{"device_id":"d","events":[{"key":"buy"}]}]`}
	refused := []string{"app_key", other.Key, "requests", `[null,{"device_id":"d"}]`}
	expect := func(what string, r testkit.Response, again string) {
		t.Helper()
		bytes(t, what, r, http.StatusOK, success)
		if got := r.Header.Get("Idempotent-Replayed"); got != again {
			t.Errorf("%s: Idempotent-Replayed is %q, want %q", what, got, again)
		}
	}
	expect("first", keyed(s, "k-1", "/i", buy(a)), "")
	expect("again", keyed(s, "k-1", "/i", buy(a)), "true")
	expect("again with other content", keyed(s, "k-1", "/i", append(buy(a), "begin_session", "1")), "true")
	expect("another key", keyed(s, "k-2", "/i", buy(a)), "")
	expect("another app", keyed(s, "k-1", "/i", buy(b)), "")
	expect("bulk under the same key", keyed(s, "k-1", "/i/bulk", bulk), "")
	expect("bulk again", keyed(s, "k-1", "/i/bulk", bulk), "true")
	expect("bulk that begins with an item that is refused", keyed(s, "k-3", "/i/bulk", refused), "")
	expect("the same again", keyed(s, "k-3", "/i/bulk", refused), "true")
	expect("bulk without a key", s.Post("/i/bulk", "app_key", other.Key, "requests", `[{"device_id":"d"}]`), "")
	expect("bulk without a key again", s.Post("/i/bulk", "app_key", other.Key, "requests", `[{"device_id":"d"}]`), "")
	expect("no key", s.Post("/i", buy(a)...), "")
	if got, want := totals(t, s, a.ID), `{"event":{"accepted":5,"duplicate":4},"request":{"accepted":5,"duplicate":4},"session":{"duplicate":1}}`; got != want {
		t.Errorf("outcomes %s, want %s", got, want)
	}
	if got, want := totals(t, s, into.ID), `{"event":{"accepted":6,"duplicate":4},"request":{"accepted":6,"duplicate":4},"session":{"duplicate":1}}`; got != want {
		t.Errorf("outcomes of the app that it flows into %s, want %s", got, want)
	}
	s.Admin("/i/configs", "configs", `{"api":{"prevent_duplicate_requests":false}}`)
	s.Stop()
	s.Start()
	s.Ingest(b, "other")
	s.Flush()
	expect("after a restart, where duplicates are allowed", keyed(s, "k-1", "/i", buy(a)), "true")
	expect("bulk after a restart", keyed(s, "k-1", "/i/bulk", bulk), "true")
	if got, want := totals(t, s, a.ID), `{"event":{"accepted":5,"duplicate":7},"request":{"accepted":5,"duplicate":7},"session":{"duplicate":1}}`; got != want {
		t.Errorf("outcomes %s, want %s", got, want)
	}
	for _, bad := range []string{"", "a b", strings.Repeat("x", 256), "ä", "tab\there"} {
		r := keyed(s, bad, "/i", buy(a))
		if r.Status != http.StatusBadRequest || r.Header.Get("Quipu-Error") != "ingest.bad_idempotency_key" {
			t.Errorf("key %q: %d %s %s", bad, r.Status, r.Header.Get("Quipu-Error"), r.Body)
		}
	}
}

// TestIdempotencyKeysAgainstModel sends random requests under random keys, some of them again, and compares with a set what counts.
func TestIdempotencyKeysAgainstModel(t *testing.T) {
	t.Parallel()
	s := server(t)
	apps := []testkit.TestApp{s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")}
	seed := rand.Uint64() // of a test
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1)) // of a test
	seen := map[string]bool{}
	want := map[string][2]int64{} // by app: accepted, duplicate
	for range 200 {
		app, key := apps[rnd.IntN(2)], fmt.Sprintf("key-%d", rnd.IntN(40))
		n, path := 1, "/i"
		pairs := []string{"app_key", app.Key, "device_id", "d"}
		if rnd.IntN(3) == 0 {
			n, path = 1+rnd.IntN(3), "/i/bulk"
			pairs = []string{"app_key", app.Key, "requests", "[" + strings.Repeat(`{"device_id":"d"},`, n-1) + `{"device_id":"d"}]`}
		}
		done(t, "send", keyed(s, key, path, pairs))
		count := want[app.ID]
		for i := range n {
			id := fmt.Sprint(app.ID, path, key, i)
			if seen[id] {
				count[1]++
			} else {
				seen[id] = true
				count[0]++
			}
		}
		want[app.ID] = count
	}
	for _, app := range apps {
		w := want[app.ID]
		if got, want := totals(t, s, app.ID), fmt.Sprintf(`{"request":{"accepted":%d,"duplicate":%d}}`, w[0], w[1]); got != want {
			t.Errorf("outcomes %s, want %s", got, want)
		}
	}
}

// TestReceipts asks for what became of single items.
func TestReceipts(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, paused := s.CreateApp("a", "UTC"), s.CreateApp("paused", "UTC")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+paused.ID+`","paused":true}`)
	s.Admin("/i/configs", "configs", `{"api":{"event_limit":2}}`)
	events := `[{"key":"one"},7,{"count":1},{"key":"[CLY]_session"},{"key":"two"},{"key":"three"},{"key":"one"}]`
	const items = `{"item":"session","outcome":"accepted"},` +
		`{"item":"event","index":0,"outcome":"accepted"},{"item":"event","index":1,"outcome":"refused","code":"ingest.malformed"},` +
		`{"item":"event","index":2,"outcome":"refused","code":"ingest.no_key"},{"item":"event","index":3,"outcome":"refused","code":"ingest.reserved_key"},` +
		`{"item":"event","index":4,"outcome":"accepted"},{"item":"event","index":5,"outcome":"refused","code":"ingest.event_limit"},{"item":"event","index":6,"outcome":"accepted"},` +
		`{"item":"crash","outcome":"refused","code":"ingest.malformed"}`
	one := []string{"receipt", "1", "app_key", a.Key, "device_id", "d", "timestamp", noonMS, "begin_session", "1", "crash", "7", "events", events}
	want := map[string]int{}
	parts := func(body string) { // what a receipt says adds up to what the ledger does
		for _, r := range value(t, body).(map[string]any)["receipt"].([]any) {
			list, _ := r.(map[string]any)["items"].([]any)
			for _, it := range append(list, map[string]any{"item": "request", "outcome": r.(map[string]any)["outcome"], "code": r.(map[string]any)["code"]}) {
				m := it.(map[string]any)
				code, ok := m["code"].(string)
				if !ok {
					code = m["outcome"].(string)
				}
				want[m["item"].(string)+" "+strings.TrimPrefix(code, "ingest.")]++
			}
		}
	}
	get := func(what string, r testkit.Response, body string) {
		t.Helper()
		bytes(t, what, r, http.StatusOK, body)
	}
	r := send(s, one...)
	get("one", r, receiptSuccess+`{"index":0,"outcome":"accepted","items":[`+items+`]}]}`)
	parts(r.Body)

	r = send(s, one...)
	again := strings.NewReplacer(`"outcome":"accepted"`, `"outcome":"ignored","code":"ingest.duplicate"`, `"outcome":"refused","code":"ingest.event_limit"`, `"outcome":"ignored","code":"ingest.duplicate"`).Replace(items)
	get("again", r, `{"result":"Success","info":"Request ignored: Duplicate request","receipt":[{"index":0,"outcome":"ignored","code":"ingest.duplicate","items":[`+again+`]}]}`)
	parts(r.Body)

	get("ignored", send(s, "receipt", "1", "app_key", a.Key, "device_id", "null"),
		`{"result":"Ignoring device_id","receipt":[{"index":0,"outcome":"ignored","code":"ingest.ignored_device"}]}`)
	want["request ignored_device"]++

	r = s.Post("/i/bulk", "receipt", "1", "app_key", a.Key, "requests", `[{"device_id":"e","events":[{"key":"one"}]},5,{"device_id":"f","app_key":"nobody's"},`+
		`{"device_id":"g","app_key":"`+paused.Key+`"},{"end_session":1,"device_id":"never-seen"},{"events":[]},{"device_id":"h","user_details":{"name":"H"}}]`)
	get("bulk", r, receiptSuccess+`{"index":0,"outcome":"accepted","items":[{"item":"event","index":0,"outcome":"accepted"}]},`+
		`{"index":1,"outcome":"refused","code":"ingest.malformed"},{"index":2,"outcome":"refused","code":"ingest.unknown_app"},{"index":3,"outcome":"refused","code":"ingest.app_paused"},`+
		`{"index":4,"outcome":"ignored","code":"ingest.unknown_device_end"},{"index":5,"outcome":"refused","code":"ingest.malformed"},{"index":6,"outcome":"accepted"}]}`)
	parts(r.Body)
	want["request unknown_app"]-- // on the server's ledger
	want["request app_paused"]--  // another app's

	have := map[string]int{}
	for item, reasons := range value(t, totals(t, s, a.ID)).(map[string]any) {
		for reason, n := range reasons.(map[string]any) {
			have[item+" "+reason] = int(n.(float64))
		}
	}
	for k, n := range want {
		if have[k] != n {
			t.Errorf("%s: %d on the ledger, %d in receipts", k, have[k], n)
		}
		delete(have, k)
	}
	if len(have) > 0 {
		t.Errorf("on the ledger alone: %v", have)
	}

	many := send(s, "receipt", "1", "app_key", a.Key, "device_id", "d", "events", "["+strings.Repeat(`{"key":"one"},`, 10_004)+`{"key":"one"}]`)
	if got := dig(t, many.Body, "receipt", "0", "left_off"); got != 10_005.0-10_000 {
		t.Errorf("left off %v items, want 5", got)
	}
	if r := s.Do(http.MethodPost, "/i/bulk?receipt=1&app_key="+a.Key, strings.NewReader(`[{"device_id":"d"}]`), "Content-Type", "application/json"); r.Body != receiptSuccess+`{"index":0,"outcome":"accepted"}]}` {
		t.Errorf("JSON array: %s", r.Body)
	}
}

// TestIngestionFaults asks for problems where clients get the words of the protocol.
func TestIngestionFaults(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, salted := s.CreateApp("a", "UTC"), s.CreateApp("salted", "UTC")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+salted.ID+`","checksum_salt":"salt"}`)
	for _, c := range []struct {
		name, path    string
		pairs         []string
		code          string
		status, alike int // of a problem, and of the protocol
	}{
		{"nothing", "/i", nil, "ingest.missing_parameter", 400, 400},
		{"unknown app", "/i", []string{"app_key", "x", "device_id", "d"}, "ingest.unknown_app", 400, 400},
		{"no device", "/i", []string{"app_key", a.Key}, "ingest.missing_parameter", 400, 400},
		{"ignored", "/i", []string{"app_key", a.Key, "device_id", "null"}, "ingest.ignored_device", 400, 200},
		{"no checksum", "/i", []string{"app_key", salted.Key, "device_id", "d"}, "ingest.checksum_missing", 400, 200},
		{"no requests", "/i/bulk", []string{"app_key", a.Key}, "ingest.no_requests", 400, 400},
		{"bad requests", "/i/bulk", []string{"app_key", a.Key, "requests", "[{"}, "ingest.bad_requests", 400, 400},
		{"too many parameters", "/i", slices.Concat([]string{"app_key", a.Key, "device_id", "d"}, numbered(300)), "ingest.too_many_parameters", 413, 413},
	} {
		plain := s.Post(c.path, c.pairs...)
		if plain.Status != c.alike || plain.Header.Get("Quipu-Error") != c.code || !strings.HasPrefix(plain.Body, `{"result":"`) {
			t.Errorf("%s: %d %q %s", c.name, plain.Status, plain.Header.Get("Quipu-Error"), plain.Body)
		}
		r := s.Do(http.MethodPost, c.path, strings.NewReader(testkit.Query(c.pairs...)), append(form, "Accept", "application/problem+json")...)
		if r.Status != c.status || r.Header.Get("Content-Type") != "application/problem+json" || dig(t, r.Body, "code") != c.code || dig(t, r.Body, "status") != float64(c.status) {
			t.Errorf("%s as a problem: %d %s", c.name, r.Status, r.Body)
		}
	}
	// Some of a bulk request is stored, so the answer is no problem though its signature is refused for one app.
	r := s.Do(http.MethodPost, "/i/bulk", strings.NewReader("requests="+url.QueryEscape(`[{"app_key":"`+a.Key+`","device_id":"d"},{"app_key":"`+salted.Key+`","device_id":"d"}]`)),
		append(form, "Accept", "application/problem+json")...)
	if r.Status != http.StatusOK || r.Header.Get("Quipu-Error") != "ingest.checksum_missing" {
		t.Errorf("a bulk request of which some is stored: %d %s", r.Status, r.Body)
	}
}

func numbered(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("p%d", i), "1")
	}
	return out
}

// TestServerLedger reads what came for no app: global administrators see it, others need an app.
func TestServerLedger(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("a", "UTC")
	m := createMember(t, s, "reader", map[string]any{"permission": everything(a.ID)})
	send(s, "app_key", "unknown", "device_id", "d")
	done(t, "bulk", s.Post("/i/bulk", "requests", `[{"app_key":"unknown","device_id":"d"},5,null]`))
	const want = `{"request":{"malformed":2,"unknown_app":2}}`
	if got := totals(t, s, ""); got != want {
		t.Errorf("ledger %s, want %s", got, want)
	}
	s.Stop()
	s.Start()
	if got := totals(t, s, ""); got != want {
		t.Errorf("ledger after a restart %s, want %s", got, want)
	}
	if got := totals(t, s, a.ID); got != `{}` {
		t.Errorf("ledger of the app %s", got)
	}
	r := s.Get("/o/ingest/outcomes", "api_key", m.key)
	if r.Header.Get("Quipu-Error") != "access.no_app_id" {
		t.Errorf("without an app, of a member: %d %s", r.Status, r.Body)
	}
}
