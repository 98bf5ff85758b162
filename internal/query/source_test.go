package query_test

import (
	"errors"
	"testing"
	"time"

	"quipu/internal/filter"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/query/retention"
	"quipu/internal/query/rewrite"
)

// one is a filter.
func one(t *testing.T) filter.Expr {
	t.Helper()
	f, err := filter.Parse(`{"up.cc":"DE"}`)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// where is where an answer is, and why.
type where struct {
	from rewrite.Source
	why  rewrite.Reason
}

func at(from rewrite.Source, why rewrite.Reason) where { return where{from, why} }

// TestSourceOfActiveUsers has every part of a question about active users that decides where the answer is.
func TestSourceOfActiveUsers(t *testing.T) {
	t.Parallel()
	session := query.FunnelEvent{Key: "[CLY]_session"}
	for name, c := range map[string]struct {
		change func(*query.ActiveQuery)
		want   where
	}{
		"sessions by days of the app": {func(*query.ActiveQuery) {}, where{rewrite.Cells, ""}},
		"another zone":                {func(q *query.ActiveQuery) { q.AppDays = false }, where{rewrite.Rows, rewrite.OfTime}},
		"a filter":                    {func(q *query.ActiveQuery) { q.Filter = one(t) }, where{rewrite.Rows, rewrite.OfFilter}},
		"a breakdown":                 {func(q *query.ActiveQuery) { q.Breakdown = "cc" }, where{rewrite.Rows, rewrite.OfBreakdown}},
		"another event":               {func(q *query.ActiveQuery) { q.Of = []query.FunnelEvent{{Key: "buy"}} }, where{rewrite.Rows, rewrite.OfEvents}},
		"sessions or another event":   {func(q *query.ActiveQuery) { q.Of = append(q.Of, query.FunnelEvent{Key: "buy"}) }, where{rewrite.Rows, rewrite.OfEvents}},
		"some sessions":               {func(q *query.ActiveQuery) { q.Of[0].Filter = one(t) }, where{rewrite.Rows, rewrite.OfEvents}},
	} {
		q := &query.ActiveQuery{AppDays: true, Of: []query.FunnelEvent{session}}
		c.change(q)
		if got := at(q.Source()); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestSourceOfRetention has every part of a question about retention that decides where the answer is.
func TestSourceOfRetention(t *testing.T) {
	t.Parallel()
	session, buy := []query.FunnelEvent{{Key: "[CLY]_session"}}, []query.FunnelEvent{{Key: "buy"}}
	for name, c := range map[string]struct {
		change func(*query.RetentionQuery)
		want   where
	}{
		"sessions by days of the app":  {func(*query.RetentionQuery) {}, where{rewrite.Cells, ""}},
		"first sessions":               {func(q *query.RetentionQuery) { q.First = true }, where{rewrite.Cells, ""}},
		"hours, or another zone":       {func(q *query.RetentionQuery) { q.Days = nil }, where{rewrite.Rows, rewrite.OfTime}},
		"a breakdown":                  {func(q *query.RetentionQuery) { q.Breakdown = "cc" }, where{rewrite.Rows, rewrite.OfBreakdown}},
		"returns by another event":     {func(q *query.RetentionQuery) { q.Return = buy }, where{rewrite.Rows, rewrite.OfEvents}},
		"accounts":                     {func(q *query.RetentionQuery) { q.CountBy = query.CountSessions }, where{rewrite.Rows, rewrite.OfUnits}},
		"a value":                      {func(q *query.RetentionQuery) { q.Value = "sg.price" }, where{rewrite.Rows, rewrite.OfValue}},
		"units from each start on":     {func(q *query.RetentionQuery) { q.Rolling = 1 }, where{rewrite.Rows, rewrite.OfMoments}},
		"returns in the start's unit":  {func(q *query.RetentionQuery) { q.Brackets = []retention.Bracket{{From: 0, To: 1}} }, where{rewrite.Rows, rewrite.OfMoments}},
		"starts by another event":      {func(q *query.RetentionQuery) { q.Start = buy }, where{rewrite.Starts, rewrite.OfStarts}},
		"chosen starts":                {func(q *query.RetentionQuery) { q.Chosen = one(t) }, where{rewrite.Starts, rewrite.OfStarts}},
		"first starts by another one":  {func(q *query.RetentionQuery) { q.Start, q.First = buy, true }, where{rewrite.Rows, rewrite.OfStarts}},
		"chosen starts with a value":   {func(q *query.RetentionQuery) { q.Chosen, q.Value = one(t), "sg.price" }, where{rewrite.Rows, rewrite.OfValue}},
		"chosen starts in other zones": {func(q *query.RetentionQuery) { q.Chosen, q.Days = one(t), nil }, where{rewrite.Rows, rewrite.OfTime}},
	} {
		q := &query.RetentionQuery{Start: session, Return: session, Days: []period.Day{1, 2, 3}}
		q.Brackets = []retention.Bracket{{From: 1, To: 1}}
		c.change(q)
		if got := at(query.SourceOfRetention(q)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestSourceOfSpreads has every part of a question about numbers that decides where the answer is.
func TestSourceOfSpreads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query query.SpreadQuery
		step  period.Step
		want  where
	}{
		"days of the app":         {query.SpreadQuery{AppDays: true}, period.DayStep, where{rewrite.Cells, ""}},
		"months of the app":       {query.SpreadQuery{AppDays: true}, period.MonthStep, where{rewrite.Cells, ""}},
		"names that cells are of": {query.SpreadQuery{AppDays: true, Samples: query.Samples{Names: []string{"a"}}}, period.DayStep, where{rewrite.Cells, ""}},
		"another zone":            {query.SpreadQuery{}, period.DayStep, where{rewrite.Rows, rewrite.OfTime}},
		"hours":                   {query.SpreadQuery{AppDays: true}, period.HourStep, where{rewrite.Rows, rewrite.OfTime}},
		"a filter":                {query.SpreadQuery{AppDays: true, Samples: query.Samples{Filter: one(t)}}, period.DayStep, where{rewrite.Rows, rewrite.OfFilter}},
		"rows of one name":        {query.SpreadQuery{AppDays: true, Name: "a"}, period.DayStep, where{rewrite.Rows, rewrite.OfEvents}},
	} {
		if got := at(query.SourceOfSpread(&c.query, c.step)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestCounts reads documents without a filter, from cells, and with one, which looks at rows.
func TestCounts(t *testing.T) {
	t.Parallel()
	cells := &memory{}
	own := query.New(query.Plain(cells), cells)
	counts := query.NewCounts(own, query.NewFunnels(query.NewTables(noRows{}, cells), 1<<20))
	for _, c := range []struct {
		chosen query.Chosen
		want   where
	}{
		{query.Chosen{App: testApp}, where{rewrite.Cells, ""}},
		{query.Chosen{App: testApp, Filter: one(t), Calendar: period.NewCalendar(time.UTC)}, where{rewrite.Rows, rewrite.OfFilter}},
	} {
		if got := at(query.SourceOfCounts(&c.chosen)); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
		stop := errors.New("stop")
		err := counts.Read(t.Context(), c.chosen, func(q *query.Query) error {
			if (q == own) != (c.want.from == rewrite.Cells) {
				t.Errorf("%v is answered by another reader", c.want)
			}
			return stop
		})
		if !errors.Is(err, stop) {
			t.Errorf("%v: %v", c.want, err)
		}
	}
}
