package api

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quipu/internal/params"
)

// Form is what a parameter has to be, as the description of the API says it. The zero value is any text.
type Form struct {
	Kind FormKind
	Enum []string // of FormEnum: the values that there are
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
