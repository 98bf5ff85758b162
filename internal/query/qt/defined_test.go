package qt_test

import (
	"context"
	"maps"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/query"
)

// definitions reads what defined events stand for: {"name":[event, …]}, whose keys are "[CLY]_defined_" and the name.
func (a *arguments) definitions() *query.Definitions {
	var named map[string][]funnelEvent
	a.json("defined", &named)
	of := map[string][]query.FunnelEvent{}
	for _, name := range slices.Collect(maps.Keys(named)) {
		for _, e := range named[name] {
			of[name] = append(of[name], e.event())
		}
	}
	d := &query.Definitions{}
	d.Provide(func(_ context.Context, _ model.AppID, key string) ([]query.FunnelEvent, error) {
		return of[strings.TrimPrefix(key, model.DefinedPrefix)], nil
	})
	return d
}
