package export

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"quipu/internal/params"
)

// mapping says how values of some fields are shown: formatFields of
// /o/export/db, and mapper of /o/export/request.
type mapping struct {
	Zone   string               `json:"tz,omitempty"`
	Fields map[string]transform `json:"fields,omitempty"`
}

// transform changes the values of one field.
type transform struct {
	To      string `json:"to,omitempty"`     // "time": a moment in s or ms becomes a date
	Format  string `json:"format,omitempty"` // of the date, as YYYY-MM-DD HH:mm:ss
	Type    string `json:"type,omitempty"`   // "number", or "second": a length of time
	Formula *struct {
		Eq string `json:"$eq"`
	} `json:"formula,omitempty"` // takes the value of another field
}

// mappingOf reads a mapping; what is none maps nothing.
func mappingOf(v params.Value) *mapping {
	var m mapping
	if json.Unmarshal(v.Raw(), &m) != nil || len(m.Fields) == 0 {
		return nil
	}
	return &m
}

// source returns the path whose value a field shows.
func (m *mapping) source(path string) string {
	if m == nil {
		return path
	}
	if t, ok := m.Fields[path]; ok && t.Formula != nil && t.Formula.Eq != "" {
		return t.Formula.Eq
	}
	return path
}

// copies lists the fields that exist only by a formula.
func (m *mapping) copies() []string {
	if m == nil {
		return nil
	}
	var out []string
	for path := range m.Fields {
		if m.source(path) != path {
			out = append(out, path)
		}
	}
	return out
}

// value returns what a field shows in place of v.
func (m *mapping) value(path string, v any) any {
	if m == nil || v == nil {
		return v
	}
	t, ok := m.Fields[path]
	if !ok {
		return v
	}
	n, isNumber := numberOf(v)
	if !isNumber {
		return v
	}
	switch {
	case t.To == "time":
		return m.date(n, t.Format)
	case t.Type == "second":
		return length(n)
	case t.Type == "number":
		return grouped(n)
	}
	return v
}

func numberOf(v any) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	case json.Number:
		f, err := x.Float64()
		return f, err == nil
	}
	return 0, false
}

// date tells a moment given in seconds, or in ms when it is that large.
func (m *mapping) date(n float64, format string) any {
	if math.Abs(n) > 1e15 || math.IsNaN(n) {
		return n
	}
	loc, err := time.LoadLocation(m.Zone)
	if err != nil {
		loc = time.UTC
	}
	at := time.UnixMilli(int64(n))
	if math.Abs(n) < 1e11 {
		at = time.UnixMilli(int64(n * 1000))
	}
	if format == "" {
		format = "YYYY-MM-DD HH:mm:ss"
	}
	return dateText(at.In(loc), format)
}

// dateText writes a moment in the format language of the wire; letters it does not know, and
// text in brackets, stay.
func dateText(at time.Time, format string) string {
	var b strings.Builder
	for format != "" {
		if inner, rest, ok := strings.Cut(strings.TrimPrefix(format, "["), "]"); ok && format[0] == '[' {
			b.WriteString(inner)
			format = rest
			continue
		}
		n := 1
		for n < len(format) && format[n] == format[0] {
			n++
		}
		b.WriteString(datePart(at, format[:n]))
		format = format[n:]
	}
	return b.String()
}

func datePart(at time.Time, token string) string {
	layouts := map[string]string{
		"YYYY": "2006", "YY": "06", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1", "DD": "02", "D": "2",
		"dddd": "Monday", "ddd": "Mon", "HH": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5",
		"SSS": "000", "A": "PM", "a": "pm", "Z": "-07:00", "ZZ": "-0700", "z": "MST",
	}
	switch token {
	case "H":
		return strconv.Itoa(at.Hour())
	case "X":
		return strconv.FormatInt(at.Unix(), 10)
	case "x":
		return strconv.FormatInt(at.UnixMilli(), 10)
	case "SSS":
		return fmt.Sprintf("%03d", at.Nanosecond()/1e6)
	}
	if layout, ok := layouts[token]; ok {
		return at.Format(layout)
	}
	return token
}

// length tells seconds as hours, minutes and seconds.
func length(n float64) any {
	if n < 0 || n > 1e12 || math.IsNaN(n) {
		return n
	}
	s := int64(math.Round(n))
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// grouped writes a number with commas between thousands and at most two decimals.
func grouped(n float64) any {
	if math.Abs(n) > 1e15 || math.IsNaN(n) {
		return n
	}
	whole, decimals, _ := strings.Cut(strconv.FormatFloat(math.Abs(n), 'f', 2, 64), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if decimals = strings.TrimRight(decimals, "0"); decimals != "" {
		whole += "." + decimals
	}
	if n < 0 && strings.Trim(whole, "0.,") != "" {
		whole = "-" + whole
	}
	return whole
}
