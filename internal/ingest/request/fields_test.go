package request_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
)

// core are the parameters that belong to no feature: the app, the device, the session, events, the user, and registrations for push messages.
var core = []string{
	"app_key", "checksum", "checksum256", "no_checksum", "device_id", "old_device_id", "t", "timestamp", "hour", "dow", "tz", "sdk_name", "sdk_version", "av", "rr",
	"begin_session", "end_session", "ignore_cooldown", "session_duration", "metrics", "events", "user_details", "hc", "location", "ip_address", "ip",
	"country_code", "region", "city", "token_session", "ios_token", "android_token", "test_mode", "token_provider",
}

// TestFields compares what Fields declares with what the parser takes: a parameter is of the core, or of a field.
func TestFields(t *testing.T) {
	t.Parallel()
	f, err := parser.ParseFile(token.NewFileSet(), "parse.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "param" {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			c, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, e := range c.List {
				if lit, ok := e.(*ast.BasicLit); ok {
					name, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, name)
				}
			}
			return true
		})
	}
	want := slices.Clone(core)
	keys := map[string]bool{}
	for _, f := range request.Fields() {
		want = append(want, f.Names...)
		for _, key := range f.Keys {
			if of := request.FieldOf(key); keys[key] || of == nil || !slices.Equal(of.Names, f.Names) {
				t.Errorf("the row %s belongs to %v", key, of)
			}
			keys[key] = true
		}
		if f.Item != 0 && (f.Item == outcome.Event || len(f.Keys) == 0) {
			t.Errorf("%v counts as %s", f.Names, f.Item)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parameters (-declared +parsed):\n%s", diff)
	}
	if request.FieldOf("[CLY]_view") != nil {
		t.Error("views are made of a field")
	}
}
