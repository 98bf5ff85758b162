package query_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/events/eventstest"
)

// TestCustomProperties compares who has a custom property, as the event store finds them by parts of texts, with what filters say of the profiles
// themselves: of texts, numbers, lists, objects and keys that look like one another.
func TestCustomProperties(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7)) // not for secrets
	s, err := duck.Open(t.Context(), duck.Options{Path: filepath.Join(t.TempDir(), "events.duckdb"), MemoryLimit: 128 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	texts := []string{"pro", "Pro", "pro ", "5", "true", "null", "plan", "", `pro","plan":"free`, `"pro"`, `,"plan":"pro"`, `\"pro`, `{"plan":"pro"}`, "prö", "<pro>", "p/ro", "a\u2028b", "\x00", "a.b", "team:1", "😀", "plan\":\"pro"}
	keys := []string{"plan", "plan2", `x"plan`, `x,"plan`, `{"plan`, "pl.an", "Plan", "a b", "ключ", `x\`}
	var value func(deep int) any
	value = func(deep int) any {
		switch n := r.IntN(9); {
		case n < 4 || deep > 1:
			return texts[r.IntN(len(texts))]
		case n == 4:
			return float64(r.IntN(7))
		case n == 5:
			return r.IntN(2) == 0
		case n == 6:
			list := []any{}
			for range r.IntN(3) {
				list = append(list, value(deep+1))
			}
			return list
		case n == 7:
			return map[string]any{keys[r.IntN(len(keys))]: value(deep + 1)}
		}
		return nil
	}
	profiles := map[uint32]map[string]any{}
	ab := &events.AppBatch{}
	for uid := uint32(1); uid <= 600; uid++ {
		p := &model.Profile{UID: uid, DID: fmt.Sprint("d", uid), Custom: map[string]any{}}
		p.ID[0], p.ID[1] = byte(uid), byte(uid>>8)
		for range r.IntN(5) {
			p.Custom[keys[r.IntN(len(keys))]] = value(0)
		}
		ab.Users = append(ab.Users, p)
		profiles[uid] = p.Custom
	}
	eventstest.Commit(t, s, &events.Batch{Apps: map[model.AppID]*events.AppBatch{testApp: ab}, Watermark: eventstest.At(1)})
	people := query.NewPeople(s)
	for range 400 {
		path := "custom." + []string{"plan", "plan", "plan", "plan2", "Plan", "a b", "ключ", "none"}[r.IntN(8)]
		list := []any{}
		for range 1 + r.IntN(3) {
			list = append(list, []any{texts[r.IntN(len(texts))], "pro", "5", 5.0, true, "plan", nil}[r.IntN(7)])
		}
		condition := list[0]
		if r.IntN(2) == 0 {
			condition = map[string]any{[]string{"$in", "$nin"}[r.IntN(2)]: list}
		} else if r.IntN(3) == 0 {
			condition = map[string]any{"$ne": list[0]}
		}
		asked := map[string]any{path: condition}
		if r.IntN(4) == 0 {
			asked = map[string]any{"$or": []any{asked, map[string]any{"custom.plan2": "pro"}}}
		}
		f, err := filter.Parse(asked)
		if err != nil {
			t.Fatal(err)
		}
		got, total, err := people.List(t.Context(), testApp, query.Page{Filter: f, Sort: "uid", Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		var want []uint32
		for uid := uint32(1); uid <= 600; uid++ {
			if f.Match(filter.MapDoc{"custom": profiles[uid]}) {
				want = append(want, uid)
			}
		}
		if !slices.Equal(want, got) || total != int64(len(want)) {
			text, _ := json.Marshal(asked) // as it is
			t.Errorf("%s: %d users, want %d", text, len(got), len(want))
			for uid, custom := range profiles {
				if slices.Contains(want, uid) != slices.Contains(got, uid) {
					text, _ := json.Marshal(custom) // as it is
					t.Fatalf("user %d: %s", uid, text)
				}
			}
		}
	}
}
