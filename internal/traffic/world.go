package traffic

import (
	"math/rand/v2"
	"strconv"
)

// World is what a population has and does: its devices, where it is, and what there is to do in
// the app. It does not change, so that generators may share one. Bench and NewWorld make it.
type World struct {
	events    []event
	eventDraw *table
	views     []string // quoted
	viewDraw  *table

	platforms []platform
	pick      []int // indices of platforms, each as often as it is frequent
	places    []place
	placeDraw *table
	versions  []string // of the app
	carriers  []string
	smallDraw *table // of versions and models
	// sources are where visitors of sites come from; nil = nobody tells.
	sources    []string
	sourceDraw *table
	properties []property
	names      *names // nil: users are numbered

	// sequences are what sessions do; without any, events and views come as it happens.
	sequences    []sequence
	sequenceDraw *table
	// wander is the chance of an event by the way, after a step of a sequence.
	wander float64
}

// span is a range of whole numbers; a width of 0 is none.
type span struct{ from, width uint64 }

func (s span) draw(bits uint64) uint64 { return s.from + bits%s.width }

// segment is a segment of an event and the values it takes.
type segment struct {
	name   string   // quoted
	values []string // quoted; nil = numbers below limit
	draw   *table
	limit  uint64
}

// event is an event of the app.
type event struct {
	key      string // quoted
	segments []segment
	sum      span // hundredths
	dur      span // s
}

// property is a property of users, beside those that everybody has.
type property struct {
	name   string   // quoted
	values []string // as JSON
	draw   *table   // nil: by the user's number, in turn
}

type platform struct {
	os, manufacturer, deviceType, sdk, store string
	versions, devices, resolutions           []string
	density                                  string
	browsers                                 []string // with their versions: "Chrome 131.0"; nil = none is told
	referred                                 bool     // store is where the visitor came from
	landline                                 bool     // no carrier is told
}

type place struct{ country, city, locale string }

// sequence is a way through the app. A session follows it as far as it goes on.
type sequence struct{ steps []step }

// step is a view, or an event.
type step struct {
	view  bool
	index int
	share float64 // of those who came here who do it; the others leave
}

// person is a user; all of it follows from the seed and the number.
type person struct {
	*platform
	place
	device, appVersion, carrier           string
	version, model, resolution            string
	browser, browserVersion, source, name string
	number                                int
	bits                                  uint64 // for what else there is to draw
	named                                 bool
}

// mix spreads the bits of a number.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func (w *World) person(seed uint64, user int) person {
	h := mix(seed*0x9e3779b97f4a7c15 + uint64(user) + 1) // not negative
	var id [16]byte
	const hex = "0123456789abcdef"
	for i := range id {
		id[i] = hex[h>>(4*i)&15]
	}
	r := mix(h)
	take := func(n int) uint64 {
		v := r % uint64(n)
		r /= uint64(n)
		return v
	}
	pl := &w.platforms[w.pick[take(len(w.pick))]]
	at := w.places[w.placeDraw.draw(take(4096))]
	m := w.smallDraw.draw(take(4096))
	r = mix(r ^ h)
	p := person{
		platform: pl, place: at, device: string(id[:]), number: user, bits: mix(h ^ 0x7065726f6e616c31),
		model: pl.devices[m%len(pl.devices)], resolution: pl.resolutions[m%len(pl.resolutions)],
		version:    pl.versions[w.smallDraw.draw(take(4096))%len(pl.versions)],
		appVersion: w.versions[w.smallDraw.draw(take(4096))%len(w.versions)],
		carrier:    w.carriers[take(len(w.carriers))], named: take(3) == 0, source: pl.store,
	}
	w.finish(&p)
	return p
}

// finish draws what only some worlds have.
func (w *World) finish(p *person) {
	if p.landline {
		p.carrier = ""
	}
	bits := mix(p.bits)
	if n := len(p.browsers); n > 0 {
		p.browser, p.browserVersion = cutVersion(p.browsers[w.smallDraw.draw(bits)%n])
	}
	if p.referred && w.sources != nil {
		p.source = w.sources[w.sourceDraw.draw(bits>>12)]
	}
	if w.names == nil {
		p.name = "User " + strconv.Itoa(p.number)
		return
	}
	p.name = w.names.of(p.number, bits>>24)
}

