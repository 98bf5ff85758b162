package appusers

import (
	"bufio"
	"context"
	"crypto/sha1" // the wire names exports of several users by it
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/hook"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

// exportKind is the kind of tasks that export app users.
const exportKind = "app_users.export"

// maxExported bounds how many users one export holds.
const maxExported = 10_000

// exported is the record of an export, by which it is found and erased.
type exported struct {
	Name    string         `json:"_id"` // appUser_<app>_<uid>, or appUser_<app>_HASH_<sha1>
	UIDs    []uint32       `json:"uids"`
	Creator model.MemberID `json:"creator"`
	TS      int64          `json:"ts"` // ms, when it was asked for
}

// Key returns the name.
func (e exported) Key() string { return e.Name }

// file is the name of the export's file, which is there only while the record is.
func (e exported) file() string { return e.Name + ".json" }

// Validate refuses names that no export has.
func (e exported) Validate() error {
	if !exportName.MatchString(e.Name) {
		return errBadName
	}
	return nil
}

func exportSpec() docs.Spec[exported] {
	return docs.Spec[exported]{Name: "app_users.exports", Version: 1}
}

var exportName = regexp.MustCompile(`^appUser_([0-9a-f]{24})_([0-9]{1,10}|HASH_[0-9a-f]{40})$`)

var (
	errBadName = fault.New(fault.Invalid, "app_users.bad_export", "invalid filename")
	errNoName  = fault.New(fault.Invalid, "app_users.no_export_name", "Missing filename")
	errNone    = fault.New(fault.Invalid, "app_users.no_export", "Export doesn't exist")
	errNoMatch = fault.New(fault.Invalid, "app_users.no_match", "Query didn't mach any user")
	errMany    = fault.Newf(fault.Invalid, "app_users.too_many", "An export holds at most %d users", maxExported)
)

// exports hands out everything that is held about single users.
type exports struct {
	data     kernel.Data
	people   *query.People
	tables   *query.Tables
	docs     docs.DB
	folder   *files.Folder
	tasks    *jobs.Tasks
	now      func() time.Time
	holdings *kernel.Holdings
}

// wireExports declares what exports need.
func wireExports(s *kernel.Scope, n uses) *exports {
	e := &exports{
		data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, people: query.NewPeople(n.Events), tables: query.NewTables(n.Events, n.Schema),
		docs: n.Docs, folder: n.Files.Folder("app_users"), tasks: n.Tasks, holdings: n.Holdings, now: s.Now,
	}
	n.Tasks.Register(jobs.Runner{Kind: exportKind, Repeatable: true, Run: e.run})
	g := s.Routes
	api.Handle(g, "/i/app_users/export", api.Feature("users", model.Update, api.AppParam), e.export)
	api.Handle(g, "/i/app_users/deleteExport", api.Feature("users", model.Update, api.AppParamLegacy), e.delete)
	api.Handle(g, "/i/app_users/deleteExport/{id}", api.Feature("users", model.Update, api.AppParamLegacy), e.delete)
	read := api.Feature("users", model.Read, api.AppParamLegacy)
	api.HandleRaw(g, "/o/app_users/download", read, "the answer is always a fault", e.download)
	api.HandleRaw(g, "/o/app_users/download/{id}", read, "the answer is a file", e.download)
	hook.On(s.Bus, "appusers", e.usersDeleted)
	hook.On(s.Bus, "appusers", func(ctx context.Context, ev topic.AppReset) error { return e.forgetApp(ctx, ev.App) })
	hook.On(s.Bus, "appusers", func(ctx context.Context, ev topic.AppDeleted) error { return e.forgetApp(ctx, ev.App) })
	s.Jobs.Every("exports", 24*time.Hour, e.prune)
	return e
}

// exportOrder are the parameters of an export's task.
type exportOrder struct {
	App  model.AppID `json:"app"`
	UIDs []uint32    `json:"uids"`
	Name string      `json:"name"`
}

type exportReq struct {
	Query json.RawMessage `param:"query"`
}

// Validate asks for the query.
func (r exportReq) Validate() error {
	if len(r.Query) == 0 {
		return api.MissingParam("query")
	}
	return nil
}

// export collects what is known of the users that a query selects.
func (e *exports) export(ctx context.Context, c api.Caller, r exportReq) (any, error) {
	f, err := filter.Parse(r.Query)
	if err != nil {
		return nil, err
	}
	if err := e.data.Flush(ctx); err != nil {
		return nil, err
	}
	uids, total, err := e.people.List(ctx, c.App.ID, query.Page{Filter: f, Limit: maxExported})
	switch {
	case err != nil:
		return nil, err
	case total == 0:
		return nil, errNoMatch
	case total > maxExported:
		return nil, errMany
	}
	slices.Sort(uids)
	o := exportOrder{App: c.App.ID, UIDs: uids, Name: nameOf(c.App.ID, uids)}
	c.Audit("export_app_user", nil, map[string]any{"uids": uids, "export_file": o.Name}, nil)
	out, err := e.tasks.Run(ctx, jobs.Spec{
		Kind: exportKind, Type: "appUserExport", App: c.App.ID, Creator: c.Member.ID, Params: o, ReportName: o.Name + ".json", Personal: true,
	}, nil)
	if err != nil {
		return nil, err
	}
	if pending, ok := out.Pending(); ok {
		return pending, nil
	}
	return api.Result{Result: o.Name + ".json"}, nil
}

// nameOf names the export of some users.
func nameOf(app model.AppID, uids []uint32) string {
	if len(uids) == 1 {
		return fmt.Sprintf("appUser_%s_%d", app, uids[0])
	}
	h := sha1.New()
	for _, uid := range uids {
		fmt.Fprintf(h, "%d,", uid)
	}
	return fmt.Sprintf("appUser_%s_HASH_%s", app, hex.EncodeToString(h.Sum(nil)))
}

// run writes the file of an export. Its result is the file's name; the file itself is kept by
// name, so that a later export of the same users takes its place.
func (e *exports) run(ctx context.Context, r *jobs.Run) error {
	var o exportOrder
	if err := r.Params(&o); err != nil {
		return err
	}
	doc := exported{Name: o.Name, UIDs: o.UIDs, Creator: r.Task().Creator, TS: r.Task().TS}
	w, err := e.folder.Create(doc.file())
	if err != nil {
		return err
	}
	err = e.write(ctx, w, o, r.Progress)
	if err == nil {
		err = exportSpec().In(e.docs, o.App).Put(ctx, doc)
	}
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := w.Commit(ctx); err != nil {
		return err
	}
	// Anyone who was erased meanwhile was erased before there was a file to remove.
	if gone, err := e.gone(ctx, o.App, o.UIDs); err != nil || gone || ctx.Err() != nil {
		return errors.Join(err, ctx.Err(), e.remove(context.WithoutCancel(ctx), o.App, doc))
	}
	return r.SetData(doc.file())
}

// gone reports whether a user is not there any more.
func (e *exports) gone(ctx context.Context, app model.AppID, uids []uint32) (bool, error) {
	for _, uid := range uids {
		if _, err := e.data.Profiles.ByUID(ctx, app, uid); errors.Is(err, profile.ErrNotFound) {
			return true, nil
		} else if err != nil {
			return false, err
		}
	}
	return false, nil
}

// document writes a JSON object whose members are arrays, element by element.
type document struct {
	w     *bufio.Writer
	enc   *json.Encoder
	err   error
	first bool
}

func (d *document) put(s string) {
	if d.err == nil {
		_, d.err = d.w.WriteString(s)
	}
}

// array writes an array under a name; fill calls add for each element.
func (d *document) array(name string, fill func(add func(any) error) error) {
	d.put(",\n" + strconv.Quote(name) + ":[")
	d.first = true
	if d.err == nil {
		d.err = fill(d.add)
	}
	d.put("]")
}

func (d *document) add(v any) error {
	if !d.first {
		d.put(",")
	}
	d.first = false
	if d.err == nil {
		d.err = d.enc.Encode(v)
	}
	return d.err
}

// write writes everything held about the users: profiles, their properties over time, event rows
// with the history of consent among them, and what other features add.
func (e *exports) write(ctx context.Context, w io.Writer, o exportOrder, progress func(done, total int64)) error {
	buf := bufio.NewWriter(w)
	d := &document{w: buf, enc: json.NewEncoder(buf)}
	d.enc.SetEscapeHTML(false)
	d.put(`{"app_id":"` + o.App.String() + `"`)
	d.array("app_users", func(add func(any) error) error {
		for _, uid := range o.UIDs {
			p, err := e.data.Profiles.ByUID(ctx, o.App, uid)
			if errors.Is(err, profile.ErrNotFound) {
				continue // erased, or merged into another, since the query
			}
			if err != nil {
				return err
			}
			doc := p.Document()
			if len(p.Extra) > 0 {
				doc["extra"] = p.Extra
			}
			if err := add(doc); err != nil {
				return err
			}
		}
		return nil
	})
	var n int64
	count := func() {
		n++
		progress(n, 0)
	}
	d.array("events", func(add func(any) error) error {
		return e.tables.OfUsers(ctx, o.App, o.UIDs, func(row map[string]any) error {
			count()
			return add(row)
		})
	})
	d.array("states", func(add func(any) error) error { return e.tables.StatesOf(ctx, o.App, o.UIDs, add) })
	d.array("requests", func(add func(any) error) error { return e.tables.RequestsOf(ctx, o.App, o.UIDs, add) })
	for _, h := range e.holdings.All() {
		if h.Each == nil {
			continue // they are among the events
		}
		d.array(h.Name, func(add func(any) error) error { return h.Each(ctx, o.App, o.UIDs, add) })
	}
	d.put("}\n")
	return errors.Join(d.err, buf.Flush())
}

type exportIDReq struct {
	ID string `path:"id"`
}

// own checks the name of an export of the app that was named.
func own(app model.AppID, id string) (string, error) {
	id = strings.TrimSuffix(strings.TrimSuffix(id, ".json"), ".tar.gz")
	m := exportName.FindStringSubmatch(id)
	if m == nil || m[1] != app.String() {
		return "", errBadName
	}
	return id, nil
}

// delete removes an export. One that is not there counts as deleted.
func (e *exports) delete(ctx context.Context, c api.Caller, r exportIDReq) (api.Result, error) {
	name, err := own(c.App.ID, r.ID)
	if err != nil {
		return api.Result{}, err
	}
	doc, err := exportSpec().In(e.docs, c.App.ID).Get(ctx, name)
	if err != nil && !docs.IsNotFound(err) {
		return api.Result{}, err
	}
	if err == nil {
		c.Audit("export_app_user_deleted", map[string]any{"id": name, "uids": doc.UIDs}, nil, nil)
		err = e.remove(ctx, c.App.ID, doc)
	} else {
		c.NoAudit() // nothing was there
		err = nil
	}
	if err != nil {
		return api.Result{}, api.Status(http.StatusBadRequest, fault.Wrap(err, fault.Internal, "app_users.delete_export",
			"There was some errors during deleting export. Please look in log for more information"))
	}
	return api.Result{Result: "Export deleted"}, nil
}

func (e *exports) remove(ctx context.Context, app model.AppID, doc exported) error {
	err := e.folder.Remove(ctx, doc.file())
	if derr := exportSpec().In(e.docs, app).Delete(ctx, doc.Name); derr != nil && !docs.IsNotFound(derr) {
		err = errors.Join(err, derr)
	}
	return err
}

// download sends an export, named by its file or by the task that made it.
func (e *exports) download(w http.ResponseWriter, c api.Caller) (err error) {
	ctx, id := c.Request().Context(), c.PathValues["id"]
	if id == "" {
		return errNoName
	}
	if t, terr := e.tasks.Get(ctx, id); terr == nil && t.Kind == exportKind && t.App == c.App.ID {
		var name string
		if json.Unmarshal(t.Result.Data, &name) != nil {
			return errNone
		}
		id = name
	} else if terr != nil && !docs.IsNotFound(terr) {
		return terr
	}
	name, err := own(c.App.ID, id)
	if err != nil {
		return errNone
	}
	doc, err := exportSpec().In(e.docs, c.App.ID).Get(ctx, name)
	if docs.IsNotFound(err) {
		return errNone
	}
	if err != nil {
		return err
	}
	f, err := e.folder.Open(ctx, doc.file())
	if errors.Is(err, files.ErrNotFound) {
		return errNone
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`.json"`)
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if _, err := io.Copy(w, f); err != nil {
		panic(http.ErrAbortHandler) // the status is sent; a connection that breaks says that the file is not whole
	}
	return nil
}

// usersDeleted removes the exports that hold erased users, and those with users who are gone
// for another reason: they were merged into others.
func (e *exports) usersDeleted(ctx context.Context, ev topic.UsersDeleted) error {
	return e.forget(ctx, ev.App, func(doc exported) (bool, error) {
		if slices.ContainsFunc(doc.UIDs, func(uid uint32) bool { return slices.Contains(ev.UIDs, uid) }) {
			return true, nil
		}
		return e.gone(ctx, ev.App, doc.UIDs)
	})
}

// forget removes the exports of an app that which picks.
func (e *exports) forget(ctx context.Context, app model.AppID, which func(exported) (bool, error)) error {
	var errs []error
	for doc, err := range exportSpec().In(e.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("list exports of users: %w", err))...)
		}
		pick, err := which(doc)
		if err != nil {
			errs = append(errs, err)
		}
		if pick {
			errs = append(errs, e.remove(ctx, app, doc))
		}
	}
	return errors.Join(errs...)
}

// forgetApp removes all exports of an app. Its documents may be gone already.
func (e *exports) forgetApp(ctx context.Context, app model.AppID) error {
	_, err := exportSpec().In(e.docs, app).DeleteWhere(ctx, docs.Query{})
	return errors.Join(err, e.folder.RemoveAll(ctx, "appUser_"+app.String()+"_"))
}

// Exports are kept as long as tasks are, by default.
const (
	keepExports    = 60 * 24 * time.Hour
	keepUnfinished = 24 * time.Hour // longer than any run
)

// prune removes old exports and what ended processes left.
func (e *exports) prune(ctx context.Context) error {
	before := e.now().Add(-keepExports).UnixMilli()
	var errs []error
	for found, err := range exportSpec().AcrossApps(e.docs, "old exports of all apps are removed").List(ctx, docs.Query{Where: []docs.Cond{docs.Lt(".ts", before)}}) {
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("list exports of users: %w", err))...)
		}
		errs = append(errs, e.remove(ctx, found.App, found.Doc))
	}
	return errors.Join(append(errs, e.folder.RemoveUnfinished(ctx, e.now().Add(-keepUnfinished)))...)
}
