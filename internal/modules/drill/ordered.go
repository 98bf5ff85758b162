package drill

import (
	"bytes"
	"encoding/json"
)

// ordered is a JSON object whose members keep their order. The zero value is {}.
type ordered []member

type member struct {
	name  string
	value any
}

func (o *ordered) add(name string, value any) { *o = append(*o, member{name, value}) }

// MarshalJSON implements json.Marshaler.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
