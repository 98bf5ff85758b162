package postgres

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pattern implements filter.Operands: a RE2 expression as an advanced regular expression of PostgreSQL that is found in the
// StoredText of exactly those texts in which the first is found. What groups capture is lost, and with it
// what is greedy. Signs are written as their numbers, and classes as ranges of these, so that neither
// the locale of the database nor its flags matter.
func (Dialect) Pattern(re2 string) string {
	tree, err := syntax.Parse(re2, syntax.Perl)
	if err != nil {
		panic("postgres: expression that the parser has let pass: " + err.Error())
	}
	var b strings.Builder
	b.WriteString("***:")
	writeARE(&b, tree)
	return b.String()
}

// What stands for conditions between signs; neither engine counts letters beyond ASCII as parts of words.
const (
	wordClass   = `[0-9A-Z_a-z]`
	beginLine   = `(?:\A|(?<=\u000a))`
	endLine     = `(?:\Z|(?=\u000a))`
	boundary    = `(?:(?<=` + wordClass + `)(?!` + wordClass + `)|(?<!` + wordClass + `)(?=` + wordClass + `))`
	noBoundary  = `(?:(?:(?<=` + wordClass + `)(?=` + wordClass + `)|(?<!` + wordClass + `)(?!` + wordClass + `))(?![\u0002\u0003]))` // within a code there is no place
	neverFound  = `(?:a\A)`
	emptyText   = `(?:)`
	anyCode     = `\u0001[\u0002\u0003][\u0002\u0003]`
	maxRepeated = 255 // most that {n,m} may say
)

// writeARE writes a part that a quantifier may follow.
func writeARE(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpNoMatch:
		b.WriteString(neverFound)
	case syntax.OpEmptyMatch:
		b.WriteString(emptyText)
	case syntax.OpLiteral:
		b.WriteString("(?:")
		for _, r := range re.Rune {
			writeClass(b, folded(r, re.Flags&syntax.FoldCase != 0))
		}
		b.WriteByte(')')
	case syntax.OpCharClass:
		writeClass(b, re.Rune)
	case syntax.OpAnyCharNotNL:
		writeClass(b, []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune})
	case syntax.OpAnyChar:
		writeClass(b, []rune{0, unicode.MaxRune})
	case syntax.OpBeginLine:
		b.WriteString(beginLine)
	case syntax.OpEndLine:
		b.WriteString(endLine)
	case syntax.OpBeginText:
		b.WriteString(`(?:\A)`)
	case syntax.OpEndText:
		b.WriteString(`(?:\Z)`)
	case syntax.OpWordBoundary:
		b.WriteString(boundary)
	case syntax.OpNoWordBoundary:
		b.WriteString(noBoundary)
	case syntax.OpCapture:
		writeARE(b, re.Sub[0])
	case syntax.OpStar:
		writeRepeated(b, re.Sub[0], 0, -1)
	case syntax.OpPlus:
		writeRepeated(b, re.Sub[0], 1, -1)
	case syntax.OpQuest:
		writeRepeated(b, re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		writeRepeated(b, re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat, syntax.OpAlternate:
		b.WriteString("(?:")
		for i, sub := range re.Sub {
			if i > 0 && re.Op == syntax.OpAlternate {
				b.WriteByte('|')
			}
			writeARE(b, sub)
		}
		b.WriteByte(')')
	}
}

// writeRepeated writes a part least to most times; most -1 is without end.
func writeRepeated(b *strings.Builder, re *syntax.Regexp, least, most int) {
	var part strings.Builder
	writeARE(&part, re)
	times := func(quantifier string) { b.WriteString(part.String() + quantifier) }
	b.WriteString("(?:")
	for rest := least; rest > 0; rest -= maxRepeated {
		times(fmt.Sprintf("{%d}", min(rest, maxRepeated)))
	}
	if most < 0 {
		times("*")
	}
	for rest := most - least; rest > 0; rest -= maxRepeated {
		times(fmt.Sprintf("{0,%d}", min(rest, maxRepeated)))
	}
	b.WriteByte(')')
}

// folded are the ranges of a sign, with its other cases if fold is set.
func folded(r rune, fold bool) []rune {
	ranges := []rune{r, r}
	if fold {
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			ranges = append(ranges, other, other)
		}
	}
	return ranges
}

// writeClass writes one sign of ranges: pairs of their first and last signs.
func writeClass(b *strings.Builder, ranges []rune) {
	if len(ranges) == 2 && ranges[0] == ranges[1] && ranges[0] > codeOne {
		writeSign(b, ranges[0])
		return
	}
	var list strings.Builder
	var coded []string
	for i := 0; i+1 < len(ranges); i += 2 {
		first, last := ranges[i], ranges[i+1]
		for _, part := range [][2]rune{{max(first, codeOne+1), min(last, 0xd7ff)}, {max(first, 0xe000), min(last, utf8.MaxRune)}} {
			if part[0] <= part[1] {
				writeSign(&list, part[0])
			}
			if part[0] < part[1] {
				list.WriteByte('-')
				writeSign(&list, part[1])
			}
		}
		for r := max(first, 0); r <= min(last, codeOne); r++ {
			coded = append(coded, fmt.Sprintf(`\u0001\u%04x\u%04x`, codes()[r][1], codes()[r][2]))
		}
	}
	if len(coded) == codeOne+1 { // all of them
		coded = []string{anyCode}
	}
	if list.Len() > 0 {
		coded = append(coded, "["+list.String()+"]")
	}
	switch len(coded) {
	case 0:
		b.WriteString(neverFound)
	case 1:
		b.WriteString("(?:" + coded[0] + ")")
	default:
		b.WriteString("(?:" + strings.Join(coded, "|") + ")")
	}
}

// writeSign writes a sign that means itself, wherever it stands.
func writeSign(b *strings.Builder, r rune) {
	switch {
	case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
		b.WriteRune(r)
	case r <= 0xffff:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}
