package query

import (
	"context"
	"time"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query/explain"
	"quipu/internal/query/rewrite"
)

// noRoom is why cells that have the answer do not give it.
const noRoom = "the users of the cells do not fit into memory"

// asks records a question where a read is explained.
func asks(ctx context.Context, question func() explain.Question) {
	if t := explain.Of(ctx); t != nil {
		t.Ask(question())
	}
}

// question is a Question about an app whose answer is in a source, for a reason.
func question(what string, app model.AppID, from rewrite.Source, why rewrite.Reason) explain.Question {
	return explain.Question{Asks: what, App: app.String(), Source: from.String(), Reason: string(why)}
}

func (c *Chosen) question() explain.Question {
	from, why := c.source()
	q := question("figures", c.App, from, why)
	q.Filter = c.Filter
	return q
}

func (q *ActiveQuery) question(app model.AppID) explain.Question {
	from, why := q.Source()
	out := question("active users", app, from, why)
	out.Period = explain.Period{From: explain.Day(q.From()), To: explain.Day(q.To()), Zone: q.Calendar.Location().String()}
	out.Steps, out.Filter, out.By = explainedSteps(q.Of), q.Filter, paths(q.Breakdown)
	return out
}

func (q *RetentionQuery) question(app model.AppID) explain.Question {
	from, why := q.source()
	out := question("retention", app, from, why)
	out.Period = momentsBetween(q.Units[0], q.last())
	out.Steps, out.Filter, out.By, out.CountBy = explainedSteps(q.Start, q.Return), q.Chosen, paths(q.Breakdown), string(q.CountBy)
	return out
}

func (q *SpreadQuery) question(app model.AppID, step period.Step) explain.Question {
	from, why := q.source(step)
	out := question("spread of numbers", app, from, why)
	out.Period = explain.PeriodOf(q.Period)
	out.Steps, out.Filter = [][]explain.Event{{{Key: q.Event, Name: q.Name}}}, q.Filter
	return out
}

func (q *Trend) question(app model.AppID) explain.Question {
	out := question("trend", app, rewrite.Rows, "")
	out.Period = explain.PeriodOf(q.Period)
	out.Steps, out.Filter, out.By, out.CountBy = explainedKeys(q.Events), q.Filter, q.By, string(q.CountBy)
	return out
}

func (q *FunnelQuery) question(app model.AppID) explain.Question {
	out := question("rows of users in their order", app, rewrite.Rows, "")
	out.Period = momentsBetween(q.From, q.To)
	out.Steps, out.Exclusions = explainedSteps(q.Steps...), explainedSteps(q.Exclusions)[0]
	out.Filter, out.By, out.CountBy = q.Filter, append(paths(q.Breakdown), q.With...), string(q.CountBy)
	return out
}

func (p Page) question(app model.AppID) explain.Question {
	return explain.Question{Asks: "users", App: app.String(), Source: "users", Filter: p.Filter, Search: p.Search}
}

func itemsQuestion(app model.AppID, keys []string, f filter.Expr) explain.Question {
	out := question("number of items", app, rewrite.Rows, "")
	out.Steps, out.Filter = explainedKeys(keys), f
	return out
}

// paths is a list of the path, none of "".
func paths(path string) []string {
	if path == "" {
		return nil
	}
	return []string{path}
}

func explainedKeys(keys []string) [][]explain.Event {
	list := make([]explain.Event, len(keys))
	for i, key := range keys {
		list[i].Key = key
	}
	return [][]explain.Event{list}
}

func explainedSteps(steps ...[]FunnelEvent) [][]explain.Event {
	out := make([][]explain.Event, len(steps))
	for i, step := range steps {
		out[i] = []explain.Event{}
		for _, e := range step {
			out[i] = append(out[i], explain.Event{Key: e.Key, Name: e.Name, Filter: e.Filter})
		}
	}
	return out
}

// momentsBetween is the time from one ms to another.
func momentsBetween(from, to int64) explain.Period {
	text := func(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z07:00") }
	return explain.Period{From: text(from), To: text(to), Zone: "UTC"}
}
