package query_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

var testApp = model.ID{7}

// memory is a store of cells and events for one app, filled as the pipeline
// fills the real ones.
type memory struct {
	cells  rollup.Delta
	events []schema.Event
	cal    *period.Calendar
	offset uint64
}

func newMemory(t *testing.T, zone string) *memory {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return &memory{cells: rollup.Delta{}, cal: period.NewCalendar(loc)}
}

// query returns a Query over m, within limits that no test of its answers meets.
func (m *memory) query() *query.Query { return query.New(query.Plain(m), m).Within(ample()) }

// ample are limits that are far off.
func ample() query.Limits {
	return bounded(&room{size: 1 << 30}, 1<<30)
}

// room is the memory of reads, bytes; share is what one has of it.
type (
	room struct {
		size int64

		mu   sync.Mutex // guards held
		held int64
	}
	share struct {
		*room
		own int64
	}
)

var errNoRoom = errors.New("no room")

func (s *share) Grow(n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held+n > s.size {
		return errNoRoom
	}
	s.held += n
	s.own += n
	return nil
}

func (s *share) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held -= s.own
}

func (m *memory) Scan(_ context.Context, app model.AppID, s rollup.Series, g rollup.Grain, from, to rollup.Bucket, fn func(rollup.Bucket, string, *rollup.Cell) error) error {
	var keys []rollup.Key
	for k := range m.cells {
		if app == testApp && k.Series == s && k.Grain == g && k.Bucket >= from && k.Bucket <= to {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b rollup.Key) int {
		return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), strings.Compare(a.Value, b.Value))
	})
	for _, k := range keys {
		c := m.cells[k].Clone()
		err := fn(k.Bucket, k.Value, c)
		if c.Users != nil {
			c.Users.Clear() // as the contract allows
			c.Users.Add(4_000_000_000)
		}
		*c = rollup.Cell{Count: -1 << 40, Users: c.Users}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Events(app model.AppID) []schema.Event {
	if app != testApp {
		return nil
	}
	return m.events
}

func (m *memory) Event(app model.AppID, key string) (schema.Event, bool) {
	for _, e := range m.Events(app) {
		if e.Key == key {
			return e, true
		}
	}
	return schema.Event{}, false
}

// touch merges a delta into the cells of a series at all its grains. user 0
// is no user.
func (m *memory) touch(at time.Time, s rollup.Series, value string, user uint32, d rollup.Cell) {
	m.offset++
	d.First = m.offset
	ms := at.UnixMilli()
	buckets := []rollup.Key{
		{Grain: rollup.Day, Bucket: rollup.Bucket(m.cal.DayBucket(ms))},
		{Grain: rollup.Month, Bucket: rollup.Bucket(m.cal.MonthBucket(ms))},
	}
	if s.Metric == rollup.Users || s.Metric == rollup.Events {
		buckets = append(buckets, rollup.Key{Grain: rollup.Hour, Bucket: rollup.Bucket(m.cal.HourBucket(ms))})
	}
	for _, k := range buckets {
		k.Series, k.Value = s, value
		c := m.cells.At(k)
		c.Merge(&d)
		if user != 0 {
			c.AddUser(user)
		}
	}
}

// begin counts a session with the values of its metrics.
func (m *memory) begin(at time.Time, user uint32, frequency int, metrics map[rollup.Metric]string) {
	fresh := int64(0)
	if frequency == 0 {
		fresh = 1
	}
	m.touch(at, rollup.Series{Metric: rollup.Users}, "", user, rollup.Cell{Count: 1, New: fresh, Requests: 1})
	m.touch(at, rollup.Series{Metric: rollup.Frequency}, strconv.Itoa(frequency), user, rollup.Cell{Count: 1})
	for metric, value := range metrics {
		m.touch(at, rollup.Series{Metric: metric}, value, user, rollup.Cell{Count: 1, New: fresh})
	}
}

// request counts a request without a session.
func (m *memory) request(at time.Time) {
	m.touch(at, rollup.Series{Metric: rollup.Users}, "", 0, rollup.Cell{Requests: 1})
}

// duration counts a request with seconds.
func (m *memory) duration(at time.Time, seconds float64) {
	m.touch(at, rollup.Series{Metric: rollup.Users}, "", 0, rollup.Cell{Requests: 1, Dur: seconds, Flags: rollup.HasDur})
}

// end counts a request that ends a session.
func (m *memory) end(at time.Time, user uint32, length int) {
	m.request(at)
	m.close(at, user, length)
}

// close counts the length of a session.
func (m *memory) close(at time.Time, user uint32, length int) {
	m.touch(at, rollup.Series{Metric: rollup.Durations}, strconv.Itoa(length), user, rollup.Cell{Count: 1})
}

// event counts an event with its segments, given as name, value, name, value.
func (m *memory) event(at time.Time, key string, d rollup.Cell, segments ...string) {
	i := slices.IndexFunc(m.events, func(e schema.Event) bool { return e.Key == key })
	if i < 0 {
		i = len(m.events)
		m.events = append(m.events, schema.Event{Key: key, Seq: uint32(i + 1)})
	}
	m.touch(at, rollup.Series{Metric: rollup.Events}, key, 0, d)
	for j := 0; j < len(segments); j += 2 {
		e := &m.events[i]
		if !slices.ContainsFunc(e.Segments, func(s schema.Segment) bool { return s.Name == segments[j] }) {
			e.Segments = append(e.Segments, schema.Segment{Name: segments[j]})
		}
		m.touch(at, rollup.Series{Metric: rollup.Segments, Dim: rollup.SegmentDim(key, segments[j])}, segments[j+1], 0, d)
	}
}

func (m *memory) period(t *testing.T, text string, now time.Time) period.Period {
	t.Helper()
	p, err := period.Parse(text, now, m.cal)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// canonical orders the keys of a JSON text; a key that an object has twice is
// an error.
func canonical(t *testing.T, text []byte) string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	v := decodeOnce(t, dec, text)
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func decodeOnce(t *testing.T, dec *json.Decoder, text []byte) any {
	t.Helper()
	tok, err := dec.Token()
	if err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	switch tok {
	case json.Delim('{'):
		m := map[string]any{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				t.Fatalf("decode %s: %v", text, err)
			}
			name := key.(string)
			if _, twice := m[name]; twice {
				t.Fatalf("key %q twice in %s", name, text)
			}
			m[name] = decodeOnce(t, dec, text)
		}
		_, _ = dec.Token()
		return m
	case json.Delim('['):
		a := []any{}
		for dec.More() {
			a = append(a, decodeOnce(t, dec, text))
		}
		_, _ = dec.Token()
		return a
	}
	return tok
}

func render(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func rng(t *testing.T) *rand.Rand {
	t.Helper()
	a, b := rand.Uint64(), rand.Uint64()
	t.Logf("seed %d, %d", a, b)
	return rand.New(rand.NewPCG(a, b))
}
