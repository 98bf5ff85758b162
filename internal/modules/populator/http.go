package populator

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Faults of templates, in the words of the wire.
var (
	errNoTemplate = fault.New(fault.NotFound, "populator.template_not_found", "Template not found")
	errShipped    = fault.New(fault.Forbidden, "populator.shipped", "Templates that come with the server cannot be changed")
	errTooMany    = fault.New(fault.Invalid, "populator.too_many", "The app has too many templates")
	errNoRight    = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

func badID() error {
	return api.Status(http.StatusInternalServerError, fault.New(fault.Invalid, "populator.bad_template_id", "Invalid template id."))
}

func nameTaken(name string) error {
	return fault.Newf(fault.Invalid, "populator.name_taken", "Template with name %s already exists", name)
}

// needs is the check, before the credentials, that parameters are there.
func needs(names ...string) func(*params.Params) error {
	return func(p *params.Params) error {
		for _, name := range names {
			if !p.Has(name) {
				return fault.New(fault.Unauthenticated, "request.missing_parameter", "Missing parameter "+name)
			}
		}
		return nil
	}
}

// may reports whether a caller has a right on the templates of an app.
func may(c api.Caller, app model.AppID, action model.Action) bool {
	return c.Identity.AllowsApp(app) && auth.Can(c.Member, app, feature, action)
}

// visible lists the templates that a caller may see: those that come along, and those of
// apps in which the caller may read templates.
func (s *service) visible(ctx context.Context, c api.Caller) ([]Template, error) {
	out := slices.Clone(s.shipped)
	all := templateSpec().AcrossApps(s.docs, "a template serves every app of those who may see it; others are left out below")
	for found, err := range all.List(ctx, docs.Query{Sort: "name"}) {
		if err != nil {
			return nil, err
		}
		if s.apps.ByID(found.App) != nil && may(c, found.App, model.Read) {
			out = append(out, found.Doc)
		}
	}
	return out, nil
}

// find returns the template of an id that the caller may see; ok is false when there is none.
func (s *service) find(ctx context.Context, c api.Caller, id string) (t Template, ok bool, err error) {
	if _, err := model.ParseID(id); err != nil {
		return t, false, badID()
	}
	list, err := s.visible(ctx, c)
	if err != nil {
		return t, false, err
	}
	at := slices.IndexFunc(list, func(t Template) bool { return t.ID == strings.ToLower(id) })
	if at < 0 {
		return t, false, nil
	}
	return list[at], true, nil
}

type templatesReq struct {
	ID       string `param:"template_id"`
	Platform string `param:"platform_type"`
}

// templates answers all templates, or the one that is asked for.
func (s *service) templates(ctx context.Context, c api.Caller, r templatesReq) (any, error) {
	if r.ID != "" {
		t, ok, err := s.find(ctx, c, r.ID)
		if err == nil && !ok {
			err = fault.Newf(fault.NotFound, "populator.template_not_found", "Could not find template with id %q", r.ID)
		}
		return t, err
	}
	list, err := s.visible(ctx, c)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(t Template) bool { return r.Platform != "" && !slices.Contains(t.Platforms, r.Platform) }), nil
}

// create stores a new template for the app.
func (s *service) create(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	t, err := readTemplate(c.Params)
	if err != nil {
		return api.Result{}, err
	}
	t.ID, t.App, t.GeneratedOn, t.LastEditedBy = model.NewID().String(), c.App.ID, s.now().UnixMilli(), editor(c, c.Params.Text("lastEditedBy"))
	if err := s.free(ctx, c, t); err != nil {
		return api.Result{}, err
	}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := templateSpec().In(tx, c.App.ID)
		n, err := col.Count(ctx, docs.Query{})
		if err != nil {
			return err
		}
		if n >= maxTemplates {
			return errTooMany
		}
		return col.Create(ctx, t)
	})
	if docs.DuplicateOf(err) == "name" {
		err = nameTaken(t.Name)
	}
	c.Audit("populator_template_created", nil, t, nil)
	return api.Result{Result: "Successfully created " + t.ID}, err
}

// editor is who a template says has written it last.
func editor(c api.Caller, given string) string {
	if given == "" || len(given) > maxName {
		return c.Member.FullName
	}
	return given
}

// free reports a name that another template has which the caller sees.
func (s *service) free(ctx context.Context, c api.Caller, t Template) error {
	list, err := s.visible(ctx, c)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(o Template) bool { return o.ID != t.ID && o.Name == t.Name }) {
		return nameTaken(t.Name)
	}
	return nil
}

type editReq struct {
	ID          string `param:"template_id"`
	GeneratedOn int64  `param:"generated_on"`
}

// edit replaces a template.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	t, err := readTemplate(c.Params)
	if err != nil {
		return api.Result{}, err
	}
	before, err := s.own(ctx, c, r.ID, model.Update)
	if err != nil {
		return api.Result{}, err
	}
	t.ID, t.App, t.LastEditedBy, t.GeneratedOn = before.ID, before.App, c.Member.FullName, before.GeneratedOn
	if r.GeneratedOn > 0 {
		t.GeneratedOn = r.GeneratedOn
	}
	if err := s.free(ctx, c, t); err != nil {
		return api.Result{}, err
	}
	_, err = templateSpec().In(s.docs, before.App).Update(ctx, before.ID, func(stored *Template) error {
		*stored = t
		return nil
	})
	switch {
	case docs.DuplicateOf(err) == "name":
		err = nameTaken(t.Name)
	case docs.IsNotFound(err):
		err = errNoTemplate
	}
	c.Audit("populator_template_edited", before, t, nil)
	return api.Success(), err
}

// own returns a template that the caller may change.
func (s *service) own(ctx context.Context, c api.Caller, id string, action model.Action) (Template, error) {
	t, ok, err := s.find(ctx, c, id)
	switch {
	case err != nil:
		return t, err
	case !ok:
		return t, errNoTemplate
	case t.App.IsZero():
		return t, errShipped
	case !may(c, t.App, action):
		return t, errNoRight
	}
	return t, nil
}

type removeReq struct {
	ID string `param:"template_id"`
}

// remove deletes a template with what the app of the request, and the template's own, remember of its users. One that
// is not there is as good as removed.
func (s *service) remove(ctx context.Context, c api.Caller, r removeReq) (api.Result, error) {
	t, err := s.own(ctx, c, r.ID, model.Delete)
	if fault.CodeOf(err) == errNoTemplate.Code {
		c.NoAudit()
		return api.Success(), nil
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("populator_template_removed", t, nil, nil)
	return api.Success(), s.docs.Tx(ctx, func(tx docs.Handle) error {
		if err := templateSpec().In(tx, t.App).Delete(ctx, t.ID); err != nil && !docs.IsNotFound(err) {
			return err
		}
		for _, app := range slices.Compact([]model.AppID{t.App, c.App.ID}) {
			prefix := docs.Prefix("", userPrefix(app, t.ID, ""))
			if _, err := userSpec().In(tx, app).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{prefix}}); err != nil {
				return err
			}
			of := docs.Eq(".templateId", t.ID)
			if _, err := environmentSpec().In(tx, app).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{of}}); err != nil {
				return err
			}
		}
		return nil
	})
}
