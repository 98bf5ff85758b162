// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetCrashesJiraLoginCallback: go on to the dashboard after the login at Jira.
//
// Needs no credentials of a member.
//
// It calls GET /crashes-jira/login_callback.
func (c *Client) GetCrashesJiraLoginCallback(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/crashes-jira/login_callback", nil)
}

// PostCrashesJiraCallbackParams are the parameters of PostCrashesJiraCallback. Zero values are left out.
type PostCrashesJiraCallbackParams struct {
	// Token that Jira sends back.
	OauthToken string `body:"oauth_token"`
	// Required. Verifier that Jira sends back.
	OauthVerifier string `body:"oauth_verifier"`
	// Leads to a page afterwards.
	PrettyCallback string `body:"pretty_callback"`
}

// PostCrashesJiraCallback: complete the login of the server at Jira.
//
// Needs no credentials of a member. The same as `/i/crashes-jira?method=callback`.
//
// It calls POST /i/crashes-jira/callback.
func (c *Client) PostCrashesJiraCallback(ctx context.Context, p PostCrashesJiraCallbackParams) ([]byte, error) {
	return c.raw(ctx, "POST", "/i/crashes-jira/callback", p)
}

// PostCrashesJiraCheckLogin: check the login of the server at Jira.
//
// For global administrators. The same as `/i/crashes-jira?method=check_login`.
//
// It calls POST /i/crashes-jira/check_login.
func (c *Client) PostCrashesJiraCheckLogin(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crashes-jira/check_login", nil, false, &out)
	return out, err
}

// PostCrashesJiraCreateParams are the parameters of PostCrashesJiraCreate. Zero values are left out.
type PostCrashesJiraCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the crash group.
	CrashgroupID string `body:"crashgroup_id"`
	// Description.
	Description string `body:"description"`
	// Title of the issue.
	Summary string `body:"summary"`
}

// PostCrashesJiraCreate: create a Jira issue for a crash group.
//
// Needs the right to create `crashes`. The same as `/i/crashes-jira?method=create`.
//
// It calls POST /i/crashes-jira/create.
func (c *Client) PostCrashesJiraCreate(ctx context.Context, p PostCrashesJiraCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crashes-jira/create", p, false, &out)
	return out, err
}

// PostCrashesJiraLoginParams are the parameters of PostCrashesJiraLogin. Zero values are left out.
type PostCrashesJiraLoginParams struct {
	// Leads to a page afterwards.
	PrettyCallback string `body:"pretty_callback"`
}

// PostCrashesJiraLogin: begin the login of the server at Jira, by a redirect.
//
// For global administrators. The same as `/i/crashes-jira?method=login`.
//
// It calls POST /i/crashes-jira/login.
func (c *Client) PostCrashesJiraLogin(ctx context.Context, p PostCrashesJiraLoginParams) ([]byte, error) {
	return c.raw(ctx, "POST", "/i/crashes-jira/login", p)
}

// PostCrashesJiraSyncParams are the parameters of PostCrashesJiraSync. Zero values are left out.
type PostCrashesJiraSyncParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Id of the crash group.
	CrashgroupID string `body:"crashgroup_id"`
}

// PostCrashesJiraSync: synchronise crash groups and their Jira issues.
//
// Needs the right to update `crashes`. The same as `/i/crashes-jira?method=sync`.
//
// It calls POST /i/crashes-jira/sync.
func (c *Client) PostCrashesJiraSync(ctx context.Context, p PostCrashesJiraSyncParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/crashes-jira/sync", p, false, &out)
	return out, err
}

// PostTrackersCheckParams are the parameters of PostTrackersCheck. Zero values are left out.
type PostTrackersCheckParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostTrackersCheck: check the issue tracker of an app.
//
// For administrators of the app.
//
// It calls POST /i/trackers/check.
func (c *Client) PostTrackersCheck(ctx context.Context, p PostTrackersCheckParams) (out TrackersChecked, err error) {
	err = c.call(ctx, "POST", "/i/trackers/check", p, false, &out)
	return out, err
}

// PostTrackersCreateParams are the parameters of PostTrackersCreate. Zero values are left out.
type PostTrackersCreateParams struct {
	// Address of the dashboard, for the link in the text.
	Address string `body:"address"`
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `body:"group"`
	// Text of the issue; that of the draft unless one is sent.
	Text string `body:"text"`
	// Title of the issue; that of the draft unless one is sent.
	Title string `body:"title"`
}

// PostTrackersCreate: create an issue for a crash group.
//
// Needs the right to create `crashes`.
//
// It calls POST /i/trackers/create.
func (c *Client) PostTrackersCreate(ctx context.Context, p PostTrackersCreateParams) (out TrackersLinked, err error) {
	err = c.call(ctx, "POST", "/i/trackers/create", p, false, &out)
	return out, err
}

// PostTrackersJiraParams are the parameters of PostTrackersJira. Zero values are left out.
type PostTrackersJiraParams struct {
	// Required. Address of the Jira.
	Address string `body:"address"`
	// Required. Address of this server as browsers see it.
	Callback string `body:"callback"`
	// Required. Name by which Jira knows this server.
	ConsumerKey string `body:"consumer_key"`
}

// PostTrackersJira: set the Jira of the server.
//
// For global administrators.
//
// It calls POST /i/trackers/jira.
func (c *Client) PostTrackersJira(ctx context.Context, p PostTrackersJiraParams) (out TrackersJiraView, err error) {
	err = c.call(ctx, "POST", "/i/trackers/jira", p, false, &out)
	return out, err
}

// PostTrackersJiraLogin: begin the login of the server at Jira.
//
// For global administrators.
//
// It calls POST /i/trackers/jira/login.
func (c *Client) PostTrackersJiraLogin(ctx context.Context) (out TrackersPlace, err error) {
	err = c.call(ctx, "POST", "/i/trackers/jira/login", nil, false, &out)
	return out, err
}

// PostTrackersJiraLogout: end the login of the server at Jira.
//
// For global administrators.
//
// It calls POST /i/trackers/jira/logout.
func (c *Client) PostTrackersJiraLogout(ctx context.Context) (out TrackersJiraView, err error) {
	err = c.call(ctx, "POST", "/i/trackers/jira/logout", nil, false, &out)
	return out, err
}

// PostTrackersLinkParams are the parameters of PostTrackersLink. Zero values are left out.
type PostTrackersLinkParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `body:"group"`
	// Required. Address, key or number of an issue.
	Issue string `body:"issue"`
}

// PostTrackersLink: link a crash group with an issue.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/trackers/link.
func (c *Client) PostTrackersLink(ctx context.Context, p PostTrackersLinkParams) (out TrackersLinked, err error) {
	err = c.call(ctx, "POST", "/i/trackers/link", p, false, &out)
	return out, err
}

// TrackersChecked is part of answers.
type TrackersChecked struct {
	Project string `json:"project"`
	Result  string `json:"result"`
}

// TrackersPlace is part of answers.
type TrackersPlace struct {
	URL string `json:"url"`
}
