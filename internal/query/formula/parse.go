package formula

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quipu/internal/filter"
)

// Parse reads a formula. Errors: *Error.
func Parse(text string) (*Formula, error) {
	p := &parser{text: text, found: &Formula{}, known: map[string]int{}}
	switch {
	case len(text) > MaxBytes:
		return nil, &Error{At: 0, Code: "too_long", Msg: "The formula is too long"}
	case !utf8.ValidString(text):
		return nil, &Error{At: 0, Code: "no_text", Msg: "The formula is no text"}
	}
	root, err := p.sum(0)
	if err == nil && p.skip() < len(text) {
		err = p.fail(p.at, "operator_missing", "", "An operator is missing")
	}
	if err != nil {
		return nil, err
	}
	p.found.root, p.found.Seconds = root, root.seconds
	return p.found, nil
}

type parser struct {
	text  string
	at    int // byte
	found *Formula
	known map[string]int // sources by their text
}

// fail is an error at a byte of the text.
func (p *parser) fail(at int, code, of, msg string) error {
	return &Error{utf8.RuneCountInString(p.text[:min(at, len(p.text))]), code, of, msg}
}

// skip goes on to what is no blank.
func (p *parser) skip() int {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.at
}

// next returns the character that follows, 0 at the end.
func (p *parser) next() byte {
	if p.skip() == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) sum(depth int) (node, error) { return p.chain(depth, "+-", p.product) }

func (p *parser) product(depth int) (node, error) { return p.chain(depth, "*/", p.signed) }

// chain reads parts with operators of one kind between them.
func (p *parser) chain(depth int, operators string, part func(int) (node, error)) (node, error) {
	left, err := part(depth)
	for terms := depth; err == nil; {
		op := p.next()
		if op == 0 || strings.IndexByte(operators, op) < 0 {
			return left, nil
		}
		at := p.at
		p.at++
		if terms++; terms > MaxDepth { // each term is a level of the tree
			return left, p.fail(at, "too_deep", "", "The formula is nested too deep")
		}
		var right node
		if right, err = part(depth); err != nil {
			return left, err
		}
		out := node{op: op, args: []node{left, right}}
		switch op {
		case '*':
			out.seconds = left.seconds + right.seconds
		case '/':
			out.seconds = left.seconds - right.seconds
		default:
			if out.seconds = left.seconds; left.seconds != right.seconds {
				return left, p.fail(at, "mixed", "", mixed(left, right))
			}
		}
		left = out
	}
	return left, err
}

// mixed says that two values do not go together.
func mixed(a, b node) string {
	return dimension(a.seconds) + " and " + dimension(b.seconds) + " do not go together"
}

// dimension is a dimension in words.
func dimension(seconds int) string {
	switch seconds {
	case 0:
		return "Numbers"
	case 1:
		return "Seconds"
	}
	return "Seconds to the power of " + strconv.Itoa(seconds)
}

func (p *parser) signed(depth int) (node, error) {
	if depth > MaxDepth {
		return node{}, p.fail(p.at, "too_deep", "", "The formula is nested too deep")
	}
	if c := p.next(); c == '-' || c == '+' {
		p.at++
		n, err := p.signed(depth + 1)
		if c == '-' {
			n = node{op: 'n', args: []node{n}, seconds: n.seconds}
		}
		return n, err
	}
	return p.value(depth)
}

func (p *parser) value(depth int) (node, error) {
	switch c := p.next(); {
	case c == '(':
		p.at++
		n, err := p.sum(depth + 1)
		if err == nil {
			err = p.expect(')')
		}
		return n, err
	case c == '.' || c >= '0' && c <= '9':
		return p.number()
	case c >= 'a' && c <= 'z':
		return p.named(depth)
	}
	return node{}, p.fail(p.at, "value_missing", "", "A figure, a number or a parenthesis is missing")
}

func (p *parser) expect(c byte) error {
	if p.next() != c {
		return p.fail(p.at, "missing", string(c), string(c)+" is missing")
	}
	p.at++
	return nil
}

