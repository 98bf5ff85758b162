// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

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

// PostCrashesAssignParams are the parameters of PostCrashesAssign. Zero values are left out.
type PostCrashesAssignParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostCrashesAssign: assign crash groups to a member.
//
// Needs the right to update `crashes`.
//
// It calls POST /i/crashes/assign.
func (c *Client) PostCrashesAssign(ctx context.Context, p PostCrashesAssignParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/crashes/assign", p, false, &out)
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

// CrashesTaskRes is part of answers.
type CrashesTaskRes struct {
	Task string `json:"task"`
}
