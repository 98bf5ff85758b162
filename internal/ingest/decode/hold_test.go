package decode_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
	"quipu/internal/store/journal"
)

// stuck is a journal that takes nothing until it is released.
type stuck struct {
	null
	release chan struct{}
}

func (s stuck) Append(context.Context, ...journal.Entry) (journal.Position, error) {
	<-s.release
	return journal.Position{}, nil
}

// idle is the rest of a body, which does not come before the deadline.
type idle struct{ until <-chan struct{} }

func (i idle) Read([]byte) (int, error) { <-i.until; return 0, io.ErrUnexpectedEOF }

func zip(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// kind is a kind of request, and what is to become of 100 of them that are sent at once.
type kind struct {
	name, path, query, encoding, body, ctype string
	unknown, stalls, flows                   bool
	declared                                 int64
	least, most                              int64 // bytes charged while all are at work
	refused                                  bool
}

const form = "app_key=K&device_id=D&x="

// TestWhatRequestsHold has one client send 100 requests of a kind at once: what they hold is charged, and
// what does not fit is asked to come back; another client goes on.
func TestWhatRequestsHold(t *testing.T) {
	flowing := "app_key=K&device_id=D&events=" + strings.Repeat("a", 30<<10)
	hold(t, []kind{
		{name: "small ones", path: "/i", body: form, least: 100 << 13, most: 2 << 20},
		{name: "declared and never sent", path: "/i", encoding: "gzip", declared: 20 << 20, stalls: true, least: 100 << 13, most: 16 << 20},
		{name: "not flowing on", path: "/i", body: flowing, least: 1 << 20, most: 26 << 20},
		{name: "flowing on", path: "/i", flows: true, body: flowing, refused: true, least: 1 << 20, most: 26 << 20},
		{name: "flowing on in bulk", path: "/i/bulk", flows: true, body: "app_key=K&requests=[{\"device_id\":\"D\",\"events\":\"" + strings.Repeat("a", 30<<10) + "\"}]", refused: true, least: 1 << 20, most: 26 << 20},
	})
}

// TestVolumeWhatRequestsHold is TestWhatRequestsHold with large requests.
func TestVolumeWhatRequestsHold(t *testing.T) {
	multi := "--q\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n" + strings.Repeat("a", 1<<20) + "\r\n--q--\r\n"
	item := `{"app_key":"K","device_id":"D","x":"` + strings.Repeat("a", 1000) + `"},`
	hold(t, []kind{
		{name: "gzip bombs", path: "/i", encoding: "gzip", body: zip(t, form+strings.Repeat("a", 10<<20)), refused: true, least: 1 << 20, most: 100 << 20},
		{name: "gzip bombs in bulk", path: "/i/bulk", encoding: "gzip", body: zip(t, "["+strings.Repeat(item, 9000)+"{}]"), refused: true, least: 1 << 20, most: 100 << 20},
		{name: "gzip bombs of unknown size", path: "/i", encoding: "gzip", unknown: true, body: zip(t, form+strings.Repeat("a", 10<<20)), refused: true, least: 1 << 20, most: 100 << 20},
		{name: "large bodies", path: "/i", body: form + strings.Repeat("a", 1<<20), refused: true, least: 10 << 20, most: 26 << 20},
		{name: "long queries", path: "/i", query: form + strings.Repeat("a", 1<<20), refused: true, least: 10 << 20, most: 22 << 20},
		{name: "multipart", path: "/i", query: "app_key=K&device_id=D", ctype: "multipart/form-data; boundary=q", body: multi, refused: true, least: 10 << 20, most: 26 << 20},
	})
}

// hold has one client send 100 requests of each kind at once, while the journal takes none, and another client one more.
func hold(t *testing.T, kinds []kind) {
	t.Helper()
	source, into := *plainApp, directory{}
	var ids []any
	for i := range 10 {
		app := *saltedApp
		app.ID, app.Key = model.AppID{100, byte(i)}, fmt.Sprint("into", i)
		into, ids = append(into, &app), append(ids, app.ID.String())
	}
	source.Plugins = map[string]any{model.Consolidate: ids}
	for _, tt := range kinds {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := newIntake()
				over := make(chan struct{})
				now := func() time.Time { return testNow }
				apps := directory{plainApp}
				if tt.flows {
					apps = append(directory{&source}, into...)
				}
				d, err := decode.New(decode.Options{
					Apps: apps, Journal: stuck{release: over}, Pictures: null{}, Now: now, Outcomes: outcome.NewCounter(now),
					Healthy: func() (time.Duration, bool) { return 0, true }, Intake: in, Limits: decode.Limits{MaxBody: 20 << 20},
				})
				if err != nil {
					t.Fatal(err)
				}
				send := func(from, query, body string) *httptest.ResponseRecorder {
					var src io.Reader = strings.NewReader(body)
					if tt.stalls {
						src = io.MultiReader(src, idle{over})
					}
					r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, tt.path+"?"+query, src)
					r.RemoteAddr = from
					r.ContentLength = int64(len(body))
					if tt.unknown {
						r.ContentLength = -1
					}
					if tt.declared > 0 {
						r.ContentLength = tt.declared
					}
					r.Header.Set("Content-Encoding", tt.encoding)
					r.Header.Set("Content-Type", tt.ctype)
					w := httptest.NewRecorder()
					d.ServeHTTP(w, r)
					return w
				}
				var busy, others atomic.Int64
				for range 100 {
					go func() {
						switch w := send("192.0.2.1:1", tt.query, tt.body); {
						case w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "5":
							busy.Add(1)
						default:
							others.Add(1)
						}
					}()
				}
				time.Sleep(time.Minute) // those who wait lose patience
				used := in.Bodies.Used()
				if used < tt.least && in.Bodies.Waiting() == 0 && !tt.refused || used > tt.most || used > in.Bodies.Size/2 {
					t.Errorf("%d bytes charged of %d, want %d to %d", used, in.Bodies.Size, tt.least, tt.most)
				}
				if got := busy.Load() > 50; got != tt.refused {
					t.Errorf("%d of 100 refused, %d answered else", busy.Load(), others.Load())
				}
				go func() {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/i?app_key=K&device_id=D", nil)
					r.RemoteAddr = "192.0.2.2:1"
					w := httptest.NewRecorder()
					d.ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						t.Errorf("another client: %d %s", w.Code, w.Body)
					}
				}()
				synctest.Wait()
				if in.Bodies.Refused() != busy.Load() {
					t.Errorf("%d refusals counted of %d", in.Bodies.Refused(), busy.Load())
				}
				close(over)
				time.Sleep(time.Minute)
				if n := in.Bodies.Used(); n != 0 {
					t.Errorf("%d bytes charged at the end", n)
				}
			})
		})
	}
}

