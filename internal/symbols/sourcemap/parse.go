// Package sourcemap reads source maps of version 3 and finds by them where
// frames of JavaScript come from.
//
// Open reads a map once. Mappings stay in the form that the file has them in, with
// a mark at every few of them, and the text of sources stays in the file: so a map
// takes about as much memory as its mappings and names have bytes. Names of files and
// sections that stand elsewhere are data; nothing is opened by them.
package sourcemap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quipu/internal/symbols"
)

// Bounds of what is read.
const (
	maxSize     = 256 << 20 // bytes of a map
	maxSources  = 200_000
	maxNames    = 4_000_000
	maxSections = 10_000
	maxDepth    = 64 // of values that mean nothing here
)

// Map is an opened source map. It is safe for concurrent use if its file is.
type Map struct {
	// File is the name of the generated file as the map has it, "" when it has none.
	File string
	// DebugID is what ties the map to its generated file, lower case, "" for none.
	DebugID string

	file     io.ReaderAt
	skip     int64 // bytes before the JSON
	sections []*section
}

// section is a map that begins at a place of the generated file; a map without sections is one.
type section struct {
	line, column int // where it begins, both from 0
	sources      []string
	contents     []extent // text of sources, in the file
	names        []string
	mappings     mappings
}

// extent is a part of the file that holds a JSON value, and what separates it from the one before.
type extent struct{ at, size int64 }

// Open reads a map. Faults: symbols.bad_file for what is no source map of version 3, contradicts itself, or has sections within
// sections or at other addresses; symbols.too_large for more than 256 MiB, 200,000 sources or 4,000,000 names.
func Open(ctx context.Context, file io.ReaderAt, size int64) (*Map, error) {
	if size > maxSize {
		return nil, symbols.TooLarge("a source map of more than %d bytes", maxSize)
	}
	skip, err := guard(file, size)
	if err != nil {
		return nil, err
	}
	p := &parser{ctx: ctx, dec: json.NewDecoder(symbols.Reader(ctx, io.NewSectionReader(file, skip, size-skip)))}
	p.dec.UseNumber()
	m := &Map{file: file, skip: skip}
	if err := p.document(m); err != nil {
		return nil, refused(err)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, nil
}

// refused makes a fault of an error of the JSON decoder; others stay.
func refused(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return symbols.Bad("it is no JSON: %v", err)
	}
	return err
}

// guard returns how many bytes the line takes that keeps browsers from running a map as a script.
func guard(file io.ReaderAt, size int64) (int64, error) {
	head := make([]byte, min(size, 256))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read source map: %w", err)
	}
	if len(head) < 3 || string(head[:3]) != ")]}" {
		return 0, nil
	}
	for i, c := range head {
		if c == '\n' {
			return int64(i) + 1, nil
		}
	}
	return 0, symbols.Bad("it is no JSON")
}

// check looks for contradictions.
func (m *Map) check() error {
	if len(m.sections) == 0 {
		return symbols.Bad("it has no mappings")
	}
	for i, s := range m.sections {
		if i > 0 {
			if b := m.sections[i-1]; s.line < b.line || s.line == b.line && s.column <= b.column {
				return symbols.Bad("its sections are out of order")
			}
		}
		if len(s.contents) > len(s.sources) {
			return symbols.Bad("it has texts of more sources than it names")
		}
	}
	return nil
}

// parser reads the JSON of a map.
type parser struct {
	ctx context.Context // lives as long as one call
	dec *json.Decoder
	// within is set while the map of a section is read.
	within bool
}

