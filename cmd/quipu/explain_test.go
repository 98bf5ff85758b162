package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestExplainScripts runs scripts that explain reads of a server with an app named Shop.
func TestExplainScripts(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "data"), admin...)
	_, key := p.get("/api-key", nil)
	get := func(path string, params url.Values) map[string]any {
		t.Helper()
		params.Set("api_key", key)
		status, body := p.get(path, params)
		var out map[string]any
		if err := json.Unmarshal([]byte(body), &out); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s, %v", path, status, body, err)
		}
		return out
	}
	app := get("/i/apps/create", url.Values{"args": {`{"name":"Shop","key":"k1","timezone":"Europe/Berlin"}`}})
	id, _ := app["_id"].(string)
	chief := get("/i/users/create", url.Values{"args": {`{"full_name":"Chief","username":"chief","password":"Correct-horse-2","email":"chief@example.org","permission":{"_":{"a":["` + id + `"],"u":[]}}}`}})
	if status, body := p.get("/i", url.Values{"app_key": {"k1"}, "device_id": {"d"}, "begin_session": {"1"}, "receipt": {"1"}, "events": {`[{"key":"buy","segmentation":{"plan":"pro"}}]`}}); status != http.StatusOK {
		t.Fatalf("send: %d %s", status, body)
	}
	for get("/o/explore/count", url.Values{"app_id": {id}, "events": {`["buy"]`}})["count"] != 1.0 { // soon
		if t.Context().Err() != nil {
			t.Fatal("the event cannot be read")
		}
	}
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{Dir: "testdata/explain", Setup: func(e *testscript.Env) error {
			e.Setenv("QUIPU_SERVER", p.url)
			e.Setenv("QUIPU_KEY", key)
			e.Setenv("APP_ADMIN", chief["api_key"].(string))
			return nil
		}})
	})
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
