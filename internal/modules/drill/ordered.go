package drill

import (
	"encoding/json"
	"math"
	"strconv"

	"quipu/internal/query"
)

// ordered is a JSON object whose members keep their order. The zero value is {}.
type ordered []member

type member struct {
	name  string
	value any
}

func (o *ordered) add(name string, value any) { *o = append(*o, member{name, value}) }

// MarshalJSON implements json.Marshaler. Objects inside are written here as well: what a Marshaler returns is looked at again by each one around it.
func (o ordered) MarshalJSON() ([]byte, error) { return o.append(nil) }

func (o ordered) append(b []byte) (out []byte, err error) {
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, m.name), ':')
		if b, err = appendJSON(b, m.value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendJSON appends a value as package json writes it.
func appendJSON(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case string:
		return appendText(b, v), nil
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case float64:
		return appendNumber(b, v)
	case ordered:
		return v.append(b)
	case *ordered:
		if v != nil {
			return v.append(b)
		}
	case query.Figures:
		b, err := appendFigures(append(b, '{'), v)
		return append(b, '}'), err
	case inBucket:
		b, err := appendFigures(append(b, '{'), v.Figures)
		if err != nil {
			return nil, err
		}
		b, err = v.Keys.append(append(b, `,"keys":`...))
		return append(b, '}'), err
	}
	text, err := json.Marshal(v)
	return append(b, text...), err
}

// appendFigures appends the members of figures.
func appendFigures(b []byte, f query.Figures) ([]byte, error) {
	b = strconv.AppendInt(append(b, `"u":`...), f.Users, 10)
	b = strconv.AppendInt(append(b, `,"t":`...), f.Count, 10)
	b, err := appendNumber(append(b, `,"s":`...), f.Sum)
	if err == nil {
		b, err = appendNumber(append(b, `,"dur":`...), f.Dur)
	}
	if err != nil || len(f.More) == 0 {
		return b, err
	}
	more, err := json.Marshal(f.More)
	return append(append(b, `,"m":`...), more...), err
}

// appendNumber appends a number; only those without an exponent are written here.
func appendNumber(b []byte, x float64) ([]byte, error) {
	if abs := math.Abs(x); abs == 0 && !math.Signbit(x) || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, x, 'f', -1, 64), nil
	}
	text, err := json.Marshal(x)
	return append(b, text...), err
}

// appendText appends a text; only those of plain characters are written here.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			text, _ := json.Marshal(s) // a text
			return append(b, text...)
		}
	}
	b = append(append(b, '"'), s...)
	return append(b, '"')
}
