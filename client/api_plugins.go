// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

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

// PostEmailTest: send a test message.
//
// For global administrators.
//
// It calls POST /o/email_test.
func (c *Client) PostEmailTest(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/o/email_test", nil, false, &out)
	return out, err
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

// GetThemes: themes of the dashboard.
//
// For every member.
//
// It calls GET /o/themes.
func (c *Client) GetThemes(ctx context.Context) (out []string, err error) {
	err = c.call(ctx, "GET", "/o/themes", nil, false, &out)
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
