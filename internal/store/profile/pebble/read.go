package pebble

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
	"quipu/internal/store/profile/stored"
)

// Get implements Reader.
func (s *Store) Get(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := s.src.Profile(ctx, app, id)
	if err == nil && p == nil {
		return nil, profile.ErrNotFound
	}
	return p, err
}

// ByUID implements Reader.
func (s *Store) ByUID(ctx context.Context, app model.AppID, uid uint32) (*model.Profile, error) {
	aliases, err := s.Aliases(ctx, app)
	if err != nil {
		return nil, err
	}
	if to, ok := aliases[uid]; ok {
		uid = to
	}
	id, err := s.src.ID(ctx, app, uid)
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, app, id)
}

// Scan implements Reader.
func (s *Store) Scan(ctx context.Context, app model.AppID, fn func(*model.Profile) error) error {
	from := kv.AppKey(kv.PrefixProfile, app, 0)
	return s.db.Scan(ctx, from, kv.After(from), func(key, value []byte) (bool, error) {
		p, err := stored.Decode(value)
		if err != nil {
			return false, fmt.Errorf("scan profile %x of app %s: %w", key[len(from):], app, err)
		}
		return true, fn(p)
	})
}

// Sequence implements Reader.
func (s *Store) Sequence(ctx context.Context, app model.AppID) (profile.Sequence, error) {
	if err := ctx.Err(); err != nil {
		return profile.Sequence{}, err
	}
	return s.src.Sequence(ctx, app)
}

// ExpiredSessions implements Index.
func (s *Store) ExpiredSessions(ctx context.Context, before int64, limit int) ([]profile.OpenSession, error) {
	it, err := s.db.Iter([]byte{kv.PrefixOpenSession}, []byte{kv.PrefixOpenSession + 1})
	if err != nil {
		return nil, fmt.Errorf("list expired sessions: %w", err)
	}
	var out []profile.OpenSession
	for ok := it.First(); ok && len(out) < limit && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		var v []byte
		if v, err = it.ValueAndErr(); err != nil {
			break
		}
		var o profile.OpenSession
		if o, err = parseSession(it.Key(), v); err != nil {
			break
		}
		if o.Seen < before {
			out = append(out, o)
			ok = it.Next()
			continue
		}
		// The app's others were heard of later: on to the next app.
		next := kv.After(kv.AppKey(kv.PrefixOpenSession, o.App, 0))
		ok = it.SeekGE(next)
	}
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("list expired sessions: %w", err)
	}
	return out, nil
}

// Online implements Reader.
func (s *Store) Online(ctx context.Context, app model.AppID, since int64) (int, error) {
	from, n := sessionKey(app, since, model.ProfileID{}), 0
	err := s.db.Scan(ctx, from, kv.After(kv.AppKey(kv.PrefixOpenSession, app, 0)), func([]byte, []byte) (bool, error) {
		n++
		return true, nil
	})
	if err != nil {
		return 0, fmt.Errorf("count open sessions: %w", err)
	}
	return n, nil
}

// EachOnline implements Reader.
func (s *Store) EachOnline(ctx context.Context, app model.AppID, since int64, fn func(profile.OpenSession) error) error {
	from, to := []byte{kv.PrefixOpenSession}, []byte{kv.PrefixOpenSession + 1}
	if app != (model.AppID{}) {
		from, to = sessionKey(app, since, model.ProfileID{}), kv.After(kv.AppKey(kv.PrefixOpenSession, app, 0))
	}
	it, err := s.db.Iter(from, to)
	if err != nil {
		return fmt.Errorf("list open sessions: %w", err)
	}
	for ok := it.First(); ok && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		var v []byte
		if v, err = it.ValueAndErr(); err != nil {
			break
		}
		var o profile.OpenSession
		if o, err = parseSession(it.Key(), v); err != nil {
			break
		}
		if o.Seen < since { // the app's others of interest begin there
			ok = it.SeekGE(sessionKey(o.App, since, model.ProfileID{}))
			continue
		}
		if err = fn(o); err == nil {
			ok = it.Next()
		}
	}
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("list open sessions: %w", err)
	}
	return nil
}

// days lists the days that have fingerprints.
func days(db *kv.DB) ([]uint16, error) {
	it, err := db.Iter([]byte{kv.PrefixFingerprint}, []byte{kv.PrefixFingerprint + 1})
	if err != nil {
		return nil, err
	}
	var out []uint16
	for ok := it.First(); ok; {
		if len(it.Key()) < 3 {
			err = errors.New("fingerprint without a day")
			break
		}
		day := binary.BigEndian.Uint16(it.Key()[1:])
		out = append(out, day)
		if day == 1<<16-1 {
			break
		}
		ok = it.SeekGE(dayKey(day + 1))
	}
	if cerr := it.Close(); err == nil {
		err = cerr
	}
	return out, err
}

// Apps lists the apps that have data here.
func (s *Store) Apps(ctx context.Context) ([]model.AppID, error) {
	var out []model.AppID
	from := []byte{kv.PrefixSequence}
	err := s.db.Scan(ctx, from, kv.After(from), func(key, _ []byte) (bool, error) {
		if len(key) != 1+appLen {
			return false, fmt.Errorf("sequence has a key of %d bytes", len(key))
		}
		out = append(out, model.AppID(key[1:]))
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("list apps: %w", err)
	}
	return out, nil
}
