package traffic

import "strconv"

// Bench returns the world that benchmarks measure with: 40 events of Zipf's law with none to four
// segments, 60 views, phones and desktops in 30 countries.
func Bench() *World {
	w := &World{
		eventDraw: newZipf(40, 1.1), viewDraw: newZipf(60, 1), placeDraw: newZipf(30, 1), smallDraw: newZipf(6, 0.9),
		versions: []string{"5.2.1", "5.2.0", "5.1.4", "5.0.0", "4.9.3", "4.2.0"},
		carriers: []string{"Vodafone", "T-Mobile", "Orange", "AT&T", "Verizon", "Airtel"},
		pick:     []int{0, 0, 0, 1, 1, 2, 3, 4},
		platforms: []platform{
			{
				os: "Android", manufacturer: "Samsung", deviceType: "mobile", sdk: "java-native-android", store: "com.android.vending",
				versions:    []string{"15", "14", "13", "12", "11", "10"},
				devices:     []string{"Galaxy S24", "Galaxy A54", "Galaxy S23", "Galaxy A14", "Galaxy S22", "Galaxy Tab S9"},
				resolutions: []string{"1080x2340", "1440x3120", "720x1600", "1080x2400", "1600x2560", "1080x2220"},
				density:     "XXHDPI",
			},
			{
				os: "iOS", manufacturer: "Apple", deviceType: "mobile", sdk: "objc-native-ios",
				versions:    []string{"18.1", "17.6", "17.5", "16.7", "15.8", "14.8"},
				devices:     []string{"iPhone16,1", "iPhone15,2", "iPhone14,5", "iPhone13,2", "iPad13,1", "iPhone12,1"},
				resolutions: []string{"1179x2556", "1170x2532", "1284x2778", "828x1792", "1640x2360", "750x1334"},
				density:     "@3x",
			},
			{
				os: "Android", manufacturer: "Google", deviceType: "mobile", sdk: "java-native-android", store: "com.android.vending",
				versions:    []string{"15", "14", "13", "12", "11", "10"},
				devices:     []string{"Pixel 9", "Pixel 8", "Pixel 8a", "Pixel 7", "Pixel 6a", "Pixel Tablet"},
				resolutions: []string{"1080x2424", "1080x2400", "1440x3120", "1080x2340", "2560x1600", "1080x2160"},
				density:     "XXHDPI",
			},
			{
				os: "Windows", deviceType: "desktop", sdk: "javascript_native_web",
				versions:    []string{"11", "10", "8.1", "8", "7", "XP"},
				devices:     []string{"Chrome", "Edge", "Firefox", "Opera", "Brave", "Vivaldi"},
				resolutions: []string{"1920x1080", "2560x1440", "1366x768", "1536x864", "3840x2160", "1280x720"},
				density:     "1",
			},
			{
				os: "MacOS", manufacturer: "Apple", deviceType: "desktop", sdk: "javascript_native_web",
				versions:    []string{"15.1", "14.7", "13.6", "12.7", "11.7", "10.15"},
				devices:     []string{"Safari", "Chrome", "Firefox", "Edge", "Arc", "Opera"},
				resolutions: []string{"1512x982", "1440x900", "1728x1117", "2560x1440", "1680x1050", "1920x1080"},
				density:     "2",
			},
		},
		properties: []property{
			{name: `"plan"`, values: []string{`"free"`, `"pro"`, `"team"`}},
			{name: `"level"`},
		},
	}
	for i := range 50 {
		w.properties[1].values = append(w.properties[1].values, strconv.Itoa(i))
	}
	for _, x := range []string{
		"US New York", "IN Mumbai", "DE Berlin", "BR São Paulo", "GB London", "FR Paris", "JP Tokyo", "ID Jakarta", "MX Mexico City", "TR Istanbul",
		"ES Madrid", "IT Rome", "PL Warsaw", "CA Toronto", "NL Amsterdam", "VN Hanoi", "PH Manila", "KR Seoul", "AR Buenos Aires", "CO Bogotá",
		"ZA Johannesburg", "NG Lagos", "EG Cairo", "TH Bangkok", "AU Sydney", "SE Stockholm", "CH Zurich", "AT Vienna", "CZ Prague", "PT Lisbon",
	} {
		w.places = append(w.places, place{country: x[:2], city: x[3:], locale: "en_" + x[:2]})
	}
	for i := range 60 {
		w.views = append(w.views, strconv.Quote([]string{"Home", "Search", "Product", "Cart", "Profile", "Settings"}[i%6]+" "+strconv.Itoa(i/6)))
	}
	w.benchEvents()
	return w
}

// sku is a property of many values.
func sku() segment {
	const n = 10_000
	s := segment{name: `"sku"`, draw: newZipf(n, 0.8)}
	for i := range n {
		s.values = append(s.values, strconv.Quote("sku "+strconv.Itoa(i)))
	}
	return s
}

func (w *World) benchEvents() {
	verbs := []string{"Open", "Tap", "Buy", "Share", "Rate", "Play", "Save", "Search"}
	nouns := []string{"Product", "Article", "Video", "Level", "Offer"}
	widths := []int{3, 12, 50, 400}
	draws := make([]*table, len(widths))
	values := make([][]string, len(widths))
	for i, n := range widths {
		draws[i] = newZipf(n, 1)
		for j := range n {
			values[i] = append(values[i], strconv.Quote("value "+strconv.Itoa(j)))
		}
	}
	names := []string{"plan", "category", "screen", "item", "source", "campaign"}
	for i := range 40 {
		e := event{key: strconv.Quote(verbs[i%8] + " " + nouns[i/8])}
		switch verbs[i%8] {
		case "Buy":
			e.sum = span{from: 99, width: 20_000}
		case "Play":
			e.dur = span{from: 1, width: 180}
		}
		for j := range i % 4 { // none to three
			k := (i + j) % len(widths)
			e.segments = append(e.segments, segment{name: strconv.Quote(names[(i+j)%len(names)]), values: values[k], draw: draws[k]})
		}
		if i%5 == 0 {
			e.segments = append(e.segments, segment{name: `"position"`, limit: 20})
		}
		if i == 1 {
			e.segments = append(e.segments, sku())
		}
		w.events = append(w.events, e)
	}
}
