package crashes

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// variant is what a plan knows of a signature.
type variant struct {
	id, group string // the group that it belongs to now
	name, os  string
	nonfatal  bool
	reports   int64
	first     events.Place
}

// regrouping is where the signatures of an app go under some rules.
type regrouping struct {
	variants []variant         // in order of first appearance
	target   map[string]string // groups of signatures
	moves    map[string]string // what changes, for signatures and fingerprints
}

// maxRead is how many signatures are looked at at once, and maxHeld how many bytes of their reports are held in memory meanwhile, beside one report.
const (
	maxRead = 50
	maxHeld = 8 << 20
)

// prints are fingerprints of signatures under some rules.
type prints struct {
	rules *grouped
	of    map[string]string
}

// snapshot returns the signatures of an app in order of first appearance, and its subjects.
func (s *service) snapshot(ctx context.Context, app model.AppID) ([]variant, []schema.Subject, error) {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	out := make([]variant, 0, len(b.variants))
	for id, v := range b.variants {
		out = append(out, variant{id, b.groupOf(id), v.name, v.os, v.nonfatal, v.reports, v.first})
	}
	slices.SortFunc(out, func(x, y variant) int {
		return cmp.Or(cmp.Compare(x.first.Offset, y.first.Offset), cmp.Compare(x.first.Item, y.first.Item))
	})
	return out, b.noted, nil
}

// readPrints finds the fingerprints of those signatures that have none yet, by their first reports, with the names of the source where symbol files
// know them.
func (s *service) readPrints(ctx context.Context, app model.AppID, p *prints, list []variant, progress func(done, total int64)) error {
	list = slices.DeleteFunc(slices.Clone(list), func(v variant) bool { _, known := p.of[v.id]; return known })
	done := int64(0)
	for part := range slices.Chunk(list, maxRead) {
		for len(part) > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			found, all, err := s.firstReports(ctx, app, part)
			if err != nil {
				return err
			}
			var rest []variant
			for _, v := range part {
				r, ok := found[v.id]
				switch {
				case ok:
					p.of[v.id] = s.printOf(ctx, app, p.rules, v, r.stack, r.text, r.dump)
				case all: // its rows are gone
					p.of[v.id] = v.id
				default:
					rest = append(rest, v)
					continue
				}
				done++
			}
			part = rest
			progress(done, int64(len(list)))
		}
	}
	return ctx.Err()
}

// firstReport is what the fingerprint of a signature is made of.
type firstReport struct {
	stack kernel.CrashStack
	text  string
	dump  bool
}

// heldReports are first reports by signature, of room bytes at most beside the first of them.
type heldReports struct {
	room int64
	of   map[string]firstReport
}

// errHeld ends a read of reports when enough of them are held.
var errHeld = errors.New("crashes: enough reports are held")

// add holds a report, or returns errHeld.
func (h *heldReports) add(id string, r firstReport) error {
	n := int64(len(r.stack.Text) + len(r.stack.Dump) + len(r.stack.Images) + len(r.text))
	if len(h.of) > 0 && n > h.room {
		return errHeld
	}
	h.room -= n
	h.of[id] = r
	return nil
}

// firstReports reads the first reports of signatures, as many as may be held; all says that there are no others.
func (s *service) firstReports(ctx context.Context, app model.AppID, part []variant) (found map[string]firstReport, all bool, err error) {
	at, offsets := map[events.Place]variant{}, make([]int64, len(part))
	for i, v := range part {
		at[v.first], offsets[i] = v, int64(v.first.Offset) // an offset
	}
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.OneOf(plan.Ev("off"), offsets)),
		Select: s.columnsOf(app),
	}
	h := heldReports{room: maxHeld, of: map[string]firstReport{}}
	err = s.tables.Each(ctx, q, func(r events.Scanner) error { //nolint:contextcheck // walking a dump without symbols is bounded and reads nothing
		rep, ok, err := scan(r)
		if err != nil || !ok {
			return err
		}
		place, _ := placeOf(rep.id)
		v, wanted := at[place]
		if !wanted {
			return nil
		}
		rep.group = v.group
		return h.add(v.id, firstReport{rep.stack(), rep.text(), rep.sentDump() != nil})
	})
	if errors.Is(err, errHeld) {
		return h.of, false, nil
	}
	return h.of, true, err
}

