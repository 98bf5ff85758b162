package query

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/profile"
)

// Subscriptions are Rewriting that also say which profiles were written.
type Subscriptions interface {
	Rewriting
	// Subscribe has the profiles of an app noted that are written from now on, and returns a number for Written; Unsubscribe ends that. There is one who follows an app.
	Subscribe(app model.AppID) (number uint64)
	Unsubscribe(app model.AppID, number uint64)
	// Written returns the profiles that were written since Subscribe, or since it was called last, and the numbers of those that are no more. They are noted before Version grows
	// for them. ok is false when it is not known any more.
	Written(app model.AppID, number uint64) (ids []model.ProfileID, gone []uint32, ok bool)
}

// Profiles reads profiles.
type Profiles interface {
	// Get returns the profile with the id, or profile.ErrNotFound.
	Get(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error)
}

// searchColumns are the texts that Page.Search looks at.
var searchColumns = []string{"did", "name", "username", "email"}

// heldTexts are the texts of users that searches look at, by app, so that a search does not read those of all users. They follow the profiles that are written, and are
// given up when users were removed. Searches do not read them: they say what they missed, and Recalling.Hold reads it meanwhile.
type heldTexts struct {
	data     Subscriptions
	profiles Profiles
	rows     Rows
	limit    int64 // bytes, estimated, of all apps
	short    func() bool

	mu     sync.Mutex
	apps   map[model.AppID]*textEntry
	bytes  int64
	missed chan model.AppID
}

// textEntry is what is known of an app. It is guarded by heldTexts.mu.
type textEntry struct {
	texts  *texts // nil = they are not held
	queued bool   // they are read, or wait for it
	idle   int    // turns since somebody searched
	wait   int    // turns until they may be read again after that failed
	bytes  int64
}

// texts are the texts of an app's users.
type texts struct {
	turn    chan struct{} // who holds it may use what follows
	over    bool          // they were given up
	number  uint64        // of Subscriptions
	version uint64        // of the app
	moment  uint64        // up to which rewrites are known
	blob    []byte        // of one user after the other: each text in lower case, and a textEnd
	starts  []uint32      // of each user in blob, and the end of all
	uids    []uint32
	later   map[uint32][]byte // the texts of users that were written since; they count in place of those in blob
	gone    *roaring.Bitmap   // users who are no more
	more    int64             // bytes of later
}

const (
	textEnd = 0x1f
	// textTurn is how often texts follow what is written; those that nobody looked at for maxIdle turns are given up.
	textTurn  = 2 * time.Second
	maxIdle   = 300
	laterUser = 64 // bytes that a user in later takes, about, beside the text
	// maxOdd is how many profiles with unusual letters are looked up at once.
	maxOdd = 10_000
)

func newHeldTexts(rows Rows, data Subscriptions, profiles Profiles, limit int64, short func() bool) *heldTexts {
	return &heldTexts{data: data, profiles: profiles, rows: rows, limit: limit, short: short, apps: map[model.AppID]*textEntry{}, missed: make(chan model.AppID, heldQueue)}
}

// usual reports whether a letter has the same lower case for every engine.
func usual(r rune) bool {
	return r >= ' ' && r <= '~' || r >= 0xa0 && r < 0x17f && r != 'İ'
}

// lowered returns a text in lower case; ok is false if engines may see that another way.
func lowered(text string) (lower string, ok bool) {
	for _, r := range text {
		if !usual(r) {
			return "", false
		}
	}
	return strings.ToLower(text), true
}

