package schema

import (
	"slices"
	"strings"
)

// ViewKey is the key of the event that reports views. Its segments have their own limit of
// values, since cells are kept for each value of each view.
const ViewKey = "[CLY]_view"

// BeginKey is the key of the event that stands for a begun session. Its segments are the values that
// a session counts under, and have their own limit of values.
const BeginKey = "[CLY]_session_begin"

// ViewSegment reports whether views are counted by the values of a segment.
func ViewSegment(name string) bool {
	switch name {
	case "name", "visit", "start", "exit", "bounce", "view", "dur", "_idv", "referrer":
		return false
	}
	switch utm, ok := strings.CutPrefix(name, "utm_"); {
	case !ok:
		return true
	default:
		return !slices.Contains([]string{"source", "medium", "campaign", "term", "content"}, utm)
	}
}

// View is a page, screen or other view of an app.
type View struct {
	// Num is the number of the view in its app, from 1 in order of first appearance. It is
	// not given out again as long as there is anything else of the app.
	Num  uint32
	Name string
	// URL is the path it was last seen under, "" = none. Several views may have the same.
	URL string
	// Domains it was seen on, in order of first appearance.
	Domains []string
}
