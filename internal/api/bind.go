package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/params"
)

// binder fills a request struct from the parameters.
//
// A struct that is embedded is filled in the same way. A field is bound by its tag `param:"name"`, or `path:"name"` for an element
// of the path. Fields of type string take text; integers, floats and bools are read leniently
// (what cannot be read stays zero, as the protocol ignores it, and is a warning: [Call.Ignore]); params.Value takes the
// parameter as it came; json.RawMessage and every other type take structured
// parameters (JSON text or already structured) and refuse unusable ones with
// `Could not parse parameter "name"`.
type binder func(dst reflect.Value, c *Call) error

// Parameter is a parameter of a route, as its request type declares it.
type Parameter struct {
	Name string
	Path bool         // an element of the path
	Type reflect.Type // of the field that it is bound to
}

// Parameters lists the parameters of the route's request type, in its order.
func (r *Route) Parameters() []Parameter { return parametersOf(r.Req) }

// Bind fills a request type from parameters that do not stand in a request, such as those of a read that is made later.
func Bind[Req any](p *params.Params) (req Req, err error) {
	err = binderOf(reflect.TypeFor[Req]())(reflect.ValueOf(&req).Elem(), &Call{Params: p, request: &http.Request{}})
	return req, err
}

// Sent reports whether a parameter was sent, be it empty: where that changes something, and what is not sent does not.
func (c *Call) Sent(name string) bool {
	_, ok := c.Params.Get(name)
	return ok
}

func parametersOf(t reflect.Type) []Parameter {
	var out []Parameter
	for f := range t.Fields() {
		switch {
		case f.Anonymous:
			out = append(out, parametersOf(f.Type)...)
		case f.Tag.Get("path") != "":
			out = append(out, Parameter{Name: f.Tag.Get("path"), Path: true, Type: f.Type})
		default:
			out = append(out, Parameter{Name: f.Tag.Get("param"), Type: f.Type})
		}
	}
	return out
}

func binderOf(t reflect.Type) binder {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("api: request type %s is not a struct", t))
	}
	var steps []binder
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			part := binderOf(f.Type)
			steps = append(steps, func(dst reflect.Value, c *Call) error { return part(dst.Field(i), c) })
			continue
		}
		if name := f.Tag.Get("path"); name != "" {
			steps = append(steps, func(dst reflect.Value, c *Call) error {
				dst.Field(i).SetString(c.PathValues[name])
				return nil
			})
			continue
		}
		name := f.Tag.Get("param")
		if name == "" {
			panic(fmt.Sprintf("api: field %s of %s has no param tag", f.Name, t))
		}
		set := setterOf(f.Type, name)
		steps = append(steps, func(dst reflect.Value, c *Call) error {
			v, ok := c.Params.Get(name)
			if !ok {
				return nil
			}
			return set(dst.Field(i), c, v)
		})
	}
	return func(dst reflect.Value, c *Call) error {
		for _, step := range steps {
			if err := step(dst, c); err != nil {
				return err
			}
		}
		return nil
	}
}

func setterOf(t reflect.Type, name string) func(reflect.Value, *Call, params.Value) error {
	if t == reflect.TypeFor[params.Value]() {
		return func(dst reflect.Value, _ *Call, v params.Value) error { dst.Set(reflect.ValueOf(v)); return nil }
	}
	switch t.Kind() {
	case reflect.String:
		return func(dst reflect.Value, _ *Call, v params.Value) error { dst.SetString(v.String()); return nil }
	case reflect.Bool:
		return func(dst reflect.Value, _ *Call, v params.Value) error {
			s := v.String()
			dst.SetBool(s != "" && s != "0" && s != "false" && s != "null")
			return nil
		}
	case reflect.Int, reflect.Int64:
		return func(dst reflect.Value, c *Call, v params.Value) error {
			text := strings.TrimSpace(v.String())
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return c.ignoreNumber(name, text)
			}
			dst.SetInt(n)
			return nil
		}
	case reflect.Float64:
		return func(dst reflect.Value, c *Call, v params.Value) error {
			text := strings.TrimSpace(v.String())
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return c.ignoreNumber(name, text)
			}
			dst.SetFloat(n)
			return nil
		}
	default:
		return func(dst reflect.Value, _ *Call, v params.Value) error {
			if err := json.Unmarshal(v.Raw(), dst.Addr().Interface()); err != nil {
				return fault.Wrap(err, fault.Invalid, "request.bad_parameter",
					fmt.Sprintf("Could not parse parameter %q: %s", name, clip(v.String())))
			}
			return nil
		}
	}
}

// ignoreNumber does without a number that is none; nothing at all is no number that was sent.
func (c *Call) ignoreNumber(name, text string) error {
	if text == "" {
		return nil
	}
	return c.Ignore(BadParam(name, text, "number"))
}

// clip bounds what an error repeats of the caller's text.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}

// clipTo cuts a text to a number of bytes.
func clipTo(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}
