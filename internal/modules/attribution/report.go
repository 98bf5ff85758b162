package attribution

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/filter"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
)

// The models by which a conversion is credited to the touches before it.
const (
	firstTouch = "first"
	lastTouch  = "last"
	linear     = "linear"
)

// Bounds of questions.
const (
	usualWindow = 30 // days
	maxWindow   = 180
	maxKey      = 2048 // bytes
	dayMillis   = 24 * 60 * 60 * 1000
)

// otherName is what values beyond those that have a row of their own are added up to.
const otherName = "Other"

// installKey stands for the first session of a user where a conversion is named.
const installKey = "[CLY]_install"

type reportReq struct {
	api.Window
	// Event is the key of conversions; "" = installs.
	Event  string       `param:"event"`
	Filter params.Value `param:"filter"` // of conversions
	Model  string       `param:"model"`  // "" = last
	Days   params.Value `param:"window"`
	By     string       `param:"by"` // a dimension; "" = channel
}

// ask is a question that has been checked.
type ask struct {
	event, model, by string
	window           int64 // ms
	grace            int64 // ms, how long after a conversion a touch may be
	days             int
}

func (r reportReq) ask() (ask, error) {
	a := ask{event: cmp.Or(r.Event, installKey), model: cmp.Or(r.Model, lastTouch), by: cmp.Or(r.By, "channel"), days: usualWindow}
	if a.model != firstTouch && a.model != lastTouch && a.model != linear {
		return a, bad("model")
	}
	if a.by != "channel" && !slices.Contains(dimensions(), a.by) {
		return a, bad("by")
	}
	if text := r.Days.String(); text != "" {
		if _, err := fmt.Sscan(text, &a.days); err != nil || a.days < 1 || a.days > maxWindow {
			return a, bad("window")
		}
	}
	if len(a.event) > maxKey {
		return a, bad("event")
	}
	a.window = int64(a.days) * dayMillis
	if a.event == installKey {
		a.grace = lasting // SDKs report a campaign after the session that it brought
	}
	return a, nil
}

// credit is what is credited to a value.
type credit struct {
	ID          string  `json:"_id"`         // "" = no touch within the window
	Conversions float64 `json:"conversions"` // parts of conversions add up
	Value       float64 `json:"value"`       // of the sums of conversions
	Users       int64   `json:"users"`       // who converted with a touch of it
}

// reportRes says what conversions are credited to. The conversions of the rows add up to Conversions.
type reportRes struct {
	Event       string   `json:"event"`
	Model       string   `json:"model"`
	Window      int      `json:"window"` // days
	By          string   `json:"by"`
	Conversions int64    `json:"conversions"`
	Users       int64    `json:"users"`
	Value       float64  `json:"value"`
	Rows        []credit `json:"rows"`
}

// isNew selects the first sessions of users.
var isNew, _ = filter.Parse([]byte(`{"sg.is_new":1}`))

// hasChannel selects touches that say more than that no campaign brought the user.
var hasChannel, _ = filter.Parse([]byte(`{"sg.channel":{"$exists":true}}`))

// report credits the conversions of a period to what brought their users.
func (s *service) report(ctx context.Context, c api.Caller, r reportReq) (*reportRes, error) {
	a, err := r.ask()
	if err != nil {
		return nil, err
	}
	f, err := api.ReadFilter(c, r.Filter)
	if err != nil {
		return nil, err
	}
	if !auth.MayAskOfUsers(c.Member, c.App.ID, f.Paths()) {
		return nil, errRight
	}
	p := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	out := &reportRes{Event: r.Event, Model: a.model, Window: a.days, By: a.by, Rows: []credit{}}
	if p.Empty() {
		return out, nil
	}
	keys, err := s.conversions(ctx, c, a.event, f)
	if err != nil {
		return nil, err
	}
	q := &query.FunnelQuery{
		Steps: [][]query.FunnelEvent{{{Key: touchKey, Filter: hasChannel}}, keys},
		From:  p.Start - a.window, To: p.End + a.grace, Breakdown: "sg." + a.by, Value: "s",
	}
	t := newTally(a, p.Start, p.End)
	names, err := s.sequences.Each(ctx, c.App.ID, q, func(_ uint32, rows []funnel.Row) { t.user(rows) })
	if err != nil {
		return nil, err
	}
	out.Conversions, out.Users, out.Value = t.conversions, t.users, rounded(t.value)
	byName := map[string]*credit{}
	for group, each := range t.credits {
		name := ""
		switch {
		case group == untouched:
		case group == query.OtherGroup:
			name = otherName
		case int(group) < len(names):
			name = cmp.Or(names[group], "-") // a touch that says nothing of the dimension
		}
		if byName[name] == nil {
			byName[name] = &credit{ID: name}
		}
		into := byName[name]
		into.Conversions += each.Conversions
		into.Value += each.Value
		into.Users += each.Users
	}
	for _, each := range byName {
		each.Conversions, each.Value = rounded(each.Conversions), rounded(each.Value)
		out.Rows = append(out.Rows, *each)
	}
	slices.SortFunc(out.Rows, func(x, y credit) int {
		return cmp.Or(cmp.Compare(y.Conversions, x.Conversions), cmp.Compare(x.ID, y.ID))
	})
	out.Rows = folded(out.Rows)
	return out, nil
}

