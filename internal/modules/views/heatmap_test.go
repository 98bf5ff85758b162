package views_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// heat is the answer of /o/heatmaps.
type heat struct {
	Clicks    int64      `json:"clicks"`
	Users     int64      `json:"users"`
	Dead      int64      `json:"dead"`
	Rage      int64      `json:"rage"`
	RageUsers int64      `json:"rage_users"`
	Visits    int64      `json:"visits"`
	Clicked   int64      `json:"clicked"`
	Median    int64      `json:"first_click"`
	Scrolls   int64      `json:"scrolls"`
	Reached   []int64    `json:"reached"`
	Spots     [][5]int64 `json:"spots"`
}

// happened is something that a user did.
type happened struct {
	user, ts int64 // ms
	kind     string
	x, y     int64
}

// naive computes the figures of clicks from their definitions, one click at a time.
func naive(list []happened) heat {
	var h heat
	users, raging := map[int64]bool{}, map[int64]bool{}
	var firsts []int64
	rage := map[int]bool{}
	for i, c := range list {
		if c.kind != "click" {
			continue
		}
		run, last := []int{i}, c.ts
		for j := i + 1; j < len(list); j++ {
			k := list[j]
			if k.user != c.user || k.kind != "click" {
				continue
			}
			if k.ts-last > 2000 || max(k.x-c.x, c.x-k.x) > 40 || max(k.y-c.y, c.y-k.y) > 40 {
				break
			}
			run, last = append(run, j), k.ts
		}
		if len(run) >= 3 && !rage[i] {
			for _, j := range run {
				rage[j] = true
			}
		}
	}
	for i, c := range list {
		switch c.kind {
		case "scroll":
			h.Scrolls++
		case "visit":
			h.Visits++
			next := c.ts + 30*60*1000 + 1
			for _, k := range list {
				if k.user == c.user && k.kind == "visit" && k.ts > c.ts {
					next = min(next, k.ts)
				}
			}
			first := int64(-1)
			for _, k := range list {
				if k.user == c.user && k.kind == "click" && k.ts >= c.ts && k.ts < next && (first < 0 || k.ts-c.ts < first) {
					first = k.ts - c.ts
				}
			}
			if first >= 0 {
				firsts = append(firsts, first)
			}
		case "click":
			h.Clicks++
			users[c.user] = true
			dead := true
			for _, k := range list {
				if k.user == c.user && k.kind != "click" && k.kind != "crash" && k.ts >= c.ts-250 && k.ts <= c.ts+3000 {
					dead = false
				}
			}
			if dead {
				h.Dead++
			}
			if rage[i] {
				h.Rage++
				raging[c.user] = true
			}
		}
	}
	slices.Sort(firsts)
	h.Users, h.RageUsers, h.Clicked = int64(len(users)), int64(len(raging)), int64(len(firsts))
	if len(firsts) > 0 {
		h.Median = firsts[(len(firsts)-1)/2]
	}
	return h
}

// wire is an event as SDKs send it.
func (h happened) wire() string {
	at := func(key, sg string) string {
		return fmt.Sprintf(`{"key":%q,"timestamp":%d,"segmentation":{%s}}`, key, h.ts, sg)
	}
	switch h.kind {
	case "visit":
		return at("[CLY]_view", `"name":"Home","visit":1,"view":"/"`)
	case "other":
		return at("[CLY]_view", `"name":"Cart","visit":1,"view":"/cart"`)
	case "click":
		return at("[CLY]_action", fmt.Sprintf(`"type":"click","x":%d,"y":%d,"width":400,"height":400,"view":"/"`, h.x, h.y))
	case "scroll":
		return at("[CLY]_action", fmt.Sprintf(`"type":"scroll","y":%d,"width":400,"height":400,"view":"/"`, h.y))
	}
	return at("bought", `"what":"tea"`)
}

