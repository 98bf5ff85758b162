package table

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// maxCell is how many UTF-16 units a cell of a sheet holds; rows beyond excelize.TotalRows go to
// another sheet.
const maxCell = 32767

// maxColumns is how many columns a sheet has.
const maxColumns = 16384

var errColumns = errors.New("a sheet has at most 16384 columns")

// xlsxWriter writes sheets, which the library keeps in a temporary file
// until Close. Text is stored as text: nothing in it is ever a formula.
type xlsxWriter struct {
	file   *excelize.File
	stream *excelize.StreamWriter
	titles []any
	sheets int
	row    int // the last one written
	cells  []any
}

func newXLSX(w io.Writer) *xlsxWriter {
	x := &xlsxWriter{file: excelize.NewFile()}
	// The library would collect the whole archive in memory.
	x.file.SetZipWriter(func(io.Writer) excelize.ZipWriter { return zip.NewWriter(w) })
	return x
}

// Begin implements Writer.
func (x *xlsxWriter) Begin(columns []Column) error {
	if len(columns) > maxColumns {
		return errColumns
	}
	for _, c := range columns {
		x.titles = append(x.titles, cellText(c.title()))
	}
	return x.sheet()
}

// sheet begins the next sheet.
func (x *xlsxWriter) sheet() error {
	if x.stream != nil {
		if err := x.stream.Flush(); err != nil {
			return fmt.Errorf("end of sheet: %w", err)
		}
	}
	x.sheets++
	name := fmt.Sprintf("Sheet%d", x.sheets)
	if x.sheets > 1 {
		if _, err := x.file.NewSheet(name); err != nil {
			return fmt.Errorf("new sheet: %w", err)
		}
	}
	var err error
	if x.stream, err = x.file.NewStreamWriter(name); err != nil {
		return fmt.Errorf("new sheet: %w", err)
	}
	x.row = 0
	return x.write(x.titles)
}

func (x *xlsxWriter) write(cells []any) error {
	x.row++
	at, err := excelize.CoordinatesToCellName(1, x.row)
	if err != nil {
		return err
	}
	return x.stream.SetRow(at, cells)
}

// Row implements Writer.
func (x *xlsxWriter) Row(values []any) error {
	if x.row == excelize.TotalRows {
		if err := x.sheet(); err != nil {
			return err
		}
	}
	x.cells = x.cells[:0]
	for _, v := range values {
		x.cells = append(x.cells, cell(v))
	}
	return x.write(x.cells)
}

func cell(v any) any {
	switch t := v.(type) {
	case string:
		return cellText(t)
	case json.RawMessage:
		return cellText(string(t))
	case json.Number:
		if f, err := t.Float64(); err == nil {
			return f
		}
		return t.String()
	}
	return v
}

// cellText makes text fit a cell: XML has no place for most control characters.
func cellText(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	units := 0
	for i, r := range s {
		if r > 0xFFFF {
			units++
		}
		if units++; units > maxCell {
			return s[:i]
		}
	}
	return s
}

// Close implements Writer.
func (x *xlsxWriter) Close() error {
	err := x.stream.Flush()
	if err == nil {
		err = x.file.Write(io.Discard)
	}
	if err = errors.Join(err, x.file.Close()); err != nil {
		return fmt.Errorf("end of workbook: %w", err)
	}
	return nil
}

// Abort implements Writer: it deletes the temporary file.
func (x *xlsxWriter) Abort() { _ = x.file.Close() }
