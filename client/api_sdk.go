// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

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
