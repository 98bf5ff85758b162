package apps

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/settings"
	"quipu/internal/store/files"
	"quipu/internal/topic"
)

type service struct {
	apps *apps.Store
	auth *auth.Service
	data kernel.Data
	// people lists the users of apps.
	people *query.People
	files  *files.Store
	bus    *hook.Bus
	// settings says which plugin settings are refused.
	settings *settings.Store
	now      func() time.Time
	// decoding holds an element while a picture is decoded.
	decoding chan struct{}
}

// created is a new app; one client looks for app_id in the answer.
type created struct {
	model.App
	AppID model.AppID `json:"app_id"`
	Seq   int         `json:"seq"`
}

func (s *service) create(ctx context.Context, c api.Caller, r argsReq) (created, error) {
	m, err := r.fields()
	if err != nil {
		return created{}, err
	}
	app, err := newApp(m, c.Member.ID, s.now())
	if err != nil {
		return created{}, err
	}
	if app.Image, err = s.icon(ctx, c.Files); err != nil {
		return created{}, err
	}
	app.HasImage = app.Image != ""
	app, err = s.apps.Create(ctx, app)
	if err != nil {
		return created{}, keyTaken(err)
	}
	c.Audit("", nil, audited(app), nil)
	return created{App: app, AppID: app.ID}, nil
}

// keyTaken answers a taken key with the wire's status.
func keyTaken(err error) error {
	if errors.Is(err, apps.ErrKeyTaken) {
		return api.Status(http.StatusBadRequest, err)
	}
	return err
}

func appID(m map[string]any) (model.AppID, error) {
	t, _ := text(m, "app_id")
	if t == "" {
		return model.AppID{}, invalid("apps.missing_app_id", "Error: Missing app_id argument")
	}
	id, err := model.ParseID(t)
	if err != nil {
		return model.AppID{}, apps.ErrNotFound
	}
	return id, nil
}

func (s *service) update(ctx context.Context, c api.Caller, r argsReq) (any, error) {
	m, err := r.fields()
	if err != nil {
		return nil, err
	}
	id, err := s.idOf(c, m)
	if err != nil {
		return nil, err
	}
	image, err := s.icon(ctx, c.Files)
	if err != nil {
		return nil, err
	}
	var changed map[string]any
	before, after, err := s.apps.Update(ctx, id, func(app *model.App) error {
		var err error
		if changed, err = change(app, m); err != nil {
			return err
		}
		if image != "" && image != app.Image {
			app.Image, app.HasImage = image, true
			changed["has_image"] = true
		}
		if len(changed) > 0 {
			app.EditedAt = s.now().Unix()
			changed["edited_at"] = app.EditedAt
		}
		return nil
	})
	if err != nil {
		return nil, keyTaken(err)
	}
	if len(changed) == 0 {
		c.NoAudit()
		return api.Result{Result: "Nothing changed"}, nil
	}
	c.Audit("", audited(before), audited(after), nil)
	return changed, nil
}

// audited is an app as the audit log shows it: without its salt, of its key only the beginning, and
// without the time of the change, which the log has itself.
func audited(app model.App) model.App {
	if app.Salt != "" {
		app.Salt = "***"
	}
	const shown = 8
	app.Key, app.IDKey, app.EditedAt = app.Key[:min(shown, len(app.Key))]+"…", "", 0
	return app
}

// idOf is the app that args name, or the one the access check found.
func (s *service) idOf(c api.Caller, m map[string]any) (model.AppID, error) {
	if c.App != nil {
		return c.App.ID, nil
	}
	return appID(m)
}

