package pipeline

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
)

// command applies a command that runs in a shard, between requests.
func (l *shard) command(ctx context.Context, d *decoded) error {
	switch d.kind {
	case request.SessionTimeout:
		return l.timeout(d)
	case request.CreateUser:
		return l.createUser(ctx, d)
	case request.UpdateUsers:
		return l.updateUsers(ctx, d)
	case request.SetSettings:
		return l.setSettings(ctx, d)
	case request.FeatureUsers:
		return l.featureUsers(ctx, d)
	case request.Client, request.ResetApp, request.DeleteApp, request.DeleteEvents, request.OmitSegments,
		request.WhitelistSegments, request.DeleteUsers, request.RebuildCells, request.DropRows, request.RewriteUsers, request.EraseUsers,
		request.DeleteSubjects:
	}
	l.p.o.Log.ErrorContext(ctx, "journal record is of an unknown kind", "kind", int(d.kind), "offset", d.at.Offset)
	return nil
}

// timeout closes a silent session, at its last activity.
func (l *shard) timeout(d *decoded) error {
	p, err := l.load(d.rec.Profile)
	if p == nil {
		return err
	}
	c := session.Expire(p, d.rec.Session, d.received-l.settings.SessionTimeout.Milliseconds())
	if c == nil {
		return nil
	}
	it := &l.item
	*it = Item{App: l.app, Settings: &l.settings, Offset: d.place(), TS: c.At, Received: d.received, Profile: p, shard: l}
	it.closedRow(c, nil)
	l.pack(it.Rows)
	l.acc.Close(d.place(), c)
	return l.put(p)
}

// featureUsers lets a feature do something to users who sent nothing. A user's state is settled before the rows that the feature
// adds of the user are complete, so all of them carry the new one.
func (l *shard) featureUsers(ctx context.Context, d *decoded) error {
	f := l.p.o.Features.named(d.rec.Event)
	if f != nil && f.Decide != nil && len(d.rec.UIDs) == 0 {
		f.Decide(Subjects{f.Subjects, l.schema}, d.rec.JSON)
		return nil
	}
	if f == nil || f.Command == nil {
		l.p.o.Log.ErrorContext(ctx, "no feature takes the command", "feature", d.rec.Event, "app", l.id.String(), "offset", d.at.Offset)
		return nil
	}
	it := &l.item
	*it = Item{
		App: l.app, Settings: &l.settings, Offset: d.place(), TS: d.received, Received: d.received, shard: l, Rows: it.Rows[:0],
	}
	for _, uid := range d.rec.UIDs {
		p, err := l.loadUID(uid)
		if err != nil {
			return err
		}
		if p == nil {
			continue // deleted, or merged into another, meanwhile
		}
		it.Profile, it.Session = p, p.Open.ID
		first := len(it.Rows)
		if err := f.Command(it, d.rec.JSON); err != nil {
			return fmt.Errorf("feature %s: %w", f.Name, err)
		}
		if err := l.changed(p, d.place()); err != nil {
			return err
		}
		for i := range it.Rows[first:] {
			it.Rows[first+i].State = p.State
		}
	}
	it.countRows(l.acc)
	l.pack(it.Rows)
	return nil
}

// createUser makes a profile from a document with the wire's short keys. A
// device that has one already has it updated.
func (l *shard) createUser(ctx context.Context, d *decoded) error {
	doc, err := props.ParseDocument(d.rec.JSON)
	if err != nil || doc.DID == "" {
		l.p.o.Log.ErrorContext(ctx, "user cannot be created", "app", l.id.String(), "offset", d.at.Offset, "err", err)
		return nil
	}
	id := model.NewProfileID(l.app.IDKey, doc.DID)
	p, err := l.load(id)
	if err != nil {
		return err
	}
	if p == nil {
		uid, err := l.p.o.Profiles.NextUID(l.id)
		if err != nil {
			return fmt.Errorf("number user: %w", err)
		}
		sync := d.received / 1000
		p = &model.Profile{ID: id, UID: uid, DID: doc.DID, FirstSync: sync, LastSync: sync}
	}
	doc.Apply(p)
	return l.changed(p, d.place())
}

// updateUsers applies a modifier document to the users named.
func (l *shard) updateUsers(ctx context.Context, d *decoded) error {
	for _, uid := range d.rec.UIDs {
		p, err := l.loadUID(uid)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		different, err := props.Update(p, d.rec.JSON)
		if errors.Is(err, props.ErrUpdate) {
			l.p.o.Log.ErrorContext(ctx, "users cannot be updated", "app", l.id.String(), "offset", d.at.Offset, "err", err)
			return nil
		}
		if !different {
			continue
		}
		if err := l.changed(p, d.place()); err != nil {
			return err
		}
	}
	return nil
}

// changed settles a profile that a command changed.
func (l *shard) changed(p *model.Profile, offset uint64) error {
	state, err := l.state(p, offset)
	if err != nil {
		return err
	}
	if state != nil {
		l.out.States = append(l.out.States, *state)
	}
	return l.put(p)
}

// alone applies a command that takes a batch of its own. The removal from the
// event store comes first, with the watermark; then all of the rest.
func (p *Pipeline) alone(ctx context.Context, d *decoded) error {
	p.alones = d
	defer func() { p.alones = nil }()
	switch d.kind {
	case request.ResetApp, request.DeleteApp:
		return p.dropApp(ctx, d)
	case request.DeleteEvents:
		return p.deleteEvents(ctx, d)
	case request.OmitSegments:
		return p.omitSegments(ctx, d)
	case request.WhitelistSegments:
		return p.whitelist(ctx, d)
	case request.DeleteUsers:
		return p.deleteUsers(ctx, d)
	case request.RebuildCells:
		return p.rebuildCells(ctx, d)
	case request.DropRows:
		return p.dropRows(ctx, d)
	case request.RewriteUsers:
		return p.rewriteUsers(ctx, d)
	case request.EraseUsers:
		return p.eraseUsers(ctx, d)
	case request.DeleteSubjects:
		return p.deleteSubjects(ctx, d)
	case request.Client, request.SessionTimeout, request.CreateUser, request.UpdateUsers, request.SetSettings, request.FeatureUsers:
	}
	p.o.Log.ErrorContext(ctx, "journal record is of an unknown kind", "kind", int(d.kind), "offset", d.at.Offset)
	return p.storeNothing(ctx, d.at)
}

// removal is a change of the event store that a command asks for.
type removal func(context.Context, events.Writer) error

// remove runs a removal until it is committed, behind all rows that are on
// their way to the event store.
func (p *Pipeline) remove(ctx context.Context, d *decoded, what string, do removal) error {
	p.rowsAt = d.at.Watermark()
	return p.untilDone(ctx, what, func(ctx context.Context) error { return p.outbox.Exclusive(ctx, do) })
}