// printOf returns the fingerprint of a signature by a report of it. What minidumps have in common are modules and offsets, which symbols
// do not change.
func (s *service) printOf(ctx context.Context, app model.AppID, rules *grouped, v variant, stack kernel.CrashStack, text string, dump bool) string {
	signature := v.id
	if readable, ok := s.symbols.Readable(ctx, app, stack); ok && readable != text {
		text = readable
		if !dump {
			signature = signatureOfText(text, v.os, v.nonfatal)
		}
	}
	return rules.fingerprint(signature, text, v.os, v.nonfatal)
}

// regroup decides where signatures go. Each group keeps its id with the signature that gave it, unless people decided otherwise.
func regroup(list []variant, subjects []schema.Subject, p *prints, pins map[string]pin) regrouping {
	out := regrouping{variants: list, target: map[string]string{}, moves: map[string]string{}}
	known := map[string]*variant{}
	for i := range list {
		known[list[i].id] = &list[i]
	}
	// A class is what goes to one group. Its key is a fingerprint, or the signature that was split off.
	keys := map[string]string{}
	var keyOf func(id string, depth int) string
	keyOf = func(id string, depth int) string {
		if pinned, ok := pins[id]; ok && depth < maxPinned {
			if pinned.To == "" || known[pinned.To] == nil && pins[pinned.To].ID == "" {
				return "alone " + id
			}
			return keyOf(pinned.To, depth+1)
		}
		if print, ok := p.of[id]; ok {
			return print
		}
		return "alone " + id
	}
	classes := map[string][]*variant{}
	for i := range list {
		keys[list[i].id] = keyOf(list[i].id, 0)
		classes[keys[list[i].id]] = append(classes[keys[list[i].id]], &list[i])
	}
	aims := map[string]bool{} // what people merged others into
	for _, pinned := range pins {
		aims[pinned.To] = true
	}
	groups := map[string]string{}
	for key, class := range classes {
		rank := func(v *variant) int {
			switch {
			case v.group == v.id && aims[v.id]:
				return 0
			case v.group == v.id:
				return 1
			}
			return 2
		}
		best := slices.MinFunc(class, func(x, y *variant) int { return cmp.Compare(rank(x), rank(y)) }) // the first of equals
		groups[key] = best.id
	}
	for i := range list {
		v := &list[i]
		to := groups[keys[v.id]]
		out.target[v.id] = to
		if to != v.group {
			out.moves[v.id] = to
		}
	}
	out.fingerprints(subjects, known, p, pins, groups)
	return out
}

// maxPinned is how many decisions one after another are followed.
const maxPinned = 20

// fingerprints moves what rules make of signatures, so that signatures to come go with those that are known.
func (r *regrouping) fingerprints(subjects []schema.Subject, known map[string]*variant, p *prints, pins map[string]pin, groups map[string]string) {
	wanted := map[string]string{}
	for id, print := range p.of {
		if _, pinned := pins[id]; !pinned && known[id] != nil && print != id {
			if _, signature := known[print]; !signature {
				wanted[print] = groups[print]
			}
		}
	}
	for i := range r.variants { // those of signatures that people merged into others go with them, unless rules say more
		id := r.variants[i].id
		print := p.of[id]
		if _, signature := known[print]; pins[id].To != "" && print != id && !signature && wanted[print] == "" {
			wanted[print] = r.target[id]
		}
	}
	for i := range subjects {
		v := &subjects[i]
		if known[v.Name] != nil {
			continue
		}
		group, _ := readNote(v.Name, v.Note)
		to, want := wanted[v.Name]
		delete(wanted, v.Name)
		switch {
		case want && group != to:
			r.moves[v.Name] = to
		case !want && group != v.Name && group != nowhere:
			r.moves[v.Name] = nowhere
		}
	}
	maps.Copy(r.moves, wanted)
}

// maxMoved is how many signatures one record of the journal moves.
const maxMoved = 5000

