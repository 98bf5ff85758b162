package symbolication

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
)

// list answers with the symbols of the app, the oldest first.
func (s *service) list(ctx context.Context, c api.Caller, _ api.None) ([]listed, error) {
	out := []listed{}
	for sym, err := range spec().In(s.docs, c.App.ID).List(ctx, docs.Query{Limit: maxSymbols}) {
		if err != nil {
			return nil, err
		}
		out = append(out, sym.shown())
	}
	return out, nil
}

type jobsReq struct {
	api.List
	Platform string `param:"platform"`
	Status   string `param:"status"`
	Output   string `param:"outputFormat"`
}

// jobs answers with what came of attempts to symbolicate groups, the latest first.
func (s *service) jobs(ctx context.Context, c api.Caller, r jobsReq) (any, error) {
	q := r.Query(api.Listing{
		Columns: []api.Column{{Name: "ts", Field: "ts"}, {Name: "platform", Field: "platform"}, {Name: "build", Field: "build"}, {Name: "status", Field: "status"}, {Name: "log"}},
		Sort:    "ts", Desc: true, Usual: maxJobs, Most: maxJobs,
	})
	for field, v := range map[docs.Field]string{"platform": r.Platform, "status": r.Status} {
		if v != "" {
			q.Where = append(q.Where, docs.Eq(field, v))
		}
	}
	p, err := jobSpec().In(s.docs, c.App.ID).Page(ctx, q)
	if err != nil {
		return nil, err
	}
	t := api.TableOf(r.List, p, api.Itself[job])
	if r.Output == "full" {
		return t, nil
	}
	return api.Bare(r.List, t), nil
}

type reportReq struct {
	ID string `param:"report_id"`
}

// report answers with a crash report.
func (s *service) report(ctx context.Context, c api.Caller, r reportReq) (map[string]any, error) {
	if r.ID == "" {
		return nil, api.MissingParam("report_id")
	}
	out, ok, err := s.crashes.Report(ctx, c.App.ID, r.ID)
	if err == nil && !ok {
		err = fault.Newf(fault.Invalid, "symbolication.no_report", "Report %s not found", r.ID[:min(len(r.ID), 100)])
	}
	return out, err
}

type downloadReq struct {
	ID   string       `param:"symbol_id"`
	File params.Value `param:"file_id"`
}

// download answers with a symbol file as it was uploaded.
func (s *service) download(w http.ResponseWriter, c api.Caller, r downloadReq) error {
	if r.ID == "" {
		return api.MissingParam("symbol_id")
	}
	ctx := c.Request().Context()
	sym, err := spec().In(s.docs, c.App.ID).Get(ctx, r.ID)
	if docs.IsNotFound(err) {
		return notFound("Symbol file document %s not found", r.ID)
	}
	if err != nil {
		return err
	}
	wanted, err := r.of(sym)
	if err != nil {
		return err
	}
	f, err := s.folder.Open(ctx, file(c.App.ID, wanted.ID))
	if errors.Is(err, files.ErrNotFound) {
		return errGone
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", "attachment;filename="+ascii(wanted.Name))
	h.Set("Content-Length", strconv.FormatInt(wanted.Size, 10))
	_, err = io.Copy(w, f)
	return err
}

// of is the file that is wanted.
func (r downloadReq) of(sym symbol) (upload, error) {
	id := r.File.String()
	switch {
	case sym.Several && id == "":
		return upload{}, errFileID
	case !sym.Several && id != "":
		return upload{}, errNoFileID
	case !sym.Several && len(sym.Uploads) > 0:
		return sym.Uploads[0], nil
	}
	if i := slices.IndexFunc(sym.Uploads, func(u upload) bool { return u.ID == id }); i >= 0 {
		return sym.Uploads[i], nil
	}
	return upload{}, errNoFile
}

// ascii is a name as a header may have it.
func ascii(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune(`"\;,`, r) {
			return '_'
		}
		return r
	}, name)
}

