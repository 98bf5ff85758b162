package wiretest_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// listPage is a page of a list that is read with a cursor.
type listPage struct {
	Total   int               `json:"iTotalRecords"`
	Display int               `json:"iTotalDisplayRecords"`
	Rows    []json.RawMessage `json:"aaData"`
	Next    *string           `json:"nextCursor"`
}

// pager reads a list with cursors.
type pager struct {
	s    *testkit.Server
	r    route
	base []string
}

func (p pager) get(t *testing.T, pairs ...string) listPage {
	t.Helper()
	got := p.s.Post(p.r.path, slices.Concat(p.base, pairs)...)
	var out listPage
	testkit.Decode(t, got.Body, &out)
	if got.Status != http.StatusOK || out.Rows == nil {
		t.Fatalf("%v: %d %.400s", pairs, got.Status, got.Body)
	}
	return out
}

// names are what tells rows apart.
func (p pager) names(t *testing.T, rows []json.RawMessage) (out []string) {
	t.Helper()
	for _, row := range rows {
		var named struct {
			ID   json.RawMessage `json:"_id"`
			Name json.RawMessage `json:"name"`
		}
		testkit.Decode(t, string(row), &named)
		text := string(row)
		if len(named.ID) > 0 {
			text = string(named.ID)
		} else if len(named.Name) > 0 {
			text = string(named.Name)
		}
		out = append(out, text)
	}
	return out
}

// walk reads the list to its end, some rows at a time, and calls between before each page but the first.
func (p pager) walk(t *testing.T, length int, between func(page int), pairs ...string) (names []string) {
	t.Helper()
	cursor := "start"
	for n := 0; ; n++ {
		if n > 0 && between != nil {
			between(n)
		}
		got := p.get(t, append(pairs, "cursor", cursor, "iDisplayLength", strconv.Itoa(length))...)
		if len(got.Rows) > length || len(got.Rows) == 0 && got.Display > 0 || n > 200 {
			t.Fatalf("page %d has %d rows, of %d", n, len(got.Rows), got.Display)
		}
		names = append(names, p.names(t, got.Rows)...)
		if got.Next == nil {
			return names
		}
		cursor = *got.Next
	}
}

// TestWalkCursors walks all lists: each is read with cursors, to its end, and then has the rows that it has at once, also while rows are
// added. Cursors of other lists, callers and parameters are refused, and so is what no list gave.
func TestWalkCursors(t *testing.T) {
	t.Parallel()
	documented, err := os.ReadFile("../../docs/reference/lists.md")
	if err != nil {
		t.Fatal(err)
	}
	known := lists()
	for _, r := range routes(t) {
		if !r.list {
			continue
		}
		l := known[r.name()]
		if !strings.Contains(string(documented), "`"+r.name()) {
			t.Errorf("docs/reference/lists.md does not have %s", r.name())
		}
		t.Run(strings.Trim(strings.ReplaceAll(r.name(), "/", "_"), "_"), func(t *testing.T) {
			t.Parallel()
			cursors(t, r, l)
		})
	}
}

func cursors(t *testing.T, r route, l list) {
	t.Helper()
	s := server(t)
	a := s.CreateApp("App", "UTC")
	key := []string{"api_key", s.Key}
	switch {
	case l.fill != nil:
		l.fill(t, s, a, 0)
	case r.path == "/o/users/sessions":
		key = sessionsOf(t, s)
	}
	p := pager{s, r, slices.Concat(key, []string{"app_id", a.ID}, environmentOf(a, l.pairs))}
	if r.method != "" {
		p.base = append(p.base, "method", r.method)
	}
	whole := p.get(t, "sEcho", "1", "iDisplayLength", "-1")
	all := p.names(t, whole.Rows)
	if len(all) < l.least {
		t.Fatalf("%d rows, want at least %d", len(all), l.least)
	}
	for _, length := range []int{1, 2, 1000} {
		if got := p.walk(t, length, nil); !slices.Equal(got, all) {
			t.Errorf("by pages of %d: %q, at once %q", length, got, all)
		}
	}
	for _, forged := range []string{"x", "1x", "c1.", "c1.e30.", "c1.e30.00", "c1." + base64.RawURLEncoding.EncodeToString([]byte(`{"o":-1}`)) + "." + strings.Repeat("0", 64), "\x00", `{"$gt":""}`, "[]", strings.Repeat("9", 5000) + "x"} {
		refused(t, s.Post(r.path, slices.Concat(p.base, []string{"cursor", forged})...), forged)
	}
	first := p.get(t, "cursor", "start", "iDisplayLength", "1")
	if len(all) < 2 {
		return
	}
	next := *first.Next
	refused(t, s.Post(r.path, slices.Concat(p.base, []string{"cursor", next[:len(next)-1] + "g"})...), "changed signature")
	refused(t, s.Post(r.path, slices.Concat(p.base, []string{"cursor", "c1.A" + next[3:]})...), "changed place")
	refused(t, s.Post(r.path, slices.Concat(p.base, []string{"cursor", next, "sSearch", "another"})...), "other search")
	refused(t, s.Post(r.path, slices.Concat(p.base, []string{"cursor", next, "sSortDir_0", "asc"})...), "other order")
	other := "/o/apps/all"
	if r.path == other {
		other = "/o/apps/mine"
	}
	refused(t, s.Post(other, "api_key", s.Key, "app_id", a.ID, "cursor", next), "of another list")
	if l.fill == nil {
		return
	}
	createMember(t, s, "another", map[string]any{"global_admin": true})
	refused(t, s.Post(r.path, slices.Concat([]string{"api_key", s.APIKey("another", password)}, p.base[2:], []string{"cursor", next})...), "of another member")

	// Rows that come while the list is read neither repeat nor hide those that were there.
	before := p.names(t, p.get(t, "sEcho", "1", "iDisplayLength", "-1").Rows)
	got := p.walk(t, 1, func(page int) {
		if page == 1 || page == 2 {
			l.fill(t, s, a, page*rowsEach)
		}
	})
	seen := map[string]int{}
	for _, name := range got {
		if seen[name]++; seen[name] > 1 && slices.Index(before, name) >= 0 {
			t.Errorf("%s comes twice", name)
		}
	}
	after := p.names(t, p.get(t, "sEcho", "1", "iDisplayLength", "-1").Rows)
	for _, name := range before {
		if seen[name] == 0 && slices.Contains(after, name) {
			t.Errorf("%s is left out; read %q", name, got)
		}
	}
}

func refused(t *testing.T, got testkit.Response, what string) {
	t.Helper()
	if got.Status != http.StatusBadRequest || got.Header.Get("Quipu-Error") != "request.bad_cursor" {
		t.Errorf("cursor %.40q: %d %s %.200s", what, got.Status, got.Header.Get("Quipu-Error"), got.Body)
	}
}
