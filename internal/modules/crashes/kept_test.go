package crashes_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/modules/crashes"
)

// TestKeptOfSession reads what rows of sessions hold, as encoding/json wrote it, and writes it again.
func TestKeptOfSession(t *testing.T) {
	t.Parallel()
	read := crashes.Module().Ingest.Sessions.ReadBegin
	for _, want := range []string{
		`{"o":"Android","v":"3:4:1","p":true}`,
		`{"j":{}}`,
		`{"j":{"o":"iOS","p":true,"f":true,"n":true,"e":true}}`,
		`{"o":"a\"b\\","v":"ü","p":true,"j":{"v":"2:0","n":true}}`,
		`{"v":"1","j":{"e":true}}`,
	} {
		if got := read([]byte(want)).Kept(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestKeptOfAnyText writes texts that need escapes, or that encoding/json escapes without need: they mean the same.
func TestKeptOfAnyText(t *testing.T) {
	t.Parallel()
	type version struct {
		OS      string `json:"o,omitempty"`
		Version string `json:"v,omitempty"`
	}
	type begun struct {
		version
		Judged *version `json:"j,omitempty"`
	}
	read := crashes.Module().Ingest.Sessions.ReadBegin
	for _, text := range []string{"a\"b\\", "\x00\x01\b\f\n\r\t\x1f", "\x7f", "<a>&", "\u2028\u2029", "𝄞\ufffd", "\xff\xed\xa0\x80", `\u0041`} {
		for _, b := range []begun{{version{text, text}, nil}, {version{}, &version{text, text}}, {version{text, ""}, &version{"", text}}} {
			given, err := json.Marshal(b)
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			if err := json.Unmarshal(given, &want); err != nil {
				t.Fatal(err)
			}
			kept := read(given).Kept()
			if err := json.Unmarshal([]byte(kept), &got); err != nil {
				t.Errorf("%q: %v", kept, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", kept, diff)
			}
		}
	}
}