// find returns the users who have a text as part of one of theirs, whatever its case, or as their number; ok is false where that is not known.
func (h *heldTexts) find(ctx context.Context, app model.AppID, text string) (users *roaring.Bitmap, ok bool, err error) {
	lower, ok := lowered(text)
	if h == nil || !ok || text == "" {
		return nil, false, nil
	}
	s := h.of(app)
	if s == nil {
		return nil, false, nil
	}
	followed := false
	select {
	case s.turn <- struct{}{}:
		defer func() {
			if !followed { // it panicked
				h.giveUp(app, s)
			}
			<-s.turn
		}()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	ok, err = h.follow(ctx, app, s)
	if followed = true; err != nil || !ok {
		return nil, false, err
	}
	users = s.find([]byte(lower))
	if uid, err := strconv.ParseUint(text, 10, 32); err == nil && strconv.FormatUint(uid, 10) == text {
		users.Add(uint32(uid))
		if !s.knows(uint32(uid)) {
			users.Remove(uint32(uid))
		}
	}
	users.AndNot(s.gone)
	return users, true, nil
}

// of returns the texts of an app; nil = they are not held, and are read.
func (h *heldTexts) of(app model.AppID) *texts {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.apps[app]
	if e == nil {
		e = &textEntry{}
		h.apps[app] = e
	}
	e.idle = 0
	if e.texts == nil && !e.queued && e.wait == 0 {
		select {
		case h.missed <- app:
			e.queued = true
		default: // a later search misses them, too
		}
	}
	return e.texts
}

// find looks for a text in lower case.
func (s *texts) find(text []byte) *roaring.Bitmap {
	parts := make([]*roaring.Bitmap, Workers())
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { parts[i] = s.part(text, len(s.uids)*i/len(parts), len(s.uids)*(i+1)/len(parts)) })
	}
	all.Wait()
	out := roaring.ParOr(0, parts...)
	for uid, has := range s.later {
		if bytes.Contains(has, text) {
			out.Add(uid)
		}
	}
	return out
}

// part looks among some users.
func (s *texts) part(text []byte, from, to int) *roaring.Bitmap {
	var found []uint32
	for end := s.starts[to]; from < to; {
		at := bytes.Index(s.blob[s.starts[from]:end], text)
		if at < 0 {
			break
		}
		place := s.starts[from] + uint32(at) // within blob
		from = s.at(place, from, to)
		if _, changed := s.later[s.uids[from]]; !changed {
			found = append(found, s.uids[from])
		}
		from++
	}
	return roaring.BitmapOf(found...)
}

// at returns the user among some whose texts hold a place of blob: near the first one as a rule, if there are many to be found.
func (s *texts) at(place uint32, from, to int) int {
	step := 1
	for from+step < to && s.starts[from+step] <= place {
		from += step
		step *= 2
	}
	rest := s.starts[from+1 : min(from+step, to)+1]
	return from + sort.Search(len(rest), func(i int) bool { return rest[i] > place })
}

// follow brings texts up to date; ok is false where they were given up.
func (h *heldTexts) follow(ctx context.Context, app model.AppID, s *texts) (ok bool, err error) {
	if s.over {
		return false, nil
	}
	version := h.data.Version(app)
	if s.version == version {
		return true, nil
	}
	_, now, ok := h.data.Rewrites(app, s.moment)
	if !ok {
		h.giveUp(app, s)
		return false, nil
	}
	ids, gone, ok := h.data.Written(app, s.number)
	if ok {
		s.gone.AddMany(gone)
		ok, err = h.write(ctx, app, s, ids)
	}
	if err != nil || !ok {
		h.giveUp(app, s)
		return false, err
	}
	s.moment, s.version = now, version
	h.resize(app, s)
	return !s.over, nil
}

// write notes the texts of profiles that were written; ok is false where there are too many that have to be looked up.
func (h *heldTexts) write(ctx context.Context, app model.AppID, s *texts, ids []model.ProfileID) (ok bool, err error) {
	odd := roaring.New()
	for _, id := range ids {
		p, err := h.profiles.Get(ctx, app, id)
		if errors.Is(err, profile.ErrNotFound) {
			continue // no more: the list leaves it out
		}
		if err != nil {
			return false, err
		}
		var text []byte
		usual := true
		for _, v := range []string{p.DID, p.Name, p.Username, p.Email} {
			lower, ok := lowered(v)
			usual = usual && ok
			text = append(append(text, lower...), textEnd)
		}
		if usual {
			s.put(p.UID, text)
		} else {
			odd.Add(p.UID)
		}
	}
	if odd.IsEmpty() {
		return true, nil
	}
	if odd.GetCardinality() > maxOdd {
		return false, nil
	}
	return true, eachText(ctx, h.rows, app, plan.InSet{Of: plan.Us("uid"), Set: plan.NewSet(odd)}, func(uid uint32, text []byte) error {
		s.put(uid, text)
		return nil
	})
}

