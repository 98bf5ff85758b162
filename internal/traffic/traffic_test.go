package traffic_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"quipu/internal/traffic"
)

func generator(tb testing.TB, seed uint64) *traffic.Generator {
	tb.Helper()
	g, err := traffic.New(traffic.Config{
		Seed: seed, AppKey: "k", Users: 500, Start: time.Date(2031, 5, 14, 0, 0, 0, 0, time.UTC), SessionsPerDay: 5000,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// TestSameSeedSameTraffic holds two generators of a seed to the same bytes, and
// one of another seed to different ones.
func TestSameSeedSameTraffic(t *testing.T) {
	t.Parallel()
	var all [3][]byte
	for i, seed := range []uint64{7, 7, 8} {
		g := generator(t, seed)
		for range 2000 {
			all[i], _ = g.Next(all[i], traffic.Form)
		}
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Error("two generators of one seed differ")
	}
	if bytes.Equal(all[0], all[2]) {
		t.Error("another seed gives the same traffic")
	}
}

// TestRequestsAreWellFormed parses both formats and checks what the protocol
// asks for: order in time, sessions that begin before they end, as many events as told.
func TestRequestsAreWellFormed(t *testing.T) {
	t.Parallel()
	forms, items := generator(t, 3), generator(t, 3)
	open := map[string]int{}
	var last int64
	begins, ends, events := 0, 0, 0
	keys := map[string]int{}
	for range 5000 {
		form, info := forms.Next(nil, traffic.Form)
		item, again := items.Next(nil, traffic.Item)
		if info != again {
			t.Fatalf("formats disagree: %+v, %+v", info, again)
		}
		if info.TS < last {
			t.Fatalf("time runs back from %d to %d", last, info.TS)
		}
		last = info.TS
		v, err := url.ParseQuery(string(form))
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		var obj map[string]json.RawMessage
		if err := json.Unmarshal(item, &obj); err != nil {
			t.Fatalf("%s: %v", item, err)
		}
		if len(obj) != len(v) {
			t.Fatalf("item has %d members, form %d: %s", len(obj), len(v), item)
		}
		device := v.Get("device_id")
		if v.Get("begin_session") != "" {
			begins++
			open[device]++
			var m map[string]string
			if err := json.Unmarshal([]byte(v.Get("metrics")), &m); err != nil || m["_os"] == "" {
				t.Fatalf("metrics %s: %v", v.Get("metrics"), err)
			}
		} else if open[device] == 0 {
			t.Fatalf("request of %s outside of a session: %s", device, form)
		}
		if v.Get("end_session") != "" {
			ends++
			open[device]--
		}
		if list := v.Get("events"); list != "" {
			var evs []struct {
				Key       string
				Timestamp int64
			}
			if err := json.Unmarshal([]byte(list), &evs); err != nil || len(evs) != info.Events {
				t.Fatalf("%d events, %v: %s", len(evs), err, list)
			}
			events += len(evs)
			for _, e := range evs {
				keys[e.Key]++
			}
		}
	}
	if begins < 500 || ends < 500 || len(keys) < 20 || keys["Open Product"] < 3*keys["Tap Offer"] {
		t.Errorf("%d begins, %d ends, %d keys, %v", begins, ends, len(keys), keys)
	}
	if mean := float64(events) / float64(begins); mean < 6 || mean > 12 {
		t.Errorf("%.1f events a session, want about 9", mean)
	}
}

func BenchmarkNext(b *testing.B) {
	g := generator(b, 1)
	var buf []byte
	events := 0
	for b.Loop() {
		var info traffic.Info
		buf, info = g.Next(buf[:0], traffic.Item)
		events += info.Events
		b.SetBytes(int64(len(buf)))
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}
