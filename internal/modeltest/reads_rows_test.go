package modeltest_test

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
)

// sums are the figures of sessions over some time.
type sums struct {
	t, n, e, d float64
	u          people
}

// sum adds up what happened in the moments that has accepts.
func (a *app) sum(has func(moment) bool) sums {
	s := sums{u: people{}}
	for _, r := range a.requests {
		if has(r.at) {
			s.e++
			s.d += r.seconds
		}
	}
	for _, f := range a.sessions {
		if has(f.at) {
			s.t++
			s.n += number(f.fresh)
			s.u[f.who.person()] = true
		}
	}
	return s
}

// totalUsers is method=total_users without metric.
func (a *app) totalUsers(w window) any {
	now, before := a.sum(w.has), a.sum(w.before().has)
	if len(now.u)+len(before.u) == 0 {
		return []any{}
	}
	return []any{map[string]any{"_id": "users", "u": len(now.u), "pu": len(before.u)}}
}

func (w window) object() any {
	var ids []string
	for _, d := range w.days() {
		ids = append(ids, d.dot())
	}
	return map[string]any{
		"start": w.start(), "end": w.end(), "daysInPeriod": len(ids),
		"periodContainsToday": w.first <= w.today && w.today <= w.last, "currentPeriodArr": ids,
	}
}

// sessionRows is /o/analytics/sessions.
func (a *app) sessionRows(w window, s step) any {
	out := []any{}
	visible := a.visible()
	for _, r := range w.rows(s) {
		x := a.sum(func(m moment) bool { return r.has(m) && visible[m.date.month()] })
		out = append(out, map[string]any{"_id": r.id, "t": x.t, "n": x.n, "u": len(x.u), "d": x.d, "e": x.e})
	}
	return out
}

// value is what sessions under one value of a list add up to.
type value struct {
	name string
	t, n float64
	u    people
}

// values lists the values of a dimension in a window, most sessions first, ties by
// name.
func (a *app) values(list string, w window) []value {
	by := map[string]*value{}
	for _, s := range a.sessions {
		name := s.values[list]
		if name == "" || !w.has(s.at) {
			continue
		}
		if by[name] == nil {
			by[name] = &value{name: name, u: people{}}
		}
		v := by[name]
		v.t++
		v.n += number(s.fresh)
		v.u[s.who.person()] = true
	}
	var out []value
	for _, name := range keysOf(by) {
		out = append(out, *by[name])
	}
	slices.SortStableFunc(out, func(a, b value) int { return cmp.Compare(b.t, a.t) })
	return out
}

// metricNames are the metrics of /o/analytics/metric and tops, with the list they show.
var metricNames = map[string]string{
	"app_versions": "app_versions", "carriers": "carriers", "countries": "countries", "density": "density", "devices": "devices",
	"langs": "langs", "os": "os", "platforms": "os", "os_versions": "os_versions", "resolutions": "resolutions", "cities": "cities",
	"browser": "browser", "manufacturers": "manufacturers", "sources": "sources",
}

func (a *app) metricRows(name string, w window) any {
	out := []any{}
	for _, v := range a.values(metricNames[name], w) {
		out = append(out, map[string]any{"_id": v.name, "t": v.t, "n": v.n, "u": len(v.u)})
	}
	return out
}

// usersByValue is method=total_users with a metric.
func (a *app) usersByValue(name string, w window) any {
	before := map[string]int{}
	for _, v := range a.values(metricNames[name], w.before()) {
		before[v.name] = len(v.u)
	}
	out := []any{}
	for _, v := range a.values(metricNames[name], w) {
		out = append(out, map[string]any{"_id": v.name, "u": len(v.u), "pu": before[v.name]})
		delete(before, v.name)
	}
	for _, name := range keysOf(before) {
		out = append(out, map[string]any{"_id": name, "u": 0, "pu": before[name]})
	}
	return out
}

// shares turns names with values into the first rows of a top list.
type share struct {
	name  string
	value float64
}

func shares(list []share, limit int) any {
	total := 0.0
	for _, s := range list {
		total += s.value
	}
	slices.SortStableFunc(list, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.name, b.name))
	})
	out := []any{}
	for _, s := range list[:min(limit, len(list))] {
		out = append(out, map[string]any{"name": s.name, "value": s.value, "percent": float(rounded(percent(s.value, total)))})
	}
	return out
}

const all = 1 << 30

func (a *app) top(name string, w window, limit int) any {
	list := metricNames[name]
	var rows []share
	for _, v := range a.values(list, w) {
		rows = append(rows, share{decoded(list, v.name), v.t})
	}
	return shares(rows, limit)
}