// folded adds the rows behind the first thousand up to "Other", so that all rows still make all conversions.
func folded(rows []credit) []credit {
	if len(rows) <= maxRows {
		return rows
	}
	other := credit{ID: otherName}
	kept := rows[:0]
	for _, each := range rows {
		if len(kept) < maxRows-1 && each.ID != otherName {
			kept = append(kept, each)
			continue
		}
		other.Conversions += each.Conversions
		other.Value += each.Value
		other.Users += each.Users
	}
	other.Conversions, other.Value = rounded(other.Conversions), rounded(other.Value)
	return append(kept, other)
}

// conversions are what a key stands for.
func (s *service) conversions(ctx context.Context, c api.Caller, key string, f filter.Expr) ([]query.FunnelEvent, error) {
	if key == installKey {
		return []query.FunnelEvent{{Key: query.SessionKey, Filter: filter.And(isNew, f)}}, nil
	}
	list, err := s.groups.Keys(ctx, c.App.ID, key)
	if err != nil {
		return nil, err
	}
	out := make([]query.FunnelEvent, len(list))
	for i, k := range list {
		out[i] = query.FunnelEvent{Key: k, Filter: f}
	}
	return out, nil
}

// untouched is the group of conversions without a touch.
const untouched = query.OtherGroup - 1

// tally credits conversions, user by user.
type tally struct {
	ask
	from, to           int64 // ms; conversions before and after do not count
	conversions, users int64
	value              float64
	credits            map[uint32]*credit
	mine               map[uint32]bool
	touches            []funnel.Row // of the user at hand
}

func newTally(a ask, from, to int64) *tally {
	return &tally{ask: a, from: from, to: to, credits: map[uint32]*credit{}, mine: map[uint32]bool{}}
}

// user adds the rows of a user, which are in order of time. A touch at the very time of a conversion is before it, in whatever order their rows
// are; those of a first session may come after its begin.
func (t *tally) user(rows []funnel.Row) {
	converted := false
	clear(t.mine)
	t.touches = t.touches[:0]
	for i := range rows {
		if rows[i].Match&funnel.StepBit(0) != 0 {
			t.touches = append(t.touches, rows[i])
		}
	}
	first, end := 0, 0
	for i := range rows {
		r := &rows[i]
		if r.Match&funnel.StepBit(1) == 0 || r.TS < t.from || r.TS > t.to {
			continue
		}
		for first < len(t.touches) && t.touches[first].TS < r.TS-t.window {
			first++
		}
		for end < len(t.touches) && t.touches[end].TS <= r.TS+t.grace {
			end++
		}
		converted = true
		t.conversions++
		t.value += r.Value
		switch list := t.touches[first:max(first, end)]; {
		case len(list) == 0:
			t.add(untouched, 1, r.Value)
		case t.model == firstTouch:
			t.add(list[0].Group, 1, r.Value)
		case t.model == lastTouch:
			t.add(list[len(list)-1].Group, 1, r.Value)
		default:
			part := 1 / float64(len(list))
			for _, each := range list {
				t.add(each.Group, part, r.Value*part)
			}
		}
	}
	if converted {
		t.users++
	}
}

func (t *tally) add(group uint32, part, value float64) {
	each := t.credits[group]
	if each == nil {
		each = &credit{}
		t.credits[group] = each
	}
	each.Conversions += part
	each.Value += value
	if !t.mine[group] {
		t.mine[group] = true
		each.Users++
	}
}
