// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostTrackersRemoveParams are the parameters of PostTrackersRemove. Zero values are left out.
type PostTrackersRemoveParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
}

// PostTrackersRemove: remove the issue tracker of an app, and its token.
//
// For administrators of the app.
//
// It calls POST /i/trackers/remove.
func (c *Client) PostTrackersRemove(ctx context.Context, p PostTrackersRemoveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/trackers/remove", p, false, &out)
	return out, err
}

// PostTrackersSettingsParams are the parameters of PostTrackersSettings. Zero values are left out.
type PostTrackersSettingsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostTrackersSettings: set the issue tracker of an app.
//
// For administrators of the app.
//
// It calls POST /i/trackers/settings.
func (c *Client) PostTrackersSettings(ctx context.Context, p PostTrackersSettingsParams) (out TrackersView, err error) {
	err = c.call(ctx, "POST", "/i/trackers/settings", p, false, &out)
	return out, err
}

// PostTrackersStateParams are the parameters of PostTrackersState. Zero values are left out.
type PostTrackersStateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `body:"group"`
	// Required. State that the issue gets.
	State string `body:"state"`
}

// PostTrackersState: close or reopen the issue of a crash group.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/trackers/state.
func (c *Client) PostTrackersState(ctx context.Context, p PostTrackersStateParams) (out TrackersLinked, err error) {
	err = c.call(ctx, "POST", "/i/trackers/state", p, false, &out)
	return out, err
}

// PostTrackersSyncParams are the parameters of PostTrackersSync. Zero values are left out.
type PostTrackersSyncParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `body:"group"`
}

// PostTrackersSync: synchronise a crash group and its issue.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/trackers/sync.
func (c *Client) PostTrackersSync(ctx context.Context, p PostTrackersSyncParams) (out TrackersLinked, err error) {
	err = c.call(ctx, "POST", "/i/trackers/sync", p, false, &out)
	return out, err
}

// PostTrackersUnlinkParams are the parameters of PostTrackersUnlink. Zero values are left out.
type PostTrackersUnlinkParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `body:"group"`
}

// PostTrackersUnlink: unlink a crash group from its issue.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/trackers/unlink.
func (c *Client) PostTrackersUnlink(ctx context.Context, p PostTrackersUnlinkParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/trackers/unlink", p, false, &out)
	return out, err
}

// GetMethodCrashesJiraParams are the parameters of GetMethodCrashesJira. Zero values are left out.
type GetMethodCrashesJiraParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Id of the crash group.
	CrashgroupID string `query:"crashgroup_id"`
	// Ids of crash groups.
	Crashgroups any `query:"crashgroups"`
}

// GetMethodCrashesJira: list the Jira issues of crash groups.
//
// Needs the right to read `crashes`. The same as `/o?method=crashes-jira`.
//
// It calls GET /o/method/crashes-jira.
func (c *Client) GetMethodCrashesJira(ctx context.Context, p GetMethodCrashesJiraParams) (out []TrackersWireIssue, err error) {
	err = c.call(ctx, "GET", "/o/method/crashes-jira", p, false, &out)
	return out, err
}

// GetTrackersParams are the parameters of GetTrackers. Zero values are left out.
type GetTrackersParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetTrackers: read the issue tracker of an app.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/trackers.
func (c *Client) GetTrackers(ctx context.Context, p GetTrackersParams) (out TrackersView, err error) {
	err = c.call(ctx, "GET", "/o/trackers", p, false, &out)
	return out, err
}

// GetTrackersDraftParams are the parameters of GetTrackersDraft. Zero values are left out.
type GetTrackersDraftParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
	// Address of the dashboard, for the link in the text.
	Address string `query:"address"`
}

// GetTrackersDraft: propose an issue for a crash group.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/trackers/draft.
func (c *Client) GetTrackersDraft(ctx context.Context, p GetTrackersDraftParams) (out TrackersProposal, err error) {
	err = c.call(ctx, "GET", "/o/trackers/draft", p, false, &out)
	return out, err
}

// GetTrackersIssueParams are the parameters of GetTrackersIssue. Zero values are left out.
type GetTrackersIssueParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. A group: of a list, those within it; of crashes, the id of the crash group.
	Group string `query:"group"`
}

// GetTrackersIssue: read the issue of a crash group.
//
// Needs the right to read `crashes`.
//
// It calls GET /o/trackers/issue.
func (c *Client) GetTrackersIssue(ctx context.Context, p GetTrackersIssueParams) (out TrackersLinked, err error) {
	err = c.call(ctx, "GET", "/o/trackers/issue", p, false, &out)
	return out, err
}

// GetTrackersJira: read the login of the server at Jira.
//
// For global administrators.
//
// It calls GET /o/trackers/jira.
func (c *Client) GetTrackersJira(ctx context.Context) (out TrackersJiraView, err error) {
	err = c.call(ctx, "GET", "/o/trackers/jira", nil, false, &out)
	return out, err
}

// TrackersProposal is part of answers.
type TrackersProposal struct {
	Text  string `json:"text"`
	Title string `json:"title"`
}

// TrackersView is part of answers.
type TrackersView struct {
	Address       string   `json:"address"`
	Auth          string   `json:"auth"`
	CloseIssues   bool     `json:"close_issues"`
	Doing         []string `json:"doing"`
	Done          []string `json:"done"`
	HasToken      bool     `json:"has_token"`
	JiraAddress   string   `json:"jira_address"`
	Labels        []string `json:"labels"`
	Project       string   `json:"project"`
	ReopenGroups  bool     `json:"reopen_groups"`
	ReopenIssues  bool     `json:"reopen_issues"`
	ResolveGroups bool     `json:"resolve_groups"`
	SetUp         bool     `json:"set_up"`
	Todo          []string `json:"todo"`
	Tracker       string   `json:"tracker"`
	Type          string   `json:"type"`
	User          string   `json:"user"`
}

// TrackersWireIssue is part of answers.
type TrackersWireIssue struct {
	ID          string          `json:"_id"`
	Created     int64           `json:"created"`
	Issue       json.RawMessage `json:"issue"`
	LastChecked int64           `json:"lastChecked"`
	URL         string          `json:"url"`
}
