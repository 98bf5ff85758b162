package views_test

import (
	"testing"

	"quipu/internal/modules/views"
)

// TestKeptOfSession reads what rows of sessions hold, as encoding/json wrote it, and writes it again.
func TestKeptOfSession(t *testing.T) {
	t.Parallel()
	read := views.Module().Ingest.Sessions.Read
	for _, want := range []string{
		`{"exit":7,"seen":[7]}`,
		`{"exit":4294967295,"bounce":true,"seen":[]}`,
		`{"exit":3,"seen":[1,2,3],"was":{"exit":2,"bounce":true,"seen":[1,2]}}`,
	} {
		if got := read([]byte(want)).Kept(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
