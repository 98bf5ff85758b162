package modeltest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// traffic makes requests up. What it draws follows from the seed alone.
type traffic struct {
	*rand.Rand
	apps []*source
	now  time.Time
}

// source is the traffic of one app.
type source struct {
	model   *app
	devices []*device
	special []int64 // ms of midnights, clock changes and ends of years
	history []*sent
}

// device is one installation: an id, a clock that mostly runs forward, and
// what it is.
type device struct {
	id      string
	clock   int64 // ms
	metrics map[string]any
	sdk     [2]string
}

func pick[T any](r *traffic, list ...T) T { return list[r.IntN(len(list))] }

// some picks n different elements.
func some[T any](r *traffic, n int, list ...T) []T {
	out := make([]T, 0, n)
	for _, i := range r.Perm(len(list))[:n] {
		out = append(out, list[i])
	}
	return out
}

// chance is true p times in a hundred.
func (r *traffic) chance(p int) bool { return r.IntN(100) < p }

// newSource makes up the devices of an app and finds the special moments of its zone.
func (r *traffic) newSource(a *app) *source {
	s := &source{model: a}
	from := r.now.AddDate(0, 0, -400)
	_, offset := from.In(a.zone).Zone()
	for t := from.Truncate(time.Hour); t.Before(r.now); t = t.Add(30 * time.Minute) {
		_, o := t.In(a.zone).Zone()
		local := t.In(a.zone)
		newYear := local.YearDay() == 1 && local.Hour() == 0 && local.Minute() == 0
		if o != offset || newYear {
			for _, d := range []time.Duration{-time.Hour, -time.Millisecond, 0, 30 * time.Minute, time.Hour, 2*time.Hour - time.Millisecond} {
				s.special = append(s.special, t.Add(d).UnixMilli())
			}
		}
		offset = o
	}
	for range 14 {
		y, m, d := r.now.AddDate(0, 0, -r.IntN(400)).In(a.zone).Date()
		at := midnight(y, m, d, a.zone).UnixMilli()
		s.special = append(s.special, at-1, at, at+1)
	}
	for i := range 24 {
		s.devices = append(s.devices, r.newDevice(fmt.Sprintf("dev-%d", i)))
	}
	return s
}

func (r *traffic) newDevice(id string) *device {
	d := &device{id: id, clock: r.anyTime(), metrics: map[string]any{}}
	if r.chance(80) {
		d.sdk = [2]string{pick(r, "javascript_native_web", "java-native-android"), pick(r, "24.4.0", "25.1.1")}
	}
	switch r.IntN(4) {
	case 0:
		d.metrics = map[string]any{
			"_os": "Android", "_os_version": pick(r, "14", "13.1"), "_device": pick(r, "Pixel 9", "SM-G900"), "_manufacturer": pick(r, "Google", "Samsung"),
			"_resolution": pick(r, "1080x2400", "720x1280"), "_density": pick(r, "420dpi", "xxhdpi"), "_carrier": pick(r, "metro pcs", "Vodafone", "o2 - de"),
			"_device_type": "mobile", "_store": pick(r, "com.android.vending", "com.shop.app"),
		}
	case 1:
		d.metrics = map[string]any{"_os": "iOS", "_os_version": pick(r, "17.2", "16.0.1"), "_device": "iPhone 15", "_resolution": "1179x2556"}
	case 2:
		d.metrics = map[string]any{
			"_os": "Windows", "_os_version": "11", "_browser": pick(r, "Chrome", "Firefox"), "_browser_version": pick(r, "121.0", "115"),
			"_resolution": "1920x1080", "_device_type": "desktop",
		}
	default: // a program that tells no system
		d.metrics = map[string]any{"_os_version": "5.15"}
	}
	if r.chance(70) {
		d.metrics["_locale"] = pick(r, "pt_BR", "de", "en-US", "zh_CN", "zh_TW", "hi_IN")
	}
	if r.chance(80) {
		d.metrics["_app_version"] = pick[any](r, "3.4.1", "3.5", "10", "5", 7.0)
	}
	return d
}

// anyTime is a moment of the last 400 days.
func (r *traffic) anyTime() int64 {
	return r.now.UnixMilli() - r.Int64N(400*86400*1000)
}

