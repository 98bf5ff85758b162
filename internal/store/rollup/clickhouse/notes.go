package clickhouse

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/rollup"
)

// Beside the cells, an insert brings rows that say which buckets of which apps it changes: notes. Like the row that says how far the partition has come they have no app, and they
// are in the same part as the cells. Callers that keep results computed from cells read the notes of an app instead of its cells.

// noteMetric is the metric of notes. Their dim is the app, their value the partition; grain and bucket are those that changed, of hours their day, both 0 = all of the app; first is the
// complement of the step's place.
const noteMetric rollup.Metric = 1

// notes are the buckets of apps that an insert changes.
type notes map[model.AppID]map[grainBucket]bool

// add notes a bucket.
func (n notes) add(app model.AppID, b grainBucket) {
	if n[app] == nil {
		n[app] = map[grainBucket]bool{}
	}
	n[app][b] = true
}

// cells notes the buckets of cells.
func (n notes) cells(app model.AppID, d rollup.Delta) {
	for k := range d {
		n.add(app, noted(k.Grain, k.Bucket))
	}
}

// write adds the notes to an insert of a partition's step.
func (n notes) write(b *ch.Builder, partition uint16, at uint64) {
	value := strconv.Itoa(int(partition))
	for app, buckets := range n {
		series := rollup.Series{Metric: noteMetric, Dim: app.String()}
		for of := range buckets {
			cell(b, "", rollup.Key{Series: series, Grain: of.grain, Bucket: of.bucket, Value: value}, 0, complement(at), &rollup.Cell{}, nil, nil)
		}
	}
}

// complement returns the number that is least for the greatest place: of a cell's first, the least counts.
func complement(at uint64) uint64 { return math.MaxUint64 - at }

// look asks ClickHouse what has changed of apps.
func (s *Store) look(ctx context.Context, apps []model.AppID) (map[model.AppID]found, error) {
	names, byName := namesOf(apps)
	out := make(map[model.AppID]found, len(apps))
	for _, app := range apps {
		out[app] = found{buckets: map[grainBucket]uint64{}}
	}
	st := ch.Statement{
		// Each partition's place only grows, hence their sum, which may overflow, is never what it was.
		SQL: "SELECT dim, grain, bucket, sum(x) FROM (SELECT dim, grain, bucket, value, toUInt64(min(first)) AS x FROM " + cellsTable +
			" WHERE app = '' AND metric = ? AND dim IN (?) GROUP BY dim, grain, bucket, value) GROUP BY dim, grain, bucket",
		Args: []any{int(noteMetric), names}, Settings: reading(nil),
	}
	err := s.c.Each(ctx, st, func(b *ch.Block, row int) error {
		of := grainBucket{rollup.Grain(b.Columns[1].Whole[row]), rollup.Bucket(b.Columns[2].Whole[row])} // as they were written
		out[byName[b.Columns[0].Text[row]]].buckets[of] = uint64(b.Columns[3].Whole[row])                // its bits
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("changes of %d apps: %w", len(apps), err)
	}
	merged, err := s.askMerges(ctx, apps...)
	if err != nil {
		return nil, err
	}
	for app, f := range out {
		f.merges = merged[app]
		out[app] = f
	}
	return out, nil
}
