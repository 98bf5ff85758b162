package query

import (
	"context"
	"math"

	"quipu/internal/model"
	"quipu/internal/query/funnel"
	"quipu/internal/store/events/plan"
)

// HappenedQuery asks what users did, each in a stretch of time of their own.
type HappenedQuery struct {
	Kinds []FlowKind // what counts
	// But are events that do not count; none = all do.
	But []FunnelEvent
	// Users are whom it is asked of, by ascending number. From and To of each are ms, both included.
	Users []Stretch
}

// Stretch is a stretch of time of a user.
type Stretch struct {
	UID      uint32
	From, To int64 // ms, included
}

// fewUsers is of how many users a statement names them.
const fewUsers = 1000

// Happened calls fn with the different things that each user did, by their numbers, in the order in which the user did them first; users who did
// nothing are left out. It returns what the numbers stand for. OtherGroup is anything beyond the first maxGroups things. at is the place among q.Users, did is
// valid until fn returns.
func (f *Funnels) Happened(ctx context.Context, app model.AppID, q *HappenedQuery, fn func(at int, did []uint32)) ([]FlowStep, error) {
	ctx = plan.For(ctx, plan.FlowOperator)
	if len(q.Users) == 0 {
		return nil, nil
	}
	but := q.But
	if len(but) == 0 {
		but = []FunnelEvent{{Key: nothing}}
	}
	rows := &FunnelQuery{Steps: [][]FunnelEvent{but}, From: math.MaxInt64}
	for _, k := range q.Kinds {
		rows.Kinds = append(rows.Kinds, string(k))
	}
	for _, s := range q.Users {
		rows.From, rows.To = min(rows.From, s.From), max(rows.To, s.To)
		if len(q.Users) <= fewUsers {
			rows.UIDs = append(rows.UIDs, s.UID)
		}
	}
	at := 0
	var did []uint32
	seen := map[uint32]bool{}
	names, err := f.Each(ctx, app, rows, func(uid uint32, rows []funnel.Row) {
		for at < len(q.Users) && q.Users[at].UID < uid {
			at++
		}
		if at == len(q.Users) || q.Users[at].UID != uid {
			return
		}
		did = did[:0]
		clear(seen)
		for i := range rows {
			if r := &rows[i]; r.Match == 0 && r.TS >= q.Users[at].From && r.TS <= q.Users[at].To && !seen[r.Group] {
				seen[r.Group] = true
				did = append(did, r.Group)
			}
		}
		if len(did) > 0 {
			fn(at, did)
		}
	})
	out := make([]FlowStep, len(names))
	for i, name := range names {
		out[i] = stepOf(name, false)
	}
	return out, err
}

// nothing is the key of events that nobody sends.
const nothing = "[CLY]_nothing"

// AllKinds returns all that users do: the app's own events, views, sessions that begin, and crashes.
func AllKinds() []FlowKind { return []FlowKind{FlowEvents, FlowViews, FlowSessions, FlowCrashes} }
