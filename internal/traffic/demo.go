package traffic

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Spec describes a world in the words of people: what the app has, and how often each is
// used. Weights count among their like; those that are not positive are as good as absent.
type Spec struct {
	// Platforms are names of Platforms; none means all.
	Platforms  []string
	Events     []EventSpec
	Views      []Weighted
	Properties []PropertySpec
	Sequences  []SequenceSpec
}

// Weighted is a value and how often it occurs.
type Weighted struct {
	Value  string
	Weight float64
}

// EventSpec describes an event.
type EventSpec struct {
	Key    string
	Weight float64
	// Sum and Duration (s) are ranges; without width there is none.
	SumMin, SumMax           float64
	DurationMin, DurationMax float64
	Segments                 []PropertySpec
}

// PropertySpec describes a segment of an event, or a property of users.
type PropertySpec struct {
	Name   string
	Values []Weighted
}

// SequenceSpec is a way through the app.
type SequenceSpec struct {
	Weight float64
	Steps  []StepSpec
}

// StepSpec is a view or an event of a sequence; exactly one of the two is set.
type StepSpec struct {
	View, Event string
	// Share is who does it, of those who did the step before: above 0, up to 1.
	Share float64
}

// maxKinds bounds everything that is drawn from.
const maxKinds = 4096

// Platforms are the names that Spec.Platforms may hold: systems, and kinds of them.
func Platforms() []string {
	return []string{"Android", "iOS", "Windows", "macOS", "Linux", "Mobile", "Web", "Desktop"}
}

// NewWorld makes the world of a Spec, or says what is wrong with it.
func NewWorld(s Spec) (*World, error) {
	w := base()
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if w.pick = pick(s.Platforms); len(w.pick) == 0 {
		bad("platforms: none of %s is known", strings.Join(s.Platforms, ", "))
	}
	if len(s.Events)+len(s.Views) == 0 {
		bad("events, views: there are none")
	}
	if max(len(s.Events), len(s.Views), len(s.Sequences), len(s.Properties)) > maxKinds {
		bad("there is too much of events, views, properties or sequences")
		return nil, errors.Join(errs...)
	}
	events, views := map[string]int{}, map[string]int{}
	var weights []float64
	for i, e := range s.Events {
		if e.Key == "" {
			bad("event %d has no key", i+1)
		}
		events[e.Key] = i
		weights = append(weights, max(e.Weight, 0))
		w.events = append(w.events, event{
			key: quote(e.Key), segments: segments(e.Segments, bad), sum: spanOf(e.SumMin*100, e.SumMax*100), dur: spanOf(e.DurationMin, e.DurationMax),
		})
	}
	w.eventDraw = drawn(weights)
	weights = nil
	for i, v := range s.Views {
		if v.Value == "" {
			bad("view %d has no name", i+1)
		}
		views[v.Value] = i
		weights = append(weights, max(v.Weight, 0))
		w.views = append(w.views, quote(v.Value))
	}
	w.viewDraw = drawn(weights)
	for _, p := range segments(s.Properties, bad) {
		w.properties = append(w.properties, p.named())
	}
	weights = nil
	for i, sq := range s.Sequences {
		var out sequence
		for _, st := range sq.Steps {
			at, view := step{share: st.Share}, st.View != ""
			var known bool
			if at.view = view; view {
				at.index, known = views[st.View]
			} else {
				at.index, known = events[st.Event]
			}
			if !known {
				bad("sequence %d: there is no view or event %q", i+1, st.View+st.Event)
			}
			out.steps = append(out.steps, at)
		}
		if len(out.steps) > 0 {
			w.sequences, weights = append(w.sequences, out), append(weights, max(sq.Weight, 0))
		}
	}
	w.sequenceDraw = drawn(weights)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(w.events) > 0 {
		w.wander = 0.15
	}
	return w, nil
}

// drawn is a table of weights; all the same when none is positive.
func drawn(weights []float64) *table {
	if len(weights) == 0 {
		return nil
	}
	if !slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }) {
		weights = slices.Repeat([]float64{1}, len(weights))
	}
	return newTable(weights)
}

