package appusers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

// maxChanged bounds how many profiles one call changes or deletes.
const maxChanged = 100_000

func invalid(code, format string, args ...any) error {
	return fault.Newf(fault.Invalid, code, format, args...)
}

// object reads a parameter that must be a JSON object.
func object(name string, v params.Value) (map[string]any, error) {
	if v.String() == "" {
		return nil, api.MissingParam(name)
	}
	var m map[string]any
	if err := json.Unmarshal(v.Raw(), &m); err != nil || m == nil {
		return nil, invalid("app_users.bad_json", "Could not parse parameter %q: %s", name, clip(v.String()))
	}
	return m, nil
}

// clip bounds what an error repeats of the caller's text.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}

type createReq struct {
	Data params.Value `param:"data"`
}

func (s *service) create(ctx context.Context, c api.Caller, r createReq) (api.Result, error) {
	doc, err := object("data", r.Data)
	if err != nil {
		return api.Result{}, err
	}
	if len(doc) == 0 {
		return api.Result{}, invalid("app_users.empty", `Parameter "data" cannot be empty`)
	}
	did, _ := doc["did"].(string)
	if did == "" {
		return api.Result{}, invalid("app_users.no_did", "Provide device_id as did property for data")
	}
	if request.IgnoredDevice(did) {
		return api.Result{}, invalid("app_users.no_did", "Provide device_id as did property for data")
	}
	id := model.NewProfileID(c.App.IDKey, did)
	if given, ok := doc["_id"]; ok && given != id.String() {
		return api.Result{}, invalid("app_users.wrong_id", "Based on app key and device_id, provided _id property should be %s. "+
			"Do not provide _id if you want api to use correct one", id)
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return api.Result{}, err
	}
	if err := s.data.Submit(ctx, request.Record{Kind: request.CreateUser, App: c.App.ID, JSON: body}); err != nil {
		return api.Result{}, err
	}
	p, err := s.data.Profiles.Get(ctx, c.App.ID, id)
	if err != nil {
		return api.Result{}, fmt.Errorf("read created user: %w", err)
	}
	c.Audit("", nil, p.Document(), nil)
	text, err := json.Marshal(struct {
		DID string `json:"did"`
		ID  string `json:"_id"`
		UID string `json:"uid"`
	}{did, id.String(), fmt.Sprint(p.UID)})
	return api.Result{Result: "User Created: " + string(text)}, err
}

type changeReq struct {
	Query  params.Value `param:"query"`
	Update params.Value `param:"update"`
	Force  bool         `param:"force"`
}

