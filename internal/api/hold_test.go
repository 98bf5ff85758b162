package api_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/params"
)

// holding returns a server behind its gates, whose /o/stay answers when over is closed, /o/large with 1 MB, /o/most with all that a read
// of a batch may, and others with what they were sent.
func holding(over <-chan struct{}) (http.Handler, *intake.Intake) {
	routes := api.NewRoutes()
	g := routes.For("test")
	api.Handle(g, "/o/stay", api.Authenticated(), func(context.Context, api.Caller, api.None) (api.Result, error) {
		<-over
		return api.Success(), nil
	})
	api.Handle(g, "/o/most", api.Authenticated(), func(context.Context, api.Caller, api.None) (string, error) { return strings.Repeat("x", 1<<20-2), nil })
	api.HandleBatch(g, "/o/batch")
	api.Handle(g, "/o/large", api.Authenticated(), func(context.Context, api.Caller, api.None) (string, error) { return strings.Repeat("x", 1<<20), nil })
	size := func(_ context.Context, c api.Caller, _ api.None) (int, error) { return len(c.Params.Text("x")), nil }
	api.Handle(g, "/i/size", api.Authenticated(), size)
	api.Handle(g, "/o/size", api.Public(), size)
	api.Handle(g, "/i/upload", api.Authenticated().Uploading(), size)
	client := func(r *http.Request) netip.Addr { return netip.MustParseAddrPort(r.RemoteAddr).Addr() }
	in := intake.New(intake.Options{Governor: memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler), time.Now), Now: time.Now, Client: client})
	return in.Handler(api.NewServer(routes, api.Options{
		Auth: keys{"root": {ID: model.ID{1}, GlobalAdmin: true}, "other": {ID: model.ID{2}, GlobalAdmin: true}, "sid": {ID: model.ID{3}}}, Apps: directory{}, Log: slog.New(slog.DiscardHandler),
		Now: time.Now, Limits: params.Limits{Body: 1 << 20, Params: 50}, Client: client, Cookie: "sid", Bus: hook.NewBus(), Intake: in,
	}), func(string) bool { return false }), in
}

// TestBodiesOfTheUnknown sends bodies with credentials in several places.
func TestBodiesOfTheUnknown(t *testing.T) {
	h, in := holding(nil)
	const tooLarge = `{"result":"Request is too large: send more than 64 kB with credentials in the address or in a header"}`
	multi := "multipart/form-data; boundary=q"
	part := func(name string, n int) string {
		return "--q\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + strings.Repeat("x", n) + "\r\n--q--\r\n"
	}
	for _, tt := range []struct {
		name, target, cookie, ctype, body string
		status                            int
		want                              string
	}{
		{"nobody, large", "/i/size", "", "", "x=" + strings.Repeat("x", 70_000), 413, tooLarge},
		{"nobody, large, to a public route", "/o/size", "", "", "x=" + strings.Repeat("x", 70_000), 413, tooLarge},
		{"nobody, small, to a public route", "/o/size", "", "", "x=" + strings.Repeat("x", 60_000), 200, "60000"},
		{"wrong key", "/i/size?api_key=wrong", "", "", "x=" + strings.Repeat("x", 70_000), 413, tooLarge},
		{"key in a large body", "/i/size", "", "", "api_key=root&x=" + strings.Repeat("x", 70_000), 413, tooLarge},
		{"key in a small body", "/i/size", "", "", "api_key=root&x=" + strings.Repeat("x", 60_000), 200, "60000"},
		{"key in the address", "/i/size?api_key=root", "", "", "x=" + strings.Repeat("x", 70_000), 200, "70000"},
		{"cookie", "/i/size", "sid", "", "x=" + strings.Repeat("x", 70_000), 200, "70000"},
		{"nobody, multipart", "/i/size", "", multi, part("x", 70_000), 413, tooLarge},
		{"multipart with a key in the address", "/i/size?api_key=root", "", multi, part("x", 70_000), 200, "70000"},
		{"nobody, upload", "/i/upload", "", multi, part("x", 70_000), 400, `{"result":"Missing parameter \"api_key\" or \"auth_token\""}`},
		{"upload with a key in the form", "/i/upload", "", multi, "--q\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\nroot\r\n" + part("x", 70_000), 200, "70000"},
		{"upload, more than anyone may", "/i/upload", "", multi, part("x", 1<<20), 413, `{"result":"Request is too large"}`},
		{"more than anyone may", "/i/size?api_key=root", "", "", "x=" + strings.Repeat("x", 1<<20), 413, `{"result":"Request is too large"}`},
		{"more than anyone may, multipart", "/i/size?api_key=root", "", multi, part("x", 1<<20), 413, `{"result":"Request is too large"}`},
	} {
		for _, chunked := range []bool{false, true} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, tt.target, strings.NewReader(tt.body))
			if chunked {
				r.ContentLength = -1
			}
			r.Header.Set("Content-Type", tt.ctype)
			r.AddCookie(&http.Cookie{Name: "sid", Value: tt.cookie})
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.status || w.Body.String() != tt.want {
				t.Errorf("%s (chunked %v): %d %s, want %d %s", tt.name, chunked, w.Code, w.Body, tt.status, tt.want)
			}
			if in.Bodies.Used() != 0 {
				t.Errorf("%s: %d bytes charged at the end", tt.name, in.Bodies.Used())
			}
		}
	}
}

func read(ctx context.Context, h http.Handler, target string, w http.ResponseWriter) {
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, target, nil))
}