// TestHeatmap compares figures with a naive model over random traffic.
func TestHeatmap(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	var list []happened
	kinds := []string{"click", "click", "click", "click", "visit", "other", "scroll", "event"}
	for user := range int64(12) {
		// The view is there before anyone clicks on it.
		ts := start.Add(-3 * time.Hour).UnixMilli()
		mine := []happened{{user: user, ts: ts, kind: "visit"}}
		for range user % 5 { // up to four clicks in a row, three of which are a rage
			ts += 1 + random.Int64N(2000)
			mine = append(mine, happened{user: user, ts: ts, kind: "click", x: random.Int64N(30), y: random.Int64N(30)})
		}
		for range 60 {
			ts += 1 + random.Int64N([]int64{800, 2500, 4000, 60_000, 2_000_000}[random.IntN(5)])
			mine = append(mine, happened{user: user, ts: ts, kind: kinds[random.IntN(len(kinds))], x: random.Int64N(70), y: random.Int64N(401)})
			if random.IntN(2) == 0 {
				mine[len(mine)-1].y = random.Int64N(50)
			}
		}
		var events []string
		for _, h := range mine {
			if h.ts >= start.UnixMilli() {
				break
			}
			list = append(list, h)
			events = append(events, h.wire())
		}
		send(s, a, fmt.Sprint("user", user), start, strings.Join(events, ","))
	}
	s.Flush()
	var got heat
	testkit.Decode(t, s.Admin("/o/heatmaps", "app_id", a.ID, "view", "/", "period", "7days"), &got)
	want := naive(list)
	var clicks, dead, rage int64
	for _, spot := range got.Spots {
		clicks, dead, rage = clicks+spot[2], dead+spot[3], rage+spot[4]
	}
	same(t, "spots", []int64{want.Clicks, want.Dead, want.Rage}, []int64{clicks, dead, rage})
	var deep int64
	for _, h := range list {
		if h.kind == "scroll" && h.y >= 200 {
			deep++
		}
	}
	same(t, "scrolled down by half", []int64{want.Scrolls, deep}, []int64{got.Reached[0], got.Reached[50]})
	got.Spots, got.Reached = nil, nil
	same(t, "figures", want, got)
	if want.Rage == 0 || want.Dead == 0 || want.Dead == want.Clicks || want.Clicked == 0 {
		t.Errorf("random traffic shows too little: %+v", want)
	}
	// Kinds of clicks of /o/actions add up to the same.
	for kind, n := range map[string]int64{"dead": want.Dead, "rage": want.Rage} {
		var res struct{ Data []struct{ C int64 } }
		testkit.Decode(t, s.Admin("/o/actions", "app_id", a.ID, "view", "/", "period", "7days", "actionType", kind), &res)
		var sum int64
		for _, row := range res.Data {
			sum += row.C
		}
		same(t, "/o/actions of "+kind, n, sum)
	}
}

// TestActionsOfSegment finds clicks by the segment of the wire, and refuses widths that are none.
func TestActionsOfSegment(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	send(s, a, "x", start, visit("Home", `,"view":"/"`)+`,{"key":"[CLY]_action","segmentation":{"type":"click","x":1,"y":2,"width":30,"height":40,"view":"/","segment":"Web"}}`)
	s.Flush()
	read := func(pairs ...string) testkit.Response {
		return s.Get("/o/actions", append([]string{"api_key", s.Key, "app_id", a.ID, "view", "/", "period", "today", "actionType", "click"}, pairs...)...)
	}
	for segment, want := range map[string]int{"Web": 1, "iOS": 0, "": 1} {
		same(t, "clicks of "+segment, want, strings.Count(read("segment", segment).Body, `"c":1`))
	}
	for _, device := range []string{`{"minWidth":-1}`, `{"maxWidth":-5}`, `{"minWidth":"a"}`, `[`} {
		r := read("device", device)
		same(t, device, `400 {"result":"Bad request parameter: device"}`, fmt.Sprint(r.Status, " ", r.Body))
	}
}

