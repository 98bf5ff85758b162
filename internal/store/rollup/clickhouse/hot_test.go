package clickhouse_test

import (
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block"
)

// TestHot reads what changes again and again, in every way there is to read it: the answer must be what all cells of the app say.
func TestHot(t *testing.T) {
	w, r, add := writerAndReader(t)
	ctx := t.Context()
	events := rollup.Series{Metric: rollup.Events}
	other := model.AppID{2}
	for step := range uint32(12) {
		var apps []block.App
		for _, app := range []model.AppID{changedApp, other} {
			d := delta(rollup.Hour, 100*24+rollup.Bucket(step), step+1)
			for _, value := range []string{"a", "b"} {
				d[rollup.Key{Series: events, Grain: rollup.Day, Bucket: 100, Value: value}] = &rollup.Cell{Count: int64(step)}
				d[rollup.Key{Series: events, Grain: rollup.Month, Bucket: 3, Value: value}] = delta(rollup.Month, 3, step+1, 2*step+1)[rollup.Key{Series: changedSeries, Grain: rollup.Month, Bucket: 3}]
			}
			apps = append(apps, block.App{ID: app, Cells: d})
		}
		if step == 6 {
			apps = append(apps, block.App{ID: changedApp, Merged: map[uint32]uint32{5: 1}})
		}
		if step == 8 {
			apps = append(apps, block.App{ID: changedApp, Remove: []rollup.Removal{rollup.RemoveValue{Series: events, Value: "b"}}})
		}
		if err := w.put(ctx, apps...); err != nil {
			t.Fatal(err)
		}
		add(2 * time.Second)
		for _, app := range []model.AppID{changedApp, other} {
			type row struct {
				count int64
				users uint64
			}
			want := map[rollup.Key]row{}
			err := r.ScanApp(ctx, app, func(k rollup.Key, c *rollup.Cell) error {
				want[k] = row{c.Count, c.Uniques()}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			scanned, counted, valued := 0, 0, 0
			for _, s := range []rollup.Series{changedSeries, events} {
				for g, span := range map[rollup.Grain][2]rollup.Bucket{rollup.Hour: {2400, 2423}, rollup.Day: {100, 100}, rollup.Month: {3, 3}} {
					check := func(how string, b rollup.Bucket, value string, got row) {
						t.Helper()
						k := rollup.Key{Series: s, Grain: g, Bucket: b, Value: value}
						expected := want[k]
						if how == "value" {
							expected.users = 0
						}
						if got != expected {
							t.Errorf("step %d: %s of %v is %v, not %v", step, how, k, got, expected)
						}
					}
					if err := r.Scan(ctx, app, s, g, span[0], span[1], func(b rollup.Bucket, value string, c *rollup.Cell) error {
						scanned++
						check("scan", b, value, row{c.Count, c.Uniques()})
						if c.Users != nil {
							c.Users.Add(1000) // it is the caller's
						}
						return nil
					}); err != nil {
						t.Fatal(err)
					}
					if err := r.ScanCounts(ctx, app, s, g, span[0], span[1], func(b rollup.Bucket, value string, c *rollup.Cell, users rollup.UserCount) error {
						counted++
						check("count", b, value, row{c.Count, users.N})
						return nil
					}); err != nil {
						t.Fatal(err)
					}
					for _, value := range []string{"", "a", "b"} {
						if err := r.ScanValue(ctx, app, s, g, span[0], span[1], value, func(b rollup.Bucket, c *rollup.Cell) error {
							valued++
							check("value", b, value, row{c.Count, 0})
							return nil
						}); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if scanned != len(want) || counted != len(want) {
				t.Errorf("step %d: %d cells scanned and %d counted of %d", step, scanned, counted, len(want))
			}
			if valued == 0 {
				t.Errorf("step %d: no cells of values", step)
			}
		}
	}
}
