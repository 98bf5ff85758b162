// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetAPIKey: key of a member by name and password.
//
// The answer is the key as text.
//
// It calls GET /api-key.
func (c *Client) GetAPIKey(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/api-key", nil)
}

// GetAPIProjectEnvelopeParams are the parameters of GetAPIProjectEnvelope. Zero values are left out.
type GetAPIProjectEnvelopeParams struct {
	// Key of the app, where the SDK sends it in the address.
	SentryKey string `query:"sentry_key"`
	// Required. Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project string `path:"project"`
}

// GetAPIProjectEnvelope: take what SDKs of Sentry send.
//
// Needs no credentials of a member.
//
// It calls GET /api/{project}/envelope.
func (c *Client) GetAPIProjectEnvelope(ctx context.Context, p GetAPIProjectEnvelopeParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/api/{project}/envelope", p)
}

// GetAPIProjectMinidumpParams are the parameters of GetAPIProjectMinidump. Zero values are left out.
type GetAPIProjectMinidumpParams struct {
	// Key of the app, where the SDK sends it in the address.
	SentryKey string `query:"sentry_key"`
	// Required. Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project string `path:"project"`
}

// GetAPIProjectMinidump: take a minidump as Crashpad and SDKs of Sentry upload it.
//
// Needs no credentials of a member.
//
// It calls GET /api/{project}/minidump.
func (c *Client) GetAPIProjectMinidump(ctx context.Context, p GetAPIProjectMinidumpParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/api/{project}/minidump", p)
}

// GetAPIProjectStoreParams are the parameters of GetAPIProjectStore. Zero values are left out.
type GetAPIProjectStoreParams struct {
	// Key of the app, where the SDK sends it in the address.
	SentryKey string `query:"sentry_key"`
	// Required. Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project string `path:"project"`
}

// GetAPIProjectStore: take an event of older SDKs of Sentry.
//
// Needs no credentials of a member.
//
// It calls GET /api/{project}/store.
func (c *Client) GetAPIProjectStore(ctx context.Context, p GetAPIProjectStoreParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/api/{project}/store", p)
}

// GetAppimagesFileParams are the parameters of GetAppimagesFile. Zero values are left out.
type GetAppimagesFileParams struct {
	// Required.
	File string `path:"file"`
}

// GetAppimagesFile: icon of an app.
//
// Needs no credentials of a member.
//
// It calls GET /appimages/{file}.
func (c *Client) GetAppimagesFile(ctx context.Context, p GetAppimagesFileParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/appimages/{file}", p)
}

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

// GetCrashURLParams are the parameters of GetCrashURL. Zero values are left out.
type GetCrashURLParams struct {
	// Required.
	URL string `path:"url"`
}

// GetCrashURL: public page of a shared crash.
//
// Needs no credentials of a member.
//
// It calls GET /crash/{url}.
func (c *Client) GetCrashURL(ctx context.Context, p GetCrashURLParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/crash/{url}", p)
}

// GetFeedback: page of a feedback widget.
//
// Needs no credentials of a member.
//
// It calls GET /feedback.
func (c *Client) GetFeedback(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/feedback", nil)
}

// GetFeedbackNps: page of a widget for recommendations.
//
// Needs no credentials of a member.
//
// It calls GET /feedback/nps.
func (c *Client) GetFeedbackNps(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/feedback/nps", nil)
}

// GetFeedbackRating: page of a widget for ratings.
//
// Needs no credentials of a member.
//
// It calls GET /feedback/rating.
func (c *Client) GetFeedbackRating(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/feedback/rating", nil)
}

// GetFeedbackSurvey: page of a survey.
//
// Needs no credentials of a member.
//
// It calls GET /feedback/survey.
func (c *Client) GetFeedbackSurvey(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/feedback/survey", nil)
}

// PostIParams are the parameters of PostI. Zero values are left out.
type PostIParams struct {
	// Identifies the request for at least 48 hours: a repeat gets the same answer and counts nothing. A random UUID at best.
	IdempotencyKey string `header:"Idempotency-Key"`
	// Ids of advertising.
	Aid any `body:"aid"`
	// Token for messages, Android.
	AndroidToken string `body:"android_token"`
	// A trace: `type`, `name`, `apm_metrics`.
	Apm any `body:"apm"`
	// Required. Key of the app.
	AppKey string `body:"app_key"`
	// Where the user came from.
	AttributionData any `body:"attribution_data"`
	// Version of the app.
	Av string `body:"av"`
	// Starts a session.
	BeginSession bool `body:"begin_session"`
	// Campaign that the user came by.
	CampaignID string `body:"campaign_id"`
	// User of the campaign.
	CampaignUser string `body:"campaign_user"`
	// SHA-1 of the parameters and the salt of the app.
	Checksum string `body:"checksum"`
	// SHA-256 of the parameters and the salt of the app, in hexadecimal.
	Checksum256 string `body:"checksum256"`
	// City.
	City string `body:"city"`
	// Consents by feature.
	Consent any `body:"consent"`
	// Country, two letters.
	CountryCode string `body:"country_code"`
	// A crash: `_error`, `_os`, `_app_version` and so on.
	Crash any `body:"crash"`
	// Required. Id of the device.
	DeviceID string `body:"device_id"`
	// Day of the week on the device, 0 for Sunday.
	Dow int64 `body:"dow"`
	// Ends the session.
	EndSession bool `body:"end_session"`
	// Events: each with `key`, and `count`, `sum`, `dur`, `segmentation`, `timestamp`, `hour`, `dow`.
	Events any `body:"events"`
	// Health of the SDK.
	Hc any `body:"hc"`
	// Hour on the device, 0 to 23.
	Hour int64 `body:"hour"`
	// Starts a new session although the last one has just ended.
	IgnoreCooldown bool `body:"ignore_cooldown"`
	// Token for messages, iOS.
	IosToken string `body:"ios_token"`
	// Address by which the place is found.
	IP string `body:"ip"`
	// Address by which the place is found.
	IPAddress string `body:"ip_address"`
	// Name of a value of the call.
	Key string `body:"key"`
	// Names of values of the call.
	Keys any `body:"keys"`
	// Latitude and longitude, with a comma between.
	Location string `body:"location"`
	// Call of the SDK: `ab`, `ab_opt_out`, `ab_enroll_variant`.
	Method string `body:"method"`
	// What the device is: `_os`, `_os_version`, `_device`, `_app_version`, `_locale` and so on.
	Metrics any `body:"metrics"`
	// Id that the device had before: both users become one.
	OldDeviceID string `body:"old_device_id"`
	// The answer says what became of each item.
	Receipt bool `body:"receipt"`
	// Region.
	Region string `body:"region"`
	// How many requests the queue of the client still holds.
	Rr int64 `body:"rr"`
	// Name of the SDK.
	SDKName string `body:"sdk_name"`
	// Version of the SDK.
	SDKVersion string `body:"sdk_version"`
	// Seconds since the last such request of the session.
	SessionDuration float64 `body:"session_duration"`
	// Kind of the device id: 0 of the developer, 1 made by the SDK, 2 temporary.
	T int64 `body:"t"`
	// Kind of the token.
	TestMode int64 `body:"test_mode"`
	// Moment of the request, ms since 1970; that of receipt without it.
	Timestamp int64 `body:"timestamp"`
	// Who sends messages: `FCM`, `HMS`.
	TokenProvider string `body:"token_provider"`
	// Brings a token for messages.
	TokenSession bool `body:"token_session"`
	// Distance of the device from UTC, in minutes.
	Tz int64 `body:"tz"`
	// Properties of the user: `name`, `email`, `custom` and so on.
	UserDetails any `body:"user_details"`
	// Variant of the call.
	Variant string `body:"variant"`
}

// PostI: send a request of a client.
//
// Sessions, events, crashes and properties of one user. The answer comes when the request is on disk.
//
// It calls POST /i.
func (c *Client) PostI(ctx context.Context, p PostIParams) (out Stored, err error) {
	err = c.call(ctx, "POST", "/i", p, false, &out)
	return out, err
}

// PostActiveUsersClearActiveUsersCacheParams are the parameters of PostActiveUsersClearActiveUsersCache. Zero values are left out.
type PostActiveUsersClearActiveUsersCacheParams struct {
	// For every app; for global administrators.
	AllApps bool `body:"all_apps"`
	// Id of the app.
	AppID string `body:"app_id"`
}

// PostActiveUsersClearActiveUsersCache: forget remembered answers.
//
// Needs the right to read `active_users`. Global administrators may leave out `app_id`.
//
// It calls POST /i/active_users/clear_active_users_cache.
func (c *Client) PostActiveUsersClearActiveUsersCache(ctx context.Context, p PostActiveUsersClearActiveUsersCacheParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/active_users/clear_active_users_cache", p, false, &out)
	return out, err
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

// PostAppUsersCreateParams are the parameters of PostAppUsersCreate. Zero values are left out.
type PostAppUsersCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written or exported, as JSON.
	Data any `body:"data"`
}

// PostAppUsersCreate: create a user.
//
// Needs the right to create `core`.
//
// It calls POST /i/app_users/create.
func (c *Client) PostAppUsersCreate(ctx context.Context, p PostAppUsersCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/app_users/create", p, false, &out)
	return out, err
}

// PostAppUsersDeleteParams are the parameters of PostAppUsersDelete. Zero values are left out.
type PostAppUsersDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Also where several, or what uses it, would be concerned.
	Force bool `body:"force"`
	// Required. A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `body:"query"`
	// Fields that change, with their values.
	Update any `body:"update"`
}

// PostAppUsersDelete: delete users.
//
// Needs the right to delete `core`.
//
// It calls POST /i/app_users/delete.
func (c *Client) PostAppUsersDelete(ctx context.Context, p PostAppUsersDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/app_users/delete", p, false, &out)
	return out, err
}

// PostAppUsersDeleteExportParams are the parameters of PostAppUsersDeleteExport. Zero values are left out.
type PostAppUsersDeleteExportParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostAppUsersDeleteExport: delete an export of a user whose name is missing.
//
// Needs the right to update `users`.
//
// It calls POST /i/app_users/deleteExport.
func (c *Client) PostAppUsersDeleteExport(ctx context.Context, p PostAppUsersDeleteExportParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/app_users/deleteExport", p, false, &out)
	return out, err
}

// PostAppUsersDeleteExportIDParams are the parameters of PostAppUsersDeleteExportID. Zero values are left out.
type PostAppUsersDeleteExportIDParams struct {
	// Required. Id of the document.
	ID string `path:"id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostAppUsersDeleteExportID: delete an export of a user.
//
// Needs the right to update `users`.
//
// It calls POST /i/app_users/deleteExport/{id}.
func (c *Client) PostAppUsersDeleteExportID(ctx context.Context, p PostAppUsersDeleteExportIDParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/app_users/deleteExport/{id}", p, false, &out)
	return out, err
}

// PostAppUsersExportParams are the parameters of PostAppUsersExport. Zero values are left out.
type PostAppUsersExportParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `body:"query"`
}

// PostAppUsersExport: export all data of users.
//
// Needs the right to update `users`.
//
// It calls POST /i/app_users/export.
func (c *Client) PostAppUsersExport(ctx context.Context, p PostAppUsersExportParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/app_users/export", p, false, &out)
	return out, err
}

// PostAppUsersUpdateParams are the parameters of PostAppUsersUpdate. Zero values are left out.
type PostAppUsersUpdateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Also where several, or what uses it, would be concerned.
	Force bool `body:"force"`
	// Required. A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `body:"query"`
	// Required. Fields that change, with their values.
	Update any `body:"update"`
}

// PostAppUsersUpdate: change users.
//
// Needs the right to update `core`.
//
// It calls POST /i/app_users/update.
func (c *Client) PostAppUsersUpdate(ctx context.Context, p PostAppUsersUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/app_users/update", p, false, &out)
	return out, err
}

// PostAppsCreateParams are the parameters of PostAppsCreate. Zero values are left out.
type PostAppsCreateParams struct {
	// A file.
	AppImage File `body:"app_image"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsCreate: create an app.
//
// For global administrators. Files stand in a form beside the parameters.
//
// It calls POST /i/apps/create.
func (c *Client) PostAppsCreate(ctx context.Context, p PostAppsCreateParams) (out AppsCreated, err error) {
	err = c.call(ctx, "POST", "/i/apps/create", p, false, &out)
	return out, err
}

// PostAppsDeleteParams are the parameters of PostAppsDelete. Zero values are left out.
type PostAppsDeleteParams struct {
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsDelete: delete an app with its data.
//
// For global administrators.
//
// It calls POST /i/apps/delete.
func (c *Client) PostAppsDelete(ctx context.Context, p PostAppsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/apps/delete", p, false, &out)
	return out, err
}

// PostAppsResetParams are the parameters of PostAppsReset. Zero values are left out.
type PostAppsResetParams struct {
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsReset: delete data of an app.
//
// For global administrators.
//
// It calls POST /i/apps/reset.
func (c *Client) PostAppsReset(ctx context.Context, p PostAppsResetParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/apps/reset", p, false, &out)
	return out, err
}

// PostAppsUpdateParams are the parameters of PostAppsUpdate. Zero values are left out.
type PostAppsUpdateParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// A file.
	AppImage File `body:"app_image"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsUpdate: change an app.
//
// For administrators of the app. The app is the field `app_id` of `args`, or else the parameter `app_id`. Files stand in a form beside the parameters.
//
// It calls POST /i/apps/update.
func (c *Client) PostAppsUpdate(ctx context.Context, p PostAppsUpdateParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/apps/update", p, false, &out)
	return out, err
}

// PostAppsUpdatePluginsParams are the parameters of PostAppsUpdatePlugins. Zero values are left out.
type PostAppsUpdatePluginsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// What is written, as one JSON object.
	Args any `body:"args"`
}

// PostAppsUpdatePlugins: change settings of an app.
//
// For administrators of the app.
//
// It calls POST /i/apps/update/plugins.
func (c *Client) PostAppsUpdatePlugins(ctx context.Context, p PostAppsUpdatePluginsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/apps/update/plugins", p, false, &out)
	return out, err
}

// PostBulkParams are the parameters of PostBulk. Zero values are left out.
type PostBulkParams struct {
	// Identifies the request for at least 48 hours: a repeat gets the same answer and counts nothing. A random UUID at best.
	IdempotencyKey string `header:"Idempotency-Key"`
	// Key of the app.
	AppKey string `body:"app_key"`
	// The answer says what became of each item.
	Receipt bool `body:"receipt"`
	// Required. The requests.
	Requests any `body:"requests"`
}

// PostBulk: send several requests of clients.
//
// Each is a request as of `/i`; `app_key` and other parameters beside `requests` hold for those that have none. The answer is success when all were looked at; what became of each is in `/o/ingest/outcomes`.
//
// It calls POST /i/bulk.
func (c *Client) PostBulk(ctx context.Context, p PostBulkParams) (out Stored, err error) {
	err = c.call(ctx, "POST", "/i/bulk", p, false, &out)
	return out, err
}

// PostCalculatedMetricsDeleteParams are the parameters of PostCalculatedMetricsDelete. Zero values are left out.
type PostCalculatedMetricsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the document.
	ID string `body:"id"`
}

// PostCalculatedMetricsDelete: delete a calculated metric.
//
// Needs the right to delete `formulas`.
//
// It calls POST /i/calculated_metrics/delete.
func (c *Client) PostCalculatedMetricsDelete(ctx context.Context, p PostCalculatedMetricsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/calculated_metrics/delete", p, false, &out)
	return out, err
}

// PostCalculatedMetricsSaveParams are the parameters of PostCalculatedMetricsSave. Zero values are left out.
type PostCalculatedMetricsSaveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `body:"metric"`
}

// PostCalculatedMetricsSave: create or change a calculated metric.
//
// Needs the right to create `formulas`.
//
// It calls POST /i/calculated_metrics/save.
func (c *Client) PostCalculatedMetricsSave(ctx context.Context, p PostCalculatedMetricsSaveParams) (out FormulasSaved, err error) {
	err = c.call(ctx, "POST", "/i/calculated_metrics/save", p, false, &out)
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

// PostCmsClearParams are the parameters of PostCmsClear. Zero values are left out.
type PostCmsClearParams struct {
	// Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCmsClear: delete entries of content.
//
// Needs the right to delete `core`.
//
// It calls POST /i/cms/clear.
func (c *Client) PostCmsClear(ctx context.Context, p PostCmsClearParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cms/clear", p, false, &out)
	return out, err
}

// PostCmsSaveEntriesParams are the parameters of PostCmsSaveEntries. Zero values are left out.
type PostCmsSaveEntriesParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Entries of content.
	Entries any `body:"entries"`
}

// PostCmsSaveEntries: store entries of content.
//
// Needs the right to create `core`.
//
// It calls POST /i/cms/save_entries.
func (c *Client) PostCmsSaveEntries(ctx context.Context, p PostCmsSaveEntriesParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cms/save_entries", p, false, &out)
	return out, err
}

// PostCohortsAddParams are the parameters of PostCohortsAdd. Zero values are left out.
type PostCohortsAddParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description of the cohort.
	CohortDesc string `body:"cohort_desc"`
	// Required. Name of the cohort.
	CohortName string `body:"cohort_name"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// Steps, in their order.
	Steps any `body:"steps"`
	// Which kind.
	Type string `body:"type"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
	// Who sees it.
	Visibility string `body:"visibility"`
}

// PostCohortsAdd: create a cohort or a profile group.
//
// Needs the right to create `cohorts` or `profile_groups`.
//
// It calls POST /i/cohorts/add.
func (c *Client) PostCohortsAdd(ctx context.Context, p PostCohortsAddParams) (out CohortsAdded, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/add", p, false, &out)
	return out, err
}

// PostCohortsAddUsersParams are the parameters of PostCohortsAddUsers. Zero values are left out.
type PostCohortsAddUsersParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort.
	Cohort string `body:"cohort"`
	// A file.
	File File `body:"file"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `body:"query"`
	// Ids in a text, separated by commas, blanks or lines.
	Text string `body:"text"`
	// Numbers of users.
	UIDs any `body:"uids"`
}

// PostCohortsAddUsers: put users into a profile group.
//
// Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
//
// It calls POST /i/cohorts/add_users.
func (c *Client) PostCohortsAddUsers(ctx context.Context, p PostCohortsAddUsersParams) (out CohortsReport, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/add_users", p, false, &out)
	return out, err
}

// PostCohortsCleanupParams are the parameters of PostCohortsCleanup. Zero values are left out.
type PostCohortsCleanupParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCohortsCleanup: remove what deleted cohorts left on users.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/cleanup.
func (c *Client) PostCohortsCleanup(ctx context.Context, p PostCohortsCleanupParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/cleanup", p, false, &out)
	return out, err
}

// PostCohortsDeleteParams are the parameters of PostCohortsDelete. Zero values are left out.
type PostCohortsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
}

// PostCohortsDelete: delete a cohort.
//
// Needs the right to delete `cohorts` or `profile_groups`.
//
// It calls POST /i/cohorts/delete.
func (c *Client) PostCohortsDelete(ctx context.Context, p PostCohortsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/delete", p, false, &out)
	return out, err
}

// PostCohortsDetailMetricsParams are the parameters of PostCohortsDetailMetrics. Zero values are left out.
type PostCohortsDetailMetricsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
	// Required. Metrics that pages of the cohort show.
	DetailMetrics any `body:"detail_metrics"`
}

// PostCohortsDetailMetrics: choose the metrics that the page of a cohort shows.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/detail_metrics.
func (c *Client) PostCohortsDetailMetrics(ctx context.Context, p PostCohortsDetailMetricsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/detail_metrics", p, false, &out)
	return out, err
}

// PostCohortsEditParams are the parameters of PostCohortsEdit. Zero values are left out.
type PostCohortsEditParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description of the cohort.
	CohortDesc string `body:"cohort_desc"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
	// Name of the cohort.
	CohortName string `body:"cohort_name"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// Steps, in their order.
	Steps any `body:"steps"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
	// Who sees it.
	Visibility string `body:"visibility"`
}

// PostCohortsEdit: change a cohort.
//
// Needs the right to create `cohorts` or `profile_groups`.
//
// It calls POST /i/cohorts/edit.
func (c *Client) PostCohortsEdit(ctx context.Context, p PostCohortsEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/edit", p, false, &out)
	return out, err
}

// PostCohortsFixuidParams are the parameters of PostCohortsFixuid. Zero values are left out.
type PostCohortsFixuidParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCohortsFixuid: accepted for compatibility; nothing is to be repaired.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/fixuid.
func (c *Client) PostCohortsFixuid(ctx context.Context, p PostCohortsFixuidParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/fixuid", p, false, &out)
	return out, err
}

// PostCohortsGroupParams are the parameters of PostCohortsGroup. Zero values are left out.
type PostCohortsGroupParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
	// Required. Groups that it is in.
	Groups any `body:"groups"`
}

// PostCohortsGroup: put a cohort into groups.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/group.
func (c *Client) PostCohortsGroup(ctx context.Context, p PostCohortsGroupParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/group", p, false, &out)
	return out, err
}

// PostCohortsRecalculateParams are the parameters of PostCohortsRecalculate. Zero values are left out.
type PostCohortsRecalculateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `body:"cohort_id"`
}

// PostCohortsRecalculate: calculate a cohort again.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/recalculate.
func (c *Client) PostCohortsRecalculate(ctx context.Context, p PostCohortsRecalculateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/recalculate", p, false, &out)
	return out, err
}

// PostCohortsRemoveUsersParams are the parameters of PostCohortsRemoveUsers. Zero values are left out.
type PostCohortsRemoveUsersParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the cohort.
	Cohort string `body:"cohort"`
	// A file.
	File File `body:"file"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `body:"query"`
	// Ids in a text, separated by commas, blanks or lines.
	Text string `body:"text"`
	// Numbers of users.
	UIDs any `body:"uids"`
}

// PostCohortsRemoveUsers: take users out of a profile group.
//
// Needs the right to update `profile_groups`. Files stand in a form beside the parameters.
//
// It calls POST /i/cohorts/remove_users.
func (c *Client) PostCohortsRemoveUsers(ctx context.Context, p PostCohortsRemoveUsersParams) (out CohortsReport, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/remove_users", p, false, &out)
	return out, err
}

// PostCohortsResetRealTimeDataParams are the parameters of PostCohortsResetRealTimeData. Zero values are left out.
type PostCohortsResetRealTimeDataParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostCohortsResetRealTimeData: accepted for compatibility; nothing is kept that could be reset.
//
// Needs the right to update `cohorts`.
//
// It calls POST /i/cohorts/resetRealTimeData.
func (c *Client) PostCohortsResetRealTimeData(ctx context.Context, p PostCohortsResetRealTimeDataParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/cohorts/resetRealTimeData", p, false, &out)
	return out, err
}

// PostConcurrentAlertDeleteParams are the parameters of PostConcurrentAlertDelete. Zero values are left out.
type PostConcurrentAlertDeleteParams struct {
	// Required. Id of the alert.
	AlertID string `body:"alertId"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostConcurrentAlertDelete: delete an alert.
//
// Needs the right to delete `alerts`.
//
// It calls POST /i/concurrent_alert/delete.
func (c *Client) PostConcurrentAlertDelete(ctx context.Context, p PostConcurrentAlertDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/concurrent_alert/delete", p, false, &out)
	return out, err
}

// PostConcurrentAlertSaveParams are the parameters of PostConcurrentAlertSave. Zero values are left out.
type PostConcurrentAlertSaveParams struct {
	// Required. The alert, as the reference of users online describes it.
	Alert any `body:"alert"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostConcurrentAlertSave: keep or change an alert.
//
// Needs the right to create `alerts`.
//
// It calls POST /i/concurrent_alert/save.
func (c *Client) PostConcurrentAlertSave(ctx context.Context, p PostConcurrentAlertSaveParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/concurrent_alert/save", p, false, &out)
	return out, err
}

// PostConcurrentAlertStatusParams are the parameters of PostConcurrentAlertStatus. Zero values are left out.
type PostConcurrentAlertStatusParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// State that is looked for.
	Status string `body:"status"`
}

// PostConcurrentAlertStatus: switch alerts on and off.
//
// Needs the right to update `alerts`.
//
// It calls POST /i/concurrent_alert/status.
func (c *Client) PostConcurrentAlertStatus(ctx context.Context, p PostConcurrentAlertStatusParams) (out bool, err error) {
	err = c.call(ctx, "POST", "/i/concurrent_alert/status", p, false, &out)
	return out, err
}

// PostConcurrentUsersMaxResetParams are the parameters of PostConcurrentUsersMaxReset. Zero values are left out.
type PostConcurrentUsersMaxResetParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostConcurrentUsersMaxReset: forget the most users ever online.
//
// Needs the right to update `concurrent_users`.
//
// It calls POST /i/concurrent_users_max/reset.
func (c *Client) PostConcurrentUsersMaxReset(ctx context.Context, p PostConcurrentUsersMaxResetParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/concurrent_users_max/reset", p, false, &out)
	return out, err
}

// PostConfigsParams are the parameters of PostConfigs. Zero values are left out.
type PostConfigsParams struct {
	// Required. Settings by feature and name: `{"api":{"metric_limit":1000}}`.
	Configs any `body:"configs"`
}

// PostConfigs: change settings of the server.
//
// For global administrators.
//
// It calls POST /i/configs.
func (c *Client) PostConfigs(ctx context.Context, p PostConfigsParams) (out map[string]map[string]json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/configs", p, false, &out)
	return out, err
}

