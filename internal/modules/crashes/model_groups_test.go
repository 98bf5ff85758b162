package crashes_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"quipu/internal/testkit"
)

// The part of the naive model that knows which variants make a group.

// ruleSets are rules that an app has one after another, with what they make of a variant.
var ruleSets = []struct {
	text string
	of   func(*modelGroup) string
}{
	{`{}`, func(v *modelGroup) string { return v.key }},
	{`{"fingerprints":[{"match":[{"what":"error","pattern":"Error 0*"}],"parts":["low"]},{"match":[{"what":"message","pattern":"Error 1"}],"parts":["low"]}]}`, func(v *modelGroup) string {
		if strings.HasPrefix(v.error, "Error 0") || strings.HasPrefix(v.error, "Error 1") {
			return fmt.Sprint("low|", v.os, "|", v.nonfatal)
		}
		return v.key
	}},
	{`{"algorithm":2}`, func(v *modelGroup) string { return fmt.Sprint("frames|", v.os, "|", v.nonfatal) }},
	{`{"algorithm":1,"stack":[{"match":[{"what":"function","pattern":"a.*"}],"do":"ignore"}]}`, func(v *modelGroup) string { return "without " + v.key }},
}

// settle finds the group of a variant that came for the first time, and reports whether it is a new one.
func (m *crashModel) settle(key string) bool {
	print := ruleSets[m.rules].of(m.variants[key])
	if to, ok := m.prints[print]; ok {
		m.to[key] = to
		return false
	}
	m.to[key] = key
	if print != key {
		m.prints[print] = key
	}
	return true
}

// groups are the groups as they are now, by their keys, with the state of the variant whose id each has.
func (m *crashModel) groups() map[string]*modelGroup {
	out := map[string]*modelGroup{}
	for _, key := range m.order {
		v, to := m.variants[key], m.to[key]
		g := out[to]
		if g == nil {
			head := *m.variants[to]
			g = &head
			g.error, g.os, g.nonfatal, g.start, g.last, g.latest, g.reports, g.times = v.error, v.os, v.nonfatal, v.start, v.last, "", 0, nil
			g.versions, g.values, g.spans, g.users = map[string]int{}, map[string]map[string]int{}, map[string][]float64{}, map[int]bool{}
			out[to] = g
		}
		g.reports += v.reports
		g.last = max(g.last, v.last)
		g.times = append(g.times, v.times...)
		slices.Sort(g.times)
		if v.latest != "" && (g.latest == "" || newer(v.latest, g.latest)) {
			g.latest = v.latest
		}
		for version, n := range v.versions {
			g.versions[version] += n
		}
		for name, values := range v.values {
			if g.values[name] == nil {
				g.values[name] = map[string]int{}
			}
			for value, n := range values {
				g.values[name][value] += n
			}
		}
		for name, list := range v.spans {
			g.spans[name] = append(g.spans[name], list...)
		}
		maps.Copy(g.users, v.users)
	}
	return out
}

// class is what a variant goes with under rules.
func (m *crashModel) class(key string, rules int) string {
	to, pinned := m.pins[key]
	switch {
	case pinned && to == "":
		return "alone " + key
	case pinned:
		return m.class(to, rules)
	}
	return ruleSets[rules].of(m.variants[key])
}

// classes are the variants by what they go with.
func (m *crashModel) classes(rules int) map[string][]string {
	out := map[string][]string{}
	for _, key := range m.order {
		c := m.class(key, rules)
		out[c] = append(out[c], key)
	}
	return out
}

// rule has rules hold.
func (m *crashModel) rule(rules int) {
	m.rules = rules
	aims := map[string]bool{}
	for _, to := range m.pins {
		aims[to] = true
	}
	moved := map[string]string{}
	for _, list := range m.classes(rules) {
		head := list[0]
		for _, meets := range []func(string) bool{
			func(v string) bool { return m.to[v] == v && aims[v] }, func(v string) bool { return m.to[v] == v },
		} {
			if at := slices.IndexFunc(list, meets); at >= 0 {
				head = list[at]
				break
			}
		}
		for _, v := range list {
			moved[v] = head
		}
	}
	m.to, m.prints = moved, map[string]string{}
	for _, merged := range []bool{false, true} {
		for _, v := range m.order {
			print := ruleSets[rules].of(m.variants[v])
			to, pinned := m.pins[v]
			if pinned == merged && (!merged || to != "") && print != v && m.prints[print] == "" {
				m.prints[print] = m.to[v]
			}
		}
	}
}

