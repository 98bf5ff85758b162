package crashes

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// writeReq is what all changes take.
type writeReq struct {
	Args params.Value `param:"args"`
}

// args are the arguments of all changes. What has another type than it should is as if it had not been sent.
type args struct {
	ids []string // of groups, each once
	// variants are signatures, each once.
	variants []string
	comment  string
	text     string
	hasText  bool
	data     map[string]bool
	member   string
}

// Bounds of what one change takes and a group holds.
const (
	maxChanged  = 10_000
	maxAudited  = 100 // groups that an entry of the audit log shows; it has the number of all
	maxComments = 200
	maxComment  = 8 << 10 // bytes
)

var (
	errNoArgs   = bad("Please provide args parameter")
	errNoData   = bad("No data to save")
	errComments = fault.New(fault.Conflict, "crashes.too_many_comments", "There are too many comments, delete some")
)

func readArgs(v params.Value) (args, error) {
	if v.String() == "" {
		return args{}, errNoArgs
	}
	p := params.Params{}
	p.Set("args", v)
	var m map[string]any
	if p.Decode("args", &m) != nil {
		return args{}, errNoArgs
	}
	out := args{}
	one, _ := m["crash_id"].(string)
	list, _ := m["crashes"].([]any)
	seen := map[string]bool{"": true}
	for _, v := range append([]any{one}, list...) {
		if id, ok := v.(string); ok && !seen[id] {
			seen[id] = true
			out.ids = append(out.ids, id)
		}
		if len(out.ids) > maxChanged {
			return args{}, bad("Too many crashes")
		}
	}
	variants, _ := m["variants"].([]any)
	for _, v := range variants {
		if id, ok := v.(string); ok && id != "" && len(out.variants) <= maxChanged {
			out.variants = append(out.variants, id)
		}
	}
	if out.variants = sortedOnce(out.variants); len(out.variants) > maxChanged {
		return args{}, bad("Too many variants")
	}
	out.comment, _ = m["comment_id"].(string)
	out.member, _ = m["member"].(string)
	text, ok := m["text"].(string)
	out.text, out.hasText = request.Cut(text, maxComment), ok
	if data := m["data"]; data != nil {
		if text, ok := data.(string); ok {
			_ = json.Unmarshal([]byte(text), &data) // what is no JSON is no data
		}
		if of, ok := data.(map[string]any); ok {
			out.data = map[string]bool{}
			for key, v := range of {
				out.data[key] = set(v)
			}
		}
	}
	return out, nil
}

// set reports whether a switch of JSON is on.
func set(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return on(v)
	}
	return false
}

// action is a change of groups.
type action struct {
	needs model.Action
	app   api.AppSource
	run   func(context.Context, api.Caller, writeReq) (any, error)
}

// actions are the changes by their names.
func (s *service) actions() map[string]action {
	with := func(needs model.Action, app api.AppSource, do func(context.Context, api.Caller, args) (any, error)) action {
		return action{needs, app, func(ctx context.Context, c api.Caller, r writeReq) (any, error) {
			a, err := readArgs(r.Args)
			if err != nil {
				return nil, err
			}
			if c.App == nil {
				return nil, api.MissingParam("app_id")
			}
			return do(ctx, c, a)
		}}
	}
	change := func(fn func(*about) error) action { return with(model.Update, api.AppParam, s.changing(fn)) }
	yes, no := true, false
	return map[string]action{
		"resolve":   with(model.Update, api.AppParam, s.resolve),
		"unresolve": with(model.Update, api.AppParam, s.unresolve),
		"resolving": with(model.Update, api.AppParam, s.resolving),
		"view":      change(func(a *about) error { a.Viewed = true; return nil }),
		"hide":      change(func(a *about) error { a.Hidden = &yes; return nil }),
		"show":      change(func(a *about) error { a.Hidden = &no; return nil }),
		"share": change(func(a *about) error {
			a.Public = true
			if a.URL == "" {
				a.URL = newURL()
			}
			return nil
		}),
		"unshare":        change(func(a *about) error { a.Public = false; return nil }),
		"modify_share":   with(model.Update, api.AppParam, s.modifyShare),
		"add_comment":    with(model.Create, api.AppInArgs, s.addComment),
		"edit_comment":   with(model.Update, api.AppInArgs, s.editComment),
		"delete_comment": with(model.Delete, api.AppInArgs, s.deleteComment),
		"assign":         with(model.Update, api.AppParam, s.assign),
		"merge":          with(model.Update, api.AppParam, s.merge),
		"split":          with(model.Update, api.AppParam, s.split),
		"delete":         with(model.Delete, api.AppParam, s.delete),
	}
}

