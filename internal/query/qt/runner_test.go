package qt_test

import (
	"strings"
	"testing"

	"quipu/internal/store/events/eventstest"
)

// TestRunnerFindsFaults runs scripts that are wrong, each in one thing.
func TestRunnerFindsFaults(t *testing.T) {
	t.Parallel()
	const head = "app a UTC\nload a\n  2031-05-14T09:00Z d1 event buy count=2 {\"what\":\"tea\"}\n  2031-05-14T09:01Z d2 event buy {\"what\":\"7\"}\n"
	for name, c := range map[string]struct{ text, want string }{
		"another value":        {"eval events a fields=c\n  c\n  2\n  3\n", "x.qt:5: duckdb, naive: another answer, first at x.qt:8"},
		"a row too few":        {"eval events a fields=c\n  c\n  2\n", "first at the end"},
		"a row too many":       {"eval events a fields=c\n  c\n  2\n  1\n  1\n", "first at x.qt:9"},
		"another order":        {"eval events a fields=c\n  c\n  1\n  2\n", "first at x.qt:7"},
		"rows for nothing":     {"eval events a\n  nothing\n", "another answer"},
		"nothing for rows":     {"eval events a filter={\"n\":\"x\"} fields=c\n  c\n  2\n", "first at x.qt:7"},
		"text is no number":    {"eval events a fields=sg skip=1\n  sg.what\n  7\n", "another answer"},
		"no such column":       {"eval events a fields=c\n  d\n  2\n", "no column d: there are _id, c"},
		"no such query":        {"eval nonsense a\n  nothing\n", "x.qt:5: no query nonsense: there are actions, "},
		"no such app":          {"eval count b\n  count\n  1\n", "x.qt:5: no app b"},
		"no such argument":     {"eval count a form=1\n  count\n  2\n", "x.qt:5: the query takes no form"},
		"unreadable argument":  {"eval points a from=noon\n  nothing\n", `from: "noon" is no time`},
		"an error":             {"eval count a filter={\"n\":{\"$like\":1}}\n  count\n  2\n", "$like"},
		"no error":             {"eval_fail count a\n  anything\n", `the error is <nil>, want one with "anything"`},
		"another error":        {"eval_fail count a filter={\"n\":{\"$like\":1}}\n  anything\n", `want one with "anything"`},
		"no evals":             {"", "x.qt: nothing is evaluated"},
		"no table":             {"eval count a\n", "x.qt:5: an eval is"},
		"no rows":              {"eval count a\n  count\n", "x.qt:6: a table without rows"},
		"cells without column": {"eval count a\n  count\n  2 | 3\n", "x.qt:7: 2 cells below 1 columns"},
		"an empty cell":        {"eval events a fields=c,n\n  c | n\n  2 |\n", "x.qt:7: cell 2 is empty"},
		"no such step":         {"evaluate count a\n", `x.qt:5: no step "evaluate"`},
		"an open bracket":      {"eval count a filter={\n  count\n  2\n", "x.qt:5: a quote or bracket is not closed"},
		"no such verb":         {"load a\n  2031-05-14T09:00Z d1 evnt buy\n", `x.qt:6: no verb "evnt"`},
		"no time":              {"load a\n  today d1 event buy\n", `x.qt:6: "today" is no time`},
		"a bad property":       {"load a\n  2031-05-14T09:00Z d1 event buy {bad}\n", "x.qt:6: {bad} is no JSON"},
		"a refused call":       {"load a\n  2031-05-14T09:00Z - call /nowhere\n", "x.qt:6: refused: "},
		"no zone":              {"app b Mars/Olympus\n", "x.qt:5: unknown time zone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := run(t, nil, "x.qt", head+c.text)
			if len(problems) != 1 || !strings.Contains(problems[0], c.want) {
				t.Errorf("problems %q, want one with %q", problems, c.want)
			}
		})
	}
	for _, text := range []string{"  indented\n", "app a\n", "load a\n", "eval_fail count a\n  one\n  two\n", "app \"a\\x\" UTC\n"} {
		if _, err := parse("x.qt", text); err == nil || !strings.HasPrefix(err.Error(), "x.qt:1: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRunnerComparesEngines has one engine lose a row.
func TestRunnerComparesEngines(t *testing.T) {
	w := &world{spoil: func(engines []engine) { engines[1].rows = eventstest.NewNaive(nil) }}
	problems := w.run(t, "x.qt", "app a UTC\nload a\n  2031-05-14T09:00Z d1 event buy\neval count a\n  count\n  1\n")
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "x.qt:4: naive: another answer") {
		t.Errorf("problems %q", problems)
	}
}

// TestCells writes values so that no two are written alike.
func TestCells(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]any{
		"-": nil, `"-"`: "-", `""`: "", "tea": "tea", `"7"`: "7", "7": 7, "7.5": 7.5, "true": true, `"true"`: "true", `"null"`: "null", `" a"`: " a", `"a|b"`: "a|b",
		`"a\"b"`: `a"b`, `"#1"`: "#1", `"a\nb"`: "a\nb", "it's": "it's", "1e+21": 1e21, "3": 3.0, "<b>": "<b>",
	} {
		if got := cell(v); got != want {
			t.Errorf("%#v is written %s, want %s", v, got, want)
		}
	}
	got, err := cells(`"a|b" | "tea" | - | "-"`)
	if want := []string{`"a|b"`, "tea", "-", `"-"`}; err != nil || strings.Join(got, "\x00") != strings.Join(want, "\x00") {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
