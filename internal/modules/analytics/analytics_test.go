package analytics_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/intake"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/modules/analytics"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/settings"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/schema"
)

var (
	busyApp  = model.App{ID: model.ID{0xa}, Timezone: "UTC"}
	emptyApp = model.App{ID: model.ID{0xb}, Timezone: "Asia/Kathmandu"}
)

// noon is Wednesday 2031-05-14 in week 20.
var noon = time.Date(2031, 5, 14, 12, 0, 0, 0, time.UTC)

type directory struct{}

func (directory) ByKey(string) *model.App { return nil }
func (directory) All() []*model.App       { return []*model.App{&busyApp, &emptyApp} }
func (directory) ByID(id model.AppID) *model.App {
	switch id {
	case busyApp.ID:
		return &busyApp
	case emptyApp.ID:
		return &emptyApp
	}
	return nil
}

// keys recognises callers by api_key.
type keys map[string]*model.Member

func (k keys) Authenticate(_ context.Context, c api.Credentials) (api.Identity, error) {
	if c.APIKey == "" {
		return api.Identity{}, fault.New(fault.Invalid, "auth.credentials_missing", `Missing parameter "api_key" or "auth_token"`)
	}
	if m := k[c.APIKey]; m != nil {
		return api.Identity{Member: m}, nil
	}
	return api.Identity{}, fault.New(fault.Unauthenticated, "auth.unknown_user", "User does not exist")
}

func (k keys) Known(_ context.Context, c api.Credentials) bool { return k[c.APIKey] != nil }

// known is what busyApp's schema holds.
type known struct{ schema.Details }

func (known) Events(app model.AppID) []schema.Event {
	if app != busyApp.ID {
		return nil
	}
	return []schema.Event{
		{Key: "[CLY]_view", Seq: 1},
		{Key: "buy", Seq: 2, Segments: []schema.Segment{{Name: "plan"}}},
		{Key: "sell", Seq: 3},
	}
}

func (k known) Event(app model.AppID, key string) (schema.Event, bool) {
	for _, e := range k.Events(app) {
		if e.Key == key {
			return e, true
		}
	}
	return schema.Event{}, false
}

// cells is one day: user 1 begins, sends 20 s and ends; user 2 sends a bare
// request, begins, begins again; things are bought and sold.
func cells() rollup.Delta {
	d := rollup.Delta{}
	offset := uint64(0)
	add := func(hour int, s rollup.Series, value string, user uint32, c rollup.Cell) {
		offset++
		c.First = offset
		day := rollup.Bucket(noon.Unix() / 86400)
		ks := []rollup.Key{{Grain: rollup.Day, Bucket: day}, {Grain: rollup.Month, Bucket: 2031*12 + 4}}
		if s.Metric == rollup.Users || s.Metric == rollup.Events {
			ks = append(ks, rollup.Key{Grain: rollup.Hour, Bucket: day*24 + rollup.Bucket(hour)})
		}
		for _, k := range ks {
			k.Series, k.Value = s, value
			d.At(k).Merge(&c)
			if user > 0 {
				d.At(k).AddUser(user)
			}
		}
	}
	begin := func(hour int, user uint32, frequency string, fresh int64) {
		add(hour, rollup.Series{Metric: rollup.Users}, "", user, rollup.Cell{Count: 1, New: fresh, Requests: 1})
		add(hour, rollup.Series{Metric: rollup.Frequency}, frequency, user, rollup.Cell{Count: 1})
		for m, v := range map[rollup.Metric]string{rollup.Countries: "ES", rollup.Carriers: "Unknown", rollup.OS: "Android", rollup.Cities: "León"} {
			add(hour, rollup.Series{Metric: m}, v, user, rollup.Cell{Count: 1, New: fresh})
		}
	}
	begin(9, 1, "0", 1)
	add(9, rollup.Series{Metric: rollup.Users}, "", 0, rollup.Cell{Requests: 1, Dur: 20, Flags: rollup.HasDur})
	add(9, rollup.Series{Metric: rollup.Users}, "", 0, rollup.Cell{Requests: 1})
	add(9, rollup.Series{Metric: rollup.Durations}, "1", 1, rollup.Cell{Count: 1})
	add(10, rollup.Series{Metric: rollup.Users}, "", 0, rollup.Cell{Requests: 1})
	begin(10, 2, "0", 1)
	begin(10, 2, "1", 0)
	add(10, rollup.Series{Metric: rollup.Durations}, "0", 2, rollup.Cell{Count: 1})
	add(10, rollup.Series{Metric: rollup.Events}, "buy", 0, rollup.Cell{Count: 2, Sum: 7.5, Flags: rollup.HasSum})
	add(10, rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim("buy", "plan")}, "pro", 0, rollup.Cell{Count: 2, Sum: 7.5, Flags: rollup.HasSum})
	add(11, rollup.Series{Metric: rollup.Events}, "sell", 0, rollup.Cell{Count: 1})
	add(11, rollup.Series{Metric: rollup.Events}, "[CLY]_view", 0, rollup.Cell{Count: 8})
	add(11, rollup.Series{Metric: rollup.TimesOfDay, Dim: "[CLY]_session"}, "3:9", 0, rollup.Cell{Count: 3})
	return d
}

