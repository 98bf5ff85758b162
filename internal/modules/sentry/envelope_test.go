package sentry_test

import (
	"bytes"
	"fmt"
	"testing"

	"quipu/internal/modules/sentry"
)

// FuzzEnvelope takes apart what strangers send: nothing is invented, and an envelope that is put together again has the same items.
func FuzzEnvelope(f *testing.F) {
	for _, text := range []string{
		"{}\n{\"type\":\"event\"}\n{\"message\":\"x\"}\n", "{\"dsn\":\"https://k@h/1\"}\n{\"type\":\"attachment\",\"length\":3,\"filename\":\"a\"}\n\n\n\n\n{\"type\":\"session\"}\n{}",
		"{}\r\n{\"type\":\"event\",\"length\":2}\r\n{}", "{}\n{\"type\":\"event\",\"length\":-1}\n{}", "{}\n{\"type\":\"event\",\"length\":9999999999}\n{}", "[]", "{}\n\n\n", "{\"event_id\":7}\n{\"type\":7}\nx",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		kinds, data, err := sentry.Split(body)
		if err != nil {
			return
		}
		if len(kinds) > 201 {
			t.Fatalf("%d items", len(kinds))
		}
		var again bytes.Buffer
		again.WriteString("{}\n")
		total, whole := 0, true
		for i, kind := range kinds {
			total += len(data[i])
			if kind == "" { // what follows cannot be read
				whole = whole && i == len(kinds)-1
				continue
			}
			fmt.Fprintf(&again, "{\"type\":\"event\",\"length\":%d}\n%s\n", len(data[i]), data[i])
		}
		if total > len(body) || !whole {
			t.Fatalf("%d bytes of %d, %q", total, len(body), kinds)
		}
		_, second, err := sentry.Split(again.Bytes())
		if err != nil || len(second) < len(data)-1 {
			t.Fatalf("%d items of %d: %v", len(second), len(data), err)
		}
		for i := range second {
			if !bytes.Equal(second[i], data[i]) {
				t.Fatalf("item %d: %q, was %q", i, second[i], data[i])
			}
		}
	})
}
