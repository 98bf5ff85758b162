package postgres

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"quipu/internal/filter"
)

// Dialect is the filter.Dialect of PostgreSQL 13 and later in a database of encoding UTF8, with JSON columns of type
// jsonb. Columns of texts have COLLATE "C".
//
// Its texts cannot hold NUL, so the columns, and the texts and keys in the JSON, are in the form of StoredText.
type Dialect struct {
	// Before is how many arguments the statement binds before those of the filter.
	Before int
}

var (
	_ filter.Dialect  = Dialect{}
	_ filter.Operands = Dialect{}
)

// Contains implements filter.Dialect, for a Pattern.
func (Dialect) Contains(text, placeholder string) string {
	return "(" + text + " ~ " + placeholder + ")"
}

// TextOf implements filter.Dialect.
func (Dialect) TextOf(json string) string {
	return "CASE WHEN jsonb_typeof(" + json + ") = 'string' THEN (" + json + " #>> '{}') COLLATE \"C\" END"
}

// NumberOf implements filter.Dialect.
func (Dialect) NumberOf(json string) string {
	return "CASE WHEN jsonb_typeof(" + json + ") = 'number' THEN (" + json + ")::double precision END"
}

// BoolOf implements filter.Dialect.
func (Dialect) BoolOf(json string) string {
	return "CASE WHEN jsonb_typeof(" + json + ") = 'boolean' THEN (" + json + ")::boolean END"
}

// IsNull implements filter.Dialect.
func (Dialect) IsNull(json string) string {
	return "(coalesce(jsonb_typeof(" + json + "), 'null') = 'null')"
}

// SizeOf implements filter.Dialect.
func (Dialect) SizeOf(json string) string {
	return "CASE WHEN jsonb_typeof(" + json + ") = 'array' THEN jsonb_array_length(" + json + ")::bigint END"
}

// AnyOf implements filter.Dialect.
func (Dialect) AnyOf(json string, cond func(element string) string) string {
	return "EXISTS (SELECT 1 FROM jsonb_array_elements(CASE WHEN jsonb_typeof(" + json + ") = 'array' THEN " + json +
		" END) AS elements(element) WHERE " + cond("elements.element") + ")"
}

// Placeholder implements filter.Operands.
func (d Dialect) Placeholder(n int) string { return "$" + strconv.Itoa(d.Before+n) }

// Operand implements filter.Operands.
func (Dialect) Operand(text string) string { return StoredText(text) }

// Double implements filter.Operands.
func (Dialect) Double(integer string) string { return "CAST(" + integer + " AS double precision)" }

// The signs of StoredText: the lead of a code, and its two digits.
const (
	codeLead = '\x01'
	codeZero = '\x02'
	codeOne  = '\x03'
)

// codes are what stands for the signs that a stored text cannot hold, and for those that make up codes.
func codes() [4]string {
	return [4]string{"\x01\x02\x02", "\x01\x02\x03", "\x01\x03\x02", "\x01\x03\x03"}
}

// StoredText is the form in which the dialect keeps a text, without NUL: U+0000 to U+0003 are codes of three signs,
// all others stand for themselves. Texts in this form are equal, in order by their bytes, and begin with
// and contain one another exactly as the texts themselves.
func StoredText(text string) string {
	if !strings.ContainsAny(text, "\x00\x01\x02\x03") {
		return text
	}
	c := codes()
	return strings.NewReplacer("\x00", c[0], "\x01", c[1], "\x02", c[2], "\x03", c[3]).Replace(text)
}

// PlainText is the text whose StoredText is given.
func PlainText(stored string) string {
	if strings.IndexByte(stored, codeLead) < 0 {
		return stored
	}
	c := codes()
	return strings.NewReplacer(c[0], "\x00", c[1], "\x01", c[2], "\x02", c[3], "\x03").Replace(stored)
}

// StoredJSON is the form in which the dialect keeps a JSON value: its texts and keys are in the form of
// StoredText, and its numbers are those that float64 has.
func StoredJSON(body []byte) ([]byte, error) {
	var tree any
	if err := json.Unmarshal(body, &tree); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	return json.Marshal(storedTree(tree))
}

func storedTree(v any) any {
	switch t := v.(type) {
	case string:
		return StoredText(t)
	case []any:
		for i := range t {
			t[i] = storedTree(t[i])
		}
	case map[string]any:
		out := make(map[string]any, len(t))
		for key, value := range t {
			out[StoredText(key)] = storedTree(value)
		}
		return out
	}
	return v
}
