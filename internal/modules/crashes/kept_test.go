package crashes_test

import (
	"testing"

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
