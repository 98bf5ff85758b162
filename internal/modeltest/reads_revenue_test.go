package modeltest_test

import (
	"slices"
	"strconv"
	"strings"
)

// bought are the events of some keys with a sum that is not 0.
func (a *app) bought(keys []string) (out []*eventFact) {
	for i := range a.events {
		if e := &a.events[i]; slices.Contains(keys, e.key) && e.sum != nil && *e.sum != 0 {
			out = append(out, e)
		}
	}
	return out
}

// money rounds an amount as answers do.
func money(f float64) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 6, 64), 64)
	return v
}

func per(a float64, b int) any {
	if b == 0 {
		return nil
	}
	return money(a / float64(b))
}

// revenueFigures are those of the moments that has accepts.
func (a *app) revenueFigures(keys []string, has func(moment) bool) map[string]any {
	payers, active := people{}, people{}
	var net, refunds, purchases float64
	for _, s := range a.sessions {
		if has(s.at) {
			active[s.who.person()] = true
		}
	}
	for _, e := range a.bought(keys) {
		if !has(e.at) {
			continue
		}
		active[e.who.person()] = true
		net += *e.sum
		if *e.sum < 0 {
			refunds += *e.sum
			continue
		}
		purchases += e.count
		payers[e.who.person()] = true
	}
	return map[string]any{
		"revenue": money(net), "refunds": money(refunds), "transactions": purchases, "paying": len(payers), "users": len(active),
		"arpu": per(net, len(active)), "arppu": per(net, len(payers)), "average_order": per(net-refunds, int(purchases)),
		"transactions_per_payer": per(purchases, len(payers)), "paying_percent": per(100*float64(len(payers)), len(active)),
	}
}

// revenueReport is /o/revenue/report without what names the question.
func (a *app) revenueReport(keys []string, w window, s step, before bool) any {
	data := []any{}
	for _, r := range w.rows(s) {
		f := a.revenueFigures(keys, r.has)
		f["at"] = strings.TrimSuffix(strings.NewReplacer("-", ".", " ", ".").Replace(r.id), ":00")
		data = append(data, f)
	}
	out := map[string]any{"totals": a.revenueFigures(keys, w.has), "data": data}
	if before {
		out["compare"] = map[string]any{"totals": a.revenueFigures(keys, w.before().has)}
	}
	return out
}

// lifetimes is the list of rows of /o/revenue/ltv by days: users, and what they spent up to each age, cut to as many as have begun.
func (a *app) lifetimes(keys []string, w window, ages int) any {
	first := map[*profile]date{}
	see := func(p *profile, at moment) {
		if d, ok := first[p.person()]; !ok || at.date < d {
			first[p.person()] = at.date
		}
	}
	for _, s := range a.sessions {
		see(s.who, s.at)
	}
	for _, e := range a.bought(keys) {
		see(e.who, e.at)
	}
	rows := []any{}
	for _, day := range w.days() {
		users := 0
		for _, d := range first {
			if d == day {
				users++
			}
		}
		cells := []any{}
		for age := range ages {
			if day+date(age) > w.today {
				cells = append(cells, nil)
				continue
			}
			var revenue float64
			paying := people{}
			for _, e := range a.bought(keys) {
				if first[e.who.person()] != day || e.at.date > day+date(age) {
					continue
				}
				if revenue += *e.sum; *e.sum > 0 {
					paying[e.who.person()] = true
				}
			}
			cells = append(cells, map[string]any{"revenue": money(revenue), "paying": len(paying), "ltv": per(revenue, users), "over": day+date(age) < w.today})
		}
		rows = append(rows, map[string]any{"users": users, "cells": cells})
	}
	return rows
}

// revenue compares what people pay.
func (c *comparison) revenue(a *app) {
	only := func(names ...string) func(any) any {
		return func(v any) any {
			m, _ := v.(map[string]any)
			for name := range m {
				if !slices.Contains(names, name) {
					delete(m, name)
				}
			}
			if earlier, ok := m["compare"].(map[string]any); ok {
				delete(earlier, "from")
				delete(earlier, "to")
				delete(earlier, "data")
			}
			return v
		}
	}
	keys := append(a.customKeys(), "never sent")
	for _, chosen := range [][]string{keys, keys[:1], some(c.r, 1, keys...)} {
		for _, p := range []string{"yesterday", "30days", "month", "400days"} {
			w := a.window(p, c.r.now, a.zone)
			form := only("totals", "data", "compare")
			if p == "yesterday" {
				c.readAs(a, a.revenueReport(chosen, w, hours, true), form, "/o/revenue/report", "events", marshal(chosen), "period", p, "bucket", "hourly", "compare", "previous")
			}
			c.readAs(a, a.revenueReport(chosen, w, days, false), form, "/o/revenue/report", "events", marshal(chosen), "period", p, "bucket", "daily")
			c.readAs(a, a.revenueReport(chosen, w, months, false), form, "/o/revenue/report", "events", marshal(chosen), "period", p, "bucket", "monthly")
		}
		w := a.window("30days", c.r.now, a.zone)
		rows := func(v any) any {
			m, ok := v.(map[string]any)
			if !ok {
				return v // the model's
			}
			list, _ := m["rows"].([]any)
			for _, row := range list {
				if r, ok := row.(map[string]any); ok {
					delete(r, "_id")
					delete(r, "start")
				}
			}
			return list
		}
		c.readAs(a, a.lifetimes(chosen, w, 20), rows, "/o/revenue/ltv", "events", marshal(chosen), "period", "30days", "ages", "20")
	}
}
