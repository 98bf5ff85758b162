// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostSqlDeleteParams are the parameters of PostSqlDelete. Zero values are left out.
type PostSqlDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the saved query.
	QueryID string `body:"query_id"`
}

// PostSqlDelete: delete a saved query.
//
// Needs the right to delete `sql`.
//
// It calls POST /i/sql/delete.
func (c *Client) PostSqlDelete(ctx context.Context, p PostSqlDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/sql/delete", p, false, &out)
	return out, err
}

// PostSqlSaveParams are the parameters of PostSqlSave. Zero values are left out.
type PostSqlSaveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// How the page shows the result.
	Chart string `body:"chart"`
	// Required. Name.
	Name string `body:"name"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// Id of the saved query.
	QueryID string `body:"query_id"`
	// Whether all members of the app see it.
	Shared bool `body:"shared"`
	// Required. The statement.
	Sql string `body:"sql"`
}

// PostSqlSave: keep a query, or change one.
//
// Needs the right to create `sql`.
//
// It calls POST /i/sql/save.
func (c *Client) PostSqlSave(ctx context.Context, p PostSqlSaveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/sql/save", p, false, &out)
	return out, err
}

// GetSqlParams are the parameters of GetSql. Zero values are left out.
type GetSqlParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. The statement.
	Sql string `query:"sql"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// The form of rows.
	Form string `query:"form"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetSql: run a statement in SQL.
//
// Needs the right to read `sql`. A read that takes too long goes on as a task.
//
// It calls GET /o/sql.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetSql(ctx context.Context, p GetSqlParams) (out *SqlAnswer, err error) {
	err = c.call(ctx, "GET", "/o/sql", p, true, &out)
	return out, err
}

// GetSqlQueriesParams are the parameters of GetSqlQueries. Zero values are left out.
type GetSqlQueriesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetSqlQueries: saved queries.
//
// Needs the right to read `sql`.
//
// It calls GET /o/sql/queries.
func (c *Client) GetSqlQueries(ctx context.Context, p GetSqlQueriesParams) (out []SqlListed, err error) {
	err = c.call(ctx, "GET", "/o/sql/queries", p, false, &out)
	return out, err
}

// GetSqlSchemaParams are the parameters of GetSqlSchema. Zero values are left out.
type GetSqlSchemaParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetSqlSchema: views that statements may read.
//
// Needs the right to read `sql`.
//
// It calls GET /o/sql/schema.
func (c *Client) GetSqlSchema(ctx context.Context, p GetSqlSchemaParams) (out []SqlShownView, err error) {
	err = c.call(ctx, "GET", "/o/sql/schema", p, false, &out)
	return out, err
}

// SqlAnswer is part of answers.
type SqlAnswer struct {
	Columns   []SqlboxResultColumn `json:"columns"`
	From      int64                `json:"from"`
	Read      int64                `json:"read"`
	Rows      []json.RawMessage    `json:"rows"`
	To        int64                `json:"to"`
	Took      int64                `json:"took"`
	Truncated bool                 `json:"truncated"`
}

// SqlListed is part of answers.
type SqlListed struct {
	ID        string `json:"_id"`
	Chart     string `json:"chart"`
	CreatedAt int64  `json:"created_at"`
	Editable  bool   `json:"editable"`
	EditedAt  int64  `json:"edited_at"`
	Name      string `json:"name"`
	Owner     string `json:"owner"`
	Period    string `json:"period"`
	Shared    bool   `json:"shared"`
	Sql       string `json:"sql"`
}

// SqlShownView is part of answers.
type SqlShownView struct {
	Columns []SqlboxColumn `json:"columns"`
	Name    string         `json:"name"`
}

// SqlboxColumn is part of answers.
type SqlboxColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// SqlboxResultColumn is part of answers.
type SqlboxResultColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}
