package analytics

import (
	"context"
	"encoding/json"
	"strings"

	"quipu/internal/api"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

// readReq holds the parameters of this module's reads. Each route uses those that
// concern it and tolerates all others, as clients send them everywhere.
type readReq struct {
	api.Window

	// Action "refresh" asks for today's branch of a time document.
	Action string `param:"action"`
	// Bucket is daily or monthly.
	Bucket string `param:"bucket"`
	// Step is hourly, daily, weekly or monthly, and stands above Bucket; the dashboard asks with it.
	Step string `param:"step"`
	// Against is the window to compare with; "" is as many days directly before.
	Against string `param:"against"`
	// Of is what to compare: sessions, or events.
	Of string `param:"of"`

	// Filter selects the rows that figures are made of; none = all, which cells count.
	Filter params.Value `param:"filter"`

	Metric  string       `param:"metric"`
	Metrics params.Value `param:"metrics"`

	Event        string       `param:"event"`
	Events       params.Value `param:"events"`
	Segmentation string       `param:"segmentation"`
	Overview     bool         `param:"overview"`

	LoadFor string `param:"loadFor"`
	Limit   int    `param:"limit"`
	// DateRange names months: "2031:04,2031:05".
	DateRange string `param:"date_range"`
	Type      string `param:"tod_type"`
}

// frame returns what the request's windows are reckoned in.
func (s *service) frame(c api.Caller, r readReq) period.Frame {
	return r.Frame(c, c.App, s.zones)
}

// Ignored implements [api.Lenient].
func (r readReq) Ignored() []error {
	faults := r.Window.Ignored()
	if r.Against != "" {
		faults = append(faults, api.BadPeriod("against", r.Against)...)
	}
	for _, width := range [...]struct{ name, text string }{{"step", r.Step}, {"bucket", r.Bucket}} {
		if _, ok := period.ParseStep(width.text); !ok && width.text != "" {
			faults = append(faults, api.BadParam(width.name, width.text, "width of rows"))
		}
	}
	for part := range strings.SplitSeq(r.DateRange, ",") {
		if _, ok := period.ParseMonth(strings.TrimSpace(part)); !ok && part != "" {
			faults = append(faults, api.BadParam("date_range", part, "month"))
		}
	}
	return faults
}

// filtered is a read whose figures are those of the rows that the parameter filter selects, where there is one.
func filtered[R any](s *service, read func(*service, context.Context, api.Caller, readReq) (R, error)) func(context.Context, api.Caller, readReq) (R, error) {
	return func(ctx context.Context, c api.Caller, r readReq) (out R, err error) {
		f, err := api.ReadFilter(c, r.Filter)
		if err != nil {
			return out, err
		}
		cal, _ := s.zones.Get(c.App.Timezone)
		err = s.figures.Read(ctx, query.Chosen{App: c.App.ID, Filter: f, Calendar: cal, Known: s.known}, func(q *query.Query) error {
			own := *s
			own.query = q
			out, err = read(&own, ctx, c, r)
			return err
		})
		return out, err
	}
}

// period reads the window. These reads take an unknown one for the default.
func (s *service) period(c api.Caller, r readReq) period.Period {
	return s.frame(c, r).ParseOrDefault(r.Period)
}

func (r readReq) extent() query.Extent {
	if r.Action == "refresh" {
		return query.Refresh
	}
	return query.Whole
}

// step is how the rows of a window are to be cut; by bucket only daily and monthly can
// be asked for, as the wire has it. Reads take a coarser step where this one makes too many rows.
func (r readReq) step(p period.Period) period.Step {
	if step, ok := period.ParseStep(r.Step); ok && (step != period.HourStep || p.Days() <= period.MaxHourly) {
		return step
	}
	if step, ok := period.ParseStep(r.Bucket); ok && (step == period.DayStep || step == period.MonthStep) {
		return step
	}
	return period.AutoStep
}

// segment is the segment to cut an event by, "" for none.
func (r readReq) segment() string {
	if r.Segmentation == "no-segment" {
		return ""
	}
	return r.Segmentation
}

// names reads a JSON array of texts. sent is false when there is no parameter,
// ok when it is such an array.
func names(v params.Value) (list []string, sent, ok bool) {
	if v.String() == "" {
		return nil, false, false
	}
	err := json.Unmarshal(v.Raw(), &list)
	return list, true, err == nil && list != nil
}

// months reads "2031:04,2031:05"; what is no month is skipped.
func months(text string) []period.Month {
	var out []period.Month
	for part := range strings.SplitSeq(text, ",") {
		if m, ok := period.ParseMonth(strings.TrimSpace(part)); ok {
			out = append(out, m)
		}
	}
	return out
}
