package pipeline_test

import (
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// property reads a property of a row through the schema, as text.
func (w *world) property(app *model.App, row *events.Row, event, name string) string {
	e, _ := w.schema.Event(app.ID, event)
	for _, s := range e.Segments {
		if s.Name != name {
			continue
		}
		switch s.Slot.Kind {
		case schema.Text:
			if v := row.Text[s.Slot.Index-1]; v != nil {
				return *v
			}
		case schema.Number:
			if v := row.Num[s.Slot.Index-1]; v != nil {
				return strconv.FormatFloat(*v, 'f', -1, 64)
			}
		case schema.JSON:
			return "json " + row.Extra
		case schema.NoSlot:
		}
	}
	return ""
}

// brief writes rows as "key name count sum dur uid".
func brief(rows []events.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s c%d s%v d%v u%d", r.Key, r.Name, r.Count, r.Sum, r.Dur, r.UID)))
	}
	return out
}

func TestTimes(t *testing.T) {
	t.Parallel()
	const hour = 3_600_000
	received := noon + 200
	ms := func(v int64) string { return strconv.FormatInt(v, 10) }
	tests := []struct {
		name           string
		request, event string
		want           int64 // of the request
		wantEvent      int64
	}{
		{"13 digits", ms(noon - 5), "", noon - 5, noon - 5},
		{"10 digits", ms(noon / 1000), "", noon, noon},
		{"none", "", "", received, received},
		{"no number", "soon", "", received, received},
		{"other digits", "19366128", "", received, received},
		{"an hour ahead", ms(received + hour), "", received + hour, received + hour},
		{"further ahead", ms(received + hour + 1), "", received, received},
		{"first of 2005", "1104537600000", "", 1104537600000, 1104537600000},
		{"before 2005", "1104537599999", "", received, received},
		{"event's own", ms(noon), ms(noon - 9*hour), noon, noon - 9*hour},
		{"event's own too far ahead", ms(noon - 5*hour), ms(received + hour + 1), noon - 5*hour, received},
		{"event's own before 2005", ms(noon - 5*hour), "1000000000", noon - 5*hour, received},
		{"event's own is no time", ms(noon - 5*hour), "77", noon - 5*hour, noon - 5*hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := running(t, nil)
			own := ""
			if tt.event != "" {
				own = `,"timestamp":` + tt.event
			}
			rec := req(&utcApp, "X", noon, "events", `[{"key":"a"`+own+`}]`)
			rec.Received = received
			rec.Params[2].Value = []byte(tt.request)
			w.send(t, rec)
			rows := w.events.rows(&utcApp)
			if len(rows) != 1 || rows[0].TS != tt.wantEvent {
				t.Errorf("rows %+v, want one at %d", rows, tt.wantEvent)
			}
			if got := w.events.of(utcApp.ID).requests[1]; got.TS != tt.want || got.Received != received {
				t.Errorf("request %+v, want %d", got, tt.want)
			}
		})
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	named := &pipeline.Feature{Name: "feedback", Names: map[string]string{"[CLY]_star_rating": "widget_id"}}
	w := running(t, func(o *pipeline.Options) { o.Features = append(o.Features, named) })
	w.send(t,
		req(&utcApp, "X", noon, "hour", "7", "dow", "2", "events", `[
			{"key":"buy","count":2,"sum":1.5,"dur":3,"hour":8,"segmentation":{"plan":"pro 2.5","n":2.5,"ok":true,"list":[1,"a"],"nul":"a\u0000b"}},
			{"key":"buy","segmentation":{"n":"text now"}},
			{"key":"[CLY]_view","segmentation":{"name":"Home","visit":1,"dur":12}},
			{"key":"[CLY]_star_rating","segmentation":{"widget_id":"w1","rating":5}},
			{"key":"[CLY]_session"},{"count":4},"[CLY]_x",7]`, "crash", `{"_error":"a\nb"}`,
			"apm", `{"type":"network","name":"https://x.example/a","apm_metrics":{"response_time":120},"stz":5}`),
	)
	rows := w.events.rows(&utcApp)
	want := []string{
		"[CLY]_custom buy c2 s1.5 d3 u1", "[CLY]_custom buy c1 s0 d0 u1", "[CLY]_view Home c1 s0 d12 u1",
		"[CLY]_star_rating w1 c1 s0 d0 u1", "[CLY]_crash  c1 s0 d0 u1", "[CLY]_apm_network https://x.example/a c1 s0 d0 u1",
	}
	if diff := cmp.Diff(want, brief(rows)); diff != "" {
		t.Fatalf("rows (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		row               int
		event, name, want string
	}{
		{0, "buy", "plan", "pro 2.5"},
		{0, "buy", "ok", "true"},
		{0, "buy", "nul", "a&#9647b"},
		{0, "buy", "list", `json {"list":[1,"a"]}`},
		{1, "buy", "n", `json {"n":"text now"}`},
		{2, "[CLY]_view", "visit", "1"},
		{2, "[CLY]_view", "name", "Home"}, // and in the column n
		{2, "[CLY]_view", "dur", ""},
		{3, "[CLY]_star_rating", "widget_id", "w1"},
		{5, "[CLY]_apm_network", "response_time", "120"},
	} {
		if got := w.property(&utcApp, &rows[tt.row], tt.event, tt.name); got != tt.want {
			t.Errorf("%s of row %d: got %q, want %q", tt.name, tt.row, got, tt.want)
		}
	}
	if rows[0].Num[0] == nil || *rows[0].Num[0] != 2.5 || rows[0].Hour != 8 || rows[0].Dow != 2 || rows[1].Hour != 7 {
		t.Errorf("number or clock: %+v", rows[0])
	}
	if rows[4].Extra != `{"_error":"a\nb"}` {
		t.Errorf("crash: %s", rows[4].Extra)
	}
	segments := map[string]string{}
	for _, name := range []string{"plan", "n", "ok", "list", "nul"} {
		for v, n := range w.day(t, &utcApp, rollup.Segments, "buy\x00"+name, noon, counts) {
			segments[name+"="+v] = n
		}
	}
	wantSegments := map[string]string{"plan=pro 2:5": "2", "n=2:5": "2", "n=text now": "1", "ok=true": "2", "nul=a&#9647b": "2"}
	if diff := cmp.Diff(wantSegments, segments); diff != "" {
		t.Errorf("segments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{
		"request/accepted": "1", "event/accepted": "4", "event/reserved_key": "1", "event/no_key": "1",
		"event/malformed": "2", "crash/accepted": "1", "trace/accepted": "1",
	}, w.outcomes(t, &utcApp, noon)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	var keys, segments, values []string
	for i := range 503 {
		keys = append(keys, fmt.Sprintf(`{"key":"k%03d"}`, i))
	}
	for i := range 103 {
		segments = append(segments, fmt.Sprintf(`"s%03d":"v"`, i))
	}
	for i := range 1003 {
		values = append(values, fmt.Sprintf(`{"key":"k001","segmentation":{"id":"i%04d"}}`, i))
	}
	w.send(t,
		req(&utcApp, "X", noon, "events", "["+strings.Join(keys, ",")+"]"),
		req(&utcApp, "X", noon, "events", `[{"key":"k000","segmentation":{`+strings.Join(segments, ",")+`}}]`),
		req(&utcApp, "X", noon, "events", "["+strings.Join(values, ",")+"]"),
		req(&utcApp, "X", noon, "events", `[{"key":"[CLY]_view","segmentation":{"name":"V"}}]`),
	)
	if got := w.outcomes(t, &utcApp, noon); got["event/event_limit"] != "3" || got["event/accepted"] != strconv.Itoa(500+1+1003+1) {
		t.Errorf("outcomes %v", got)
	}
	if got := len(w.day(t, &utcApp, rollup.Events, "", noon, counts)); got != 500 {
		t.Errorf("got %d event cells, want 500; views have their own", got)
	}
	e, _ := w.schema.Event(utcApp.ID, "k000")
	if len(e.Segments) != 100 {
		t.Errorf("got %d segments, want 100", len(e.Segments))
	}
	if got := len(w.day(t, &utcApp, rollup.Segments, "k001\x00id", noon, counts)); got != 1000 {
		t.Errorf("got %d values in cells, want 1000", got)
	}
	kept := 0
	for _, r := range w.events.rows(&utcApp) {
		if r.Name == "k001" && w.property(&utcApp, &r, "k001", "id") != "" {
			kept++
		}
	}
	if kept != 1003 {
		t.Errorf("got %d values in rows, want all 1003", kept)
	}
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	const day = 24 * 3_600_000
	one := req(&utcApp, "X", noon+1, "begin_session", "1", "events", `[{"key":"a"},{}]`, "crash", `{"_error":"x"}`)
	at := func(received int64) request.Record { r := one; r.Received = received; return r }
	tests := []struct {
		name  string
		again request.Record
		allow bool
		want  map[string]string
	}{
		{"at once", one, false, map[string]string{
			"request/accepted": "1", "session/accepted": "1", "event/accepted": "1", "crash/accepted": "1", "event/no_key": "2",
			"request/duplicate": "1", "session/duplicate": "1", "event/duplicate": "1", "crash/duplicate": "1",
		}},
		{"switched off", one, true, map[string]string{
			"request/accepted": "2", "session/accepted": "2", "event/accepted": "2", "crash/accepted": "2", "event/no_key": "2",
		}},
		{"two days later", at(one.Received + 2*day), false, nil},
		{"three days later", at(one.Received + 3*day), false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := running(t, func(o *pipeline.Options) {
				o.Settings = func(*model.App) pipeline.Settings {
					s := pipeline.DefaultSettings()
					s.AllowDuplicates = tt.allow
					return s
				}
			})
			w.send(t, one)
			w.send(t, tt.again)
			if tt.want != nil {
				if diff := cmp.Diff(tt.want, w.outcomes(t, &utcApp, noon)); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
				return
			}
			got := w.outcomes(t, &utcApp, tt.again.Received)
			if remembered := got["request/duplicate"] == "1"; remembered != (tt.name == "two days later") {
				t.Errorf("outcomes of the later day: %v", got)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	addr := netip.MustParseAddr("203.0.113.7")
	locate := func(o *pipeline.Options) {
		o.Locate = func(a netip.Addr) pipeline.Place {
			switch a {
			case addr:
				return pipeline.Place{Country: "PE", Region: "LIM", City: "Lima"}
			case netip.MustParseAddr("203.0.113.8"):
				return pipeline.Place{Country: "FR"}
			}
			return pipeline.Place{}
		}
	}
	from := func(r request.Record) request.Record { r.IP = addr; return r }
	begin := func(sec int64, pairs ...string) request.Record {
		return from(req(&utcApp, "X", noon+sec*1000, append([]string{"begin_session", "1"}, pairs...)...))
	}
	tests := []struct {
		name     string
		requests []request.Record
		want     string // country region city loc opt-out
	}{
		{"address", []request.Record{begin(0)}, "PE LIM Lima <nil> false"},
		{"no address", []request.Record{req(&utcApp, "X", noon, "begin_session", "1")}, "Unknown  Unknown <nil> false"},
		{"told country wins", []request.Record{begin(0, "country_code", "de")}, "DE  Unknown <nil> false"},
		{"told city and region", []request.Record{begin(0, "country_code", "DE", "region", "NW", "city", "Bonn")}, "DE NW Bonn <nil> false"},
		{"position with the address's country", []request.Record{begin(0, "location", "50.7,7.1")}, "PE LIM Lima &[50.7 7.1] false"},
		{"address in the request", []request.Record{begin(0, "ip_address", "203.0.113.8")}, "FR  Unknown <nil> false"},
		{"opt-out", []request.Record{begin(0), begin(1, "location", "")}, "Unknown  Unknown <nil> true"},
		{"opt-out alone", []request.Record{begin(0), from(req(&utcApp, "X", noon, "location", ""))}, "Unknown  Unknown <nil> true"},
		{"opt-out holds", []request.Record{begin(0, "location", ""), begin(1)}, "Unknown  Unknown <nil> true"},
		{"a new place ends the opt-out", []request.Record{begin(0, "location", ""), begin(1, "location", "1,2")}, "PE LIM Lima &[1 2] false"},
		{"kept when nothing is found", []request.Record{begin(0), req(&utcApp, "X", noon+1000, "begin_session", "1")}, "PE LIM Lima <nil> false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := running(t, locate)
			w.send(t, tt.requests...)
			p := w.profile(t, &utcApp, "X")
			if got := fmt.Sprint(p.Dims[model.Country], " ", p.Dims[model.Region], " ", p.Dims[model.City], " ", p.Loc, " ", p.NoLocation); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTechnology(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	safari := "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15"
	agent := func(r request.Record) request.Record { r.UserAgent = safari; return r }
	w.send(t,
		agent(req(&utcApp, "X", noon, "begin_session", "1", "sdk_name", "java", "sdk_version", "20.1.2", "metrics",
			`{"_os":"Android","_os_version":"14.1","_device":"Pixel 9","_app_version":"3.4.1","_locale":"pt_BR","_carrier":"metro pcs"}`)),
		agent(req(&utcApp, "X", noon+1000, "begin_session", "1", "metrics", `["users"]`)),
		req(&utcApp, "X", noon+2000, "begin_session", "1", "av", "4.0", "metrics", `{"_os_version":"15"}`),
		agent(req(&utcApp, "Y", noon+3000, "begin_session", "1")),
		agent(req(&utcApp, "Z", noon+3000, "events", "[]")),
	)
	got := map[string]map[string]string{}
	for name, m := range map[string]rollup.Metric{
		"os": rollup.OS, "av": rollup.AppVersions, "lang": rollup.Languages, "carrier": rollup.Carriers, "sdk": rollup.SDKs, "device": rollup.Devices,
	} {
		got[name] = w.day(t, &utcApp, m, "", noon, func(c *rollup.Cell) string { return fmt.Sprint(c.Count, c.New, c.Uniques()) })
	}
	mac := w.profile(t, &utcApp, "Y").Dims[model.OS]
	want := map[string]map[string]string{
		"os": {"Android": "3 1 1", mac: "1 1 1"}, "av": {"3:4:1": "2 1 1", "4:0": "1 0 1"}, "lang": {"pt": "3 1 1"},
		"carrier": {"Metro Pcs": "3 1 1", "Unknown": "1 1 1"}, "sdk": {"[java]_20:1:2": "3 1 1"}, "device": {"Pixel 9": "3 1 1"},
	}
	if d := w.profile(t, &utcApp, "Y").Dims[model.Device]; d != "" {
		want["device"][d] = "1 1 1"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if mac == "" {
		t.Error("the header was not asked though nobody told the system")
	}
	if p := w.profile(t, &utcApp, "Z"); p.Dims[model.OS] != "" || p.Dims[model.Browser] != "" {
		t.Errorf("the header was asked without a session: %q %q", p.Dims[model.OS], p.Dims[model.Browser])
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	w.send(t,
		req(&utcApp, "X", noon, "events", `[{"key":"a"}]`),
		req(&utcApp, "X", noon, "events", `[{"key":"b"}]`, "user_details", `{"custom":{"plan":"pro"}}`),
		req(&utcApp, "X", noon, "events", `[{"key":"c"}]`, "consent", `{"push":true}`, "session_duration", "4"),
		req(&utcApp, "X", noon, "events", `[{"key":"d"}]`, "campaign_id", "spring"),
	)
	var got []string
	for _, r := range w.events.rows(&utcApp) {
		got = append(got, r.Key+r.Name+" "+w.events.of(utcApp.ID).states[r.State].JSON)
	}
	place := `"up.cc":"Unknown","up.cty":"Unknown"`
	want := []string{
		"[CLY]_customa {" + place + "}", "[CLY]_customb {" + place + `,"custom.plan":"pro"}`,
		"[CLY]_consent {" + place + `,"custom.plan":"pro"}`, "[CLY]_customc {" + place + `,"custom.plan":"pro"}`,
		"[CLY]_customd {" + place + `,"custom.plan":"pro","cmp.c":"spring"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if n := len(w.events.of(utcApp.ID).states); n != 3 {
		t.Errorf("got %d states, want 3", n)
	}
}

func TestConsent(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	for _, c := range []string{`{"push":true,"events":true}`, `{"push":true,"events":true}`, `{"push":false}`, `{"push":true,"events":false}`} {
		w.send(t, req(&utcApp, "X", noon, "consent", c))
	}
	rows := w.events.rows(&utcApp)
	var got []string
	for i := range rows {
		of := func(name string) string { return w.property(&utcApp, &rows[i], "[CLY]_consent", name) }
		got = append(got, fmt.Sprintf("%s push=%s/%s events=%s/%s extra=%s", rows[i].Key, of("push"), of("push_bf"), of("events"), of("events_bf"), rows[i].Extra))
	}
	want := []string{
		"[CLY]_consent push=true/ events=true/ extra=",
		"[CLY]_consent push=false/true events=/ extra=",
		`[CLY]_consent push=true/false events=false/true extra={"_type":["i","o"]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for i, want := range []string{"i", "o"} {
		if v := rows[i].Text[0]; v == nil || *v != want {
			t.Errorf("_type of row %d: %v", i, v)
		}
	}
	if diff := cmp.Diff(map[string]bool{"push": true, "events": false}, w.profile(t, &utcApp, "X").Consent); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
}

func TestActivity(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	past := noon - 20*24*3_600_000
	first := req(&utcApp, "X", past, "begin_session", "1")
	first.Received = noon
	w.send(t, first, req(&utcApp, "X", past-5000), req(&utcApp, "X", noon, "begin_session", "1", "session_duration", "7"))
	got := w.profile(t, &utcApp, "X")
	want := &model.Profile{
		FirstSession: past / 1000, LastSession: noon / 1000, FirstActivity: past/1000 - 5, LastActivity: noon / 1000,
		FirstSync: past/1000 - 5, LastSync: noon / 1000, Sessions: 2, LastDuration: 7, TotalDuration: 7,
	}
	if got.FirstSession != want.FirstSession || got.LastSession != want.LastSession || got.FirstActivity != want.FirstActivity ||
		got.LastActivity != want.LastActivity || got.FirstSync != want.FirstSync || got.LastSync != want.LastSync ||
		got.Sessions != want.Sessions || got.LastDuration != want.LastDuration || got.TotalDuration != want.TotalDuration {
		t.Errorf("got %+v", got)
	}
	if f := w.day(t, &utcApp, rollup.Frequency, "", noon, counts); f["10"] != "1" {
		t.Errorf("frequency after 20 days: %v", f)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	w.send(t,
		req(&utcApp, "X", noon, "begin_session", "1"),
		req(&utcApp, "X", noon+40_000, "session_duration", "40"),
		req(&utcApp, "Y", noon, "begin_session", "1"),
	)
	sweep := func(at int64) int {
		n, err := w.pipe.Sweep(t.Context(), time.UnixMilli(at))
		if err != nil {
			t.Fatal(err)
		}
		w.flush(t)
		return n
	}
	if n := sweep(noon + 200 + 30*60_000); n != 0 {
		t.Errorf("swept %d after exactly 30 minutes", n)
	}
	if n := sweep(noon + 201 + 30*60_000); n != 1 {
		t.Errorf("swept %d, want Y's session", n)
	}
	if n := sweep(noon + 24*3_600_000); n != 1 {
		t.Errorf("swept %d, want X's session", n)
	}
	if n := sweep(noon + 25*3_600_000); n != 0 {
		t.Errorf("swept %d more", n)
	}
	if diff := cmp.Diff(map[string]string{"0": "1", "2": "1"}, w.day(t, &utcApp, rollup.Durations, "", noon, counts)); diff != "" {
		t.Errorf("lengths on the day of the last activity (-want +got):\n%s", diff)
	}
	rows := w.events.rows(&utcApp)
	last := rows[len(rows)-1]
	if last.Key != "[CLY]_session" || last.TS != noon+40_000 || last.Dur != 40 || last.Session != 1 {
		t.Errorf("row %+v", last)
	}
}

// routed is a journal that takes records only with the routing of their app.
type routed struct{ journal.Journal }

func (j routed) Append(ctx context.Context, entries ...journal.Entry) (journal.Position, error) {
	for _, e := range entries {
		var rec request.Record
		if err := request.Decode(e.Payload, &rec); err != nil {
			return journal.Position{}, err
		}
		if e.Routing != journal.Routing(rec.App) {
			return journal.Position{}, fmt.Errorf("a record of kind %d of app %s is routed by %d", rec.Kind, rec.App, e.Routing)
		}
	}
	return j.Journal.Append(ctx, entries...)
}

// TestRouting: commands and time-outs go where the requests of their app go.
func TestRouting(t *testing.T) {
	t.Parallel()
	w := running(t, func(o *pipeline.Options) { o.Journal = routed{o.Journal} })
	w.send(t, req(&utcApp, "X", noon, "begin_session", "1"), req(&kolkataApp, "X", noon, "begin_session", "1"))
	if n, err := w.pipe.Sweep(t.Context(), time.UnixMilli(noon+3_600_000)); n != 2 || err != nil {
		t.Errorf("swept %d sessions, %v; want 2", n, err)
	}
	w.submit(t, request.Record{Kind: request.ResetApp, App: kolkataApp.ID})
}
