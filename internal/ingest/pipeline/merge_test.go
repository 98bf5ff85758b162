package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/topic"
)

func TestMerges(t *testing.T) {
	t.Parallel()
	at := func(device string, sec int64, pairs ...string) request.Record {
		return req(&utcApp, device, noon+sec*1000, pairs...)
	}
	begin, end, old := "begin_session", "end_session", "old_device_id"
	tests := []struct {
		name     string
		requests []request.Record
		users    string // the day's totals
		ds       map[string]string
		profiles []string // did:uid sessions, in order of uid
		merges   []topic.UserMerged
	}{
		{
			"into a new device",
			[]request.Record{at("O", 0, begin, "1"), at("N", 1, old, "O")},
			"e:2 t:1 n:1 u:1 d:0",
			map[string]string{},
			[]string{"N:2 s1"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}},
		},
		{
			"into a known device",
			[]request.Record{at("O", 0, begin, "1"), at("N", 1, begin, "1"), at("N", 2, old, "O")},
			"e:3 t:2 n:2 u:1 d:0",
			map[string]string{"0": "1"},
			[]string{"N:2 s2"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}},
		},
		{
			"into itself",
			[]request.Record{at("O", 0, begin, "1"), at("O", 1, old, "O")},
			"e:2 t:1 n:1 u:1 d:0",
			map[string]string{},
			[]string{"O:1 s1"},
			nil,
		},
		{
			"unknown old",
			[]request.Record{at("N", 0, begin, "1"), at("N", 1, old, "O")},
			"e:2 t:1 n:1 u:1 d:0",
			map[string]string{},
			[]string{"N:1 s1"},
			nil,
		},
		{
			"both unknown",
			[]request.Record{at("N", 0, begin, "1", old, "O")},
			"e:1 t:1 n:1 u:1 d:0",
			map[string]string{},
			[]string{"N:1 s1"},
			nil,
		},
		{
			"the open session moves and ends there",
			[]request.Record{at("O", 0, begin, "1", "session_duration", "20"), at("N", 1, old, "O"), at("N", 2, end, "1", "session_duration", "20")},
			"e:3 t:1 n:1 u:1 d:40",
			map[string]string{"2": "1"},
			[]string{"N:2 s1"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}},
		},
		{
			"the end in the merging request",
			[]request.Record{at("O", 0, begin, "1"), at("N", 1, old, "O", end, "1")},
			"e:2 t:1 n:1 u:1 d:0",
			map[string]string{"0": "1"},
			[]string{"N:2 s1"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}},
		},
		{
			"a begin after the merge is of a returning user",
			[]request.Record{at("O", 0, begin, "1"), at("N", 60, old, "O", begin, "1")},
			"e:2 t:2 n:1 u:1 d:0",
			map[string]string{"0": "1"},
			[]string{"N:2 s2"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}},
		},
		{
			"a chain",
			[]request.Record{at("A", 0, begin, "1"), at("B", 1, old, "A"), at("C", 2, old, "B"), at("C", 3, begin, "1")},
			"e:4 t:2 n:1 u:1 d:0",
			map[string]string{"0": "1"},
			[]string{"C:3 s2"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}, {App: utcApp.ID, From: 2, To: 3}},
		},
		{
			"round and back",
			[]request.Record{at("A", 0, begin, "1"), at("B", 1, old, "A"), at("A", 2, old, "B"), at("A", 3, end, "1")},
			"e:4 t:1 n:1 u:1 d:0",
			map[string]string{"0": "1"},
			[]string{"A:3 s1"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}, {App: utcApp.ID, From: 2, To: 3}},
		},
		{
			"the old device comes back as somebody else",
			[]request.Record{at("O", 0, begin, "1"), at("N", 1, old, "O"), at("O", 2, begin, "1")},
			"e:3 t:2 n:2 u:2 d:0",
			map[string]string{},
			[]string{"N:2 s1", "O:3 s1"},
			[]topic.UserMerged{{App: utcApp.ID, From: 1, To: 2}},
		},
	}
	for _, tt := range tests {
		for _, step := range []string{"one batch", "a batch each"} {
			t.Run(tt.name+"/"+step, func(t *testing.T) {
				t.Parallel()
				w := running(t, nil)
				var mu sync.Mutex
				var told []topic.UserMerged
				hook.On(w.bus, "test", func(_ context.Context, m topic.UserMerged) error {
					mu.Lock()
					defer mu.Unlock()
					told = append(told, m)
					return nil
				})
				if step == "one batch" {
					w.send(t, tt.requests...)
				} else {
					for _, r := range tt.requests {
						w.send(t, r)
					}
				}
				if got := w.day(t, &utcApp, rollup.Users, "", noon, totals)[""]; got != tt.users {
					t.Errorf("users: got %q, want %q", got, tt.users)
				}
				if diff := cmp.Diff(tt.ds, w.day(t, &utcApp, rollup.Durations, "", noon, counts)); diff != "" {
					t.Errorf("lengths (-want +got):\n%s", diff)
				}
				var profiles []string
				var uids []uint32
				for uid := uint32(1); uid < 5; uid++ {
					if p, err := w.profiles.ByUID(t.Context(), utcApp.ID, uid); err == nil && p.UID == uid {
						profiles = append(profiles, fmt.Sprintf("%s:%d s%d", p.DID, p.UID, p.Sessions))
						uids = append(uids, uid)
					}
				}
				if diff := cmp.Diff(tt.profiles, profiles); diff != "" {
					t.Errorf("profiles (-want +got):\n%s", diff)
				}
				mu.Lock()
				if diff := cmp.Diff(tt.merges, told); diff != "" {
					t.Errorf("told (-want +got):\n%s", diff)
				}
				mu.Unlock()
				for _, text := range w.events.diverged {
					t.Error(text)
				}
				stored := w.events.of(utcApp.ID)
				for _, r := range w.events.rows(&utcApp) {
					if !slices.Contains(uids, r.UID) {
						t.Errorf("row of nobody: %+v", r)
					}
				}
				for _, r := range stored.requests {
					if !slices.Contains(uids, r.UID) {
						t.Errorf("request of nobody: %+v", r)
					}
				}
				for uid := range stored.users {
					if !slices.Contains(uids, uid) {
						t.Errorf("the users table has %d", uid)
					}
				}
				if len(stored.users) != len(uids) {
					t.Errorf("the users table has %d users, want %d", len(stored.users), len(uids))
				}
			})
		}
	}
}

