package symbolication

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// fields are those of a symbol that a client sends beside files.
type fields struct {
	Platform string       `param:"platform"`
	Build    params.Value `param:"build"`
	Note     params.Value `param:"note"`
	ToolVer  string       `param:"sym_tool_ver"`
}

// added is the answer to an upload. Problem says why no frame can be found in the files.
type added struct {
	Message string `json:"message"`
	ID      string `json:"_id"`
	Problem string `json:"problem,omitempty"`
}

// buildsOf reads builds: a text, texts separated by commas, or a JSON list.
func buildsOf(v params.Value) builds {
	var list []any
	if json.Unmarshal(v.Raw(), &list) != nil {
		for part := range strings.SplitSeq(v.String(), ",") {
			list = append(list, part)
		}
	}
	var out builds
	for _, b := range list {
		text, err := json.Marshal(b)
		if one, ok := b.(string); ok {
			text = []byte(one)
		}
		name := request.Cut(strings.TrimSpace(string(text)), maxText)
		if err == nil && name != "" && !slices.Contains(out, name) && len(out) < maxBuilds {
			out = append(out, name)
		}
	}
	return out
}

// platformOf is the name of a platform as it is kept.
func platformOf(text string) string {
	return strings.ToLower(request.Cut(strings.TrimSpace(text), maxText))
}

// sent returns the symbol files of a request, and whether they were sent as several.
func sent(list []params.File) (out []params.File, several bool) {
	for _, f := range list {
		if f.Field == "symbols" || f.Field == "symbols[]" {
			out = append(out, f)
			several = several || f.Field == "symbols[]"
		}
	}
	return out, several || len(out) > 1
}

// checkFiles checks what can be checked before anything is written. kept are files that stay.
func (s *service) checkFiles(list []params.File, several bool, kept int, platform string) error {
	if several && platform != javascript {
		return errSeveral
	}
	if len(list)+kept > s.cfg.MaxFiles {
		return errTooMany
	}
	var refused []string
	for _, f := range list {
		ext := strings.ToLower(path.Ext(nameOf(f.Name)))
		if !slices.Contains(extensions(platform), ext) && !slices.Contains(refused, ext) && (platform == javascript || !nativeFile(headOf(f))) {
			refused = append(refused, ext)
		}
	}
	text := strings.Join(refused, ", ")
	switch {
	case len(refused) == 0:
		return nil
	case several:
		return fault.Newf(fault.Invalid, "symbolication.extension", "These file extensions are not allowed: %s", text)
	}
	return fault.Newf(fault.Invalid, "symbolication.extension", "This file extension is not allowed: %s", text)
}

// add keeps the symbol files of a build, for members.
func (s *service) add(ctx context.Context, c api.Caller, r fields) (added, error) {
	return s.keep(ctx, c, c.App, r)
}

type uploadReq struct {
	fields
	AppKey params.Value `param:"app_key"`
}

// upload keeps the symbol files of a build, for build tools.
func (s *service) upload(ctx context.Context, c api.Caller, r uploadReq) (added, error) {
	app, err := s.appOfKey(ctx, r.AppKey.String())
	if err != nil {
		return added{}, err
	}
	if r.ToolVer == "" {
		r.ToolVer = "unknown"
	}
	return s.keep(ctx, c, app, r.fields)
}

// appOfKey returns the app whose symbols the holder of a key may upload.
// Faults: access.unknown_app, access.app_unsure, symbolication.by_key.
func (s *service) appOfKey(ctx context.Context, key string) (*model.App, error) {
	app, err := s.apps.FindByKey(ctx, key)
	switch {
	case err != nil:
		return nil, err
	case app == nil || key == "":
		return nil, errApp
	case !s.settings.AppBool(app, feature, settingByKey):
		return nil, errByKey
	}
	return app, nil
}

