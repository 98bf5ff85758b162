package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/marks"
	"quipu/internal/store/schema"
)

// Settings are all that shapes what becomes of an app's records beside the
// records themselves. The journal carries them (SetSettings), and the state keeps those in force, so
// that a record is projected under the settings of its place in the journal, whenever
// that happens. Changing them changes how later records are projected, never what is already counted.
type Settings struct {
	// Timezone is an IANA name; all cells of the app are in it. After a change the cells are
	// to be recounted (request.RebuildCells).
	Timezone string
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
	// Limits bound the app's events, segments and values; zero fields leave that to the schema.
	Limits schema.Limits
}

// DefaultSettings returns the settings of a fresh server, without a time zone.
func DefaultSettings() Settings {
	return Settings{
		SessionTimeout: 30 * time.Minute,
		Cooldown:       15 * time.Second,
		MaxDuration:    2 * time.Minute,
		FutureLimit:    time.Hour,
	}
}

// stored is the JSON of settings, in the journal and in the state. Times are in ms.
type stored struct {
	Timezone        string `json:"timezone"`
	SessionTimeout  int64  `json:"session_timeout"`
	Cooldown        int64  `json:"cooldown"`
	MaxDuration     int64  `json:"max_duration"`
	FutureLimit     int64  `json:"future_limit"`
	AllowDuplicates bool   `json:"allow_duplicates"`
	Events          int    `json:"events"`
	Segments        int    `json:"segments"`
	Values          int    `json:"values"`
	Subjects        int    `json:"views"`       // named when views were the only subjects
	SubjectValues   int    `json:"view_values"` // as above
	MetricValues    int    `json:"metric_values"`
}

// Normal returns the settings as they come back from the journal: times are cut to milliseconds.
func (s Settings) Normal() Settings {
	for _, d := range []*time.Duration{&s.SessionTimeout, &s.Cooldown, &s.MaxDuration, &s.FutureLimit} {
		*d = d.Truncate(time.Millisecond)
	}
	return s
}

func (s Settings) json() []byte {
	b, _ := json.Marshal(stored{ // cannot fail
		Timezone: s.Timezone, SessionTimeout: s.SessionTimeout.Milliseconds(), Cooldown: s.Cooldown.Milliseconds(),
		MaxDuration: s.MaxDuration.Milliseconds(), FutureLimit: s.FutureLimit.Milliseconds(), AllowDuplicates: s.AllowDuplicates,
		Events: s.Limits.Events, Segments: s.Limits.Segments, Values: s.Limits.Values,
		Subjects: s.Limits.Subjects, SubjectValues: s.Limits.SubjectValues, MetricValues: s.Limits.MetricValues,
	})
	return b
}

// parseSettings reads what json wrote. A missing setting, in a record of an older
// version, is as in DefaultSettings.
func parseSettings(text []byte) (Settings, error) {
	var v stored
	if err := json.Unmarshal(DefaultSettings().json(), &v); err != nil {
		return Settings{}, fmt.Errorf("default settings: %w", err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return Settings{}, fmt.Errorf("settings as JSON: %w", err)
	}
	const most = int64(1<<63-1) / int64(time.Millisecond)
	ms := func(n int64) time.Duration { return time.Duration(min(n, most)) * time.Millisecond }
	if v.Timezone == "" || min(v.SessionTimeout, v.Cooldown, v.MaxDuration, v.FutureLimit) < 0 || min(v.Events, v.Segments, v.Values, v.Subjects, v.SubjectValues, v.MetricValues) < 0 {
		return Settings{}, errors.New("settings without a time zone, or with a negative number")
	}
	return Settings{
		Timezone: v.Timezone, SessionTimeout: ms(v.SessionTimeout), Cooldown: ms(v.Cooldown), MaxDuration: ms(v.MaxDuration),
		FutureLimit: ms(v.FutureLimit), AllowDuplicates: v.AllowDuplicates,
		Limits: schema.Limits{Events: v.Events, Segments: v.Segments, Values: v.Values, Subjects: v.Subjects, SubjectValues: v.SubjectValues, MetricValues: v.MetricValues},
	}, nil
}

// SetSettings returns the command that puts settings of an app in force. They need a time zone.
func SetSettings(app model.AppID, s Settings) request.Record {
	return request.Record{Kind: request.SetSettings, App: app, JSON: s.json()}
}

// LoadSettings returns the settings of an app that the state holds; false when there are none.
func LoadSettings(from marks.Reader, app model.AppID) (Settings, bool, error) {
	text, err := from.Settings(app)
	if err != nil || text == nil {
		return Settings{}, false, err
	}
	s, err := parseSettings(text)
	if err != nil {
		return Settings{}, false, fmt.Errorf("settings of app %s: %w", app, err)
	}
	return s, true, nil
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

// inForce remembers the settings at the end of the last batch applied, which may not be
// committed yet. Only the goroutines of Run add to it.
type inForce struct {
	mu  sync.Mutex
	set map[model.AppID]Settings
}

func (f *inForce) get(app model.AppID) (Settings, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.set[app]
	return s, ok
}

func (f *inForce) put(app model.AppID, s Settings) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set == nil {
		f.set = map[model.AppID]Settings{}
	}
	f.set[app] = s
}

func (f *inForce) forget(app model.AppID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.set, app)
}

// clear forgets all: the state knows what is committed.
func (f *inForce) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set = nil
}

// settings returns an app's settings in force. An app that has none yet gets those
// of Options.Settings; kept is false then, and who records something of it has to store them.
func (p *Pipeline) settings(app *model.App) (s Settings, kept bool, err error) {
	if s, ok := p.force.get(app.ID); ok {
		return s, true, nil
	}
	if s, kept, err = LoadSettings(p.o.State, app.ID); kept || err != nil {
		return s, kept, err
	}
	s = p.o.Settings(app).Normal()
	if s.Timezone == "" {
		s.Timezone = app.Timezone
	}
	return s, false, nil
}

// settingsOf is the SettingsFunc when none is given.
func settingsOf(*model.App) Settings { return DefaultSettings() }

// use puts settings in force for what the shard does from now on.
func (l *shard) use(s Settings) {
	l.settings = s
	l.schema.SetLimits(s.Limits)
	l.p.o.Features.bound(l.schema)
	calendar, _ := l.p.zones.Get(s.Timezone)
	l.acc.SetCalendar(calendar)
}

// setSettings applies the command SetSettings.
func (l *shard) setSettings(ctx context.Context, d *decoded) error {
	s, err := parseSettings(d.rec.JSON)
	if err != nil {
		l.p.o.Log.ErrorContext(ctx, "settings cannot be put in force", "app", l.id.String(), "offset", d.at.Offset, "err", err)
		return nil
	}
	if s != l.settings {
		l.use(s)
		l.renewed = true
	}
	return nil
}
