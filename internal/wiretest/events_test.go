package wiretest_test

import (
	"strings"
	"testing"

	"quipu/internal/testkit"
)

const noEvents = `{"limits":{"event_limit":500,"event_segmentation_limit":100,"event_segmentation_value_limit":1000}}`

// sendEvents sends events of one device and waits for them.
func sendEvents(s *testkit.Server, a testkit.TestApp, events string, pairs ...string) {
	s.Ingest(a, "d", append([]string{"timestamp", noonMS, "events", events}, pairs...)...)
	s.Flush()
}

// TestEventList plays the life of an app's list of events (wire.md 2.3, 2.4).
func TestEventList(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("shop", "UTC")
	get := func() testkit.Response { return s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "get_events") }
	edit := func(what string, pairs ...string) {
		t.Helper()
		done(t, what, s.Post("/i/events/edit_map", append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...))
	}
	bytes(t, "no events", get(), 200, noEvents)
	sendEvents(s, a, `[{"key":"b"},{"key":"a","count":2},{"count":3},{"key":""},{"key":"[CLY]_view","segmentation":{"name":"x"}},5,null,"x"]`)
	same(t, "no segments yet", get(), 200, `{"list":["b","a"],`+noEvents[1:])
	sendEvents(s, a, `[{"key":"c","segmentation":{"z":"1","y":2,"list":[1],"object":{"k":1}}}]`)
	part(t, "segments in the order of arrival", get().Body, `["z","y"]`, "segments", "c")
	part(t, "lists and objects are no values", method(s, a, "events", "event", "c"), `{"segments":["z","y"],"z":["1"],"y":["2"]}`, "meta")
	sendEvents(s, a, `[{"key":"d","segmentation":{"list":[1]}}]`)
	part(t, "an event of nothing but lists has no segments", get().Body, "", "segments", "d")
	part(t, "nor has the merged document of it", method(s, a, "events", "events", `["c","d"]`), `{"segments":["z","y"],"z":["1"],"y":["2"]}`, "meta")
	sendEvents(s, a, `[{"key":"c","segmentation":{"list":true,"object":{"k":2}}}]`)
	part(t, "the first value of a list's segment", get().Body, `["z","y","list"]`, "segments", "c")
	part(t, "the first value of a list's segment in the document", method(s, a, "events", "event", "c"), `{"segments":["z","y","list"],"z":["1"],"y":["2"],"list":["true"]}`, "meta")

	edit("order", "event_order", `["b","a"]`)
	part(t, "order", get().Body, `["b","a"]`, "order")
	sendEvents(s, a, `[{"key":"e"}]`)
	part(t, "new events are not added to the order", get().Body, `["b","a"]`, "order")

	edit("map", "event_map", `{"b":{"name":"B label","desc":"text","odd":{"x":[1]}}}`)
	part(t, "map", get().Body, `{"b":{"name":"B label","desc":"text","odd":{"x":[1]}}}`, "map")

	card := func(key, property, label string, order string) string {
		return `{"eventKey":"` + key + `","eventProperty":"` + property + `","order":` + order +
			`,"is_event_group":false,"eventName":"` + key + `","propertyName":"` + label + `"}`
	}
	edit("overview", "event_overview", `[{"eventKey":"b","eventProperty":"count"},{"eventKey":"a","eventProperty":"sum"},`+
		`{"eventKey":"b","eventProperty":"count"},{"eventKey":"b","eventProperty":"dur"}]`)
	part(t, "overview", get().Body, `[`+card("b", "count", "Count", "0")+`,`+card("a", "sum", "Sum", "1")+`,`+card("b", "dur", "Dur", "2")+`]`, "overview")
	same(t, "thirteen cards", s.Post("/i/events/edit_map", "api_key", s.Key, "app_id", a.ID, "event_overview", cards(13)), 400,
		wrong("You can't add more than 12 items in overview"))
	part(t, "the refused overview leaves the old one", get().Body, `"Dur"`, "overview", "2", "propertyName")
	edit("twelve cards", "event_overview", cards(12))
	edit("overview again", "event_overview", `[{"eventKey":"b","eventProperty":"count"},{"eventKey":"a","eventProperty":"sum"}]`)

	hide := func(what, events, how string) {
		t.Helper()
		done(t, what, s.Post("/i/events/change_visibility", "api_key", s.Key, "app_id", a.ID, "events", events, "set_visibility", how))
	}
	hide("hide", `["a","b"]`, "hide")
	part(t, "hidden", get().Body, `{"is_visible":false}`, "map", "a")
	part(t, "hidden, merged", get().Body, `{"name":"B label","desc":"text","odd":{"x":[1]},"is_visible":false}`, "map", "b")
	part(t, "an emptied overview stays", get().Body, `[]`, "overview")
	hide("show", `["a","b"]`, "anything")
	part(t, "shown", get().Body, `{"name":"B label","desc":"text","odd":{"x":[1]}}`, "map", "b")

	edit("several at once", "event_order", `["a"]`, "event_map", `{"a":{"name":"A"}}`, "event_overview", `[{"eventKey":"a","eventProperty":"count"}]`)
	part(t, "several at once: order", get().Body, `["a"]`, "order")
	part(t, "several at once: map", get().Body, `"A"`, "map", "a", "name")
	part(t, "several at once: other entries stay", get().Body, `"B label"`, "map", "b", "name")

	edit("hidden by the map", "event_map", `{"a":{"is_visible":false}}`)
	part(t, "what the map hides leaves the overview", get().Body, `[]`, "overview")
	edit("hidden and put on the overview", "event_overview", `[{"eventKey":"a","eventProperty":"count"},{"eventKey":"b","eventProperty":"count"}]`)
	part(t, "a hidden event does not come back", get().Body, `[`+card("b", "count", "Count", "0")+`]`, "overview")

	done(t, "delete", s.Post("/i/events/delete_events", "api_key", s.Key, "app_id", a.ID, "events", `["b","c"]`))
	got := get().Body
	part(t, "deleted from the list", got, `["a","d","e"]`, "list")
	part(t, "deleted from the map", got, "", "map", "b")
	part(t, "deleted from the segments", got, "", "segments", "c")
	part(t, "deleted from the overview", got, `[]`, "overview")
	bytes(t, "its data is gone", s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "events", "event", "c"), 200, `{}`)

	for _, c := range [][2]string{
		{"/i/events/delete_events", `["[CLY]_session_begin"]`},
		{"/i/events/delete_events", `["nothing"]`},
		{"/i/events/edit_map", `{"[CLY]_session_begin":["frequency"]}`},
		{"/i/events/whitelist_segments", `{"[CLY]_session_begin":["x"]}`},
	} {
		same(t, c[0]+" of "+c[1], s.Post(c[0], "api_key", s.Key, "app_id", a.ID, "events", c[1], "omitted_segments", c[1], "whitelisted_segments", c[1]),
			400, wrong("Could not find event"))
	}

	done(t, "reset", s.Post("/i/apps/reset", "api_key", s.Key, "args", `{"app_id":"`+a.ID+`","period":"reset"}`))
	bytes(t, "after a reset", get(), 200, noEvents)
}