// changing makes an action of a change of what is known of a group.
func (s *service) changing(fn func(*about) error) func(context.Context, api.Caller, args) (any, error) {
	return func(ctx context.Context, c api.Caller, a args) (any, error) {
		_, err := s.change(ctx, c, a.ids, fn)
		return api.Success(), err
	}
}

// change changes what is known of those of the groups that the app has, and returns them by their ids with their latest versions.
func (s *service) change(ctx context.Context, c api.Caller, ids []string, fn func(*about) error) (map[string]string, error) {
	latest, before, after, err := s.touch(ctx, c.App.ID, ids, fn)
	if err != nil {
		return nil, err
	}
	shown := min(len(after), maxAudited)
	c.Audit("", audited(before[:shown]), audited(after[:shown]), map[string]any{"crashes": len(latest)})
	return latest, nil
}

// touch is change without an entry in the audit log. It returns what was known of the groups before and what is after.
func (s *service) touch(ctx context.Context, app model.AppID, ids []string, fn func(*about) error) (latest map[string]string, before, after []about, err error) {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return nil, nil, nil, err
	}
	defer done()
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		latest, before, after = map[string]string{}, nil, nil
		for _, id := range ids {
			g := b.groups[id]
			if g == nil {
				continue
			}
			was, is, err := update(ctx, tx, app, id, fn)
			if err != nil {
				return err
			}
			latest[id] = g.latest
			before, after = append(before, was), append(after, is)
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if len(after) > 0 {
		s.books.changed(ctx, app, b, after...)
	}
	return latest, before, after, nil
}

// audited is what the audit log shows of groups: not the secret of their pages, and no comments but their number.
func audited(list []about) []map[string]any {
	out := make([]map[string]any, len(list))
	for i, a := range list {
		out[i] = map[string]any{"_id": a.ID, "viewed": a.Viewed, "hidden": a.Hidden != nil && *a.Hidden, "resolving": a.Resolving, "public": a.Public, "share": a.Share, "comments": len(a.Comments), "assigned": a.Assigned}
	}
	return out
}

// resolve declares groups resolved in their latest versions.
func (s *service) resolve(ctx context.Context, c api.Caller, a args) (any, error) {
	latest, err := s.change(ctx, c, a.ids, resolved)
	if err != nil || len(latest) == 0 {
		return map[string]string{}, err
	}
	if err := s.decide(ctx, c.App.ID, decision{Resolve: latest}); err != nil {
		return nil, err
	}
	return latest, s.decided(ctx, c.App.ID, latest)
}

func resolved(a *about) error {
	a.Viewed, a.Resolving, a.Unresolved = true, false, false
	return nil
}

func unresolved(a *about) error {
	a.Resolving, a.Unresolved = false, true
	return nil
}

// decided notifies others of a decision about groups.
func (s *service) decided(ctx context.Context, app model.AppID, groups map[string]string) error {
	if len(groups) == 0 {
		return nil
	}
	return hook.Emit(ctx, s.bus, topic.CrashGroupsDecided{App: app, Groups: slices.Sorted(maps.Keys(groups))})
}

// resolving declares that somebody works on groups.
func (s *service) resolving(ctx context.Context, c api.Caller, a args) (any, error) {
	found, err := s.change(ctx, c, a.ids, func(a *about) error { a.Resolving = true; return nil })
	if err != nil {
		return nil, err
	}
	return api.Success(), s.decided(ctx, c.App.ID, found)
}

// unresolve takes that back.
func (s *service) unresolve(ctx context.Context, c api.Caller, a args) (any, error) {
	found, err := s.change(ctx, c, a.ids, unresolved)
	if err != nil || len(found) == 0 {
		return api.Success(), err
	}
	if err := s.decide(ctx, c.App.ID, decision{Unresolve: slices.Sorted(maps.Keys(found))}); err != nil {
		return nil, err
	}
	return api.Success(), s.decided(ctx, c.App.ID, found)
}

// decide puts a decision into the journal, so that it holds for what is received later.
func (s *service) decide(ctx context.Context, app model.AppID, d decision) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return s.data.Submit(ctx, pipeline.FeatureDecision(app, feature, text))
}

// shareable are the parts of a group that its public page may show.
var shareable = []string{"reports", "platform", "state", "times", "custom", "loss", "users", "stack"}

