package pebble

import (
	"bytes"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/kv"
)

// settingsVersion is the first byte of stored settings.
const settingsVersion = 1

func settingsKey(app model.AppID) []byte { return append(kv.AppKey(kv.PrefixMarks, app, 1), 's') }

// Settings implements marks.Reader.
func (s Store) Settings(app model.AppID) ([]byte, error) {
	var text []byte
	err := s.db.Get(settingsKey(app), func(v []byte) error {
		if len(v) < 2 || v[0] != settingsVersion {
			return fmt.Errorf("settings have %d bytes, want version %d", len(v), settingsVersion)
		}
		text = bytes.Clone(v[1:])
		return nil
	})
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return nil, fmt.Errorf("read settings of app %s: %w", app, err)
	}
	return text, nil
}

// PutSettings stores the settings of an app, a JSON object, when b is
// committed. Delete leaves them alone.
func PutSettings(b *kv.Batch, app model.AppID, text []byte) error {
	if err := b.Set(settingsKey(app), append([]byte{settingsVersion}, text...)); err != nil {
		return fmt.Errorf("put settings of app %s: %w", app, err)
	}
	return nil
}

// DeleteSettings forgets the settings of an app when b is committed.
func DeleteSettings(b *kv.Batch, app model.AppID) error {
	if err := b.Delete(settingsKey(app)); err != nil {
		return fmt.Errorf("delete settings of app %s: %w", app, err)
	}
	return nil
}
