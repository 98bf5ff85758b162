package testkit_test

import (
	"reflect"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

func TestFromRequestToRead(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("shop", "Europe/Berlin")
	s.Ingest(a, "d1", "begin_session", "1", "metrics", `{"_os":"Android","_device":"Pixel 9"}`)
	s.Ingest(a, "d1", "end_session", "1", "session_duration", "20")
	s.Flush()
	check := func(when string) {
		t.Helper()
		got := s.Admin("/o/analytics/sessions", "app_id", a.ID, "period", "today", "bucket", "daily")
		if want := `"t":1,"n":1,"u":1,"d":20,"e":2}]`; !strings.HasSuffix(got, want) {
			t.Errorf("%s: sessions %s, want them to end in %s", when, got, want)
		}
	}
	check("after sending")
	s.Stop()
	s.Start()
	check("after a restart")
}

// TestServerIsNotMadeOfEngines looks through the types that a Server is made of: as testkit.App says, all packages that name one compile their
// methods. Engines have the most.
func TestServerIsNotMadeOfEngines(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(typ reflect.Type, path string)
	look = func(typ reflect.Type, path string) {
		if seen[typ] {
			return
		}
		seen[typ] = true
		for _, engine := range []string{"github.com/cockroachdb/pebble", "github.com/duckdb", "github.com/twmb/franz-go", "github.com/nats-io", "github.com/jackc"} {
			if strings.HasPrefix(typ.PkgPath(), engine) {
				t.Errorf("%s is a %s", path, typ)
				return
			}
		}
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			look(typ.Elem(), path)
		case reflect.Map:
			look(typ.Key(), path)
			look(typ.Elem(), path)
		case reflect.Func:
			for in := range typ.Ins() {
				look(in, path)
			}
			for out := range typ.Outs() {
				look(out, path)
			}
		case reflect.Struct:
			for field := range typ.Fields() {
				look(field.Type, path+"."+field.Name)
			}
		default:
		}
	}
	look(reflect.TypeFor[testkit.Server](), "Server")
	if len(seen) < 20 {
		t.Errorf("only %d types", len(seen))
	}
}
