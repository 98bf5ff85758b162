package journaltest_test

import (
	"fmt"
	"testing"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	for _, partitions := range []int{1, 3, 8} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			t.Parallel()
			journaltest.Run(t, func(*testing.T) (journal.Journal, func() journal.Journal) {
				j := journaltest.NewMemory(partitions)
				return j, func() journal.Journal {
					j = j.Reopen()
					return j
				}
			})
		})
	}
}
