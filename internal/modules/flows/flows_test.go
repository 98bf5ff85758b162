package flows_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

// fill sends three sessions: 1 sees, carts and pays; 2 sees, visits a page and carts; 3 sees only.
func fill(s *testkit.Server, a testkit.TestApp) {
	ms := func(n int) string { return fmt.Sprint(start.UnixMilli() + int64(n)*1000) }
	send := func(device string, at int, key, segments string) {
		s.Ingest(a, device, "timestamp", ms(at), "events", fmt.Sprintf(`[{"key":%q,"count":1,"timestamp":%s,"segmentation":%s}]`, key, ms(at), segments))
	}
	for i, device := range []string{"d1", "d2", "d3"} {
		s.Ingest(a, device, "timestamp", ms(-900+i), "begin_session", "1", "metrics", `{"_os":"iOS"}`)
		send(device, -800+i, "see", `{"what":"tea"}`)
	}
	send("d1", -700, "cart", `{"what":"tea"}`)
	send("d1", -690, "pay", `{}`)
	send("d2", -700, "[CLY]_view", `{"name":"home","visit":1}`)
	send("d2", -690, "cart", `{"what":"milk"}`)
	s.Flush()
}

type data struct {
	ID, Flow, Period     string
	From, To, Calculated int64
	Paths, Users         int64
	Levels               []struct {
		Level int
		Nodes []struct {
			Event, Name, Value  string
			Other               bool
			Paths, Users, Ended int64
		}
		Links []struct{ From, To, Paths, Users int64 }
	}
}

// text writes a flow: a level in brackets, "event paths", and behind | the links.
func (d data) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d", d.Paths, d.Users)
	for _, l := range d.Levels {
		fmt.Fprintf(&b, " %d[", l.Level)
		for i, n := range l.Nodes {
			if i > 0 {
				b.WriteString(", ")
			}
			name := n.Event + n.Name + n.Value
			if n.Other {
				name = "other"
			}
			fmt.Fprintf(&b, "%s %d/%d-%d", name, n.Paths, n.Users, n.Ended)
		}
		for _, k := range l.Links {
			fmt.Fprintf(&b, " %d>%d=%d", k.From, k.To, k.Paths)
		}
		b.WriteString("]")
	}
	return b.String()
}