func (s *service) keep(ctx context.Context, c api.Caller, app *model.App, r fields) (added, error) {
	if m := c.Request().Method; m != http.MethodPost {
		return added{}, errPost
	}
	list, several := sent(c.Files)
	sym := symbol{
		ID: newID(c.Now), Platform: platformOf(r.Platform), Build: buildsOf(r.Build), Note: request.Cut(r.Note.String(), maxText),
		TS: c.Now.Unix(), ToolVer: request.Cut(r.ToolVer, maxText), Several: several,
	}
	switch {
	case sym.Platform == "":
		return added{}, errPlatform
	case len(sym.Build) == 0:
		return added{}, errBuild
	case len(list) == 0:
		return added{}, errFile
	}
	if err := s.checkFiles(list, several, 0, sym.Platform); err != nil {
		return added{}, err
	}
	err := s.exclusively(ctx, func() error {
		used, err := s.used(ctx, app.ID)
		if err != nil {
			return err
		}
		return s.written(ctx, app.ID, &sym, used, list, func() error {
			return s.docs.Tx(ctx, func(tx docs.Handle) error {
				return spec().In(tx, app.ID).CreateUpTo(ctx, sym, maxSymbols, errQuota)
			})
		})
	})
	if err != nil {
		return added{}, err
	}
	c.Audit("", nil, audited(sym), map[string]any{"app": app.ID.String()})
	return added{Message: "Success", ID: sym.ID, Problem: sym.Problem}, hook.Emit(ctx, s.bus, topic.SymbolsChanged{App: app.ID})
}

// used is what the symbol files of an app take on disk, in bytes.
func (s *service) used(ctx context.Context, app model.AppID) (n int64, err error) {
	for sym, err := range spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return 0, err
		}
		n += sym.size()
	}
	return n, nil
}

// written writes files and adds them to a symbol, which commit then keeps. If it does not, the files are deleted.
func (s *service) written(ctx context.Context, app model.AppID, sym *symbol, used int64, list []params.File, commit func() error) error {
	k := &keeper{folder: s.folder, app: app, platform: sym.Platform, left: max(0, s.cfg.MaxAppBytes-used), unpacked: s.cfg.MaxFileBytes}
	err := func() error {
		for _, f := range list {
			if err := k.keep(ctx, f); err != nil {
				return err
			}
		}
		sym.Uploads, sym.Parts = append(sym.Uploads, k.uploads...), append(sym.Parts, k.parts...)
		var err error
		if sym.Problem, err = s.problem(ctx, app, sym.Platform, sym.Parts); err != nil {
			return err
		}
		return commit()
	}()
	if err != nil {
		return errors.Join(err, s.drop(context.WithoutCancel(ctx), app, k.ids()))
	}
	return nil
}

// audited is what the audit log shows of a symbol.
func audited(sym symbol) map[string]any {
	var names []string
	for _, u := range sym.Uploads {
		names = append(names, u.Name)
	}
	return map[string]any{"_id": sym.ID, "platform": sym.Platform, "build": []string(sym.Build), "note": sym.Note, "files": names}
}

type editReq struct {
	fields
	ID   string       `param:"symbol_id"`
	Keep params.Value `param:"keepSymbols"`
}

// kept reads which files of a symbol stay; all when the request does not say.
func (r editReq) kept(sym symbol) []upload {
	var list []any
	if r.Keep.String() == "" || json.Unmarshal(r.Keep.Raw(), &list) != nil {
		return nil
	}
	ids := map[string]bool{}
	for _, v := range list {
		m, _ := v.(map[string]any)
		if text, ok := v.(string); ok && json.Unmarshal([]byte(text), &m) != nil {
			ids[text] = true
		}
		if id, ok := m["id"].(string); ok {
			ids[id] = true
		}
	}
	var out []upload
	for _, u := range sym.Uploads {
		if ids[u.ID] {
			out = append(out, u)
		}
	}
	return out
}

