package crashes

import (
	"context"
	"strconv"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/rollup"
)

// graphRes is the overview of an app.
type graphRes struct {
	Users struct {
		Total    int64 `json:"total"`
		Affected int   `json:"affected"`
		Fatal    int   `json:"fatal"`
		NonFatal int   `json:"nonfatal"`
	} `json:"users"`
	Crashes crashTotals    `json:"crashes"`
	Loss    int            `json:"loss"`
	Data    map[string]any `json:"data"`
}

// crashTotals are counts of reports, by OS and version too, and of groups.
type crashTotals struct {
	Total      int64     `json:"total"`
	Unique     int       `json:"unique"`
	Resolved   int       `json:"resolved"`
	Unresolved int       `json:"unresolved"`
	Fatal      int64     `json:"fatal"`
	NonFatal   int64     `json:"nonfatal"`
	News       int       `json:"news"`
	Renewed    int       `json:"renewed"`
	OS         histogram `json:"os"`
	Highest    string    `json:"highest_app"`
	AppVersion histogram `json:"app_version"`
}

// graph answers with the overview of an app, and the course of its counters. The filters hold for the course alone.
func (s *service) graph(ctx context.Context, c api.Caller, r readReq) (out graphRes, err error) {
	if err := s.totals(ctx, c.App.ID, &out); err != nil {
		return out, err
	}
	if out.Users.Total, err = s.population(ctx, c.App.ID); err != nil {
		return out, err
	}
	out.Data, err = s.course(ctx, c.App.ID, r.OS, encoded(r.Version))
	return out, err
}

// totals adds up the groups.
func (s *service) totals(ctx context.Context, app model.AppID, out *graphRes) error {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return err
	}
	defer done()
	t := &out.Crashes
	*t = crashTotals{OS: histogram{}, AppVersion: histogram{}, Unique: len(b.groups)}
	kept, err := seenSpec().In(s.docs, app).Get(ctx, seenID)
	if err != nil && !docs.IsNotFound(err) {
		return err
	}
	for _, os := range kept.OS {
		t.OS[encoded(os)] = 0
	}
	for _, version := range kept.Versions {
		t.AppVersion[encoded(version)] = 0
	}
	for _, g := range b.groups {
		t.add(b, g)
	}
	out.Users.Affected, out.Users.Fatal = b.counts()
	out.Users.NonFatal = out.Users.Affected - out.Users.Fatal // as clients know it
	return nil
}

func (t *crashTotals) add(b *book, g *group) {
	t.Total += g.reports
	if g.nonfatal {
		t.NonFatal += g.reports
	} else {
		t.Fatal += g.reports
	}
	if g.isResolved() {
		t.Resolved++
	} else {
		t.Unresolved++
	}
	if g.isNew() {
		t.News++
	}
	if g.isRenewed() {
		t.Renewed++
	}
	if g.os != "" {
		t.OS[encoded(g.os)] += g.reports
	}
	for _, v := range g.by {
		t.AppVersion[encoded(b.versions[v.version])] += v.reports
	}
	if latest := g.latest; latest != "" && (t.Highest == "" || compareVersions(latest, t.Highest) > 0) {
		t.Highest = latest
	}
}

// counted is a value of a series whose cells the course shows, and the letters of what they count; "" = that is not shown.
type counted struct {
	series              rollup.Series
	value               string
	count, isNew, users string
}

// countedBy returns what the course shows under the filters.
func countedBy(os, version string) []counted {
	dim, value := "", ""
	sessions := rollup.Series{Metric: rollup.Users}
	switch {
	case os != "" && version != "":
		dim, value = byRelease, release(os, version)
		sessions = rollup.Series{Metric: begunByRelease, Dim: byRelease}
	case os != "":
		dim, value = byOS, os
		sessions = rollup.Series{Metric: rollup.OS}
	case version != "":
		dim, value = byVersion, version
		sessions = rollup.Series{Metric: rollup.AppVersions}
	}
	by := func(m rollup.Metric) rollup.Series { return rollup.Series{Metric: m, Dim: dim} }
	return []counted{
		{series: sessions, value: value, count: "cr_s", users: "cr_u"},
		{series: by(fatalReports), value: value, count: "crf", isNew: "cruf"},
		{series: by(nonfatalReports), value: value, count: "crnf", isNew: "crunf"},
		{series: by(freeOfFatal), value: value, count: "crfses", users: "crauf"},
		{series: by(freeOfNonfatal), value: value, count: "crnfses", users: "craunf"},
	}
}

// course is the time document of the counters; empty when there are none.
func (s *service) course(ctx context.Context, app model.AppID, os, version string) (map[string]any, error) {
	shown := countedBy(os, version)
	of := make([]query.ValueOf, len(shown))
	for i := range shown {
		of[i] = query.ValueOf{Series: shown[i].series, Value: shown[i].value}
	}
	out := map[string]any{}
	err := s.data.Query.Courses(ctx, app, of, func(i int, at []int, c *rollup.Cell, users int64) {
		for key, n := range map[string]int64{shown[i].count: c.Count, shown[i].isNew: c.New, shown[i].users: users} {
			if key != "" && n != 0 {
				below(out, at)[key] = n
			}
		}
	})
	if len(out) > 0 {
		out["meta"] = map[string]any{}
	}
	return out, err
}

// below returns the document at a path of numbers.
func below(doc map[string]any, path []int) map[string]any {
	for _, n := range path {
		key := strconv.Itoa(n)
		kid, ok := doc[key].(map[string]any)
		if !ok {
			kid = map[string]any{}
			doc[key] = kid
		}
		doc = kid
	}
	return doc
}
