// Package pebble keeps the schema of apps in the state's Pebble database: the embedded engine of package schema.
package pebble

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/schema"
	"quipu/internal/store/schema/stored"
	"quipu/internal/store/schema/writers"
)

// Options of the embedded schema.
type Options struct {
	// Limits are those of writers that nobody gave others.
	Limits schema.Limits
	// CachedValues is how many segment values that no batch uses are kept in memory, where the values of a segment count 28 more;
	// 0 means 400,000.
	CachedValues int
	// CachedApps is how many apps that no batch uses are kept in memory; 0 means 1000.
	CachedApps int
}

// Store is the embedded schema.
type Store struct{ *writers.Store }

var _ schema.Store = (*Store)(nil)

// Open returns the schema in db.
func Open(db *kv.DB, opts Options) (*Store, error) {
	codec, err := stored.NewCodec()
	if err != nil {
		return nil, err
	}
	s, err := writers.Open(source{db, codec}, writers.Options{Limits: opts.Limits, CachedValues: opts.CachedValues, CachedApps: opts.CachedApps, Log: db.Logger()})
	if err != nil {
		return nil, err
	}
	return &Store{s}, nil
}

// source implements writers.Source.
type source struct {
	db    *kv.DB
	codec *stored.Codec
}

// Load implements writers.Source.
func (s source) Load(ctx context.Context, app model.AppID) (found writers.Stored, err error) {
	err = s.db.Get(kindKey(app, kindCounters, 0), func(v []byte) (err error) {
		found.Counters, err = stored.ReadCounters(v)
		return err
	})
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return found, err
	}
	from := kindKey(app, kindEvent, 0)
	err = s.db.Scan(ctx, from, kv.After(from), func(key, value []byte) (bool, error) {
		if len(key) != len(from)+4 {
			return false, fmt.Errorf("event has a key of %d bytes, want %d", len(key), len(from)+4)
		}
		ev, err := s.codec.ReadEvent(binary.BigEndian.Uint32(key[len(from):]), value)
		found.Events = append(found.Events, ev)
		return err == nil, err
	})
	if err != nil {
		return found, err
	}
	return found, s.subjects(ctx, app, &found)
}

// subjects reads the subjects of all kinds that are stored.
func (s source) subjects(ctx context.Context, app model.AppID, into *writers.Stored) error {
	for _, of := range [...]struct {
		prefix byte
		width  int
	}{{kindFirst, 0}, {kindSubject, 1}} {
		from := kindKey(app, of.prefix, 0)
		err := s.db.Scan(ctx, from, kv.After(from), func(key, value []byte) (bool, error) {
			if len(key) != len(from)+of.width+4 {
				return false, fmt.Errorf("subject has a key of %d bytes, want %d", len(key), len(from)+of.width+4)
			}
			kind := stored.FirstKind
			if of.width > 0 {
				kind = schema.Kind(key[len(from)])
			}
			v, err := s.codec.ReadSubject(binary.BigEndian.Uint32(key[len(from)+of.width:]), value)
			if err != nil {
				return false, err
			}
			into.Subjects = append(into.Subjects, schema.SubjectRecord{Kind: kind, Subject: v})
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Values implements writers.Source.
func (s source) Values(ctx context.Context, app model.AppID, k schema.SegmentID, fn func(value []byte)) error {
	from := segmentPrefix(app, k)
	err := s.db.Scan(ctx, from, kv.After(from), func(key, value []byte) (bool, error) {
		if len(key) != len(from)+4 {
			return false, fmt.Errorf("value has a key of %d bytes, want %d", len(key), len(from)+4)
		}
		fn(value)
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("read segment values of app %s: %w", app, err)
	}
	return nil
}
