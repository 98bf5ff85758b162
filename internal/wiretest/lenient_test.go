package wiretest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// TestParametersWithoutSense sends what a read or a write does without: the answer stays that of the protocol and has a warning, and
// a caller who wants to be refused is, before anything is done.
func TestParametersWithoutSense(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("shop", "UTC")
	s.Post("/i", "app_key", a.Key, "device_id", "d1", "begin_session", "1")
	s.Flush()
	var funnel struct{ Result string }
	testkit.Decode(t, s.Admin("/i/funnels/add", "app_id", a.ID, "funnel_name", "F", "steps", `["see","buy"]`, "queries", `[{},{}]`, "queryTexts", `["",""]`), &funnel)
	trend := slices.Clip([]string{"app_id", a.ID, "method", "segmentation", "event", "buy", "queryObject", "{}", "period", "30days", "bucket", "daily"})
	steps := slices.Clip([]string{"app_id", a.ID, "method", "funnel", "funnel", funnel.Result, "period", "30days"})
	member := `{"full_name":"Ana","username":"ana","email":"ana@example.com","password":"Correct-horse-7",`
	for name, tt := range map[string]struct {
		path  string
		pairs []string
		code  string
	}{
		"period":           {"/o/analytics/sessions", []string{"app_id", a.ID, "period", "garbage"}, "period.invalid"},
		"reversed":         {"/o/analytics/sessions", []string{"app_id", a.ID, "period", "[1752505200000,1752405200000]"}, "period.invalid"},
		"reversed dates":   {"/o", []string{"method", "users", "app_id", a.ID, "period", "2031-05-14/2031-05-02"}, "period.invalid"},
		"zone":             {"/o/analytics/dashboard", []string{"app_id", a.ID, "timezone", "Mars/Base"}, "period.unknown_zone"},
		"timestamp":        {"/o/analytics/dashboard", []string{"app_id", a.ID, "timestamp", "soon"}, "period.bad_timestamp"},
		"offset":           {"/o/analytics/dashboard", []string{"app_id", a.ID, "periodOffset", "9999"}, "period.bad_offset"},
		"width":            {"/o/analytics/sessions", []string{"app_id", a.ID, "bucket", "fortnightly"}, "request.bad_parameter"},
		"views":            {"/o", []string{"method", "views", "action", "getTable", "app_id", a.ID, "period", "garbage"}, "period.invalid"},
		"apps compared":    {"/o/compare/apps", []string{"apps", `["` + a.ID + `"]`, "period", "garbage"}, "period.invalid"},
		"number":           {"/o/analytics/events", []string{"app_id", a.ID, "limit", "many"}, "request.bad_parameter"},
		"month":            {"/o", []string{"method", "times-of-day", "app_id", a.ID, "tod_type", "[CLY]_session", "date_range", "2031:13"}, "request.bad_parameter"},
		"start of a list":  {"/o/notes", []string{"iDisplayStart", "first", "app_id", a.ID, "period", "30days", "notes_apps", `["` + a.ID + `"]`}, "request.bad_parameter"},
		"direction":        {"/o/tasks/all", []string{"app_id", a.ID, "sSortDir_0", "up"}, "request.bad_parameter"},
		"filter":           {"/o/analytics/loyalty", []string{"app_id", a.ID, "filter", "{"}, "request.bad_parameter"},
		"query":            {"/o/app_users/loyalty", []string{"app_id", a.ID, "query", "plan=pro"}, "request.bad_parameter"},
		"flag":             {"/o", []string{"method", "user_details", "app_id", a.ID, "fetchOnlyVisibleColumns", "maybe"}, "request.bad_parameter"},
		"a slow read":      {"/o/active_users", []string{"app_id", a.ID, "period", "garbage"}, "period.invalid"},
		"a slow list":      {"/o", []string{"method", "user_details", "app_id", a.ID, "iDisplayLength", "many"}, "request.bad_parameter"},
		"groups":           {"/o", append(trend, "projectionKey", "sg.what", "limit", "1001"), "request.bad_parameter"},
		"no groups":        {"/o", append(trend, "projectionKey", "sg.what", "limit", "0"), "request.bad_parameter"},
		"groups left out":  {"/o", append(trend, "projectionKey", "sg.what", "list", "true", "skip", "-1"), "request.bad_parameter"},
		"left out of none": {"/o", append(trend, "skip", "5"), "request.bad_parameter"},
		"order of none":    {"/o", append(trend, "sort", `{"u":-1}`), "request.bad_parameter"},
		"direction of one": {"/o", append(trend, "projectionKey", "sg.what", "list", "true", "sort", `{"u":7}`), "request.bad_parameter"},
		"people":           {"/o", append(trend, "method", "segmentation_users", "limit", "5000"), "request.bad_parameter"},
		"groups of steps":  {"/o", append(steps, "breakdown", "sg.what", "breakdown_limit", "1001"), "request.bad_parameter"},
		"base of none":     {"/o", append(steps, "breakdown_base", "tea"), "request.bad_parameter"},
		"drivers":          {"/o", append(steps, "drivers", "true", "drivers_limit", "201"), "request.bad_parameter"},
		"drivers of none":  {"/o", append(steps, "drivers_by", `["sg.what"]`), "request.bad_parameter"},
		"format":           {"/o/export/db", []string{"collection", "apps", "type", "parquet"}, "request.bad_parameter"},
		"rows of a file":   {"/o/export/db", []string{"collection", "apps", "limit", "10000001"}, "request.bad_parameter"},
		"no rows":          {"/o/export/db", []string{"collection", "apps", "limit", "-1"}, "request.bad_parameter"},
		"rows left out":    {"/o/export/db", []string{"collection", "apps", "skip", "-1"}, "request.bad_parameter"},
		"lifetime":         {"/i/token/create", []string{"ttl", "1h"}, "request.bad_parameter"},
		"permissions":      {"/i/users/create", []string{"args", member + `"permissions":{}}`}, "members.unknown_field"},
		"unknown feature":  {"/i/users/create", []string{"args", member + `"permission":{"r":{"` + a.ID + `":{"allowed":{"crashs":true}}}}}`}, "members.unknown_feature"},
		"unknown app":      {"/i/users/create", []string{"args", member + `"permission":{"_":{"a":["507f1f77bcf86cd799439011"]}}}`}, "members.unknown_app"},
		"unknown app of":   {"/i/users/create", []string{"args", member + `"admin_of":["x"]}`}, "members.unknown_app"},
		"part of a member": {"/i/users/create", []string{"args", member + `"permission":{"read":{}}}`}, "members.unknown_field"},
	} {
		t.Run(name, func(t *testing.T) {
			target := tt.path + "?" + testkit.Query(append(tt.pairs, "api_key", s.Key)...)
			got := s.Do(http.MethodGet, target, nil, "Prefer", "respond-async, handling=strict")
			if got.Status != http.StatusBadRequest || got.Header.Get("Quipu-Error") != tt.code || got.Header.Get("Quipu-Warning") != "" {
				t.Errorf("strict: %d %s %s", got.Status, got.Header, got.Body)
			}
			got = s.Do(http.MethodGet, target, nil)
			if warning := got.Header.Get("Quipu-Warning"); got.Status != http.StatusOK || !strings.HasPrefix(warning, tt.code+` "`) {
				t.Errorf("lenient: %d, warning %q, %s", got.Status, warning, got.Body)
			}
			if strings.HasPrefix(tt.path, "/i/users/create") { // the next is the same person
				var all map[string]struct{ Username string }
				testkit.Decode(t, s.Admin("/o/users/all"), &all)
				for id, m := range all {
					if m.Username == "ana" {
						s.Admin("/i/users/delete", "args", `{"user_ids":["`+id+`"]}`)
					}
				}
			}
		})
	}
	for _, sense := range []string{"2031-05-02/2031-05-14", "2031-05", `["2031-05-02","2031-05-14T10:00:00Z"]`, "30days", ""} {
		got := s.Do(http.MethodGet, "/o/analytics/sessions?"+testkit.Query("app_id", a.ID, "api_key", s.Key, "period", sense, "timezone", "+02:00", "limit", ""), nil, "Prefer", "handling=strict")
		if got.Status != http.StatusOK || got.Header.Get("Quipu-Warning") != "" {
			t.Errorf("%q: %d %s %s", sense, got.Status, got.Header, got.Body)
		}
	}
}
