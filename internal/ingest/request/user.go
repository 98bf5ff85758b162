package request

import (
	"bytes"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"quipu/internal/ingest/rawjson"
)

// UserDetails is what a request says about its user.
type UserDetails struct {
	Name         Field
	Username     Field
	Email        Field
	Organization Field
	Phone        Field
	Picture      Field // URL
	Gender       Field // M or F by convention, as sent
	BirthYear    YearField
	// Custom changes custom properties, in the order sent.
	Custom []Change
}

// FieldState says what to do with a named property.
type FieldState uint8

// The states of a named property.
const (
	Absent FieldState = iota // leave it
	Set                      // store the value
	Unset                    // delete it: sent empty, null or as a negative year
)

// Field is a change of a named property.
type Field struct {
	State FieldState
	Value string
}

// YearField is a change of the year of birth.
type YearField struct {
	State FieldState
	Value int64
}

// Op is the way a custom property changes.
type Op uint8

// The operations. Value is a string, float64, bool or []any of these for
// OpSet and OpSetOnce, a float64 for the four numeric ones, and a []any for
// the last three.
const (
	OpSet Op = iota + 1
	OpUnset
	OpSetOnce // only when the property does not exist
	OpInc
	OpMul
	OpMin
	OpMax
	OpPush     // append each value
	OpAddToSet // append each value that is not in the list
	OpPull     // remove all occurrences of each value
)

// Change is one change of a custom property.
type Change struct {
	Key   string // without dots and dollar signs, never empty
	Op    Op
	Value any
}

// opOf returns the operation an operator names.
func opOf(operator string) (Op, bool) {
	switch operator {
	case "$set":
		return OpSet, true
	case "$unset":
		return OpUnset, true
	case "$setOnce":
		return OpSetOnce, true
	case "$inc":
		return OpInc, true
	case "$mul":
		return OpMul, true
	case "$min":
		return OpMin, true
	case "$max":
		return OpMax, true
	case "$push":
		return OpPush, true
	case "$addToSet":
		return OpAddToSet, true
	case "$pull":
		return OpPull, true
	}
	return 0, false
}

// ParseUserDetails reads a user_details object. It returns nil when v is not
// an object or says nothing.
func ParseUserDetails(v []byte) *UserDetails {
	var p Parser
	return p.userDetails(v)
}

func (p *Parser) userDetails(v []byte) *UserDetails {
	if rawjson.KindOf(v) != rawjson.Object {
		return nil
	}
	u := &UserDetails{}
	changed := false
	_ = rawjson.Members(v, func(key, v []byte) bool { // what stood before a fault is kept
		var f *Field
		switch string(key) {
		case "name":
			f = &u.Name
		case "username":
			f = &u.Username
		case "email":
			f = &u.Email
		case "organization":
			f = &u.Organization
		case "phone":
			f = &u.Phone
		case "picture":
			f = &u.Picture
		case "gender":
			f = &u.Gender
		case "byear":
			u.BirthYear = yearField(v)
			changed = changed || u.BirthYear.State != Absent
			return true
		case "custom":
			u.Custom = p.custom(v)
			changed = changed || len(u.Custom) > 0
			return true
		default:
			return true
		}
		*f = p.field(v)
		if f == &u.Picture && isHash(f.Value) {
			*f = Field{} // only the server names uploaded pictures
		}
		changed = changed || f.State != Absent
		return true
	})
	if !changed {
		return nil
	}
	return u
}

// isHash reports whether a text has the form of the content hash by which uploaded pictures are kept. Clients send
// addresses; with the hash of another app's picture they could make it readable.
func isHash(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == 32
}

// field reads a named property; arrays and objects are no change.
func (p *Parser) field(v []byte) Field {
	if rawjson.KindOf(v) == rawjson.Null {
		return Field{State: Unset}
	}
	text, ok := p.scalar(v, MaxNamedProperty)
	switch {
	case !ok:
		return Field{}
	case text == "":
		return Field{State: Unset}
	}
	return Field{State: Set, Value: strings.Clone(text)}
}