// metrics appends the metrics of a begin.
func (p *person) metrics(b []byte) []byte {
	b = append(b, '{')
	first := true
	for _, f := range [...][2]string{
		{"_os", p.os},
		{"_os_version", p.version},
		{"_device", p.model},
		{"_manufacturer", p.manufacturer},
		{"_device_type", p.deviceType},
		{"_resolution", p.resolution},
		{"_density", p.density},
		{"_carrier", p.carrier},
		{"_app_version", p.appVersion},
		{"_locale", p.locale},
		{"_store", p.source},
		{"_browser", p.browser},
		{"_browser_version", p.browserVersion},
	} {
		if f[1] == "" {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = strconv.AppendQuote(b, f[0])
		b = append(b, ':')
		b = strconv.AppendQuote(b, f[1])
	}
	return append(b, '}')
}

// details appends user details.
func (w *World) details(b []byte, p *person) []byte {
	n := strconv.Itoa(p.number)
	b = append(strconv.AppendQuote(append(b, `{"name":`...), p.name), `,"email":"user`...)
	b = append(append(b, n...), `@example.org","byear":`...)
	b = append(strconv.AppendInt(b, int64(1950+p.number%60), 10), `,"gender":"`...)
	b = append(append(b, "FM"[p.number&1]), `","custom":`...)
	return append(w.custom(b, p), '}')
}

// custom appends the values of the user's properties.
func (w *World) custom(b []byte, p *person) []byte {
	b = append(b, '{')
	bits := p.bits
	for i := range w.properties {
		q := &w.properties[i]
		if i > 0 {
			b = append(b, ',')
		}
		at := p.number % len(q.values)
		if q.draw != nil {
			at = q.draw.draw(bits)
		}
		bits = mix(bits + 1)
		b = append(append(append(b, q.name...), ':'), q.values[at]...)
	}
	return append(b, '}')
}

// act appends what happens in a session without a sequence: a view or an event.
func (g *Generator) act(b []byte, s *session, p *person, ts int64) []byte {
	bits := g.rng.Uint64()
	if g.world.eventDraw == nil || g.world.viewDraw != nil && bits&3 == 0 {
		s.view = g.world.viewDraw.draw(bits >> 2)
		b = append(append(b, `{"key":"[CLY]_view","count":1,"segmentation":{"name":`...), g.world.views[s.view]...)
		b = append(append(append(b, `,"visit":1,"segment":"`...), p.os...), `"}`...)
		return g.clocked(b, ts)
	}
	return g.event(b, g.world.eventDraw.draw(bits>>2), bits>>14, ts)
}

// event appends an event of the app.
func (g *Generator) event(b []byte, index int, bits uint64, ts int64) []byte {
	e := &g.world.events[index]
	b = append(append(append(b, `{"key":`...), e.key...), `,"count":1`...)
	if e.sum.width > 0 {
		b = strconv.AppendFloat(append(b, `,"sum":`...), float64(e.sum.draw(bits))/100, 'f', -1, 64)
	}
	if e.dur.width > 0 {
		b = strconv.AppendUint(append(b, `,"dur":`...), e.dur.draw(bits), 10)
	}
	if len(e.segments) > 0 {
		b = append(b, `,"segmentation":{`...)
		for i := range e.segments {
			seg := &e.segments[i]
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, seg.name...), ':')
			if seg.values == nil {
				b = strconv.AppendUint(b, bits%seg.limit, 10)
			} else {
				b = append(b, seg.values[seg.draw.draw(bits)]...)
			}
			bits = mix(bits + 1)
		}
		b = append(b, '}')
	}
	return g.clocked(b, ts)
}

// clocked appends the end of an event.
func (g *Generator) clocked(b []byte, ts int64) []byte {
	hour, dow, _ := g.clock(ts)
	b = strconv.AppendInt(append(b, `,"timestamp":`...), ts, 10)
	b = strconv.AppendInt(append(b, `,"hour":`...), hour, 10)
	b = strconv.AppendInt(append(b, `,"dow":`...), dow, 10)
	return append(b, '}')
}

// plan draws what a session does; nil when it does whatever happens.
func (w *World) plan(rng *rand.Rand) []step {
	if len(w.sequences) == 0 {
		return nil
	}
	var out []step
	for _, st := range w.sequences[w.sequenceDraw.draw(rng.Uint64())].steps {
		if rng.Float64() >= st.share {
			break
		}
		out = append(out, st)
	}
	return out
}
