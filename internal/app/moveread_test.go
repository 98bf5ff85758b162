package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/model"
)

// TestCompareReports compares reports that are the same, that differ, and that neither side can give.
func TestCompareReports(t *testing.T) {
	t.Parallel()
	answers := func(status int, body string) func(context.Context, moveRead) (moveAnswer, error) {
		return func(context.Context, moveRead) (moveAnswer, error) { return moveAnswer{status, []byte(body)}, nil }
	}
	apps := []model.AppID{{1}, {2}}
	for what, tt := range map[string]struct {
		one, two func(context.Context, moveRead) (moveAnswer, error)
		differ   string // how each differs
	}{
		"the same":       {answers(200, `{"a":[0.1,{"lu":1}]}`), answers(200, `{"a":[0.1000000000001,{"lu":7}]}`), ""},
		"a number":       {answers(200, `{"dur":1}`), answers(200, `{"dur":2}`), ".dur: another number"},
		"a text":         {answers(200, `{"a":{"b":["x","Ann"]}}`), answers(200, `{"a":{"b":["x","Berta"]}}`), ".{key 1 of 1}.{key 1 of 1}[1]: another text, of 3 bytes and of 5"},
		"a kind":         {answers(200, `{"a":[1]}`), answers(200, `{"a":{}}`), ".{key 1 of 1}: another kind of value"},
		"an element":     {answers(200, `[1]`), answers(200, `[1,2]`), ": 1 elements and 2"},
		"null":           {answers(200, `[null]`), answers(200, `[null]`), ""},
		"a member":       {answers(200, `{"a":1}`), answers(200, `{"a":1,"b":0}`), ".{key 2 of 2}: only now"},
		"no member":      {answers(200, `{"a":1,"b":0}`), answers(200, `{"a":1}`), ".{key 2 of 2}: only before"},
		"a sent key":     {answers(200, `{"t":{"Ann":{"u":1},"x":0}}`), answers(200, `{"t":{"Ann":{"u":2},"x":0}}`), ".t.{key 1 of 2}.u: another number"},
		"of users":       {answers(200, `{"aaData":[{"cc":"DE","chr":{"c1":{"in":"true"}}}]}`), answers(200, `{"aaData":[{"cc":"DE"}]}`), ".aaData[0].chr: only before"},
		"a status":       {answers(200, `{}`), answers(201, `{}`), "status 200 with 2 bytes before and 201 with 2 now"},
		"both fail":      {answers(http.StatusBadRequest, `{}`), answers(http.StatusBadRequest, `{}`), "status 400 with 2 bytes before and 400 with 2 now"},
		"both are short": {answers(http.StatusServiceUnavailable, ``), answers(http.StatusServiceUnavailable, ``), "status 503 with 0 bytes before and 503 with 0 now"},
	} {
		n, compared, differences, err := compareReports(t.Context(), apps, time.Hour, 0, time.Now, tt.one, tt.two)
		if err != nil || compared != len(apps) || n != len(apps)*len(reportsOf(apps[0])) {
			t.Fatalf("%s: %d reports of %d apps, %v", what, n, compared, err)
		}
		if tt.differ == "" && len(differences) > 0 || tt.differ != "" && len(differences) != n {
			t.Errorf("%s: %d differences of %d reports", what, len(differences), n)
		}
		for _, d := range differences {
			if !strings.HasSuffix(d, ": "+tt.differ) {
				t.Errorf("%s: %q does not end with %q", what, d, tt.differ)
			}
		}
	}
}

// TestReportsSettle has a side whose first answers are behind.
func TestReportsSettle(t *testing.T) {
	t.Parallel()
	answer := func(body string) (moveAnswer, error) { return moveAnswer{http.StatusOK, []byte(body)}, nil }
	asked := 0
	late := func(context.Context, moveRead) (moveAnswer, error) {
		if asked++; asked < 3 {
			return answer(`{"a":1}`)
		}
		return answer(`{"a":2}`)
	}
	now := func(context.Context, moveRead) (moveAnswer, error) { return answer(`{"a":2}`) }
	n, compared, differences, err := compareReports(t.Context(), []model.AppID{{1}}, time.Hour, time.Minute, time.Now, now, late)
	if err != nil || compared != 1 || len(differences) > 0 || asked != n+2 {
		t.Errorf("%d reports of %d apps, asked %d times: %q, %v", n, compared, asked, differences, err)
	}
}
