package params_test

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/params"
)

var limits = params.Limits{Body: 1 << 16, Params: 20}

func TestRead(t *testing.T) {
	cases := map[string]struct {
		target, ctype, body string
		want                map[string]string
	}{
		"query":                 {"/o?a=1&b=x%20y+z", "", "", map[string]string{"a": "1", "b": "x y z"}},
		"empty pairs":           {"/o?&&a=1&=2&", "", "", map[string]string{"a": "1"}},
		"semicolon is data":     {"/o?a=1;b=2", "", "", map[string]string{"a": "1;b=2"}},
		"malformed percent":     {"/o?a=100%&b=%zz%41", "", "", map[string]string{"a": "100%", "b": "%zzA"}},
		"form wins":             {"/o?a=1&b=2", "application/x-www-form-urlencoded", "a=3", map[string]string{"a": "3", "b": "2"}},
		"json body":             {"/o?a=1", "application/json", `{"b":"t","c":5,"d":{"x":[1]},"e":true}`, map[string]string{"a": "1", "b": "t", "c": "5", "d": `{"x":[1]}`, "e": "true"}},
		"json without type":     {"/o", "", `{"b":"t"}`, map[string]string{"b": "t"}},
		"brackets object":       {"/o?k[$regex]=.*", "", "", map[string]string{"k": `{"$regex":".*"}`}},
		"brackets list":         {"/o?k[]=1&k[]=2", "", "", map[string]string{"k": `["1","2"]`}},
		"brackets of two forms": {"/o?k[]=1&k[x]=2&k[y]=3&l[x]=1&l[]=2&m=1&m[x]=2&n[x]=1&n=2", "", "", map[string]string{"k": `{"x":"2","y":"3"}`, "l": `["2"]`, "m": `{"x":"2"}`, "n": "2"}},
		"brackets in both":      {"/o?k[x]=1", "application/x-www-form-urlencoded", "k[y]=2", map[string]string{"k": `{"x":"1","y":"2"}`}},
		"raw json in query":     {"/o?args={\"a\":\"<b>|c\"}", "", "", map[string]string{"args": `{"a":"<b>|c"}`}},
		"last duplicate":        {"/o?a=1&a=2", "", "", map[string]string{"a": "2"}},
		"text plain beacon":     {"/o", "text/plain;charset=UTF-8", "a=1&b=2", map[string]string{"a": "1", "b": "2"}},
		"empty json body":       {"/o?a=1", "application/json", "", map[string]string{"a": "1"}},
		"nested":                {"/o?a=" + strings.Repeat("[", 200) + strings.Repeat("]", 200), "", "", map[string]string{"a": strings.Repeat("[", 200) + strings.Repeat("]", 200)}},
		"many side by side":     {"/o?a=" + `["[[",` + strings.Repeat("[],", 900) + "{}]", "", "", map[string]string{"a": `["[[",` + strings.Repeat("[],", 900) + "{}]"}},
		"brackets in a text":    {"/o?a=x" + strings.Repeat("[", 900), "", "", map[string]string{"a": "x" + strings.Repeat("[", 900)}},
		"mixed-case content":    {"/o", "Application/JSON", `{"a":"1"}`, map[string]string{"a": "1"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/o", strings.NewReader(c.body))
			_, r.URL.RawQuery, _ = strings.Cut(c.target, "?")
			r.Header.Set("Content-Type", c.ctype)
			p, _, err := params.Read(r, limits)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, n := range p.Names() {
				got[n] = p.Text(n)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("parameters (-want +got):\n%s", d)
			}
		})
	}
}

func TestReadMultipart(t *testing.T) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.WriteField("args", `{"a":1}`); err != nil {
		t.Fatal(err)
	}
	f, err := w.CreateFormFile("app_image", "icon.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("PNG")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/i/apps/create?api_key=k", &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	p, files, err := params.Read(r, limits)
	if err != nil {
		t.Fatal(err)
	}
	if p.Text("args") != `{"a":1}` || p.Text("api_key") != "k" {
		t.Errorf("parameters %v", p.Names())
	}
	want := []params.File{{Field: "app_image", Name: "icon.png", Data: []byte("PNG")}}
	if d := cmp.Diff(want, files); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}

// TestManyBrackets reads more bracket pairs than could be read if each cost
// as much as all before it.
func TestManyBrackets(t *testing.T) {
	body := strings.Repeat("k[]=1&", 200_000)
	r := httptest.NewRequest("POST", "/o", strings.NewReader(body))
	p, _, err := params.Read(r, params.Limits{Body: 1 << 21, Params: 20})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	if err := p.Decode("k", &list); err != nil || len(list) != 200_000 {
		t.Errorf("%d values, %v", len(list), err)
	}
}

func TestReadRefuses(t *testing.T) {
	many := strings.Repeat("x=1&", 1)
	for i := range 30 {
		many += string(rune('a'+i%26)) + string(rune('a'+i/26)) + "=1&"
	}
	cases := map[string]struct {
		ctype, body string
		want        fault.Kind
	}{
		"too large":       {"text/plain", strings.Repeat("a", 1<<17), fault.TooLarge},
		"too many":        {"text/plain", many, fault.TooLarge},
		"deep list":       {"text/plain", "a=" + strings.Repeat("[", 201), fault.Invalid},
		"deep object":     {"text/plain", "a= " + strings.Repeat(`{"a":`, 201) + "1" + strings.Repeat("}", 201), fault.Invalid},
		"deep in JSON":    {"application/json", `{"a":` + strings.Repeat("[", 201) + strings.Repeat("]", 201) + "}", fault.Invalid},
		"deep JSON":       {"application/json", strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000), fault.Invalid},
		"bad json":        {"application/json", `{"a":`, fault.Invalid},
		"no boundary":     {"multipart/form-data", "x", fault.Invalid},
		"broken boundary": {"multipart/form-data; boundary=q", "--q\r\nnot a header", fault.Invalid},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/o", strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.ctype)
			if _, _, err := params.Read(r, limits); fault.KindOf(err) != c.want || err == nil {
				t.Errorf("error %v, want kind %v", err, c.want)
			}
		})
	}
}

func FuzzEachPair(f *testing.F) {
	for _, s := range []string{"a=1&b=2", "%", "a=%4", "&&=&", "k[$x]=1&k[]=2&k=3", "+=+"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		p := &params.Params{}
		params.EachPair(raw, func(name, value string) bool { p.AddPair(name, value); return true })
		for _, n := range p.Names() {
			if n == "" {
				t.Errorf("a parameter without a name from %q", raw)
			}
			_ = p.Text(n)
		}
	})
}
