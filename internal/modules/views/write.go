package views

import (
	"context"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Bounds of what one call changes.
const (
	maxRenamed = 1000
	maxDisplay = 512 // bytes of a display name
)

type writeReq struct {
	Method string       `param:"method"`
	View   string       `param:"view_id"`
	Data   params.Value `param:"data"`
	Omit   params.Value `param:"omit_list"`
}

var (
	errNoRight    = fault.New(fault.Unauthenticated, "access.no_right", "User does not have right")
	errNoSegments = fault.New(fault.Invalid, "views.nothing", "Nothing is passed for omiting") //nolint:misspell // a typo of the wire
)

// write changes views. Each method needs its own right.
func (s *service) write(ctx context.Context, c api.Caller, r writeReq) (any, error) {
	needs := map[string]model.Action{"delete_view": model.Delete, "omit_segments": model.Delete, "rename_views": model.Update}
	action, known := needs[r.Method]
	if !known {
		return nil, bad("Invalid method")
	}
	if !auth.Can(c.Member, c.App.ID, "views", action) {
		return nil, errNoRight
	}
	switch r.Method {
	case "delete_view":
		return s.delete(ctx, c, r)
	case "omit_segments":
		return s.omit(ctx, c, r)
	}
	return s.rename(ctx, c, r)
}

type deleted struct {
	Result bool `json:"result"`
}

// delete removes the views of one or more ids, joined by commas, with all their data.
func (s *service) delete(ctx context.Context, c api.Caller, r writeReq) (deleted, error) {
	list, err := s.known(ctx, c.App.ID)
	if err != nil {
		return deleted{}, err
	}
	gone := byIDs(list, strings.Split(r.View, ","))
	if len(gone) == 0 {
		return deleted{true}, nil
	}
	names, before := make([]string, len(gone)), make([]name, len(gone))
	for i, v := range gone {
		names[i], before[i] = v.Name, name{v.id, v.Name, v.display}
	}
	c.Audit("", before, nil, nil)
	if err := s.data.Submit(ctx, request.Record{Kind: request.DeleteSubjects, App: c.App.ID, Event: viewKey, Names: names}); err != nil {
		return deleted{}, err
	}
	for _, v := range gone {
		if err := spec().In(s.docs, c.App.ID).Delete(ctx, v.id); err != nil && !docs.IsNotFound(err) {
			return deleted{}, err
		}
	}
	return deleted{true}, s.dropPicturesOf(ctx, c.App.ID, gone)
}

// rename gives views the names that people read; an empty one takes it away.
func (s *service) rename(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	var data []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	switch {
	case r.Data.String() == "":
		return api.Result{}, bad("Missing request parameter: data")
	case decode(r.Data, &data) != nil:
		return api.Result{}, bad("Invalid request parameter: data")
	case len(data) == 0 || len(data) > maxRenamed:
		return api.Result{}, fault.New(fault.Invalid, "views.nothing", "Nothing to update")
	}
	list, err := s.known(ctx, c.App.ID)
	if err != nil {
		return api.Result{}, err
	}
	var before, after []name
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		for _, d := range data {
			found := byIDs(list, []string{d.Key})
			if len(found) == 0 {
				continue
			}
			v, to := found[0], request.Cut(strings.TrimSpace(d.Value), maxDisplay)
			before, after = append(before, name{v.id, v.Name, v.display}), append(after, name{v.id, v.Name, to})
			if to == "" {
				if err := col.Delete(ctx, v.id); err != nil && !docs.IsNotFound(err) {
					return err
				}
				continue
			}
			if err := col.Put(ctx, label{v.id, to}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", before, after, nil)
	return api.Success(), nil
}

// omit stops the recording of segments and deletes what they recorded.
func (s *service) omit(ctx context.Context, c api.Caller, r writeReq) (api.Result, error) {
	if r.Omit.String() == "" {
		return api.Result{}, errNoSegments
	}
	var sent any
	if decode(r.Omit, &sent) != nil {
		return api.Result{}, bad("Cannot parse parameter: omit_list")
	}
	items, ok := sent.([]any)
	if !ok {
		return api.Result{}, bad("Invalid request parameter: omit_list")
	}
	var names []string
	for _, item := range items {
		text, ok := item.(string)
		if !ok {
			return api.Result{}, bad("Invalid request parameter: omit_list")
		}
		if countedSegment(text) && !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	if len(names) == 0 || len(names) > maxRenamed {
		return api.Result{}, errNoSegments
	}
	omitted, err := s.data.Schema.Omitted(ctx, c.App.ID)
	if err != nil {
		return api.Result{}, err
	}
	before := omitted[viewKey]
	c.Audit("", map[string]any{"omit": before}, map[string]any{"omit": append(slices.Clone(before), names...)}, nil)
	for _, n := range names {
		err := s.data.Submit(ctx, request.Record{Kind: request.OmitSegments, App: c.App.ID, Event: viewKey, Names: []string{n}})
		if err != nil {
			return api.Result{}, err
		}
	}
	return api.Success(), nil
}

// decode reads a structured parameter.
func decode(v params.Value, dst any) error {
	p := params.Params{}
	p.Set("v", v)
	return p.Decode("v", dst)
}
