package crashes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"quipu/internal/fault"
)

// The grouping algorithms. Apps have the first unless their rules say otherwise.
const (
	byText   = 1 // the whole error, normalised, as the protocol has it
	byFrames = 2 // the type of the error and the frames of the app's own code
)

// grouped are rules of an app: which frames count, and which reports belong together. The zero value is the grouping of the protocol.
type grouped struct {
	// Algorithm is the version of the grouping algorithm, 1 or 2; 0 means 1.
	Algorithm int `json:"algorithm"`
	// Stack are rules about single frames. Where several match, the last one counts.
	Stack []stackRule `json:"stack"`
	// Fingerprints say what makes reports one group. The first that matches counts.
	Fingerprints []fingerprintRule `json:"fingerprints"`
}

// stackRule says something of frames that match all conditions.
type stackRule struct {
	Match []condition `json:"match"`
	Do    string      `json:"do"` // one of stackDoes
}

// fingerprintRule makes one group of the reports that match all conditions, for each set of values of its parts.
type fingerprintRule struct {
	Match []condition `json:"match"`
	Parts []string    `json:"parts"` // texts, in which {{name}} stands for one of placeholders
}

// condition compares a text of a report or a frame with a pattern, in which * stands for any text and ? for any character.
type condition struct {
	What    string `json:"what"` // one of frameTexts or reportTexts
	Pattern string `json:"pattern"`
	Not     bool   `json:"not,omitempty"`
}

// What rules may name.
var (
	stackDoes    = []string{"app", "system", "ignore"}
	frameTexts   = []string{"function", "file", "line"}
	reportTexts  = []string{"type", "message", "error", "os", "fatality"}
	placeholders = []string{"default", "type", "message", "function", "file", "frames"}
)

// Bounds of rules.
const (
	maxRules      = 50 // of each sort
	maxConditions = 10
	maxParts      = 10
	maxPattern    = 256      // bytes
	maxRulesText  = 64 << 10 // bytes of all as JSON
)

func badRules(format string, a ...any) error {
	return fault.Newf(fault.Invalid, "crashes.bad_rules", format, a...)
}

