package drill

import (
	"encoding/json"

	"quipu/internal/query"
)

// Written are values as answers have them: by the writer of this package, and the same as package json writes it.
func Written(name, text string, number float64, whole int64, f query.Figures) (mine, plain any) {
	keys := ordered{{name, text}, {"none", nil}}
	o := ordered{{name, number}, {"whole", whole}, {"figures", f}, {"bucket", inBucket{f, keys}}, {"more", f.More}, {"keys", &keys}, {"list", []string{text}}}
	type object = struct {
		query.Figures
		Keys plainKeys `json:"keys"`
	}
	list := plainKeys{{name, text}, {"none", nil}}
	return o, plainKeys{{name, number}, {"whole", whole}, {"figures", f}, {"bucket", object{f, list}}, {"more", f.More}, {"keys", list}, {"list", []string{text}}}
}

// plainKeys is an object whose members package json writes one by one.
type plainKeys []member

// MarshalJSON implements json.Marshaler.
func (p plainKeys) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range p {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}
