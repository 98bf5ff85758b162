package duck_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/journal"
)

// TestScrub deletes a user and looks for what the rows held in the bytes of the file.
func TestScrub(t *testing.T) {
	t.Parallel()
	const secret = "device-of-the-erased-0815"
	for name, tt := range map[string]struct {
		rows  int    // in the table of events
		whose string // condition on i, of the user's rows
		own   int64  // Options.OwnRows
	}{
		"one row group":                {3000, "i % 100 = 7", 0},
		"one row group of its own":     {3000, "i % 100 = 7", 1},
		"rows left in shared tables":   {3000, "i % 100 = 7", 5},
		"everywhere":                   {300_000, "i % 1000 = 7", 1},
		"everywhere in a shared table": {300_000, "i % 1000 = 7", 0},
		"in the last row group":        {300_000, "i >= 290000 AND i % 10 = 7", 1},
		"in all but the last group":    {300_000, "i < 240000 AND i % 1000 = 7", 1},
		"the first row only":           {300_000, "i = 0", 1},
		"nowhere":                      {3000, "false", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			path := filepath.Join(t.TempDir(), "events.duckdb")
			s := open(t, duck.Options{Path: path, OwnRows: tt.own})
			a, other := model.AppID{1}, model.AppID{2}
			run := func(format string, args ...any) {
				t.Helper()
				if err := duck.Statement(s, fmt.Sprintf(format, args...)); err != nil {
					t.Fatal(err)
				}
			}
			has := func() int {
				t.Helper()
				return count(t, path, secret) + count(t, path+".wal", secret)
			}
			run("SET GLOBAL force_compression = 'uncompressed'") // so that text stands in the file as it is
			users := func(from uint64) {
				t.Helper()
				for off := from; off < from+3; off++ { // each time the mirrored rows are replaced
					eventstest.Commit(t, s, &events.Batch{Watermark: journal.Watermark{0: off}, Apps: map[model.AppID]*events.AppBatch{
						a: {
							Users:    []*model.Profile{{UID: 7, DID: secret, Email: fmt.Sprintf("%s-%d", secret, off)}, {UID: 8, DID: "d8"}},
							States:   []events.State{{Number: uint32(off), Offset: off, UID: 7, JSON: `{"custom.x":"` + secret + `"}`}},
							Requests: []events.RequestRow{{Offset: off, UID: 7}, {Offset: off, Item: 1, UID: 8}},
						},
						other: {Users: []*model.Profile{{UID: 7, DID: "other"}}},
					}})
				}
			}
			users(1)
			if err := s.Checkpoint(ctx); err != nil {
				t.Fatal(err)
			}
			users(4)
			insertRows(t, s, a, "off, item, ts, received, e, uid, session, state, c, s, dur, hour, dow, s1",
				fmt.Sprintf("0, i, i, i, 'k', CASE WHEN %s THEN 7 ELSE 8 END, 1, 1, 1, 0, 0, 0, 0, CASE WHEN %[1]s THEN '%[2]s' ELSE 'other ' || i END FROM range(%[3]d) AS r(i)",
					tt.whose, secret, tt.rows))
			if err := s.Checkpoint(ctx); err != nil {
				t.Fatal(err)
			}
			if has() == 0 {
				t.Fatal("the user is not in the file before, so the test can tell nothing")
			}
			if err := s.DeleteUsers(ctx, a, []uint32{7}, journal.Watermark{0: 7}); err != nil {
				t.Fatal(err)
			}
			want := digest(t, s, a)
			if err := s.Scrub(ctx, a); err != nil {
				t.Fatal(err)
			}
			if n := has(); n > 0 {
				t.Errorf("the user is found %d times in the file", n)
			}
			if d := cmp.Diff(want, digest(t, s, a)); d != "" {
				t.Errorf("rows of others (-before +after):\n%s", d)
			}
			if err := s.Scrub(ctx, other); err != nil { // with nothing to do
				t.Fatal(err)
			}
			users(8) // the store works on
			if got := digest(t, s, a)[3]; got == want[3] {
				t.Error("the user does not come back in the users table")
			}
		})
	}
}

// digest tells the contents of an app's tables apart.
func digest(t *testing.T, s *duck.Store, a model.AppID) [4]string {
	t.Helper()
	var out [4]string
	for i, table := range []string{"{events}", "{requests}", "{states}", "{users}"} {
		err := s.Query(t.Context(), a, "SELECT count(*) || ' rows, ' || coalesce(bit_xor(hash(x::VARCHAR)), 0) FROM "+table+" AS x", nil,
			func(r events.Scanner) error { return r.Scan(&out[i]) })
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestScrubWaitsForCopies tries to scrub while the store is copied.
func TestScrubWaitsForCopies(t *testing.T) {
	t.Parallel()
	s := open(t, duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb")})
	a := model.AppID{1}
	eventstest.Commit(t, s, batch(1, 5, a))
	_, release, err := s.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Scrub(t.Context(), a); err == nil {
		t.Error("the file was changed during the copy")
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if err := s.Scrub(t.Context(), a); err != nil {
		t.Error(err)
	}
}

// count counts a text in a file, which may be absent, with a buffer that is small: the race detector keeps note of each byte that is read.
func count(t *testing.T, path, text string) (n int) {
	t.Helper()
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	buf, kept := make([]byte, 64<<10), 0
	for {
		read, err := f.Read(buf[kept:])
		part := buf[:kept+read]
		n += bytes.Count(part, []byte(text))
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		kept = copy(buf, part[max(0, len(part)-len(text)+1):]) // too short for a whole one
	}
}
