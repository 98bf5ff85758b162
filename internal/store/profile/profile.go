// Package profile keeps one document per app user, read by key only, and
// the numbering of users in each app. Lists and filters over users go to the
// users table of the event store.
package profile

import (
	"context"
	"errors"

	"quipu/internal/model"
)

// ErrNotFound says that the app has no such profile.
var ErrNotFound = errors.New("profile: not found")

// Reader reads profiles. What it returns is a copy the caller owns.
type Reader interface {
	// Get returns the profile with the id, or ErrNotFound.
	Get(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error)
	// ByUID returns the profile with the number, following merges, or ErrNotFound.
	ByUID(ctx context.Context, app model.AppID, uid uint32) (*model.Profile, error)
	// Scan calls fn for every profile of the app in no particular order until fn
	// returns an error, which it returns.
	Scan(ctx context.Context, app model.AppID, fn func(*model.Profile) error) error
	// Sequence returns the app's counters; the zero value for an app without data.
	Sequence(ctx context.Context, app model.AppID) (Sequence, error)
	// Online counts the users with an open session whose last sign of life is at
	// since (ms, server clock) or later.
	Online(ctx context.Context, app model.AppID, since int64) (int, error)
	// EachOnline calls fn for the open sessions that Online counts: of one app, or, with the zero id, of all apps, app by app, until fn
	// returns an error, which it returns.
	EachOnline(ctx context.Context, app model.AppID, since int64, fn func(OpenSession) error) error
}

// ManyReader is what a Reader may be, too: it reads many profiles at once, which pays where each call is a way through a network.
type ManyReader interface {
	// GetMany calls fn for those of the profiles that there are, in no particular order, until fn returns an error, which it returns.
	GetMany(ctx context.Context, app model.AppID, ids []model.ProfileID, fn func(*model.Profile) error) error
}

// Sequence holds the last number given out in an app, of each kind.
type Sequence struct {
	UID   uint32 `cbor:"1,keyasint"` // last user number
	State uint32 `cbor:"2,keyasint"` // last user-state number
	Users int64  `cbor:"3,keyasint"` // profiles that exist now
}

// OpenSession is an entry of the index of open sessions, which the
// time-out sweep walks.
type OpenSession struct {
	App  model.AppID
	ID   model.ProfileID
	UID  uint32
	Seen int64 // ms, server clock
}
