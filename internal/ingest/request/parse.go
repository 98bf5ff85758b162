package request

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/model"
)

// Request is a client's request in typed form. It shares no memory with the
// record it was parsed from. Absent texts are "".
type Request struct {
	App       model.AppID
	Received  int64      // ms, server clock
	IP        netip.Addr // of the client; the zero Addr when unknown
	UserAgent string     // of the HTTP header
	Picture   string     // content hash of an uploaded user picture

	DeviceID    string // never empty
	OldDeviceID string // "" when absent, ignored or equal to DeviceID
	DeviceType  int    // t: 0 developer supplied, 1 SDK generated, 2 temporary, 3 from the URL; -1 unknown
	Timestamp   int64  // ms, device clock; 0 = none
	Hour        int8   // 0–23 by the device's clock, -1 unknown
	Dow         int8   // Sunday = 0, -1 unknown
	TZ          int    // minutes east of UTC
	HasTZ       bool
	SDKName     string
	SDKVersion  string
	AppVersion  string // av, as sent
	Remaining   int    // rr: requests left in the client's queue; -1 unknown

	Begin, End     bool
	IgnoreCooldown bool
	HasDuration    bool
	Duration       float64 // session_duration: seconds, not negative, at most MaxSeconds

	Metrics Metrics
	Events  []Event
	User    *UserDetails // nil when none were sent
	// Consent is the full state sent, nil when none was.
	Consent map[string]bool

	Location    Location
	IPOverride  netip.Addr // ip_address; the zero Addr when absent
	CountryCode string     // two letters, upper case
	Region      string
	City        string

	// Valid JSON objects, nil when absent.
	Crash  []byte
	Health []byte // hc
	AID    []byte

	// Trace is the sample of performance sent as apm, nil when none was.
	Trace *Trace

	CampaignID      string
	CampaignUser    string
	AttributionData string
	Push            PushToken

	Call Call

	// Others are the parameters that have no field of their own, in the order received.
	Others []Param

	// Drops are the parts that could not be used. A part is counted once.
	Drops []Drop

	// Places are, of a request with a receipt, where each of Events stood among the events as sent, and Refused are those that stand in
	// Drops.
	Places  []int
	Refused []outcome.Part

	// Clamped says that a number was beyond its bound, see MaxCount. Events have marks
	// of their own.
	Clamped bool
}

// Drop counts parts of a request that were dropped for one reason.
type Drop struct {
	Item   outcome.Item
	Reason outcome.Reason
	N      int64
}

// Location is what the location parameter said; the zero value is that
// nothing was sent.
type Location struct {
	// OptOut is set by an empty location: forget the place, look nothing up.
	OptOut bool
	// Valid says that Lat and Lng hold degrees.
	Valid    bool
	Lat, Lng float64
	// Raw is the text as sent.
	Raw string
}

// Call is what a request asks of a feature beside what it reports: the parameter method,
// with the parameters of such methods. Without a method the others mean nothing.
type Call struct {
	Method       string
	Key, Variant string
	Keys         []byte // a valid JSON array, nil when absent
}

// RecordedCall reports whether the calls of a method are kept as rows. They are those that change
// something of a user, for features that read them later.
func RecordedCall(method string) bool {
	switch method {
	case "ab", "ab_opt_out", "ab_enroll_variant":
		return true
	}
	return false
}

// PushToken is a registration for push messages.
type PushToken struct {
	Session      bool // token_session
	IOS, Android string
	TestMode     int    // 0, 1, 2
	Provider     string // FCM, HMS, HPK
}

// Metric is one entry of the metrics parameter: numbers and booleans are
// turned into text.
type Metric struct{ Name, Value string }

// Metrics keeps the order received, names unique.
type Metrics []Metric

// Get returns the value of a metric, "" when absent.
func (m Metrics) Get(name string) string {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value
		}
	}
	return ""
}

// Other returns the text of a parameter that has no field of its own.
func (r *Request) Other(name string) (string, bool) {
	for i := range r.Others {
		if r.Others[i].Name == name {
			return string(r.Others[i].Value), true
		}
	}
	return "", false
}

// ErrKind says that a record is a command; ErrDevice that a client's request
// has no usable device id. Nothing else makes Parse fail.
var (
	ErrKind   = errors.New("request: not a client's request")
	ErrDevice = errors.New("request: no usable device id")
)

