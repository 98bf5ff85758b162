// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostDrillAddBookmarkParams are the parameters of PostDrillAddBookmark. Zero values are left out.
type PostDrillAddBookmarkParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Id of the bookmark.
	BookmarkID string `body:"bookmark_id"`
	// The property that the bookmark divides by.
	ByVal string `body:"by_val"`
	// The property as the page shows it.
	ByValText string `body:"by_val_text"`
	// Required. Description.
	Desc string `body:"desc"`
	// Required. Key of an event.
	EventKey string `body:"event_key"`
	// Required. Whether all members of the app see it.
	Global bool `body:"global"`
	// Required. Name.
	Name string `body:"name"`
	// Where the bookmark is shown.
	Namespace string `body:"namespace"`
	// Required. The filter of the bookmark.
	QueryObj any `body:"query_obj"`
	// The filter as pages show it.
	QueryText string `body:"query_text"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Who sees the bookmark: its creator, members who are named in `shared_email_view` and `shared_email_edit`, or everyone who may read bookmarks. Without it, `global` says.
	Visibility string `body:"visibility"`
	// How the bookmark is shown.
	Visualization string `body:"visualization"`
}

// PostDrillAddBookmark: create a bookmark.
//
// Needs the right to read `drill`.
//
// It calls POST /i/drill/add_bookmark.
func (c *Client) PostDrillAddBookmark(ctx context.Context, p PostDrillAddBookmarkParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/drill/add_bookmark", p, false, &out)
	return out, err
}

// PostDrillCleanupMetaParams are the parameters of PostDrillCleanupMeta. Zero values are left out.
type PostDrillCleanupMetaParams struct {
	// For all that the app has, rather than for one event.
	All bool `body:"all"`
	// For every app; for global administrators.
	AllApps bool `body:"all_apps"`
	// Id of the app.
	AppID string `body:"app_id"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `body:"event"`
	// Which of several requests of this path.
	Method string `body:"method"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// Id of the view.
	ViewID string `body:"view_id"`
	// Whether the answer waits until it is done.
	WaitToFinish bool `body:"wait_to_finish"`
}

// PostDrillCleanupMeta: remove properties that no row has.
//
// Needs the right to update `drill`. Global administrators may leave out `app_id`.
//
// It calls POST /i/drill/cleanup_meta.
func (c *Client) PostDrillCleanupMeta(ctx context.Context, p PostDrillCleanupMetaParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/drill/cleanup_meta", p, false, &out)
	return out, err
}

// PostDrillDeleteBookmarkParams are the parameters of PostDrillDeleteBookmark. Zero values are left out.
type PostDrillDeleteBookmarkParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the bookmark.
	BookmarkID string `body:"bookmark_id"`
}

// PostDrillDeleteBookmark: delete a bookmark.
//
// Needs the right to read `drill`.
//
// It calls POST /i/drill/delete_bookmark.
func (c *Client) PostDrillDeleteBookmark(ctx context.Context, p PostDrillDeleteBookmarkParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/drill/delete_bookmark", p, false, &out)
	return out, err
}

// PostDrillEditBookmarkParams are the parameters of PostDrillEditBookmark. Zero values are left out.
type PostDrillEditBookmarkParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the bookmark.
	BookmarkID string `body:"bookmark_id"`
	// Required. The property that the bookmark divides by.
	ByVal string `body:"by_val"`
	// Required. The property as the page shows it.
	ByValText string `body:"by_val_text"`
	// Required. Description.
	Desc string `body:"desc"`
	// Required. Key of an event.
	EventKey string `body:"event_key"`
	// Required. Whether all members of the app see it.
	Global bool `body:"global"`
	// Required. Name.
	Name string `body:"name"`
	// Where the bookmark is shown.
	Namespace string `body:"namespace"`
	// Required. The filter of the bookmark.
	QueryObj any `body:"query_obj"`
	// Required. The filter as pages show it.
	QueryText string `body:"query_text"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Who sees the bookmark: its creator, members who are named in `shared_email_view` and `shared_email_edit`, or everyone who may read bookmarks. Without it, `global` says.
	Visibility string `body:"visibility"`
	// How the bookmark is shown.
	Visualization string `body:"visualization"`
}

