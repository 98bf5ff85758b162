package profile

import "quipu/internal/model"

// Change is what shards changed since the last flush, of all apps.
type Change struct {
	// Forget is the day before which the fingerprints of all apps go; 0 = none do.
	Forget uint16
	Apps   []AppChange
}

// AppChange is what a change holds of one app. It is applied from the top down.
type AppChange struct {
	App model.AppID
	// Cleared says that all that is stored of the app goes first.
	Cleared  bool
	Profiles []Changed
	// Sequence is nil when it is as it was.
	Sequence *Sequence
	// Aliases that changed, old → new number; 0 = forgotten.
	Aliases map[uint32]uint32
	Prints  map[Print]struct{}
}

// Changed is a profile that changed.
type Changed struct {
	ID model.ProfileID
	// Profile is nil when there is none any more. It may change as soon as the change is taken in.
	Profile *model.Profile
	// Was says what is stored.
	Was Indexed
}

// Indexed is what indexes hold of a profile.
type Indexed struct {
	Stored bool // false: no such profile is stored
	UID    uint32
	Open   bool  // it has an open session
	Seen   int64 // last sign of life of that session, ms
}

// Print is a fingerprint under its day.
type Print struct {
	Day  uint16
	Hash Fingerprint
}
