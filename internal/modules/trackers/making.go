package trackers

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// Making an issue takes three steps: the intent is written, with a mark; the issue is made, with the mark in its text; the link is written.
// A server that ends between the second and the third, or that hears nothing of the tracker's answer, finds the issue by its mark later.

// makingTakes is how long an issue may be in the making, in seconds: longer than two calls of a tracker can take. After that the attempt
// counts as cut short.
const makingTakes = 180

// never is later than any turn.
const never = 1 << 40

// maxSkew is how far the clock of a tracker may be behind, in seconds.
const maxSkew = 24 * 60 * 60

// mark returns a text that nobody can guess, so that it stands in one issue alone until somebody copies it. It is one word for every search.
func mark() string { return "quipu" + strings.ToLower(rand.Text()) }

// marked is the text of an issue with a mark, where readers of the issue do not see it if the tracker has such a place.
func marked(set *settings, text, mark string) string {
	if set.Tracker == trackerJira {
		return text + "\n\nReference: {{" + mark + "}}"
	}
	return text + "\n\n<!-- " + mark + " -->"
}

// reserve keeps the place of a group's link while the issue is being made or looked up. What was cut short before keeps its mark: the
// issue may be there. The fault is trackers.linked.
func (s *service) reserve(ctx context.Context, set *settings, group, mark string) (link, error) {
	now := s.now().Unix()
	l := link{Group: group, Home: set.home(), Tracker: set.Tracker, Mark: mark, Since: now, Created: now, Due: now + makingTakes}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := linkSpec().In(tx, set.app)
		before, err := col.Get(ctx, group)
		switch {
		case err != nil && !docs.IsNotFound(err):
			return err
		case err == nil && (!before.pending() || now-before.Created < makingTakes && !before.Unsure):
			return errLinked
		case err == nil && before.Mark != "" && before.Home == l.Home:
			if mark != "" { // else it gets an issue that somebody names
				l.Mark, l.Since = before.Mark, before.Since
			}
		}
		return col.Put(ctx, l)
	})
	return l, err
}

// release gives up what reserve kept.
func (s *service) release(ctx context.Context, app model.AppID, was link) {
	if err := s.replace(ctx, app, was, nil); err != nil {
		s.log.ErrorContext(ctx, "place of an issue not given up", slog.String("group", was.Group), slog.Any("error", err))
	}
}

// replace changes a link that is in the making, or deletes it where change is nil; unless it is another one by now.
func (s *service) replace(ctx context.Context, app model.AppID, was link, change func(*link)) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := linkSpec().In(tx, app)
		l, err := col.Get(ctx, was.Group)
		if docs.IsNotFound(err) || err == nil && (!l.pending() || l.Mark != was.Mark) {
			return nil
		}
		if err != nil {
			return err
		}
		if change == nil {
			return col.Delete(ctx, was.Group)
		}
		change(&l)
		return col.Put(ctx, l)
	})
}

// linking links a group with the issue that find returns, and enters that in the audit log. A mark says that find may make the issue; again,
// that an earlier attempt may have made it.
func (s *service) linking(ctx context.Context, c api.Caller, set *settings, g kernel.CrashGroup, mark string, find func(l link, again bool) (issue, error)) (link, error) {
	l, err := s.reserve(ctx, set, g.ID, mark)
	if err != nil {
		return link{}, err
	}
	again := l.Mark != mark
	i, err := find(l, again)
	if err != nil {
		later := context.WithoutCancel(ctx)
		if l.Mark == "" || !again && !unclear(err) {
			s.release(later, set.app, l)
			return link{}, err
		}
		// The issue may be there: the next attempt, or the job, looks for it.
		return link{}, errors.Join(err, s.replace(later, set.app, l, func(l *link) { l.Unsure, l.Due = true, s.now().Unix()+makingTakes }))
	}
	if l, err = s.put(ctx, set, g, i); err != nil {
		return link{}, err
	}
	c.Audit("", nil, audited(l), nil)
	return l, nil
}