func segments(specs []PropertySpec, bad func(string, ...any)) []segment {
	var out []segment
	for _, s := range specs {
		if s.Name == "" || len(s.Values) == 0 || len(s.Values) > maxKinds {
			bad("segment or property %q has no name, no values or too many", s.Name)
			continue
		}
		seg := segment{name: quote(s.Name)}
		var weights []float64
		for _, v := range s.Values {
			seg.values, weights = append(seg.values, quote(v.Value)), append(weights, max(v.Weight, 0))
		}
		seg.draw = drawn(weights)
		out = append(out, seg)
	}
	return out
}

// named is the segment as a property of users.
func (s segment) named() property { return property{name: s.name, values: s.values, draw: s.draw} }

// quote writes JSON text.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil { // text always marshals
		return `""`
	}
	return string(text)
}

// maxSpan bounds sums and durations.
const maxSpan = 1e9

func spanOf(from, to float64) span {
	from, to = min(max(from, 0), maxSpan), min(max(to, 0), maxSpan)
	if !(to > 0) || to < from { // NaN, too
		return span{}
	}
	return span{from: uint64(from), width: uint64(to-from) + 1}
}

// pick lists the platforms of names, each as often as it is frequent.
func pick(names []string) []int {
	kinds := map[string][]int{
		"android": {0, 1}, "ios": {2}, "windows": {3}, "macos": {4}, "linux": {5},
		"mobile": {0, 0, 0, 1, 1, 2, 2, 2, 2}, "web": {3, 3, 3, 4, 4, 5, 6, 6, 7, 7}, "desktop": {3, 3, 3, 4, 4, 5},
	}
	if len(names) == 0 {
		names = []string{"Mobile", "Web"}
	}
	var out []int
	for _, n := range names {
		out = append(out, kinds[strings.ToLower(n)]...)
	}
	return out
}

// cutVersion splits "Chrome 131.0".
func cutVersion(s string) (name, version string) {
	at := strings.LastIndexByte(s, ' ')
	return s[:at], s[at+1:]
}

// names are of the users of a demo.
type names struct{ first, last []string }

// of is a user's name. First names alternate, as the genders do.
func (n *names) of(number int, bits uint64) string {
	pairs := uint64(len(n.first) / 2)
	return n.first[bits%pairs*2+uint64(number&1)] + " " + n.last[bits/pairs%uint64(len(n.last))] // not negative
}

