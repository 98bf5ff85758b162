package e2e_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestMCPServerCalls makes the calls of Countly's MCP server 1.0.1, which is in no registry that every machine
// reaches: a token in a header, parameters in the address as its HTTP client writes them, and no body even
// with POST. What each tool reads of the answer is there.
func TestMCPServerCalls(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	a := s.CreateApp("shop", "UTC")
	s.Ingest(a, "ada", "begin_session", "1", "country_code", "DE", "events",
		`[{"key":"buy","count":2,"sum":3.5},{"key":"[CLY]_view","count":1,"segmentation":{"name":"home","visit":"1","start":"1","platform":"web"}}]`)
	s.Flush()
	var made struct {
		Result string `json:"result"`
	}
	testkit.Decode(t, s.Admin("/i/token/create", "purpose", "assistant", "ttl", "3600"), &made)

	now := time.Now().UnixMilli()
	fill := strings.NewReplacer("{app}", a.ID, "{now}", strconv.FormatInt(now, 10),
		"{before}", strconv.FormatInt(now-7*86400_000, 10), "{after}", strconv.FormatInt(now+60_000, 10))
	for _, c := range []struct {
		tool, method, target string
		want                 []string // parts of the answer
	}{
		{"list_apps", "GET", "/o/apps/mine", []string{`"admin_of":{"{app}":{"_id":"{app}","name":"shop"`, `"user_of":`}},
		{"get_analytics_data", "GET", "/o?app_id={app}&method=locations", []string{`"countries":["DE"]`}},
		{"get_dashboard_data", "GET", "/o/analytics/dashboard?app_id={app}", []string{`"30days":{"dashboard":{"total_sessions":{"total":1`}},
		{"get_events_data", "GET", "/o/analytics/events?app_id={app}", []string{`"_id":"buy","c":2,"s":3.5`}},
		{"get_slipping_away_users", "GET", "/o/slipping?app_id={app}&period=7&limit=50&skip=0", []string{`"period":7`}},
		{"get_all_dashboard_users", "GET", "/o/users/all", []string{`"username":"admin"`}},
		{"get_views_table", "GET", "/o?app_id={app}&method=views&action=getTable&period=30days&iDisplayStart=0&iDisplayLength=10" +
			"&visibleColumns=%5B%22u%22,%22n%22,%22t%22,%22s%22,%22e%22,%22d%22,%22b%22,%22br%22,%22uvc%22%5D", []string{`"iTotalRecords":1`, `"view":"home"`}},
		{"get_view_segments", "GET", "/o?app_id={app}&method=get_view_segments&period=30days", []string{`"segments":{"platform":["web"]}`}},
		{"get_views_data", "GET", "/o?app_id={app}&method=views&period=30days&selectedViews=%5B%5D&segment=&segmentVal=", []string{`"appID":"{app}"`}},
		{"create_app", "GET", "/i/apps/create?args=%7B%22name%22:%22Made%22,%22country%22:%22DE%22,%22timezone%22:%22UTC%22,%22category%22:%221%22%7D", []string{`"name":"Made"`}},
		{"update_app", "GET", "/i/apps/update?app_id={app}&args=%7B%22name%22:%22Renamed%22,%22app_id%22:%22{app}%22%7D", []string{`"name":"Renamed"`}},
		{"create_note", "GET", "/i/notes/save?args=%7B%22app_id%22:%22{app}%22,%22note%22:%22hello%22,%22ts%22:{now},%22noteType%22:%22public%22," +
			"%22emails%22:%5B%5D,%22color%22:5,%22category%22:%22session%22%7D", []string{`"result":"Success"`}},
		{"list_notes", "GET", "/o?app_id={app}&method=notes&notes_apps=%5B%22{app}%22%5D&period=%5B{before},{after}%5D", []string{`"iTotalRecords":1`, `"note":"hello"`}},
		{"create_app_user", "POST", "/i/app_users/create?app_id={app}&data=%7B%22did%22:%22m1%22,%22name%22:%22Eve%22%7D", []string{`User Created`}},
		{"edit_app_user", "POST", "/i/app_users/update?app_id={app}&query=%7B%22did%22:%22m1%22%7D&update=%7B%22$set%22:%7B%22name%22:%22Eva%22%7D%7D", []string{`"User Updated"`}},
		{"delete_app_user", "POST", "/i/app_users/delete?app_id={app}&query=%7B%22did%22:%22m1%22%7D&force=false", []string{`"User deleted"`}},
		{"reset_app", "GET", "/i/apps/reset?args=%7B%22app_id%22:%22{app}%22,%22period%22:%22reset%22%7D", []string{`"result":"Success"`}},
		{"delete_app", "GET", "/i/apps/delete?args=%7B%22app_id%22:%22{app}%22%7D", []string{`"result":"Success"`}},
	} {
		r := s.Do(c.method, fill.Replace(c.target), nil, "Accept", "application/json, text/plain, */*",
			"Content-Type", "application/x-www-form-urlencoded", "User-Agent", "axios/1.13.2", "countly-token", made.Result)
		if r.Status != http.StatusOK {
			t.Errorf("%s: %d %s", c.tool, r.Status, r.Body)
			continue
		}
		for _, part := range c.want {
			if part = fill.Replace(part); !strings.Contains(r.Body, part) {
				t.Errorf("%s: no %s in %.400s", c.tool, part, r.Body)
			}
		}
	}
}
