// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

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
