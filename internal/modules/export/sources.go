package export

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/rollup"
	"quipu/internal/table"
)

var (
	errNoCollection = fault.New(fault.Unauthenticated, "export.no_right", "User does not have access right for this collection")
	errNoAppNamed   = fault.New(fault.Invalid, "request.missing_parameter", `Missing parameter "app_id"`)
)

func asFault(err error) (*fault.Error, bool) { return errors.AsType[*fault.Error](err) }

// addCollections declares the documents that have no module of their own.
func (s *service) addCollections() {
	s.collections.Add(s.eventsCollection())
	s.collections.Add(kernel.Collection{
		Name: "apps", Indexes: []string{"key"}, Allowed: func(m *model.Member, _ *model.App) bool { return !m.Locked },
		Each: func(_ context.Context, m *model.Member, _ *model.App, fn func(any) error) error {
			for _, app := range s.apps.All() {
				if !auth.IsAppUser(m, app.ID) && !auth.IsAppAdmin(m, app.ID) {
					continue
				}
				doc := map[string]any{
					"_id": app.ID, "name": app.Name, "country": app.Country, "timezone": app.Timezone, "category": app.Category, "type": app.Type,
					"key": app.Key, "owner": app.Owner, "created_at": app.CreatedAt, "edited_at": app.EditedAt, "has_image": app.HasImage, "locked": app.Locked,
				}
				if err := fn(doc); err != nil {
					return err
				}
			}
			return nil
		},
	})
	s.collections.Add(kernel.Collection{
		Name: "members", Indexes: []string{"username", "email"}, Allowed: func(m *model.Member, _ *model.App) bool { return m.GlobalAdmin && !m.Locked },
		Each: func(ctx context.Context, _ *model.Member, _ *model.App, fn func(any) error) error {
			members, err := s.auth.Members(ctx)
			if err != nil {
				return err
			}
			for _, m := range members {
				doc := map[string]any{
					"_id": m.ID, "full_name": m.FullName, "username": m.Username, "email": m.Email, "global_admin": m.GlobalAdmin,
					"locked": m.Locked, "created_at": m.CreatedAt, "last_login": m.LastLogin, "permission": m.Permission, "lang": m.Lang,
				}
				if err := fn(doc); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

// eventsCollection shows what is known of the events of each app.
func (s *service) eventsCollection() kernel.Collection {
	return kernel.Collection{
		Name: "events", Allowed: func(m *model.Member, _ *model.App) bool { return !m.Locked },
		Each: func(_ context.Context, m *model.Member, _ *model.App, fn func(any) error) error {
			for _, app := range s.apps.All() {
				if !auth.Can(m, app.ID, "core", model.Read) {
					continue
				}
				keys, segments := []string{}, map[string][]string{}
				for _, ev := range s.data.Schema.Events(app.ID) {
					keys = append(keys, ev.Key)
					for _, seg := range ev.Segments {
						if !seg.Opaque {
							segments[ev.Key] = append(segments[ev.Key], seg.Name)
						}
					}
				}
				if err := fn(map[string]any{"_id": app.ID, "list": keys, "segments": segments}); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// producer writes an export into a table.
type producer func(ctx context.Context, w table.Writer, progress func(int64)) error

// resolve finds what an order asks for, and checks that its member may have it.
func (s *service) resolve(ctx context.Context, o *order) (producer, error) {
	switch {
	case o.Collection != "":
		return s.collection(ctx, o)
	case o.Path != "":
		return func(ctx context.Context, w table.Writer, progress func(int64)) error {
			return s.read(ctx, o, w, progress)
		}, nil
	}
	rows, err := rowsOf(o.Data, "")
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w table.Writer, progress func(int64)) error {
		return o.documents(ctx, list(rows), w, progress)
	}, nil
}

// member recognises the member of an order, by present rights.
func (s *service) member(ctx context.Context, o *order, app model.AppID) (auth.Identity, error) {
	cred := auth.Credentials{Path: "/o/export/db", Reach: auth.ReachToken}
	if !app.IsZero() {
		cred.Apps = func() []string { return []string{app.String()} }
	}
	return s.auth.Again(ctx, auth.Proxy{Member: o.As.Member, Apps: o.As.Apps}, cred)
}

func (s *service) collection(ctx context.Context, o *order) (producer, error) {
	f, err := filter.Parse(orEmpty(o.Filter))
	if err != nil {
		return nil, err
	}
	if o.Collection == "drill_events" {
		app, err := s.appOf(ctx, o, f)
		if err != nil {
			return nil, err
		}
		return s.rows(o, app, f, s.tables.Events), nil
	}
	if rest, ok := strings.CutPrefix(o.Collection, "app_users"); ok {
		id, err := model.ParseID(rest)
		if err != nil {
			return nil, errNoCollection
		}
		app, err := s.people(ctx, o, id, f)
		if err != nil {
			return nil, err
		}
		return s.rows(o, app, f, s.tables.Users), nil
	}
	c, id, ok := s.collections.Find(o.Collection)
	if !ok {
		return nil, errNoCollection
	}
	caller, err := s.member(ctx, o, id)
	if err != nil {
		return nil, err
	}
	// Collections across apps are not for tokens that are good for some apps only.
	app := s.apps.ByID(id)
	if c.ByApp && app == nil || !c.ByApp && len(caller.Apps) > 0 || !c.Allowed(caller.Member, app) {
		return nil, errNoCollection
	}
	src := func(ctx context.Context, fn func(json.RawMessage) error) error {
		return c.Each(ctx, caller.Member, app, func(doc any) error {
			raw, err := json.Marshal(doc)
			if err != nil {
				return err
			}
			return fn(raw)
		})
	}
	if o.Index {
		src = indexes(c)
	}
	return func(ctx context.Context, w table.Writer, progress func(int64)) error {
		return o.documents(ctx, o.selected(src, f), w, progress)
	}, nil
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

// indexes describes the indexes of a collection.
func indexes(c kernel.Collection) source {
	return func(_ context.Context, fn func(json.RawMessage) error) error {
		for _, field := range append([]string{"_id"}, c.Indexes...) {
			raw, err := json.Marshal(map[string]any{"name": field + "_1", "key": map[string]int{field: 1}, "ns": c.Name})
			if err != nil {
				return err
			}
			if err := fn(raw); err != nil {
				return err
			}
		}
		return nil
	}
}

// appOf finds the app whose events are asked for: field a of the filter, else app_id.
func (s *service) appOf(ctx context.Context, o *order, f filter.Expr) (*model.App, error) {
	var top struct {
		A string `json:"a"`
	}
	text := o.App
	if json.Unmarshal(orEmpty(o.Filter), &top) == nil && top.A != "" {
		text = top.A
	}
	if text == "" {
		return nil, errNoAppNamed
	}
	id, err := model.ParseID(text)
	if err != nil {
		return nil, errNoCollection
	}
	return s.people(ctx, o, id, f)
}

// people returns the app if the member may see its single users, whose data event rows are, too, and may ask by the paths of the filter.
func (s *service) people(ctx context.Context, o *order, id model.AppID, f filter.Expr) (*model.App, error) {
	caller, err := s.member(ctx, o, id)
	if err != nil {
		return nil, err
	}
	app := s.apps.ByID(id)
	if app == nil || !auth.Can(caller.Member, id, "core", model.Read) || !auth.Can(caller.Member, id, "users", model.Read) ||
		!auth.MayAskBy(caller.Member, id, f.Paths(), nil) {
		return nil, errNoCollection
	}
	return app, nil
}

// rows exports rows of the event store.
func (s *service) rows(o *order, app *model.App, f filter.Expr, open func(context.Context, model.AppID, query.RowSelection) (*query.Export, error)) producer {
	return func(ctx context.Context, w table.Writer, progress func(int64)) error {
		if err := s.data.Flush(ctx); err != nil {
			return err
		}
		fields := slices.Clone(o.Fields)
		if len(fields) > 0 && !o.Without && o.Mapper != nil {
			for _, path := range o.Mapper.copies() {
				fields = append(fields, o.Mapper.source(path))
			}
		}
		e, err := open(ctx, app.ID, query.RowSelection{
			Filter: f, Fields: fields, Without: o.Without, Sort: o.Sort, Desc: o.Desc, Skip: o.Skip, Limit: o.Limit,
		})
		if err != nil {
			return err
		}
		columns, from := o.arrange(e.Columns)
		if err := w.Begin(o.titled(slices.Clone(columns))); err != nil {
			return err
		}
		out := make([]any, len(columns))
		encoded := o.encoded(columns)
		var n int64
		return e.Each(ctx, func(values []any) error {
			for i, at := range from {
				out[i] = nil
				if at >= 0 {
					out[i] = o.Mapper.value(columns[i].Key(), values[at])
				}
				if text, is := out[i].(string); is && encoded[i] != 0 {
					out[i] = query.Decoded(encoded[i], text)
				}
			}
			n++
			progress(n)
			return w.Row(out)
		})
	}
}

// encoded returns for each column of profiles, and of the profile in rows of events, the metric whose values it holds, 0 for none. Files
// for spreadsheets have these as people read them: 3.2.1 and google.com, which are stored as 3:2:1 and google&#46;com. JSON has what is
// stored.
func (o *order) encoded(columns []table.Column) []rollup.Metric {
	out := make([]rollup.Metric, len(columns))
	if o.format() == table.JSON {
		return out
	}
	for i, c := range columns {
		path := c.Path
		if len(path) == 2 && path[0] == "up" {
			path = path[1:]
		}
		if len(path) != 1 {
			continue
		}
		for j := range model.Dimensions {
			if d := &model.Dimensions[j]; d.Key == path[0] {
				out[i] = rollup.Metric(d.Metric)
			}
		}
	}
	return out
}

// arrange makes the columns of an export of those that were read, and says from which each is filled;
// -1 = from none.
func (o *order) arrange(paths [][]string) (columns []table.Column, from []int) {
	at := map[string]int{}
	for i, path := range paths {
		at[strings.Join(path, ".")] = i
	}
	add := func(path []string, key string) {
		i, ok := at[o.Mapper.source(key)]
		if !ok {
			i = -1
		}
		columns, from = append(columns, table.Column{Path: path}), append(from, i)
	}
	for _, path := range paths {
		if key := strings.Join(path, "."); o.wants(key) {
			add(path, key)
		}
	}
	copies := o.Mapper.copies()
	slices.Sort(copies)
	for _, key := range copies {
		if _, there := at[key]; !there && o.wants(key) {
			add([]string{key}, key)
		}
	}
	return columns, from
}

// read exports what the API answers to a path.
func (s *service) read(ctx context.Context, o *order, w table.Writer, progress func(int64)) error {
	p, err := parameters(o.Data)
	if err != nil {
		return err
	}
	answer, err := s.inner.Get(ctx, o.As, o.Path, p)
	if err != nil {
		return err
	}
	rows, err := rowsOf(answer, o.Prop)
	if err != nil {
		return err
	}
	return o.documents(ctx, list(rows), w, progress)
}

func list(rows []json.RawMessage) source {
	return func(ctx context.Context, fn func(json.RawMessage) error) error {
		for _, raw := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(raw); err != nil {
				return err
			}
		}
		return nil
	}
}

var errBadData = fault.New(fault.Invalid, "export.bad_data", `Incorrect parameter "data"`)

// rowsOf makes rows of an answer: those of an array, or of the table envelope, or one. prop is a
// path with dots to what is wanted of it; where nothing stands there are no rows.
func rowsOf(answer json.RawMessage, prop string) ([]json.RawMessage, error) {
	if prop != "" {
		for key := range strings.SplitSeq(prop, ".") {
			var m map[string]json.RawMessage
			if json.Unmarshal(answer, &m) != nil || m[key] == nil {
				return nil, nil // nothing stands there
			}
			answer = m[key]
		}
	}
	var rows []json.RawMessage
	if json.Unmarshal(answer, &rows) == nil {
		return rows, nil
	}
	var envelope struct {
		Rows *[]json.RawMessage `json:"aaData"`
	}
	if json.Unmarshal(answer, &envelope) == nil && envelope.Rows != nil {
		return *envelope.Rows, nil
	}
	if !json.Valid(answer) {
		return nil, errBadData
	}
	return []json.RawMessage{answer}, nil
}

// write makes the whole file of an order.
func (o *order) write(ctx context.Context, p producer, w io.Writer, progress func(int64)) error {
	t := table.New(o.format(), w)
	defer t.Abort()
	if err := p(ctx, t, progress); err != nil {
		return err
	}
	return t.Close()
}
