package qt_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// script is a file of steps, see ../testdata/README.md.
type script struct {
	name  string
	steps []step
}

// step is a line with those indented below it.
type step struct {
	line
	below []line
}

// line is the words of a line.
type line struct {
	at    string // file:line
	text  string // without indentation and comment
	words []word
}

// word is one of name=value, of value alone.
type word struct {
	name  string // "" = none
	value string
}

// parse reads a script. Errors begin with file:line.
func parse(name, text string) (*script, error) {
	s := &script{name: name}
	for i, raw := range strings.Split(text, "\n") {
		l := line{at: fmt.Sprintf("%s:%d", name, i+1)}
		indented := strings.HasPrefix(raw, " ") || strings.HasPrefix(raw, "\t")
		var err error
		if l.text, l.words, err = split(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", l.at, err)
		}
		switch {
		case l.text == "":
		case !indented:
			s.steps = append(s.steps, step{line: l})
		case len(s.steps) == 0:
			return nil, fmt.Errorf("%s: indented below nothing", l.at)
		default:
			last := &s.steps[len(s.steps)-1]
			last.below = append(last.below, l)
		}
	}
	for _, st := range s.steps {
		if err := st.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", st.at, err)
		}
	}
	return s, nil
}

// check finds what no step may be.
func (st *step) check() error {
	kind := st.words[0].value
	switch {
	case kind == "app" && (len(st.words) != 3 || len(st.below) > 0):
		return fmt.Errorf("an app is: app NAME ZONE")
	case kind == "load" && (len(st.words) != 2 || len(st.below) == 0):
		return fmt.Errorf("a load is: load APP, with lines below it")
	case kind == "eval" && (len(st.words) < 3 || len(st.below) == 0):
		return fmt.Errorf("an eval is: eval QUERY APP NAME=VALUE…, with a table below it, or the word nothing")
	case kind == "eval_fail" && (len(st.words) < 3 || len(st.below) != 1):
		return fmt.Errorf("an eval_fail is: eval_fail QUERY APP NAME=VALUE…, with one line below it, a part of the error")
	case kind == "app", kind == "load", kind == "eval", kind == "eval_fail":
		return nil
	}
	return fmt.Errorf("no step %q: there are app, load, eval and eval_fail", kind)
}

// split returns the text of a line without its comment, and its words. Words are separated by blanks outside of quotes and
// brackets.
func split(raw string) (text string, words []word, err error) {
	var quoted, escaped bool
	depth, from := 0, -1
	flush := func(to int) {
		if from >= 0 && err == nil {
			var w word
			w, err = wordOf(raw[from:to])
			words = append(words, w)
		}
		from = -1
	}
	end := len(raw)
scan:
	for i, c := range raw {
		switch {
		case escaped:
			escaped = false
			continue
		case quoted:
			escaped, quoted = c == '\\', c != '"'
			continue
		case c == '#' && depth == 0 && from < 0:
			end = i
			break scan
		case (c == ' ' || c == '\t') && depth == 0:
			flush(i)
			continue
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if from < 0 {
			from = i
		}
	}
	if quoted || depth != 0 {
		return "", nil, fmt.Errorf("a quote or bracket is not closed")
	}
	flush(end)
	return strings.TrimSpace(raw[:end]), words, err
}

func wordOf(text string) (word, error) {
	var w word
	if i := strings.IndexAny(text, "=\"{["); i > 0 && text[i] == '=' {
		w.name, text = text[:i], text[i+1:]
	}
	w.value = text
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal([]byte(text), &w.value); err != nil {
			return w, fmt.Errorf("%s is no quoted text", text)
		}
	}
	return w, nil
}

// table is what a query has to return: columns by name, and rows of cells, each as cell writes it.
type table struct {
	columns []string
	rows    [][]string
	at      []string // of each row
}

// tableOf reads a table. The word "nothing" stands for one without rows, whatever its columns.
func tableOf(lines []line) (t table, err error) {
	if len(lines) == 1 && lines[0].text == "nothing" {
		return t, nil
	}
	for i, l := range lines {
		cells, err := cells(l.text)
		switch {
		case err != nil:
			return t, fmt.Errorf("%s: %w", l.at, err)
		case i == 0:
			t.columns = cells
			continue
		case len(cells) != len(t.columns):
			return t, fmt.Errorf("%s: %d cells below %d columns", l.at, len(cells), len(t.columns))
		}
		t.rows, t.at = append(t.rows, cells), append(t.at, l.at)
	}
	if len(t.rows) == 0 {
		return t, fmt.Errorf("%s: a table without rows; say nothing", lines[0].at)
	}
	return t, nil
}

// cells splits a row at "|" outside of quotes.
func cells(text string) ([]string, error) {
	var out []string
	quoted, escaped, from := false, false, 0
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '|':
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	out = append(out, strings.TrimSpace(text[from:]))
	for i, c := range out {
		if c == "" {
			return nil, fmt.Errorf("cell %d is empty: write - for what is absent, \"\" for an empty text", i+1)
		}
		if strings.HasPrefix(c, `"`) { // one way to write it
			var s string
			if err := json.Unmarshal([]byte(c), &s); err != nil {
				return nil, fmt.Errorf("%s is no quoted text", c)
			}
			out[i] = cell(s)
		}
	}
	return out, nil
}

// cell writes a value of a result: numbers and truth values as they are, "-" for what is absent, texts bare where they can
// be taken for nothing else.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		var other any
		bare := v != "" && v != "-" && v == strings.TrimSpace(v) && !strings.ContainsAny(v, "|\"#\\") && json.Unmarshal([]byte(v), &other) != nil
		if quoted := quote(v); !bare || len(quoted) != len(v)+2 {
			return quoted
		}
		return v
	case json.RawMessage:
		return string(v)
	case float64:
		return numberText(v)
	default:
		return fmt.Sprint(v)
	}
}

// quote writes a text in quotes.
func quote(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func numberText(f float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%v", json.Number(quote(f))), ".0")
}

// momentOf reads a time as scripts write it: 2031-05-14T09:30Z, with seconds or an offset, or ms since 1970.
func momentOf(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04Z07:00", time.RFC3339Nano} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	var ms int64
	if _, err := fmt.Sscanf(text+"\n", "%d\n", &ms); err == nil {
		return time.UnixMilli(ms).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%q is no time; write 2031-05-14T09:30Z", text)
}

var momentIn = regexp.MustCompile(`@\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)`)

// withMoments writes times behind an @, as filters have them, as ms.
func withMoments(text string) string {
	return momentIn.ReplaceAllStringFunc(text, func(m string) string {
		t, err := momentOf(m[1:])
		if err != nil {
			return m
		}
		return fmt.Sprint(t.UnixMilli())
	})
}
