// Package il2cpp reads the line maps of Unity's IL2CPP, which makes C++ of C#: LineNumberMappings.json, which lies beside the symbols of a
// build. Symbols of native code lead to the C++; the map leads from there to the C# of the project.
package il2cpp

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/symbols"
)

// Bounds of a map.
const (
	maxLines = 5_000_000
	maxFiles = 200_000
)

// near is how many lines of C++ a line of C# may stand above: lines are not mapped one by one.
const near = 50

// Map has places of C# by those of C++.
type Map struct {
	sources []string
	files   map[string][]line // by the path of the C++, in the order of its lines
	bytes   int64
}

// line is a line of C++ with the one of C# that it was made of.
type line struct {
	cpp, cs, source uint32
}

// Is reports whether bytes may begin a map: an object of JSON.
func Is(head []byte) bool {
	text := strings.TrimLeft(string(head), "\ufeff \t\r\n")
	return text != "" && text[0] == '{'
}

// Open reads a map: by file of C++, by file of C#, the line of C# by the line of C++. A file that is none has the fault symbols.CodeBadFile.
func Open(ctx context.Context, r io.ReaderAt, size int64) (*Map, error) {
	m, in := &Map{files: map[string][]line{}}, json.NewDecoder(symbols.Reader(ctx, io.NewSectionReader(r, 0, size)))
	p := &parser{in: in, m: m}
	err := p.object(func(cpp string) error {
		if strings.HasPrefix(cpp, "__") { // as the debug id that some tools add
			return p.skip()
		}
		return p.object(func(cs string) error { return p.lines(cpp, cs) })
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	if p.n == 0 {
		return nil, symbols.Bad("no lines are mapped")
	}
	for _, list := range m.files {
		slices.SortStableFunc(list, func(a, b line) int { return cmp.Compare(a.cpp, b.cpp) })
	}
	m.bytes += int64(p.n) * 12
	return m, nil
}

type parser struct {
	in *json.Decoder
	m  *Map
	n  int // lines
}

// object reads an object; field reads the value of one field.
func (p *parser) object(field func(name string) error) error {
	if t, err := p.in.Token(); err != nil || t != json.Delim('{') {
		return symbols.Bad("no object where one is expected")
	}
	for p.in.More() {
		t, err := p.in.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return symbols.Bad("damaged JSON")
		}
		if err := field(name); err != nil {
			return err
		}
	}
	if _, err := p.in.Token(); err != nil {
		return symbols.Bad("damaged JSON")
	}
	return nil
}

// skip reads over a text or a number.
func (p *parser) skip() error {
	if t, err := p.in.Token(); err != nil {
		return symbols.Bad("damaged JSON")
	} else if _, nested := t.(json.Delim); nested {
		return symbols.Bad("an unknown field")
	}
	return nil
}

func (p *parser) lines(cpp, cs string) error {
	if len(p.m.sources) == maxFiles {
		return symbols.TooLarge("more than %d files", maxFiles)
	}
	at := uint32(len(p.m.sources)) // bounded
	p.m.sources = append(p.m.sources, cs)
	p.m.bytes += int64(len(cs)+len(cpp)) + 64
	list := p.m.files[cpp]
	err := p.object(func(from string) error {
		of, err := strconv.ParseUint(from, 10, 32)
		t, terr := p.in.Token()
		to, ok := t.(float64)
		if err != nil || terr != nil || !ok || to < 0 || to > math.MaxUint32 || to != math.Trunc(to) {
			return symbols.Bad("a line that is no number")
		}
		if p.n++; p.n > maxLines {
			return symbols.TooLarge("more than %d lines", maxLines)
		}
		list = append(list, line{uint32(of), uint32(to), at})
		return nil
	})
	p.m.files[cpp] = list
	return err
}

// Cost is about what the map takes in memory, in bytes.
func (m *Map) Cost() int64 { return m.bytes }

// Find returns the file and the line of C# that a line of C++ was made of: that of the line itself, or of the nearest one above it, at most 50
// lines away. ok is false when there is none.
func (m *Map) Find(cpp string, at int) (cs string, n int, ok bool) {
	list := m.files[cpp]
	i, exact := slices.BinarySearchFunc(list, at, func(l line, at int) int { return cmp.Compare(int(l.cpp), at) })
	if !exact {
		i--
	}
	if i < 0 || at-int(list[i].cpp) > near {
		return "", 0, false
	}
	return m.sources[list[i].source], int(list[i].cs), true
}

var (
	place  = regexp.MustCompile(`\(([^()\n]+):(\d{1,9})\)`)
	method = regexp.MustCompile(`\b([A-Za-z_]\w*?)(?:_m[0-9A-F]{40})(?:_\w+)?\b`)
)

// Rewrite returns a trace of symbolicated frames with places of C# in place of those of C++, and in these lines methods without the hash that
// their names in C++ end in. changed is whether any place was found.
func (m *Map) Rewrite(text string) (out string, changed bool) {
	rest := ""
	if len(text) > symbols.MaxTrace {
		text, rest = text[:symbols.MaxTrace], text[symbols.MaxTrace:]
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		got := line
		if len(line) <= 4096 {
			got = m.line(line)
		}
		changed = changed || got != line
		b.WriteString(got)
	}
	return b.String() + rest, changed
}

func (m *Map) line(text string) string {
	at := place.FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	n, err := strconv.Atoi(text[at[4]:at[5]])
	if err != nil {
		return text
	}
	cs, n, ok := m.Find(text[at[2]:at[3]], n)
	if !ok {
		return text
	}
	return method.ReplaceAllString(text[:at[2]], "$1") + cs + ":" + strconv.Itoa(n) + text[at[5]:]
}
