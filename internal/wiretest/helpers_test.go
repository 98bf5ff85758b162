package wiretest_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

// noonMS is noon in milliseconds, as SDKs send it.
var noonMS = strconv.FormatInt(noon.UnixMilli(), 10)

// same compares an answer's status and, as JSON values, its body.
func same(t *testing.T, what string, got testkit.Response, status int, body string) {
	t.Helper()
	if got.Status != status {
		t.Errorf("%s: status %d, want %d: %.300s", what, got.Status, status, got.Body)
		return
	}
	sameJSON(t, what, got.Body, body)
}

// sameJSON compares two JSON texts as values.
func sameJSON(t *testing.T, what, got, want string) {
	t.Helper()
	if d := cmp.Diff(value(t, want), value(t, got)); d != "" {
		t.Errorf("%s (-want +got):\n%s\nthe body is %.600s", what, d, got)
	}
}

// bytes compares an answer byte by byte.
func bytes(t *testing.T, what string, got testkit.Response, status int, body string) {
	t.Helper()
	if got.Status != status || got.Body != body {
		t.Errorf("%s: %d %.600s\nwant %d %s", what, got.Status, got.Body, status, body)
	}
}

// value reads JSON.
func value(tb testing.TB, body string) any {
	tb.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(body))
	if err := d.Decode(&v); err != nil {
		tb.Fatalf("not JSON: %v\n%.300s", err, body)
	}
	return v
}

// dig returns a part of a JSON text: the path's elements are keys and, for
// lists, places. A missing part is nil.
func dig(tb testing.TB, body string, path ...string) any {
	tb.Helper()
	v := value(tb, body)
	for _, name := range path {
		switch part := v.(type) {
		case map[string]any:
			v = part[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(part) {
				return nil
			}
			v = part[i]
		default:
			return nil
		}
	}
	return v
}

// part compares a part of a JSON text with a JSON text; want "" = it is missing.
func part(t *testing.T, what, body, want string, path ...string) {
	t.Helper()
	got := dig(t, body, path...)
	if want == "" {
		if got != nil {
			t.Errorf("%s: %s is %v, want it missing", what, strings.Join(path, "."), got)
		}
		return
	}
	if d := cmp.Diff(value(t, want), got); d != "" {
		t.Errorf("%s: %s (-want +got):\n%s", what, strings.Join(path, "."), d)
	}
}

// method reads /o?method= of an app as the administrator.
func method(s *testkit.Server, a testkit.TestApp, name string, pairs ...string) string {
	return s.Admin("/o", append([]string{"app_id", a.ID, "method", name}, pairs...)...)
}

// send posts an SDK request, accepted or not.
func send(s *testkit.Server, pairs ...string) testkit.Response { return s.Post("/i", pairs...) }

// form is the content type of urlencoded bodies.
var form = []string{"Content-Type", "application/x-www-form-urlencoded"}

// success is the answer of writes.
const success = `{"result":"Success"}`

// done fails the test unless an answer is success.
func done(t *testing.T, what string, r testkit.Response) {
	t.Helper()
	bytes(t, what, r, http.StatusOK, success)
}