// unclear reports whether an issue may have been made although the call failed.
func unclear(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	kind := fault.KindOf(err)
	return kind == fault.Unavailable || kind == fault.Internal
}

// findOrMake makes an issue, unless an earlier attempt did.
func findOrMake(ctx context.Context, set *settings, t tracker, l link, again bool, d draft) (issue, error) {
	if again {
		if i, ok, err := t.find(ctx, l.Mark, l.Since-maxSkew); err != nil || ok {
			return i, err
		}
	}
	d.Text = marked(set, d.Text, l.Mark)
	return t.create(ctx, d)
}

// put links a group with an issue, whose place is reserved. Its state and that of the group are taken as they are: nothing is brought
// in step before one of them changes.
func (s *service) put(ctx context.Context, set *settings, g kernel.CrashGroup, i issue) (link, error) {
	now := s.now()
	l := link{
		Group: g.ID, Home: set.home(), Tracker: set.Tracker, Issue: i.Key, URL: i.URL, Title: cut(i.Title, maxTitle), Created: now.Unix(), Checked: now.Unix(),
		State: i.State, Status: cut(i.Status, maxField), Decided: g.State, Due: now.Add(time.Duration(s.cfg.SyncEvery)).Unix(),
	}
	return l, linkSpec().In(s.docs, set.app).Put(ctx, l)
}

// settle ends what was cut short: it links the group with the issue if that was made, and gives its place up if it was not.
func (s *service) settle(ctx context.Context, app *model.App, l link) error {
	free, err := s.syncing.hold(ctx, app.ID, l.Group)
	if err != nil {
		return err
	}
	defer free()
	set, err := s.of(ctx, app)
	if errors.Is(err, errNotSetUp) || err == nil && (l.Mark == "" || set.home() != l.Home) {
		return s.replace(ctx, app.ID, l, nil)
	}
	if err != nil {
		return err
	}
	g, ok, err := s.crashes.About(ctx, app.ID, l.Group)
	if err != nil {
		return err
	}
	if !ok {
		return s.replace(ctx, app.ID, l, nil)
	}
	i, found, err := s.look(ctx, set, l)
	if err != nil {
		f, known := errors.AsType[*fault.Error](err)
		if !known || f.Kind == fault.Internal {
			return err
		}
		return errors.Join(err, s.replace(ctx, app.ID, l, func(l *link) {
			l.Failures++
			l.Unsure = true
			l.Due = s.now().Add(max(min(time.Duration(s.cfg.SyncEvery)<<min(l.Failures, 10), maxBackoff), f.RetryAfter)).Unix()
		}))
	}
	if !found {
		return s.replace(ctx, app.ID, l, nil)
	}
	linked := false
	err = s.replace(ctx, app.ID, l, func(into *link) {
		now := s.now()
		linked = true
		*into = link{
			Group: g.ID, Home: l.Home, Tracker: l.Tracker, Issue: i.Key, URL: i.URL, Title: cut(i.Title, maxTitle), Created: l.Created, Checked: now.Unix(),
			State: i.State, Status: cut(i.Status, maxField), Decided: g.State, Due: now.Add(time.Duration(s.cfg.SyncEvery)).Unix(),
		}
	})
	if err != nil || !linked {
		return err
	}
	return hook.Emit(ctx, s.bus, topic.Action{
		At: s.now(), Name: "trackers_found", App: app.ID, Path: "/i/trackers/create", After: map[string]any{"_id": g.ID}, Data: map[string]any{"issue": i.URL},
	})
}

func (s *service) look(ctx context.Context, set *settings, l link) (issue, bool, error) {
	t, err := s.open(ctx, set)
	if err != nil {
		return issue{}, false, err
	}
	return t.find(ctx, l.Mark, l.Since-maxSkew)
}
