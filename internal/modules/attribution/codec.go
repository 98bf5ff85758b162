package attribution

import (
	"strconv"

	"quipu/internal/ingest/rawjson"
)

// What profiles keep of touches, and rows of begun sessions of visits, is JSON, written and read by hand: encoding/json took 1 % of the CPU
// of ingestion. Absent members are zero.

// appendText appends a member, unless it is empty. b ends in front of it.
func appendText(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return rawjson.AppendQuote(appendName(b, name), []byte(value))
}

// appendName appends the name of a member.
func appendName(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

// appendTo appends an origin to an object that is under way.
func (o *origin) appendTo(b []byte) []byte {
	b = appendText(b, "ch", o.Channel)
	b = appendText(b, "so", o.Source)
	b = appendText(b, "me", o.Medium)
	b = appendText(b, "ca", o.Campaign)
	b = appendText(b, "co", o.Content)
	b = appendText(b, "te", o.Term)
	return appendText(b, "id", o.ID)
}

// read takes a member that appendTo wrote.
func (o *origin) read(name, v []byte) {
	switch string(name) {
	case "ch":
		o.Channel = textOf(v)
	case "so":
		o.Source = textOf(v)
	case "me":
		o.Medium = textOf(v)
	case "ca":
		o.Campaign = textOf(v)
	case "co":
		o.Content = textOf(v)
	case "te":
		o.Term = textOf(v)
	case "id":
		o.ID = textOf(v)
	}
}

func textOf(v []byte) string {
	text, _ := rawjson.Text(nil, v)
	return string(text)
}

// text is what a profile keeps of a touch.
func (t *touch) text() string {
	b := appendName(t.appendTo(append(make([]byte, 0, 160), '{')), "t")
	b = strconv.AppendInt(b, t.TS, 10)
	if t.Used {
		b = append(appendName(b, "u"), "true"...)
	}
	return string(append(b, '}'))
}

// touchOf reads what text wrote; nil when it is something else.
func touchOf(kept any) *touch {
	text, ok := kept.(string)
	if !ok {
		return nil
	}
	t := &touch{}
	err := rawjson.Members([]byte(text), func(name, v []byte) bool {
		switch string(name) {
		case "t":
			t.TS, _ = strconv.ParseInt(string(v), 10, 64)
		case "u":
			t.Used = string(v) == "true"
		default:
			t.read(name, v)
		}
		return true
	})
	if err != nil {
		return nil
	}
	return t
}

// Kept implements pipeline.SessionBegin.
func (v *visit) Kept() string {
	b := v.appendTo(append(make([]byte, 0, 160), '{'))
	if v.New {
		b = append(appendName(b, "n"), "true"...)
	}
	return string(append(appendText(b, "c", v.User), '}'))
}

// visitOf reads what Kept wrote; nil when it is something else.
func visitOf(kept []byte) *visit {
	v := &visit{}
	err := rawjson.Members(kept, func(name, value []byte) bool {
		switch string(name) {
		case "n":
			v.New = string(value) == "true"
		case "c":
			v.User = textOf(value)
		default:
			v.read(name, value)
		}
		return true
	})
	if err != nil {
		return nil
	}
	return v
}
