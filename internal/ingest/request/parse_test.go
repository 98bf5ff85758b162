package request_test

import (
	"errors"
	"math"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// parse parses a request of device D with the parameters name, value, name, value …
// A name that ends in ":" holds JSON.
func parse(tb testing.TB, params ...string) *request.Request {
	tb.Helper()
	rec := &request.Record{Kind: request.Client, App: model.AppID{1}, Received: 7, Params: []request.Param{param("app_key", "K"), param("device_id", "D")}}
	for i := 0; i < len(params); i += 2 {
		name, isJSON := strings.CutSuffix(params[i], ":")
		rec.Params = append(rec.Params, request.Param{Name: name, Value: []byte(params[i+1]), JSON: isJSON})
	}
	r, err := request.Parse(rec)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// bare is a request that says nothing but who sent it.
func bare(change func(*request.Request)) *request.Request {
	r := &request.Request{App: model.AppID{1}, Received: 7, DeviceID: "D", DeviceType: -1, Hour: -1, Dow: -1, Remaining: -1}
	if change != nil {
		change(r)
	}
	return r
}

var cmpRequest = cmp.Options{
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
	cmpopts.EquateEmpty(),
}

func malformed(item outcome.Item, n int64) []request.Drop {
	return []request.Drop{{Item: item, Reason: outcome.Malformed, N: n}}
}

func TestParseParameters(t *testing.T) {
	type R = request.Request
	addr := netip.MustParseAddr
	tests := []struct {
		name   string
		params []string
		want   func(*R)
	}{
		{"nothing", nil, nil},
		{"timestamp ms", []string{"timestamp", "1936515600123"}, func(r *R) { r.Timestamp = 1936515600123 }},
		{"timestamp s", []string{"timestamp", "1936515600"}, func(r *R) { r.Timestamp = 1936515600000 }},
		{"timestamp s with fraction", []string{"timestamp", "1936515600.123"}, func(r *R) { r.Timestamp = 1936515600123 }},
		{"timestamp as number", []string{"timestamp:", "1936515600123"}, func(r *R) { r.Timestamp = 1936515600123 }},
		{"timestamp µs", []string{"timestamp", "1936515600123456"}, nil},
		{"timestamp small", []string{"timestamp", "12345"}, nil},
		{"timestamp negative", []string{"timestamp", "-1936515600123"}, nil},
		{"timestamp no number", []string{"timestamp", "now"}, nil},
		{"timestamp object", []string{"timestamp:", "{}"}, nil},
		{"hour, dow", []string{"hour", "23", "dow", "6"}, func(r *R) { r.Hour, r.Dow = 23, 6 }},
		{"hour, dow zero", []string{"hour:", "0", "dow:", "0"}, func(r *R) { r.Hour, r.Dow = 0, 0 }},
		{"hour, dow out of range", []string{"hour", "24", "dow", "7"}, nil},
		{"hour, dow negative", []string{"hour", "-2", "dow", "x"}, nil},
		{"tz", []string{"tz", "-300"}, func(r *R) { r.TZ, r.HasTZ = -300, true }},
		{"tz zero", []string{"tz", "0"}, func(r *R) { r.HasTZ = true }},
		{"tz absurd", []string{"tz", "99999"}, nil},
		{"sdk", []string{"sdk_name", "javascript_native_web", "sdk_version", "23.12.1"}, func(r *R) { r.SDKName, r.SDKVersion = "javascript_native_web", "23.12.1" }},
		{"av", []string{"av", "1.2"}, func(r *R) { r.AppVersion = "1.2" }},
		{"av number", []string{"av:", "1.2"}, func(r *R) { r.AppVersion = "1.2" }},
		{"rr", []string{"rr", "12"}, func(r *R) { r.Remaining = 12 }},
		{"t", []string{"t", "1"}, func(r *R) { r.DeviceType = 1 }},
		{"t unknown", []string{"t", "9"}, nil},
		{"old device", []string{"old_device_id", "O"}, func(r *R) { r.OldDeviceID = "O" }},
		{"old device equal", []string{"old_device_id", "D"}, nil},
		{"old device ignored", []string{"old_device_id", "00000000-0000-0000-0000-000000000000"}, nil},
		{"old device temporary", []string{"old_device_id", "[CLY]_temp_id"}, nil},
		{"begin", []string{"begin_session", "1"}, func(r *R) { r.Begin = true }},
		{"begin true", []string{"begin_session:", "true"}, func(r *R) { r.Begin = true }},
		{"begin number", []string{"begin_session:", "1"}, func(r *R) { r.Begin = true }},
		{"begin no", []string{"begin_session", "0"}, nil},
		{"begin false", []string{"begin_session", "false"}, nil},
		{"begin empty", []string{"begin_session", ""}, nil},
		{"begin null", []string{"begin_session:", "null"}, nil},
		{"end", []string{"end_session", "true"}, func(r *R) { r.End = true }},
		{"ignore cooldown", []string{"ignore_cooldown", "true"}, func(r *R) { r.IgnoreCooldown = true }},
		{"duration", []string{"session_duration", "30"}, func(r *R) { r.Duration, r.HasDuration = 30, true }},
		{"duration fraction", []string{"session_duration:", "0.5"}, func(r *R) { r.Duration, r.HasDuration = 0.5, true }},
		{"duration zero", []string{"session_duration", "0"}, func(r *R) { r.HasDuration = true }},
		{"duration negative", []string{"session_duration", "-5"}, nil},
		{"duration no number", []string{"session_duration", "long"}, nil},
		{"duration NaN", []string{"session_duration", "NaN"}, nil},
		{"duration infinite", []string{"session_duration", "1e999"}, nil},
		{"duration beyond the bound", []string{"session_duration", "1e308"}, func(r *R) { r.HasDuration, r.Duration, r.Clamped = true, request.MaxSeconds, true }},
		{"crash beyond the bounds", []string{"crash", `{"_a":1e999,"_b":"1e999"}`}, func(r *R) { r.Crash, r.Clamped = []byte(`{"_a":1e+100,"_b":"1e999"}`), true }},
		{"property beyond the bounds", []string{"user_details", `{"custom":{"a":{"$inc":-1e200}}}`}, func(r *R) {
			r.User, r.Clamped = &request.UserDetails{Custom: []request.Change{{Key: "a", Op: request.OpInc, Value: -1e100}}}, true
		}},

		{"location", []string{"location", "41.5, -2.25"}, func(r *R) {
			r.Location = request.Location{Valid: true, Lat: 41.5, Lng: -2.25, Raw: "41.5, -2.25"}
		}},
		{"location opt-out", []string{"location", ""}, func(r *R) { r.Location.OptOut = true }},
		{"location opt-out json", []string{"location:", `""`}, func(r *R) { r.Location.OptOut = true }},
		{"location null", []string{"location:", "null"}, nil},
		{"location object", []string{"location:", "{}"}, nil},
		{"location off the globe", []string{"location", "91,0"}, func(r *R) { r.Location.Raw = "91,0" }},
		{"location words", []string{"location", "home"}, func(r *R) { r.Location.Raw = "home" }},
		{"ip_address", []string{"ip_address", " 203.0.113.9 "}, func(r *R) { r.IPOverride = addr("203.0.113.9") }},
		{"ip", []string{"ip", "2001:db8::1"}, func(r *R) { r.IPOverride = addr("2001:db8::1") }},
		{"ip_address wins", []string{"ip_address", "203.0.113.9", "ip", "203.0.113.10"}, func(r *R) { r.IPOverride = addr("203.0.113.9") }},
		{"ip_address wins, second", []string{"ip", "203.0.113.10", "ip_address", "203.0.113.9"}, func(r *R) { r.IPOverride = addr("203.0.113.9") }},
		{"ip_address broken", []string{"ip_address", "1.2.3", "ip", "203.0.113.10"}, func(r *R) { r.IPOverride = addr("203.0.113.10") }},
		{"place", []string{"country_code", "de", "region", "BY", "city", "München"}, func(r *R) { r.CountryCode, r.Region, r.City = "DE", "BY", "München" }},
		{"country no code", []string{"country_code", "Germany"}, nil},
		{"country digits", []string{"country_code", "1A"}, nil},

		{"push", []string{"token_session", "1", "android_token", "T", "test_mode", "2", "token_provider", "HMS"}, func(r *R) {
			r.Push = request.PushToken{Session: true, Android: "T", TestMode: 2, Provider: "HMS"}
		}},
		{"push ios", []string{"token_session", "1", "ios_token", "T", "test_mode", "x"}, func(r *R) { r.Push = request.PushToken{Session: true, IOS: "T"} }},
		{"campaign", []string{"campaign_id", "c", "campaign_user", "u"}, func(r *R) { r.CampaignID, r.CampaignUser = "c", "u" }},
		{"aid", []string{"aid", `{"idfa":"x"}`}, func(r *R) { r.AID = []byte(`{"idfa":"x"}`) }},
		{"attribution", []string{"attribution_data", "x"}, func(r *R) { r.AttributionData = "x" }},
		{"call", []string{"method", "ab_opt_out", "keys:", ` ["a"]`}, func(r *R) {
			r.Call = request.Call{Method: "ab_opt_out", Keys: []byte(`["a"]`)}
		}},
		{"call of a key", []string{"method", "ab_enroll_variant", "key", "k", "variant", "v", "keys", `{"no":"list"}`}, func(r *R) {
			r.Call = request.Call{Method: "ab_enroll_variant", Key: "k", Variant: "v"}
		}},
		{"call with broken keys", []string{"method", "ab", "keys", `["a"`}, func(r *R) { r.Call = request.Call{Method: "ab"} }},
		{"others", []string{"x", "y", "populator:", "true"}, func(r *R) {
			r.Others = []request.Param{param("x", "y"), {Name: "populator", Value: []byte("true"), JSON: true}}
		}},
		{"others too deep", []string{"x:", strings.Repeat("[", 99) + strings.Repeat("]", 99)}, nil},
		{"credentials are gone", []string{"checksum", "a", "checksum256", "b", "no_checksum", "true"}, nil},

		{"crash", []string{"crash", `{"_error":"x"}`}, func(r *R) { r.Crash = []byte(`{"_error":"x"}`) }},
		{"crash structured", []string{"crash:", `{"_error":"x"}`}, func(r *R) { r.Crash = []byte(`{"_error":"x"}`) }},
		{"crash encoded twice", []string{"crash", `"{\"_error\":\"x\"}"`}, func(r *R) { r.Crash = []byte(`{"_error":"x"}`) }},
		{"crash not UTF-8", []string{"crash", "{\"_error\":\"\xff\"}"}, func(r *R) { r.Crash = []byte(`{"_error":"` + "\uFFFD" + `"}`) }},
		{"crash no object", []string{"crash", `[1]`}, func(r *R) { r.Drops = malformed(outcome.Crash, 1) }},
		{"crash broken", []string{"crash", `{"_error":`}, func(r *R) { r.Drops = malformed(outcome.Crash, 1) }},
		{"crash too deep", []string{"crash", strings.Repeat(`{"a":`, 99) + "1" + strings.Repeat("}", 99)}, func(r *R) { r.Drops = malformed(outcome.Crash, 1) }},
		{"crash empty", []string{"crash", `{}`}, nil},
		{"crash none", []string{"crash", ``}, nil},
		{"apm", []string{"apm", `{"type":"device","name":"$app_start","apm_metrics":{"duration":350.5,"$a.b":"2","text":"x","list":[1],"ab":3,"":4},"stz":1936515600123,"etz":1936515600473}`}, func(r *R) {
			r.Trace = &request.Trace{Name: "app_start", Start: 1936515600123, End: 1936515600473, Metrics: []request.Segment{
				{Name: "duration", Kind: request.NumberValue, Number: 350.5, Text: "350.5"}, {Name: "ab", Kind: request.NumberValue, Number: 2, Text: "2"},
			}}
		}},
		{"apm network", []string{"apm", `{"type":"network","name":"https://x.example/a"}`}, func(r *R) {
			r.Trace = &request.Trace{Network: true, Name: "https://x.example/a"}
		}},
		{"apm wrong", []string{"apm", `7`}, func(r *R) { r.Drops = malformed(outcome.Trace, 1) }},
		{"apm of another type", []string{"apm", `{"type":"x","name":"a"}`}, func(r *R) { r.Drops = malformed(outcome.Trace, 1) }},
		{"apm without name", []string{"apm", `{"type":"device","name":"$"}`}, func(r *R) { r.Drops = malformed(outcome.Trace, 1) }},
		{"apm broken", []string{"apm", `{"type":"device","name":"a"`}, func(r *R) { r.Drops = malformed(outcome.Trace, 1) }},
		{"apm none", []string{"apm", ``}, nil},
		{"hc", []string{"hc", `{"el":0,"em":"\"x\""}`}, func(r *R) { r.Health = []byte(`{"el":0,"em":"\"x\""}`) }},

		{"consent", []string{"consent", `{"sessions":true,"push":false,"events":"true","x":1,"y":"0","z":null,"q":{}}`}, func(r *R) {
			r.Consent = map[string]bool{"sessions": true, "push": false, "events": true, "x": true, "y": false}
		}},
		{"consent wrong", []string{"consent", `[true]`}, nil},

		{"metrics", []string{"metrics", `{"_os":"Android","_density":2.5,"_has_watch":true,"_x":null,"_y":{},"_os":"iOS","_z":["a"]}`}, func(r *R) {
			r.Metrics = request.Metrics{{Name: "_os", Value: "iOS"}, {Name: "_density", Value: "2.5"}, {Name: "_has_watch", Value: "true"}}
		}},
		{"metrics structured", []string{"metrics:", `{"_os":"A\u0042"}`}, func(r *R) { r.Metrics = request.Metrics{{Name: "_os", Value: "AB"}} }},
		{"metrics list", []string{"metrics", `["users"]`}, nil},
		{"metrics words", []string{"metrics", `users`}, nil},
		{"metrics broken keep what stood before", []string{"metrics", `{"_os":"X","_b`}, func(r *R) { r.Metrics = request.Metrics{{Name: "_os", Value: "X"}} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(bare(tt.want), parse(t, tt.params...), cmpRequest); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseDevice(t *testing.T) {
	tests := []struct {
		name  string
		param request.Param
		want  string // "" = ErrDevice
	}{
		{"text", param("device_id", "D 1"), "D 1"},
		{"number", request.Param{Name: "device_id", Value: []byte("42"), JSON: true}, "42"},
		{"longest", param("device_id", strings.Repeat("d", 1024)), strings.Repeat("d", 1024)},
		{"too long", param("device_id", strings.Repeat("d", 1025)), ""},
		{"NUL and no UTF-8", param("device_id", "a\x00b\xff"), "a\uFFFDb\uFFFD"},
		{"object", request.Param{Name: "device_id", Value: []byte("{}"), JSON: true}, ""},
		{"empty", param("device_id", ""), ""},
		{"none", param("x", "y"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := request.Parse(&request.Record{Kind: request.Client, Params: []request.Param{tt.param}})
			if tt.want == "" {
				if !errors.Is(err, request.ErrDevice) {
					t.Errorf("error %v, want ErrDevice", err)
				}
				return
			}
			if err != nil || r.DeviceID != tt.want {
				t.Errorf("device %+v, error %v, want %q", r, err, tt.want)
			}
		})
	}
	if _, err := request.Parse(&request.Record{Kind: request.ResetApp}); !errors.Is(err, request.ErrKind) {
		t.Errorf("error %v, want ErrKind", err)
	}
}

func event(key string, changes ...func(*request.Event)) request.Event {
	e := request.Event{Key: key, Count: 1, Hour: -1, Dow: -1}
	for _, change := range changes {
		if change != nil {
			change(&e)
		}
	}
	return e
}

func clamped(e *request.Event) { e.Clamped = true }

func TestParseEvents(t *testing.T) {
	type E = request.Event
	text := func(name, v string) request.Segment {
		return request.Segment{Name: name, Kind: request.TextValue, Text: v}
	}
	num := func(name, s string, f float64) request.Segment {
		return request.Segment{Name: name, Kind: request.NumberValue, Text: s, Number: f}
	}
	seg := func(s ...request.Segment) func(*E) { return func(e *E) { e.Segmentation = s } }
	drops := func(reason outcome.Reason, n int64) []request.Drop {
		return []request.Drop{{Item: outcome.Event, Reason: reason, N: n}}
	}
	deep := strings.Repeat("[", 99) + strings.Repeat("]", 99)
	long := strings.Repeat("é", 3000)
	tests := []struct {
		name  string
		in    string
		want  []E
		drops []request.Drop
	}{
		{"none", `[]`, nil, nil},
		{"null", `null`, nil, nil},
		{"empty text", ``, nil, nil},
		{"plain", `[{"key":"a"},{"key":"b"}]`, []E{event("a", nil), event("b", nil)}, nil},
		{"full", `[{"key":"a","count":3,"sum":-1.5,"dur":2,"timestamp":1936515600123,"hour":5,"dow":0,"id":"i","pvid":"p","cvid":"c"}]`, []E{event("a", func(e *E) {
			*e = E{Key: "a", Count: 3, Sum: -1.5, HasSum: true, Dur: 2, HasDur: true, Timestamp: 1936515600123, Hour: 5, Dow: 0, ID: "i", PVID: "p", CVID: "c"}
		})}, nil},
		{"numbers as text", `[{"key":"a","count":"3","sum":"2.5","dur":"1","timestamp":"1936515600","hour":"7","dow":"1"}]`, []E{event("a", func(e *E) {
			*e = E{Key: "a", Count: 3, Sum: 2.5, HasSum: true, Dur: 1, HasDur: true, Timestamp: 1936515600000, Hour: 7, Dow: 1}
		})}, nil},
		{"odd counts", `[{"key":"a","count":0},{"key":"a","count":-3},{"key":"a","count":2.9},{"key":"a","count":null},{"key":"a","count":"x"},{"key":"a","count":1e300}]`, []E{
			event("a", func(e *E) { e.Count = 0 }), event("a", nil), event("a", func(e *E) { e.Count = 2 }), event("a", nil), event("a", nil), event("a", func(e *E) { e.Count, e.Clamped = request.MaxCount, true }),
		}, nil},
		{"odd sum, dur", `[{"key":"a","sum":"NaN","dur":-1},{"key":"a","sum":null,"dur":{}},{"key":"a","sum":0,"dur":0}]`, []E{
			event("a", nil), event("a", nil), event("a", func(e *E) { e.HasSum, e.HasDur = true, true }),
		}, nil},
		{"timeStamp is nothing", `[{"key":"a","timeStamp":1936515600123}]`, []E{event("a", nil)}, nil},
		{"numeric key", `[{"key":5}]`, []E{event("5", nil)}, nil},
		{"no key", `[{"count":1},{"key":""},{"key":null},{"key":{}},{"key":"a"}]`, []E{event("a", nil)}, drops(outcome.NoKey, 4)},
		{"no objects", `["[CLY]_session",1,null,[],{"key":"a"}]`, []E{event("a", nil)}, drops(outcome.Malformed, 4)},
		{"not json", `nope`, nil, drops(outcome.Malformed, 1)},
		{"a text", `"nope"`, nil, drops(outcome.Malformed, 1)},
		{"single object", `{"key":"a"}`, []E{event("a", nil)}, nil},
		{"encoded twice", `"[{\"key\":\"a\"}]"`, []E{event("a", nil)}, nil},
		{"breaks off", `[{"key":"a"},{"key":"b"`, []E{event("a", nil)}, drops(outcome.Malformed, 1)},
		{"duplicate members", `[{"key":"x","key":"a","segmentation":{"s":1},"segmentation":{"s":"v","t":"1","s":"w"}}]`, []E{event("a", seg(text("s", "w"), text("t", "1")))}, nil},
		{"reserved", `[{"key":"[CLY]_session"},{"key":"[CLY]_group_ab"},{"key":"[CLY]_push_sent"},{"key":"[CLY]_nonsense"}]`, nil, drops(outcome.ReservedKey, 4)},
		{
			"internal", `[{"key":"[CLY]_view"},{"key":"[CLY]_action"},{"key":"[CLY]_orientation"},{"key":"[CLY]_star_rating"},{"key":"[CLY]_nps"},{"key":"[CLY]_survey"},{"key":"[CLY]_push_action"}]`,
			[]E{event("[CLY]_view", nil), event("[CLY]_action", nil), event("[CLY]_orientation", nil), event("[CLY]_star_rating", nil), event("[CLY]_nps", nil), event("[CLY]_survey", nil), event("[CLY]_push_action", nil)},
			nil,
		},
		{"segment types", `[{"key":"a","segmentation":{"t":"x","n":2.5,"i":12,"big":12345678901234567890,"small":1e-7,"e":1e21,"z":-0,"b":true,"f":false,"nil":null,"l":[1,"a"],"o":{"k":1},"":"x","inf":1e999}}]`, []E{event("a", seg(
			text("t", "x"), num("n", "2.5", 2.5), num("i", "12", 12), num("big", "12345678901234567000", 12345678901234567890), num("small", "1e-7", 1e-7), num("e", "1e+21", 1e21), num("z", "0", math.Copysign(0, -1)),
			request.Segment{Name: "b", Kind: request.BoolValue, Text: "true"}, request.Segment{Name: "f", Kind: request.BoolValue, Text: "false"},
			request.Segment{Name: "l", Kind: request.OtherValue, JSON: `[1,"a"]`}, request.Segment{Name: "o", Kind: request.OtherValue, JSON: `{"k":1}`}, num("inf", "1e+100", 1e100),
		), clamped)}, nil},
		{"at the bounds", `[{"key":"a","count":1e9,"sum":-1e15,"dur":1e9,"segmentation":{"n":-1e100,"l":[1E100]}}]`, []E{event("a", func(e *E) {
			*e = E{Key: "a", Count: 1e9, Sum: -1e15, HasSum: true, Dur: 1e9, HasDur: true, Hour: -1, Dow: -1, Segmentation: []request.Segment{
				num("n", "-1e+100", -1e100), {Name: "l", Kind: request.OtherValue, JSON: `[1E100]`},
			}}
		})}, nil},
		{"beyond the bounds", `[{"key":"a","count":1e300},{"key":"a","sum":1e308},{"key":"a","sum":"-1e999"},{"key":"a","dur":1e10},{"key":"a","segmentation":{"l":{"x":[-1e999]}}},{"key":"b"}]`, []E{
			event("a", func(e *E) { e.Count = 1e9 }, clamped), event("a", func(e *E) { e.Sum, e.HasSum = 1e15, true }, clamped),
			event("a", func(e *E) { e.Sum, e.HasSum = -1e15, true }, clamped), event("a", func(e *E) { e.Dur, e.HasDur = 1e9, true }, clamped),
			event("a", seg(request.Segment{Name: "l", Kind: request.OtherValue, JSON: `{"x":[-1e+100]}`}), clamped), event("b", nil),
		}, nil},
		{"odd names", `[{"key":"a","segmentation":{"__proto__":"p","$where":"w","a.b":"d","\u0041":"e"}}]`, []E{event("a", seg(text("__proto__", "p"), text("$where", "w"), text("a.b", "d"), text("A", "e")))}, nil},
		{"NUL", `[{"key":"a\u0000b","segmentation":{"s\u0000":"x\u0000y"}}]`, []E{event("a\uFFFDb", seg(text("s\uFFFD", "x&#9647y")))}, nil},
		{"NUL unescaped", "[{\"key\":\"a\",\"segmentation\":{\"s\":\"x\x00y\"}}]", []E{event("a", seg(text("s", "x&#9647y")))}, nil},
		{"not UTF-8", "[{\"key\":\"a\xff\",\"segmentation\":{\"s\":\"\xc3(\",\"u\":\"\\ud800\"}}]", []E{event("a\uFFFD", seg(text("s", "\uFFFD("), text("u", "\uFFFD")))}, nil},
		{"segmentation no object", `[{"key":"a","segmentation":[1]},{"key":"b","segmentation":null},{"key":"c","segmentation":"{\"s\":\"v\"}"}]`, []E{event("a", nil), event("b", nil), event("c", seg(text("s", "v")))}, nil},
		{"too deep beside others", `[{"key":"a","segmentation":{"d":` + deep + `,"s":"v"}},{"key":"b","x":` + deep + `},` + deep + `,{"key":"c"}]`, []E{event("a", seg(text("s", "v"))), event("b", nil), event("c", nil)}, drops(outcome.Malformed, 1)},
		{"fault in an event", `[{"key":"a"},{"key":"b","x":nope},{"key":"c"}]`, []E{event("a", nil)}, drops(outcome.Malformed, 1)},
		{"fault in a deep event", `[{"key":"a","x":` + deep + `,"y":nope},{"key":"b"}]`, []E{event("b", nil)}, drops(outcome.Malformed, 1)},
		{"fault in deep segments", `[{"key":"a","segmentation":{"s":"v","d":` + deep + `,"t":nope}},{"key":"b"}]`, []E{event("a", seg(text("s", "v"))), event("b", nil)}, nil},
		{"text behind a single object", `{"key":"a"}x`, nil, drops(outcome.Malformed, 1)},
		{"segments sent again", `[{"key":"a","segmentation":{"n":1e999},"segmentation":{}},{"key":"b","segmentation":{"s":"v"},"segmentation":null}]`, []E{event("a", nil), event("b", nil)}, nil},
		{"segments of nothing", `[{"segmentation":{"n":1e999}},{"key":"a","segmentation":{"s":"v"}}]`, []E{event("a", seg(text("s", "v")))}, drops(outcome.NoKey, 1)},
		{"long", `[{"key":"` + long + `","segmentation":{"` + long + `":"` + long + `"}}]`, []E{event(strings.Repeat("é", 256), seg(text(strings.Repeat("é", 128), strings.Repeat("é", 2048))))}, nil},
		{"long escaped", `[{"key":"a","segmentation":{"s":"` + strings.Repeat(`\u00e9`, 9000) + `"}}]`, []E{event("a", seg(text("s", strings.Repeat("é", 2048))))}, nil},
		{"large list", `[{"key":"a","segmentation":{"l":[` + strings.Repeat("1,", 5000) + `1],"s":"v"}}]`, []E{event("a", seg(text("s", "v")))}, nil},
	}
	for _, tt := range tests {
		for _, form := range []string{"events", "events:"} {
			t.Run(tt.name+" "+form, func(t *testing.T) {
				want := bare(func(r *request.Request) { r.Events, r.Drops = tt.want, tt.drops })
				if diff := cmp.Diff(want, parse(t, form, tt.in), cmpRequest); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestManySegments(t *testing.T) {
	var b strings.Builder
	b.WriteString(`[{"key":"a","segmentation":{`)
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"s` + strings.Repeat("x", i%7) + string(rune('0'+i%10)) + string(rune(0x4e00+i)) + `":` + "1")
	}
	b.WriteString(`}},{"key":"b","segmentation":{"s":"v"}}]`)
	r := parse(t, "events", b.String())
	if got := len(r.Events[0].Segmentation); got != request.MaxSegments {
		t.Errorf("%d segments, want %d", got, request.MaxSegments)
	}
	if got := r.Events[1].Segmentation; len(got) != 1 || got[0].Name != "s" || got[0].Text != "v" {
		t.Errorf("segments of the next event: %+v", got)
	}
}

func TestParseUserDetails(t *testing.T) {
	type U = request.UserDetails
	set := func(v string) request.Field { return request.Field{State: request.Set, Value: v} }
	unset := request.Field{State: request.Unset}
	change := func(key string, op request.Op, v any) request.Change {
		return request.Change{Key: key, Op: op, Value: v}
	}
	custom := func(c ...request.Change) *U { return &U{Custom: c} }
	tests := []struct {
		name, in string
		want     *U
	}{
		{"none", `{}`, nil},
		{"no object", `[1]`, nil},
		{"named", `{"name":"N","username":"U","email":"e@x","organization":"O","phone":"P","picture":"http://p","gender":"F","byear":1987,"picturePath":"/x","nope":1}`, &U{
			Name: set("N"), Username: set("U"), Email: set("e@x"), Organization: set("O"), Phone: set("P"), Picture: set("http://p"), Gender: set("F"),
			BirthYear: request.YearField{State: request.Set, Value: 1987},
		}},
		{"unset", `{"name":"","email":null,"byear":-1}`, &U{Name: unset, Email: unset, BirthYear: request.YearField{State: request.Unset}}},
		{"unset year", `{"byear":null}`, &U{BirthYear: request.YearField{State: request.Unset}}},
		{"unset year by text", `{"byear":""}`, &U{BirthYear: request.YearField{State: request.Unset}}},
		{"odd types", `{"name":42,"phone":true,"email":{},"username":["x"],"byear":"1990"}`, &U{Name: set("42"), Phone: set("true"), BirthYear: request.YearField{State: request.Set, Value: 1990}}},
		{"year nonsense", `{"byear":"old","gender":"M"}`, &U{Gender: set("M")}},
		{"NUL", `{"name":"a\u0000b"}`, &U{Name: set("a\uFFFDb")}},
		{"custom values", `{"custom":{"t":"x","n":1.5,"b":true,"l":["a",1,null,true,{"k":1}],"o":{"k":1},"e":[]}}`, custom(
			change("t", request.OpSet, "x"), change("n", request.OpSet, 1.5), change("b", request.OpSet, true),
			change("l", request.OpSet, []any{"a", 1.0, true, `{"k":1}`}), change("o", request.OpSet, `{"k":1}`), change("e", request.OpSet, []any{}),
		)},
		{"custom unset", `{"custom":{"a":"","b":null}}`, custom(change("a", request.OpUnset, nil), change("b", request.OpUnset, nil))},
		{"keys", `{"custom":{"a.b$c":"x","$":"y",".":"z","__proto__":"p"}}`, custom(change("abc", request.OpSet, "x"), change("__proto__", request.OpSet, "p"))},
		{"modifiers", `{"custom":{"a":{"$set":"x"},"b":{"$unset":1},"c":{"$setOnce":"x"},"d":{"$inc":5},"e":{"$mul":"2"},"f":{"$min":-1},"g":{"$max":9},"h":{"$push":"x"},"i":{"$addToSet":["x",2]},"j":{"$pull":true}}}`, custom(
			change("a", request.OpSet, "x"), change("b", request.OpUnset, nil), change("c", request.OpSetOnce, "x"), change("d", request.OpInc, 5.0), change("e", request.OpMul, 2.0),
			change("f", request.OpMin, -1.0), change("g", request.OpMax, 9.0), change("h", request.OpPush, []any{"x"}), change("i", request.OpAddToSet, []any{"x", 2.0}), change("j", request.OpPull, []any{true}),
		)},
		{"several modifiers", `{"custom":{"a":{"$max":9,"$inc":1,"$nope":3}}}`, custom(change("a", request.OpMax, 9.0), change("a", request.OpInc, 1.0))},
		{"modifier of wrong type", `{"custom":{"a":{"$inc":"x"},"b":{"$max":null},"c":{"$push":null},"d":{"$setOnce":""},"e":{"$set":null}}}`, custom(change("e", request.OpUnset, nil))},
		{"unknown operator only", `{"custom":{"a":{"$where":"x"}}}`, nil},
		{"modifier as text", `{"custom":{"a":"{$inc: 1}","b":"{\"$max\":2}","c":"{$push: blue}","d":"{ '$set' : \"x\" }","e":"{not one}","f":"{$nope: 1}"}}`, custom(
			change("a", request.OpInc, 1.0), change("b", request.OpMax, 2.0), change("c", request.OpPush, []any{"blue"}), change("d", request.OpSet, "x"),
			change("e", request.OpSet, "{not one}"), change("f", request.OpSet, "{$nope: 1}"),
		)},
		{"json as text", `{"custom":{"a":"{\"k\":1}"}}`, custom(change("a", request.OpSet, `{"k":1}`))},
		{"custom as text", `{"custom":"{\"a\":1}"}`, custom(change("a", request.OpSet, 1.0))},
		{"custom no object", `{"custom":[1],"name":"N"}`, &U{Name: set("N")}},
		{"too deep beside others", `{"custom":{"d":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `,"o":` + strings.Repeat(`{"x":`, 99) + "1" + strings.Repeat("}", 99) + `,"a":1}}`, custom(change("d", request.OpSet, []any{}), change("a", request.OpSet, 1.0))},
		{"long", `{"custom":{"` + strings.Repeat("k", 999) + `":"` + strings.Repeat("v", 9999) + `"}}`, custom(change(strings.Repeat("k", 256), request.OpSet, strings.Repeat("v", 4096)))},
		{"breaks off", `{"name":"N","custom":{"a":1`, &U{Name: set("N")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := bare(func(r *request.Request) { r.User = tt.want })
			if diff := cmp.Diff(want, parse(t, "user_details", tt.in), cmpRequest); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, request.ParseUserDetails([]byte(tt.in)), cmpRequest); diff != "" {
				t.Errorf("alone (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAccessors(t *testing.T) {
	r := parse(t, "metrics", `{"_os":"X"}`, "x", "y")
	if got := r.Metrics.Get("_os") + r.Metrics.Get("_nope"); got != "X" {
		t.Errorf("metrics: %q", got)
	}
	if got, ok := r.Other("x"); got != "y" || !ok {
		t.Errorf("other: %q %v", got, ok)
	}
	if _, ok := r.Other("events"); ok {
		t.Error("an absent parameter is found")
	}
	if got := request.Cut("aé", 2); got != "a" {
		t.Errorf("Cut = %q", got)
	}
}

// TestParseOwnsItsMemory changes the record after parsing.
func TestParseOwnsItsMemory(t *testing.T) {
	rec := &request.Record{Kind: request.Client, UserAgent: "UA", Params: []request.Param{
		param("device_id", "D"), param("events", `[{"key":"abc","segmentation":{"s":"v","l":[1]}}]`), param("metrics", `{"_os":"X"}`),
		param("user_details", `{"name":"N","custom":{"k":"v"}}`), param("crash", `{"_error":"x"}`), param("other", "o"), param("consent", `{"push":true}`), param("location", "1,2"),
	}}
	b := request.Append(nil, rec)
	var back request.Record
	if err := request.Decode(b, &back); err != nil {
		t.Fatal(err)
	}
	got, err := request.Parse(&back)
	if err != nil {
		t.Fatal(err)
	}
	want, err := request.Parse(rec)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		b[i] = '#'
	}
	if diff := cmp.Diff(want, got, cmpRequest); diff != "" {
		t.Errorf("after the input changed (-want +got):\n%s", diff)
	}
}

func TestHostileSizes(t *testing.T) {
	big := strings.Repeat("x", 10<<20)
	for name, params := range map[string][]string{
		"segment":  {"events", `[{"key":"a","segmentation":{"s":"` + big + `"}},{"key":"b"}]`},
		"numbers":  {"events", `[` + strings.Repeat("1,", 1<<20) + `{"key":"a"},{"key":"b"}]`},
		"nested":   {"events", `[` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + `,{"key":"a"},{"key":"b"}]`},
		"escapes":  {"events", `[{"key":"a"},{"key":"b","segmentation":{"s":"` + strings.Repeat(`\\`, 1<<20) + `"}}]`},
		"guessing": {"events", `[{"key":"a"},{"key":"b","segmentation":{"s":"` + strings.Repeat(`\"key\"`, 1<<18) + `"}}]`},
	} {
		t.Run(name, func(t *testing.T) {
			if r := parse(t, params...); len(r.Events) != 2 || r.Events[1].Key != "b" {
				t.Errorf("%d events", len(r.Events))
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	names := []string{"events", "user_details", "metrics", "consent", "crash", "location", "timestamp", "other"}
	for i, s := range []string{
		`[{"key":"a","count":2,"sum":1.5,"segmentation":{"s":"v","n":1,"l":[1],"o":{"x":1}}}]`,
		`{"name":"N","byear":1990,"custom":{"a":{"$inc":1},"b":"{$push: x}","c":[1,"x"]}}`,
		`{"_os":"Android","_app_version":"1.2"}`, `{"push":true}`, `{"_error":"x"}`, `1,2`, `1936515600123`, "x\x00\xff",
	} {
		f.Add(uint8(i), false, []byte(s))
		f.Add(uint8(i), true, []byte(s))
	}
	f.Fuzz(func(t *testing.T, which uint8, isJSON bool, value []byte) {
		rec := &request.Record{Kind: request.Client, Params: []request.Param{
			param("device_id", "D"), {Name: names[int(which)%len(names)], Value: value, JSON: isJSON},
		}}
		r, err := request.Parse(rec)
		if err != nil {
			t.Fatal(err)
		}
		checkText := func(s string, limit int) {
			if len(s) > limit || !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
				t.Errorf("text of %d bytes, limit %d: %q", len(s), limit, s)
			}
		}
		for _, e := range r.Events {
			checkText(e.Key, request.MaxEventKey)
			if e.Key == "" || e.Count < 1 || e.Dur < 0 || math.IsNaN(e.Sum) || math.IsInf(e.Sum, 0) || len(e.Segmentation) > request.MaxSegments {
				t.Errorf("event %+v", e)
			}
			for _, s := range e.Segmentation {
				checkText(s.Name, request.MaxSegmentName)
				checkText(s.Text, request.MaxSegmentValue)
				checkText(s.JSON, request.MaxRaw)
				if s.Name == "" || s.Kind == 0 {
					t.Errorf("segment %+v", s)
				}
			}
		}
		for _, m := range r.Metrics {
			checkText(m.Name, request.MaxMetricName)
			checkText(m.Value, request.MaxMetricValue)
		}
		if r.User != nil {
			checkText(r.User.Name.Value, request.MaxNamedProperty)
			for _, c := range r.User.Custom {
				checkText(c.Key, request.MaxPropertyKey)
				if c.Key == "" || c.Op == 0 || strings.ContainsAny(c.Key, ".$") || c.Op != request.OpUnset && c.Value == nil {
					t.Errorf("change %+v", c)
				}
				if s, ok := c.Value.(string); ok {
					checkText(s, request.MaxPropertyValue)
				}
			}
		}
		again, err := request.Parse(rec)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, again, cmpRequest, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("parsing twice differs:\n%s", diff)
		}
	})
}

func benchmarkParse(b *testing.B, events int) {
	b.Helper()
	var list []string
	for range events {
		list = append(list, `{"key":"checkout","count":1,"sum":19.99,"timestamp":1936515600123,"hour":9,"dow":3,"segmentation":{"plan":"pro","country":"DE","items":3,"coupon":false}}`)
	}
	rec := &request.Record{Kind: request.Client, UserAgent: "UA", Params: []request.Param{
		param("app_key", "K"), param("device_id", "D"), param("timestamp", "1936515600123"), param("hour", "9"), param("dow", "3"), param("tz", "120"),
		param("sdk_name", "javascript_native_web"), param("sdk_version", "23.12.1"), param("events", "["+strings.Join(list, ",")+"]"),
	}}
	payload := request.Append(nil, rec)
	b.ReportAllocs()
	var (
		back   request.Record
		parser request.Parser
	)
	for b.Loop() {
		if err := request.Decode(payload, &back); err != nil {
			b.Fatal(err)
		}
		if _, err := parser.Parse(&back); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkParse1(b *testing.B)  { benchmarkParse(b, 1) }
func BenchmarkParse10(b *testing.B) { benchmarkParse(b, 10) }