// PostDrillEditBookmark: change a bookmark.
//
// Needs the right to read `drill`.
//
// It calls POST /i/drill/edit_bookmark.
func (c *Client) PostDrillEditBookmark(ctx context.Context, p PostDrillEditBookmarkParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/drill/edit_bookmark", p, false, &out)
	return out, err
}

// PostDrillRecheckListsParams are the parameters of PostDrillRecheckLists. Zero values are left out.
type PostDrillRecheckListsParams struct {
	// For all that the app has, rather than for one event.
	All bool `body:"all"`
	// For every app; for global administrators.
	AllApps bool `body:"all_apps"`
	// Id of the app.
	AppID string `body:"app_id"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `body:"event"`
	// Which of several requests of this path.
	Method string `body:"method"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// Id of the view.
	ViewID string `body:"view_id"`
	// Whether the answer waits until it is done.
	WaitToFinish bool `body:"wait_to_finish"`
}

// PostDrillRecheckLists: check which properties have too many values for a list.
//
// Needs the right to update `drill`. Global administrators may leave out `app_id`.
//
// It calls POST /i/drill/recheck_lists.
func (c *Client) PostDrillRecheckLists(ctx context.Context, p PostDrillRecheckListsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/drill/recheck_lists", p, false, &out)
	return out, err
}

// PostDrillRegenerateMetaParams are the parameters of PostDrillRegenerateMeta. Zero values are left out.
type PostDrillRegenerateMetaParams struct {
	// For all that the app has, rather than for one event.
	All bool `body:"all"`
	// For every app; for global administrators.
	AllApps bool `body:"all_apps"`
	// Id of the app.
	AppID string `body:"app_id"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `body:"event"`
	// Which of several requests of this path.
	Method string `body:"method"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// Id of the view.
	ViewID string `body:"view_id"`
	// Whether the answer waits until it is done.
	WaitToFinish bool `body:"wait_to_finish"`
}

// PostDrillRegenerateMeta: find the properties of events again.
//
// Needs the right to update `drill`. Global administrators may leave out `app_id`.
//
// It calls POST /i/drill/regenerate_meta.
func (c *Client) PostDrillRegenerateMeta(ctx context.Context, p PostDrillRegenerateMetaParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/drill/regenerate_meta", p, false, &out)
	return out, err
}

// PostDrillRegenerationParams are the parameters of PostDrillRegeneration. Zero values are left out.
type PostDrillRegenerationParams struct {
	// For all that the app has, rather than for one event.
	All bool `body:"all"`
	// For every app; for global administrators.
	AllApps bool `body:"all_apps"`
	// Id of the app.
	AppID string `body:"app_id"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `body:"event"`
	// Required. Which of several requests of this path.
	Method string `body:"method"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// Id of the view.
	ViewID string `body:"view_id"`
	// Whether the answer waits until it is done.
	WaitToFinish bool `body:"wait_to_finish"`
}

// PostDrillRegeneration: start one of the repairs of properties.
//
// Needs the right to create `drill`. Global administrators may leave out `app_id`.
//
// It calls POST /i/drill/regeneration.
func (c *Client) PostDrillRegeneration(ctx context.Context, p PostDrillRegenerationParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/drill/regeneration", p, false, &out)
	return out, err
}

// GetMethodDrillBookmarkParams are the parameters of GetMethodDrillBookmark. Zero values are left out.
type GetMethodDrillBookmarkParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the document.
	ID string `query:"_id"`
}