func server(t *testing.T, config map[string]any) *httptest.Server {
	t.Helper()
	db, err := kv.Open(t.Context(), kv.Options{Dir: t.TempDir(), Merger: pebblerollup.Merger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	batch := db.NewBatch()
	if err := pebblerollup.Write(batch.Pebble(), busyApp.ID, cells()); err != nil {
		t.Fatal(err)
	}
	if err := db.Commit(batch); err != nil {
		t.Fatal(err)
	}
	bus := hook.NewBus()
	groups := kernel.With(func(c *kernel.Capabilities) kernel.Shared { return c.Shared }, func(_ *kernel.Scope, n kernel.Shared) error {
		n.Groups.Provide(func(_ context.Context, app model.AppID, id string) ([]string, error) {
			if id == "[CLY]_group_1" && app == busyApp.ID {
				return []string{"buy", "sell"}, nil
			}
			return nil, nil
		})
		return nil
	})
	documents, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := documents.Close(); err != nil {
			t.Error(err)
		}
	})
	adjustable, err := settings.Open(t.Context(), documents, bus)
	if err != nil {
		t.Fatal(err)
	}
	log, now := slog.New(slog.DiscardHandler), func() time.Time { return noon }
	routes := api.NewRoutes()
	cells := pebblerollup.NewStore(db.Reader(), rollup.NoAliases{})
	err = kernel.Wire(kernel.Host{
		Log: log, Now: now, Routes: routes, Bus: bus, Settings: adjustable, Jobs: jobs.New(log, now, jobs.Alone{}), Config: config,
		Capabilities: kernel.Capabilities{Reads: kernel.Reads{Cells: cells, Query: query.New(query.Remember(cells, 1<<20), known{}), Schema: known{}}},
	}, []kernel.Module{analytics.Module(), {Name: "apps", Setup: groups}})
	if err != nil {
		t.Fatal(err)
	}
	reader := &model.Member{Permission: model.Permission{
		Apps: model.PermissionApps{User: [][]string{{busyApp.ID.String()}}},
		Read: map[string]model.AppRights{busyApp.ID.String(): {Allowed: map[string]bool{"core": true, "locale": true}}},
	}}
	client := func(*http.Request) netip.Addr { return netip.Addr{} }
	in := intake.New(intake.Options{Governor: memory.New(memory.Split(256<<20), log, time.Now), Now: time.Now, Client: client})
	srv := httptest.NewServer(api.NewServer(routes, api.Options{
		Intake: in, Auth: keys{"root": {GlobalAdmin: true}, "reader": reader, "nobody": {}}, Apps: directory{},
		Log: log, Now: now, Limits: params.Limits{Body: 1 << 16, Params: 50},
		Client: client, Cookie: "sid",
	}))
	t.Cleanup(srv.Close)
	return srv
}

// get sends the parameters given as names and values in turn.
func get(t *testing.T, srv *httptest.Server, path string, pairs ...string) (int, string) {
	t.Helper()
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+path+"?"+q.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := srv.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return res.StatusCode, string(body)
}

