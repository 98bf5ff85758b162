package modeltest_test

import (
	"crypto/md5"  // the wire names it
	"crypto/sha1" // the wire names it
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// unknown stands for a place or carrier that nobody reported.
const unknown = "Unknown"

// profile is a user of an app.
type profile struct {
	app      *app
	uid      int
	device   string
	into     *profile // the user it was merged into
	tech     map[string]string
	country  string
	region   string
	city     string
	position *[2]float64
	optedOut bool

	firstSession, lastSession   int64 // s
	firstActivity, lastActivity int64 // s, device clock
	firstSync, lastSync         int64 // s, server clock
	lastRequest                 int   // its number among all that were accepted
	sessions                    int
	lastSeconds, totalSeconds   float64

	open      *openSession
	resumable *openSession // the session that ended last
	ended     int64        // when, ms

	named   map[string]any
	custom  map[string]any
	consent map[string]bool
}

func newProfile(a *app, uid int, device string) *profile {
	return &profile{
		app: a, uid: uid, device: device, tech: map[string]string{}, country: unknown, city: unknown,
		named: map[string]any{}, custom: map[string]any{}, consent: map[string]bool{},
	}
}

// person is the user that p is counted as, after merges.
func (p *profile) person() *profile {
	for p.into != nil {
		p = p.into
	}
	return p
}

func (p *profile) seen(ts, received int64) {
	p.firstActivity = earliest(p.firstActivity, ts/1000)
	p.lastActivity = max(p.lastActivity, ts/1000)
	p.firstSync = earliest(p.firstSync, received/1000)
	p.lastSync = max(p.lastSync, received/1000)
	if p.open != nil {
		p.open.last, p.open.heard = max(p.open.last, ts), max(p.open.heard, received)
	}
}

func (p *profile) spend(seconds float64) {
	p.totalSeconds += seconds
	if p.open != nil {
		p.open.seconds += seconds
		p.lastSeconds = p.open.seconds
	}
}

// describe takes over what the request says of device and place.
func (p *profile) describe(r *request) {
	p.technology(r)
	told := r.country != "" || r.city != ""
	if r.location != nil && *r.location != "" {
		lat, lng, _ := strings.Cut(*r.location, ",")
		p.position, p.optedOut = &[2]float64{float(lat), float(lng)}, false
	}
	switch {
	case told:
		p.optedOut = false
		if r.country != "" && r.country != p.country {
			p.country, p.region, p.city = r.country, "", unknown
		}
		p.region = or(r.region, p.region)
		p.city = or(r.city, p.city)
	case r.location != nil && *r.location == "":
		p.optedOut, p.position = true, nil
		p.country, p.region, p.city = unknown, "", unknown
	}
}

// technology: missing metrics keep what is known, and requests that begin no
// session only fill gaps.
func (p *profile) technology(r *request) {
	m := func(name string) string {
		switch v := r.metrics[name].(type) {
		case string:
			return v
		case float64:
			return text(v)
		}
		return ""
	}
	system := m("_os")
	version := ""
	if v := m("_os_version"); v != "" {
		if system != "" {
			version = string(unicode.ToLower(rune(system[0])))
		}
		version += colons(v)
	}
	browserVersion := ""
	if v := m("_browser_version"); v != "" {
		browserVersion = "[" + m("_browser") + "]_" + colons(v)
	}
	source := m("_store")
	if source == "" && m("_browser") == "" {
		source = system
	}
	sdk := ""
	if r.sdk[0] != "" {
		sdk = "[" + r.sdk[0] + "]_" + colons(r.sdk[1])
	}
	for key, v := range map[string]string{
		"p": system, "pv": version, "d": m("_device"), "dt": m("_device_type"), "mnf": m("_manufacturer"),
		"r": m("_resolution"), "dnst": m("_density"), "c": capitals(m("_carrier")), "av": colons(m("_app_version")),
		"brw": m("_browser"), "brwv": browserVersion, "la": language(m("_locale")),
		"src": strings.ReplaceAll(source, ".", "&#46;"), "sdk": sdk,
	} {
		if v != "" && (r.begin || p.tech[key] == "") {
			p.tech[key] = v
		}
	}
}

func capitals(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

func language(locale string) string {
	lang := strings.ToLower(locale)
	if i := strings.IndexAny(lang, "_-"); i >= 0 {
		lang = lang[:i]
	}
	switch {
	case lang != "zh":
		return lang
	case strings.EqualFold(locale, "zh_CN"), strings.Contains(locale, "Hans"):
		return "zh_hans"
	}
	return "zh_hant"
}

// dimensions are the names under which sessions are counted, with the profile
// key of the value.
var dimensions = map[string]string{
	"os": "p", "os_versions": "pv", "devices": "d", "manufacturers": "mnf", "resolutions": "r", "density": "dnst",
	"carriers": "c", "app_versions": "av", "browser": "brw", "browser_version": "brwv", "langs": "la", "sources": "src", "sdks": "sdk",
}

// values are what a session that begins now is counted under.
func (p *profile) values() map[string]string {
	out := map[string]string{"countries": p.country, "cities": p.city, "carriers": unknown}
	for name, key := range dimensions {
		if v := p.tech[key]; v != "" {
			out[name] = v
		}
	}
	return out
}

// details is the user_details parameter.
type details struct {
	named  map[string]any // nil = null
	custom []change
}

// change is an entry of custom: op "" sets.
type change struct {
	key, op string
	value   any
}

func (p *profile) change(d *details) {
	for k, v := range d.named {
		year, isYear := v.(float64)
		if v == nil || v == "" || isYear && year < 0 {
			delete(p.named, k)
			continue
		}
		p.named[k] = v
	}
	for _, c := range d.custom {
		p.changeCustom(strings.NewReplacer(".", "", "$", "").Replace(c.key), c.op, c.value)
	}
}

func (p *profile) changeCustom(key, op string, v any) {
	was, known := p.custom[key]
	number, _ := was.(float64)
	operand, _ := v.(float64)
	list, _ := was.([]any)
	values, several := v.([]any)
	if !several {
		values = []any{v}
	}
	list = slices.Clone(list)
	switch op {
	case "":
		if v == nil || v == "" {
			delete(p.custom, key)
			return
		}
		p.custom[key] = v
	case "$setOnce":
		if !known {
			p.custom[key] = v
		}
	case "$inc":
		p.custom[key] = number + operand
	case "$mul":
		p.custom[key] = number * operand
	case "$min":
		if !known || operand < number {
			p.custom[key] = operand
		}
	case "$max":
		if !known || operand > number {
			p.custom[key] = operand
		}
	case "$push":
		p.custom[key] = append(list, values...)
	case "$addToSet":
		for _, v := range values {
			if !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
		p.custom[key] = list
	case "$pull":
		if known {
			p.custom[key] = slices.DeleteFunc(list, func(x any) bool { return slices.Contains(values, x) })
		}
	}
}

// merge moves old into p (old_device_id).
func (a *app) merge(p, old *profile) {
	// The one active last wins, then the one whose request was accepted last.
	newer, older := *p, *old
	if old.lastActivity > p.lastActivity || old.lastActivity == p.lastActivity && old.lastRequest > p.lastRequest {
		newer, older = *old, *p
	}
	p.tech = union(older.tech, newer.tech)
	p.named = union(older.named, newer.named)
	p.custom = union(older.custom, newer.custom)
	p.consent = union(older.consent, newer.consent)

	// A place that was told beats one that was not; of two countries the newer stands alone. Who opted out last has none; an older
	// opt-out holds as long as nothing newer is known, and brings nothing back.
	p.country, p.region, p.city = newer.country, newer.region, newer.city
	p.position, p.optedOut = newer.position, newer.optedOut
	switch {
	case newer.optedOut:
	case older.optedOut:
		p.optedOut = newer.country == unknown && newer.city == unknown && newer.position == nil
	case newer.country != unknown && older.country != unknown && newer.country != older.country:
	default:
		if newer.country == unknown {
			p.country = older.country
		}
		if newer.city == unknown {
			p.city = older.city
		}
		p.region = or(newer.region, older.region)
		if newer.position == nil {
			p.position = older.position
		}
	}

	if old.lastSession > p.lastSession {
		p.lastSeconds = old.lastSeconds
	}
	p.sessions += old.sessions
	p.totalSeconds += old.totalSeconds
	p.firstSession = earliest(p.firstSession, old.firstSession)
	p.firstActivity = earliest(p.firstActivity, old.firstActivity)
	p.firstSync = earliest(p.firstSync, old.firstSync)
	p.lastSession = max(p.lastSession, old.lastSession)
	p.lastActivity = max(p.lastActivity, old.lastActivity)
	p.lastSync = max(p.lastSync, old.lastSync)
	p.lastRequest = max(p.lastRequest, old.lastRequest)

	// One session of a person is open at most: that of the id that disappears closes at
	// its last sign of life, or moves when the other has none.
	switch {
	case p.open != nil && old.open != nil:
		a.close(old, old.open.last)
		p.resumable = nil
	case p.open != nil:
		p.resumable = nil
	case old.open != nil:
		p.open, p.lastSeconds, p.resumable = old.open, old.open.seconds, nil
	case old.resumable != nil && (p.resumable == nil || old.ended > p.ended):
		p.resumable, p.ended = old.resumable, old.ended
	}
	old.into = p
	delete(a.profiles, old.device)
}

// union unites key by key; newer wins.
func union[V any](older, newer map[string]V) map[string]V {
	out := maps.Clone(older)
	maps.Copy(out, newer)
	return out
}

// document is the profile as user_details shows it.
func (p *profile) document() map[string]any {
	id := sha1.Sum([]byte(p.app.key + p.device)) // the wire names it
	hash := md5.Sum([]byte(p.device))            // the wire names it
	d := map[string]any{
		"_id": hex.EncodeToString(id[:]), "uid": text(p.uid), "did": p.device, "md5_did": hex.EncodeToString(hash[:]),
		"cc": p.country, "cty": p.city,
	}
	for k, v := range p.tech {
		d[k] = v
	}
	maps.Copy(d, p.named)
	if len(p.named) > 0 {
		d["hasInfo"] = true
	}
	if p.region != "" {
		d["rgn"] = p.region
	}
	if p.position != nil {
		d["lat"], d["lng"] = p.position[0], p.position[1]
	}
	for k, v := range map[string]float64{
		"fs": float64(p.firstSession), "ls": float64(p.lastSession), "fac": float64(p.firstActivity), "lac": float64(p.lastActivity),
		"first_sync": float64(p.firstSync), "last_sync": float64(p.lastSync), "sc": float64(p.sessions),
		"sd": p.lastSeconds, "tsd": p.totalSeconds,
	} {
		if v != 0 {
			d[k] = v
		}
	}
	if len(p.custom) > 0 {
		d["custom"] = p.custom
	}
	if len(p.consent) > 0 {
		d["consent"] = p.consent
	}
	return d
}
