package pebble

import (
	"quipu/internal/model"

	"quipu/internal/store/profile"
)

// Absent reports whether the filter spares the disk a look-up.
func Absent(s *Store, day uint16, app model.AppID, f profile.Fingerprint) bool {
	return s.prints.absent(day, app, f)
}