func cards(n int) string {
	var list []string
	for i := range n {
		list = append(list, `{"eventKey":"e`+string(rune('a'+i))+`","eventProperty":"count"}`)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// TestEventSegments plays omitted and whitelisted segments (wire.md 2.1, 2.4).
func TestEventSegments(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("shop", "UTC")
	get := func() string { return method(s, a, "get_events") }
	doc := func(event string, pairs ...string) string {
		return method(s, a, "events", append([]string{"event", event}, pairs...)...)
	}
	sendEvents(s, a, `[{"key":"E","segmentation":{"s":"1","k":"2.5"}},{"key":"F","segmentation":{"s":"1"}}]`)
	part(t, "dots in values", doc("E"), `{"segments":["s","k"],"s":["1"],"k":["2:5"]}`, "meta")

	done(t, "omit", s.Post("/i/events/edit_map", "api_key", s.Key, "app_id", a.ID, "omitted_segments", `{"E":["s"]}`))
	part(t, "omitted", get(), `{"E":["s"]}`, "omitted_segments")
	part(t, "it leaves segments", get(), `["k"]`, "segments", "E")
	part(t, "other events keep theirs", get(), `["s"]`, "segments", "F")
	part(t, "it leaves meta", doc("E"), `{"segments":["k"],"k":["2:5"]}`, "meta")
	part(t, "its data is gone", doc("E", "segmentation", "s"), "", "2031")
	sendEvents(s, a, `[{"key":"E","segmentation":{"s":"9","k":"x"}}]`)
	part(t, "later values are ignored", get(), `["k"]`, "segments", "E")
	part(t, "the event still counts", doc("E"), `2`, "2031", "5", "14", "c")
	done(t, "omit more", s.Post("/i/events/edit_map", "api_key", s.Key, "app_id", a.ID, "omitted_segments", `{"F":["s"]}`))
	part(t, "merged per event", get(), `{"E":["s"],"F":["s"]}`, "omitted_segments")
	part(t, "an event without segments left keeps a list", get(), `[]`, "segments", "F")
	done(t, "omit another of E", s.Post("/i/events/edit_map", "api_key", s.Key, "app_id", a.ID, "omitted_segments", `{"E":["k"]}`))
	part(t, "both are omitted", get(), `["s","k"]`, "omitted_segments", "E")

	white := func(what, lists string) {
		t.Helper()
		done(t, what, s.Post("/i/events/whitelist_segments", "api_key", s.Key, "app_id", a.ID, "whitelisted_segments", lists))
	}
	white("whitelist of an event nobody sent", `{"z":["s"]}`)
	part(t, "whitelist", get(), `{"z":["s"]}`, "whitelisted_segments")
	part(t, "the event is not added", get(), `["E","F"]`, "list")
	sendEvents(s, a, `[{"key":"z","segmentation":{"s":"1","t":"2"}}]`)
	part(t, "only those are recorded", get(), `["s"]`, "segments", "z")
	white("whitelist removed", `{"z":[]}`)
	part(t, "stays an object", get(), `{}`, "whitelisted_segments")
	sendEvents(s, a, `[{"key":"z","segmentation":{"t":"2"}}]`)
	part(t, "others are recorded again", get(), `["s","t"]`, "segments", "z")
}

// TestEventDocument is the document of wire.md 2.2, and its forms.
func TestEventDocument(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("shop", "UTC")
	at := func(hour string) string { return "193652" + hour }
	bytes(t, "an app without events", s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "events"), 200, `{}`)
	bytes(t, "several of none", s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "events", "events", `["E"]`), 200, `{}`)
	// 10:00 and 11:00 of 2031-05-14.
	s.Ingest(a, "d", "timestamp", at("0000000"), "events", `[{"key":"E","count":2,"sum":7.5,"timestamp":1936519200000,"segmentation":{"plan":"pro","size":"1.5"}},`+
		`{"key":"E","timestamp":1936522800000,"segmentation":{"size":2}},{"key":"F","dur":3,"timeStamp":1,"timestamp":1936522800000}]`)
	s.Flush()
	whole := `{"2031":{"5":{"14":{"10":{"c":2,"s":7.5},"11":{"c":1},"c":3,"s":7.5},"c":3,"s":7.5},"c":3,"s":7.5},
		"meta":{"segments":["plan","size"],"plan":["pro"],"size":["1:5","2"]}}`
	sameJSON(t, "the document", method(s, a, "events", "event", "E"), whole)
	sameJSON(t, "the first event", method(s, a, "events"), whole)
	sameJSON(t, "a segment", method(s, a, "events", "event", "E", "segmentation", "size"),
		`{"2031":{"5":{"14":{"1:5":{"c":2,"s":7.5},"2":{"c":1}},"1:5":{"c":2,"s":7.5},"2":{"c":1}},"1:5":{"c":2,"s":7.5},"2":{"c":1}},
		"meta":{"segments":["plan","size"],"plan":["pro"],"size":["1:5","2"]}}`)
	merged := method(s, a, "events", "events", `["E","F"]`)
	part(t, "merged", merged, `{"10":{"c":2,"s":7.5},"11":{"c":2,"dur":3},"c":4,"s":7.5,"dur":3}`, "2031", "5", "14")
	part(t, "refresh", method(s, a, "events", "event", "E", "action", "refresh"), `{"10":{"c":2,"s":7.5},"11":{"c":1},"c":3,"s":7.5}`, "2031", "5", "14")
	part(t, "refresh has meta", method(s, a, "events", "event", "E", "action", "refresh"), `["pro"]`, "meta", "plan")
	view := method(s, a, "events", "events", `["E","F"]`, "overview", "true")
	part(t, "overview of E", view, `{"total":3,"change":"NA","trend":"u","sparkline":`+sparkline("3")+`}`, "E", "data", "count")
	part(t, "overview of F", view, `3`, "F", "data", "dur", "total")
	rows := s.Admin("/o/analytics/events", "app_id", a.ID)
	sameJSON(t, "totals", rows, `{"all":[{"_id":"E","key":"E","c":3,"s":7.5,"dur":0},{"_id":"F","key":"F","c":1,"s":0,"dur":3}]}`)
	daily := s.Admin("/o/analytics/events", "app_id", a.ID, "event", "E", "period", "7days")
	part(t, "a row a day", daily, `{"_id":"2031-5-14","c":3,"s":7.5,"dur":0}`, "6")
	part(t, "zero rows too", daily, `{"_id":"2031-5-8","c":0,"s":0,"dur":0}`, "0")
	sameJSON(t, "rows of a segment", s.Admin("/o/analytics/events", "app_id", a.ID, "event", "E", "segmentation", "plan"), `[{"_id":"pro","c":2,"s":7.5,"dur":0}]`)
	part(t, "rows of several", s.Admin("/o/analytics/events", "app_id", a.ID, "events", `["E","F"]`, "period", "today"), `{"_id":"2031-5-14 11:00","c":1,"s":0,"dur":3}`, "F", "11")
}

