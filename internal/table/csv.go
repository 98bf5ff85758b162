package table

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
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
				s = harmless(bounded(s))
			}
			c.field(s)
		}
	}
	_, err := c.w.WriteString("\r\n")
	return err
}

// maxText is how many bytes of text a cell of a CSV file holds; the rest is cut off. Sheets hold less, see maxCell.
const maxText = 1 << 20

// bounded cuts text to maxText at the border of a character.
func bounded(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// formulas are the signs that begin a formula: in their usual form, and in all those that compatible characters stand for, which spreadsheets
// may read as the usual one: full-width, small, superscript and subscript, and the minus and hyphens of their own.
const formulas = "=+-@\uff1d\uff0b\uff0d\uff20" + "\ufe66\ufe62\ufe63\ufe6b" + "\u207c\u207a\u207b" + "\u208c\u208a\u208b" + "\u2212\u2010\u2011"

// harmless puts an apostrophe before text that spreadsheets would take for a formula: text that begins
// with a sign of formulas, also behind white space, which some of them skip, or with a tab or
// line break, which may open a new cell.
func harmless(s string) string {
	if s == "" || s[0] >= '0' && s[0] <= '9' || s[0] >= 'A' && s[0] <= 'z' {
		return s
	}
	rest := strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
	first, _ := utf8.DecodeRuneInString(rest)
	if strings.IndexByte("\t\r\n", s[0]) >= 0 || rest != "" && strings.ContainsRune(formulas, first) {
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
