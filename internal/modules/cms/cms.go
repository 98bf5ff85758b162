// Package cms is the module that keeps entries of a content management system
// for the dashboard: texts of guides and the like, as they were saved last.
package cms

import (
	"context"
	"encoding/json"
	"errors"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "cms", Requires: []string{"apps"}, Features: []string{"core"},
		Setup: kernel.With(func(c *kernel.Capabilities) kernel.Documents { return c.Documents }, func(s *kernel.Scope, n kernel.Documents) error {
			svc := &service{docs: n.Docs}
			api.Handle(s.Routes, "/o/cms/entries", api.Authenticated(), svc.entries)
			api.Handle(s.Routes, "/i/cms/save_entries", api.Feature("core", model.Create, api.AppParam), svc.save)
			api.Handle(s.Routes, "/i/cms/clear", api.Feature("core", model.Delete, api.AppParam), svc.clear)
			return nil
		}),
	}
}

type service struct{ docs docs.DB }

// Bounds of what is kept.
const (
	maxEntry   = 256 << 10 // bytes of JSON
	maxEntries = 1000      // of one request, and of one answer
)

// entry is an object with an _id, kept as it came.
type entry map[string]any

// Key returns the entry's id.
func (e entry) Key() string { id, _ := e["_id"].(string); return id }

// Anyone who is signed in reads all entries. They are counted for the app under which they were saved first, so that
// those who may write for one app leave room for others, and only those who may write for that app, and global
// administrators, replace or clear them.
const (
	maxOfApp = 1000 // entries of one app
	maxHeld  = 5000 // entries in all
)

var (
	errFull      = fault.New(fault.Conflict, "cms.too_many", "There are too many entries, clear some")
	errFullOfApp = fault.Newf(fault.Conflict, "cms.too_many_of_app", "An app can have %d entries, clear some", maxOfApp)
)

var errOfAnother = fault.New(fault.Conflict, "cms.of_another_app", "An entry was saved under another app")

var errEntries = fault.New(fault.Invalid, "cms.bad_entries", "Invalid entries parameter")

// Validate bounds the entry.
func (e entry) Validate() error {
	text, err := json.Marshal(e)
	if err != nil || len(text) > maxEntry || e.Key() == "" || len(e.Key()) > 256 {
		return errEntries
	}
	return nil
}

func spec() docs.Spec[entry] {
	return docs.Spec[entry]{Name: "cms.entries", Version: 1, Search: []docs.Field{"._id", ".title", ".name", ".description", ".text"}}
}

// saved notes that an entry counts for an app; it is kept under that app.
type saved struct {
	ID string `json:"_id"`
}

// Key returns the entry's id.
func (s saved) Key() string { return s.ID }

// Validate accepts every id that an entry has.
func (s saved) Validate() error { return nil }

func savedSpec() docs.Spec[saved] { return docs.Spec[saved]{Name: "cms.saved", Version: 1} }

type saveReq struct {
	Entries params.Value `param:"entries"`
}

// save adds entries, and replaces those that are there.
func (s *service) save(ctx context.Context, c api.Caller, r saveReq) (api.Result, error) {
	var list []entry
	if json.Unmarshal(r.Entries.Raw(), &list) != nil || len(list) > maxEntries {
		return api.Result{}, errEntries
	}
	for _, e := range list {
		if err := e.Validate(); err != nil {
			return api.Result{}, err
		}
	}
	before, after, added := map[string]entry{}, map[string]entry{}, false
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col, own := spec().Global(tx), savedSpec().In(tx, c.App.ID)
		for _, e := range list {
			was, err := col.Get(ctx, e.Key())
			switch {
			case err == nil && after[e.Key()] == nil:
				if err := mayReplace(ctx, c, own, e); err != nil {
					return err
				}
				before[e.Key()] = was
			case err == nil: // it stands in the list twice
			case !docs.IsNotFound(err):
				return err
			default:
				added = true
				if err := own.Put(ctx, saved{e.Key()}); err != nil {
					return err
				}
			}
			if err := col.Put(ctx, e); err != nil {
				return err
			}
			after[e.Key()] = e
		}
		of, err := own.Count(ctx, docs.Query{})
		if err == nil && of > maxOfApp && added {
			return errFullOfApp
		}
		held, herr := col.Count(ctx, docs.Query{})
		if herr == nil && held > maxHeld {
			return errFull
		}
		return errors.Join(err, herr)
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("cms_save_entries", before, after, nil)
	return api.Result{Result: "Entries saved"}, nil
}

