package background_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"quipu/internal/background"
)

// TestEach runs every index once, whatever the number of workers, and reports an error.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		var mu sync.Mutex
		ran := map[int]int{}
		err := background.Each(workers, 50, func(i int) error {
			mu.Lock()
			defer mu.Unlock()
			ran[i]++
			return nil
		})
		if err != nil || len(ran) != 50 {
			t.Errorf("%d workers: %d indexes, %v", workers, len(ran), err)
		}
		for i, n := range ran {
			if n != 1 {
				t.Errorf("%d workers: %d ran %d times", workers, i, n)
			}
		}
	}
	fault := errors.New("fault")
	for _, workers := range []int{1, 3} {
		var ran atomic.Int64
		err := background.Each(workers, 50, func(int) error {
			ran.Add(1)
			return fault
		})
		if !errors.Is(err, fault) || ran.Load() != int64(workers) {
			t.Errorf("%d workers: %v after %d", workers, err, ran.Load())
		}
	}
	if err := background.Each(3, 0, func(int) error { return fault }); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}
