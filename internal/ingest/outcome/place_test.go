package outcome_test

import (
	"testing"
	"time"

	"quipu/internal/ingest/outcome"
)

// TestPlaces takes instants apart and puts them together.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"1970-01-01T00:00:00.000Z": "1970-01-01T00:00:00Z",
		"1969-12-31T23:59:59.999Z": "1970-01-01T00:00:00Z",
		"2026-03-29T00:59:59.999Z": "2026-03-29T00:45:00Z",
		"2026-03-29T01:00:00.000Z": "2026-03-29T01:00:00Z",
		"2026-12-31T23:59:59.999Z": "2026-12-31T23:45:00Z",
	} {
		instant, err := time.Parse(time.RFC3339Nano, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := time.UnixMilli(outcome.Instant(outcome.Place(instant.UnixMilli()))).UTC().Format(time.RFC3339); got != want {
			t.Errorf("%s: got %s, want %s", at, got, want)
		}
	}
}

// TestValues takes the values of cells apart, those of older data folders, too, which have no quarter.
func TestValues(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"request\x00accepted\x00", "event\x00dropped\x00duplicate", "session\x00clamped\x00"} {
		if got, quarter, dated := outcome.SplitValue(what); got != what || quarter != 0 || dated {
			t.Errorf("%q of an older folder: %q, %d, %t", what, got, quarter, dated)
		}
		for quarter := range uint8(96) {
			if got, at, dated := outcome.SplitValue(outcome.Value(what, quarter)); got != what || at != quarter || !dated {
				t.Errorf("%q at %d: %q, %d, %t", what, quarter, got, at, dated)
			}
		}
	}
	for _, bad := range []string{"", "request", "request\x00accepted\x00\x0096", "request\x00accepted\x00\x00x", "request\x00accepted\x00\x00-1"} {
		if got, _, dated := outcome.SplitValue(bad); got != bad || dated {
			t.Errorf("%q: %q, %t", bad, got, dated)
		}
	}
}
