package shards

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// Source reads what an engine has stored. It is safe for concurrent use.
type Source interface {
	// Profile returns the profile with the id, which becomes the caller's; nil when there is none.
	Profile(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error)
	// ID returns the id of the profile with the number, or profile.ErrNotFound.
	ID(ctx context.Context, app model.AppID, uid uint32) (model.ProfileID, error)
	// Sequence returns the app's counters; the zero value for an app without data.
	Sequence(ctx context.Context, app model.AppID) (profile.Sequence, error)
	// Aliases returns the app's merged users as they were put, chains not followed. The map becomes the caller's.
	Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error)
	// HasPrint reports whether a fingerprint is stored.
	HasPrint(ctx context.Context, app model.AppID, p profile.Print) (bool, error)
	// Days lists the days that have fingerprints, in ascending order.
	Days(ctx context.Context) ([]uint16, error)
	// Prints calls fn for the fingerprints of a day, at most n of them, and returns where to go on; nil = there are no more. It
	// begins at after, which is nil or what it returned before.
	Prints(ctx context.Context, day uint16, after []byte, n int, fn func(Stored)) (next []byte, err error)
}

// Stored is a fingerprint of an app.
type Stored struct {
	App  model.AppID
	Hash profile.Fingerprint
}

// Bulk is what a Source may have beside: it reads for many at once, which pays where each call is a way through a network.
type Bulk interface {
	// Profiles calls fn for those of the profiles that are stored.
	Profiles(ctx context.Context, app model.AppID, ids []model.ProfileID, fn func(*model.Profile)) error
	// HavePrints calls fn for those of the fingerprints that are stored.
	HavePrints(ctx context.Context, app model.AppID, prints []profile.Print, fn func(profile.Print)) error
}