// Parse is Parser.Parse for a single record.
func Parse(rec *Record) (*Request, error) { return new(Parser).Parse(rec) }

// Parse turns a client's record into a Request. Parts that cannot be used are
// left out, and events and crashes among them are listed in Drops.
func (p *Parser) Parse(rec *Record) (*Request, error) {
	if rec.Kind != Client {
		return nil, fmt.Errorf("%w: kind %d", ErrKind, rec.Kind)
	}
	r := p.request()
	*r = Request{
		App:        rec.App,
		Received:   rec.Received,
		IP:         rec.IP,
		UserAgent:  p.userAgent(rec.UserAgent),
		DeviceType: -1,
		Hour:       -1,
		Dow:        -1,
		Remaining:  -1,
	}
	if rec.PictureLeftOut {
		r.drop(outcome.Picture, outcome.PictureQuota)
	} else {
		r.Picture = strings.Clone(rec.Picture)
	}
	p.clamped, p.placed = false, rec.Param(ReceiptParam) != nil
	for i := range rec.Params {
		p.param(r, &rec.Params[i])
	}
	if r.DeviceID == "" {
		return nil, ErrDevice
	}
	r.Clamped = p.clamped
	if r.OldDeviceID == r.DeviceID || IgnoredDevice(r.OldDeviceID) {
		r.OldDeviceID = ""
	}
	return r, nil
}

// param stores one parameter.
func (p *Parser) param(r *Request, q *Param) {
	switch q.Name {
	case OnceParam, ReceiptParam: // of the edge
	case "app_key", "checksum", "checksum256", "no_checksum":
		// Used up before the record was made, and never honoured from outside.
	case "device_id":
		r.DeviceID = p.deviceID(q)
	case "old_device_id":
		r.OldDeviceID = DeviceID(q)
	case "t":
		r.DeviceType = intText(q, 0, 3)
	case "timestamp":
		r.Timestamp = timestamp(paramText(q))
	case "hour":
		r.Hour = int8(intText(q, 0, 23))
	case "dow":
		r.Dow = int8(intText(q, 0, 6))
	case "tz":
		if f, ok := numberText(paramText(q)); ok && math.Abs(f) <= 18*60 {
			r.TZ, r.HasTZ = int(f), true
		}
	case "sdk_name":
		r.SDKName = p.textParam(q, MaxMetricName)
	case "sdk_version":
		r.SDKVersion = p.textParam(q, MaxMetricName)
	case "av":
		r.AppVersion = p.textParam(q, MaxMetricName)
	case "rr":
		r.Remaining = intText(q, 0, math.MaxInt32)
	case "begin_session":
		r.Begin = Truthy(q)
	case "end_session":
		r.End = Truthy(q)
	case "ignore_cooldown":
		r.IgnoreCooldown = Truthy(q)
	case "session_duration":
		if f, ok := numberText(paramText(q)); ok && f >= 0 && !math.IsInf(f, 0) {
			r.Duration, r.HasDuration = p.within(f, 0, MaxSeconds), true
		}
	case "metrics":
		r.Metrics = p.metrics(structured(q))
	case "events":
		p.list(r, structured(q))
	case "user_details":
		r.User = p.userDetails(structured(q))
	case "consent":
		r.Consent = p.consent(structured(q))
	case "crash":
		if r.Crash = p.object(structured(q)); r.Crash == nil && given(q) {
			r.drop(outcome.Crash, outcome.Malformed)
		}
	case "apm":
		if r.Trace = p.trace(structured(q)); r.Trace == nil && given(q) {
			r.drop(outcome.Trace, outcome.Malformed)
		}
	case "hc":
		r.Health = p.object(structured(q))
	case "aid":
		r.AID = p.object(structured(q))
	case "location":
		r.Location = location(q)
	case "ip_address":
		if a, ok := address(q); ok {
			r.IPOverride = a
		}
	case "ip":
		if a, ok := address(q); ok && !r.IPOverride.IsValid() {
			r.IPOverride = a
		}
	case "country_code":
		r.CountryCode = countryCode(textParam(q, 8))
	case "region":
		r.Region = textParam(q, MaxPlace)
	case "city":
		r.City = textParam(q, MaxPlace)
	case "campaign_id":
		r.CampaignID = textParam(q, MaxText)
	case "campaign_user":
		r.CampaignUser = textParam(q, MaxText)
	case "attribution_data":
		r.AttributionData = textParam(q, MaxText)
	case "method":
		r.Call.Method = textParam(q, MaxMetricName)
	case "key":
		r.Call.Key = textParam(q, MaxText)
	case "variant":
		r.Call.Variant = textParam(q, MaxText)
	case "keys":
		if v := structured(q); rawjson.KindOf(v) == rawjson.Array && rawjson.Valid(v) && len(v) <= MaxRaw {
			r.Call.Keys = bytes.ToValidUTF8(v, []byte(replacement))
		}
	case "token_session":
		r.Push.Session = Truthy(q)
	case "ios_token":
		r.Push.IOS = textParam(q, MaxText)
	case "android_token":
		r.Push.Android = textParam(q, MaxText)
	case "test_mode":
		r.Push.TestMode = max(0, intText(q, 0, 2))
	case "token_provider":
		r.Push.Provider = textParam(q, MaxMetricName)
	default:
		if q.JSON && !rawjson.Valid(q.Value) {
			return // nested too deep
		}
		r.Others = append(r.Others, Param{Name: strings.Clone(q.Name), Value: bytes.Clone(q.Value), JSON: q.JSON})
	}
}

