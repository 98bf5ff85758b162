package traffic

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// zipf draws indices of which the first are the most frequent. It is a table
// of draws, so that drawing costs one look-up.
type zipf [4096]uint16

func newZipf(n int, exponent float64) *zipf {
	weights := make([]float64, n)
	sum := 0.0
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -exponent)
		sum += weights[i]
	}
	z, at, acc := &zipf{}, 0, weights[0]
	for i := range z {
		for acc < (float64(i)+0.5)*sum/float64(len(z)) && at < n-1 {
			at++
			acc += weights[at]
		}
		z[i] = uint16(at) //nolint:gosec // n is small
	}
	return z
}

func (z *zipf) draw(bits uint64) int { return int(z[bits%uint64(len(z))]) }

// segmentKind is a segment of an event and the values it takes.
type segmentKind struct {
	name   string
	values []string // quoted; empty = numbers below limit
	draw   *zipf
	limit  int
}

// eventKind is an event of the app.
type eventKind struct {
	key      string
	segments []segmentKind
	sum, dur bool
}

// catalog is what the population has and does. It does not change.
type catalog struct {
	events    []eventKind
	eventDraw *zipf
	views     []string
	viewDraw  *zipf

	platforms []platform
	countries [][2]string // code and city
	countryZ  *zipf
	versions  []string
	carriers  []string
	smallZ    *zipf
}

type platform struct {
	os, manufacturer, deviceType, sdk, store string
	versions, devices, resolutions           []string
	density                                  string
}

func newCatalog() *catalog {
	c := &catalog{
		eventDraw: newZipf(40, 1.1), viewDraw: newZipf(60, 1), countryZ: newZipf(30, 1), smallZ: newZipf(6, 0.9),
		versions: []string{"5.2.1", "5.2.0", "5.1.4", "5.0.0", "4.9.3", "4.2.0"},
		carriers: []string{"Vodafone", "T-Mobile", "Orange", "AT&T", "Verizon", "Airtel"},
		platforms: []platform{
			{
				"Android", "Samsung", "mobile", "java-native-android", "com.android.vending",
				[]string{"15", "14", "13", "12", "11", "10"},
				[]string{"Galaxy S24", "Galaxy A54", "Galaxy S23", "Galaxy A14", "Galaxy S22", "Galaxy Tab S9"},
				[]string{"1080x2340", "1440x3120", "720x1600", "1080x2400", "1600x2560", "1080x2220"},
				"XXHDPI",
			},
			{
				"iOS", "Apple", "mobile", "objc-native-ios", "",
				[]string{"18.1", "17.6", "17.5", "16.7", "15.8", "14.8"},
				[]string{"iPhone16,1", "iPhone15,2", "iPhone14,5", "iPhone13,2", "iPad13,1", "iPhone12,1"},
				[]string{"1179x2556", "1170x2532", "1284x2778", "828x1792", "1640x2360", "750x1334"},
				"@3x",
			},
			{
				"Android", "Google", "mobile", "java-native-android", "com.android.vending",
				[]string{"15", "14", "13", "12", "11", "10"},
				[]string{"Pixel 9", "Pixel 8", "Pixel 8a", "Pixel 7", "Pixel 6a", "Pixel Tablet"},
				[]string{"1080x2424", "1080x2400", "1440x3120", "1080x2340", "2560x1600", "1080x2160"},
				"XXHDPI",
			},
			{
				"Windows", "", "desktop", "javascript_native_web", "",
				[]string{"11", "10", "8.1", "8", "7", "XP"},
				[]string{"Chrome", "Edge", "Firefox", "Opera", "Brave", "Vivaldi"},
				[]string{"1920x1080", "2560x1440", "1366x768", "1536x864", "3840x2160", "1280x720"},
				"1",
			},
			{
				"MacOS", "Apple", "desktop", "javascript_native_web", "",
				[]string{"15.1", "14.7", "13.6", "12.7", "11.7", "10.15"},
				[]string{"Safari", "Chrome", "Firefox", "Edge", "Arc", "Opera"},
				[]string{"1512x982", "1440x900", "1728x1117", "2560x1440", "1680x1050", "1920x1080"},
				"2",
			},
		},
	}
	for _, x := range []string{
		"US New York", "IN Mumbai", "DE Berlin", "BR São Paulo", "GB London", "FR Paris", "JP Tokyo", "ID Jakarta", "MX Mexico City", "TR Istanbul",
		"ES Madrid", "IT Rome", "PL Warsaw", "CA Toronto", "NL Amsterdam", "VN Hanoi", "PH Manila", "KR Seoul", "AR Buenos Aires", "CO Bogotá",
		"ZA Johannesburg", "NG Lagos", "EG Cairo", "TH Bangkok", "AU Sydney", "SE Stockholm", "CH Zurich", "AT Vienna", "CZ Prague", "PT Lisbon",
	} {
		c.countries = append(c.countries, [2]string{x[:2], x[3:]})
	}
	for i := range 60 {
		c.views = append(c.views, strconv.Quote([]string{"Home", "Search", "Product", "Cart", "Profile", "Settings"}[i%6]+" "+strconv.Itoa(i/6)))
	}
	c.makeEvents()
	return c
}

