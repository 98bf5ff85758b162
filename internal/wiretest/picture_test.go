package wiretest_test

import (
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// upload sends a request with a file, as mobile SDKs do: parameters in the query, the file as a part of the body.
func upload(t *testing.T, s *testkit.Server, part string, file []byte, pairs ...string) {
	t.Helper()
	var body strings.Builder
	w := multipart.NewWriter(&body)
	f, err := w.CreateFormFile(part, "me.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := s.Do(http.MethodPost, "/i?"+testkit.Query(pairs...), strings.NewReader(body.String()), "Content-Type", w.FormDataContentType())
	done(t, "upload of "+part, r)
}

// drawing is a picture of one colour in a format.
func drawing(t *testing.T, format string, shade uint8) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Gray{Y: shade}})
	var b strings.Builder
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, nil)
	case "gif":
		err = gif.Encode(&b, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// TestUserPicture uploads pictures as the SDKs do and fetches them with and without the right to.
func TestUserPicture(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("A", "UTC"), s.CreateApp("B", "UTC")
	fetch := func(key string, app testkit.TestApp, did string) testkit.Response {
		return s.Get("/o/app_users/picture", "api_key", key, "app_id", app.ID, "did", did)
	}
	for i, c := range []struct{ name, part, details, format string }{
		{"web", "user_details[picture]", "", "png"},
		{"android", "file", `{"name":"N","picturePath":"/data/me.jpg"}`, "jpeg"},
		{"java", "binaryFile", `{"custom":{"k":"v"}}`, "gif"},
	} {
		file := drawing(t, c.format, uint8(10*i))
		upload(t, s, c.part, file, "app_key", a.Key, "device_id", c.name, "user_details", c.details)
		s.Flush()
		r := fetch(s.Key, a, c.name)
		if r.Status != 200 || r.Body != string(file) || r.Header.Get("Content-Type") != "image/"+c.format {
			t.Errorf("%s: %d %s %q, want the picture", c.name, r.Status, r.Header.Get("Content-Type"), r.Body)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "private, max-age=3600", "Content-Security-Policy": "default-src 'none'; sandbox",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", c.name, name, got, want)
			}
		}
	}

	none := `{"result":"User has no uploaded picture"}`
	file := drawing(t, "png", 200)
	upload(t, s, "file", file, "app_key", a.Key, "device_id", "session", "begin_session", "1")
	upload(t, s, "other", file, "app_key", a.Key, "device_id", "other", "user_details", `{"name":"N"}`)
	upload(t, s, "file", []byte("<svg onload=alert(1)>"), "app_key", a.Key, "device_id", "svg", "user_details", `{"name":"N"}`)
	upload(t, s, "file", append([]byte("GIF89a\xff\xff\xff\xff"), make([]byte, 20)...), "app_key", a.Key, "device_id", "huge", "user_details", `{"name":"N"}`)
	s.Ingest(a, "address", "user_details", `{"picture":"https://example.org/me.png"}`)
	s.Flush()
	for _, did := range []string{"session", "other", "svg", "huge", "address", "nobody", ""} {
		want, status := none, 404
		if did == "" {
			want, status = `{"result":"Missing parameter \"uid\""}`, 400
		}
		same(t, "no picture of "+did, fetch(s.Key, a, did), status, want)
	}

	// The hash of a picture opens nothing in another app, neither named by a client nor by a member.
	var user struct{ Picture, UID string }
	testkit.Decode(t, s.Admin("/o", "method", "user_details", "app_id", a.ID, "did", "web"), &user)
	if len(user.Picture) != 64 {
		t.Fatalf("picture %q, want a hash", user.Picture)
	}
	s.Ingest(b, "thief", "user_details", `{"name":"T","picture":"`+user.Picture+`"}`)
	s.Admin("/i/app_users/create", "app_id", b.ID, "data", `{"did":"made","picture":"`+strings.ToUpper(user.Picture)+`"}`)
	s.Admin("/i/app_users/update", "app_id", b.ID, "query", `{"did":"made"}`, "update", `{"$set":{"picture":"`+user.Picture+`"}}`)
	s.Flush()
	for _, did := range []string{"thief", "made", "web"} {
		same(t, "by its hash, "+did, fetch(s.Key, b, did), 404, none)
	}

	s.Admin("/i/users/create", "args", `{"full_name":"M","username":"m","email":"m@example.org","password":"Very-secret-9","permission":{"_":{"a":[],"u":[["`+b.ID+`"]]},"r":{"`+b.ID+`":{"all":true}}}}`)
	m := s.APIKey("m", "Very-secret-9")
	same(t, "another app's member", fetch(m, a, "web"), 401, wrong("User does not have right"))
	same(t, "own app", fetch(m, b, "thief"), 404, none)
	if r := s.Get("/o/app_users/picture", "app_id", a.ID, "did", "web"); r.Status == 200 {
		t.Errorf("without credentials: %d %s", r.Status, r.Body)
	}
}

// TestCreatedUsersHaveDeviceIDs creates users under device ids that /i ignores.
func TestCreatedUsersHaveDeviceIDs(t *testing.T) {
	t.Parallel()
	s := server(t)
	a := s.CreateApp("A", "UTC")
	for _, did := range []string{"undefined", "null", "[object Object]", "", "  ", "[CLY]_temp_id", "00000000-0000-0000-0000-000000000000"} {
		same(t, did, s.Post("/i/app_users/create", "api_key", s.Key, "app_id", a.ID, "data", `{"did":"`+did+`","name":"N"}`), 400,
			wrong("Provide device_id as did property for data"))
	}
	s.Flush()
	sameJSON(t, "no profile", s.Admin("/o", "method", "user_details", "app_id", a.ID), `{"iTotalRecords":0,"iTotalDisplayRecords":0,"aaData":[]}`)
}
