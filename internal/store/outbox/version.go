package outbox

import (
	"context"
	"slices"
	"sync"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/schema"
)

// versions count the changes of what readers find of each app. The zero value is ready for use.
type versions struct {
	mu   sync.Mutex
	all  uint64 // of every app
	apps map[model.AppID]uint64
	// rewrites are the latest of each app; moments count what happens to rows that are there already.
	rewrites map[model.AppID]*rewritten
	removals uint64 // of every app: what was remembered before the last one is of no use
	moments  uint64
	// written are the profiles that were written of apps with a subscription.
	written       map[model.AppID]*written
	subscriptions uint64 // number of subscriptions begun
}

// written are the profiles of an app that were written since they were asked for.
type written struct {
	number uint64
	ids    map[model.ProfileID]struct{}
	gone   []uint32 // numbers of profiles that are no more
	over   bool     // there were too many
}

// maxWrittenProfiles is how many profiles are noted of an app.
const maxWrittenProfiles = 1 << 16

// maxRewrites is how many batches with rewrites, and how many rewritten users, are remembered of an app.
const (
	maxRewrites  = 256
	maxRewritten = 4096
)

// rewritten is what happened to rows of an app that were there already.
type rewritten struct {
	since uint64 // the moment from which on list is complete
	list  []rewrite
	users int // in list
}

// rewrite is what a batch did.
type rewrite struct {
	moment uint64
	users  map[uint32]uint32
}

// of returns what happened to an app's rows. The caller holds mu.
func (v *versions) of(app model.AppID) *rewritten {
	r := v.rewrites[app]
	if r == nil {
		if v.rewrites == nil {
			v.rewrites = map[model.AppID]*rewritten{}
		}
		r = &rewritten{}
		v.rewrites[app] = r
	}
	return r
}

// rewrote notes a rewrite of users of an app, whose version grows.
func (v *versions) rewrote(app model.AppID, users map[uint32]uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.moments++
	r := v.of(app)
	r.list, r.users = append(r.list, rewrite{v.moments, users}), r.users+len(users)
	for len(r.list) > maxRewrites || r.users > maxRewritten {
		r.since, r.users = r.list[0].moment, r.users-len(r.list[0].users)
		r.list = slices.Delete(r.list, 0, 1)
	}
}

// removed notes that rows of an app were taken away, and lets its version grow.
func (v *versions) removed(app model.AppID) {
	defer v.bump(app) // after what changed was noted, so that readers of the new version find it
	v.mu.Lock()
	defer v.mu.Unlock()
	v.moments++
	*v.of(app) = rewritten{since: v.moments}
}

// Rewrites returns what happened to the rows of an app since a moment, apart from rows that were added: the rewrites of merged users' numbers in their order, each made
// of whole chains, and the moment up to which that is so. ok is false where rows were taken away or changed otherwise, or it is not known any more:
// holders of rows have to read all of them again. A change is known when Version has grown for it. What is returned is shared.
func (s *Outbox) Rewrites(app model.AppID, since uint64) (list []map[uint32]uint32, now uint64, ok bool) {
	v := &s.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	now = v.moments
	if since < v.removals {
		return nil, now, false
	}
	r := v.rewrites[app]
	if r == nil {
		return nil, now, true
	}
	if since < r.since {
		return nil, now, false
	}
	for _, one := range r.list {
		if one.moment > since {
			list = append(list, one.users)
		}
	}
	return list, now, true
}

// wrote notes profiles that were written, and those that are no more, if the app has a subscription.
func (v *versions) wrote(app model.AppID, ids []model.ProfileID, gone []uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w := v.written[app]
	if w == nil || w.over {
		return
	}
	for _, id := range ids {
		w.ids[id] = struct{}{}
	}
	w.gone = append(w.gone, gone...)
	if len(w.ids)+len(w.gone) > maxWrittenProfiles {
		w.over, w.ids, w.gone = true, nil, nil
	}
}

// Subscribe has the profiles of an app noted that are written from now on, and returns a number for Written. An earlier subscription ends.
func (s *Outbox) Subscribe(app model.AppID) (number uint64) {
	v := &s.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	v.subscriptions++
	if v.written == nil {
		v.written = map[model.AppID]*written{}
	}
	v.written[app] = &written{number: v.subscriptions, ids: map[model.ProfileID]struct{}{}}
	return v.subscriptions
}

