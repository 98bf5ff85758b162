// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostTasksDeleteParams are the parameters of PostTasksDelete. Zero values are left out.
type PostTasksDeleteParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the task; the result of a task is answered at once.
	TaskID string `body:"task_id"`
}

// PostTasksDelete: delete a task.
//
// Needs the right to delete `core`. Global administrators may leave out `app_id`.
//
// It calls POST /i/tasks/delete.
func (c *Client) PostTasksDelete(ctx context.Context, p PostTasksDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/tasks/delete", p, false, &out)
	return out, err
}

// PostTasksEditParams are the parameters of PostTasksEdit. Zero values are left out.
type PostTasksEditParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Whether the result is calculated again by itself.
	AutoRefresh bool `body:"autoRefresh"`
	// Whether all members of the app see it.
	Global bool `body:"global"`
	// The period in words.
	PeriodDesc string `body:"period_desc"`
	// Description of the report.
	ReportDesc string `body:"report_desc"`
	// Name of the report.
	ReportName string `body:"report_name"`
	// Required. Id of the task; the result of a task is answered at once.
	TaskID string `body:"task_id"`
}

// PostTasksEdit: change a task.
//
// Needs the right to update `core`. Global administrators may leave out `app_id`.
//
// It calls POST /i/tasks/edit.
func (c *Client) PostTasksEdit(ctx context.Context, p PostTasksEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/tasks/edit", p, false, &out)
	return out, err
}

// PostTasksNameParams are the parameters of PostTasksName. Zero values are left out.
type PostTasksNameParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Name.
	Name string `body:"name"`
	// Required. Id of the task; the result of a task is answered at once.
	TaskID string `body:"task_id"`
}

// PostTasksName: name a task.
//
// Needs the right to update `core`. Global administrators may leave out `app_id`.
//
// It calls POST /i/tasks/name.
func (c *Client) PostTasksName(ctx context.Context, p PostTasksNameParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/tasks/name", p, false, &out)
	return out, err
}

// PostTasksUpdateParams are the parameters of PostTasksUpdate. Zero values are left out.
type PostTasksUpdateParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the task; the result of a task is answered at once.
	TaskID string `body:"task_id"`
}

// PostTasksUpdate: run a task again.
//
// Needs the right to update `core`. Global administrators may leave out `app_id`.
//
// It calls POST /i/tasks/update.
func (c *Client) PostTasksUpdate(ctx context.Context, p PostTasksUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/tasks/update", p, false, &out)
	return out, err
}

// GetTasksAllParams are the parameters of GetTasksAll. Zero values are left out.
type GetTasksAllParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// How many rows are left out at the start.
	IDisplayStart int64 `query:"iDisplayStart"`
	// How many rows at most; a negative number for as many as the list allows.
	IDisplayLength *int64 `query:"iDisplayLength"`
	// Text that rows are searched for.
	SSearch string `query:"sSearch"`
	// Number of the column that rows are sorted by.
	ISortCol0 int64 `query:"iSortCol_0"`
	// Direction of sorting.
	SSortDir0 string `query:"sSortDir_0"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// Number that the answer repeats; where a list has another form, it makes it a table.
	SEcho int64 `query:"sEcho"`
	// `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`.
	Cursor string `query:"cursor"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Ids of apps, separated by commas.
	AppIDs string `query:"app_ids"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Tasks that read rows, or those that do not.
	DataSource string `query:"data_source"`
}

// GetTasksAll: list tasks.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/tasks/all.
func (c *Client) GetTasksAll(ctx context.Context, p GetTasksAllParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/tasks/all", p, false, &out)
	return out, err
}

// GetTasksCheckParams are the parameters of GetTasksCheck. Zero values are left out.
type GetTasksCheckParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the task; the result of a task is answered at once.
	TaskID string `query:"task_id"`
}

// GetTasksCheck: state of tasks.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/tasks/check.
func (c *Client) GetTasksCheck(ctx context.Context, p GetTasksCheckParams) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/tasks/check", p, false, &out)
	return out, err
}

// GetTasksCountParams are the parameters of GetTasksCount. Zero values are left out.
type GetTasksCountParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Ids of apps, separated by commas.
	AppIDs string `query:"app_ids"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Tasks that read rows, or those that do not.
	DataSource string `query:"data_source"`
}

// GetTasksCount: tasks by state.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/tasks/count.
func (c *Client) GetTasksCount(ctx context.Context, p GetTasksCountParams) (out []TasksCountRow, err error) {
	err = c.call(ctx, "GET", "/o/tasks/count", p, false, &out)
	return out, err
}

// GetTasksListParams are the parameters of GetTasksList. Zero values are left out.
type GetTasksListParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// How many rows are left out at the start.
	IDisplayStart int64 `query:"iDisplayStart"`
	// How many rows at most; a negative number for as many as the list allows.
	IDisplayLength *int64 `query:"iDisplayLength"`
	// Text that rows are searched for.
	SSearch string `query:"sSearch"`
	// Number of the column that rows are sorted by.
	ISortCol0 int64 `query:"iSortCol_0"`
	// Direction of sorting.
	SSortDir0 string `query:"sSortDir_0"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// Number that the answer repeats; where a list has another form, it makes it a table.
	SEcho int64 `query:"sEcho"`
	// `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`.
	Cursor string `query:"cursor"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Ids of apps, separated by commas.
	AppIDs string `query:"app_ids"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Tasks that read rows, or those that do not.
	DataSource string `query:"data_source"`
}

// GetTasksList: list tasks as a table.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/tasks/list.
func (c *Client) GetTasksList(ctx context.Context, p GetTasksListParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/tasks/list", p, false, &out)
	return out, err
}

// GetTasksTaskParams are the parameters of GetTasksTask. Zero values are left out.
type GetTasksTaskParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the task; the result of a task is answered at once.
	TaskID string `query:"task_id"`
}

// GetTasksTask: result of a task.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/tasks/task.
func (c *Client) GetTasksTask(ctx context.Context, p GetTasksTaskParams) (out TasksView, err error) {
	err = c.call(ctx, "GET", "/o/tasks/task", p, false, &out)
	return out, err
}

// TasksCountRow is part of answers.
type TasksCountRow struct {
	ID string `json:"_id"`
	C  int64  `json:"c"`
}

// TasksFile is part of answers.
type TasksFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Type string `json:"type"`
}

// TasksProgress is part of answers.
type TasksProgress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// TasksView is part of answers.
type TasksView struct {
	ID             string          `json:"_id"`
	AppID          string          `json:"app_id"`
	AutoRefresh    bool            `json:"autoRefresh"`
	Creator        string          `json:"creator"`
	Data           json.RawMessage `json:"data,omitempty"`
	End            int64           `json:"end,omitempty"`
	Errorcode      string          `json:"errorcode,omitempty"`
	Errormsg       string          `json:"errormsg,omitempty"`
	File           *TasksFile      `json:"file,omitempty"`
	Global         bool            `json:"global"`
	HasData        bool            `json:"hasData"`
	ManuallyCreate bool            `json:"manually_create"`
	Name           string          `json:"name,omitempty"`
	PeriodDesc     string          `json:"period_desc,omitempty"`
	Progress       *TasksProgress  `json:"progress,omitempty"`
	ReportDesc     string          `json:"report_desc,omitempty"`
	ReportName     string          `json:"report_name"`
	Start          int64           `json:"start,omitempty"`
	Status         string          `json:"status"`
	Ts             int64           `json:"ts"`
	Type           string          `json:"type"`
	View           string          `json:"view,omitempty"`
}
