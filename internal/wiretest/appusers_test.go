package wiretest_test

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// TestAppUsers creates, changes and deletes users (wire.md 9.3).
func TestAppUsers(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	call := func(path string, pairs ...string) testkit.Response {
		return s.Post(path, append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...)
	}
	s.Ingest(a, "S1", "begin_session", "1", "timestamp", noonMS)
	s.Ingest(a, "S2", "begin_session", "1", "timestamp", noonMS)
	s.Flush()
	sum := sha1.Sum([]byte(a.Key + "D"))
	id := hex.EncodeToString(sum[:])
	created := call("/i/app_users/create", "data", `{"did":"D","name":"Ann","custom":{"flag":"0"}}`)
	result, _ := dig(t, created.Body, "result").(string)
	doc, found := strings.CutPrefix(result, "User Created: ")
	if created.Status != 200 || !found || !strings.Contains(doc, `"did":"D"`) || !strings.Contains(doc, `"uid":"3"`) || !strings.Contains(doc, `"_id":"`+id+`"`) {
		t.Errorf("created: %d %s", created.Status, created.Body)
	}
	part(t, "read back", method(s, a, "user_details", "did", "D"), `"Ann"`, "name")
	bytes(t, "update", call("/i/app_users/update", "query", `{"did":"D"}`, "update", `{"custom.flag":"1"}`), 200, `{"result":"User Updated"}`)
	part(t, "visible to the next request", method(s, a, "user_details", "did", "D"), `"1"`, "custom", "flag")
	bytes(t, "modifiers", call("/i/app_users/update", "query", `{"uid":"3"}`, "update", `{"$set":{"name":"Bea"},"$inc":{"custom.n":2},"$unset":{"custom.flag":""}}`), 200, `{"result":"User Updated"}`)
	got := method(s, a, "user_details", "did", "D")
	part(t, "set", got, `"Bea"`, "name")
	part(t, "custom", got, `{"n":2}`, "custom")
	bytes(t, "several by force", call("/i/app_users/update", "query", `{"sc":1}`, "update", `{"name":"all"}`, "force", "true"), 200, `{"result":"User Updated"}`)
	part(t, "the first", method(s, a, "user_details", "did", "S1"), `"all"`, "name")
	part(t, "the second", method(s, a, "user_details", "did", "S2"), `"all"`, "name")
	for _, c := range []struct{ path, pairs, result string }{
		{"create", ``, `Missing parameter "data"`},
		{"create", `data={bad-json}`, `Could not parse parameter "data": {bad-json}`},
		{"create", `data=[1]`, `Could not parse parameter "data": [1]`},
		{"create", `data={}`, `Parameter "data" cannot be empty`},
		{"create", `data={"name":"x"}`, `Provide device_id as did property for data`},
		{"create", `data={"did":""}`, `Provide device_id as did property for data`},
		{"create", `data={"did":5}`, `Provide device_id as did property for data`},
		{"create", `data={"did":"E","_id":"x"}`, "Based on app key and device_id, provided _id property should be " + idOf(a, "E") + ". Do not provide _id if you want api to use correct one"},
		{"update", ``, `Missing parameter "query"`},
		{"update", `query={"did":"D"}`, `Missing parameter "update"`},
		{"update", `update={"name":"x"}`, `Missing parameter "query"`},
		{"update", `query={bad-json}&update={"name":"x"}`, `Could not parse parameter "query": {bad-json}`},
		{"update", `query={"did":"D"}&update={bad-json}`, `Could not parse parameter "update": {bad-json}`},
		{"update", `query={"did":"D"}&update={}`, `Parameter "update" cannot be empty`},
		{"update", `query={"did":"nobody"}&update={"name":"x"}`, `No users matching criteria`},
		{"update", `query={"name":"nobody"}&update={"name":"x"}`, `No users matching criteria`},
		{"update", `query={"sc":1}&update={"name":"x"}`, `This query would update more than one user`},
		{"update", `query={"sc":1}&update={"name":"x"}&force=false`, `This query would update more than one user`},
		{"delete", ``, `Missing parameter "query"`},
		{"delete", `query={bad-json}`, `Could not parse parameter "query": {bad-json}`},
		{"delete", `query={}`, `Parameter "query" cannot be empty, it would delete all users. Use clear app instead`},
		{"delete", `query={"did":"nobody"}`, `No users matching criteria`},
		{"delete", `query={"sc":1}`, `This query would delete more than one user`},
	} {
		var pairs []string
		for p := range strings.SplitSeq(c.pairs, "&") {
			if name, v, ok := strings.Cut(p, "="); ok {
				pairs = append(pairs, name, v)
			}
		}
		same(t, c.path+" with "+c.pairs, call("/i/app_users/"+c.path, pairs...), 400, wrong(c.result))
	}
	bytes(t, "delete", call("/i/app_users/delete", "query", `{"did":"D"}`), 200, `{"result":"User deleted"}`)
	sameJSON(t, "gone", method(s, a, "user_details", "did", "D"), `{}`)
	part(t, "from the list too", method(s, a, "user_details"), `2`, "iTotalRecords")
	bytes(t, "delete several", call("/i/app_users/delete", "query", `{"sc":1}`, "force", "1"), 200, `{"result":"User deleted"}`)
	part(t, "none left", method(s, a, "user_details"), `0`, "iTotalRecords")
}