func (p *parser) number() (node, error) {
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] == '.' || p.text[p.at] >= '0' && p.text[p.at] <= '9') {
		p.at++
	}
	v, err := strconv.ParseFloat(p.text[from:p.at], 64)
	if err != nil {
		return node{}, p.fail(from, "no_number", "", "This is no number")
	}
	if p.at < len(p.text) && p.text[p.at] == '%' {
		p.at++
		v /= 100
	}
	return node{op: '#', value: v}, nil
}

// word reads a name.
func (p *parser) word() string {
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] >= 'a' && p.text[p.at] <= 'z' || p.text[p.at] == '_') {
		p.at++
	}
	return p.text[from:p.at]
}

// named reads a figure or a function.
func (p *parser) named(depth int) (node, error) {
	at := p.at
	name := p.word()
	if err := p.expect('('); err != nil {
		return node{}, err
	}
	if (name == "min" || name == "max") && p.next() != '"' {
		return p.function(at, name, depth)
	}
	switch name {
	case "count":
		return p.figure(at, Count)
	case "sum":
		return p.figure(at, Sum)
	case "dur":
		return p.figure(at, Dur)
	case "users":
		return p.figure(at, Users)
	case "sessions":
		if p.next() != ')' {
			return p.figure(at, Sessions)
		}
		return p.figure(at, Count)
	case "per_user":
		return p.figure(at, PerUser)
	case "min":
		return p.figure(at, Min)
	case "max":
		return p.figure(at, Max)
	case "median":
		return p.ofNumbers(at, Percentile, medianShare)
	case "percentile":
		return p.figure(at, Percentile)
	case "accounts":
		return p.figure(at, Accounts)
	case "average":
		sum, err := p.figure(at, Average)
		if err != nil || p.found.Sources[sum.source].Measure == Average {
			return sum, err
		}
		of := p.found.Sources[sum.source]
		of.Measure = Count
		count, err := p.source(at, of)
		return node{op: '/', args: []node{sum, count}}, err
	case "abs", "round":
		return p.function(at, name, depth)
	}
	return node{}, p.fail(at, "no_name", name, "There is no "+name)
}

// sessions is the event of figures that name none.
const sessions = "[CLY]_session_begin"

// medianShare is the share of a percentile that is a median.
const medianShare = 5000

// accountPaths begin the paths of properties whose values can be counted.
var accountPaths = []string{"sg.", "up.", "custom.", "cmp."}

// figure reads the arguments of a figure, behind its parenthesis.
func (p *parser) figure(at int, m Measure) (node, error) { return p.ofNumbers(at, m, 0) }

// ofNumbers is figure with the share of a percentile; 0 = it stands among the arguments.
func (p *parser) ofNumbers(at int, m Measure, share int) (node, error) {
	s := Source{Measure: m, Event: sessions, Share: share}
	if p.next() == ')' && (m == Count || m == Users) {
		p.at++
		return p.source(at, s)
	}
	begin := p.skip()
	if p.next() != '"' {
		return node{}, p.fail(p.at, "event_missing", "", "The key of an event is missing")
	}
	if !p.json(&s.Event) || s.Event == "" {
		return node{}, p.fail(begin, "no_event", "", "This is no key of an event")
	}
	if err := p.path(&s); err != nil {
		return node{}, err
	}
	if p.next() == ',' {
		p.at++
		begin = p.skip()
		var raw json.RawMessage
		if p.next() != '{' || !p.json(&raw) {
			return node{}, p.fail(begin, "filter_missing", "", "A filter is missing")
		}
		var err error
		if s.Filter, err = filter.Parse([]byte(raw)); err != nil {
			return node{}, p.fail(begin, "no_filter", "", "This is no filter")
		}
	}
	if err := p.expect(')'); err != nil {
		return node{}, err
	}
	return p.source(at, s)
}

