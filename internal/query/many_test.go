package query_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// TestManyValues reads a metric with more values than a document holds: those with most sessions have
// entries of their own, the others one together, in which everybody counts once.
func TestManyValues(t *testing.T) {
	t.Parallel()
	changes := &pebblerollup.Changes{}
	db, err := kv.Open(t.Context(), kv.Options{Dir: t.TempDir(), Merger: pebblerollup.Merger(), Watch: changes.Watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	write := func(d rollup.Delta) {
		t.Helper()
		b := db.NewBatch()
		defer b.Discard()
		if err := pebblerollup.Write(b.Pebble(), testApp, d); err != nil {
			t.Fatal(err)
		}
		if err := db.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	const extra = 30
	first, second := period.DayOf(2031, 5, 13), period.DayOf(2031, 5, 14)
	// add counts a session of a user under a value on a day.
	add := func(d rollup.Delta, m rollup.Metric, day period.Day, value string, offset uint64, sessions int64, uid uint32) {
		c := rollup.Cell{First: offset, Count: sessions, New: 1}
		c.AddUser(uid)
		for _, k := range []rollup.Key{{Grain: rollup.Day, Bucket: rollup.Bucket(day)}, {Grain: rollup.Month, Bucket: rollup.Bucket(day.Month())}} {
			k.Series, k.Value = rollup.Series{Metric: m}, value
			d.At(k).Merge(&c)
		}
	}
	delta := rollup.Delta{}
	for i := range query.MaxValues { // two sessions each
		add(delta, rollup.AppVersions, second, fmt.Sprintf("1:%d", i), uint64(100+i), 2, uint32(i+1))
	}
	for i := range extra { // one session each, of 7 users on either day
		add(delta, rollup.AppVersions, first, fmt.Sprintf("0:%d", i), uint64(10+i), 1, uint32(1+i%7))
		add(delta, rollup.AppVersions, second, fmt.Sprintf("0:%d", i), uint64(10+i), 0, uint32(1+i%7))
	}
	add(delta, rollup.AppVersions, second, rollup.Other, 5, 3, 5000)
	add(delta, rollup.OS, second, "iOS", 1, 1, 1)
	add(delta, rollup.OSVersions, second, "1:7", 1, 1, 9999) // shares its entry with an app version
	write(delta)

	cal := period.NewCalendar(nil)
	p, err := period.Parse("30days", time.UnixMilli(cal.DayStart(second)+1000), cal)
	if err != nil {
		t.Fatal(err)
	}
	store := pebblerollup.NewStore(db.Reader(), rollup.NoAliases{})
	for name, q := range map[string]*query.Query{
		"plain": query.New(query.Plain(store), &memory{cal: cal}), "remembering": query.New(query.Remember(store.Watched(changes), 64<<20), &memory{cal: cal}).Within(ample()),
	} {
		for again := range 3 {
			text, err := q.MetricDocument(t.Context(), testApp, "device_details", p, query.Whole)
			if err != nil {
				t.Fatal(err)
			}
			var doc map[string]map[string]json.RawMessage
			if err := json.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
			type figures struct{ N, T, U int64 }
			level := func(path ...string) map[string]figures {
				t.Helper()
				raw := doc["2031"]
				for _, key := range path {
					var next map[string]json.RawMessage
					if err := json.Unmarshal(raw[key], &next); err != nil {
						t.Fatalf("%s, %v: %v", name, path, err)
					}
					raw = next
				}
				out := map[string]figures{}
				for key, v := range raw {
					var f figures
					if json.Unmarshal(v, &f) == nil && !slices.Contains([]string{"5", "13", "14", "w20"}, key) {
						out[key] = f
					}
				}
				return out
			}
			const others = extra + 3
			for _, at := range []struct {
				path         []string
				entries      int
				other, seven figures
			}{
				{nil, query.MaxValues + 2, figures{2*extra + 1, others, 8}, figures{2, 3, 2}},
				{[]string{"5"}, query.MaxValues + 2, figures{2*extra + 1, others, 8}, figures{2, 3, 2}},
				{[]string{"5", "13"}, 1, figures{extra, extra, 7}, figures{}},
				{[]string{"5", "14"}, query.MaxValues + 2, figures{1, 3, 1}, figures{2, 3, 2}},
				{[]string{"w20"}, query.MaxValues + 2, figures{U: 8}, figures{U: 2}},
			} {
				got := level(at.path...)
				if len(got) != at.entries || got[rollup.Other] != at.other || got["1:7"] != at.seven {
					t.Errorf("%s %d, %v: %d entries, other %+v, shared %+v; want %d, %+v, %+v", name, again, at.path, len(got), got[rollup.Other], got["1:7"], at.entries, at.other, at.seven)
				}
			}
			var versions []string
			if err := json.Unmarshal(doc["meta"]["app_versions"], &versions); err != nil || len(versions) != query.MaxValues+1 || versions[0] != rollup.Other {
				t.Errorf("%s %d: %d versions, first %q, %v", name, again, len(versions), versions[:1], err)
			}

			rows, err := q.MetricRows(t.Context(), testApp, rollup.AppVersions, p)
			if err != nil {
				t.Fatal(err)
			}
			if len(rows) != query.MaxValues+1 {
				t.Errorf("%s %d: %d rows", name, again, len(rows))
			}
			if diff := cmp.Diff(query.MetricRow{ID: rollup.Other, Sessions: others, New: 2*extra + 1, Users: 8}, rows[0]); diff != "" {
				t.Errorf("%s %d, first row (-want +got):\n%s", name, again, diff)
			}
		}
	}
	t.Log(strconv.Itoa(len(delta)), "cells")
}