// sparkline is a count of today after 29 days of nothing.
func sparkline(today string) string { return "[" + strings.Repeat("0,", 29) + today + "]" }

// TestEventGroups plays the life of groups (wire.md 11.26).
func TestEventGroups(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("shop", "UTC")
	sendEvents(s, a, `[{"key":"x","count":2},{"key":"y","count":3,"sum":1}]`)
	groups := func() string { return method(s, a, "get_event_groups") }
	sameJSON(t, "no groups", groups(), `[]`)
	create := func(name string, status string) string {
		t.Helper()
		done(t, "create", s.Post("/i/event_groups/create", "api_key", s.Key, "args",
			`{"app_id":"`+a.ID+`","name":"`+name+`","source_events":["x","y"],"display_map":{"c":"Count"},"status":`+status+`}`))
		list := value(t, groups()).([]any)
		id, _ := list[len(list)-1].(map[string]any)["_id"].(string)
		if !strings.HasPrefix(id, "[CLY]_group_") || len(id) != len("[CLY]_group_")+32 {
			t.Fatalf("id %q", id)
		}
		return id
	}
	one, two := create("One", "true"), create("Two", "true")
	part(t, "the group", groups(), `{"_id":"`+one+`","app_id":"`+a.ID+`","name":"One","source_events":["x","y"],"display_map":{"c":"Count"},"status":true,"order":0}`, "0")
	part(t, "the second one's place", groups(), `1`, "1", "order")
	part(t, "one group", method(s, a, "get_event_group", "_id", two), `"Two"`, "name")
	part(t, "summed", method(s, a, "events", "event", one), `{"12":{"c":5,"s":1},"c":5,"s":1}`, "2031", "5", "14")
	part(t, "rows", s.Admin("/o/analytics/events", "app_id", a.ID, "event", one, "period", "today"), `5`, "12", "c")

	update := func(what string, pairs ...string) {
		t.Helper()
		done(t, what, s.Post("/i/event_groups/update", append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...))
	}
	update("update", "args", `{"_id":"`+one+`","app_id":"`+a.ID+`","name":"Uno","description":"text"}`)
	part(t, "updated", groups(), `"Uno"`, "0", "name")
	part(t, "described", groups(), `"text"`, "0", "description")
	part(t, "the rest stays", groups(), `["x","y"]`, "0", "source_events")
	update("reorder", "event_order", `["`+two+`","`+one+`"]`)
	part(t, "reordered", groups(), `"Two"`, "0", "name")
	update("args win", "args", `{"_id":"`+one+`","name":"One"}`, "event_order", `["`+one+`","`+two+`"]`)
	part(t, "only the first branch", groups(), `"Two"`, "0", "name")

	done(t, "overview", s.Post("/i/events/edit_map", "api_key", s.Key, "app_id", a.ID, "event_overview",
		`[{"eventKey":"`+one+`","eventProperty":"count","is_event_group":true},{"eventKey":"x","eventProperty":"count"},{"eventKey":"`+two+`","eventProperty":"sum"}]`))
	part(t, "a group on the overview", method(s, a, "get_events"), `true`, "overview", "2", "is_event_group")
	update("disable", "update_status", `["`+one+`"]`, "status", "false")
	part(t, "disabled", method(s, a, "get_event_group", "_id", one), `false`, "status")
	part(t, "a disabled group leaves the overview", method(s, a, "get_events"), `"x"`, "overview", "0", "eventKey")
	update("enable", "update_status", `["`+one+`"]`, "status", "true")
	part(t, "enabled", method(s, a, "get_event_group", "_id", one), `true`, "status")
	done(t, "delete", s.Post("/i/event_groups/delete", "api_key", s.Key, "app_id", a.ID, "args", `["`+two+`"]`))
	part(t, "deleted", groups(), "", "1")
	part(t, "a deleted group leaves the overview", method(s, a, "get_events"), "", "overview", "1")
	update("disable by args", "args", `{"_id":"`+one+`","status":false}`)
	done(t, "delete by object", s.Post("/i/event_groups/delete", "api_key", s.Key, "args", `{"app_id":"`+a.ID+`","_id":"`+one+`"}`))
	sameJSON(t, "all gone", groups(), `[]`)
	for _, c := range []struct{ what, path, args, result string }{
		{"create without args", "/i/event_groups/create", "", "Error: args not found"},
		{"update without args", "/i/event_groups/update", "", "Error: args not found"},
		{"delete without args", "/i/event_groups/delete", "", "Error: args not found"},
		{"create with text for events", "/i/event_groups/create", `{"app_id":"` + a.ID + `","name":"n","source_events":"x","status":true}`, "Error: Invalid type for source_events"},
		{"update of an unknown group", "/i/event_groups/update", `{"_id":"[CLY]_group_0","name":"n"}`, "Could not find event"},
		{"delete of an unknown group", "/i/event_groups/delete", `["[CLY]_group_0"]`, "Could not find event"},
	} {
		same(t, c.what, s.Post(c.path, "api_key", s.Key, "app_id", a.ID, "args", c.args), 400, wrong(c.result))
	}
}