type symbolicateReq struct {
	Group  string `param:"crashgroup_id"`
	Symbol string `param:"symbol_id"`
	Return string `param:"return_url"`
}

// symbolicate chooses the symbol of a group.
func (s *service) symbolicate(ctx context.Context, c api.Caller, r symbolicateReq) (api.Result, error) {
	switch {
	case r.Group == "":
		return api.Result{}, errReportID
	case r.Symbol == "":
		return api.Result{}, errNoSymbol
	case r.Return == "":
		return api.Result{}, errReturnURL
	}
	sym, err := spec().In(s.docs, c.App.ID).Get(ctx, r.Symbol)
	if docs.IsNotFound(err) {
		return api.Result{}, errSymbol
	}
	if err != nil {
		return api.Result{}, err
	}
	stack, ok, err := s.crashes.Group(ctx, c.App.ID, r.Group)
	if err != nil {
		return api.Result{}, err
	}
	if !ok {
		return api.Result{}, errGroup
	}
	j := job{ID: newID(c.Now), TS: c.Now.UnixMilli(), Platform: sym.Platform, Build: strings.Join(sym.Build, ", "), Status: "success", Log: []string{"Started"}}
	_, found, err := s.apply(ctx, c.App.ID, sym, stack)
	if err == nil && !found {
		_, found, err = s.applyNative(ctx, c.App.ID, []symbol{sym}, stack)
	}
	if err == nil && !found {
		_, found, err = s.renamed(ctx, c.App.ID, []symbol{sym}, stack.Text)
	}
	if err != nil && ctx.Err() != nil {
		return api.Result{}, err
	}
	if why := failure(sym, found, err); why != "" {
		j.Status, j.Log = "errored", append(j.Log, why)
		err = fault.New(fault.Invalid, "symbolication.unusable", why)
	} else {
		j.Log = append(j.Log, "Stack trace updated")
		err = s.choose(ctx, c.App.ID, choice{Group: r.Group, Symbol: r.Symbol})
	}
	if kept := s.record(ctx, c.App.ID, j); kept != nil {
		return api.Result{}, kept
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", nil, map[string]any{"group": r.Group, "symbol": r.Symbol}, nil)
	return api.Result{Result: "Symbolication success"}, nil
}

// failure says why a stack could not be symbolicated; "" = it could.
func failure(sym symbol, found bool, err error) string {
	switch {
	case found:
		return ""
	case sym.Problem != "":
		return sym.Problem
	case err != nil:
		return message(err)
	}
	return "No frame of the stack is in the symbol file"
}

// choose keeps the symbol of a group.
func (s *service) choose(ctx context.Context, app model.AppID, ch choice) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := choiceSpec().In(tx, app)
		if _, err := col.Get(ctx, ch.Group); err == nil {
			return col.Put(ctx, ch)
		}
		return col.CreateUpTo(ctx, ch, maxChoices, errQuota)
	})
}

type resultReq struct {
	Job    string `param:"jobId"`
	Result string `param:"symbRes"`
	Test   string `param:"symbolication_test"`
}

// hello is the answer to a test of the address that results are sent to, as clients know it.
type hello struct {
	Message string `json:"msg"`
}

// result refuses results of other servers: no job is ever sent to one.
func (s *service) result(_ context.Context, c api.Caller, r resultReq) (any, error) {
	c.NoAudit()
	switch {
	case r.Test != "":
		return hello{"priviet"}, nil
	case r.Job == "" || r.Result == "":
		return nil, errResult
	}
	return nil, errJob
}

// works answers tests of a symbolication server: this server is it.
func (s *service) works(context.Context, api.Caller, api.None) (bool, error) { return true, nil }

// endpoint is the state of an endpoint of the symbolication server.
type endpoint struct {
	Value string `json:"value"`
}

// endpoints answers tests of the four endpoints of a symbolication server: this server is it.
func (s *service) endpoints(context.Context, api.Caller, api.None) ([]endpoint, error) {
	return slices.Repeat([]endpoint{{"ok"}}, 4), nil
}
