package modeltest_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// param is one parameter: a text, or something structured.
type param struct {
	name  string
	value any
}

// params writes a request down as the wire has it, in a fixed order.
func (q *request) params(key string) []param {
	out := []param{{"app_key", key}, {"device_id", q.device}}
	add := func(on bool, name string, value any) {
		if on {
			out = append(out, param{name, value})
		}
	}
	add(q.ms != 0, "timestamp", stamp(q.ms, q.seconds10))
	add(q.old != "", "old_device_id", q.old)
	add(q.begin, "begin_session", "1")
	add(q.end, "end_session", "1")
	add(q.ignoreCooldown, "ignore_cooldown", "true")
	add(q.duration != nil, "session_duration", q.duration)
	add(q.metrics != nil, "metrics", q.metrics)
	add(q.metricsText != "", "metrics", q.metricsText)
	add(q.sdk[0] != "", "sdk_name", q.sdk[0])
	add(q.sdk[1] != "", "sdk_version", q.sdk[1])
	add(q.country != "", "country_code", q.country)
	add(q.region != "", "region", q.region)
	add(q.city != "", "city", q.city)
	if q.location != nil {
		add(true, "location", *q.location)
	}
	if q.user != nil {
		add(true, "user_details", q.user.wire())
	}
	add(q.consent != nil, "consent", q.consent)
	if list := q.eventList(); len(list) > 0 {
		add(true, "events", list)
	}
	if q.clock != nil {
		add(true, "hour", text(q.clock.hour))
		add(true, "dow", text(q.clock.weekday))
		add(true, "tz", "120")
	}
	add(q.remaining > 0, "rr", text(q.remaining))
	return out
}

func stamp(ms int64, seconds bool) string {
	if seconds {
		ms /= 1000
	}
	return text(ms)
}

func (q *request) eventList() []any {
	var out []any
	for i := range q.events {
		out = append(out, q.events[i].wire())
	}
	return append(out, q.badEvents...)
}

func (e *event) wire() any {
	m := map[string]any{"key": e.key}
	if e.count != 0 {
		m["count"] = e.count
	}
	if e.sum != nil {
		m["sum"] = *e.sum
	}
	if e.dur != nil {
		m["dur"] = *e.dur
	}
	if e.ms != 0 {
		m["timestamp"] = json.Number(stamp(e.ms, e.seconds10))
	}
	if e.clock != nil {
		m["hour"], m["dow"] = e.clock.hour, e.clock.weekday
	}
	if len(e.segments) > 0 {
		m["segmentation"] = ordered(e.segments)
	}
	return m
}

// ordered is an object whose keys keep their order.
type ordered []segment

// MarshalJSON writes the object.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, s := range o {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		for j, v := range []any{s.name, s.value} {
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			b.WriteString(map[bool]string{true: "", false: ":"}[j == 0])
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (d *details) wire() any {
	out := maps.Clone(d.named)
	custom := ordered{}
	for _, c := range d.custom {
		v := c.value
		if c.op != "" {
			v = map[string]any{c.op: c.value}
		}
		custom = append(custom, segment{c.key, v})
	}
	if len(custom) > 0 {
		out["custom"] = custom
	}
	return out
}

// asText is a parameter as a form has it.
func (p param) asText() string {
	switch v := p.value.(type) {
	case string:
		return v
	case float64:
		return text(v)
	}
	return marshal(p.value)
}

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// way is how a request travels.
type way int

const (
	get way = iota
	pixel
	post
	queryPost // POST with everything in the URL
	jsonBody
	bulkForm
	bulkJSON
)

// sent is something that went out and may be sent again.
type sent struct {
	way   way
	app   *app
	items []item
}

type item struct {
	app     *app
	request *request
}

// paramsOf are the parameters of an item: in a bulk request the app_key beside
// requests holds for items of the same app.
func (s *sent) paramsOf(it item) []param {
	ps := it.request.params(it.app.key)
	if s.way >= bulkForm && it.app == s.app {
		return ps[1:]
	}
	return ps
}