// GetMethodDrillBookmark: A bookmark.
//
// Needs the right to read `drill` or `funnels` or `cohorts` or `users` or `formulas`. The same as `/o?method=drill_bookmark`.
//
// It calls GET /o/method/drill_bookmark.
func (c *Client) GetMethodDrillBookmark(ctx context.Context, p GetMethodDrillBookmarkParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/drill_bookmark", p, false, &out)
	return out, err
}

// GetMethodDrillBookmarksParams are the parameters of GetMethodDrillBookmarks. Zero values are left out.
type GetMethodDrillBookmarksParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Key of an event.
	EventKey string `query:"event_key"`
	// With `1`, bookmarks of the app whatever its event.
	AppLevel string `query:"app_level"`
	// Ids of apps: a JSON list, or separated by commas.
	Apps string `query:"apps"`
	// Where the bookmark is shown.
	Namespace string `query:"namespace"`
	// Answers with how many there are alone.
	OnlyCount bool `query:"only_count"`
}

// GetMethodDrillBookmarks: list bookmarks.
//
// Needs the right to read `drill` or `funnels` or `cohorts` or `users` or `formulas`. The same as `/o?method=drill_bookmarks`.
//
// It calls GET /o/method/drill_bookmarks.
func (c *Client) GetMethodDrillBookmarks(ctx context.Context, p GetMethodDrillBookmarksParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/drill_bookmarks", p, false, &out)
	return out, err
}

// GetMethodSegmentationParams are the parameters of GetMethodSegmentation. Zero values are left out.
type GetMethodSegmentationParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Key of an event, or a JSON list of keys of which any counts; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Required. A filter, in the language of queries.
	QueryObject any `query:"queryObject"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Required. Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// The property that results are divided by; a list for several.
	ProjectionKey any `query:"projectionKey"`
	// Answers with a list.
	List string `query:"list"`
	// How many values of the breakdown are shown.
	Limit *int64 `query:"limit"`
	// How many values are left out at the start, with `list=true`.
	Skip int64 `query:"skip"`
	// Order of the values, with `list=true`: `{"u":-1}`; the direction is 1 or -1.
	Sort any `query:"sort"`
	// What values are ranked by: `u`, `t`, `s`, `dur`, `s0` for the value, or `m0` for a measure.
	SortGraphBy string `query:"sortGraphBy"`
	// Ids of cohorts.
	Cohorts any `query:"cohorts"`
	// What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`.
	CountBy string `query:"count_by"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Steps, in their order.
	Steps any `query:"steps"`
	// What is measured, such as `[{"agg":"sum","prop":"sum"}]`.
	Measures any `query:"measures"`
	// By property, the edges of the ranges that its numbers are put into: `{"sg.price":[2.5,50]}`.
	Bins any `query:"bins"`
	// What the values beyond the limit are called.
	Other string `query:"other"`
	// An earlier period beside it: `previous` (as many days before), `year` (the same dates a year before), or a period.
	Compare string `query:"compare"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodSegmentation: figures of events by filter and property.
//
// Needs the right to read `drill`. The same as `/o?method=segmentation`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/segmentation.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodSegmentation(ctx context.Context, p GetMethodSegmentationParams) (out DrillSegmentationRes, err error) {
	err = c.call(ctx, "GET", "/o/method/segmentation", p, true, &out)
	return out, err
}

