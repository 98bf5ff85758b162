package places_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/ingest/geo/geotest"
	"quipu/internal/testkit"
)

const built = 1_936_515_600

var networks = map[string]geotest.City{
	"81.2.69.0/24":  {Country: "GB", Region: "ENG", RegionName: "England", Name: "London", Lat: 51.5142, Lng: -0.0931},
	"93.184.0.0/16": {Country: "DE", Region: "BY", RegionName: "Bavaria", Name: "Munich", Lat: 48.1374, Lng: 11.5755},
	"93.185.0.0/16": {Country: "DE", Region: "BE", RegionName: "Berlin", Name: "Berlin", Lat: 52.5244, Lng: 13.4105},
	"93.186.0.0/16": {Country: "DE", Region: "BE", RegionName: "Berlin"},
	"93.188.0.0/16": {Country: "AQ"},
}

// server is one with a city database, whose records it has read.
func server(t *testing.T) (*testkit.Server, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "city.mmdb")
	if err := os.WriteFile(path, geotest.Cities(geotest.MaxMind, built, networks), 0o600); err != nil {
		t.Fatal(err)
	}
	s := testkit.New(t, testkit.At(time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)), testkit.WithConfig(func(c *app.Config) { c.Ingest.GeoDatabase = path }))
	waitFor(t, s, func(d database) bool { return d.Cities == 3 })
	return s, path
}

type database struct {
	Kind, File, Fault    string
	Built, Loaded, Bytes int64
	Cities               int
}

// waitFor waits until the server says of its database what is wanted.
func waitFor(t *testing.T, s *testkit.Server, done func(database) bool) database {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var d database
		testkit.Decode(t, s.Admin("/o/places/database"), &d)
		if done(d) {
			return d
		}
		if time.Now().After(end) {
			t.Fatalf("the database is %+v", d)
		}
	}
}

// member makes one with rights on apps: a administers, u uses with all rights on geo.
func member(t *testing.T, s *testkit.Server, name, permission string) string {
	t.Helper()
	s.Admin("/i/users/create", "args", `{"full_name":"`+name+`","username":"`+name+`","email":"`+name+`@example.org","password":"Very-secret-9","permission":`+permission+`}`)
	return s.APIKey(name, "Very-secret-9")
}

var ids = testkit.Volatile{Pattern: regexp.MustCompile(`"[0-9a-f]{24}"`), With: `"ID"`}

const point = `"geo":{"type":"Point","coordinates":[13.4,52.5]}`