// PostCrashSymbolsAddSymbolParams are the parameters of PostCrashSymbolsAddSymbol. Zero values are left out.
type PostCrashSymbolsAddSymbolParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Version or build that the files are of.
	Build string `body:"build"`
	// A note about the files.
	Note string `body:"note"`
	// Required. Platform: `android`, `ios`, `javascript` and so on.
	Platform string `body:"platform"`
	// Version of the tool that made the files.
	SymToolVer string `body:"sym_tool_ver"`
	// A file.
	Symbols File `body:"symbols"`
}

// PostCrashSymbolsAddSymbol: upload symbol files of a build.
//
// Needs the right to create `crashes`. Files stand in a form beside the parameters.
//
// It calls POST /i/crash_symbols/add_symbol.
func (c *Client) PostCrashSymbolsAddSymbol(ctx context.Context, p PostCrashSymbolsAddSymbolParams) (out SymbolicationAdded, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/add_symbol", p, false, &out)
	return out, err
}

// PostCrashSymbolsEditSymbolParams are the parameters of PostCrashSymbolsEditSymbol. Zero values are left out.
type PostCrashSymbolsEditSymbolParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Version or build that the files are of.
	Build string `body:"build"`
	// Ids of files that stay.
	KeepSymbols any `body:"keepSymbols"`
	// A note about the files.
	Note string `body:"note"`
	// Platform: `android`, `ios`, `javascript` and so on.
	Platform string `body:"platform"`
	// Version of the tool that made the files.
	SymToolVer string `body:"sym_tool_ver"`
	// Required. Id of the build's files.
	SymbolID string `body:"symbol_id"`
	// A file.
	Symbols File `body:"symbols"`
}

// PostCrashSymbolsEditSymbol: change or replace symbol files of a build.
//
// Needs the right to update `crashes`. Files stand in a form beside the parameters.
//
// It calls POST /i/crash_symbols/edit_symbol.
func (c *Client) PostCrashSymbolsEditSymbol(ctx context.Context, p PostCrashSymbolsEditSymbolParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/edit_symbol", p, false, &out)
	return out, err
}

// PostCrashSymbolsRemoveSymbolParams are the parameters of PostCrashSymbolsRemoveSymbol. Zero values are left out.
type PostCrashSymbolsRemoveSymbolParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the document.
	ID string `body:"id"`
}

// PostCrashSymbolsRemoveSymbol: delete symbol files of a build.
//
// Needs the right to delete `crashes`.
//
// It calls POST /i/crash_symbols/remove_symbol.
func (c *Client) PostCrashSymbolsRemoveSymbol(ctx context.Context, p PostCrashSymbolsRemoveSymbolParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/remove_symbol", p, false, &out)
	return out, err
}

// PostCrashSymbolsSymbolicatationResultParams are the parameters of PostCrashSymbolsSymbolicatationResult. Zero values are left out.
type PostCrashSymbolsSymbolicatationResultParams struct {
	// Required. Id of the job.
	JobID string `body:"jobId"`
	// Required. The result.
	SymbRes string `body:"symbRes"`
	// Marks a test.
	SymbolicationTest string `body:"symbolication_test"`
}

// PostCrashSymbolsSymbolicatationResult: take the result of a symbolication server.
//
// Needs no credentials of a member.
//
// It calls POST /i/crash_symbols/symbolicatation_result.
func (c *Client) PostCrashSymbolsSymbolicatationResult(ctx context.Context, p PostCrashSymbolsSymbolicatationResultParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/symbolicatation_result", p, false, &out)
	return out, err
}

// PostCrashSymbolsSymbolicateParams are the parameters of PostCrashSymbolsSymbolicate. Zero values are left out.
type PostCrashSymbolsSymbolicateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the crash group.
	CrashgroupID string `body:"crashgroup_id"`
	// Where the result is sent.
	ReturnURL string `body:"return_url"`
	// Id of the build's files.
	SymbolID string `body:"symbol_id"`
}

// PostCrashSymbolsSymbolicate: symbolicate a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crash_symbols/symbolicate.
func (c *Client) PostCrashSymbolsSymbolicate(ctx context.Context, p PostCrashSymbolsSymbolicateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/symbolicate", p, false, &out)
	return out, err
}

// PostCrashSymbolsUploadSymbolParams are the parameters of PostCrashSymbolsUploadSymbol. Zero values are left out.
type PostCrashSymbolsUploadSymbolParams struct {
	// Required. Key of the app, as clients send it.
	AppKey string `body:"app_key"`
	// Required. Version or build that the files are of.
	Build string `body:"build"`
	// A note about the files.
	Note string `body:"note"`
	// Required. Platform: `android`, `ios`, `javascript` and so on.
	Platform string `body:"platform"`
	// Version of the tool that made the files.
	SymToolVer string `body:"sym_tool_ver"`
	// A file.
	Symbols File `body:"symbols"`
}

// PostCrashSymbolsUploadSymbol: upload symbol files by the key of the app.
//
// Needs no credentials of a member. Files stand in a form beside the parameters.
//
// It calls POST /i/crash_symbols/upload_symbol.
func (c *Client) PostCrashSymbolsUploadSymbol(ctx context.Context, p PostCrashSymbolsUploadSymbolParams) (out SymbolicationAdded, err error) {
	err = c.call(ctx, "POST", "/i/crash_symbols/upload_symbol", p, false, &out)
	return out, err
}

// PostCrashesAddCommentParams are the parameters of PostCrashesAddComment. Zero values are left out.
type PostCrashesAddCommentParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesAddComment: comment on a crash group.
//
// Needs the right to create `crashes`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/crashes/add_comment.
func (c *Client) PostCrashesAddComment(ctx context.Context, p PostCrashesAddCommentParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/add_comment", p, false, &out)
	return out, err
}

// PostCrashesDeleteParams are the parameters of PostCrashesDelete. Zero values are left out.
type PostCrashesDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesDelete: delete crash groups.
//
// Needs the right to delete `crashes`.
//
// It calls POST /i/crashes/delete.
func (c *Client) PostCrashesDelete(ctx context.Context, p PostCrashesDeleteParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/delete", p, false, &out)
	return out, err
}

// PostCrashesDeleteCommentParams are the parameters of PostCrashesDeleteComment. Zero values are left out.
type PostCrashesDeleteCommentParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesDeleteComment: delete a comment on a crash group.
//
// Needs the right to delete `crashes`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/crashes/delete_comment.
func (c *Client) PostCrashesDeleteComment(ctx context.Context, p PostCrashesDeleteCommentParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/delete_comment", p, false, &out)
	return out, err
}

// PostCrashesEditCommentParams are the parameters of PostCrashesEditComment. Zero values are left out.
type PostCrashesEditCommentParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesEditComment: change a comment on a crash group.
//
// Needs the right to update `crashes`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/crashes/edit_comment.
func (c *Client) PostCrashesEditComment(ctx context.Context, p PostCrashesEditCommentParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/edit_comment", p, false, &out)
	return out, err
}

// PostCrashesHideParams are the parameters of PostCrashesHide. Zero values are left out.
type PostCrashesHideParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesHide: hide crash groups.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/hide.
func (c *Client) PostCrashesHide(ctx context.Context, p PostCrashesHideParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/hide", p, false, &out)
	return out, err
}

// PostCrashesMergeParams are the parameters of PostCrashesMerge. Zero values are left out.
type PostCrashesMergeParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesMerge: merge crash groups into the first of them.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/merge.
func (c *Client) PostCrashesMerge(ctx context.Context, p PostCrashesMergeParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/merge", p, false, &out)
	return out, err
}

// PostCrashesModifyShareParams are the parameters of PostCrashesModifyShare. Zero values are left out.
type PostCrashesModifyShareParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesModifyShare: choose what the public page of a crash group shows.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/modify_share.
func (c *Client) PostCrashesModifyShare(ctx context.Context, p PostCrashesModifyShareParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/modify_share", p, false, &out)
	return out, err
}

// PostCrashesResolveParams are the parameters of PostCrashesResolve. Zero values are left out.
type PostCrashesResolveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesResolve: mark crash groups as resolved.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/resolve.
func (c *Client) PostCrashesResolve(ctx context.Context, p PostCrashesResolveParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/resolve", p, false, &out)
	return out, err
}

// PostCrashesResolvingParams are the parameters of PostCrashesResolving. Zero values are left out.
type PostCrashesResolvingParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesResolving: mark crash groups as being resolved.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/resolving.
func (c *Client) PostCrashesResolving(ctx context.Context, p PostCrashesResolvingParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/resolving", p, false, &out)
	return out, err
}

// PostCrashesRulesParams are the parameters of PostCrashesRules. Zero values are left out.
type PostCrashesRulesParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Rules for crash groups: `algorithm`, `stack` and `fingerprints`; see docs/reference/crashes.md.
	Rules any `body:"rules"`
	// Version of the rules for crash groups that were changed.
	Version int64 `body:"version"`
}

// PostCrashesRules: change the rules for crash groups, by a task.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/rules.
func (c *Client) PostCrashesRules(ctx context.Context, p PostCrashesRulesParams) (out CrashesTaskRes, err error) {
	err = c.call(ctx, "POST", "/i/crashes/rules", p, false, &out)
	return out, err
}

// PostCrashesShareParams are the parameters of PostCrashesShare. Zero values are left out.
type PostCrashesShareParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesShare: publish the page of a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/share.
func (c *Client) PostCrashesShare(ctx context.Context, p PostCrashesShareParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/share", p, false, &out)
	return out, err
}

// PostCrashesShowParams are the parameters of PostCrashesShow. Zero values are left out.
type PostCrashesShowParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesShow: show hidden crash groups.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/show.
func (c *Client) PostCrashesShow(ctx context.Context, p PostCrashesShowParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/show", p, false, &out)
	return out, err
}

// PostCrashesSplitParams are the parameters of PostCrashesSplit. Zero values are left out.
type PostCrashesSplitParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesSplit: split variants off a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/split.
func (c *Client) PostCrashesSplit(ctx context.Context, p PostCrashesSplitParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/split", p, false, &out)
	return out, err
}

// PostCrashesUnresolveParams are the parameters of PostCrashesUnresolve. Zero values are left out.
type PostCrashesUnresolveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesUnresolve: mark crash groups as unresolved.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/unresolve.
func (c *Client) PostCrashesUnresolve(ctx context.Context, p PostCrashesUnresolveParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/unresolve", p, false, &out)
	return out, err
}

// PostCrashesUnshareParams are the parameters of PostCrashesUnshare. Zero values are left out.
type PostCrashesUnshareParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesUnshare: withdraw the public page of a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/unshare.
func (c *Client) PostCrashesUnshare(ctx context.Context, p PostCrashesUnshareParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/unshare", p, false, &out)
	return out, err
}

// PostCrashesViewParams are the parameters of PostCrashesView. Zero values are left out.
type PostCrashesViewParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesView: mark crash groups as seen.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/view.
func (c *Client) PostCrashesView(ctx context.Context, p PostCrashesViewParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/view", p, false, &out)
	return out, err
}

// PostDataSubjectsEraseParams are the parameters of PostDataSubjectsErase. Zero values are left out.
type PostDataSubjectsEraseParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Why, for the audit log.
	Reason string `body:"reason"`
	// Required. Number of the user.
	UID string `body:"uid"`
}

// PostDataSubjectsErase: erase all data of a person.
//
// Needs the right to delete `users`.
//
// It calls POST /i/data_subjects/erase.
func (c *Client) PostDataSubjectsErase(ctx context.Context, p PostDataSubjectsEraseParams) (out AppusersStarted, err error) {
	err = c.call(ctx, "POST", "/i/data_subjects/erase", p, false, &out)
	return out, err
}

// PostDataSubjectsExportParams are the parameters of PostDataSubjectsExport. Zero values are left out.
type PostDataSubjectsExportParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Why, for the audit log.
	Reason string `body:"reason"`
	// Required. Number of the user.
	UID string `body:"uid"`
}

// PostDataSubjectsExport: export all data of a person.
//
// Needs the right to update `users`.
//
// It calls POST /i/data_subjects/export.
func (c *Client) PostDataSubjectsExport(ctx context.Context, p PostDataSubjectsExportParams) (out AppusersStarted, err error) {
	err = c.call(ctx, "POST", "/i/data_subjects/export", p, false, &out)
	return out, err
}

// PostDatePresetsCreateParams are the parameters of PostDatePresetsCreate. Zero values are left out.
type PostDatePresetsCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether today does not count.
	ExcludeCurrentDay bool `body:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `body:"fav"`
	// Required. Name.
	Name string `body:"name"`
	// Id of the date preset.
	PresetID string `body:"preset_id"`
	// Required. A range of days: a period, or a list of two.
	Range any `body:"range"`
	// Required. Who sees the preset.
	ShareWith string `body:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `body:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `body:"shared_user_groups_view"`
	// Place in the list.
	SortOrder int64 `body:"sort_order"`
}

// PostDatePresetsCreate: create a date preset.
//
// Needs the right to create `core`.
//
// It calls POST /i/date_presets/create.
func (c *Client) PostDatePresetsCreate(ctx context.Context, p PostDatePresetsCreateParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/date_presets/create", p, false, &out)
	return out, err
}

// PostDatePresetsDeleteParams are the parameters of PostDatePresetsDelete. Zero values are left out.
type PostDatePresetsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether today does not count.
	ExcludeCurrentDay bool `body:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `body:"fav"`
	// Name.
	Name string `body:"name"`
	// Required. Id of the date preset.
	PresetID string `body:"preset_id"`
	// A range of days: a period, or a list of two.
	Range any `body:"range"`
	// Who sees the preset.
	ShareWith string `body:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `body:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `body:"shared_user_groups_view"`
	// Place in the list.
	SortOrder int64 `body:"sort_order"`
}

// PostDatePresetsDelete: delete a date preset.
//
// Needs the right to delete `core`.
//
// It calls POST /i/date_presets/delete.
func (c *Client) PostDatePresetsDelete(ctx context.Context, p PostDatePresetsDeleteParams) (out DatepresetsDeleted, err error) {
	err = c.call(ctx, "POST", "/i/date_presets/delete", p, false, &out)
	return out, err
}

// PostDatePresetsUpdateParams are the parameters of PostDatePresetsUpdate. Zero values are left out.
type PostDatePresetsUpdateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether today does not count.
	ExcludeCurrentDay bool `body:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `body:"fav"`
	// Name.
	Name string `body:"name"`
	// Required. Id of the date preset.
	PresetID string `body:"preset_id"`
	// A range of days: a period, or a list of two.
	Range any `body:"range"`
	// Who sees the preset.
	ShareWith string `body:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `body:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `body:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `body:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `body:"shared_user_groups_view"`
	// Place in the list.
	SortOrder int64 `body:"sort_order"`
}

// PostDatePresetsUpdate: change a date preset.
//
// Needs the right to update `core`.
//
// It calls POST /i/date_presets/update.
func (c *Client) PostDatePresetsUpdate(ctx context.Context, p PostDatePresetsUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/date_presets/update", p, false, &out)
	return out, err
}

// PostDefinedEventsCreateParams are the parameters of PostDefinedEventsCreate. Zero values are left out.
type PostDefinedEventsCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description.
	Description string `body:"description"`
	// Required. Keys of events.
	Events any `body:"events"`
	// Whether it stands in no menus.
	Hide bool `body:"hide"`
	// Id of the document.
	ID string `body:"id"`
	// Required. Name.
	Name string `body:"name"`
}

// PostDefinedEventsCreate: create a defined event.
//
// Needs the right to create `defined_events`.
//
// It calls POST /i/defined_events/create.
func (c *Client) PostDefinedEventsCreate(ctx context.Context, p PostDefinedEventsCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/defined_events/create", p, false, &out)
	return out, err
}

// PostDefinedEventsDeleteParams are the parameters of PostDefinedEventsDelete. Zero values are left out.
type PostDefinedEventsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Also where several, or what uses it, would be concerned.
	Force bool `body:"force"`
	// Required. Id of the document.
	ID string `body:"id"`
}

// PostDefinedEventsDelete: delete a defined event.
//
// Needs the right to delete `defined_events`.
//
// It calls POST /i/defined_events/delete.
func (c *Client) PostDefinedEventsDelete(ctx context.Context, p PostDefinedEventsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/defined_events/delete", p, false, &out)
	return out, err
}

// PostDefinedEventsUpdateParams are the parameters of PostDefinedEventsUpdate. Zero values are left out.
type PostDefinedEventsUpdateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Description.
	Description string `body:"description"`
	// Keys of events.
	Events any `body:"events"`
	// Whether it stands in no menus.
	Hide bool `body:"hide"`
	// Required. Id of the document.
	ID string `body:"id"`
	// Name.
	Name string `body:"name"`
}

// PostDefinedEventsUpdate: change a defined event.
//
// Needs the right to update `defined_events`.
//
// It calls POST /i/defined_events/update.
func (c *Client) PostDefinedEventsUpdate(ctx context.Context, p PostDefinedEventsUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/defined_events/update", p, false, &out)
	return out, err
}

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

// PostErrorlogsParams are the parameters of PostErrorlogs. Zero values are left out.
type PostErrorlogsParams struct {
	// Required. Which log.
	Log string `body:"log"`
}

// PostErrorlogs: clear a log.
//
// For global administrators.
//
// It calls POST /i/errorlogs.
func (c *Client) PostErrorlogs(ctx context.Context, p PostErrorlogsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/errorlogs", p, false, &out)
	return out, err
}

// PostEventGroupsCreateParams are the parameters of PostEventGroupsCreate. Zero values are left out.
type PostEventGroupsCreateParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostEventGroupsCreate: create an event group.
//
// Needs the right to create `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/event_groups/create.
func (c *Client) PostEventGroupsCreate(ctx context.Context, p PostEventGroupsCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/event_groups/create", p, false, &out)
	return out, err
}

// PostEventGroupsDeleteParams are the parameters of PostEventGroupsDelete. Zero values are left out.
type PostEventGroupsDeleteParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostEventGroupsDelete: delete event groups.
//
// Needs the right to delete `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/event_groups/delete.
func (c *Client) PostEventGroupsDelete(ctx context.Context, p PostEventGroupsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/event_groups/delete", p, false, &out)
	return out, err
}

// PostEventGroupsUpdateParams are the parameters of PostEventGroupsUpdate. Zero values are left out.
type PostEventGroupsUpdateParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// What is written, as one JSON object.
	Args any `body:"args"`
	// Keys of events in the order in which menus list them.
	EventOrder any `body:"event_order"`
	// State that is looked for.
	Status string `body:"status"`
	// Ids of groups whose state changes.
	UpdateStatus any `body:"update_status"`
}

// PostEventGroupsUpdate: change, order or switch event groups.
//
// Needs the right to update `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/event_groups/update.
func (c *Client) PostEventGroupsUpdate(ctx context.Context, p PostEventGroupsUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/event_groups/update", p, false, &out)
	return out, err
}

// PostEventsChangeVisibilityParams are the parameters of PostEventsChangeVisibility. Zero values are left out.
type PostEventsChangeVisibilityParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Keys of events.
	Events any `body:"events"`
	// Required. Whether events are shown or hidden.
	SetVisibility string `body:"set_visibility"`
}

// PostEventsChangeVisibility: show or hide events.
//
// Needs the right to update `events`.
//
// It calls POST /i/events/change_visibility.
func (c *Client) PostEventsChangeVisibility(ctx context.Context, p PostEventsChangeVisibilityParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/change_visibility", p, false, &out)
	return out, err
}

// PostEventsDeleteEventsParams are the parameters of PostEventsDeleteEvents. Zero values are left out.
type PostEventsDeleteEventsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Keys of events.
	Events any `body:"events"`
}

// PostEventsDeleteEvents: delete events with their data.
//
// Needs the right to delete `events`.
//
// It calls POST /i/events/delete_events.
func (c *Client) PostEventsDeleteEvents(ctx context.Context, p PostEventsDeleteEventsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/delete_events", p, false, &out)
	return out, err
}

// PostEventsEditMapParams are the parameters of PostEventsEditMap. Zero values are left out.
type PostEventsEditMapParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Names, descriptions and visibility of events by key.
	EventMap any `body:"event_map"`
	// Keys of events in the order in which menus list them.
	EventOrder any `body:"event_order"`
	// Events and properties that the overview of events shows.
	EventOverview any `body:"event_overview"`
	// Segments that are left out, by event.
	OmittedSegments any `body:"omitted_segments"`
}

// PostEventsEditMap: name, describe and order events.
//
// Needs the right to update `events`.
//
// It calls POST /i/events/edit_map.
func (c *Client) PostEventsEditMap(ctx context.Context, p PostEventsEditMapParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/edit_map", p, false, &out)
	return out, err
}

// PostEventsWhitelistSegmentsParams are the parameters of PostEventsWhitelistSegments. Zero values are left out.
type PostEventsWhitelistSegmentsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Segments that are kept, by event.
	WhitelistedSegments any `body:"whitelisted_segments"`
}

// PostEventsWhitelistSegments: choose the segments that are kept.
//
// Needs the right to update `events`.
//
// It calls POST /i/events/whitelist_segments.
func (c *Client) PostEventsWhitelistSegments(ctx context.Context, p PostEventsWhitelistSegmentsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/whitelist_segments", p, false, &out)
	return out, err
}

// PostExploreViewsDeleteParams are the parameters of PostExploreViewsDelete. Zero values are left out.
type PostExploreViewsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the view.
	ViewID string `body:"view_id"`
}

// PostExploreViewsDelete: delete a saved view.
//
// Needs the right to read `core`.
//
// It calls POST /i/explore/views/delete.
func (c *Client) PostExploreViewsDelete(ctx context.Context, p PostExploreViewsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/explore/views/delete", p, false, &out)
	return out, err
}

// PostExploreViewsSaveParams are the parameters of PostExploreViewsSave. Zero values are left out.
type PostExploreViewsSaveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Name.
	Name string `body:"name"`
	// The page that the view is of.
	Page string `body:"page"`
	// Whether all members of the app see it.
	Shared bool `body:"shared"`
	// Required. State of the page, as the dashboard writes it.
	State string `body:"state"`
	// Id of the view.
	ViewID string `body:"view_id"`
}

// PostExploreViewsSave: save a view.
//
// Needs the right to read `core`.
//
// It calls POST /i/explore/views/save.
func (c *Client) PostExploreViewsSave(ctx context.Context, p PostExploreViewsSaveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/explore/views/save", p, false, &out)
	return out, err
}

// PostFeedbackInputParams are the parameters of PostFeedbackInput. Zero values are left out.
type PostFeedbackInputParams struct {
	// Required. Key of the app, as clients send it.
	AppKey string `body:"app_key"`
	// Version of the app.
	Av string `body:"av"`
	// Required. Id of the device, as clients send it.
	DeviceID string `body:"device_id"`
	// Day of the week on the device, 0 for Sunday.
	Dow int64 `body:"dow"`
	// Required. Keys of events.
	Events any `body:"events"`
	// Hour on the device.
	Hour int64 `body:"hour"`
	// How many requests the queue of the client still holds.
	Rr int64 `body:"rr"`
	// Name of the SDK.
	SDKName string `body:"sdk_name"`
	// Version of the SDK.
	SDKVersion string `body:"sdk_version"`
	// Kind of the event.
	T int64 `body:"t"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `body:"timestamp"`
	// Distance of the device from UTC, in minutes.
	Tz int64 `body:"tz"`
}

// PostFeedbackInput: store the answer to a widget.
//
// Needs no credentials of a member.
//
// It calls POST /i/feedback/input.
func (c *Client) PostFeedbackInput(ctx context.Context, p PostFeedbackInputParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/feedback/input", p, false, &out)
	return out, err
}

// PostFeedbackInputsParams are the parameters of PostFeedbackInputs. Zero values are left out.
type PostFeedbackInputsParams struct {
	// Required. Key of the app, as clients send it.
	AppKey string `body:"app_key"`
	// Version of the app.
	Av string `body:"av"`
	// Required. Id of the device, as clients send it.
	DeviceID string `body:"device_id"`
	// Day of the week on the device, 0 for Sunday.
	Dow int64 `body:"dow"`
	// Required. Keys of events.
	Events any `body:"events"`
	// Hour on the device.
	Hour int64 `body:"hour"`
	// How many requests the queue of the client still holds.
	Rr int64 `body:"rr"`
	// Name of the SDK.
	SDKName string `body:"sdk_name"`
	// Version of the SDK.
	SDKVersion string `body:"sdk_version"`
	// Kind of the event.
	T int64 `body:"t"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `body:"timestamp"`
	// Distance of the device from UTC, in minutes.
	Tz int64 `body:"tz"`
}

// PostFeedbackInputs: store answers to widgets.
//
// Needs no credentials of a member.
//
// It calls POST /i/feedback/inputs.
func (c *Client) PostFeedbackInputs(ctx context.Context, p PostFeedbackInputsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/feedback/inputs", p, false, &out)
	return out, err
}

// PostFlowsCalculateParams are the parameters of PostFlowsCalculate. Zero values are left out.
type PostFlowsCalculateParams struct {
	// Required. Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostFlowsCalculate: calculate a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/calculate.
func (c *Client) PostFlowsCalculate(ctx context.Context, p PostFlowsCalculateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/calculate", p, false, &out)
	return out, err
}

// PostFlowsCreateParams are the parameters of PostFlowsCreate. Zero values are left out.
type PostFlowsCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether the flow is not calculated.
	Disabled bool `body:"disabled"`
	// The event that paths end at.
	End any `body:"end"`
	// Events that paths leave out.
	Exclude any `body:"exclude"`
	// Required. Name.
	Name string `body:"name"`
	// Options of the calculation.
	Options any `body:"options"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// The event that starts it.
	Start any `body:"start"`
	// Which kind.
	Type string `body:"type"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
}