// knows reports whether there is a user, or was.
func (s *texts) knows(uid uint32) bool {
	_, later := s.later[uid]
	_, found := slices.BinarySearch(s.uids, uid)
	return later || found
}

// put notes the texts of a user.
func (s *texts) put(uid uint32, text []byte) {
	before, known := s.later[uid]
	if !known {
		at, found := slices.BinarySearch(s.uids, uid)
		if found && bytes.Equal(s.blob[s.starts[at]:s.starts[at+1]], text) {
			return
		}
		s.more += laterUser
	}
	s.more += int64(len(text) - len(before))
	s.later[uid] = bytes.Clone(text)
}

// eachText reads the texts of users; fn does not keep them.
func eachText(ctx context.Context, rows Rows, app model.AppID, where plan.Expr, fn func(uid uint32, text []byte) error) error {
	q := &plan.Query{App: app, From: plan.Users, Where: where, Select: []plan.Expr{plan.Us("uid")}, Order: []plan.Order{{By: plan.Us("uid")}}}
	for _, c := range searchColumns {
		q.Select = append(q.Select, plan.Do(plan.Coalesce, plan.Do(plan.Lower, plan.Us(c)), plan.Is("")))
	}
	var text []byte
	return missing(rows.RunColumns(ctx, q, func(c *events.Columns) error {
		for i := range c.Len {
			text = text[:0]
			for _, column := range c.List[1:] {
				text = append(append(text, column.Text[i]...), textEnd)
			}
			if err := fn(uint32(c.List[0].Whole[i]), text); err != nil { // numbers of users are of 32 bits
				return err
			}
		}
		return nil
	}))
}

// usersAtOnce is of how many users texts are read, and put in order, at a time.
const usersAtOnce = 1 << 18

// each reads the texts of all users by ascending number. A user who is written meanwhile is noted by Subscriptions.
func (h *heldTexts) each(ctx context.Context, app model.AppID, fn func(uid uint32, text []byte) error) error {
	var last any
	q := &plan.Query{App: app, From: plan.Users, Select: []plan.Expr{plan.Agg{Fn: plan.Max, Of: plan.Us("uid")}}}
	err := h.rows.Run(ctx, q, func(row events.Scanner) error { return row.Scan(&last) })
	if err := missing(err); err != nil {
		return err
	}
	for from, end := int64(0), wholeOf(last); from <= end; from += usersAtOnce {
		if err := eachText(ctx, h.rows, app, plan.Between(plan.Us("uid"), from, from+usersAtOnce-1), fn); err != nil {
			return err
		}
	}
	return nil
}

func (s *texts) bytes() int64 {
	return int64(cap(s.blob)) + 4*int64(cap(s.starts)+cap(s.uids)) + s.more + 256
}

// read reads the texts of an app.
func (h *heldTexts) read(ctx context.Context, app model.AppID) {
	s := &texts{turn: make(chan struct{}, 1), later: map[uint32][]byte{}, gone: roaring.New(), number: h.data.Subscribe(app), version: h.data.Version(app)}
	_, s.moment, _ = h.data.Rewrites(app, 0)
	counted := int64(0)
	count := func() error {
		n := s.bytes()
		h.mu.Lock()
		h.bytes += n - counted
		h.evict(app)
		tooMuch := h.bytes > h.limit
		h.mu.Unlock()
		counted = n
		if tooMuch {
			return errTooLong
		}
		if h.short() {
			return errShort
		}
		return nil
	}
	err := errPanicked
	defer func() { h.keep(app, s, counted, err) }()
	err = h.each(ctx, app, func(uid uint32, text []byte) error {
		s.starts, s.uids = append(s.starts, uint32(len(s.blob))), append(s.uids, uid) // limit is below 2^32
		s.blob = append(s.blob, text...)
		if len(s.uids)%4096 == 0 {
			return count()
		}
		return nil
	})
	if err == nil {
		s.starts = tight(append(s.starts, uint32(len(s.blob))))
		s.uids, s.blob = tight(s.uids), tight(s.blob)
		err = count()
	}
}

