package outbox

import (
	"context"
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

// Version returns a number that grows with each change of what a Reader of the outbox finds of an app: whenever rows or users of it are staged, and when
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
		b.versions.bump(app)
	}
	return err
}

// DropApp implements events.Writer.
func (b bumping) DropApp(ctx context.Context, app model.AppID, w journal.Watermark) error {
	defer b.versions.bump(app)
	return b.to.DropApp(ctx, app, w)
}

// DeleteEvents implements events.Writer.
func (b bumping) DeleteEvents(ctx context.Context, app model.AppID, keys []string, w journal.Watermark) error {
	defer b.versions.bump(app)
	return b.to.DeleteEvents(ctx, app, keys, w)
}

// DeleteNamed implements events.Writer.
func (b bumping) DeleteNamed(ctx context.Context, app model.AppID, keys, names []string, w journal.Watermark) error {
	defer b.versions.bump(app)
	return b.to.DeleteNamed(ctx, app, keys, names, w)
}

// ClearProperty implements events.Writer.
func (b bumping) ClearProperty(ctx context.Context, app model.AppID, event string, slots []schema.Slot, name string, w journal.Watermark) error {
	defer b.versions.bump(app)
	return b.to.ClearProperty(ctx, app, event, slots, name, w)
}

// DeleteUsers implements events.Writer.
func (b bumping) DeleteUsers(ctx context.Context, app model.AppID, uids []uint32, w journal.Watermark) error {
	defer b.versions.bump(app)
	return b.to.DeleteUsers(ctx, app, uids, w)
}

// DropRows implements events.Writer.
func (b bumping) DropRows(ctx context.Context, app model.AppID, before int64, w journal.Watermark) error {
	defer b.versions.bump(app)
	return b.to.DropRows(ctx, app, before, w)
}
