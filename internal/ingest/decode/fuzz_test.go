package decode_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quipu/internal/ingest/request"
)

// FuzzQuery sends any query string: no panic, every answer is one of the known
// ones, and what the standard parser accepts is understood the same way.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{
		"app_key=K&device_id=D", "app_key=K&device_id=D&x=%7B%22a%22%3A1%7D", "app_key=K&device_id=D&&=&a", "a[b][c]=1&a[]=2&app_key=K&device_id=D",
		"app_key=S&device_id=D&checksum256=ab", "app_key=K&device_id=%zz%4", "app_key[$ne]=1&device_id=D", "a=1;b=2&app_key=K&device_id=D+E",
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		s := &sink{}
		d, _ := newDecoder(t, s)
		w := do(d, "GET", "/i?"+query, "", "")
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("answer %d %s", w.Code, w.Body)
		}
		if len(s.records) != 1 {
			if w.Body.String() == okBody {
				t.Fatalf("success, but %d records", len(s.records))
			}
			return
		}
		std, err := url.ParseQuery(query)
		names := map[string]bool{}
		for _, p := range s.records[0].Params {
			if names[p.Name] {
				t.Errorf("parameter %q is there twice", p.Name)
			}
			names[p.Name] = true
			if p.JSON && !json.Valid(p.Value) {
				t.Errorf("parameter %q: %q is no JSON", p.Name, p.Value)
			}
			if values := std[p.Name]; err == nil && !p.JSON && values[len(values)-1] != string(p.Value) {
				t.Errorf("parameter %q = %q, want %q", p.Name, p.Value, values[len(values)-1])
			}
		}
	})
}

// FuzzBulk sends any items: no panic, and what encoding/json sees as items
// with a device id become that many records in that order.
func FuzzBulk(f *testing.F) {
	for _, q := range []string{
		`[{"device_id":"A"},{"device_id":"B","x":{"y":[1]}}]`, `[null,{"device_id":1},{}]`, `[`, `{}`, `[{"device_id":"A"}`, `["{\"device_id\":\"A\"}"]`,
		`[{"device_id":"A","device_id":"B"}]`, `[[[[{}]]]]`, `[{"device_id":"\ud800"}]`,
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, items string) {
		s := &sink{}
		d, counter := newDecoder(t, s)
		w := do(d, "POST", "/i/bulk?app_key=K", formType, "requests="+url.QueryEscape(items))
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("answer %d %s", w.Code, w.Body)
		}
		var list []map[string]any
		if json.Unmarshal([]byte(items), &list) != nil || w.Code != 200 {
			return
		}
		var want []string
		for _, item := range list {
			if _, own := item["app_key"]; own {
				return
			}
			switch id := item["device_id"].(type) {
			case string:
				if id != "" && len(id) <= request.MaxDeviceID && !request.IgnoredDevice(id) {
					want = append(want, id)
				}
			case float64, bool:
				return // numbers keep their own spelling
			}
			if len(item) > 20 {
				return
			}
		}
		var got []string
		for _, rec := range s.records {
			r, err := request.Parse(&rec)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.DeviceID)
		}
		if strings.ContainsRune(strings.Join(want, ""), 0) {
			return
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("devices %q, want %q; outcomes %s", got, want, drained(counter))
		}
	})
}

// FuzzBody sends any body under any label.
func FuzzBody(f *testing.F) {
	f.Add("application/json", "", []byte(`{"app_key":"K","device_id":"D"}`))
	f.Add("multipart/form-data; boundary=b", "", []byte("--b\r\nContent-Disposition: form-data; name=\"app_key\"\r\n\r\nK\r\n--b--"))
	f.Add("text/plain", "gzip", []byte("\x1f\x8b\x08\x00"))
	f.Add("", "deflate", []byte("x\x9c"))
	f.Fuzz(func(t *testing.T, ctype, encoding string, body []byte) {
		s := &sink{}
		d, _ := newDecoder(t, s)
		for _, path := range []string{"/i", "/i/bulk", "/pixel.png"} {
			r := httptest.NewRequest("POST", "http://h"+path+"?app_key=K&device_id=D", strings.NewReader(string(body)))
			r.Header["Content-Type"] = []string{ctype}
			r.Header["Content-Encoding"] = []string{encoding}
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			if w.Code >= 500 || path != "/pixel.png" && !json.Valid(w.Body.Bytes()) {
				t.Fatalf("%s: answer %d %s", path, w.Code, w.Body)
			}
		}
		for _, rec := range s.records {
			if _, err := request.Parse(&rec); err != nil {
				t.Errorf("a stored record does not parse: %v", err)
			}
		}
	})
}
