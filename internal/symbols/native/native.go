// Package native symbolicates the stack traces of native code: it reads which image and which address a frame is of, in the forms in which
// Apple's systems, Android, Dart and glibc write frames, and replaces what stands there by functions, files and lines.
//
// What knows the functions of an image (package dwarf, package breakpad) is given to it: it opens nothing.
package native

import (
	"context"
	"encoding/json"
	"path"
	"regexp"
	"strconv"
	"strings"

	"quipu/internal/symbols"
	"quipu/internal/symbols/dwarf"
)

// maxImages is how many images of a process are considered.
const maxImages = 2000

// Image is a program or a library of the process.
type Image struct {
	Name string // as frames have it, "" unknown
	ID   string // build id or UUID: hexadecimal digits in lower case, "" unknown
	Load uint64 // where it begins in memory, 0 unknown
	End  uint64 // behind its end, 0 unknown
}

// Source knows the functions of an image.
type Source interface {
	// Find returns the functions that an address is in, the innermost first. Addresses are those of the file.
	Find(ctx context.Context, addr uint64) ([]dwarf.Frame, error)
	// Base is the address that the file gives to its first byte.
	Base() uint64
	// Symbol returns the address of a function by its name.
	Symbol(name string) (uint64, bool)
}

// ID returns an id as hexadecimal digits in lower case: UUIDs lose their dashes. "" is for what is no id.
func ID(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.ReplaceAll(strings.Trim(text, "{}<>"), "-", "")
	if len(text) < 8 || len(text) > 128 || strings.Trim(text, "0123456789abcdef") != "" {
		return ""
	}
	return text
}

// SameID reports whether two ids are of one build. Breakpad's ids are 16 bytes of a build id, turned into a GUID, with a number behind.
func SameID(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == "" {
		return false
	}
	if a == b || len(a) >= 32 && (strings.HasPrefix(b, a) || strings.HasPrefix(b, GUID(a))) {
		return true
	}
	return len(a) >= 32 && len(b) >= 32 && (GUID(a[:32]) == b[:32])
}

// GUID swaps the bytes of an id as a GUID of little-endian numbers has them; of fewer than 16 bytes it returns "".
func GUID(id string) string {
	if len(id) < 32 {
		return ""
	}
	b := []byte(id[:32])
	swap := func(from, n int) {
		for i := 0; i < n/2; i++ {
			j := n - 1 - i
			copy(b[from+2*i:], []byte{id[from+2*j], id[from+2*j+1]})
			copy(b[from+2*j:], []byte{id[from+2*i], id[from+2*i+1]})
		}
	}
	swap(0, 4)
	swap(8, 2)
	swap(12, 2)
	return string(b)
}

// Images reads the images that reports bring: an object of {"la": load address, "id": UUID} by name, or a list of {"name", "id", "la", "end"}. Addresses may be
// numbers or texts of hexadecimal digits. Values in other forms are skipped.
func Images(text string) (out []Image) {
	type entry struct {
		Name string `json:"name"`
		ID   string `json:"id"`
		Load any    `json:"la"`
		End  any    `json:"end"`
	}
	add := func(e entry) {
		if len(out) < maxImages {
			out = append(out, Image{Name: path.Base(e.Name), ID: ID(e.ID), Load: address(e.Load), End: address(e.End)})
		}
	}
	var list []entry
	var byName map[string]entry
	if json.Unmarshal([]byte(text), &list) == nil {
		for _, e := range list {
			add(e)
		}
	} else if json.Unmarshal([]byte(text), &byName) == nil {
		for name, e := range byName {
			e.Name = name
			add(e)
		}
	}
	return out
}

func address(v any) uint64 {
	switch v := v.(type) {
	case float64:
		if v > 0 && v < 1<<63 {
			return uint64(v)
		}
	case string:
		return Address(v)
	}
	return 0
}

// Address returns the number of hexadecimal digits, which may stand behind 0x; 0 for what is none.
func Address(text string) uint64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(text), "0x"), 16, 64)
	if err != nil {
		return 0
	}
	return n
}

