package pipeline

import (
	"time"

	"quipu/internal/model"
)

// Settings are what an operator may set for an app. Changing them changes how
// later records are projected, never what is already counted.
type Settings struct {
	// SessionTimeout is how long a session stays open without a sign of life, by
	// the server's clock.
	SessionTimeout time.Duration
	// Cooldown is how long after its end a session may be taken up again; 0
	// switches that off.
	Cooldown time.Duration
	// MaxDuration caps one session_duration.
	MaxDuration time.Duration
	// FutureLimit is how far a device's time may be ahead of the server's.
	FutureLimit time.Duration
	// AllowDuplicates switches the suppression of requests sent again off.
	AllowDuplicates bool
}

// DefaultSettings returns the settings of a fresh server.
func DefaultSettings() Settings {
	return Settings{
		SessionTimeout: 30 * time.Minute,
		Cooldown:       15 * time.Second,
		MaxDuration:    2 * time.Minute,
		FutureLimit:    time.Hour,
	}
}

// oldest is the first instant a device's time may name: 2005-01-01 UTC, in ms.
const oldest = 1104537600000

// instant returns the time (ms) under which something counts: ts as sent by
// the device, fallback when none was sent (0), and received when ts lies before
// oldest or too far ahead.
func (s *Settings) instant(ts, fallback, received int64) int64 {
	switch {
	case ts == 0:
		return fallback
	case ts < oldest, ts > received+s.FutureLimit.Milliseconds():
		return received
	}
	return ts
}

// settingsOf is the SettingsFunc when none is given.
func settingsOf(*model.App) Settings { return DefaultSettings() }
