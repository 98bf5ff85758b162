package chdbtest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/store/events/clickhouse/chdbtest"
)

func TestQuery(t *testing.T) {
	e := chdbtest.Open(t)
	got, err := e.Query(`SELECT 1 + 1, 'a', NULL, 1.5, toInt64(9007199254740993)`)
	if diff := cmp.Diff([][]any{{int64(2), "a", nil, 1.5, int64(9007199254740993)}}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := e.Query(`SELECT nothing`); err == nil {
		t.Error("a bad statement has no error")
	}
}
