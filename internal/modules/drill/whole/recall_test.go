package whole_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// asked is what /o/explain says of a read.
type asked struct {
	Status     int
	Statements []struct {
		Plan, SQL  string
		Remembered bool
	}
}

// TestRecall asks figures, funnels, flows and retention again: nothing is run while nothing changes, and new rows show at once.
func TestRecall(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	explain := func(read string) (ran, remembered int) {
		t.Helper()
		var out asked
		testkit.Decode(t, s.Admin("/o/explain", "read", read), &out)
		if out.Status != 200 {
			t.Fatalf("%s: status %d", read, out.Status)
		}
		for _, st := range out.Statements {
			if st.Remembered {
				remembered++
				if st.SQL != "" || st.Plan == "" {
					t.Errorf("%s: remembered: plan %q, SQL %q", read, st.Plan, st.SQL)
				}
			} else {
				ran++
			}
		}
		return ran, remembered
	}
	var funnel struct{ Result string }
	testkit.Decode(t, s.Admin("/i/funnels/add", "app_id", a.ID, "funnel_name", "f", "steps", `["buy","sell"]`), &funnel)
	ask := func(read string) string {
		t.Helper()
		path, query, _ := strings.Cut(read, "?")
		r := s.Do(http.MethodGet, path+"?api_key="+s.Key+"&"+query, nil)
		if r.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", read, r.Status, r.Body)
		}
		return r.Body
	}
	of := func(pairs ...string) string { return "/o?" + testkit.Query(append(pairs, "app_id", a.ID)...) }
	for name, read := range map[string]string{
		"figures":   of("method", "segmentation", "event", "buy", "queryObject", `{"sg.what":"tea"}`, "period", "7days", "bucket", "daily", "projectionKey", "sg.what"),
		"funnel":    of("method", "funnel", "funnel", funnel.Result, "period", "7days"),
		"flow":      "/o/flows/paths?" + testkit.Query("app_id", a.ID, "start", `{"event":"buy"}`, "period", "7days"),
		"retention": "/o/retention?" + testkit.Query("app_id", a.ID, "start", "buy", "period", "7days"),
		"activity":  "/o/retention/activity?" + testkit.Query("app_id", a.ID, "events", "buy", "period", "7days"),
	} {
		t.Run(name, func(t *testing.T) {
			first := ask(read)
			if ran, remembered := explain(read); ran > 0 || remembered == 0 {
				t.Errorf("asked again: %d statements are run, %d remembered", ran, remembered)
			}
			s.Ingest(b, "otto", "events", `[{"key":"buy"}]`)
			s.Flush()
			if ran, _ := explain(read); ran > 0 {
				t.Errorf("after rows of another app %d statements are run", ran)
			}
			if again := ask(read); again != first {
				t.Errorf("asked again: %s, first %s", again, first)
			}
			quickest := time.Hour
			for range 20 {
				began := time.Now()
				ask(read)
				quickest = min(quickest, time.Since(began))
			}
			if quickest > 20*time.Millisecond { // 1 ms where nothing else runs
				t.Errorf("a remembered answer takes %v", quickest)
			}
			s.Ingest(a, "clara-"+name, "begin_session", "1", "events", `[{"key":"buy","segmentation":{"what":"tea"}},{"key":"sell"}]`)
			s.Flush()
			if now := ask(read); now == first {
				t.Errorf("after new rows: still %s", now)
			}
		})
	}
}
