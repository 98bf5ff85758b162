package crashes_test

import (
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestRows asks the rows of crashes as other features ask any rows: as an event that is broken down and filtered, and as the step of a funnel.
// An erased user leaves the counters.
func TestRows(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.begin("a", "Android", "1.0")
	k.crash("a", "E: one\nat x", "Android", "1.0", "")
	k.begin("b", "Android", "1.0")
	k.crash("b", "E: one\nat x", "Android", "2.0", `,"_nonfatal":true`)
	k.crash("b", "E: one\nat x", "Android", "2.0", `,"_nonfatal":true`)
	k.begin("c", "Android", "1.0")
	k.s.Flush()

	var broken struct {
		Totals   struct{ T, U int }
		Segments map[string]struct {
			T, U int
			Keys map[string]string
		}
	}
	testkit.Decode(t, k.s.Admin("/o", "method", "segmentation", "app_id", k.a.ID, "event", "[CLY]_crash", "queryObject", `{"sg.nonfatal":"true"}`,
		"period", "7days", "bucket", "daily", "projectionKey", `["sg.app_version"]`), &broken)
	k.same("crashes that did not end the app", []int{broken.Totals.T, broken.Totals.U}, []int{2, 1})
	versions := map[string]int{}
	for _, s := range broken.Segments {
		versions[s.Keys["sg.app_version"]] = s.T
	}
	k.same("by version", versions, map[string]int{"2.0": 2})

	var made struct{ Result string }
	testkit.Decode(t, k.s.Admin("/i/funnels/add", "app_id", k.a.ID, "funnel_name", "into the crash", "steps", `["[CLY]_session","[CLY]_crash"]`), &made)
	var funnel struct {
		Entered int `json:"users_in_first_step"`
		Success int `json:"success_users"`
	}
	testkit.Decode(t, k.s.Admin("/o", "method", "funnel", "app_id", k.a.ID, "funnel", made.Result, "period", "30days"), &funnel)
	k.same("funnel", []int{funnel.Entered, funnel.Success}, []int{3, 2})

	group := k.rows("query", `{"nonfatal":true}`)[0]["_id"].(string)
	testkit.Decode(t, k.s.Admin("/i/app_users/delete", "app_id", k.a.ID, "query", `{"did":"b"}`), &made)
	k.s.Flush()
	k.same("groups of the erased", len(k.rows("query", `{"_id":"`+group+`"}`)), 0)
	k.same("users left", k.graph()["users"], `{"total":2,"affected":1,"fatal":1,"nonfatal":0}`)
}

// TestRebuild makes the cells again from rows: the course counts what it counted before.
func TestRebuild(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, user := range []string{"a", "b", "c"} {
		k.begin(user, "Android", "1.0")
		k.crash(user, "E: one\nat x", "Android", "1.0", "")
		k.begin(user, "Android", "1.1")
		k.crash(user, "E: two\nat y", "iOS", "1.1", `,"_nonfatal":true`)
		k.begin(user, "Android", "1.1")
	}
	k.s.Flush()
	whole, filtered := k.day(), k.day("os", "Android", "app_version", "1:1")
	k.same("before", whole, `{"cr_s":9,"cr_u":3,"crf":3,"crnf":3,"cruf":1,"crunf":1,"crfses":3,"crnfses":3,"crauf":3,"craunf":3}`)
	k.s.Admin("/i/drill/regeneration", "app_id", k.a.ID, "method", "sessions")
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if log := k.s.Admin("/o", "method", "systemlogs", "app_id", k.a.ID, "iDisplayLength", "100"); strings.Contains(log, "session_recalculation_finished") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("cells were not made again in time")
		}
	}
	k.s.Flush()
	k.same("after", k.day(), whole)
	k.same("under a filter", k.day("os", "Android", "app_version", "1:1"), filtered)
	k.verify()
}
