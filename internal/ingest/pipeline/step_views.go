package pipeline

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/store/events"
	"quipu/internal/store/registry"
	"quipu/internal/store/rollup"
)

// ActionKey is the event key of clicks and scrolling.
const ActionKey = "[CLY]_action"

// maxViewValue is how much of a segment's value tells views apart, in bytes: name and value together are a dimension.
const maxViewValue = rollup.MaxText - request.MaxSegmentName - 1

// maxScrolled is how far a view can be scrolled, in per cent of the height that the client gave.
const maxScrolled = 10_000

// isView reports whether items of the key are counted under a view.
func isView(key string) bool { return key == registry.ViewKey || key == ActionKey }

// visits finds the views of the request's items, and takes down for the user and the session what was visited. It
// comes before the end of the session, to which the items belong.
func (it *Item) visits() {
	for i := range it.Events {
		e := &it.Events[i]
		if e.Dropped != outcome.Accepted {
			continue
		}
		switch e.Event.Key {
		case registry.ViewKey:
			it.visit(e)
		case ActionKey:
			name, url, _ := viewOf(e.Event)
			if v, ok := it.lane.registry.FindView(name, url); ok && name+url != "" {
				e.view, e.viewName = v.Num, v.Name
			}
		}
	}
}

func (it *Item) visit(e *Event) {
	rename(e.Event)
	name, url, domain := viewOf(e.Event)
	if name == "" {
		return
	}
	num, ok := it.lane.registry.SeeView(name, url, domain)
	if !ok {
		return
	}
	e.view, e.viewName = num, name
	if truthy(textOf(e.Event, "visit")) {
		session.Visit(it.Profile, num, name, e.TS)
	}
}

// rename gives the segments of a view the names they are known by: without
// dots, and platform for what some clients call segment. A name that is there already stays alone.
func rename(e *request.Event) {
	for i := 0; i < len(e.Segmentation); {
		name := e.Segmentation[i].Name
		if name == "segment" {
			name = "platform"
		}
		if strings.IndexByte(name, '.') >= 0 {
			name = strings.ReplaceAll(name, ".", "")
		}
		if name == e.Segmentation[i].Name {
			i++
			continue
		}
		if name == "" || slices.ContainsFunc(e.Segmentation, func(g request.Segment) bool { return g.Name == name }) {
			e.Segmentation = slices.Delete(e.Segmentation, i, i+1)
			continue
		}
		e.Segmentation[i].Name = name
		i++
	}
}

// viewOf returns the name, the path and the domain that an item tells of its view.
func viewOf(e *request.Event) (name, url, domain string) {
	for i := range e.Segmentation {
		switch g := &e.Segmentation[i]; g.Name {
		case "name":
			name = viewName(g.Text)
		case "view":
			url = viewName(g.Text)
		case "domain":
			domain = request.Cut(g.Text, maxViewValue)
		}
	}
	return name, url, domain
}

// viewName is the form in which names and paths of views are kept.
func viewName(text string) string { return request.Cut(text, rollup.MaxText) }

// textOf returns the text of a segment; "" when there is none.
func textOf(e *request.Event, name string) string {
	for i := range e.Segmentation {
		if g := &e.Segmentation[i]; g.Name == name {
			return g.Text
		}
	}
	return ""
}

// truthy reports whether a flag is set.
func truthy(text string) bool {
	switch text {
	case "", "0", "0.0", "false", "null":
		return false
	}
	return true
}

// viewed returns what an item of a key adds to its view: of a view its visit, start and seconds, of scrolling how
// far it went. text returns the value of a segment that is recorded, or "".
func viewed(key string, seconds float64, text func(name string) string) cells.Viewed {
	if key == registry.ViewKey {
		return cells.Viewed{Visit: truthy(text("visit")), Start: truthy(text("start")), Seconds: seconds}
	}
	if text("type") != "scroll" {
		return cells.Viewed{}
	}
	v := cells.Viewed{Start: truthy(text("start"))}
	y, _ := strconv.ParseFloat(text("y"), 64)
	height, _ := strconv.ParseFloat(text("height"), 64)
	if scrolled := y * 100 / height; height > 0 && y > 0 && !math.IsNaN(scrolled) {
		v.Scrolled = min(scrolled, maxScrolled)
	}
	return v
}

// recorded returns the text of a segment that has a slot.
func (e *Event) recorded(name string) string {
	for i := range e.Segmentation {
		if g := &e.Segmentation[i]; g.Name == name && e.slots[i].Kind != registry.NoSlot {
			return g.Text
		}
	}
	return ""
}

// viewValue is the form in which a value of a segment of views stands in cells.
func viewValue(text string) string { return request.Cut(cells.SegmentValue(text), maxViewValue) }

// sessionViews reads what the row of a closed session says of views; nil when it says nothing.
func sessionViews(row *events.Row) *session.Views {
	var v *session.Views
	if row.Extra == "" {
		return nil
	}
	_ = rawjson.Members([]byte(row.Extra), func(key, value []byte) bool { // Extra was written by this package
		if string(key) != "views" {
			return true
		}
		found := &session.Views{}
		if json.Unmarshal(value, found) == nil && found.Exit != 0 {
			v = found
		}
		return false
	})
	return v
}
