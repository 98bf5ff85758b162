// Package pebble is the embedded engine of package marks: marks and settings in the state database.
// docs/format/marks.md draws its keys and values.
package pebble

import (
	"encoding/binary"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/marks"
)

// Store implements marks.Reader.
type Store struct{ db *kv.DB }

var _ marks.Reader = Store{}

// New returns the marks and settings in db.
func New(db *kv.DB) Store { return Store{db} }

const (
	version = 1
	length  = 1 + 8 + 8 + 8 + 1
)

func key(app model.AppID) []byte { return kv.AppKey(kv.PrefixMarks, app, 0) }

// Marks implements marks.Reader.
func (s Store) Marks(app model.AppID) (marks.Marks, error) {
	var m marks.Marks
	err := s.db.Get(key(app), func(v []byte) error {
		if len(v) != length || v[0] != version {
			return fmt.Errorf("marks have %d bytes, want %d of version %d", len(v), length, version)
		}
		m = marks.Marks{
			Dropped: int64(binary.BigEndian.Uint64(v[1:])), // as it was written
			Deleted: binary.BigEndian.Uint64(v[9:]),
			Merged:  binary.BigEndian.Uint64(v[17:]),
			Loose:   v[25] != 0,
		}
		return nil
	})
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return marks.Marks{}, fmt.Errorf("read marks of app %s: %w", app, err)
	}
	return m, nil
}

// Put stores the marks of an app when b is committed.
func Put(b *kv.Batch, app model.AppID, m marks.Marks) error {
	v := append(make([]byte, 0, length), version)
	v = binary.BigEndian.AppendUint64(v, uint64(m.Dropped)) // and back in Load
	v = binary.BigEndian.AppendUint64(v, m.Deleted)
	v = binary.BigEndian.AppendUint64(v, m.Merged)
	loose := byte(0)
	if m.Loose {
		loose = 1
	}
	if err := b.Set(key(app), append(v, loose)); err != nil {
		return fmt.Errorf("put marks of app %s: %w", app, err)
	}
	return nil
}

// Delete forgets the marks of an app when b is committed.
func Delete(b *kv.Batch, app model.AppID) error {
	if err := b.Delete(key(app)); err != nil {
		return fmt.Errorf("delete marks of app %s: %w", app, err)
	}
	return nil
}
