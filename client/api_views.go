// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostHeatmapsDeleteParams are the parameters of PostHeatmapsDelete. Zero values are left out.
type PostHeatmapsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Kind of devices that the picture is of.
	Device string `body:"device"`
	// Required. Name of a view, or of a page of the dashboard.
	View string `body:"view"`
}

// PostHeatmapsDelete: delete the picture of a view.
//
// Needs the right to update `views`.
//
// It calls POST /i/heatmaps/delete.
func (c *Client) PostHeatmapsDelete(ctx context.Context, p PostHeatmapsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/heatmaps/delete", p, false, &out)
	return out, err
}

// PostHeatmapsTakeParams are the parameters of PostHeatmapsTake. Zero values are left out.
type PostHeatmapsTakeParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Kind of devices that the picture is of.
	Device string `body:"device"`
	// Required. Address of the page, https or http.
	URL string `body:"url"`
	// Required. Name of a view, or of a page of the dashboard.
	View string `body:"view"`
}

// PostHeatmapsTake: take a picture of the page of a view.
//
// Needs the right to update `views`.
//
// It calls POST /i/heatmaps/take.
func (c *Client) PostHeatmapsTake(ctx context.Context, p PostHeatmapsTakeParams) (out ViewsShownPicture, err error) {
	err = c.call(ctx, "POST", "/i/heatmaps/take", p, false, &out)
	return out, err
}

// PostHeatmapsUploadParams are the parameters of PostHeatmapsUpload. Zero values are left out.
type PostHeatmapsUploadParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Kind of devices that the picture is of.
	Device string `body:"device"`
	// A file.
	Picture File `body:"picture"`
	// Required. Name of a view, or of a page of the dashboard.
	View string `body:"view"`
}

// PostHeatmapsUpload: upload a picture of a view.
//
// Needs the right to update `views`. Files stand in a form beside the parameters.
//
// It calls POST /i/heatmaps/upload.
func (c *Client) PostHeatmapsUpload(ctx context.Context, p PostHeatmapsUploadParams) (out ViewsShownPicture, err error) {
	err = c.call(ctx, "POST", "/i/heatmaps/upload", p, false, &out)
	return out, err
}

// PostViewsParams are the parameters of PostViews. Zero values are left out.
type PostViewsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// What is written or exported, as JSON.
	Data any `body:"data"`
	// Required. Which of several requests of this path.
	Method string `body:"method"`
	// Names of segments that are left out.
	OmitList any `body:"omit_list"`
	// Id of the view.
	ViewID string `body:"view_id"`
}

// PostViews: rename, delete or trim views.
//
// Needs the right to read `views`.
//
// It calls POST /i/views.
func (c *Client) PostViews(ctx context.Context, p PostViewsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/views", p, false, &out)
	return out, err
}

// GetActionsParams are the parameters of GetActions. Zero values are left out.
type GetActionsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Name of a view, or of a page of the dashboard.
	View string `query:"view"`
	// Required. Widths of screens: `{"minWidth":0,"maxWidth":767}`.
	Device any `query:"device"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Name of a segment.
	Segment string `query:"segment"`
	// Domain that the page was on; without it, any.
	Domain string `query:"domain"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Required. Clicks, how far pages are scrolled, clicks that nothing follows, or clicks in a rage.
	ActionType string `query:"actionType"`
}

// GetActions: clicks and scrolling on a page.
//
// Needs the right to read `views`.
//
// It calls GET /o/actions.
func (c *Client) GetActions(ctx context.Context, p GetActionsParams) (out ViewsActionsRes, err error) {
	err = c.call(ctx, "GET", "/o/actions", p, false, &out)
	return out, err
}

// GetHeatmapsParams are the parameters of GetHeatmaps. Zero values are left out.
type GetHeatmapsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Name of a view, or of a page of the dashboard.
	View string `query:"view"`
	// Widths of screens: `{"minWidth":0,"maxWidth":767}`.
	Device any `query:"device"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Name of a segment.
	Segment string `query:"segment"`
	// Domain that the page was on; without it, any.
	Domain string `query:"domain"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetHeatmaps: heat map of a view.
//
// Needs the right to read `views`. A read that takes too long goes on as a task.
//
// It calls GET /o/heatmaps.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetHeatmaps(ctx context.Context, p GetHeatmapsParams) (out ViewsHeatmap, err error) {
	err = c.call(ctx, "GET", "/o/heatmaps", p, true, &out)
	return out, err
}

// GetHeatmapsPictureParams are the parameters of GetHeatmapsPicture. Zero values are left out.
type GetHeatmapsPictureParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Name of a view, or of a page of the dashboard.
	View string `query:"view"`
	// Required. Kind of devices that the picture is of.
	Device string `query:"device"`
}

