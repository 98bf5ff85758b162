package crashes_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"quipu/internal/modules/crashes"
)

// TestSearching holds the search of names to the expression that clients send.
func TestSearching(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(rand.Uint64(), 1)) // any names do
	parts := []string{"a", "A", "k", "K", "s", "\u017f", "\u212a", "b", " ", "1", "é", "É", ".", "x", "\xff", "ß"}
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	for range 20_000 {
		what, name := text(1+r.IntN(3)), text(r.IntN(9))
		re, err := regexp.Compile("(?i)" + strings.TrimSpace(what))
		if err != nil {
			continue
		}
		if got, want := crashes.Searching(what)(name), re.MatchString(name); got != want {
			t.Fatalf("%q in %q: %t, want %t", what, name, got, want)
		}
	}
}

// BenchmarkSearching looks for a text in 100,000 names that lack it: as it is, and as an expression.
func BenchmarkSearching(b *testing.B) {
	name := "java.lang.IllegalStateException: cart 12345 is closed"
	for _, what := range []string{"cart 777", "cart (777)"} {
		b.Run(what, func(b *testing.B) {
			for b.Loop() {
				found := crashes.Searching(what)
				for range 100_000 {
					if found(name) {
						b.Fatal("found")
					}
				}
			}
		})
	}
}
