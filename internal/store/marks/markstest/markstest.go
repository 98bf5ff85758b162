// Package markstest is the specification of marks and settings in a state as a test suite.
package markstest

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/marks"
	"quipu/internal/store/state"
)

// Env is a state under test.
type Env struct {
	Reader marks.Reader
	// Commit commits what changes of apps.
	Commit func(t *testing.T, apps ...state.App)
	// Reopen closes the state and opens it again with what it holds.
	Reopen func() marks.Reader
}

// Run tests the states that open makes.
func Run(t *testing.T, open func(t *testing.T) *Env) {
	t.Helper()
	t.Run("marks", func(t *testing.T) { testMarks(t, open(t)) })
	t.Run("settings", func(t *testing.T) { testSettings(t, open(t)) })
	t.Run("the last change of an app counts", func(t *testing.T) { testOrder(t, open(t)) })
}

var one, two = model.AppID{1}, model.AppID{0: 1, 11: 1}

func (e *Env) marks(t *testing.T, what string, app model.AppID, want marks.Marks) {
	t.Helper()
	got, err := e.Reader.Marks(app)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: marks (-want +got):\n%s", what, diff)
	}
}

func (e *Env) settings(t *testing.T, what string, app model.AppID, want string) {
	t.Helper()
	got, err := e.Reader.Settings(app)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if string(got) != want || (got == nil) != (want == "") {
		t.Errorf("%s: settings %q, want %q", what, got, want)
	}
}

func testMarks(t *testing.T, e *Env) {
	t.Helper()
	e.marks(t, "new", one, marks.Marks{})
	m := marks.Marks{Dropped: -5, Deleted: 1 << 40, Merged: 3, Loose: true}
	least := marks.Marks{Dropped: math.MinInt64, Deleted: 0, Merged: math.MaxUint64}
	e.Commit(t, state.App{ID: one, Marks: &m})
	e.Commit(t, state.App{ID: two, Marks: &least})
	e.marks(t, "stored", one, m)
	e.marks(t, "those of another app", two, least)
	e.Commit(t, state.App{ID: one})
	e.marks(t, "nil changes nothing", one, m)
	e.Reader = e.Reopen()
	e.marks(t, "after opening again", one, m)
	e.Commit(t, state.App{ID: one, ForgetMarks: true})
	e.marks(t, "forgotten", one, marks.Marks{})
	e.marks(t, "those of another app stay", two, least)
	e.Commit(t, state.App{ID: one, ForgetMarks: true})
	e.marks(t, "forgotten twice", one, marks.Marks{})
}

func testSettings(t *testing.T, e *Env) {
	t.Helper()
	e.settings(t, "new", one, "")
	text := `{"timezone":"Asia/Kolkata","name":"ü\u0000"}`
	e.Commit(t, state.App{ID: one, Settings: []byte(text)}, state.App{ID: two, Settings: []byte("{}")})
	e.settings(t, "stored", one, text)
	e.settings(t, "of another app", two, "{}")
	e.Commit(t, state.App{ID: one, ForgetMarks: true, Marks: &marks.Marks{Dropped: 1}})
	e.settings(t, "marks leave them alone", one, text)
	e.Reader = e.Reopen()
	e.settings(t, "after opening again", one, text)
	e.Commit(t, state.App{ID: one, ForgetSettings: true})
	e.settings(t, "forgotten", one, "")
	e.settings(t, "those of another app stay", two, "{}")
	e.marks(t, "the marks stay", one, marks.Marks{Dropped: 1})
}

func testOrder(t *testing.T, e *Env) {
	t.Helper()
	e.Commit(t, state.App{ID: one, Settings: []byte("1"), Marks: &marks.Marks{Dropped: 1}}, state.App{ID: one, Settings: []byte("2"), Marks: &marks.Marks{Dropped: 2}})
	e.settings(t, "two in a change", one, "2")
	e.marks(t, "two in a change", one, marks.Marks{Dropped: 2})
	e.Commit(t, state.App{ID: one, ForgetSettings: true, Settings: []byte("3"), ForgetMarks: true, Marks: &marks.Marks{Dropped: 3}})
	e.settings(t, "forgotten and replaced", one, "3")
	e.marks(t, "forgotten and replaced", one, marks.Marks{Dropped: 3})
	e.Commit(t, state.App{ID: one, Settings: []byte("4"), Marks: &marks.Marks{Dropped: 4}}, state.App{ID: one, ForgetSettings: true, ForgetMarks: true})
	e.settings(t, "replaced and forgotten", one, "")
	e.marks(t, "replaced and forgotten", one, marks.Marks{})
}