// modifyShare chooses what the public page shows.
func (s *service) modifyShare(ctx context.Context, c api.Caller, a args) (any, error) {
	if a.data == nil {
		return nil, errNoData
	}
	return s.changing(func(known *about) error {
		share := maps.Clone(known.Share)
		if share == nil {
			share = map[string]bool{}
		}
		for key, shown := range a.data {
			if slices.Contains(shareable, key) {
				share[key] = shown
			}
		}
		known.Share = share
		return nil
	})(ctx, c, a)
}

func (s *service) addComment(ctx context.Context, c api.Caller, a args) (any, error) {
	text := strings.TrimSpace(a.text)
	return s.changing(func(known *about) error {
		if len(known.Comments) >= maxComments {
			return errComments
		}
		known.Comments = append(slices.Clip(known.Comments), comment{
			ID: model.NewID().String(), Text: text, Time: s.now().UnixMilli(), Author: c.Member.FullName, AuthorID: c.Member.ID,
		})
		known.Commented = true
		return nil
	})(ctx, c, a)
}

func (s *service) editComment(ctx context.Context, c api.Caller, a args) (any, error) {
	return s.changing(func(known *about) error {
		known.Comments = slices.Clone(known.Comments)
		for i := range known.Comments {
			if known.Comments[i].ID == a.comment && a.hasText {
				known.Comments[i].Text, known.Comments[i].Edited = strings.TrimSpace(a.text), s.now().UnixMilli()
			}
		}
		return nil
	})(ctx, c, a)
}

func (s *service) deleteComment(ctx context.Context, c api.Caller, a args) (any, error) {
	return s.changing(func(known *about) error {
		known.Comments = slices.DeleteFunc(slices.Clone(known.Comments), func(o comment) bool { return o.ID == a.comment })
		return nil
	})(ctx, c, a)
}

// delete removes groups with their reports. The course of the app's counters stays as it was.
func (s *service) delete(ctx context.Context, c api.Caller, a args) (any, error) {
	app := c.App.ID
	release, err := s.regrouping.hold(ctx, app) // a move under way would bring back what is deleted
	if err != nil {
		return nil, err
	}
	defer release()
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return nil, err
	}
	defer done()
	var gone []*group
	for _, id := range a.ids {
		if g := b.groups[id]; g != nil {
			gone = append(gone, g)
		}
	}
	if len(gone) == 0 {
		return api.Success(), nil
	}
	var names []string
	shown, of := make([]listed, len(gone)), map[string]bool{}
	for i, g := range gone {
		shown[i] = listed{g.id, g.name}
		names, of[g.id] = append(append(names, g.signatures()...), g.id), true
	}
	for name, group := range b.moved { // fingerprints too
		if of[group] {
			names = append(names, name)
		}
	}
	names = sortedOnce(names)
	c.Audit("", shown[:min(len(shown), maxAudited)], nil, map[string]any{"crashes": len(gone)})
	if err := s.remember(ctx, app, b, gone); err != nil {
		return nil, err
	}
	b.reset() // what is left is read again
	// Documents go first: cut short between the two, a group is there as new, and can be deleted once more.
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		for _, id := range names {
			if err := spec().In(tx, app).Delete(ctx, id); err != nil && !docs.IsNotFound(err) {
				return err
			}
			if err := pinSpec().In(tx, app).Delete(ctx, id); err != nil && !docs.IsNotFound(err) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err = s.data.Submit(ctx, request.Record{Kind: request.DeleteSubjects, App: app, Event: crashKey, Names: names}); err != nil {
		return nil, err
	}
	return api.Success(), hook.Emit(ctx, s.bus, topic.CrashGroupsDecided{App: app, Groups: slices.Sorted(maps.Keys(of)), Gone: true})
}

// remember keeps the OSes and versions of groups that are deleted.
func (s *service) remember(ctx context.Context, app model.AppID, b *book, gone []*group) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := seenSpec().In(tx, app)
		kept, err := col.Get(ctx, seenID)
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
		kept.ID = seenID
		add := func(list []string, text string) []string {
			if text == "" || len(list) >= maxSeen || slices.Contains(list, text) {
				return list
			}
			return append(list, text)
		}
		for _, g := range gone {
			kept.OS = add(kept.OS, g.os)
			for _, v := range g.by {
				kept.Versions = add(kept.Versions, b.versions[v.version])
			}
		}
		return col.Put(ctx, kept)
	})
}

// sortedOnce sorts a list and removes what stands in it twice.
func sortedOnce(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