// path reads what is measured, behind the key of an event, where there is something.
func (p *parser) path(s *Source) error {
	needs := s.Measure == Min || s.Measure == Max || s.Measure == Percentile || s.Measure == Accounts
	takes := needs || s.Measure == Sum || s.Measure == Average || s.Measure == PerUser
	before := p.at
	if p.next() == ',' {
		p.at++
	}
	begin := p.skip()
	if !takes || p.at == before || p.next() != '"' {
		if needs {
			return p.fail(begin, "property_missing", "", "The property that is measured is missing")
		}
		if p.at = before; s.Measure == Average {
			s.Measure = Sum // of the events' sums, by their count
		}
		return nil
	}
	account := func(prefix string) bool { return strings.HasPrefix(s.Of, prefix) && len(s.Of) > len(prefix) }
	if !p.json(&s.Of) || s.Of == "" || len(s.Of) > filter.MaxPath || s.Measure == Accounts && !slices.ContainsFunc(accountPaths, account) {
		return p.fail(begin, "no_property", "", "This is no property")
	}
	if s.Measure == Sum {
		s.Measure = Total
	}
	if s.Measure != Percentile || s.Share > 0 {
		return nil
	}
	if err := p.expect(','); err != nil {
		return err
	}
	begin = p.skip()
	var n float64
	if c := p.next(); c < '0' || c > '9' || !p.json(&n) {
		return p.fail(begin, "no_percentile", "", "A percentile is a number from 0.01 to 100 with up to two decimals")
	}
	share := math.Round(min(n, 101) * 100)
	if s.Share = int(share); s.Share < 1 || s.Share > 10_000 || math.Abs(n*100-share) > 1e-6 {
		return p.fail(begin, "no_percentile", "", "A percentile is a number from 0.01 to 100 with up to two decimals")
	}
	return nil
}

// json reads a JSON value.
func (p *parser) json(dst any) bool {
	d := json.NewDecoder(strings.NewReader(p.text[p.at:]))
	if d.Decode(dst) != nil {
		return false
	}
	p.at += int(d.InputOffset())
	return true
}

// source is the node of a source, which is needed once only.
func (p *parser) source(at int, s Source) (node, error) {
	key := strconv.Itoa(int(s.Measure)) + "," + strconv.Itoa(s.Share) + quote(s.Event) + quote(s.Of) + s.Filter.String()
	i, ok := p.known[key]
	if !ok {
		if i = len(p.found.Sources); i == MaxSources {
			return node{}, p.fail(at, "too_many_figures", strconv.Itoa(MaxSources), "There are more than "+strconv.Itoa(MaxSources)+" figures")
		}
		p.known[key] = i
		p.found.Sources = append(p.found.Sources, s)
	}
	n := node{op: 's', source: i}
	if s.Measure == Dur || s.Of == "dur" && s.Measure != Accounts {
		n.seconds = 1
	}
	return n, nil
}

// function reads the arguments of a function, behind its parenthesis.
func (p *parser) function(at int, name string, depth int) (node, error) {
	n := node{op: 'f', name: name}
	for {
		begin := p.skip()
		arg, err := p.sum(depth + 1)
		if err != nil {
			return n, err
		}
		switch {
		case name == "round" && len(n.args) == 1:
			if arg.op != '#' || arg.value != math.Trunc(arg.value) || arg.value > 10 || n.value != 0 {
				return n, p.fail(begin, "no_digits", "", "Digits are a number from 0 to 10")
			}
			n.value = arg.value
			return n, p.expect(')')
		case len(n.args) > 0 && arg.seconds != n.seconds:
			return n, p.fail(begin, "mixed", "", mixed(n.args[0], arg))
		case len(n.args) == MaxDepth:
			return n, p.fail(begin, "too_many_arguments", "", "There are too many arguments")
		}
		n.args, n.seconds = append(n.args, arg), arg.seconds
		if p.next() != ',' || name == "abs" {
			break
		}
		p.at++
	}
	if len(n.args) == 1 && (name == "min" || name == "max") {
		return n, p.fail(at, "few_arguments", name, name+" has several arguments")
	}
	return n, p.expect(')')
}

// quote writes a text as JSON.
func quote(text string) string {
	b, _ := json.Marshal(text) // a text
	return string(b)
}
