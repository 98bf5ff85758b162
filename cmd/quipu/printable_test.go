package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestPrintedJSON prints values that are escape sequences of terminals: what is printed steers none, and reads as the same values.
func TestPrintedJSON(t *testing.T) {
	t.Parallel()
	values := []string{"\x1b[31mred", "\u009b31mred", "\u009d0;title\a", "del\x7f", "\u202ertl", "tag\U000e0041", "kept: ä 😀 поиск <b>"}
	sent, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	for name, print := range map[string]func(out *bytes.Buffer) error{
		"answer": func(out *bytes.Buffer) error { return printJSON(out, json.RawMessage(sent)) },
		"stream": func(out *bytes.Buffer) error {
			return (&tailCommand{remote: remote{Output: "json"}}).print(out, sent)
		},
	} {
		var out bytes.Buffer
		if err := print(&out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, r := range out.String() {
			if text := string(r); r != '\n' && printable(text) != text {
				t.Errorf("%s: prints %U", name, r)
			}
		}
		var got []string
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got) != len(values) {
			t.Fatalf("%s: %d values, %v", name, len(got), err)
		}
		for i, want := range values {
			if got[i] != want {
				t.Errorf("%s: got %q, want %q", name, got[i], want)
			}
		}
	}
}
