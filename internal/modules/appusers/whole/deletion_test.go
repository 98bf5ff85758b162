package whole_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

// cleaning lets what deletions leave be erased after an interval.
func cleaning(every string) func(*app.Config) {
	return func(c *app.Config) { c.Modules = map[string]any{"appusers": map[string]any{"clean_every": every}} }
}

// deleted waits until a number of deletions of an app are finished.
func deleted(t *testing.T, s *testkit.Server, a testkit.TestApp, n int) []erasureRow {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 3000 {
		if list := erasures(t, s, a); len(list) == n {
			return list
		}
		<-tick.C
	}
	t.Fatal("the deletion is not finished")
	return nil
}

// TestDeletionErases deletes a profile as API clients do, and looks for the person in every byte of the data folder.
func TestDeletionErases(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		t.Run(fmt.Sprintf("interrupted %v", interrupted), func(t *testing.T) {
			every := "50ms"
			if interrupted {
				every = "1h" // until the restart
			}
			var cfg *app.Config
			s, dir := exportWorld(t, func(c *app.Config) { cleaning(every)(c); cfg = c })
			a, b := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
			others(s, a)
			person(s, a)
			s.Ingest(b, "d1", "begin_session", "1")
			s.Flush()
			s.Admin("/i/app_users/update", "app_id", a.ID, "query", `{"did":"erase-me-device-0815"}`, "update", `{"$set":{"custom.x":"two heads and three arms"}}`)
			s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{"did":"erase-me-device-0815"}`)
			s.Admin("/o", "app_id", a.ID, "method", "logs")
			var p struct {
				ID  string `json:"_id"`
				UID string `json:"uid"`
			}
			testkit.Decode(t, s.Admin("/o", "app_id", a.ID, "method", "user_details", "did", needles[0]), &p)
			if len(finds(t, dir, p.ID)) == 0 {
				t.Fatal("nothing is found before")
			}
			if got := result(t, s.Admin("/i/app_users/delete", "app_id", a.ID, "query", `{"did":"erase-me-device-0815"}`)); got != "User deleted" {
				t.Fatalf("answer %s", got)
			}
			// What the next request sees.
			if got := s.Admin("/o", "app_id", a.ID, "method", "user_details", "did", needles[0]); got != "{}" {
				t.Errorf("the profile afterwards: %s", got)
			}
			if got := s.Admin("/o/explore/count", "app_id", a.ID, "events", `["Buy"]`, "query", `{"sg.mail":"zaphod@heart-of-gold.example"}`); !strings.HasPrefix(got, `{"count":0,`) {
				t.Errorf("rows afterwards: %s", got)
			}
			if r := s.Get("/i/app_users/delete", "api_key", s.Key, "app_id", a.ID, "query", `{"did":"erase-me-device-0815"}`); r.Status != 400 {
				t.Errorf("deleted again: %d %s", r.Status, r.Body)
			}
			if interrupted {
				if len(finds(t, dir)) == 0 {
					t.Error("all is gone before the time")
				}
				s.Stop()
				cleaning("50ms")(cfg)
				s.Start()
			}
			done := deleted(t, s, a, 1)
			if done[0].Held["events"] == 0 || done[0].Held["profiles"] != 1 || done[0].Done == 0 {
				t.Errorf("deletions %+v", done)
			}
			if found := finds(t, dir, p.ID); len(found) > 0 {
				t.Errorf("found in the folder: %v", found)
			}
			if log := s.Admin("/o", "method", "systemlogs", "app_id", a.ID); !strings.Contains(log, `"app_users_delete"`) || !strings.Contains(log, `"uids":[`+p.UID+`]`) || !strings.Contains(log, `"data_subject_erased"`) {
				t.Errorf("the audit log does not tell of the deletion: %s", log)
			}
			report, err := s.App().Verify(t.Context(), verify.Options{})
			if err != nil || !report.OK() {
				t.Errorf("figures do not fit together: %v %+v", err, report)
			}
			s.Stop()
			if held := inStores(t, dir, a, append([]string{p.ID}, needles...)); len(held) > 0 {
				t.Errorf("found in the stores: %v", held)
			}
		})
	}
}

// TestDeletionBesideErasures deletes profiles while deletions are finished again and again: none is finished before its rows are gone, which would
// count as sent by somebody else, so that texts of theirs would stay known.
func TestDeletionBesideErasures(t *testing.T) {
	s, dir := exportWorld(t, cleaning("1ms"))
	a := s.CreateApp("shop", "UTC")
	others(s, a)
	const n = 30
	var texts []string
	for i := range n {
		did, text := fmt.Sprintf("erased-%d", i), fmt.Sprintf("own phone %d of one person.", i)
		plain := fmt.Sprintf("own word %d of one person", i)
		texts = append(texts, text, strings.ReplaceAll(text, ".", ":"), plain)
		s.Ingest(a, did, "begin_session", "1", "metrics", `{"_os":"Android","_device":"`+text+`"}`)
		s.Ingest(a, did, "events", `[{"key":"Buy","count":1,"segmentation":{"mail":"`+text+`"}},{"key":"Buy","count":1,"segmentation":{"mail":"`+plain+`"}}]`)
	}
	s.Flush()
	for i := range n {
		if got := result(t, s.Admin("/i/app_users/delete", "app_id", a.ID, "query", fmt.Sprintf(`{"did":"erased-%d"}`, i))); got != "User deleted" {
			t.Fatalf("answer %s", got)
		}
	}
	deleted(t, s, a, n)
	s.Stop()
	if held := inStores(t, dir, a, append([]string{strings.Repeat("0", 40)}, texts...)); len(held) > 0 {
		t.Errorf("found in the stores: %v", held)
	}
}

// TestDeletionKeepsWhatIsSentAgain lets somebody else send the values of a person between the deletion and its end.
func TestDeletionKeepsWhatIsSentAgain(t *testing.T) {
	var cfg *app.Config
	s, _ := exportWorld(t, func(c *app.Config) { cleaning("1h")(c); cfg = c })
	a := s.CreateApp("shop", "UTC")
	others(s, a)
	person(s, a)
	s.Ingest(a, "erase-me-device-0815", "events", `[{"key":"Buy","segmentation":{"mail":"only@example.org","n":4711.5}}]`)
	s.Flush()
	s.Admin("/i/app_users/delete", "app_id", a.ID, "query", `{"did":"erase-me-device-0815"}`)
	s.Ingest(a, "heir", "begin_session", "1", "events", `[{"key":"Buy","count":3,"segmentation":{"mail":"zaphod@heart-of-gold.example","n":4711.5}}]`)
	s.Flush()
	s.Stop()
	cleaning("50ms")(cfg)
	s.Start()
	deleted(t, s, a, 1)
	read := func(segment string) string {
		return s.Admin("/o", "app_id", a.ID, "method", "events", "event", "Buy", "segmentation", segment)
	}
	if got := read("mail"); !strings.Contains(got, "zaphod@heart-of-gold:example") || strings.Contains(got, "only@") {
		t.Errorf("values of mail: %s", got)
	}
	if got := read("n"); !strings.Contains(got, "4711:5") {
		t.Errorf("values of n: %s", got)
	}
	report, err := s.App().Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Errorf("figures do not fit together: %v %+v", err, report)
	}
}

// TestAuditLogForgetsProperties erases somebody whose properties stand in entries of the audit log that do not name them.
func TestAuditLogForgetsProperties(t *testing.T) {
	s, _ := exportWorld(t, cleaning("1h"))
	a := s.CreateApp("shop", "UTC")
	for i, custom := range []string{`{"about":"two heads and three arms","color":"light","plan":"premium"}`, `{"plan":"premium","color":"darker"}`} {
		s.Ingest(a, fmt.Sprintf("device-%d", i), "begin_session", "1", "user_details", `{"organization":"Magrathea","custom":`+custom+`}`)
	}
	s.Ingest(a, "device-0", "user_details", `{"custom":{"about":"one head for a while"}}`)
	s.Flush()
	entries := map[string]struct {
		data   string
		erased bool
	}{
		"long":         {`{"before":{"note":"has two heads and three arms, I think"},"update":{"note":""}}`, true},
		"former":       {`{"update":{"note":"one head for a while"}}`, true},
		"under_name":   {`{"before":{"custom":{"color":"light"}},"update":{"custom":{"color":"blueish"}}}`, true},
		"with_dots":    {`{"update":{"custom.color":{"$in":["light"]}}}`, true},
		"other_name":   {`{"before":{"theme":"darker"},"update":{"theme":"light"}}`, false},
		"shared":       {`{"update":{"custom":{"plan":"premium"}}}`, false},
		"shared_named": {`{"update":{"organization":"Magrathea"}}`, false},
	}
	for action, e := range entries {
		s.Admin("/i/systemlogs", "action", action, "data", `{"app_id":"`+a.ID+`",`+strings.TrimPrefix(e.data, "{"))
	}
	s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", "1")
	erasures(t, s, a)
	var log struct {
		Rows []struct {
			A string
			I map[string]any
		} `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o", "method", "systemlogs", "app_id", a.ID), &log)
	got, want := map[string]bool{}, map[string]bool{}
	for action, e := range entries {
		want[action] = e.erased
	}
	for _, row := range log.Rows {
		if _, mine := entries[row.A]; mine {
			_, got[row.A] = row.I["erased"]
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("entries that are erased (-want +got):\n%s", d)
	}
}
