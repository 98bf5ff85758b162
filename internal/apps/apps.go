// Package apps is the directory of applications: documents in the store, and
// an immutable snapshot in memory in which ingestion finds an app by its key
// without a lock.
package apps

import "quipu/internal/model"

// Directory finds apps, also those that other processes made, soon after. Implementations are safe for concurrent use; the apps
// returned are shared and must not be changed.
type Directory interface {
	// ByKey returns the app whose present key is key, or nil.
	ByKey(key string) *model.App
	// ByID returns the app, or nil.
	ByID(id model.AppID) *model.App
	// All returns every app, ordered by id.
	All() []*model.App
}
