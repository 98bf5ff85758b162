package decode_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image/png"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/intake"
	governor "quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/store/journal"
)

// directory finds the apps of the tests.
type directory []*model.App

func (d directory) ByKey(key string) *model.App {
	for _, a := range d {
		if a.Key == key {
			return a
		}
	}
	return nil
}

func (d directory) ByID(id model.AppID) *model.App {
	for _, a := range d {
		if a.ID == id {
			return a
		}
	}
	return nil
}

func (d directory) All() []*model.App { return d }

var (
	plainApp  = &model.App{ID: model.AppID{1}, Key: "K"}
	saltedApp = &model.App{ID: model.AppID{2}, Key: "S", Salt: "pepper"}
	pausedApp = &model.App{ID: model.AppID{3}, Key: "P", Paused: true}
	lockedApp = &model.App{ID: model.AppID{4}, Key: "L", Locked: true}
)

// sink is a journal and a picture store in memory, which fail on demand.
type sink struct {
	mu       sync.Mutex
	records  []request.Record
	appends  int
	pictures map[string]string // app/hash → media type and size
	crowded  bool              // no picture is kept
	err      error
	busy     time.Duration
}

func (s *sink) Append(ctx context.Context, entries ...journal.Entry) (journal.Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return journal.Position{}, s.err
	}
	if err := ctx.Err(); err != nil {
		return journal.Position{}, err
	}
	s.appends++
	for _, e := range entries {
		var rec request.Record
		if err := request.Decode(bytes.Clone(e.Payload), &rec); err != nil {
			return journal.Position{}, err
		}
		if e.Routing != journal.Routing(rec.App) {
			return journal.Position{}, fmt.Errorf("a record of app %s is routed by %d", rec.App, e.Routing)
		}
		s.records = append(s.records, rec)
	}
	return journal.Position{Offset: uint64(len(s.records))}, nil
}

func (s *sink) Put(_ context.Context, app model.AppID, hash, mediaType string, content []byte) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.crowded {
		return false, s.err
	}
	if s.pictures == nil {
		s.pictures = map[string]string{}
	}
	s.pictures[fmt.Sprintf("%s/%s", app, hash)] = fmt.Sprintf("%s %d", mediaType, len(content))
	return true, nil
}

func (s *sink) healthy() (time.Duration, bool) { return s.busy, s.busy == 0 }

// newIntake returns gates of a server with 512 MiB.
func newIntake() *intake.Intake {
	return intake.New(intake.Options{
		Governor: governor.New(governor.Split(512<<20), slog.New(slog.DiscardHandler), time.Now), Now: time.Now,
		Client: func(*http.Request) netip.Addr { return netip.Addr{} },
	})
}

var testNow = time.Date(2031, 5, 14, 9, 0, 0, 0, time.UTC)

func newDecoder(tb testing.TB, s *sink) (*decode.Decoder, *outcome.Counter) {
	tb.Helper()
	return newDecoderOf(tb, s, directory{plainApp, saltedApp, pausedApp, lockedApp})
}

func newDecoderOf(tb testing.TB, s *sink, apps directory) (*decode.Decoder, *outcome.Counter) {
	tb.Helper()
	now := func() time.Time { return testNow }
	counter := outcome.NewCounter(now)
	d, err := decode.New(decode.Options{
		Apps:           apps,
		Journal:        s,
		Outcomes:       counter,
		Pictures:       s,
		Now:            now,
		Healthy:        s.healthy,
		Intake:         newIntake(),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		Limits:         decode.Limits{MaxBody: 64 << 10, MaxParams: 20, MaxItems: 10, MaxPicture: 1 << 10},
	})
	if err != nil {
		tb.Fatal(err)
	}
	decode.KeepAll(d)
	return d, counter
}

// show renders a record's parameters; JSON values stand behind a colon.
func show(rec request.Record) string {
	var b strings.Builder
	for i, p := range rec.Params {
		if i > 0 {
			b.WriteByte(' ')
		}
		sep := byte('=')
		if p.JSON {
			sep = ':'
		}
		fmt.Fprintf(&b, "%s%c%s", p.Name, sep, p.Value)
	}
	return b.String()
}

func drained(c *outcome.Counter) string {
	var out []string
	for app, m := range c.Drain() {
		for k, n := range m {
			out = append(out, fmt.Sprintf("%d %s %s %d", app[0], k.Item, k.Reason, n))
		}
	}
	if len(out) > 1 {
		return fmt.Sprintf("%d kinds of outcomes", len(out))
	}
	return strings.Join(out, "")
}

func sum256(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:]) }
func sum1(s string) string   { h := sha1.Sum([]byte(s)); return hex.EncodeToString(h[:]) }

const (
	okBody       = `{"result":"Success"}`
	missingBody  = `{"result":"Missing parameter \"app_key\" or \"device_id\""}`
	unknownBody  = `{"result":"App does not exist"}`
	unsignedBody = `{"result":"Request does not have checksum"}`
	wrongBody    = `{"result":"Request does not match checksum"}`
	ignoredBody  = `{"result":"Ignoring device_id"}`
	formType     = "application/x-www-form-urlencoded"
)

