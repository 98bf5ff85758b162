package duck_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// The schema of format 1, in which every app has four tables of its own.
const (
	globalsOf1 = `CREATE TABLE format (version INTEGER NOT NULL); INSERT INTO format VALUES (1);
		CREATE TABLE watermark (part USMALLINT NOT NULL, off UBIGINT NOT NULL);
		CREATE TABLE progress (app VARCHAR NOT NULL, part USMALLINT NOT NULL, off UBIGINT NOT NULL);`
	tablesOf1 = `CREATE TABLE e_ID ("off" UBIGINT, "item" UINTEGER, "ts" BIGINT, "received" BIGINT, "e" VARCHAR, "n" VARCHAR, "uid" UINTEGER, "session" UBIGINT,
			"state" UINTEGER, "c" BIGINT, "s" DOUBLE, "dur" DOUBLE, "hour" TINYINT, "dow" TINYINT, "s1" VARCHAR, "s2" VARCHAR, "s3" VARCHAR, "s4" VARCHAR,
			"s5" VARCHAR, "s6" VARCHAR, "s7" VARCHAR, "s8" VARCHAR, "s9" VARCHAR, "s10" VARCHAR, "s11" VARCHAR, "s12" VARCHAR, "s13" VARCHAR, "s14" VARCHAR,
			"s15" VARCHAR, "s16" VARCHAR, "n1" DOUBLE, "n2" DOUBLE, "n3" DOUBLE, "n4" DOUBLE, "n5" DOUBLE, "n6" DOUBLE, "n7" DOUBLE, "n8" DOUBLE, "extra" VARCHAR);
		CREATE TABLE r_ID ("off" UBIGINT, "item" UINTEGER, "ts" BIGINT, "received" BIGINT, "uid" UINTEGER, "flags" USMALLINT, "dur" DOUBLE);
		CREATE TABLE st_ID ("state" UINTEGER, "off" UBIGINT, "uid" UINTEGER, "props" VARCHAR);
		CREATE TABLE u_ID ("uid" UINTEGER, "_id" VARCHAR, "did" VARCHAR, "cc" VARCHAR, "rgn" VARCHAR, "cty" VARCHAR, "lat" DOUBLE, "lng" DOUBLE, "d" VARCHAR,
			"dt" VARCHAR, "mnf" VARCHAR, "p" VARCHAR, "pv" VARCHAR, "av" VARCHAR, "r" VARCHAR, "c" VARCHAR, "dnst" VARCHAR, "la" VARCHAR, "src" VARCHAR,
			"brw" VARCHAR, "brwv" VARCHAR, "sdk" VARCHAR, "fs" BIGINT, "ls" BIGINT, "fac" BIGINT, "lac" BIGINT, "first_sync" BIGINT, "last_sync" BIGINT,
			"sc" BIGINT, "sd" DOUBLE, "tsd" DOUBLE, "name" VARCHAR, "username" VARCHAR, "email" VARCHAR, "organization" VARCHAR, "phone" VARCHAR,
			"gender" VARCHAR, "byear" BIGINT, "picture" VARCHAR, "hasInfo" BOOLEAN, "state" UINTEGER, "custom" VARCHAR, "consent" VARCHAR, "cmp" VARCHAR, "extra" VARCHAR);`
)

