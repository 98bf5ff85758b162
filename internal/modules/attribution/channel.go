package attribution

import (
	_ "embed"
	"net/url"
	"slices"
	"strings"
	"sync"

	"quipu/internal/ingest/request"
)

// The channels by which people come.
const (
	search   = "search"
	social   = "social"
	mail     = "mail"
	paid     = "paid"
	referral = "referral"
	store    = "store"
	campaign = "campaign" // a campaign whose medium says nothing else
	direct   = "direct"   // nothing is known
)

//go:embed referrers.tsv
var referrersText string

// referrer is what is known of a site.
type referrer struct{ channel, source string }

// referrers are the known sites by host, or by host and path (tools/referrers/fetch.sh).
var referrers = sync.OnceValue(func() map[string]referrer {
	list := make(map[string]referrer, 2500)
	for line := range strings.Lines(referrersText) {
		if place, rest, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			channel, source, _ := strings.Cut(rest, "\t")
			list[place] = referrer{channel, source}
		}
	}
	return list
})

// maxValue is how many bytes of a source, a medium, a keyword and so on are kept.
const maxValue = 200

// keywordParams are the parameters in which addresses of search engines hold what was searched for, the usual one first.
var keywordParams = [...]string{"q", "query", "p", "text", "wd", "search_query", "k", "search"}

// ofAddress returns what a referring address says, the zero origin when it is none.
func ofAddress(address string) origin {
	scheme, _, ok := strings.Cut(address, "://")
	if !ok || scheme != "http" && scheme != "https" && scheme != "android-app" {
		return origin{}
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return origin{}
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	out := origin{Channel: referral, Source: clean(host)}
	known, ok := lookUp(host, u.Path)
	if !ok {
		return out
	}
	out.Channel, out.Source = known.channel, known.source
	if out.Channel == search {
		values := u.Query()
		for _, name := range keywordParams {
			if text := clean(values.Get(name)); text != "" {
				out.Term = text
				break
			}
		}
	}
	return out
}

// lookUp finds a site: its host with the first part of the path, its host, and then the hosts above it.
func lookUp(host, path string) (referrer, bool) {
	list := referrers()
	if first, _, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(path), "/"), "/"); first != "" {
		if r, ok := list[host+"/"+first]; ok {
			return r, true
		}
	}
	for strings.Contains(host, ".") {
		if r, ok := list[host]; ok {
			return r, true
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return referrer{}, false
}

// media are the channels of values of utm_medium.
var media = map[string]string{
	"cpc": paid, "ppc": paid, "cpm": paid, "cpv": paid, "cpa": paid, "cpi": paid, "display": paid, "banner": paid, "ads": paid, "ad": paid, "paid": paid, "retargeting": paid, "paidsearch": paid, "paidsocial": paid,
	"email": mail, "mail": mail, "newsletter": mail,
	"social": social, "social-network": social, "social-media": social, "sm": social, "socialnetwork": social,
	"organic": search, "search": search,
	"referral": referral, "affiliate": referral, "affiliates": referral, "partner": referral, "link": referral,
}

// ofMedium returns the channel of a medium, else that of a source that is the name of a known site, else campaign.
func ofMedium(medium, source string) string {
	medium = strings.ToLower(medium)
	if channel, ok := media[strings.NewReplacer("_", "-", " ", "-").Replace(medium)]; ok {
		return channel
	}
	switch {
	case strings.HasPrefix(medium, "paid"):
		return paid
	case strings.HasPrefix(medium, "email"), strings.HasPrefix(medium, "e-mail"):
		return mail
	}
	if medium == "" && source != "" {
		if r, ok := lookUp(strings.ToLower(source), ""); ok {
			return r.channel
		}
		if r, ok := lookUp(strings.ToLower(source)+".com", ""); ok {
			return r.channel
		}
	}
	return campaign
}

// clean is a text without what separates texts, no longer than maxValue.
func clean(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text))
	return request.Cut(text, maxValue)
}

// channels are all of them.
func channels() []string {
	return []string{search, social, mail, paid, referral, store, campaign, direct}
}

func isChannel(text string) bool { return slices.Contains(channels(), text) }

// stores are names of stores by the package that installed an app.
var stores = map[string]string{
	"com.android.vending": "Google Play", "com.google.vending": "Google Play", "com.google.market": "Google Play",
	"com.google.android.packageinstaller": "Package installer", "com.android.packageinstaller": "Package installer", "com.android.provider": "Android", "com.android.chrome": "Browser",
	"com.amazon.venezia": "Amazon", "com.sec.android.app.samsungapps": "Galaxy Store", "com.samsung.android.app.watchmanager": "Galaxy Wearable", "com.samsung.android.mateagent": "Galaxy Store",
	"com.huawei.appmarket": "AppGallery", "com.xiaomi.market": "Xiaomi", "com.xiaomi.mipicks": "GetApps", "com.oppo.market": "OPPO", "com.heytap.market": "HeyTap", "com.bbk.appstore": "vivo",
	"com.vivo.appstore": "vivo", "com.lenovo.leos.appstore": "Lenovo", "com.meizu.mstore": "Meizu", "com.tencent.android.qqdownloader": "MyApp", "com.baidu.appsearch": "Baidu", "com.qihoo.appstore": "360",
	"com.wandoujia.phoenix2": "Wandoujia", "com.hiapk.marketpho": "HiMarket", "com.coolapk.market": "Coolapk", "com.aurora.store": "Aurora", "org.fdroid.fdroid": "F-Droid", "org.fdroid.basic": "F-Droid", "com.aptoide.pt": "Aptoide",
	"cm.aptoide.pt": "Aptoide", "com.uptodown": "Uptodown", "com.slideme.sam.manager": "SlideME", "com.apkpure.aegon": "APKPure", "com.sonyericsson.playnowchina.android": "Sony", "ru.vk.store": "RuStore", "com.yandex.store": "Yandex",
	"com.facebook.system": "Facebook", "com.rhmsoft.fm": "File manager", "com.apple.AppStore": "App Store", "com.apple.TestFlight": "TestFlight", "com.microsoft.store": "Microsoft Store", "com.valvesoftware.steam": "Steam",
}
