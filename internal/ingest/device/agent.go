package device

import (
	"strings"

	"github.com/mileusna/useragent"
)

// Agent is what a user-agent text says. Empty fields are unknown. Texts are as
// sent: versions have dots.
type Agent struct {
	OS             string
	OSVersion      string
	Browser        string
	BrowserVersion string
	Device         string
	DeviceType     string // one of the types below
}

// The device types.
const (
	Console   = "console"
	Mobile    = "mobile"
	Tablet    = "tablet"
	SmartTV   = "smart tv"
	Wearable  = "wearable"
	Embedded  = "embedded"
	DesktopPC = "desktop"
)

// maxAgent is how much of a user-agent text is looked at, in bytes.
const maxAgent = 1024

// ParseAgent reads a user-agent text. Programs that are no browsers (HTTP
// libraries, robots) say nothing about a user's device, so they give the zero
// Agent; an app's web view counts as its browser.
func ParseAgent(ua string) Agent {
	if len(ua) > maxAgent {
		ua = ua[:maxAgent]
	}
	if !strings.HasPrefix(ua, "Mozilla/") && !strings.HasPrefix(ua, "Opera/") && !strings.HasPrefix(ua, "Dalvik/") {
		return Agent{}
	}
	p := useragent.Parse(ua)
	a := Agent{OS: p.OS, OSVersion: p.OSVersion, Browser: p.Name, BrowserVersion: p.Version, Device: p.Device}
	if p.Bot && a.Browser != useragent.HeadlessChrome {
		return Agent{}
	}
	switch {
	case p.Tablet:
		a.DeviceType = Tablet
	case p.Mobile:
		a.DeviceType = Mobile
	case p.Desktop:
		a.DeviceType = DesktopPC
	}
	a.system(ua)
	a.browser(ua)
	a.kind(ua)
	return a
}

// system corrects the operating system.
func (a *Agent) system(ua string) {
	switch a.OS {
	case useragent.Windows:
		a.OSVersion = windowsVersion(a.OSVersion)
	case useragent.Linux, useragent.ChromeOS, useragent.FreeBSD:
		a.OSVersion = "" // the processor's name
		if a.OS == useragent.ChromeOS {
			a.OSVersion = word(after(ua, "CrOS ", " "))
		}
	case useragent.Android:
		a.Device = strings.TrimPrefix(a.Device, "SAMSUNG ")
		if a.Device == "K" { // what browsers send instead of the model
			a.Device = ""
		}
		if !strings.Contains(ua, "Mobile") && strings.HasPrefix(ua, "Mozilla/") {
			a.DeviceType = Tablet
		}
	}
	switch {
	case strings.Contains(ua, "Tizen"):
		a.OS, a.OSVersion = "Tizen", word(after(ua, "Tizen", " /"))
	case strings.Contains(ua, "Web0S"):
		a.OS, a.OSVersion = "webOS", ""
	}
}

// windowsVersion turns the number of the kernel into that of the product.
func windowsVersion(nt string) string {
	switch nt {
	case "10.0":
		return "10"
	case "6.3":
		return "8.1"
	case "6.2":
		return "8"
	case "6.1":
		return "7"
	case "6.0":
		return "Vista"
	case "5.1", "5.2":
		return "XP"
	}
	return nt
}

// browser corrects the browser.
func (a *Agent) browser(ua string) {
	switch {
	case strings.HasPrefix(ua, "Dalvik/"):
		a.Browser, a.BrowserVersion = "", ""
	case strings.Contains(ua, "Trident/"):
		a.Browser, a.BrowserVersion = useragent.InternetExplorer, word(after(ua, "rv:", ""))
		if a.BrowserVersion == "" {
			a.BrowserVersion = word(after(ua, "MSIE", " "))
		}
	case strings.Contains(ua, " Silk/"):
		a.Browser, a.BrowserVersion = "Silk", word(after(ua, "Silk/", ""))
	case a.Browser == useragent.HeadlessChrome:
		a.Browser = useragent.Chrome
	case strings.HasPrefix(a.Browser, "PlayStation"), strings.HasPrefix(a.Browser, "Nintendo"):
		a.Browser, a.BrowserVersion = "", ""
	}
}

// kind corrects the device and its type for what is neither phone nor desk.
func (a *Agent) kind(ua string) {
	switch {
	case strings.Contains(ua, "PlayStation "):
		a.Device, a.DeviceType = "PlayStation "+word(after(ua, "PlayStation ", "")), Console
		a.OS, a.OSVersion = "", ""
	case strings.Contains(ua, "Xbox"):
		a.Device, a.DeviceType = "Xbox", Console
	case strings.Contains(ua, "Nintendo Switch"):
		a.Device, a.DeviceType = "Nintendo Switch", Console
	case strings.Contains(ua, "SMART-TV"), strings.Contains(ua, "SmartTV"), strings.Contains(ua, "Smart TV"),
		strings.Contains(ua, "AppleTV"), strings.Contains(ua, "BRAVIA"), strings.Contains(ua, " AFT"), strings.Contains(ua, "CrKey"):
		a.DeviceType = SmartTV
	}
}

// after returns what follows mark in s, without leading characters of trim.
func after(s, mark, trim string) string {
	_, rest, _ := strings.Cut(s, mark)
	return strings.TrimLeft(rest, trim)
}

// word returns the leading version-like word of s: letters, digits, dots and
// underscores, a processor's name before the version left out.
func word(s string) string {
	for _, cpu := range []string{"x86_64 ", "aarch64 ", "armv7l "} {
		s = strings.TrimPrefix(s, cpu)
	}
	for i := range len(s) {
		c := s[i]
		if c != '.' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return s[:i]
		}
	}
	return s
}