// updatePlugins merges settings into the app's plugin settings.
func (s *service) updatePlugins(ctx context.Context, c api.Caller, r argsReq) (any, error) {
	m, err := r.fields()
	if err != nil {
		return nil, err
	}
	flows, consolidates, err := flowsOf(m)
	if err != nil {
		return nil, err
	}
	if consolidates {
		return s.consolidate(ctx, c, flows)
	}
	before, after, err := s.apps.Update(ctx, c.App.ID, func(app *model.App) error {
		plugins, err := cloned(app.Plugins)
		if err != nil {
			return err
		}
		var bad []string
		for plugin, v := range m {
			settings, ok := v.(map[string]any)
			if !ok {
				bad = append(bad, plugin)
				continue
			}
			merged, ok := plugins[plugin].(map[string]any)
			if !ok {
				merged = map[string]any{}
			}
			maps.Copy(merged, settings)
			plugins[plugin] = merged
		}
		if len(bad) > 0 {
			return badProps(bad)
		}
		if err := s.settings.CheckApp(m); err != nil {
			return err
		}
		if err := bounded(plugins); err != nil {
			return err
		}
		app.Plugins = plugins
		app.EditedAt = s.now().Unix()
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.Audit("", audited(before), audited(after), nil)
	return map[string]any{"_id": after.ID, "plugins": after.Plugins}, nil
}

// maxPlugins bounds the plugin settings of an app, in bytes of JSON.
const maxPlugins = 256 << 10

func bounded(plugins map[string]any) error {
	text, err := json.Marshal(plugins)
	if err != nil {
		return err
	}
	if len(text) > maxPlugins {
		return fault.New(fault.TooLarge, "apps.plugins_too_large", "The plugin settings are too large")
	}
	return nil
}

// cloned copies a JSON object deeply.
func cloned(m map[string]any) (map[string]any, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	if out == nil {
		out = map[string]any{}
	}
	return out, nil
}

var errLocked = fault.New(fault.Forbidden, "apps.locked", "Application is locked")

// delete stops ingestion first, then removes the data, then the app: an
// interruption leaves a paused app that can be deleted again.
func (s *service) delete(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	m, err := r.fields()
	if err != nil {
		return api.Result{}, err
	}
	id, err := appID(m)
	if err == nil && s.apps.ByID(id) == nil {
		err = apps.ErrNotFound
	}
	if errors.Is(err, apps.ErrNotFound) {
		return api.Result{}, api.Status(http.StatusInternalServerError, fault.New(fault.NotFound, "apps.not_found", "Error deleting app"))
	}
	if err != nil {
		return api.Result{}, err
	}
	before, _, err := s.apps.Update(ctx, id, func(app *model.App) error {
		if app.Locked {
			return errLocked
		}
		app.Paused = true
		return nil
	})
	if err != nil {
		return api.Result{}, err
	}
	if err := hook.Emit(ctx, s.bus, topic.AppResetting{App: id}); err != nil {
		return api.Result{}, err
	}
	if err := s.data.Submit(ctx, request.Record{Kind: request.DeleteApp, App: id}); err != nil {
		return api.Result{}, err
	}
	if err := s.apps.Delete(ctx, id); err != nil {
		return api.Result{}, err
	}
	c.Audit("", audited(before), nil, nil)
	return api.Success(), nil
}

func (s *service) reset(ctx context.Context, c api.Caller, r argsReq) (api.Result, error) {
	m, err := r.fields()
	if err != nil {
		return api.Result{}, err
	}
	id, err := appID(m)
	if err != nil {
		return api.Result{}, err
	}
	app := s.apps.ByID(id)
	if app == nil {
		return api.Result{}, apps.ErrNotFound
	}
	if app.Locked {
		return api.Result{}, errLocked
	}
	period, _ := text(m, "period")
	_, users, err := s.people.List(ctx, id, query.Page{})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", map[string]any{"users": users}, map[string]any{"users": 0, "period": cmp.Or(period, "all")}, map[string]any{"app_id": id, "name": app.Name})
	if months := resetMonths(period); months > 0 {
		if err := s.forget(ctx, app, months); err != nil {
			return api.Result{}, err
		}
		_, left, err := s.people.List(ctx, id, query.Page{})
		c.Audit("", map[string]any{"users": users}, map[string]any{"users": left, "period": period}, map[string]any{"app_id": id, "name": app.Name})
		return api.Success(), err
	}
	if period != "reset" && period != "all" && period != "" {
		return api.Result{}, errPeriod
	}
	if err := hook.Emit(ctx, s.bus, topic.AppResetting{App: id}); err != nil {
		return api.Result{}, err
	}
	if err := s.data.Submit(ctx, request.Record{Kind: request.ResetApp, App: id}); err != nil {
		return api.Result{}, err
	}
	return api.Success(), hook.Emit(ctx, s.bus, topic.AppReset{App: id})
}