// parts are the variants of a group in order.
func (m *crashModel) parts(group string) []string {
	return slices.DeleteFunc(slices.Clone(m.order), func(v string) bool { return m.to[v] != group })
}

func (m *crashModel) merge(into, from string) {
	for _, v := range m.parts(from) {
		m.to[v], m.pins[v] = into, into
	}
	for print, to := range m.prints {
		if to == from {
			m.prints[print] = into
		}
	}
}

func (m *crashModel) split(group string, off []string) {
	rest := slices.DeleteFunc(m.parts(group), func(v string) bool { return slices.Contains(off, v) })
	put := func(list []string, head string) {
		for _, v := range list {
			if m.to[v], m.pins[v] = head, head; v == head {
				m.pins[v] = ""
			}
		}
	}
	if !slices.Contains(off, group) {
		put(off, off[0])
		return
	}
	put(off, group)
	put(rest, rest[0])
	for print, to := range m.prints {
		if to == group {
			m.prints[print] = rest[0]
		}
	}
}

// regroup changes which variants make groups, as members do.
func (k *modelKit) regroup(keys []string) {
	k.Helper()
	m, key := k.m, pickOf(k.r, keys...)
	g := m.variants[key]
	switch k.r.IntN(3) {
	case 0:
		for _, other := range keys {
			if o := m.variants[other]; other != key && o.os == g.os && o.nonfatal == g.nonfatal {
				k.act("merge", fmt.Sprintf(`{"crash_id":%q,"crashes":[%q]}`, g.id, o.id))
				m.merge(key, other)
				return
			}
		}
	case 1:
		parts := m.parts(key)
		if len(parts) < 2 {
			return
		}
		k.r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		off, ids := parts[:1+k.r.IntN(len(parts)-1)], []string{}
		slices.SortFunc(off, func(x, y string) int { return slices.Index(m.order, x) - slices.Index(m.order, y) })
		for _, v := range off {
			ids = append(ids, fmt.Sprintf("%q", m.variants[v].id))
		}
		k.act("split", fmt.Sprintf(`{"crash_id":%q,"variants":[%s]}`, g.id, strings.Join(ids, ",")))
		m.split(key, off)
	default:
		k.rule(k.r.IntN(len(ruleSets)))
	}
}

// rule previews and applies rules.
func (k *modelKit) rule(rules int) {
	k.Helper()
	k.s.Flush()
	want := object{"before": float64(len(k.m.groups())), "after": float64(len(k.m.classes(rules)))}
	var got object
	testkit.Decode(k, k.result("/o/crashes/preview_rules", "rules", ruleSets[rules].text), &got)
	k.same("preview", object{"before": got["before"], "after": got["after"]}, want)
	k.applyRules(ruleSets[rules].text, k.m.version)
	k.m.version++
	k.m.rule(rules)
}

// applyRules makes rules those of the app.
func (k *kit) applyRules(text string, version int) {
	k.Helper()
	var out struct{ Task string }
	testkit.Decode(k, k.s.Admin("/i/crashes/rules", "app_id", k.a.ID, "rules", text, "version", fmt.Sprint(version)), &out)
	if got := k.task(out.Task); got["status"] != "completed" {
		k.Fatalf("the task ended so: %v", got)
	}
}

// task waits until a task ends.
func (k *kit) task(id string) object {
	k.Helper()
	for range 2000 {
		var out object
		testkit.Decode(k, k.s.Admin("/o/tasks/task", "app_id", k.a.ID, "task_id", id), &out)
		if out["status"] != "running" && out["status"] != "rerunning" {
			return out
		}
		time.Sleep(5 * time.Millisecond)
	}
	k.Fatal("the task does not end")
	return nil
}

// result reads something that may become a task.
func (k *kit) result(path string, pairs ...string) string {
	k.Helper()
	return k.s.Admin(path, append([]string{"app_id", k.a.ID}, pairs...)...)
}
