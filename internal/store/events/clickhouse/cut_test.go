package clickhouse_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events"
	"quipu/internal/store/events/clickhouse"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/journal"
)

var errCut = errors.New("cut by the test")

// part is what one move of a partition brings: rows of three users of two apps, the first of which was merged into the second when offset is even.
func part(partition uint16, from, through uint64) *events.Batch {
	b := &events.Batch{Partition: partition, Watermark: journal.Watermark{partition: through}, Apps: map[model.AppID]*events.AppBatch{}}
	for n := range byte(2) {
		a := &events.AppBatch{Rewrites: map[uint32]uint32{}}
		for off := from; off <= through; off++ {
			place := journal.Position{Partition: partition, Offset: off}.Place()
			for item := range uint32(3) {
				text := fmt.Sprint("value ", off, item)
				r := events.Row{Offset: place, Item: item, Key: events.CustomKey, Name: "buy", UID: item + 1, State: uint32(off)}
				r.Text[3] = &text
				a.Rows = append(a.Rows, r)
				a.Requests = append(a.Requests, events.RequestRow{Offset: place, Item: item, UID: item + 1})
				a.Users = append(a.Users, &model.Profile{UID: item + 1, DID: text})
			}
			a.States = append(a.States, events.State{Number: uint32(off), Offset: place, UID: 3})
			if off%2 == 0 {
				a.Rewrites[1], a.Gone = 2, append(a.Gone, 1)
				a.Rewrites[100+uint32(off)] = 2 // who has no rows
			}
		}
		b.Apps[appOf(partition, n)] = a
	}
	return b
}

func appOf(partition uint16, n byte) model.AppID {
	return model.AppID{1, n, byte(partition >> 8), byte(partition), 11: 1}
}

// whole is what an app holds after the parts up to an offset.
func whole(partition uint16, through uint64) (c eventstest.Contents) {
	b := part(partition, 1, through).Apps[appOf(partition, 0)]
	to := func(uid *uint32) {
		if *uid == 1 && through >= 2 {
			*uid = 2
		}
	}
	for i := range b.Rows {
		to(&b.Rows[i].UID)
		to(&b.Requests[i].UID)
	}
	c = eventstest.Contents{Rows: b.Rows, Requests: b.Requests, States: b.States, Users: []uint32{2, 3}}
	return c
}

