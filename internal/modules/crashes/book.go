package crashes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/ingest/request"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// books hold what the rows of crashes say of the groups of apps. A book is read from all rows once, and then brought up to date
// from those that came since. It holds nothing that the rows, the notes of groups and the documents do not: it can be dropped at any
// time. It is safe for concurrent use.
type books struct {
	tables *query.Tables
	schema schema.Details
	rows   events.Reader
	docs   docs.DB
	memory func() kernel.Memory
	now    func() time.Time
	// holds reports whether this server projects an app, and so is notified of its merged users; nil = it projects all.
	holds func(model.AppID) bool

	mu   sync.Mutex
	list map[model.AppID]*book
	// pending are merged users whom the books have not heard of. The pipeline adds them and must not wait for a book.
	pending map[model.AppID][][2]uint32
}

// What books take of the memory, in bytes: about what a group, a version of one and a user in one cost, and which part of the memory of the
// process all books have together. Beyond it, and while less than a spare part is left, the books that were read longest ago go.
const (
	costOfGroup   = 600
	costOfVersion = 24
	costOfUser    = 5
	partOfBooks   = 12
	sparePart     = 10
)

// maxHeldText is how many bytes of a name or an OS are held. The table shows the whole name, and sorts and searches by what is held.
const maxHeldText = 256

// maxMerges is how many merged users a book remembers while their rows are on their way.
const maxMerges = 20_000

// book holds the groups of an app.
type book struct {
	mu   sync.Mutex
	used time.Time // guarded by books.mu
	size int64     // bytes when it was last read, guarded by books.mu
	cost int64     // bytes that the groups take, about
	// variants are what the rows say, by signature, and groups the same by the groups that they belong to: a group of one variant shares it.
	variants map[string]*group
	groups   map[string]*group
	// stale are variants that changed since groups were put together; all = all did.
	stale map[string]bool
	all   bool
	// after is the offset up to which rows are in the groups, rows how many of reports are.
	after     uint64
	rows      int64
	reporters users     // who sent reports, also of no group
	checked   time.Time // when rows was last compared
	// versions are those of reports, at most maxSeen; groups hold their places.
	versions []string
	places   map[string]int
	// merges are users who were merged, whose rows may still come under the old number.
	merges map[uint32]uint32
	noted  []schema.Subject  // whose notes the groups have
	moved  map[string]string // groups of the subjects that have none of their own
	states map[string]string // of groups that have one
	abouts map[string]about
	gen    int64 // of abouts
	// affected and fatal are how many users are in a group and in one of fatal crashes; nil = to be counted.
	affected *[2]int
}

// group is what the rows say of a group. Times are in ms.
type group struct {
	id, name, os string
	nonfatal     bool
	first        events.Place // of its first report
	reports      int64
	start, last  int64
	by           []versionCount
	latest       string // version; "" = none is known
	born         string // version of the first report; "" = none is known
	users        users
	left         users
	note         string
	about        about
	variants     []string // signatures, in order of first appearance; nil = its id is the only one
}

// versionCount is how many reports have a version of the app.
type versionCount struct {
	version int // place in book.versions
	reports int64
}

func newBook() *book {
	return &book{
		variants: map[string]*group{}, groups: map[string]*group{}, stale: map[string]bool{}, all: true, places: map[string]int{}, abouts: map[string]about{}, gen: -1,
	}
}

// of returns the book of an app, locked and up to date; done unlocks it.
func (s *books) of(ctx context.Context, app model.AppID) (b *book, done func(), err error) {
	s.mu.Lock()
	b = s.at(app)
	b.used = s.now()
	s.mu.Unlock()
	b.mu.Lock()
	s.mu.Lock()
	pending := s.pending[app]
	delete(s.pending, app)
	s.mu.Unlock()
	for _, m := range pending {
		b.merge(m[0], m[1])
	}
	if err := s.refresh(ctx, app, b); err != nil {
		b.reset()
		b.mu.Unlock()
		return nil, nil, err
	}
	s.mu.Lock()
	b.size = b.cost
	s.evict(b)
	s.mu.Unlock()
	return b, b.mu.Unlock, nil
}

// at returns the book of an app. The caller holds mu.
func (s *books) at(app model.AppID) *book {
	if s.list == nil {
		s.list = map[model.AppID]*book{}
	}
	if s.list[app] == nil {
		s.list[app] = newBook()
	}
	return s.list[app]
}