// TestTokenOfPage reads clicks as the script in a page does: by a token for this one read, and the key of the app.
func TestTokenOfPage(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
	for _, of := range []testkit.TestApp{a, other} {
		send(s, of, "x", start, visit("Home", `,"view":"/"`)+`,{"key":"[CLY]_action","segmentation":{"type":"click","x":1,"y":2,"width":30,"height":40,"view":"/"}}`)
	}
	s.Flush()
	var token struct{ Result string }
	testkit.Decode(t, s.Admin("/i/token/create", "apps", a.ID, "endpoint", "^/o/actions$", "ttl", "1800", "purpose", "heatmap"), &token)
	read := func(path string, pairs ...string) testkit.Response {
		query := url.Values{"view": {"/"}, "period": {"today"}, "actionType": {"click"}}
		for i := 0; i < len(pairs); i += 2 {
			query.Set(pairs[i], pairs[i+1])
		}
		return s.Do(http.MethodGet, path+"?"+query.Encode(), nil, "countly-token", token.Result)
	}
	if r := read("/o/actions", "app_key", a.Key); r.Status != http.StatusOK || !strings.Contains(r.Body, `"c":1`) || r.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("by key: %d %s", r.Status, r.Body)
	}
	for what, r := range map[string]testkit.Response{
		"another app":           read("/o/actions", "app_key", other.Key),
		"another app by its id": read("/o/actions", "app_id", other.ID),
		"both":                  read("/o/actions", "app_id", other.ID, "app_key", a.Key),
		"no app":                read("/o/actions"),
		"an unknown key":        read("/o/actions", "app_key", "nonsense"),
		"another read":          read("/o/heatmaps", "app_id", a.ID),
		"views":                 read("/o", "app_id", a.ID, "method", "views"),
	} {
		if r.Status < 400 || strings.Contains(r.Body, `"c"`) {
			t.Errorf("%s: %d %s", what, r.Status, r.Body)
		}
	}
	if r := s.Get("/o/actions", "app_key", a.Key, "view", "/", "period", "today"); r.Status < 400 {
		t.Errorf("the key of an app alone: %d %s", r.Status, r.Body)
	}
	r := s.Get("/views/heatmap.js")
	if r.Status != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/javascript") || len(r.Body) < 1000 {
		t.Errorf("script: %d %s, %d bytes", r.Status, r.Header.Get("Content-Type"), len(r.Body))
	}
}

