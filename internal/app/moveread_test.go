package app

import (
	"context"
	"net/http"
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
		alike    bool
	}{
		"the same":       {answers(200, `{"a":[0.1,{"lu":1}]}`), answers(200, `{"a":[0.1000000000001,{"lu":7}]}`), true},
		"a number":       {answers(200, `{"a":1}`), answers(200, `{"a":2}`), false},
		"a member":       {answers(200, `{"a":1}`), answers(200, `{"a":1,"b":0}`), false},
		"a status":       {answers(200, `{}`), answers(201, `{}`), false},
		"both fail":      {answers(http.StatusBadRequest, `{}`), answers(http.StatusBadRequest, `{}`), false},
		"both are short": {answers(http.StatusServiceUnavailable, ``), answers(http.StatusServiceUnavailable, ``), false},
	} {
		n, compared, differences, err := compareReports(t.Context(), apps, time.Hour, time.Now, tt.one, tt.two)
		if err != nil || compared != len(apps) || n != len(apps)*len(reportsOf(apps[0])) {
			t.Fatalf("%s: %d reports of %d apps, %v", what, n, compared, err)
		}
		if tt.alike != (len(differences) == 0) || !tt.alike && len(differences) != n {
			t.Errorf("%s: %d differences of %d reports", what, len(differences), n)
		}
	}
}
