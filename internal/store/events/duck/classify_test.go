package duck_test

import (
	"errors"
	"testing"

	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
)

// TestNoMemory has messages of DuckDB that were seen when there was no memory left.
func TestNoMemory(t *testing.T) {
	t.Parallel()
	for _, msg := range []string{
		"Out of Memory Error: failed to pin block of size 256.0 KiB (60.9 MiB/61.0 MiB used)",
		"could not allocate block of size 256.0 KiB (60.9 MiB/61.0 MiB used)",
		"append rows: failed to pin block of size 64.0 KiB (60.9 MiB/61.0 MiB used)",
	} {
		if err := duck.Classify(errors.New(msg)); !errors.Is(err, events.ErrMemory) {
			t.Errorf("%s: %v", msg, err)
		}
	}
	if err := duck.Classify(errors.New("Binder Error: no such column")); errors.Is(err, events.ErrMemory) {
		t.Errorf("another error: %v", err)
	}
}