// same compares two JSON texts, whatever the order of their keys.
func same(t *testing.T, want, got string) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("wanted text is no JSON: %v\n%s", err, want)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatalf("answer is no JSON: %v\n%s", err, got)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("-want +got\n%s\nbody %s", diff, got)
	}
}

const usersBody = `{"2031":{"5":{"14":{
   "9":{"e":3,"t":1,"n":1,"u":1,"d":20},"10":{"e":3,"t":2,"n":1,"u":1},
   "e":6,"t":3,"n":2,"u":2,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"ES":{"t":3,"n":2,"u":2}},
  "e":6,"t":3,"n":2,"u":2,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"ES":{"t":3,"n":2,"u":2}},
  "e":6,"t":3,"n":2,"u":2,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"ES":{"t":3,"n":2,"u":2},
  "w20":{"u":2,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"ES":{"u":2}}},
 "meta":{"countries":["ES"],"f-ranges":["0","1"],"d-ranges":["0","1"]}}`

const summaryBody = `{"dashboard":{
  "total_sessions":{"total":3,"change":"NA","trend":"u"},
  "total_users":{"total":2,"change":"NA","trend":"u","is_estimate":false},
  "new_users":{"total":2,"change":"NA","trend":"u"},
  "total_time":{"total":"0.3 min","change":"NA","trend":"u"},
  "avg_time":{"total":"0.1 min","change":"NA","trend":"u"},
  "avg_requests":{"total":"3.0","change":"NA","trend":"u"}},
 "top":{"platforms":[{"name":"Android","value":3,"percent":100}],"resolutions":[],
  "carriers":[{"name":"Unknown","value":3,"percent":100}],"users":[{"name":"14 May","value":2,"percent":100}]},
 "period":"PERIOD"}`

func summary(period string) string { return strings.Replace(summaryBody, "PERIOD", period, 1) }

const (
	buyOverview = `{"data":{"count":{"total":2,"change":"NA","trend":"u","sparkline":[0,2]},
	 "sum":{"total":7.5,"change":"NA","trend":"u","sparkline":[0,7.5]},"dur":{"total":0,"change":"NA","trend":"u","sparkline":[0,0]}}}`
	sellOverview = `{"data":{"count":{"total":1,"change":"NA","trend":"u","sparkline":[0,1]},
	 "sum":{"total":0,"change":"NA","trend":"u","sparkline":[0,0]},"dur":{"total":0,"change":"NA","trend":"u","sparkline":[0,0]}}}`
	groupDocument = `{"2031":{"5":{"14":{"10":{"c":2,"s":7.5},"11":{"c":1},"c":3,"s":7.5},"c":3,"s":7.5},"c":3,"s":7.5},
	 "meta":{"segments":["plan"],"plan":["pro"]}}`
	buyDocument = `{"2031":{"5":{"14":{"10":{"c":2,"s":7.5},"c":2,"s":7.5},"c":2,"s":7.5},"c":2,"s":7.5},
	 "meta":{"segments":["plan"],"plan":["pro"]}}`
	android  = `{"2031":{"5":{"14":{"Android":{"n":2,"t":3,"u":2}},"Android":{"n":2,"t":3,"u":2}},"Android":{"n":2,"t":3,"u":2},"w20":{"Android":{"u":2}}},"meta":{"os":["Android"]}}`
	spain    = `[{"country":"Spain","code":"es","t":3,"u":2,"n":2}]`
	topSpain = `[{"name":"Spain","value":3,"percent":100}]`
	yesNo    = `[{"_id":"2031-5-13","c":0,"s":0,"dur":0},{"_id":"2031-5-14","c":2,"s":7.5,"dur":0}]`
)

