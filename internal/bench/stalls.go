package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"quipu/internal/traffic"
)

const (
	// stallRate is how many requests a second the mode stalls sends: few, so that what
	// delays an acknowledgement is what goes on beside it, and not its own kind.
	stallRate = 300
	// stockRate is the number of events per second for which bulk data is rendered beforehand. Rendering takes 3 µs an event, CPU the measured server would lack.
	stockRate  = 300_000
	stockRound = 20_000 // events of a round, unless ten times those of other modes are fewer
)

// stalls sends requests at a steady rate and measures how long acknowledgements
// take while nothing else happens, while backups are made, and while bulk data comes in, which
// makes the stores flush, compact and write checkpoints all the time.
func stalls(ctx context.Context, o *Options, r *Report, s *server) error {
	seconds := max(1, min(30, o.Events/10_000))
	g, err := traffic.New(traffic.Config{Seed: o.Seed + 3, AppKey: s.app.Key, Users: o.Users, Start: o.Now().Add(-time.Minute), SessionsPerDay: stallRate * 86_400 / 6})
	if err != nil {
		return err
	}
	bulk, err := traffic.New(traffic.Config{Seed: o.Seed + 4, AppKey: s.app.Key, Users: o.Users, Start: o.Now().Add(-24 * time.Hour), SessionsPerDay: float64(o.Users) / 5, EventsPerRequest: 10})
	if err != nil {
		return err
	}
	round := int64(min(stockRound, 10*o.Events))
	stock := make([]*load, seconds*stockRate/stockRound)
	for i := range stock {
		stock[i] = render(bulk, round, bulkItems, s.app.Key)
		stock[i].pack()
	}
	for _, beside := range []struct {
		name, budget string
		do           func(context.Context) (string, error)
	}{
		{"nothing else", "", func(context.Context) (string, error) { return "", nil }},
		{"backups", "", func(ctx context.Context) (string, error) { return s.backups(ctx, o) }},
		{"bulk ingestion", "p99.9 ≤ 60 ms", func(ctx context.Context) (string, error) {
			var events int64
			began := o.Now()
			for ctx.Err() == nil {
				var l *load
				if len(stock) > 0 {
					l, stock = stock[0], stock[1:]
				} else { // the server is faster than expected
					l = render(bulk, round, bulkItems, s.app.Key)
				}
				if err := saturate(ctx, s.url, l, 2); err != nil && ctx.Err() == nil {
					return "", err
				}
				events += l.events
			}
			return fmt.Sprintf(", %.0f events/s", float64(events)/o.Now().Sub(began).Seconds()), nil
		}},
	} {
		l := render(g, int64(stallRate*seconds*3), 0, "")
		l = l.first(min(len(l.requests), stallRate*seconds))
		running, stop := context.WithCancel(ctx)
		type result struct {
			text string
			err  error
		}
		done := make(chan result, 1)
		go func() {
			text, err := beside.do(running)
			done <- result{text, err}
		}()
		took, err := pace(ctx, o, s.url, l, 64, stallRate)
		stop()
		other := <-done
		if err := errors.Join(err, other.err); err != nil {
			return err
		}
		r.add("stalls", fmt.Sprintf("acknowledgements at %d/s beside %s%s: p50, p99, p99.9, max", stallRate, beside.name, other.text), beside.budget, "%s, %s, %s, %s",
			ms(quantile(took, 0.5)), ms(quantile(took, 0.99)), ms(quantile(took, 0.999)), ms(quantile(took, 1)))
	}
	return nil
}

// backups makes one backup after the other.
func (s *server) backups(ctx context.Context, o *Options) (string, error) {
	n := 0
	for ; ctx.Err() == nil; n++ {
		target := filepath.Join(filepath.Dir(s.dir), "backup")
		cmd := exec.CommandContext(ctx, o.Program, "backup", "--data", s.dir, "--to", target) // this very binary
		cmd.Stderr = o.Err
		err := cmd.Run()
		if rerr := os.RemoveAll(target); rerr != nil {
			return "", fmt.Errorf("remove backup: %w", rerr)
		}
		if err != nil && ctx.Err() == nil {
			return "", fmt.Errorf("make backup: %w", err)
		}
	}
	return fmt.Sprintf(" (%d)", n), nil
}
