// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetCampaignIDParams are the parameters of GetCampaignID. Zero values are left out.
type GetCampaignIDParams struct {
	// Required. Id of the document.
	ID string `path:"id"`
}

// GetCampaignID: follow the link of a campaign.
//
// Needs no credentials of a member.
//
// It calls GET /campaign/{id}.
func (c *Client) GetCampaignID(ctx context.Context, p GetCampaignIDParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/campaign/{id}", p)
}

// PostAdjustParams are the parameters of PostAdjust. Zero values are left out.
type PostAdjustParams struct {
	// Ad group.
	AdgroupName string `body:"adgroup_name"`
	// Id of the device at Adjust.
	AdjustID string `body:"adjust_id"`
	// Required. Key of the app, as clients send it.
	AppKey string `body:"app_key"`
	// Name of the campaign.
	CampaignName string `body:"campaign_name"`
	// When the ad was clicked, in seconds.
	ClickTime string `body:"click_time"`
	// Name of the creative.
	CreativeName string `body:"creative_name"`
	// Name of the event at Adjust.
	Event string `body:"event"`
	// First tracker.
	FirstTrackerName string `body:"first_tracker_name"`
	// When the app was installed, in seconds.
	InstalledAt string `body:"installed_at"`
	// Last tracker.
	LastTrackerName string `body:"last_tracker_name"`
	// Ad network.
	NetworkName string `body:"network_name"`
	// Tracker before.
	OutdatedTrackerName string `body:"outdated_tracker_name"`
	// Tracker.
	TrackerName string `body:"tracker_name"`
}

// PostAdjust: take a postback of Adjust.
//
// Needs no credentials of a member.
//
// It calls POST /i/adjust.
func (c *Client) PostAdjust(ctx context.Context, p PostAdjustParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/adjust", p, false, &out)
	return out, err
}

// PostCampaignCostsParams are the parameters of PostCampaignCosts. Zero values are left out.
type PostCampaignCostsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// The file as text: columns date, campaign and cost.
	Data string `body:"data"`
	// A file.
	File File `body:"file"`
}

// PostCampaignCosts: import what campaigns cost.
//
// Needs the right to update `attribution`. Files stand in a form beside the parameters.
//
// It calls POST /i/campaign/costs.
func (c *Client) PostCampaignCosts(ctx context.Context, p PostCampaignCostsParams) (out *AttributionCostsRes, err error) {
	err = c.call(ctx, "POST", "/i/campaign/costs", p, false, &out)
	return out, err
}

// PostCampaignCreateParams are the parameters of PostCampaignCreate. Zero values are left out.
type PostCampaignCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCampaignCreate: create a campaign.
//
// Needs the right to create `attribution`.
//
// It calls POST /i/campaign/create.
func (c *Client) PostCampaignCreate(ctx context.Context, p PostCampaignCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/campaign/create", p, false, &out)
	return out, err
}

// PostCampaignDeleteParams are the parameters of PostCampaignDelete. Zero values are left out.
type PostCampaignDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCampaignDelete: delete a campaign with its clicks.
//
// Needs the right to delete `attribution`.
//
// It calls POST /i/campaign/delete.
func (c *Client) PostCampaignDelete(ctx context.Context, p PostCampaignDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/campaign/delete", p, false, &out)
	return out, err
}

// PostCampaignHideParams are the parameters of PostCampaignHide. Zero values are left out.
type PostCampaignHideParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCampaignHide: hide a campaign.
//
// Needs the right to update `attribution`.
//
// It calls POST /i/campaign/hide.
func (c *Client) PostCampaignHide(ctx context.Context, p PostCampaignHideParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/campaign/hide", p, false, &out)
	return out, err
}

// PostCampaignShowParams are the parameters of PostCampaignShow. Zero values are left out.
type PostCampaignShowParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCampaignShow: show a hidden campaign.
//
// Needs the right to update `attribution`.
//
// It calls POST /i/campaign/show.
func (c *Client) PostCampaignShow(ctx context.Context, p PostCampaignShowParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/campaign/show", p, false, &out)
	return out, err
}