func TestReads(t *testing.T) {
	srv := server(t, nil)
	for _, c := range []struct {
		path, pairs string // pairs as name=value, separated by spaces
		want        string
	}{
		{"/o", "method=users", usersBody},
		{"/o", "method=sessions", usersBody},
		{"/o", "method=locations period=today", usersBody},
		{"/o", "method=countries", usersBody},
		{"/o", "method=users period=whatever", usersBody},
		{"/o", "method=users action=refresh", `{"2031":{"5":{"14":{
		   "9":{"e":3,"t":1,"n":1,"u":1,"d":20},"10":{"e":3,"t":2,"n":1,"u":1},
		   "e":6,"t":3,"n":2,"u":2,"d":20,"f":{"0":2,"1":1},"ds":{"0":1,"1":1},"ES":{"t":3,"n":2,"u":2}}}},
		 "meta":{"countries":["ES"],"f-ranges":["0","1"],"d-ranges":["0","1"]}}`},
		{"/o", "method=device_details", android},
		{"/o", "method=app_versions", android},
		{"/o", "method=carriers action=refresh", `{"2031":{"5":{"14":{"Unknown":{"n":2,"t":3,"u":2}}}},"meta":{"carriers":["Unknown"]}}`},
		{"/o", "method=cities action=refresh", `{"2031":{"5":{"14":{"León":{"n":2,"t":3,"u":2}}}},"meta":{"cities":["León"]}}`},
		{"/o", "method=devices", `{}`},
		{"/o", "method=browser", `{}`},
		{"/o", "method=density", `{}`},
		{"/o", "method=langs", `{}`},
		{"/o", "method=sources", `{}`},
		{"/o", "method=sdks", `{}`},
		{"/o", "method=total_users", `[{"_id":"users","u":2,"pu":0}]`},
		{"/o", "method=total_users metric=countries", `[{"_id":"ES","u":2,"pu":0}]`},
		{"/o", "method=total_users metric=nothing", `[]`},
		{"/o", "method=get_period_obj period=2days", `{"start":1936396800000,"end":1936569599999,"daysInPeriod":2,"periodContainsToday":true,"currentPeriodArr":["2031.5.13","2031.5.14"]}`},
		{"/o", "method=get_period_obj period=yesterday timezone=Pacific/Kiritimati", `{"start":1936483200000,"end":1936569599999,"daysInPeriod":1,"periodContainsToday":false,"currentPeriodArr":["2031.5.14"]}`},
		{"/o", "method=events", buyDocument},
		{"/o", "method=events event=buy", buyDocument},
		{"/o", "method=events event=buy segmentation=no-segment", buyDocument},
		{"/o", "method=events event=never", `{}`},
		{"/o", "method=events event=[CLY]_group_1", groupDocument},
		{"/o", "method=events event=[CLY]_group_2", `{}`},
		{"/o", `method=events events=["buy","sell"]`, groupDocument},
		{"/o", `method=events events=[]`, `{}`},
		{"/o", `method=events events=["buy"] overview=true period=2days`, `{"buy":` + buyOverview + `}`},
		{"/o", "method=events event=buy segmentation=plan action=refresh", `{"2031":{"5":{"14":{"pro":{"c":2,"s":7.5}}}},"meta":{"segments":["plan"],"plan":["pro"]}}`},
		{"/o", "method=top_events limit=1", `[{"_id":"buy","name":"buy","count":2,"sum":7.5,"duration":0,"change":"NA","trend":"u"}]`},
		{"/o/analytics/events/top", "limit=1", `[{"_id":"buy","name":"buy","count":2,"sum":7.5,"duration":0,"change":"NA","trend":"u"}]`},
		{"/o/analytics/events/overview", `events=["buy"] period=2days`, `{"buy":` + buyOverview + `}`},
		{"/o/analytics/events/overview", "period=2days", `{"buy":` + buyOverview + `,"sell":` + sellOverview + `}`},
		{"/o", "method=geodata", `[{"_id":"ES","t":3,"n":2,"u":2}]`},
		{"/o", "method=geodata loadFor=cities query={}", `[{"_id":"León","t":3,"n":2,"u":2}]`},

		{"/o/analytics/dashboard", "", `{"30days":` + summary("15 Apr - 14 May") + `,"7days":` + summary("8 May - 14 May") + `,"today":` + summary("14 May") + `}`},
		{"/o/analytics/dashboard", "period=30days", `{"30days":` + summary("15 Apr - 14 May") + `,"7days":` + summary("8 May - 14 May") + `,"today":` + summary("14 May") + `}`},
		{"/o/analytics/dashboard", "period=month", `{"month":` + summary("1 Jan - 14 May") + `}`},
		{"/o/analytics/dashboard", "period=[1936483200000,1936483200001]", `{"[1936483200000,1936483200001]":` + summary("14 May") + `}`},
		// The present is noon: what is in hours until eleven counts, on both sides.
		{"/o/analytics/compare", "period=today", `{"until":12,"first":"2031-05-13","last":"2031-05-13",
		  "total":{"t":3,"n":2,"u":2,"d":20,"e":6},"now":{"t":3,"n":2,"u":2,"d":20,"e":6},"before":{"t":0,"n":0,"u":0,"d":0,"e":0}}`},
		{"/o/analytics/compare", "period=today timestamp=1936519200", `{"until":10,"first":"2031-05-13","last":"2031-05-13",
		  "total":{"t":3,"n":2,"u":2,"d":20,"e":6},"now":{"t":1,"n":1,"u":1,"d":20,"e":3},"before":{"t":0,"n":0,"u":0,"d":0,"e":0}}`},
		{"/o/analytics/compare", "period=day against=yesterday", `{"until":12,"first":"2031-05-13","last":"2031-05-13",
		  "total":{"t":3,"n":2,"u":2,"d":20,"e":6},"now":{"t":3,"n":2,"u":2,"d":20,"e":6},"before":{"t":0,"n":0,"u":0,"d":0,"e":0}}`},
		{"/o/analytics/compare", "of=events period=today timestamp=1936522800", `{"until":11,"first":"2031-05-13","last":"2031-05-13",
		  "total":{"buy":{"_id":"buy","c":2,"s":7.5,"dur":0,"u":0},"sell":{"_id":"sell","c":1,"s":0,"dur":0,"u":0}},
		  "now":{"buy":{"_id":"buy","c":2,"s":7.5,"dur":0}},"before":{}}`},
		{"/o/analytics/sessions", "period=3days step=weekly", `[{"_id":"2031-w20","t":3,"n":2,"u":2,"d":20,"e":6}]`},
		{"/o/analytics/sessions", "period=101days step=hourly bucket=monthly", `[{"_id":"2031-2","t":0,"n":0,"u":0,"d":0,"e":0},{"_id":"2031-3","t":0,"n":0,"u":0,"d":0,"e":0},{"_id":"2031-4","t":0,"n":0,"u":0,"d":0,"e":0},{"_id":"2031-5","t":3,"n":2,"u":2,"d":20,"e":6}]`},
		{"/o/analytics/countries", "period=yesterday", `{"30days":` + spain + `,"7days":` + spain + `,"today":` + spain + `}`},
		{"/o/analytics/sessions", "period=2days", `[{"_id":"2031-5-13","t":0,"n":0,"u":0,"d":0,"e":0},{"_id":"2031-5-14","t":3,"n":2,"u":2,"d":20,"e":6}]`},
		{"/o/analytics/sessions", "period=2days bucket=monthly", `[{"_id":"2031-5","t":3,"n":2,"u":2,"d":20,"e":6}]`},
		{"/o/analytics/sessions", "period=today bucket=daily", `[{"_id":"2031-5-14","t":3,"n":2,"u":2,"d":20,"e":6}]`},
		{"/o/analytics/metric", "metric=platforms", `[{"_id":"Android","t":3,"n":2,"u":2}]`},
		{"/o/analytics/metric", "metric=nothing", `[]`},
		{"/o/analytics/tops", "", `{"platforms":[{"name":"Android","value":3,"percent":100}],"resolutions":[],"carriers":[{"name":"Unknown","value":3,"percent":100}],"countries":` + topSpain + `}`},
		{"/o/analytics/tops", "metric=countries", topSpain},
		{"/o/analytics/tops", "metric=nothing", `[]`},
		{"/o/analytics/tops", `metrics=["countries","devices","nothing"]`, `{"countries":` + topSpain + `,"devices":[],"nothing":[]}`},
		{"/o/analytics/tops", `metrics=[countries`, `{}`},
		{"/o/analytics/loyalty", "", `[]`},
		{"/o/analytics/frequency", "", `[{"f":"0","t":2,"percent":"66.7"},{"f":"1","t":1,"percent":"33.3"}]`},
		{"/o/analytics/durations", "", `[{"ds":"0","t":1,"percent":"50.0"},{"ds":"1","t":1,"percent":"50.0"}]`},
		{"/o/analytics/events", "", `{"all":[{"_id":"buy","key":"buy","c":2,"s":7.5,"dur":0},{"_id":"sell","key":"sell","c":1,"s":0,"dur":0}]}`},
		{"/o/analytics/events", "period=2days event=buy", yesNo},
		{"/o/analytics/events", `period=2days event=buy events=bad`, yesNo},
		{"/o/analytics/events", `period=2days events=["buy"]`, `{"buy":` + yesNo + `}`},
		{"/o/analytics/events", "event=buy segmentation=plan", `[{"_id":"pro","c":2,"s":7.5,"dur":0}]`},
		{"/o/analytics/events", "period=2days bucket=monthly event=[CLY]_group_1", `[{"_id":"2031-5","c":3,"s":7.5,"dur":0}]`},
	} {
		t.Run(c.path+" "+c.pairs, func(t *testing.T) {
			pairs := []string{"api_key", "reader", "app_id", busyApp.ID.String()}
			for p := range strings.FieldsSeq(c.pairs) {
				name, value, _ := strings.Cut(p, "=")
				pairs = append(pairs, name, value)
			}
			status, body := get(t, srv, c.path, pairs...)
			if status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
			same(t, c.want, body)
		})
	}
}

