// Package params reads the parameters of a request as the protocol has them:
// the union of query string, urlencoded or multipart body and JSON object
// body, under any verb, tolerant of what real clients send.
package params

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Value is one parameter: text, or JSON when it came structured.
type Value struct {
	Text string
	// JSON is set when the parameter was not plain text: an element of a JSON
	// body, or bracket syntax (name[key]=…).
	JSON json.RawMessage
	// Brackets says that JSON was put together from bracket syntax.
	Brackets bool
}

// IsText reports whether the parameter came as plain text.
func (v Value) IsText() bool { return v.JSON == nil }

// Raw returns the value as JSON text: structured values as they are, text that
// is itself JSON unquoted.
func (v Value) Raw() []byte {
	if v.JSON != nil {
		return v.JSON
	}
	return []byte(v.Text)
}

// String returns text as it came, JSON strings and numbers as their text, and
// other JSON in its written form.
func (v Value) String() string {
	if v.JSON == nil {
		return v.Text
	}
	var s string
	if json.Unmarshal(v.JSON, &s) == nil {
		return s
	}
	return string(v.JSON)
}

// Echo returns a value as answers repeat it: of the type it came in, nil when it
// was not sent.
func (v Value) Echo() any {
	switch {
	case v.JSON != nil:
		return v.JSON
	case v.Text != "":
		return v.Text
	}
	return nil
}

// Params holds the parameters of one request. The zero value has none.
type Params struct {
	names  []string
	values map[string]Value
	// nested are the parameters in bracket syntax that nobody has asked for yet.
	nested map[string]*nested
	// again counts what was sent more than once: the times after the first.
	again  map[string]int
	signed string
	// read is notified of each name that is asked for; nil for nobody.
	read func(name string)
}

// Watch notifies fn of each name that is asked for from now on; nil ends that.
func (p *Params) Watch(fn func(name string)) { p.read = fn }

// Set adds or replaces a parameter; its place in the order is that of its first setting.
func (p *Params) Set(name string, v Value) {
	if p.values == nil {
		p.values = map[string]Value{}
	}
	if _, ok := p.values[name]; !ok {
		p.names = append(p.names, name)
	}
	p.values[name] = v
	delete(p.nested, name)
}

// Get returns a parameter and whether it was sent.
func (p *Params) Get(name string) (Value, bool) {
	if p.read != nil {
		p.read(name)
	}
	if n := p.nested[name]; n != nil {
		p.Set(name, n.value())
	}
	v, ok := p.values[name]
	return v, ok
}

func (p *Params) get(name string) Value {
	v, _ := p.Get(name)
	return v
}

// Text returns a parameter as text, "" when it was not sent.
func (p *Params) Text(name string) string { return p.get(name).String() }

// Has reports whether a parameter was sent with a value that is not empty.
func (p *Params) Has(name string) bool { return p.get(name).String() != "" }

// Times returns how often a parameter was sent, by the query string and the body together. The pairs of a
// parameter in bracket syntax are one parameter.
func (p *Params) Times(name string) int {
	if _, sent := p.values[name]; !sent {
		return 0
	}
	return 1 + p.again[name]
}

// repeated counts one more sending of a parameter that is there.
func (p *Params) repeated(name string) {
	if _, sent := p.values[name]; !sent {
		return
	}
	if p.again == nil {
		p.again = map[string]int{}
	}
	p.again[name]++
}

// Signed returns the raw text that a checksum covers: the urlencoded body if
// there is one, else the query string, as received.
func (p *Params) Signed() string { return p.signed }

// Names returns the parameter names in the order received.
func (p *Params) Names() []string { return p.names }

// Int returns a parameter as an integer, or def when it is missing or no number.
func (p *Params) Int(name string, def int) int {
	n, err := strconv.Atoi(strings.TrimSpace(p.Text(name)))
	if err != nil {
		return def
	}
	return n
}

// Truthy reports whether a flag is on, see On.
func (p *Params) Truthy(name string) bool { return On(p.Text(name)) }

// On reports whether the value of a flag says that it is on: not "", "0", "false", "null" or "undefined".
func On(text string) bool {
	switch text {
	case "", "0", "false", "null", "undefined":
		return false
	}
	return true
}

// Decode reads a structured parameter (JSON text, or structured already) into dst.
func (p *Params) Decode(name string, dst any) error {
	v := p.get(name)
	return json.Unmarshal(v.Raw(), dst)
}
