package api_test

import (
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/params"
)

// An answer is compressed when nothing secret can be learnt from its length.
func TestAnswersAreCompressedWhereThatIsSafe(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("sessions ", 500)
	routes := api.NewRoutes()
	g := routes.For("test")
	reply := func(text string) func(context.Context, api.Caller, api.None) (api.Result, error) {
		return func(context.Context, api.Caller, api.None) (api.Result, error) { return api.Result{Result: text}, nil }
	}
	api.Handle(g, "/o/long", api.Authenticated(), reply(long))
	api.Handle(g, "/o/short", api.Authenticated(), reply("short"))
	api.Handle(g, "/o/key", api.Authenticated().Confidential(), reply(long))
	api.Handle(g, "/o/write", api.Authenticated().Writing(), reply(long))
	api.Handle(g, "/i/write", api.Authenticated(), reply(long))
	client := func(*http.Request) netip.Addr { return netip.Addr{} }
	in := intake.New(intake.Options{Governor: memory.New(memory.Split(256<<20), slog.New(slog.DiscardHandler), time.Now), Now: time.Now, Client: client})
	srv := api.NewServer(routes, api.Options{
		Intake: in, Auth: keys{"root": {GlobalAdmin: true}}, Apps: directory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Limits: params.Limits{Body: 1 << 16, Params: 50}, Client: client,
		Cookie: "sid", Bus: hook.NewBus(),
	})
	for name, tt := range map[string]struct {
		path, accept, site string
		cookie             bool
		want               string
	}{
		"a script with a key":          {"/o/long", "gzip", "", false, "gzip"},
		"a script that takes none":     {"/o/long", "", "", false, ""},
		"a script that refuses it":     {"/o/long", "gzip;q=0, br", "", false, ""},
		"brotli only":                  {"/o/long", "br", "", false, ""},
		"anything":                     {"/o/long", "*", "", false, "gzip"},
		"too short to pay":             {"/o/short", "gzip", "", false, ""},
		"our page":                     {"/o/long", "gzip, br", "same-origin", true, "gzip"},
		"a page elsewhere":             {"/o/long", "gzip", "cross-site", true, ""},
		"a page beside us":             {"/o/long", "gzip", "same-site", true, ""},
		"a browser that does not tell": {"/o/long", "gzip", "", true, ""},
		"credentials":                  {"/o/key", "gzip", "same-origin", true, ""},
		"credentials, with a key":      {"/o/key", "gzip", "", false, ""},
		"a write":                      {"/o/write", "gzip", "same-origin", true, ""},
		"a write below /i":             {"/i/write", "gzip", "", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, tt.path, nil)
			if tt.cookie {
				r.AddCookie(&http.Cookie{Name: "sid", Value: "root"})
			} else {
				r.URL.RawQuery = "api_key=root"
			}
			r.Header.Set("Accept-Encoding", tt.accept)
			r.Header.Set("Sec-Fetch-Site", tt.site)
			w := httptest.NewRecorder()
			srv.ServeHTTP(w, r)
			if got := w.Header().Get("Content-Encoding"); w.Code != http.StatusOK || got != tt.want {
				t.Fatalf("got %d, encoding %q, want %q", w.Code, got, tt.want)
			}
			if tt.want == "" {
				return
			}
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(z)
			if err != nil || !strings.Contains(string(body), long) {
				t.Errorf("unpacked to %d bytes, %v", len(body), err)
			}
			if w.Header().Get("Vary") != "Accept-Encoding" {
				t.Error("caches are not told that the answer varies")
			}
		})
	}
}
