package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/bench"
	"quipu/internal/testkit"
	"quipu/internal/traffic"
)

// TestByHand compares the answers of a server with those of the SQL that was written by hand for the benchmark's questions, over traffic of which some is
// ahead of the server's clock.
func TestByHand(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			now := time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)
			s := testkit.New(t, testkit.At(now), testkit.WithConfig(func(c *app.Config) { c.Memory = "512MiB" }))
			a := s.CreateApp("a", "Etc/UTC")
			const events, days = 36_000, 40
			g, err := traffic.New(traffic.Config{
				Seed: seed, AppKey: a.Key, Users: 400, Start: now.AddDate(0, 0, -days), SessionsPerDay: float64(events) / 30 / days * 0.97, EventsPerRequest: 10,
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := bench.Load(t.Context(), s.URL(), a.Key, g, events); err != nil {
				t.Fatal(err)
			}
			s.Flush()
			s.Stop()
			data, err := os.ReadFile(filepath.Join(s.Data(), "events.duckdb"))
			if err != nil {
				t.Fatal(err)
			}
			copied := filepath.Join(t.TempDir(), "copy.duckdb")
			if err := os.WriteFile(copied, data, 0o600); err != nil {
				t.Fatal(err)
			}
			s.Start()
			o := &bench.Options{Now: s.Clock().Now, ReadEvents: 1_000_000} // so that no answer may be empty
			rounds := []int{0, 1, 5}
			n, err := bench.CompareByHand(t.Context(), o, s.URL(), s.Key, a.ID, copied, rounds)
			if want := bench.Figures() * len(rounds); err != nil || n != want {
				t.Fatalf("%d of %d questions compared: %v", n, want, err)
			}
		})
	}
}
