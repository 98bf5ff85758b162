package qt_test

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events/plan"
)

// cohorts reads who is in cohorts: {"id":[1,2,"10-99"]}, of all apps. It keeps their ids for trends.
func (a *arguments) cohorts() *query.Cohorts {
	var named map[string][]any
	a.json("cohorts", &named)
	sets := map[string]*plan.Set{}
	for id, list := range named {
		of := roaring.New()
		for _, v := range list {
			switch v := v.(type) {
			case float64:
				of.Add(uint32(v))
			case string:
				var from, to uint64
				if _, err := fmt.Sscanf(v, "%d-%d", &from, &to); err != nil {
					a.fail("cohorts", err)
				}
				of.AddRange(from, to+1)
			}
		}
		sets[id] = plan.NewSet(of)
	}
	a.cohortIDs = slices.Sorted(maps.Keys(sets))
	c := &query.Cohorts{}
	c.Provide(func(_ context.Context, _ model.AppID, ids []string, all bool) (map[string]*plan.Set, error) {
		out := map[string]*plan.Set{}
		for id, s := range sets {
			if all || slices.Contains(ids, id) {
				out[id] = s
			}
		}
		return out, nil
	})
	return c
}
