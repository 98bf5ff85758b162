package device_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/device"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// density is a dimension that no code names.
const density model.Dim = 8

const (
	chromeWindows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Safari/537.36"
	safariIPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Mobile/15E148 Safari/604.1"
)

func TestParseAgent(t *testing.T) {
	tests := []struct {
		name, ua string
		want     device.Agent
	}{
		{"chrome windows", chromeWindows, device.Agent{"Windows", "10", "Chrome", "121.0.0.0", "", "desktop"}},
		{"edge", chromeWindows + " Edg/121.0.2277.83", device.Agent{"Windows", "10", "Edge", "121.0.2277.83", "", "desktop"}},
		{"opera", chromeWindows + " OPR/105.0.0.0", device.Agent{"Windows", "10", "Opera", "105.0.0.0", "", "desktop"}},
		{"ie", "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko", device.Agent{"Windows", "7", "Internet Explorer", "11.0", "", "desktop"}},
		{"safari mac", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2.1 Safari/605.1.15", device.Agent{"macOS", "10.15.7", "Safari", "17.2.1", "", "desktop"}},
		{"firefox linux", "Mozilla/5.0 (X11; Linux x86_64; rv:122.0) Gecko/20100101 Firefox/122.0", device.Agent{"Linux", "", "Firefox", "122.0", "", "desktop"}},
		{"headless", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.6099.224 Safari/537.36", device.Agent{"Linux", "", "Chrome", "120.0.6099.224", "", "desktop"}},
		{"chromeos", "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Safari/537.36", device.Agent{"ChromeOS", "14541.0.0", "Chrome", "121.0.0.0", "", "desktop"}},
		{"pixel", "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.6167.101 Mobile Safari/537.36", device.Agent{"Android", "14", "Chrome", "121.0.6167.101", "Pixel 8", "mobile"}},
		{"reduced", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Mobile Safari/537.36", device.Agent{"Android", "10", "Chrome", "121.0.0.0", "", "mobile"}},
		{"samsung", "Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36", device.Agent{"Android", "13", "Samsung Browser", "23.0", "SM-S918B", "mobile"}},
		{"android tablet", "Mozilla/5.0 (Linux; Android 12; SM-T970) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Safari/537.36", device.Agent{"Android", "12", "Chrome", "121.0.0.0", "SM-T970", "tablet"}},
		{"iphone", safariIPhone, device.Agent{"iOS", "17.2.1", "Safari", "17.2", "iPhone", "mobile"}},
		{"chrome ios", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/121.0.6167.138 Mobile/15E148 Safari/604.1", device.Agent{"iOS", "17.2", "Chrome", "121.0.6167.138", "iPhone", "mobile"}},
		{"ipad", "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1", device.Agent{"iOS", "16.6", "Safari", "16.6", "iPad", "tablet"}},
		{"silk", "Mozilla/5.0 (Linux; Android 9; AFTMM) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108.4.6 like Chrome/108.0.5359.220 Safari/537.36", device.Agent{"Android", "9", "Silk", "108.4.6", "AFTMM", "smart tv"}},
		{"tizen tv", "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/76.0.3809.146 TV Safari/537.36", device.Agent{"Tizen", "6.0", "Samsung Browser", "4.0", "", "smart tv"}},
		{"webos tv", "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.79 Safari/537.36 WebAppManager", device.Agent{"webOS", "", "Chrome", "79.0.3945.79", "", "smart tv"}},
		{"playstation", "Mozilla/5.0 (PlayStation 5 3.11) AppleWebKit/605.1.15 (KHTML, like Gecko)", device.Agent{"", "", "", "", "PlayStation 5", "console"}},
		{"dalvik", "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.230803.041)", device.Agent{"Android", "14", "", "", "Pixel 8", "mobile"}},
		{"bot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", device.Agent{}},
		{"okhttp", "okhttp/4.9.0", device.Agent{}},
		{"node", "node", device.Agent{}},
		{"curl", "curl/8.5.0", device.Agent{}},
		{"cfnetwork", "MyApp/1 CFNetwork/1474 Darwin/23.0.0", device.Agent{}},
		{"nothing", "", device.Agent{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, device.ParseAgent(tt.ua)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func metrics(pairs ...string) request.Metrics {
	var m request.Metrics
	for i := 0; i < len(pairs); i += 2 {
		m = append(m, request.Metric{Name: pairs[i], Value: pairs[i+1]})
	}
	return m
}

func TestNormalise(t *testing.T) {
	type D = model.Dims
	tests := []struct {
		name string
		m    request.Metrics
		ua   string
		want D
	}{
		{"nothing", nil, "", D{}},
		{"library", nil, "node", D{}},
		{"android", metrics("_os", "Android", "_os_version", "14.1", "_device", "Pixel 9", "_device_type", "Mobile", "_manufacturer", "Google", "_resolution", "1080x2400", "_density", "420dpi",
			"_locale", "pt_BR", "_app_version", "3.4.1", "_carrier", "metro pcs", "_store", "com.shop.app"), "okhttp/4.9.0", D{
			model.OS: "Android", model.OSVersion: "a14:1", model.Device: "Pixel 9", model.DeviceType: "mobile", model.Manufacturer: "Google", model.Resolution: "1080x2400", density: "420dpi", model.Carrier: "Metro Pcs",
			model.AppVersion: "3:4:1", model.Language: "pt", model.Source: "com&#46;shop&#46;app",
		}},
		{"only a system", metrics("_os", "Android"), chromeWindows, D{model.OS: "Android", model.Source: "Android"}},
		{"system in odd case", metrics("_os", "IOS", "_os_version", "17.2"), "", D{model.OS: "IOS", model.OSVersion: "i17:2", model.Source: "IOS"}},
		{"version without system", metrics("_os_version", "14.1"), "", D{model.OSVersion: "14:1"}},
		{"source falls back to the system", metrics("_os", "iOS"), "", D{model.OS: "iOS", model.Source: "iOS"}},
		{"web by header", nil, chromeWindows, D{model.OS: "Windows", model.OSVersion: "w10", model.Browser: "Chrome", model.BrowserVersion: "[Chrome]_121:0:0:0", model.DeviceType: "desktop"}},
		{"web by metric", metrics("_ua", safariIPhone), chromeWindows, D{model.OS: "iOS", model.OSVersion: "i17:2:1", model.Device: "iPhone", model.DeviceType: "mobile", model.Browser: "Safari", model.BrowserVersion: "[Safari]_17:2"}},
		{
			"explicit wins", metrics("_ua", chromeWindows, "_os", "Windows", "_os_version", "11", "_device", "Box", "_browser", "Chrome", "_browser_version", "120.1"), "",
			D{model.OS: "Windows", model.OSVersion: "w11", model.Device: "Box", model.DeviceType: "desktop", model.Browser: "Chrome", model.BrowserVersion: "[Chrome]_120:1"},
		},
		{"explicit system, other agent", metrics("_ua", chromeWindows, "_os", "Linux"), "", D{model.OS: "Linux", model.Browser: "Chrome", model.BrowserVersion: "[Chrome]_121:0:0:0", model.DeviceType: "desktop"}},
		{"explicit browser, other agent", metrics("_ua", chromeWindows, "_browser", "Brave"), "", D{model.OS: "Windows", model.OSVersion: "w10", model.Browser: "Brave", model.DeviceType: "desktop"}},
		{"browser version alone", metrics("_browser_version", "1.2"), "", D{}},
		{"referrer", metrics("_ua", chromeWindows, "_store", "https://www.example.com/path/?utm_source=x&a=1"), "", D{
			model.OS: "Windows", model.OSVersion: "w10", model.Browser: "Chrome", model.BrowserVersion: "[Chrome]_121:0:0:0",
			model.DeviceType: "desktop", model.Source: "example&#46;com/path?a=1",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, device.Normalise(tt.m, tt.ua)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestValues(t *testing.T) {
	pair := func(f func(string, string) string, a, b string) string { return f(a, b) }
	long := strings.Repeat("ü", 600)
	tests := []struct{ name, got, want string }{
		{"carrier", device.Carrier("vodafone de"), "Vodafone De"},
		{"carrier kept", device.Carrier("T-mobile US"), "T-mobile US"},
		{"carrier letters", device.Carrier("élan"), "Élan"},
		{"carrier none", device.Carrier(" "), ""},
		{"lang", device.Language("pt_BR"), "pt"},
		{"lang dash", device.Language("en-US"), "en"},
		{"lang bare", device.Language("DE"), "de"},
		{"lang posix", device.Language("fr.UTF-8"), "fr"},
		{"zh_CN", device.Language("zh_CN"), "zh_hans"},
		{"zh-cn", device.Language("zh-cn"), "zh_hans"},
		{"zh-Hans", device.Language("zh-Hans-US"), "zh_hans"},
		{"zh_TW", device.Language("zh_TW"), "zh_hant"},
		{"zh_HK", device.Language("zh_HK"), "zh_hant"},
		{"zh-Hant-CN", device.Language("zh-Hant-CN"), "zh_hant"},
		{"zh", device.Language("zh"), "zh_hant"},
		{"lang none", device.Language(""), ""},
		{"app version", device.Version("3.4.1"), "3:4:1"},
		{"os version", pair(device.OSVersion, "Windows", "8.1"), "w8:1"},
		{"os version, no system", pair(device.OSVersion, "", "8.1"), "8:1"},
		{"os version, no version", pair(device.OSVersion, "iOS", ""), ""},
		{"browser version", pair(device.BrowserVersion, "Chrome", "121.0"), "[Chrome]_121:0"},
		{"sdk", pair(device.SDK, "java-native-android", "24.1.0"), "[java-native-android]_24:1:0"},
		{"sdk, no version", pair(device.SDK, "x", ""), "[x]"},
		{"sdk none", pair(device.SDK, "", "1"), ""},
		{"source word", device.Source("iOS"), "iOS"},
		{"source package", device.Source("com.android.vending"), "com&#46;android&#46;vending"},
		{"source dollar", device.Source("$a$b.c"), "&#36;a$b&#46;c"},
		{"referrer plain", device.Source("http://example.com"), "example&#46;com"},
		{"referrer slash", device.Source("https://www.Example.com/"), "example&#46;com"},
		{"referrer path case", device.Source("https://example.com/A/b/"), "example&#46;com/A/b"},
		{"referrer tools", device.Source("https://example.com/?utm_source=a&_ga=1&_gac_x=2&utm_medium=b"), "example&#46;com"},
		{"referrer fragment", device.Source("https://example.com/#top"), "example&#46;com"},
		{"referrer credentials", device.Source("https://u:p@example.com/x"), "example&#46;com/x"},
		{"google", device.Source("https://www.google.co.uk/search?source=hp&q=red+shoes&ei=1"), "google&#46;co&#46;uk/search?q=red shoes"},
		{"google without keyword", device.Source("https://www.google.com/?gws_rd=ssl"), "google&#46;com"},
		{"yahoo", device.Source("https://search.yahoo.com/search?p=x&fr=y"), "search&#46;yahoo&#46;com/search?p=x"},
		{"yandex", device.Source("https://yandex.ru/search/?lr=1&text=x"), "yandex&#46;ru/search?text=x"},
		{"long referrer", device.Source("https://e.com/" + strings.Repeat("a", 300)), "e&#46;com/" + strings.Repeat("a", 94)},
		{"not a referrer", device.Source("a b://x"), "a b://x"},
		{"cut at a character", device.Version(long), strings.Repeat("ü", 256)},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	f.Add(chromeWindows, "https://www.google.com/?q=a%", "zh-Hans", "metro pcs")
	f.Add("Mozilla/5.0 (Linux; Android", "://", "_", "\xff")
	f.Fuzz(func(t *testing.T, ua, store, locale, carrier string) {
		if !utf8.ValidString(ua + store + locale + carrier) {
			return // request.Parse lets only UTF-8 through
		}
		d := device.Normalise(metrics("_ua", ua, "_store", store, "_locale", locale, "_carrier", carrier), "")
		for _, v := range d {
			if len(v) > 512 {
				t.Errorf("value of %d bytes", len(v))
			}
		}
		if strings.Contains(d[model.Source], ".") || strings.HasPrefix(d[model.Source], "$") {
			t.Errorf("source %q is not encoded", d[model.Source])
		}
	})
}

func BenchmarkNormalise(b *testing.B) {
	m := metrics("_ua", chromeWindows, "_app_version", "1.2.3", "_resolution", "1920x1080", "_locale", "en-US", "_store", "https://www.google.com/search?q=x")
	b.ReportAllocs()
	for b.Loop() {
		device.Normalise(m, "")
	}
}
