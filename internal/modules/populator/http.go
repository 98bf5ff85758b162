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
	errShipped    = fault.New(fault.Forbidden, "populator.shipped", "Built-in templates cannot be changed")
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

// readable are the apps in which a caller may read templates.
func (s *service) readable(c api.Caller) []model.AppID {
	var out []model.AppID
	for _, app := range s.apps.All() {
		if may(c, app.ID, model.Read) {
			out = append(out, app.ID)
		}
	}
	return out
}

// stored returns the first template, of those that are not shipped and that the caller may see, of which cond holds; ok is
// false when there is none.
func (s *service) stored(ctx context.Context, c api.Caller, cond ...docs.Cond) (t Template, ok bool, err error) {
	for found, err := range templateSpec().Among(s.docs, s.readable(c)).List(ctx, docs.Query{Where: cond, Limit: 1}) {
		return found.Doc, err == nil, err
	}
	return t, false, nil
}

// find returns the template of an id that the caller may see; ok is false when there is none.
func (s *service) find(ctx context.Context, c api.Caller, id string) (t Template, ok bool, err error) {
	if _, err := model.ParseID(id); err != nil {
		return t, false, badID()
	}
	id = strings.ToLower(id)
	if at := slices.IndexFunc(s.shipped, func(t Template) bool { return t.ID == id }); at >= 0 {
		return s.shipped[at], true, nil
	}
	return s.stored(ctx, c, docs.Eq("", id))
}

type templatesReq struct {
	api.List
	ID       string `param:"template_id"`
	Platform string `param:"platform_type"`
}

// maxListed is how many templates an answer has at most.
const maxListed = 1000

func templateListing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "generatedOn", Field: ".generatedOn"}, {Name: "lastEditedBy", Field: ".lastEditedBy"}},
		Sort:    "name", Usual: maxListed, Most: maxListed,
	}
}

// templates answers all templates, or the one that is asked for. Those that come with the server, a few, stand
// before the others.
func (s *service) templates(ctx context.Context, c api.Caller, r templatesReq) (any, error) {
	if r.ID != "" {
		t, ok, err := s.find(ctx, c, r.ID)
		if err == nil && !ok {
			err = fault.Newf(fault.NotFound, "populator.template_not_found", "Could not find template with id %q", r.ID)
		}
		return t, err
	}
	q := r.Query(templateListing())
	if r.Platform != "" {
		q.Where = []docs.Cond{docs.Has(".platformType", r.Platform)}
	}
	needle, total := docs.SearchText(q.Search), 0
	shipped := []Template{}
	for _, t := range s.shipped {
		if r.Platform != "" && !slices.Contains(t.Platforms, r.Platform) {
			continue
		}
		total++
		if strings.Contains(docs.SearchText(t.Name), needle) {
			shipped = append(shipped, t)
		}
	}
	if q.Desc {
		slices.Reverse(shipped)
	}
	p, err := s.after(ctx, c, shipped, q)
	p.Total += total
	return api.Bare(r.List, api.TableOf(r.List, p, api.Itself[Template])), err
}

// after is the page of the list of the stored templates behind those that are shipped, or before them when q sorts
// down.
func (s *service) after(ctx context.Context, c api.Caller, shipped []Template, q docs.Query) (docs.Page[Template], error) {
	out := docs.Page[Template]{Docs: []Template{}}
	all := templateSpec().Among(s.docs, s.readable(c))
	lead := 0
	if !q.Desc {
		out = api.PartOf(shipped, q, 0)
		lead = len(shipped)
	}
	own := q
	own.Offset, own.Limit = max(q.Offset-lead, 0), max(q.Limit-len(out.Docs), 1) // of a page that is full only the totals
	p, err := all.Page(ctx, own)
	if err != nil {
		return out, err
	}
	out.Docs = slices.Clone(out.Docs)
	for _, found := range p.Docs[:min(len(p.Docs), q.Limit-len(out.Docs))] {
		out.Docs = append(out.Docs, found.Doc)
	}
	if q.Desc {
		rest := q
		rest.Offset, rest.Limit = max(q.Offset-p.Matching, 0), q.Limit-len(out.Docs)
		out.Docs = append(out.Docs, api.PartOf(shipped, rest, 0).Docs...)
	}
	out.Total, out.Matching = p.Total, p.Matching+len(shipped)
	return out, nil
}

type createReq struct {
	templateReq
	EditedBy string `param:"lastEditedBy"`
}

// create stores a new template for the app.
func (s *service) create(ctx context.Context, c api.Caller, r createReq) (api.Result, error) {
	t, err := r.template()
	if err != nil {
		return api.Result{}, err
	}
	t.ID, t.App, t.GeneratedOn, t.LastEditedBy = model.NewID().String(), c.App.ID, s.now().UnixMilli(), editor(c, r.EditedBy)
	if err := s.free(ctx, c, t); err != nil {
		return api.Result{}, err
	}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		return templateSpec().In(tx, c.App.ID).CreateUpTo(ctx, t, maxTemplates, errTooMany)
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
	_, taken, err := s.stored(ctx, c, docs.Eq("name", t.Name), docs.Ne("", t.ID))
	if err != nil {
		return err
	}
	if taken || slices.ContainsFunc(s.shipped, func(o Template) bool { return o.ID != t.ID && o.Name == t.Name }) {
		return nameTaken(t.Name)
	}
	return nil
}

type editReq struct {
	templateReq
	ID          string `param:"template_id"`
	GeneratedOn int64  `param:"generated_on"`
}

// edit replaces a template.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	t, err := r.template()
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
