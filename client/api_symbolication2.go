// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetSymbolicationTestSymbolicationEndpointsParams are the parameters of GetSymbolicationTestSymbolicationEndpoints. Zero values are left out.
type GetSymbolicationTestSymbolicationEndpointsParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationEndpoints: where symbolication is done.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_endpoints.
func (c *Client) GetSymbolicationTestSymbolicationEndpoints(ctx context.Context, p GetSymbolicationTestSymbolicationEndpointsParams) (out []SymbolicationEndpoint, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_endpoints", p, false, &out)
	return out, err
}

// GetSymbolicationTestSymbolicationKeyParams are the parameters of GetSymbolicationTestSymbolicationKey. Zero values are left out.
type GetSymbolicationTestSymbolicationKeyParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationKey: whether the key of symbolication is right.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_key.
func (c *Client) GetSymbolicationTestSymbolicationKey(ctx context.Context, p GetSymbolicationTestSymbolicationKeyParams) (out bool, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_key", p, false, &out)
	return out, err
}

// GetSymbolicationTestSymbolicationReturnConnectionParams are the parameters of GetSymbolicationTestSymbolicationReturnConnection. Zero values are left out.
type GetSymbolicationTestSymbolicationReturnConnectionParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
}

// GetSymbolicationTestSymbolicationReturnConnection: whether results of symbolication arrive.
//
// Needs the right to read `crashes`. Global administrators may leave out `app_id`.
//
// It calls GET /o/symbolication/test_symbolication_return_connection.
func (c *Client) GetSymbolicationTestSymbolicationReturnConnection(ctx context.Context, p GetSymbolicationTestSymbolicationReturnConnectionParams) (out bool, err error) {
	err = c.call(ctx, "GET", "/o/symbolication/test_symbolication_return_connection", p, false, &out)
	return out, err
}

// SymbolicationEndpoint is part of answers.
type SymbolicationEndpoint struct {
	Value string `json:"value"`
}
