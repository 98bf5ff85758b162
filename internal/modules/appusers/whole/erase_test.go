package whole_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
	"quipu/internal/model"
	"quipu/internal/store/kv"
	profiles "quipu/internal/store/profile/stored"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/testkit"
	"quipu/internal/verify"
)

// needles are what the erased person of the tests is found by.
var needles = []string{
	"erase-me-device-0815", "erase-me-former-0814", "zaphod@heart-of-gold.example", "zaphod@heart-of-gold:example", "Zaphod Beeblebrox", "+49-555-0815",
	"two heads and three arms", "Zaphods own phone", "personal note of the crash",
}

// person sends everything that an SDK sends of somebody.
func person(s *testkit.Server, a testkit.TestApp) {
	const did = "erase-me-device-0815"
	s.Ingest(a, "erase-me-former-0814", "begin_session", "1", "metrics", `{"_os":"Android","_device":"Zaphods own phone"}`)
	s.Ingest(a, did, "begin_session", "1", "metrics", `{"_os":"Android","_device":"Zaphods own phone","_carrier":"O2"}`,
		"user_details", `{"name":"Zaphod Beeblebrox","email":"zaphod@heart-of-gold.example","phone":"+49-555-0815","custom":{"about":"two heads and three arms"}}`)
	s.Ingest(a, did, "old_device_id", "erase-me-former-0814")
	s.Ingest(a, did, "events", `[{"key":"Buy","count":2,"segmentation":{"mail":"zaphod@heart-of-gold.example","item":"towel"}}]`, "consent", `{"events":true}`)
	s.Ingest(a, did, "crash", `{"_error":"personal note of the crash","_name":"personal note of the crash"}`)
}

func others(s *testkit.Server, a testkit.TestApp) {
	for i := range 20 {
		did := fmt.Sprintf("other-%d", i)
		s.Ingest(a, did, "begin_session", "1", "metrics", `{"_os":"Android","_device":"Pixel","_carrier":"O2"}`, "user_details", `{"name":"Somebody else"}`)
		s.Ingest(a, did, "events", fmt.Sprintf(`[{"key":"Buy","count":1,"segmentation":{"mail":"other%d@example.org","item":"towel"}}]`, i%3))
	}
}

// finds counts the needles in the files of a folder, by the file's name.
func finds(t *testing.T, dir string, also ...string) map[string]int {
	t.Helper()
	out := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) || err == nil && !d.Type().IsRegular() {
			return nil
		}
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil // a file of the state that was just removed
		}
		rel, _ := filepath.Rel(dir, path)
		for _, needle := range append(also, needles...) {
			if n := bytes.Count(b, []byte(needle)); n > 0 {
				out[rel+" "+needle] += n
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// places reduces what finds found to the stores.
func places(found map[string]int) map[string]bool {
	out := map[string]bool{}
	for name := range found {
		out[strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '.' || r == ' ' })[0]] = true
	}
	return out
}

type erasureRow struct {
	ID    string `json:"_id"`
	UIDs  []int  `json:"uids"`
	State string
	Held  map[string]int
	Done  int64
}

// erasures waits until no erasure is under way and returns all.
func erasures(t *testing.T, s *testkit.Server, a testkit.TestApp) []erasureRow {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 3000 {
		var list struct {
			Rows []erasureRow `json:"aaData"`
		}
		testkit.Decode(t, s.Admin("/o/data_subjects/erasures", "app_id", a.ID), &list)
		done := true
		for _, e := range list.Rows {
			done = done && e.State == "done"
		}
		if done {
			return list.Rows
		}
		<-tick.C
	}
	t.Fatal("the erasure does not end")
	return nil
}

// task waits until a task has ended well.
func task(t *testing.T, s *testkit.Server, a testkit.TestApp, id string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 3000 {
		switch state := result(t, s.Admin("/o/tasks/check", "app_id", a.ID, "task_id", id)); state {
		case "completed":
			return
		case "errored":
			t.Fatalf("task %s failed", id)
		}
		<-tick.C
	}
	t.Fatalf("task %s does not end", id)
}

