package web_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// TestFormSizes sends forms in all three types, as large as they may be and larger.
func TestFormSizes(t *testing.T) {
	t.Parallel()
	encode := map[string]func(map[string]string) (contentType, body string){
		"urlencoded": func(f map[string]string) (string, string) {
			v := url.Values{}
			for name, text := range f {
				v.Set(name, text)
			}
			return "application/x-www-form-urlencoded", v.Encode()
		},
		"json": func(f map[string]string) (string, string) {
			b, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			return "application/json", string(b)
		},
		"multipart": func(f map[string]string) (string, string) {
			var b bytes.Buffer
			w := multipart.NewWriter(&b)
			for name, text := range f {
				if err := w.WriteField(name, text); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			return w.FormDataContentType(), b.String()
		},
	}
	for name, encode := range encode {
		for _, tt := range []struct {
			size int
			want string
		}{
			{1000, "302 /dashboard"},
			{900_000, "302 /dashboard"},
			{1_100_000, "302 /login?message=login.token-expired"},
			{5_000_000, "302 /login?message=login.token-expired"},
		} {
			b := open(t, false)
			b.people.add(t)
			f := map[string]string{"username": "ada", "password": password, "_csrf": b.token("/login"), "extra": strings.Repeat("x", tt.size)}
			contentType, body := encode(f)
			if resp, _ := b.do("POST", "/login", contentType, body); where(resp) != tt.want {
				t.Errorf("%s, %d bytes: got %s, want %s", name, tt.size, where(resp), tt.want)
			}
		}
	}
}

// TestFormFields sends as many fields as a form may have, and one more, in all three types.
func TestFormFields(t *testing.T) {
	t.Parallel()
	for name, encode := range map[string]func(fields []string) (contentType, body string){
		"urlencoded": func(fields []string) (string, string) {
			return "application/x-www-form-urlencoded", strings.Join(fields, "&")
		},
		"json": func(fields []string) (string, string) {
			for i, f := range fields {
				key, value, _ := strings.Cut(f, "=")
				fields[i] = strconv.Quote(key) + ":" + strconv.Quote(value)
			}
			return "application/json", "{" + strings.Join(fields, ",") + "}"
		},
		"multipart": func(fields []string) (string, string) {
			var b strings.Builder
			for _, f := range fields {
				key, value, _ := strings.Cut(f, "=")
				b.WriteString("--b\r\nContent-Disposition: form-data; name=" + key + "\r\n\r\n" + value + "\r\n")
			}
			return "multipart/form-data; boundary=b", b.String() + "--b--\r\n"
		},
	} {
		for n, want := range map[int]string{100: "302 /dashboard", 101: "302 /login?message=login.token-expired"} {
			b := open(t, false)
			b.people.add(t)
			fields := []string{"username=ada", "password=" + password, "_csrf=" + b.token("/login")}
			for len(fields) < n {
				fields = append(fields, "f"+strconv.Itoa(len(fields))+"=1")
			}
			contentType, body := encode(fields)
			if resp, _ := b.do("POST", "/login", contentType, body); where(resp) != want {
				t.Errorf("%s, %d fields: %s, want %s", name, n, where(resp), want)
			}
		}
	}
}

// TestHostileForms sends bodies that unpack to much, or to nothing, with a right token among them.
func TestHostileForms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ contentType, head, repeat, tail string }{
		"many fields":        {"application/x-www-form-urlencoded", "username=ada&password=" + password + "&_csrf=TOKEN", "&a=1", ""},
		"empty fields":       {"application/x-www-form-urlencoded", "username=ada&password=" + password + "&_csrf=TOKEN", "&", ""},
		"deep JSON":          {"application/json", `{"username":"ada","password":"` + password + `","_csrf":"TOKEN","a":`, "[", ""},
		"JSON cut off":       {"application/json", `{"username":"ada","password":"` + password + `","_csrf":"TOKEN","a":"`, "x", ""},
		"JSON of no object":  {"application/json", `["TOKEN"`, ",1", "]"},
		"broken percent":     {"application/x-www-form-urlencoded", "username=ada&password=" + password + "&_csrf=TOKEN&a=%", "z", ""},
		"multipart, no ends": {"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=_csrf\r\n\r\nTOKEN", "\r\n--b", ""},
	} {
		b := open(t, false)
		b.people.add(t)
		body := strings.Replace(tt.head, "TOKEN", b.token("/login"), 1) + strings.Repeat(tt.repeat, 100_000) + tt.tail
		if resp, _ := b.do("POST", "/login", tt.contentType, body); where(resp) != "302 /login?message=login.token-expired" {
			t.Errorf("%s: %s", name, where(resp))
		}
		if n := len(b.people.sessions(t)); n != 0 {
			t.Errorf("%s: %d sessions", name, n)
		}
	}
}
