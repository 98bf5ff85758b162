package cohorts

import (
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/events/plan"
	"quipu/internal/topic"
)

// sets remembers members of cohorts in the form in which readers of rows take them. The zero sets remember nothing. It is safe for concurrent
// use.
type sets struct {
	mu    sync.Mutex
	kept  map[setKey]keptSet
	bytes int
	// merges are users who were merged since the members were calculated last, in their order.
	merges map[model.AppID][]topic.UserMerged
}

type setKey struct {
	app model.AppID
	id  string
}

// keptSet is a set and what it was made of: a revision of the cohort's members, and so many of the merges.
type keptSet struct {
	rev    uint64
	merges int
	set    *plan.Set
}

// maxSetBytes is about how much memory the sets that are remembered take.
const maxSetBytes = 32 << 20

// find returns the set of a cohort's members at a revision, nil where it is not remembered, and the merges of the app that the set has to follow.
func (s *sets) find(key setKey, rev uint64) (*plan.Set, []topic.UserMerged) {
	s.mu.Lock()
	defer s.mu.Unlock()
	merges := s.merges[key.app]
	if k, ok := s.kept[key]; ok && k.rev == rev && k.merges == len(merges) {
		return k.set, nil
	}
	return nil, merges
}

// keep remembers a set. Where there is no room, all that was remembered goes.
func (s *sets) keep(key setKey, k keptSet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.kept[key]; ok {
		s.bytes -= old.set.Bytes()
		delete(s.kept, key)
	}
	if k.set.Bytes() > maxSetBytes/4 {
		return
	}
	if s.bytes += k.set.Bytes(); s.kept == nil || s.bytes > maxSetBytes {
		s.kept, s.bytes = map[setKey]keptSet{}, k.set.Bytes()
	}
	s.kept[key] = k
}

// maxMerges is how many merges of an app are waited for; those beyond are followed by the next calculation alone.
const maxMerges = 10_000

func (s *sets) merged(ev topic.UserMerged) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.merges == nil {
		s.merges = map[model.AppID][]topic.UserMerged{}
	}
	if list := s.merges[ev.App]; len(list) < maxMerges {
		s.merges[ev.App] = append(list, ev) // readers hold a slice of fixed length, which appending leaves as it is
	}
}

// waiting are the merges of an app that are waited for.
func (s *sets) waiting(app model.AppID) []topic.UserMerged {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.merges[app]
}

// pending is how many merges of an app are waited for; settled forgets that many, and the sets that followed some of them.
func (s *sets) pending(app model.AppID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.merges[app])
}

func (s *sets) settled(app model.AppID, n int) {
	if n == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.merges[app] = slices.Clone(s.merges[app][min(n, len(s.merges[app])):])
	for key, k := range s.kept {
		if key.app == app {
			s.bytes -= k.set.Bytes()
			delete(s.kept, key)
		}
	}
}

// merge replaces users by those they were merged into.
func merge(of *roaring.Bitmap, merges []topic.UserMerged) {
	for _, m := range merges {
		if of.CheckedRemove(m.From) {
			of.Add(m.To)
		}
	}
}

// userMerged lets members follow a merge at once; the next calculation decides by what the user did.
func (s *service) userMerged(_ context.Context, ev topic.UserMerged) error {
	s.sets.merged(ev)
	return nil
}

// set returns the members of a cohort.
func (s *service) set(ctx context.Context, app model.AppID, d Cohort) (*plan.Set, error) {
	if held := s.live.membersSet(ctx, app, d); held != nil {
		return held, nil
	}
	key := setKey{app, d.ID}
	found, merges := s.sets.find(key, d.Rev)
	if found != nil {
		return found, nil
	}
	of, err := load(ctx, s.docs, app, d.ID)
	if err != nil {
		return nil, err
	}
	merge(of, merges)
	made := plan.NewSet(of)
	now, err := spec().In(s.docs, app).Get(ctx, d.ID)
	if err == nil && now.Rev == d.Rev { // the members are those of the revision
		s.sets.keep(key, keptSet{d.Rev, len(merges), made})
	}
	return made, nil
}

// membersOf answers readers of rows who is in cohorts. For those who read on behalf of a member, a cohort that the member does not see does not
// exist.
func (s *service) membersOf(ctx context.Context, app model.AppID, ids []string, all bool) (map[string]*plan.Set, error) {
	out := map[string]*plan.Set{}
	who := auth.Asker(ctx)
	add := func(d Cohort) (err error) {
		if out[d.ID] == nil {
			out[d.ID], err = s.set(ctx, app, d)
		}
		return err
	}
	for _, id := range ids {
		d, err := spec().In(s.docs, app).Get(ctx, id)
		if docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key" {
			continue
		}
		if err == nil && who != nil && !d.visible(who) {
			continue
		}
		if err == nil {
			err = add(d)
		}
		if err != nil {
			return nil, err
		}
	}
	if !all {
		return out, nil
	}
	for d, err := range spec().In(s.docs, app).List(ctx, docs.Query{Where: []docs.Cond{docs.Eq(".visibility", global), docs.Missing(".hidden")}}) {
		if err == nil {
			err = add(d)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
