package sourcemap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"quipu/internal/symbols"
)

// Position is a place in a source. Line is from 1, Column from 0.
type Position struct {
	Source       string
	Line, Column int
	Name         string // of what stands there, "" when the map has none

	section *section
	source  int
}

// Find returns where a place of the generated file comes from; line is from 1, column from 0. ok is false when the map does not say.
func (m *Map) Find(line, column int) (p Position, ok bool) {
	line--
	if line < 0 || column < 0 || line > math.MaxInt32 || column > math.MaxInt32 {
		return p, false
	}
	i, found := slices.BinarySearchFunc(m.sections, 0, func(s *section, _ int) int {
		if s.line > line || s.line == line && s.column > column {
			return 1
		}
		return -1
	})
	if found || i == 0 {
		return p, false
	}
	s := m.sections[i-1]
	if s.line == line {
		column -= s.column
	}
	got, ok := s.mappings.find(int32(line-s.line), int32(column))
	if !ok || got.source == noIndex {
		return p, false
	}
	p = Position{Source: s.sources[got.source], Line: int(got.origLine) + 1, Column: int(got.origColumn), section: s, source: int(got.source)}
	if got.name != noIndex {
		p.Name = s.names[got.name]
	}
	return p, true
}

// Sources returns the names of all sources.
func (m *Map) Sources() []string {
	var out []string
	for _, s := range m.sections {
		out = append(out, s.sources...)
	}
	return out
}

const (
	maxContent = 32 << 20 // bytes of the text of a source
	maxShown   = 500      // bytes of a line that is shown
)

// Line is a line of a source.
type Line struct {
	Number int // from 1
	Text   string
}

// Context returns the line of a position with so many before and after it, long ones cut; none when the map has no text of the source. p is a result of Find on this map.
func (m *Map) Context(p Position, around int) ([]Line, error) {
	if p.section == nil || p.source >= len(p.section.contents) {
		return nil, nil
	}
	e := p.section.contents[p.source]
	if e.size == 0 {
		return nil, nil
	}
	if e.size > maxContent {
		return nil, symbols.TooLarge("the text of a source has more than %d bytes", maxContent)
	}
	raw := make([]byte, e.size)
	if _, err := m.file.ReadAt(raw, m.skip+e.at); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read text of a source: %w", err)
	}
	var text string
	if err := json.Unmarshal([]byte(strings.TrimLeft(string(raw), ", \t\r\n")), &text); err != nil {
		return nil, fmt.Errorf("read text of a source: %w", err)
	}
	var out []Line
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > p.Line+around {
			break
		}
		if n < p.Line-around {
			continue
		}
		line = strings.TrimRight(line, "\r\n")
		if len(line) > maxShown {
			line = strings.ToValidUTF8(line[:maxShown], "")
		}
		out = append(out, Line{Number: n, Text: line})
	}
	return out, nil
}

var address = regexp.MustCompile(`^([\w+\-.]+:)?//[^/]*`)

// resolve makes the name of a source as the map means it. It is a name: nothing is opened by it.
func resolve(root, source string) string {
	if root != "" && !strings.HasPrefix(source, "/") && !strings.Contains(source, "://") {
		source = strings.TrimSuffix(root, "/") + "/" + source
	}
	host := address.FindString(source)
	rest := source[len(host):]
	if rest == "" {
		return source
	}
	clean := path.Clean(rest)
	return host + clean
}