func TestPaths(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("a", "UTC")
	fill(s, a)
	var views struct {
		Result []struct{ Value, Name string }
	}
	testkit.Decode(t, s.Admin("/o/flows", "app_id", a.ID, "method", "views"), &views)
	if len(views.Result) != 1 || views.Result[0].Name != "home" {
		t.Fatalf("views %+v", views)
	}
	home := views.Result[0].Value
	for name, tt := range map[string]struct {
		pairs []string
		want  string
	}{
		"from sessions":   {nil, "3/3 0[[CLY]_session 3/3-0 0>0=3] 1[see 3/3-1 0>0=2] 2[cart 2/2-1 0>0=1] 3[pay 1/1-1]"},
		"from an event":   {[]string{"start", `{"event":"see"}`}, "3/3 0[see 3/3-1 0>0=2] 1[cart 2/2-1 0>0=1] 2[pay 1/1-1]"},
		"a text":          {[]string{"start", `"see"`, "options", `{"after":1}`}, "3/3 0[see 3/3-1 0>0=2] 1[cart 2/2-1]"},
		"up to an event":  {[]string{"end", `{"event":"pay"}`}, "1/1 -3[[CLY]_session 1/1-1 0>0=1] -2[see 1/1-0 0>0=1] -1[cart 1/1-0 0>0=1] 0[pay 1/1-0]"},
		"between":         {[]string{"start", `{"event":"see"}`, "end", `{"event":"pay"}`}, "1/1 0[see 1/1-0 0>0=1] 1[cart 1/1-0 0>0=1] 2[pay 1/1-1]"},
		"without a step":  {[]string{"exclude", `["see",{"event":"pay"}]`}, "3/3 0[[CLY]_session 3/3-1 0>0=2] 1[cart 2/2-2]"},
		"of some users":   {[]string{"start", `{"event":"see"}`, "user_segmentation", `{"did":"d1"}`}, "1/1 0[see 1/1-0 0>0=1] 1[cart 1/1-0 0>0=1] 2[pay 1/1-1]"},
		"filter wrapped":  {[]string{"start", `{"event":"see"}`, "user_segmentation", `{"query":"{\"did\":\"d3\"}","queryText":"x"}`}, "1/1 0[see 1/1-1]"},
		"views":           {[]string{"type", "views"}, "3/3 0[[CLY]_session 3/3-2 0>0=1] 1[[CLY]_viewhome 1/1-1]"},
		"a view":          {[]string{"type", "views", "start", `{"event":"[CLY]_view","vid":"` + home + `"}`}, "1/1 0[[CLY]_viewhome 1/1-1]"},
		"a view by id":    {[]string{"type", "views", "start", `{"vid":"` + home + `"}`}, "1/1 0[[CLY]_viewhome 1/1-1]"},
		"no such view":    {[]string{"type", "views", "start", `{"event":"[CLY]_view","vid":"x"}`}, "0/0"},
		"views beside":    {[]string{"start", `{"event":"see","vid":"x"}`, "options", `{"kinds":["events","views"],"after":1}`}, "3/3 0[see 3/3-1 0>0=1 0>1=1] 1[[CLY]_viewhome 1/1-0, cart 1/1-0]"},
		"expanded":        {[]string{"start", `{"event":"see"}`, "options", `{"expand":"sg.what","after":1,"nodes":1}`}, "3/3 0[seetea 3/3-1 0>0=1 0>1=1] 1[cartmilk 1/1-1, other 1/1-0]"},
		"in a window":     {[]string{"start", `{"event":"see"}`, "options", `{"bound":"window","window":100}`}, "3/3 0[see 3/3-2 0>0=1] 1[cart 1/1-1]"},
		"several anchors": {[]string{"start", `{"event":"cart"}`, "options", `{"anchors":["pay"],"before":1,"after":1}`}, "2/2 -1[see 2/2-0 0>0=2] 0[cart 2/2-1 0>0=1] 1[pay 1/1-1]"},
		"nobody":          {[]string{"start", `{"event":"'; DROP TABLE x; --"}`}, "0/0"},
		"another day":     {[]string{"period", "yesterday"}, "0/0"},
	} {
		t.Run(name, func(t *testing.T) {
			var got data
			testkit.Decode(t, s.Admin("/o/flows/paths", append([]string{"app_id", a.ID, "period", "7days"}, tt.pairs...)...), &got)
			if got.text() != tt.want {
				t.Errorf("got  %s\nwant %s", got.text(), tt.want)
			}
		})
	}
	for name, pairs := range map[string][]string{
		"a type":       {"type", "crashes"},
		"a period":     {"period", "garbage"},
		"a start":      {"start", "{"},
		"no event":     {"start", `{"name":"q"}`},
		"no last one":  {"end", `{"query":{"sg.what":"tea"}}`},
		"a filter":     {"user_segmentation", `{"$where":"1"}`},
		"a side":       {"options", `{"after":21}`},
		"no side":      {"options", `{"after":0}`},
		"a window":     {"options", `{"bound":"window"}`},
		"a bound":      {"options", `{"bound":"day"}`},
		"a kind":       {"options", `{"kinds":["x"]}`},
		"nodes":        {"options", `{"nodes":26}`},
		"held":         {"options", `{"hold":["a","b","c","d"]}`},
		"many anchors": {"options", `{"anchors":[` + strings.Repeat(`"a",`, 200) + `"b"]}`},
		"an anchor":    {"options", `{"anchors":[""]}`},
	} {
		t.Run(name, func(t *testing.T) {
			if res := s.Post("/o/flows/paths", append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...); res.Status != http.StatusBadRequest {
				t.Errorf("%d %s", res.Status, res.Body)
			}
		})
	}
}

