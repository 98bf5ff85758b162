package profile

import (
	"context"

	"quipu/internal/model"
)

// Shards is what the pipeline uses while a batch runs. What a shard changes stays
// in memory until a flush takes it and what it took is committed;
// Readers do not see it before.
//
// Calls that name an app belong to the shard of that app: one goroutine at a
// time for an app, any number of apps in parallel. A flush and Abandon need
// all shards to rest, and no flushed batch to be under way. After a flush, shards
// may start on the next batch while the last is being committed.
type Shards interface {
	// Ahead lets a store behind a network read at once what a batch will probably ask for: it calls wanted, which lists
	// profiles and fingerprints of the app. Other stores do nothing. It changes no answer.
	Ahead(ctx context.Context, app model.AppID, wanted func() ([]model.ProfileID, []Print)) error
	// Load returns the app's profile, or ErrNotFound. The profile is the shard's
	// own until the batch ends: it is the same pointer for every Load in the batch,
	// and it stays in memory. A caller that changes it must Put it in the same batch.
	Load(app model.AppID, id model.ProfileID) (*model.Profile, error)
	// LoadUID is Load by number. The number of a merged user leads to the user it
	// was merged into, chains included.
	LoadUID(app model.AppID, uid uint32) (*model.Profile, error)
	// Put stores p under p.ID, new or changed; it only marks it, so calling it
	// many times in a batch is cheap. p becomes the pointer that Load returns.
	// The number p.UID and the open session p.Open are indexed from what they are
	// when a flush takes it; a profile must keep its number. Sequence.Users counts new ones.
	Put(app model.AppID, p *model.Profile) error
	// Delete removes a profile with its number and open session; an unknown id
	// is no error. Sequence.Users goes down by one.
	Delete(app model.AppID, id model.ProfileID) error

	// NextUID gives out the app's next user number, from 1.
	NextUID(app model.AppID) (uint32, error)
	// NextState gives out the app's next user-state number, from 1.
	NextState(app model.AppID) (uint32, error)

	// PutAlias records that the user numbered old was merged into the one
	// numbered to. The profile of old must be deleted in the same batch.
	PutAlias(app model.AppID, old, to uint32) error
	// RemoveAliases forgets that users were merged, after all bitmaps were
	// rewritten. Aliases of merged users are followed to their final target.
	RemoveAliases(app model.AppID, olds ...uint32) error
	// Resolve follows merges from uid, those of the running batch included.
	Resolve(app model.AppID, uid uint32) (uint32, error)

	// Seen reports whether the fingerprint was remembered on one of the days,
	// in this batch or before.
	Seen(app model.AppID, fingerprint Fingerprint, days ...uint16) (bool, error)
	// Remember keeps the fingerprint under the day.
	Remember(app model.AppID, day uint16, fingerprint Fingerprint)

	// DeleteApp removes everything the app has here: profiles, numbers,
	// sequence, aliases, open sessions, fingerprints. What the shard stores after it
	// in the same batch stays.
	DeleteApp(app model.AppID)
	// ForgetBefore removes the fingerprints of all apps of days before day. It
	// takes effect with the next flush and may be called from any goroutine. What is remembered of such days later may be
	// forgotten at once.
	ForgetBefore(day uint16)

	// Flush hands over all changes since the last Flush; the caller commits them. Once it calls end with true, they
	// are the readers' truth; with false, everything not committed is dropped from memory, as by Abandon. One
	// change may be under way: Flush of the next one before the last has ended is an error. After an error all
	// is abandoned. The change is valid until end is called.
	Flush() (c Change, end func(committed bool), err error)
	// Abandon drops all changes that were not committed, those of running batches
	// included; the next Load reads what is stored. Pointers handed out before are dead.
	Abandon()
}

// Index is what others read from the store beside profiles. All calls see
// committed data only and may come from any goroutine.
type Index interface {
	// ExpiredSessions lists open sessions whose last sign of life (Profile.Open.Seen)
	// is before the time given in ms, at most limit of them: app by app, the
	// longest silent first in each.
	ExpiredSessions(ctx context.Context, before int64, limit int) ([]OpenSession, error)
	// Aliases returns the app's merged users, old number → the number it now
	// stands for (chains already followed). The map is shared: do not change it.
	Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error)
	// Remembered reports whether the fingerprint is stored under one of the days. It is for callers that ask
	// for every request and can do with less than the truth: true is certain, false may also mean that the answer would
	// have cost a look-up for each new fingerprint of a day.
	Remembered(app model.AppID, fingerprint Fingerprint, days ...uint16) (bool, error)
}

// Store is the whole of it, as the embedded store implements it.
type Store interface {
	Reader
	Shards
	Index
}

// Fingerprint is the hash of a request, for the suppression of duplicates.
type Fingerprint [16]byte
