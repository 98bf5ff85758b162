package app_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
	"quipu/internal/model"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	pebbleprofile "quipu/internal/store/profile/pebble"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/state"
	pebblestate "quipu/internal/store/state/pebble"
	"quipu/internal/verify"
)

// state opens the state of the rig's folder, whose server has ended.
func (r *rig) state(fn func(*kv.DB) error) {
	r.t.Helper()
	db, err := kv.Open(r.t.Context(), kv.Options{Dir: filepath.Join(r.cfg.Data, "state"), Merger: pebblerollup.Merger()})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := errors.Join(fn(db), db.Close()); err != nil {
		r.t.Fatal(err)
	}
}

// profiles changes the rig's profiles, if change is not nil, and returns them.
func (r *rig) profiles(change func(*model.Profile)) map[uint32]model.Profile {
	r.t.Helper()
	id, err := model.ParseID(r.id)
	if err != nil {
		r.t.Fatal(err)
	}
	out := map[uint32]model.Profile{}
	r.state(func(db *kv.DB) error {
		s, err := pebbleprofile.Open(db, pebbleprofile.Options{})
		if err != nil {
			return err
		}
		err = s.Scan(r.t.Context(), id, func(p *model.Profile) error {
			if change != nil {
				change(p)
			}
			out[p.UID] = *p
			return s.Put(id, p)
		})
		if err != nil {
			return err
		}
		c := state.Change{}
		var end func(committed bool)
		if c.Profiles, end, err = s.Flush(); err != nil {
			return err
		}
		c.OnEnd(end)
		committer, err := pebblestate.New(db)
		if err != nil {
			return err
		}
		return committer.Commit(r.t.Context(), &c)
	})
	return out
}

// visits makes users with sessions.
func (r *rig) visits(users int) {
	r.t.Helper()
	for n := range users {
		for i := range 3 {
			status, body, _ := r.get("/i", "app_key", "k", "device_id", fmt.Sprint("v", n), "begin_session", "1", "session_duration", fmt.Sprint(7*i+n),
				"events", `[{"key":"e"}]`, "end_session", "1", "ignore_cooldown", "true")
			if status != 200 {
				r.t.Fatalf("/i: %d %s", status, body)
			}
		}
	}
	if err := r.app.Flush(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

// TestRepairCounters damages every counter that rows tell, and expects it back.
func TestRepairCounters(t *testing.T) {
	t.Parallel()
	const users = 7
	whole := newRig(t, nil, app.Process{})
	whole.visits(users)
	whole.end()
	for name, harm := range map[string]func(*model.Profile){
		"too much": func(p *model.Profile) {
			p.Sessions, p.TotalDuration = p.Sessions+1, p.TotalDuration+0.5
			p.FirstSession, p.LastSession = p.FirstSession+1, p.LastSession+1
			p.FirstActivity, p.LastActivity = p.FirstActivity+1, p.LastActivity+1
			p.FirstSync++
		},
		"nothing": func(p *model.Profile) {
			p.Sessions, p.TotalDuration, p.FirstSession, p.LastSession, p.FirstActivity, p.LastActivity, p.LastSync = 0, 0, 0, 0, 0, 0, 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := whole.copied(t)
			want := r.profiles(nil)
			if len(want) != users || want[3].Sessions != 3 || want[3].TotalDuration == 0 {
				t.Fatalf("profiles %+v", want)
			}
			r.profiles(harm)
			report, err := app.Verify(t.Context(), r.cfg, r.proc, verify.Options{})
			if err != nil || report.OK() {
				t.Fatalf("damaged counters: %v, %+v", err, report)
			}
			done, err := app.Repair(t.Context(), r.cfg, r.proc, app.RepairOptions{})
			if err != nil {
				t.Fatal(err)
			}
			last := done.Stores[len(done.Stores)-1]
			if !strings.Contains(last.Done, fmt.Sprintf("counters of %d profiles", users)) || last.Lost != "" {
				t.Errorf("figures: %+v", last)
			}
			if report, err := app.Verify(t.Context(), r.cfg, r.proc, verify.Options{}); err != nil || !report.OK() {
				t.Errorf("after the repair: %v, %+v", err, report)
			}
			if diff := cmp.Diff(want, r.profiles(nil)); diff != "" {
				t.Errorf("profiles (-before the damage +repaired):\n%s", diff)
			}
		})
	}
}

// TestRepairKeepsCounters loses rows: counters that know more than what is left stay.
func TestRepairKeepsCounters(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, app.Process{})
	r.visits(3)
	r.end()
	want := r.profiles(nil)
	if err := os.Remove(filepath.Join(r.cfg.Data, "events.duckdb")); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Repair(t.Context(), r.cfg, r.proc, app.RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, r.profiles(nil)); diff != "" {
		t.Errorf("profiles (-before +after):\n%s", diff)
	}
}