// TestErasure erases somebody of whom every store holds something, and looks for what they are found by in every
// byte of the data folder, and in what the stores hold.
func TestErasure(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		t.Run(fmt.Sprintf("interrupted %v", interrupted), func(t *testing.T) {
			s, dir := exportWorld(t)
			a, b := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
			others(s, a)
			person(s, a)
			s.Ingest(b, "d1", "begin_session", "1")
			s.Flush()
			s.Stop() // some in tables, some in logs
			s.Start()
			s.Ingest(a, "erase-me-device-0815", "user_details", `{"custom":{"about":"two heads and three arms","more":"1"}}`)
			s.Admin("/i/app_users/update", "app_id", a.ID, "query", `{"did":"erase-me-device-0815"}`, "update", `{"$set":{"custom.x":"two heads and three arms"}}`)
			s.Admin("/i/app_users/update", "app_id", a.ID, "query", `{"uid":"22"}`, "update", `{"$set":{"custom.y":"1"}}`)
			s.Admin("/i/app_users/export", "app_id", a.ID, "query", `{"did":"erase-me-device-0815"}`)
			s.Admin("/o", "app_id", a.ID, "method", "logs")

			var list struct {
				Total int              `json:"iTotalRecords"`
				Data  []map[string]any `json:"aaData"`
			}
			testkit.Decode(t, s.Admin("/o/data_subjects", "app_id", a.ID, "sSearch", "ZAPHOD@heart"), &list)
			if list.Total != 1 || len(list.Data) != 1 || list.Data[0]["did"] != "erase-me-device-0815" {
				t.Fatalf("found %+v", list)
			}
			uid, id := fmt.Sprint(list.Data[0]["uid"]), fmt.Sprint(list.Data[0]["_id"])
			var held struct{ Counts map[string]int }
			testkit.Decode(t, s.Admin("/o/data_subjects/held", "app_id", a.ID, "uid", uid), &held)
			for _, kind := range []string{"events", "requests", "states", "consents", "logger", "exports"} {
				if held.Counts[kind] == 0 {
					t.Errorf("nothing of kind %s is held: %v", kind, held.Counts)
				}
			}
			var made struct {
				Result struct {
					TaskID  string `json:"task_id"`
					ID      string
					Backups string
				}
			}
			testkit.Decode(t, s.Admin("/i/data_subjects/export", "app_id", a.ID, "uid", uid), &made)
			task(t, s, a, made.Result.TaskID)
			r := s.Get("/o/app_users/download/"+made.Result.TaskID, "api_key", s.Key, "app_id", a.ID)
			for _, part := range []string{`"logger":[`, `"requests":[`, `"states":[`, needles[0], needles[2], needles[8]} {
				if r.Status != 200 || !strings.Contains(r.Body, part) {
					t.Errorf("the export lacks %s", part)
				}
			}
			want := map[string]bool{"docs": true, "events": true, "state": true, "files": true}
			if d := cmp.Diff(want, places(finds(t, dir, id))); d != "" {
				t.Fatalf("places before, without which the test can tell nothing (-want +got):\n%s", d)
			}

			testkit.Decode(t, s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", uid, "reason", "asked for it"), &made)
			if made.Result.ID == "" || made.Result.Backups == "" {
				t.Errorf("answer %+v", made)
			}
			if interrupted {
				s.Stop()
				s.Start()
			}
			done := erasures(t, s, a)
			if len(done) != 1 || done[0].Held["events"] == 0 || done[0].Held["profiles"] != 1 || done[0].Done == 0 {
				t.Errorf("erasures %+v", done)
			}
			if found := finds(t, dir, id); len(found) > 0 {
				t.Errorf("found in the folder: %v", found)
			}
			if got := s.Admin("/o/data_subjects", "app_id", a.ID, "sSearch", "erase-me"); !strings.Contains(got, `"iTotalRecords":0`) {
				t.Errorf("found afterwards: %s", got)
			}
			if r := s.Get("/i/data_subjects/erase", "api_key", s.Key, "app_id", a.ID, "uid", uid); r.Status != 400 {
				t.Errorf("erased again: %d %s", r.Status, r.Body)
			}
			var log struct {
				Rows []struct {
					A string
					I map[string]any
				} `json:"aaData"`
			}
			testkit.Decode(t, s.Admin("/o", "method", "systemlogs", "app_id", a.ID), &log)
			actions := map[string]int{}
			for _, e := range log.Rows {
				actions[e.A]++
				if _, gone := e.I["erased"]; gone {
					actions[e.A+" erased"]++
				}
			}
			for action, n := range map[string]int{"data_subject_erased": 1, "data_subject_erase_requested": 1, "data_subject_exported": 1, "app_users_update erased": 2} {
				if actions[action] != n {
					t.Errorf("%d entries %s, want %d: %v", actions[action], action, n, actions)
				}
			}
			report, err := s.App().Verify(t.Context(), verify.Options{})
			if err != nil || !report.OK() {
				t.Errorf("figures do not fit together: %v %+v", err, report)
			}
			if got := s.Admin("/o/analytics/dashboard", "app_id", a.ID, "period", "30days"); !strings.Contains(got, `"u":{"total":20`) && !strings.Contains(got, "20") {
				t.Errorf("users of others: %s", got)
			}
			s.Stop()
			if found := finds(t, dir, id); len(found) > 0 {
				t.Errorf("found in the folder after the end: %v", found)
			}
			held2 := inStores(t, dir, a, append([]string{id}, needles...))
			if len(held2) > 0 {
				t.Errorf("found in the stores: %v", held2)
			}
		})
	}
}