// drop counts one dropped part.
func (r *Request) drop(item outcome.Item, reason outcome.Reason) {
	for i := range r.Drops {
		if d := &r.Drops[i]; d.Item == item && d.Reason == reason {
			d.N++
			return
		}
	}
	r.Drops = append(r.Drops, Drop{Item: item, Reason: reason, N: 1})
}

// DeviceID returns the device id a parameter holds: text, or a number as its
// text, with NUL and what is not UTF-8 replaced. It is "" when the parameter
// is structured or longer than MaxDeviceID.
func DeviceID(q *Param) string {
	b := paramText(q)
	if len(b) > MaxDeviceID {
		return ""
	}
	return cleanText(b, 3*MaxDeviceID)
}

// IgnoredDevice reports whether a device id names nobody: the advertising id
// of those who opted out, the placeholder of an SDK that has no id yet, what JavaScript writes
// in place of an id that is missing, or nothing that can be seen: blanks, controls, characters without width, and those that
// stand for bytes that are no text.
func IgnoredDevice(id string) bool {
	switch strings.TrimFunc(id, unseen) {
	case "", "00000000-0000-0000-0000-000000000000", "[CLY]_temp_id", "undefined", "null", "[object Object]":
		return true
	}
	return false
}

// IgnoredParam reports whether a parameter holds a device id that names nobody, or none that can be used.
func IgnoredParam(q *Param) bool {
	if b := paramText(q); len(b) <= MaxDeviceID && plain(b) {
		return IgnoredDevice(alias(b)) // which keeps nothing of it
	}
	return IgnoredDevice(DeviceID(q))
}

// unseen reports whether a character shows nothing, or stands for what cannot be shown.
func unseen(r rune) bool {
	switch {
	case r <= unicode.MaxASCII:
		return r <= ' ' || r == '\x7f'
	case r == utf8.RuneError, r == '\u115f', r == '\u1160', r == '\u2800', r == '\u3164', r == '\uffa0': // fillers count as letters
		return true
	}
	return unicode.IsSpace(r) || !unicode.IsGraphic(r)
}

// Truthy reports whether a parameter is a flag that is set: 1, true and any
// other text, but not 0, false and the texts of nothing.
func Truthy(q *Param) bool {
	switch string(bytes.TrimSpace(paramText(q))) {
	case "", "0", "false", "null", "undefined", "NaN":
		return false
	}
	return true
}

// paramText returns the text of a parameter; structured ones have none.
func paramText(q *Param) []byte {
	if !q.JSON {
		return q.Value
	}
	switch v := rawjson.Trim(q.Value); rawjson.KindOf(v) {
	case rawjson.Number, rawjson.Bool:
		return v
	case rawjson.String:
		b, _ := rawjson.Text(nil, v)
		return b
	case rawjson.Invalid, rawjson.Null, rawjson.Array, rawjson.Object:
	}
	return nil
}