// document reads the object of a map into m.
func (p *parser) document(m *Map) error {
	var own section
	var text *string
	version := ""
	sourceRoot := ""
	sections := false
	err := p.object(func(key string) error {
		switch key {
		case "version":
			var n json.Number
			err := p.dec.Decode(&n)
			version = n.String()
			return err
		case "file":
			return p.text(&m.File)
		case "debugId", "debug_id":
			return p.text(&m.DebugID)
		case "sourceRoot":
			return p.text(&sourceRoot)
		case "sources":
			return p.texts(&own.sources, maxSources, "sources")
		case "names":
			return p.texts(&own.names, maxNames, "names")
		case "sourcesContent":
			return p.contents(&own)
		case "mappings":
			text = new(string)
			return p.text(text)
		case "sections":
			sections = true
			return p.sections(m)
		}
		return p.ignore(0)
	})
	switch {
	case err != nil:
		return err
	case version != "3":
		return symbols.Bad("it is no source map of version 3")
	case sections && text != nil:
		return symbols.Bad("it has both mappings and sections")
	case text == nil:
		return nil
	}
	for i, s := range own.sources {
		own.sources[i] = resolve(sourceRoot, s)
	}
	if err := own.mappings.index(p.ctx, *text, len(own.sources), len(own.names)); err != nil {
		return err
	}
	m.sections = append(m.sections, &own)
	return nil
}

// sections reads a map that is put together from others.
func (p *parser) sections(m *Map) error {
	if p.within {
		return symbols.Bad("it has sections within sections")
	}
	p.within = true
	defer func() { p.within = false }()
	return p.array(func(int) error {
		if len(m.sections) >= maxSections {
			return symbols.TooLarge("more than %d sections", maxSections)
		}
		var offset struct{ Line, Column int }
		part := Map{file: m.file, skip: m.skip}
		err := p.object(func(key string) error {
			switch key {
			case "offset":
				return p.dec.Decode(&offset)
			case "map":
				return p.document(&part)
			case "url":
				return symbols.Bad("a section stands at another address")
			}
			return p.ignore(0)
		})
		if err != nil {
			return err
		}
		if len(part.sections) != 1 || offset.Line < 0 || offset.Column < 0 {
			return symbols.Bad("a section has no mappings")
		}
		part.sections[0].line, part.sections[0].column = offset.Line, offset.Column
		m.sections = append(m.sections, part.sections[0])
		return nil
	})
}

// contents notes where the texts of sources are.
func (p *parser) contents(s *section) error {
	return p.array(func(n int) error {
		if n >= maxSources {
			return symbols.TooLarge("texts of more than %d sources", maxSources)
		}
		at := p.dec.InputOffset()
		token, err := p.dec.Token()
		if err != nil {
			return err
		}
		e := extent{at: at, size: p.dec.InputOffset() - at}
		switch token.(type) {
		case string:
		case nil:
			e = extent{}
		default:
			return symbols.Bad("a text of a source is no text")
		}
		s.contents = append(s.contents, e)
		return nil
	})
}

// object reads an object and calls fn for each of its keys, to read the value.
func (p *parser) object(fn func(key string) error) error {
	if err := p.delim('{'); err != nil {
		return err
	}
	for p.dec.More() {
		token, err := p.dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // keys are texts
		if err := fn(key); err != nil {
			return err
		}
	}
	return p.delim('}')
}

// array reads an array and calls fn for each element, to read it.
func (p *parser) array(fn func(n int) error) error {
	token, err := p.dec.Token()
	if err != nil || token == nil { // null is none
		return err
	}
	if token != json.Delim('[') {
		return symbols.Bad("it is no source map: a list is missing")
	}
	for n := 0; p.dec.More(); n++ {
		if err := fn(n); err != nil {
			return err
		}
	}
	return p.delim(']')
}

func (p *parser) delim(want json.Delim) error {
	token, err := p.dec.Token()
	if err != nil {
		return err
	}
	if token != want {
		return symbols.Bad("it is no source map: %v is missing", want)
	}
	return nil
}

// text reads a text; null is "".
func (p *parser) text(dst *string) error {
	token, err := p.dec.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case string:
		*dst = t
	case nil:
	case json.Number: // names may be written so
		*dst = t.String()
	default:
		return symbols.Bad("it is no source map: a text is missing")
	}
	return nil
}

func (p *parser) texts(dst *[]string, most int, what string) error {
	return p.array(func(n int) error {
		if n >= most {
			return symbols.TooLarge("more than %d %s", most, what)
		}
		var s string
		if err := p.text(&s); err != nil {
			return err
		}
		*dst = append(*dst, s)
		return nil
	})
}

// ignore skips a value.
func (p *parser) ignore(depth int) error {
	for {
		token, err := p.dec.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxDepth {
			return symbols.Bad("it is nested too deeply")
		}
		if depth == 0 {
			return nil
		}
	}
}
