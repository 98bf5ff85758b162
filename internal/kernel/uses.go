package kernel

import (
	"context"
	"fmt"
	"slices"

	"quipu/internal/model"
)

// EventUse is something that names events: a funnel, a report that is kept.
type EventUse struct {
	ID   string
	Name string // that people gave it
	// Events are the keys as it names them: of events, groups of events and defined events.
	Events []string
	// Visible reports whether a member sees it; nil = all who may read the feature do.
	Visible func(*model.Member) bool
}

// EventUser is a kind of things that name events.
type EventUser struct {
	Kind    string // on the wire, as "funnel"
	Feature string // whose readers see it
	// Each calls fn for every one of an app.
	Each func(ctx context.Context, app model.AppID, fn func(EventUse) error) error
}

// EventUsers lists what may name events, so that people see what a change of one affects. Modules add theirs while the server is wired;
// after that it only reads.
type EventUsers struct{ list []EventUser }

// Add declares a kind; a second one of a name is a bug and panics.
func (u *EventUsers) Add(add EventUser) {
	if add.Kind == "" || add.Feature == "" || add.Each == nil || slices.ContainsFunc(u.list, func(o EventUser) bool { return o.Kind == add.Kind }) {
		panic(fmt.Sprintf("kernel: what uses events, %q, is declared twice or lacks a part", add.Kind))
	}
	u.list = append(u.list, add)
}

// All lists the kinds in the order in which they were added.
func (u *EventUsers) All() []EventUser { return slices.Clone(u.list) }
