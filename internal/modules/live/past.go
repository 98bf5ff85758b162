package live

import (
	"context"
	"errors"
	"time"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/profile"
)

// memory is how far back what was recorded before a stream may lie.
const memory = 24 * time.Hour

// lag is how much later than it was received a request of another server can be read, at most: it may have come before a stream that had no past.
const lag = 10 * time.Second

// past reads the last requests of an app from its rows. Devices and places are those that their users have now;
// requests of users who are gone are left out.
func (s *source) past(ctx context.Context, app model.AppID) ([]pipeline.Arrival, error) {
	list, err := s.tables.Latest(ctx, app, s.now().Add(-memory).UnixMilli(), backlog)
	if err != nil {
		return nil, err
	}
	return s.arrivals(ctx, app, list)
}

// since reads the requests of an app that were recorded after an offset, or with none since a time (ms): the last of them, how many others there are, and
// the offset of the newest, 0 when there is none.
func (s *source) since(ctx context.Context, app model.AppID, after uint64, opened int64) (list []pipeline.Arrival, more int, newest uint64, err error) {
	var found []query.LatestRequest
	var total int
	if after == 0 {
		found, err = s.tables.Latest(ctx, app, opened-lag.Milliseconds(), backlog)
		total = len(found)
	} else {
		found, total, err = s.tables.LatestAfter(ctx, app, after, backlog)
	}
	if err != nil || len(found) == 0 {
		return nil, 0, 0, err
	}
	list, err = s.arrivals(ctx, app, found)
	return list, total - len(found), found[len(found)-1].Offset, err
}

// arrivals are requests of an app as watchers see them.
func (s *source) arrivals(ctx context.Context, app model.AppID, list []query.LatestRequest) ([]pipeline.Arrival, error) {
	var err error
	users := map[uint32]*model.Profile{}
	var out []pipeline.Arrival
	for _, r := range list {
		p, known := users[r.UID]
		if !known {
			if p, err = s.profiles.ByUID(ctx, app, r.UID); err != nil && !errors.Is(err, profile.ErrNotFound) {
				return nil, err
			}
			users[r.UID] = p
		}
		if p == nil {
			continue
		}
		a := pipeline.Arrival{
			Offset: r.Offset, Received: r.Received, TS: r.TS, UID: p.UID, New: r.New, Began: r.Begin, Ended: r.End,
			Seconds: r.Seconds, Crash: r.Crash, Consent: r.Consent,
			Country: p.Dims[model.Country], City: p.Dims[model.City], Device: p.Dims[model.Device], OS: p.Dims[model.OS],
			OSVersion: p.Dims[model.OSVersion], Browser: p.Dims[model.Browser], AppVersion: p.Dims[model.AppVersion],
		}
		for _, e := range r.Events {
			ev := pipeline.ArrivedEvent{Key: e.Key, Count: e.Count, Sum: e.Sum, Dur: e.Dur}
			for _, seg := range e.Segments {
				ev.Segments = append(ev.Segments, pipeline.ArrivedSegment{Name: seg.Name, Value: seg.Value})
			}
			a.Add(ev)
		}
		out = append(out, a)
	}
	return out, nil
}