// base has what every demo has: devices, places, names.
func base() *World {
	w := &World{
		placeDraw: newZipf(24, 0.8), smallDraw: newZipf(6, 0.9),
		versions: []string{"3.2.1", "3.2.0", "3.1.4", "3.0.2", "2.9.0"},
		carriers: []string{"Vodafone", "T-Mobile", "Orange", "AT&T", "Verizon", "Airtel", "O2", "Telefónica"},
		sources: []string{
			"https://www.google.com/", "Direct", "https://duckduckgo.com/", "https://news.example.org/", "https://www.bing.com/", "https://blog.example.net/",
			"https://partner.example.com/",
		},
		sourceDraw: newTable([]float64{38, 27, 10, 9, 7, 5, 4}),
		names: &names{
			first: strings.Fields("Ada Alan Barbara Bruno Clara David Elena Felix Frida George Grace Hugo Hedy Ivan Iris Jonas Katherine Leo Lena Marco Maria Nils Nora Omar Olga Paul Paula Rami Rosa Samuel Sofia Tariq Vera Victor Yuki Kenji"),
			last:  strings.Fields("Almeida Bauer Byron Costa Diaz Eriksen Fischer Garcia Hamilton Haddad Ito Jansen Johnson Keller Kowalski Lamarr Lehmann Liskov Martin Moreau Moreno Nakamura Novak Okafor Patel Quispe Rossi Schmidt Silva Singh Tanaka Varga Weber Yilmaz Zhang"),
		},
		platforms: []platform{
			{
				os: "Android", manufacturer: "Samsung", deviceType: "mobile", sdk: "java-native-android", store: "com.android.vending",
				versions: []string{"15", "14", "13", "12", "11", "10"}, density: "XXHDPI",
				devices:     []string{"Galaxy S24", "Galaxy A54", "Galaxy S23", "Galaxy A14", "Galaxy S22", "Galaxy Tab S9"},
				resolutions: []string{"1080x2340", "1080x2400", "1080x2340", "720x1600", "1080x2340", "1600x2560"},
			},
			{
				os: "Android", manufacturer: "Google", deviceType: "mobile", sdk: "java-native-android", store: "com.android.vending",
				versions: []string{"15", "14", "13", "12", "11"}, density: "XXHDPI",
				devices:     []string{"Pixel 9", "Pixel 8", "Pixel 8a", "Pixel 7", "Pixel 6a"},
				resolutions: []string{"1080x2424", "1080x2400", "1080x2400", "1080x2400", "1080x2400"},
			},
			{
				os: "iOS", manufacturer: "Apple", deviceType: "mobile", sdk: "objc-native-ios", store: "com.apple.AppStore",
				versions: []string{"18.1", "17.6", "17.5", "16.7", "15.8"}, density: "@3x",
				devices:     []string{"iPhone 15", "iPhone 14", "iPhone 16 Pro", "iPhone 13", "iPhone 12", "iPad Air"},
				resolutions: []string{"1179x2556", "1170x2532", "1206x2622", "1170x2532", "1170x2532", "1640x2360"},
			},
			{
				os: "Windows", deviceType: "desktop", sdk: "javascript_native_web", density: "1x", landline: true, referred: true,
				versions: []string{"11", "10"}, devices: []string{"PC"},
				resolutions: []string{"1920x1080", "1536x864", "2560x1440", "1366x768", "3840x2160"},
				browsers:    []string{"Chrome 131.0", "Edge 131.0", "Firefox 132.0", "Chrome 130.0", "Opera 114.0"},
			},
			{
				os: "macOS", manufacturer: "Apple", deviceType: "desktop", sdk: "javascript_native_web", density: "2x", landline: true, referred: true,
				versions: []string{"15.1", "14.7", "13.6", "12.7"}, devices: []string{"Mac"},
				resolutions: []string{"1512x982", "1440x900", "1728x1117", "2560x1440"},
				browsers:    []string{"Safari 18.1", "Chrome 131.0", "Firefox 132.0", "Chrome 130.0"},
			},
			{
				os: "Linux", deviceType: "desktop", sdk: "javascript_native_web", density: "1x", landline: true, referred: true,
				versions: []string{"6.11", "6.8", "6.1"}, devices: []string{"PC"},
				resolutions: []string{"1920x1080", "2560x1440", "1920x1200"},
				browsers:    []string{"Firefox 132.0", "Chrome 131.0", "Firefox 131.0"},
			},
			{
				os: "Android", manufacturer: "Samsung", deviceType: "mobile", sdk: "javascript_native_web", density: "3x", referred: true,
				versions: []string{"15", "14", "13", "12"}, devices: []string{"Galaxy S24", "Galaxy A54", "Galaxy S23", "Galaxy A14"},
				resolutions: []string{"1080x2340", "1080x2400", "1080x2340", "720x1600"},
				browsers:    []string{"Chrome 131.0", "Samsung Internet 26.0", "Chrome 130.0", "Firefox 132.0"},
			},
			{
				os: "iOS", manufacturer: "Apple", deviceType: "mobile", sdk: "javascript_native_web", density: "3x", referred: true,
				versions: []string{"18.1", "17.6", "16.7"}, devices: []string{"iPhone"},
				resolutions: []string{"1179x2556", "1170x2532", "1206x2622"},
				browsers:    []string{"Safari 18.1", "Safari 17.6", "Chrome 131.0"},
			},
		},
	}
	for _, x := range []string{
		"US en_US New York", "DE de_DE Berlin", "GB en_GB London", "IN hi_IN Mumbai", "BR pt_BR São Paulo", "FR fr_FR Paris", "JP ja_JP Tokyo",
		"US en_US San Francisco", "ES es_ES Madrid", "DE de_DE Munich", "TR tr_TR Istanbul", "MX es_MX Mexico City", "IT it_IT Rome",
		"PL pl_PL Warsaw", "CA en_CA Toronto", "NL nl_NL Amsterdam", "ID id_ID Jakarta", "KR ko_KR Seoul", "AU en_AU Sydney", "SE sv_SE Stockholm",
		"AR es_AR Buenos Aires", "ZA en_ZA Cape Town", "PE es_PE Lima", "NG en_NG Lagos",
	} {
		parts := strings.SplitN(x, " ", 3)
		w.places = append(w.places, place{country: parts[0], locale: parts[1], city: parts[2]})
	}
	return w
}
