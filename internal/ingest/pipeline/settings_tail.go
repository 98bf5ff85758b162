package pipeline

import (
	"context"
	"fmt"
	"maps"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
)

// LastSettings returns the settings of apps after everything that the journal
// holds now, projected or not. Apps that have none are missing. Nobody may append SetSettings meanwhile.
func (p *Pipeline) LastSettings(ctx context.Context, apps []*model.App) (map[model.AppID]Settings, error) {
	from, err := p.o.State.Watermark(ctx)
	if err != nil {
		return nil, fmt.Errorf("load watermark: %w", err)
	}
	waiting := map[model.AppID]Settings{}
	var rec request.Record
	err = p.o.Journal.Read(ctx, from, 0, func(r journal.Record) bool {
		if len(r.Payload) < 2 || request.Kind(r.Payload[1]) != request.SetSettings || request.Decode(r.Payload, &rec) != nil {
			return true
		}
		if s, err := parseSettings(rec.JSON); err == nil {
			waiting[rec.App] = s
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	// What was trimmed while it was read is projected by now.
	last := map[model.AppID]Settings{}
	for _, app := range apps {
		s, ok, err := LoadSettings(p.o.State, app.ID)
		if err != nil {
			return nil, err
		}
		if ok {
			last[app.ID] = s
		}
	}
	maps.Copy(last, waiting)
	return last, nil
}