// format1 makes a file of format 1 with apps of three event rows each, and a large one. It returns what each app holds.
func format1(t *testing.T, path string, small int, large model.AppID) map[model.AppID]eventstest.Contents {
	t.Helper()
	db, err := sql.Open("duckdb", path+"?default_block_size=65536&storage_compatibility_version=v1.5.0")
	if err != nil {
		t.Fatal(err)
	}
	run := func(statements string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statements, args...); err != nil {
			t.Fatal(err)
		}
	}
	db.SetMaxOpenConns(1)
	run("BEGIN")
	run(globalsOf1 + "INSERT INTO watermark VALUES (0, 100);")
	out := map[model.AppID]eventstest.Contents{}
	for i := range small + 1 {
		id, rows := model.AppID{3, byte(i >> 8), byte(i)}, 3
		if i == small {
			id, rows = large, 40_000
		}
		run(strings.ReplaceAll(tablesOf1, "ID", id.String()))
		var c eventstest.Contents
		run(fmt.Sprintf(`INSERT INTO e_%[1]s (off, item, ts, received, e, n, uid, session, state, c, s, dur, hour, dow, s2, n8, extra)
			SELECT i + 1, 0, i, i, '[CLY]_custom', 'of %[1]s', 1 + i %% 2, 0, 1, 1, 0.5, 0, -1, -1, 'text of %[1]s', i, '{"x":%[2]d}' FROM range(%[3]d) AS r(i);
			INSERT INTO r_%[1]s SELECT i + 1, 0, i, i, 1 + i %% 2, 8, 1.5 FROM range(%[3]d) AS r(i);
			INSERT INTO st_%[1]s VALUES (1, 1, 1, '{"custom.of":"%[1]s"}');
			INSERT INTO u_%[1]s (uid, _id, did) VALUES (1, 'x', 'first of %[1]s'), (2, 'y', NULL);`, id, i, rows))
		for j := range rows {
			r := events.Row{
				Offset: uint64(j) + 1, TS: int64(j), Received: int64(j), Key: events.CustomKey, Name: "of " + id.String(), UID: uint32(1 + j%2), State: 1, Count: 1,
				Sum: 0.5, Hour: -1, Dow: -1, Extra: fmt.Sprintf(`{"x":%d}`, i),
			}
			r.Text[1], r.Num[7] = new("text of "+id.String()), new(float64(j))
			c.Rows = append(c.Rows, r)
			c.Requests = append(c.Requests, events.RequestRow{Offset: uint64(j) + 1, TS: int64(j), Received: int64(j), UID: uint32(1 + j%2), Flags: 8, Dur: 1.5})
		}
		c.States = []events.State{{Number: 1, Offset: 1, UID: 1, JSON: `{"custom.of":"` + id.String() + `"}`}}
		c.Users = []uint32{1, 2}
		out[id] = c
	}
	run("COMMIT")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestVolumeFormat1 opens a file of the format before shared tables, crashing while its apps are moved.