func yearField(v []byte) YearField {
	if rawjson.KindOf(v) == rawjson.Null || string(v) == `""` {
		return YearField{State: Unset}
	}
	f, ok := number(v)
	switch {
	case !ok || f > 9999:
		return YearField{}
	case f < 1:
		return YearField{State: Unset}
	}
	return YearField{State: Set, Value: int64(f)}
}

// custom reads the custom object.
func (p *Parser) custom(v []byte) []Change {
	if rawjson.KindOf(v) == rawjson.String {
		v, _ = rawjson.Text(nil, v)
	}
	var out []Change
	_ = rawjson.Members(v, func(key, v []byte) bool {
		if name := p.propertyKey(key); name != "" {
			out = p.property(out, name, v)
		}
		return len(out) < MaxProperties
	})
	return out[:min(len(out), MaxProperties)]
}

// propertyKey returns the name of a custom property without dots and dollar
// signs.
func (p *Parser) propertyKey(raw []byte) string {
	name := p.text(raw, MaxPropertyKey, replacement)
	if !strings.ContainsAny(name, ".$") {
		return strings.Clone(name)
	}
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '$' {
			return -1
		}
		return r
	}, name)
}

// property appends the changes that one member of custom asks for.
func (p *Parser) property(out []Change, name string, v []byte) []Change {
	switch rawjson.KindOf(v) {
	case rawjson.Object:
		if changes, ok := p.modifiers(out, name, v); ok {
			return changes
		}
	case rawjson.String:
		if text, _ := rawjson.Text(nil, v); len(text) > 0 && text[0] == '{' {
			if changes, ok := p.textModifier(out, name, text); ok {
				return changes
			}
		}
	case rawjson.Invalid, rawjson.Null, rawjson.Bool, rawjson.Number, rawjson.Array:
	}
	value := p.value(v)
	if value == nil && rawjson.KindOf(v) != rawjson.Null {
		return out // too large, too deep or out of range: leave the property as it is
	}
	return p.appendChange(out, name, OpSet, value)
}

// modifiers reads {"$inc":5,"$max":9}. It returns false when v holds no
// operator at all and is thus a plain value.
func (p *Parser) modifiers(out []Change, name string, v []byte) ([]Change, bool) {
	found := false
	err := rawjson.Members(v, func(key, v []byte) bool {
		if len(key) == 0 || key[0] != '$' {
			return true
		}
		found = true
		if op, ok := opOf(string(key)); ok {
			out = p.appendChange(out, name, op, p.value(v))
		}
		return true
	})
	return out, found && err == nil
}

// textModifier reads a modifier that came as text: {"$inc":1} or, as some
// SDKs write it, {$inc: 1}.
func (p *Parser) textModifier(out []Change, name string, text []byte) ([]Change, bool) {
	if rawjson.Valid(text) {
		return p.modifiers(out, name, rawjson.Trim(text))
	}
	text = bytes.TrimSpace(text)
	if text[len(text)-1] != '}' {
		return out, false
	}
	word, rest, ok := bytes.Cut(text[1:len(text)-1], []byte{':'})
	op, known := opOf(strings.Trim(string(bytes.TrimSpace(word)), `"'`))
	if !ok || !known {
		return out, false
	}
	rest = bytes.TrimSpace(rest)
	if rawjson.Valid(rest) {
		return p.appendChange(out, name, op, p.value(rest)), true
	}
	return p.appendChange(out, name, op, cleanText(bytes.Trim(rest, `"'`), MaxPropertyValue)), true
}

