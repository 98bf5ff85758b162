package modeltest_test

import (
	"slices"
	"strings"
)

// usersDocument is method=users (wire.md 1.1).
func (a *app) usersDocument(w window, refresh bool) any {
	d := newDocument(w, refresh)
	d.visible = a.visible()
	var countries, frequencies, lengths []string
	for _, r := range a.requests {
		count := func(n *node) {
			n.add("e", 1)
			if r.seconds > 0 {
				n.add("d", r.seconds)
			}
		}
		d.each(r.at, count)
		d.hour(r.at, count)
	}
	for _, s := range a.sessions {
		// Counters of a bucket are absent instead of zero, those of a country are not.
		count := func(n *node) {
			n.add("t", 1)
			n.meet(s.who)
			if s.fresh {
				n.add("n", 1)
			}
		}
		d.each(s.at, count)
		d.hour(s.at, count)
		d.each(s.at, func(n *node) {
			n.kid("f").add(s.frequency, 1)
			n.kid(s.values["countries"]).session(&s)
		})
		d.week(s.at, func(n *node) {
			n.meet(s.who)
			n.kid("f").add(s.frequency, 1)
			n.kid(s.values["countries"]).meet(s.who)
		})
		if d.shows(s.at) {
			countries = appendNew(countries, s.values["countries"])
			frequencies = appendNew(frequencies, s.frequency)
		}
	}
	for _, c := range a.closes {
		count := func(n *node) { n.kid("ds").add(length(c.seconds), 1) }
		d.each(c.at, count)
		d.week(c.at, count)
		if d.shows(c.at) && d.yearVisible(c.at.date.year()) {
			lengths = appendNew(lengths, length(c.seconds))
		}
	}
	meta := map[string]any{"countries": countries, "f-ranges": sortedNumbers(frequencies)}
	if len(lengths) > 0 {
		meta["d-ranges"] = sortedNumbers(lengths)
	}
	return d.render(meta, len(countries) > 0)
}

// session counts a session under a value: exactly t, n and u.
func (n *node) session(s *sessionFact) {
	n.add("t", 1)
	n.add("n", number(s.fresh))
	n.meet(s.who)
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// metricDocuments are the methods of wire.md 1.2 with their meta lists.
var metricDocuments = map[string][]string{
	"devices": {"devices"}, "carriers": {"carriers"}, "cities": {"cities"}, "density": {"density"}, "langs": {"langs"},
	"sources": {"sources"}, "sdks": {"sdks"}, "browser": {"browser", "browser_version"},
	"device_details": {"os", "os_versions", "resolutions", "app_versions"},
	"app_versions":   {"os", "os_versions", "resolutions", "app_versions"},
}

func (a *app) metricDocument(method string, w window, refresh bool) any {
	d := newDocument(w, refresh)
	d.visible, d.allWeeks = map[month]bool{}, true
	for _, list := range metricDocuments[method] {
		for _, s := range a.sessions {
			if s.values[list] != "" {
				d.visible[s.at.date.month()] = true
			}
		}
	}
	meta := map[string]any{}
	for _, list := range metricDocuments[method] {
		var values []string
		for _, s := range a.sessions {
			value := s.values[list]
			if value == "" {
				continue
			}
			d.each(s.at, func(n *node) { n.kid(value).session(&s) })
			d.week(s.at, func(n *node) { n.kid(value).meet(s.who) })
			if d.shows(s.at) || d.showsWeek(s.at) {
				values = appendNew(values, value)
			}
		}
		if len(values) > 0 {
			meta[list] = values
		}
	}
	return d.render(meta, len(meta) > 0)
}

// text is a segment's value as a key; arrays and objects have none.
func (s segment) text() (string, bool) {
	switch v := s.value.(type) {
	case string:
		return colons(v), true
	case float64:
		return colons(text(v)), true
	case bool:
		return text(v), true
	}
	return "", false
}

// add counts an event into an object.
func (e *eventFact) add(n *node) {
	n.add("c", e.count)
	if e.sum != nil {
		n.add("s", *e.sum)
	}
	if e.dur != nil {
		n.add("dur", *e.dur)
	}
}

// eventDocument is method=events for the sum of some keys (wire.md 2.2).
func (a *app) eventDocument(keys []string, by string, w window, refresh bool) any {
	d := newDocument(w, refresh)
	some := false
	var names []string
	values := map[string][]string{}
	for i := range a.events {
		e := &a.events[i]
		if !slices.Contains(keys, e.key) {
			continue
		}
		some = true
		if by == "" {
			d.each(e.at, e.add)
			d.hour(e.at, e.add)
		}
		for _, s := range e.segments {
			v, ok := s.text()
			if !ok {
				continue
			}
			names = appendNew(names, s.name)
			if d.shows(e.at) {
				values[s.name] = appendNew(values[s.name], v)
			}
			if s.name == by {
				d.each(e.at, func(n *node) { e.add(n.kid(v)) })
			}
		}
	}
	meta := map[string]any{"segments": names}
	for _, name := range names {
		meta[name] = values[name]
	}
	return d.render(meta, some)
}

// eventsMethod is get_events (wire.md 2.3) of an app nobody managed.
func (a *app) eventsMethod() any {
	out := map[string]any{"limits": map[string]any{
		"event_limit": 500, "event_segmentation_limit": 100, "event_segmentation_value_limit": 1000,
	}}
	var list []string
	segments := map[string][]string{}
	for _, k := range a.eventList() {
		list = append(list, k.key)
		if len(k.segments) > 0 {
			segments[k.key] = k.segments
		}
	}
	if len(list) > 0 {
		out["list"] = list
	}
	if len(segments) > 0 {
		out["segments"] = segments
	}
	return out
}

func (a *app) customKeys() []string {
	var out []string
	for _, k := range a.eventList() {
		out = append(out, k.key)
	}
	return out
}

// decoded is a value as lists show it.
func decoded(list, value string) string {
	switch list {
	case "app_versions", "os_versions", "browser_version", "sdks":
		return strings.ReplaceAll(value, ":", ".")
	case "countries":
		if name, ok := countryNames[value]; ok {
			return name
		}
	case "sources":
		return strings.ReplaceAll(value, "&#46;", ".")
	}
	return value
}

var countryNames = map[string]string{
	"DE": "Germany", "US": "United States", "IN": "India", "NZ": "New Zealand", "ES": "Spain", "BR": "Brazil",
	"FR": "France", "JP": "Japan", "CL": "Chile", "PL": "Poland", "IT": "Italy", "CA": "Canada",
}