// matching finds the users of a query, by the device id where it names one.
func (s *service) matching(ctx context.Context, app *model.App, q map[string]any, raw []byte) ([]uint32, error) {
	if did, ok := q["did"].(string); ok && len(q) == 1 {
		p, err := s.data.Profiles.Get(ctx, app.ID, model.NewProfileID(app.IDKey, did))
		if errors.Is(err, profile.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return []uint32{p.UID}, nil
	}
	f, err := filter.Parse(raw)
	if err != nil {
		return nil, err
	}
	if err := s.data.Flush(ctx); err != nil {
		return nil, err
	}
	uids, _, err := s.people.List(ctx, app.ID, query.Page{Filter: f, Limit: maxChanged})
	return uids, err
}

func (s *service) update(ctx context.Context, c api.Caller, r changeReq) (api.Result, error) {
	q, err := object("query", r.Query)
	if err != nil {
		return api.Result{}, err
	}
	update, err := object("update", r.Update)
	if err != nil {
		return api.Result{}, err
	}
	if len(update) == 0 {
		return api.Result{}, invalid("app_users.empty", `Parameter "update" cannot be empty`)
	}
	for key := range update {
		if strings.HasPrefix(key, "$") && !modifier(key) {
			return api.Result{}, invalid("app_users.unknown_modifier",
				"Unkown modifier %s in %s for %s", key, clip(r.Update.String()), clip(r.Query.String())) //nolint:misspell // a typo of the wire
		}
	}
	uids, err := s.matching(ctx, c.App, q, r.Query.Raw())
	if err != nil {
		return api.Result{}, err
	}
	switch {
	case len(uids) == 0:
		return api.Result{}, invalid("app_users.no_match", "No users matching criteria")
	case len(uids) > 1 && !r.Force:
		return api.Result{}, invalid("app_users.too_many", "This query would update more than one user")
	}
	body, err := json.Marshal(update)
	if err != nil {
		return api.Result{}, err
	}
	before, err := s.audited(ctx, c.App.ID, uids)
	if err != nil {
		return api.Result{}, err
	}
	if err := s.data.Submit(ctx, request.Record{Kind: request.UpdateUsers, App: c.App.ID, UIDs: uids, JSON: body}); err != nil {
		return api.Result{}, err
	}
	after, err := s.audited(ctx, c.App.ID, uids)
	if len(uids) > maxAudited {
		after["update"] = update
	}
	c.Audit("", before, after, map[string]any{"uids": uids[:min(len(uids), maxUIDs)]})
	return api.Result{Result: "User Updated"}, err
}

// What the audit log records of a change of several users: their profiles up to a number, and their numbers up to another.
const (
	maxAudited = 20
	maxUIDs    = 1000
)

// audited returns the profiles of users for the audit log, by number, unless they are many.
func (s *service) audited(ctx context.Context, app model.AppID, uids []uint32) (map[string]any, error) {
	out := map[string]any{}
	if len(uids) > maxAudited {
		out["users"] = len(uids)
		return out, nil
	}
	for _, uid := range uids {
		p, err := s.data.Profiles.ByUID(ctx, app, uid)
		if errors.Is(err, profile.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[fmt.Sprint(p.UID)] = p.Document()
	}
	return out, nil
}

func modifier(key string) bool {
	switch key {
	case "$set", "$unset", "$setOnce", "$inc", "$mul", "$min", "$max", "$push", "$addToSet", "$pull":
		return true
	}
	return false
}

func (s *service) delete(ctx context.Context, c api.Caller, r changeReq) (api.Result, error) {
	q, err := object("query", r.Query)
	if err != nil {
		return api.Result{}, err
	}
	if len(q) == 0 {
		return api.Result{}, invalid("app_users.delete_all", `Parameter "query" cannot be empty, it would delete all users. Use clear app instead`)
	}
	uids, err := s.matching(ctx, c.App, q, r.Query.Raw())
	if err != nil {
		return api.Result{}, err
	}
	switch {
	case len(uids) == 0:
		return api.Result{}, invalid("app_users.no_match", "No users matching criteria")
	case len(uids) > 1 && !r.Force:
		return api.Result{}, invalid("app_users.too_many", "This query would delete more than one user")
	}
	if err := s.submitDeletion(ctx, c, uids); err != nil {
		return api.Result{}, err
	}
	// By number alone: the log must not hold what was to be deleted.
	c.Audit("", map[string]any{"uids": uids[:min(len(uids), maxUIDs)], "users": len(uids)}, map[string]any{"users": 0}, nil)
	return api.Result{Result: "User deleted"}, hook.Emit(ctx, s.bus, topic.UsersDeleted{App: c.App.ID, UIDs: uids})
}

// submitDeletion deletes profiles and their rows, and notes what remains to be erased.
func (s *service) submitDeletion(ctx context.Context, c api.Caller, uids []uint32) error {
	forget := func() error { return nil }
	if len(uids) <= maxSubjects {
		s.subjects.noting.RLock()
		defer s.subjects.noting.RUnlock()
		var err error
		if forget, err = s.subjects.noteDeletion(ctx, c, uids); err != nil {
			return err
		}
	}
	if err := s.data.Submit(ctx, request.Record{Kind: request.DeleteUsers, App: c.App.ID, UIDs: uids}); err != nil {
		return errors.Join(err, forget())
	}
	return nil
}