// TestCutAtEachStep ends a commit before and after each of its requests and each note in the ledger, as a process does that dies there. Another one goes on, with
// the same batch and one that follows: everything is there once.
func TestCutAtEachStep(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c, l := server.Client(t), newLedger("test")
	kinds := map[string]int{}
	for _, lost := range []bool{false, true} {
		for step, ended := 1, false; !ended; step++ {
			partition := uint16(2 * step) // few
			if lost {
				partition++
			}
			eventstest.Commit(t, open(t, c, l), part(partition, 1, 3))
			n, what, dying := 0, "", open(t, c, l)
			server.Faults(func(r chtest.Request) chtest.Fault {
				if n++; n != step {
					return chtest.None
				}
				what = strings.Join(strings.Fields(r.Text)[:3], " ")
				if lost {
					return chtest.Lost
				}
				return chtest.Cut
			})
			l.cut = func(call string, done bool) error {
				if done == lost {
					if n++; n == step {
						what = call
						return errCut
					}
				}
				return nil
			}
			err := dying.Commit(t.Context(), part(partition, 4, 6))
			server.Faults(nil)
			l.cut = nil
			if ended = n < step; ended != (err == nil) {
				t.Fatalf("step %d, lost %t: %v after %d steps", step, lost, err, n)
			}
			kinds[what]++
			s := open(t, c, l)
			least, err := s.Resumes(t.Context(), partition)
			if err != nil || least != 0 && least != 6 {
				t.Fatalf("the rest is up to %d, %v", least, err)
			}
			through := 6 + 2*(uint64(step)%2) // few
			own, err := s.Watermark(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			from := uint64(4)
			switch {
			case own[partition] == 6:
				from, through = 7, 8
			case least == 6:
				for _, other := range []uint64{5, 7} {
					if err := s.Commit(t.Context(), part(partition, 4, other)); fault.CodeOf(err) != "clickhouse.unfinished" {
						t.Errorf("a batch that ends at %d: %v", other, err)
					}
				}
				if err := s.DropApp(t.Context(), appOf(partition, 0), journal.Watermark{partition: 6}); fault.CodeOf(err) != "clickhouse.unfinished" {
					t.Errorf("a removal before: %v", err)
				}
				if own, err = s.Watermark(t.Context()); err != nil || own[partition] != 3 {
					t.Errorf("confirmed up to %d, %v", own[partition], err)
				}
				eventstest.Commit(t, s, part(partition, 4, 6))
				from = 7
			}
			for range 2 {
				if from <= through {
					eventstest.Commit(t, s, part(partition, from, through))
				}
			}
			for app := range byte(2) {
				if diff := cmp.Diff(whole(partition, through), eventstest.Dump(t, s, appOf(partition, app)), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("step %d (%s), lost %t, app %d, through %d (-want +got):\n%s", step, what, lost, app, through, diff)
				}
			}
		}
	}
	for _, want := range []string{"INSERT INTO events", "INSERT INTO requests", "INSERT INTO states", "INSERT INTO users", "INSERT INTO merged", "INSERT INTO apps", "version", "begin", "confirm"} {
		if kinds[want] < 2 && want != "INSERT INTO apps" {
			t.Errorf("%s was not cut: %v", want, kinds)
		}
	}
}

// TestOldHolder has a process that lost its partition send what it began, after the one that has it finished: nothing comes in twice, and what it
// knows of users does not count.
func TestOldHolder(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	l := newLedger("test")
	eventstest.Commit(t, open(t, c, l), part(1, 1, 3))
	old := newLedger("test") // what the old one believes
	old.noted[1] = events.Sending{Partition: 1, After: 3, Through: 6}
	old.own, old.version = l.own.Clone(), l.version+1
	s := open(t, c, l)
	if _, _, err := l.Begin(t.Context(), events.Sending{Partition: 1, After: 3, Through: 6}); err != nil {
		t.Fatal(err)
	}
	l.version += 5
	later := part(1, 4, 6)
	for _, a := range later.Apps {
		for _, u := range a.Users {
			u.DID = "later"
		}
	}
	eventstest.Commit(t, s, later)
	if err := open(t, c, old).Commit(t.Context(), part(1, 4, 6)); err != nil {
		t.Fatal(err)
	}
	s = open(t, c, l)
	if diff := cmp.Diff(whole(1, 6), eventstest.Dump(t, s, appOf(1, 0)), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var dids []string
	err := c.Each(t.Context(), ch.Statement{SQL: "SELECT did FROM users WHERE app = ?", Args: []any{appOf(1, 0).String()}, Settings: map[string]string{"final": "1"}}, func(b *ch.Block, row int) error {
		dids = append(dids, b.Columns[0].Text[row])
		return nil
	})
	if diff := cmp.Diff([]string{"later", "later"}, dids); err != nil || diff != "" {
		t.Errorf("users: %v\n%s", err, diff)
	}
}

// TestRowsDiffer finishes what was begun where ClickHouse has forgotten names and holds rows twice, or has lost rows: they are sent again.
func TestRowsDiffer(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c, l := server.Client(t), newLedger("test")
	synchronous := map[string]string{"mutations_sync": "2", "insert_deduplicate": "0"}
	for partition, wrong := range []string{"ALTER TABLE events DELETE WHERE item = 1", "INSERT INTO requests SELECT * FROM requests WHERE item = 2", "ALTER TABLE states DELETE WHERE state % 2 = 0"} {
		for _, retry := range []string{"", "before", "after", "between"} { // the process dies once more there, or another has taken over and finished meanwhile
			if retry != "" && partition > 0 {
				continue
			}
			p := uint16(10*partition + len(retry)) // few
			eventstest.Commit(t, open(t, c, l), part(p, 1, 3))
			eventstest.Commit(t, open(t, c, l), part(p, 4, 6))
			if err := c.Exec(t.Context(), ch.Statement{SQL: wrong, Settings: synchronous}); err != nil {
				t.Fatal(err)
			}
			l.own[p], l.noted[p] = 3, events.Sending{Partition: p, After: 3, Through: 6}
			retries := 0
			l.cut = func(call string, done bool) error {
				if call == "retry" && !done {
					retries++
				}
				if retry == "between" && retries == 2 { // one of three removals is done
					l.cut = nil
					return errors.Join(errCut, open(t, c, l).Commit(t.Context(), part(p, 4, 6)))
				}
				if call == "retry" && retry == map[bool]string{false: "before", true: "after"}[done] {
					return errCut
				}
				return nil
			}
			err := open(t, c, l).Commit(t.Context(), part(p, 4, 6))
			if (err == nil) != (retry == "") || err != nil && !errors.Is(err, errCut) {
				t.Fatal(err)
			}
			l.cut = nil
			s := open(t, c, l)
			if err := s.Commit(t.Context(), part(p, 4, 6)); err != nil {
				t.Fatal(err)
			}
			eventstest.Commit(t, s, part(p, 7, 7))
			// What came before the sending is not its own: the test's change of it stays.
			var n int64
			for _, table := range []string{"events", "requests", "states"} {
				after := journal.Position{Partition: p, Offset: 3}.Place()
				st := ch.Statement{SQL: "SELECT count() FROM " + table + " WHERE off > ? AND off <= ?", Args: []any{after, after + 4}}
				if err := c.Each(t.Context(), st, func(b *ch.Block, row int) error { n += b.Columns[0].Whole[row]; return nil }); err != nil {
					t.Fatal(err)
				}
			}
			if want := int64(2 * 4 * (3 + 3 + 1)); n != want {
				t.Errorf("%s, %q: %d rows, want %d", wrong, retry, n, want)
			}
		}
	}
}

// TestRefused has stores that cannot be opened, or only read.
func TestRefused(t *testing.T) {
	server := chtest.Start(t, chdbtest.Open(t))
	c := server.Client(t)
	steps, err := clickhouse.Plan(t.Context(), clickhouse.Options{Client: c})
	if err != nil || len(steps) != 1 {
		t.Errorf("plan: %v, %v", steps, err)
	}
	s := open(t, c, newLedger("one"), func(o *clickhouse.Options) { o.Hasty = false })
	eventstest.Commit(t, s, part(1, 1, 3))
	o := clickhouse.Options{Client: c, Ledger: newLedger("another"), Now: time.Now}
	if _, err := clickhouse.Open(t.Context(), o); fault.CodeOf(err) != "clickhouse.other_state" {
		t.Errorf("rows of another state: %v", err)
	}
	o.Ledger = nil
	reader, err := clickhouse.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !reader.HasApp(appOf(1, 0)) {
		t.Error("a reader does not see an app")
	}
	if diff := cmp.Diff(whole(1, 3), eventstest.Dump(t, reader, appOf(1, 1)), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("a reader (-want +got):\n%s", diff)
	}
	if err := reader.Commit(t.Context(), part(1, 4, 5)); err == nil {
		t.Error("a reader commits")
	}
	server.Stop()
	if err := s.Commit(t.Context(), part(1, 4, 5)); fault.CodeOf(err) != "clickhouse.unreachable" {
		t.Errorf("without a server: %v", err)
	}
	server.Resume(t)
	eventstest.Commit(t, s, part(1, 4, 5))
	if diff := cmp.Diff(whole(1, 5), eventstest.Dump(t, s, appOf(1, 0)), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("after that (-want +got):\n%s", diff)
	}
}
