package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
	"quipu/internal/table"
)

// asFile are the parameters that every export has: the format of the file and its name without extension.
type asFile struct {
	Type     string `param:"type"`
	Filename string `param:"filename"`
}

// dbReq are the parameters of exports of collections.
type dbReq struct {
	asFile
	Collection string       `param:"collection"`
	DB         string       `param:"db"`
	AppID      string       `param:"app_id"`
	Filter     params.Value `param:"filter"`
	Query      params.Value `param:"query"`
	Projection params.Value `param:"projection"`
	Project    params.Value `param:"project"`
	Sort       params.Value `param:"sort"`
	Skip       params.Value `param:"skip"`
	Limit      params.Value `param:"limit"`
	GetIndex   params.Value `param:"get_index"`
	Titles     params.Value `param:"columnNames"`
	Mapper     params.Value `param:"formatFields"`
}

// requestReq are the parameters of exports of answers.
type requestReq struct {
	asFile
	Path       string       `param:"path"`
	Prop       string       `param:"prop"`
	Data       params.Value `param:"data"`
	AppID      string       `param:"app_id"`
	Method     string       `param:"method"`
	Projection params.Value `param:"projection"`
	Titles     params.Value `param:"columnNames"`
	Mapper     params.Value `param:"mapper"`
}

// dataReq are the parameters of exports of rows that the caller sends.
type dataReq struct {
	asFile
	Data params.Value `param:"data"`
	Raw  params.Value `param:"raw"`
}

// Ignored reports a format that there is not, instead of which JSON is written.
func (r asFile) Ignored() []error {
	if _, known := table.ParseFormat(r.Type); known || r.Type == "" {
		return nil
	}
	return []error{api.BadParam("type", r.Type, "format: json, csv or xlsx")}
}

// beyond reports numbers of rows that an order does not have as they were sent. What is no number is reported by its form.
func (r dbReq) beyond(o order) (out []error) {
	sent := func(v params.Value) (n int64, ok bool) {
		n, err := strconv.ParseInt(strings.TrimSpace(v.String()), 10, 64) // beyond 64 bits it is the last of them
		return n, err == nil || errors.Is(err, strconv.ErrRange)
	}
	if n, ok := sent(r.Skip); ok && n < 0 {
		out = append(out, api.BadParam("skip", r.Skip.String(), "whole number from 0"))
	}
	switch n, ok := sent(r.Limit); {
	case ok && n < 0:
		out = append(out, api.BadParam("limit", r.Limit.String(), "number of rows: from 1, or 0 for all"))
	case ok && n > o.Limit && o.Limit > 0:
		out = append(out, api.BadParam("limit", r.Limit.String(), fmt.Sprintf("number of rows: at most %d", o.Limit)))
	}
	return out
}

// db exports a collection.
func (s *service) db(w http.ResponseWriter, c api.Caller, r dbReq) error {
	o, err := s.dbOrder(c.Proxy(), r)
	if err != nil {
		return err
	}
	if err := c.Ignore(r.beyond(o)...); err != nil {
		return err
	}
	return s.answer(w, c, o)
}

// request exports what the API answers.
func (s *service) request(w http.ResponseWriter, c api.Caller, r requestReq) error {
	o, err := s.requestOrder(c.Proxy(), r)
	if err != nil {
		return err
	}
	return s.viaTask(w, c, o)
}

// given exports the rows that the caller sends.
func (s *service) given(w http.ResponseWriter, c api.Caller, r dataReq) error {
	v := r.Data
	if v.String() == "" {
		return api.MissingParam("data")
	}
	o := r.order(c.Proxy())
	switch {
	case v.IsText() && params.On(r.Raw.String()):
		o.Data = textJSON(v.Text)
	case json.Valid(v.Raw()):
		o.Data = v.Raw()
	default:
		return errBadData
	}
	return s.answer(w, c, o)
}