func idOf(a testkit.TestApp, device string) string {
	sum := sha1.Sum([]byte(a.Key + device))
	return hex.EncodeToString(sum[:])
}

// TestMerge is the examples of wire.md 9.2.
func TestMerge(t *testing.T) { //nolint:tparallel // the subtests share one server, in order
	t.Parallel()
	s := server(t)
	clock := noon.UnixMilli() - 1000
	type step struct {
		device, metrics string
		pairs           []string
	}
	phone, pad := `{"_os":"Android","_device":"phone"}`, `{"_os":"iOS","_device":"iPad"}`
	begin := func(device, metrics string) step { return step{device, metrics, []string{"begin_session", "1"}} }
	merge := step{"N", "", []string{"old_device_id", "O"}}
	for name, c := range map[string]struct {
		steps []step
		want  map[string]string // of N; "" = absent
	}{
		"into a new user": {
			[]step{begin("O", phone), merge},
			map[string]string{"d": `"phone"`, "p": `"Android"`, "uid": `"2"`, "did": `"N"`, "sc": `1`},
		},
		"the newer is old": {
			[]step{begin("N", phone), begin("O", pad), merge},
			map[string]string{"d": `"iPad"`, "p": `"iOS"`, "uid": `"1"`, "sc": `2`},
		},
		"the newer is new": {
			[]step{begin("O", pad), begin("N", phone), merge},
			map[string]string{"d": `"phone"`, "p": `"Android"`, "uid": `"2"`, "sc": `2`},
		},
		"custom properties and consent united": {
			[]step{
				{"O", "", []string{"user_details", `{"name":"Old","custom":{"a":"o","b":"o"}}`, "consent", `{"x":true,"y":true}`}},
				{"N", "", []string{"user_details", `{"custom":{"b":"n","c":"n"}}`, "consent", `{"y":false,"z":true}`}},
				merge,
			},
			map[string]string{"name": `"Old"`, "custom": `{"a":"o","b":"n","c":"n"}`, "consent": `{"x":true,"y":false,"z":true}`},
		},
		"of nobody": {
			[]step{begin("N", phone), merge},
			map[string]string{"d": `"phone"`, "uid": `"1"`, "sc": `1`},
		},
		"with itself": {
			[]step{begin("N", phone), {"N", "", []string{"old_device_id", "N", "session_duration", "5"}}},
			map[string]string{"d": `"phone"`, "uid": `"1"`, "tsd": `5`},
		},
		"the rest of the request goes on": {
			[]step{begin("O", phone), {"N", "", []string{"old_device_id", "O", "user_details", `{"name":"after"}`}}},
			map[string]string{"d": `"phone"`, "name": `"after"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.CreateApp("A", "UTC")
			for _, st := range c.steps {
				clock++
				pairs := append([]string{"timestamp", strconv.FormatInt(clock, 10)}, st.pairs...)
				if st.metrics != "" {
					pairs = append(pairs, "metrics", st.metrics)
				}
				s.Ingest(a, st.device, pairs...)
				clock += 10 // the profile's activity is in seconds, so that each step is another
				clock += 1000
			}
			s.Flush()
			got := method(s, a, "user_details", "did", "N")
			for field, want := range c.want {
				part(t, "N", got, want, field)
			}
			part(t, "N", got, `"`+idOf(a, "N")+`"`, "_id")
			sameJSON(t, "O is gone", method(s, a, "user_details", "did", "O"), `{}`)
			part(t, "one profile", method(s, a, "user_details"), `1`, "iTotalRecords")
			if doc := method(s, a, "total_users"); doc != `[]` {
				part(t, "one user", doc, `1`, "0", "u")
			}
		})
	}
}

// TestLoyalty groups users by their sessions (wire.md 4.3).
func TestLoyalty(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	loyalty := func(pairs ...string) string {
		return s.Admin("/o/app_users/loyalty", append([]string{"app_id", a.ID}, pairs...)...)
	}
	sameJSON(t, "nobody", loyalty(), `{"all":[],"7days":[],"30days":[]}`)
	begin := func(device string, day int64, times int) {
		for i := range times {
			s.Ingest(a, device, "begin_session", "1", "timestamp", ms(-day*86400000+int64(i)))
		}
	}
	begin("today", 0, 1)
	begin("week", 20, 2)
	begin("four", 40, 4)
	begin("five", 40, 5)
	s.Flush()
	sameJSON(t, "all", loyalty(), `{"all":[{"_id":"1","count":1,"index":0},{"_id":"2","count":1,"index":1},{"_id":"3-5","count":2,"index":2}],
		"7days":[{"_id":"1","count":1,"index":0}],"30days":[{"_id":"1","count":1,"index":0},{"_id":"2","count":1,"index":1}]}`)
	part(t, "a query", loyalty("query", `{"did":"four"}`), `[{"_id":"3-5","count":1,"index":2}]`, "all")
	part(t, "a bad query is none", loyalty("query", `{`), `2`, "all", "2", "count")
}