// evict forgets books until all take little enough of the memory. The caller holds mu.
func (s *books) evict(keep *book) {
	memory := s.memory()
	room := memory.Limit / partOfBooks
	if memory.Limit > 0 && memory.Resident > memory.Limit-memory.Limit/sparePart {
		room = 0 // only what is being read stays
	}
	for {
		held := int64(0)
		var oldest model.AppID
		var found *book
		for id, b := range s.list {
			held += b.size
			if b != keep && b.size > 0 && (found == nil || b.used.Before(found.used)) {
				oldest, found = id, b
			}
		}
		if held <= room || found == nil {
			return
		}
		delete(s.list, oldest)
	}
}

// drop forgets what is held of an app, whose rows changed otherwise than by new ones.
func (s *books) drop(app model.AppID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.list, app)
}

// merged records that a user went into another.
func (s *books) merged(app model.AppID, from, to uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending == nil {
		s.pending = map[model.AppID][][2]uint32{}
	}
	if len(s.pending[app]) >= maxMerges { // nobody looks at the app
		delete(s.pending, app)
		delete(s.list, app)
	}
	s.pending[app] = append(s.pending[app], [2]uint32{from, to})
}

func (b *book) reset() {
	merges := b.merges
	fresh := newBook()
	b.variants, b.groups, b.stale, b.all, b.moved, b.states = fresh.variants, fresh.groups, fresh.stale, true, nil, nil
	b.places, b.versions, b.after, b.rows, b.cost = fresh.places, nil, 0, 0, 0
	b.reporters = users{}
	b.abouts, b.gen, b.noted, b.affected, b.merges = fresh.abouts, fresh.gen, nil, nil, merges
}

// merge replaces a user by another. Whether a user left a group depends on the order of rows, so rows are read again where that matters.
func (b *book) merge(from, to uint32) {
	if b.merges == nil || len(b.merges) >= maxMerges {
		b.merges = map[uint32]uint32{}
	}
	for old, into := range b.merges {
		if into == from {
			b.merges[old] = to
		}
	}
	b.merges[from] = to
	if b.reporters.has(from) {
		b.reporters.remove(from)
		b.reporters.add(to)
	}
	for _, g := range b.variants {
		if g.left.has(from) || g.left.has(to) {
			b.reset()
			return
		}
		if g.users.has(from) {
			g.users.remove(from)
			g.users.add(to)
			b.affected = nil
			b.stale[g.id] = true
		}
	}
}

// checkEvery is how often the numbers of rows and users are compared, which finds rows that were dropped for their age; checkShared is that where another
// server projects the app, whose merged users are found by it.
const (
	checkEvery  = time.Minute
	checkShared = 5 * time.Second
)

// refresh brings a book up to date.
func (s *books) refresh(ctx context.Context, app model.AppID, b *book) error {
	every := checkEvery
	if s.holds != nil && !s.holds(app) {
		every = checkShared
	}
	if now := s.now(); now.Sub(b.checked) >= every || now.Before(b.checked) {
		b.checked = now
		if err := s.check(ctx, app, b); err != nil {
			return err
		}
	}
	if err := s.read(ctx, app, b); err != nil {
		return err
	}
	subjects, err := s.schema.Subjects(ctx, app, kind)
	if err != nil {
		return fmt.Errorf("read groups of crashes: %w", err)
	}
	if len(subjects) != len(b.noted) || len(subjects) > 0 && &subjects[0] != &b.noted[0] {
		b.note(subjects)
	}
	if err := s.readAbouts(ctx, app, b); err != nil {
		return err
	}
	b.assemble()
	return nil
}

// note takes down where subjects belong and the states of groups.
func (b *book) note(subjects []schema.Subject) {
	b.noted, b.all = subjects, true
	b.moved, b.states = map[string]string{}, map[string]string{}
	for i := range subjects {
		v := &subjects[i]
		if v.Note == "" {
			continue
		}
		group, state := readNote(v.Name, v.Note)
		if group != v.Name {
			b.moved[v.Name] = group
		}
		if state != "" {
			b.states[v.Name] = state
		}
	}
}

// groupOf returns the group that a signature belongs to.
func (b *book) groupOf(signature string) string {
	if to, ok := b.moved[signature]; ok && to != nowhere {
		return to
	}
	return signature
}