// tick moves the clock of a device and returns a timestamp for what it does.
func (r *traffic) tick(s *source, d *device) int64 {
	now := r.now.UnixMilli()
	switch n := r.IntN(100); {
	case n < 58:
		d.clock += pick[int64](r, 0, 1, r.Int64N(16_000), 15_000, 15_001, r.Int64N(180_000), r.Int64N(86_400_000), r.Int64N(10*86_400_000))
	case n < 62:
		d.clock += 86_400_000 * pick[int64](r, 1, 2, 7, 8, 15, 31) // a limit of the frequency, to the millisecond
	case n < 74:
		d.clock = pick(r, s.special...)
	case n < 82:
		d.clock = r.anyTime()
	case n < 86:
		d.clock -= r.Int64N(3 * 86_400_000)
	case n < 90: // these days
		d.clock = now - r.Int64N(3*86_400_000)
	case n < 94:
		return 0
	case n < 96:
		return now + r.Int64N(3_500_000) // ahead, and tolerated
	case n < 98:
		return now + 3_700_000 + r.Int64N(900*86_400_000)
	default:
		return pick[int64](r, 1_000_000_000_000, 1_104_537_599_999) + r.Int64N(1000) - 1000
	}
	if d.clock > now {
		d.clock = r.anyTime()
	}
	return d.clock
}

// request makes up a request of a random device.
func (r *traffic) request(s *source) *request {
	d := pick(r, s.devices...)
	q := &request{device: d.id, ms: r.tick(s, d), seconds10: r.chance(15)}
	if q.seconds10 {
		q.ms -= q.ms % 1000
	}
	q.sdk = d.sdk
	switch n := r.IntN(100); {
	case n < 34:
		q.begin, q.ignoreCooldown = true, r.chance(10)
		r.describe(q, d)
		if r.chance(10) {
			q.duration, q.end = r.duration(), r.chance(50)
		}
	case n < 52:
		q.duration = r.duration()
	case n < 66:
		q.end = true
		if r.chance(60) {
			q.duration = r.duration()
		}
	case n < 84:
		q.events = r.events(s, q.ms)
	case n < 91:
		q.user = r.details()
	case n < 95:
		q.consent = r.consent()
	}
	if q.begin && r.chance(15) {
		q.events = r.events(s, q.ms)
	}
	if !q.begin && r.chance(6) {
		r.describe(q, d)
	}
	if r.chance(4) {
		q.user = r.details()
	}
	if r.chance(3) {
		q.badEvents = pick(r, []any{"[CLY]_session"}, []any{map[string]any{"count": 2.0}}, []any{7.0, map[string]any{"key": "", "count": 1.0}})
	}
	if r.chance(5) {
		q.old = pick(r, pick(r, s.devices...).id, pick(r, s.devices...).id, d.id, fmt.Sprintf("never-%d", r.IntN(5)))
	}
	if r.chance(1) { // a new installation
		s.devices = append(s.devices, r.newDevice(fmt.Sprintf("dev-%d", len(s.devices))))
	}
	switch r.IntN(3) {
	case 0:
		q.clock = &clock{hour: r.IntN(24), weekday: r.IntN(7)}
	case 1:
		q.remaining = 1 + r.IntN(9)
	}
	return q
}

// describe adds what mostly comes with a begin_session.
func (r *traffic) describe(q *request, d *device) {
	switch n := r.IntN(100); {
	case n < 75:
		if d.metrics["_os"] != nil && r.chance(15) {
			d.metrics["_os_version"] = pick(r, "15", "18.0")
		}
		if r.chance(10) {
			d.metrics["_app_version"] = pick(r, "3.6", "11.0.0")
		}
		q.metrics = map[string]any{}
		for _, k := range keysOf(d.metrics) {
			q.metrics[k] = d.metrics[k]
		}
	case n < 80:
		q.metricsText = pick(r, `["users"]`, `{"_os":`, "x")
	}
	place := func(v string) { q.location = &v }
	switch n := r.IntN(100); {
	case n < 25:
		q.country = pick(r, "DE", "US", "IN", "NZ", "ES", "BR")
		if r.chance(60) {
			q.city = pick(r, "Berlin", "Pune", "São Paulo", "Auckland")
		}
		if r.chance(30) {
			q.region = "R1"
		}
	case n < 30:
		q.city = "Springfield"
	case n < 36:
		place("")
	case n < 40:
		place("52.5,13.25")
	}
}

func (r *traffic) duration() any {
	return pick[any](r, 0.0, 1.0, 5.0, 10.0, 10.5, 11.0, 20.0, 30.0, 31.0, 60.0, 61.0, 119.5, 120.0, 120.0, 120.0, 500.0, -5.0, "abc")
}

func (r *traffic) events(s *source, ms int64) []event {
	var out []event
	for range pick(r, 1, 1, 1, 2, 5) {
		e := event{key: pick(r, "buy", "buy", "open", "Level Up", "level.up", "x<y", "R&D", "rare")}
		if r.chance(30) {
			e.count = pick(r, 1, 2, 7)
		}
		if r.chance(30) {
			e.sum = pick(r, new(7.5), new(-2.25), new(100.0), new(0.125))
		}
		if r.chance(25) {
			e.dur = pick(r, new(1.0), new(12.5), new(3600.0))
		}
		switch {
		case r.chance(25) && ms != 0:
			e.ms = ms - r.Int64N(40*86_400_000)
		case r.chance(10):
			e.ms = pick(r, s.special...)
		case r.chance(3):
			e.ms = r.now.UnixMilli() + 86_400_000
		}
		if e.ms != 0 && r.chance(20) {
			e.seconds10, e.ms = true, e.ms-e.ms%1000
		}
		if r.chance(15) {
			e.clock = &clock{hour: r.IntN(24), weekday: r.IntN(7)}
		}
		if e.key != "rare" && r.chance(70) {
			e.segments = r.segments()
		}
		out = append(out, e)
	}
	return out
}