// form is an upload.
func form(t *testing.T, s *testkit.Server, key, appID, view, device string, data []byte) (status int, body string) {
	t.Helper()
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	for name, value := range map[string]string{"api_key": key, "app_id": appID, "view": view, "device": device} {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("picture", "page.png")
	if err == nil {
		_, err = part.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/i/heatmaps/upload", &buf)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	res, err := (&http.Client{}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var out bytes.Buffer
	if _, err := out.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, out.String()
}

func pngOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// claiming is a PNG whose header says that it is larger than it is.
func claiming(t *testing.T, w, h uint32) []byte {
	t.Helper()
	b := pngOf(t, 1, 1)
	for i := range 4 {
		b[16+i], b[20+i] = byte(w>>(24-8*i)), byte(h>>(24-8*i))
	}
	crc := crc32.ChecksumIEEE(b[12:29])
	for i := range 4 {
		b[29+i] = byte(crc >> (24 - 8*i))
	}
	return b
}

func TestUploadedPictures(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
	for _, of := range []testkit.TestApp{a, other} {
		send(s, of, "x", start, visit("Home", `,"view":"/"`)+","+visit("Cart", ""))
	}
	s.Flush()
	reader, editor := member(t, s, a, "reader", "r"), member(t, s, a, "editor", "u")
	fine := pngOf(t, 390, 900)
	for name, c := range map[string]struct {
		key, app, view, device string
		data                   []byte
		status                 int
	}{
		"a reader":           {reader, a.ID, "/", "phone", fine, 401},
		"another app":        {editor, other.ID, "/", "phone", fine, 401},
		"no view":            {editor, a.ID, "Nowhere", "phone", fine, 404},
		"a view of another":  {editor, a.ID, id(other, "Home"), "phone", fine, 404},
		"no device":          {editor, a.ID, "/", "fridge", fine, 400},
		"a script":           {editor, a.ID, "/", "phone", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), 400},
		"a page":             {editor, a.ID, "/", "phone", []byte(`<html><script>alert(1)</script>`), 400},
		"nothing":            {editor, a.ID, "/", "phone", nil, 400},
		"half a picture":     {editor, a.ID, "/", "phone", fine[:20], 400},
		"many pixels":        {editor, a.ID, "/", "phone", claiming(t, 15_000, 15_000), 413},
		"a long side":        {editor, a.ID, "/", "phone", claiming(t, 1, 30_000), 413},
		"many bytes":         {editor, a.ID, "/", "phone", append(slices.Clone(fine), make([]byte, 9<<20)...), 413},
		"a picture of a GIF": {editor, a.ID, "/", "phone", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), 400},
	} {
		if status, body := form(t, s, c.key, c.app, c.view, c.device, c.data); status != c.status {
			t.Errorf("%s: %d %s, want %d", name, status, body, c.status)
		}
	}
	status, body := form(t, s, editor, a.ID, "/", "phone", fine)
	same(t, "upload", fmt.Sprintf(`200 {"view":%q,"device":"phone","width":390,"height":900,"address":"","at":%d}`, id(a, "Home"), start.Unix()), fmt.Sprint(status, " ", body))
	if status, body := form(t, s, s.Key, a.ID, "Home", "phone", pngOf(t, 10, 20)); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	get := func(key, app, view, device string) testkit.Response {
		return s.Get("/o/heatmaps/picture", "api_key", key, "app_id", app, "view", view, "device", device)
	}
	r := get(reader, a.ID, "/", "phone")
	cfg, err := png.DecodeConfig(strings.NewReader(r.Body))
	if err != nil || cfg.Width != 10 {
		t.Errorf("the second picture does not stand for the first: %v, %+v", err, cfg)
	}
	for name, want := range map[string]string{"Content-Type": "image/png", "Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff"} {
		same(t, name, want, r.Header.Get(name))
	}
	same(t, "none of the other app", 404, get(s.Key, other.ID, "/", "phone").Status)
	same(t, "a reader of another app", 401, get(reader, other.ID, "/", "phone").Status)
	same(t, "none of the kind", 404, get(reader, a.ID, "/", "desktop").Status)
	list := func() string { return s.Get("/o/heatmaps/pictures", "api_key", reader, "app_id", a.ID).Body }
	same(t, "list", 1, strings.Count(list(), `"device":"phone"`))
	same(t, "list of another view", `[]`, s.Get("/o/heatmaps/pictures", "api_key", reader, "app_id", a.ID, "view", "Cart").Body)
	drop := func(key string) int {
		return s.Post("/i/heatmaps/delete", "api_key", key, "app_id", a.ID, "view", "Home", "device", "phone").Status
	}
	same(t, "deleted by a reader, an editor, again", []int{401, 200, 404}, []int{drop(reader), drop(editor), drop(editor)})
	same(t, "after it was deleted", 404, get(reader, a.ID, "/", "phone").Status)
	for _, view := range []string{"Home", "Cart"} {
		if status, body := form(t, s, editor, a.ID, view, "tablet", fine); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
	}
	s.Post("/i/views", "api_key", s.Key, "app_id", a.ID, "method", "delete_view", "view_id", id(a, "Home"))
	same(t, "a deleted view", 1, strings.Count(list(), `"device"`))
	s.Admin("/i/apps/reset", "args", fmt.Sprintf(`{"app_id":%q,"period":"reset"}`, a.ID))
	same(t, "a reset app", `[]`, list())
}

