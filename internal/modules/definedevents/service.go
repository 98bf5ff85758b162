package definedevents

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

type listReq struct{ api.List }

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "changed", Field: ".changed"}},
		Sort:    "name", Usual: maxDefinitions, Most: maxDefinitions,
	}
}

// list answers an array, or a table.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (any, error) {
	p, err := spec().In(s.docs, c.App.ID).Page(ctx, r.Query(listing()))
	return api.Bare(r.List, api.TableOf(r.List, p, api.Itself[definition])), err
}

// writeReq is a definition as clients send it; what is not sent is empty.
type writeReq struct {
	ID          string       `param:"id"`
	Name        string       `param:"name"`
	Description string       `param:"description"`
	Events      params.Value `param:"events"`
	Hide        string       `param:"hide"`
}

// fill writes what was sent into a definition.
func (r writeReq) fill(d *definition) error {
	d.Name, d.Description, d.Hide, d.Events = strings.TrimSpace(r.Name), r.Description, params.On(r.Hide), nil
	if err := params.CheckName(d.Name); err != nil {
		return err
	}
	if err := json.Unmarshal(r.Events.Raw(), &d.Events); err != nil {
		if fault.CodeOf(err) != "" { // that of a filter
			return err
		}
		return invalid("Events are a list of keys, or of objects")
	}
	return d.Validate()
}

// allowed checks that the caller may look at what a definition looks at, that its events were sent or were among those before, and that no
// event has its name.
func (s *service) allowed(c api.Caller, d definition, before []source) error {
	if !auth.MayAskOfUsers(c.Member, c.App.ID, d.paths()) {
		return errRight
	}
	for _, e := range d.Events {
		_, sent := s.schema.Event(c.App.ID, e.Event)
		was := slices.ContainsFunc(before, func(b source) bool { return b.Event == e.Event })
		if !sent && !was && !strings.HasPrefix(e.Event, internalPrefix) {
			return fault.Newf(fault.Invalid, "defined_events.unknown_event", "The app has not sent an event %q", e.Event)
		}
	}
	if _, taken := s.schema.Event(c.App.ID, d.Name); taken {
		return errTaken
	}
	return nil
}

// create keeps a definition, and answers with its key.
func (s *service) create(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	now := s.now().UnixMilli()
	d := definition{ID: model.DefinedPrefix + model.NewID().String(), AppID: c.App.ID.String(), Creator: c.Member.ID, Created: now, Changed: now}
	if err := r.fill(&d); err != nil {
		return api.Result{}, err
	}
	if err := s.allowed(c, d, nil); err != nil {
		return api.Result{}, err
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		return spec().In(tx, c.App.ID).CreateUpTo(ctx, d, maxDefinitions, errTooMany)
	})
	if docs.DuplicateOf(err) != "" {
		return api.Result{}, errTaken
	}
	s.defined.Changed(c.App.ID)
	c.Audit("defined_event_created", nil, d, nil)
	return api.Result{Result: d.ID}, err
}

// update replaces what a definition says.
func (s *service) update(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	var before definition
	after, err := spec().In(s.docs, c.App.ID).Update(ctx, r.ID, func(d *definition) error {
		before = *d
		if err := r.fill(d); err != nil {
			return err
		}
		d.Changed = s.now().UnixMilli()
		return s.allowed(c, *d, before.Events)
	})
	switch {
	case unknownID(err):
		return api.Result{}, errNotFound
	case docs.DuplicateOf(err) != "":
		return api.Result{}, errTaken
	case err != nil:
		return api.Result{}, err
	}
	s.defined.Changed(c.App.ID)
	c.Audit("defined_event_updated", before, after, nil)
	return api.Success(), nil
}

type removeReq struct {
	ID    string `param:"id"`
	Force string `param:"force"` // delete it even if something uses it
}

// remove deletes a definition. What uses it finds no rows from then on, so that needs to be asked for.
func (s *service) remove(ctx context.Context, c api.Caller, r removeReq) (api.Result, error) {
	col := spec().In(s.docs, c.App.ID)
	before, err := col.Get(ctx, r.ID)
	if unknownID(err) {
		return api.Result{}, errNotFound
	}
	if err != nil {
		return api.Result{}, err
	}
	if !params.On(r.Force) {
		found, err := s.used(ctx, c, r.ID)
		if err != nil {
			return api.Result{}, err
		}
		if u := found[r.ID]; u != nil {
			return api.Result{}, fault.Newf(fault.Conflict, "defined_events.in_use", "The defined event is in use: %d", len(u.Uses)+u.Others)
		}
	}
	if err := col.Delete(ctx, r.ID); err != nil {
		if docs.IsNotFound(err) {
			err = errNotFound
		}
		return api.Result{}, err
	}
	s.defined.Changed(c.App.ID)
	c.Audit("defined_event_deleted", before, nil, nil)
	return api.Success(), nil
}

type usesReq struct {
	Event string `param:"event"` // a key; "" = every key that something uses
}

// usesOf is what uses an event.
type usesOf struct {
	Uses   []use `json:"uses"`
	Others int   `json:"others"` // how many more there are that the caller does not see
}

type use struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Name string `json:"name"`
}

// uses answers what uses events, by key.
func (s *service) uses(ctx context.Context, c api.Caller, r usesReq) (map[string]*usesOf, error) {
	return s.used(ctx, c, r.Event)
}

func (s *service) used(ctx context.Context, c api.Caller, event string) (map[string]*usesOf, error) {
	out := map[string]*usesOf{}
	for _, user := range s.users.All() {
		may := auth.Can(c.Member, c.App.ID, user.Feature, model.Read)
		err := user.Each(ctx, c.App.ID, func(u kernel.EventUse) error {
			keys := slices.Sorted(slices.Values(u.Events))
			for _, key := range slices.Compact(keys) {
				if event != "" && key != event {
					continue
				}
				of := out[key]
				if of == nil {
					of = &usesOf{Uses: []use{}}
					out[key] = of
				}
				if may && (u.Visible == nil || u.Visible(c.Member)) {
					of.Uses = append(of.Uses, use{user.Kind, u.ID, u.Name})
				} else {
					of.Others++
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

type previewReq struct {
	Events params.Value `param:"events"`
	Period string       `param:"period"` // 30days unless it is sent
}

// preview answers the figures of a definition that is not kept yet.
func (s *service) preview(ctx context.Context, c api.Caller, r previewReq) (query.Figures, error) {
	d := definition{ID: model.DefinedPrefix + "preview"}
	if err := (writeReq{Name: "preview", Events: r.Events}).fill(&d); err != nil {
		return query.Figures{}, err
	}
	if !auth.MayAskOfUsers(c.Member, c.App.ID, d.paths()) {
		return query.Figures{}, errRight
	}
	cal, _ := s.zones.Get(c.App.Timezone)
	p := period.Frame{Now: c.Now, Calendar: cal, Parsed: c.Parsed()}.ParseOrDefault(r.Period)
	one := &query.Definitions{}
	one.Provide(func(context.Context, model.AppID, string) ([]query.FunnelEvent, error) { return d.selected(), nil })
	return s.tables.Defining(one).TrendTotals(ctx, c.App.ID, query.Trend{Events: []string{d.ID}, Period: p})
}
