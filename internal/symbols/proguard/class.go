package proguard

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// class is the parsed block of a class.
type class struct {
	name       string // original
	sourceFile string // "" unknown
	methods    map[string][]*mapped
	infos      map[string]*info // by residual signature of a method
}

// span is a range of line numbers, both ends included; set is false for none.
type span struct {
	from, to int
	set      bool
}

func (s span) contains(n int) bool { return s.set && s.from <= n && n <= s.to }

// mapped is a line of the mapping about a method: where lines of the obfuscated one come from.
type mapped struct {
	class    string // original, "" for the class of the block
	name     string // obfuscated
	method   string // original
	residual string // signature of the obfuscated method
	minified span
	original span
	rewrites []rewrite
	callsite map[int]int // of an outline: its lines to lines of the caller
}

// info is what comments say of a method.
type info struct {
	synthesized bool
	outline     bool
}

// rewrite removes inner frames when an exception of certain classes was thrown.
type rewrite struct {
	throws []string // names of classes
	remove int
}

// comment is the JSON of a comment that R8 writes.
type comment struct {
	ID         string         `json:"id"`
	FileName   string         `json:"fileName"`
	Signature  string         `json:"signature"`
	Conditions []string       `json:"conditions"`
	Actions    []string       `json:"actions"`
	Positions  map[string]int `json:"positions"`
}

// Identifiers of comments.
const (
	idSourceFile  = "sourceFile"
	idSynthesized = "com.android.tools.r8.synthesized"
	idOutline     = "com.android.tools.r8.outline"
	idCallsite    = "com.android.tools.r8.outlineCallsite"
	idRewrite     = "com.android.tools.r8.rewriteFrame"
	idResidual    = "com.android.tools.r8.residualsignature"
)

func parseClass(name, text string) *class {
	c := &class{name: name, methods: map[string][]*mapped{}, infos: map[string]*info{}}
	var last *mapped
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "#"); ok {
			c.comment(strings.TrimSpace(rest), last)
			continue
		}
		obfuscated, m := parseMember(line)
		if m != nil {
			c.methods[obfuscated] = append(c.methods[obfuscated], m)
		}
		if obfuscated != "" {
			last = m
		}
	}
	return c
}

// comment takes what a comment says; last is the method that it stands below.
func (c *class) comment(text string, last *mapped) {
	var info comment
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &info) != nil {
		return
	}
	if last == nil {
		if info.ID == idSourceFile {
			c.sourceFile = info.FileName
		}
		return
	}
	switch info.ID {
	case idSynthesized:
		c.info(last.residual).synthesized = true
	case idOutline:
		c.info(last.residual).outline = true
	case idRewrite:
		if r, ok := newRewrite(info); ok {
			last.rewrites = append(last.rewrites, r)
		}
	case idCallsite:
		last.callsite = map[int]int{}
		for from, to := range info.Positions {
			if n, err := strconv.Atoi(from); err == nil {
				last.callsite[n] = to
			}
		}
	case idResidual:
		was, is := last.residual, last.name+info.Signature
		for _, m := range c.methods[last.name] {
			if m.residual == was {
				m.residual = is
			}
		}
	}
}

func (c *class) info(residual string) *info {
	if c.infos[residual] == nil {
		c.infos[residual] = &info{}
	}
	return c.infos[residual]
}

func newRewrite(c comment) (rewrite, bool) {
	var r rewrite
	for _, cond := range c.Conditions {
		name, ok := argument(cond, "throws(L")
		if !ok {
			return r, false
		}
		r.throws = append(r.throws, strings.ReplaceAll(strings.TrimSuffix(name, ";"), "/", "."))
	}
	for _, action := range c.Actions {
		if n, ok := argument(action, "removeInnerFrames("); ok {
			if count, err := strconv.Atoi(n); err == nil {
				r.remove += max(count, 0)
			}
		}
	}
	return r, r.remove > 0
}

func argument(text, call string) (string, bool) {
	text, ok := strings.CutPrefix(text, call)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(text, ")")
}

// parseMember reads "1:3:void com.x.Y.method(int):10:12 -> a". A field gives its name and nil, what is no member "".
func parseMember(line string) (obfuscated string, m *mapped) {
	left, obfuscated, ok := strings.Cut(line, " -> ")
	if !ok {
		return "", nil
	}
	obfuscated = strings.TrimSpace(obfuscated)
	minified, left := leading(strings.TrimSpace(left))
	result, left, ok := strings.Cut(left, " ")
	if !ok {
		return "", nil
	}
	name, rest, isMethod := strings.Cut(left, "(")
	if !isMethod {
		return obfuscated, nil
	}
	args, after, ok := strings.Cut(rest, ")")
	if !ok || name == "" {
		return "", nil
	}
	m = &mapped{name: obfuscated, method: name, minified: minified, original: trailing(after), residual: result + " " + obfuscated + "(" + args + ")"}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		m.class, m.method = name[:dot], name[dot+1:]
	}
	return obfuscated, m
}

// leading reads "1:3:" or "1:" before a member.
func leading(text string) (span, string) {
	from, rest, ok := number(text)
	if !ok || !strings.HasPrefix(rest, ":") {
		return span{}, text
	}
	to, rest2, ok := number(rest[1:])
	if !ok || !strings.HasPrefix(rest2, ":") {
		return span{from: from, to: from, set: true}, rest[1:]
	}
	return span{from: from, to: max(from, to), set: true}, rest2[1:]
}

// trailing reads ":10:12" or ":10" after the arguments of a method.
func trailing(text string) span {
	text, ok := strings.CutPrefix(strings.TrimSpace(text), ":")
	if !ok {
		return span{}
	}
	from, rest, ok := number(text)
	if !ok {
		return span{}
	}
	if rest, ok = strings.CutPrefix(rest, ":"); ok {
		if to, _, ok := number(rest); ok {
			return span{from: from, to: to, set: true}
		}
	}
	return span{from: from, to: from, set: true}
}

func number(text string) (n int, rest string, ok bool) {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(text[:end])
	if err != nil || n > math.MaxInt32 {
		return 0, text, false
	}
	return n, text[end:], true
}