// answer streams an export where its format allows it; others are made first.
func (s *service) answer(w http.ResponseWriter, c api.Caller, o order) error {
	ctx := c.Request().Context()
	produce, err := s.resolve(ctx, &o)
	if err != nil {
		return err
	}
	if !o.format().Streams() {
		return s.viaTask(w, c, o)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	out := &attachment{w: w, name: o.fileName(), contentType: o.format().ContentType(), size: -1}
	if err := o.write(ctx, produce, out, func(int64) {}); err != nil {
		if !out.begun {
			return err
		}
		// The status is sent; only a connection that breaks tells the reader that the file is not whole.
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "export broke off", slog.String("collection", o.Collection), slog.Any("error", err))
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

// errBusy says that all places for streamed exports are taken.
var errBusy = &fault.Error{
	Kind: fault.Unavailable, Code: "export.busy", Msg: "Too many exports are running, try again later", RetryAfter: 10 * time.Second,
}

// enter waits for a place among the streamed exports and returns the function that gives it back.
func (s *service) enter(ctx context.Context) (leave func(), err error) {
	patience := time.NewTimer(time.Duration(s.cfg.Patience))
	defer patience.Stop()
	select {
	case s.streams <- struct{}{}:
		return func() { <-s.streams }, nil
	case <-patience.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// attachment is an answer that becomes a download with its first bytes.
type attachment struct {
	w           http.ResponseWriter
	name        string
	contentType string
	size        int64 // -1 = not known
	begun       bool
}

// Write sends bytes, after the headers.
func (a *attachment) Write(p []byte) (int, error) {
	if !a.begun {
		a.begun = true
		h := a.w.Header()
		h.Set("Content-Type", a.contentType)
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.name}))
		if a.size >= 0 {
			h.Set("Content-Length", strconv.FormatInt(a.size, 10))
		}
		a.w.WriteHeader(http.StatusOK)
	}
	return a.w.Write(p)
}

func (s *service) spec(o order) jobs.Spec {
	spec := jobs.Spec{
		Kind: kind, Type: "tableExport", Creator: o.As.Member, Params: o, ReportName: o.fileName(), Personal: true,
	}
	if id, err := model.ParseID(o.dataApp()); err == nil && s.apps.ByID(id) != nil {
		spec.App = id
	}
	return spec
}

// dataApp names the app whose data is exported, else the one that was given with the request.
func (o *order) dataApp() string {
	var top struct {
		A     string `json:"a"`
		AppID string `json:"app_id"`
	}
	rest, people := strings.CutPrefix(o.Collection, "app_users")
	switch {
	case people:
		return rest
	case o.Collection != "":
		if json.Unmarshal(orEmpty(o.Filter), &top) == nil && top.A != "" {
			return top.A
		}
	case json.Unmarshal(orEmpty(o.Data), &top) == nil && top.AppID != "":
		return top.AppID
	}
	return o.App
}

// viaTask makes the file first; when that takes long it goes on as a task.
func (s *service) viaTask(w http.ResponseWriter, c api.Caller, o order) (err error) {
	ctx := c.Request().Context()
	out, err := s.tasks.Run(ctx, s.spec(o), nil)
	if err != nil {
		return err
	}
	if pending, ok := out.Pending(); ok {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		return json.NewEncoder(w).Encode(pending)
	}
	defer func() {
		if derr := out.Discard(context.WithoutCancel(ctx)); derr != nil {
			s.log.WarnContext(ctx, "export not deleted", slog.Any("error", derr))
		}
	}()
	f, err := out.Open(ctx)
	if err != nil {
		return err
	}
	return s.send(ctx, w, f, out.Result.File)
}

// send sends a file and closes it.
func (s *service) send(ctx context.Context, w http.ResponseWriter, f *os.File, about *jobs.File) error {
	defer func() { _ = f.Close() }() // it was only read
	a := &attachment{w: w, name: about.Name, contentType: about.Type, size: about.Size}
	if _, err := io.Copy(a, f); err != nil {
		if !a.begun {
			return err
		}
		s.log.DebugContext(ctx, "download broke off", slog.Any("error", err))
		panic(http.ErrAbortHandler)
	}
	return nil
}

// run makes the file of an order as a task.
func (s *service) run(ctx context.Context, r *jobs.Run) error {
	var o order
	if err := r.Params(&o); err != nil {
		return err
	}
	produce, err := s.resolve(ctx, &o)
	if err != nil {
		return err
	}
	f, err := r.File(o.fileName(), o.format().ContentType())
	if err != nil {
		return err
	}
	return o.write(ctx, produce, f, func(n int64) { r.Progress(n, 0) })
}

type laterReq struct {
	requestReq
	TypeName string `param:"type_name"`
}

// later makes an export a task at once.
func (s *service) later(ctx context.Context, c api.Caller, r laterReq) (any, error) {
	o, err := s.requestOrder(c.Proxy(), r.requestReq)
	if err != nil {
		return nil, err
	}
	if o.Path == "/o/export/db" {
		if o, err = s.laterDB(ctx, o); err != nil {
			return nil, err
		}
	}
	if r.AppID != "" {
		if o.App, err = s.appFor(ctx, c, r.AppID); err != nil {
			return nil, err
		}
	}
	spec := s.spec(o)
	spec.Manual = true
	if r.TypeName != "" {
		spec.Type = safeName(r.TypeName)
	}
	id, existing, err := s.tasks.Submit(ctx, spec)
	if err != nil {
		return nil, err
	}
	c.Audit("export_requested", nil, map[string]any{"task_id": id, "path": o.Path, "format": o.Format, "app_id": o.App}, nil)
	out, _ := jobs.Outcome{TaskID: id, Existing: existing}.Pending()
	return out, nil
}

// laterDB turns the request for a collection into the order for it.
func (s *service) laterDB(ctx context.Context, o order) (order, error) {
	p, err := parameters(o.Data)
	if err != nil {
		return o, err
	}
	cred := auth.Credentials{Path: o.Path, Apps: func() []string { return api.NamedApps(p) }, Reach: auth.ReachToken, Param: p.Text, Times: p.Times}
	if _, err := s.auth.Again(ctx, o.As, cred); err != nil {
		return o, err
	}
	r, err := api.Bind[dbReq](p)
	if err != nil {
		return o, err
	}
	db, err := s.dbOrder(o.As, r)
	if err != nil {
		return o, err
	}
	db.Format, db.Filename = o.Format, o.Filename
	_, err = s.resolve(ctx, &db)
	return db, err
}

// appFor checks the app that a task is to be shown with.
func (s *service) appFor(ctx context.Context, c api.Caller, text string) (string, error) {
	id, err := model.ParseID(text)
	if err != nil {
		return "", fault.New(fault.Invalid, "access.bad_app_id", `Invalid parameter "app_id"`)
	}
	caller, err := s.auth.Again(ctx, c.Proxy(), auth.Credentials{Path: c.Path, Apps: func() []string { return []string{id.String()} }, Reach: auth.ReachApp})
	if err != nil {
		return "", err
	}
	if s.apps.ByID(id) == nil {
		return "", fault.New(fault.Unauthenticated, "access.unknown_app", "App does not exist")
	}
	if !auth.Can(caller.Member, id, "core", model.Read) {
		return "", fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	}
	return id.String(), nil
}

var (
	errNoName = fault.New(fault.Invalid, "export.no_name", "Missing filename")
	errEmpty  = fault.New(fault.Invalid, "export.empty", "Export size is 0")
	errNone   = fault.New(fault.Invalid, "export.not_found", "Export stream does not exist")
)

// download sends the file of a task. Only the task's creator may have it, and, when it is shared,
// those who may read its app.
func (s *service) download(w http.ResponseWriter, c api.Caller) error {
	id := c.PathValues["id"]
	if id == "" {
		return errNoName
	}
	ctx := c.Request().Context()
	t, err := s.tasks.Get(ctx, id)
	if docs.IsNotFound(err) {
		return errNone
	}
	if err != nil {
		return err
	}
	if !mayDownload(c, t) {
		return errNone
	}
	if t.Result.File == nil {
		if t.Result.Data == nil {
			return errEmpty
		}
		a := &attachment{w: w, name: t.ID + ".json", contentType: "application/json", size: int64(len(t.Result.Data))}
		_, err := a.Write(t.Result.Data)
		return err
	}
	if t.Result.File.Size == 0 {
		return errEmpty
	}
	f, err := s.tasks.Open(ctx, t)
	if errors.Is(err, files.ErrNotFound) {
		return errNone
	}
	if err != nil {
		return fmt.Errorf("open result of task %s: %w", id, err)
	}
	return s.send(ctx, w, f, t.Result.File)
}

func mayDownload(c api.Caller, t jobs.Task) bool {
	if len(c.Identity.Apps) > 0 && (t.App.IsZero() || !c.Identity.AllowsApp(t.App)) {
		return false
	}
	if t.App.IsZero() {
		return t.Creator == c.Member.ID
	}
	return (t.Creator == c.Member.ID || t.Global) && auth.Can(c.Member, t.App, "core", model.Read)
}
