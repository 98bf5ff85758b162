package cohorts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// fields are those of a cohort that a client sends; what was not sent stays.
type fields struct {
	Name       string       `param:"cohort_name"`
	Desc       params.Value `param:"cohort_desc"`
	Steps      params.Value `param:"steps"`
	Users      params.Value `param:"user_segmentation"`
	Visibility string       `param:"visibility"`
	Shared     params.Value `param:"shared_email_edit"`
}

// fill changes the fields of a cohort that were sent.
func (f fields) fill(d *Cohort) error {
	if err := params.CheckName(f.Name); err != nil {
		return err
	}
	if f.Name != "" {
		d.Name = f.Name
	}
	if f.Desc.String() != "" {
		d.Description = f.Desc.String()
	}
	d.Visibility = f.Visibility
	if f.Steps.String() != "" {
		var list []sent
		if json.Unmarshal(f.Steps.Raw(), &list) != nil {
			return bad("steps")
		}
		d.Steps = nil
		for _, s := range list {
			q, err := condition(s.Query)
			if err != nil {
				return err
			}
			s.step.Query = q
			d.Steps = append(d.Steps, s.step)
		}
	}
	if f.Users.String() != "" {
		var err error
		if d.Users, err = condition(f.Users.Raw()); err != nil {
			return err
		}
	}
	if f.Shared.String() != "" {
		d.Shared = nil
		if json.Unmarshal(f.Shared.Raw(), &d.Shared) != nil {
			return bad("shared_email_edit")
		}
	}
	d.settle()
	return nil
}

// sent is a step as a client sends it: its query in any of the forms of condition.
type sent struct {
	step
	Query json.RawMessage `json:"query"`
}

// condition reads a filter: itself, an object that holds it as query, or either as JSON in a text.
func condition(raw []byte) (filter.Expr, error) {
	for range 3 {
		var text string
		if json.Unmarshal(raw, &text) == nil {
			raw = []byte(text)
		}
		var wrapped map[string]json.RawMessage
		if json.Unmarshal(raw, &wrapped) != nil || len(wrapped["query"]) == 0 {
			break
		}
		raw = wrapped["query"]
	}
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "{}" {
		return filter.Expr{}, nil
	}
	return filter.Parse(raw)
}

type addReq struct {
	fields
	Type string `param:"type"`
}

// added is the answer to the creation of a cohort.
type added struct {
	Result    string `json:"result"`
	Duplicate bool   `json:"duplicate"`
}

// add keeps a cohort and has it calculated. One with conditions that a cohort of the caller's sight has already is that cohort.
func (s *service) add(ctx context.Context, c api.Caller, r addReq) (added, error) {
	now := c.Now.UnixMilli()
	d := Cohort{
		ID: model.NewID().String(), AppID: c.App.ID.String(), Type: auto, Creator: c.Member.ID, Created: now, Updated: now, State: stateCompleted,
	}
	if r.Type != "" {
		d.Type = r.Type
	}
	if r.Visibility == "" {
		r.Visibility = global
	}
	if err := r.fill(&d); err != nil {
		return added{}, err
	}
	if err := s.allowed(ctx, c, d); err != nil {
		return added{}, err
	}
	if d.Type == auto {
		q := docs.Query{Where: append(visibleTo(c.Member), docs.Eq("hash", d.Hash)), Limit: 1}
		same, err := spec().In(s.docs, c.App.ID).All(ctx, q)
		if err != nil {
			return added{}, err
		}
		if len(same) > 0 {
			c.NoAudit()
			return added{same[0].ID, true}, nil
		}
		d.State = stateCalculating
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		return spec().In(tx, c.App.ID).CreateUpTo(ctx, d, maxCohorts, errTooMany)
	})
	if err != nil {
		return added{}, err
	}
	c.Audit("cohort_added", nil, d, nil)
	return added{d.ID, false}, s.submit(ctx, c, d)
}

// allowed checks a definition, and that the caller may keep it and look at what it looks at.
func (s *service) allowed(ctx context.Context, c api.Caller, d Cohort) error {
	if err := d.may(c.Member, c.App.ID, model.Create); err != nil {
		return err
	}
	if err := d.Validate(); err != nil {
		return err
	}
	if _, err := s.compile(ctx, c.App, c.Now, d); err != nil {
		return err
	}
	if !auth.MayAskOfUsers(c.Member, c.App.ID, d.paths()) {
		return errRight
	}
	for _, id := range d.cohorts() { // members are calculated on nobody's behalf
		named, err := spec().In(s.docs, c.App.ID).Get(ctx, id)
		switch {
		case docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key": // nobody is in it
		case err != nil:
			return err
		case !named.visible(c.Member):
			return errRight
		}
	}
	return nil
}

type editReq struct {
	fields
	ID string `param:"cohort_id"`
}

// edit changes the fields of a cohort that were sent. With other conditions it begins without members and history.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errArgs
	}
	if _, err := s.found(ctx, c, r.ID, errNotFound); err != nil {
		return api.Result{}, err
	}
	var before, after Cohort
	err := s.docs.Tx(ctx, func(tx docs.Handle) (err error) {
		col := spec().In(tx, c.App.ID)
		after, err = col.Update(ctx, r.ID, func(d *Cohort) error {
			before = *d
			if err := r.fill(d); err != nil {
				return err
			}
			d.Updated = c.Now.UnixMilli()
			if d.Hash != before.Hash {
				d.Result, d.Calculated, d.State, d.Scheduled, d.Rev = 0, 0, stateCalculating, "", d.Rev+1
			}
			return s.allowed(ctx, c, *d)
		})
		if err != nil || after.Hash == before.Hash {
			return err
		}
		return forget(ctx, tx, c.App.ID, r.ID)
	})
	if docs.IsNotFound(err) {
		err = errNotFound
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("cohort_edited", before, after, nil)
	if after.Hash == before.Hash {
		return api.Success(), nil
	}
	s.live.app(c.App.ID).startOver(r.ID, true)
	return api.Success(), s.submit(ctx, c, after)
}

