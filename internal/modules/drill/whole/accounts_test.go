// Package whole_test has the tests of the module in a whole server. They stand apart from those that see inside the package: with one of
// these in its own folder, the server, which imports the package, is compiled once more.
package whole_test

import (
	"net/http"
	"testing"

	"quipu/internal/testkit"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	drill, users := member(t, s, a, "drill", "r:drill"), member(t, s, a, "users", "r:drill", "r:users")
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"users", []string{"count_by", "users"}, `{"u":2,"t":5,"s":5,"dur":3}`},
		{"sessions", []string{"count_by", "sessions"}, `{"u":2,"t":5,"s":5,"dur":3}`},
		{"a property", []string{"count_by", "sg.what", "measures", `[{"fn":"users"},{"fn":"per_user"},{"fn":"ratio","of":{"fn":"users"},"to":{"fn":"users","event":"sell"}}]`}, `{"u":2,"t":5,"s":5,"dur":3,"m":[2,2.5,null]}`},
		{"one of users", []string{"count_by", "custom.plan"}, `{"u":1,"t":5,"s":5,"dur":3}`},
		{"one that nobody sent", []string{"count_by", "sg.'; DROP TABLE events; --"}, `{"u":0,"t":5,"s":5,"dur":3}`},
	} {
		if got := part(t, query(s, a, tt.pairs...), "totals"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	ask := func(key string, pairs ...string) testkit.Response {
		return query(s, a, append([]string{"method", "segmentation_users", "api_key", key}, pairs...)...)
	}
	tea, milk := `{"account":"tea","users":2,"t":3,"last":1936517400000}`, `{"account":"milk","users":1,"t":1,"last":1936517400000}`
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"accounts", []string{"count_by", "sg.what"}, `{"total":2,"users":[],"accounts":[` + tea + `,` + milk + `]}`},
		{"a page", []string{"count_by", "sg.what", "skip", "1"}, `{"total":2,"users":[],"accounts":[` + milk + `]}`},
		{"a group", []string{"count_by", "custom.plan", "projectionKey", "sg.what", "groups", `[["tea"]]`}, `{"total":1,"users":[],"accounts":[{"account":"pro","users":1,"t":2,"last":1936517400000}]}`},
		{"none", []string{"count_by", "sg.none"}, `{"total":0,"users":[]}`},
	} {
		if got := ask(users.Key, tt.pairs...); got.Body != tt.want {
			t.Errorf("%s: %d %s, want %s", tt.name, got.Status, got.Body, tt.want)
		}
	}
	for _, by := range []string{"what", "uid", "sg.", "chr", "$where"} {
		if got := query(s, a, "count_by", by); got.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", by, got.Status, got.Body)
		}
	}
	for _, key := range []string{drill.Key} { // who somebody is, and the accounts behind a figure, are for those who may read users
		if got := query(s, a, "api_key", key, "count_by", "up.email"); got.Status != http.StatusForbidden && got.Status != http.StatusUnauthorized {
			t.Errorf("by e-mail: %d %s", got.Status, got.Body)
		}
		if got := ask(key, "count_by", "sg.what"); got.Status != http.StatusForbidden && got.Status != http.StatusUnauthorized {
			t.Errorf("accounts: %d %s", got.Status, got.Body)
		}
	}
}