func TestPlaces(t *testing.T) {
	s, _ := server(t)
	a, b := s.CreateApp("a", "UTC"), s.CreateApp("b", "UTC")
	ann := member(t, s, "ann", `{"_":{"a":["`+a.ID+`"],"u":[]}}`)
	uma := member(t, s, "uma", `{"_":{"a":[],"u":[["`+a.ID+`"]]},"c":{"`+a.ID+`":{"all":true}},"r":{"`+a.ID+`":{"all":true}},"d":{"`+a.ID+`":{"all":true}}}`)
	ron := member(t, s, "ron", `{"_":{"a":[],"u":[["`+a.ID+`"]]},"r":{"`+a.ID+`":{"allowed":{"geo":true}}}}`)
	call := func(key, path string, pairs ...string) testkit.Response {
		t.Helper()
		return s.Post(path, append([]string{"api_key", key, "app_id", a.ID}, pairs...)...)
	}
	create := func(key, args string) testkit.Response {
		t.Helper()
		return call(key, "/i/geolocations/create", "args", args)
	}
	made := func(key, args string) (id string) {
		t.Helper()
		r := create(key, args)
		var p struct {
			ID string `json:"_id"`
		}
		testkit.Decode(t, r.Body, &p)
		if r.Status != http.StatusOK || p.ID == "" {
			t.Fatalf("create: %d %s", r.Status, r.Body)
		}
		return p.ID
	}
	want := func(name string, r testkit.Response, status int, body string) {
		t.Helper()
		if r.Status != status || r.Body != body {
			t.Errorf("%s: %d %s, want %d %s", name, r.Status, r.Body, status, body)
		}
	}
	list := func(key string) testkit.Response { t.Helper(); return call(key, "/o", "method", "get_locations") }

	want("none", list(ron), 200, `{"result":"No location found"}`)
	first := create(ann, `{"title":" Shop ","radius":5,"unit":"km",`+point+`,"app":"`+a.ID+`"}`)
	testkit.GoldenJSON(t, "created", first.Body, ids)
	shop := made(ann, `{"title":"Airport","radius":2.5,"unit":"mi","geo":{"type":"Point","coordinates":[-180,-90]},"app":"`+a.ID+`"}`)
	everywhere := made(s.Key, `{"title":"Alps","radius":20037.5,"unit":"km",`+point+`}`)
	other := made(s.Key, `{"title":"Other","radius":1,"unit":"m",`+point+`,"app":"`+b.ID+`"}`)
	testkit.GoldenJSON(t, "list", list(ron).Body, ids)

	for name, args := range map[string]string{
		"none": "", "no JSON": "{", "a list": "[]", "null": "null", "no title": `{"radius":5,"unit":"km",` + point + `}`, "blank title": `{"title":" ","radius":5,"unit":"km",` + point + `}`,
		"no radius": `{"title":"x","unit":"km",` + point + `}`, "no unit": `{"title":"x","radius":5,` + point + `}`, "no geo": `{"title":"x","radius":5,"unit":"km"}`,
		"null geo": `{"title":"x","radius":5,"unit":"km","geo":null}`, "radius is a text": `{"title":"x","radius":"5","unit":"km",` + point + `}`,
		"radius beyond numbers": `{"title":"x","radius":1e999,"unit":"km",` + point + `}`,
	} {
		want(name, create(ann, args), 200, `{"error":"Not enough args"}`)
	}
	for _, geo := range []string{
		`{}`, `5`, `"x"`, `[]`, `{"type":"Polygon","coordinates":[1,2]}`, `{"type":"Point"}`, `{"type":"Point","coordinates":[1]}`, `{"type":"Point","coordinates":[1,2,3]}`,
		`{"type":"Point","coordinates":[180.1,0]}`, `{"type":"Point","coordinates":[0,-90.1]}`, `{"type":"Point","coordinates":["1","2"]}`, `{"type":"Point","coordinates":[1e999,0]}`,
	} {
		want(geo, create(ann, `{"title":"x","radius":5,"unit":"km","geo":`+geo+`,"app":"`+a.ID+`"}`), 200, `{"error":"Bad location geo object"}`)
	}
	for field, args := range map[string]string{
		"radius": `"radius":0,"unit":"km"`, "radius below 0": `"radius":-1,"unit":"km"`, "radius too large": `"radius":20038,"unit":"km"`, "radius in miles": `"radius":20000,"unit":"mi"`,
		"unit": `"radius":1,"unit":"parsec"`, "title": `"radius":1,"unit":"km","title":"` + strings.Repeat("x", 201) + `"`, "title with control": `"radius":1,"unit":"km","title":"a\nb"`,
	} {
		r := create(ann, `{"title":"x",`+args+`,`+point+`,"app":"`+a.ID+`"}`)
		field, _, _ = strings.Cut(field, " ")
		if r.Status != 400 || !strings.HasPrefix(r.Body, `{"result":"Bad location: `+field+` must be `) || r.Header.Get("Quipu-Error") != "places.bad_place" {
			t.Errorf("%s: %d %s", args, r.Status, r.Body)
		}
	}
	full := `{"title":"x","radius":5,"unit":"km",` + point
	want("for all apps", create(ann, full+`}`), 200, `{"error":"Only global admin is allowed to create non-app-specific geolocations"}`)
	want("no id", create(ann, full+`,"app":"x"}`), 200, `{"error":"Couldn't find the app"}`)
	want("no app", create(ann, full+`,"app":"000000000000000000000000"}`), 200, `{"error":"Couldn't find the app"}`)
	want("another's app", create(ann, full+`,"app":"`+b.ID+`"}`), 200, `{"error":"Not an admin of the app"}`)
	want("a user of the app", create(uma, full+`,"app":"`+a.ID+`"}`), 200, `{"error":"Not an admin of the app"}`)
	if r := create(ron, full+`,"app":"`+a.ID+`"}`); r.Status != 401 {
		t.Errorf("a reader creates: %d %s", r.Status, r.Body)
	}

	remove := func(key string, pairs ...string) testkit.Response {
		t.Helper()
		return call(key, "/i/geolocations/delete", pairs...)
	}
	want("no id", remove(ann), 400, `{"result":"Not enough args"}`)
	want("nothing", remove(ann, "gid", "x"), 404, `{"result":"Location not found"}`)
	want("of another app", remove(ann, "gid", other), 404, `{"result":"Location not found"}`)
	want("of all apps", remove(ann, "gid", everywhere), 403, `{"result":"Only global admin can delete non-app-specific geolocations"}`)
	want("by a user", remove(uma, "gid", shop), 403, `{"result":"Only admin of app can can delete geolocations"}`)
	testkit.GoldenJSON(t, "deleted", remove(ann, "gid", shop).Body, ids)
	want("again", remove(ann, "gid", shop), 404, `{"result":"Location not found"}`)
	if r := remove(s.Key, "gid", everywhere); r.Status != 200 || !strings.Contains(r.Body, `"app":null`) {
		t.Errorf("a global administrator deletes: %d %s", r.Status, r.Body)
	}
	if r := call(s.Key, "/i/apps/delete", "args", `{"app_id":"`+a.ID+`"}`); r.Status != 200 {
		t.Fatalf("delete the app: %d %s", r.Status, r.Body)
	}
	if r := s.Post("/o", "api_key", s.Key, "app_id", b.ID, "method", "get_locations"); !strings.Contains(r.Body, other) || strings.Contains(r.Body, "Shop") {
		t.Errorf("places of the other app: %s", r.Body)
	}
}