func TestVolumeFormat1(t *testing.T) {
	t.Parallel()
	const small = 150 // so that they move in three transactions
	path := filepath.Join(t.TempDir(), "events.duckdb")
	large := model.AppID{0xff}
	want := format1(t, path, small, large)
	same := func(s *duck.Store, each byte) (own int) { // the rows of every each-th small app and of the large one are compared
		t.Helper()
		for id, c := range want {
			if id == large || id[2]%each == 0 {
				if got := eventstest.Dump(t, s, id); !reflect.DeepEqual(c, got) { // which takes a tenth of cmp's time
					t.Fatalf("app %s (-want +got):\n%s", id, cmp.Diff(c, got))
				}
			}
			if s.Own(id) {
				own++
			}
		}
		w, err := s.Watermark(t.Context())
		if err != nil || w[0] != 100 {
			t.Fatalf("watermark is %v, %v", w, err)
		}
		return own
	}
	// The process ends in the middle of the second transaction; what the first one moved stays.
	broken := errors.New("injected")
	for crash := range 2 {
		n := 0
		err := duck.OpenFault(t.Context(), duck.Options{Path: path, Threads: 2}, func(point string) error {
			if point == "gather" {
				n++
			}
			if n > 1 {
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) {
			t.Fatal(err)
		}
		s := open(t, duck.Options{Path: path, OwnRows: 1}) // moves nothing
		if got, left := same(s, 7), small+1-64*(crash+1); got != left {
			t.Errorf("%d apps have tables of their own after crash %d, want %d", got, crash+1, left)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, duck.Options{Path: path})
	if own := same(s, 1); own != 1 || !s.Own(large) {
		t.Errorf("%d apps have tables of their own, the large one: %v", own, s.Own(large))
	}
	tables := 0
	if err := s.Ask(t.Context(), "SELECT count(*) FROM duckdb_tables()", func(r events.Scanner) error { return r.Scan(&tables) }); err != nil || tables != 15 {
		t.Errorf("%d tables, %v; want 5 for the large app, 4 shared ones and 6 others", tables, err)
	}
	some := model.AppID{3, 0, 7}
	eventstest.Commit(t, s, eventstest.Batch(101, some, &events.AppBatch{Rows: []events.Row{{Offset: 101, Key: "k", UID: 2}}, Rewrites: map[uint32]uint32{1: 2}, Gone: []uint32{1}}))
	c := want[some]
	for i := range c.Rows {
		c.Rows[i].UID = 2
		c.Requests[i].UID = 2
	}
	c.States[0].UID = 2
	c.Rows, c.Users = append(c.Rows, events.Row{Offset: 101, Key: "k", UID: 2}), []uint32{2}
	for id, c := range map[model.AppID]eventstest.Contents{some: c, {3, 0, 8}: want[model.AppID{3, 0, 8}]} {
		if diff := cmp.Diff(c, eventstest.Dump(t, s, id)); diff != "" {
			t.Errorf("app %s after a merge (-want +got):\n%s", id, diff)
		}
	}
}

// TestReadsOverPromotion reads an app while it gets tables of its own: no read misses a row that was there when it began,
// and what is left in the shared tables goes.
func TestReadsOverPromotion(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), OwnRows: 250, Readers: 8})
	ctx := t.Context()
	apps := []model.AppID{{1}, {2}, {3}, {4}}
	done := make(chan error, len(apps))
	for _, id := range apps {
		go func() {
			var last int64
			for last < 500 {
				n, err := s.Count(ctx, id, events.RowFilter{})
				if err == nil && n < last {
					err = fmt.Errorf("app %s has %d rows, but had %d before", id, n, last)
				}
				if err != nil {
					done <- err
					return
				}
				last = n
			}
			done <- nil
		}()
	}
	for off := uint64(1); off <= 50; off++ {
		eventstest.Commit(t, s, batch(off, 10, apps...))
	}
	for range apps {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	eventstest.Commit(t, s, batch(51, 1, model.AppID{5})) // nobody reads now
	left := -1
	statement := "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM retired) * 1000"
	if err := s.Ask(ctx, statement, func(r events.Scanner) error { return r.Scan(&left) }); err != nil || left != 1 {
		t.Errorf("%d rows and retired numbers are left in shared tables, %v; want one row", left, err)
	}
	for _, id := range apps {
		if !s.Own(id) {
			t.Errorf("app %s has no tables of its own", id)
		}
		exactlyRows(t, s, id, 500)
	}
	// An app that is dropped and comes back gets another number.
	if err := s.DropApp(ctx, model.AppID{5}, eventstest.At(52)); err != nil {
		t.Fatal(err)
	}
	eventstest.Commit(t, s, batch(53, 2, model.AppID{6}))
	exactlyRows(t, s, model.AppID{6}, 2)
	numbers := ""
	statement = "SELECT string_agg(DISTINCT app::VARCHAR, ' ') FROM events"
	if err := s.Ask(ctx, statement, func(r events.Scanner) error { return r.Scan(&numbers) }); err != nil || numbers != "6" {
		t.Errorf("rows of numbers %s, %v; want 6 as each number is given once", numbers, err)
	}
}

func exactlyRows(t *testing.T, s *duck.Store, id model.AppID, want int64) {
	t.Helper()
	if n, err := s.Count(context.Background(), id, events.RowFilter{}); err != nil || n != want {
		t.Errorf("app %s has %d rows, %v; want %d", id, n, err, want)
	}
}
