package table

import (
	"bufio"
	"io"
	"strings"
)

// csvWriter writes RFC 4180: CRLF ends a record, and values with commas, quotes or line
// breaks are quoted and otherwise as they are.
type csvWriter struct{ w *bufio.Writer }

func newCSV(w io.Writer) *csvWriter { return &csvWriter{bufio.NewWriterSize(w, 32<<10)} }

// Begin implements Writer.
func (c *csvWriter) Begin(columns []Column) error {
	titles := make([]any, len(columns))
	for i, col := range columns {
		titles[i] = col.title()
	}
	return c.Row(titles)
}

// Row implements Writer.
func (c *csvWriter) Row(values []any) error {
	for i, v := range values {
		if i > 0 {
			c.w.WriteByte(',') //nolint:errcheck // the writer keeps its first error, which the last call returns
		}
		if s, plain, ok := text(v); ok {
			if !plain {
				s = harmless(s)
			}
			c.field(s)
		}
	}
	_, err := c.w.WriteString("\r\n")
	return err
}

// harmless puts an apostrophe before text that spreadsheets would take for a formula.
func harmless(s string) string {
	if s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		return "'" + s
	}
	return s
}

func (c *csvWriter) field(s string) {
	if !strings.ContainsAny(s, ",\"\r\n") {
		c.w.WriteString(s) //nolint:errcheck // as above
		return
	}
	c.w.WriteByte('"') //nolint:errcheck // as above
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		c.w.WriteString(s[:i+1]) //nolint:errcheck // as above
		c.w.WriteByte('"')       //nolint:errcheck // as above
		s = s[i+1:]
	}
	c.w.WriteString(s) //nolint:errcheck // as above
	c.w.WriteByte('"') //nolint:errcheck // as above
}

// Close implements Writer.
func (c *csvWriter) Close() error { return c.w.Flush() }

// Abort implements Writer.
func (c *csvWriter) Abort() {}