// fingerprint is equal for two requests that are the same one, sent again: it has the parameters
// by name, except the app's key and rr, whatever form carries them.
func (s *sent) fingerprint(it item) string {
	if it.request.ms < 1e12 || it.request.seconds10 {
		return ""
	}
	var lines []string
	for _, p := range s.paramsOf(it) {
		if p.name != "app_key" && p.name != "rr" {
			lines = append(lines, p.name+" "+p.asText())
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// send sends it over HTTP and applies it to the model.
func (s *sent) send(t *testing.T, srv *testkit.Server) {
	t.Helper()
	received := srv.Clock().Now().UnixMilli()
	for _, it := range s.items {
		r := *it.request
		r.received, r.fingerprint = received, s.fingerprint(it)
		it.app.apply(&r)
	}
	if s.way >= bulkForm {
		s.app.count("request", "malformed", 1) // the item that is null
	}
	res := s.do(srv)
	if s.way == pixel {
		if res.Status != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "image/") {
			t.Fatalf("sent %+v: %d %s", s, res.Status, res.Body)
		}
		return
	}
	var answer struct {
		Result string `json:"result"`
	}
	if err := json.Unmarshal([]byte(res.Body), &answer); err != nil || res.Status != http.StatusOK || answer.Result != "Success" {
		t.Fatalf("sent %+v: %d %s", s, res.Status, res.Body)
	}
}

func (s *sent) do(srv *testkit.Server) testkit.Response {
	const form, js = "application/x-www-form-urlencoded", "application/json"
	first := s.paramsOf(s.items[0])
	var pairs []string
	for _, p := range first {
		pairs = append(pairs, p.name, p.asText())
	}
	switch s.way {
	case get:
		return srv.Do(http.MethodGet, "/i?"+testkit.Query(pairs...), nil)
	case pixel:
		return srv.Do(http.MethodGet, "/pixel.png?"+testkit.Query(pairs...), nil)
	case post:
		return srv.Do(http.MethodPost, "/i", strings.NewReader(testkit.Query(pairs...)), "Content-Type", form)
	case queryPost:
		return srv.Do(http.MethodPost, "/i?"+testkit.Query(pairs...), nil)
	case jsonBody:
		return srv.Do(http.MethodPost, "/i", strings.NewReader(marshal(object(first))), "Content-Type", js)
	case bulkForm, bulkJSON:
	}
	var list []any
	for _, it := range s.items {
		list = append(list, object(s.paramsOf(it)))
	}
	list = append(list, nil, map[string]any{"app_key": "nobody's", "device_id": "x", "begin_session": 1})
	if s.way == bulkJSON {
		return srv.Do(http.MethodPost, "/i/bulk", strings.NewReader(marshal(map[string]any{"app_key": s.app.key, "requests": list})), "Content-Type", js)
	}
	body := testkit.Query("app_key", s.app.key, "requests", marshal(list))
	return srv.Do(http.MethodPost, "/i/bulk", strings.NewReader(body), "Content-Type", form)
}

// object is the parameters as a JSON object in their order.
func object(ps []param) ordered {
	var out ordered
	for _, p := range ps {
		out = append(out, segment(p))
	}
	return out
}

// next makes up the next thing to send.
func (r *traffic) next() *sent {
	src := pick(r, r.apps...)
	if len(src.history) > 0 && r.chance(6) { // the client saw no answer
		return src.history[r.IntN(len(src.history))]
	}
	s := &sent{app: src.model, way: pick(r, get, get, pixel, post, post, queryPost, jsonBody, bulkForm, bulkJSON)}
	n := 1
	if s.way >= bulkForm {
		n = 1 + r.IntN(8)
	}
	for range n {
		of := src
		if n > 1 && r.chance(20) {
			of = pick(r, r.apps...)
		}
		s.items = append(s.items, item{of.model, r.request(of)})
	}
	src.history = append(src.history, s)
	return s
}
