package outbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/profile"
)

// mirror is the set of users whose rows in the users table are out of date. Its
// keys in the database say the same.
type mirror struct {
	mu    sync.Mutex
	users map[model.AppID]map[model.ProfileID]struct{}
	n     int
	last  journal.Watermark // greatest offsets of its keys
	since time.Time
	taken bool // the users before are being mirrored
}

func (m *mirror) size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n
}

// empty reports whether the users table is up to date.
func (m *mirror) empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n == 0 && !m.taken
}

// due reports whether the first of the users came in no later than at.
func (m *mirror) due(at time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n > 0 && !m.since.After(at)
}

// has reports whether a user is in the set.
func (m *mirror) has(app model.AppID, id model.ProfileID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.users[app][id]
	return ok
}

// add adds users that were noted under a position.
func (m *mirror) add(users map[model.AppID][]model.ProfileID, at journal.Position, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for app, ids := range users {
		set := m.users[app]
		if set == nil {
			if m.users == nil {
				m.users = map[model.AppID]map[model.ProfileID]struct{}{}
			}
			set = make(map[model.ProfileID]struct{}, len(ids))
			m.users[app] = set
		}
		before := len(set)
		for _, id := range ids {
			set[id] = struct{}{}
		}
		if m.n == 0 && len(set) > before {
			m.since = now
		}
		m.n += len(set) - before
		if m.last == nil {
			m.last = journal.Watermark{}
		}
		m.last[at.Partition] = max(m.last[at.Partition], at.Offset)
	}
}

// take empties the set, until done or back.
func (m *mirror) take() (users map[model.AppID]map[model.ProfileID]struct{}, last journal.Watermark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	users, m.users, m.n, m.taken = m.users, nil, 0, true
	return users, m.last.Clone()
}

// done says that what take took is mirrored.
func (m *mirror) done() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken = false
}

// back puts back what take took.
func (m *mirror) back(users map[model.AppID]map[model.ProfileID]struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.users, m.n, m.taken = users, 0, false
	for _, set := range users {
		m.n += len(set)
	}
}

// noteUsers returns the users of a move that are not noted yet, also in the form in which they are stored.
func (s *Outbox) noteUsers(l *load) (fresh map[model.AppID][]model.ProfileID, noted []Stored) {
	fresh = map[model.AppID][]model.ProfileID{}
	for app, ids := range l.users {
		seen := make(map[model.ProfileID]struct{}, len(ids))
		value := []byte{partVersion}
		for _, id := range ids {
			if _, twice := seen[id]; twice || s.mirror.has(app, id) {
				continue
			}
			seen[id] = struct{}{}
			fresh[app] = append(fresh[app], id)
			value = append(value, id[:]...)
		}
		if len(seen) > 0 {
			noted = append(noted, Stored{App: app, Value: value})
		}
	}
	return fresh, noted
}

// loadMirror reads which users are noted.
func (s *Outbox) loadMirror(ctx context.Context, partition uint16) error {
	err := s.o.Store.Users(ctx, partition, func(offset uint64, app model.AppID, value []byte) (bool, error) {
		const size = len(model.ProfileID{})
		if len(value) == 0 || value[0] != partVersion || (len(value)-1)%size != 0 {
			return false, fmt.Errorf("%w: users in %d bytes", ErrDamaged, len(value))
		}
		ids := make([]model.ProfileID, 0, len(value)/size)
		for value = value[1:]; len(value) > 0; value = value[size:] {
			ids = append(ids, model.ProfileID(value[:size]))
		}
		s.mirror.add(map[model.AppID][]model.ProfileID{app: ids}, journal.Position{Partition: partition, Offset: offset}, s.o.Now())
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("read users to be mirrored: %w", err)
	}
	return nil
}

// mirrorStep is how many profiles are mirrored in one commit.
const mirrorStep = 16_384

// reflect brings the users table up to date. The caller holds turn.
func (s *Outbox) reflect(ctx context.Context) error {
	if s.mirror.empty() {
		return nil
	}
	users, last := s.mirror.take()
	err := s.mirrorAll(ctx, users)
	for partition, offset := range last {
		if err != nil {
			break
		}
		err = s.o.Store.ForgetUsers(ctx, partition, offset+1) // mirroring a user once more, after a crash, changes nothing
	}
	if err != nil {
		s.mirror.back(users)
		return fmt.Errorf("mirror users: %w", err)
	}
	s.mirror.done()
	return nil
}

// mirrorAll writes users to the event store, those of many apps in one commit.
func (s *Outbox) mirrorAll(ctx context.Context, users map[model.AppID]map[model.ProfileID]struct{}) error {
	apps, n := map[model.AppID]*events.AppBatch{}, 0
	flush := func() error {
		if n == 0 {
			return nil
		}
		err := s.o.Events.Commit(ctx, &events.Batch{Watermark: journal.Watermark{}, Apps: apps})
		apps, n = map[model.AppID]*events.AppBatch{}, 0
		return err
	}
	for app, set := range users {
		err := s.profiles(ctx, app, set, func(u *model.Profile) error {
			if apps[app] == nil {
				apps[app] = &events.AppBatch{}
			}
			apps[app].Users = append(apps[app].Users, u)
			if n++; n == mirrorStep {
				return flush()
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return flush()
}

// profiles calls fn for the profiles that there are, in no particular order. Those that are gone are not missed: their batch says so.
func (s *Outbox) profiles(ctx context.Context, app model.AppID, set map[model.ProfileID]struct{}, fn func(*model.Profile) error) error {
	if many, ok := s.o.Profiles.(profile.ManyReader); ok {
		for ids := range slices.Chunk(slices.Collect(maps.Keys(set)), manyAtOnce) {
			if err := many.GetMany(ctx, app, ids, fn); err != nil {
				return fmt.Errorf("read profiles: %w", err)
			}
		}
		return nil
	}
	// In the order of their keys, so that neighbours are found in blocks that were unpacked a moment ago.
	for _, id := range slices.SortedFunc(maps.Keys(set), func(a, b model.ProfileID) int { return bytes.Compare(a[:], b[:]) }) {
		u, err := s.o.Profiles.Get(ctx, app, id)
		if errors.Is(err, profile.ErrNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read profile: %w", err)
		}
		if err := fn(u); err != nil {
			return err
		}
	}
	return nil
}

// manyAtOnce is how many profiles are asked for at once.
const manyAtOnce = 2_000
