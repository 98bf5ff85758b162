// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetOpenAPI: this description.
//
// OpenAPI 3.1, made of the routes of the server.
//
// It calls GET /openapi.json.
func (c *Client) GetOpenAPI(ctx context.Context) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/openapi.json", nil, false, &out)
	return out, err
}

// GetReadyz: whether data is accepted.
//
// For probes of monitoring.
//
// It calls GET /readyz.
func (c *Client) GetReadyz(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "GET", "/readyz", nil)
}
