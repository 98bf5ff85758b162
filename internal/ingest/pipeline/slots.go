package pipeline

import (
	"strconv"
	"unicode/utf8"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/store/events"
	"quipu/internal/store/schema"
)

// slotWriter stores properties of a row where the app's schema says.
type slotWriter struct {
	shard *shard
	row   *events.Row
	event string // the key the schema knows the event by
	extra []byte
}

// slot asks the schema for a property's place.
func (w *slotWriter) slot(name string, kind schema.SlotKind) schema.Slot {
	s, ok := w.shard.schema.Segment(w.event, name, kind)
	if !ok {
		return schema.Slot{}
	}
	return s
}

// text stores a text that outlives the batch; an empty one only takes its slot.
func (w *slotWriter) text(name string, v *string) {
	if s := w.slot(name, schema.Text); *v != "" {
		w.putText(name, s, v)
	}
}

func (w *slotWriter) putText(name string, s schema.Slot, v *string) {
	switch s.Kind {
	case schema.Text:
		w.row.Text[s.Index-1] = v
	case schema.JSON:
		w.member(name)
		w.extra = rawjson.AppendQuote(w.extra, []byte(*v))
	case schema.NoSlot, schema.Number:
	}
}

func (w *slotWriter) number(name string, v float64) {
	l := w.shard
	l.numbers = append(l.numbers, v) // when it moves, what points to the old place still finds the number there
	w.putNumber(name, w.slot(name, schema.Number), &l.numbers[len(l.numbers)-1])
}

func (w *slotWriter) putNumber(name string, s schema.Slot, v *float64) {
	switch s.Kind {
	case schema.Number:
		w.row.Num[s.Index-1] = v
	case schema.JSON:
		w.member(name)
		w.extra = strconv.AppendFloat(w.extra, *v, 'g', -1, 64)
	case schema.NoSlot, schema.Text:
	}
}

// json stores a list or object, given as JSON.
func (w *slotWriter) json(name, v string) {
	if w.slot(name, schema.JSON).Kind == schema.JSON {
		w.putJSON(name, v)
	}
}

func (w *slotWriter) putJSON(name, v string) {
	w.member(name)
	w.extra = appendStrict(w.extra, v)
}

func (w *slotWriter) member(name string) {
	if len(w.extra) == 0 {
		w.extra = append(w.extra, '{')
	} else {
		w.extra = append(w.extra, ',')
	}
	w.extra = append(rawjson.AppendQuote(w.extra, []byte(name)), ':')
}

// end finishes the row.
func (w *slotWriter) end() {
	if len(w.extra) > 0 {
		w.row.Extra = string(append(w.extra, '}'))
	}
}

// segment stores a segment's value in its slot.
func (w *slotWriter) segment(g *request.Segment, s schema.Slot) {
	switch g.Kind {
	case request.TextValue:
		w.putText(g.Name, s, &g.Text)
	case request.NumberValue:
		w.putNumber(g.Name, s, &g.Number)
	case request.BoolValue:
		if s.Kind == schema.JSON {
			w.putJSON(g.Name, g.Text)
			return
		}
		w.putText(g.Name, s, &g.Text)
	case request.OtherValue:
		if s.Kind == schema.JSON {
			w.putJSON(g.Name, g.JSON)
		}
	}
}

// slotKind is the kind of slot a segment's value asks for.
func slotKind(g *request.Segment) schema.SlotKind {
	switch g.Kind {
	case request.TextValue, request.BoolValue:
		return schema.Text
	case request.NumberValue:
		return schema.Number
	case request.OtherValue:
	}
	return schema.JSON
}

// appendStrict appends JSON that package rawjson found valid in the form that
// every reader accepts: control characters and lone surrogates in strings,
// which clients send, are escaped and replaced.
func appendStrict(dst []byte, v string) []byte {
	const hex = "0123456789abcdef"
	inString := false
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch {
		case !inString:
			inString = c == '"'
			dst = append(dst, c)
		case c == '"':
			inString = false
			dst = append(dst, c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c != '\\' || i+1 == len(v):
			dst = append(dst, c)
		case v[i+1] != 'u':
			dst = append(dst, c, v[i+1])
			i++
		default:
			n := surrogates(v[i:])
			if n == 0 {
				dst = utf8.AppendRune(dst, utf8.RuneError)
				n = 6
			} else {
				dst = append(dst, v[i:i+n]...)
			}
			i += n - 1
		}
	}
	return dst
}

// surrogates returns the length of the escape, or pair of escapes, that v
// begins with; 0 when it stands for no character.
func surrogates(v string) int {
	code := func(at int) uint64 {
		if len(v) < at+6 || v[at] != '\\' || v[at+1] != 'u' {
			return 0
		}
		n, err := strconv.ParseUint(v[at+2:at+6], 16, 16)
		if err != nil {
			return 0
		}
		return n
	}
	switch high := code(0); {
	case high == 0, high >= 0xdc00 && high < 0xe000: // NUL is no text here either
		return 0
	case high < 0xd800 || high >= 0xe000:
		return 6
	}
	if low := code(6); low >= 0xdc00 && low < 0xe000 {
		return 12
	}
	return 0
}
