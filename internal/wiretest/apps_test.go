package wiretest_test

import (
	bytebuf "bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// TestAppLife creates, changes and deletes apps (wire.md 7.4).
func TestAppLife(t *testing.T) {
	t.Parallel()
	s := server(t)
	create := func(args string) testkit.Response { return s.Post("/i/apps/create", "api_key", s.Key, "args", args) }
	made := create(`{"name":"Shop"}`).Body
	for field, want := range map[string]string{
		"name": `"Shop"`, "seq": `0`, "has_image": `false`, "type": `"mobile"`, "created_at": `1936526400`, "edited_at": `1936526400`,
	} {
		part(t, "defaults", made, want, field)
	}
	id, key := dig(t, made, "_id").(string), dig(t, made, "key").(string)
	if len(id) != 24 || len(key) != 40 || dig(t, made, "id_key") != key || dig(t, made, "app_id") != id {
		t.Errorf("ids and keys: %s", made)
	}
	for _, field := range []string{"country", "timezone", "category", "owner"} {
		if v, _ := dig(t, made, field).(string); v == "" {
			t.Errorf("%s is missing: %s", field, made)
		}
	}
	given := create(`{"name":"Given","key":"my key is mine","country":"ES","timezone":"Europe/Madrid","category":"3","type":"web","checksum_salt":"pepper"}`)
	same(t, "a key with blanks", given, 400, wrong("Error: Invalid type for key"))
	given = create(`{"name":"Given","key":"mine","country":"ES","timezone":"Europe/Madrid","category":"3","type":"web","checksum_salt":"pepper"}`)
	for field, want := range map[string]string{"key": `"mine"`, "id_key": `"mine"`, "country": `"ES"`, "timezone": `"Europe/Madrid"`, "category": `"3"`, "type": `"web"`} {
		part(t, "as given", given.Body, want, field)
	}
	odd := create(`{"name":"Odd","country":"XX9","timezone":"Mars/Olympus","category":"99","type":"toaster"}`).Body
	for _, field := range []string{"country", "timezone", "category", "type"} {
		part(t, "unusable values give way to defaults", odd, text(t, dig(t, made, field)), field)
	}
	for what, c := range map[string]struct{ args, result string }{
		"no args":      {"", "Error: Missing 'args' parameter"},
		"no object":    {`[1]`, "Error: Invalid 'args' parameter"},
		"no name":      {`{"country":"ES"}`, "Error: Missing name argument"},
		"empty name":   {`{"name":""}`, "Error: Missing name argument"},
		"taken key":    {`{"name":"x","key":"mine"}`, "App key already in use"},
		"name is list": {`{"name":["x"]}`, "Error: Missing name argument"},
	} {
		same(t, "create, "+what, create(c.args), 400, wrong(c.result))
	}

	update := func(args string, pairs ...string) testkit.Response {
		return s.Post("/i/apps/update", append([]string{"api_key", s.Key, "args", args}, pairs...)...)
	}
	with := func(fields string) string { return `{"app_id":"` + id + `"` + fields + `}` }
	s.Clock().Set(noon.Add(90e9))
	same(t, "changed fields only", update(with(`,"name":"B","country":"`+dig(t, made, "country").(string)+`"`)), 200, `{"name":"B","edited_at":1936526490}`)
	for _, args := range []string{with(""), with(`,"name":"B"`)} {
		same(t, "nothing changed", update(args), 200, `{"result":"Nothing changed"}`)
	}
	same(t, "salt", update(with(`,"salt":"x"`)), 200, `{"salt":"x","edited_at":1936526490}`)
	same(t, "no salt", update(with(`,"salt":""`)), 200, `{"salt":"","edited_at":1936526490}`)
	same(t, "locked", update(with(`,"locked":"true"`)), 200, `{"locked":true,"edited_at":1936526490}`)
	for what, c := range map[string]struct {
		args   string
		status int
		result string
	}{
		"no args":       {"", 400, "Error: Missing 'args' parameter"},
		"empty name":    {with(`,"name":""`), 400, "Invalid app name"},
		"empty key":     {with(`,"key":""`), 400, "Invalid app key"},
		"key is object": {with(`,"key":{"$ne":1}`), 400, "Invalid app key"},
		"bad props":     {with(`,"timezone":"x","country":"x","name":"C"`), 400, "Invalid props: country,timezone"},
		"taken key":     {with(`,"key":"mine"`), 400, "App key already in use"},
		"unknown app":   {`{"app_id":"` + unknownID + `","name":"x"}`, 404, "App not found"},
		"no app":        {`{"name":"x"}`, 400, "Error: Missing app_id argument"},
	} {
		same(t, "update, "+what, update(c.args), c.status, wrong(c.result))
	}
	part(t, "a refused update changes nothing", s.Admin("/o/apps/all"), `"B"`, "admin_of", id, "name")

	same(t, "a locked app is not deleted", s.Post("/i/apps/delete", "api_key", s.Key, "args", with("")), 403, wrong("Application is locked"))
	same(t, "a locked app is not reset", s.Post("/i/apps/reset", "api_key", s.Key, "args", with(`,"period":"reset"`)), 403, wrong("Application is locked"))
	same(t, "unlocked", update(with(`,"locked":false`)), 200, `{"locked":false,"edited_at":1936526490}`)
	done(t, "delete", s.Post("/i/apps/delete", "api_key", s.Key, "args", with("")))
	part(t, "deleted", s.Admin("/o/apps/all"), "", "admin_of", id)
	same(t, "its key is unknown", send(s, "app_key", key, "device_id", "d"), 400, wrong("App does not exist"))
	for what, args := range map[string]string{"again": with(""), "malformed": `{"app_id":"x"}`, "operator": `{"app_id":{"$ne":""}}`} {
		got := s.Post("/i/apps/delete", "api_key", s.Key, "args", args)
		if what == "operator" {
			same(t, "delete, "+what, got, 400, wrong("Error: Missing app_id argument"))
			continue
		}
		same(t, "delete, "+what, got, 500, wrong("Error deleting app"))
	}
	same(t, "delete without args", s.Post("/i/apps/delete", "api_key", s.Key), 400, wrong("Error: Missing 'args' parameter"))
	same(t, "reset of an unknown app", s.Post("/i/apps/reset", "api_key", s.Key, "args", with("")), 404, wrong("App not found"))
	same(t, "reset without args", s.Post("/i/apps/reset", "api_key", s.Key), 400, wrong("Error: Missing 'args' parameter"))
}

// TestAppLists reads apps as each kind of member (wire.md 7.4).
func TestAppLists(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("A", "UTC"), s.CreateApp("B", "UTC")
	mine := func(key string) string { return s.Get("/o/apps/mine", "api_key", key).Body }
	all := s.Admin("/o/apps/all")
	for _, list := range []string{"admin_of", "user_of"} {
		for _, app := range []testkit.TestApp{a, b} {
			part(t, "a global administrator has every app in both", all, `"`+app.Key+`"`, list, app.ID, "key")
		}
	}
	sameJSON(t, "mine is all for it", mine(s.Key), all)
	sameJSON(t, "nothing", mine(createMember(t, s, "bare", nil).key), `{"admin_of":{},"user_of":{}}`)
	both := createMember(t, s, "both", map[string]any{"permission": permission([]string{a.ID}, []string{a.ID, b.ID}, nil)})
	got := mine(both.key)
	part(t, "administers", got, `"A"`, "admin_of", a.ID, "name")
	part(t, "does not administer", got, "", "admin_of", b.ID)
	part(t, "uses", got, `"B"`, "user_of", b.ID, "name")

	details := s.Admin("/o/apps/details", "app_id", a.ID)
	person := `[{"_id":"` + both.id + `","full_name":"Full both","username":"both"}]`
	part(t, "administrators", details, person, "admin")
	part(t, "users", details, person, "user")
	part(t, "global administrators", details, `"admin"`, "global_admin", "0", "username")
	part(t, "owner", details, `"Admin"`, "app", "owner")
	part(t, "no data yet", details, `0`, "app", "last_data")
	part(t, "no users yet", details, `0`, "app", "last_data_users")
	part(t, "no settings yet", details, `{}`, "app", "plugins")
	s.Ingest(a, "d", "begin_session", "1", "timestamp", "1936519200000")
	s.Flush()
	details = s.Admin("/o/apps/details", "app_id", a.ID)
	part(t, "the hour of the last data", details, `1936519200`, "app", "last_data")
	part(t, "the last activity of a user", details, `1936519200`, "app", "last_data_users")
}

// TestAppPlugins merges and reads plugin settings (wire.md 7.4).
func TestAppPlugins(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	set := func(args string) testkit.Response {
		body := strings.NewReader(testkit.Query("app_id", a.ID, "args", args)) // large: the key stands in the address
		return s.Do(http.MethodPost, "/i/apps/update/plugins?api_key="+s.Key, body, "Content-Type", "application/x-www-form-urlencoded")
	}
	get := func(pairs ...string) string {
		return s.Admin("/o/apps/plugins", append([]string{"app_id", a.ID}, pairs...)...)
	}
	sameJSON(t, "none", get(), `{"plugins":{}}`)
	part(t, "set", set(`{"logger":{"state":"on","limit":5}}`).Body, `{"logger":{"state":"on","limit":5}}`, "plugins")
	part(t, "merged", set(`{"logger":{"state":"off"},"push":{"a":{"b":[1]}}}`).Body, `{"logger":{"state":"off","limit":5},"push":{"a":{"b":[1]}}}`, "plugins")
	sameJSON(t, "read", get(), `{"plugins":{"logger":{"state":"off","limit":5},"push":{"a":{"b":[1]}}}}`)
	sameJSON(t, "one", get("name", "logger"), `{"plugins":{"logger":{"state":"off","limit":5}}}`)
	sameJSON(t, "an unknown one gives all", get("name", "nothing"), get())
	part(t, "live in details", s.Admin("/o/apps/details", "app_id", a.ID), `"off"`, "app", "plugins", "logger", "state")
	same(t, "no app_id", s.Get("/o/apps/plugins", "api_key", s.Key), 400, wrong("Error: Missing app_id argument"))
	same(t, "not an object", set(`{"b":"x","logger":{"state":"on"},"a":null}`), 400, wrong("Invalid props: a,b"))
	part(t, "a refused change leaves all", get(), `"off"`, "plugins", "logger", "state")
	same(t, "no args", s.Post("/i/apps/update/plugins", "api_key", s.Key, "app_id", a.ID), 400, wrong("Error: Missing 'args' parameter"))
	same(t, "too much", set(`{"logger":{"x":"`+strings.Repeat("x", 1<<20)+`"}}`), 413, wrong("The plugin settings are too large"))
}

// TestAppIcon uploads an icon and reads it back (wire.md 7.4).
func TestAppIcon(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	icon := func(id string) testkit.Response { return s.Do(http.MethodGet, "/appimages/"+id+".png", nil) }
	def := icon(a.ID)
	if def.Status != 200 || def.Header.Get("Content-Type") != "image/png" {
		t.Fatalf("default icon: %d %s", def.Status, def.Header.Get("Content-Type"))
	}
	upload := func(data []byte) testkit.Response {
		var body bytebuf.Buffer
		w := multipart.NewWriter(&body)
		f, err := w.CreateFormFile("app_image", "icon.png")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return s.Do(http.MethodPost, "/i/apps/update?"+testkit.Query("api_key", s.Key, "args", `{"app_id":"`+a.ID+`"}`), &body,
			"Content-Type", w.FormDataContentType())
	}
	img := image.NewRGBA(image.Rect(0, 0, 40, 20))
	for x := range 40 {
		for y := range 20 {
			img.Set(x, y, color.RGBA{R: 200, A: 255})
		}
	}
	var red bytebuf.Buffer
	if err := png.Encode(&red, img); err != nil {
		t.Fatal(err)
	}
	got := upload(red.Bytes())
	part(t, "uploaded", got.Body, `true`, "has_image")
	mine := icon(a.ID)
	decoded, err := png.Decode(strings.NewReader(mine.Body))
	if err != nil || mine.Body == def.Body || decoded.Bounds().Dx() != 150 || decoded.Bounds().Dy() != 150 {
		t.Errorf("icon: %v, %d bytes", err, len(mine.Body))
	}
	for name, data := range map[string][]byte{"text": []byte("no picture"), "empty": {}, "cut": red.Bytes()[:50], "svg": []byte(`<svg onload="alert(1)"/>`)} {
		if got := upload(data); got.Status != 400 {
			t.Errorf("%s as an icon: %d %s", name, got.Status, got.Body)
		}
	}
	// The header alone says that this picture has 25 megapixels.
	huge := bytebuf.Clone(red.Bytes())
	binary.BigEndian.PutUint32(huge[16:], 5000)
	binary.BigEndian.PutUint32(huge[20:], 5000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	same(t, "an icon of 25 megapixels", upload(huge), 413, wrong("Image has more than 16 megapixels"))
	if got := icon("..%2f..%2fdocs"); got.Status != 400 {
		t.Errorf("icon of another folder: %d, %d bytes", got.Status, len(got.Body))
	}
	for _, id := range []string{unknownID, "x", s.CreateApp("B", "UTC").ID} {
		if got := icon(id); got.Status != 200 || got.Body != def.Body {
			t.Errorf("icon of %s: %d, %d bytes", id, got.Status, len(got.Body))
		}
	}
}

// TestAppKeyRotation changes an app's key (wire.md 7.5).
func TestAppKeyRotation(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	s.Ingest(a, "d", "begin_session", "1", "timestamp", noonMS)
	s.Flush()
	first := method(s, a, "user_details", "did", "d")
	changed := s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","key":"second"}`)
	sameJSON(t, "only the key", changed, `{"key":"second","edited_at":1936526400}`)
	same(t, "/i with the old key", send(s, "app_key", a.Key, "device_id", "d"), 400, wrong("App does not exist"))
	same(t, "/o/sdk with the old key", s.Get("/o/sdk", "app_key", a.Key, "device_id", "d", "method", "sc"), 400, wrong("App does not exist"))
	b := testkit.TestApp{ID: a.ID, Key: "second"}
	s.Ingest(b, "d", "session_duration", "5", "timestamp", "1936526400001")
	done(t, "bulk", s.Post("/i/bulk", "app_key", "second", "requests", `[{"device_id":"d","session_duration":5,"timestamp":1936526400002}]`))
	s.Flush()
	for _, field := range []string{"_id", "uid", "did"} {
		part(t, "the same user", method(s, a, "user_details", "did", "d"), text(t, dig(t, first, field)), field)
	}
	part(t, "one profile", method(s, a, "user_details"), `1`, "iTotalRecords")
	part(t, "of a total", method(s, a, "user_details", "did", "d"), `10`, "tsd")
	if got := s.Get("/o/sdk", "app_key", "second", "device_id", "d", "method", "sc"); got.Status != 200 {
		t.Errorf("/o/sdk with the new key: %d %s", got.Status, got.Body)
	}
	sum := sha1.Sum([]byte(a.Key + "d"))
	part(t, "the id is made with the first key", method(s, a, "user_details", "did", "d"), `"`+hex.EncodeToString(sum[:])+`"`, "_id")
}

// TestChecksum signs requests (wire.md 7.6).
func TestChecksum(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	sum1 := func(text string) string { h := sha1.Sum([]byte(text)); return hex.EncodeToString(h[:]) }
	sum256 := func(text string) string { h := sha256.Sum256([]byte(text)); return hex.EncodeToString(h[:]) }
	const salt = "pepper"
	for _, field := range []string{"salt", "checksum_salt"} {
		s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","`+field+`":"`+salt+`"}`)
		base := "app_key=" + a.Key + "&device_id=D%20%7e&method=sc&begin_session=1"
		for name, c := range map[string]struct{ query, want string }{
			"sha-1 last":          {base + "&checksum=" + sum1(base+salt), ""},
			"sha-1 upper case":    {base + "&checksum=" + strings.ToUpper(sum1(base+salt)), ""},
			"sha-1 first":         {"checksum=" + sum1(base+salt) + "&" + base, ""},
			"sha-1 in the middle": {"app_key=" + a.Key + "&checksum=" + sum1(base+salt) + "&device_id=D%20%7e&method=sc&begin_session=1", ""},
			"sha-256":             {base + "&checksum256=" + sum256(base+salt), ""},
			"sha-256 upper case":  {base + "&checksum256=" + strings.ToUpper(sum256(base+salt)), ""},
			"missing":             {base, "Request does not have checksum"},
			"empty":               {base + "&checksum=", "Request does not have checksum"},
			"wrong":               {base + "&checksum=" + sum1(base), "Request does not match checksum"},
			"of other encoding":   {base + "&checksum=" + sum1(strings.ReplaceAll(base, "%20", "+")+salt), "Request does not match checksum"},
			"no hex":              {base + "&checksum256=zz", "Request does not match checksum"},
			"changed":             {base + "&rr=1&checksum256=" + sum256(base+salt), "Request does not match checksum"},
			"no_checksum":         {base + "&no_checksum=true", "Request does not have checksum"},
		} {
			for _, path := range []string{"/i", "/o/sdk"} {
				for way, got := range map[string]testkit.Response{
					"get":  s.Do(http.MethodGet, path+"?"+c.query, nil),
					"post": s.Do(http.MethodPost, path, strings.NewReader(c.query), form...),
				} {
					what := path + " by " + way + ", " + name
					if c.want != "" {
						bytes(t, what, got, 200, wrong(c.want))
					} else if path == "/i" {
						done(t, what, got)
					} else if got.Status != 200 || dig(t, got.Body, "v") == nil {
						t.Errorf("%s: %d %s", what, got.Status, got.Body)
					}
				}
			}
		}
		s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":""}`)
		s.Ingest(a, "D2", "checksum", "anything")
	}
	// Nothing was written by what was refused: the good requests came 2 × 6 times from D,
	// suppressed when re-sent only if they carry a time.
	s.Flush()
	part(t, "only signed ones", method(s, a, "user_details"), `2`, "iTotalRecords")
	outcomes := s.Admin("/o/ingest/outcomes", "app_id", a.ID)
	part(t, "missing, counted", outcomes, `12`, "totals", "request", "checksum_missing")
	// The order of errors: parameters, app, checksum, method.
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":"x"}`)
	same(t, "parameters first", s.Get("/o/sdk", "app_key", a.Key, "method", "nope"), 400, wrong(`Missing parameter "app_key" or "device_id"`))
	same(t, "then the app", s.Get("/o/sdk", "app_key", "nope", "device_id", "d", "method", "nope"), 400, wrong("App does not exist"))
	same(t, "then the checksum", s.Get("/o/sdk", "app_key", a.Key, "device_id", "d", "method", "nope"), 200, wrong("Request does not have checksum"))
	s.Admin("/i/apps/update", "args", `{"app_id":"`+a.ID+`","salt":""}`)
	same(t, "then the method", s.Get("/o/sdk", "app_key", a.Key, "device_id", "d", "method", "nope"), 400, wrong("Invalid method"))
	same(t, "the zero advertising id", s.Get("/o/sdk", "app_key", a.Key, "device_id", "00000000-0000-0000-0000-000000000000", "method", "sc"), 200, wrong("Ignoring device_id"))
	for name, key := range map[string]string{"object": "app_key[$ne]=x", "list": "app_key[]=" + a.Key} {
		same(t, "app_key as "+name, s.Do(http.MethodGet, "/o/sdk?method=sc&device_id=d&"+key, nil), 400, wrong("App does not exist"))
		same(t, "app_key as "+name+" on /i", s.Do(http.MethodGet, "/i?device_id=d&"+key, nil), 400, wrong("App does not exist"))
	}
}

// TestReset empties an app at once and keeps what stays (wire.md 7.4, 0.1).
func TestReset(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, other := s.CreateApp("A", "UTC"), s.CreateApp("B", "UTC")
	s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"logger":{"state":"on"}}`)
	fill := func(app testkit.TestApp) {
		s.Ingest(app, "d1", "begin_session", "1", "timestamp", noonMS, "metrics", `{"_os":"Android","_device":"Pixel"}`,
			"events", `[{"key":"E","segmentation":{"s":"1"}}]`, "consent", `{"sessions":true}`)
		s.Ingest(app, "d2", "begin_session", "1", "timestamp", noonMS)
		s.Flush()
	}
	fill(a)
	fill(other)
	s.Admin("/i/events/edit_map", "app_id", a.ID, "event_order", `["E"]`)
	before := snapshot(s, other)
	for _, period := range []string{"reset", "all"} {
		done(t, "reset "+period, s.Post("/i/apps/reset", "api_key", s.Key, "args", `{"app_id":"`+a.ID+`","period":"`+period+`"}`))
		for name, want := range map[string]string{"users": `{}`, "devices": `{}`, "carriers": `{}`, "events": `{}`, "total_users": `[]`, "get_events": noEvents} {
			bytes(t, name+" after reset "+period, s.Get("/o", "api_key", s.Key, "app_id", a.ID, "method", name), 200, want)
		}
		part(t, "no profiles", method(s, a, "user_details"), `0`, "iTotalRecords")
		part(t, "settings stay", s.Admin("/o/apps/plugins", "app_id", a.ID), `"on"`, "plugins", "logger", "state")
		if after := snapshot(s, other); after != before {
			t.Errorf("the reset of one app changed another")
		}
		fill(a)
		part(t, "numbers start again", method(s, a, "user_details", "did", "d1"), `"1"`, "uid")
		part(t, "counts start again", method(s, a, "users"), `2`, "2031", "5", "14", "12", "t")
	}
	same(t, "an unknown period", s.Post("/i/apps/reset", "api_key", s.Key, "args", `{"app_id":"`+a.ID+`","period":"1week"}`), 400,
		wrong("Error: Invalid period, must be one of all, reset, 1month, 3month, 6month, 1year or 2year"))
}

// TestResetPeriods empties an app of what is older than a period.
func TestResetPeriods(t *testing.T) {
	t.Parallel()
	s := server(t)
	for _, c := range []struct {
		period string
		months int
	}{{"1month", 1}, {"3month", 3}, {"6month", 6}, {"1year", 12}, {"2year", 24}} {
		a := s.CreateApp("A", "America/New_York")
		// An hour before the first moment that stays, and an hour after it.
		cut := noon.AddDate(0, -c.months, 0)
		loc, err := time.LoadLocation("America/New_York")
		if err != nil {
			t.Fatal(err)
		}
		edge := time.Date(cut.Year(), cut.Month(), cut.Day(), 0, 0, 0, 0, loc).UnixMilli()
		at := func(ms int64) string { return strconv.FormatInt(ms, 10) }
		s.Ingest(a, "gone", "timestamp", at(edge-3600_000), "begin_session", "1", "events", `[{"key":"E","segmentation":{"s":"old"}}]`)
		s.Ingest(a, "back", "timestamp", at(edge-3600_000), "begin_session", "1", "metrics", `{"_device":"old"}`)
		s.Ingest(a, "back", "timestamp", at(edge+3600_000), "begin_session", "1", "metrics", `{"_device":"new"}`, "events", `[{"key":"E","segmentation":{"s":"new"}}]`)
		s.Flush()
		all := "[0," + noonMS + "]"
		part(t, c.period+", before", method(s, a, "total_users", "period", all), `2`, "0", "u")
		done(t, c.period, s.Post("/i/apps/reset", "api_key", s.Key, "args", `{"app_id":"`+a.ID+`","period":"`+c.period+`"}`))
		part(t, c.period+": users", method(s, a, "total_users", "period", all), `1`, "0", "u")
		part(t, c.period+": sessions", s.Admin("/o/analytics/metric", "app_id", a.ID, "metric", "countries", "period", all), `1`, "0", "t")
		sameJSON(t, c.period+": devices", s.Admin("/o/analytics/metric", "app_id", a.ID, "metric", "devices", "period", all), `[{"_id":"new","t":1,"n":0,"u":1}]`)
		sameJSON(t, c.period+": a segment", s.Admin("/o/analytics/events", "app_id", a.ID, "event", "E", "segmentation", "s", "period", all), `[{"_id":"new","c":1,"s":0,"dur":0}]`)
		part(t, c.period+": profiles", method(s, a, "user_details"), `1`, "iTotalRecords")
		part(t, c.period+": who came back is there", method(s, a, "user_details", "did", "back"), `2`, "sc")
		part(t, c.period+": the list of events stays", method(s, a, "get_events"), `["E"]`, "list")
		year := strconv.Itoa(time.UnixMilli(edge).In(loc).Year())
		part(t, c.period+": the year", method(s, a, "users", "period", all), `1`, year, "t")
	}
}