// PostCampaignUpdateParams are the parameters of PostCampaignUpdate. Zero values are left out.
type PostCampaignUpdateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCampaignUpdate: change a campaign.
//
// Needs the right to update `attribution`.
//
// It calls POST /i/campaign/update.
func (c *Client) PostCampaignUpdate(ctx context.Context, p PostCampaignUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/campaign/update", p, false, &out)
	return out, err
}

// GetAttributionParams are the parameters of GetAttribution. Zero values are left out.
type GetAttributionParams struct {
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
	// Key of the event that is a conversion; first sessions unless one is sent.
	Event string `query:"event"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Which of several touches a conversion is credited to.
	Model string `query:"model"`
	// How many days before a conversion a touch may be, 1 to 180.
	Window *int64 `query:"window"`
	// What conversions are credited to.
	By string `query:"by"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetAttribution: what conversions are credited to.
//
// Needs the right to read `attribution`. A read that takes too long goes on as a task.
//
// It calls GET /o/attribution.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetAttribution(ctx context.Context, p GetAttributionParams) (out *AttributionReportRes, err error) {
	err = c.call(ctx, "GET", "/o/attribution", p, true, &out)
	return out, err
}

// GetAttributionVisitsParams are the parameters of GetAttributionVisits. Zero values are left out.
type GetAttributionVisitsParams struct {
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
	// What visits are counted by.
	By string `query:"by"`
}

// GetAttributionVisits: where visits come from.
//
// Needs the right to read `attribution`.
//
// It calls GET /o/attribution/visits.
func (c *Client) GetAttributionVisits(ctx context.Context, p GetAttributionVisitsParams) (out *AttributionVisitsRes, err error) {
	err = c.call(ctx, "GET", "/o/attribution/visits", p, false, &out)
	return out, err
}

// GetCampaignParams are the parameters of GetCampaign. Zero values are left out.
type GetCampaignParams struct {
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
	// Id of a campaign.
	CampID string `query:"camp_id"`
	// Answers with a list.
	List string `query:"list"`
	// Ids of campaigns whose days are wanted.
	Data any `query:"data"`
	// Answers with a table.
	GetTable bool `query:"getTable"`
	// `campaign-hidden` for hidden campaigns.
	Filter string `query:"filter"`
}

// GetCampaign: campaigns and their figures.
//
// Needs the right to read `attribution`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/campaign.
func (c *Client) GetCampaign(ctx context.Context, p GetCampaignParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/campaign", p, false, &out)
	return out, err
}

// GetKeywordsParams are the parameters of GetKeywords. Zero values are left out.
type GetKeywordsParams struct {
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
}

// GetKeywords: what people searched for.
//
// Needs the right to read `sources`.
//
// It calls GET /o/keywords.
func (c *Client) GetKeywords(ctx context.Context, p GetKeywordsParams) (out []AttributionVisitRow, err error) {
	err = c.call(ctx, "GET", "/o/keywords", p, false, &out)
	return out, err
}

// AttributionCostsRes is part of answers.
type AttributionCostsRes struct {
	Days      int64    `json:"days"`
	Missed    int64    `json:"missed"`
	Result    string   `json:"result"`
	Rows      int64    `json:"rows"`
	Unmatched []string `json:"unmatched"`
}

// AttributionCredit is part of answers.
type AttributionCredit struct {
	ID          string  `json:"_id"`
	Conversions float64 `json:"conversions"`
	Users       int64   `json:"users"`
	Value       float64 `json:"value"`
}

// AttributionReportRes is part of answers.
type AttributionReportRes struct {
	By          string              `json:"by"`
	Conversions int64               `json:"conversions"`
	Event       string              `json:"event"`
	Model       string              `json:"model"`
	Rows        []AttributionCredit `json:"rows"`
	Users       int64               `json:"users"`
	Value       float64             `json:"value"`
	Window      int64               `json:"window"`
}

// AttributionVisitsRes is part of answers.
type AttributionVisitsRes struct {
	By       string                `json:"by"`
	Channels map[string][]int64    `json:"channels"`
	Days     []string              `json:"days"`
	Rows     []AttributionVisitRow `json:"rows"`
	Totals   AttributionVisitRow   `json:"totals"`
}
