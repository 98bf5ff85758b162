package explore_test

import (
	"net/http"
	"testing"

	"quipu/internal/store/pgtest"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestExplainCluster has the rows that ClickHouse read for the statements of a read.
func TestExplainCluster(t *testing.T) {
	s := testkit.New(t, testkit.At(start), clustered.NewStores(t).Node())
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	var out explained
	read := "/o/explore/count?" + testkit.Query("app_id", a.ID, "events", `["buy"]`, "query", `{"sg.what":"milk"}`)
	testkit.Decode(t, s.Admin("/o/explain", "read", read), &out)
	if out.Status != http.StatusOK || len(out.Statements) == 0 {
		t.Fatalf("explained %+v", out)
	}
	for _, st := range out.Statements {
		if st.Read < 3 || st.Returned != 1 || st.Seconds <= 0 {
			t.Errorf("statement %+v", st)
		}
	}
}