func TestTooMany(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	for i := range 1001 {
		r := s.Post("/i/geolocations/create", "api_key", s.Key, "app_id", a.ID, "args", `{"title":"x","radius":5,"unit":"km",`+point+`,"app":"`+a.ID+`"}`)
		if (i < 1000) != (r.Status == 200) || i == 1000 && (r.Status != 409 || r.Body != `{"result":"There are too many places, delete some"}`) {
			t.Fatalf("place %d: %d %s", i, r.Status, r.Body)
		}
	}
}

func TestLookup(t *testing.T) {
	s, _ := server(t)
	a := s.CreateApp("a", "UTC")
	for address, want := range map[string]string{
		"93.184.216.34": `{"location":{"country":"DE","region":"BY","city":"Munich","ll":[48.1374,11.5755]}}`,
		"93.188.0.1":    `{"location":{"country":"AQ","region":"","city":"","ll":[0,0]}}`,
		"203.0.113.9":   `{"location":null}`, "127.0.0.1": `{"location":null}`, "fe80::1%eth0": `{"location":null}`, "": `{"location":null}`,
	} {
		if r := s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "lookup", "ip_address", address); r.Status != 200 || r.Body != want {
			t.Errorf("%s: %d %s, want %s", address, r.Status, r.Body, want)
		}
	}
	for _, address := range []string{"x", "1.2.3", "1.2.3.4.5", "1.2.3.4/8", "1.2.3.4:80", " 1.2.3.4", "fe80::1%" + strings.Repeat("x", 200), "\x00"} {
		if r := s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "lookup", "ip_address", address); r.Status != 400 || r.Body != `{"result":"Invalid parameter \"ip_address\""}` {
			t.Errorf("%q: %d %s", address, r.Status, r.Body)
		}
	}
}

