package kernel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/model"
)

// Collection is a set of documents that members may browse and export. The
// documents are in the form of the wire and hold no secrets.
type Collection struct {
	// Name is that of the wire, as "notes".
	Name string
	// ByApp says that there is one collection an app, named Name and the app's
	// id, as "app_users<id>".
	ByApp bool
	// Allowed reports whether the member may read the collection; app is nil unless ByApp.
	Allowed func(m *model.Member, app *model.App) bool
	// Each calls fn for every document that the member may read, in the form that json.Marshal writes.
	Each func(ctx context.Context, m *model.Member, app *model.App, fn func(doc any) error) error
	// Indexes names the fields that lookups are quick by, beside _id.
	Indexes []string
}

// Collections lists what the modules offer. Modules add theirs while the
// server is wired; after that it only reads.
type Collections struct{ list []Collection }

// Add declares a collection; a second one of a name is a bug and panics.
func (c *Collections) Add(add Collection) {
	if add.Name == "" || add.Allowed == nil || add.Each == nil || slices.ContainsFunc(c.list, func(o Collection) bool { return o.Name == add.Name }) {
		panic(fmt.Sprintf("kernel: collection %q is declared twice or lacks a part", add.Name))
	}
	c.list = append(c.list, add)
}

// Find returns the collection of a name, with the app that the name ends in when there is one an
// app.
func (c *Collections) Find(name string) (found Collection, app model.AppID, ok bool) {
	for _, each := range c.list {
		if !each.ByApp {
			if each.Name == name {
				return each, model.AppID{}, true
			}
			continue
		}
		if rest, cut := strings.CutPrefix(name, each.Name); cut {
			if id, err := model.ParseID(rest); err == nil {
				return each, id, true
			}
		}
	}
	return Collection{}, model.AppID{}, false
}

// All lists the collections by name.
func (c *Collections) All() []Collection {
	out := slices.Clone(c.list)
	slices.SortFunc(out, func(a, b Collection) int { return strings.Compare(a.Name, b.Name) })
	return out
}
