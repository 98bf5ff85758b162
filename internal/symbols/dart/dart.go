// Package dart reads the obfuscation maps of Dart, which `--save-obfuscation-map` writes, and gives the texts of exceptions and frames the
// names of the source again. Symbols of native code have the names of functions; what an exception says of types only the map knows.
package dart

import (
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"

	"quipu/internal/symbols"
)

// maxNames is how many names a map has at most.
const maxNames = 2_000_000

// Map has the names of the source by those of the build.
type Map struct {
	names map[string]string
	bytes int64
}

// Is reports whether bytes may begin a map: an array of JSON.
func Is(head []byte) bool {
	text := strings.TrimLeft(string(head), "\ufeff \t\r\n")
	return text != "" && text[0] == '['
}

// Open reads a map: an array of texts, each name of the source with that of the build behind it. The first of several with the same name of
// the build counts. A file that is none has the fault symbols.CodeBadFile.
func Open(ctx context.Context, r io.ReaderAt, size int64) (*Map, error) {
	in := json.NewDecoder(symbols.Reader(ctx, io.NewSectionReader(r, 0, size)))
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return nil, bad(ctx, "no array of names")
	}
	m := &Map{names: map[string]string{}}
	source, pending := "", false
	for in.More() {
		t, err := in.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, bad(ctx, "the array has something else than names")
		}
		if pending {
			if len(m.names) == maxNames {
				return nil, symbols.TooLarge("more than %d names", maxNames)
			}
			if _, twice := m.names[name]; !twice && name != source && name != "" {
				m.names[name] = source
				m.bytes += int64(len(name) + len(source))
			}
		}
		source, pending = name, !pending
	}
	if _, err := in.Token(); err != nil || pending {
		return nil, bad(ctx, "the array ends too early")
	}
	if len(m.names) == 0 {
		return nil, bad(ctx, "no names")
	}
	return m, nil
}

func bad(ctx context.Context, text string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return symbols.Bad("%s", text)
}

// Cost is about what the map takes in memory, in bytes.
func (m *Map) Cost() int64 { return m.bytes + int64(len(m.names))*80 }

const name = `[A-Za-z_$][\w$]*`

// Where names stand. Names of builds are as short as words, so they are looked for nowhere else.
var (
	thrown   = regexp.MustCompile(`^(?:Unhandled exception:\s*)?(` + name + `)(?:<[\w$<>, ?]*>)?(?:: |$)`)
	instance = regexp.MustCompile(`Instance of '([\w$<>, ?]+)'`)
	typed    = regexp.MustCompile(`(?:\btype|\bof type|\bsubtype of type|\bsubtype of|\bclass|\breceiver:) '([\w$<>, ?()=]+)'`)
	called   = regexp.MustCompile(`(?:\bmethod|\bgetter|\bsetter|\bTried calling:|\bField) '?([\w$]+)'?`)
	frame    = regexp.MustCompile(`^\s*#\d+\s+(?:new )?([\w$<>.]+) \(`)
	word     = regexp.MustCompile(name)
)

// Rewrite returns a trace with the names of the source: the type of the exception in its first line, types and members that messages quote,
// and functions of frames that have no address. changed is whether any name was found.
func (m *Map) Rewrite(text string) (out string, changed bool) {
	rest := ""
	if len(text) > symbols.MaxTrace {
		text, rest = text[:symbols.MaxTrace], text[symbols.MaxTrace:]
	}
	var b strings.Builder
	first := true
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		got := bare
		if len(bare) <= 4096 {
			places := []*regexp.Regexp{instance, typed, called, frame}
			if first && strings.TrimSpace(bare) != "" {
				places = append(places, thrown)
			}
			for _, at := range places {
				got = m.within(got, at)
			}
		}
		if strings.TrimSpace(bare) != "" {
			first = bare == "Unhandled exception:" // the exception stands in the next line
		}
		changed = changed || got != bare
		b.WriteString(got)
		b.WriteString(line[len(bare):])
	}
	return b.String() + rest, changed
}

// within replaces names in what an expression captures.
func (m *Map) within(line string, at *regexp.Regexp) string {
	found := at.FindAllStringSubmatchIndex(line, -1)
	if found == nil {
		return line
	}
	var b strings.Builder
	end := 0
	for _, f := range found {
		b.WriteString(line[end:f[2]])
		b.WriteString(word.ReplaceAllStringFunc(line[f[2]:f[3]], func(name string) string {
			if source, ok := m.names[name]; ok {
				return source
			}
			return name
		}))
		end = f[3]
	}
	return b.String() + line[end:]
}
