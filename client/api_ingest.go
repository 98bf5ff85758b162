// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

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

// Stored is part of answers.
type Stored struct {
	// That the request was stored before.
	Info string `json:"info,omitempty"`
	// What became of each request, where `receipt` asks for it.
	Receipt []Receipt `json:"receipt,omitempty"`
	// `Success`, or why the request is dropped.
	Result string `json:"result"`
}
