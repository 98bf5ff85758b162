package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
)

// jsonWriter writes an array of objects, a row a line. Columns whose paths begin alike and
// stand side by side share an object. Absent values are left out.
type jsonWriter struct {
	w    *bufio.Writer
	cols []Column
	keys [][][]byte // of cols, quoted
	rows int
	buf  []byte
}

func newJSON(w io.Writer) *jsonWriter { return &jsonWriter{w: bufio.NewWriterSize(w, 32<<10)} }

// Begin implements Writer.
func (j *jsonWriter) Begin(columns []Column) error {
	j.cols = columns
	for _, c := range columns {
		var keys [][]byte
		for _, p := range c.Path {
			keys = append(keys, quoted(p))
		}
		j.keys = append(j.keys, keys)
	}
	return j.w.WriteByte('[')
}

// quoted writes text as JSON without escapes for HTML.
func quoted(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // text always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Row implements Writer.
func (j *jsonWriter) Row(values []any) error {
	if j.rows > 0 {
		j.w.WriteByte(',') //nolint:errcheck // the writer keeps its first error, which the last call returns
	}
	if j.rows++; j.rows > 1 {
		j.w.WriteByte('\n') //nolint:errcheck // as above
	}
	b := j.buf[:0]
	if len(j.cols) == 1 && len(j.cols[0].Path) == 0 {
		b = appendValue(b, values[0])
	} else {
		b = j.object(b, values)
	}
	j.buf = b
	_, err := j.w.Write(b)
	return err
}

func (j *jsonWriter) object(b []byte, values []any) []byte {
	b = append(b, '{')
	var open []string // the objects that b is inside of
	fresh := true     // nothing stands in the innermost object yet
	for i, v := range values {
		if v == nil {
			continue
		}
		path := j.cols[i].Path
		parents := path[:len(path)-1]
		same := 0
		for same < len(open) && same < len(parents) && open[same] == parents[same] {
			same++
		}
		for len(open) > same {
			b, open, fresh = append(b, '}'), open[:len(open)-1], false
		}
		if !fresh {
			b = append(b, ',')
		}
		for ; len(open) < len(parents); open = append(open, parents[len(open)]) {
			b = append(append(b, j.keys[i][len(open)]...), ':', '{')
		}
		b = appendValue(append(append(b, j.keys[i][len(path)-1]...), ':'), v)
		fresh = false
	}
	for range len(open) + 1 {
		b = append(b, '}')
	}
	return b
}

func appendValue(b []byte, v any) []byte {
	switch x := v.(type) {
	case string:
		return append(b, quoted(x)...)
	case bool:
		return strconv.AppendBool(b, x)
	case int64:
		return strconv.AppendInt(b, x, 10)
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return append(b, "null"...)
		}
		return append(b, formatFloat(x)...)
	case json.Number:
		return append(b, x...)
	case json.RawMessage:
		return append(b, x...)
	}
	return append(b, "null"...)
}

// Close implements Writer.
func (j *jsonWriter) Close() error {
	if _, err := j.w.WriteString("]"); err != nil {
		return err
	}
	if err := j.w.Flush(); err != nil {
		return fmt.Errorf("end of JSON: %w", err)
	}
	return nil
}

// Abort implements Writer.
func (j *jsonWriter) Abort() {}