// Unsubscribe ends what Subscribe began.
func (s *Outbox) Unsubscribe(app model.AppID, number uint64) {
	v := &s.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	if w := v.written[app]; w != nil && w.number == number {
		delete(v.written, app)
	}
}

// Written returns the profiles that were written since Subscribe, or since it was called last, in any order, and the numbers of those that are no more. They are noted before Version
// grows for them. ok is false when there were too many, or the subscription has ended.
func (s *Outbox) Written(app model.AppID, number uint64) (ids []model.ProfileID, gone []uint32, ok bool) {
	v := &s.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	w := v.written[app]
	if w == nil || w.number != number || w.over {
		return nil, nil, false
	}
	ids = make([]model.ProfileID, 0, len(w.ids))
	for id := range w.ids {
		ids = append(ids, id)
	}
	clear(w.ids)
	gone, w.gone = w.gone, nil
	return ids, gone, true
}

func (v *versions) bump(apps ...model.AppID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.apps == nil {
		v.apps = map[model.AppID]uint64{}
	}
	for _, app := range apps {
		v.apps[app]++
	}
}

// Version returns a number that grows with each change of what a Reader of the outbox finds of an app: whenever rows or users of it are queued, and when
// something is removed. Moving rows changes nothing.
func (s *Outbox) Version(app model.AppID) uint64 {
	s.versions.mu.Lock()
	defer s.versions.mu.Unlock()
	return s.versions.all + s.versions.apps[app]
}

// Changed says that the event store may have been changed by other means.
func (s *Outbox) Changed() {
	s.versions.mu.Lock()
	defer s.versions.mu.Unlock()
	s.versions.all++
	s.versions.moments++
	s.versions.removals = s.versions.moments
	s.versions.rewrites = nil
}

// bumping is a writer that counts changes, of calls that fail too.
type bumping struct {
	to       events.Writer // not embedded: a new removal has to be counted, too
	versions *versions
}

// Watermark implements events.Writer.
func (b bumping) Watermark(ctx context.Context) (journal.Watermark, error) {
	return b.to.Watermark(ctx)
}

// Commit implements events.Writer.
func (b bumping) Commit(ctx context.Context, batch *events.Batch) error {
	err := b.to.Commit(ctx, batch)
	for app := range batch.Apps {
		b.versions.removed(app) // it may hold anything
	}
	return err
}

// DropApp implements events.Writer.
func (b bumping) DropApp(ctx context.Context, app model.AppID, w journal.Watermark) error {
	defer b.versions.removed(app)
	return b.to.DropApp(ctx, app, w)
}

// DeleteEvents implements events.Writer.
func (b bumping) DeleteEvents(ctx context.Context, app model.AppID, keys []string, w journal.Watermark) error {
	defer b.versions.removed(app)
	return b.to.DeleteEvents(ctx, app, keys, w)
}

// DeleteNamed implements events.Writer.
func (b bumping) DeleteNamed(ctx context.Context, app model.AppID, keys, names []string, w journal.Watermark) error {
	defer b.versions.removed(app)
	return b.to.DeleteNamed(ctx, app, keys, names, w)
}

// ClearProperty implements events.Writer.
func (b bumping) ClearProperty(ctx context.Context, app model.AppID, event string, slots []schema.Slot, name string, w journal.Watermark) error {
	defer b.versions.removed(app)
	return b.to.ClearProperty(ctx, app, event, slots, name, w)
}

// DeleteUsers implements events.Writer.
func (b bumping) DeleteUsers(ctx context.Context, app model.AppID, uids []uint32, w journal.Watermark) error {
	defer b.versions.removed(app)
	return b.to.DeleteUsers(ctx, app, uids, w)
}

// DropRows implements events.Writer.
func (b bumping) DropRows(ctx context.Context, app model.AppID, before int64, w journal.Watermark) error {
	defer b.versions.removed(app)
	return b.to.DropRows(ctx, app, before, w)
}
