package filter

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a regular expression that Go and RE2 read alike.
type pattern struct {
	source, options string // as given; options sorted, without u
	full            string // with the options written into it
	re              *regexp.Regexp
}

// Bounds that keep a pattern small for every engine: instructions of the
// program, and ranges of characters in it, which RE2 expands to bytes.
const (
	maxProgram = 5000
	maxRanges  = 5000
)

// newPattern compiles source with options, each of "imsu" in any order.
func newPattern(source, options string) (*pattern, error) {
	if len(source) > MaxPattern {
		return nil, tooLarge("$regex has %d bytes, at most %d are allowed", len(source), MaxPattern)
	}
	if strings.ContainsRune(source, 0) {
		return nil, badValue("$regex holds a NUL character")
	}
	flags := strings.Map(func(f rune) rune {
		if strings.ContainsRune(options, f) {
			return f
		}
		return -1
	}, "ims")
	if rest := strings.Trim(options, "imsu"); rest != "" {
		return nil, badValue("$options may hold i, m, s and u")
	}
	full := source
	if flags != "" {
		full = "(?" + flags + ":" + source + ")"
	}
	if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		return nil, badValue("$regex is not valid: %v", err)
	}
	tree, err := syntax.Parse(full, syntax.Perl)
	if err != nil {
		return nil, badValue("$regex is not valid: %v", err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, badValue("$regex is not valid: %v", err)
	}
	ranges := 0
	for _, in := range prog.Inst {
		ranges += len(in.Rune) / 2
	}
	if len(prog.Inst) > maxProgram || ranges > maxRanges {
		return nil, tooLarge("$regex is too complex")
	}
	re, err := regexp.Compile(full)
	if err != nil {
		return nil, badValue("$regex is not valid: %v", err)
	}
	return &pattern{source: source, options: flags, full: full, re: re}, nil
}
