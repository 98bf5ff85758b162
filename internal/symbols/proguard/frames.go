package proguard

import "slices"

// maxAlternatives bounds what an ambiguous frame may stand for.
const maxAlternatives = 100

// call is one original frame. line is 0 when it is unknown.
type call struct {
	class, method string
	line          int
}

// alternative is what a frame stands for: the innermost call first, then those that it was inlined into.
type alternative struct {
	calls []call
	outer *mapped // of the outermost call, nil when the method is not in the mapping
	guess bool    // the frame has no line, though the method has them
}

// found are all that a frame may stand for.
type found struct {
	list      []alternative
	ambiguous bool
}

// lookup returns what a frame of the class stands for. line is -1 for a frame without one.
func (c *class) lookup(method string, line int) found {
	ranges := c.methods[method]
	if chain := chainAt(ranges, max(line, 0)); chain != nil {
		return c.atLine(chain, max(line, 0), line)
	}
	var general []*mapped
	for _, m := range ranges {
		if !m.minified.set {
			general = append(general, m)
		}
	}
	switch {
	case len(general) > 0:
		return c.general(general, line)
	case len(ranges) > 0 && line <= 0:
		return c.anyLine(ranges)
	}
	return found{list: []alternative{{calls: []call{{class: c.name, method: method, line: max(line, 0)}}}}}
}

// chainAt returns the first ranges that hold a line, which share it by inlining.
func chainAt(ranges []*mapped, line int) []*mapped {
	for i, m := range ranges {
		if !m.minified.contains(line) {
			continue
		}
		end := i + 1
		for end < len(ranges) && ranges[end].minified == m.minified {
			end++
		}
		return ranges[i:end]
	}
	return nil
}

// atLine makes the frame of a chain. A range of one line that comes from several is ambiguous.
func (c *class) atLine(chain []*mapped, line, given int) found {
	outer := chain[len(chain)-1]
	var lines [][]int // of each call
	most := 1
	for _, m := range chain {
		l := m.lines(line, given)
		lines = append(lines, l)
		most = max(most, len(l))
	}
	out := found{ambiguous: most > 1}
	for i := range most {
		var a alternative
		a.outer = outer
		for j, m := range chain {
			a.calls = append(a.calls, c.call(m, lines[j][min(i, len(lines[j])-1)]))
		}
		out.list = append(out.list, a)
	}
	return out
}

func (c *class) call(m *mapped, line int) call {
	name := m.class
	if name == "" {
		name = c.name
	}
	return call{class: name, method: m.method, line: line}
}

// lines returns the original lines that a line of the range may be; given is the line of the trace, -1 for none.
func (m *mapped) lines(line, given int) []int {
	o := m.original
	switch {
	case !o.set:
		return []int{line}
	case o.to <= o.from:
		return []int{o.from}
	case !m.minified.set:
		if given == 0 {
			return []int{o.from}
		}
		return expanded(o)
	case m.minified.to-m.minified.from == o.to-o.from:
		return []int{o.from + line - m.minified.from}
	}
	return expanded(o)
}

func expanded(o span) []int {
	var out []int
	for n := o.from; n <= o.to && len(out) < maxAlternatives; n++ {
		out = append(out, n)
	}
	return out
}

// general are methods without lines of the obfuscated one: each of them may be meant.
func (c *class) general(ranges []*mapped, line int) found {
	var out found
	for _, m := range ranges {
		for _, n := range m.lines(max(line, 0), line) {
			if len(out.list) < maxAlternatives {
				out.list = append(out.list, alternative{calls: []call{c.call(m, n)}, outer: m})
			}
		}
	}
	out.ambiguous = len(out.list) > 1
	return out
}

// anyLine is a frame without a line in a method that has them: any method of the name that is not only inlined may be meant.
func (c *class) anyLine(ranges []*mapped) found {
	var outer []string
	for i, m := range ranges {
		if last := i+1 == len(ranges) || ranges[i+1].minified != m.minified; last && !slices.Contains(outer, m.residual) {
			outer = append(outer, m.residual)
		}
	}
	var out found
	for _, m := range ranges {
		if i := slices.Index(outer, m.residual); i >= 0 && len(out.list) < maxAlternatives {
			outer[i] = ""
			out.list = append(out.list, alternative{calls: []call{c.call(m, 0)}, outer: m, guess: true})
		}
	}
	out.ambiguous = len(out.list) > 1
	return out
}

// visible drops what a compiler made up and what a thrown exception says to leave out.
func (c *class) visible(a alternative, thrown string) []call {
	calls := a.calls
	if a.outer == nil {
		return calls
	}
	for _, r := range a.outer.rewrites {
		if !a.guess && !slices.ContainsFunc(r.throws, func(name string) bool { return name != thrown }) {
			calls = calls[min(r.remove, len(calls)):]
		}
	}
	if i := c.infos[a.outer.residual]; i != nil && i.synthesized && len(calls) > 0 {
		calls = calls[:len(calls)-1]
	}
	return calls
}

// outlined reports whether a frame is of code that was moved out of others.
func (c *class) outlined(f found) bool {
	if len(f.list) != 1 || f.list[0].outer == nil {
		return false
	}
	i := c.infos[f.list[0].outer.residual]
	return i != nil && i.outline
}