// Lines of traces.
var (
	appleLine = regexp.MustCompile(`^(\s*(\d{1,4})\s+(\S(?:.*?\S)?)\s+0x([0-9a-fA-F]{6,16})\s+)(.*?)(?: \+ (\d+))?\s*$`)
	pcLine    = regexp.MustCompile(`^(.*?#\d{2,3}\s+pc\s+(?:0x)?([0-9a-fA-F]{6,16})\s+(\S+))(.*)$`)
	dartLine  = regexp.MustCompile(`^(\s*#\d{2,3}) abs [0-9a-f]+(?: virt ([0-9a-f]+))?(?: (_kDart\w+)\+0x([0-9a-f]+))?.*$`)
	glibcLine = regexp.MustCompile(`^(\s*(?:#?\d+[: ]\s*)?([^\s()\[\]]+)\()([^()+\s]*)\+0x([0-9a-f]+)\)\s*\[0x[0-9a-f]+\]\s*$`)
	fixedLine = regexp.MustCompile(`^(\s*(?:#?\d+[: ]\s*)?([^\s()\[\]]+))(?:\(\))? ?\[0x([0-9a-f]+)\]\s*$`)
	plainLine = regexp.MustCompile(`^(\s*(\d{1,4})\s+([^\s+]+)) \+ 0x([0-9a-fA-F]+)\s*$`)
	imageLine = regexp.MustCompile(`^\s*0x([0-9a-fA-F]+)\s+-\s+(?:0x([0-9a-fA-F]+)|\?\?\?)\s+\+?(\S(?:.*?\S)?)(?:\s+\S+)?(?:\s+\([^)]*\))?\s+<([0-9a-fA-F-]{32,36})>`)
	buildID   = regexp.MustCompile(`\(BuildId: ([0-9a-fA-F]{8,128})\)`)
	dartID    = regexp.MustCompile(`^\s*build_id: '([0-9a-fA-F]{8,128})'`)
)

// frame is a line of a trace that is a frame of native code.
type frame struct {
	before string // what stands in front of the function in the result
	image  int    // of Trace.images; -1 = none that is known
	addr   uint64 // of the process when memory is set, of the file when file is set, else from the begin of the image
	memory bool
	file   bool
	symbol string // addr is from this symbol on
	back   bool   // a return address: the call stands before it
}

// Trace is a stack trace that was read.
type Trace struct {
	lines  []string
	frames map[int]frame // by the number of their line
	images []Image
	rest   string // beyond symbols.MaxTrace
}

// Parse reads a trace. images are those of the process, as far as they are known; own is the program itself. What the text says of
// its images counts, too.
func Parse(text string, images []Image, own Image) *Trace {
	t := &Trace{frames: map[int]frame{}, images: images[:min(len(images), maxImages):min(len(images), maxImages)]}
	if len(text) > symbols.MaxTrace {
		text, t.rest = text[:symbols.MaxTrace], text[symbols.MaxTrace:]
	}
	for line := range strings.Lines(text) {
		if len(t.lines) == symbols.MaxTraceLines {
			t.rest = ""
			break
		}
		t.lines = append(t.lines, line)
	}
	dart := Image{Name: "app"}
	for _, line := range t.lines {
		if m := imageLine.FindStringSubmatch(line); m != nil && len(t.images) < maxImages {
			t.images = append(t.images, Image{Name: m[3], ID: ID(m[4]), Load: Address(m[1]), End: Address(m[2])})
		}
		if m := dartID.FindStringSubmatch(line); m != nil {
			dart.ID = ID(m[1])
		}
	}
	first := true
	for i, line := range t.lines {
		bare := strings.TrimRight(line, "\r\n")
		if len(bare) > 4096 {
			continue
		}
		f, ok := t.parse(bare, own, dart, first)
		if first = !ok; ok {
			t.frames[i] = f
		}
	}
	return t
}

// parse reads a line; first is whether the one before was no frame.
func (t *Trace) parse(line string, own, dart Image, first bool) (frame, bool) {
	if !strings.Contains(line, "0") { // no address
		return frame{}, false
	}
	if m := dartLine.FindStringSubmatch(line); m != nil && (m[2] != "" || m[3] != "") {
		f := frame{before: m[1] + " ", addr: Address(m[2]), file: true}
		if m[3] != "" {
			f.symbol, f.addr, f.file = m[3], Address(m[4]), false
		}
		f.image = t.image(dart)
		return f, true
	}
	if m := pcLine.FindStringSubmatch(line); m != nil {
		img := Image{Name: path.Base(m[3][strings.LastIndexByte(m[3], '!')+1:])}
		if id := buildID.FindStringSubmatch(m[4]); id != nil {
			img.ID = ID(id[1])
		}
		return frame{before: m[1] + " ", image: t.image(img), addr: Address(m[2]), file: true}, true
	}
	if m := appleLine.FindStringSubmatch(line); m != nil {
		return t.apple(m, own)
	}
	if m := glibcLine.FindStringSubmatch(line); m != nil {
		return frame{before: m[1][:len(m[1])-1] + " ", image: t.image(Image{Name: path.Base(m[2])}), symbol: m[3], addr: Address(m[4]), back: !first}, true
	}
	if m := fixedLine.FindStringSubmatch(line); m != nil { // of a program that is always at one address
		return frame{before: m[1] + " ", image: t.image(Image{Name: path.Base(m[2])}), addr: Address(m[3]), file: true, back: !first}, true
	}
	if m := plainLine.FindStringSubmatch(line); m != nil {
		return frame{before: m[1] + " ", image: t.image(Image{Name: path.Base(m[3])}), addr: Address(m[4]), back: m[2] != "0"}, true
	}
	return frame{}, false
}