// TestOneLargeBodyPasses accepts the largest body that there may be, which is more than the share of a
// client, and keeps a second one out for so long.
func TestOneLargeBodyPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newIntake()
		over := make(chan struct{})
		now := func() time.Time { return testNow }
		d, err := decode.New(decode.Options{
			Apps: directory{plainApp}, Journal: stuck{release: over}, Pictures: null{}, Now: now, Outcomes: outcome.NewCounter(now),
			Healthy: func() (time.Duration, bool) { return 0, true }, Intake: in,
		})
		if err != nil {
			t.Fatal(err)
		}
		codes := make(chan int, 2)
		for range 2 {
			go func() {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/i", strings.NewReader("app_key=K&device_id=D&x="+strings.Repeat("a", 19<<20)))
				w := httptest.NewRecorder()
				d.ServeHTTP(w, r)
				codes <- w.Code
			}()
		}
		if code := <-codes; code != http.StatusServiceUnavailable {
			t.Errorf("the second one: %d, want 503", code)
		}
		close(over)
		if code := <-codes; code != http.StatusOK {
			t.Errorf("the first one: %d, want 200", code)
		}
		if in.Bodies.Used() != 0 {
			t.Errorf("%d bytes charged at the end", in.Bodies.Used())
		}
	})
}

// TestUnknownParametersAreNotKept sends parameters that ingestion does not know, beside others.
func TestUnknownParametersAreNotKept(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, path, body, want string }{
		{"one request", "/i", "app_key=K&junk=" + strings.Repeat("x", 1000) + "&device_id=D&events=[]&a[b]=c&method=ab", "app_key=K device_id=D events=[] method=ab"},
		{"JSON", "/i", `{"app_key":"K","device_id":"D","junk":{"x":[1]},"rr":3}`, "app_key=K device_id=D rr:3"},
		{"bulk", "/i/bulk", `[{"app_key":"K","device_id":"D","junk":"x","hour":3}]`, "app_key=K device_id=D hour:3"},
	} {
		s, now := &sink{}, func() time.Time { return testNow }
		d, err := decode.New(decode.Options{
			Apps: directory{plainApp}, Journal: s, Pictures: s, Now: now, Outcomes: outcome.NewCounter(now), Healthy: s.healthy, Intake: newIntake(),
		})
		if err != nil {
			t.Fatal(err)
		}
		w := do(d, http.MethodPost, tt.path, "", tt.body)
		if w.Code != http.StatusOK || len(s.records) != 1 || show(s.records[0]) != tt.want {
			t.Errorf("%s: %d %s, %d records, want %s", tt.name, w.Code, w.Body, len(s.records), tt.want)
			for _, r := range s.records {
				t.Log(show(r))
			}
		}
	}
}
