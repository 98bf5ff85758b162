// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

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

// QueryLoyaltyRow is part of answers.
type QueryLoyaltyRow struct {
	ID    string `json:"_id"`
	Count int64  `json:"count"`
	Index int64  `json:"index"`
}