func TestMergeGivesANewState(t *testing.T) {
	t.Parallel()
	w := running(t, nil)
	w.send(t,
		req(&utcApp, "O", noon, "user_details", `{"name":"Ann"}`),
		req(&utcApp, "N", noon+1000, "old_device_id", "O", "events", `[{"key":"a"}]`),
	)
	rows := w.events.rows(&utcApp)
	s := w.events.of(utcApp.ID).states[rows[len(rows)-1].State]
	if s.UID != 2 || s.JSON != `{"up.cc":"Unknown","up.cty":"Unknown","up.name":"Ann"}` {
		t.Errorf("state %+v", s)
	}
	_, err := w.profiles.Get(t.Context(), utcApp.ID, model.NewProfileID(utcApp.IDKey, "O"))
	if !errors.Is(err, profile.ErrNotFound) {
		t.Errorf("old profile: %v", err)
	}

	// A user who is known gets one too when custom properties come in, though nothing else changes.
	w.send(t,
		req(&utcApp, "P", noon+1000, "user_details", `{"custom":{"plan":"pro"}}`),
		req(&utcApp, "N", noon+2000, "old_device_id", "P", "events", `[{"key":"b"}]`),
	)
	rows = w.events.rows(&utcApp)
	s = w.events.of(utcApp.ID).states[rows[len(rows)-1].State]
	if s.UID != 2 || s.JSON != `{"up.cc":"Unknown","up.cty":"Unknown","up.name":"Ann","custom.plan":"pro"}` {
		t.Errorf("state after the second merge %+v", s)
	}
}
