// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

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

// GetConcurrentUsersParams are the parameters of GetConcurrentUsers. Zero values are left out.
type GetConcurrentUsersParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Ids of up to 20 apps whose users are counted together, as a JSON list.
	Apps any `query:"apps"`
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

// ConcurrentusersAppRow is part of answers.
type ConcurrentusersAppRow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ConcurrentusersBucket is part of answers.
type ConcurrentusersBucket struct {
	Bound bool  `json:"bound,omitempty"`
	N     int64 `json:"n"`
	Na    int64 `json:"na,omitempty"`
	O     int64 `json:"o"`
	Oa    int64 `json:"oa,omitempty"`
	T     int64 `json:"t"`
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
	Apps    []ConcurrentusersAppRow `json:"apps,omitempty"`
	At      int64                   `json:"at"`
	Days    []ConcurrentusersBucket `json:"days"`
	Hours   []ConcurrentusersBucket `json:"hours"`
	M       ConcurrentusersParts    `json:"m"`
	Minutes []ConcurrentusersBucket `json:"minutes"`
	Most    ConcurrentusersBucket   `json:"most"`
	Now     ConcurrentusersCount    `json:"now"`
	Shared  int64                   `json:"shared,omitempty"`
	Whole   bool                    `json:"whole"`
	Window  int64                   `json:"window"`
}

// ConcurrentusersParts is part of answers.
type ConcurrentusersParts struct {
	Cc  map[string]int64 `json:"cc"`
	Lv  map[string]int64 `json:"lv"`
	Src map[string]int64 `json:"src"`
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