func TestRequests(t *testing.T) {
	tests := []struct {
		name    string
		method  string // POST when there is a body, else GET
		target  string
		ctype   string
		body    string
		status  int // 200 when 0
		want    string
		records []string
		drop    string
	}{
		{name: "get", target: "/i?app_key=K&device_id=D&begin_session=1", records: []string{"app_key=K device_id=D begin_session=1"}},
		{name: "trailing slash", target: "/i/?app_key=K&device_id=D", records: []string{"app_key=K device_id=D"}},
		{name: "put", method: "PUT", target: "/i?app_key=K&device_id=D", records: []string{"app_key=K device_id=D"}},
		{name: "delete", method: "DELETE", target: "/i?app_key=K&device_id=D", records: []string{"app_key=K device_id=D"}},
		{name: "post with empty body", method: "POST", target: "/i?app_key=K&device_id=D", records: []string{"app_key=K device_id=D"}},
		{name: "post form", target: "/i", ctype: formType, body: "app_key=K&device_id=D&x=a%20b+c", records: []string{"app_key=K device_id=D x=a b c"}},
		{name: "form with charset", target: "/i", ctype: formType + "; charset=UTF-8", body: "app_key=K&device_id=D", records: []string{"app_key=K device_id=D"}},
		{name: "query and body", target: "/i?app_key=K&a=1", ctype: formType, body: "device_id=D&a=2", records: []string{"app_key=K a=2 device_id=D"}},
		{name: "beacon", target: "/i", ctype: "text/plain;charset=UTF-8", body: "app_key=K&device_id=D", records: []string{"app_key=K device_id=D"}},
		{name: "no content type", target: "/i", body: "app_key=K&device_id=D", records: []string{"app_key=K device_id=D"}},
		{
			name: "json body", target: "/i", ctype: "application/json", body: `{"app_key":"K","device_id":"D","a\u0062":"q\"\n","n":1.5,"nil":null,"events":[{"key":"a"}]}`,
			records: []string{"app_key=K device_id=D ab=q\"\n n:1.5 events:[{\"key\":\"a\"}]"},
		},
		{name: "json labelled as form", target: "/i", ctype: formType, body: ` {"app_key":"K","device_id":"D"}`, records: []string{"app_key=K device_id=D"}},
		{name: "form labelled as json", target: "/i", ctype: "application/json", body: `app_key=K&device_id=D`, records: []string{"app_key=K device_id=D"}},
		{name: "broken json keeps what stood before", target: "/i?app_key=K", ctype: "application/json", body: `{"device_id":"D","x":1,"y":`, records: []string{"app_key=K device_id=D x:1"}},
		{name: "broken json without key", target: "/i", ctype: "application/json", body: `{`, status: 400, want: missingBody},
		{
			name: "deep json parameter beside others", target: "/i", ctype: "application/json", body: `{"app_key":"K","device_id":"D","x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
			records: []string{"app_key=K device_id=D x:" + strings.Repeat("[", 100) + strings.Repeat("]", 100)},
		},
		{name: "empty pairs", target: "/i?&&app_key=K&&device_id=D&=x&", records: []string{"app_key=K device_id=D"}},
		{name: "semicolon is data", target: "/i?app_key=K&device_id=a;b", records: []string{"app_key=K device_id=a;b"}},
		{name: "malformed percent", target: "/i?app_key=K&device_id=D&x=1", ctype: formType, body: "y=100%&z=%zz%4&v=%41%", records: []string{"app_key=K device_id=D x=1 y=100% z=%zz%4 v=A%"}},
		{name: "raw json", method: "POST", target: "/i", ctype: formType, body: `app_key=K&device_id=D&metrics={"_os":"<A|B>"}`, records: []string{`app_key=K device_id=D metrics={"_os":"<A|B>"}`}},
		{name: "later duplicate wins in place", target: "/i?app_key=X&device_id=D&app_key=K", records: []string{"app_key=K device_id=D"}},
		{name: "value with equals", target: "/i?app_key=K&device_id=a=b", records: []string{"app_key=K device_id=a=b"}},
		{name: "numeric device id", target: "/i", ctype: "application/json", body: `{"app_key":"K","device_id":42}`, records: []string{"app_key=K device_id:42"}},
		{name: "no_checksum is no way out", target: "/i?app_key=S&device_id=D&no_checksum=true", want: `{"result":"Request does not have checksum"}`, drop: "2 request checksum_missing 1"},
		{name: "health check", target: "/i?app_key=K&device_id=D&hc=%7B%22el%22%3A0%7D&metrics=%7B%7D", records: []string{`app_key=K device_id=D hc={"el":0} metrics={}`}},
		{name: "events that are no json", target: "/i?app_key=K&device_id=D&events=nope", records: []string{"app_key=K device_id=D events=nope"}},

		{name: "nothing", target: "/i", status: 400, want: missingBody},
		{name: "no device", target: "/i?app_key=K", status: 400, want: missingBody, drop: "1 request ignored_device 1"},
		{name: "empty device of an unknown app", target: "/i?app_key=x&device_id=", status: 400, want: missingBody},
		{name: "no key", target: "/i?device_id=D", status: 400, want: missingBody},
		{name: "empty key", target: "/i?app_key=&device_id=D", status: 400, want: missingBody},
		{name: "unknown key", target: "/i?app_key=nope&device_id=D", status: 400, want: unknownBody, drop: "0 request unknown_app 1"},
		{name: "key as operator", target: "/i?app_key[$regex]=.*&device_id=D", status: 400, want: unknownBody, drop: "0 request unknown_app 1"},
		{name: "key as array", target: "/i?app_key[]=K&device_id=D", status: 400, want: unknownBody, drop: "0 request unknown_app 1"},
		{name: "json key as object", target: "/i", ctype: "application/json", body: `{"app_key":{"$ne":null},"device_id":"D"}`, status: 400, want: unknownBody, drop: "0 request unknown_app 1"},
		{name: "json key as array", target: "/i", ctype: "application/json", body: `{"app_key":["K"],"device_id":"D"}`, status: 400, want: unknownBody, drop: "0 request unknown_app 1"},
		{name: "paused", target: "/i?app_key=P&device_id=D", status: 400, want: `{"result":"App is currently not accepting data"}`, drop: "3 request app_paused 1"},
		{name: "locked", target: "/i?app_key=L&device_id=D", records: []string{"app_key=L device_id=D"}},
		{name: "locked populator", target: "/i?app_key=L&device_id=D&populator=true", status: 403, want: `{"result":"App is locked"}`, drop: "4 request app_locked 1"},
		{name: "zero idfa", target: "/i?app_key=K&device_id=00000000-0000-0000-0000-000000000000", want: `{"result":"Ignoring device_id"}`, drop: "1 request ignored_device 1"},
		{name: "temporary id", target: "/i?app_key=K&device_id=%5BCLY%5D_temp_id", want: `{"result":"Ignoring device_id"}`, drop: "1 request ignored_device 1"},
		{name: "device as object", target: "/i?app_key=K&device_id[$ne]=1", want: `{"result":"Ignoring device_id"}`, drop: "1 request ignored_device 1"},
		{name: "device too long", target: "/i?app_key=K&device_id=" + strings.Repeat("d", 1025), want: `{"result":"Ignoring device_id"}`, drop: "1 request ignored_device 1"},

		{name: "body too large", target: "/i", ctype: formType, body: "app_key=K&device_id=D&x=" + strings.Repeat("a", 70<<10), status: 413, want: `{"result":"Request is too large"}`},
		{name: "too many parameters", target: "/i?" + strings.Join(numbered("p%d=1", 30), "&"), status: 413, want: `{"result":"Request has too many parameters"}`},
		{name: "too many brackets", target: "/i?" + strings.Join(numbered("p[%d]=1", 30), "&"), status: 413, want: `{"result":"Request has too many parameters"}`},
		{name: "multipart without boundary", target: "/i?app_key=K&device_id=D", ctype: "multipart/form-data", body: "x", status: 400, want: `{"result":"Request body could not be read"}`},
		{
			name: "brackets", target: "/i?app_key=K&device_id=D&m[a]=1&m[b]=x%22&l[]=1&l[]=2&q[0][k]=v&q[1][k]=w&u[&[x]=1&z[a]=1&z=2",
			records: []string{`app_key=K device_id=D m:{"a":"1","b":"x\""} l:["1","2"] q:[{"k":"v"},{"k":"w"}] u[= [x]=1 z=2`},
		},

		{name: "unknown path", target: "/i/nope", status: 400, want: `{"result":"Invalid path"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &sink{}
			d, counter := newDecoder(t, s)
			method := tt.method
			if method == "" {
				method = "GET"
				if tt.body != "" {
					method = "POST"
				}
			}
			r := httptest.NewRequest(method, "http://h/", strings.NewReader(tt.body))
			setTarget(r, tt.target)
			if tt.ctype != "" {
				r.Header.Set("Content-Type", tt.ctype)
			}
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			status, want := tt.status, tt.want
			if status == 0 {
				status = 200
			}
			if want == "" {
				want = okBody
			}
			if w.Code != status || w.Body.String() != want {
				t.Errorf("answer = %d %s, want %d %s", w.Code, w.Body, status, want)
			}
			if got := w.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("content type = %q", got)
			}
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != "*" {
				t.Errorf("allowed origin = %q", got)
			}
			var got []string
			for _, rec := range s.records {
				got = append(got, show(rec))
			}
			if diff := cmp.Diff(tt.records, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if got := drained(counter); got != tt.drop {
				t.Errorf("outcomes = %q, want %q", got, tt.drop)
			}
		})
	}
}

func numbered(format string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(format, i))
	}
	return out
}

