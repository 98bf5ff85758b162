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
	// `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`.
	Cursor string `query:"cursor"`
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

// MembersRotated is part of answers.
type MembersRotated struct {
	APIKey string `json:"api_key,omitempty"`
	Result string `json:"result"`
}
