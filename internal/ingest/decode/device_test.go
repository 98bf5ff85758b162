package decode_test

import (
	"net/url"
	"testing"
)

// TestDevicesThatNameNobody sends what clients put in place of a device id that they do not have. A queue of an SDK gets an
// answer upon which it drops the request; others get the protocol's answer to a missing id.
func TestDevicesThatNameNobody(t *testing.T) {
	for _, tt := range []struct {
		name, device string
		direct       string // the answer to a request that comes from no queue
		status       int
	}{
		{"undefined", "undefined", ignoredBody, 200},
		{"null", "null", ignoredBody, 200},
		{"object", "[object Object]", ignoredBody, 200},
		{"blanks", " \t", ignoredBody, 200},
		{"blanks around", " undefined ", ignoredBody, 200},
		{"no width", "\u200b\ufeff\u00ad\u2060\u200e", ignoredBody, 200},
		{"no width around", "\u200bnull\ufeff", ignoredBody, 200},
		{"blanks of other scripts", "\u00a0\u3000\u2800\u3164", ignoredBody, 200},
		{"no text", "\ufffd\ufffd", ignoredBody, 200},
		{"empty", "", missingBody, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &sink{}
			d, counter := newDecoder(t, s)
			const refused = "1 request ignored_device 1"
			target := "/i?app_key=K&device_id=" + url.QueryEscape(tt.device)
			if w := do(d, "GET", target, "", ""); w.Code != tt.status || w.Body.String() != tt.direct {
				t.Errorf("answer = %d %s, want %d %s", w.Code, w.Body, tt.status, tt.direct)
			}
			if got := drained(counter); got != refused {
				t.Errorf("outcomes = %q, want %q", got, refused)
			}
			if w := do(d, "GET", target+"&rr=3", "", ""); w.Code != 200 || w.Body.String() != ignoredBody {
				t.Errorf("answer to a queue = %d %s, want 200 %s", w.Code, w.Body, ignoredBody)
			}
			if got := drained(counter); got != refused {
				t.Errorf("outcomes of a queue = %q, want %q", got, refused)
			}
			items := `[{"device_id":"` + tt.device + `"}]`
			if tt.name == "blanks" {
				items = `[{"device_id":" \t"}]`
			}
			if w := do(d, "POST", "/i/bulk?app_key=K", formType, "requests="+url.QueryEscape(items)); w.Code != 200 || w.Body.String() != okBody {
				t.Errorf("answer to a bulk request = %d %s, want 200 %s", w.Code, w.Body, okBody)
			}
			if got := drained(counter); got != refused {
				t.Errorf("outcomes of a bulk request = %q, want %q", got, refused)
			}
			if len(s.records) != 0 {
				t.Errorf("%d records, want none", len(s.records))
			}
		})
	}
}
