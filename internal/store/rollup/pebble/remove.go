package pebble

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Remove adds a removal to the batch. What the batch writes afterwards stays. It reads the keys that go from db, to
// which no other batch may be committed before this one.
func Remove(ctx context.Context, db pebble.Reader, batch *pebble.Batch, app model.AppID, r rollup.Removal) error {
	switch r := r.(type) {
	case rollup.RemoveApp:
		return DeleteApp(batch, app)
	case rollup.RemoveSeries:
		return DeleteSeries(batch, app, r.Series)
	case rollup.RemoveDims:
		return DeleteDims(ctx, db, batch, app, r.Metric, r.Prefix)
	case rollup.RemoveValue:
		return DeleteValue(ctx, db, batch, app, r.Series, r.Value)
	case rollup.RemoveValues:
		return DeleteValues(ctx, db, batch, app, r.Metric, r.Values)
	case rollup.RemoveFrom:
		return DeleteFrom(ctx, db, batch, app, r.Metric, r.From)
	case rollup.RemoveBefore:
		return DeleteBefore(ctx, db, batch, app, r.Metric, r.Before)
	case rollup.EraseUsers:
		return Erase(ctx, db, batch, app, r.UIDs)
	}
	return fmt.Errorf("rollup: unknown removal %T", r)
}