func TestKept(t *testing.T) {
	s := testkit.New(t, testkit.At(start))
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	fill(s, a)
	call := func(path string, pairs ...string) testkit.Response {
		t.Helper()
		return s.Post(path, append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...)
	}
	want := func(res testkit.Response, status int, body string) {
		t.Helper()
		if res.Status != status || !strings.Contains(res.Body, body) {
			t.Fatalf("%d %s, want %d %s", res.Status, res.Body, status, body)
		}
	}
	want(call("/i/flows/create"), http.StatusBadRequest, "Missing request parameter:name")
	want(call("/i/flows/create", "name", "x", "type", "y"), http.StatusBadRequest, "type must be one of: events, views")
	want(call("/i/flows/create", "name", "x", "period", "garbage"), http.StatusBadRequest, "Bad request parameter: period")
	want(call("/i/flows/create", "name", "Buy", "start", `{"event":"see","vid":"gone"}`, "period", "7days", "user_segmentation", `{"cc":"Unknown"}`), http.StatusOK, `"Success"`)
	var list struct {
		Total int              `json:"iTotalRecords"`
		Rows  []map[string]any `json:"aaData"`
	}
	testkit.Decode(t, call("/o/flows", "method", "list", "sEcho", "1").Body, &list)
	if list.Total != 1 || len(list.Rows) != 1 || list.Rows[0]["status"] != "new" || !cmp.Equal(list.Rows[0]["start"], map[string]any{"event": "see"}) {
		t.Fatalf("%+v", list)
	}
	id, _ := list.Rows[0]["_id"].(string)
	if !strings.HasPrefix(id, a.ID+"_") {
		t.Fatalf("id %q", id)
	}
	want(call("/o/flows", "method", "data", "_id", id), http.StatusOK, "{}")
	want(call("/o/flows", "method", "info", "_id", id), http.StatusOK, `"memberData":{"full_name":`)
	want(call("/o/flows", "method", "events"), http.StatusOK, `"custom":["see","cart","pay"]`)
	want(call("/o/flows", "method", "crashes"), http.StatusOK, `{"result":[]}`)
	want(call("/o/flows", "method", "nonsense"), http.StatusBadRequest, "Invalid method")
	for _, path := range []string{"/o/flows?method=info", "/o/flows?method=data", "/i/flows/delete?x=", "/i/flows/calculate?x="} {
		path, query, _ := strings.Cut(path, "?")
		name, value, _ := strings.Cut(query, "=")
		want(s.Post(path, "api_key", s.Key, "app_id", b.ID, name, value, "_id", id), http.StatusBadRequest, "Flow not found")
	}
	want(call("/i/flows/calculate"), http.StatusBadRequest, "Missing request parameter(id of the flow):_id")
	want(call("/i/flows/calculate", "_id", id), http.StatusOK, "Flow calculation started")
	var got data
	for end := time.Now().Add(20 * time.Second); got.Calculated == 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		testkit.Decode(t, call("/o/flows", "method", "data", "_id", id).Body, &got)
	}
	if got.text() != "3/3 0[see 3/3-1 0>0=2] 1[cart 2/2-1 0>0=1] 2[pay 1/1-1]" || got.Flow != id || got.To <= got.From {
		t.Errorf("%+v", got)
	}
	want(call("/o/flows", "method", "info", "_id", id), http.StatusOK, `"status":"completed"`)
	want(call("/i/flows/edit"), http.StatusBadRequest, "Missing request parameter: _id")
	want(call("/i/flows/edit", "_id", "x", "name", "y"), http.StatusBadRequest, "Flow not found for update.")
	want(call("/i/flows/edit", "_id", id, "name", "Pay", "end", `{"event":"pay"}`), http.StatusOK, `"Success"`)
	want(call("/o/flows", "method", "info", "_id", id), http.StatusOK, `"status":"edited"`)
	want(call("/i/flows/updateDisabled", "data", "["), http.StatusInternalServerError, "Invalid paramerer 'data'")
	if log := s.Admin("/o/errorlogs", "log", "api"); strings.Contains(log, "updateDisabled") {
		t.Errorf("what a client sent is logged as an error of the server: %s", log)
	}
	want(call("/i/flows/updateDisabled", "data", "{}"), http.StatusBadRequest, "Nothing to update")
	want(call("/i/flows/updateDisabled", "data", `{"`+id+`":"true","nothing":true}`), http.StatusOK, `"Success"`)
	want(call("/o/flows", "method", "list"), http.StatusOK, `"status":"disabled"`)
	want(call("/i/flows/calculate", "_id", id), http.StatusBadRequest, "Flow is disabled")
	want(call("/i/flows/updateDisabled", "data", `{"`+strings.TrimPrefix(id, a.ID+"_")+`":false}`), http.StatusOK, `"Success"`)
	want(call("/o/flows", "method", "list"), http.StatusOK, `"status":"edited"`)
	want(call("/i/flows/delete", "_id", id), http.StatusOK, `"Success"`)
	want(call("/o/flows", "method", "info", "_id", id), http.StatusBadRequest, "Flow not found")
	want(call("/o/flows", "method", "data", "_id", id), http.StatusOK, "{}")
}