// PostFlowsCreate: create a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/create.
func (c *Client) PostFlowsCreate(ctx context.Context, p PostFlowsCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/create", p, false, &out)
	return out, err
}

// PostFlowsDeleteParams are the parameters of PostFlowsDelete. Zero values are left out.
type PostFlowsDeleteParams struct {
	// Required. Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostFlowsDelete: delete a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/delete.
func (c *Client) PostFlowsDelete(ctx context.Context, p PostFlowsDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/delete", p, false, &out)
	return out, err
}

// PostFlowsEditParams are the parameters of PostFlowsEdit. Zero values are left out.
type PostFlowsEditParams struct {
	// Required. Id of the document.
	ID string `body:"_id"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether the flow is not calculated.
	Disabled bool `body:"disabled"`
	// The event that paths end at.
	End any `body:"end"`
	// Events that paths leave out.
	Exclude any `body:"exclude"`
	// Name.
	Name string `body:"name"`
	// Options of the calculation.
	Options any `body:"options"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `body:"period"`
	// The event that starts it.
	Start any `body:"start"`
	// Which kind.
	Type string `body:"type"`
	// Filter of users.
	UserSegmentation any `body:"user_segmentation"`
}

// PostFlowsEdit: change a flow.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/edit.
func (c *Client) PostFlowsEdit(ctx context.Context, p PostFlowsEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/edit", p, false, &out)
	return out, err
}

// PostFlowsUpdateDisabledParams are the parameters of PostFlowsUpdateDisabled. Zero values are left out.
type PostFlowsUpdateDisabledParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written or exported, as JSON.
	Data any `body:"data"`
}

// PostFlowsUpdateDisabled: switch flows on or off.
//
// Needs the right to create `flows`.
//
// It calls POST /i/flows/updateDisabled.
func (c *Client) PostFlowsUpdateDisabled(ctx context.Context, p PostFlowsUpdateDisabledParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/flows/updateDisabled", p, false, &out)
	return out, err
}

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
	// Required. Groups that it is in.
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

// PostInspectorStart: start the inspector.
//
// For global administrators.
//
// It calls POST /i/inspector/start.
func (c *Client) PostInspectorStart(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/inspector/start", nil, false, &out)
	return out, err
}

// PostInspectorStop: stop the inspector.
//
// For global administrators.
//
// It calls POST /i/inspector/stop.
func (c *Client) PostInspectorStop(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/inspector/stop", nil, false, &out)
	return out, err
}

// PostNotesDeleteParams are the parameters of PostNotesDelete. Zero values are left out.
type PostNotesDeleteParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the note.
	NoteID string `body:"note_id"`
}

// PostNotesDelete: delete a note.
//
// Needs the right to delete `core`. Global administrators may leave out `app_id`.
//
// It calls POST /i/notes/delete.
func (c *Client) PostNotesDelete(ctx context.Context, p PostNotesDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/notes/delete", p, false, &out)
	return out, err
}

// PostNotesSaveParams are the parameters of PostNotesSave. Zero values are left out.
type PostNotesSaveParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostNotesSave: create or change a note.
//
// Needs the right to create `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/notes/save.
func (c *Client) PostNotesSave(ctx context.Context, p PostNotesSaveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/notes/save", p, false, &out)
	return out, err
}

// PostPluginsParams are the parameters of PostPlugins. Zero values are left out.
type PostPluginsParams struct {
	// Required. Features by code, `true` to switch on.
	Plugin any `body:"plugin"`
}

// PostPlugins: switch features on or off.
//
// For global administrators.
//
// It calls POST /i/plugins.
func (c *Client) PostPlugins(ctx context.Context, p PostPluginsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/plugins", p, false, &out)
	return out, err
}

// PostPopulatorEnvironmentSaveParams are the parameters of PostPopulatorEnvironmentSave. Zero values are left out.
type PostPopulatorEnvironmentSaveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Whether the environment itself is stored, too.
	SetEnviromentInformationOnce bool `body:"setEnviromentInformationOnce"`
	// Required. How many users.
	Users int64 `body:"users"`
}

// PostPopulatorEnvironmentSave: store users of an environment.
//
// Needs the right to create `populator`.
//
// It calls POST /i/populator/environment/save.
func (c *Client) PostPopulatorEnvironmentSave(ctx context.Context, p PostPopulatorEnvironmentSaveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/environment/save", p, false, &out)
	return out, err
}

// PostPopulatorLoadParams are the parameters of PostPopulatorLoad. Zero values are left out.
type PostPopulatorLoadParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Over how many days, up to today.
	Days *int64 `body:"days"`
	// Name of the environment.
	EnvironmentName string `body:"environment_name"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
	// How many users.
	Users int64 `body:"users"`
}

// PostPopulatorLoad: load demo data into an app.
//
// Needs the right to create `populator`.
//
// It calls POST /i/populator/load.
func (c *Client) PostPopulatorLoad(ctx context.Context, p PostPopulatorLoadParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/load", p, false, &out)
	return out, err
}

// PostPopulatorTemplatesCreateParams are the parameters of PostPopulatorTemplatesCreate. Zero values are left out.
type PostPopulatorTemplatesCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// How users of the template behave: times between runs and sequences.
	Behavior any `body:"behavior"`
	// Keys of events.
	Events any `body:"events"`
	// Whether the template is offered first.
	IsDefault bool `body:"isDefault"`
	// Name of the member who edits.
	LastEditedBy string `body:"lastEditedBy"`
	// Required. Name.
	Name string `body:"name"`
	// Required. Platforms of the users of the template.
	PlatformType any `body:"platformType"`
	// Sequences of events that users go through.
	Sequences any `body:"sequences"`
	// Required. How many users the template makes.
	UniqueUserCount int64 `body:"uniqueUserCount"`
	// How many users.
	Users int64 `body:"users"`
	// Views that users see.
	Views any `body:"views"`
}

// PostPopulatorTemplatesCreate: create a template of demo data.
//
// Needs the right to create `populator`.
//
// It calls POST /i/populator/templates/create.
func (c *Client) PostPopulatorTemplatesCreate(ctx context.Context, p PostPopulatorTemplatesCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/templates/create", p, false, &out)
	return out, err
}

// PostPopulatorTemplatesEditParams are the parameters of PostPopulatorTemplatesEdit. Zero values are left out.
type PostPopulatorTemplatesEditParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// How users of the template behave: times between runs and sequences.
	Behavior any `body:"behavior"`
	// Keys of events.
	Events any `body:"events"`
	// When the template was made, ms.
	GeneratedOn int64 `body:"generated_on"`
	// Whether the template is offered first.
	IsDefault bool `body:"isDefault"`
	// Required. Name.
	Name string `body:"name"`
	// Required. Platforms of the users of the template.
	PlatformType any `body:"platformType"`
	// Sequences of events that users go through.
	Sequences any `body:"sequences"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
	// Required. How many users the template makes.
	UniqueUserCount int64 `body:"uniqueUserCount"`
	// How many users.
	Users int64 `body:"users"`
	// Views that users see.
	Views any `body:"views"`
}

// PostPopulatorTemplatesEdit: change a template of demo data.
//
// Needs the right to update `populator`.
//
// It calls POST /i/populator/templates/edit.
func (c *Client) PostPopulatorTemplatesEdit(ctx context.Context, p PostPopulatorTemplatesEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/templates/edit", p, false, &out)
	return out, err
}

// PostPopulatorTemplatesRemoveParams are the parameters of PostPopulatorTemplatesRemove. Zero values are left out.
type PostPopulatorTemplatesRemoveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
}

// PostPopulatorTemplatesRemove: delete a template of demo data.
//
// Needs the right to delete `populator`.
//
// It calls POST /i/populator/templates/remove.
func (c *Client) PostPopulatorTemplatesRemove(ctx context.Context, p PostPopulatorTemplatesRemoveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/populator/templates/remove", p, false, &out)
	return out, err
}

// PostProfilerDownloadAll: download all profiles.
//
// For global administrators.
//
// It calls POST /i/profiler/download-all.
func (c *Client) PostProfilerDownloadAll(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "POST", "/i/profiler/download-all", nil)
}

// PostProfilerListFiles: list profiles.
//
// For global administrators.
//
// It calls POST /i/profiler/list-files.
func (c *Client) PostProfilerListFiles(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/profiler/list-files", nil, false, &out)
	return out, err
}

// PostProfilerStart: start the profiler.
//
// For global administrators.
//
// It calls POST /i/profiler/start.
func (c *Client) PostProfilerStart(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/profiler/start", nil, false, &out)
	return out, err
}

// PostProfilerStop: stop the profiler.
//
// For global administrators.
//
// It calls POST /i/profiler/stop.
func (c *Client) PostProfilerStop(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/profiler/stop", nil, false, &out)
	return out, err
}

// PostProfilerTakeHeapSnapshot: download a profile of the heap.
//
// For global administrators.
//
// It calls POST /i/profiler/take-heap-snapshot.
func (c *Client) PostProfilerTakeHeapSnapshot(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "POST", "/i/profiler/take-heap-snapshot", nil)
}

// PostSDKParams are the parameters of PostSDK. Zero values are left out.
type PostSDKParams struct {
	// Required. Key of the app, as clients send it.
	AppKey string `body:"app_key"`
	// Required. Id of the device, as clients send it.
	DeviceID string `body:"device_id"`
	// Name of one value.
	Key string `body:"key"`
	// Names of values.
	Keys any `body:"keys"`
	// Required. Which of several requests of this path.
	Method string `body:"method"`
	// How many requests the queue of the client still holds.
	Rr int64 `body:"rr"`
}

// PostSDK: answer what SDKs ask for or report.
//
// Needs no credentials of a member.
//
// It calls POST /i/sdk.
func (c *Client) PostSDK(ctx context.Context, p PostSDKParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/sdk", p, false, &out)
	return out, err
}

// PostSDKConfigUpdateEnforcementParams are the parameters of PostSDKConfigUpdateEnforcement. Zero values are left out.
type PostSDKConfigUpdateEnforcementParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Which settings of SDKs are enforced, by name.
	Enforcement any `body:"enforcement"`
}

// PostSDKConfigUpdateEnforcement: choose which settings of SDKs are enforced.
//
// Needs the right to update `sdk`.
//
// It calls POST /i/sdk-config/update-enforcement.
func (c *Client) PostSDKConfigUpdateEnforcement(ctx context.Context, p PostSDKConfigUpdateEnforcementParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/sdk-config/update-enforcement", p, false, &out)
	return out, err
}

// PostSDKConfigUpdateParameterParams are the parameters of PostSDKConfigUpdateParameter. Zero values are left out.
type PostSDKConfigUpdateParameterParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Settings of SDKs by name.
	Parameter any `body:"parameter"`
}

// PostSDKConfigUpdateParameter: change settings of SDKs.
//
// Needs the right to update `sdk`.
//
// It calls POST /i/sdk-config/update-parameter.
func (c *Client) PostSDKConfigUpdateParameter(ctx context.Context, p PostSDKConfigUpdateParameterParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/sdk-config/update-parameter", p, false, &out)
	return out, err
}

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

// PostSystemlogsParams are the parameters of PostSystemlogs. Zero values are left out.
type PostSystemlogsParams struct {
	// Required. What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `body:"action"`
	// What is written or exported, as JSON.
	Data any `body:"data"`
}

// PostSystemlogs: write an entry of the audit log.
//
// For every member.
//
// It calls POST /i/systemlogs.
func (c *Client) PostSystemlogs(ctx context.Context, p PostSystemlogsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/systemlogs", p, false, &out)
	return out, err
}

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

// PostTokenCreateParams are the parameters of PostTokenCreate. Zero values are left out.
type PostTokenCreateParams struct {
	// Id of the app that the token is for, or several.
	App string `body:"app"`
	// Ids of apps: a JSON list, or separated by commas.
	Apps string `body:"apps"`
	// Paths that the token is for: texts or patterns.
	Endpoint string `body:"endpoint"`
	// Parameters that requests with the token must have.
	Endpointquery any `body:"endpointquery"`
	// Whether the token may be used more than once.
	Multi *bool `body:"multi"`
	// What the token is for.
	Purpose string `body:"purpose"`
	// Seconds until the token ends; 0 for never.
	TTL *int64 `body:"ttl"`
}

// PostTokenCreate: create a token.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls POST /i/token/create.
func (c *Client) PostTokenCreate(ctx context.Context, p PostTokenCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/token/create", p, false, &out)
	return out, err
}

// PostTokenDeleteParams are the parameters of PostTokenDelete. Zero values are left out.
type PostTokenDeleteParams struct {
	// Required. The token.
	Tokenid string `body:"tokenid"`
}

// PostTokenDelete: delete a token.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls POST /i/token/delete.
func (c *Client) PostTokenDelete(ctx context.Context, p PostTokenDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/token/delete", p, false, &out)
	return out, err
}

// PostUserconfigsParams are the parameters of PostUserconfigs. Zero values are left out.
type PostUserconfigsParams struct {
	// Required. Settings by feature and name: `{"api":{"metric_limit":1000}}`.
	Configs any `body:"configs"`
}

// PostUserconfigs: change settings of the caller.
//
// For global administrators.
//
// It calls POST /i/userconfigs.
func (c *Client) PostUserconfigs(ctx context.Context, p PostUserconfigsParams) (out map[string]map[string]json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/userconfigs", p, false, &out)
	return out, err
}

// PostUsersAPIKeyRotateParams are the parameters of PostUsersAPIKeyRotate. Zero values are left out.
type PostUsersAPIKeyRotateParams struct {
	// Id of the member; the caller without it.
	UserID string `body:"user_id"`
}

// PostUsersAPIKeyRotate: replace the API key of a member.
//
// For every member.
//
// It calls POST /i/users/api_key/rotate.
func (c *Client) PostUsersAPIKeyRotate(ctx context.Context, p PostUsersAPIKeyRotateParams) (out MembersRotated, err error) {
	err = c.call(ctx, "POST", "/i/users/api_key/rotate", p, false, &out)
	return out, err
}

