package funnels

import (
	"context"
	"crypto/md5" // the wire names MD5 for ids; it protects nothing
	"encoding/hex"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

type addReq struct {
	Name       string       `param:"funnel_name"`
	Desc       string       `param:"funnel_desc"`
	Type       string       `param:"funnel_type"`
	Steps      params.Value `param:"steps"`
	Queries    params.Value `param:"queries"`
	QueryTexts params.Value `param:"queryTexts"`
	StepGroups params.Value `param:"stepGroups"`
	Options    params.Value `param:"options"`
}

// add keeps a funnel, and answers with its id.
func (s *service) add(ctx context.Context, c api.Caller, r addReq) (api.Result, error) {
	if r.Name == "" || r.Steps.String() == "" {
		return api.Result{}, errArgs
	}
	sum := md5.Sum([]byte(model.NewID().String()))
	d := Definition{ID: hex.EncodeToString(sum[:]), AppID: c.App.ID.String(), Type: anySession, Queries: []string{}, QueryTexts: []string{}, StepGroups: []json.RawMessage{}, Creator: c.Member.ID, Created: now(c)}
	f := fields{
		Name: &r.Name, Desc: &r.Desc, Steps: nested{r.Steps.Raw()}, Queries: nested{r.Queries.Raw()},
		QueryTexts: nested{r.QueryTexts.Raw()}, StepGroups: nested{r.StepGroups.Raw()}, Options: nested{r.Options.Raw()},
	}
	if r.Type != "" {
		f.Type = &r.Type
	}
	if err := f.fill(&d); err != nil {
		return api.Result{}, err
	}
	if err := s.allowed(ctx, c, d); err != nil {
		return api.Result{}, err
	}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		return spec().In(tx, c.App.ID).CreateUpTo(ctx, d, maxFunnels, errTooMany)
	})
	c.Audit("funnel_added", nil, d, nil)
	return api.Result{Result: d.ID}, err
}

// allowed checks a definition, and that the caller may look at what it looks at: properties of users need the right to read
// users.
func (s *service) allowed(ctx context.Context, c api.Caller, d Definition) error {
	if err := d.Validate(); err != nil {
		return err
	}
	ready, err := s.compile(ctx, c.App.ID, d)
	if err != nil {
		return err
	}
	return mayLookAt(c, ready.paths)
}

// mayLookAt refuses paths that the caller may not ask by, see auth.MayAskOfUsers.
func mayLookAt(c api.Caller, paths []string) error {
	if !auth.MayAskOfUsers(c.Member, c.App.ID, paths) {
		return errRight
	}
	return nil
}

type editReq struct {
	Map params.Value `param:"funnel_map"`
}

// edit changes the fields of funnels that were sent: of all of them, or of none.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	var changes map[string]fields
	if json.Unmarshal(r.Map.Raw(), &changes) != nil || len(changes) == 0 {
		return api.Result{}, errArgs
	}
	before, after := map[string]Definition{}, map[string]Definition{}
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		for _, id := range slices.Sorted(maps.Keys(changes)) {
			d, err := col.Get(ctx, id)
			if docs.IsNotFound(err) {
				return errGone
			}
			if err != nil {
				return err
			}
			before[id] = d
			if err := changes[id].fill(&d); err != nil {
				return err
			}
			if err := s.allowed(ctx, c, d); err != nil {
				return err
			}
			if err := col.Put(ctx, d); err != nil {
				return err
			}
			after[id] = d
		}
		return nil
	})
	c.Audit("funnel_updated", before, after, nil)
	return api.Success(), err
}

type groupReq struct {
	ID     string       `param:"funnel_id"`
	Groups params.Value `param:"groups"`
}

// groupForm is what groups are named by.
var groupForm = regexp.MustCompile(`^[^.$\x00-\x1f]{1,100}$`)

// favourites begins the groups that are the favourites of a member, whose id follows.
const favourites = "fav_"

// group puts a funnel into groups and takes it out of others.
func (s *service) group(ctx context.Context, c api.Caller, r groupReq) (api.Result, error) {
	if r.ID == "" || r.Groups.String() == "" {
		return api.Result{}, errArgs
	}
	var groups map[string]any
	if json.Unmarshal(r.Groups.Raw(), &groups) != nil {
		return api.Result{}, errSave
	}
	for name := range groups {
		if of, favourite := strings.CutPrefix(name, favourites); !groupForm.MatchString(name) || favourite && of != c.Member.ID.String() {
			return api.Result{}, errSave
		}
	}
	var before Definition
	after, err := spec().In(s.docs, c.App.ID).Update(ctx, r.ID, func(d *Definition) error {
		before = *d
		d.Groups = maps.Clone(d.Groups)
		for name, on := range groups {
			if on == nil || on == false || on == 0.0 || on == "" {
				delete(d.Groups, name)
				continue
			}
			if d.Groups == nil {
				d.Groups = map[string]int{}
			}
			d.Groups[name] = 1
		}
		return nil
	})
	if docs.IsNotFound(err) {
		err = errNotFound
	}
	c.Audit("funnel_edited", before, after, nil)
	return api.Success(), err
}

type removeReq struct {
	ID string `param:"funnel_id"`
}

// remove deletes a funnel.
func (s *service) remove(ctx context.Context, c api.Caller, r removeReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errArgs
	}
	var before Definition
	err := s.docs.Tx(ctx, func(tx docs.Handle) (err error) {
		col := spec().In(tx, c.App.ID)
		if before, err = col.Get(ctx, r.ID); err != nil {
			return err
		}
		return col.Delete(ctx, r.ID)
	})
	if docs.IsNotFound(err) {
		err = errGone
	}
	c.Audit("funnel_deleted", before, nil, nil)
	return api.Success(), err
}

// appDeleted removes the funnels of an app that is no more. A reset leaves them: they ask, and hold no data.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}
