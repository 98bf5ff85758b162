package api

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/params"
)

// Form is what a parameter has to be, as the description of the API says it. The zero value is any text.
type Form struct {
	Kind FormKind
	Enum []string // of FormEnum: the values that there are
	// Range bounds a FormInt; nil = any whole number.
	Range *Range
}

// Range is the numbers from one to another, both included.
type Range struct{ Least, Most int64 }

// nearest returns the number in the range closest to the whole number in a text; ok is false if the text is not a number or is in range.
func (r Range) nearest(text string) (n int64, ok bool) {
	if !wholeNumber.MatchString(text) {
		return 0, false
	}
	sent, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64) // beyond 64 bits it is the last of them
	n = min(max(sent, r.Least), r.Most)
	return n, n != sent || err != nil
}

// FormKind is a kind of parameters.
type FormKind int

// The kinds of parameters.
const (
	FormText   FormKind = iota // any text
	FormInt                    // a whole number
	FormFlag                   // true, false, 1 or 0
	FormEnum                   // one of some values
	FormObject                 // a JSON object
	FormArray                  // a JSON list
	FormPeriod                 // a text of [period.Frame.Parse]
)

var wholeNumber = regexp.MustCompile(`^\s*[+-]?\d+\s*$`)

// misses returns the fault of a parameter that has another form, nil when it has this one. What was sent empty, or as the nothing of
// some language, has every form.
func (f Form) misses(name string, v params.Value) error {
	text := v.String()
	if text == "" || text == "null" || text == "undefined" {
		return nil
	}
	switch f.Kind {
	case FormInt:
		if !wholeNumber.MatchString(text) {
			return BadParam(name, text, "whole number")
		}
	case FormFlag:
		if !slices.Contains([]string{"true", "false", "1", "0"}, text) {
			return BadParam(name, text, "flag: want true or false")
		}
	case FormEnum:
		if !slices.Contains(f.Enum, text) {
			return BadParam(name, text, "value of it: want "+strings.Join(f.Enum, ", "))
		}
	case FormObject:
		if !isJSON(text, '{') {
			return BadParam(name, text, "JSON object")
		}
	case FormArray:
		if !isJSON(text, '[') {
			return BadParam(name, text, "JSON list")
		}
	case FormPeriod:
		if faults := BadPeriod(name, text); len(faults) > 0 {
			return faults[0]
		}
	case FormText:
	}
	return nil
}

// isJSON reports whether a text is JSON that begins with a sign.
func isJSON(text string, begins byte) bool {
	text = strings.TrimSpace(text)
	return text[:min(1, len(text))] == string(begins) && json.Valid([]byte(text))
}

// namedForm is the form of one parameter of a route.
type namedForm struct {
	name string
	form Form
}

// setForms notes what the parameters of each route have to be. Numbers and flags that Go types hold are read by the binder, which
// reports numbers by itself.
func (r *Routes) setForms(of func(route *Route, p Parameter) Form) {
	for _, route := range r.All() {
		route.forms = nil
		for _, p := range route.Parameters() {
			if form := of(route, p); form.Kind != FormText && !p.Path {
				route.forms = append(route.forms, namedForm{p.Name, form})
			}
		}
	}
}

// fit puts numbers that are out of the range of their parameter to the nearest that is in it, before anything reads them, and reports them.
func (c *Call) fit() error {
	if c.route == nil {
		return nil
	}
	for _, f := range c.route.forms {
		if f.form.Range == nil {
			continue
		}
		v, _ := c.Params.Get(f.name)
		n, ok := f.form.Range.nearest(v.String())
		if !ok {
			continue
		}
		if c.header != nil {
			want := fmt.Sprintf("whole number from %d to %d", f.form.Range.Least, f.form.Range.Most)
			if err := c.Ignore(BadParam(f.name, v.String(), want)); err != nil {
				return err
			}
		}
		c.Params.Set(f.name, params.Value{Text: strconv.FormatInt(n, 10)})
	}
	return nil
}

// misfits reports the parameters of a call that are not of their form, but for those that were reported already.
func (c *Call) misfits() error {
	if c.route == nil || len(c.route.forms) == 0 || c.header == nil {
		return nil
	}
	for _, f := range c.route.forms {
		v, ok := c.Params.Get(f.name)
		if !ok {
			continue
		}
		err := f.form.misses(f.name, v)
		if err == nil || slices.ContainsFunc(c.header[WarningHeader], func(w string) bool { return strings.Contains(w, ` "`+f.name+": ") }) {
			continue
		}
		if err := c.Ignore(err); err != nil {
			return err
		}
	}
	return nil
}

// sensible reports the parameters of a request that make no sense: those that its type knows of, and those that are not of their form.
func (c *Call) sensible(req any) error {
	if v, ok := req.(Lenient); ok {
		if err := c.Ignore(v.Ignored()...); err != nil {
			return err
		}
	}
	return c.misfits()
}
