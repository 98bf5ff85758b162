package trackers

import (
	"context"
	"errors"
	"sync"
	"time"

	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// link is the issue of a crash group. Times are in seconds.
type link struct {
	Group string `json:"_id"`
	Home  string `json:"home"` // of the settings that it was made with
	// Tracker, Issue and URL name the issue. A key of "" means that the issue is being made since Created; Mark then stands in its text,
	// so that it is found at the tracker when its key was never heard of. Unsure says that the tracker did not answer clearly.
	Tracker string `json:"tracker"`
	Issue   string `json:"key"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Mark    string `json:"mark,omitempty"`
	Since   int64  `json:"since,omitempty"` // of the first attempt with the mark
	Unsure  bool   `json:"unsure,omitempty"`
	Created int64  `json:"created"`
	Checked int64  `json:"checked"`
	// State and Status are those of the issue, and Decided that of the group, when both were last compared: what differs from them later
	// has changed since.
	State   state             `json:"state"`
	Status  string            `json:"status"`
	Decided kernel.CrashState `json:"decided"`
	// Due is when it is compared next. Failures are those since the last success, Fault the code and Problem the text of the last one.
	Due      int64  `json:"due"`
	Failures int    `json:"failures,omitempty"`
	Fault    string `json:"fault,omitempty"`
	Problem  string `json:"problem,omitempty"`
}

// pending reports whether the issue is being made.
func (l link) pending() bool { return l.Issue == "" }

// Key returns the id of the group.
func (l link) Key() string { return l.Group }

// Validate accepts: the service checks what it writes.
func (link) Validate() error { return nil }

func linkSpec() docs.Spec[link] {
	return docs.Spec[link]{Name: "trackers.links", Version: 1, Indexes: []docs.Index[link]{{Name: "due", Of: func(l link) []any { return []any{l.Due} }}}}
}

// get returns the link of a group. The fault is trackers.not_linked.
func (s *service) get(ctx context.Context, app model.AppID, group string) (link, error) {
	l, err := linkSpec().In(s.docs, app).Get(ctx, group)
	if docs.IsNotFound(err) || err == nil && l.pending() {
		return link{}, errNotLinked
	}
	return l, err
}

// issueView is a link as people see it. Times are in seconds.
type issueView struct {
	Tracker string `json:"tracker"`
	Key     string `json:"key"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	State   state  `json:"state"`
	Status  string `json:"status"`
	Created int64  `json:"created"`
	Checked int64  `json:"lastChecked"`
	// Fault and Problem say why the state could not be read last; "" for no reason.
	Fault   string `json:"fault,omitempty"`
	Problem string `json:"problem,omitempty"`
}

func (l link) view() issueView {
	return issueView{l.Tracker, l.Issue, l.URL, l.Title, l.State, l.Status, l.Created, l.Checked, l.Fault, l.Problem}
}

// shown is the issue of a group for the group's own page; nil for none.
func (s *service) shown(ctx context.Context, app model.AppID, group string) (any, error) {
	l, err := s.get(ctx, app, group)
	if errors.Is(err, errNotLinked) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return l.view(), nil
}

// What bringing a link up to date did.
type outcome int

const (
	inStep outcome = iota
	changedGroup
	changedIssue
)

// linkLocks hold one lock for each link that is being brought up to date.
type linkLocks struct {
	mu   sync.Mutex
	held map[string]chan struct{}
}

// hold waits for the lock of a link; the result gives it back.
func (k *linkLocks) hold(ctx context.Context, app model.AppID, group string) (func(), error) {
	name := app.String() + group
	for {
		k.mu.Lock()
		if k.held == nil {
			k.held = map[string]chan struct{}{}
		}
		busy := k.held[name]
		if busy == nil {
			mine := make(chan struct{})
			k.held[name] = mine
			k.mu.Unlock()
			return func() {
				k.mu.Lock()
				delete(k.held, name)
				k.mu.Unlock()
				close(mine)
			}, nil
		}
		k.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// refresh compares the states of a group and its issue, and brings one in step with the other where the rules of the app say so. It notes
// how that ended.
func (s *service) refresh(ctx context.Context, app *model.App, group string) (link, outcome, error) {
	free, err := s.syncing.hold(ctx, app.ID, group)
	if err != nil {
		return link{}, inStep, err
	}
	defer free()
	l, err := s.get(ctx, app.ID, group)
	if err != nil {
		return l, inStep, err
	}
	done, err := s.compare(ctx, app, &l)
	f, known := errors.AsType[*fault.Error](err)
	if err != nil && (!known || f.Kind == fault.Internal) {
		return l, done, err
	}
	return l, done, errors.Join(err, s.note(ctx, app.ID, &l, f))
}

// maxBackoff is the longest time between two attempts that fail.
const maxBackoff = 6 * time.Hour

// note keeps what was found out of a link, unless it was removed meanwhile, and when it is its turn again.
func (s *service) note(ctx context.Context, app model.AppID, l *link, f *fault.Error) error {
	now, wait := s.now(), time.Duration(s.cfg.SyncEvery)
	l.Fault, l.Problem = "", ""
	if f == nil {
		l.Failures, l.Checked = 0, now.Unix()
	} else {
		l.Failures++
		l.Fault, l.Problem = f.Code, f.Msg
		wait = max(min(wait<<min(l.Failures, 10), maxBackoff), f.RetryAfter)
	}
	l.Due = now.Add(wait).Unix()
	_, err := linkSpec().In(s.docs, app).Update(ctx, l.Group, func(d *link) error {
		if d.Issue == l.Issue && d.Home == l.Home {
			*d = *l
		}
		return nil
	})
	if docs.IsNotFound(err) {
		return nil
	}
	return err
}

// compare does the work of refresh.
func (s *service) compare(ctx context.Context, app *model.App, l *link) (outcome, error) {
	set, err := s.of(ctx, app)
	if err != nil {
		return inStep, err
	}
	if set.home() != l.Home {
		return inStep, errOtherTracker
	}
	t, err := s.open(ctx, set)
	if err != nil {
		return inStep, err
	}
	g, ok, err := s.crashes.About(ctx, app.ID, l.Group)
	if err != nil {
		return inStep, err
	}
	if !ok {
		return inStep, errNoGroup
	}
	i, err := t.read(ctx, l.Issue)
	if err != nil {
		return inStep, err
	}
	done := inStep
	switch {
	case agree(t, i.State, g.State):
	case i.State != l.State && set.lets(i.State):
		if err := s.decide(ctx, app.ID, l, groupState(i.State)); err != nil {
			return inStep, err
		}
		g.State, done = groupState(i.State), changedGroup
	case g.State != l.Decided && set.asks(g.State):
		if err := t.set(ctx, l.Issue, issueState(t, g.State)); err != nil {
			if errors.Is(err, errTransition) { // it would be refused again
				l.accept(i, g.State)
			}
			return inStep, err
		}
		done = changedIssue
		if i, err = t.read(ctx, l.Issue); err != nil {
			return done, err
		}
	}
	l.accept(i, g.State)
	return done, nil
}

// accept takes states as those that changes are measured against.
func (l *link) accept(i issue, g kernel.CrashState) {
	l.URL, l.Title, l.State, l.Status, l.Decided = i.URL, cut(i.Title, maxTitle), i.State, cut(i.Status, maxField), g
}

// lets reports whether issues that come to a state may decide about groups, asks whether groups may decide about issues.
func (s *settings) lets(to state) bool {
	if to == isDone {
		return s.Resolve
	}
	return s.Reopen
}

func (s *settings) asks(from kernel.CrashState) bool {
	if from == kernel.CrashResolved {
		return s.Close
	}
	return s.Again
}

func groupState(i state) kernel.CrashState {
	return map[state]kernel.CrashState{isOpen: kernel.CrashOpen, isDoing: kernel.CrashResolving, isDone: kernel.CrashResolved}[i]
}

// issueState is the state at a tracker that a state of a group is.
func issueState(t tracker, g kernel.CrashState) state {
	switch {
	case g == kernel.CrashResolved:
		return isDone
	case g == kernel.CrashResolving && t.threeStates():
		return isDoing
	}
	return isOpen
}

func agree(t tracker, i state, g kernel.CrashState) bool { return issueState(t, g) == i }

// decide gives a group the state of its issue, and enters that in the audit log.
func (s *service) decide(ctx context.Context, app model.AppID, l *link, to kernel.CrashState) error {
	found, err := s.crashes.Decide(ctx, app, l.Group, to)
	if err != nil {
		return err
	}
	if !found {
		return errNoGroup
	}
	return hook.Emit(ctx, s.bus, topic.Action{
		At: s.now(), Name: "trackers_decided", App: app, Path: "/i/trackers/sync",
		Before: map[string]any{"_id": l.Group, "state": l.Decided}, After: map[string]any{"_id": l.Group, "state": to},
		Data: map[string]any{"issue": l.URL},
	})
}

// maxPerRun is how many links one turn of the job brings up to date.
const maxPerRun = 500

// syncDue brings the links up to date whose turn it is, and ends what was cut short while an issue was made. An app whose tracker does not answer is left alone until the next turn.
func (s *service) syncDue(ctx context.Context) error {
	type due struct {
		app  model.AppID
		link link
	}
	var list []due
	q := docs.Query{Where: []docs.Cond{docs.Le("due", s.now().Unix())}, Sort: "due", Limit: maxPerRun}
	for f, err := range linkSpec().AcrossApps(s.docs, "links of all apps take turns").List(ctx, q) {
		if err != nil {
			return err
		}
		list = append(list, due{f.App, f.Doc})
	}
	silent := map[model.AppID]bool{}
	var errs []error
	for _, d := range list {
		app := s.apps.ByID(d.app)
		if app == nil || silent[d.app] {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		var err error
		if d.link.pending() {
			err = s.settle(ctx, app, d.link)
		} else {
			_, _, err = s.refresh(ctx, app, d.link.Group)
		}
		switch kind := fault.KindOf(err); {
		case err == nil || errors.Is(err, errNotLinked):
		case kind == fault.Unavailable || kind == fault.RateLimited:
			silent[d.app] = true
		case kind == fault.Internal && ctx.Err() == nil:
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// decided makes it the turn of links whose groups people decided about, and forgets those of groups that are gone.
func (s *service) decided(ctx context.Context, ev topic.CrashGroupsDecided) error {
	col := linkSpec().In(s.docs, ev.App)
	for _, group := range ev.Groups {
		var err error
		if ev.Gone {
			err = col.Delete(ctx, group)
		} else {
			_, err = col.Update(ctx, group, func(l *link) error {
				if !l.pending() {
					l.Due = min(l.Due, s.now().Unix())
				}
				return nil
			})
		}
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
	}
	return nil
}

func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	_, err := linkSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	if _, err := linkSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	_, err := settingsSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}
