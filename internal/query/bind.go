package query

import (
	"slices"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// binder finds what a path of a document stands for.
type binder func(path string) (plan.Typed, bool)

// bindUser finds what a path of a profile document stands for: columns are named by the wire's
// short keys; properties people made up are in JSON.
func bindUser(path string) (plan.Typed, bool) {
	if CohortPath(path) {
		return bindCohorts(path, plan.Us("uid"))
	}
	path = strings.TrimPrefix(path, "up.")
	if group, key, ok := strings.Cut(path, "."); ok && slices.Contains(userGroups, group) {
		return plan.Typed{Expr: plan.Member{Of: plan.Us(group), Path: strings.Split(key, ".")}, Type: filter.JSON}, key != ""
	}
	switch path {
	case "uid":
		return plan.Typed{Expr: plan.Do(plan.Text, plan.Us("uid")), Type: filter.Text}, true
	case "_id", "did", "name", "username", "email", "organization", "phone", "gender", "picture":
		return plan.Typed{Expr: plan.Us(path), Type: filter.Text}, true
	case "fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc", "byear":
		return plan.Typed{Expr: plan.Us(path), Type: filter.Integer}, true
	case "sd", "tsd", "lat", "lng":
		return plan.Typed{Expr: plan.Us(path), Type: filter.Number}, true
	case "hasInfo":
		return plan.Typed{Expr: plan.Us(path), Type: filter.Bool}, true
	}
	if _, ok := model.DimensionByKey(path); ok {
		return plan.Typed{Expr: plan.Us(path), Type: filter.Text}, true
	}
	return plan.Typed{}, false
}

// userGroups are the columns of users that hold JSON objects.
var userGroups = []string{"custom", "consent", "cmp"}

// eventField is a plain field of an event row.
type eventField struct {
	path string
	plan.Typed
}

// eventFields are the plain fields in the order of exports.
var eventFields = []eventField{
	{"_id", plan.Typed{Expr: plan.Do(plan.Concat, plan.Ev("off"), plan.Is("."), plan.Ev("item")), Type: filter.Text}},
	{"ts", plan.Typed{Expr: plan.Ev("ts"), Type: filter.Integer}},
	{"cd", plan.Typed{Expr: plan.Ev("received"), Type: filter.Integer}},
	{"e", plan.Typed{Expr: plan.Ev("e"), Type: filter.Text}},
	{"n", plan.Typed{Expr: plan.Ev("n"), Type: filter.Text}},
	{"uid", plan.Typed{Expr: plan.Do(plan.Text, plan.Ev("uid")), Type: filter.Text}},
	{"did", plan.Typed{Expr: plan.Us("did"), Type: filter.Text}},
	{"lsid", plan.Typed{Expr: plan.Do(plan.NullIf, plan.Ev("session"), plan.Is(0)), Type: filter.Integer}},
	{"c", plan.Typed{Expr: plan.Ev("c"), Type: filter.Integer}},
	{"s", plan.Typed{Expr: plan.Ev("s"), Type: filter.Number}},
	{"dur", plan.Typed{Expr: plan.Ev("dur"), Type: filter.Number}},
	{"hour", plan.Typed{Expr: plan.Do(plan.NullIf, plan.Ev("hour"), plan.Is(-1)), Type: filter.Integer}},
	{"dow", plan.Typed{Expr: plan.Do(plan.NullIf, plan.Ev("dow"), plan.Is(-1)), Type: filter.Integer}},
}

// statePrefixes begin the paths of a user's properties as they were at the event.
var statePrefixes = []string{"up.", "custom.", "cmp."}

func isState(path string) bool {
	return slices.ContainsFunc(statePrefixes, func(p string) bool { return strings.HasPrefix(path, p) })
}

// bindEvent returns what finds the paths of an app's event rows, by what the schema knows.
func (t *Tables) bindEvent(app model.AppID) binder {
	known := t.schema.Events(app)
	return func(path string) (plan.Typed, bool) {
		for _, f := range eventFields {
			if f.path == path {
				return f.Typed, true
			}
		}
		if CohortPath(path) {
			return bindCohorts(path, plan.Ev("uid"))
		}
		if path == "a" {
			return plan.Typed{Expr: plan.Is(app.String()), Type: filter.Text}, true
		}
		if name, ok := strings.CutPrefix(path, "sg."); ok {
			s, ok := segmentOf(known, name)
			return plan.Typed{Expr: s, Type: s.Type}, ok
		}
		if isState(path) {
			return plan.Typed{Expr: plan.Member{Of: plan.St("props"), Path: []string{path}}, Type: filter.JSON}, true
		}
		return plan.Typed{}, false
	}
}

// segmentOf finds a segment in all events that have it: of one type when they agree, of any type
// otherwise.
func segmentOf(known []schema.Event, name string) (plan.Segment, bool) {
	found := plan.Segment{Name: name, Type: filter.JSON}
	kinds := map[schema.SlotKind]bool{}
	for _, ev := range known {
		for _, s := range ev.Segments {
			if s.Name == name {
				found.In = append(found.In, plan.Placed{Event: ev.Key, Slot: s.Slot, Was: s.Was})
				kinds[s.Slot.Kind] = true
			}
		}
	}
	switch {
	case len(kinds) == 1 && kinds[schema.Text]:
		found.Type = filter.Text
	case len(kinds) == 1 && kinds[schema.Number]:
		found.Type = filter.Number
	}
	return found, len(found.In) > 0
}

// segmentOfKey is segmentOf among the events of one key; an absent value where it has none.
func (t *Tables) segmentOfKey(app model.AppID, key, name string) plan.Expr {
	ev, ok := t.schema.Event(app, key)
	if !ok {
		return plan.Is(nil)
	}
	s, ok := segmentOf([]schema.Event{ev}, name)
	if !ok {
		return plan.Is(nil)
	}
	return s
}
