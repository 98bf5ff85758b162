package api_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
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

// holding returns a server behind its gates, whose /o/stay answers when over is closed, /o/large with 1 MB, and
// others with what they were sent.
func holding(over <-chan struct{}) (http.Handler, *intake.Intake) {
	routes := api.NewRoutes()
	g := routes.For("test")
	api.Handle(g, "/o/stay", api.Authenticated(), func(context.Context, api.Caller, api.None) (api.Result, error) {
		<-over
		return api.Success(), nil
	})
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