// setTarget gives r a path and query as a socket would, unchecked.
func setTarget(r *http.Request, target string) {
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery = path, query
}

func do(d http.Handler, method, target, ctype, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://h/", strings.NewReader(body))
	setTarget(r, target)
	if ctype != "" {
		r.Header.Set("Content-Type", ctype)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

func TestChecksum(t *testing.T) {
	const base = "app_key=S&device_id=D&events=%5B%5D"
	good256, good1 := sum256(base+"pepper"), sum1(base+"pepper")
	jsonBody := `{"app_key":"S","device_id":"D"}`
	right, missing, wrong := okBody, `{"result":"Request does not have checksum"}`, `{"result":"Request does not match checksum"}`
	tests := []struct {
		name, method, target, ctype, body, want, record string
	}{
		{"get sha256", "GET", "/i?" + base + "&checksum256=" + good256, "", "", right, "app_key=S device_id=D events=[] checksum256=" + good256},
		{"get sha256 upper", "GET", "/i?" + base + "&checksum256=" + strings.ToUpper(good256), "", "", right, ""},
		{"get sha1", "GET", "/i?" + base + "&checksum=" + good1, "", "", right, ""},
		{"first", "GET", "/i?checksum256=" + good256 + "&" + base, "", "", right, ""},
		{"in the middle", "GET", "/i?app_key=S&checksum256=" + good256 + "&device_id=D&events=%5B%5D", "", "", right, ""},
		{"both, sha256 decides", "GET", "/i?" + base + "&checksum=00&checksum256=" + good256, "", "", right, ""},
		{"both, sha256 wrong", "GET", "/i?" + base + "&checksum=" + good1 + "&checksum256=00", "", "", wrong, ""},
		{"post form", "POST", "/i", formType, base + "&checksum256=" + good256, right, ""},
		{"post, all in the query", "POST", "/i?" + base + "&checksum256=" + good256, "", "", right, ""},
		{"form signed, checksum in the query", "POST", "/i?checksum256=" + good256, formType, base, right, ""},
		{"query beside a signed form does not count", "POST", "/i?user_details=evil", formType, base + "&checksum256=" + good256, right, "app_key=S device_id=D events=[] checksum256=" + good256},
		{"device only in the unsigned query", "POST", "/i?device_id=D", formType, "app_key=S&checksum256=" + sum256("app_key=Spepper"), wrong, ""},
		{"re-encoded", "GET", "/i?" + strings.ReplaceAll(base, "%5B%5D", "[]") + "&checksum256=" + good256, "", "", wrong, ""},
		{"empty pairs count", "GET", "/i?a=1&&" + base + "&checksum256=" + sum256("a=1&&"+base+"pepper"), "", "", right, ""},
		{"trailing separator counts", "GET", "/i?" + base + "&checksum256=" + sum256(base+"&pepper") + "&", "", "", right, ""},
		{"missing", "GET", "/i?" + base, "", "", missing, ""},
		{"empty", "GET", "/i?" + base + "&checksum256=", "", "", missing, ""},
		{"wrong", "GET", "/i?" + base + "&checksum256=" + sum256("x"), "", "", wrong, ""},
		{"not hex", "GET", "/i?" + base + "&checksum256=" + strings.Repeat("z", 64), "", "", wrong, ""},
		{"wrong salt", "GET", "/i?" + base + "&checksum256=" + sum256(base+"salt"), "", "", wrong, ""},
		{"json", "POST", "/i?a=1&checksum256=" + sum256("a=1"+jsonBody+"pepper"), "application/json", jsonBody, right, ""},
		{"json not covered", "POST", "/i?" + base + "&checksum256=" + good256, "application/json", `{"x":"y"}`, wrong, ""},
		{"json with its own checksum", "POST", "/i", "application/json", `{"app_key":"S","device_id":"D","checksum256":"00"}`, wrong, ""},
		{"json without", "POST", "/i", "application/json", jsonBody, missing, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &sink{}
			d, counter := newDecoder(t, s)
			w := do(d, tt.method, tt.target, tt.ctype, tt.body)
			if w.Code != 200 || w.Body.String() != tt.want {
				t.Fatalf("answer = %d %s, want 200 %s", w.Code, w.Body, tt.want)
			}
			wantDrop := map[string]string{right: "", missing: "2 request checksum_missing 1", wrong: "2 request checksum_mismatch 1"}[tt.want]
			if got := drained(counter); got != wantDrop {
				t.Errorf("outcomes = %q, want %q", got, wantDrop)
			}
			if tt.want != right {
				if len(s.records) != 0 {
					t.Errorf("a refused request was stored: %s", show(s.records[0]))
				}
				return
			}
			if len(s.records) != 1 {
				t.Fatalf("%d records, want 1", len(s.records))
			}
			if got := show(s.records[0]); tt.record != "" && got != tt.record {
				t.Errorf("record = %s, want %s", got, tt.record)
			}
		})
	}
}

func TestBulk(t *testing.T) {
	form := func(requests string) string { return "requests=" + url.QueryEscape(requests) }
	items := `[{"device_id":"A","n":1,"events":[{"key":"a"}]},{"app_key":"L","device_id":"B","metrics":"{\"_os\":\"X\"}"}]`
	want := []string{`1 device_id=A n:1 events:[{"key":"a"}]`, `4 app_key=L device_id=B metrics={"_os":"X"}`}
	salted := `[{"app_key":"S","device_id":"A"},{"app_key":"K","device_id":"B"}]`
	signedForm := form(salted) + "&checksum256=" + sum256(form(salted)+"pepper")
	unsigned := `[{"app_key":"S","device_id":"A"}]`
	tests := []struct {
		name, target, ctype, body string
		status                    int
		want                      string
		records                   []string
		drop                      string
	}{
		{"form", "/i/bulk?app_key=K", formType, form(items), 200, okBody, want, ""},
		{"trailing slash", "/i/bulk/?app_key=K", formType, form(items), 200, okBody, want, ""},
		{"query", "/i/bulk?app_key=K&" + form(items), "", "", 200, okBody, want, ""},
		{"json body", "/i/bulk", "application/json", `{"app_key":"K","requests":` + items + `}`, 200, okBody, want, ""},
		{"json body, requests as text", "/i/bulk?app_key=K", "application/json", `{"requests":"[{\"device_id\":\"A\"}]"}`, 200, okBody, []string{"1 device_id=A"}, ""},
		{"bare array", "/i/bulk?app_key=K", "application/json", items, 200, okBody, want, ""},
		{"items as text", "/i/bulk?app_key=K", formType, form(`["{\"device_id\":\"A\"}"]`), 200, okBody, []string{"1 device_id=A"}, ""},
		{"empty", "/i/bulk?app_key=K&requests=[]", "", "", 200, okBody, nil, ""},
		{"holes", "/i/bulk?app_key=K&requests=[null,false,0,{\"device_id\":\"A\"}]", "", "", 200, okBody, []string{"1 device_id=A"}, "1 request malformed 3"},
		{"wrong items", "/i/bulk?app_key=K&requests=[1,[],{\"device_id\":\"A\"}]", "", "", 200, okBody, []string{"1 device_id=A"}, "1 request malformed 2"},
		{"no device", "/i/bulk?app_key=K&requests=[{},{\"device_id\":\"A\"}]", "", "", 200, okBody, []string{"1 device_id=A"}, "1 request malformed 1"},
		{"no key", `/i/bulk?requests=[{"device_id":"A"}]`, "", "", 200, okBody, nil, "0 request unknown_app 1"},
		{"no key and no objects", `/i/bulk?requests=[1,null]`, "", "", 200, okBody, nil, "0 request malformed 2"},
		{"unknown key", `/i/bulk?app_key=K&requests=[{"app_key":"x","device_id":"A"}]`, "", "", 200, okBody, nil, "0 request unknown_app 1"},
		{"key not text", `/i/bulk?app_key=K&requests=[{"app_key":{"$ne":1},"device_id":"A"},{"device_id":"B"}]`, "", "", 200, okBody, []string{"1 device_id=B"}, "0 request unknown_app 1"},
		{"top key not text", `/i/bulk?app_key[$ne]=1&requests=[{"device_id":"A"}]`, "", "", 200, okBody, nil, "0 request unknown_app 1"},
		{"paused", `/i/bulk?app_key=K&requests=[{"app_key":"P","device_id":"A"},{"device_id":"B"}]`, "", "", 200, okBody, []string{"1 device_id=B"}, "3 request app_paused 1"},
		{"locked", `/i/bulk?app_key=L&requests=[{"device_id":"A","populator":true},{"device_id":"B"}]`, "", "", 200, okBody, []string{"4 device_id=B"}, "4 request app_locked 1"},
		{"zero idfa", `/i/bulk?app_key=K&requests=[{"device_id":"00000000-0000-0000-0000-000000000000"}]`, "", "", 200, okBody, nil, "1 request ignored_device 1"},
		{"signed", "/i/bulk", formType, signedForm, 200, okBody, []string{"2 app_key=S device_id=A", "1 app_key=K device_id=B"}, ""},
		{"unsigned item of a salted app", "/i/bulk", formType, form(salted), 200, unsignedBody, []string{"1 app_key=K device_id=B"}, "2 request checksum_missing 1"},
		{"wrongly signed", "/i/bulk", formType, form(salted) + "&checksum256=00", 200, wrongBody, []string{"1 app_key=K device_id=B"}, "2 request checksum_mismatch 1"},
		{"items beside the signed text", "/i/bulk?" + form(unsigned), formType, "x=1&checksum256=" + sum256("x=1pepper"), 200, wrongBody, nil, "2 request checksum_mismatch 1"},
		{"signed json", "/i/bulk?checksum256=" + sum256(salted+"pepper"), "application/json", salted, 200, okBody, []string{"2 app_key=S device_id=A", "1 app_key=K device_id=B"}, ""},
		{"missing", "/i/bulk?app_key=K", "", "", 400, `{"result":"Missing parameter \"requests\""}`, nil, ""},
		{"no array", "/i/bulk?app_key=K&requests={}", "", "", 400, `{"result":"Invalid parameter \"requests\""}`, nil, ""},
		{"broken", `/i/bulk?app_key=K&requests=[1,{"device_id":"A"},{`, "", "", 400, `{"result":"Invalid parameter \"requests\""}`, nil, ""},
		{
			"deep item", `/i/bulk?app_key=K&requests=[{"device_id":"A","x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `},{"device_id":"B"}]`, "", "", 200, okBody,
			[]string{"1 device_id=A x:" + strings.Repeat("[", 99) + strings.Repeat("]", 99), "1 device_id=B"},
			"",
		},
		{"fault in an item", `/i/bulk?app_key=K&requests=[{"device_id":"A","x":nope},{"device_id":"B"}]`, "", "", 400, `{"result":"Invalid parameter \"requests\""}`, nil, ""},
		{
			"fault in a deep item", `/i/bulk?app_key=K&requests=[{"device_id":"A","x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `,"y":nope},{"device_id":"B"}]`, "", "", 200, okBody,
			[]string{"1 device_id=B"},
			"1 request malformed 1",
		},
		{"too many", `/i/bulk?app_key=K&requests=[1,1,1,1,1,1,1,1,1,1,1]`, "", "", 413, `{"result":"Request has too many items"}`, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &sink{}
			d, counter := newDecoder(t, s)
			method := "GET"
			if tt.body != "" {
				method = "POST"
			}
			w := do(d, method, tt.target, tt.ctype, tt.body)
			if w.Code != tt.status || w.Body.String() != tt.want {
				t.Fatalf("answer = %d %s, want %d %s", w.Code, w.Body, tt.status, tt.want)
			}
			var got []string
			for _, rec := range s.records {
				got = append(got, fmt.Sprintf("%d %s", rec.App[0], show(rec)))
			}
			if diff := cmp.Diff(tt.records, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if s.appends > 1 {
				t.Errorf("%d appends, want one", s.appends)
			}
			if got := drained(counter); got != tt.drop {
				t.Errorf("outcomes = %q, want %q", got, tt.drop)
			}
		})
	}
}

func TestPixel(t *testing.T) {
	tests := []struct {
		name, target string
		status       int
		record       string
	}{
		{"no device", "/pixel.png?app_key=K&begin_session=1", 200, `app_key=K begin_session=1 device_id=no_js user_details={"name":"No JS"}`},
		{"device", "/pixel.png/?app_key=K&device_id=D", 200, "app_key=K device_id=D"},
		{"own details", "/pixel.png?app_key=K&user_details=%7B%7D", 200, "app_key=K user_details={} device_id=no_js"},
		{"unknown app", "/pixel.png?app_key=x", 200, ""},
		{"nothing", "/pixel.png", 200, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &sink{}
			d, _ := newDecoder(t, s)
			w := do(d, "GET", tt.target, "", "")
			if w.Code != tt.status || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("answer = %d %v", w.Code, w.Header())
			}
			if img, err := png.Decode(w.Body); err != nil || img.Bounds().Dx() != 1 || img.Bounds().Dy() != 1 {
				t.Errorf("picture: %v, %v", img, err)
			}
			got := ""
			if len(s.records) > 0 {
				got = show(s.records[0])
			}
			if got != tt.record {
				t.Errorf("record = %q, want %q", got, tt.record)
			}
		})
	}
}

