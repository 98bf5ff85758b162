// Package proguard retraces stack traces of the JVM by the mappings that R8 and
// ProGuard write. Frames come out as R8's retrace has them.
//
// Open reads a mapping once and remembers where the block of each class is; a
// block is parsed when a trace names its class. So a mapping of any size takes
// memory for the names of its classes only.
package proguard

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"quipu/internal/symbols"
)

// Bounds of what is read.
const (
	maxClasses = 2_000_000
	maxLine    = 1 << 20 // bytes
	maxBlock   = 8 << 20 // bytes of one class
)

// Mapping is an opened mapping. It is safe for concurrent use if its file is.
type Mapping struct {
	file io.ReaderAt
	// classes by obfuscated name; byOriginal has the obfuscated names.
	classes    map[string]block
	byOriginal map[string]string
}

// block is where the lines of a class are in the file.
type block struct {
	original string
	at       int64
	size     int64
}

// Open reads where the classes of a mapping are. Faults: symbols.bad_file for a file that names no class,
// symbols.too_large for lines of more than a MiB and more than two million classes.
func Open(ctx context.Context, file io.ReaderAt, size int64) (*Mapping, error) {
	m := &Mapping{file: file, classes: map[string]block{}, byOriginal: map[string]string{}}
	in := bufio.NewReaderSize(symbols.Reader(ctx, io.NewSectionReader(file, 0, size)), 256<<10)
	var at int64
	var name string
	end := func() {
		if b, ok := m.classes[name]; ok {
			b.size = at - b.at
			m.classes[name] = b
		}
	}
	for {
		line, n, err := readLine(in)
		if n == 0 && errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		original, obfuscated, ok := classLine(line)
		if ok {
			end()
			if len(m.classes) >= maxClasses {
				return nil, symbols.TooLarge("more than %d classes", maxClasses)
			}
			name = obfuscated
			m.classes[name] = block{original: original, at: at + int64(n)}
			m.byOriginal[original] = obfuscated
		}
		at += int64(n)
	}
	end()
	if len(m.classes) == 0 {
		return nil, symbols.Bad("it is no mapping of R8 or ProGuard: no line names a class")
	}
	return m, nil
}

// Classes returns how many classes the mapping names.
func (m *Mapping) Classes() int { return len(m.classes) }

// readLine returns a line without its end, and how many bytes it took. The line is valid until the next call.
func readLine(in *bufio.Reader) (string, int, error) {
	text, err := in.ReadSlice('\n')
	n := len(text)
	if errors.Is(err, bufio.ErrBufferFull) {
		long := append([]byte(nil), text...)
		for errors.Is(err, bufio.ErrBufferFull) {
			if len(long) > maxLine {
				return "", 0, symbols.TooLarge("a line of more than %d bytes", maxLine)
			}
			text, err = in.ReadSlice('\n')
			long = append(long, text...)
		}
		text, n = long, len(long)
	}
	if len(text) == 0 || text[0] == ' ' || text[0] == '\t' || text[0] == '#' { // no line of a class: not worth a copy
		return "", n, err
	}
	return strings.TrimRight(string(text), "\r\n"), n, err
}

// classLine reads "com.example.Original -> a.b:".
func classLine(line string) (original, obfuscated string, ok bool) {
	if line == "" {
		return "", "", false
	}
	original, obfuscated, ok = strings.Cut(line, " -> ")
	if !ok {
		return "", "", false
	}
	obfuscated, ok = strings.CutSuffix(strings.TrimSpace(obfuscated), ":")
	original = strings.TrimSpace(original)
	if !ok || original == "" || obfuscated == "" || strings.ContainsAny(original, " \t(") {
		return "", "", false
	}
	return original, obfuscated, true
}

// class returns what the mapping says of a class by its obfuscated name; nil when it does not name it.
func (m *Mapping) class(name string) (*class, error) {
	b, ok := m.classes[name]
	if !ok {
		return nil, nil // a class that is not in the mapping is no error
	}
	if b.size > maxBlock {
		return nil, symbols.TooLarge("a class takes more than %d bytes", maxBlock)
	}
	text := make([]byte, b.size)
	if _, err := m.file.ReadAt(text, b.at); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return parseClass(b.original, string(text)), nil
}

// sourceFile returns the source file that the mapping has for a class by its original name, "" for none.
func (m *Mapping) sourceFile(original string) (string, error) {
	c, err := m.class(m.byOriginal[original])
	if err != nil || c == nil {
		return "", err
	}
	return c.sourceFile, nil
}
