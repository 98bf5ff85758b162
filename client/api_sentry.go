// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetAPIProjectEnvelopeParams are the parameters of GetAPIProjectEnvelope. Zero values are left out.
type GetAPIProjectEnvelopeParams struct {
	// Key of the app, where the SDK sends it in the address.
	SentryKey string `query:"sentry_key"`
	// Required. Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project string `path:"project"`
}

// GetAPIProjectEnvelope: take what SDKs of Sentry send.
//
// Needs no credentials of a member.
//
// It calls GET /api/{project}/envelope.
func (c *Client) GetAPIProjectEnvelope(ctx context.Context, p GetAPIProjectEnvelopeParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/api/{project}/envelope", p)
}

// GetAPIProjectMinidumpParams are the parameters of GetAPIProjectMinidump. Zero values are left out.
type GetAPIProjectMinidumpParams struct {
	// Key of the app, where the SDK sends it in the address.
	SentryKey string `query:"sentry_key"`
	// Required. Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project string `path:"project"`
}

// GetAPIProjectMinidump: take a minidump as Crashpad and SDKs of Sentry upload it.
//
// Needs no credentials of a member.
//
// It calls GET /api/{project}/minidump.
func (c *Client) GetAPIProjectMinidump(ctx context.Context, p GetAPIProjectMinidumpParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/api/{project}/minidump", p)
}

// GetAPIProjectStoreParams are the parameters of GetAPIProjectStore. Zero values are left out.
type GetAPIProjectStoreParams struct {
	// Key of the app, where the SDK sends it in the address.
	SentryKey string `query:"sentry_key"`
	// Required. Fields of rows: `{"name":1}`, or `{"custom":0}` for all but these.
	Project string `path:"project"`
}

// GetAPIProjectStore: take an event of older SDKs of Sentry.
//
// Needs no credentials of a member.
//
// It calls GET /api/{project}/store.
func (c *Client) GetAPIProjectStore(ctx context.Context, p GetAPIProjectStoreParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/api/{project}/store", p)
}