// edit changes what is known of a symbol, and replaces its files if some are sent.
func (s *service) edit(ctx context.Context, c api.Caller, r editReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errSymbolID
	}
	list, several := sent(c.Files)
	var before, after symbol
	err := s.exclusively(ctx, func() (err error) {
		if before, err = spec().In(s.docs, c.App.ID).Get(ctx, r.ID); err != nil {
			return err
		}
		after = r.changed(before)
		kept := r.kept(before)
		if len(list) == 0 && (len(kept) == 0 || len(kept) == len(before.Uploads)) {
			after.Uploads, after.Parts = before.Uploads, before.Parts
		} else {
			after.Uploads, after.Parts = kept, partsOf(before, kept)
			after.Several = several || len(kept) > 0
		}
		if err := s.checkFiles(list, after.Several, len(after.Uploads), after.Platform); err != nil {
			return err
		}
		used, err := s.used(ctx, c.App.ID)
		if err != nil {
			return err
		}
		return s.replace(ctx, c.App.ID, before, &after, used, list)
	})
	if docs.IsNotFound(err) {
		return api.Result{}, notFound("Symbol file document %s not found", r.ID)
	}
	if err != nil {
		return api.Result{}, err
	}
	if same(before, after) {
		c.NoAudit()
		return api.Result{Result: "Nothing to update"}, nil
	}
	c.Audit("", audited(before), audited(after), nil)
	return api.Success(), hook.Emit(ctx, s.bus, topic.SymbolsChanged{App: c.App.ID})
}

// changed is a symbol with the fields that were sent.
func (r editReq) changed(sym symbol) symbol {
	if p := platformOf(r.Platform); p != "" {
		sym.Platform = p
	}
	if b := buildsOf(r.Build); len(b) > 0 {
		sym.Build = b
	}
	if _, sent := r.Note.Echo().(string); sent {
		sym.Note = request.Cut(r.Note.String(), maxText)
	}
	return sym
}

// partsOf are the parts of files that stay: a file's own, or, of an archive, what it was unpacked to.
func partsOf(sym symbol, kept []upload) (out []part) {
	for _, p := range sym.Parts {
		for _, u := range kept {
			if p.File == u.ID || p.From == u.ID {
				out = append(out, p)
			}
		}
	}
	return out
}

// same reports whether two states of a symbol are equal.
func same(a, b symbol) bool {
	return a.Platform == b.Platform && a.Note == b.Note && slices.Equal(a.Build, b.Build) && slices.Equal(a.Uploads, b.Uploads)
}

// replace stores a changed symbol and deletes the files that it has no more.
func (s *service) replace(ctx context.Context, app model.AppID, before symbol, after *symbol, used int64, list []params.File) error {
	err := s.written(ctx, app, after, used, list, func() error {
		if same(before, *after) {
			return nil
		}
		_, err := spec().In(s.docs, app).Update(ctx, before.ID, func(sym *symbol) error { *sym = *after; return nil })
		return err
	})
	if err != nil {
		return err
	}
	gone := before.stored()
	maps.DeleteFunc(gone, func(id string, _ int64) bool { _, stays := after.stored()[id]; return stays })
	return s.drop(ctx, app, gone)
}

type idReq struct {
	ID string `param:"id"`
}

// remove deletes a symbol and its files.
func (s *service) remove(ctx context.Context, c api.Caller, r idReq) (api.Result, error) {
	if r.ID == "" {
		return api.Result{}, errID
	}
	var before symbol
	err := s.exclusively(ctx, func() error {
		err := s.docs.Tx(ctx, func(tx docs.Handle) (err error) {
			col := spec().In(tx, c.App.ID)
			if before, err = col.Get(ctx, r.ID); err != nil {
				return err
			}
			if _, err := choiceSpec().In(tx, c.App.ID).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Eq("symbol", r.ID)}}); err != nil {
				return err
			}
			return col.Delete(ctx, r.ID)
		})
		if err != nil {
			return err
		}
		return s.drop(ctx, c.App.ID, before.stored())
	})
	if docs.IsNotFound(err) {
		return api.Result{}, notFound("Symbol file data %s not found", r.ID)
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", audited(before), nil, nil)
	return api.Success(), nil
}