// inStores looks through what the stores hold, which files may hold compressed.
func inStores(t *testing.T, dir string, a testkit.TestApp, texts []string) []string {
	t.Helper()
	var out []string
	look := func(where, text string) {
		for _, needle := range texts {
			if strings.Contains(text, needle) {
				out = append(out, where+" "+needle)
			}
		}
	}
	rows, err := sql.Open("duckdb", filepath.Join(dir, "events.duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"events", "requests", "states", "users"} {
		var text sql.NullString
		err := rows.QueryRowContext(t.Context(), `SELECT string_agg(t::VARCHAR, chr(10)) FROM "`+table+`" AS t`).Scan(&text)
		look("table "+table, text.String)
		if err != nil || !text.Valid {
			t.Errorf("table %s: no rows, %v", table, err)
		}
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	db, err := kv.Open(t.Context(), kv.Options{Dir: filepath.Join(dir, "state"), Merger: pebblerollup.Merger()})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := model.ParseProfileID(texts[0])
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = db.Scan(t.Context(), []byte{0}, nil, func(key, value []byte) (bool, error) {
		n++
		look(fmt.Sprintf("key %x", key[:1]), string(key))
		look(fmt.Sprintf("value of %x", key[:1]), string(value))
		if bytes.Contains(key, raw[:]) || bytes.Contains(value, raw[:]) {
			out = append(out, fmt.Sprintf("%x names the profile", key))
		}
		if key[0] == kv.PrefixProfile {
			p, err := profiles.Decode(value)
			if err != nil {
				return false, err
			}
			text, err := json.Marshal(p)
			if err != nil {
				return false, err
			}
			look("profile", string(text))
		}
		return true, nil
	})
	if err != nil || n == 0 {
		t.Errorf("%d keys, %v", n, err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	return out
}

// TestSubjectsAnswers goes through what requests of data subjects may be answered.
func TestSubjectsAnswers(t *testing.T) {
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { c.Tasks.Keep = time.Hour }))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	for i := range 3 {
		s.Ingest(a, fmt.Sprintf("device-%d", i), "begin_session", "1", "user_details", fmt.Sprintf(`{"name":"Ann %d","email":"ann%d@example.org","custom":{"n":"x%d"}}`, i, i, i))
	}
	s.Ingest(b, "device-0", "begin_session", "1", "user_details", `{"name":"Ann of another app"}`)
	s.Flush()
	for name, c := range map[string]struct {
		pairs []string
		total int
		first string
	}{
		"part of a name":       {[]string{"sSearch", "ANN"}, 3, ""},
		"page":                 {[]string{"sSearch", "ann", "iDisplayLength", "1", "iDisplayStart", "1"}, 3, ""},
		"device":               {[]string{"sSearch", "device-1"}, 1, "device-1"},
		"mail, whole":          {[]string{"sSearch", "ann2@example.org", "by", "email"}, 1, "device-2"},
		"mail, not whole":      {[]string{"sSearch", "ann2", "by", "email"}, 0, ""},
		"number":               {[]string{"sSearch", "3", "by", "uid"}, 1, "device-2"},
		"custom":               {[]string{"sSearch", "X1"}, 1, "device-1"},
		"hostile":              {[]string{"sSearch", "') OR true --"}, 0, ""},
		"one of the other app": {[]string{"sSearch", "another"}, 0, ""},
	} {
		var got struct {
			Total int                    `json:"iTotalRecords"`
			Data  []struct{ DID string } `json:"aaData"`
		}
		testkit.Decode(t, s.Admin("/o/data_subjects", append(c.pairs, "app_id", a.ID)...), &got)
		first := ""
		if len(got.Data) == 1 && c.first != "" {
			first = got.Data[0].DID
		}
		if got.Total != c.total || first != c.first {
			t.Errorf("%s: %d, the first of %q; want %d, %q", name, got.Total, first, c.total, c.first)
		}
	}
	for name, c := range map[string]struct {
		path  string
		pairs []string
		body  string
	}{
		"no search":       {"/o/data_subjects", nil, `{"result":"Missing parameter \"sSearch\""}`},
		"unknown field":   {"/o/data_subjects", []string{"sSearch", "x", "by", "custom"}, ""},
		"no number":       {"/i/data_subjects/erase", nil, `{"result":"Missing parameter \"uid\""}`},
		"no numbers":      {"/i/data_subjects/erase", []string{"uid", "[]"}, `{"result":"Missing parameter \"uid\""}`},
		"no held":         {"/o/data_subjects/held", []string{"uid", "[]"}, `{"result":"Missing parameter \"uid\""}`},
		"bad number":      {"/i/data_subjects/erase", []string{"uid", "1,x"}, `{"result":"Parameter \"uid\" must be one or several user numbers"}`},
		"zero":            {"/i/data_subjects/erase", []string{"uid", "0"}, ""},
		"nobody":          {"/i/data_subjects/erase", []string{"uid", "[1,99]"}, `{"result":"No users matching criteria"}`},
		"nobody to find":  {"/o/data_subjects/held", []string{"uid", "99"}, `{"result":"No users matching criteria"}`},
		"nobody to hand":  {"/i/data_subjects/export", []string{"uid", "99"}, `{"result":"No users matching criteria"}`},
		"too many":        {"/i/data_subjects/erase", []string{"uid", hundred()}, `{"result":"At most 100 persons at a time"}`},
		"a long reason":   {"/i/data_subjects/erase", []string{"uid", "1", "reason", strings.Repeat("x", 501)}, ""},
		"a list of lists": {"/i/data_subjects/erase", []string{"uid", "[[1]]"}, ""},
	} {
		r := s.Get(c.path, append(c.pairs, "api_key", s.Key, "app_id", a.ID)...)
		if r.Status != 400 || c.body != "" && r.Body != c.body {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", "[1,\"3\",3]")
	if done := erasures(t, s, a); len(done) != 1 || len(done[0].UIDs) != 2 {
		t.Errorf("erasures %+v", done)
	}
	if got := s.Admin("/o/data_subjects", "app_id", a.ID, "sSearch", "ann"); !strings.Contains(got, `"iTotalRecords":1`) {
		t.Errorf("left in the app: %s", got)
	}
	if got := s.Admin("/o/data_subjects", "app_id", b.ID, "sSearch", "ann"); !strings.Contains(got, `"iTotalRecords":1`) {
		t.Errorf("left in the other app: %s", got)
	}
	if got := erasures(t, s, b); len(got) != 0 {
		t.Errorf("the other app sees %+v", got)
	}
}

func hundred() string {
	list := make([]string, 101)
	for i := range list {
		list[i] = fmt.Sprint(i + 1)
	}
	return strings.Join(list, ",")
}