func TestUnavailable(t *testing.T) {
	for _, target := range []string{"/i?app_key=K&device_id=D", "/i/bulk?app_key=K&requests=[{\"device_id\":\"D\"}]", "/pixel.png?app_key=K"} {
		for _, s := range []*sink{{err: journal.ErrFull}, {err: errors.New("disk on fire")}, {busy: 1500 * time.Millisecond}} {
			d, counter := newDecoder(t, s)
			w := do(d, "GET", target, "", "")
			wantAfter := "5"
			if s.busy > 0 {
				wantAfter = "2"
			}
			if w.Code != 503 || w.Header().Get("Retry-After") != wantAfter {
				t.Errorf("%s: %d Retry-After %q, want 503 and %s", target, w.Code, w.Header().Get("Retry-After"), wantAfter)
			}
			if strings.HasPrefix(target, "/i") && w.Body.String() != `{"result":"Server is not accepting data at the moment"}` {
				t.Errorf("%s: body %s", target, w.Body)
			}
			if strings.Contains(w.Body.String(), "fire") {
				t.Error("the cause is shown")
			}
			s.err, s.busy = nil, 0
			if w := do(d, "GET", target, "", ""); w.Code != 200 || len(s.records) != 1 {
				t.Errorf("%s: after recovery %d with %d records", target, w.Code, len(s.records))
			}
			if got := drained(counter); got != "" {
				t.Errorf("%s: an unavailable server counted %q", target, got)
			}
		}
	}
}

