package duck

import (
	"encoding/json"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
)

// stateRow is a state as it is stored: its JSON cleaned, and the dimensions in it apart, each in a column of its own. Questions ask for
// dimensions more than for anything else, and to find one in JSON costs a microsecond a state.
type stateRow struct {
	events.State
	props string // "" = there is none
	dims  model.Dims
	known uint64 // bits of the dimensions that it has
}

// upPrefix begins the members of a state that are named by the keys of dimensions.
const upPrefix = "up."

// storedStates returns states as they are stored.
func storedStates(states []*events.State) []*stateRow {
	rows := make([]stateRow, len(states))
	out := make([]*stateRow, len(states))
	for i, s := range states {
		rows[i].State = *s
		rows[i].props, _ = events.StoredJSON(s.JSON)
		rows[i].dims, rows[i].known = dimsOf(rows[i].props)
		out[i] = &rows[i]
	}
	return out
}

// withStateDimensions adds the columns of dimensions. A value is NULL where the state has none, or one that is no text.
func withStateDimensions(columns []column[stateRow]) []column[stateRow] {
	out := append([]column[stateRow](nil), columns...)
	for i := range model.Dimensions {
		out = append(out, words(model.Dimensions[i].Key, func(s *stateRow) (string, bool) { return s.dims[i], s.known>>i&1 == 1 }))
	}
	return out
}

// dimsOf returns the texts among the members of a JSON object that are dimensions, and bits of those there are. Text that is no object has none.
func dimsOf(object string) (dims model.Dims, known uint64) {
	rest := skipSpace(object)
	if !strings.HasPrefix(rest, "{") {
		return dims, known
	}
	for rest = rest[1:]; ; rest = rest[1:] {
		var key, value string
		if rest = skipSpace(rest); !strings.HasPrefix(rest, `"`) {
			return dims, known
		}
		key, rest = cutValue(rest)
		if rest = skipSpace(rest); !strings.HasPrefix(rest, ":") {
			return dims, known
		}
		value, rest = cutValue(skipSpace(rest[1:]))
		if up, ok := strings.CutPrefix(unquoted(key), upPrefix); ok && strings.HasPrefix(value, `"`) {
			if d, ok := model.DimensionByKey(up); ok {
				dims[d] = unquoted(value)
				known |= 1 << d
			}
		}
		if rest = skipSpace(rest); !strings.HasPrefix(rest, ",") {
			return dims, known
		}
	}
}

func skipSpace(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t' || s[0] == '\r' || s[0] == '\n') {
		s = s[1:]
	}
	return s
}

// cutValue returns the value that valid JSON begins with, and what follows it.
func cutValue(s string) (value, rest string) {
	if strings.HasPrefix(s, `"`) { // a text, most of them without escapes
		if end := strings.IndexByte(s[1:], '"') + 2; end > 1 && !strings.Contains(s[:end], `\`) {
			return s[:end], s[end:]
		}
	}
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return s[:i+1], s[i+1:]
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return s[:i], s[i:]
			}
			if depth--; depth == 0 {
				return s[:i+1], s[i+1:]
			}
		case c == ',' && depth == 0:
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// unquoted returns the text of a JSON string.
func unquoted(s string) string {
	if len(s) >= 2 && !strings.Contains(s, `\`) {
		return s[1 : len(s)-1]
	}
	var out string
	_ = json.Unmarshal([]byte(s), &out) // what is no string has no text
	return out
}

// Kept implements sqlplan.Layout: dimensions of states have columns of their own.
func (layout) Kept(m plan.Member) (sqlplan.Part, bool) {
	if m.Of != plan.St("props") || len(m.Path) != 1 {
		return sqlplan.Part{}, false
	}
	key, ok := strings.CutPrefix(m.Path[0], upPrefix)
	if !ok {
		return sqlplan.Part{}, false
	}
	if _, ok := model.DimensionByKey(key); !ok {
		return sqlplan.Part{}, false
	}
	return sqlplan.Raw(sqlplan.Alias(plan.States) + "." + quote(key)), true
}
