package app

import (
	"context"

	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/topic"
)

// dataVersions are the versions of what reads find of each app: rows and users wherever they are on their way, and cells.
type dataVersions struct{ app *App }

// Version implements query.Versions. Each of its parts only grows.
func (v dataVersions) Version(app model.AppID) uint64 {
	return v.app.work.Version(app) + v.app.cells.Changes().Version(app)
}

// Rewrites implements query.Rewriting.
func (v dataVersions) Rewrites(app model.AppID, since uint64) (list []map[uint32]uint32, now uint64, ok bool) {
	return v.app.pipeline.Rewrites(app, since)
}

// Subscribe implements query.Subscriptions.
func (v dataVersions) Subscribe(app model.AppID) (number uint64) {
	return v.app.pipeline.Subscribe(app)
}

// Unsubscribe implements query.Subscriptions.
func (v dataVersions) Unsubscribe(app model.AppID, number uint64) {
	v.app.pipeline.Unsubscribe(app, number)
}

// Written implements query.Subscriptions.
func (v dataVersions) Written(app model.AppID, number uint64) (ids []model.ProfileID, gone []uint32, ok bool) {
	return v.app.pipeline.Written(app, number)
}

// forgetAnswers drops the answers about an app when data of it is removed. Their versions have passed already: this frees what they hold of users.
func (a *App) forgetAnswers() {
	rows := a.recalls
	const owner = "answers"
	hook.OnEach(a.bus, owner, func(_ context.Context, ev topic.AppReset) error { rows.Forget(ev.App); return nil })
	hook.OnEach(a.bus, owner, func(_ context.Context, ev topic.AppDeleted) error { rows.Forget(ev.App); return nil })
	hook.OnEach(a.bus, owner, func(_ context.Context, ev topic.EventsDeleted) error { rows.Forget(ev.App); return nil })
	hook.OnEach(a.bus, owner, func(_ context.Context, ev topic.UsersDeleted) error { rows.Forget(ev.App); return nil })
	hook.OnEach(a.bus, owner, func(_ context.Context, ev topic.UsersErased) error { rows.Forget(ev.App); return nil })
}