// assemble puts together the groups whose variants changed.
func (b *book) assemble() {
	if !b.all && len(b.stale) == 0 {
		return
	}
	parts := map[string][]*group{}
	if b.all {
		b.groups = make(map[string]*group, len(b.variants))
		for id, v := range b.variants {
			to := b.groupOf(id)
			parts[to] = append(parts[to], v)
		}
	} else {
		for id := range b.stale {
			parts[b.groupOf(id)] = nil
		}
		for id := range parts {
			if len(b.moved) == 0 {
				parts[id] = []*group{b.variants[id]}
				continue
			}
			signatures := []string{id}
			if g := b.groups[id]; g != nil && g.variants != nil {
				signatures = g.variants
			}
			for _, v := range signatures {
				if b.variants[v] != nil && !b.stale[v] {
					parts[id] = append(parts[id], b.variants[v])
				}
			}
		}
		for id := range b.stale {
			if to := b.groupOf(id); len(b.moved) > 0 {
				parts[to] = append(parts[to], b.variants[id])
			}
		}
	}
	for id, list := range parts {
		g := list[0]
		if len(list) > 1 || g.id != id {
			g = together(id, list)
		}
		g.note, g.about = b.states[id], b.abouts[id]
		b.groups[id] = g
	}
	b.stale, b.all, b.affected = map[string]bool{}, false, nil
}

// together makes a group of variants.
func together(id string, list []*group) *group {
	slices.SortFunc(list, byPlace)
	first := list[0]
	g := &group{
		id: id, name: first.name, os: first.os, nonfatal: first.nonfatal, first: first.first, start: first.start, last: first.last, born: first.born,
	}
	all, out := roaring.New(), roaring.New()
	for _, v := range list {
		g.variants = append(g.variants, v.id)
		g.reports += v.reports
		g.start, g.last = min(g.start, v.start), max(g.last, v.last)
		if v.latest != "" && (g.latest == "" || compareVersions(v.latest, g.latest) > 0) {
			g.latest = v.latest
		}
		for _, c := range v.by {
			at := slices.IndexFunc(g.by, func(o versionCount) bool { return o.version == c.version })
			if at < 0 {
				g.by = append(g.by, versionCount{version: c.version})
				at = len(g.by) - 1
			}
			g.by[at].reports += c.reports
		}
		v.users.addTo(all)
		v.left.addTo(out)
	}
	out.AndNot(all)
	g.users, g.left = usersOf(all), usersOf(out)
	return g
}

// byPlace is the order in which groups appeared.
func byPlace(x, y *group) int {
	return cmp.Or(cmp.Compare(x.first.Offset, y.first.Offset), cmp.Compare(x.first.Item, y.first.Item))
}

// signatures are those of the reports of a group.
func (g *group) signatures() []string {
	if g.variants == nil {
		return []string{g.id}
	}
	return g.variants
}

// check drops a book whose rows are not all there any more, or whose users are fewer: of two who both sent reports one was merged into the other.
func (s *books) check(ctx context.Context, app model.AppID, b *book) error {
	if b.rows == 0 {
		return nil
	}
	n, people := int64(-1), int64(-1)
	q := &plan.Query{
		App: app, From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Count}, plan.Agg{Fn: plan.Distinct, Of: plan.Ev("uid")}},
		Where: plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.Do(plan.Le, plan.Ev("off"), plan.Is(int64(b.after)))), // an offset
	}
	if err := s.tables.Each(ctx, q, func(r events.Scanner) error { return r.Scan(&n, &people) }); err != nil {
		return err
	}
	if n != b.rows || people != int64(b.reporters.len()) {
		b.reset()
	}
	return nil
}

// columns of the rows that books are made of.
const (
	colOffset = iota
	colItem
	colKey
	colName
	colUser
	colTime
	colVersion
	colOS
	colNonfatal
	colTitle
)

// read adds the rows that came since.
func (s *books) read(ctx context.Context, app model.AppID, b *book) error {
	text := func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Text, s.tables.Property(app, crashKey, name)), plan.Is(""))
	}
	q := &plan.Query{
		App: app, From: plan.Events,
		Where: plan.All(plan.OneOf(plan.Ev("e"), []string{crashKey, leftKey}), plan.Do(plan.Gt, plan.Ev("off"), plan.Is(int64(b.after)))), // an offset
		Select: []plan.Expr{
			plan.Ev("off"), plan.Ev("item"), plan.Ev("e"), plan.Do(plan.Coalesce, plan.Ev("n"), plan.Is("")), plan.Ev("uid"), plan.Ev("ts"),
			text("app_version"), text("os"), text("nonfatal"), text("name"),
		},
		Order: []plan.Order{{By: plan.Ev("off")}, {By: plan.Ev("item")}},
	}
	return s.tables.EachColumns(ctx, q, func(c *events.Columns) error {
		for i := range c.Len {
			b.row(c.List, i)
		}
		return nil
	})
}

