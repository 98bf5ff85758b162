package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
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
		"a member":       {answers(200, `{"a":1}`), answers(200, `{"a":1,"b":0}`), ".{key 2 of 2}: missing on this server"},
		"no member":      {answers(200, `{"a":1,"b":0}`), answers(200, `{"a":1}`), ".{key 2 of 2}: missing in the cluster"},
		"a sent key":     {answers(200, `{"t":{"Ann":{"u":1},"x":0}}`), answers(200, `{"t":{"Ann":{"u":2},"x":0}}`), ".t.{key 1 of 2}.u: another number"},
		"of users":       {answers(200, `{"aaData":[{"cc":"DE","chr":{"c1":{"in":"true"}}}]}`), answers(200, `{"aaData":[{"cc":"DE"}]}`), ".aaData[0].chr: missing in the cluster"},
		"a status":       {answers(200, `{}`), answers(201, `{}`), "status 200 with 2 bytes on this server, 201 with 2 in the cluster"},
		"both fail":      {answers(http.StatusBadRequest, `{}`), answers(http.StatusBadRequest, `{}`), "status 400 with 2 bytes on this server, 400 with 2 in the cluster"},
		"both are short": {answers(http.StatusServiceUnavailable, ``), answers(http.StatusServiceUnavailable, ``), "status 503 with 0 bytes on this server, 503 with 0 in the cluster"},
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

// TestReportsSettle has a side whose answers are behind for a while.
func TestReportsSettle(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		behind, within time.Duration
		differ         bool
		apps           int // that are compared
	}{
		"soon":                      {2500 * time.Millisecond, time.Hour, false, 2},
		"just in time":              {reportsSettle - time.Second, time.Hour, false, 2},
		"too late":                  {time.Hour, time.Hour, true, 2},
		"too late for the next app": {time.Hour, 10 * time.Second, true, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			answer := func(body string) (moveAnswer, error) { return moveAnswer{http.StatusOK, []byte(body)}, nil }
			late := func(context.Context, moveRead) (moveAnswer, error) {
				if time.Since(began) < tt.behind {
					return answer(`{"a":1}`)
				}
				return answer(`{"a":2}`)
			}
			now := func(context.Context, moveRead) (moveAnswer, error) { return answer(`{"a":2}`) }
			n, compared, differences, err := compareReports(t.Context(), []model.AppID{{1}, {2}}, tt.within, reportsSettle, time.Now, now, late)
			if err != nil || compared != tt.apps || tt.differ && len(differences) != n || !tt.differ && len(differences) > 0 {
				t.Errorf("%s: %d of %d reports of %d apps differ, %v", what, len(differences), n, compared, err)
			}
			if took := time.Since(began); took > reportsSettle || tt.differ && took != reportsSettle {
				t.Errorf("%s: it took %v", what, took)
			}
		})
	}
}