// TestUnknownApps sends to apps that are looked for: while it is not known whether they exist the whole request comes again, and it waits for one look at most.
func TestUnknownApps(t *testing.T) {
	var down bool
	looks := 0
	find := func(ctx context.Context, key string, look bool) (*model.App, bool, error) {
		if a := (directory{plainApp}).ByKey(key); a != nil || !look {
			return a, false, ctx.Err()
		}
		if key == "missed" {
			return nil, false, nil
		}
		looks++
		if down {
			return nil, true, errors.New("connection refused")
		}
		return nil, true, ctx.Err()
	}
	s := &sink{}
	counter := outcome.NewCounter(func() time.Time { return testNow })
	d, err := decode.New(decode.Options{
		Apps: directory{}, LookByKey: find, Journal: s, Outcomes: counter, Pictures: s, Now: func() time.Time { return testNow }, Healthy: s.healthy, Intake: newIntake(),
		Limits: decode.Limits{MaxBody: 64 << 10, MaxParams: 20, MaxItems: 100, MaxPicture: 1 << 10},
	})
	if err != nil {
		t.Fatal(err)
	}
	decode.KeepAll(d)
	bulk := func(keys ...string) string {
		items := make([]string, len(keys))
		for i, key := range keys {
			items[i] = fmt.Sprintf(`{"app_key":%q,"device_id":"D"}`, key)
		}
		return "/i/bulk?requests=" + url.QueryEscape("["+strings.Join(items, ",")+"]")
	}
	many := []string{"missed", "K"}
	for i := range 90 {
		many = append(many, fmt.Sprint("unknown", i))
	}
	for _, target := range []string{"/i?app_key=new&device_id=D", "/pixel.png?app_key=new", bulk("K", "new"), bulk(many...), "/i/bulk?app_key=new&requests=[]"} {
		down, looks = true, 0
		if w := do(d, "GET", target, "", ""); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("%.60s: %d, Retry-After %q", target, w.Code, w.Header().Get("Retry-After"))
		}
		if got := drained(counter); got != "" || len(s.records) > 0 || looks != 1 {
			t.Errorf("%.60s: counted %q, %d records, %d looks", target, got, len(s.records), looks)
		}
	}
	down, looks = false, 0
	if w := do(d, "GET", bulk(many...), "", ""); w.Code != 200 || len(s.records) != 1 || looks != 1 {
		t.Errorf("a bulk of unknown apps: %d, %d records, %d looks", w.Code, len(s.records), looks)
	}
	if w := do(d, "GET", "/i?app_key=new&device_id=D", "", ""); w.Code != 400 || !strings.Contains(w.Body.String(), "App does not exist") {
		t.Errorf("an unknown app: %d %s", w.Code, w.Body)
	}
	if w := do(d, "GET", "/i?app_key=K&device_id=D", "", ""); w.Code != 200 || len(s.records) != 2 {
		t.Errorf("a known app: %d, %d records", w.Code, len(s.records))
	}
}

