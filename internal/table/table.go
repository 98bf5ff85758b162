// Package table writes rows as CSV, JSON and XLSX files, one row after the
// other: memory does not grow with their number.
//
// A value is nil (absent), string, bool, int64, float64, json.Number or json.RawMessage.
package table

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// Column is one column of a table.
type Column struct {
	// Path is where its value stands in a JSON document: keys of nested objects.
	// No path at all stands for the whole document.
	Path []string
	// Title heads the column in CSV and XLSX; "" = the path with dots.
	Title string
}

// Key returns the path with dots.
func (c Column) Key() string { return strings.Join(c.Path, ".") }

func (c Column) title() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Key()
}

// Writer writes one table. Begin comes first and Close last; without Close the
// file is not complete. Abort ends what will not be completed; after Close it does nothing.
type Writer interface {
	Begin(columns []Column) error
	// Row writes a row that has a value for each column. It keeps nothing of it.
	Row(values []any) error
	Close() error
	Abort()
}

// Format is a file format.
type Format uint8

// The formats. The old XLS is served as XLSX, which every program reads that reads XLS.
const (
	JSON Format = iota
	CSV
	XLSX
)

// ParseFormat reads the wire's name of a format and reports whether there is such a one; unknown ones are JSON.
func ParseFormat(s string) (f Format, known bool) {
	switch strings.ToLower(s) {
	case "csv":
		return CSV, true
	case "xls", "xlsx":
		return XLSX, true
	case "json":
		return JSON, true
	}
	return JSON, false
}

// Ext returns the extension of file names, without a dot.
func (f Format) Ext() string { return [...]string{"json", "csv", "xlsx"}[f] }

// ContentType returns the content type.
func (f Format) ContentType() string {
	return [...]string{
		"application/json; charset=utf-8", "text/csv; charset=utf-8",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	}[f]
}

// Streams reports whether the file comes out while rows go in. Of the other formats
// nothing is written before Close.
func (f Format) Streams() bool { return f != XLSX }

// New returns a writer of the format.
func New(f Format, w io.Writer) Writer {
	switch f {
	case CSV:
		return newCSV(w)
	case XLSX:
		return newXLSX(w)
	case JSON:
	}
	return newJSON(w)
}

// text returns a value as text; ok is false if it is absent, and plain is true for what
// cannot be taken for anything but a number or a truth value.
func text(v any) (s string, plain, ok bool) {
	switch x := v.(type) {
	case nil:
		return "", true, false
	case string:
		return x, false, true
	case bool:
		return strconv.FormatBool(x), true, true
	case int64:
		return strconv.FormatInt(x, 10), true, true
	case float64:
		return formatFloat(x), true, true
	case json.Number:
		return x.String(), true, true
	case json.RawMessage:
		return string(x), false, true
	}
	return "", false, false
}

// formatFloat writes whole numbers without exponent, as JSON does up to 2^53.
func formatFloat(f float64) string {
	if f == float64(int64(f)) && f < 1<<53 && f > -(1<<53) {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
