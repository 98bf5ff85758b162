package flows

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/events"
)

type readReq struct {
	api.List
	Method string `param:"method"`
	ID     string `param:"_id"`
	Query  string `param:"query"`
}

// read answers with what the method asks for.
func (s *service) read(ctx context.Context, c api.Caller, r readReq) (any, error) {
	switch r.Method {
	case "list":
		return s.list(ctx, c, r)
	case "info":
		return s.info(ctx, c, r)
	case "data":
		return s.data(ctx, c, r)
	case "events":
		return s.events(c), nil
	case "views":
		return s.viewOptions(ctx, c, r)
	case "crashes":
		return s.crashOptions(ctx, c, r)
	}
	return nil, errMethod
}

// shown is a definition with its state on the wire.
func shown(d Definition) Definition {
	if d.Disabled {
		d.Status = stateDisabled
	}
	return d
}

// list answers with a page of flows. A list is always a table.
func (s *service) list(ctx context.Context, c api.Caller, r readReq) (api.Table[Definition], error) {
	q := r.List.Query(api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "type"}, {Name: "status", Field: "status"}, {Name: "created", Field: "created"}},
		Sort:    "name", Usual: maxFlows, Most: maxFlows,
	})
	p, err := spec().In(s.docs, c.App.ID).Page(ctx, q)
	return api.TableOf(r.List, p, shown), err
}

// maker is who made a flow.
type maker struct {
	Name string `json:"full_name"`
}

// info answers with a flow and who made it.
func (s *service) info(ctx context.Context, c api.Caller, r readReq) (any, error) {
	d, err := spec().In(s.docs, c.App.ID).Get(ctx, r.ID)
	if docs.IsNotFound(err) {
		return nil, errNotFound
	}
	if err != nil {
		return nil, err
	}
	out := struct {
		Definition
		Member maker `json:"memberData"`
	}{Definition: shown(d)}
	members, err := s.auth.Members(ctx)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(members, func(m model.Member) bool { return m.ID == d.Creator }); i >= 0 {
		out.Member.Name = members[i].FullName
	}
	return out, nil
}

// data answers with what was computed of a flow; an empty object where nothing was.
func (s *service) data(ctx context.Context, c api.Caller, r readReq) (any, error) {
	if !strings.HasPrefix(r.ID, c.App.ID.String()+"_") {
		return nil, errNotFound
	}
	out, err := dataSpec().In(s.docs, c.App.ID).Get(ctx, r.ID+"_data")
	if docs.IsNotFound(err) {
		return struct{}{}, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := spec().In(s.docs, c.App.ID).Get(ctx, r.ID)
	if docs.IsNotFound(err) {
		return struct{}{}, nil
	}
	if err != nil {
		return nil, err
	}
	ready, err := s.compile(ctx, c.App.ID, d)
	if err != nil {
		return nil, err
	}
	return out, mayLookAt(c.Member, c.App.ID, ready.paths)
}

// keys are the events that flows may begin and end with.
type keys struct {
	Internal []string `json:"internal"`
	Custom   []string `json:"custom"`
}

func (s *service) events(c api.Caller) keys {
	out := keys{
		Internal: []string{
			sessionKey, crashKey, viewKey, "[CLY]_action", "[CLY]_push_action", "[CLY]_push_sent", "[CLY]_star_rating", "[CLY]_nps", "[CLY]_survey",
			"[CLY]_apm_network", "[CLY]_apm_device", "[CLY]_consent", "[CLY]_view_update",
		},
		Custom: []string{},
	}
	for _, ev := range s.schema.Events(c.App.ID) {
		if !strings.HasPrefix(ev.Key, events.InternalPrefix) {
			out.Custom = append(out.Custom, ev.Key)
		}
	}
	return out
}

// option is something to choose.
type option struct {
	Value string `json:"value"`
	Name  string `json:"name"`
}

type result struct {
	Result []option `json:"result"`
}

const maxOptions = 100

// viewOptions lists views by what people call them, from the last one on.
func (s *service) viewOptions(ctx context.Context, c api.Caller, r readReq) (result, error) {
	list, err := s.subjects.List(ctx, c.App.ID, viewKey)
	if err != nil {
		return result{}, err
	}
	out, needle := []option{}, docs.SearchText(r.Query)
	for _, v := range list {
		if strings.Contains(docs.SearchText(v.Title), needle) {
			out = append(out, option{v.ID, v.Title})
		}
	}
	slices.SortFunc(out, func(a, b option) int { return cmp.Or(cmp.Compare(b.Name, a.Name), cmp.Compare(a.Value, b.Value)) })
	return result{out[:min(len(out), maxOptions)]}, nil
}

// crashOptions lists groups of crashes, those reported last first; none for members who may not read crashes.
func (s *service) crashOptions(ctx context.Context, c api.Caller, r readReq) (result, error) {
	out := result{[]option{}}
	if !auth.Can(c.Member, c.App.ID, "crashes", model.Read) {
		return out, nil
	}
	list, err := s.crashes.List(ctx, c.App.ID, r.Query, maxOptions)
	for _, g := range list {
		out.Result = append(out.Result, option{g.ID, g.Name})
	}
	return out, err
}

// eachUse lists which events flows name.
func (s *service) eachUse(ctx context.Context, app model.AppID, fn func(kernel.EventUse) error) error {
	for d, err := range spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		u := kernel.EventUse{ID: d.ID, Name: d.Name}
		for _, a := range slices.Concat(d.starts(), []anchor{d.End}, d.Exclude) {
			if a.Event != "" {
				u.Events = append(u.Events, a.Event)
			}
		}
		if err := fn(u); err != nil {
			return err
		}
	}
	return nil
}
