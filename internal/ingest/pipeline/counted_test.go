package pipeline_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/rollup"
)

// filtered returns counts and users of the values of a metric on the day of noon, of the rows that a filter selects.
func (w *world) filtered(t *testing.T, rows *duck.Store, features pipeline.Features, of rollup.Series, text string) map[string][2]int64 {
	t.Helper()
	f, err := filter.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	cal := period.NewCalendar(time.UTC)
	p, err := period.Parse("today", time.UnixMilli(noon), cal)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][2]int64{}
	w.flush(t)
	reads := query.NewFunnels(query.NewTables(rows, w.schema).Counting(features.Counted), 1<<20)
	err = reads.Filtered(t.Context(), query.Chosen{App: utcApp.ID, Filter: f, Calendar: cal, Known: w.schema}, func(q *query.Query) error {
		if of.Metric == incidentFatal {
			list, err := q.MetricRows(t.Context(), utcApp.ID, of.Metric, p)
			for _, v := range list {
				out[v.ID] = [2]int64{v.Sessions, v.Users}
			}
			return err
		}
		list, err := q.Subjects(t.Context(), utcApp.ID, query.SubjectSeries{Of: of}, p)
		for _, s := range list {
			out[rollup.SubjectValue(s.Subject)] = [2]int64{s.Of.Count, s.Users}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFilteredFeatures counts under filters what features declare that query has never heard of: items of events, rows of steps, and what sessions keep.
func TestFilteredFeatures(t *testing.T) {
	t.Parallel()
	store := openDuck(t)
	all := append(features(), ratings(), incidents(), marked())
	w := running(t, func(o *pipeline.Options) { o.Features, o.Events, o.Rows = all, store, store })
	send := func(device, os, widget, rating, group, fatal string) request.Record {
		return req(&utcApp, device, noon, "begin_session", "1", "metrics", `{"_os":"`+os+`"}`,
			"events", `[{"key":"[CLY]_star_rating","segmentation":{"widget_id":"`+widget+`","rating":"`+rating+`"}}]`,
			"crash", `{"_name":"`+group+`","_fatal":"`+fatal+`"}`)
	}
	w.send(t,
		send("X", "iOS", "home", "4", "oom", "yes"), send("Y", "Android", "home", "5", "oom", "no"),
		send("Y", "Android", "mine", "5", "null", "no"), send("Z", "iOS", "home", "5", "oom", "no"),
		req(&utcApp, "X", noon+1000, "end_session", "1"),
	)
	one, two := rollup.SubjectValue(1), rollup.SubjectValue(2)
	type figures = map[string][2]int64
	for _, tt := range []struct {
		name   string
		of     rollup.Series
		filter string
		want   figures
	}{
		{"items of users", rollup.Series{Metric: 64}, `{"up.p":"iOS"}`, figures{one: {2, 2}}},
		{"items by a property of them", rollup.Series{Metric: 64}, `{"sg.rating":"5"}`, figures{one: {2, 2}, two: {1, 1}}},
		{"items with a value", rollup.Series{Metric: 65, Dim: rollup.SegmentDim("rating", "5")}, `{"up.p":"iOS"}`, figures{one: {1, 1}}},
		{"rows by subject", rollup.Series{Metric: incidentTotal}, `{"up.p":"Android"}`, figures{one: {1, 1}, two: {1, 1}}},
		{"rows by a property of them", rollup.Series{Metric: incidentTotal}, `{"sg.fatal":"no"}`, figures{one: {2, 2}, two: {1, 1}}},
		{"rows by value", rollup.Series{Metric: incidentFatal}, `{"up.p":"iOS"}`, figures{"yes": {1, 0}, "no": {1, 0}}},
		{"begins and ends of sessions", rollup.Series{Metric: markedSessions}, `{"up.p":"iOS"}`, figures{one: {12, 2}}},
		{"begins of sessions alone", rollup.Series{Metric: markedSessions}, `{"up.p":"Android"}`, figures{one: {2, 1}}},
	} {
		if diff := cmp.Diff(tt.want, w.filtered(t, store, all, tt.of, tt.filter)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	w.verify(t, store, all)
}

// Of marked sessions: Count = those that begin and ten for each that a client ends, Users = who began them.
const markedSessions rollup.Metric = 72

// marked is a feature that marks sessions as they begin and end.
func marked() *pipeline.Feature {
	return &pipeline.Feature{
		Name: "marked", Subjects: 202,
		Sessions: pipeline.Sessions{
			Began: func(it *pipeline.Item, _ *model.Dims) (pipeline.SessionBegin, error) {
				if n, _ := it.Subjects(202).See("all", "", ""); n == 0 || it.Profile.Dims[model.OS] == "" {
					return nil, nil
				}
				return mark{}, nil
			},
			ReadBegin: func([]byte) pipeline.SessionBegin { return mark{} },
			End:       func(*model.SessionState) pipeline.SessionEnd { return endMark{} },
			Read:      func([]byte) pipeline.SessionEnd { return endMark{} },
		},
		Metrics: []pipeline.Metric{{Number: markedSessions, Name: "marks", Subject: "mark"}},
	}
}

type mark struct{}

func (mark) Kept() string { return `{"is":1}` }

func (mark) Count(c *pipeline.Counter, row *events.Row) {
	if n, ok := c.Subjects.See("all", "", ""); ok {
		cell := c.Subject(row.TS, markedSessions, n)
		cell.Count++
		cell.AddUser(row.UID)
	}
}

type endMark struct{}

func (endMark) Kept() string { return `{"was":1}` }

func (endMark) Count(c *pipeline.Counter, at, _ int64) {
	if n, ok := c.Subjects.See("all", "", ""); ok {
		c.Subject(at, markedSessions, n).Count += 10
	}
}