// GetMethodSegmentationMetaParams are the parameters of GetMethodSegmentationMeta. Zero values are left out.
type GetMethodSegmentationMetaParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Key of an event, or a JSON list of keys; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Name of a property.
	Property string `query:"property"`
	// Text that is searched for.
	Search string `query:"search"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodSegmentationMeta: properties of events.
//
// Needs the right to read `drill` or `crashes`. The same as `/o?method=segmentation_meta`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/segmentation_meta.
func (c *Client) GetMethodSegmentationMeta(ctx context.Context, p GetMethodSegmentationMetaParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/segmentation_meta", p, false, &out)
	return out, err
}

// GetMethodSegmentationUsersParams are the parameters of GetMethodSegmentationUsers. Zero values are left out.
type GetMethodSegmentationUsersParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Key of an event, or a JSON list of keys of which any counts; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// A filter, in the language of queries.
	QueryObject any `query:"queryObject"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// The property that results are divided by; a list for several.
	ProjectionKey any `query:"projectionKey"`
	// Ids of cohorts.
	Cohorts any `query:"cohorts"`
	// What unique figures count: `users`, `sessions`, or the path of a property whose values are accounts, as `custom.company`.
	CountBy string `query:"count_by"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Steps, in their order.
	Steps any `query:"steps"`
	// By property, the edges of the ranges that its numbers are put into: `{"sg.price":[2.5,50]}`.
	Bins any `query:"bins"`
	// The bucket of a series whose users are listed, as the series names it.
	At string `query:"at"`
	// Groups that it is in.
	Groups any `query:"groups"`
	// Groups that users must not be in.
	NotGroups any `query:"not_groups"`
	// How many people are listed.
	Limit *int64 `query:"limit"`
	// How many people are left out at the start.
	Skip int64 `query:"skip"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodSegmentationUsers: users behind figures of events.
//
// Needs the right to read `drill`. The same as `/o?method=segmentation_users`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/segmentation_users.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodSegmentationUsers(ctx context.Context, p GetMethodSegmentationUsersParams) (out DrillPeopleRes, err error) {
	err = c.call(ctx, "GET", "/o/method/segmentation_users", p, true, &out)
	return out, err
}

// DrillCompareRes is part of answers.
type DrillCompareRes struct {
	Data     json.RawMessage `json:"data"`
	From     int64           `json:"from"`
	Other    *DrillOtherRes  `json:"other,omitempty"`
	Segments json.RawMessage `json:"segments,omitempty"`
	To       int64           `json:"to"`
	Totals   QueryFigures    `json:"totals"`
}

// DrillOtherRes is part of answers.
type DrillOtherRes struct {
	Data   json.RawMessage `json:"data"`
	Dur    float64         `json:"dur"`
	Groups *int64          `json:"groups,omitempty"`
	M      []*float64      `json:"m,omitempty"`
	S      float64         `json:"s"`
	T      int64           `json:"t"`
	U      int64           `json:"u"`
}

// DrillPageData is part of answers.
type DrillPageData struct {
	CurPage int64 `json:"curPage"`
	End     int64 `json:"end"`
	Limit   int64 `json:"limit"`
	Pages   int64 `json:"pages"`
	Start   int64 `json:"start"`
	Total   int64 `json:"total"`
}

// DrillPeopleRes is part of answers.
type DrillPeopleRes struct {
	Accounts []QueryTrendAccount `json:"accounts,omitempty"`
	Total    int64               `json:"total"`
	Users    []QueryTrendUser    `json:"users"`
}

// DrillSegmentationRes is part of answers.
type DrillSegmentationRes struct {
	AppID     string           `json:"app_id"`
	Buckets   []string         `json:"buckets"`
	Compare   *DrillCompareRes `json:"compare,omitempty"`
	Data      json.RawMessage  `json:"data"`
	Lu        string           `json:"lu"`
	Other     *DrillOtherRes   `json:"other,omitempty"`
	PageData  *DrillPageData   `json:"page_data,omitempty"`
	QueryTime int64            `json:"query_time"`
	Segments  json.RawMessage  `json:"segments,omitempty"`
	Totals    QueryFigures     `json:"totals"`
}

// QueryTrendAccount is part of answers.
type QueryTrendAccount struct {
	Account string `json:"account"`
	Last    int64  `json:"last"`
	T       int64  `json:"t"`
	Users   int64  `json:"users"`
}

// QueryTrendUser is part of answers.
type QueryTrendUser struct {
	Did  string `json:"did,omitempty"`
	Lac  int64  `json:"lac,omitempty"`
	Last int64  `json:"last"`
	Name string `json:"name,omitempty"`
	T    int64  `json:"t"`
	UID  string `json:"uid"`
}