func TestPreflight(t *testing.T) {
	s := &sink{}
	d, _ := newDecoder(t, s)
	for _, path := range decode.Paths() {
		path = strings.TrimSuffix(path, "{$}")
		r := httptest.NewRequest("OPTIONS", "http://h"+path+"?app_key=K&device_id=D", nil)
		r.Header.Set("Origin", "https://site.example")
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", "content-type,x-mine")
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		got := []string{w.Result().Status, w.Header().Get("Access-Control-Allow-Origin"), w.Header().Get("Access-Control-Allow-Headers"), w.Header().Get("Access-Control-Max-Age")}
		if diff := cmp.Diff([]string{"204 No Content", "*", "content-type,x-mine", "86400"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		if m := w.Header().Get("Access-Control-Allow-Methods"); !strings.Contains(m, "POST") || !strings.Contains(m, "GET") {
			t.Errorf("%s: methods %q", path, m)
		}
	}
	if len(s.records) != 0 {
		t.Error("a preflight was stored")
	}
}

func TestCompressedBodies(t *testing.T) {
	const form = "app_key=K&device_id=D&x=1"
	pack := func(make func(io.Writer) io.WriteCloser, s string) string {
		var b bytes.Buffer
		w := make(&b)
		_, _ = io.WriteString(w, s)
		_ = w.Close()
		return b.String()
	}
	gz := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	zl := func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
	fl := func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 6); return f }
	bomb := "app_key=K&device_id=D&x=" + strings.Repeat("a", 10<<20)
	tests := []struct {
		name, encoding, body string
		status               int
	}{
		{"gzip", "gzip", pack(gz, form), 200},
		{"gzip in capitals", "GZIP", pack(gz, form), 200},
		{"zlib", "deflate", pack(zl, form), 200},
		{"bare deflate", "deflate", pack(fl, form), 200},
		{"identity", "identity", form, 200},
		{"gzip bomb", "gzip", pack(gz, bomb), 413},
		{"deflate bomb", "deflate", pack(zl, bomb), 413},
		{"not gzip", "gzip", form, 400},
		{"cut gzip", "gzip", pack(gz, form)[:20], 400},
		{"not deflate", "deflate", "x", 400},
		{"brotli", "br", form, 415},
	}
	s := &sink{}
	d, _ := newDecoder(t, s)
	for range 2 { // the second round meets used readers
		for _, tt := range tests {
			s.records = nil
			r := httptest.NewRequest("POST", "http://h/i", strings.NewReader(tt.body))
			r.Header.Set("Content-Type", formType)
			r.Header.Set("Content-Encoding", tt.encoding)
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("%s: %d %s, want %d", tt.name, w.Code, w.Body, tt.status)
			}
			if tt.status == 200 && (len(s.records) != 1 || show(s.records[0]) != "app_key=K device_id=D x=1") {
				t.Errorf("%s: records %v", tt.name, s.records)
			}
		}
	}
}

