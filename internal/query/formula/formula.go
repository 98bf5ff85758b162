// Package formula parses calculated metrics and computes them. It is pure: where the figures come from is the caller's business.
//
// # Language
//
//	formula    sum | sum + formula | sum - formula, and so on as in arithmetic: + - * / ( ) and a sign
//	number     12, 0.5, 5% (which is 0.05)
//	figure     count("buy"), sum("buy"), dur("buy"), users("buy"), average("buy"), with a filter as second argument:
//	           count("buy", {"sg.plan":"pro"}). sessions() and users() are of "[CLY]_session_begin"
//	           sessions("buy"): in which it was done; per_user("buy"): its count by users
//	           median("buy", "sg.price"), percentile("buy", "sg.price", 95), min, max, sum, average, per_user: of the numbers at a path, "s" or "dur"
//	           accounts("buy", "custom.company"): how many different values of a property there are. A filter may stand behind all of these, too
//	function   min(a, b, …), max(a, b, …), abs(a), round(a), round(a, digits)
//
// Names are in lower case, texts and filters are JSON.
//
// # Types
//
// Figures are numbers but dur, and what is computed of "dur", which are seconds. Values of different dimensions can be multiplied and divided, not added, subtracted or compared by
// min and max: dur("a") / count("a") is seconds, dur("a") / dur("b") a number.
//
// # Values
//
// A division by zero is 0, as is a figure where there is nothing to measure, and every value that is no finite number. Nothing is rounded but by round.
package formula

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"quipu/internal/filter"
)

// Bounds of a formula.
const (
	MaxBytes   = 8 << 10
	MaxDepth   = 50
	MaxSources = 20
)

// Measure is a figure of an event.
type Measure uint8

// The measures.
const (
	Count Measure = iota
	Sum
	Dur // seconds
	Users
	Sessions   // in which it was done
	Total      // the sum of the numbers at Source.Of
	Average    // of the numbers at Source.Of
	PerUser    // the sum of the numbers at Source.Of by users; without Of, the count
	Min        // of the numbers at Source.Of
	Max        // of the numbers at Source.Of
	Percentile // Source.Share of the numbers at Source.Of
	Accounts   // how many different values there are at Source.Of
)

// measures are their names.
var measures = []string{
	Count: "count", Sum: "sum", Dur: "dur", Users: "users", Sessions: "sessions", Total: "sum", Average: "average", PerUser: "per_user", Min: "min", Max: "max",
	Percentile: "percentile", Accounts: "accounts",
}

// Source is where a figure comes from.
type Source struct {
	Measure Measure
	Event   string
	// Of is the path of the values that are measured; "" for measures that need none.
	Of string
	// Share is that of Percentile, in hundredths of a percent, 1 to 10,000.
	Share  int
	Filter filter.Expr
}

// Error is what is wrong with the text of a formula, and where: at a character, counted from 0.
type Error struct {
	At int
	// Code says what, for programs; Of is the name, sign or number that it is about, "" where there is none.
	Code, Of string
	Msg      string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s at character %d", e.Msg, e.At+1) }

// Formula is a formula that was parsed.
type Formula struct {
	root node
	// Sources are the figures that it needs, each once.
	Sources []Source
	// Seconds is the dimension of its value: 1 for seconds, 0 for a number, -1 for one by second, and so on.
	Seconds int
}

// node is a part of a formula. Source nodes have their place among the sources, number nodes their value.
type node struct {
	op      byte // '+' '-' '*' '/' 'n' (negated) '#' (number) 's' (source) 'f' (function)
	value   float64
	source  int
	name    string // of a function
	args    []node
	seconds int
}

// Eval computes a value from those of the sources.
func (f *Formula) Eval(values []float64) float64 { return finite(f.root.eval(values)) }

func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

func (n *node) eval(values []float64) float64 {
	switch n.op {
	case '#':
		return n.value
	case 's':
		return finite(values[n.source])
	case 'f':
		return finite(n.call(values))
	case 'n':
		return -n.args[0].eval(values)
	}
	a, b := n.args[0].eval(values), n.args[1].eval(values)
	switch n.op {
	case '+':
		a += b
	case '-':
		a -= b
	case '*':
		a *= b
	default: // '/'
		if b == 0 {
			return 0
		}
		a /= b
	}
	return finite(a)
}

func (n *node) call(values []float64) float64 {
	v := n.args[0].eval(values)
	switch n.name {
	case "abs":
		return math.Abs(v)
	case "round":
		scale := math.Pow(10, n.value)
		return math.Round(v*scale) / scale
	}
	for i := range n.args[1:] {
		w := n.args[i+1].eval(values)
		if n.name == "min" {
			v = math.Min(v, w)
		} else {
			v = math.Max(v, w)
		}
	}
	return v
}

// String writes the formula. Parse reads it as the same one.
func (f *Formula) String() string {
	var b strings.Builder
	f.write(&b, &f.root)
	return b.String()
}

func (f *Formula) write(b *strings.Builder, n *node) {
	switch n.op {
	case '#':
		b.WriteString(strconv.FormatFloat(n.value, 'f', -1, 64))
	case 's':
		s := f.Sources[n.source]
		b.WriteString(measures[s.Measure] + "(" + quote(s.Event))
		if s.Of != "" {
			b.WriteString(", " + quote(s.Of))
		}
		if s.Measure == Percentile {
			b.WriteString(", " + strconv.FormatFloat(float64(s.Share)/100, 'f', -1, 64))
		}
		if !s.Filter.IsZero() {
			b.WriteString(", " + s.Filter.String())
		}
		b.WriteByte(')')
	case 'f':
		b.WriteString(n.name + "(")
		for i := range n.args {
			if i > 0 {
				b.WriteString(", ")
			}
			f.write(b, &n.args[i])
		}
		if n.name == "round" && n.value != 0 {
			b.WriteString(", " + strconv.Itoa(int(n.value)))
		}
		b.WriteByte(')')
	case 'n':
		b.WriteByte('-')
		f.operand(b, &n.args[0])
	default:
		f.operand(b, &n.args[0])
		b.WriteString(" " + string(n.op) + " ")
		f.operand(b, &n.args[1])
	}
}

// operand writes a part in parentheses where it has parts itself.
func (f *Formula) operand(b *strings.Builder, n *node) {
	if n.op == '#' || n.op == 's' || n.op == 'f' {
		f.write(b, n)
		return
	}
	b.WriteByte('(')
	f.write(b, n)
	b.WriteByte(')')
}

// Account is the property whose values are counted; "" for all measures but Accounts.
func (s Source) Account() string {
	if s.Measure == Accounts {
		return s.Of
	}
	return ""
}

// Same reports whether two sources are of the same rows, and of the same accounts.
func (s Source) Same(t Source) bool {
	return s.Event == t.Event && s.Account() == t.Account() && s.Filter.String() == t.Filter.String()
}
