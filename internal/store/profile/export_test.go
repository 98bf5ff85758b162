package profile

import "quipu/internal/model"

// Absent reports whether the filter spares the disk a look-up.
func Absent(s *Pebble, day uint16, app model.AppID, f Fingerprint) bool {
	return s.prints.absent(day, app, f)
}
