package sourcemap

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"quipu/internal/symbols"
)

// Set are the maps of the generated files of a build. The zero value has none. Lookups may run at the same time; Add may not.
type Set struct{ maps []named }

type named struct {
	name string // of the generated file, as a path from its end; "" unknown
	m    *Map
}

// Add takes a map that was uploaded under a name, as "bundle.js.map".
func (s *Set) Add(name string, m *Map) {
	name = strings.TrimSuffix(clean(name), ".map")
	if m.File != "" && (name == "" || path.Base(clean(m.File)) == path.Base(name)) {
		name = clean(m.File)
	}
	s.maps = append(s.maps, named{name: name, m: m})
}

// clean takes from an address what may be a path within a build.
func clean(name string) string {
	if i := strings.Index(name, "://"); i >= 0 {
		name = name[i+3:]
		if slash := strings.IndexByte(name, '/'); slash >= 0 {
			name = name[slash:]
		}
	}
	if i := strings.IndexAny(name, "?#"); i >= 0 {
		name = name[:i]
	}
	name = strings.Trim(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
	return name
}

// Find returns the map of a generated file by its address: the one whose name shares the most elements with it from the end, all of
// the shorter of the two. nil is none. debugID, if there is one, decides alone.
func (s *Set) Find(address, debugID string) *Map {
	if debugID != "" {
		for _, each := range s.maps {
			if strings.EqualFold(each.m.DebugID, debugID) {
				return each.m
			}
		}
		return nil
	}
	var best *Map
	most := 0
	have := strings.Split(clean(address), "/")
	for _, each := range s.maps {
		if n := shared(strings.Split(each.name, "/"), have); n > most {
			best, most = each.m, n
		}
	}
	return best
}

// shared counts the elements that two paths have in common from the end; 0 when they differ before the shorter one begins.
func shared(a, b []string) int {
	n := min(len(a), len(b))
	for i := 1; i <= n; i++ {
		if a[len(a)-i] != b[len(b)-i] || a[len(a)-i] == "" {
			return 0
		}
	}
	return n
}

// Frame is a frame of a trace and where it comes from.
type Frame struct {
	Position
	Function string // as the trace or the source names it, "" unknown
	Context  []Line // lines of the source around it
}

// aroundLine is how many lines of the source are shown before and after that of a frame.
const aroundLine = 5

// Lines of traces. Chrome, Node.js and Hermes write "at name (address:1:2)", Firefox and Safari "name@address:1:2".
var (
	atLine   = regexp.MustCompile(`^(\s*at )(?:(.*?) ?\()?((?:address at )?)([^()\s]+?|[^()]+?):(\d+):(\d+)(\)?)$`)
	signLine = regexp.MustCompile(`^(\s*)([^@\s]*(?: [^@\s]+)*?)@((?:\S+? line \d+ > (?:eval|Function)[^@]*?)|\S+?):(\d+):(\d+)()$`)
)

// site is what a line of a trace says.
type site struct {
	before, function, address, after string
	at                               bool // in Chrome's form
	line, column                     int  // from 1, from 0
}

func parse(text string) (s site, ok bool) {
	if f := atLine.FindStringSubmatch(text); f != nil {
		s = site{before: f[1], function: f[2], address: f[4], after: f[7], at: true}
		s.line, _ = strconv.Atoi(f[5])
		s.column, _ = strconv.Atoi(f[6])
		if f[3] == "" { // Hermes counts the bytes of its code, from 0
			s.column--
		}
		return s, true
	}
	if f := signLine.FindStringSubmatch(text); f != nil {
		s = site{before: f[1], function: f[2], address: f[3], after: f[6]}
		s.line, _ = strconv.Atoi(f[4])
		s.column, _ = strconv.Atoi(f[5])
		s.column--
		return s, true
	}
	return s, false
}

// Symbolicate returns a trace with the places of the source, in the form that it came in, and its frames, one for each line that a map has. Functions take the
// names by which the frame below calls them, where the map has these. debugIDs has the ids of generated files by their
// addresses, and may be nil. Text beyond symbols.MaxTrace stays as it is.
func (s *Set) Symbolicate(ctx context.Context, trace string, debugIDs map[string]string) (string, []Frame, error) {
	rest := ""
	if len(trace) > symbols.MaxTrace {
		trace, rest = trace[:symbols.MaxTrace], trace[symbols.MaxTrace:]
	}
	var lines []string
	for line := range strings.Lines(trace) {
		lines = append(lines, line)
		if len(lines) == symbols.MaxTraceLines {
			break
		}
	}
	places := make([]place, len(lines))
	for i, line := range lines {
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		places[i] = s.place(strings.TrimRight(line, "\r\n"), debugIDs)
	}
	var out strings.Builder
	var frames []Frame
	for i, p := range places {
		if p.m == nil {
			out.WriteString(lines[i])
			continue
		}
		if i+1 < len(places) && places[i+1].m != nil && places[i+1].Name != "" {
			p.function = places[i+1].Name
		}
		f, err := p.frame(len(frames))
		if err != nil {
			return "", nil, err
		}
		frames = append(frames, f)
		out.WriteString(p.text())
		out.WriteString(lines[i][len(strings.TrimRight(lines[i], "\r\n")):])
	}
	return out.String() + rest, frames, nil
}

// place is a line of a trace with its position; m is nil when no map has it.
type place struct {
	site
	Position
	m *Map
}

func (s *Set) place(text string, debugIDs map[string]string) place {
	if len(text) > 4096 {
		return place{}
	}
	at, ok := parse(text)
	if !ok {
		return place{}
	}
	m := s.Find(at.address, debugIDs[at.address])
	if m == nil {
		return place{}
	}
	p, ok := m.Find(at.line, at.column)
	if !ok {
		return place{}
	}
	return place{site: at, Position: p, m: m}
}

// maxContexts bounds the frames of a trace that show their source.
const maxContexts = 50

func (p place) frame(n int) (Frame, error) {
	f := Frame{Position: p.Position, Function: p.function}
	if n >= maxContexts {
		return f, nil
	}
	var err error
	f.Context, err = p.m.Context(p.Position, aroundLine)
	return f, err
}

func (p place) text() string {
	where := fmt.Sprintf("%s:%d:%d", p.Source, p.Line, p.Column+1)
	switch {
	case !p.at:
		return p.before + p.function + "@" + where
	case p.function == "":
		return p.before + where
	}
	return p.before + p.function + " (" + where + ")"
}