func (r *traffic) segments() []segment {
	made := map[string]any{
		"plan":  pick[any](r, "pro", "free", "v2.5", "a<b", "it's", `say "<hi>"`, "R&D", "com&#46;x"),
		"size":  pick[any](r, 1.5, 2.0, -3.0, 1e6, 0.0),
		"on":    r.chance(50),
		"tags":  []any{"a", 1.0},
		"deep":  map[string]any{"a": map[string]any{"b": 1.0}},
		"mixed": pick[any](r, "5", 5.0, true, "14", "w20", []any{1.0}),
		"ünï":   pick[any](r, "ö", "日本"),
	}
	var out []segment
	for _, name := range keysOf(made) {
		if r.chance(30) {
			out = append(out, segment{name, made[name]})
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func (r *traffic) details() *details {
	d := &details{named: map[string]any{}}
	for _, name := range []string{"name", "username", "email", "organization", "phone", "picture", "gender", "byear"} {
		if !r.chance(25) {
			continue
		}
		switch {
		case r.chance(20):
			d.named[name] = nil
		case name == "byear":
			d.named[name] = pick(r, 1980.0, 2001.0, -1.0)
		case r.chance(15):
			d.named[name] = ""
		default:
			d.named[name] = pick(r, "Ann", "Bob <b@x.y>", "Käthe", "M & S")
		}
	}
	texts := []any{"red", "green", "blue"}
	oneOrTwo := func() any {
		if r.chance(40) {
			return []any{pick(r, texts...), pick(r, texts...)}
		}
		return pick(r, texts...)
	}
	changes := []change{
		{"plan", "", pick[any](r, "pro", "free.1", "", nil, "a<b")},
		{"a.b$c", "", pick[any](r, true, false, 4.5)},
		{"list", "", []any{"x", 2.0, true}},
		{"first", "$setOnce", pick[any](r, "one", 2.0)},
		{"visits", pick(r, "$inc", "$mul", "$min", "$max"), pick[any](r, 1.0, 2.0, -3.0, 0.5)},
		{"tags", pick(r, "$push", "$addToSet", "$pull"), oneOrTwo()},
	}
	r.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	d.custom = changes[:r.IntN(4)]
	return d
}

func (r *traffic) consent() map[string]bool {
	out := map[string]bool{}
	for _, feature := range []string{"sessions", "events", "push", "location"} {
		if r.chance(60) {
			out[feature] = r.chance(60)
		}
	}
	return out
}

// periods are the windows that are read.
func (r *traffic) periods(now time.Time) []string {
	ms := now.UnixMilli()
	day := int64(86_400_000)
	from, to := r.Int64N(400), r.Int64N(400)
	return []string{
		"today", "yesterday", "7days", "30days", "60days", "month", "day", "prevMonth", "hour", "2weeks", "3months", "year", "400days", "",
		fmt.Sprintf("[%d,%d]", ms-max(from, to)*day, ms-min(from, to)*day),
		fmt.Sprintf("[%d,%d]", ms-from*day, ms-from*day), text(ms - to*day),
	}
}

// moments are times at which a server may live: an ordinary day, both ends of a
// year in several zones, days on which clocks change.
func (r *traffic) moment() time.Time {
	return pick(
		r,
		time.Date(2026, 4, 10, 9, 30, 0, 0, time.UTC), time.Date(2026, 12, 31, 23, 10, 0, 0, time.UTC), time.Date(2027, 1, 1, 11, 2, 3, 4e6, time.UTC),
		time.Date(2026, 3, 29, 1, 20, 0, 0, time.UTC), time.Date(2026, 10, 25, 0, 40, 0, 0, time.UTC), time.Date(2025, 9, 1, 18, 31, 0, 0, time.UTC),
		time.Date(2028, 2, 29, 20, 0, 0, 0, time.UTC), time.Date(2024, 12, 30, 12, 0, 0, 0, time.UTC),
	)
}

// zones are those of the apps.
func (r *traffic) zones() []string {
	list := []string{"Asia/Kolkata", "Pacific/Auckland", "America/Santiago", "America/St_Johns", "Africa/Cairo"}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return slices.Concat([]string{"Europe/Berlin"}, list[:2])
}