// apple is a frame such as "4   App   0x0000000100a3c4f8 App + 12345", or with the load address in front of the offset.
func (t *Trace) apple(m []string, own Image) (frame, bool) {
	f := frame{before: m[1], memory: true, addr: Address(m[4]) & (1<<48 - 1), back: m[2] != "0"} // pointers may be signed above
	img := Image{Name: m[3]}
	offset, err := strconv.ParseUint(m[6], 10, 64)
	switch name := m[5]; {
	case err != nil || offset > f.addr:
	case strings.HasPrefix(name, "0x"):
		img.Load = Address(name)
	case name == m[3], name == "_mh_execute_header", name == "__mh_execute_header", name == "_mh_dylib_header":
		img.Load = f.addr - offset
	}
	if m[3] == own.Name {
		img.ID = own.ID
		if img.Load == 0 {
			img.Load = own.Load
		}
	}
	f.image = t.image(img)
	return f, true
}

// image returns the number of an image, which is added when it is not known; -1 when there are too many.
func (t *Trace) image(want Image) int {
	for i := range t.images {
		have := &t.images[i]
		if have.Name != want.Name && path.Base(have.Name) != want.Name || want.ID != "" && have.ID != "" && !SameID(want.ID, have.ID) {
			continue
		}
		if have.Load == 0 {
			have.Load = want.Load
		}
		if have.ID == "" {
			have.ID = want.ID
		}
		return i
	}
	if len(t.images) >= maxImages {
		return -1
	}
	t.images = append(t.images, want)
	return len(t.images) - 1
}

// Used returns the images that frames are of.
func (t *Trace) Used() (out []Image) {
	seen := map[int]bool{}
	for i := range t.lines {
		if f, ok := t.frames[i]; ok && f.image >= 0 && !seen[f.image] {
			seen[f.image] = true
			out = append(out, t.images[f.image])
		}
	}
	return out
}

// Symbolicate returns the trace with functions, files and lines; frames of functions that were inlined stand in lines of their own, and
// say so. of returns what knows an image, nil for none. found is how many frames were. The error is that of ctx or of a source.
func (t *Trace) Symbolicate(ctx context.Context, of func(Image) (Source, error)) (text string, found int, err error) {
	sources := map[int]Source{}
	var out strings.Builder
	written := 0
	for i, line := range t.lines {
		f, ok := t.frames[i]
		var got []dwarf.Frame
		if ok && f.image >= 0 {
			if err := ctx.Err(); err != nil {
				return "", 0, err
			}
			src, known := sources[f.image]
			if !known {
				if src, err = of(t.images[f.image]); err != nil {
					return "", 0, err
				}
				sources[f.image] = src
			}
			if src != nil {
				if got, err = t.find(ctx, f, src); err != nil {
					return "", 0, err
				}
			}
		}
		if len(got) == 0 || got[len(got)-1].Function == "" {
			out.WriteString(line)
			written++
			continue
		}
		found++
		end := line[len(strings.TrimRight(line, "\r\n")):]
		for n, g := range got {
			if written++; written > symbols.MaxTraceLines {
				break
			}
			out.WriteString(f.before)
			out.WriteString(Text(g))
			if n < len(got)-1 && end == "" {
				out.WriteByte('\n')
			}
			out.WriteString(end)
		}
	}
	return out.String() + t.rest, found, nil
}

// Text is a frame as traces have it.
func Text(g dwarf.Frame) string {
	text := g.Function
	if text == "" {
		text = "??"
	}
	if g.File != "" && g.Line > 0 {
		text += " (" + g.File + ":" + strconv.Itoa(g.Line) + ")"
	} else if g.File != "" {
		text += " (" + g.File + ")"
	}
	if g.Inlined {
		text += " [inlined]"
	}
	return text
}

func (t *Trace) find(ctx context.Context, f frame, src Source) ([]dwarf.Frame, error) {
	addr := f.addr
	switch img := t.images[f.image]; {
	case f.file:
	case f.memory:
		if img.Load == 0 || addr < img.Load || img.End > img.Load && addr > img.End {
			return nil, nil
		}
		addr = addr - img.Load + src.Base()
	case f.symbol != "":
		at, ok := src.Symbol(f.symbol)
		if !ok {
			return nil, nil
		}
		addr += at
	default:
		addr += src.Base()
	}
	if f.back {
		addr--
	}
	return src.Find(ctx, addr)
}
