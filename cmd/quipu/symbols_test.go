package main

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestSymbolsUpload runs scripts that upload to a server with an app whose key is "k1".
func TestSymbolsUpload(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "data"), admin...)
	_, key := p.get("/api-key", nil)
	status, made := p.get("/i/apps/create", url.Values{"api_key": {key}, "args": {`{"name":"a","key":"k1"}`}})
	if status != http.StatusOK {
		t.Fatalf("create app: %d %s", status, made)
	}
	id := made[strings.Index(made, `"_id":"`)+7:][:24]
	_, token := p.get("/i/token/create", url.Values{"api_key": {key}, "purpose": {"uploads"}, "multi": {"true"}, "ttl": {"3600"}})
	token, _, _ = strings.Cut(strings.TrimPrefix(token, `{"result":"`), `"`)
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{Dir: "testdata/symbols", Setup: func(e *testscript.Env) error {
			e.Setenv("QUIPU_SERVER", p.url)
			e.Setenv("APP", id)
			e.Setenv("TOKEN", token)
			return nil
		}})
	})
	_, list := p.get("/o", url.Values{"method": {"crash_symbols"}, "api_key": {key}, "app_id": {id}})
	for _, want := range []string{`"build":["2.4.0","b1f9"]`, `"filename":"mapping.txt.gz"`, `"filename":"symbols.zip"`, `"note":"nightly"`, `"sym_tool_ver":"quipu `} {
		if !strings.Contains(list, want) {
			t.Errorf("no %s in %s", want, list)
		}
	}
	if n := strings.Count(list, `"_id"`); n != 4 {
		t.Errorf("%d symbols: %s", n, list)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
