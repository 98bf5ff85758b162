package proguard

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"quipu/internal/symbols"
)

// Names of classes, methods and files as traces have them.
const (
	identStart = `[\p{L}\p{Nl}\p{Sc}\p{Pc}]`
	identPart  = `[-\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}]`
	ident      = identStart + identPart + `*`
	className  = `(?:` + ident + `\.)*` + ident
	methodName = ident + `|<init>|<clinit>`
	fileName   = `(?:(?:(?::+[^\d:])|[^:])+)?`
)

var (
	frameLine = regexp.MustCompile(`^(.*?\bat\s+(?:[^\s()/]*/){0,2})(` + className + `)\.(` + methodName + `)(\s*\()(` + fileName + `)(?::(\d*))?(\)\p{Z}*(?:~\[.*\])?)$`)
	// throwLine is how R8 reads "a.b: message" and "E/AndroidRuntime: a.b"; of "Caused by: a.b: message" it takes the last name.
	throwLine = regexp.MustCompile(`^(?:(?:(` + className + `)|.*)?[:"]\s+)?(` + className + `)(?:(?::|\]).*)?$`)
	// causeLine takes the first name of "Caused by: a.b: message", as ProGuard does.
	causeLine = regexp.MustCompile(`^.*?[:"]\s+(` + className + `)(?::.*)?$`)
)

// Retrace returns a trace with the names and lines of the source. A line that stands for several frames, because methods were inlined,
// becomes several; one that may stand for others has those below it, marked with <OR>. Other lines, and classes that are not in the
// mapping, stay as they are. Text beyond symbols.MaxTrace stays as it is. The error is that of ctx or of reading the file.
func (m *Mapping) Retrace(ctx context.Context, trace string) (string, error) {
	rest := ""
	if len(trace) > symbols.MaxTrace {
		trace, rest = trace[:symbols.MaxTrace], trace[symbols.MaxTrace:]
	}
	r := retracer{m: m, classes: map[string]*class{}, outlined: -1}
	for line := range strings.Lines(trace) {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		text := strings.TrimRight(line, "\r\n")
		if err := r.line(text, line[len(text):]); err != nil {
			return "", err
		}
		if r.lines > symbols.MaxTraceLines {
			break
		}
	}
	return r.out.String() + rest, nil
}

// retracer goes through the lines of a trace.
type retracer struct {
	m       *Mapping
	classes map[string]*class // those that were parsed already
	out     strings.Builder
	lines   int

	thrown   string // obfuscated class of the exception in the line before, "" for none
	outlined int    // line of the outlined code in the frame before, -1 for none
}

func (r *retracer) write(text, end string) {
	r.out.WriteString(text)
	r.out.WriteString(end)
	r.lines++
}

func (r *retracer) class(name string) (*class, error) {
	if c, ok := r.classes[name]; ok {
		return c, nil
	}
	c, err := r.m.class(name)
	if err != nil {
		return nil, err
	}
	r.classes[name] = c
	return c, nil
}

func (r *retracer) line(text, end string) error {
	if f := frameLine.FindStringSubmatchIndex(text); f != nil {
		return r.frame(text, end, f)
	}
	r.write(r.exception(text), end)
	return nil
}

// exception retraces the name of the class in a line that says what was thrown.
func (r *retracer) exception(text string) string {
	from, to := thrownName(text, func(name string) bool { _, ok := r.m.classes[name]; return ok })
	if from == to {
		return text
	}
	r.thrown, r.outlined = text[from:to], -1
	if b, ok := r.m.classes[r.thrown]; ok {
		return text[:from] + b.original + text[to:]
	}
	return text
}

// thrownName returns where the name of a class is in a line that is no frame; nowhere is from = to.
func thrownName(text string, known func(string) bool) (from, to int) {
	if f := throwLine.FindStringSubmatchIndex(text); f != nil {
		if f[2] >= 0 && text[f[2]:f[3]] != "Suppressed" {
			return f[2], f[3]
		}
		from, to = f[4], f[5]
	}
	if known(text[from:to]) {
		return from, to
	}
	if f := causeLine.FindStringSubmatchIndex(text); f != nil && (from == to || strings.Contains(text[f[2]:f[3]], ".")) {
		return f[2], f[3]
	}
	return from, to
}

func (r *retracer) frame(text, end string, f []int) error {
	part := func(n int) string {
		if f[2*n] < 0 {
			return ""
		}
		return text[f[2*n]:f[2*n+1]]
	}
	c, err := r.class(part(2))
	if err != nil {
		return err
	}
	if c == nil {
		r.write(text, end)
		return nil
	}
	line := -1
	if n, err := strconv.Atoi(part(6)); err == nil {
		line = n
	}
	got := c.lookup(part(3), line)
	thrown, outlined := r.thrown, r.outlined
	if got.list[0].outer != nil { // what the mapping does not know is passed over
		r.thrown, r.outlined = "", -1
	}
	if outlined >= 0 && len(got.list) == 1 && got.list[0].outer != nil {
		if to, ok := got.list[0].outer.callsite[outlined]; ok {
			got = c.lookup(part(3), to)
		}
	}
	if c.outlined(got) {
		r.outlined = line
		return nil
	}
	return r.frames(shape{before: part(1), between: part(4), file: part(5), after: part(7), line: line, end: end}, c, got, thrown)
}

// shape is what surrounds the names in a line of a trace.
type shape struct {
	before, between, file, after, end string
	line                              int
}

// frames writes what a frame stands for.
func (r *retracer) frames(s shape, c *class, got found, thrown string) error {
	seen := map[string]bool{}
	for _, a := range got.list {
		for i, call := range c.visible(a, thrown) {
			text, err := r.text(s, call, got.ambiguous)
			if err != nil {
				return err
			}
			if i == 0 {
				if seen[text] {
					break
				}
				if len(seen) > 0 {
					at := max(strings.Index(text, "at "), 0)
					text = text[:at] + "<OR> " + text[at:]
				}
				seen[strings.Replace(text, "<OR> ", "", 1)] = true
			}
			r.write(text, s.end)
		}
	}
	return nil
}

func (r *retracer) text(s shape, c call, ambiguous bool) (string, error) {
	file, err := r.m.sourceFile(c.class)
	if err != nil {
		return "", err
	}
	if file == "" {
		file = inferred(c.class, s.file)
	}
	out := s.before + c.class + "." + c.method + s.between + file
	if c.line > 0 && (s.line >= 0 || !ambiguous) {
		out += ":" + strconv.Itoa(c.line)
	}
	return out + s.after, nil
}

// inferred guesses the file of a class by its name and by the file of the obfuscated frame.
func inferred(class, file string) string {
	if file == "Native Method" {
		return file
	}
	simple := class[strings.LastIndexByte(class, '.')+1:]
	if cut := strings.IndexByte(simple, '$'); cut >= 0 {
		simple = simple[:cut]
	}
	extension := ""
	if dot := strings.LastIndexByte(file, '.'); dot >= 0 {
		extension = file[dot+1:]
	}
	if strings.HasSuffix(simple, "Kt") && (extension == "" || extension == "kt") {
		return strings.TrimSuffix(simple, "Kt") + ".kt"
	}
	if extension == "kt" {
		return simple + ".kt"
	}
	return simple + ".java"
}