// appendChange appends a change when the value suits the operation.
func (p *Parser) appendChange(out []Change, name string, op Op, value any) []Change {
	switch op {
	case OpSet, OpSetOnce:
		if value == nil || value == any("") {
			if op == OpSetOnce {
				return out
			}
			op, value = OpUnset, nil
		}
	case OpUnset:
		value = nil
	case OpInc, OpMul, OpMin, OpMax:
		if s, ok := value.(string); ok {
			f, ok := numberText([]byte(s))
			if !ok {
				return out
			}
			value = p.within(f, -MaxNumber, MaxNumber)
		}
		if _, ok := value.(float64); !ok {
			return out
		}
	case OpPush, OpAddToSet, OpPull:
		if value == nil {
			return out
		}
		if _, ok := value.([]any); !ok {
			value = []any{value}
		}
	}
	return append(out, Change{Key: name, Op: op, Value: value})
}

// value returns a property's value: string, float64, bool, []any of these, or nil.
// Objects become their JSON text; those too large, and elements that are
// null, are left out.
func (p *Parser) value(v []byte) any {
	if rawjson.KindOf(v) != rawjson.Array {
		return p.scalarValue(v)
	}
	list := []any{}
	_ = rawjson.Elements(v, func(e []byte) bool {
		if x := p.scalarValue(e); x != nil {
			list = append(list, x)
		}
		return len(list) < MaxPropertyList
	})
	return list
}

func (p *Parser) scalarValue(v []byte) any {
	switch rawjson.KindOf(v) {
	case rawjson.String:
		return strings.Clone(p.text(v[1:len(v)-1], MaxPropertyValue, replacement))
	case rawjson.Number:
		if f, ok := rawjson.ParseWide(v); ok {
			return p.within(f, -MaxNumber, MaxNumber)
		}
	case rawjson.Bool:
		return v[0] == 't'
	case rawjson.Object, rawjson.Array:
		if len(v) <= MaxPropertyValue && rawjson.Valid(v) {
			return cleanText(v, MaxPropertyValue)
		}
	case rawjson.Invalid, rawjson.Null:
	}
	return nil
}

// metrics reads the metrics object; what is not an object is ignored.
func (p *Parser) metrics(v []byte) Metrics {
	if rawjson.KindOf(v) != rawjson.Object {
		return nil
	}
	// Metrics outlive the request in profiles, so they share a block of their own.
	chunk := p.chunk
	p.chunk = make([]byte, 0, min(chunkSize, len(v)))
	defer func() { p.chunk = chunk }()
	var out Metrics
	_ = rawjson.Members(v, func(key, v []byte) bool {
		text, ok := p.scalar(v, MaxMetricValue)
		if !ok || len(key) == 0 {
			return true
		}
		name := p.text(key, MaxMetricName, replacement)
		for i := range out {
			if out[i].Name == name {
				out[i].Value = text
				return true
			}
		}
		if len(out) < MaxMetrics {
			if out == nil {
				out = make(Metrics, 0, 12)
			}
			out = append(out, Metric{Name: name, Value: text})
		}
		return true
	})
	return out
}

// consent reads the full consent state; values that are no flags are left out.
func (p *Parser) consent(v []byte) map[string]bool {
	if rawjson.KindOf(v) != rawjson.Object {
		return nil
	}
	out := map[string]bool{}
	_ = rawjson.Members(v, func(key, v []byte) bool {
		on := false
		switch string(v) {
		case "true", "1", `"true"`, `"1"`:
			on = true
		case "false", "0", `"false"`, `"0"`:
		default:
			return true
		}
		if len(key) > 0 && len(out) < MaxConsents {
			out[strings.Clone(p.text(key, MaxSegmentName, replacement))] = on
		}
		return true
	})
	return out
}

// appendNumber appends the text of a number as JavaScript writes it.
func appendNumber(dst, raw []byte, f float64) []byte {
	if a := math.Abs(f); f == 0 {
		return append(dst, '0')
	} else if a >= 1e-6 && a < 1e21 {
		if len(raw) <= 15 && !bytes.ContainsAny(raw, ".eE") {
			return append(dst, raw...)
		}
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// JavaScript writes 1e-7 where Go writes 1e-07.
	if n := len(dst); n-start > 4 && dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