// mayReplace refuses an entry that was not saved under the caller's app, unless the caller is a global administrator.
func mayReplace(ctx context.Context, c api.Caller, own docs.Collection[saved], e entry) error {
	if c.Member.GlobalAdmin {
		return nil
	}
	_, err := own.Get(ctx, e.Key())
	if docs.IsNotFound(err) {
		return errOfAnother
	}
	return err
}

type entriesReq struct {
	api.List
	ID    string       `param:"_id"`
	Query params.Value `param:"query"`
}

func listing() api.Listing {
	return api.Listing{Columns: []api.Column{{Name: "_id", Field: "._id"}}, Usual: maxEntries, Most: maxEntries}
}

// found is the answer in both of its forms.
type found struct {
	Result struct {
		Data []entry `json:"data"`
	} `json:"result"`
	Data []entry `json:"data"`
}

// entries returns those whose id begins with _id, and none without one. An unusable filter is none.
func (s *service) entries(ctx context.Context, _ api.Caller, r entriesReq) (any, error) {
	q := r.List.Query(listing())
	q.Where = []docs.Cond{docs.Prefix("", r.ID)}
	if r.ID == "" {
		q.Where = []docs.Cond{docs.Missing("")} // every key is there
	}
	if f, err := filter.Parse(r.Query.Raw()); err == nil {
		q.Filter = f
	}
	p, err := spec().Global(s.docs).Page(ctx, q)
	table := api.TableOf(r.List, p, api.Itself[entry])
	if r.InTable() || err != nil {
		return table, err
	}
	out := found{Data: table.Rows}
	out.Result.Data = out.Data
	return out, nil
}

type clearReq struct {
	ID string `param:"_id"`
}

// clear removes the entries whose id begins with _id, all without one: those of every app for global administrators, else
// those of the caller's app.
func (s *service) clear(ctx context.Context, c api.Caller, r clearReq) (api.Result, error) {
	q := docs.Query{}
	if r.ID != "" {
		q.Where = []docs.Cond{docs.Prefix("", r.ID)}
	}
	clearing := clearAll
	if !c.Member.GlobalAdmin {
		clearing = func(ctx context.Context, tx docs.Handle, q docs.Query) (int, error) {
			return clearApp(ctx, tx, c.App.ID, q)
		}
	}
	n := 0
	err := s.docs.Tx(ctx, func(tx docs.Handle) (err error) {
		n, err = clearing(ctx, tx, q)
		return err
	})
	c.Audit("", map[string]any{"_id": r.ID, "entries": n}, map[string]any{"_id": r.ID, "entries": 0}, nil)
	return api.Result{Result: "CMS cache cleared"}, err
}

// clearAll removes the entries of every app and returns how many there were.
func clearAll(ctx context.Context, tx docs.Handle, q docs.Query) (int, error) {
	n, err := spec().Global(tx).DeleteWhere(ctx, q)
	if err != nil {
		return 0, err
	}
	counted := map[model.AppID]bool{}
	for f, err := range savedSpec().AcrossApps(tx, "entries of all apps are cleared").List(ctx, q) {
		if err != nil {
			return 0, err
		}
		counted[f.App] = true
	}
	for app := range counted {
		if _, err := savedSpec().In(tx, app).DeleteWhere(ctx, q); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// clearApp removes the entries of one app and returns how many there were.
func clearApp(ctx context.Context, tx docs.Handle, app model.AppID, q docs.Query) (int, error) {
	own, all := savedSpec().In(tx, app), spec().Global(tx)
	var ids []string
	for e, err := range own.List(ctx, q) {
		if err != nil {
			return 0, err
		}
		ids = append(ids, e.Key())
	}
	for _, id := range ids {
		if err := all.Delete(ctx, id); err != nil && !docs.IsNotFound(err) {
			return 0, err
		}
	}
	return own.DeleteWhere(ctx, q)
}
