package sdk_test

import (
	"crypto/sha1" // the protocol's older checksum
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

func TestSettings(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	sc := func() string {
		return s.Get("/o/sdk", "method", "sc", "app_key", a.Key, "device_id", "d").Body
	}
	expect := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	const head = `{"v":2,"t":1936517400000,"c":`
	expect("fresh", sc(), head+`{}}`)
	expect("fresh config", s.Admin("/o", "method", "sdk-config", "app_id", a.ID), `{}`)
	expect("fresh enforcement", s.Admin("/o", "method", "sdk-enforcement", "app_id", a.ID), `{}`)

	expect("upload", s.Admin("/o", "method", "config-upload", "app_id", a.ID, "config", `{"v":1,"c":{"sui":30,"bom_rqp":50,"eb":["x"],"nope":1}}`), `{"result":"Success"}`)
	expect("unknown keys are dropped, types stay", s.Admin("/o", "method", "sdk-config", "app_id", a.ID), `{"bom_rqp":50,"eb":["x"],"sui":30}`)
	expect("percent is delivered as a share", sc(), head+`{"bom_rqp":0.5,"eb":["x"],"sui":30}}`)

	expect("parameter", s.Admin("/i/sdk-config/update-parameter", "app_id", a.ID, "parameter", `{"sui":45,"eb":"a,b"}`), `{"result":"Success"}`)
	expect("enforcement", s.Admin("/i/sdk-config/update-enforcement", "app_id", a.ID, "enforcement", `{"bom_rqp":false,"sui":true,"nope":true}`), `{"result":"Success"}`)
	expect("read enforcement", s.Admin("/o", "method", "sdk-enforcement", "app_id", a.ID), `{"bom_rqp":false,"sui":true}`)
	expect("delivered", sc(), head+`{"eb":"a,b","sui":45}}`)

	s.Admin("/i/apps/reset", "args", `{"app_id":"`+a.ID+`","period":"reset"}`)
	expect("after a reset", sc(), head+`{"eb":"a,b","sui":45}}`)
}

func TestRefusals(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	key := []string{"api_key", s.Key}
	for _, c := range []struct {
		path  string
		pairs []string
		body  string
	}{
		{"/o/sdk", nil, `Missing parameter \"app_key\" or \"device_id\"`},
		{"/o/sdk", []string{"app_key", "no", "device_id", "d"}, "App does not exist"},
		{"/o/sdk", []string{"app_key[$ne]", "x", "device_id", "d"}, "App does not exist"},
		{"/o/sdk", []string{"app_key", a.Key, "device_id", "d"}, "Invalid method"},
		{"/o", append([]string{"method", "config-upload", "app_id", a.ID, "config", "{"}, key...), "Invalid config format"},
		{"/o", append([]string{"method", "config-upload", "app_id", a.ID, "config", "[]"}, key...), "Config must be a valid object"},
		{"/i/sdk-config/update-parameter", append([]string{"app_id", a.ID, "parameter", "x"}, key...), "Error parsing parameter"},
		{"/i/sdk-config/update-enforcement", append([]string{"app_id", a.ID, "enforcement", "x"}, key...), "Error parsing enforcement"},
		{"/i/sdk-config/update-enforcement", append([]string{"app_id", a.ID, "enforcement", "{}"}, key...), "Wrong enforcement format"},
		{"/i/sdk-config/update-enforcement", append([]string{"app_id", a.ID}, key...), "Wrong enforcement format"},
		{"/i/sdk-config/update-enforcement", nil, `Missing parameter \"api_key\" or \"auth_token\"`},
		{"/i/sdk-config/update-enforcement", key, `Missing parameter \"app_id\"`},
	} {
		r := s.Get(c.path, c.pairs...)
		if want := `{"result":"` + c.body + `"}`; r.Status != http.StatusBadRequest || r.Body != want {
			t.Errorf("%s %q: %d %s, want 400 %s", c.path, c.pairs, r.Status, r.Body, want)
		}
	}
}

func TestChecksum(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":"pepper"}`)
	raw := "app_key=" + a.Key + "&device_id=d&method=sc"
	one := sha1.Sum([]byte(raw + "pepper"))
	two := sha256.Sum256([]byte(raw + "pepper"))
	for name, c := range map[string]struct{ query, want string }{
		"missing": {raw, `{"result":"Request does not have checksum"}`},
		"wrong":   {raw + "&checksum=00", `{"result":"Request does not match checksum"}`},
		"sha1":    {raw + "&checksum=" + hex.EncodeToString(one[:]), `{"v":2,"t":1936517400000,"c":{}}`},
		"sha256":  {"checksum256=" + strings.ToUpper(hex.EncodeToString(two[:])) + "&" + raw, `{"v":2,"t":1936517400000,"c":{}}`},
	} {
		if r := s.Do(http.MethodGet, "/o/sdk?"+c.query, nil); r.Status != http.StatusOK || r.Body != c.want {
			t.Errorf("%s by GET: %d %s, want 200 %s", name, r.Status, r.Body, c.want)
		}
		r := s.Do(http.MethodPost, "/o/sdk", strings.NewReader(c.query), "Content-Type", "application/x-www-form-urlencoded")
		if r.Status != http.StatusOK || r.Body != c.want {
			t.Errorf("%s by POST: %d %s, want 200 %s", name, r.Status, r.Body, c.want)
		}
	}
	for method, want := range map[string]string{"rc": "{}", "ab_fetch_experiments": "[]", "feedback": `{"result":[]}`} {
		b := s.CreateApp(method, "UTC")
		if r := s.Get("/o/sdk", "method", method, "app_key", b.Key, "device_id", "d"); r.Body != want {
			t.Errorf("method %s: %s, want %s", method, r.Body, want)
		}
	}
}
