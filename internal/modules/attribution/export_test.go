package attribution

import (
	"context"
	"iter"
	"net/url"
	"strconv"
	"time"

	"quipu/internal/apps"
	"quipu/internal/model"
	"quipu/internal/store/docs"
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

// Waiting are the postbacks of apps that wait for their users.
type Waiting struct{ s *service }

// NewWaiting returns them, without users.
func NewWaiting(db docs.DB, list *apps.Store, now func() time.Time) Waiting {
	return Waiting{&service{docs: db, apps: list, now: now}}
}

// Add adds one that came at a moment, s.
func (w Waiting) Add(ctx context.Context, app model.AppID, at int64) error {
	id := model.NewID().String()
	return postbacks().In(w.s.docs, app).Put(ctx, postback{ID: id, AdjustID: id, At: at, Next: at})
}

// Tend runs the job.
func (w Waiting) Tend(ctx context.Context) error { return w.s.tend(ctx) }

// Next returns when the users of an app's postbacks are looked for again, s.
func (w Waiting) Next(ctx context.Context, app model.AppID) (out []int64, err error) {
	list, err := postbacks().In(w.s.docs, app).All(ctx, docs.Query{Sort: ".next"})
	for _, p := range list {
		out = append(out, p.Next)
	}
	return out, err
}

// EachApp calls fn for each of some apps that have postbacks.
func EachApp(ctx context.Context, list []model.AppID, fn func(model.AppID) error) error {
	var found iter.Seq2[docs.Found[postback], error] = func(yield func(docs.Found[postback], error) bool) {
		for _, app := range list {
			if !yield(docs.Found[postback]{App: app}, nil) {
				return
			}
		}
	}
	return eachApp(ctx, found, fn)
}
