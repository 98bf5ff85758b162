package qt_test

import (
	"context"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/query"
)

func evalUnite(ctx context.Context, r reader, a *arguments) (*result, error) {
	with := roaring.New()
	for _, text := range a.list("with") {
		n, err := strconv.ParseUint(text, 10, 32)
		a.fail("with", err)
		with.Add(uint32(n))
	}
	sets := []query.AppUsers{{App: a.app, Users: roaring.BitmapOf(a.users()...)}, {App: a.app, Users: with}, {App: a.app, Users: roaring.New()}}
	people, shared, err := query.NewFunnels(r.tables, int64(a.whole("memory", 1<<20))).Unite(ctx, sets)
	return &result{[]string{"people", "shared"}, [][]any{{people, shared}}}, err
}

func evalCrashed(ctx context.Context, r reader, a *arguments) (*result, error) {
	p, _, err := a.period()
	if err != nil {
		return nil, err
	}
	reports, users, err := r.tables.Crashed(ctx, a.app, p)
	if err != nil {
		return nil, err
	}
	return &result{[]string{"reports", "users"}, [][]any{{reports, users.GetCardinality()}}}, nil
}