// GetHeatmapsPicture: the picture of a view.
//
// Needs the right to read `views`.
//
// It calls GET /o/heatmaps/picture.
func (c *Client) GetHeatmapsPicture(ctx context.Context, p GetHeatmapsPictureParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/heatmaps/picture", p)
}

// GetHeatmapsPicturesParams are the parameters of GetHeatmapsPictures. Zero values are left out.
type GetHeatmapsPicturesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Name of a view, or of a page of the dashboard.
	View string `query:"view"`
}

// GetHeatmapsPictures: pictures of views.
//
// Needs the right to read `views`.
//
// It calls GET /o/heatmaps/pictures.
func (c *Client) GetHeatmapsPictures(ctx context.Context, p GetHeatmapsPicturesParams) (out []ViewsShownPicture, err error) {
	err = c.call(ctx, "GET", "/o/heatmaps/pictures", p, false, &out)
	return out, err
}

// GetMethodGetViewCountParams are the parameters of GetMethodGetViewCount. Zero values are left out.
type GetMethodGetViewCountParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodGetViewCount: how many views there are.
//
// Needs the right to read `views`. The same as `/o?method=get_view_count`.
//
// It calls GET /o/method/get_view_count.
func (c *Client) GetMethodGetViewCount(ctx context.Context, p GetMethodGetViewCountParams) (out ViewsCountRes, err error) {
	err = c.call(ctx, "GET", "/o/method/get_view_count", p, false, &out)
	return out, err
}

// GetMethodGetViewSegmentsParams are the parameters of GetMethodGetViewSegments. Zero values are left out.
type GetMethodGetViewSegmentsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodGetViewSegments: segments of views.
//
// Needs the right to read `views`. The same as `/o?method=get_view_segments`.
//
// It calls GET /o/method/get_view_segments.
func (c *Client) GetMethodGetViewSegments(ctx context.Context, p GetMethodGetViewSegmentsParams) (out ViewsSegmentsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/get_view_segments", p, false, &out)
	return out, err
}

// GetMethodViewsParams are the parameters of GetMethodViews. Zero values are left out.
type GetMethodViewsParams struct {
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
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Name of a segment.
	Segment string `query:"segment"`
	// Value of the segment.
	SegmentVal string `query:"segmentVal"`
	// Ids of views.
	SelectedViews any `query:"selectedViews"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
}

// GetMethodViews: figures of views.
//
// Needs the right to read `views`. The same as `/o?method=views`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/views.
func (c *Client) GetMethodViews(ctx context.Context, p GetMethodViewsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/views", p, false, &out)
	return out, err
}

// GetViewsHeatmapJs: script of heat maps.
//
// Needs no credentials of a member.
//
// It calls GET /views/heatmap.js.
func (c *Client) GetViewsHeatmapJs(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/views/heatmap.js", nil)
}

// ViewsActionRow is part of answers.
type ViewsActionRow struct {
	C  int64                      `json:"c"`
	Sg map[string]json.RawMessage `json:"sg"`
}

// ViewsActionsRes is part of answers.
type ViewsActionsRes struct {
	Data    []ViewsActionRow `json:"data"`
	Domains []string         `json:"domains"`
	Types   []string         `json:"types"`
}

// ViewsCountRes is part of answers.
type ViewsCountRes struct {
	Result int64 `json:"result"`
}

// ViewsHeatmap is part of answers.
type ViewsHeatmap struct {
	Clicked        int64     `json:"clicked"`
	Clicks         int64     `json:"clicks"`
	Columns        int64     `json:"columns"`
	Cut            bool      `json:"cut"`
	Dead           int64     `json:"dead"`
	FirstClick     int64     `json:"first_click"`
	FirstClickLate int64     `json:"first_click_late"`
	Height         float64   `json:"height"`
	Name           string    `json:"name"`
	Rage           int64     `json:"rage"`
	RageUsers      int64     `json:"rage_users"`
	Reached        []int64   `json:"reached"`
	Rows           int64     `json:"rows"`
	Scrolls        int64     `json:"scrolls"`
	Spots          [][]int64 `json:"spots"`
	Users          int64     `json:"users"`
	View           string    `json:"view"`
	Visits         int64     `json:"visits"`
	Width          float64   `json:"width"`
}

// ViewsSegmentsRes is part of answers.
type ViewsSegmentsRes struct {
	Domains  []string            `json:"domains"`
	Omit     []string            `json:"omit,omitempty"`
	Segments map[string][]string `json:"segments"`
}

// ViewsShownPicture is part of answers.
type ViewsShownPicture struct {
	Address string `json:"address"`
	At      int64  `json:"at"`
	Device  string `json:"device"`
	Height  int64  `json:"height"`
	View    string `json:"view"`
	Width   int64  `json:"width"`
}