// PostUsersCreateParams are the parameters of PostUsersCreate. Zero values are left out.
type PostUsersCreateParams struct {
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostUsersCreate: create a member.
//
// For global administrators.
//
// It calls POST /i/users/create.
func (c *Client) PostUsersCreate(ctx context.Context, p PostUsersCreateParams) (out MembersAccount, err error) {
	err = c.call(ctx, "POST", "/i/users/create", p, false, &out)
	return out, err
}

// PostUsersDeleteParams are the parameters of PostUsersDelete. Zero values are left out.
type PostUsersDeleteParams struct {
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostUsersDelete: delete members.
//
// For global administrators.
//
// It calls POST /i/users/delete.
func (c *Client) PostUsersDelete(ctx context.Context, p PostUsersDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/users/delete", p, false, &out)
	return out, err
}

// PostUsersDeleteOwnAccountParams are the parameters of PostUsersDeleteOwnAccount. Zero values are left out.
type PostUsersDeleteOwnAccountParams struct {
	// Required. The password of the caller.
	Password string `body:"password"`
}

// PostUsersDeleteOwnAccount: delete the account of the caller.
//
// For global administrators.
//
// It calls POST /i/users/deleteOwnAccount.
func (c *Client) PostUsersDeleteOwnAccount(ctx context.Context, p PostUsersDeleteOwnAccountParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/users/deleteOwnAccount", p, false, &out)
	return out, err
}

// PostUsersPasswordParams are the parameters of PostUsersPassword. Zero values are left out.
type PostUsersPasswordParams struct {
	// Required. The new password.
	NewPwd string `body:"new_pwd"`
	// Required. The present password.
	OldPwd string `body:"old_pwd"`
	// Whether the member gets a new key.
	RotateKey bool `body:"rotate_key"`
}

// PostUsersPassword: change the password of the caller.
//
// For every member.
//
// It calls POST /i/users/password.
func (c *Client) PostUsersPassword(ctx context.Context, p PostUsersPasswordParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/users/password", p, false, &out)
	return out, err
}

// PostUsersSessionsEndParams are the parameters of PostUsersSessionsEnd. Zero values are left out.
type PostUsersSessionsEndParams struct {
	// Ends all sessions but that of the caller.
	Others bool `body:"others"`
	// Id of the session.
	SessionID string `body:"session_id"`
}

// PostUsersSessionsEnd: end sessions of the caller.
//
// For every member.
//
// It calls POST /i/users/sessions/end.
func (c *Client) PostUsersSessionsEnd(ctx context.Context, p PostUsersSessionsEndParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/users/sessions/end", p, false, &out)
	return out, err
}

// PostUsersUpdateParams are the parameters of PostUsersUpdate. Zero values are left out.
type PostUsersUpdateParams struct {
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostUsersUpdate: change a member.
//
// For global administrators.
//
// It calls POST /i/users/update.
func (c *Client) PostUsersUpdate(ctx context.Context, p PostUsersUpdateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/users/update", p, false, &out)
	return out, err
}

// PostUsersUpdateHomeSettingsParams are the parameters of PostUsersUpdateHomeSettings. Zero values are left out.
type PostUsersUpdateHomeSettingsParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What the home page shows.
	HomeSettings any `body:"homeSettings"`
}

// PostUsersUpdateHomeSettings: change the home page of the caller.
//
// For global administrators.
//
// It calls POST /i/users/updateHomeSettings.
func (c *Client) PostUsersUpdateHomeSettings(ctx context.Context, p PostUsersUpdateHomeSettingsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/users/updateHomeSettings", p, false, &out)
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

// GetImagesScreenshotsFileParams are the parameters of GetImagesScreenshotsFile. Zero values are left out.
type GetImagesScreenshotsFileParams struct {
	// Required.
	File string `path:"file"`
}

// GetImagesScreenshotsFile: A picture that was taken of the dashboard.
//
// For every member.
//
// It calls GET /images/screenshots/{file}.
func (c *Client) GetImagesScreenshotsFile(ctx context.Context, p GetImagesScreenshotsFileParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/images/screenshots/{file}", p)
}

// GetLivez: whether the process runs.
//
// For probes of monitoring.
//
// It calls GET /livez.
func (c *Client) GetLivez(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/livez", nil)
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
	// Required. Clicks, or how far pages are scrolled.
	ActionType string `query:"actionType"`
	// Name of a segment.
	Segment string `query:"segment"`
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

// GetActiveUsersParams are the parameters of GetActiveUsers. Zero values are left out.
type GetActiveUsersParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetActiveUsers: active users by day.
//
// Needs the right to read `active_users`. A read that takes too long goes on as a task.
//
// It calls GET /o/active_users.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetActiveUsers(ctx context.Context, p GetActiveUsersParams) (out *ActiveusersTable, err error) {
	err = c.call(ctx, "GET", "/o/active_users", p, true, &out)
	return out, err
}

// GetActiveUsersReportParams are the parameters of GetActiveUsersReport. Zero values are left out.
type GetActiveUsersReportParams struct {
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
	// Keys of events.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetActiveUsersReport: active users by day, week and month, with averages and groups.
//
// Needs the right to read `active_users`. A read that takes too long goes on as a task.
//
// It calls GET /o/active_users/report.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetActiveUsersReport(ctx context.Context, p GetActiveUsersReportParams) (out *ActiveusersReport, err error) {
	err = c.call(ctx, "GET", "/o/active_users/report", p, true, &out)
	return out, err
}

// GetAnalyticsParams are the parameters of GetAnalytics. Zero values are left out.
type GetAnalyticsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetAnalytics: fault of an unknown read.
//
// Needs no credentials of a member.
//
// It calls GET /o/analytics.
func (c *Client) GetAnalytics(ctx context.Context, p GetAnalyticsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics", p, false, &out)
	return out, err
}

// GetAnalyticsCompareParams are the parameters of GetAnalyticsCompare. Zero values are left out.
type GetAnalyticsCompareParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// Required. A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsCompare: figures of a period beside those of another.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/compare.
func (c *Client) GetAnalyticsCompare(ctx context.Context, p GetAnalyticsCompareParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/compare", p, false, &out)
	return out, err
}

// GetAnalyticsCountriesParams are the parameters of GetAnalyticsCountries. Zero values are left out.
type GetAnalyticsCountriesParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsCountries: countries with the most users.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/countries.
func (c *Client) GetAnalyticsCountries(ctx context.Context, p GetAnalyticsCountriesParams) (out map[string][]QueryCountryRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/countries", p, false, &out)
	return out, err
}

// GetAnalyticsDashboardParams are the parameters of GetAnalyticsDashboard. Zero values are left out.
type GetAnalyticsDashboardParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsDashboard: summary of three periods.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/dashboard.
func (c *Client) GetAnalyticsDashboard(ctx context.Context, p GetAnalyticsDashboardParams) (out map[string]*QuerySummary, err error) {
	err = c.call(ctx, "GET", "/o/analytics/dashboard", p, false, &out)
	return out, err
}

// GetAnalyticsDurationsParams are the parameters of GetAnalyticsDurations. Zero values are left out.
type GetAnalyticsDurationsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsDurations: sessions by duration.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/durations.
func (c *Client) GetAnalyticsDurations(ctx context.Context, p GetAnalyticsDurationsParams) (out []AnalyticsDurationRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/durations", p, false, &out)
	return out, err
}

// GetAnalyticsEventsParams are the parameters of GetAnalyticsEvents. Zero values are left out.
type GetAnalyticsEventsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsEvents: figures of an event.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/events.
func (c *Client) GetAnalyticsEvents(ctx context.Context, p GetAnalyticsEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/events", p, false, &out)
	return out, err
}

// GetAnalyticsEventsOverviewParams are the parameters of GetAnalyticsEventsOverview. Zero values are left out.
type GetAnalyticsEventsOverviewParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsEventsOverview: summary of events.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/events/overview.
func (c *Client) GetAnalyticsEventsOverview(ctx context.Context, p GetAnalyticsEventsOverviewParams) (out map[string]*QueryEventOverview, err error) {
	err = c.call(ctx, "GET", "/o/analytics/events/overview", p, false, &out)
	return out, err
}

// GetAnalyticsEventsTopParams are the parameters of GetAnalyticsEventsTop. Zero values are left out.
type GetAnalyticsEventsTopParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsEventsTop: events with the most occurrences.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/events/top.
func (c *Client) GetAnalyticsEventsTop(ctx context.Context, p GetAnalyticsEventsTopParams) (out []QueryTopEvent, err error) {
	err = c.call(ctx, "GET", "/o/analytics/events/top", p, false, &out)
	return out, err
}

// GetAnalyticsFrequencyParams are the parameters of GetAnalyticsFrequency. Zero values are left out.
type GetAnalyticsFrequencyParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsFrequency: sessions by time since the one before.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/frequency.
func (c *Client) GetAnalyticsFrequency(ctx context.Context, p GetAnalyticsFrequencyParams) (out []AnalyticsFrequencyRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/frequency", p, false, &out)
	return out, err
}

// GetAnalyticsLoyaltyParams are the parameters of GetAnalyticsLoyalty. Zero values are left out.
type GetAnalyticsLoyaltyParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsLoyalty: sessions by number of the session.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/loyalty.
func (c *Client) GetAnalyticsLoyalty(ctx context.Context, p GetAnalyticsLoyaltyParams) (out []AnalyticsLoyaltyRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/loyalty", p, false, &out)
	return out, err
}

// GetAnalyticsMetricParams are the parameters of GetAnalyticsMetric. Zero values are left out.
type GetAnalyticsMetricParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Required. Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsMetric: figures by value of a metric.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/metric.
func (c *Client) GetAnalyticsMetric(ctx context.Context, p GetAnalyticsMetricParams) (out []QueryMetricRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/metric", p, false, &out)
	return out, err
}

// GetAnalyticsSessionsParams are the parameters of GetAnalyticsSessions. Zero values are left out.
type GetAnalyticsSessionsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsSessions: figures of sessions.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/sessions.
func (c *Client) GetAnalyticsSessions(ctx context.Context, p GetAnalyticsSessionsParams) (out []QuerySessionRow, err error) {
	err = c.call(ctx, "GET", "/o/analytics/sessions", p, false, &out)
	return out, err
}

// GetAnalyticsTopsParams are the parameters of GetAnalyticsTops. Zero values are left out.
type GetAnalyticsTopsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetAnalyticsTops: most frequent values of metrics.
//
// Needs the right to read `core`.
//
// It calls GET /o/analytics/tops.
func (c *Client) GetAnalyticsTops(ctx context.Context, p GetAnalyticsTopsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/tops", p, false, &out)
	return out, err
}

// GetAnalyticsTailParams are the parameters of GetAnalyticsTail. Zero values are left out.
type GetAnalyticsTailParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Required.
	Tail string `path:"tail"`
}

// GetAnalyticsTail: fault of an unknown read.
//
// Needs no credentials of a member.
//
// It calls GET /o/analytics/{tail}.
func (c *Client) GetAnalyticsTail(ctx context.Context, p GetAnalyticsTailParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/analytics/{tail}", p, false, &out)
	return out, err
}

// GetAppUsersConsentsParams are the parameters of GetAppUsersConsents. Zero values are left out.
type GetAppUsersConsentsParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// The `cursor` of the answer before; rows behind it follow.
	Cursor string `query:"cursor"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetAppUsersConsents: consents of users.
//
// Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/app_users/consents.
func (c *Client) GetAppUsersConsents(ctx context.Context, p GetAppUsersConsentsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/app_users/consents", p, false, &out)
	return out, err
}

// GetAppUsersDownloadParams are the parameters of GetAppUsersDownload. Zero values are left out.
type GetAppUsersDownloadParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetAppUsersDownload: fault of a download without a name.
//
// Needs the right to read `users`.
//
// It calls GET /o/app_users/download.
func (c *Client) GetAppUsersDownload(ctx context.Context, p GetAppUsersDownloadParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/app_users/download", p)
}

// GetAppUsersDownloadIDParams are the parameters of GetAppUsersDownloadID. Zero values are left out.
type GetAppUsersDownloadIDParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the document.
	ID string `path:"id"`
}

// GetAppUsersDownloadID: download an export of users.
//
// Needs the right to read `users`.
//
// It calls GET /o/app_users/download/{id}.
func (c *Client) GetAppUsersDownloadID(ctx context.Context, p GetAppUsersDownloadIDParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/app_users/download/{id}", p)
}

// GetAppUsersLoyaltyParams are the parameters of GetAppUsersLoyalty. Zero values are left out.
type GetAppUsersLoyaltyParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetAppUsersLoyalty: users by number of sessions.
//
// Needs the right to read `core`.
//
// It calls GET /o/app_users/loyalty.
func (c *Client) GetAppUsersLoyalty(ctx context.Context, p GetAppUsersLoyaltyParams) (out AppusersLoyaltyRes, err error) {
	err = c.call(ctx, "GET", "/o/app_users/loyalty", p, false, &out)
	return out, err
}

// GetAppUsersPictureParams are the parameters of GetAppUsersPicture. Zero values are left out.
type GetAppUsersPictureParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Number of the user.
	UID string `query:"uid"`
	// Id of a device of the user.
	Did string `query:"did"`
}

// GetAppUsersPicture: uploaded picture of a user.
//
// Needs the right to read `users`.
//
// It calls GET /o/app_users/picture.
func (c *Client) GetAppUsersPicture(ctx context.Context, p GetAppUsersPictureParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/app_users/picture", p)
}

// GetAppsAllParams are the parameters of GetAppsAll. Zero values are left out.
type GetAppsAllParams struct {
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
}

// GetAppsAll: list all apps.
//
// For global administrators. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/apps/all.
func (c *Client) GetAppsAll(ctx context.Context, p GetAppsAllParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/apps/all", p, false, &out)
	return out, err
}

// GetAppsDetailsParams are the parameters of GetAppsDetails. Zero values are left out.
type GetAppsDetailsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetAppsDetails: an app with its members.
//
// For administrators of the app.
//
// It calls GET /o/apps/details.
func (c *Client) GetAppsDetails(ctx context.Context, p GetAppsDetailsParams) (out AppsDetails, err error) {
	err = c.call(ctx, "GET", "/o/apps/details", p, false, &out)
	return out, err
}

// GetAppsMineParams are the parameters of GetAppsMine. Zero values are left out.
type GetAppsMineParams struct {
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
}

// GetAppsMine: list apps of the caller.
//
// For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
//
// It calls GET /o/apps/mine.
func (c *Client) GetAppsMine(ctx context.Context, p GetAppsMineParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/apps/mine", p, false, &out)
	return out, err
}

// GetAppsPluginsParams are the parameters of GetAppsPlugins. Zero values are left out.
type GetAppsPluginsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Name.
	Name string `query:"name"`
}

// GetAppsPlugins: settings of an app.
//
// For global administrators.
//
// It calls GET /o/apps/plugins.
func (c *Client) GetAppsPlugins(ctx context.Context, p GetAppsPluginsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/apps/plugins", p, false, &out)
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

// GetBatchParams are the parameters of GetBatch. Zero values are left out.
type GetBatchParams struct {
	// Required. Addresses of the reads, below `/o`, at most 16.
	Requests any `query:"requests"`
}

// GetBatch: make several reads.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/batch.
func (c *Client) GetBatch(ctx context.Context, p GetBatchParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/batch", p, false, &out)
	return out, err
}

// GetCalculatedMetricsCheckParams are the parameters of GetCalculatedMetricsCheck. Zero values are left out.
type GetCalculatedMetricsCheckParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. The formula, as an object.
	Formula any `query:"formula"`
}

// GetCalculatedMetricsCheck: check a formula.
//
// Needs the right to read `formulas`.
//
// It calls GET /o/calculated_metrics/check.
func (c *Client) GetCalculatedMetricsCheck(ctx context.Context, p GetCalculatedMetricsCheckParams) (out FormulasChecked, err error) {
	err = c.call(ctx, "GET", "/o/calculated_metrics/check", p, false, &out)
	return out, err
}

// GetCalculatedMetricsMetricParams are the parameters of GetCalculatedMetricsMetric. Zero values are left out.
type GetCalculatedMetricsMetricParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Id of the document.
	ID string `query:"_id"`
	// Which form of the calculation.
	Mode string `query:"mode"`
	// Id of the calculated metric.
	MetricID string `query:"metric_id"`
	// Metrics that boards may show.
	ForWidgets bool `query:"for_widgets"`
}

// GetCalculatedMetricsMetric: A calculated metric.
//
// Needs the right to read `formulas`.
//
// It calls GET /o/calculated_metrics/metric.
func (c *Client) GetCalculatedMetricsMetric(ctx context.Context, p GetCalculatedMetricsMetricParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/calculated_metrics/metric", p, false, &out)
	return out, err
}

// GetCalculatedMetricsMetricsParams are the parameters of GetCalculatedMetricsMetrics. Zero values are left out.
type GetCalculatedMetricsMetricsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Metrics that boards may show.
	ForWidgets bool `query:"for_widgets"`
}

// GetCalculatedMetricsMetrics: list calculated metrics.
//
// Needs the right to read `formulas`.
//
// It calls GET /o/calculated_metrics/metrics.
func (c *Client) GetCalculatedMetricsMetrics(ctx context.Context, p GetCalculatedMetricsMetricsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/calculated_metrics/metrics", p, false, &out)
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

// GetCmsEntriesParams are the parameters of GetCmsEntries. Zero values are left out.
type GetCmsEntriesParams struct {
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
	// Required. Id of the document.
	ID string `query:"_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetCmsEntries: entries of content.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/cms/entries.
func (c *Client) GetCmsEntries(ctx context.Context, p GetCmsEntriesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/cms/entries", p, false, &out)
	return out, err
}

// GetCohortsPreviewParams are the parameters of GetCohortsPreview. Zero values are left out.
type GetCohortsPreviewParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Steps, in their order.
	Steps any `query:"steps"`
	// Filter of users.
	UserSegmentation any `query:"user_segmentation"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetCohortsPreview: how many users a definition finds.
//
// Needs the right to read `cohorts`. A read that takes too long goes on as a task.
//
// It calls GET /o/cohorts/preview.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetCohortsPreview(ctx context.Context, p GetCohortsPreviewParams) (out CohortsPreviewRes, err error) {
	err = c.call(ctx, "GET", "/o/cohorts/preview", p, true, &out)
	return out, err
}

// GetCompareAppsParams are the parameters of GetCompareApps. Zero values are left out.
type GetCompareAppsParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Required. Ids of apps: a JSON list, or separated by commas.
	Apps string `query:"apps"`
}

// GetCompareApps: compare apps.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/compare/apps.
func (c *Client) GetCompareApps(ctx context.Context, p GetCompareAppsParams) (out []CompareAppRow, err error) {
	err = c.call(ctx, "GET", "/o/compare/apps", p, false, &out)
	return out, err
}

// GetCompareEventsParams are the parameters of GetCompareEvents. Zero values are left out.
type GetCompareEventsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Required. Keys of events.
	Events any `query:"events"`
}

// GetCompareEvents: compare events.
//
// Needs the right to read `compare`. Global administrators may leave out `app_id`.
//
// It calls GET /o/compare/events.
func (c *Client) GetCompareEvents(ctx context.Context, p GetCompareEventsParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/compare/events", p, false, &out)
	return out, err
}

// GetConcurrentUsersParams are the parameters of GetConcurrentUsers. Zero values are left out.
type GetConcurrentUsersParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetConcurrentUsers: users online: now, lately and at most.
//
// Needs the right to read `concurrent_users`.
//
// It calls GET /o/concurrent_users.
func (c *Client) GetConcurrentUsers(ctx context.Context, p GetConcurrentUsersParams) (out *ConcurrentusersOverview, err error) {
	err = c.call(ctx, "GET", "/o/concurrent_users", p, false, &out)
	return out, err
}

// GetConfigsParams are the parameters of GetConfigs. Zero values are left out.
type GetConfigsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetConfigs: settings of the server.
//
// For administrators of the app.
//
// It calls GET /o/configs.
func (c *Client) GetConfigs(ctx context.Context, p GetConfigsParams) (out map[string]map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/configs", p, false, &out)
	return out, err
}

// GetConfigsSchema: what can be set.
//
// For every member.
//
// It calls GET /o/configs/schema.
func (c *Client) GetConfigsSchema(ctx context.Context) (out map[string]map[string]SettingsDeclaration, err error) {
	err = c.call(ctx, "GET", "/o/configs/schema", nil, false, &out)
	return out, err
}

// GetConsentCurrentParams are the parameters of GetConsentCurrent. Zero values are left out.
type GetConsentCurrentParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
}

// GetConsentCurrent: consents of a user.
//
// Needs the right to read `compliance_hub`.
//
// It calls GET /o/consent/current.
func (c *Client) GetConsentCurrent(ctx context.Context, p GetConsentCurrentParams) (out map[string]bool, err error) {
	err = c.call(ctx, "GET", "/o/consent/current", p, false, &out)
	return out, err
}

// GetConsentSearchParams are the parameters of GetConsentSearch. Zero values are left out.
type GetConsentSearchParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// The `cursor` of the answer before; rows behind it follow.
	Cursor string `query:"cursor"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetConsentSearch: changes of consents.
//
// Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/consent/search.
func (c *Client) GetConsentSearch(ctx context.Context, p GetConsentSearchParams) (out CompliancehubChangesTable, err error) {
	err = c.call(ctx, "GET", "/o/consent/search", p, false, &out)
	return out, err
}

// GetConsentSearchOldParams are the parameters of GetConsentSearchOld. Zero values are left out.
type GetConsentSearchOldParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// The `cursor` of the answer before; rows behind it follow.
	Cursor string `query:"cursor"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetConsentSearchOld: changes of consents, by their age.
//
// Needs the right to read `compliance_hub`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/consent/searchOld.
func (c *Client) GetConsentSearchOld(ctx context.Context, p GetConsentSearchOldParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/consent/searchOld", p, false, &out)
	return out, err
}

// GetCountlyVersion: versions of the program.
//
// For every member.
//
// It calls GET /o/countly_version.
func (c *Client) GetCountlyVersion(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/countly_version", nil, false, &out)
	return out, err
}

// GetCrashesDownloadBinaryParams are the parameters of GetCrashesDownloadBinary. Zero values are left out.
type GetCrashesDownloadBinaryParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the crash report.
	CrashID string `query:"crash_id"`
}

// GetCrashesDownloadBinary: download the dump of a crash.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/crashes/download_binary.
func (c *Client) GetCrashesDownloadBinary(ctx context.Context, p GetCrashesDownloadBinaryParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/crashes/download_binary", p)
}

// GetCrashesDownloadStacktraceParams are the parameters of GetCrashesDownloadStacktrace. Zero values are left out.
type GetCrashesDownloadStacktraceParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the crash report.
	CrashID string `query:"crash_id"`
}

// GetCrashesDownloadStacktrace: download the stack of a crash.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/crashes/download_stacktrace.
func (c *Client) GetCrashesDownloadStacktrace(ctx context.Context, p GetCrashesDownloadStacktraceParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/crashes/download_stacktrace", p)
}

// GetCrashesPreviewRulesParams are the parameters of GetCrashesPreviewRules. Zero values are left out.
type GetCrashesPreviewRulesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Rules for crash groups: `algorithm`, `stack` and `fingerprints`; see docs/reference/crashes.md.
	Rules any `query:"rules"`
	// Version of the rules for crash groups that were changed.
	Version int64 `query:"version"`
}

// GetCrashesPreviewRules: what rules for crash groups would change.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/crashes/preview_rules.
func (c *Client) GetCrashesPreviewRules(ctx context.Context, p GetCrashesPreviewRulesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/crashes/preview_rules", p, false, &out)
	return out, err
}

// GetDataSubjectsParams are the parameters of GetDataSubjects. Zero values are left out.
type GetDataSubjectsParams struct {
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
	// Required. Name, e-mail address, user id or device id of the person.
	By string `query:"by"`
}

// GetDataSubjects: find a person.
//
// Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/data_subjects.
func (c *Client) GetDataSubjects(ctx context.Context, p GetDataSubjectsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/data_subjects", p, false, &out)
	return out, err
}

// GetDataSubjectsErasuresParams are the parameters of GetDataSubjectsErasures. Zero values are left out.
type GetDataSubjectsErasuresParams struct {
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
}

// GetDataSubjectsErasures: list erasures.
//
// Needs the right to read `users`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/data_subjects/erasures.
func (c *Client) GetDataSubjectsErasures(ctx context.Context, p GetDataSubjectsErasuresParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/data_subjects/erasures", p, false, &out)
	return out, err
}

// GetDataSubjectsHeldParams are the parameters of GetDataSubjectsHeld. Zero values are left out.
type GetDataSubjectsHeldParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Number of the user.
	UID string `query:"uid"`
}

// GetDataSubjectsHeld: what is held of a person.
//
// Needs the right to read `users`.
//
// It calls GET /o/data_subjects/held.
func (c *Client) GetDataSubjectsHeld(ctx context.Context, p GetDataSubjectsHeldParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/data_subjects/held", p, false, &out)
	return out, err
}

// GetDatePresetsGetAllParams are the parameters of GetDatePresetsGetAll. Zero values are left out.
type GetDatePresetsGetAllParams struct {
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
}

// GetDatePresetsGetAll: list date presets.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/date_presets/getAll.
func (c *Client) GetDatePresetsGetAll(ctx context.Context, p GetDatePresetsGetAllParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/date_presets/getAll", p, false, &out)
	return out, err
}

// GetDatePresetsGetByIDParams are the parameters of GetDatePresetsGetByID. Zero values are left out.
type GetDatePresetsGetByIDParams struct {
	// Required. Id of the date preset.
	PresetID string `query:"preset_id"`
	// Name.
	Name string `query:"name"`
	// A range of days: a period, or a list of two.
	Range any `query:"range"`
	// Who sees the preset.
	ShareWith string `query:"share_with"`
	// E-mail addresses of members who may change it.
	SharedEmailEdit any `query:"shared_email_edit"`
	// E-mail addresses of members who may see it.
	SharedEmailView any `query:"shared_email_view"`
	// Groups whose members may change it.
	SharedUserGroupsEdit any `query:"shared_user_groups_edit"`
	// Groups whose members may see it.
	SharedUserGroupsView any `query:"shared_user_groups_view"`
	// Whether today does not count.
	ExcludeCurrentDay bool `query:"exclude_current_day"`
	// Whether the preset is a favourite.
	Fav bool `query:"fav"`
	// Place in the list.
	SortOrder int64 `query:"sort_order"`
}

// GetDatePresetsGetByID: A date preset.
//
// For every member.
//
// It calls GET /o/date_presets/getById.
func (c *Client) GetDatePresetsGetByID(ctx context.Context, p GetDatePresetsGetByIDParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/date_presets/getById", p, false, &out)
	return out, err
}

// GetDefinedEventsParams are the parameters of GetDefinedEvents. Zero values are left out.
type GetDefinedEventsParams struct {
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
}

// GetDefinedEvents: list defined events.
//
// Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/defined_events.
func (c *Client) GetDefinedEvents(ctx context.Context, p GetDefinedEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/defined_events", p, false, &out)
	return out, err
}

// GetDefinedEventsPreviewParams are the parameters of GetDefinedEventsPreview. Zero values are left out.
type GetDefinedEventsPreviewParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Keys of events.
	Events any `query:"events"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetDefinedEventsPreview: figures of a defined event before it is saved.
//
// Needs the right to read `drill`. A read that takes too long goes on as a task.
//
// It calls GET /o/defined_events/preview.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetDefinedEventsPreview(ctx context.Context, p GetDefinedEventsPreviewParams) (out QueryFigures, err error) {
	err = c.call(ctx, "GET", "/o/defined_events/preview", p, true, &out)
	return out, err
}

// GetDefinedEventsUsesParams are the parameters of GetDefinedEventsUses. Zero values are left out.
type GetDefinedEventsUsesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
}

// GetDefinedEventsUses: what uses a defined event.
//
// Needs the right to read `core`.
//
// It calls GET /o/defined_events/uses.
func (c *Client) GetDefinedEventsUses(ctx context.Context, p GetDefinedEventsUsesParams) (out map[string]*DefinedeventsUsesOf, err error) {
	err = c.call(ctx, "GET", "/o/defined_events/uses", p, false, &out)
	return out, err
}

// PostEmailTest: send a test message.
//
// For global administrators.
//
// It calls POST /o/email_test.
func (c *Client) PostEmailTest(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/o/email_test", nil, false, &out)
	return out, err
}

// GetErrorlogsParams are the parameters of GetErrorlogs. Zero values are left out.
type GetErrorlogsParams struct {
	// Which log.
	Log string `query:"log"`
	// How many bytes from the end are read.
	Bytes int64 `query:"bytes"`
	// Answers with a file.
	Download bool `query:"download"`
}

// GetErrorlogs: read logs.
//
// For global administrators.
//
// It calls GET /o/errorlogs.
func (c *Client) GetErrorlogs(ctx context.Context, p GetErrorlogsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/errorlogs", p, false, &out)
	return out, err
}

// GetExplainParams are the parameters of GetExplain. Zero values are left out.
type GetExplainParams struct {
	// Required. Address of the read, below `/o`.
	Read string `query:"read"`
}

// GetExplain: make a read, and say what was done for it.
//
// For global administrators.
//
// It calls GET /o/explain.
func (c *Client) GetExplain(ctx context.Context, p GetExplainParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/explain", p, false, &out)
	return out, err
}

// GetExploreCountParams are the parameters of GetExploreCount. Zero values are left out.
type GetExploreCountParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Keys of events.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Start, in milliseconds since 1970; 0 for no bound.
	From int64 `query:"from"`
	// End, in milliseconds since 1970; 0 for no bound.
	To int64 `query:"to"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetExploreCount: count users and events.
//
// Needs the right to read `events`. A read that takes too long goes on as a task.
//
// It calls GET /o/explore/count.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetExploreCount(ctx context.Context, p GetExploreCountParams) (out ExploreCountRes, err error) {
	err = c.call(ctx, "GET", "/o/explore/count", p, true, &out)
	return out, err
}

// GetExplorePropertiesParams are the parameters of GetExploreProperties. Zero values are left out.
type GetExplorePropertiesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetExploreProperties: properties of an app.
//
// Needs the right to read `core`.
//
// It calls GET /o/explore/properties.
func (c *Client) GetExploreProperties(ctx context.Context, p GetExplorePropertiesParams) (out ExplorePropertiesRes, err error) {
	err = c.call(ctx, "GET", "/o/explore/properties", p, false, &out)
	return out, err
}

// GetExploreViewsParams are the parameters of GetExploreViews. Zero values are left out.
type GetExploreViewsParams struct {
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
	// Description.
	Desc bool `query:"desc"`
}

// GetExploreViews: list saved views.
//
// Needs the right to read `core`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/explore/views.
func (c *Client) GetExploreViews(ctx context.Context, p GetExploreViewsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/explore/views", p, false, &out)
	return out, err
}

// GetExportDataParams are the parameters of GetExportData. Zero values are left out.
type GetExportDataParams struct {
	// Which kind.
	Type string `query:"type"`
	// Name of the file, without extension.
	Filename string `query:"filename"`
	// Required. What is written or exported, as JSON.
	Data any `query:"data"`
	// The text is exported as it is.
	Raw bool `query:"raw"`
}

// GetExportData: export rows that are sent.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/export/data.
func (c *Client) GetExportData(ctx context.Context, p GetExportDataParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/data", p)
}

// GetExportDbParams are the parameters of GetExportDb. Zero values are left out.
type GetExportDbParams struct {
	// Which kind.
	Type string `query:"type"`
	// Name of the file, without extension.
	Filename string `query:"filename"`
	// Required. Name of what is exported: `app_users` with the id of the app behind it, `events`, `drill_events`, or a collection of documents.
	Collection string `query:"collection"`
	// The data base of the wire that the collection is in.
	Db string `query:"db"`
	// Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project any `query:"project"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Whether rows are numbered.
	GetIndex bool `query:"get_index"`
	// Titles of columns by field.
	ColumnNames any `query:"columnNames"`
	// How fields are written, by field.
	FormatFields any `query:"formatFields"`
}

// GetExportDb: export a collection.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/export/db.
func (c *Client) GetExportDb(ctx context.Context, p GetExportDbParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/db", p)
}

// GetExportDownloadParams are the parameters of GetExportDownload. Zero values are left out.
type GetExportDownloadParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetExportDownload: fault of a download without a name.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/export/download.
func (c *Client) GetExportDownload(ctx context.Context, p GetExportDownloadParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/download", p)
}

// GetExportDownloadIDParams are the parameters of GetExportDownloadID. Zero values are left out.
type GetExportDownloadIDParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the document.
	ID string `path:"id"`
}

// GetExportDownloadID: download an export.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/export/download/{id}.
func (c *Client) GetExportDownloadID(ctx context.Context, p GetExportDownloadIDParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/download/{id}", p)
}

// GetExportRequestParams are the parameters of GetExportRequest. Zero values are left out.
type GetExportRequestParams struct {
	// Which kind.
	Type string `query:"type"`
	// Name of the file, without extension.
	Filename string `query:"filename"`
	// Required. Path of the answer that is exported, below `/o`, with or without a query.
	Path string `query:"path"`
	// Where the rows stand in the answer that is exported.
	Prop string `query:"prop"`
	// What is written or exported, as JSON.
	Data any `query:"data"`
	// Id of the app.
	AppID string `query:"app_id"`
	// Which of several requests of this path.
	Method string `query:"method"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
	// Titles of columns by field.
	ColumnNames any `query:"columnNames"`
	// How fields are written, by field.
	Mapper any `query:"mapper"`
}

// GetExportRequest: export the answer of a read.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/export/request.
func (c *Client) GetExportRequest(ctx context.Context, p GetExportRequestParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/export/request", p)
}

// PostExportRequestQueryParams are the parameters of PostExportRequestQuery. Zero values are left out.
type PostExportRequestQueryParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Titles of columns by field.
	ColumnNames any `body:"columnNames"`
	// What is written or exported, as JSON.
	Data any `body:"data"`
	// Name of the file, without extension.
	Filename string `body:"filename"`
	// How fields are written, by field.
	Mapper any `body:"mapper"`
	// Which of several requests of this path.
	Method string `body:"method"`
	// Required. Path of the answer that is exported, below `/o`, with or without a query.
	Path string `body:"path"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `body:"projection"`
	// Where the rows stand in the answer that is exported.
	Prop string `body:"prop"`
	// Which kind.
	Type string `body:"type"`
	// Label of the task.
	TypeName string `body:"type_name"`
}

// PostExportRequestQuery: export the answer of a read as a task.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls POST /o/export/requestQuery.
func (c *Client) PostExportRequestQuery(ctx context.Context, p PostExportRequestQueryParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/o/export/requestQuery", p, false, &out)
	return out, err
}

// GetFeedbackMultipleWidgetsByIDParams are the parameters of GetFeedbackMultipleWidgetsByID. Zero values are left out.
type GetFeedbackMultipleWidgetsByIDParams struct {
	// Required. Ids of widgets.
	Widgets any `query:"widgets"`
}

// GetFeedbackMultipleWidgetsByID: several widgets.
//
// Needs no credentials of a member.
//
// It calls GET /o/feedback/multiple-widgets-by-id.
func (c *Client) GetFeedbackMultipleWidgetsByID(ctx context.Context, p GetFeedbackMultipleWidgetsByIDParams) (out []json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/feedback/multiple-widgets-by-id", p, false, &out)
	return out, err
}

// GetFeedbackWidgetParams are the parameters of GetFeedbackWidget. Zero values are left out.
type GetFeedbackWidgetParams struct {
	// Required. Id of the widget.
	WidgetID string `query:"widget_id"`
}

// GetFeedbackWidget: A widget.
//
// Needs no credentials of a member.
//
// It calls GET /o/feedback/widget.
func (c *Client) GetFeedbackWidget(ctx context.Context, p GetFeedbackWidgetParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/feedback/widget", p, false, &out)
	return out, err
}