// brokenBody fails in the middle of a body.
type brokenBody struct{ sent bool }

func (b *brokenBody) Read(p []byte) (int, error) {
	if b.sent {
		return 0, errors.New("connection reset")
	}
	b.sent = true
	return copy(p, "app_key=K&device_id=D"), nil
}

func TestBodyThatBreaksOff(t *testing.T) {
	s := &sink{}
	d, _ := newDecoder(t, s)
	r := httptest.NewRequest("POST", "http://h/i", &brokenBody{})
	r.ContentLength = -1
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	if w.Code != 400 || len(s.records) != 0 {
		t.Errorf("answer %d with %d records, want 400 and none", w.Code, len(s.records))
	}
}

func TestMultipart(t *testing.T) {
	png := "\x89PNG\r\n\x1a\nrest"
	hash := sum256(png)
	build := func(fields [][2]string, file string) (string, string) {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		for _, f := range fields {
			_ = w.WriteField(f[0], f[1])
		}
		if file != "" {
			p, _ := w.CreateFormFile("user_details[picture]", "me.png")
			_, _ = io.WriteString(p, file)
		}
		_ = w.Close()
		return w.FormDataContentType(), b.String()
	}
	tests := []struct {
		name    string
		fields  [][2]string
		file    string
		record  string
		picture string
		stored  string
	}{
		{
			"picture",
			[][2]string{{"app_key", "K"}, {"device_id", "D"}, {"user_details", "%7B%22name%22%3A%22a%20b%22%7D"}},
			png,
			`app_key=K device_id=D user_details={"name":"a b"}`, hash, "image/png 12",
		},
		{"plain values", [][2]string{{"app_key", "K"}, {"device_id", "D"}, {"x", `100% {"a":"%41"}`}}, "", `app_key=K device_id=D x=100% {"a":"%41"}`, "", ""},
		{"no picture at all", [][2]string{{"app_key", "K"}, {"device_id", "D"}}, "<svg onload=alert(1)>", "app_key=K device_id=D", "", ""},
		{"picture too large", [][2]string{{"app_key", "K"}, {"device_id", "D"}}, png + strings.Repeat("x", 2<<10), "app_key=K device_id=D", "", ""},
		{"picture as text", [][2]string{{"app_key", "K"}, {"device_id", "D"}, {"user_details[picture]", "x"}}, "", "app_key=K device_id=D", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &sink{}
			d, _ := newDecoder(t, s)
			ctype, body := build(tt.fields, tt.file)
			if w := do(d, "POST", "/i", ctype, body); w.Code != 200 || len(s.records) != 1 {
				t.Fatalf("answer %d %s, %d records", w.Code, w.Body, len(s.records))
			}
			rec := s.records[0]
			if show(rec) != tt.record || rec.Picture != tt.picture {
				t.Errorf("record = %s picture %q, want %s picture %q", show(rec), rec.Picture, tt.record, tt.picture)
			}
			stored := ""
			if tt.picture != "" {
				stored = s.pictures[plainApp.ID.String()+"/"+tt.picture]
			}
			if stored != tt.stored || tt.stored == "" && len(s.pictures) > 0 {
				t.Errorf("stored %q of %v, want %q", stored, s.pictures, tt.stored)
			}
		})
	}
	t.Run("signed", func(t *testing.T) {
		s := &sink{}
		d, _ := newDecoder(t, s)
		raw := "app_key=S&device_id=D&user_details=%7B%7D"
		ctype, body := build([][2]string{{"app_key", "S"}, {"device_id", "D"}, {"user_details", "%7B%7D"}, {"checksum256", sum256(raw + "pepper")}}, png)
		w := do(d, "POST", "/i?campaign_id=evil", ctype, body)
		if w.Body.String() != okBody || len(s.records) != 1 || s.records[0].Picture != hash || strings.Contains(show(s.records[0]), "evil") {
			t.Errorf("answer %s, records %v", w.Body, s.records)
		}
	})
	t.Run("no room for pictures", func(t *testing.T) {
		s := &sink{crowded: true}
		d, _ := newDecoder(t, s)
		ctype, body := build([][2]string{{"app_key", "K"}, {"device_id", "D"}}, png)
		if w := do(d, "POST", "/i", ctype, body); w.Code != 200 || len(s.records) != 1 || s.records[0].Picture != hash || !s.records[0].PictureLeftOut {
			t.Errorf("answer %d, records %+v, want one without its picture", w.Code, s.records)
		}
	})
	t.Run("not a picture", func(t *testing.T) {
		s := &sink{}
		d, counter := newDecoder(t, s)
		ctype, body := build([][2]string{{"app_key", "K"}, {"device_id", "D"}, {"timestamp", "1936515600123"}}, "<svg>")
		if w := do(d, "POST", "/i", ctype, body); w.Code != 200 {
			t.Errorf("answer %d", w.Code)
		}
		if got, want := drained(counter), "1 picture malformed 1"; got != want {
			t.Errorf("outcomes %s, want %s", got, want)
		}
	})
	t.Run("picture store fails", func(t *testing.T) {
		s := &sink{err: errors.New("full")}
		d, _ := newDecoder(t, s)
		ctype, body := build([][2]string{{"app_key", "K"}, {"device_id", "D"}}, png)
		if w := do(d, "POST", "/i", ctype, body); w.Code != 503 {
			t.Errorf("answer %d, want 503", w.Code)
		}
	})
}