func (c *catalog) makeEvents() {
	verbs := []string{"Open", "Tap", "Buy", "Share", "Rate", "Play", "Save", "Search"}
	nouns := []string{"Product", "Article", "Video", "Level", "Offer"}
	widths := []int{3, 12, 50, 400}
	draws := make([]*zipf, len(widths))
	values := make([][]string, len(widths))
	for i, n := range widths {
		draws[i] = newZipf(n, 1)
		for j := range n {
			values[i] = append(values[i], strconv.Quote("value "+strconv.Itoa(j)))
		}
	}
	names := []string{"plan", "category", "screen", "item", "source", "campaign"}
	for i := range 40 {
		e := eventKind{key: verbs[i%8] + " " + nouns[i/8], sum: verbs[i%8] == "Buy", dur: verbs[i%8] == "Play"}
		for j := range i % 4 { // none to three
			w := (i + j) % len(widths)
			e.segments = append(e.segments, segmentKind{name: names[(i+j)%len(names)], values: values[w], draw: draws[w]})
		}
		if i%5 == 0 {
			e.segments = append(e.segments, segmentKind{name: "position", limit: 20})
		}
		c.events = append(c.events, e)
	}
}

// person is a user; all of it follows from the seed and the number.
type person struct {
	*platform
	device, sdk, appVersion, country, city, carrier string
	version, model, resolution                      string
	number                                          int
	named                                           bool
}

// mix spreads the bits of a number.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func (c *catalog) person(seed uint64, user int) person {
	h := mix(seed*0x9e3779b97f4a7c15 + uint64(user) + 1) //nolint:gosec // not negative
	var id [16]byte
	const hex = "0123456789abcdef"
	for i := range id {
		id[i] = hex[h>>(4*i)&15]
	}
	r := mix(h)
	take := func(n uint64) uint64 {
		v := r % n
		r /= n
		return v
	}
	pl := &c.platforms[[...]int{0, 0, 0, 1, 1, 2, 3, 4}[take(8)]]
	place := c.countries[c.countryZ.draw(take(4096))]
	m := c.smallZ.draw(take(4096))
	r = mix(r ^ h)
	return person{
		platform: pl, device: string(id[:]), sdk: pl.sdk, number: user,
		country: place[0], city: place[1], model: pl.devices[m], resolution: pl.resolutions[m],
		version: pl.versions[c.smallZ.draw(take(4096))], appVersion: c.versions[c.smallZ.draw(take(4096))],
		carrier: c.carriers[take(6)], named: take(3) == 0,
	}
}

// metrics appends the metrics of a begin.
func (p *person) metrics(b []byte) []byte {
	b = append(b, '{')
	for i, f := range [...][2]string{
		{"_os", p.os},
		{"_os_version", p.version},
		{"_device", p.model},
		{"_manufacturer", p.manufacturer},
		{"_device_type", p.deviceType},
		{"_resolution", p.resolution},
		{"_density", p.density},
		{"_carrier", p.carrier},
		{"_app_version", p.appVersion},
		{"_locale", "en_" + p.country},
		{"_store", p.store},
	} {
		if f[1] == "" {
			continue
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, f[0])
		b = append(b, ':')
		b = strconv.AppendQuote(b, f[1])
	}
	return append(b, '}')
}

// details appends user details.
func (p *person) details(b []byte) []byte {
	n := strconv.Itoa(p.number)
	return append(b, `{"name":"User `+n+`","email":"user`+n+`@example.org","byear":`+strconv.Itoa(1950+p.number%60)+
		`,"gender":"`+[]string{"F", "M"}[p.number&1]+`","custom":{"plan":"`+[]string{"free", "pro", "team"}[p.number%3]+`","level":`+strconv.Itoa(p.number%50)+`}}`...)
}

// event appends an event of a session at ts.
func (c *catalog) event(b []byte, rng *rand.Rand, s *session, p *person, ts int64) []byte {
	hour, dow := clock(ts)
	bits := rng.Uint64()
	if bits&3 == 0 {
		s.view = c.viewDraw.draw(bits >> 2)
		b = append(b, `{"key":"[CLY]_view","count":1,"segmentation":{"name":`...)
		b = append(append(b, c.views[s.view]...), `,"visit":1,"segment":"`...)
		b = append(append(b, p.os...), `"}`...)
		return clocked(b, ts, hour, dow)
	}
	e := &c.events[c.eventDraw.draw(bits>>2)]
	b = append(append(append(b, `{"key":"`...), e.key...), `","count":1`...)
	bits >>= 14
	if e.sum {
		b = strconv.AppendFloat(append(b, `,"sum":`...), float64(99+bits%20000)/100, 'f', -1, 64)
	}
	if e.dur {
		b = strconv.AppendUint(append(b, `,"dur":`...), 1+bits%180, 10)
	}
	if len(e.segments) > 0 {
		b = append(b, `,"segmentation":{`...)
		for i := range e.segments {
			g := &e.segments[i]
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(append(b, '"'), g.name...), `":`...)
			if g.limit > 0 {
				b = strconv.AppendUint(b, bits%uint64(g.limit), 10) //nolint:gosec // positive
			} else {
				b = append(b, g.values[g.draw.draw(bits)]...)
			}
			bits = mix(bits + 1)
		}
		b = append(b, '}')
	}
	return clocked(b, ts, hour, dow)
}

// clocked appends the end of an event.
func clocked(b []byte, ts, hour, dow int64) []byte {
	b = strconv.AppendInt(append(b, `,"timestamp":`...), ts, 10)
	b = strconv.AppendInt(append(b, `,"hour":`...), hour, 10)
	b = strconv.AppendInt(append(b, `,"dow":`...), dow, 10)
	return append(b, '}')
}