// row adds a row.
func (b *book) row(c []events.Column, i int) {
	offset, uid := uint64(c[colOffset].Whole[i]), uint32(c[colUser].Whole[i]) // as they were stored
	b.after = max(b.after, offset)
	b.affected = nil
	if to, ok := b.merges[uid]; ok {
		uid = to
	}
	id := c[colName].Text[i]
	g := b.variants[id]
	if c[colKey].Text[i] == leftKey {
		if g != nil {
			g.users.remove(uid)
			g.left.add(uid)
			b.stale[g.id] = true
		}
		return
	}
	b.rows++
	if b.reporters.add(uid) {
		b.cost += costOfUser
	}
	if id == "" {
		return
	}
	ts := c[colTime].Whole[i]
	if g == nil {
		g = &group{
			id: strings.Clone(id), name: strings.Clone(request.Cut(c[colTitle].Text[i], maxHeldText)), os: strings.Clone(request.Cut(c[colOS].Text[i], maxHeldText)), nonfatal: c[colNonfatal].Text[i] == "true",
			first: events.Place{Offset: offset, Item: uint32(c[colItem].Whole[i])}, start: ts, last: ts,
		}
		b.variants[g.id] = g
		b.cost += costOfGroup + int64(len(g.name)+len(g.os))
		b.noted = nil // its note is to be read
	}
	b.stale[g.id] = true
	if g.reports++; g.reports == 1 {
		g.born = strings.Clone(c[colVersion].Text[i])
		b.cost += int64(len(g.born))
	}
	g.start, g.last = min(g.start, ts), max(g.last, ts)
	if g.users.add(uid) {
		b.cost += costOfUser
	}
	g.left.remove(uid)
	b.version(g, c[colVersion].Text[i])
}

// version counts a report's version of the app. Of more versions than maxSeen only the latest of a group is kept.
func (b *book) version(g *group, text string) {
	if text == "" {
		return
	}
	v, ok := b.places[text]
	if !ok && len(b.versions) < maxSeen {
		v, ok = len(b.versions), true
		text = strings.Clone(text)
		b.versions, b.places[text] = append(b.versions, text), v
	}
	if g.latest == "" || compareVersions(text, g.latest) > 0 {
		g.latest = strings.Clone(text)
		if ok {
			g.latest = b.versions[v]
		}
	}
	if !ok {
		return
	}
	at := slices.IndexFunc(g.by, func(c versionCount) bool { return c.version == v })
	if at < 0 {
		g.by = append(g.by, versionCount{version: v})
		b.cost += costOfVersion
		at = len(g.by) - 1
	}
	g.by[at].reports++
}

// readAbouts reads what people did with the groups, if anything changed.
func (s *books) readAbouts(ctx context.Context, app model.AppID, b *book) error {
	col := spec().In(s.docs, app)
	gen, err := col.Generation(ctx)
	if err != nil || gen == b.gen {
		return err
	}
	abouts := map[string]about{}
	for a, err := range col.List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		a.Comments = nil // read when they are shown
		abouts[a.ID] = a
	}
	b.abouts, b.gen, b.all = abouts, gen, true
	return nil
}

// changed takes down what the caller just stored, so that not all of it is read again.
func (s *books) changed(ctx context.Context, app model.AppID, b *book, list ...about) {
	gen, err := spec().In(s.docs, app).Generation(ctx)
	if err != nil || gen != b.gen+1 {
		return // read again at the next use
	}
	b.gen = gen
	for _, a := range list {
		a.Comments = nil
		b.abouts[a.ID] = a
		if g := b.groups[a.ID]; g != nil {
			g.about = a
		}
	}
}

// counts returns how many users are in any group, and in one of fatal crashes.
func (b *book) counts() (affected, fatal int) {
	if b.affected == nil {
		var all, ofFatal roaring.Bitmap
		for _, g := range b.groups {
			g.users.addTo(&all)
			if !g.nonfatal {
				g.users.addTo(&ofFatal)
			}
		}
		b.affected = &[2]int{int(all.GetCardinality()), int(ofFatal.GetCardinality())} // numbers of users are of 32 bits
	}
	return b.affected[0], b.affected[1]
}

// The state of a group.

func (g *group) isNew() bool      { return !g.about.Viewed }
func (g *group) isResolved() bool { return strings.HasPrefix(g.note, noteResolved) }
func (g *group) isRenewed() bool  { return strings.HasPrefix(g.note, noteRenewed) }
func (g *group) isHidden() bool   { return g.about.Hidden != nil && *g.about.Hidden }

// resolvedIn returns the version in which the group was resolved, "" = it was not.
func (g *group) resolvedIn() string {
	if g.note == "" {
		return ""
	}
	return g.note[1:]
}