// TestTakenPictures takes pictures of pages with the Chromium of the machine.
func TestTakenPictures(t *testing.T) {
	need.Program(t, "chromium")
	t.Parallel()
	var secrets atomic.Int32
	hidden := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		secrets.Add(1)
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(pngOf(t, 10, 10))
	}))
	t.Cleanup(hidden.Close)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, hidden.URL, http.StatusFound)
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, `<!doctype html><meta name=viewport content="width=device-width"><body style="margin:0;background:#00f">
				<div style="height:1500px;width:50%%;background:#f00"></div><img src="%[1]s/x.png"><iframe src="%[1]s"></iframe>
				<script>alert(1); confirm(2); fetch(%[1]q); new WebSocket("ws://%[2]s"); new RTCPeerConnection({iceServers:[{urls:"stun:127.0.0.1:3478"}]})</script>`,
				hidden.URL, strings.TrimPrefix(hidden.URL, "http://"))
		}
	}))
	t.Cleanup(site.Close)
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) {
		c.Modules = map[string]any{"render": map[string]any{"allow_hosts": []string{strings.TrimPrefix(site.URL, "http://")}, "pages_without_sandbox": true}}
	}))
	a := s.CreateApp("shop", "UTC")
	s.Post("/i", "app_key", a.Key, "device_id", "x", "events", "["+visit("Home", `,"view":"/"`)+"]")
	s.Flush()
	take := func(address string) testkit.Response {
		return s.Get("/i/heatmaps/take", "api_key", s.Key, "app_id", a.ID, "view", "/", "device", "phone", "url", address)
	}
	r := take(site.URL)
	var p struct{ Width, Height int }
	if err := json.Unmarshal([]byte(r.Body), &p); err != nil || p.Width != 390 || p.Height < 1500 || p.Height > 2500 {
		t.Fatalf("%v %d %s", err, r.Status, r.Body)
	}
	img, err := jpeg.Decode(strings.NewReader(s.Get("/o/heatmaps/picture", "api_key", s.Key, "app_id", a.ID, "view", "/", "device", "phone").Body))
	if err != nil {
		t.Fatal(err)
	}
	is := func(x, y int, want color.RGBA) {
		red, green, blue, _ := img.At(x, y).RGBA()
		for i, pair := range [][2]uint32{{red >> 8, uint32(want.R)}, {green >> 8, uint32(want.G)}, {blue >> 8, uint32(want.B)}} {
			if d := int(pair[0]) - int(pair[1]); d > 40 || d < -40 {
				t.Errorf("colour at %d, %d: part %d is %d, want %d", x, y, i, pair[0], pair[1])
			}
		}
	}
	is(50, 1400, color.RGBA{R: 255})
	is(350, 1400, color.RGBA{B: 255})
	for address, want := range map[string]string{
		hidden.URL:                        "render.blocked_host",
		site.URL + "/away":                "render.blocked_host",
		"http://169.254.169.254/":         "render.blocked_host",
		"http://[::ffff:127.0.0.1]:8080/": "render.blocked_host",
		"http://0x7f000001:8080/":         "render.blocked_host",
		"file:///etc/passwd":              "render.bad_address",
		"javascript:alert(1)":             "render.bad_address",
		"http://user:secret@example.org":  "render.bad_address",
		"chrome://settings":               "render.bad_address",
	} {
		if r := take(address); r.Status != http.StatusBadRequest || r.Header.Get("Quipu-Error") != want {
			t.Errorf("%s: %d %v %s", address, r.Status, r.Header, r.Body)
		}
	}
	if n := secrets.Load(); n != 0 {
		t.Errorf("%d requests reached a host that is not allowed", n)
	}
}

// TestNoBrowser asks for a picture where there is none to be had.
func TestNoBrowser(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { c.Modules = map[string]any{"render": map[string]any{"browser": "off"}} }))
	a := s.CreateApp("shop", "UTC")
	s.Post("/i", "app_key", a.Key, "device_id", "x", "events", "["+visit("Home", `,"view":"/"`)+"]")
	s.Flush()
	r := s.Get("/i/heatmaps/take", "api_key", s.Key, "app_id", a.ID, "view", "/", "device", "phone", "url", "https://example.org")
	same(t, "no browser", 409, r.Status)
}
