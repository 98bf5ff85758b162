package flows

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// fields are those of a flow that a client sends; what was not sent stays.
type fields struct {
	Name     params.Value `param:"name"`
	Type     string       `param:"type"`
	Start    params.Value `param:"start"`
	End      params.Value `param:"end"`
	Exclude  params.Value `param:"exclude"`
	Users    params.Value `param:"user_segmentation"`
	Period   params.Value `param:"period"`
	Disabled params.Value `param:"disabled"`
	Options  params.Value `param:"options"`
}

// fill changes the fields of a flow that were sent.
func (f fields) fill(d *Definition) error {
	if err := params.CheckName(f.Name.String()); err != nil {
		return err
	}
	if f.Name.String() != "" {
		d.Name = f.Name.String()
	}
	if f.Type != "" {
		d.Type = f.Type
	}
	if f.Start.String() != "" {
		d.Start = anchor{}
	}
	if f.End.String() != "" {
		d.End = anchor{}
	}
	if f.Options.String() != "" {
		d.Options = nil
	}
	for _, part := range []struct {
		name string
		from params.Value
		to   any
	}{{"start", f.Start, &d.Start}, {"end", f.End, &d.End}, {"exclude", f.Exclude, &d.Exclude}, {"options", f.Options, &d.Options}} {
		if part.from.String() != "" && json.Unmarshal(part.from.Raw(), part.to) != nil {
			return invalid("Invalid parameter %s", part.name)
		}
	}
	if !d.Start.named() || !d.End.named() {
		return invalid("A flow starts and ends with events")
	}
	if f.Users.String() != "" {
		var err error
		if d.Users, err = segmentation(f.Users.Raw()); err != nil {
			return err
		}
	}
	if f.Period.String() != "" {
		d.Period = f.Period.String()
	}
	if f.Disabled.String() != "" {
		d.Disabled = f.Disabled.String() == "true"
	}
	d.settle()
	return nil
}

// segmentation reads a filter: itself, or an object that holds it as query.
func segmentation(raw []byte) (filter.Expr, error) {
	var wrapped struct {
		Query json.RawMessage `json:"query"`
	}
	if json.Unmarshal(raw, &wrapped) == nil && len(wrapped.Query) > 0 {
		raw = wrapped.Query
		var text string
		if json.Unmarshal(raw, &text) == nil {
			raw = []byte(text)
		}
	}
	return filter.Parse(raw)
}

// allowed checks a definition, and that the caller may look at what it looks at.
func (s *service) allowed(ctx context.Context, c api.Caller, d Definition) error {
	if err := d.Validate(); err != nil {
		return err
	}
	if _, err := s.period(c.App, c.Now, d.Period); err != nil {
		return errPeriod
	}
	ready, err := s.compile(ctx, c.App.ID, d)
	if err != nil {
		return err
	}
	return mayLookAt(c.Member, c.App.ID, ready.paths)
}

// create keeps a flow.
func (s *service) create(ctx context.Context, c api.Caller, r fields) (api.Result, error) {
	if r.Name.String() == "" {
		return api.Result{}, errName
	}
	now := c.Now.UnixMilli()
	d := Definition{
		ID: c.App.ID.String() + "_" + model.NewID().String(), AppID: c.App.ID.String(), Type: "events", Period: period.Default,
		Status: stateNew, Changed: now, Creator: c.Member.ID, Created: now,
	}
	if err := r.fill(&d); err != nil {
		return api.Result{}, err
	}
	if err := s.allowed(ctx, c, d); err != nil {
		return api.Result{}, err
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		return spec().In(tx, c.App.ID).CreateUpTo(ctx, d, maxFlows, errTooMany)
	})
	c.Audit("flows_created", nil, d, nil)
	return api.Success(), err
}

type editReq struct {
	fields
	ID string `param:"_id"`
}

// edit changes the fields of a flow that were sent.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errID
	}
	var before Definition
	after, err := spec().In(s.docs, c.App.ID).Update(ctx, r.ID, func(d *Definition) error {
		before = *d
		if err := r.fill(d); err != nil {
			return err
		}
		d.Status, d.Changed = stateEdited, c.Now.UnixMilli()
		return s.allowed(ctx, c, *d)
	})
	if docs.IsNotFound(err) {
		err = errGone
	}
	c.Audit("flows_edited", before, after, nil)
	return api.Success(), err
}

type idReq struct {
	ID string `param:"_id"`
}

// remove deletes a flow and what was computed of it.
func (s *service) remove(ctx context.Context, c api.Caller, r idReq) (api.Result, error) {
	var before Definition
	err := s.docs.Tx(ctx, func(tx docs.Handle) (err error) {
		col := spec().In(tx, c.App.ID)
		if before, err = col.Get(ctx, r.ID); err != nil {
			return err
		}
		if _, err := dataSpec().In(tx, c.App.ID).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Eq("flow", r.ID)}}); err != nil {
			return err
		}
		return col.Delete(ctx, r.ID)
	})
	if docs.IsNotFound(err) {
		err = errNotFound
	}
	c.Audit("flows_deleted", before, nil, nil)
	return api.Success(), err
}

type disableReq struct {
	Data params.Value `param:"data"`
}

// disable switches flows off and on: all that exist of those that are named.
func (s *service) disable(ctx context.Context, c api.Caller, r disableReq) (api.Result, error) {
	var wanted map[string]any
	if json.Unmarshal(r.Data.Raw(), &wanted) != nil {
		return api.Result{}, errData
	}
	if len(wanted) == 0 {
		return api.Result{}, errNothing
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		for _, id := range slices.Sorted(maps.Keys(wanted)) {
			_, err := col.Update(ctx, own(c.App.ID, id), func(d *Definition) error {
				d.Disabled = wanted[id] == true || wanted[id] == "true"
				return nil
			})
			if err != nil && !docs.IsNotFound(err) {
				return err
			}
		}
		return nil
	})
	c.Audit("flows_status_updated", nil, wanted, nil)
	return api.Success(), err
}

// own is the id of a flow, which clients may send without the app's in front.
func own(app model.AppID, id string) string {
	if strings.Contains(id, "_") {
		return id
	}
	return app.String() + "_" + id
}

// appDeleted removes the flows of an app that is no more.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	if _, err := dataSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// appReset removes what was computed of data that are no more; the flows stay.
func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	_, err := dataSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}
