package settings_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/settings"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/topic"
)

// world is a store of settings on a document store of its own.
type world struct {
	*settings.Store
	db  *sqlite.Store
	bus *hook.Bus
}

func open(t *testing.T, db *sqlite.Store) *world {
	t.Helper()
	w := &world{db: db, bus: hook.NewBus()}
	if db == nil {
		var err error
		w.db, err = sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs.sqlite"), Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := w.db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	s, err := settings.Open(t.Context(), w.db, w.bus)
	if err != nil {
		t.Fatal(err)
	}
	s.Declare("api", "country_data", settings.Setting{Default: true, PerApp: true})
	s.Declare("api", "city_data", settings.Setting{Default: true, PerApp: true})
	s.Declare("api", "limit", settings.Setting{Default: 10, Min: 1, Max: 100, PerApp: true})
	s.Declare("api", "least", settings.Setting{Default: 2.5, Min: 0.5})
	s.Declare("look", "theme", settings.Setting{Default: "light", OneOf: []string{"light", "dark"}, PerMember: true})
	s.Declare("look", "title", settings.Setting{Default: "Quipu"})
	w.Store = s
	return w
}

// set sets one value.
func (w *world) set(t *testing.T, namespace, name string, v any) error {
	t.Helper()
	_, _, err := w.Set(t.Context(), settings.Values{namespace: {name: v}})
	return err
}

// TestAccept goes through what values a declaration takes and what they become.
func TestAccept(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	for _, tt := range []struct {
		namespace, name string
		give, want      any // want nil = refused
	}{
		{"api", "country_data", false, false},
		{"api", "country_data", "true", true},
		{"api", "country_data", "yes", nil},
		{"api", "country_data", 1.0, nil},
		{"api", "country_data", nil, nil},
		{"api", "limit", 1.0, 1.0},
		{"api", "limit", 100.0, 100.0},
		{"api", "limit", " 7.5 ", 7.5},
		{"api", "limit", 0.0, nil},
		{"api", "limit", 101.0, nil},
		{"api", "limit", "NaN", nil},
		{"api", "limit", "", nil},
		{"api", "limit", true, nil},
		{"api", "least", 1e300, 1e300},
		{"api", "least", "-1", nil},
		{"look", "theme", "dark", "dark"},
		{"look", "theme", "pink", nil},
		{"look", "title", "", ""},
		{"look", "title", strings.Repeat("x", 10_000), strings.Repeat("x", 10_000)},
		{"look", "title", strings.Repeat("x", 10_001), nil},
		{"look", "title", 5.0, nil},
	} {
		before := w.Get(tt.namespace, tt.name)
		err := w.set(t, tt.namespace, tt.name, tt.give)
		want := tt.want
		if want == nil {
			want = before
			if fault.CodeOf(err) != "settings.invalid" || !strings.Contains(err.Error(), tt.namespace+"."+tt.name) {
				t.Errorf("%s.%s = %v: %v, want it refused by name", tt.namespace, tt.name, tt.give, err)
			}
		} else if err != nil {
			t.Errorf("%s.%s = %v: %v", tt.namespace, tt.name, tt.give, err)
		}
		if got := w.Get(tt.namespace, tt.name); got != want {
			t.Errorf("%s.%s = %v gives %v, want %v", tt.namespace, tt.name, tt.give, got, want)
		}
	}
}

// TestAllOrNothing sets several values of which one is refused.
func TestAllOrNothing(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	told := 0
	hook.On(w.bus, "test", func(context.Context, topic.SettingsChanged) error { told++; return nil })
	_, _, err := w.Set(t.Context(), settings.Values{"api": {"limit": 5.0, "least": "x"}, "look": {"theme": "pink"}, "own": {"a": 1.0}})
	if err == nil || !strings.Contains(err.Error(), "api.least") || !strings.Contains(err.Error(), "look.theme") {
		t.Errorf("%v, want both faults named", err)
	}
	if w.Number("api", "limit") != 10 || told != 0 {
		t.Errorf("limit %v, told %d times: something was set", w.Number("api", "limit"), told)
	}
	before, after, err := w.Set(t.Context(), settings.Values{"api": {"limit": 5.0}, "own": {"a": []any{1.0}}})
	if err != nil || told != 1 {
		t.Fatalf("%v, told %d times", err, told)
	}
	if before["api"]["limit"] != 10.0 || after["api"]["limit"] != 5.0 || before["own"] != nil {
		t.Errorf("before %v, after %v", before, after)
	}
	if d := cmp.Diff([]any{1.0}, w.All(nil)["own"]["a"]); d != "" {
		t.Errorf("a setting of a client's own (-want +got):\n%s", d)
	}
	again := open(t, w.db)
	if again.Number("api", "limit") != 5 || again.All(nil)["own"]["a"] == nil {
		t.Errorf("opened again: %v", again.All(nil))
	}
}

// TestForApp reads values that apps override.
func TestForApp(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	if err := w.set(t, "api", "limit", 20.0); err != nil {
		t.Fatal(err)
	}
	with := func(api any) *model.App { return &model.App{Plugins: map[string]any{"api": api}} }
	for name, tt := range map[string]struct {
		app  *model.App
		want float64
	}{
		"no app":           {nil, 20},
		"no settings":      {&model.App{}, 20},
		"its own":          {with(map[string]any{"limit": 30.0}), 30},
		"as text":          {with(map[string]any{"limit": "40"}), 40},
		"out of bounds":    {with(map[string]any{"limit": 1000.0}), 20},
		"of another type":  {with(map[string]any{"limit": []any{}}), 20},
		"no object":        {with("x"), 20},
		"another":          {with(map[string]any{"least": 9.0}), 20},
		"null is no value": {with(map[string]any{"limit": nil}), 20},
	} {
		if got := w.AppNumber(tt.app, "api", "limit"); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if got := w.AppNumber(with(map[string]any{"least": 9.0}), "api", "least"); got != 2.5 {
		t.Errorf("a setting that may not differ by app gives %v", got)
	}
	if w.AppBool(with(map[string]any{"city_data": "false"}), "api", "city_data") {
		t.Error("a switch as text counts as on")
	}
}

// TestMember keeps settings of members apart, and forgets those of one who is gone.
func TestMember(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	ann, ben := model.MemberID{1}, model.MemberID{2}
	theme := func(id model.MemberID) any {
		t.Helper()
		v, err := w.Member(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if len(v) != 1 || len(v["look"]) != 1 {
			t.Errorf("a member sees %v", v)
		}
		return v["look"]["theme"]
	}
	if err := w.SetMember(t.Context(), ann, settings.Values{"look": {"theme": "dark", "title": "mine"}, "api": {"limit": 1000.0}}); err != nil {
		t.Fatal(err)
	}
	if fault.CodeOf(w.SetMember(t.Context(), ben, settings.Values{"look": {"theme": "pink"}})) != "settings.invalid" {
		t.Error("a theme that does not exist is taken")
	}
	if theme(ann) != "dark" || theme(ben) != "light" || w.Text("look", "title") != "Quipu" {
		t.Errorf("themes %v and %v, title %q", theme(ann), theme(ben), w.Text("look", "title"))
	}
	for range 2 { // the second finds nothing
		if err := hook.Emit(t.Context(), w.bus, topic.MemberDeleted{Member: ann}); err != nil {
			t.Fatal(err)
		}
	}
	if theme(ann) != "light" {
		t.Errorf("after the member was deleted: %v", theme(ann))
	}
}

// TestCouple keeps the switches of countries and cities in step.
func TestCouple(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	for _, tt := range []struct {
		name          string
		value         any
		country, city bool
	}{{"city_data", false, true, false}, {"city_data", true, true, true}, {"country_data", false, false, false}, {"city_data", true, true, true}} {
		if err := w.set(t, "api", tt.name, tt.value); err != nil {
			t.Fatal(err)
		}
		if w.Bool("api", "country_data") != tt.country || w.Bool("api", "city_data") != tt.city {
			t.Errorf("after %s = %v: countries %v, cities %v", tt.name, tt.value, w.Bool("api", "country_data"), w.Bool("api", "city_data"))
		}
	}
}

// TestTooLarge fills the document of the server.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	if err := w.set(t, "own", "a", strings.Repeat("x", 250<<10)); err != nil {
		t.Fatal(err)
	}
	if err := w.set(t, "own", "b", strings.Repeat("x", 10<<10)); fault.CodeOf(err) != "settings.too_large" {
		t.Errorf("%v, want it refused for its size", err)
	}
	if _, there := w.All(nil)["own"]["b"]; there {
		t.Error("what was refused is there")
	}
}

// TestConcurrent writes and reads at the same time: no write is lost.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, _, err := w.Set(context.Background(), settings.Values{"own": {string(rune('a' + i)): true}}); err != nil {
				t.Error(err)
			}
			_ = w.All(nil)
		})
	}
	wg.Wait()
	if n := len(w.All(nil)["own"]); n != 8 {
		t.Errorf("%d values are set, want 8", n)
	}
}

// TestDeclare refuses declarations that cannot be meant.
func TestDeclare(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	for name, declare := range map[string]func(){
		"twice":                  func() { w.Declare("api", "limit", settings.Setting{Default: 1}) },
		"a default out of range": func() { w.Declare("api", "new", settings.Setting{Default: 0, Min: 1}) },
		"a default of no kind":   func() { w.Declare("api", "new", settings.Setting{Default: []string{}}) },
		"unknown":                func() { w.Get("api", "nothing") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: it does not panic", name)
				}
			}()
			declare()
		}()
	}
}