// TestVerifyIsLoud makes stores unreadable in many ways. Verify must say so, with an error or a
// difference: it must never take what it cannot read for what agrees.
func TestVerifyIsLoud(t *testing.T) {
	t.Parallel()
	whole := newRig(t, nil, app.Process{})
	whole.visits(2)
	whole.end()
	garbage := func(prefix byte, suffix string) func(r *rig) error {
		return func(r *rig) error {
			id, err := model.ParseID(r.id)
			if err != nil {
				return err
			}
			r.state(func(db *kv.DB) error {
				b := db.NewBatch()
				defer b.Discard()
				return errors.Join(b.Set(append(kv.AppKey(prefix, id, 8), suffix...), []byte("\xfegarbage")), db.Commit(b))
			})
			return nil
		}
	}
	file := func(name string, do func(path string) error) func(*rig) error {
		return func(r *rig) error { return do(filepath.Join(r.cfg.Data, name)) }
	}
	spoil := func(path string) error {
		st, err := os.Stat(path)
		if err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		for at := int64(12 << 10); at < st.Size() && err == nil; at += 1 << 10 { // behind the headers, something in each block
			_, err = f.WriteAt([]byte("spoilt"), at)
		}
		return errors.Join(err, f.Close())
	}
	for _, tt := range []struct {
		name string
		harm func(*rig) error // nil = none, and all is well
		want string
	}{
		{"as it is", nil, ""},
		{"no folder", func(r *rig) error { return os.RemoveAll(r.cfg.Data) }, "not a data folder"},
		{"an empty folder", func(r *rig) error {
			return errors.Join(os.RemoveAll(r.cfg.Data), os.Mkdir(r.cfg.Data, 0o700))
		}, "not a data folder"},
		{"nothing but the lock", func(r *rig) error {
			return errors.Join(os.RemoveAll(filepath.Join(r.cfg.Data, "state")), os.Remove(filepath.Join(r.cfg.Data, "docs.sqlite")), os.Remove(filepath.Join(r.cfg.Data, "events.duckdb")))
		}, "has lost"},
		{"nothing but documents", func(r *rig) error {
			return errors.Join(os.RemoveAll(filepath.Join(r.cfg.Data, "state")), os.Remove(filepath.Join(r.cfg.Data, "events.duckdb")))
		}, "has lost state, events.duckdb"},
		{"no state", file("state", os.RemoveAll), "has lost"},
		{"no documents", file("docs.sqlite", os.Remove), "has lost"},
		{"no event store", file("events.duckdb", os.Remove), "has lost"},
		{"an empty state", file("state", func(path string) error { return errors.Join(os.RemoveAll(path), os.Mkdir(path, 0o700)) }), "state"},
		{"empty documents", file("docs.sqlite", func(path string) error { return os.Truncate(path, 0) }), "document store"},
		{"an empty event store", file("events.duckdb", func(path string) error { return os.Truncate(path, 0) }), ""},
		{"a damaged state", file("", damagedTable), ""},
		{"damaged documents", file("docs.sqlite", spoil), ""},
		{"a damaged event store", file("events.duckdb", spoil), ""},
		{"a schema that cannot be read", garbage(kv.PrefixSchema, "\x01\x00\x00\x00\x63"), "schema"},
		{"marks that cannot be read", garbage(kv.PrefixMarks, ""), "marks"},
		{"settings that cannot be read", garbage(kv.PrefixMarks, "s"), "settings"},
		{"sequences that cannot be read", garbage(kv.PrefixSequence, ""), "sequence"},
		{"a profile that cannot be read", garbage(kv.PrefixProfile, strings.Repeat("x", 20)), "profile"},
		{"a record that waits and cannot be read", func(r *rig) error {
			r.state(func(db *kv.DB) error {
				w, err := pebblejournal.LoadWatermark(t.Context(), db)
				b := db.NewBatch()
				defer b.Discard()
				key := binary.BigEndian.AppendUint64([]byte{kv.PrefixJournal, 0, 0}, w[0]+1)
				return errors.Join(err, b.Set(key, []byte("garbage garbage garbage")), db.Commit(b))
			})
			return nil
		}, "journal"},
		{"a cell that cannot be read", garbage(kv.PrefixRollup, "x"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := whole.copied(t)
			if tt.harm != nil {
				if err := tt.harm(r); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			report, err := app.Verify(ctx, r.cfg, app.Process{Shared: true}, verify.Options{})
			switch {
			case tt.harm == nil:
				if err != nil || !report.OK() {
					t.Fatalf("%v, %+v", err, report)
				}
			case err == nil && report.OK():
				t.Fatalf("passes: %+v", report)
			case errors.Is(err, context.DeadlineExceeded):
				t.Errorf("gives up without a reason: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %q; %+v", err, tt.want, report)
			default:
				t.Logf("%v", err)
			}
		})
	}
}
