// Package outcomes is the module that shows what became of everything an app
// received, and what came for no app: /o/ingest/outcomes.
package outcomes

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/ingest/outcome"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/store/rollup"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "outcomes", Requires: []string{"apps"}, Features: []string{"core"},
		Setup: kernel.With(func(c *kernel.Capabilities) kernel.Reads { return c.Reads }, func(s *kernel.Scope, n kernel.Reads) error {
			svc := &service{cells: n.Cells, now: s.Now}
			api.Handle(s.Routes, "/o/ingest/outcomes", api.Feature("core", model.Read, api.AppOptional), svc.read)
			return nil
		}),
	}
}

type service struct {
	cells rollup.Reader
	now   func() time.Time
}

type readReq struct {
	Period string `param:"period"`
}

// counts maps an item (request, session, event, crash, trace, picture) to its outcomes:
// "accepted", and reasons of being dropped.
type counts map[string]map[string]int64

// answer shows the counts of a period, in total and by local day.
type answer struct {
	Period string            `json:"period"`
	Totals counts            `json:"totals"`
	Days   map[string]counts `json:"days"` // "2031-5-14" → counts; days without data are absent
	// Clamped counts, by item, the accepted ones with a number beyond its bound. They are among those
	// of Totals.
	Clamped map[string]int64 `json:"clamped"`
}

func (s *service) read(ctx context.Context, c api.Caller, r readReq) (answer, error) {
	if r.Period == "" {
		r.Period = "30days"
	}
	// Without an app it is the server's own ledger: what came for no app that there is. Its days are those of UTC.
	var id model.AppID
	zone := time.UTC
	if c.App != nil {
		id, zone = c.App.ID, c.App.Location()
	}
	p, err := period.Parse(r.Period, s.now(), period.NewCalendar(zone))
	if err != nil {
		return answer{}, fault.Wrap(err, fault.Invalid, "outcomes.bad_period", "Bad request parameter: period")
	}
	out := answer{Period: r.Period, Totals: counts{}, Days: map[string]counts{}, Clamped: map[string]int64{}}
	series := rollup.Series{Metric: rollup.Outcomes}
	// Cells are of UTC days, which begin at most a day before or after the local ones.
	err = s.cells.Scan(ctx, id, series, rollup.Day, rollup.Bucket(max(p.First, 1)-1), rollup.Bucket(p.Last+1),
		func(b rollup.Bucket, value string, cell *rollup.Cell) error {
			what, quarter, dated := outcome.SplitValue(value)
			day := period.Day(b)
			if dated {
				day = p.Calendar().DayBucket(outcome.Instant(uint32(b), quarter))
			}
			if day < p.First || day > p.Last {
				return nil
			}
			part := strings.Split(what, "\x00")
			if len(part) != 3 {
				return fmt.Errorf("outcome cell %q is not item, outcome and reason", value)
			}
			item, reason := part[0], part[1]
			if reason == "clamped" {
				out.Clamped[item] = rollup.AddCount(out.Clamped[item], cell.Count)
				return nil
			}
			if part[2] != "" {
				reason = part[2]
			}
			id := day.ID(period.Dash)
			if out.Days[id] == nil {
				out.Days[id] = counts{}
			}
			out.Totals.add(item, reason, cell.Count)
			out.Days[id].add(item, reason, cell.Count)
			return nil
		})
	return out, err
}

func (c counts) add(item, reason string, n int64) {
	if c[item] == nil {
		c[item] = map[string]int64{}
	}
	c[item][reason] += n
}
