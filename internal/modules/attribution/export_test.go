package attribution

import (
	"net/url"
	"strconv"
)

// Wait, Latest and MaxRows are for tests.
var Wait = wait

// Latest is the longest wait, in s.
const Latest = latest

// MaxRows is how many rows a report has.
const MaxRows = maxRows

// Target returns where a campaign with the link leads.
func Target(link string, tags url.Values) string {
	return target(Campaign{ID: "spring", Link: link}, nil, tags, "V")
}

// Folded returns how many rows a report keeps of some, each with a conversion, and the conversions of the last of them.
func Folded(rows int) (kept int, last string, conversions float64) {
	list := make([]credit, rows)
	for i := range list {
		list[i] = credit{ID: strconv.Itoa(i), Conversions: 1}
	}
	list = folded(list)
	end := list[len(list)-1]
	return len(list), end.ID, end.Conversions
}

// RewrittenTouch reads what a profile keeps of a touch and writes it again; "" when it cannot be read.
func RewrittenTouch(kept string) string {
	if t := touchOf(kept); t != nil {
		return t.text()
	}
	return ""
}

// RewrittenVisit is RewrittenTouch for what the row of a begun session keeps of a visit.
func RewrittenVisit(kept string) string {
	if v := visitOf([]byte(kept)); v != nil {
		return v.Kept()
	}
	return ""
}
