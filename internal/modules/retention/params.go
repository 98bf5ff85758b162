package retention

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/retention"
)

// Bounds of queries.
const (
	maxUnits  = 400 // cohorts, and ages or brackets
	maxEvents = 50
	maxKey    = 2048 // bytes
	maxPath   = 512  // bytes
)

var (
	errUsers   = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	errTooMany = fault.Newf(fault.Invalid, "retention.too_many", "At most %d hours, days, weeks or months: choose a shorter period or a longer unit", maxUnits)
)

func bad(name string) error {
	return fault.Newf(fault.Invalid, "retention.bad_parameter", "Bad request parameter: %s", name)
}

// units are the steps of cohorts and ages by their names.
var units = map[string]period.Step{"hour": period.HourStep, "day": period.DayStep, "week": period.WeekStep, "month": period.MonthStep}

// modes are the ways to count by their names.
var modes = map[string]retention.Mode{
	"on": retention.On, "on_or_after": retention.OnOrAfter, "on_or_before": retention.OnOrBefore, "streak": retention.Streak,
}

// frame is that of the app's zone, or of another one.
func (s *service) frame(c api.Caller, zone string) (period.Frame, error) {
	cal, _ := s.zones.Get(c.App.Timezone)
	if zone != "" {
		other, known := s.zones.Read(zone)
		if !known {
			return period.Frame{}, bad("timezone")
		}
		cal = other
	}
	return period.Frame{Now: c.Now, Calendar: cal, Parsed: c.Parsed()}, nil
}

// minute is how long (ms) a question stays the same, so that its answer can be remembered: the minute that now is in is not over.
const minute, hour = 60_000, 60 * minute

// ask makes the cohorts of a period, as they are now (ms).
func (s *service) ask(c api.Caller, p period.Period, step period.Step, now int64) (*query.RetentionQuery, error) {
	if p.Empty() {
		return nil, bad("period")
	}
	if p.Days() > 31*maxUnits || step == period.HourStep && p.Days() > maxUnits {
		return nil, errTooMany
	}
	q := &query.RetentionQuery{Step: step}
	q.End = now - now%minute
	q.Until = underWay(p.Calendar(), step, now)
	q.Units, q.Days, q.Cohorts = query.Units(p, step, q.Until)
	if q.Cohorts > maxUnits {
		return nil, errTooMany
	}
	if q.Last = p.Calendar().DayBucket(q.Until - 1); p.Calendar().Location().String() != c.App.Timezone {
		q.Days = nil
	}
	return q, nil
}

// underWay returns when the day or hour that now (ms) is in ends. All of it is looked at, for devices' clocks may be ahead; cells know no more of a day than all of it.
func underWay(cal *period.Calendar, step period.Step, now int64) int64 {
	day := cal.DayBucket(now)
	end := cal.DayStart(day + 1)
	if begin := cal.DayStart(day); step == period.HourStep {
		return min(end, begin+((now-begin)/hour+1)*hour)
	}
	return end
}

// event is an event of a request: its key, or an object.
type event struct {
	Event string      `json:"event"`
	Query filter.Expr `json:"query"`
}

// UnmarshalJSON reads both forms.
func (e *event) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &e.Event) == nil {
		return nil
	}
	type object event
	return json.Unmarshal(b, (*object)(e))
}

// events reads a parameter: a key, bare or as a JSON text, an object, or a list of these; sessions by default. The paths of their filters are added to paths.
func (s *service) events(ctx context.Context, app model.AppID, v params.Value, name string, paths *[]string) ([]query.FunnelEvent, error) {
	list := []event{{Event: "[CLY]_session"}}
	switch raw := strings.TrimSpace(string(v.Raw())); {
	case v.String() == "":
	case raw == "":
		return nil, bad(name)
	case raw[0] == '[' && json.Valid([]byte(raw)):
		list = nil
		if err := json.Unmarshal([]byte(raw), &list); err != nil {
			return nil, unread(err, name)
		}
	case raw[0] == '{':
		list = make([]event, 1)
		if err := json.Unmarshal([]byte(raw), &list[0]); err != nil {
			return nil, unread(err, name)
		}
	case json.Unmarshal([]byte(raw), &list[0].Event) == nil: // a key as JSON has texts
	default:
		list[0].Event = v.String()
	}
	var out []query.FunnelEvent
	for _, e := range list {
		if e.Event == "" || len(e.Event) > maxKey {
			return nil, bad(name)
		}
		keys, err := s.groups.Keys(ctx, app, e.Event)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			out = append(out, query.FunnelEvent{Key: key, Filter: e.Query})
		}
		*paths = append(*paths, e.Query.Paths()...)
	}
	if len(out) == 0 || len(out) > maxEvents {
		return nil, bad(name)
	}
	return out, nil
}

// unread is the fault of an event that cannot be read: that of its filter, where it has one.
func unread(err error, name string) error {
	if fault.CodeOf(err) != "" {
		return err
	}
	return bad(name)
}

// selection reads a filter of starts.
func selection(v params.Value) (filter.Expr, error) {
	if v.String() == "" {
		return filter.Expr{}, nil
	}
	if !strings.HasPrefix(strings.TrimSpace(string(v.Raw())), "{") {
		return filter.Expr{}, bad("query")
	}
	return filter.Parse(v.Raw())
}

// countBy reads who comes back: users or accounts. Sessions do not come back.
func countBy(text string) (query.CountBy, error) {
	by, err := query.ParseCountBy(text)
	if err == nil && by == query.CountSessions {
		err = bad("count_by")
	}
	return by, err
}

// permitted refuses paths of filters, and of what is broken down or counted by, that the caller may not ask by, see auth.MayAskBy.
func permitted(c api.Caller, paths []string, by ...string) error {
	if !auth.MayAskBy(c.Member, c.App.ID, paths, by) {
		return errUsers
	}
	return nil
}

// count reads a number of units.
func count(v params.Value, usual int, name string) (int, error) {
	if v.String() == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(v.String())
	if err != nil || n < 1 {
		return 0, bad(name)
	}
	if n > maxUnits {
		return 0, errTooMany
	}
	return n, nil
}

// bracket reads a bracket: a number, or a list of the first and the last age.
func bracket(raw json.RawMessage) (retention.Bracket, bool) {
	var one int
	if json.Unmarshal(raw, &one) == nil {
		return retention.Bracket{From: one, To: one}, true
	}
	var two []int
	if json.Unmarshal(raw, &two) != nil || len(two) != 2 {
		return retention.Bracket{}, false
	}
	return retention.Bracket{From: two[0], To: two[1]}, true
}

// brackets reads a list of brackets; by default, one for each age from 1 to span.
func brackets(v params.Value, span int) ([]retention.Bracket, error) {
	if v.String() == "" {
		return each(span), nil
	}
	var list []json.RawMessage
	if json.Unmarshal(v.Raw(), &list) != nil || len(list) == 0 {
		return nil, bad("brackets")
	}
	if len(list) > maxUnits {
		return nil, errTooMany
	}
	out := make([]retention.Bracket, len(list))
	for i, raw := range list {
		b, ok := bracket(raw)
		if !ok {
			return nil, bad("brackets")
		}
		out[i] = b
	}
	return out, nil
}

// each is a bracket for each age from 1 to n.
func each(n int) []retention.Bracket {
	out := make([]retention.Bracket, n)
	for i := range out {
		out[i] = retention.Bracket{From: i + 1, To: i + 1}
	}
	return out
}

// window writes the days from a moment to another as a period (ms).
func window(from, to int64) string { return fmt.Sprintf("[%d,%d]", from, to) }