// GetFlowsParams are the parameters of GetFlows. Zero values are left out.
type GetFlowsParams struct {
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
	// Which of several requests of this path.
	Method string `query:"method"`
	// Id of the document.
	ID string `query:"_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetFlows: list flows, or the result of one.
//
// Needs the right to read `flows`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/flows.
func (c *Client) GetFlows(ctx context.Context, p GetFlowsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/flows", p, false, &out)
	return out, err
}

// GetFlowsPathsParams are the parameters of GetFlowsPaths. Zero values are left out.
type GetFlowsPathsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Name.
	Name string `query:"name"`
	// Which kind.
	Type string `query:"type"`
	// Required. The event that starts it.
	Start any `query:"start"`
	// The event that paths end at.
	End any `query:"end"`
	// Events that paths leave out.
	Exclude any `query:"exclude"`
	// Filter of users.
	UserSegmentation any `query:"user_segmentation"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Whether the flow is not calculated.
	Disabled bool `query:"disabled"`
	// Options of the calculation.
	Options any `query:"options"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetFlowsPaths: paths of a flow that is not saved.
//
// Needs the right to read `flows`. A read that takes too long goes on as a task.
//
// It calls GET /o/flows/paths.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetFlowsPaths(ctx context.Context, p GetFlowsPathsParams) (out FlowsData, err error) {
	err = c.call(ctx, "GET", "/o/flows/paths", p, true, &out)
	return out, err
}

// GetIngestOutcomesParams are the parameters of GetIngestOutcomes. Zero values are left out.
type GetIngestOutcomesParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetIngestOutcomes: what became of received items, of an app or, for global administrators, of what came for none.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/ingest/outcomes.
func (c *Client) GetIngestOutcomes(ctx context.Context, p GetIngestOutcomesParams) (out OutcomesAnswer, err error) {
	err = c.call(ctx, "GET", "/o/ingest/outcomes", p, false, &out)
	return out, err
}

// GetInspectorProfileParams are the parameters of GetInspectorProfile. Zero values are left out.
type GetInspectorProfileParams struct {
	// Required. Name of the profile.
	Profile string `path:"profile"`
}

// GetInspectorProfile: download a profile.
//
// For global administrators.
//
// It calls GET /o/inspector/{profile}.
func (c *Client) GetInspectorProfile(ctx context.Context, p GetInspectorProfileParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/inspector/{profile}", p)
}

// GetInternalEventsParams are the parameters of GetInternalEvents. Zero values are left out.
type GetInternalEventsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetInternalEvents: keys of the events of the server.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/internal-events.
func (c *Client) GetInternalEvents(ctx context.Context, p GetInternalEventsParams) (out []string, err error) {
	err = c.call(ctx, "GET", "/o/internal-events", p, false, &out)
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

// GetLangmap: languages.
//
// Needs no credentials of a member.
//
// It calls GET /o/langmap.
func (c *Client) GetLangmap(ctx context.Context) (out map[string]LocaleLanguage, err error) {
	err = c.call(ctx, "GET", "/o/langmap", nil, false, &out)
	return out, err
}

// GetLiveFeedParams are the parameters of GetLiveFeed. Zero values are left out.
type GetLiveFeedParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetLiveFeed: stream of events as they arrive.
//
// Needs the right to read `events`.
//
// It calls GET /o/live/feed.
func (c *Client) GetLiveFeed(ctx context.Context, p GetLiveFeedParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/live/feed", p)
}

// GetLiveNowParams are the parameters of GetLiveNow. Zero values are left out.
type GetLiveNowParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetLiveNow: figures of the moment.
//
// Needs the right to read `core`.
//
// It calls GET /o/live/now.
func (c *Client) GetLiveNow(ctx context.Context, p GetLiveNowParams) (out LiveTiles, err error) {
	err = c.call(ctx, "GET", "/o/live/now", p, false, &out)
	return out, err
}

// GetLiveTilesParams are the parameters of GetLiveTiles. Zero values are left out.
type GetLiveTilesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetLiveTiles: stream of figures of the moment.
//
// Needs the right to read `core`.
//
// It calls GET /o/live/tiles.
func (c *Client) GetLiveTiles(ctx context.Context, p GetLiveTilesParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/live/tiles", p)
}

// GetMethodAllAppsParams are the parameters of GetMethodAllApps. Zero values are left out.
type GetMethodAllAppsParams struct {
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
}

// GetMethodAllApps: figures of all apps.
//
// For global administrators. The same as `/o?method=all_apps`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/all_apps.
func (c *Client) GetMethodAllApps(ctx context.Context, p GetMethodAllAppsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/all_apps", p, false, &out)
	return out, err
}

// GetMethodAppVersionsParams are the parameters of GetMethodAppVersions. Zero values are left out.
type GetMethodAppVersionsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodAppVersions: figures by version of the app.
//
// Needs the right to read `core`. The same as `/o?method=app_versions`.
//
// It calls GET /o/method/app_versions.
func (c *Client) GetMethodAppVersions(ctx context.Context, p GetMethodAppVersionsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/app_versions", p, false, &out)
	return out, err
}

// GetMethodBrowserParams are the parameters of GetMethodBrowser. Zero values are left out.
type GetMethodBrowserParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodBrowser: figures by browser.
//
// Needs the right to read `core`. The same as `/o?method=browser`.
//
// It calls GET /o/method/browser.
func (c *Client) GetMethodBrowser(ctx context.Context, p GetMethodBrowserParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/browser", p, false, &out)
	return out, err
}

// GetMethodCalculatedMetricsParams are the parameters of GetMethodCalculatedMetrics. Zero values are left out.
type GetMethodCalculatedMetricsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Which form of the calculation.
	Mode string `query:"mode"`
	// Id of the calculated metric.
	MetricID string `query:"metric_id"`
	// The formula, as an object.
	Formula any `query:"formula"`
	// Required. Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// With the value of the period before.
	Previous bool `query:"previous"`
	// Answers with the metric beside its value.
	MetricDetails bool `query:"metric_details"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodCalculatedMetrics: values of a calculated metric.
//
// Needs the right to read `formulas`. The same as `/o?method=calculated_metrics`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/calculated_metrics.
func (c *Client) GetMethodCalculatedMetrics(ctx context.Context, p GetMethodCalculatedMetricsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/calculated_metrics", p, false, &out)
	return out, err
}

// GetMethodCarriersParams are the parameters of GetMethodCarriers. Zero values are left out.
type GetMethodCarriersParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodCarriers: figures by carrier.
//
// Needs the right to read `core`. The same as `/o?method=carriers`.
//
// It calls GET /o/method/carriers.
func (c *Client) GetMethodCarriers(ctx context.Context, p GetMethodCarriersParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/carriers", p, false, &out)
	return out, err
}

// GetMethodCitiesParams are the parameters of GetMethodCities. Zero values are left out.
type GetMethodCitiesParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodCities: figures by city.
//
// Needs the right to read `core`. The same as `/o?method=cities`.
//
// It calls GET /o/method/cities.
func (c *Client) GetMethodCities(ctx context.Context, p GetMethodCitiesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/cities", p, false, &out)
	return out, err
}

// GetMethodCohortdataParams are the parameters of GetMethodCohortdata. Zero values are left out.
type GetMethodCohortdataParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Ids of cohorts.
	Cohorts any `query:"cohorts"`
	// How many rows are left out at the start.
	IDisplayStart int64 `query:"iDisplayStart"`
	// How many rows at most; a negative number for as many as the list allows.
	IDisplayLength *int64 `query:"iDisplayLength"`
}

// GetMethodCohortdata: sizes of cohorts over time.
//
// Needs the right to read `cohorts`. The same as `/o?method=cohortdata`.
//
// It calls GET /o/method/cohortdata.
func (c *Client) GetMethodCohortdata(ctx context.Context, p GetMethodCohortdataParams) (out []CohortsData, err error) {
	err = c.call(ctx, "GET", "/o/method/cohortdata", p, false, &out)
	return out, err
}

// GetMethodCohortstateParams are the parameters of GetMethodCohortstate. Zero values are left out.
type GetMethodCohortstateParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCohortstate: state of the calculation of cohorts.
//
// Needs the right to read `cohorts`. The same as `/o?method=cohortstate`.
//
// It calls GET /o/method/cohortstate.
func (c *Client) GetMethodCohortstate(ctx context.Context, p GetMethodCohortstateParams) (out CohortsStateRes, err error) {
	err = c.call(ctx, "GET", "/o/method/cohortstate", p, false, &out)
	return out, err
}

// GetMethodCollectionInfoParams are the parameters of GetMethodCollectionInfo. Zero values are left out.
type GetMethodCollectionInfoParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCollectionInfo: size of the log of requests.
//
// Needs the right to read `logger`. The same as `/o?method=collection_info`.
//
// It calls GET /o/method/collection_info.
func (c *Client) GetMethodCollectionInfo(ctx context.Context, p GetMethodCollectionInfoParams) (out LoggerInfo, err error) {
	err = c.call(ctx, "GET", "/o/method/collection_info", p, false, &out)
	return out, err
}

// GetMethodConcurrentParams are the parameters of GetMethodConcurrent. Zero values are left out.
type GetMethodConcurrentParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// Ids of the apps whose figures are read.
	RApps any `query:"r_apps"`
	// Which form of the calculation.
	Mode string `query:"mode"`
	// Whether users in their first session are counted apart.
	AddNew string `query:"add_new"`
}

// GetMethodConcurrent: users online, by mode.
//
// For every member. The same as `/o?method=concurrent`. Tokens that are limited to apps may be used.
//
// It calls GET /o/method/concurrent.
func (c *Client) GetMethodConcurrent(ctx context.Context, p GetMethodConcurrentParams) (out *ConcurrentusersMetrics, err error) {
	err = c.call(ctx, "GET", "/o/method/concurrent", p, false, &out)
	return out, err
}

// GetMethodConcurrentAlertsParams are the parameters of GetMethodConcurrentAlerts. Zero values are left out.
type GetMethodConcurrentAlertsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodConcurrentAlerts: alerts about users online.
//
// Needs the right to read `concurrent_users`. The same as `/o?method=concurrent_alerts`.
//
// It calls GET /o/method/concurrent_alerts.
func (c *Client) GetMethodConcurrentAlerts(ctx context.Context, p GetMethodConcurrentAlertsParams) (out []ConcurrentusersShownAlert, err error) {
	err = c.call(ctx, "GET", "/o/method/concurrent_alerts", p, false, &out)
	return out, err
}

// PostMethodConfigUploadParams are the parameters of PostMethodConfigUpload. Zero values are left out.
type PostMethodConfigUploadParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Settings of SDKs.
	Config any `body:"config"`
}

// PostMethodConfigUpload: replace the settings of SDKs.
//
// Needs the right to update `sdk`. The same as `/o?method=config-upload`.
//
// It calls POST /o/method/config-upload.
func (c *Client) PostMethodConfigUpload(ctx context.Context, p PostMethodConfigUploadParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/o/method/config-upload", p, false, &out)
	return out, err
}

// GetMethodConsentsParams are the parameters of GetMethodConsents. Zero values are left out.
type GetMethodConsentsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
}

// GetMethodConsents: consents over time.
//
// Needs the right to read `compliance_hub`. The same as `/o?method=consents`.
//
// It calls GET /o/method/consents.
func (c *Client) GetMethodConsents(ctx context.Context, p GetMethodConsentsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/consents", p, false, &out)
	return out, err
}

// GetMethodCountriesParams are the parameters of GetMethodCountries. Zero values are left out.
type GetMethodCountriesParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodCountries: figures by country.
//
// Needs the right to read `core`. The same as `/o?method=countries`.
//
// It calls GET /o/method/countries.
func (c *Client) GetMethodCountries(ctx context.Context, p GetMethodCountriesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/countries", p, false, &out)
	return out, err
}

// GetMethodCrashJobsParams are the parameters of GetMethodCrashJobs. Zero values are left out.
type GetMethodCrashJobsParams struct {
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
	// Platform: `android`, `ios`, `javascript` and so on.
	Platform string `query:"platform"`
	// State that is looked for.
	Status string `query:"status"`
	// Which form of the list.
	OutputFormat string `query:"outputFormat"`
}

// GetMethodCrashJobs: list symbolications.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_jobs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/crash_jobs.
func (c *Client) GetMethodCrashJobs(ctx context.Context, p GetMethodCrashJobsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_jobs", p, false, &out)
	return out, err
}

// GetMethodCrashReleasesParams are the parameters of GetMethodCrashReleases. Zero values are left out.
type GetMethodCrashReleasesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashReleases: crashes by version of the app.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_releases`.
//
// It calls GET /o/method/crash_releases.
func (c *Client) GetMethodCrashReleases(ctx context.Context, p GetMethodCrashReleasesParams) (out CrashesReleasesRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_releases", p, false, &out)
	return out, err
}

// GetMethodCrashReportParams are the parameters of GetMethodCrashReport. Zero values are left out.
type GetMethodCrashReportParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the crash report.
	ReportID string `query:"report_id"`
}

// GetMethodCrashReport: A crash report.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_report`.
//
// It calls GET /o/method/crash_report.
func (c *Client) GetMethodCrashReport(ctx context.Context, p GetMethodCrashReportParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_report", p, false, &out)
	return out, err
}

// GetMethodCrashRulesParams are the parameters of GetMethodCrashRules. Zero values are left out.
type GetMethodCrashRulesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashRules: rules for crash groups.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_rules`.
//
// It calls GET /o/method/crash_rules.
func (c *Client) GetMethodCrashRules(ctx context.Context, p GetMethodCrashRulesParams) (out CrashesRulesRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_rules", p, false, &out)
	return out, err
}

// GetMethodCrashSymbolsParams are the parameters of GetMethodCrashSymbols. Zero values are left out.
type GetMethodCrashSymbolsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashSymbols: list symbol files.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_symbols`.
//
// It calls GET /o/method/crash_symbols.
func (c *Client) GetMethodCrashSymbols(ctx context.Context, p GetMethodCrashSymbolsParams) (out []SymbolicationListed, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_symbols", p, false, &out)
	return out, err
}

// GetMethodCrashSymbolsOverviewParams are the parameters of GetMethodCrashSymbolsOverview. Zero values are left out.
type GetMethodCrashSymbolsOverviewParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashSymbolsOverview: symbols of an app, and the builds that lack some.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_symbols_overview`.
//
// It calls GET /o/method/crash_symbols_overview.
func (c *Client) GetMethodCrashSymbolsOverview(ctx context.Context, p GetMethodCrashSymbolsOverviewParams) (out SymbolicationOverview, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_symbols_overview", p, false, &out)
	return out, err
}

// GetMethodCrashVariantsParams are the parameters of GetMethodCrashVariants. Zero values are left out.
type GetMethodCrashVariantsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
}

// GetMethodCrashVariants: variants of a crash group.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_variants`.
//
// It calls GET /o/method/crash_variants.
func (c *Client) GetMethodCrashVariants(ctx context.Context, p GetMethodCrashVariantsParams) (out CrashesVariantsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_variants", p, false, &out)
	return out, err
}

// GetMethodCrashVelocityParams are the parameters of GetMethodCrashVelocity. Zero values are left out.
type GetMethodCrashVelocityParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodCrashVelocity: crash groups that spread.
//
// Needs the right to read `crashes`. The same as `/o?method=crash_velocity`.
//
// It calls GET /o/method/crash_velocity.
func (c *Client) GetMethodCrashVelocity(ctx context.Context, p GetMethodCrashVelocityParams) (out CrashesVelocity, err error) {
	err = c.call(ctx, "GET", "/o/method/crash_velocity", p, false, &out)
	return out, err
}

// GetMethodCrashesParams are the parameters of GetMethodCrashes. Zero values are left out.
type GetMethodCrashesParams struct {
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
	// A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Answers with the users who had the crash.
	Userlist bool `query:"userlist"`
	// Answers with a list.
	List bool `query:"list"`
	// Answers with the figures of crashes by day.
	Graph bool `query:"graph"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Operating system.
	Os string `query:"os"`
	// Version of the app.
	AppVersion string `query:"app_version"`
}

// GetMethodCrashes: list crash groups, show one, or figures of crashes.
//
// Needs the right to read `crashes`. The same as `/o?method=crashes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/crashes.
func (c *Client) GetMethodCrashes(ctx context.Context, p GetMethodCrashesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/crashes", p, false, &out)
	return out, err
}

// GetMethodDensityParams are the parameters of GetMethodDensity. Zero values are left out.
type GetMethodDensityParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodDensity: figures by density of screens.
//
// Needs the right to read `core`. The same as `/o?method=density`.
//
// It calls GET /o/method/density.
func (c *Client) GetMethodDensity(ctx context.Context, p GetMethodDensityParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/density", p, false, &out)
	return out, err
}

// GetMethodDeviceDetailsParams are the parameters of GetMethodDeviceDetails. Zero values are left out.
type GetMethodDeviceDetailsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodDeviceDetails: figures by operating system.
//
// Needs the right to read `core`. The same as `/o?method=device_details`.
//
// It calls GET /o/method/device_details.
func (c *Client) GetMethodDeviceDetails(ctx context.Context, p GetMethodDeviceDetailsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/device_details", p, false, &out)
	return out, err
}

// GetMethodDevicesParams are the parameters of GetMethodDevices. Zero values are left out.
type GetMethodDevicesParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodDevices: figures by device.
//
// Needs the right to read `core`. The same as `/o?method=devices`.
//
// It calls GET /o/method/devices.
func (c *Client) GetMethodDevices(ctx context.Context, p GetMethodDevicesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/devices", p, false, &out)
	return out, err
}

// GetMethodDownloadSymbolParams are the parameters of GetMethodDownloadSymbol. Zero values are left out.
type GetMethodDownloadSymbolParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the build's files.
	SymbolID string `query:"symbol_id"`
	// Id of one file of several.
	FileID string `query:"file_id"`
}

// GetMethodDownloadSymbol: download a symbol file.
//
// Needs the right to read `crashes`. The same as `/o?method=download_symbol`.
//
// It calls GET /o/method/download_symbol.
func (c *Client) GetMethodDownloadSymbol(ctx context.Context, p GetMethodDownloadSymbolParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/method/download_symbol", p)
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

// GetMethodEventsParams are the parameters of GetMethodEvents. Zero values are left out.
type GetMethodEventsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodEvents: figures of events.
//
// Needs the right to read `core`. The same as `/o?method=events`.
//
// It calls GET /o/method/events.
func (c *Client) GetMethodEvents(ctx context.Context, p GetMethodEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/events", p, false, &out)
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
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// The step whose event has the property, from 0.
	BreakdownStep int64 `query:"breakdown_step"`
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

// GetMethodGeodataParams are the parameters of GetMethodGeodata. Zero values are left out.
type GetMethodGeodataParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodGeodata: figures by place.
//
// Needs the right to read `core`. The same as `/o?method=geodata`.
//
// It calls GET /o/method/geodata.
func (c *Client) GetMethodGeodata(ctx context.Context, p GetMethodGeodataParams) (out []QueryMetricRow, err error) {
	err = c.call(ctx, "GET", "/o/method/geodata", p, false, &out)
	return out, err
}

// GetMethodGetCohortParams are the parameters of GetMethodGetCohort. Zero values are left out.
type GetMethodGetCohortParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the cohort.
	Cohort string `query:"cohort"`
}

// GetMethodGetCohort: A cohort.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohort`.
//
// It calls GET /o/method/get_cohort.
func (c *Client) GetMethodGetCohort(ctx context.Context, p GetMethodGetCohortParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohort", p, false, &out)
	return out, err
}

// GetMethodGetCohortListParams are the parameters of GetMethodGetCohortList. Zero values are left out.
type GetMethodGetCohortListParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which kind.
	Type string `query:"type"`
}

// GetMethodGetCohortList: names of cohorts.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohort_list`.
//
// It calls GET /o/method/get_cohort_list.
func (c *Client) GetMethodGetCohortList(ctx context.Context, p GetMethodGetCohortListParams) (out map[string]string, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohort_list", p, false, &out)
	return out, err
}

// GetMethodGetCohortMetricsParams are the parameters of GetMethodGetCohortMetrics. Zero values are left out.
type GetMethodGetCohortMetricsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Id of the cohort, of several as a JSON list where many are meant.
	CohortID string `query:"cohort_id"`
	// Required. Names of metrics.
	Metrics any `query:"metrics"`
}

// GetMethodGetCohortMetrics: metrics of the users of a cohort.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohort_metrics`.
//
// It calls GET /o/method/get_cohort_metrics.
func (c *Client) GetMethodGetCohortMetrics(ctx context.Context, p GetMethodGetCohortMetricsParams) (out CohortsMetricsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohort_metrics", p, false, &out)
	return out, err
}

// GetMethodGetCohortsParams are the parameters of GetMethodGetCohorts. Zero values are left out.
type GetMethodGetCohortsParams struct {
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
	// Which form of the list.
	OutputFormat string `query:"outputFormat"`
	// Which kind.
	Type string `query:"type"`
	// A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Projection any `query:"projection"`
}

// GetMethodGetCohorts: list cohorts.
//
// Needs the right to read `cohorts`. The same as `/o?method=get_cohorts`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/get_cohorts.
func (c *Client) GetMethodGetCohorts(ctx context.Context, p GetMethodGetCohortsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_cohorts", p, false, &out)
	return out, err
}

// GetMethodGetEventGroupParams are the parameters of GetMethodGetEventGroup. Zero values are left out.
type GetMethodGetEventGroupParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Id of the document.
	ID string `query:"_id"`
}

// GetMethodGetEventGroup: an event group.
//
// Needs the right to read `core`. The same as `/o?method=get_event_group`.
//
// It calls GET /o/method/get_event_group.
func (c *Client) GetMethodGetEventGroup(ctx context.Context, p GetMethodGetEventGroupParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_event_group", p, false, &out)
	return out, err
}

// GetMethodGetEventGroupsParams are the parameters of GetMethodGetEventGroups. Zero values are left out.
type GetMethodGetEventGroupsParams struct {
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
}

// GetMethodGetEventGroups: list event groups.
//
// Needs the right to read `core`. The same as `/o?method=get_event_groups`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/get_event_groups.
func (c *Client) GetMethodGetEventGroups(ctx context.Context, p GetMethodGetEventGroupsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_event_groups", p, false, &out)
	return out, err
}