// readRules reads rules and says what is wrong with them. Faults: crashes.bad_rules.
func readRules(text []byte) (*grouped, error) {
	r := &grouped{}
	if len(text) > maxRulesText {
		return nil, badRules("The rules are longer than %d bytes", maxRulesText)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if len(bytes.TrimSpace(text)) == 0 || d.Decode(r) != nil || d.More() {
		return nil, badRules("The rules cannot be read")
	}
	return r, r.validate()
}

func (r *grouped) validate() error {
	if r.Algorithm == 0 {
		r.Algorithm = byText
	}
	if r.Algorithm != byText && r.Algorithm != byFrames {
		return badRules("There is no algorithm %d", r.Algorithm)
	}
	if len(r.Stack) > maxRules || len(r.Fingerprints) > maxRules {
		return badRules("There are more than %d rules", maxRules)
	}
	for i, s := range r.Stack {
		if !slices.Contains(stackDoes, s.Do) {
			return badRules("Rule %d for frames does not say what to do", i+1)
		}
		if err := checkConditions(s.Match, fmt.Sprintf("Rule %d for frames", i+1), slices.Concat(frameTexts, []string{"os"})); err != nil {
			return err
		}
	}
	for i, f := range r.Fingerprints {
		name := fmt.Sprintf("Rule %d for groups", i+1)
		if err := checkConditions(f.Match, name, slices.Concat(frameTexts, reportTexts)); err != nil {
			return err
		}
		if len(f.Parts) == 0 || len(f.Parts) > maxParts {
			return badRules("%s needs 1 to %d parts", name, maxParts)
		}
		for _, p := range f.Parts {
			if p == "" || len(p) > maxPattern || strings.ContainsRune(p, 0) {
				return badRules("%s has an empty part, or one that is too long", name)
			}
			for _, m := range placeholder.FindAllStringSubmatch(p, -1) {
				if !slices.Contains(placeholders, m[1]) {
					return badRules("%s names {{%s}}, which there is not", name, m[1])
				}
			}
		}
	}
	if r.Stack == nil {
		r.Stack = []stackRule{}
	}
	if r.Fingerprints == nil {
		r.Fingerprints = []fingerprintRule{}
	}
	return nil
}

func checkConditions(list []condition, of string, known []string) error {
	if len(list) == 0 || len(list) > maxConditions {
		return badRules("%s needs 1 to %d conditions", of, maxConditions)
	}
	for _, c := range list {
		if !slices.Contains(known, c.What) {
			return badRules("%s compares something that it cannot", of)
		}
		if c.Pattern == "" || len(c.Pattern) > maxPattern || strings.ContainsRune(c.Pattern, 0) {
			return badRules("%s has an empty pattern, or one that is too long", of)
		}
	}
	return nil
}

// plain reports whether the rules are the grouping of the protocol.
func (r *grouped) plain() bool {
	return r == nil || r.Algorithm <= byText && len(r.Stack) == 0 && len(r.Fingerprints) == 0
}

// placeholder is what a part of a fingerprint is filled in with.
var placeholder = regexp.MustCompile(`\{\{\s*(\w*)\s*\}\}`)

// fingerprint returns what tells groups apart: reports with the same belong to one group. signature is that of the report, and what the
// grouping of the protocol makes of text.
func (r *grouped) fingerprint(signature, text, os string, nonfatal bool) string {
	if r.plain() {
		return signature
	}
	t := traceOf(text, os, nonfatal)
	ignored := r.apply(t)
	rest := func() string {
		if r.Algorithm == byFrames {
			return hashed("frames", t.byFrames(), os, nonfatal)
		}
		if len(ignored) == 0 {
			return signature
		}
		var kept []string
		for i, line := range t.lines {
			if !ignored[i] {
				kept = append(kept, line)
			}
		}
		return hashed(grouping, normalise(strings.Join(kept, "\n")), os, nonfatal)
	}
	for i := range r.Fingerprints {
		f := &r.Fingerprints[i]
		if !t.matches(f.Match) {
			continue
		}
		parts := make([]string, len(f.Parts))
		for j, p := range f.Parts {
			parts[j] = placeholder.ReplaceAllStringFunc(p, func(name string) string {
				switch placeholder.FindStringSubmatch(name)[1] {
				case "default":
					return rest()
				case "type":
					return t.kind
				case "message":
					return t.message
				case "function":
					return t.top().function
				case "file":
					return t.top().file
				case "frames":
					return t.byFrames()
				}
				return ""
			})
		}
		if len(parts) == 1 && parts[0] == rest() {
			return parts[0]
		}
		return hashed("rule", strings.Join(parts, "\x00"), os, nonfatal)
	}
	return rest()
}

// hashed makes an id of what tells groups apart. Groups never hold reports of two platforms, nor fatal and non-fatal ones.
func hashed(of, text, os string, nonfatal bool) string {
	sum := sha256.Sum256([]byte(of + "\x00" + text + "\x00" + os + "\x00" + yesOrNo(nonfatal, "nonfatal", "fatal")))
	return hex.EncodeToString(sum[:20])
}

// apply has the rules for frames decide about those of a trace, and removes ignored ones, whose lines it returns.
func (r *grouped) apply(t *trace) (ignored map[int]bool) {
	kept := t.frames[:0]
	for _, f := range t.frames {
		drop := false
		for i := range r.Stack {
			if !slices.ContainsFunc(r.Stack[i].Match, func(c condition) bool { return !t.meets(c, &f) }) {
				drop = r.Stack[i].Do == "ignore"
				if !drop {
					f.own = r.Stack[i].Do == "app"
				}
			}
		}
		if drop {
			if ignored == nil {
				ignored = map[int]bool{}
			}
			ignored[f.line] = true
			continue
		}
		kept = append(kept, f)
	}
	t.frames = kept
	return ignored
}

// matches reports whether a trace meets all conditions. Those about frames are met when one and the same frame meets all of them.
func (t *trace) matches(list []condition) bool {
	var ofFrame []condition
	for _, c := range list {
		switch {
		case slices.Contains(frameTexts, c.What):
			ofFrame = append(ofFrame, c)
		case !t.meets(c, nil):
			return false
		}
	}
	return len(ofFrame) == 0 || slices.ContainsFunc(t.frames, func(f frame) bool {
		return !slices.ContainsFunc(ofFrame, func(c condition) bool { return !t.meets(c, &f) })
	})
}

// meets reports whether a trace, or a frame of it, meets a condition.
func (t *trace) meets(c condition, f *frame) bool {
	text := ""
	switch c.What {
	case "function":
		text = f.function
	case "file":
		text = f.file
	case "line":
		text, _ = withoutAddresses(strings.TrimSpace(t.lines[f.line]))
	case "type":
		text = t.kind
	case "message":
		text = t.message
	case "error":
		if t.whole == "" {
			t.whole = normalise(strings.Join(t.lines, "\n"))
		}
		text = t.whole
	case "os":
		text = t.os
	case "fatality":
		text = yesOrNo(t.nonfatal, "nonfatal", "fatal")
	}
	return glob(c.Pattern, text) != c.Not
}

// top is the frame in which the app failed: the first of its own code, else the first.
func (t *trace) top() frame {
	for _, f := range t.frames {
		if f.own {
			return f
		}
	}
	if len(t.frames) > 0 {
		return t.frames[0]
	}
	return frame{}
}

// digits are runs of digits in messages.
var digits = regexp.MustCompile(`[0-9]+`)

// byFrames is what the second algorithm tells groups apart by.
func (t *trace) byFrames() string {
	list := slices.DeleteFunc(slices.Clone(t.frames), func(f frame) bool { return !f.own })
	if len(list) == 0 {
		list = t.frames
	}
	out := []string{t.kind}
	if len(list) == 0 {
		return t.kind + "\x01" + digits.ReplaceAllString(t.message, "0")
	}
	for _, f := range list {
		at := f.function
		if at == "" {
			at = f.file
		}
		if at != out[len(out)-1] || len(out) == 1 { // recursion counts once
			out = append(out, at)
		}
	}
	return strings.Join(out, "\x01")
}

// glob reports whether a text meets a pattern with * and ?.
func glob(pattern, text string) bool {
	p, t := 0, 0
	star, mark := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// compiled remembers rules that were read. It is safe for concurrent use.
type compiled struct {
	mu   sync.RWMutex
	list map[string]*grouped
}

// maxCompiled is how many rules are remembered.
const maxCompiled = 200

// of returns the rules that a text says; nil when it says none.
func (c *compiled) of(text string) *grouped {
	if text == "" {
		return nil
	}
	c.mu.RLock()
	r, known := c.list[text]
	c.mu.RUnlock()
	if known {
		return r
	}
	r, err := readRules([]byte(text))
	if err != nil || r.plain() {
		r = nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == nil || len(c.list) >= maxCompiled {
		c.list = map[string]*grouped{}
	}
	c.list[strings.Clone(text)] = r
	return r
}
