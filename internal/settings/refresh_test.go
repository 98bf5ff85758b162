package settings_test

import (
	"context"
	"testing"

	"quipu/internal/hook"
	"quipu/internal/settings"
	"quipu/internal/store/docs/docstest/engines"
	"quipu/internal/store/pgtest"
	"quipu/internal/topic"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestRefresh sets through two stores of the same documents: each learns what the other does, and neither takes it back.
func TestRefresh(t *testing.T) {
	for name, documents := range engines.All() {
		t.Run(name, func(t *testing.T) {
			connect := documents(t)
			heard := 0
			open := func() *settings.Store {
				bus := hook.NewBus()
				hook.On(bus, "test", func(context.Context, topic.SettingsChanged) error { heard++; return nil })
				s, err := settings.Open(t.Context(), connect(), bus)
				if err != nil {
					t.Fatal(err)
				}
				s.Declare("api", "limit", settings.Setting{Default: 10})
				s.Declare("api", "on", settings.Setting{Default: false})
				return s
			}
			one, two := open(), open()
			set := func(s *settings.Store, name string, v any) settings.Values {
				t.Helper()
				before, _, err := s.Set(t.Context(), settings.Values{"api": {name: v}})
				if err != nil {
					t.Fatal(err)
				}
				return before
			}
			set(one, "limit", 20.0)
			if before := set(two, "on", true); before["api"]["limit"] != 20.0 { // without a look in between
				t.Errorf("before the second change: %v", before)
			}
			if got := two.Number("api", "limit"); got != 20 {
				t.Errorf("the second change took the first back: %v", got)
			}
			if err := one.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !one.Bool("api", "on") || one.Number("api", "limit") != 20 {
				t.Errorf("after a look: %v", one.All(nil))
			}
			if heard != 2 {
				t.Errorf("the buses heard of %d changes, want 2: each of its own", heard)
			}
		})
	}
}
