package sourcemap_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/symbols"
	"quipu/internal/symbols/sourcemap"
)

// small has on line 1, from column 0: a.ts:1:0 "first", from column 10: b.ts:5:2, from column 20 nothing, and on line 3 from column 4: a.ts:9:1.
const small = `{"version":3,"file":"app.js","sources":["a.ts","b.ts"],"sourcesContent":["one\ntwo\nthree \u00e4\nfour\nfive\nsix\nseven\neight\nnine\nten","x"],` +
	`"names":["first","second"],"mappings":"AAAAA,UCIEA,U;;IDIDC","debugId":"85314830-023F-4CF1-A267-535F4E37BB17","x_other":{"a":[1,{"b":null}]}}`

func TestFind(t *testing.T) {
	t.Parallel()
	m := open(t, ")]}'\n"+small)
	type found struct {
		Source       string
		Line, Column int
		Name         string
	}
	for at, want := range map[[2]int]found{
		{1, 0}: {"a.ts", 1, 0, "first"}, {1, 9}: {"a.ts", 1, 0, "first"}, {1, 10}: {"b.ts", 5, 2, "first"}, {1, 19}: {"b.ts", 5, 2, "first"},
		{1, 20}: {}, {1, 500}: {}, {2, 0}: {}, {3, 3}: {}, {3, 4}: {"a.ts", 9, 1, "second"}, {4, 4}: {}, {0, 0}: {}, {1, -1}: {},
	} {
		p, _ := m.Find(at[0], at[1])
		if diff := cmp.Diff(want, found{p.Source, p.Line, p.Column, p.Name}); diff != "" {
			t.Errorf("%v (-want +got)\n%s", at, diff)
		}
	}
	if diff := cmp.Diff([]string{"a.ts", "b.ts"}, m.Sources()); diff != "" || m.DebugID == "" || m.File != "app.js" {
		t.Errorf("%+v %s", m, diff)
	}
	p, _ := m.Find(1, 0)
	lines, err := m.Context(p, 2)
	if diff := cmp.Diff([]sourcemap.Line{{Number: 1, Text: "one"}, {Number: 2, Text: "two"}, {Number: 3, Text: "three ä"}}, lines); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestForms has the same frame as browsers and engines write it.
func TestForms(t *testing.T) {
	t.Parallel()
	var set sourcemap.Set
	set.Add("app.js.map", open(t, small))
	for name, tt := range map[string]struct{ trace, want string }{
		"Chrome":             {"Error: x\n    at a.b (https://e.com/js/app.js?v=1:1:11)\n    at https://e.com/js/app.js:3:5\n", "Error: x\n    at second (b.ts:5:3)\n    at a.ts:9:2\n"},
		"Chrome, async, new": {"    at async Promise.all (index 0)\n    at new e (webpack-internal:///app.js:1:11)\r\n", "    at async Promise.all (index 0)\n    at new e (b.ts:5:3)\r\n"},
		"Chrome, alias":      {"    at Object.f [as run] (https://e.com/app.js:1:11)", "    at Object.f [as run] (b.ts:5:3)"},
		"Node.js":            {"    at Object.<anonymous> (/srv/my app/app.js:1:11)\n    at node:internal/main:1:1\n", "    at Object.<anonymous> (b.ts:5:3)\n    at node:internal/main:1:1\n"},
		"Firefox":            {"e@https://e.com/app.js:1:11\n@https://e.com/app.js:3:5\nasync*f@https://e.com/app.js:1:11\n", "second@b.ts:5:3\nfirst@a.ts:9:2\nasync*f@b.ts:5:3\n"},
		"Safari":             {"global code@https://e.com/app.js:1:11\nmap@[native code]\n", "global code@b.ts:5:3\nmap@[native code]\n"},
		"Hermes":             {"    at e (address at app.js:1:10)\n    at native\n", "    at e (b.ts:5:3)\n    at native\n"},
		"another file":       {"    at e (https://e.com/vendor.js:1:11)\n    at f (https://e.com/myapp.js:1:11)\n", "    at e (https://e.com/vendor.js:1:11)\n    at f (https://e.com/myapp.js:1:11)\n"},
		"no position":        {"    at e (https://e.com/app.js:1:25)\n    at e (https://e.com/app.js:99999999999999999999:1)\n", "    at e (https://e.com/app.js:1:25)\n    at e (https://e.com/app.js:99999999999999999999:1)\n"},
		"no end":             {"    at e (https://e.com/app.js:1:11)", "    at e (b.ts:5:3)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := set.Symbolicate(t.Context(), tt.trace, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestSeveral has files of one name in several folders, and debug ids.
func TestSeveral(t *testing.T) {
	t.Parallel()
	version := func(source, id string) *sourcemap.Map {
		return open(t, `{"version":3,"sources":["`+source+`"],"names":[],"mappings":"AAAA","debug_id":"`+id+`"}`)
	}
	var set sourcemap.Set
	set.Add("index.js.map", version("any.ts", ""))
	set.Add("static/admin/index.js.map", version("admin.ts", ""))
	set.Add(`static\shop\index.js.map`, version("shop.ts", "AB-1"))
	got, frames, err := set.Symbolicate(t.Context(), strings.Join([]string{
		"    at f (https://e.com/static/admin/index.js:1:1)", "    at f (https://e.com/static/shop/index.js#x:1:1)", "    at f (https://e.com/other/index.js:1:1)", "    at f (blob:1234:1:1)",
	}, "\n"), map[string]string{"blob:1234": "ab-1"})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{"    at f (admin.ts:1:1)", "    at f (shop.ts:1:1)", "    at f (any.ts:1:1)", "    at f (shop.ts:1:1)"}, "\n")
	if diff := cmp.Diff(want, got); diff != "" || len(frames) != 4 {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "no JSON": "function(){}", "a list": "[]", "no version": `{"sources":[],"mappings":""}`, "version 2": `{"version":2,"mappings":""}`, "cut": small[:100],
		"no mappings": `{"version":3}`, "source that is not there": `{"version":3,"sources":[],"names":[],"mappings":"AAAA"}`, "name that is not there": `{"version":3,"sources":["a"],"names":[],"mappings":"AAAAA"}`,
		"two fields": `{"version":3,"sources":["a"],"names":[],"mappings":"AA"}`, "six fields": `{"version":3,"sources":["a"],"names":["b"],"mappings":"AAAAAA"}`,
		"no base 64": `{"version":3,"sources":["a"],"names":["b"],"mappings":"A!AA"}`, "cut number": `{"version":3,"sources":["a"],"names":["b"],"mappings":"AAAg"}`,
		"large number": `{"version":3,"sources":["a"],"names":["b"],"mappings":"ggggggggggggB"}`, "before the file": `{"version":3,"sources":["a"],"names":["b"],"mappings":"D"}`,
		"sections in sections":  `{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":` + small + `}]}}]}`,
		"section elsewhere":     `{"version":3,"sections":[{"offset":{"line":0,"column":0},"url":"file:///etc/passwd"}]}`,
		"sections out of order": `{"version":3,"sections":[{"offset":{"line":5,"column":0},"map":` + small + `},{"offset":{"line":4,"column":0},"map":` + small + `}]}`,
		"too deep":              `{"version":3,"x":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `,"mappings":""}`,
		"texts without sources": `{"version":3,"sources":[],"sourcesContent":["a"],"names":[],"mappings":""}`,
		"both":                  `{"version":3,"mappings":"","sources":[],"sections":[]}`,
	} {
		_, err := sourcemap.Open(t.Context(), strings.NewReader(text), int64(len(text)))
		if fault.CodeOf(err) != symbols.CodeBadFile {
			t.Errorf("%s: %v", name, err)
		}
	}
	lines := `{"version":3,"sources":[],"mappings":"` + strings.Repeat(";", 11_000_000) + `"}`
	if _, err := sourcemap.Open(t.Context(), strings.NewReader(lines), int64(len(lines))); fault.CodeOf(err) != symbols.CodeTooLarge {
		t.Errorf("many lines: %v", err)
	}
	if _, err := sourcemap.Open(t.Context(), strings.NewReader(""), 1<<40); fault.CodeOf(err) != symbols.CodeTooLarge {
		t.Errorf("a terabyte: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sourcemap.Open(ctx, strings.NewReader(small), int64(len(small))); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that ended: %v", err)
	}
}

// TestPathsAreNames has sources that name files of the machine: they are names in the answer and nothing else.
func TestPathsAreNames(t *testing.T) {
	t.Parallel()
	var set sourcemap.Set
	set.Add("../../../../etc/app.js.map", open(t, `{"version":3,"file":"../../etc/app.js","sources":["/etc/passwd"],"names":[],"mappings":"AAAA"}`))
	got, frames, err := set.Symbolicate(t.Context(), "    at f (https://e.com/etc/app.js:1:1)", nil)
	if want := "    at f (/etc/passwd:1:1)"; err != nil || got != want || len(frames) != 1 || frames[0].Context != nil {
		t.Errorf("%q, %+v, %v, want %q", got, frames, err, want)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(small, "at f (app.js:1:11)", 1, 11)
	f.Add(`{"version":3,"sections":[{"offset":{"line":0,"column":3},"map":`+small+`}]}`, "f@app.js:1:11", 3, 4)
	f.Add(`{"version":3,"sources":["a"],"names":[],"mappings":"UAAA,VAAA;AAAA"}`, "", 1, 0)
	f.Fuzz(func(t *testing.T, text, trace string, line, column int) {
		m, err := sourcemap.Open(t.Context(), strings.NewReader(text), int64(len(text)))
		if err != nil {
			if code := fault.CodeOf(err); code != symbols.CodeBadFile && code != symbols.CodeTooLarge {
				t.Fatal(err)
			}
			return
		}
		if p, ok := m.Find(line, column); ok {
			if _, err := m.Context(p, 3); err != nil && fault.CodeOf(err) != symbols.CodeTooLarge {
				t.Fatal(err)
			}
		}
		var set sourcemap.Set
		set.Add("app.js", m)
		if _, _, err := set.Symbolicate(t.Context(), trace, nil); err != nil {
			t.Fatal(err)
		}
	})
}
