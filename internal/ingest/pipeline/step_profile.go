package pipeline

import (
	"errors"
	"fmt"
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline/merge"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/profile"
)

// dayMillis is a day of the server's clock, which fingerprints are kept by.
const dayMillis = 24 * 60 * 60 * 1000

// fingerprintDays is how many days before the present one are looked through:
// at least 48 hours at any time of day.
const fingerprintDays = 2

// serverDay numbers the day (UTC) of a server time.
func serverDay(received int64) uint16 {
	return uint16(min(max(received/dayMillis, fingerprintDays), 1<<16-1-fingerprintDays)) // bounded
}

// dedup drops a request that was sent before, also when the clock was set back or
// forth by up to two days in between.
func dedup(it *Item) error {
	if !it.finger.ok || it.Settings.AllowDuplicates && !it.finger.named {
		return nil
	}
	it.shard.days = duplicateDays(it.Received)
	days := it.shard.days[:]
	profiles := it.shard.p.o.Profiles
	seen, err := profiles.Seen(it.App.ID, it.finger.hash, days...)
	if err != nil {
		return fmt.Errorf("look fingerprint up: %w", err)
	}
	if seen {
		it.Drop(outcome.Duplicate)
		return nil
	}
	profiles.Remember(it.App.ID, days[0], it.finger.hash)
	return nil
}

// duplicateDays are the days that are looked through for a request, its own first.
// Later days hold something only when the clock was set back since.
func duplicateDays(received int64) [1 + 2*fingerprintDays]uint16 {
	day := serverDay(received)
	return [...]uint16{day, day - 1, day - 2, day + 1, day + 2}
}

// SuppressesDuplicates reports whether an app's requests that are sent again are dropped.
func (p *Pipeline) SuppressesDuplicates(app *model.App) bool {
	return !p.o.Settings(app).AllowDuplicates
}

// Knows reports whether a request of this fingerprint is committed. True is certain; false may
// also mean that it waits in the journal, or that asking would cost too much.
func (p *Pipeline) Knows(app model.AppID, fingerprint [16]byte, received int64) bool {
	days := duplicateDays(received)
	known, err := p.o.Profiles.Remembered(app, fingerprint, days[:]...)
	return err == nil && known
}

// findProfile finds or makes the user, and merges the user of the old device
// id into it first.
func findProfile(it *Item) error {
	r := it.Request
	if r.Call.Method != "" && !request.RecordedCall(r.Call.Method) && onlyCalls(r) {
		it.Drop(outcome.UnknownCall)
		return nil
	}
	id := model.NewProfileID(it.App.IDKey, r.DeviceID)
	p, err := it.shard.load(id)
	if err != nil {
		return err
	}
	var old *model.Profile
	if r.OldDeviceID != "" && r.OldDeviceID != r.DeviceID {
		if old, err = it.shard.load(model.NewProfileID(it.App.IDKey, r.OldDeviceID)); err != nil {
			return err
		}
	}
	if p == nil {
		if old == nil && onlyEnds(it) {
			it.Drop(outcome.UnknownDeviceEnd)
			return nil
		}
		uid, err := it.shard.p.o.Profiles.NextUID(it.App.ID)
		if err != nil {
			return fmt.Errorf("number user: %w", err)
		}
		p = &model.Profile{ID: id, UID: uid, DID: strings.Clone(r.DeviceID)}
		it.Created = true
	}
	it.Profile = p
	it.saved = &it.shard.saved
	*it.saved = *p
	if old != nil {
		it.take(old)
	}
	it.seen()
	return nil
}

// take merges a profile into the item's.
func (it *Item) take(old *model.Profile) {
	was := *it.Profile
	if c := merge.Into(it.Profile, old); c != nil {
		it.Closed = append(it.Closed, *c)
	}
	for _, f := range it.shard.p.o.Features {
		if f.Merge != nil {
			f.Merge(it.Profile, &was, old)
		}
	}
	it.merged = append(it.merged, merged{id: old.ID, uid: old.UID})
}

// onlyEnds reports whether a request does nothing but end a session.
func onlyEnds(it *Item) bool {
	r := it.Request
	return r.End && !r.Begin && reportsNothing(r) && !request.RecordedCall(r.Call.Method)
}

// onlyCalls reports whether a request does nothing but call a method.
func onlyCalls(r *request.Request) bool {
	return !r.Begin && !r.End && !r.HasDuration && r.OldDeviceID == "" && r.Health == nil && reportsNothing(r)
}

// reportsNothing reports whether a request holds nothing beside what belongs to sessions.
func reportsNothing(r *request.Request) bool {
	return len(r.Events) == 0 && r.User == nil && r.Consent == nil && r.Crash == nil &&
		r.Trace == nil && r.AID == nil && r.CampaignID == "" && r.Picture == "" && r.Push == (request.PushToken{})
}

// seen records the activity of the user.
func (it *Item) seen() {
	p, sec, sync := it.Profile, it.TS/1000, it.Received/1000
	if p.FirstActivity == 0 || sec < p.FirstActivity {
		p.FirstActivity = sec
	}
	p.LastActivity = max(p.LastActivity, sec)
	if p.FirstSync == 0 || sync < p.FirstSync { // the clock may have been set back
		p.FirstSync = sync
	}
	p.LastSync = max(p.LastSync, sync)
	p.LastRequest = it.Offset
	session.Touch(p, it.TS, it.Received)
}

// found turns ErrNotFound into nil.
func found(p *model.Profile, err error) (*model.Profile, error) {
	if errors.Is(err, profile.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load profile: %w", err)
	}
	return p, nil
}