// TestSessions follows regions and cities of addresses into profiles, metrics and documents.
func TestSessions(t *testing.T) {
	s, path := server(t)
	a := s.CreateApp("a", "UTC")
	begin := func(device, ip string, more ...string) {
		t.Helper()
		s.Ingest(a, device, append([]string{"begin_session", "1", "ip_address", ip}, more...)...)
	}
	begin("munich", "93.184.216.34")
	begin("berlin", "93.185.0.1")
	begin("region", "93.186.0.1")
	begin("nowhere", "10.0.0.1")
	begin("told", "93.184.216.34", "country_code", "FR", "region", "IDF", "city", "Paris")
	begin("moved", "93.184.216.34")
	s.Ingest(a, "moved", "end_session", "1")
	begin("moved", "93.186.0.1", "ignore_cooldown", "true")
	s.Flush()
	read := func(pairs ...string) string {
		t.Helper()
		return s.Get("/o/analytics/metric", append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...).Body
	}
	for _, tt := range []struct {
		pairs []string
		want  string
	}{
		{[]string{"metric", "regions"}, `BE 3 2 3, BY 2 2 2, IDF 1 1 1`},
		{[]string{"metric", "cities"}, `Unknown 3 2 3, Munich 2 2 2, Berlin 1 1 1, Paris 1 1 1`},
		{[]string{"metric", "regions", "filter", `{"up.cc":"DE"}`}, `BE 3 2 3, BY 2 2 2`},
		{[]string{"metric", "cities", "filter", `{"up.cc":"DE","up.rgn":"BY"}`}, `Munich 2 2 2`},
	} {
		var rows []struct {
			ID      string `json:"_id"`
			T, N, U int
		}
		body := read(tt.pairs...)
		testkit.Decode(t, body, &rows)
		var got []string
		for _, r := range rows {
			text, err := json.Marshal([]int{r.T, r.N, r.U})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.ID+" "+strings.NewReplacer("[", "", "]", "", ",", " ").Replace(string(text)))
		}
		if g := strings.Join(got, ", "); g != tt.want {
			t.Errorf("%v: %s, want %s", tt.pairs, g, tt.want)
		}
	}
	testkit.GoldenJSON(t, "cities", s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "cities").Body)
	user := s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", "user_details", "query", `{"did":"munich"}`).Body
	for _, want := range []string{`"cc":"DE"`, `"rgn":"BY"`, `"cty":"Munich"`} {
		if !strings.Contains(user, want) {
			t.Errorf("the profile lacks %s: %s", want, user)
		}
	}

	// Where cities lie.
	testkit.GoldenJSON(t, "positions", s.Get("/o/places/cities", "api_key", s.Key, "app_id", a.ID, "country", "DE", "cities", `["Berlin","Munich","Unknown"]`).Body)
	for _, pairs := range [][]string{{"country", "d"}, {"country", "de"}, {}, {"country", "DE", "cities", "x"}, {"country", "DE", "cities", `{"a":1}`}, {"country", "DE", "cities", `["` + strings.Repeat(`","`, 1001) + `"]`}} {
		if r := s.Post("/o/places/cities", append([]string{"api_key", s.Key, "app_id", a.ID}, pairs...)...); r.Status != 400 || !strings.Contains(r.Body, "Invalid parameter") {
			t.Errorf("%.60v: %d %s", pairs, r.Status, r.Body)
		}
	}

	// Another database is taken over while the server runs.
	next := geotest.Cities(geotest.DBIP, built+86_400, map[string]geotest.City{"93.184.0.0/16": {Country: "DE", RegionName: "Bavaria", Name: "Augsburg", Lat: 48.37, Lng: 10.9}})
	if err := os.WriteFile(path, next, 0o600); err != nil {
		t.Fatal(err)
	}
	d := waitFor(t, s, func(d database) bool { return d.Cities == 1 })
	if d.Kind != "DBIP-City-Lite (compat=City)" || d.File != path || d.Built != (built+86_400)*1000 || d.Loaded != s.Clock().Now().UnixMilli() || d.Bytes != int64(len(next)) || d.Fault != "" {
		t.Errorf("database %+v", d)
	}
	begin("later", "93.184.216.34")
	s.Flush()
	if got := read("metric", "cities"); !strings.Contains(got, `"Augsburg"`) {
		t.Errorf("cities after the change: %s", got)
	}
	if err := os.WriteFile(path, next[:100], 0o600); err != nil {
		t.Fatal(err)
	}
	if d := waitFor(t, s, func(d database) bool { return d.Fault != "" }); d.Cities != 1 {
		t.Errorf("with a damaged file: %+v", d)
	}
}