// GetMethodGetEventsParams are the parameters of GetMethodGetEvents. Zero values are left out.
type GetMethodGetEventsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodGetEvents: events of an app with their segments.
//
// Needs the right to read `core`. The same as `/o?method=get_events`.
//
// It calls GET /o/method/get_events.
func (c *Client) GetMethodGetEvents(ctx context.Context, p GetMethodGetEventsParams) (out EventsList, err error) {
	err = c.call(ctx, "GET", "/o/method/get_events", p, false, &out)
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

// GetMethodGetPeriodObjParams are the parameters of GetMethodGetPeriodObj. Zero values are left out.
type GetMethodGetPeriodObjParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodGetPeriodObj: days of a period.
//
// Needs the right to read `core`. The same as `/o?method=get_period_obj`.
//
// It calls GET /o/method/get_period_obj.
func (c *Client) GetMethodGetPeriodObj(ctx context.Context, p GetMethodGetPeriodObjParams) (out AnalyticsPeriodRes, err error) {
	err = c.call(ctx, "GET", "/o/method/get_period_obj", p, false, &out)
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

// GetMethodJobsParams are the parameters of GetMethodJobs. Zero values are left out.
type GetMethodJobsParams struct {
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
	// Name.
	Name string `query:"name"`
}

// GetMethodJobs: list jobs.
//
// For global administrators. The same as `/o?method=jobs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/jobs.
func (c *Client) GetMethodJobs(ctx context.Context, p GetMethodJobsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/jobs", p, false, &out)
	return out, err
}

// GetMethodKeywordsParams are the parameters of GetMethodKeywords. Zero values are left out.
type GetMethodKeywordsParams struct {
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

// GetMethodKeywords: what people searched for.
//
// Needs the right to read `sources`. The same as `/o?method=keywords`.
//
// It calls GET /o/method/keywords.
func (c *Client) GetMethodKeywords(ctx context.Context, p GetMethodKeywordsParams) (out []AttributionVisitRow, err error) {
	err = c.call(ctx, "GET", "/o/method/keywords", p, false, &out)
	return out, err
}

// GetMethodLangsParams are the parameters of GetMethodLangs. Zero values are left out.
type GetMethodLangsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodLangs: figures by language.
//
// Needs the right to read `locale`. The same as `/o?method=langs`.
//
// It calls GET /o/method/langs.
func (c *Client) GetMethodLangs(ctx context.Context, p GetMethodLangsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/langs", p, false, &out)
	return out, err
}

// GetMethodLiveParams are the parameters of GetMethodLive. Zero values are left out.
type GetMethodLiveParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodLive: users online now.
//
// Needs the right to read `concurrent_users`. The same as `/o?method=live`.
//
// It calls GET /o/method/live.
func (c *Client) GetMethodLive(ctx context.Context, p GetMethodLiveParams) (out ConcurrentusersNow, err error) {
	err = c.call(ctx, "GET", "/o/method/live", p, false, &out)
	return out, err
}

// GetMethodLocationsParams are the parameters of GetMethodLocations. Zero values are left out.
type GetMethodLocationsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodLocations: figures by country.
//
// Needs the right to read `core`. The same as `/o?method=locations`.
//
// It calls GET /o/method/locations.
func (c *Client) GetMethodLocations(ctx context.Context, p GetMethodLocationsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/locations", p, false, &out)
	return out, err
}

// GetMethodLogsParams are the parameters of GetMethodLogs. Zero values are left out.
type GetMethodLogsParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
}

// GetMethodLogs: requests of clients.
//
// Needs the right to read `logger`. The same as `/o?method=logs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/logs.
func (c *Client) GetMethodLogs(ctx context.Context, p GetMethodLogsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/logs", p, false, &out)
	return out, err
}

// GetMethodNotesParams are the parameters of GetMethodNotes. Zero values are left out.
type GetMethodNotesParams struct {
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
	// Ids of the apps of the notes.
	NotesApps any `query:"notes_apps"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Who sees the notes: `private`, `shared`, `public`.
	NoteType string `query:"note_type"`
	// Ids of categories.
	Category string `query:"category"`
}

// GetMethodNotes: list notes of an app.
//
// Needs the right to read `core`. The same as `/o?method=notes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/notes.
func (c *Client) GetMethodNotes(ctx context.Context, p GetMethodNotesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/notes", p, false, &out)
	return out, err
}

// GetMethodReportsParams are the parameters of GetMethodReports. Zero values are left out.
type GetMethodReportsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Ids of crash reports.
	ReportIDs any `query:"report_ids"`
	// Id of the crash report.
	ReportID string `query:"report_id"`
}

// GetMethodReports: crash reports.
//
// Needs the right to read `crashes`. The same as `/o?method=reports`.
//
// It calls GET /o/method/reports.
func (c *Client) GetMethodReports(ctx context.Context, p GetMethodReportsParams) (out map[string]map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/reports", p, false, &out)
	return out, err
}

// GetMethodRetentionParams are the parameters of GetMethodRetention. Zero values are left out.
type GetMethodRetentionParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Unit of the table.
	Rettype string `query:"rettype"`
	// Key of the event that users come back with.
	Evt string `query:"evt"`
	// A range of days: a period, or a list of two.
	Range any `query:"range"`
	// How many units.
	Span int64 `query:"span"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodRetention: retention as a table.
//
// Needs the right to read `retention_segments`. The same as `/o?method=retention`. A read that takes too long goes on as a task.
//
// It calls GET /o/method/retention.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetMethodRetention(ctx context.Context, p GetMethodRetentionParams) (out []json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/retention", p, true, &out)
	return out, err
}

// GetMethodSDKConfigParams are the parameters of GetMethodSDKConfig. Zero values are left out.
type GetMethodSDKConfigParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodSDKConfig: settings of SDKs.
//
// Needs the right to read `sdk`. The same as `/o?method=sdk-config`.
//
// It calls GET /o/method/sdk-config.
func (c *Client) GetMethodSDKConfig(ctx context.Context, p GetMethodSDKConfigParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/sdk-config", p, false, &out)
	return out, err
}

// GetMethodSDKEnforcementParams are the parameters of GetMethodSDKEnforcement. Zero values are left out.
type GetMethodSDKEnforcementParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodSDKEnforcement: which settings of SDKs are enforced.
//
// Needs the right to read `sdk`. The same as `/o?method=sdk-enforcement`.
//
// It calls GET /o/method/sdk-enforcement.
func (c *Client) GetMethodSDKEnforcement(ctx context.Context, p GetMethodSDKEnforcementParams) (out map[string]bool, err error) {
	err = c.call(ctx, "GET", "/o/method/sdk-enforcement", p, false, &out)
	return out, err
}

// GetMethodSdksParams are the parameters of GetMethodSdks. Zero values are left out.
type GetMethodSdksParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodSdks: figures by SDK.
//
// Needs the right to read `core`. The same as `/o?method=sdks`.
//
// It calls GET /o/method/sdks.
func (c *Client) GetMethodSdks(ctx context.Context, p GetMethodSdksParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/sdks", p, false, &out)
	return out, err
}

// GetMethodSegmentationParams are the parameters of GetMethodSegmentation. Zero values are left out.
type GetMethodSegmentationParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
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
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
	Skip int64 `query:"skip"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// The measure by which values are ranked.
	SortGraphBy string `query:"sortGraphBy"`
	// Ids of cohorts.
	Cohorts any `query:"cohorts"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Steps, in their order.
	Steps any `query:"steps"`
	// What is measured, such as `[{"agg":"sum","prop":"sum"}]`.
	Measures any `query:"measures"`
	// Upper limits of the groups that numbers are put into.
	Bins any `query:"bins"`
	// What the values beyond the limit are called.
	Other string `query:"other"`
	// The period that is compared with, and how.
	Compare any `query:"compare"`
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
	// Required. Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
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
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
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
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Steps, in their order.
	Steps any `query:"steps"`
	// Upper limits of the groups that numbers are put into.
	Bins any `query:"bins"`
	// The bucket of a series whose users are listed, as the series names it.
	At string `query:"at"`
	// Groups that it is in.
	Groups any `query:"groups"`
	// Groups that users must not be in.
	NotGroups any `query:"not_groups"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// How many rows are left out at the start.
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

// GetMethodSessionsParams are the parameters of GetMethodSessions. Zero values are left out.
type GetMethodSessionsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodSessions: figures of sessions.
//
// Needs the right to read `core`. The same as `/o?method=sessions`.
//
// It calls GET /o/method/sessions.
func (c *Client) GetMethodSessions(ctx context.Context, p GetMethodSessionsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/sessions", p, false, &out)
	return out, err
}

// GetMethodSourcesParams are the parameters of GetMethodSources. Zero values are left out.
type GetMethodSourcesParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodSources: figures by source.
//
// Needs the right to read `core`. The same as `/o?method=sources`.
//
// It calls GET /o/method/sources.
func (c *Client) GetMethodSources(ctx context.Context, p GetMethodSourcesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/sources", p, false, &out)
	return out, err
}

// GetMethodSystemlogsParams are the parameters of GetMethodSystemlogs. Zero values are left out.
type GetMethodSystemlogsParams struct {
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
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetMethodSystemlogs: list the audit log.
//
// For global administrators. The same as `/o?method=systemlogs`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/systemlogs.
func (c *Client) GetMethodSystemlogs(ctx context.Context, p GetMethodSystemlogsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/systemlogs", p, false, &out)
	return out, err
}

// GetMethodSystemlogsMetaParams are the parameters of GetMethodSystemlogsMeta. Zero values are left out.
type GetMethodSystemlogsMetaParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodSystemlogsMeta: actions and members of the audit log.
//
// For global administrators. The same as `/o?method=systemlogs_meta`.
//
// It calls GET /o/method/systemlogs_meta.
func (c *Client) GetMethodSystemlogsMeta(ctx context.Context, p GetMethodSystemlogsMetaParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/systemlogs_meta", p, false, &out)
	return out, err
}

// GetMethodTimesOfDayParams are the parameters of GetMethodTimesOfDay. Zero values are left out.
type GetMethodTimesOfDayParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Required. Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodTimesOfDay: figures by day of the week and hour.
//
// Needs the right to read `times_of_day`. The same as `/o?method=times-of-day`.
//
// It calls GET /o/method/times-of-day.
func (c *Client) GetMethodTimesOfDay(ctx context.Context, p GetMethodTimesOfDayParams) (out [][]int64, err error) {
	err = c.call(ctx, "GET", "/o/method/times-of-day", p, false, &out)
	return out, err
}

// GetMethodTopEventsParams are the parameters of GetMethodTopEvents. Zero values are left out.
type GetMethodTopEventsParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodTopEvents: events with the most occurrences.
//
// Needs the right to read `core`. The same as `/o?method=top_events`.
//
// It calls GET /o/method/top_events.
func (c *Client) GetMethodTopEvents(ctx context.Context, p GetMethodTopEventsParams) (out []QueryTopEvent, err error) {
	err = c.call(ctx, "GET", "/o/method/top_events", p, false, &out)
	return out, err
}

// GetMethodTotalUsersParams are the parameters of GetMethodTotalUsers. Zero values are left out.
type GetMethodTotalUsersParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodTotalUsers: users by value of a metric.
//
// Needs the right to read `core`. The same as `/o?method=total_users`.
//
// It calls GET /o/method/total_users.
func (c *Client) GetMethodTotalUsers(ctx context.Context, p GetMethodTotalUsersParams) (out []QueryUsersRow, err error) {
	err = c.call(ctx, "GET", "/o/method/total_users", p, false, &out)
	return out, err
}

// GetMethodUserCountsParams are the parameters of GetMethodUserCounts. Zero values are left out.
type GetMethodUserCountsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodUserCounts: how many users there are, and how many of them are anonymous.
//
// Needs the right to read `users`. The same as `/o?method=user_counts`.
//
// It calls GET /o/method/user_counts.
func (c *Client) GetMethodUserCounts(ctx context.Context, p GetMethodUserCountsParams) (out AppusersCountsRes, err error) {
	err = c.call(ctx, "GET", "/o/method/user_counts", p, false, &out)
	return out, err
}

// GetMethodUserCrashesParams are the parameters of GetMethodUserCrashes. Zero values are left out.
type GetMethodUserCrashesParams struct {
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
	// Required. Number of the user.
	UID string `query:"uid"`
	// Whether the groups are described.
	Names bool `query:"names"`
}

// GetMethodUserCrashes: crashes of a user.
//
// Needs the right to read `crashes`. The same as `/o?method=user_crashes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/user_crashes.
func (c *Client) GetMethodUserCrashes(ctx context.Context, p GetMethodUserCrashesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/user_crashes", p, false, &out)
	return out, err
}

// GetMethodUserDetailsParams are the parameters of GetMethodUserDetails. Zero values are left out.
type GetMethodUserDetailsParams struct {
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
	// Number of the user.
	UID string `query:"uid"`
	// Id of a device of the user.
	Did string `query:"did"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Id of the cohort whose members are listed.
	ProfileGroup string `query:"profile_group"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetMethodUserDetails: users, or one user.
//
// Needs the right to read `users`. The same as `/o?method=user_details`. The answer is a list, which pages, sorts and searches. A read that takes too long goes on as a task.
//
// It calls GET /o/method/user_details.
func (c *Client) GetMethodUserDetails(ctx context.Context, p GetMethodUserDetailsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/user_details", p, false, &out)
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

// GetMethodUsersParams are the parameters of GetMethodUsers. Zero values are left out.
type GetMethodUsersParams struct {
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
	// What the read answers beside the plain figures, where it has several forms: `refresh` for today alone, `getTable`, `getGraph`.
	Action string `query:"action"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// Width of the points of a series.
	Step string `query:"step"`
	// A second period, whose figures stand beside the first.
	Against string `query:"against"`
	// Which figure is compared.
	Of string `query:"of"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Name of the metric: `_os`, `_device`, `_app_version` and so on.
	Metric string `query:"metric"`
	// Names of metrics.
	Metrics any `query:"metrics"`
	// Key of an event; `[CLY]_session`, `[CLY]_view` and so on for those of the server.
	Event string `query:"event"`
	// Keys of events.
	Events any `query:"events"`
	// Name of the segmentation of the event.
	Segmentation string `query:"segmentation"`
	// Answers with sums rather than the time line.
	Overview bool `query:"overview"`
	// The part of the dashboard that the answer is for.
	LoadFor string `query:"loadFor"`
	// How many rows at most.
	Limit int64 `query:"limit"`
	// Days of the week and hours: `weekdays`, `weekends`, or a period.
	DateRange string `query:"date_range"`
	// Key of the event whose times are counted.
	TodType string `query:"tod_type"`
}

// GetMethodUsers: figures of users.
//
// Needs the right to read `core`. The same as `/o?method=users`.
//
// It calls GET /o/method/users.
func (c *Client) GetMethodUsers(ctx context.Context, p GetMethodUsersParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/users", p, false, &out)
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

// GetNotesParams are the parameters of GetNotes. Zero values are left out.
type GetNotesParams struct {
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
	// Ids of the apps of the notes.
	NotesApps any `query:"notes_apps"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Who sees the notes: `private`, `shared`, `public`.
	NoteType string `query:"note_type"`
	// Ids of categories.
	Category string `query:"category"`
}

// GetNotes: list notes.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/notes.
func (c *Client) GetNotes(ctx context.Context, p GetNotesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/notes", p, false, &out)
	return out, err
}

// GetPing: whether the server accepts data.
//
// Needs no credentials of a member.
//
// It calls GET /o/ping.
func (c *Client) GetPing(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/ping", nil, false, &out)
	return out, err
}

// GetPlugins: list features.
//
// For global administrators.
//
// It calls GET /o/plugins.
func (c *Client) GetPlugins(ctx context.Context) (out []PluginsRow, err error) {
	err = c.call(ctx, "GET", "/o/plugins", nil, false, &out)
	return out, err
}

// GetPluginsCheck: state of switching features.
//
// For global administrators.
//
// It calls GET /o/plugins-check.
func (c *Client) GetPluginsCheck(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/plugins-check", nil, false, &out)
	return out, err
}

// GetPopulatorEnvironmentCheckParams are the parameters of GetPopulatorEnvironmentCheck. Zero values are left out.
type GetPopulatorEnvironmentCheckParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. Name of the environment.
	EnvironmentName string `query:"environment_name"`
}

// GetPopulatorEnvironmentCheck: whether the name of an environment is free.
//
// Needs the right to read `populator`.
//
// It calls GET /o/populator/environment/check.
func (c *Client) GetPopulatorEnvironmentCheck(ctx context.Context, p GetPopulatorEnvironmentCheckParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/environment/check", p, false, &out)
	return out, err
}

// GetPopulatorEnvironmentGetParams are the parameters of GetPopulatorEnvironmentGet. Zero values are left out.
type GetPopulatorEnvironmentGetParams struct {
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
	// Required. Id of the template.
	TemplateID string `query:"template_id"`
	// Required. Id of the environment.
	EnvironmentID string `query:"environment_id"`
}

// GetPopulatorEnvironmentGet: users of an environment.
//
// Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/populator/environment/get.
func (c *Client) GetPopulatorEnvironmentGet(ctx context.Context, p GetPopulatorEnvironmentGetParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/environment/get", p, false, &out)
	return out, err
}

// GetPopulatorEnvironmentListParams are the parameters of GetPopulatorEnvironmentList. Zero values are left out.
type GetPopulatorEnvironmentListParams struct {
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
}

// GetPopulatorEnvironmentList: list environments.
//
// Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/populator/environment/list.
func (c *Client) GetPopulatorEnvironmentList(ctx context.Context, p GetPopulatorEnvironmentListParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/environment/list", p, false, &out)
	return out, err
}

// PostPopulatorEnvironmentRemoveParams are the parameters of PostPopulatorEnvironmentRemove. Zero values are left out.
type PostPopulatorEnvironmentRemoveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the environment.
	EnvironmentID string `body:"environment_id"`
	// Required. Id of the template.
	TemplateID string `body:"template_id"`
}

// PostPopulatorEnvironmentRemove: delete an environment.
//
// Needs the right to delete `populator`.
//
// It calls POST /o/populator/environment/remove.
func (c *Client) PostPopulatorEnvironmentRemove(ctx context.Context, p PostPopulatorEnvironmentRemoveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/o/populator/environment/remove", p, false, &out)
	return out, err
}

// GetPopulatorTemplatesParams are the parameters of GetPopulatorTemplates. Zero values are left out.
type GetPopulatorTemplatesParams struct {
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
	// Id of the template.
	TemplateID string `query:"template_id"`
	// Platform of templates.
	PlatformType string `query:"platform_type"`
}

// GetPopulatorTemplates: list templates of demo data.
//
// Needs the right to read `populator`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/populator/templates.
func (c *Client) GetPopulatorTemplates(ctx context.Context, p GetPopulatorTemplatesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/populator/templates", p, false, &out)
	return out, err
}

// PostRenderParams are the parameters of PostRender. Zero values are left out.
type PostRenderParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Id of the document.
	ID string `body:"id"`
	// The page of the dashboard.
	Route string `body:"route"`
	// Name of a view, or of a page of the dashboard.
	View string `body:"view"`
}

// PostRender: take a picture of a page of the dashboard.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls POST /o/render.
func (c *Client) PostRender(ctx context.Context, p PostRenderParams) (out RenderPicture, err error) {
	err = c.call(ctx, "POST", "/o/render", p, false, &out)
	return out, err
}

// GetRetentionParams are the parameters of GetRetention. Zero values are left out.
type GetRetentionParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// The event that starts it.
	Start any `query:"start"`
	// The event that users come back with.
	Return any `query:"return"`
	// Which occurrence of the start counts: each, or the first ever.
	StartType string `query:"start_type"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Which form of the calculation.
	Mode string `query:"mode"`
	// Unit of time.
	Unit string `query:"unit"`
	// Groups of days, such as `[[0,0],[1,6],[7,29]]`.
	Brackets any `query:"brackets"`
	// How many units.
	Span int64 `query:"span"`
	// A user who comes back later counts for each unit before, too.
	Rolling bool `query:"rolling"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// The property whose sums are shown in place of users.
	Value string `query:"value"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRetention: retention.
//
// Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
//
// It calls GET /o/retention.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRetention(ctx context.Context, p GetRetentionParams) (out *RetentionReport, err error) {
	err = c.call(ctx, "GET", "/o/retention", p, true, &out)
	return out, err
}

// GetRetentionActivityParams are the parameters of GetRetentionActivity. Zero values are left out.
type GetRetentionActivityParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Keys of events.
	Events any `query:"events"`
	// Unit of time.
	Unit string `query:"unit"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRetentionActivity: users by days on which they were active.
//
// Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
//
// It calls GET /o/retention/activity.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRetentionActivity(ctx context.Context, p GetRetentionActivityParams) (out *RetentionActivity, err error) {
	err = c.call(ctx, "GET", "/o/retention/activity", p, true, &out)
	return out, err
}

// GetRetentionPeopleParams are the parameters of GetRetentionPeople. Zero values are left out.
type GetRetentionPeopleParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// The event that starts it.
	Start any `query:"start"`
	// The event that users come back with.
	Return any `query:"return"`
	// Which occurrence of the start counts: each, or the first ever.
	StartType string `query:"start_type"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
	// Which form of the calculation.
	Mode string `query:"mode"`
	// Unit of time.
	Unit string `query:"unit"`
	// Groups of days, such as `[[0,0],[1,6],[7,29]]`.
	Brackets any `query:"brackets"`
	// How many units.
	Span int64 `query:"span"`
	// A user who comes back later counts for each unit before, too.
	Rolling bool `query:"rolling"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// The property whose sums are shown in place of users.
	Value string `query:"value"`
	// The row of the table whose users are listed.
	Cohort string `query:"cohort"`
	// Number of the group of days.
	Bracket int64 `query:"bracket"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRetentionPeople: users behind a cell of retention.
//
// Needs the right to read `retention_segments`. A read that takes too long goes on as a task.
//
// It calls GET /o/retention/people.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRetentionPeople(ctx context.Context, p GetRetentionPeopleParams) (out RetentionPeople, err error) {
	err = c.call(ctx, "GET", "/o/retention/people", p, true, &out)
	return out, err
}

// GetRevenueParams are the parameters of GetRevenue. Zero values are left out.
type GetRevenueParams struct {
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
	// Keys of events.
	Events any `query:"events"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRevenue: revenue by day.
//
// Needs the right to read `revenue`. A read that takes too long goes on as a task.
//
// It calls GET /o/revenue.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRevenue(ctx context.Context, p GetRevenueParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/revenue", p, true, &out)
	return out, err
}

// GetRevenueLtvParams are the parameters of GetRevenueLtv. Zero values are left out.
type GetRevenueLtvParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Keys of events.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Unit of time.
	Unit string `query:"unit"`
	// Ages in units, at which values are shown.
	Ages any `query:"ages"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRevenueLtv: what users spend by the time since they were first seen.
//
// Needs the right to read `revenue`. A read that takes too long goes on as a task.
//
// It calls GET /o/revenue/ltv.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRevenueLtv(ctx context.Context, p GetRevenueLtvParams) (out *RevenueLifetimes, err error) {
	err = c.call(ctx, "GET", "/o/revenue/ltv", p, true, &out)
	return out, err
}

// GetRevenueReportParams are the parameters of GetRevenueReport. Zero values are left out.
type GetRevenueReportParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Keys of events.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// The period that is compared with, and how.
	Compare any `query:"compare"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRevenueReport: revenue, paying users and averages.
//
// Needs the right to read `revenue`. A read that takes too long goes on as a task.
//
// It calls GET /o/revenue/report.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRevenueReport(ctx context.Context, p GetRevenueReportParams) (out *RevenueReport, err error) {
	err = c.call(ctx, "GET", "/o/revenue/report", p, true, &out)
	return out, err
}

// GetSDKParams are the parameters of GetSDK. Zero values are left out.
type GetSDKParams struct {
	// How many requests the queue of the client still holds.
	Rr int64 `query:"rr"`
	// Required. Key of the app, as clients send it.
	AppKey string `query:"app_key"`
	// Required. Id of the device, as clients send it.
	DeviceID string `query:"device_id"`
	// Required. Which of several requests of this path.
	Method string `query:"method"`
	// Names of values.
	Keys any `query:"keys"`
	// Name of one value.
	Key string `query:"key"`
}

// GetSDK: answer what SDKs ask for.
//
// Needs no credentials of a member.
//
// It calls GET /o/sdk.
func (c *Client) GetSDK(ctx context.Context, p GetSDKParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/sdk", p, false, &out)
	return out, err
}

// GetSDKContentParams are the parameters of GetSDKContent. Zero values are left out.
type GetSDKContentParams struct {
	// How many requests the queue of the client still holds.
	Rr int64 `query:"rr"`
	// Required. Key of the app, as clients send it.
	AppKey string `query:"app_key"`
	// Required. Id of the device, as clients send it.
	DeviceID string `query:"device_id"`
	// Required. Sizes of the screen: `{"portrait":{"width":390,"height":844}}`.
	Resolution any `query:"resolution"`
}

// GetSDKContent: content for a user.
//
// Needs no credentials of a member.
//
// It calls GET /o/sdk/content.
func (c *Client) GetSDKContent(ctx context.Context, p GetSDKContentParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/sdk/content", p, false, &out)
	return out, err
}

// GetServerStatsDataPointsParams are the parameters of GetServerStatsDataPoints. Zero values are left out.
type GetServerStatsDataPointsParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Id of the app; all apps without it.
	SelectedApp string `query:"selected_app"`
}

// GetServerStatsDataPoints: data points by app.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/server-stats/data-points.
func (c *Client) GetServerStatsDataPoints(ctx context.Context, p GetServerStatsDataPointsParams) (out map[string]*ServerstatsPoints, err error) {
	err = c.call(ctx, "GET", "/o/server-stats/data-points", p, false, &out)
	return out, err
}

// GetServerStatsPunchCardParams are the parameters of GetServerStatsPunchCard. Zero values are left out.
type GetServerStatsPunchCardParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Id of the app; all apps without it.
	SelectedApp string `query:"selected_app"`
}

// GetServerStatsPunchCard: data points by hour.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/server-stats/punch-card.
func (c *Client) GetServerStatsPunchCard(ctx context.Context, p GetServerStatsPunchCardParams) (out ServerstatsPunchCard, err error) {
	err = c.call(ctx, "GET", "/o/server-stats/punch-card", p, false, &out)
	return out, err
}

// GetServerStatsTopParams are the parameters of GetServerStatsTop. Zero values are left out.
type GetServerStatsTopParams struct {
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Id of the app; all apps without it.
	SelectedApp string `query:"selected_app"`
}

// GetServerStatsTop: apps with the most data points.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/server-stats/top.
func (c *Client) GetServerStatsTop(ctx context.Context, p GetServerStatsTopParams) (out []ServerstatsTopRow, err error) {
	err = c.call(ctx, "GET", "/o/server-stats/top", p, false, &out)
	return out, err
}

// GetSlippingParams are the parameters of GetSlipping. Zero values are left out.
type GetSlippingParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Query any `query:"query"`
}

// GetSlipping: users who were not active for long.
//
// Needs the right to read `slipping_away_users`.
//
// It calls GET /o/slipping.
func (c *Client) GetSlipping(ctx context.Context, p GetSlippingParams) (out []SlippingRow, err error) {
	err = c.call(ctx, "GET", "/o/slipping", p, false, &out)
	return out, err
}

// GetSources: names of stores.
//
// Needs no credentials of a member.
//
// It calls GET /o/sources.
func (c *Client) GetSources(ctx context.Context) (out map[string]string, err error) {
	err = c.call(ctx, "GET", "/o/sources", nil, false, &out)
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

// GetStores: names of stores.
//
// Needs no credentials of a member.
//
// It calls GET /o/stores.
func (c *Client) GetStores(ctx context.Context) (out map[string]string, err error) {
	err = c.call(ctx, "GET", "/o/stores", nil, false, &out)
	return out, err
}

// GetSurveysNpsWidgetParams are the parameters of GetSurveysNpsWidget. Zero values are left out.
type GetSurveysNpsWidgetParams struct {
	// Id of the widget.
	WidgetID string `query:"widget_id"`
	// Ids of widgets.
	WidgetIDs string `query:"widget_ids"`
}

// GetSurveysNpsWidget: A widget for recommendations.
//
// Needs no credentials of a member.
//
// It calls GET /o/surveys/nps/widget.
func (c *Client) GetSurveysNpsWidget(ctx context.Context, p GetSurveysNpsWidgetParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/surveys/nps/widget", p, false, &out)
	return out, err
}

// GetSurveysRatingWidgetParams are the parameters of GetSurveysRatingWidget. Zero values are left out.
type GetSurveysRatingWidgetParams struct {
	// Id of the widget.
	WidgetID string `query:"widget_id"`
	// Ids of widgets.
	WidgetIDs string `query:"widget_ids"`
}

// GetSurveysRatingWidget: A widget for ratings.
//
// Needs no credentials of a member.
//
// It calls GET /o/surveys/rating/widget.
func (c *Client) GetSurveysRatingWidget(ctx context.Context, p GetSurveysRatingWidgetParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/surveys/rating/widget", p, false, &out)
	return out, err
}

// GetSurveysSurveyWidgetParams are the parameters of GetSurveysSurveyWidget. Zero values are left out.
type GetSurveysSurveyWidgetParams struct {
	// Id of the widget.
	WidgetID string `query:"widget_id"`
	// Ids of widgets.
	WidgetIDs string `query:"widget_ids"`
}

// GetSurveysSurveyWidget: A survey.
//
// Needs no credentials of a member.
//
// It calls GET /o/surveys/survey/widget.
func (c *Client) GetSurveysSurveyWidget(ctx context.Context, p GetSurveysSurveyWidgetParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/surveys/survey/widget", p, false, &out)
	return out, err
}

// GetSymbolicationTestSymbolicationConnectionParams are the parameters of GetSymbolicationTestSymbolicationConnection. Zero values are left out.
type GetSymbolicationTestSymbolicationConnectionParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationConnection: whether symbolication works.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_connection.
func (c *Client) GetSymbolicationTestSymbolicationConnection(ctx context.Context, p GetSymbolicationTestSymbolicationConnectionParams) (out bool, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_connection", p, false, &out)
	return out, err
}

// GetSymbolicationTestSymbolicationEndpointsParams are the parameters of GetSymbolicationTestSymbolicationEndpoints. Zero values are left out.
type GetSymbolicationTestSymbolicationEndpointsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationEndpoints: where symbolication is done.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_endpoints.
func (c *Client) GetSymbolicationTestSymbolicationEndpoints(ctx context.Context, p GetSymbolicationTestSymbolicationEndpointsParams) (out []SymbolicationEndpoint, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_endpoints", p, false, &out)
	return out, err
}

// GetSymbolicationTestSymbolicationKeyParams are the parameters of GetSymbolicationTestSymbolicationKey. Zero values are left out.
type GetSymbolicationTestSymbolicationKeyParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationKey: whether the key of symbolication is right.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_key.
func (c *Client) GetSymbolicationTestSymbolicationKey(ctx context.Context, p GetSymbolicationTestSymbolicationKeyParams) (out bool, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_key", p, false, &out)
	return out, err
}

// GetSymbolicationTestSymbolicationReturnConnectionParams are the parameters of GetSymbolicationTestSymbolicationReturnConnection. Zero values are left out.
type GetSymbolicationTestSymbolicationReturnConnectionParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationReturnConnection: whether results of symbolication arrive.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_return_connection.
func (c *Client) GetSymbolicationTestSymbolicationReturnConnection(ctx context.Context, p GetSymbolicationTestSymbolicationReturnConnectionParams) (out bool, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_return_connection", p, false, &out)
	return out, err
}

// GetSystemAggregator: how far projection is.
//
// For every member.
//
// It calls GET /o/system/aggregator.
func (c *Client) GetSystemAggregator(ctx context.Context) (out []SystemAggregatorRow, err error) {
	err = c.call(ctx, "GET", "/o/system/aggregator", nil, false, &out)
	return out, err
}

// GetSystemCpu: load of processors.
//
// For global administrators.
//
// It calls GET /o/system/cpu.
func (c *Client) GetSystemCpu(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/cpu", nil, false, &out)
	return out, err
}

// GetSystemDatabase: state of the document store.
//
// For global administrators.
//
// It calls GET /o/system/database.
func (c *Client) GetSystemDatabase(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/database", nil, false, &out)
	return out, err
}

// GetSystemDbCheck: whether the document store answers.
//
// For global administrators.
//
// It calls GET /o/system/dbCheck.
func (c *Client) GetSystemDbCheck(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/dbCheck", nil, false, &out)
	return out, err
}

// GetSystemDbcheck: whether the document store answers.
//
// For global administrators.
//
// It calls GET /o/system/dbcheck.
func (c *Client) GetSystemDbcheck(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/dbcheck", nil, false, &out)
	return out, err
}

// GetSystemDisks: room on disks.
//
// For global administrators.
//
// It calls GET /o/system/disks.
func (c *Client) GetSystemDisks(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/disks", nil, false, &out)
	return out, err
}

// GetSystemHealthcheckParams are the parameters of GetSystemHealthcheck. Zero values are left out.
type GetSystemHealthcheckParams struct {
	// Required. The conditions that must hold, as JSON or by name.
	Test string `query:"test"`
}

// GetSystemHealthcheck: whether conditions hold.
//
// For global administrators.
//
// It calls GET /o/system/healthcheck.
func (c *Client) GetSystemHealthcheck(ctx context.Context, p GetSystemHealthcheckParams) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/healthcheck", p, false, &out)
	return out, err
}

// GetSystemHistory: figures of the machine over time.
//
// For global administrators.
//
// It calls GET /o/system/history.
func (c *Client) GetSystemHistory(ctx context.Context) (out SystemutilityHistoryRes, err error) {
	err = c.call(ctx, "GET", "/o/system/history", nil, false, &out)
	return out, err
}

// GetSystemKafka: state of the journal.
//
// For every member.
//
// It calls GET /o/system/kafka.
func (c *Client) GetSystemKafka(ctx context.Context) (out SystemKafkaState, err error) {
	err = c.call(ctx, "GET", "/o/system/kafka", nil, false, &out)
	return out, err
}

// GetSystemKafkaEventsParams are the parameters of GetSystemKafkaEvents. Zero values are left out.
type GetSystemKafkaEventsParams struct {
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
}

// GetSystemKafkaEvents: events of the journal.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/system/kafka/events.
func (c *Client) GetSystemKafkaEvents(ctx context.Context, p GetSystemKafkaEventsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/system/kafka/events", p, false, &out)
	return out, err
}

// GetSystemKafkaEventsMeta: what events of the journal can be filtered by.
//
// For every member.
//
// It calls GET /o/system/kafka/events/meta.
func (c *Client) GetSystemKafkaEventsMeta(ctx context.Context) (out SystemKafkaMeta, err error) {
	err = c.call(ctx, "GET", "/o/system/kafka/events/meta", nil, false, &out)
	return out, err
}

// GetSystemMemory: memory.
//
// For global administrators.
//
// It calls GET /o/system/memory.
func (c *Client) GetSystemMemory(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/memory", nil, false, &out)
	return out, err
}

// GetSystemObservability: parts of the server and their state.
//
// For every member.
//
// It calls GET /o/system/observability.
func (c *Client) GetSystemObservability(ctx context.Context) (out []SystemServiceRow, err error) {
	err = c.call(ctx, "GET", "/o/system/observability", nil, false, &out)
	return out, err
}

// GetSystemOverall: figures of the machine.
//
// For global administrators.
//
// It calls GET /o/system/overall.
func (c *Client) GetSystemOverall(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/overall", nil, false, &out)
	return out, err
}

// GetSystemPlugins: features that are there.
//
// For every member.
//
// It calls GET /o/system/plugins.
func (c *Client) GetSystemPlugins(ctx context.Context) (out []string, err error) {
	err = c.call(ctx, "GET", "/o/system/plugins", nil, false, &out)
	return out, err
}

// GetSystemVersion: version of the program.
//
// For every member.
//
// It calls GET /o/system/version.
func (c *Client) GetSystemVersion(ctx context.Context) (out SystemVersion, err error) {
	err = c.call(ctx, "GET", "/o/system/version", nil, false, &out)
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

// GetThemes: themes of the dashboard.
//
// For every member.
//
// It calls GET /o/themes.
func (c *Client) GetThemes(ctx context.Context) (out []string, err error) {
	err = c.call(ctx, "GET", "/o/themes", nil, false, &out)
	return out, err
}

// GetTokenCheckParams are the parameters of GetTokenCheck. Zero values are left out.
type GetTokenCheckParams struct {
	// Required. The token.
	Token string `query:"token"`
}

// GetTokenCheck: whether a token is valid.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/token/check.
func (c *Client) GetTokenCheck(ctx context.Context, p GetTokenCheckParams) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/token/check", p, false, &out)
	return out, err
}

// GetTokenListParams are the parameters of GetTokenList. Zero values are left out.
type GetTokenListParams struct {
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
}

// GetTokenList: list tokens of the caller.
//
// For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
//
// It calls GET /o/token/list.
func (c *Client) GetTokenList(ctx context.Context, p GetTokenListParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/token/list", p, false, &out)
	return out, err
}

// GetUserconfigs: settings of the caller.
//
// For every member.
//
// It calls GET /o/userconfigs.
func (c *Client) GetUserconfigs(ctx context.Context) (out map[string]map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/userconfigs", nil, false, &out)
	return out, err
}

// GetUsersAllParams are the parameters of GetUsersAll. Zero values are left out.
type GetUsersAllParams struct {
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
}

// GetUsersAll: list members.
//
// For global administrators. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/users/all.
func (c *Client) GetUsersAll(ctx context.Context, p GetUsersAllParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/users/all", p, false, &out)
	return out, err
}

// GetUsersIDParams are the parameters of GetUsersID. Zero values are left out.
type GetUsersIDParams struct {
	// Required. Id of the document.
	ID string `query:"id"`
}

// GetUsersID: A member.
//
// For global administrators.
//
// It calls GET /o/users/id.
func (c *Client) GetUsersID(ctx context.Context, p GetUsersIDParams) (out map[string]MembersAccount, err error) {
	err = c.call(ctx, "GET", "/o/users/id", p, false, &out)
	return out, err
}

// GetUsersMe: the caller.
//
// For every member.
//
// It calls GET /o/users/me.
func (c *Client) GetUsersMe(ctx context.Context) (out MembersAccount, err error) {
	err = c.call(ctx, "GET", "/o/users/me", nil, false, &out)
	return out, err
}

// GetUsersPermissionsParams are the parameters of GetUsersPermissions. Zero values are left out.
type GetUsersPermissionsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetUsersPermissions: features that rights are given on.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls GET /o/users/permissions.
func (c *Client) GetUsersPermissions(ctx context.Context, p GetUsersPermissionsParams) (out MembersFeatures, err error) {
	err = c.call(ctx, "GET", "/o/users/permissions", p, false, &out)
	return out, err
}

// PostUsersResetTimebanParams are the parameters of PostUsersResetTimeban. Zero values are left out.
type PostUsersResetTimebanParams struct {
	// Required. User name of the member.
	Username string `body:"username"`
}

// PostUsersResetTimeban: let a member sign in again after failures.
//
// For global administrators.
//
// It calls POST /o/users/reset_timeban.
func (c *Client) PostUsersResetTimeban(ctx context.Context, p PostUsersResetTimebanParams) (out bool, err error) {
	err = c.call(ctx, "POST", "/o/users/reset_timeban", p, false, &out)
	return out, err
}

// GetUsersSessionsParams are the parameters of GetUsersSessions. Zero values are left out.
type GetUsersSessionsParams struct {
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
}

// GetUsersSessions: list sessions of the caller.
//
// For every member. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/users/sessions.
func (c *Client) GetUsersSessions(ctx context.Context, p GetUsersSessionsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/users/sessions", p, false, &out)
	return out, err
}

// GetOpenAPI: this description.
//
// OpenAPI 3.1, made of the routes of the server.
//
// It calls GET /openapi.json.
func (c *Client) GetOpenAPI(ctx context.Context) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/openapi.json", nil, false, &out)
	return out, err
}

// GetPixelParams are the parameters of GetPixel. Zero values are left out.
type GetPixelParams struct {
	// Required. Key of the app.
	AppKey string `query:"app_key"`
	// Required. Id of the device.
	DeviceID string `query:"device_id"`
}

// GetPixel: send a request of a client by a picture.
//
// Takes the parameters of `/i`; the answer is a picture.
//
// It calls GET /pixel.png.
func (c *Client) GetPixel(ctx context.Context, p GetPixelParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/pixel.png", p)
}

// GetReadyz: whether data is accepted.
//
// For probes of monitoring.
//
// It calls GET /readyz.
func (c *Client) GetReadyz(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/readyz", nil)
}

// GetStarRatingStylesheetsCountlyFeedbackWebCss: style sheet of rating widgets.
//
// Needs no credentials of a member.
//
// It calls GET /star-rating/stylesheets/countly-feedback-web.css.
func (c *Client) GetStarRatingStylesheetsCountlyFeedbackWebCss(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/star-rating/stylesheets/countly-feedback-web.css", nil)
}

// GetSurveysStylesheetsCountlySurveysCss: style sheet of surveys.
//
// Needs no credentials of a member.
//
// It calls GET /surveys/stylesheets/countly-surveys.css.
func (c *Client) GetSurveysStylesheetsCountlySurveysCss(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/surveys/stylesheets/countly-surveys.css", nil)
}

// GetViewsHeatmapJs: script of heat maps.
//
// Needs no credentials of a member.
//
// It calls GET /views/heatmap.js.
func (c *Client) GetViewsHeatmapJs(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/views/heatmap.js", nil)
}

// ActiveusersDayRow is part of answers.
type ActiveusersDayRow struct {
	ID string  `json:"_id"`
	D  int64   `json:"d"`
	Dm float64 `json:"dm"`
	M  int64   `json:"m"`
	W  int64   `json:"w"`
}

// ActiveusersFigures is part of answers.
type ActiveusersFigures struct {
	D  float64 `json:"d"`
	Dm float64 `json:"dm"`
	Dw float64 `json:"dw"`
	M  float64 `json:"m"`
	W  float64 `json:"w"`
}

// ActiveusersGroupRow is part of answers.
type ActiveusersGroupRow struct {
	Days  []ActiveusersTriple `json:"days"`
	Mean  ActiveusersFigures  `json:"mean"`
	Other bool                `json:"other,omitempty"`
	Users int64               `json:"users"`
	Value json.RawMessage     `json:"value"`
}

// ActiveusersReport is part of answers.
type ActiveusersReport struct {
	Days        []ActiveusersDayRow   `json:"days"`
	Groups      []ActiveusersGroupRow `json:"groups,omitempty"`
	GroupsTotal int64                 `json:"groups_total,omitempty"`
	Mean        ActiveusersFigures    `json:"mean"`
	MeanDays    int64                 `json:"mean_days"`
	Months      []ActiveusersUnitRow  `json:"months"`
	Source      string                `json:"source"`
	Timezone    string                `json:"timezone"`
	Today       string                `json:"today"`
	Users       int64                 `json:"users"`
	Weeks       []ActiveusersUnitRow  `json:"weeks"`
}

// ActiveusersTable is part of answers.
type ActiveusersTable struct {
	Calculating bool            `json:"calculating"`
	Data        json.RawMessage `json:"data"`
}

// ActiveusersTriple is part of answers.
type ActiveusersTriple struct {
	D int64 `json:"d"`
	M int64 `json:"m"`
	W int64 `json:"w"`
}

// ActiveusersUnitRow is part of answers.
type ActiveusersUnitRow struct {
	ID    string `json:"_id"`
	First string `json:"first"`
	Over  bool   `json:"over"`
	U     int64  `json:"u"`
}

// AnalyticsDurationRow is part of answers.
type AnalyticsDurationRow struct {
	Ds      string `json:"ds"`
	Percent string `json:"percent"`
	T       int64  `json:"t"`
}

// AnalyticsFrequencyRow is part of answers.
type AnalyticsFrequencyRow struct {
	F       string `json:"f"`
	Percent string `json:"percent"`
	T       int64  `json:"t"`
}

// AnalyticsLoyaltyRow is part of answers.
type AnalyticsLoyaltyRow struct {
	L       string `json:"l"`
	Percent string `json:"percent"`
	T       int64  `json:"t"`
}

// AnalyticsPeriodRes is part of answers.
type AnalyticsPeriodRes struct {
	CurrentPeriodArr    []string `json:"currentPeriodArr"`
	DaysInPeriod        int64    `json:"daysInPeriod"`
	End                 int64    `json:"end"`
	PeriodContainsToday bool     `json:"periodContainsToday"`
	Start               int64    `json:"start"`
}

// AppsCreated is part of answers.
type AppsCreated struct {
	ID        string                     `json:"_id"`
	AppID     string                     `json:"app_id"`
	Category  string                     `json:"category"`
	Country   string                     `json:"country"`
	CreatedAt int64                      `json:"created_at"`
	EditedAt  int64                      `json:"edited_at"`
	HasImage  bool                       `json:"has_image"`
	IDKey     string                     `json:"id_key"`
	Image     string                     `json:"image,omitempty"`
	Key       string                     `json:"key"`
	Locked    bool                       `json:"locked,omitempty"`
	Name      string                     `json:"name"`
	Owner     string                     `json:"owner"`
	Paused    bool                       `json:"paused,omitempty"`
	Plugins   map[string]json.RawMessage `json:"plugins,omitempty"`
	Salt      string                     `json:"salt,omitempty"`
	Seq       int64                      `json:"seq"`
	Timezone  string                     `json:"timezone"`
	Type      string                     `json:"type"`
}

// AppsDetails is part of answers.
type AppsDetails struct {
	Admin       []AppsPerson    `json:"admin"`
	App         json.RawMessage `json:"app"`
	GlobalAdmin []AppsPerson    `json:"global_admin"`
	User        []AppsPerson    `json:"user"`
}

// AppsPerson is part of answers.
type AppsPerson struct {
	ID       string `json:"_id"`
	FullName string `json:"full_name"`
	Username string `json:"username"`
}

// AppusersCountsRes is part of answers.
type AppusersCountsRes struct {
	Total        int64 `json:"total"`
	Unidentified int64 `json:"unidentified"`
}

// AppusersLoyaltyRes is part of answers.
type AppusersLoyaltyRes struct {
	N30days []QueryLoyaltyRow `json:"30days"`
	N7days  []QueryLoyaltyRow `json:"7days"`
	All     []QueryLoyaltyRow `json:"all"`
}

// AppusersStarted is part of answers.
type AppusersStarted struct {
	Result AppusersStartedTask `json:"result"`
}

// AppusersStartedTask is part of answers.
type AppusersStartedTask struct {
	Backups string `json:"backups,omitempty"`
	ID      string `json:"id,omitempty"`
	TaskID  string `json:"task_id"`
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

// AttributionVisitRow is part of answers.
type AttributionVisitRow struct {
	ID string `json:"_id"`
	N  int64  `json:"n"`
	T  int64  `json:"t"`
	U  int64  `json:"u"`
}

// AttributionVisitsRes is part of answers.
type AttributionVisitsRes struct {
	By       string                `json:"by"`
	Channels map[string][]int64    `json:"channels"`
	Days     []string              `json:"days"`
	Rows     []AttributionVisitRow `json:"rows"`
	Totals   AttributionVisitRow   `json:"totals"`
}

// CohortsAdded is part of answers.
type CohortsAdded struct {
	Duplicate bool   `json:"duplicate"`
	Result    string `json:"result"`
}

// CohortsData is part of answers.
type CohortsData struct {
	ID   string                     `json:"_id"`
	Data map[string]json.RawMessage `json:"data"`
}

// CohortsIdentified is part of answers.
type CohortsIdentified struct {
	ID             string `json:"_id"`
	LastCalculated int64  `json:"last_calculated"`
	Name           string `json:"name"`
	State          string `json:"state"`
}

// CohortsMetricsRes is part of answers.
type CohortsMetricsRes struct {
	InCohort int64                       `json:"in_cohort"`
	Metrics  map[string]map[string]int64 `json:"metrics"`
}

// CohortsPreviewRes is part of answers.
type CohortsPreviewRes struct {
	Of    int64 `json:"of"`
	Users int64 `json:"users"`
}

// CohortsReport is part of answers.
type CohortsReport struct {
	Changed   int64    `json:"changed"`
	Matched   int64    `json:"matched"`
	Missed    int64    `json:"missed"`
	Result    string   `json:"result"`
	Unmatched []string `json:"unmatched"`
}

// CohortsSignature is part of answers.
type CohortsSignature struct {
	Cid  []string    `json:"cid"`
	Data CohortsStep `json:"data"`
}

// CohortsStateRes is part of answers.
type CohortsStateRes struct {
	Cohorts map[string]CohortsIdentified `json:"cohorts"`
	Hashes  map[string]CohortsSignature  `json:"hashes"`
	Ts      int64                        `json:"ts"`
}

// CohortsStep is part of answers.
type CohortsStep struct {
	Conj   string          `json:"conj,omitempty"`
	Event  string          `json:"event"`
	Period string          `json:"period"`
	Query  json.RawMessage `json:"query,omitempty"`
	Times  json.RawMessage `json:"times,omitempty"`
	Type   string          `json:"type"`
}

// CompareAppRow is part of answers.
type CompareAppRow struct {
	Avgduration json.RawMessage      `json:"avgduration"`
	Charts      json.RawMessage      `json:"charts"`
	Duration    json.RawMessage      `json:"duration"`
	ID          string               `json:"id"`
	Name        string               `json:"name"`
	Newusers    json.RawMessage      `json:"newusers"`
	Sessions    json.RawMessage      `json:"sessions"`
	Users       QueryEstimatedFigure `json:"users"`
}

// CompliancehubChangesTable is part of answers.
type CompliancehubChangesTable struct {
	AaData               []map[string]json.RawMessage `json:"aaData"`
	HasNextPage          bool                         `json:"hasNextPage"`
	ITotalDisplayRecords int64                        `json:"iTotalDisplayRecords"`
	ITotalRecords        int64                        `json:"iTotalRecords"`
	IsApproximate        bool                         `json:"isApproximate"`
	NextCursor           *string                      `json:"nextCursor"`
	PaginationMode       string                       `json:"paginationMode"`
	SEcho                json.RawMessage              `json:"sEcho,omitempty"`
}

// ConcurrentusersCount is part of answers.
type ConcurrentusersCount struct {
	N int64 `json:"n"`
	O int64 `json:"o"`
}

// ConcurrentusersMetrics is part of answers.
type ConcurrentusersMetrics struct {
	NsN map[string]json.RawMessage `json:"ns_n,omitempty"`
	NsO map[string]json.RawMessage `json:"ns_o"`
}

// ConcurrentusersNow is part of answers.
type ConcurrentusersNow struct {
	N  int64 `json:"n"`
	Nm int64 `json:"nm"`
	O  int64 `json:"o"`
	Om int64 `json:"om"`
}

// ConcurrentusersOverview is part of answers.
type ConcurrentusersOverview struct {
	At      int64                  `json:"at"`
	Days    []ConcurrentusersPoint `json:"days"`
	Hours   []ConcurrentusersPoint `json:"hours"`
	M       ConcurrentusersParts   `json:"m"`
	Minutes []ConcurrentusersPoint `json:"minutes"`
	Most    ConcurrentusersPoint   `json:"most"`
	Now     ConcurrentusersCount   `json:"now"`
	Whole   bool                   `json:"whole"`
	Window  int64                  `json:"window"`
}

// ConcurrentusersParts is part of answers.
type ConcurrentusersParts struct {
	Cc  map[string]int64 `json:"cc"`
	Lv  map[string]int64 `json:"lv"`
	Src map[string]int64 `json:"src"`
}

// ConcurrentusersPoint is part of answers.
type ConcurrentusersPoint struct {
	N  int64 `json:"n"`
	Na int64 `json:"na,omitempty"`
	O  int64 `json:"o"`
	Oa int64 `json:"oa,omitempty"`
	T  int64 `json:"t"`
}

// ConcurrentusersShownAlert is part of answers.
type ConcurrentusersShownAlert struct {
	ID             string   `json:"_id"`
	App            string   `json:"app"`
	ConditionTitle string   `json:"condition_title"`
	CreatedByUser  string   `json:"createdByUser,omitempty"`
	CreatedBy      string   `json:"created_by"`
	Def            string   `json:"def,omitempty"`
	DefinedAt      int64    `json:"defined_at"`
	Email          []string `json:"email"`
	Enabled        bool     `json:"enabled"`
	LastTriggered  int64    `json:"last_triggered,omitempty"`
	Minutes        int64    `json:"minutes"`
	Name           string   `json:"name"`
	Status         string   `json:"status"`
	Type           string   `json:"type"`
	Users          int64    `json:"users"`
}

// CrashesChanged is part of answers.
type CrashesChanged struct {
	ID       string  `json:"_id"`
	Before   int64   `json:"before"`
	Name     string  `json:"name"`
	Nonfatal bool    `json:"nonfatal"`
	Ratio    float64 `json:"ratio"`
	Reports  int64   `json:"reports"`
}

// CrashesCondition is part of answers.
type CrashesCondition struct {
	Not     bool   `json:"not,omitempty"`
	Pattern string `json:"pattern"`
	What    string `json:"what"`
}

// CrashesFingerprintRule is part of answers.
type CrashesFingerprintRule struct {
	Match []CrashesCondition `json:"match"`
	Parts []string           `json:"parts"`
}

// CrashesGrouped is part of answers.
type CrashesGrouped struct {
	Algorithm    int64                    `json:"algorithm"`
	Fingerprints []CrashesFingerprintRule `json:"fingerprints"`
	Stack        []CrashesStackRule       `json:"stack"`
}

// CrashesReleaseChange is part of answers.
type CrashesReleaseChange struct {
	Before   string           `json:"before"`
	Counts   json.RawMessage  `json:"counts"`
	Fatal    int64            `json:"fatal"`
	Frequent []CrashesChanged `json:"frequent"`
	New      []CrashesChanged `json:"new"`
	Nonfatal int64            `json:"nonfatal"`
	Returned []CrashesChanged `json:"returned"`
	Sessions int64            `json:"sessions"`
	Version  string           `json:"version"`
}

// CrashesReleasesRes is part of answers.
type CrashesReleasesRes struct {
	Releases []CrashesReleaseChange `json:"releases"`
}

// CrashesRulesRes is part of answers.
type CrashesRulesRes struct {
	At      int64          `json:"at"`
	By      string         `json:"by"`
	Merged  int64          `json:"merged"`
	Pins    int64          `json:"pins"`
	Rules   CrashesGrouped `json:"rules"`
	Task    string         `json:"task"`
	Version int64          `json:"version"`
}

// CrashesSpreading is part of answers.
type CrashesSpreading struct {
	ID       string  `json:"_id"`
	First    int64   `json:"first"`
	Name     string  `json:"name"`
	Nonfatal bool    `json:"nonfatal"`
	Sessions int64   `json:"sessions"`
	Share    float64 `json:"share"`
	Users    int64   `json:"users"`
}

// CrashesStackRule is part of answers.
type CrashesStackRule struct {
	Do    string             `json:"do"`
	Match []CrashesCondition `json:"match"`
}

// CrashesTaskRes is part of answers.
type CrashesTaskRes struct {
	Task string `json:"task"`
}

// CrashesVariantRes is part of answers.
type CrashesVariantRes struct {
	ID      string `json:"_id"`
	Error   string `json:"error"`
	LastTs  int64  `json:"lastTs"`
	Name    string `json:"name"`
	Pinned  bool   `json:"pinned"`
	Reports int64  `json:"reports"`
	StartTs int64  `json:"startTs"`
	Users   int64  `json:"users"`
}

// CrashesVariantsRes is part of answers.
type CrashesVariantsRes struct {
	Total    int64               `json:"total"`
	Variants []CrashesVariantRes `json:"variants"`
}

// CrashesVelocity is part of answers.
type CrashesVelocity struct {
	Groups   []CrashesSpreading `json:"groups"`
	Least    int64              `json:"least"`
	Minutes  int64              `json:"minutes"`
	Percent  float64            `json:"percent"`
	Sessions int64              `json:"sessions"`
}

// DatepresetsDeleted is part of answers.
type DatepresetsDeleted struct {
	Acknowledged bool  `json:"acknowledged"`
	DeletedCount int64 `json:"deletedCount"`
}

// DefinedeventsUse is part of answers.
type DefinedeventsUse struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// DefinedeventsUsesOf is part of answers.
type DefinedeventsUsesOf struct {
	Others int64              `json:"others"`
	Uses   []DefinedeventsUse `json:"uses"`
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
	Total int64            `json:"total"`
	Users []QueryTrendUser `json:"users"`
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

// EventsCard is part of answers.
type EventsCard struct {
	EventKey      string `json:"eventKey"`
	EventName     string `json:"eventName"`
	EventProperty string `json:"eventProperty"`
	IsEventGroup  bool   `json:"is_event_group"`
	Order         int64  `json:"order"`
	PropertyName  string `json:"propertyName"`
}

// EventsLimits is part of answers.
type EventsLimits struct {
	EventLimit                  int64 `json:"event_limit"`
	EventSegmentationLimit      int64 `json:"event_segmentation_limit"`
	EventSegmentationValueLimit int64 `json:"event_segmentation_value_limit"`
}

// EventsList is part of answers.
type EventsList struct {
	Limits              EventsLimits                          `json:"limits"`
	List                []string                              `json:"list,omitempty"`
	Map                 map[string]map[string]json.RawMessage `json:"map,omitempty"`
	OmittedSegments     map[string][]string                   `json:"omitted_segments,omitempty"`
	Order               []string                              `json:"order,omitempty"`
	Overview            []EventsCard                          `json:"overview,omitempty"`
	Segments            map[string][]string                   `json:"segments,omitempty"`
	WhitelistedSegments map[string][]string                   `json:"whitelisted_segments,omitempty"`
}

// ExploreCountRes is part of answers.
type ExploreCountRes struct {
	Count int64 `json:"count"`
	Total int64 `json:"total"`
}

// ExploreEventProperties is part of answers.
type ExploreEventProperties struct {
	Key        string            `json:"key"`
	Properties []ExploreProperty `json:"properties"`
}

// ExplorePropertiesRes is part of answers.
type ExplorePropertiesRes struct {
	Custom []ExploreProperty        `json:"custom"`
	Events []ExploreEventProperties `json:"events"`
}

// ExploreProperty is part of answers.
type ExploreProperty struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// FlowsData is part of answers.
type FlowsData struct {
	ID         string       `json:"_id,omitempty"`
	Calculated int64        `json:"calculated"`
	Flow       string       `json:"flow,omitempty"`
	From       int64        `json:"from"`
	Levels     []FlowsLevel `json:"levels"`
	Paths      int64        `json:"paths"`
	Period     string       `json:"period"`
	To         int64        `json:"to"`
	Users      int64        `json:"users"`
}

// FlowsLevel is part of answers.
type FlowsLevel struct {
	Level int64       `json:"level"`
	Links []FlowsLink `json:"links"`
	Nodes []FlowsNode `json:"nodes"`
}

// FlowsLink is part of answers.
type FlowsLink struct {
	From  int64 `json:"from"`
	Paths int64 `json:"paths"`
	To    int64 `json:"to"`
	Users int64 `json:"users"`
}

// FlowsNode is part of answers.
type FlowsNode struct {
	Ended int64  `json:"ended"`
	Event string `json:"event,omitempty"`
	Name  string `json:"name,omitempty"`
	Other bool   `json:"other,omitempty"`
	Paths int64  `json:"paths"`
	Users int64  `json:"users"`
	Value string `json:"value,omitempty"`
}

// FormulasChecked is part of answers.
type FormulasChecked struct {
	At      *int64 `json:"at,omitempty"`
	Correct bool   `json:"correct"`
	Error   string `json:"error,omitempty"`
	Seconds int64  `json:"seconds"`
}

// FormulasSaved is part of answers.
type FormulasSaved struct {
	Action string `json:"action"`
	ID     string `json:"id"`
	Status string `json:"status"`
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
	Base       string  `json:"base,omitempty"`
	ChiSquared float64 `json:"chiSquared"`
	Freedom    int64   `json:"freedom"`
	P          float64 `json:"p"`
	Rough      bool    `json:"rough,omitempty"`
	Step       int64   `json:"step"`
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

// KernelMemory is part of answers.
type KernelMemory struct {
	Limit    int64 `json:"limit"`
	Resident int64 `json:"resident"`
}

// LiveTiles is part of answers.
type LiveTiles struct {
	At      int64         `json:"at"`
	Minutes []QueryMinute `json:"minutes"`
	Online  int64         `json:"online"`
	Users   int64         `json:"users"`
}

// LocaleLanguage is part of answers.
type LocaleLanguage struct {
	EnglishName string `json:"englishName"`
	NativeName  string `json:"nativeName"`
}

// LoggerInfo is part of answers.
type LoggerInfo struct {
	Capped bool   `json:"capped"`
	Count  int64  `json:"count"`
	Max    int64  `json:"max"`
	Status string `json:"status"`
}

// MembersAccount is part of answers.
type MembersAccount struct {
	ID                 string                     `json:"_id"`
	APIKey             string                     `json:"api_key,omitempty"`
	Blocked            *bool                      `json:"blocked,omitempty"`
	CreatedAt          int64                      `json:"created_at"`
	Email              string                     `json:"email"`
	FullName           string                     `json:"full_name"`
	GlobalAdmin        bool                       `json:"global_admin"`
	HomeSettings       map[string]json.RawMessage `json:"homeSettings,omitempty"`
	IsCurrentUser      *bool                      `json:"is_current_user,omitempty"`
	Lang               string                     `json:"lang,omitempty"`
	LastLogin          int64                      `json:"last_login"`
	Locked             bool                       `json:"locked"`
	MustChangePassword bool                       `json:"must_change_password,omitempty"`
	PasswordChanged    int64                      `json:"password_changed"`
	PasswordExpired    bool                       `json:"password_expired,omitempty"`
	Permission         json.RawMessage            `json:"permission"`
	Settings           map[string]json.RawMessage `json:"settings,omitempty"`
	Username           string                     `json:"username"`
}

// MembersFeatures is part of answers.
type MembersFeatures struct {
	Features                     []string                                  `json:"features"`
	FeaturesPermissionDependency map[string]map[string]map[string][]string `json:"featuresPermissionDependency"`
}

// MembersRotated is part of answers.
type MembersRotated struct {
	APIKey string `json:"api_key,omitempty"`
	Result string `json:"result"`
}

// OutcomesAnswer is part of answers.
type OutcomesAnswer struct {
	Clamped map[string]int64                       `json:"clamped"`
	Days    map[string]map[string]map[string]int64 `json:"days"`
	Period  string                                 `json:"period"`
	Totals  map[string]map[string]int64            `json:"totals"`
}

// PluginsRow is part of answers.
type PluginsRow struct {
	Author          string                     `json:"author"`
	ClyDependencies map[string]json.RawMessage `json:"cly_dependencies"`
	Code            string                     `json:"code"`
	Description     string                     `json:"description"`
	Enabled         bool                       `json:"enabled"`
	Fixed           bool                       `json:"fixed,omitempty"`
	Homepage        string                     `json:"homepage"`
	Name            string                     `json:"name"`
	Title           string                     `json:"title"`
	Version         string                     `json:"version"`
}

// QueryCountryRow is part of answers.
type QueryCountryRow struct {
	Code    string `json:"code"`
	Country string `json:"country"`
	N       int64  `json:"n"`
	T       int64  `json:"t"`
	U       int64  `json:"u"`
}

// QueryEstimatedFigure is part of answers.
type QueryEstimatedFigure struct {
	Change     string `json:"change"`
	IsEstimate bool   `json:"is_estimate"`
	Total      int64  `json:"total"`
	Trend      string `json:"trend"`
}

// QueryEventOverview is part of answers.
type QueryEventOverview struct {
	Data json.RawMessage `json:"data"`
}

// QueryFigures is part of answers.
type QueryFigures struct {
	Dur float64    `json:"dur"`
	M   []*float64 `json:"m,omitempty"`
	S   float64    `json:"s"`
	T   int64      `json:"t"`
	U   int64      `json:"u"`
}

// QueryHeadline is part of answers.
type QueryHeadline struct {
	AvgRequests   json.RawMessage      `json:"avg_requests"`
	AvgTime       json.RawMessage      `json:"avg_time"`
	NewUsers      json.RawMessage      `json:"new_users"`
	TotalSessions json.RawMessage      `json:"total_sessions"`
	TotalTime     json.RawMessage      `json:"total_time"`
	TotalUsers    QueryEstimatedFigure `json:"total_users"`
}

// QueryLoyaltyRow is part of answers.
type QueryLoyaltyRow struct {
	ID    string `json:"_id"`
	Count int64  `json:"count"`
	Index int64  `json:"index"`
}

// QueryMetricRow is part of answers.
type QueryMetricRow struct {
	ID string `json:"_id"`
	N  int64  `json:"n"`
	T  int64  `json:"t"`
	U  int64  `json:"u"`
}

// QueryMinute is part of answers.
type QueryMinute struct {
	Events   int64 `json:"events"`
	NewUsers int64 `json:"new_users"`
	Sessions int64 `json:"sessions"`
}

// QuerySessionRow is part of answers.
type QuerySessionRow struct {
	ID string  `json:"_id"`
	D  float64 `json:"d"`
	E  int64   `json:"e"`
	N  int64   `json:"n"`
	T  int64   `json:"t"`
	U  int64   `json:"u"`
}

// QuerySummary is part of answers.
type QuerySummary struct {
	Dashboard QueryHeadline   `json:"dashboard"`
	Period    string          `json:"period"`
	Top       json.RawMessage `json:"top"`
}

// QueryTopEvent is part of answers.
type QueryTopEvent struct {
	ID       string  `json:"_id"`
	Change   string  `json:"change"`
	Count    int64   `json:"count"`
	Duration float64 `json:"duration"`
	Name     string  `json:"name"`
	Sum      float64 `json:"sum"`
	Trend    string  `json:"trend"`
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

// QueryUsersRow is part of answers.
type QueryUsersRow struct {
	ID string `json:"_id"`
	Pu int64  `json:"pu"`
	U  int64  `json:"u"`
}

// Receipt: What became of a request of a client.
type Receipt struct {
	// Code of the fault; accepted items have none.
	Code string `json:"code,omitempty"`
	// Of the request, from 0.
	Index int64         `json:"index"`
	Items []ReceiptItem `json:"items,omitempty"`
	// How many items are not listed.
	LeftOff int64 `json:"left_off,omitempty"`
	// Ignored is what is in order and counts nothing; pending is stored and not processed yet.
	Outcome string `json:"outcome"`
}

// ReceiptItem: What became of a part of a request.
type ReceiptItem struct {
	// Code of the fault; accepted items have none.
	Code string `json:"code,omitempty"`
	// Of an event, among the events as they were sent, from 0.
	Index int64  `json:"index,omitempty"`
	Item  string `json:"item"`
	// Ignored is what is in order and counts nothing; pending is stored and not processed yet.
	Outcome string `json:"outcome"`
}

// RenderPicture is part of answers.
type RenderPicture struct {
	Path string `json:"path"`
}

// Result is part of answers.
type Result struct {
	// The answer, or `Success`.
	Result json.RawMessage `json:"result"`
}

// RetentionActivity is part of answers.
type RetentionActivity struct {
	Interval   RetentionInterval       `json:"interval"`
	Lifecycle  []RetentionLifecycleRow `json:"lifecycle"`
	Stickiness []RetentionStickyRow    `json:"stickiness"`
	Timezone   string                  `json:"timezone"`
	Unit       string                  `json:"unit"`
	Users      int64                   `json:"users"`
}

// RetentionBracketRow is part of answers.
type RetentionBracketRow struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// RetentionCohortRow is part of answers.
type RetentionCohortRow struct {
	ID    string              `json:"_id"`
	Cells []*RetentionFigures `json:"cells"`
	Start int64               `json:"start"`
	Users int64               `json:"users"`
}

// RetentionFigures is part of answers.
type RetentionFigures struct {
	Kept         int64    `json:"kept"`
	Over         int64    `json:"over"`
	Percent      float64  `json:"percent"`
	Users        int64    `json:"users"`
	Value        *float64 `json:"value,omitempty"`
	ValuePerUser *float64 `json:"value_per_user,omitempty"`
}

// RetentionGroupRow is part of answers.
type RetentionGroupRow struct {
	Cells []*RetentionFigures `json:"cells"`
	Other bool                `json:"other,omitempty"`
	Users int64               `json:"users"`
	Value json.RawMessage     `json:"value"`
}

// RetentionInterval is part of answers.
type RetentionInterval struct {
	Histogram []RetentionStickyRow `json:"histogram"`
	Median    int64                `json:"median"`
	P80       int64                `json:"p80"`
	Users     int64                `json:"users"`
}

// RetentionLifecycleRow is part of answers.
type RetentionLifecycleRow struct {
	ID          string `json:"_id"`
	Dormant     int64  `json:"dormant"`
	New         int64  `json:"new"`
	Resurrected int64  `json:"resurrected"`
	Returning   int64  `json:"returning"`
	Start       int64  `json:"start"`
}

// RetentionPeople is part of answers.
type RetentionPeople struct {
	UIDs  []string `json:"uids"`
	Users int64    `json:"users"`
}

// RetentionReport is part of answers.
type RetentionReport struct {
	Brackets  []RetentionBracketRow `json:"brackets"`
	From      int64                 `json:"from"`
	Groups    []RetentionGroupRow   `json:"groups,omitempty"`
	Mean      []*RetentionFigures   `json:"mean"`
	Mode      string                `json:"mode"`
	Rolling   bool                  `json:"rolling"`
	Rows      []RetentionCohortRow  `json:"rows"`
	Source    string                `json:"source"`
	StartType string                `json:"start_type"`
	Timezone  string                `json:"timezone"`
	To        int64                 `json:"to"`
	Unit      string                `json:"unit"`
	Users     int64                 `json:"users"`
}

// RetentionStickyRow is part of answers.
type RetentionStickyRow struct {
	Units int64 `json:"units"`
	Users int64 `json:"users"`
}

// RevenueAgeCell is part of answers.
type RevenueAgeCell struct {
	Ltv     *float64 `json:"ltv"`
	Over    bool     `json:"over"`
	Paying  int64    `json:"paying"`
	Revenue float64  `json:"revenue"`
}

// RevenueAgePoint is part of answers.
type RevenueAgePoint struct {
	Ltv           float64 `json:"ltv"`
	PayingPercent float64 `json:"paying_percent"`
	Revenue       float64 `json:"revenue"`
	Users         int64   `json:"users"`
}

// RevenueBesidePoint is part of answers.
type RevenueBesidePoint struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	At                   string   `json:"at"`
	AverageOrder         *float64 `json:"average_order"`
	Beside               string   `json:"beside"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenueEarlier is part of answers.
type RevenueEarlier struct {
	Data   []RevenueBesidePoint `json:"data"`
	From   int64                `json:"from"`
	Groups []RevenueFigures     `json:"groups,omitempty"`
	To     int64                `json:"to"`
	Totals RevenueFigures       `json:"totals"`
}

// RevenueFigures is part of answers.
type RevenueFigures struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	AverageOrder         *float64 `json:"average_order"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenueGroup is part of answers.
type RevenueGroup struct {
	Arppu                *float64          `json:"arppu"`
	Arpu                 *float64          `json:"arpu"`
	AverageOrder         *float64          `json:"average_order"`
	Data                 []RevenuePoint    `json:"data,omitempty"`
	Paying               int64             `json:"paying"`
	PayingPercent        *float64          `json:"paying_percent"`
	Refunds              float64           `json:"refunds"`
	Revenue              float64           `json:"revenue"`
	Transactions         int64             `json:"transactions"`
	TransactionsPerPayer *float64          `json:"transactions_per_payer"`
	Users                *int64            `json:"users"`
	Values               []json.RawMessage `json:"values"`
}

// RevenueLifetimeOf is part of answers.
type RevenueLifetimeOf struct {
	Curve []*RevenueAgePoint `json:"curve"`
	Other bool               `json:"other,omitempty"`
	Users int64              `json:"users"`
	Value json.RawMessage    `json:"value"`
}

// RevenueLifetimeRow is part of answers.
type RevenueLifetimeRow struct {
	ID    string            `json:"_id"`
	Cells []*RevenueAgeCell `json:"cells"`
	Start int64             `json:"start"`
	Users int64             `json:"users"`
}

// RevenueLifetimes is part of answers.
type RevenueLifetimes struct {
	Ages       int64                `json:"ages"`
	Configured []string             `json:"configured"`
	Curve      []*RevenueAgePoint   `json:"curve"`
	Events     []string             `json:"events"`
	From       int64                `json:"from"`
	Groups     []RevenueLifetimeOf  `json:"groups,omitempty"`
	Rows       []RevenueLifetimeRow `json:"rows"`
	Timezone   string               `json:"timezone"`
	To         int64                `json:"to"`
	Unit       string               `json:"unit"`
	Users      int64                `json:"users"`
}

// RevenueOtherRes is part of answers.
type RevenueOtherRes struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	AverageOrder         *float64 `json:"average_order"`
	Groups               int64    `json:"groups"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenuePoint is part of answers.
type RevenuePoint struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	At                   string   `json:"at"`
	AverageOrder         *float64 `json:"average_order"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenueReport is part of answers.
type RevenueReport struct {
	Bucket     string           `json:"bucket"`
	Compare    *RevenueEarlier  `json:"compare,omitempty"`
	Configured []string         `json:"configured"`
	Data       []RevenuePoint   `json:"data"`
	Events     []string         `json:"events"`
	From       int64            `json:"from"`
	Groups     []RevenueGroup   `json:"groups,omitempty"`
	Lu         int64            `json:"lu"`
	Other      *RevenueOtherRes `json:"other,omitempty"`
	Timezone   string           `json:"timezone"`
	To         int64            `json:"to"`
	Totals     RevenueFigures   `json:"totals"`
}

// ServerstatsPoints is part of answers.
type ServerstatsPoints struct {
	Aclk     int64 `json:"aclk"`
	Actions  int64 `json:"actions"`
	Apm      int64 `json:"apm"`
	Change   int64 `json:"change"`
	Crash    int64 `json:"crash"`
	Cs       int64 `json:"cs"`
	Custom   int64 `json:"custom"`
	Dp       int64 `json:"dp"`
	Events   int64 `json:"events"`
	Llm      int64 `json:"llm"`
	Nps      int64 `json:"nps"`
	Ps       int64 `json:"ps"`
	Push     int64 `json:"push"`
	Ratings  int64 `json:"ratings"`
	Sessions int64 `json:"sessions"`
	Surveys  int64 `json:"surveys"`
	Views    int64 `json:"views"`
}

// ServerstatsPunchCard is part of answers.
type ServerstatsPunchCard struct {
	Data     []json.RawMessage `json:"data"`
	DayCount int64             `json:"dayCount"`
	Labels   []string          `json:"labels"`
}

// ServerstatsTopRow is part of answers.
type ServerstatsTopRow struct {
	A string `json:"a"`
	V int64  `json:"v"`
}

// SettingsDeclaration is part of answers.
type SettingsDeclaration struct {
	Default   json.RawMessage `json:"default"`
	Max       float64         `json:"max"`
	Min       float64         `json:"min"`
	OneOf     []string        `json:"one_of,omitempty"`
	PerApp    bool            `json:"per_app"`
	PerMember bool            `json:"per_member"`
	Type      string          `json:"type"`
	Value     json.RawMessage `json:"value,omitempty"`
}

// SlippingRow is part of answers.
type SlippingRow struct {
	Count      int64  `json:"count"`
	Percentage string `json:"percentage"`
	Period     int64  `json:"period"`
	TimeStamp  int64  `json:"timeStamp"`
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

// Stored is part of answers.
type Stored struct {
	// That the request was stored before.
	Info string `json:"info,omitempty"`
	// What became of each request, where `receipt` asks for it.
	Receipt []Receipt `json:"receipt,omitempty"`
	// `Success`, or why the request is dropped.
	Result string `json:"result"`
}

// SymbolicationAdded is part of answers.
type SymbolicationAdded struct {
	ID      string `json:"_id"`
	Message string `json:"message"`
	Problem string `json:"problem,omitempty"`
}

// SymbolicationEndpoint is part of answers.
type SymbolicationEndpoint struct {
	Value string `json:"value"`
}

// SymbolicationEntry is part of answers.
type SymbolicationEntry struct {
	ID         string                `json:"_id"`
	Builds     []string              `json:"builds"`
	Files      []SymbolicationUpload `json:"files"`
	Note       string                `json:"note"`
	Platform   string                `json:"platform"`
	Problem    string                `json:"problem"`
	Several    bool                  `json:"several"`
	Size       int64                 `json:"size"`
	SymToolVer string                `json:"sym_tool_ver"`
	Ts         int64                 `json:"ts"`
}

// SymbolicationLack is part of answers.
type SymbolicationLack struct {
	Build   string `json:"build"`
	Last    int64  `json:"last"`
	Os      string `json:"os"`
	Reports int64  `json:"reports"`
	Uuid    string `json:"uuid"`
	Version string `json:"version"`
}

// SymbolicationListed is part of answers.
type SymbolicationListed struct {
	ID         string                `json:"_id"`
	Build      json.RawMessage       `json:"build"`
	Filename   string                `json:"filename,omitempty"`
	Filenames  []SymbolicationUpload `json:"filenames,omitempty"`
	Note       string                `json:"note"`
	Parts      *int64                `json:"parts,omitempty"`
	Platform   string                `json:"platform"`
	Problem    string                `json:"problem,omitempty"`
	Several    *int64                `json:"several,omitempty"`
	SymToolVer string                `json:"sym_tool_ver,omitempty"`
	Ts         int64                 `json:"ts"`
	Uploads    *int64                `json:"uploads,omitempty"`
}

// SymbolicationOverview is part of answers.
type SymbolicationOverview struct {
	ByKey      bool                 `json:"by_key"`
	Days       int64                `json:"days"`
	MaxFiles   int64                `json:"max_files"`
	MaxSymbols int64                `json:"max_symbols"`
	Missing    []SymbolicationLack  `json:"missing"`
	Most       int64                `json:"most"`
	Symbols    []SymbolicationEntry `json:"symbols"`
	Used       int64                `json:"used"`
}

// SymbolicationUpload is part of answers.
type SymbolicationUpload struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// SystemAggregatorRow is part of answers.
type SystemAggregatorRow struct {
	Diff      int64   `json:"diff"`
	DiffDrill int64   `json:"diffDrill"`
	Drill     string  `json:"drill"`
	LastCd    *string `json:"last_cd"`
	LastID    string  `json:"last_id"`
	Name      string  `json:"name"`
}

// SystemKafkaMeta is part of answers.
type SystemKafkaMeta struct {
	ClusterIDs []string `json:"clusterIds"`
	EventTypes []string `json:"eventTypes"`
	GroupIDs   []string `json:"groupIds"`
	Topics     []string `json:"topics"`
}

// SystemKafkaState is part of answers.
type SystemKafkaState struct {
	ConnectStatus json.RawMessage `json:"connectStatus"`
	Consumers     []string        `json:"consumers"`
	LagHistory    []string        `json:"lagHistory"`
	Partitions    []string        `json:"partitions"`
	Summary       json.RawMessage `json:"summary"`
}

// SystemServiceRow is part of answers.
type SystemServiceRow struct {
	Lag     int64  `json:"lag"`
	Service string `json:"service"`
	Status  string `json:"status"`
}

// SystemVersion is part of answers.
type SystemVersion struct {
	Version string `json:"version"`
}

// SystemutilityHistoryRes is part of answers.
type SystemutilityHistoryRes struct {
	Memory   KernelMemory          `json:"memory"`
	Minutes  []SystemutilitySample `json:"minutes"`
	Quarters []SystemutilitySample `json:"quarters"`
}

// SystemutilitySample is part of answers.
type SystemutilitySample struct {
	Cpu      float64 `json:"cpu"`
	Disk     float64 `json:"disk"`
	Memory   float64 `json:"memory"`
	Resident int64   `json:"resident"`
	Ts       int64   `json:"ts"`
	Waiting  int64   `json:"waiting"`
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

// ViewsSegmentsRes is part of answers.
type ViewsSegmentsRes struct {
	Domains  []string            `json:"domains"`
	Omit     []string            `json:"omit,omitempty"`
	Segments map[string][]string `json:"segments"`
}
