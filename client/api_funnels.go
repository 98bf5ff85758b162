// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostFunnelsAddParams are the parameters of PostFunnelsAdd. Zero values are left out.
type PostFunnelsAddParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description of the funnel.
	FunnelDesc string `body:"funnel_desc"`
	// Required. Name of the funnel.
	FunnelName string `body:"funnel_name"`
	// Whether steps must happen in one session: `session-independent` or `same-session`.
	FunnelType string `body:"funnel_type"`
	// Options of the calculation.
	Options any `body:"options"`
	// Filters of the steps.
	Queries any `body:"queries"`
	// Filters of the steps as pages show them.
	QueryTexts any `body:"queryTexts"`
	// How steps are grouped: `and`, `or`.
	StepGroups any `body:"stepGroups"`
	// Required. Steps, in their order.
	Steps any `body:"steps"`
}

// PostFunnelsAdd: create a funnel.
//
// Needs the right to create `funnels`.
//
// It calls POST /i/funnels/add.
func (c *Client) PostFunnelsAdd(ctx context.Context, p PostFunnelsAddParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/funnels/add", p, false, &out)
	return out, err
}

// PostFunnelsDeleteParams are the parameters of PostFunnelsDelete. Zero values are left out.
type PostFunnelsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the funnel.
	FunnelID string `body:"funnel_id"`
}

// PostFunnelsDelete: delete a funnel.
//
// Needs the right to delete `funnels`.
//
// It calls POST /i/funnels/delete.
func (c *Client) PostFunnelsDelete(ctx context.Context, p PostFunnelsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/funnels/delete", p, false, &out)
	return out, err
}

// PostFunnelsEditParams are the parameters of PostFunnelsEdit. Zero values are left out.
type PostFunnelsEditParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. The funnel by its id: `{"ID":{…}}`.
	FunnelMap any `body:"funnel_map"`
}

// PostFunnelsEdit: change a funnel.
//
// Needs the right to update `funnels`.
//
// It calls POST /i/funnels/edit.
func (c *Client) PostFunnelsEdit(ctx context.Context, p PostFunnelsEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/funnels/edit", p, false, &out)
	return out, err
}

// PostFunnelsGroupParams are the parameters of PostFunnelsGroup. Zero values are left out.
type PostFunnelsGroupParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the funnel.
	FunnelID string `body:"funnel_id"`
	// Required. Groups by name, with whether the funnel is in it: `{"marketing":true}`.
	Groups any `body:"groups"`
}

// PostFunnelsGroup: put a funnel into groups.
//
// Needs the right to update `funnels`.
//
// It calls POST /i/funnels/group.
func (c *Client) PostFunnelsGroup(ctx context.Context, p PostFunnelsGroupParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/funnels/group", p, false, &out)
	return out, err
}

// GetMethodFunnelParams are the parameters of GetMethodFunnel. Zero values are left out.
type GetMethodFunnelParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Required. Id of the funnel.
	Funnel string `query:"funnel"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Id of a saved filter.
	FilterID string `query:"filter_id"`
	// Id of the task; the result of a task is answered at once.
	TaskID string `query:"task_id"`
	// The last step that counts, from 0.
	EndStep int64 `query:"end_step"`
	// Number of the step whose users are listed, from 0.
	UsersForStep int64 `query:"users_for_step"`
	// Two steps: the users who left between them.
	UsersBetweenSteps any `query:"users_between_steps"`
	// Text that the answer repeats, by which clients match answers with requests.
	Echo string `query:"echo"`
	// What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`.
	CountBy string `query:"count_by"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// Whose step's event has the property: `first`, `last`, or a step from 1 on.
	BreakdownStep string `query:"breakdown_step"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// The value of the property whose group the others are compared with.
	BreakdownBase string `query:"breakdown_base"`
	// Figures by when users began, in units of this size.
	Trend string `query:"trend"`
	// `N|M`, from 0: what those did next who reached step N and not step M.
	Instead string `query:"instead"`
	// `true`, or `N|M`, from 0: what separates those who reached step M from those who reached only step N.
	Drivers string `query:"drivers"`
	// Paths of the properties that are looked at.
	DriversBy any `query:"drivers_by"`
	// Seconds before an attempt in which events are looked for; 0 = none.
	DriversBack *int64 `query:"drivers_back"`
	// How many differences are listed.
	DriversLimit *int64 `query:"drivers_limit"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodFunnel: results of a funnel.
//
// Needs the right to read `funnels`. The same as `/o?method=funnel`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/funnel.
func (c *Client) GetMethodFunnel(ctx context.Context, p GetMethodFunnelParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/funnel", p, false, &out)
	return out, err
}

// GetMethodFunneldataParams are the parameters of GetMethodFunneldata. Zero values are left out.
type GetMethodFunneldataParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Ids of funnels.
	Funnels any `query:"funnels"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodFunneldata: results of several funnels.
//
// Needs the right to read `funnels`. The same as `/o?method=funneldata`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/funneldata.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodFunneldata(ctx context.Context, p GetMethodFunneldataParams) (out map[string][]FunnelsDayRow, err error) {
	err = c.call(ctx, "GET", "/o/method/funneldata", p, true, &out)
	return out, err
}

// GetMethodGetFunnelParams are the parameters of GetMethodGetFunnel. Zero values are left out.
type GetMethodGetFunnelParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the funnel.
	Funnel string `query:"funnel"`
}

// GetMethodGetFunnel: A funnel.
//
// Needs the right to read `funnels`. The same as `/o?method=get_funnel`.
//
// It calls GET /o/method/get_funnel.
func (c *Client) GetMethodGetFunnel(ctx context.Context, p GetMethodGetFunnelParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_funnel", p, false, &out)
	return out, err
}