// forget removes what was computed of a cohort.
func forget(ctx context.Context, tx docs.Handle, app model.AppID, id string) error {
	if err := membersSpec().In(tx, app).Delete(ctx, id); err != nil && !docs.IsNotFound(err) {
		return err
	}
	_, err := historySpec().In(tx, app).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Eq("cohort", id)}})
	return err
}

type removeReq struct {
	ID params.Value `param:"cohort_id"`
}

// ids reads one id, several as JSON, or several with commas between.
func (r removeReq) ids() []string {
	var list []string
	if json.Unmarshal(r.ID.Raw(), &list) != nil {
		list = strings.Split(strings.Trim(r.ID.String(), `"`), ",")
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(id string) bool { return id == "" })
}

// remove deletes cohorts and all that is kept of them.
func (s *service) remove(ctx context.Context, c api.Caller, r removeReq) (api.Result, error) {
	ids := r.ids()
	if len(ids) == 0 || len(ids) > maxCohorts {
		return api.Result{}, errArgs
	}
	var gone []Cohort
	refused := false
	for _, id := range ids {
		d, err := s.found(ctx, c, id, errGone)
		switch {
		case fault.CodeOf(err) == "cohorts.gone":
			continue
		case err != nil:
			return api.Result{}, err
		case d.may(c.Member, c.App.ID, model.Delete) != nil:
			refused = true
			continue
		}
		err = s.docs.Tx(ctx, func(tx docs.Handle) error {
			if err := forget(ctx, tx, c.App.ID, id); err != nil {
				return err
			}
			return spec().In(tx, c.App.ID).Delete(ctx, id)
		})
		if err != nil && !docs.IsNotFound(err) {
			return api.Result{}, err
		}
		s.live.leave(c.App.ID, id)
		gone = append(gone, d)
	}
	switch {
	case len(gone) == 0 && refused:
		return api.Result{}, errPermission
	case len(gone) == 0:
		return api.Result{}, errGone
	}
	c.Audit("cohort_deleted", gone, nil, nil)
	if len(gone) < len(ids) {
		return api.Result{Result: fmt.Sprintf("%d/%d cohorts deleted", len(gone), len(ids))}, nil
	}
	return api.Success(), nil
}

// groupForm is what groups are named by.
var groupForm = regexp.MustCompile(`^[^.$\x00-\x1f]{1,100}$`)

// favourites begins the groups that are the favourites of a member, whose id follows.
const favourites = "fav_"

type groupReq struct {
	ID     string       `param:"cohort_id"`
	Groups params.Value `param:"groups"`
}

// group puts a cohort into groups and takes it out of others; "fav" is the caller's favourites.
func (s *service) group(ctx context.Context, c api.Caller, r groupReq) (api.Result, error) {
	if r.ID == "" || r.Groups.String() == "" {
		return api.Result{}, errArgs
	}
	var groups map[string]any
	if json.Unmarshal(r.Groups.Raw(), &groups) != nil {
		return api.Result{}, bad("groups")
	}
	own := favourites + c.Member.ID.String()
	for name := range groups {
		if !groupForm.MatchString(name) || strings.HasPrefix(name, favourites) && name != own {
			return api.Result{}, bad("groups")
		}
	}
	return s.change(ctx, c, r.ID, "cohort_grouped", func(d *Cohort) error {
		d.Groups = maps.Clone(d.Groups)
		if d.Groups == nil {
			d.Groups = map[string]int{}
		}
		for name, on := range groups {
			if name == "fav" {
				name = own
			}
			if on == nil || on == false || on == 0.0 || on == "" {
				delete(d.Groups, name)
				continue
			}
			d.Groups[name] = 1
		}
		return nil
	})
}

type detailReq struct {
	ID      string       `param:"cohort_id"`
	Metrics params.Value `param:"detail_metrics"`
}

// detailMetrics keeps which properties the details of a cohort show.
func (s *service) detailMetrics(ctx context.Context, c api.Caller, r detailReq) (api.Result, error) {
	var list []string
	if r.ID == "" || r.Metrics.String() == "" {
		return api.Result{}, errArgs
	}
	if json.Unmarshal(r.Metrics.Raw(), &list) != nil {
		return api.Result{}, bad("detail_metrics")
	}
	_, err := s.change(ctx, c, r.ID, "cohort_edited", func(d *Cohort) error {
		d.DetailMetrics = list
		return nil
	})
	return api.Result{Result: true}, err
}

// change updates a cohort that the caller sees.
func (s *service) change(ctx context.Context, c api.Caller, id, action string, fn func(*Cohort) error) (api.Result, error) {
	if _, err := s.found(ctx, c, id, errNotFound); err != nil {
		return api.Result{}, err
	}
	var before Cohort
	after, err := spec().In(s.docs, c.App.ID).Update(ctx, id, func(d *Cohort) error {
		before = *d
		if err := fn(d); err != nil {
			return err
		}
		return d.Validate()
	})
	if docs.IsNotFound(err) {
		err = errNotFound
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit(action, before, after, nil)
	return api.Success(), nil
}
