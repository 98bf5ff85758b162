// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// PostPropertiesEditParams are the parameters of PostPropertiesEdit. Zero values are left out.
type PostPropertiesEditParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is said about properties, by path: `{"sg.price":{"label":"Price","description":"in euros","hidden":true}}`. What a label lacks stays as it is; `null` takes everything back.
	Properties any `body:"properties"`
}

// PostPropertiesEdit: change what is said about properties.
//
// Needs the right to update `events`.
//
// It calls POST /i/properties/edit.
func (c *Client) PostPropertiesEdit(ctx context.Context, p PostPropertiesEditParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/properties/edit", p, false, &out)
	return out, err
}

// GetPropertiesParams are the parameters of GetProperties. Zero values are left out.
type GetPropertiesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetProperties: what is said about properties.
//
// Needs the right to read `core`.
//
// It calls GET /o/properties.
func (c *Client) GetProperties(ctx context.Context, p GetPropertiesParams) (out map[string]KernelPropertyLabel, err error) {
	err = c.call(ctx, "GET", "/o/properties", p, false, &out)
	return out, err
}

// KernelPropertyLabel is part of answers.
type KernelPropertyLabel struct {
	Description string `json:"description,omitempty"`
	Hidden      bool   `json:"hidden,omitempty"`
	Label       string `json:"label,omitempty"`
}