// TestConcurrent sends from many clients at once: no memory of one request
// may show up in another.
func TestConcurrent(t *testing.T) {
	s := &sink{}
	d, _ := newDecoder(t, s)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				id := fmt.Sprintf("%d-%d", g, i)
				switch i % 3 {
				case 0:
					do(d, "GET", "/i?app_key=K&device_id=%41"+id+"&x="+id, "", "")
				case 1:
					do(d, "POST", "/i", "application/json", `{"app_key":"K","device_id":"A`+id+`","x":"`+id+`"}`)
				default:
					do(d, "POST", "/i/bulk?app_key=K", formType, "requests="+url.QueryEscape(`[{"device_id":"A`+id+`","x":"`+id+`"}]`))
				}
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, rec := range s.records {
		var device, x string
		for _, p := range rec.Params {
			switch p.Name {
			case "device_id":
				device = string(p.Value)
			case "x":
				x = string(p.Value)
			}
		}
		if device != "A"+x || seen[x] {
			t.Fatalf("record %s is mixed up or twice", show(rec))
		}
		seen[x] = true
	}
	if len(seen) != 400 {
		t.Errorf("%d records, want 400", len(seen))
	}
}

// TestPaths mounts the decoder beside another handler.
func TestPaths(t *testing.T) {
	s := &sink{}
	d, _ := newDecoder(t, s)
	mux := http.NewServeMux()
	for _, p := range decode.Paths() {
		mux.Handle(p, d)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for path, want := range map[string]int{
		"/i": 200, "/i/": 200, "/i/bulk": 200, "/i/bulk/": 200, "/pixel.png": 200, "/pixel.png/": 200,
		"/i/apps/create": 418, "/i/bulk/x": 418, "/pixel.png/x": 418, "/ix": 418, "/": 418,
	} {
		if w := do(mux, "POST", path+"?app_key=K&device_id=D&requests=[]", "", ""); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

func TestMissingOptions(t *testing.T) {
	_, err := decode.New(decode.Options{})
	if err == nil {
		t.Fatal("no error")
	}
	for _, name := range []string{"Apps", "Journal", "Outcomes", "Pictures", "Now", "Healthy", "Intake"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not name %s", err, name)
		}
	}
}