// An app without data, and another's data beside it.
func TestEmptyApp(t *testing.T) {
	srv := server(t, nil)
	nothing := map[string]string{
		"/o?method=users": `{}`, "/o?method=countries": `{}`, "/o?method=carriers": `{}`, "/o?method=device_details": `{}`, "/o?method=cities": `{}`,
		"/o?method=users&action=refresh": `{}`, "/o?method=total_users": `[]`, "/o?method=events": `{}`, "/o?method=events&event=buy": `{}`,
		"/o?method=top_events": `[]`, "/o/analytics/events/top": `[]`, "/o/analytics/events/overview": `{}`, "/o?method=geodata": `[]`, "/o?method=geodata&loadFor=cities": `[]`,
		"/o/analytics/countries": `{"30days":[],"7days":[],"today":[]}`, "/o/analytics/metric?metric=os": `[]`,
		"/o/analytics/tops":    `{"carriers":[],"countries":[],"platforms":[],"resolutions":[]}`,
		"/o/analytics/loyalty": `[]`, "/o/analytics/frequency": `[]`, "/o/analytics/durations": `[]`, "/o/analytics/events": `{"all":[]}`,
		"/o/analytics/events?event=buy&segmentation=plan": `[]`,
		"/o/analytics/sessions?period=1days&bucket=daily": `[{"_id":"2031-5-14","t":0,"n":0,"u":0,"d":0,"e":0}]`,
	}
	for path, want := range nothing {
		u, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		pairs := []string{"api_key", "root", "app_id", emptyApp.ID.String()}
		for name := range u.Query() {
			pairs = append(pairs, name, u.Query().Get(name))
		}
		if status, body := get(t, srv, u.Path, pairs...); status != http.StatusOK || body != want {
			t.Errorf("%s: %d %s, want %s", path, status, body, want)
		}
	}
}

