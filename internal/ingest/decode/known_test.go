package decode_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/request"
)

// TestUnknownParametersAreNotJournalled sends credentials and parameters that ingestion does not know in every form: none is in
// what the journal is given, nor in the copies for apps that the data flow into.
func TestUnknownParametersAreNotJournalled(t *testing.T) {
	const mark = "not-to-be-kept"
	names := []string{"api_key", "auth_token", "password", "old_pwd", "new_pwd", "secret", "anything", "user_details_x", "custom", "Events"}
	query, object, multi := "app_key=K&device_id=D", `{"app_key":"K","device_id":"D"`, ""
	for _, name := range append([]string{"app_key", "device_id"}, names...) {
		value := map[string]string{"app_key": "K", "device_id": "D"}[name]
		if value == "" {
			value = mark
			query += "&" + name + "=" + mark
			object += `,"` + name + `":{"deep":"` + mark + `"}`
		}
		multi += "--q\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	object, multi = object+"}", multi+"--q--\r\n"
	for name, c := range map[string]struct{ method, target, body, ctype string }{
		"query":      {http.MethodGet, "/i?" + query, "", ""},
		"pixel":      {http.MethodGet, "/pixel.png?" + query, "", ""},
		"form":       {http.MethodPost, "/i", query, "application/x-www-form-urlencoded"},
		"JSON":       {http.MethodPost, "/i", object, "application/json"},
		"multipart":  {http.MethodPost, "/i", multi, "multipart/form-data; boundary=q"},
		"bulk":       {http.MethodPost, "/i/bulk?api_key=" + mark, "requests=[" + object + "]", "application/x-www-form-urlencoded"},
		"bulk, JSON": {http.MethodPost, "/i/bulk", "[" + object + "]", "application/json"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &sink{}
			d, _ := newDecoderOf(t, s, directory{plainApp, saltedApp, pausedApp})
			decode.KeepKnown(d)
			r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.ctype)
			d.ServeHTTP(httptest.NewRecorder(), r)
			if len(s.records) != 1 {
				t.Fatalf("%d records, want one", len(s.records))
			}
			rec := s.records[0]
			for _, p := range rec.Params {
				if !request.Known(p.Name) {
					t.Errorf("parameter %q is journalled", p.Name)
				}
			}
			if payload := request.Append(nil, &rec); bytes.Contains(payload, []byte(mark)) {
				t.Errorf("the journal holds %q", payload)
			}
		})
	}
}