// countryBlock is one list of /o/analytics/countries. The order of ties is open.
func (a *app) countryBlock(w window) any {
	out := []any{}
	list := a.values("countries", w)
	for _, v := range list[:min(10, len(list))] {
		out = append(out, map[string]any{
			"country": decoded("countries", v.name), "code": strings.ToLower(v.name), "t": v.t, "u": len(v.u), "n": v.n,
		})
	}
	return out
}

// ranges is /o/analytics/frequency and durations.
func ranges(key string, counts map[string]float64) any {
	total := 0.0
	indices := sortedNumbers(keysOf(counts))
	for _, i := range indices {
		total += counts[i]
	}
	slices.SortStableFunc(indices, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	out := []any{}
	for _, i := range indices {
		out = append(out, map[string]any{key: i, "t": counts[i], "percent": rounded(percent(counts[i], total))})
	}
	return out
}

func (a *app) frequencyRows(w window) any {
	counts := map[string]float64{}
	for _, s := range a.sessions {
		if w.has(s.at) {
			counts[s.frequency]++
		}
	}
	return ranges("f", counts)
}

func (a *app) durationRows(w window) any {
	counts := map[string]float64{}
	for _, c := range a.closes {
		if w.has(c.at) {
			counts[length(c.seconds)]++
		}
	}
	return ranges("ds", counts)
}

// rat is an exact number.
func rat(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

func percent(part, whole float64) *big.Rat { return quotient(rat(part*100), rat(whole)) }

// quotient is a ÷ b, zero when b is.
func quotient(a, b *big.Rat) *big.Rat {
	if b.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Quo(a, b)
}

// rounded writes a number with one decimal, half up.
func rounded(r *big.Rat) string {
	x := new(big.Rat).Mul(new(big.Rat).Abs(r), big.NewRat(10, 1))
	x.Add(x, big.NewRat(1, 2))
	n := new(big.Int).Quo(x.Num(), x.Denom())
	if r.Sign() < 0 {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, big.NewInt(10)).FloatString(1)
}

// inUnits writes seconds as minutes, hours, days or years.
func inUnits(seconds *big.Rat) string {
	for _, unit := range []struct {
		name    string
		seconds int64
		below   int64 // of the unit; 0 = any
	}{{"min", 60, 60}, {"hours", 3600, 24}, {"days", 86400, 100}, {"years", 365 * 86400, 0}} {
		n := quotient(seconds, big.NewRat(unit.seconds, 1))
		if unit.below == 0 || n.Cmp(big.NewRat(unit.below, 1)) < 0 {
			return rounded(n) + " " + unit.name
		}
	}
	panic("unreachable")
}

// figure is a block of a summary: now against before, shown as total.
func figure(now, before *big.Rat, total any) map[string]any {
	out := map[string]any{"total": total, "change": "NA", "trend": "u"}
	if before.Sign() == 0 {
		return out
	}
	if now.Cmp(before) < 0 {
		out["trend"] = "d"
	}
	switch {
	case now.Sign() == 0:
		out["change"] = "100%"
	default:
		diff := new(big.Rat).Sub(now, before)
		diff.Mul(diff, big.NewRat(100, 1))
		out["change"] = strings.TrimSuffix(rounded(quotient(diff, new(big.Rat).Abs(before))), ".0") + "%"
	}
	return out
}

// summary is one block of /o/analytics/dashboard (wire.md 3.1).
func (a *app) summary(w window) any {
	type figures struct{ t, u, n, d, avg, e *big.Rat }
	of := func(w window) figures {
		s := a.sum(w.has)
		if s.t == 0 {
			s = sums{} // requests without a session are invisible
		}
		f := figures{t: rat(s.t), u: rat(float64(len(s.u))), n: rat(s.n), d: rat(s.d)}
		f.avg, f.e = quotient(f.d, f.t), quotient(rat(s.e), f.u)
		return f
	}
	now, before := of(w), of(w.before())
	integer := func(r *big.Rat) any { f, _ := r.Float64(); return f }
	users := figure(now.u, before.u, integer(now.u))
	users["is_estimate"] = now.u.Sign() == 0 && w.first != w.last
	var best []share
	for _, d := range w.days() {
		u := a.sum(func(m moment) bool { return m.date == d }).u
		if len(u) > 0 {
			best = append(best, share{d.label(), float64(len(u))})
		}
	}
	return map[string]any{
		"dashboard": map[string]any{
			"total_sessions": figure(now.t, before.t, integer(now.t)),
			"total_users":    users,
			"new_users":      figure(now.n, before.n, integer(now.n)),
			"total_time":     figure(now.d, before.d, inUnits(now.d)),
			"avg_time":       figure(now.avg, before.avg, inUnits(now.avg)),
			"avg_requests":   figure(now.e, before.e, rounded(now.e)),
		},
		"top": map[string]any{
			"platforms": a.top("platforms", w, 3), "resolutions": a.top("resolutions", w, 3), "carriers": a.top("carriers", w, 3),
			"users": shares(best, 3),
		},
		"period": w.label(),
	}
}

// amount sums up events.
func (a *app) amount(keys []string, has func(*eventFact) bool) (c, s, dur float64) {
	for i := range a.events {
		e := &a.events[i]
		if !slices.Contains(keys, e.key) || !has(e) {
			continue
		}
		c += e.count
		if e.sum != nil {
			s += *e.sum
		}
		if e.dur != nil {
			dur += *e.dur
		}
	}
	return c, s, dur
}

func (a *app) eventRows(key string, w window, s step) any {
	out := []any{}
	for _, r := range w.rows(s) {
		c, s, dur := a.amount([]string{key}, func(e *eventFact) bool { return r.has(e.at) })
		out = append(out, map[string]any{"_id": r.id, "c": c, "s": s, "dur": dur})
	}
	return out
}

// eventTotals is /o/analytics/events without an event: those with something in the window.
func (a *app) eventTotals(w window) any {
	out := []any{}
	for _, key := range a.customKeys() {
		if c, s, dur := a.amount([]string{key}, func(e *eventFact) bool { return w.has(e.at) }); c > 0 {
			out = append(out, map[string]any{"_id": key, "key": key, "c": c, "s": s, "dur": dur})
		}
	}
	return map[string]any{"all": out}
}

// segmentRows is /o/analytics/events with a segment.
func (a *app) segmentRows(key, name string, w window) any {
	with := func(e *eventFact, value string) bool {
		return slices.ContainsFunc(e.segments, func(s segment) bool {
			v, ok := s.text()
			return ok && s.name == name && v == value
		})
	}
	var values []string
	for i := range a.events {
		for _, s := range a.events[i].segments {
			if v, ok := s.text(); ok && a.events[i].key == key && s.name == name {
				values = appendNew(values, v)
			}
		}
	}
	out := []any{}
	for _, v := range values {
		if c, s, dur := a.amount([]string{key}, func(e *eventFact) bool { return w.has(e.at) && with(e, v) }); c > 0 {
			out = append(out, map[string]any{"_id": v, "c": c, "s": s, "dur": dur})
		}
	}
	return out
}

// overview is method=events with overview=true.
func (a *app) overview(keys []string, w window) any {
	out := map[string]any{}
	for _, key := range keys {
		in := func(w window) [3]float64 {
			c, s, dur := a.amount([]string{key}, func(e *eventFact) bool { return w.has(e.at) })
			return [3]float64{c, s, dur}
		}
		now, before := in(w), in(w.before())
		data := map[string]any{}
		for i, name := range []string{"count", "sum", "dur"} {
			f := figure(rat(now[i]), rat(before[i]), now[i])
			line := []any{}
			for _, r := range w.rows(w.step) {
				c, s, dur := a.amount([]string{key}, func(e *eventFact) bool { return r.has(e.at) })
				line = append(line, [3]float64{c, s, dur}[i])
			}
			f["sparkline"] = line
			data[name] = f
		}
		out[key] = map[string]any{"data": data}
	}
	return out
}

// loyaltyReport is /o/app_users/loyalty (wire.md 4.3).
func (a *app) loyaltyReport(nowSeconds int64) any {
	labels := []string{"1", "2", "3-5", "6-9", "10-19", "20-49", "50-99", "100-499", "500+"}
	index := func(sessions int) int {
		for i, limit := range []int{1, 2, 5, 9, 19, 49, 99, 499} {
			if sessions <= limit {
				return i
			}
		}
		return 8
	}
	since := func(seconds int64) any {
		counts := map[int]int{}
		for _, p := range a.profiles {
			if p.sessions > 0 && p.lastActivity >= seconds {
				counts[index(p.sessions)]++
			}
		}
		out := []any{}
		for i, label := range labels {
			if counts[i] > 0 {
				out = append(out, map[string]any{"_id": label, "count": counts[i], "index": i})
			}
		}
		return out
	}
	return map[string]any{"all": since(0), "7days": since(nowSeconds - 7*86400), "30days": since(nowSeconds - 30*86400)}
}

// timesOfDay is method=times-of-day: sessions or events by weekday and hour of
// the device's clock, each item once. in tells which months count.
func (a *app) timesOfDay(kind string, in func(month) bool) any {
	var week [7][24]int
	count := func(at moment, c *clock) {
		if c != nil && in(at.date.month()) {
			week[c.weekday][c.hour]++
		}
	}
	for _, s := range a.sessions {
		if kind == "[CLY]_session" {
			count(s.at, s.clock)
		}
	}
	for _, e := range a.events {
		if kind == e.key {
			count(e.at, e.clock)
		}
	}
	return week
}
