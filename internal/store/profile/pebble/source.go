package pebble

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
	"quipu/internal/store/profile/shards"
	"quipu/internal/store/profile/stored"
)

// source implements shards.Source.
type source struct{ db *kv.DB }

// Profile implements shards.Source.
func (s source) Profile(_ context.Context, app model.AppID, id model.ProfileID) (p *model.Profile, err error) {
	err = s.db.Get(profileKey(app, id), func(v []byte) (err error) {
		p, err = stored.Decode(v)
		return err
	})
	if errors.Is(err, kv.ErrNotFound) {
		return nil, nil // there is none
	}
	return p, err
}

// Sequence implements shards.Source.
func (s source) Sequence(_ context.Context, app model.AppID) (profile.Sequence, error) {
	var seq profile.Sequence
	err := s.db.Get(kv.AppKey(kv.PrefixSequence, app, 0), func(v []byte) (err error) {
		seq, err = decodeSequence(v)
		return err
	})
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return profile.Sequence{}, fmt.Errorf("read sequence of app %s: %w", app, err)
	}
	return seq, nil
}

// ID implements shards.Source.
func (s source) ID(_ context.Context, app model.AppID, uid uint32) (model.ProfileID, error) {
	var id model.ProfileID
	err := s.db.Get(numberKey(kv.PrefixUID, app, uid), func(v []byte) error {
		if len(v) != idLen {
			return fmt.Errorf("profile id has %d bytes, want %d", len(v), idLen)
		}
		copy(id[:], v)
		return nil
	})
	if errors.Is(err, kv.ErrNotFound) {
		return id, profile.ErrNotFound
	}
	if err != nil {
		return id, fmt.Errorf("read user %d of app %s: %w", uid, app, err)
	}
	return id, nil
}

// Aliases implements shards.Source.
func (s source) Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error) {
	m := map[uint32]uint32{}
	from := kv.AppKey(kv.PrefixAlias, app, 0)
	err := s.db.Scan(ctx, from, kv.After(from), func(key, value []byte) (bool, error) {
		if len(key) != len(from)+4 || len(value) != 4 {
			return false, fmt.Errorf("alias has a key of %d and a value of %d bytes", len(key), len(value))
		}
		m[binary.BigEndian.Uint32(key[len(from):])] = binary.BigEndian.Uint32(value)
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read aliases of app %s: %w", app, err)
	}
	return m, nil
}

// HasPrint implements shards.Source.
func (s source) HasPrint(_ context.Context, app model.AppID, p profile.Print) (bool, error) {
	return s.db.Has(printKey(p.Day, app, p.Hash))
}

// Days implements shards.Source.
func (s source) Days(context.Context) ([]uint16, error) { return days(s.db) }

// Prints implements shards.Source.
func (s source) Prints(ctx context.Context, day uint16, after []byte, n int, fn func(shards.Stored)) (next []byte, err error) {
	from := dayKey(day)
	if after != nil {
		from = after
	}
	err = s.db.Scan(ctx, from, kv.After(dayKey(day)), func(key, _ []byte) (bool, error) {
		if n--; n < 0 {
			next = bytes.Clone(key)
			return false, nil
		}
		if len(key) == printKeyLen {
			fn(shards.Stored{App: model.AppID(key[3:]), Hash: profile.Fingerprint(key[3+appLen:])})
		}
		return true, nil
	})
	return next, err
}
