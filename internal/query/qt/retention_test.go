package qt_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"quipu/internal/query"
	"quipu/internal/query/retention"
)

// events reads an argument that is a list of events.
func (a *arguments) funnelEvents(name string) []query.FunnelEvent {
	var list []funnelEvent
	a.json(name, &list)
	var out []query.FunnelEvent
	for _, e := range list {
		out = append(out, e.event())
	}
	return out
}

// retention reads what is asked: cohorts of a period, brackets as 1,2,4-7.
func (a *arguments) retention() (*query.RetentionQuery, error) {
	f, err := a.selected()
	if err != nil {
		return nil, err
	}
	p, step, err := a.period()
	if err != nil {
		return nil, err
	}
	q := &query.RetentionQuery{Start: a.funnelEvents("start"), Return: a.funnelEvents("return"), Chosen: f, Breakdown: a.text("breakdown"), Value: a.text("value"), CountBy: a.countBy()}
	q.Mode = map[string]retention.Mode{"on": retention.On, "after": retention.OnOrAfter, "before": retention.OnOrBefore, "streak": retention.Streak}[a.text("mode")]
	q.First = a.is("first")
	q.End = a.moment("now", a.now.UnixMilli())
	q.Rolling = int64(a.number("rolling", 0) * 3600_000)
	q.Step = step
	q.Last = p.Calendar().DayBucket(q.End - 1)
	q.Units, q.Days, q.Cohorts = query.Units(p, step, q.End)
	if p.Calendar().Location().String() != a.zone.String() || a.is("rows") {
		q.Days = nil
	}
	for _, text := range a.list("ages") {
		from, to, ok := strings.Cut(text, "-")
		if !ok {
			to = from
		}
		low, err := strconv.Atoi(from)
		a.fail("ages", err)
		high, err := strconv.Atoi(to)
		a.fail("ages", err)
		q.Brackets = append(q.Brackets, retention.Bracket{From: low, To: high})
	}
	return q, nil
}

// evalRetention has a row for each cohort and bracket that has begun.
func evalRetention(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, err := a.retention()
	if err != nil {
		return nil, err
	}
	out := &result{columns: []string{"cohort", "size", "age", "users", "over", "kept", "value", "source"}}
	groups := a.is("groups")
	memory := int64(a.whole("memory", 1<<20))
	t, err := query.NewRetentions(r.cells, query.NewFunnels(r.tables, memory)).Read(ctx, a.app, q)
	if err != nil {
		return nil, err
	}
	source := map[bool]string{true: "cells", false: "rows"}[t.FromCells]
	row := func(cohort any, size int64, cells []retention.Cell, c int) {
		for b, cell := range cells {
			if q.Begun(c, b) {
				age := q.Brackets[b]
				out.add(cohort, size, json.RawMessage(strconv.Itoa(age.From)), cell.Users, cell.Over, cell.Kept, cell.Value, source)
			}
		}
	}
	if groups {
		for id, name := range t.Names {
			if g := t.Groups[uint32(id)]; g != nil {
				var label any = name
				if id == 0 {
					label = nil
				}
				row(label, g.Size, g.Cells, 0)
			}
		}
		return out.sorted(), nil
	}
	for c := range t.Cells {
		if t.Sizes[c] > 0 {
			row(strings.TrimSuffix(strings.TrimPrefix(clock(q.Units[c]), "2031-"), ":00Z"), t.Sizes[c], t.Cells[c], c)
		}
	}
	return out, nil
}

// evalReturners has the users of a cohort and bracket, by their places from 0.
func evalReturners(ctx context.Context, r reader, a *arguments) (*result, error) {
	q, err := a.retention()
	if err != nil {
		return nil, err
	}
	reads := query.NewRetentions(r.cells, query.NewFunnels(r.tables, int64(a.whole("memory", 1<<20))))
	if q.CountBy != query.CountUsers {
		out := &result{columns: []string{"account"}}
		list, err := reads.Accounts(ctx, a.app, q, a.whole("cohort", 0), a.whole("bracket", -1))
		for _, name := range list {
			out.add(name)
		}
		return out, err
	}
	uids, err := reads.People(ctx, a.app, q, a.whole("cohort", 0), a.whole("bracket", -1))
	out := &result{columns: []string{"uid"}}
	for _, uid := range uids {
		out.add(uid)
	}
	return out, err
}