// GetMethodGetFunnelsParams are the parameters of GetMethodGetFunnels. Zero values are left out.
type GetMethodGetFunnelsParams struct {
	// Required. Id of the app.
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
	// A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Which form of the list.
	OutputFormat string `query:"outputFormat"`
}

// GetMethodGetFunnels: list funnels.
//
// Needs the right to read `funnels`. The same as `/o?method=get_funnels`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/get_funnels.
func (c *Client) GetMethodGetFunnels(ctx context.Context, p GetMethodGetFunnelsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_funnels", p, false, &out)
	return out, err
}

// GetMethodUserFunnelsParams are the parameters of GetMethodUserFunnels. Zero values are left out.
type GetMethodUserFunnelsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Required. Number of the user.
	UID string `query:"uid"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodUserFunnels: funnels of a user.
//
// Needs the right to read `funnels`. The same as `/o?method=user_funnels`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/user_funnels.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodUserFunnels(ctx context.Context, p GetMethodUserFunnelsParams) (out []FunnelsUserRow, err error) {
	err = c.call(ctx, "GET", "/o/method/user_funnels", p, true, &out)
	return out, err
}

// FunnelsAnalysis is part of answers.
type FunnelsAnalysis struct {
	Conversion       FunnelsSpread        `json:"conversion"`
	Echo             json.RawMessage      `json:"echo,omitempty"`
	Groups           []FunnelsGroupRow    `json:"groups,omitempty"`
	Significance     *FunnelsSignificance `json:"significance,omitempty"`
	Steps            []FunnelsStepRow     `json:"steps"`
	SuccessRate      float64              `json:"success_rate"`
	SuccessUsers     int64                `json:"success_users"`
	TotalUsers       int64                `json:"total_users"`
	Trend            []FunnelsTrendRow    `json:"trend,omitempty"`
	UsersInFirstStep int64                `json:"users_in_first_step"`
}

// FunnelsBar is part of answers.
type FunnelsBar struct {
	Count int64   `json:"count"`
	To    float64 `json:"to,omitempty"`
}

// FunnelsComparison is part of answers.
type FunnelsComparison struct {
	Adjusted       float64 `json:"adjusted"`
	Difference     float64 `json:"difference"`
	DifferenceHigh float64 `json:"differenceHigh"`
	DifferenceLow  float64 `json:"differenceLow"`
	Exact          bool    `json:"exact,omitempty"`
	Odds           float64 `json:"odds"`
	OddsHigh       float64 `json:"oddsHigh"`
	OddsLow        float64 `json:"oddsLow"`
	P              float64 `json:"p"`
	Percent        float64 `json:"percent"`
	PercentHigh    float64 `json:"percentHigh"`
	PercentLow     float64 `json:"percentLow"`
}

// FunnelsDayRow is part of answers.
type FunnelsDayRow struct {
	ID               string  `json:"_id"`
	SuccessRate      float64 `json:"success_rate"`
	SuccessUsers     int64   `json:"success_users"`
	TotalUsers       int64   `json:"total_users"`
	UsersInFirstStep int64   `json:"users_in_first_step"`
}

// FunnelsGroupRow is part of answers.
type FunnelsGroupRow struct {
	Comparison *FunnelsComparison `json:"comparison,omitempty"`
	Other      bool               `json:"other,omitempty"`
	Users      []int64            `json:"users"`
	Value      json.RawMessage    `json:"value"`
}

// FunnelsSignificance is part of answers.
type FunnelsSignificance struct {
	Base        string  `json:"base,omitempty"`
	BaseMissing bool    `json:"baseMissing,omitempty"`
	ChiSquared  float64 `json:"chiSquared"`
	Freedom     int64   `json:"freedom"`
	P           float64 `json:"p"`
	Rough       bool    `json:"rough,omitempty"`
	Step        int64   `json:"step"`
}

// FunnelsSpread is part of answers.
type FunnelsSpread struct {
	Count     int64        `json:"count"`
	Histogram []FunnelsBar `json:"histogram"`
	Max       float64      `json:"max"`
	Mean      float64      `json:"mean"`
	Median    float64      `json:"median"`
	Min       float64      `json:"min"`
	P75       float64      `json:"p75"`
	P90       float64      `json:"p90"`
	P95       float64      `json:"p95"`
}

// FunnelsStepRow is part of answers.
type FunnelsStepRow struct {
	Attempts               int64           `json:"attempts"`
	AverageTimeSpend       float64         `json:"averageTimeSpend"`
	Optional               bool            `json:"optional,omitempty"`
	Percent                float64         `json:"percent"`
	PercentLeft            float64         `json:"percentLeft"`
	PercentLeftUserEntered float64         `json:"percentLeftUserEntered"`
	PercentUserEntered     float64         `json:"percentUserEntered"`
	Query                  json.RawMessage `json:"query"`
	Step                   json.RawMessage `json:"step"`
	TimeSpend              *FunnelsSpread  `json:"timeSpend,omitempty"`
	Times                  int64           `json:"times"`
	Users                  int64           `json:"users"`
}

// FunnelsTrendRow is part of answers.
type FunnelsTrendRow struct {
	ID           string  `json:"_id"`
	Open         bool    `json:"open,omitempty"`
	SuccessRate  float64 `json:"success_rate"`
	SuccessUsers int64   `json:"success_users"`
	Users        []int64 `json:"users"`
}

// FunnelsUserRow is part of answers.
type FunnelsUserRow struct {
	ID    string            `json:"_id"`
	Data  *FunnelsAnalysis  `json:"data"`
	Name  string            `json:"name"`
	Step  int64             `json:"step"`
	Steps []json.RawMessage `json:"steps"`
}