// move has signatures belong to other groups from here on. Each record leaves every signature in a group.
func (s *service) move(ctx context.Context, app model.AppID, rules *string, moves map[string]string) error {
	if rules != nil {
		if err := s.decide(ctx, app, decision{Rules: rules}); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(moves)), maxMoved) {
		d := decision{Move: make(map[string]string, len(part))}
		for _, name := range part {
			d.Move[name] = moves[name]
		}
		if err := s.decide(ctx, app, d); err != nil {
			return err
		}
	}
	return nil
}

// pin is what people decided about a signature: that it belongs to the group of another, or, with To "", to one of its own.
type pin struct {
	ID string         `json:"_id"`
	To string         `json:"to"`
	By model.MemberID `json:"by"`
	At int64          `json:"at"` // ms
}

// Key returns the signature.
func (p pin) Key() string { return p.ID }

// Validate accepts: the service checks what it writes.
func (pin) Validate() error { return nil }

func pinSpec() docs.Spec[pin] { return docs.Spec[pin]{Name: "crashes.pins", Version: 1} }

// maxPins is how many decisions about signatures an app has.
const maxPins = 10_000

func (s *service) pins(ctx context.Context, app model.AppID) (map[string]pin, error) {
	out := map[string]pin{}
	for p, err := range pinSpec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return nil, err
		}
		out[p.ID] = p
	}
	return out, nil
}

// ruled are the rules of an app as they are kept.
type ruled struct {
	ID      string          `json:"_id"`
	Rules   json.RawMessage `json:"rules"`
	Version int64           `json:"version"` // counts changes
	At      int64           `json:"at"`      // ms
	By      string          `json:"by"`      // name of a member
	Task    string          `json:"task"`    // that applied them
}

// Key returns the only key.
func (r ruled) Key() string { return r.ID }

// Validate accepts: the service checks what it writes.
func (ruled) Validate() error { return nil }

func ruledSpec() docs.Spec[ruled] { return docs.Spec[ruled]{Name: "crashes.rules", Version: 1} }

// ruledID is the key of the one document of an app.
const ruledID = "rules"

// rules returns the rules of an app, those of the protocol where it has none.
func (s *service) rules(ctx context.Context, app model.AppID) (ruled, *grouped, error) {
	kept, err := ruledSpec().In(s.docs, app).Get(ctx, ruledID)
	if docs.IsNotFound(err) {
		kept, err = ruled{ID: ruledID, Rules: json.RawMessage(`{}`)}, nil
	}
	if err != nil {
		return kept, nil, err
	}
	r, err := readRules(kept.Rules)
	return kept, r, err
}

// locks let one change of the groups of an app happen at a time.
type locks struct {
	mu   sync.Mutex
	apps map[model.AppID]chan struct{}
}

