package pipeline

import (
	"context"
	"fmt"
	"maps"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/store/marks"
)

// LastSettings returns the settings of apps after everything that the journal
// holds now, projected or not. Apps that have none are missing. Nobody may append SetSettings meanwhile.
func (p *Pipeline) LastSettings(ctx context.Context, apps []*model.App) (map[model.AppID]Settings, error) {
	return LastSettings(ctx, p.o.State, p.o.Journal, apps)
}

// Committed is what is read of a state.
type Committed interface {
	marks.Reader
	Watermark(ctx context.Context) (journal.Watermark, error)
}

// LastSettings is Pipeline.LastSettings for who has no pipeline.
func LastSettings(ctx context.Context, of Committed, j journal.Journal, apps []*model.App) (map[model.AppID]Settings, error) {
	from, err := of.Watermark(ctx)
	if err != nil {
		return nil, fmt.Errorf("load watermark: %w", err)
	}
	waiting := map[model.AppID]Settings{}
	var rec request.Record
	err = j.Read(ctx, from, 0, func(r journal.Record) bool {
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
		s, ok, err := LoadSettings(of, app.ID)
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
