package pipeline_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/request"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
)

// TestExample is the example of the protocol: X begins, sends 20 s, ends; Y
// sends a bare request, begins, begins again.
func TestExample(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	w.send(t,
		req(&utcApp, "X", noon, "begin_session", "1"),
		req(&utcApp, "X", noon+20_000, "session_duration", "20"),
		req(&utcApp, "X", noon+21_000, "end_session", "1"),
		req(&utcApp, "Y", noon+22_000),
		req(&utcApp, "Y", noon+23_000, "begin_session", "1"),
		req(&utcApp, "Y", noon+24_000, "begin_session", "1"),
	)
	got := map[string]map[string]string{
		"users": w.day(t, &utcApp, rollup.Users, "", noon, totals),
		"f":     w.day(t, &utcApp, rollup.Frequency, "", noon, counts),
		"ds":    w.day(t, &utcApp, rollup.Durations, "", noon, counts),
	}
	want := map[string]map[string]string{
		"users": {"": "e:6 t:3 n:2 u:2 d:20"},
		"f":     {"0": "2", "1": "1"},
		"ds":    {"0": "1", "1": "1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	begin, end, dur := "begin_session", "end_session", "session_duration"
	at := func(sec int64, pairs ...string) request.Record { return req(&utcApp, "X", noon+sec*1000, pairs...) }
	tests := []struct {
		name     string
		requests []request.Record
		users    string // "" = no cell
		f, ds    map[string]string
		outcomes map[string]string
	}{
		{
			"nothing but events",
			[]request.Record{at(0, "events", `[{"key":"a"}]`)},
			"e:1 t:0 n:0 u:0 d:0", nil, nil,
			map[string]string{"request/accepted": "1", "event/accepted": "1"},
		},
		{
			"end of a device never seen",
			[]request.Record{at(0, end, "1", dur, "20")},
			"", nil, nil,
			map[string]string{"request/unknown_device_end": "1"},
		},
		{
			"end of a device never seen with an event",
			[]request.Record{at(0, end, "1", "events", `[{"key":"a"}]`)},
			"e:1 t:0 n:0 u:0 d:0", nil, nil,
			map[string]string{"request/accepted": "1", "event/accepted": "1"},
		},
		{
			"duration of a device never seen",
			[]request.Record{at(0, dur, "20")},
			"e:1 t:0 n:0 u:0 d:20", nil, nil,
			map[string]string{"request/accepted": "1"},
		},
		{
			"duration after the end counts no length",
			[]request.Record{at(0, begin, "1"), at(5, end, "1", dur, "5"), at(60, dur, "50")},
			"e:3 t:1 n:1 u:1 d:55",
			map[string]string{"0": "1"},
			map[string]string{"0": "1"},
			map[string]string{"request/accepted": "3", "session/accepted": "1"},
		},
		{
			"end without an open session",
			[]request.Record{at(0, begin, "1"), at(5, end, "1"), at(6, end, "1")},
			"e:3 t:1 n:1 u:1 d:0",
			map[string]string{"0": "1"},
			map[string]string{"0": "1"},
			map[string]string{"request/accepted": "3", "session/accepted": "1"},
		},
		{
			"duration over the cap, negative and no number",
			[]request.Record{at(0, begin, "1"), at(1, dur, "121"), at(2, dur, "-5"), at(3, dur, "abc"), at(4, end, "1")},
			"e:5 t:1 n:1 u:1 d:120",
			map[string]string{"0": "1"},
			map[string]string{"3": "1"},
			map[string]string{"request/accepted": "5", "session/accepted": "1"},
		},
		{
			"cooldown continues and corrects the length",
			[]request.Record{at(0, begin, "1"), at(9, end, "1", dur, "9"), at(24, begin, "1"), at(60, dur, "36"), at(61, end, "1")},
			"e:5 t:1 n:1 u:1 d:45",
			map[string]string{"0": "1"},
			map[string]string{"0": "0", "2": "1"},
			map[string]string{"request/accepted": "5", "session/accepted": "1", "session/session_cooldown": "1"},
		},
		{
			"cooldown ignored",
			[]request.Record{at(0, begin, "1"), at(9, end, "1"), at(10, begin, "1", "ignore_cooldown", "true")},
			"e:3 t:2 n:1 u:1 d:0",
			map[string]string{"0": "1", "1": "1"},
			map[string]string{"0": "1"},
			map[string]string{"request/accepted": "3", "session/accepted": "2"},
		},
		{
			"begin, duration and end in one request",
			[]request.Record{at(0, begin, "1", dur, "15", end, "1")},
			"e:1 t:1 n:1 u:1 d:15",
			map[string]string{"0": "1"},
			map[string]string{"1": "1"},
			map[string]string{"request/accepted": "1", "session/accepted": "1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := running(t, nil)
			w.send(t, tt.requests...)
			if tt.f == nil {
				tt.f = map[string]string{}
			}
			if tt.ds == nil {
				tt.ds = map[string]string{}
			}
			got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]
			if got != tt.users {
				t.Errorf("users: got %q, want %q", got, tt.users)
			}
			if diff := cmp.Diff(tt.f, w.day(t, &utcApp, rollup.Frequency, "", noon, counts)); diff != "" {
				t.Errorf("frequency (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.ds, w.day(t, &utcApp, rollup.Durations, "", noon, counts)); diff != "" {
				t.Errorf("durations (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.outcomes, w.outcomes(t, &utcApp, noon)); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSessionRows checks the rows of sessions, and into which session events fall.
func TestSessionRows(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	w.send(t,
		req(&utcApp, "X", noon, "events", `[{"key":"before"}]`),
		req(&utcApp, "X", noon+1000, "begin_session", "1", "events", `[{"key":"first"}]`, "hour", "9", "dow", "3",
			"country_code", "DE", "city", "Bonn", "sdk_name", "web", "sdk_version", "1", "metrics",
			`{"_os":"iOS","_os_version":"17.2","_device":"iPhone","_device_type":"mobile","_manufacturer":"Apple","_resolution":"1x2","_density":"3x",`+
				`"_carrier":"blue","_app_version":"1.0","_locale":"de_DE","_browser":"B","_browser_version":"2","_store":"shop"}`),
		req(&utcApp, "X", noon+9000, "session_duration", "8", "end_session", "1", "events", `[{"key":"last"}]`),
		req(&utcApp, "X", noon+10_000, "events", `[{"key":"between"}]`),
		req(&utcApp, "X", noon+20_000, "begin_session", "1", "events", `[{"key":"continued"}]`),
		req(&utcApp, "X", noon+30_000, "session_duration", "30", "end_session", "1"),
		req(&utcApp, "X", noon+25*3_600_000, "begin_session", "1"),
	)
	rows := w.events.rows(&utcApp)
	var got []string
	for i := range rows {
		r := &rows[i]
		line := fmt.Sprintf("%s%s s%d c%d d%v", r.Key, r.Name, r.Session, r.Count, r.Dur)
		for _, name := range []string{"frequency", "is_new", "seconds", "closed_seconds", "closed_at"} {
			if v := w.property(&utcApp, r, r.Key, name); v != "" {
				line += " " + name + "=" + v
			}
		}
		got = append(got, line)
	}
	want := []string{
		"[CLY]_custombefore s0 c1 d0",
		"[CLY]_session_begin s2 c1 d0 frequency=0 is_new=1",
		"[CLY]_customfirst s2 c1 d0",
		"[CLY]_session s2 c1 d8 seconds=8",
		"[CLY]_customlast s2 c1 d0",
		"[CLY]_custombetween s0 c1 d0",
		"[CLY]_customcontinued s2 c1 d0",
		"[CLY]_session s2 c0 d30 seconds=38 closed_seconds=8 closed_at=1936612809000",
		"[CLY]_session_begin s7 c1 d0 frequency=2 is_new=0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	var dims []string
	for _, v := range rows[1].Text {
		if v == nil {
			dims = append(dims, "-")
			continue
		}
		dims = append(dims, *v)
	}
	wantDims := []string{
		"DE", "Bonn", "iOS", "i17:2", "iPhone", "mobile", "Apple", "1x2", "3x", "Blue", "1:0", "de", "B", "[B]_2", "shop", "[web]_1",
	}
	if diff := cmp.Diff(wantDims, dims); diff != "" {
		t.Errorf("dimensions (-want +got):\n%s", diff)
	}
	if rows[1].Hour != 9 || rows[1].Dow != 3 {
		t.Errorf("clock %d/%d", rows[1].Dow, rows[1].Hour)
	}
	var flags []uint16
	for _, offset := range []uint64{1, 2, 3, 4, 5, 6, 7} {
		flags = append(flags, w.events.of(utcApp.ID).requests[offset].Flags)
	}
	const counted = events.RequestCounted
	ended := counted | events.RequestEnd | events.RequestDuration
	if diff := cmp.Diff([]uint16{counted, counted | events.RequestBegin, ended, counted, counted, ended, counted | events.RequestBegin}, flags); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
}