// TestPlacesAreForMembers has one member read as much as it may. Its next read waits and is turned away; another
// member reads, and so does nobody who has no credentials.
func TestPlacesAreForMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		h, in := holding(over)
		var done atomic.Int64
		for range 24 {
			go func() {
				w := httptest.NewRecorder()
				read(t.Context(), h, "/o/stay?api_key=root", w)
				done.Add(int64(w.Code))
			}()
		}
		synctest.Wait()
		for _, tt := range []struct {
			target string
			status int
			after  time.Duration
		}{
			{"/o/stay", 400, 0},
			{"/o/stay?api_key=wrong", 401, 0},
			{"/o/large?api_key=other", 200, 0},
			{"/i/size?api_key=root", 200, 0},
			{"/o/large?api_key=root", 503, 10 * time.Second},
		} {
			began, w := time.Now(), httptest.NewRecorder()
			read(t.Context(), h, tt.target, w)
			if took := time.Since(began); w.Code != tt.status || took != tt.after || w.Code == 503 && w.Header().Get("Retry-After") != "5" {
				t.Errorf("%s: %d %v after %v, want %d after %v", tt.target, w.Code, w.Header(), took, tt.status, tt.after)
			}
		}
		if in.Reads.Used() != 24 || in.Reads.Refused() != 1 {
			t.Errorf("%d read, %d refused", in.Reads.Used(), in.Reads.Refused())
		}
		close(over)
		synctest.Wait()
		if in.Reads.Used() != 0 || done.Load() != 24*200 {
			t.Errorf("%d read at the end, sum of statuses %d", in.Reads.Used(), done.Load())
		}
	})
}

// deaf is a client that does not read.
type deaf struct {
	*httptest.ResponseRecorder
	until <-chan struct{}
}

func (d deaf) Write(p []byte) (int, error) {
	if d.Code == http.StatusOK {
		<-d.until
		return 0, io.ErrClosedPipe
	}
	return d.ResponseRecorder.Write(p)
}

// TestAnswersThatNobodyReads has a member not read its answers. They are charged up to its share, and hold no place.
func TestAnswersThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		h, in := holding(over)
		var busy atomic.Int64
		for range 100 {
			go func() {
				w := deaf{httptest.NewRecorder(), over}
				read(t.Context(), h, "/o/large?api_key=root", w)
				if w.Code == http.StatusServiceUnavailable {
					busy.Add(1)
				}
			}()
		}
		time.Sleep(5 * time.Minute)
		if used := in.Answers.Used(); used > in.Answers.Size/2 || used < in.Answers.Size/3 || busy.Load() < 80 || in.Reads.Used() != 0 {
			t.Errorf("%d of %d bytes charged, %d refused, %d places taken", used, in.Answers.Size, busy.Load(), in.Reads.Used())
		}
		w := httptest.NewRecorder()
		read(t.Context(), h, "/o/large?api_key=other", w)
		if w.Code != http.StatusOK {
			t.Errorf("another member: %d", w.Code)
		}
		close(over)
		synctest.Wait()
		if in.Answers.Used() != 0 {
			t.Errorf("%d bytes charged at the end", in.Answers.Used())
		}
	})
}

// stalledWriter takes an answer when over is closed.
type stalledWriter struct {
	*httptest.ResponseRecorder
	began chan struct{}
	over  <-chan struct{}
}

// Write implements http.ResponseWriter.
func (w stalledWriter) Write(p []byte) (int, error) {
	close(w.began)
	<-w.over
	return w.ResponseRecorder.Write(p)
}

// TestBatchesHold has batches of large answers whose clients stall: what they hold is charged, and reads whose answers have no room say so.
func TestBatchesHold(t *testing.T) {
	t.Parallel()
	h, in := holding(nil)
	requests := url.QueryEscape(`["/o/most"` + strings.Repeat(`,"/o/most"`, 15) + `]`)
	batch := func(key string, w http.ResponseWriter) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/o/batch?api_key="+key+"&requests="+requests, nil)
		h.ServeHTTP(w, r)
	}
	statuses := func(w *httptest.ResponseRecorder) (ok, refused int) {
		t.Helper()
		var answers []struct {
			Status int
			Error  string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answers); err != nil || len(answers) != 16 {
			t.Fatalf("%d answers: %v", len(answers), err)
		}
		for _, a := range answers {
			switch {
			case a.Status == http.StatusOK && a.Error == "":
				ok++
			case a.Status == http.StatusServiceUnavailable && a.Error == "server.busy":
				refused++
			default:
				t.Errorf("got %+v", a)
			}
		}
		return ok, refused
	}
	over := make(chan struct{})
	stalled := stalledWriter{httptest.NewRecorder(), make(chan struct{}), over}
	var all sync.WaitGroup
	all.Go(func() { batch("root", stalled) })
	<-stalled.began
	if used, half := in.Answers.Used(), in.Answers.Size/2; used != half {
		t.Errorf("a stalled batch holds %d bytes, want %d: half of all", used, half)
	}
	other := httptest.NewRecorder()
	batch("other", other)
	if ok, refused := statuses(other); ok != 4 || refused != 12 {
		t.Errorf("beside a stalled batch: %d answers, %d refused, want 4 and 12: half of what is left", ok, refused)
	}
	close(over)
	all.Wait()
	if ok, refused := statuses(stalled.ResponseRecorder); ok != 8 || refused != 8 {
		t.Errorf("%d answers, %d refused, want 8 of each", ok, refused)
	}
	if used := in.Answers.Used(); used != 0 {
		t.Errorf("afterwards %d bytes are held", used)
	}
}
