package appusers

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/table"
)

// listForm is the form that a list of users is wanted in.
type listForm struct {
	// Visible are the columns that a table shows, in their order, by short keys of profiles.
	Visible params.Value `param:"visibleColumns"`
	// OnlyVisible leaves everything else out of the rows.
	OnlyVisible bool `param:"fetchOnlyVisibleColumns"`
	// Projection is a list whose first element is the property that users are counted by.
	Projection params.Value `param:"projectionKey"`
	// Export has the list written to a file, by a task.
	Export   bool   `param:"exportToFile"`
	Format   string `param:"type"`
	Filename string `param:"filename"`
}

// maxColumns bounds how many columns a request names.
const maxColumns = 200

// usualColumns are the columns that iSortCol_0 counts in a request that names none.
var usualColumns = []string{"uid", "name", "email", "d", "sc", "lac", "tsd"}

// columns are the columns that the request names; nil when it names none, or no list.
func (r listForm) columns() []string {
	var list []string
	if json.Unmarshal(r.Visible.Raw(), &list) != nil || len(list) > maxColumns {
		return nil
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// order is what the rows are sorted by: the parameter sort, or the column of a number.
func (r detailsReq) order() (key string, desc bool) {
	if key, desc = r.SortBy(); key != "" {
		return key, desc
	}
	list := r.columns()
	if len(list) == 0 {
		list = usualColumns
	}
	n, err := strconv.Atoi(strings.TrimSpace(r.Column.String()))
	if err != nil || n < 0 || n >= len(list) {
		return "", false
	}
	return list[n], r.Dir == "desc"
}

// always are the fields that rows keep whatever is wanted.
var always = []string{"_id", "uid", "did"}

// narrow leaves what is visible in rows, if that is all that is wanted.
func (r listForm) narrow(rows []map[string]any) {
	list := r.columns()
	if !r.OnlyVisible || len(list) == 0 {
		return
	}
	keep := append(slices.Clone(always), list...)
	for _, row := range rows {
		for key, value := range row {
			if slices.Contains(keep, key) {
				continue
			}
			inner, ok := value.(map[string]any)
			left := map[string]any{}
			for name, v := range inner {
				if slices.Contains(keep, key+"."+name) {
					left[name] = v
				}
			}
			if !ok || len(left) == 0 {
				delete(row, key)
			} else {
				row[key] = left
			}
		}
	}
}

// errProjection says that users are not counted by what was named.
var errProjection = fault.New(fault.Invalid, "app_users.bad_projection", `Bad request parameter: projectionKey: want a list with a property of users, such as ["cc"] or ["custom.plan"]`)

// breakdownRes are users by the values of a property.
type breakdownRes struct {
	Echo       any               `json:"sEcho,omitempty"`
	Rows       []query.UserValue `json:"breakDownData"`
	Projection []string          `json:"projectionKey"`
	Total      int64             `json:"total"` // values
}

// breakdown counts the users of a list by a property.
func (s *service) breakdown(ctx context.Context, c api.Caller, r detailsReq, page query.Page) (any, error) {
	var keys []string
	if json.Unmarshal(r.Projection.Raw(), &keys) != nil || len(keys) == 0 || len(keys) > maxColumns {
		return nil, errProjection
	}
	if !auth.MayAskBy(c.Member, c.App.ID, keys[:1], nil) {
		return nil, errRight
	}
	rows, total, ok, err := s.people.Breakdown(ctx, c.App.ID, keys[0], page)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errProjection
	}
	return breakdownRes{Echo: r.Echo.Echo(), Rows: rows, Projection: keys, Total: total}, nil
}

// listKind is the kind of tasks that write lists of users to files.
const listKind = "app_users.list"

// listFiles writes lists of users to files.
type listFiles struct {
	tables *query.Tables
	tasks  *jobs.Tasks
}

func wireList(n uses, tables *query.Tables) *listFiles {
	l := &listFiles{tables: tables, tasks: n.Tasks}
	n.Tasks.Register(jobs.Runner{Kind: listKind, Repeatable: true, Run: l.run})
	return l
}

// listOrder are the parameters of a task. Cohorts are looked up when it runs.
type listOrder struct {
	App    model.AppID     `json:"app"`
	Filter json.RawMessage `json:"filter,omitempty"`
	Fields []string        `json:"fields,omitempty"`
	Sort   string          `json:"sort,omitempty"`
	Desc   bool            `json:"desc,omitempty"`
	Format string          `json:"format"`
	Name   string          `json:"name"`
}

var unsafeName = regexp.MustCompile(`[^\pL\pN ._-]+`)

// submit queues the file of a list. It is downloaded from /o/export/download/{task_id}.
func (l *listFiles) submit(ctx context.Context, c api.Caller, r detailsReq, page query.Page) (any, error) {
	if page.Search != "" {
		found, err := searched(page.Search)
		if err != nil {
			return nil, err
		}
		page.Filter = filter.And(page.Filter, found)
	}
	format, _ := table.ParseFormat(r.Format)
	name := strings.TrimSpace(unsafeName.ReplaceAllString(r.Filename, "_"))
	if name == "" || len(name) > maxColumns {
		name = "users"
	}
	o := listOrder{App: c.App.ID, Sort: page.Sort, Desc: page.Desc, Format: format.Ext(), Name: name + "." + format.Ext(), Fields: r.columns()}
	if !page.Filter.IsZero() {
		raw, err := json.Marshal(page.Filter)
		if err != nil {
			return nil, err
		}
		o.Filter = raw
	}
	spec := jobs.Spec{
		Kind: listKind, Type: "tableExport", App: c.App.ID, Creator: c.Member.ID, Params: o, Personal: true, Manual: true,
		ReportName: c.Params.Text("report_name"), ReportDesc: c.Params.Text("report_desc"), PeriodDesc: c.Params.Text("period_desc"),
	}
	if spec.ReportName == "" {
		spec.ReportName = o.Name
	}
	id, _, err := l.tasks.Submit(ctx, spec)
	if err != nil {
		return nil, err
	}
	c.Audit("export_requested", nil, map[string]any{"task_id": id, "path": "/o", "method": "user_details", "format": o.Format, "app_id": c.App.ID}, nil)
	return startedTask{TaskID: id}, nil
}

// searched is the filter of what a search finds.
func searched(text string) (filter.Expr, error) {
	part := map[string]any{"$regex": regexp.QuoteMeta(text), "$options": "i"}
	list := []any{map[string]any{"uid": text}}
	for _, field := range []string{"did", "name", "username", "email"} {
		list = append(list, map[string]any{field: part})
	}
	return filter.Parse(map[string]any{"$or": list})
}

// run writes a file.
func (l *listFiles) run(ctx context.Context, r *jobs.Run) error {
	var o listOrder
	if err := r.Params(&o); err != nil {
		return err
	}
	sel := query.RowSelection{Fields: o.Fields, Sort: o.Sort, Desc: o.Desc}
	if len(o.Filter) > 0 {
		f, err := filter.Parse(o.Filter)
		if err != nil {
			return err
		}
		sel.Filter = f
	}
	if len(sel.Fields) > 0 {
		sel.Fields = append(slices.Clone(always), sel.Fields...)
	}
	rows, err := l.tables.Users(ctx, o.App, sel)
	if err != nil {
		return err
	}
	format, _ := table.ParseFormat(o.Format)
	f, err := r.File(o.Name, format.ContentType())
	if err != nil {
		return err
	}
	w := table.New(format, f)
	defer w.Abort()
	columns := make([]table.Column, len(rows.Columns))
	for i, path := range rows.Columns {
		columns[i] = table.Column{Path: path}
	}
	if err := w.Begin(columns); err != nil {
		return err
	}
	var n int64
	err = rows.Each(ctx, func(values []any) error {
		n++
		r.Progress(n, 0)
		return w.Row(values)
	})
	if err != nil {
		return err
	}
	return w.Close()
}