func TestTimesOfDay(t *testing.T) {
	srv := server(t, nil)
	for dateRange, want := range map[string]float64{"": 3, "2031:05": 3, "2031:04,2031:5": 3, "2031:04": 0} {
		status, body := get(t, srv, "/o", "api_key", "root", "app_id", busyApp.ID.String(), "method", "times-of-day", "tod_type", "[CLY]_session", "date_range", dateRange)
		var week [][]float64
		if err := json.Unmarshal([]byte(body), &week); err != nil || status != http.StatusOK || len(week) != 7 || len(week[6]) != 24 {
			t.Fatalf("%d %s", status, body)
		}
		if week[3][9] != want || week[0][0] != 0 {
			t.Errorf("date_range %q: %v, want %v on Wednesday at 9", dateRange, week, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	srv := server(t, nil)
	busy := busyApp.ID.String()
	for _, c := range []struct {
		path   string
		pairs  []string
		status int
		result string
	}{
		{"/o", []string{"method", "users"}, 400, `Missing parameter "app_id"`},
		{"/o", []string{"method", "users", "app_id", busy}, 400, `Missing parameter "api_key" or "auth_token"`},
		{"/o", []string{"method", "users", "app_id", model.ID{9}.String(), "api_key", "who"}, 401, "User does not exist"},
		{"/o", []string{"method", "users", "app_id", "x", "api_key", "root"}, 400, `Invalid parameter "app_id"`},
		{"/o", []string{"method", "users", "app_id", model.ID{9}.String(), "api_key", "root"}, 401, "App does not exist"},
		{"/o", []string{"method", "users", "app_id", busy, "api_key", "nobody"}, 401, "User does not have right"},
		{"/o", []string{"method", "users", "app_id", emptyApp.ID.String(), "api_key", "reader"}, 401, "User does not have right"},
		{"/o", []string{"method", "times-of-day", "app_id", busy, "api_key", "reader"}, 401, "User does not have right"},
		{"/o", []string{"method", "times-of-day", "app_id", busy, "api_key", "root"}, 400, `Missing parameter "tod_type"`},
		{"/o", []string{"method", "nothing", "app_id", busy, "api_key", "reader"}, 400, "Invalid method"},
		{"/o/analytics/dashboard", nil, 400, `Missing parameter "app_id"`},
		{"/o/analytics/dashboard", []string{"app_id", busy}, 400, `Missing parameter "api_key" or "auth_token"`},
		{"/o/analytics/events", []string{"app_id", busy, "api_key", "nobody"}, 401, "User does not have right"},
		{"/o/analytics/metric", []string{"app_id", busy, "api_key", "reader"}, 400, "Must provide metric"},
		{"/o/analytics/events", []string{"app_id", busy, "api_key", "reader", "events", "bad"}, 400, "Must provide valid array with event keys as events param."},
		{"/o/analytics/events", []string{"app_id", busy, "api_key", "reader", "events", `{"a":1}`}, 400, "Must provide valid array with event keys as events param."},
		{"/o/analytics", nil, 400, `Missing parameter "app_id"`},
		{"/o/analytics/nothing", nil, 400, `Missing parameter "app_id"`},
		{"/o/analytics", []string{"app_id", busy}, 400, "Invalid path, must be one of /dashboard,  /countries, /sessions, /metric, /tops, /loyalty, /frequency, /durations, /events"},
		{"/o/analytics/nothing", []string{"app_id", "x"}, 400, "Invalid path, must be one of /dashboard,  /countries, /sessions, /metric, /tops, /loyalty, /frequency, /durations, /events"},
	} {
		status, body := get(t, srv, c.path, c.pairs...)
		var res struct{ Result string }
		if err := json.Unmarshal([]byte(body), &res); err != nil || status != c.status || res.Result != c.result {
			t.Errorf("%s %q: %d %s, want %d %s", c.path, c.pairs, status, body, c.status, c.result)
		}
	}
}

func TestSwitches(t *testing.T) {
	srv := server(t, map[string]any{"analytics": map[string]any{"country_data": false, "city_data": false}})
	for _, c := range [][2]string{{"countries", "{}"}, {"cities", "{}"}, {"geodata", "[]"}} {
		if _, body := get(t, srv, "/o", "api_key", "root", "app_id", busyApp.ID.String(), "method", c[0]); body != c[1] {
			t.Errorf("%s = %s, want %s", c[0], body, c[1])
		}
	}
	_, body := get(t, srv, "/o", "api_key", "root", "app_id", busyApp.ID.String(), "method", "users")
	same(t, usersBody, body)
}
