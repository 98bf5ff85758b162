package query_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/outbox"
)

// looking notes whether texts of users were looked at by the store.
type looking struct {
	events.Reader
	looked atomic.Bool
}

// Run implements events.Reader.
func (l *looking) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	if strings.Contains(q.String(), "username") {
		l.looked.Store(true)
	}
	return l.Reader.Run(ctx, q, fn)
}

// TestHeldTexts compares searches among users with those that read the texts of all, while profiles are written, merged and deleted, and with room for the texts and for none.
// What was searched for is found without the store in the end.
func TestHeldTexts(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	pieces := []string{"ann", "Ann", "BERT", "é", "É", "ß", "ẞ", "İ", "ı", "K", "Å", "å", "ſ", "Σ", "ς", "日本", "\x1f", "@example.org", " ", "1", "12", "%", "_", "'", `\`, "Ω", "ÿ", "Ÿ", "ŉ"}
	for name, room := range map[string]int64{"room": 4 << 20, "no room": 100} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 6)) // not for secrets
			text := func() string {
				var b strings.Builder
				for range r.IntN(4) {
					b.WriteString(pieces[r.IntN(len(pieces))])
				}
				return b.String()
			}
			s := newQueued(t, 1<<20)
			app := model.AppID{1}
			rows := &looking{Reader: s.plain}
			held := query.Recall(rows, s.outbox, 1<<20).Searching(s.outbox, s, room, func() bool { return false })
			go held.Hold(t.Context(), slog.New(slog.DiscardHandler))
			plain, searched := query.NewPeople(s.plain), query.NewPeople(held)
			byCountry, err := filter.Parse(`{"cc":"DE"}`)
			if err != nil {
				t.Fatal(err)
			}
			next := uint32(0)
			var ids []model.ProfileID
			id := func(uid uint32) model.ProfileID { return model.ProfileID{byte(uid), byte(uid >> 8)} }
			for step := range 80 {
				s.off++
				p := &outbox.Part{}
				s.mu.Lock()
				for range r.IntN(6) {
					next++
					s.people[id(next)] = &model.Profile{ID: id(next), UID: next, DID: fmt.Sprint("d", next, text())}
					ids = append(ids, id(next))
				}
				for range r.IntN(6) {
					if len(ids) == 0 {
						break
					}
					u := s.people[ids[r.IntN(len(ids))]]
					if u == nil {
						continue
					}
					u.LastActivity++
					switch r.IntN(5) {
					case 0:
						u.Name = text()
					case 1:
						u.Username = text()
					case 2:
						u.Email = text()
					case 3:
						u.DID = text() + "d"
					}
					u.Dims[model.Country] = []string{"DE", "FR"}[r.IntN(2)]
					p.Users = append(p.Users, u.ID)
				}
				for _, one := range ids { // those who are new
					if u := s.people[one]; u != nil && u.LastActivity == 0 {
						u.LastActivity = 1
						p.Users = append(p.Users, one)
					}
				}
				if r.IntN(5) == 0 && len(ids) > 1 { // one goes into another
					from, to := s.people[ids[r.IntN(len(ids))]], s.people[ids[r.IntN(len(ids))]]
					if from != nil && to != nil && from != to {
						delete(s.people, from.ID)
						to.Name = from.Name
						p.Users, p.Gone, p.Rewrites = append(p.Users, to.ID), []uint32{from.UID}, map[uint32]uint32{from.UID: to.UID}
					}
				}
				s.mu.Unlock()
				s.put(t, app, p)
				if r.IntN(15) == 0 && next > 0 {
					uid := 1 + r.Uint32N(next)
					s.mu.Lock()
					delete(s.people, id(uid))
					s.mu.Unlock()
					err := s.outbox.Exclusive(t.Context(), func(ctx context.Context, w events.Writer) error {
						mark, err := w.Watermark(ctx)
						s.off++
						mark[0] = s.off
						return errors.Join(err, w.DeleteUsers(ctx, app, []uint32{uid}, mark))
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				for late := time.Now().Add(20 * time.Second); ; {
					page := query.Page{Search: text(), Sort: []string{"lac", "name", "uid", ""}[r.IntN(4)], Desc: r.IntN(2) == 0, Limit: r.IntN(8), Offset: r.IntN(3)}
					if r.IntN(3) == 0 {
						page.Search = fmt.Sprint(r.IntN(int(next) + 2))
					}
					if r.IntN(4) == 0 {
						page.Filter = byCountry
					}
					rows.looked.Store(false)
					got, n, err := searched.List(t.Context(), app, page)
					if err != nil {
						t.Fatal(err)
					}
					want, total, err := plain.List(t.Context(), app, page)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, got); diff != "" || n != total {
						t.Fatalf("step %d: %+v: %d in all, want %d (-want +got):\n%s", step, page, n, total, diff)
					}
					if name != "room" || page.Sort == "lac" && page.Search != "" && !rows.looked.Load() {
						break
					}
					if time.Now().After(late) {
						t.Fatalf("step %d: texts are not held", step)
					}
				}
			}
		})
	}
}

// TestPrepared has the first search find what was read for it, and not look through the users of the store.
func TestPrepared(t *testing.T) {
	t.Parallel()
	s := newQueued(t, 1<<20)
	app, id := model.AppID{1}, model.ProfileID{7}
	s.people[id] = &model.Profile{ID: id, UID: 7, DID: "d7", Name: "Ann", LastActivity: 1}
	s.off++
	s.put(t, app, &outbox.Part{Users: []model.ProfileID{id}})
	rows := &looking{Reader: s.plain}
	held := query.Recall(rows, s.outbox, 1<<20).Searching(s.outbox, s, 1<<20, func() bool { return false })
	people := query.NewPeople(held)
	query.NewPeople(s.plain).Prepare(app) // where nothing is held, nothing happens
	people.Prepare(app)
	if n := held.Bytes(); n != 0 {
		t.Errorf("%d bytes are held before anything is read", n)
	}
	go held.Hold(t.Context(), slog.New(slog.DiscardHandler))
	for late := time.Now().Add(20 * time.Second); held.Bytes() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("texts are not read")
		}
	}
	for looked := true; looked; looked = rows.looked.Load() { // until the reading has ended, which no search began
		rows.looked.Store(false)
		uids, n, err := people.List(t.Context(), app, query.Page{Search: "ANN", Limit: 5})
		if err != nil || n != 1 || len(uids) != 1 || uids[0] != 7 {
			t.Fatalf("%v of %d, %v", uids, n, err)
		}
	}
}
