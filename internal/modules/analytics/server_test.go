package analytics_test

import (
	"strconv"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// The example of the protocol through the whole server: X begins, sends 20 s,
// ends; Y sends a bare request, begins, begins again.
func TestThroughTheServer(t *testing.T) {
	srv := testkit.New(t, testkit.At(noon))
	app := srv.CreateApp("Shop", "UTC")
	id := []string{"app_id", app.ID}
	read := func(path string, pairs ...string) string {
		t.Helper()
		srv.Flush()
		return srv.Admin(path, append(pairs, id...)...)
	}
	at := func(hour, minute int) string {
		return strconv.FormatInt(time.Date(2031, 5, 14, hour, minute, 0, 0, time.UTC).Unix(), 10)
	}

	srv.Ingest(app, "Y", "timestamp", at(10, 0))
	if got := read("/o", "method", "users"); got != `{}` {
		t.Errorf("before the first session: %s, want {}", got)
	}
	if got := read("/o", "method", "total_users"); got != `[]` {
		t.Errorf("before the first session: %s, want []", got)
	}
	if got := read("/o", "method", "events"); got != `{}` {
		t.Errorf("before the first event: %s, want {}", got)
	}

	metrics := `{"_os":"Android","_os_version":"14.1","_device":"Pixel 9","_app_version":"3.4.1"}`
	srv.Ingest(app, "X", "begin_session", "1", "country_code", "ES", "metrics", metrics, "timestamp", at(9, 0))
	srv.Ingest(app, "X", "session_duration", "20", "timestamp", at(9, 1))
	srv.Ingest(app, "X", "end_session", "1", "timestamp", at(9, 2))
	srv.Ingest(app, "Y", "begin_session", "1", "country_code", "ES", "timestamp", at(10, 1))
	srv.Ingest(app, "Y", "begin_session", "1", "timestamp", at(10, 2),
		"events", `[{"key":"buy","count":2,"sum":7.5,"segmentation":{"plan":"pro","size":1.5},"timestamp":`+at(10, 2)+`000}]`)

	same(t, usersBody, read("/o", "method", "users"))
	same(t, `{"2031":{"5":{"14":{"Android":{"n":1,"t":1,"u":1},"a14:1":{"n":1,"t":1,"u":1},"3:4:1":{"n":1,"t":1,"u":1}}}},
	 "meta":{"os":["Android"],"os_versions":["a14:1"],"app_versions":["3:4:1"]}}`, read("/o", "method", "device_details", "action", "refresh"))
	same(t, `{"2031":{"5":{"14":{"10":{"c":2,"s":7.5},"c":2,"s":7.5},"c":2,"s":7.5},"c":2,"s":7.5},
	 "meta":{"segments":["plan","size"],"plan":["pro"],"size":["1:5"]}}`, read("/o", "method", "events", "event", "buy"))
	same(t, `[{"_id":"2031-5-14","t":3,"n":2,"u":2,"d":20,"e":6}]`, read("/o/analytics/sessions", "period", "today", "bucket", "daily"))
	same(t, `{"today":{"dashboard":{
	  "total_sessions":{"total":3,"change":"NA","trend":"u"},
	  "total_users":{"total":2,"change":"NA","trend":"u","is_estimate":false},
	  "new_users":{"total":2,"change":"NA","trend":"u"},
	  "total_time":{"total":"0.3 min","change":"NA","trend":"u"},
	  "avg_time":{"total":"0.1 min","change":"NA","trend":"u"},
	  "avg_requests":{"total":"3.0","change":"NA","trend":"u"}},
	 "top":{"platforms":[{"name":"Android","value":1,"percent":100}],"resolutions":[],
	  "carriers":[{"name":"Unknown","value":3,"percent":100}],"users":[{"name":"14 May","value":2,"percent":100}]},
	 "period":"14 May"}}`, read("/o/analytics/dashboard", "period", "today"))
	same(t, `[{"name":"Spain","value":3,"percent":100}]`, read("/o/analytics/tops", "metric", "countries"))

	same(t, `{"until":12,"first":"2031-05-13","last":"2031-05-13","total":{"buy":{"_id":"buy","c":2,"s":7.5,"dur":0,"u":1}},
	 "now":{"buy":{"_id":"buy","c":2,"s":7.5,"dur":0}},"before":{}}`, read("/o/analytics/compare", "period", "today", "of", "events"))

	// A group reads as the sum of its events.
	srv.Ingest(app, "X", "events", `[{"key":"sell","count":1,"timestamp":`+at(11, 0)+`000}]`, "timestamp", at(11, 0))
	srv.Admin("/i/event_groups/create", "args", `{"app_id":"`+app.ID+`","name":"Trade","source_events":["buy","sell"],"status":true}`)
	var groups []struct {
		ID string `json:"_id"`
	}
	testkit.Decode(t, read("/o", "method", "get_event_groups"), &groups)
	if len(groups) != 1 {
		t.Fatalf("groups = %v, want one", groups)
	}
	same(t, `[{"_id":"2031-5-14","c":3,"s":7.5,"dur":0}]`, read("/o/analytics/events", "event", groups[0].ID, "period", "today", "bucket", "daily"))
}