// errPanicked is the error of reading that ended by a panic.
var errPanicked = errors.New("query: reading panicked")

// keep ends the reading of texts, for which so many bytes were counted.
func (h *heldTexts) keep(app model.AppID, s *texts, counted int64, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.bytes -= counted
	e := h.apps[app]
	if e != nil {
		e.queued = false
	}
	if err != nil || e == nil {
		h.data.Unsubscribe(app, s.number)
		if e != nil {
			e.wait = maxIdle
		}
		return
	}
	e.texts, e.bytes = s, counted
	h.bytes += counted
}

// tight returns a slice without much spare room.
func tight[V any](s []V) []V {
	if cap(s)-len(s) <= len(s)/8 {
		return s
	}
	return append(make([]V, 0, len(s)), s...)
}

// giveUp ends that texts are held.
func (h *heldTexts) giveUp(app model.AppID, s *texts) {
	s.over = true
	h.mu.Lock()
	defer h.mu.Unlock()
	if e := h.apps[app]; e != nil && e.texts == s {
		h.drop(app, e)
	}
}

// drop forgets the texts of an app. The caller holds mu.
func (h *heldTexts) drop(app model.AppID, e *textEntry) {
	if e.texts != nil {
		h.data.Unsubscribe(app, e.texts.number)
		h.bytes -= e.bytes
		e.texts, e.bytes = nil, 0
	}
	if !e.queued {
		delete(h.apps, app)
	}
}

// resize counts what texts take by now; those that are too much are given up. The caller has the turn of s.
func (h *heldTexts) resize(app model.AppID, s *texts) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.apps[app]
	if e == nil || e.texts != s {
		return
	}
	n := s.bytes()
	h.bytes += n - e.bytes
	e.bytes = n
	h.evict(app)
	if s.more > n/4 || h.bytes > h.limit { // many changed: they are read again
		s.over = true
		h.drop(app, e)
	}
}

// evict drops the texts of apps in which nobody searched for longest, as long as there is too much, but not those of one. The caller holds mu.
func (h *heldTexts) evict(but model.AppID) {
	for h.bytes > h.limit {
		var oldest *textEntry
		var of model.AppID
		for app, e := range h.apps {
			if app != but && e.texts != nil && (oldest == nil || e.idle > oldest.idle) {
				oldest, of = e, app
			}
		}
		if oldest == nil {
			return
		}
		h.drop(of, oldest)
	}
}

func (h *heldTexts) forget(app model.AppID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e := h.apps[app]; e != nil {
		h.drop(app, e)
	}
}

// turn lets texts follow what was written, and drops those that nobody looks at.
func (h *heldTexts) turn(ctx context.Context) {
	h.mu.Lock()
	list := map[model.AppID]*texts{}
	for app, e := range h.apps {
		e.wait = max(0, e.wait-1)
		if e.idle++; e.idle > maxIdle {
			h.drop(app, e)
		} else if e.texts != nil {
			list[app] = e.texts
		}
	}
	h.mu.Unlock()
	for app, s := range list {
		select {
		case s.turn <- struct{}{}:
			h.followed(ctx, app, s)
		case <-ctx.Done():
			return
		}
	}
}

// followed lets texts follow what was written, and ends the turn of s. What fails, or panics, is given up.
func (h *heldTexts) followed(ctx context.Context, app model.AppID, s *texts) {
	done := false
	defer func() {
		if !done {
			h.giveUp(app, s)
		}
		<-s.turn
	}()
	_, _ = h.follow(ctx, app, s)
	done = true
}
