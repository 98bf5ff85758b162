package outcome_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
)

func TestCounter(t *testing.T) {
	at := time.Date(2031, 5, 14, 9, 44, 59, 0, time.UTC)
	c := outcome.NewCounter(func() time.Time { return at })
	if got := c.Drain(); got != nil {
		t.Fatalf("drain of a fresh counter = %v, want nil", got)
	}
	a, b := model.AppID{1}, model.AppID{2}
	c.Count(a, outcome.Request, outcome.AppPaused, 1)
	c.Count(a, outcome.Request, outcome.AppPaused, 2)
	c.Count(a, outcome.Event, outcome.NoKey, 0)
	c.Count(a, outcome.Event, outcome.NoKey, -3)
	c.Count(b, outcome.Request, outcome.ChecksumMissing, 1)
	first := time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC).Unix()
	at = at.Add(time.Second)
	c.Count(a, outcome.Request, outcome.AppPaused, 5)

	want := map[model.AppID]map[outcome.Key]int64{
		a: {
			{Item: outcome.Request, Reason: outcome.AppPaused, Time: first}:       3,
			{Item: outcome.Request, Reason: outcome.AppPaused, Time: first + 900}: 5,
		},
		b: {{Item: outcome.Request, Reason: outcome.ChecksumMissing, Time: first}: 1},
	}
	if diff := cmp.Diff(want, c.Drain()); diff != "" {
		t.Errorf("drain (-want +got):\n%s", diff)
	}
	if got := c.Drain(); got != nil {
		t.Errorf("second drain = %v, want nil", got)
	}
}

// TestAdd gives drained counts back, under the times that they had.
func TestAdd(t *testing.T) {
	at := time.Date(2031, 5, 14, 9, 0, 0, 0, time.UTC)
	c := outcome.NewCounter(func() time.Time { return at })
	a := model.AppID{1}
	c.Count(a, outcome.Request, outcome.AppPaused, 2)
	drained := c.Drain()
	at = at.Add(time.Hour)
	c.Count(a, outcome.Request, outcome.AppPaused, 1)
	for app, counts := range drained {
		for k, n := range counts {
			c.Add(app, k, n)
			c.Add(app, k, 0)
			c.Add(app, k, -1)
		}
	}
	want := map[model.AppID]map[outcome.Key]int64{a: {
		{Item: outcome.Request, Reason: outcome.AppPaused, Time: at.Unix() - 3600}: 2,
		{Item: outcome.Request, Reason: outcome.AppPaused, Time: at.Unix()}:        1,
	}}
	if diff := cmp.Diff(want, c.Drain()); diff != "" {
		t.Errorf("drain (-want +got):\n%s", diff)
	}
}

func TestCounterConcurrent(t *testing.T) {
	c := outcome.NewCounter(func() time.Time { return time.Unix(0, 0) })
	var wg sync.WaitGroup
	total := make(chan int64, 1000)
	for range 4 {
		wg.Go(func() {
			for i := range 500 {
				c.Count(model.AppID{byte(i % 3)}, outcome.Request, outcome.IgnoredDevice, 1)
				if i%100 == 0 {
					total <- sum(c)
				}
			}
		})
	}
	wg.Wait()
	total <- sum(c)
	close(total)
	var got int64
	for n := range total {
		got += n
	}
	if got != 2000 {
		t.Errorf("drained %d in all, want 2000", got)
	}
}

func sum(c *outcome.Counter) (n int64) {
	for _, m := range c.Drain() {
		for _, v := range m {
			n += v
		}
	}
	return n
}

func TestTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range outcome.Reasons() {
		if s := r.String(); s == "" || s == "unknown" || seen[s] {
			t.Errorf("reason %d has the text %q", r, s)
		} else {
			seen[s] = true
		}
	}
}