// hold waits until nobody else changes the groups of an app.
func (l *locks) hold(ctx context.Context, app model.AppID) (release func(), err error) {
	l.mu.Lock()
	if l.apps == nil {
		l.apps = map[model.AppID]chan struct{}{}
	}
	held := l.apps[app]
	if held == nil {
		held = make(chan struct{}, 1)
		l.apps[app] = held
	}
	l.mu.Unlock()
	select {
	case held <- struct{}{}:
		return func() { <-held }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// maxRounds is how often a task looks for signatures that came while it worked.
const maxRounds = 3

// apply moves signatures to where rules put them, and makes the rules hold for those to come when changed is not nil. What takes long comes
// first and changes nothing, so that it can be cancelled; what follows is done as a whole, or goes on when the task is started again.
func (s *service) apply(ctx context.Context, app model.AppID, rules *grouped, commit func(context.Context) (*string, error), progress func(done, total int64)) (regrouping, error) {
	p := &prints{rules: rules, of: map[string]string{}}
	list, _, err := s.snapshot(ctx, app)
	if err == nil {
		err = s.readPrints(ctx, app, p, list, progress)
	}
	if err != nil {
		return regrouping{}, err
	}
	release, err := s.regrouping.hold(ctx, app)
	if err != nil {
		return regrouping{}, err
	}
	defer release()
	if err := ctx.Err(); err != nil {
		return regrouping{}, err
	}
	ctx = context.WithoutCancel(ctx)
	text, err := commit(ctx)
	if err != nil {
		return regrouping{}, err
	}
	var first regrouping
	for round := range maxRounds {
		r, err := s.plan(ctx, app, p, func(int64, int64) {})
		if err != nil {
			return first, err
		}
		if round == 0 {
			first = r
		}
		if round > 0 && len(r.moves) == 0 {
			break
		}
		if err := s.move(ctx, app, text, r.moves); err != nil {
			return first, err
		}
		text = nil
	}
	return first, nil
}

// plan decides where the signatures of an app go now.
func (s *service) plan(ctx context.Context, app model.AppID, p *prints, progress func(done, total int64)) (regrouping, error) {
	list, subjects, err := s.snapshot(ctx, app)
	if err != nil {
		return regrouping{}, err
	}
	if err := s.readPrints(ctx, app, p, list, progress); err != nil {
		return regrouping{}, err
	}
	pins, err := s.pins(ctx, app)
	if err != nil {
		return regrouping{}, err
	}
	return regroup(list, subjects, p, pins), nil
}

// regroupedRes is what a change of rules makes of groups. Groups and reports are those of all time.
type regroupedRes struct {
	Before  int     `json:"before"` // groups
	After   int     `json:"after"`
	Changed int     `json:"changed"` // groups that gain or lose reports, or come into being
	Reports int64   `json:"reports"` // that change their group
	List    []moved `json:"groups"`  // the first of those that change, most reports first
}

// moved is a group after a change, with the groups that its reports are in before.
type moved struct {
	ID       string   `json:"_id"`
	Name     string   `json:"name"`
	NonFatal bool     `json:"nonfatal"`
	Reports  int64    `json:"reports"`
	New      bool     `json:"new"` // there is no such group before
	From     []origin `json:"from"`
	Origins  int      `json:"origins"` // how many there are, also beyond those that are listed
}

// origin is a group before a change, with those of its reports that go somewhere.
type origin struct {
	ID      string `json:"_id"`
	Name    string `json:"name"`
	Reports int64  `json:"reports"`
}

// Bounds of what a preview lists.
const (
	maxShownGroups  = 20
	maxShownOrigins = 10
)

// summary says what a regrouping changes.
func (r *regrouping) summary() regroupedRes {
	out := regroupedRes{List: []moved{}}
	before, names := map[string]int{}, map[string]string{} // signatures by group, and names of groups
	after := map[string]*moved{}
	from := map[string]map[string]int64{}
	for i := range r.variants {
		v := &r.variants[i]
		to := r.target[v.id]
		if before[v.group]++; names[v.group] == "" {
			names[v.group] = v.name // the first report's
		}
		m := after[to]
		if m == nil {
			m = &moved{ID: to, Name: v.name, NonFatal: v.nonfatal}
			after[to], from[to] = m, map[string]int64{}
		}
		m.Reports += v.reports
		from[to][v.group] += v.reports
		if to != v.group {
			out.Reports += v.reports
		}
	}
	out.Before, out.After = len(before), len(after)
	whole := map[string]int64{}
	for _, parts := range from {
		for id, n := range parts {
			whole[id] += n
		}
	}
	for id, m := range after {
		if parts := from[id]; len(parts) == 1 && parts[id] == whole[id] && before[id] > 0 {
			continue
		}
		m.New = before[id] == 0
		for group, n := range from[id] {
			m.From = append(m.From, origin{group, names[group], n})
		}
		slices.SortFunc(m.From, func(x, y origin) int { return cmp.Or(cmp.Compare(y.Reports, x.Reports), strings.Compare(x.ID, y.ID)) })
		m.Origins = len(m.From)
		m.From = m.From[:min(len(m.From), maxShownOrigins)]
		out.List = append(out.List, *m)
	}
	out.Changed = len(out.List)
	slices.SortFunc(out.List, func(x, y moved) int { return cmp.Or(cmp.Compare(y.Reports, x.Reports), strings.Compare(x.ID, y.ID)) })
	out.List = out.List[:min(len(out.List), maxShownGroups)]
	return out
}