// structured returns the JSON of a parameter that came as JSON or as its
// text, possibly encoded twice.
func structured(q *Param) []byte {
	v := rawjson.Trim(q.Value)
	if rawjson.KindOf(v) == rawjson.String && rawjson.Valid(v) {
		b, _ := rawjson.Text(nil, v)
		return rawjson.Trim(b)
	}
	return v
}

// object returns a copy of v when it is a valid JSON object that is not
// empty, and nil otherwise. Numbers in it are bounded.
func (p *Parser) object(v []byte) []byte {
	if rawjson.KindOf(v) != rawjson.Object || !rawjson.Valid(v) {
		return nil
	}
	if rawjson.KindOf(rawjson.Trim(v[1:])) == rawjson.Invalid {
		return nil
	}
	return bytes.ToValidUTF8(p.bounded(v), []byte(replacement))
}

// given reports whether a structured parameter holds anything at all.
func given(q *Param) bool {
	switch string(structured(q)) {
	case "", "null", "{}", "[]":
		return false
	}
	return true
}

func textParam(q *Param, limit int) string { return cleanText(paramText(q), limit) }

// textParam is textParam for texts that every request has: they share the block of short texts.
func (p *Parser) textParam(q *Param, limit int) string { return p.clean(paramText(q), limit) }

func (p *Parser) clean(b []byte, limit int) string {
	if len(b) <= limit && plain(b) {
		return p.keep(b)
	}
	return cleanText(b, limit)
}

// deviceID is DeviceID, in the block of short texts.
func (p *Parser) deviceID(q *Param) string {
	b := paramText(q)
	if len(b) > MaxDeviceID {
		return ""
	}
	return p.clean(b, 3*MaxDeviceID)
}

// userAgent returns the clean text of the header, which is that of the record before where one client sends many.
func (p *Parser) userAgent(header string) string {
	if header != p.header {
		p.header = strings.Clone(header)
		p.agent = cleanText([]byte(header), MaxText)
	}
	return p.agent
}

// cleanText copies b into a string of at most limit bytes, with NUL and what
// is not UTF-8 replaced.
func cleanText(b []byte, limit int) string {
	b = cutBytes(b, limit)
	if plain(b) {
		return string(b)
	}
	return Cut(string(appendClean(nil, b, replacement)), limit)
}

// numberText reads a number that came as text. One beyond the range of a float64 is an infinity.
func numberText(b []byte) (float64, bool) { return rawjson.ParseWide(bytes.TrimSpace(b)) }

// intText reads a whole number from low to high; -1 stands for anything else.
func intText(q *Param, low, high float64) int {
	f, ok := numberText(paramText(q))
	if !ok || f < low || f > high {
		return -1
	}
	return int(f)
}

// timestamp reads 13 digits as milliseconds and 10 digits as seconds, with a
// fraction tolerated. Everything else is none: 0.
func timestamp(b []byte) int64 {
	f, ok := numberText(b)
	switch {
	case !ok:
		return 0
	case f >= 1e12 && f < 1e13:
		return int64(f)
	case f >= 1e9 && f < 1e10:
		return int64(math.Round(f * 1000))
	}
	return 0
}

func address(q *Param) (netip.Addr, bool) {
	b := bytes.TrimSpace(paramText(q))
	if len(b) == 0 || len(b) > 64 {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(unsafe.String(unsafe.SliceData(b), len(b)))
	if err != nil {
		return netip.Addr{}, false
	}
	return a.WithZone("").Unmap(), true
}

func countryCode(s string) string {
	s = strings.TrimSpace(s)
	if len(s) != 2 {
		return ""
	}
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return ""
		}
	}
	return strings.ToUpper(s)
}

func location(q *Param) Location {
	if q.JSON {
		if rawjson.KindOf(rawjson.Trim(q.Value)) != rawjson.String {
			return Location{}
		}
	}
	text := bytes.TrimSpace(paramText(q))
	if len(text) == 0 {
		return Location{OptOut: true}
	}
	l := Location{Raw: cleanText(text, MaxPlace)}
	before, after, ok := bytes.Cut(text, []byte{','})
	if !ok {
		return l
	}
	lat, okLat := numberText(before)
	lng, okLng := numberText(after)
	if okLat && okLng && math.Abs(lat) <= 90 && math.Abs(lng) <= 180 {
		l.Lat, l.Lng, l.Valid = lat, lng, true
	}
	return l
}
