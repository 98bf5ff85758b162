package performance

import (
	"slices"
	"strconv"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
)

// ingestion is the module's part in ingestion: it groups the names of traces, and counts what they measure. The pipeline reads
// traces and makes their rows.
func ingestion() *pipeline.Feature {
	byKey := map[string][]measure{}
	for _, m := range measures() {
		byKey[m.key] = append(byKey[m.key], m)
	}
	return &pipeline.Feature{
		Name: "performance", Fields: []string{"apm"},
		Rows: []string{request.DeviceTraceKey, request.NetworkTraceKey},
		Steps: []pipeline.Addition{
			{After: pipeline.StepExpand, Step: pipeline.Step{Name: "trace", Apply: arrive}},
		},
		Count: func(c *pipeline.Counter, row *events.Row, recorded pipeline.Texts) {
			count(c, byKey[row.Key], row, recorded)
		},
		Metrics: []pipeline.Metric{
			{Number: ratingCells, Name: "measured by traces"},
			{Number: binCells, Name: "spreads of what traces measured"},
		},
	}
}

// arrive gives the row of a trace the name of its group.
func arrive(it *pipeline.Item) error {
	if it.Request.Trace == nil {
		return nil
	}
	if at := slices.IndexFunc(it.Rows, isTrace); at >= 0 {
		it.Rows[at].Name = groupOf(it.Rows[at].Name)
	}
	return nil
}

func isTrace(r events.Row) bool {
	return r.Key == request.DeviceTraceKey || r.Key == request.NetworkTraceKey
}

// count counts what a row measures.
func count(c *pipeline.Counter, list []measure, row *events.Row, recorded pipeline.Texts) {
	for i := range list {
		m := &list[i]
		if !m.has(row.Name) {
			continue
		}
		v, err := strconv.ParseFloat(recorded.Text(m.metric), 64)
		if err != nil || !finite(v) {
			continue
		}
		query.CountSample(m.cells(), m.rating, v, row.UID, func(s rollup.Series, value string) *rollup.Cell { return c.Day(row.TS, s, value) })
	}
}
