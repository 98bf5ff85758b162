// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostErrorlogsParams are the parameters of PostErrorlogs. Zero values are left out.
type PostErrorlogsParams struct {
	// Required. Which log.
	Log string `body:"log"`
}

// PostErrorlogs: clear a log.
//
// For global administrators.
//
// It calls POST /i/errorlogs.
func (c *Client) PostErrorlogs(ctx context.Context, p PostErrorlogsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/errorlogs", p, false, &out)
	return out, err
}

// GetErrorlogsParams are the parameters of GetErrorlogs. Zero values are left out.
type GetErrorlogsParams struct {
	// Which log.
	Log string `query:"log"`
	// How many bytes from the end are read.
	Bytes int64 `query:"bytes"`
	// Answers with a file.
	Download bool `query:"download"`
}

// GetErrorlogs: read logs.
//
// For global administrators.
//
// It calls GET /o/errorlogs.
func (c *Client) GetErrorlogs(ctx context.Context, p GetErrorlogsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/errorlogs", p, false, &out)
	return out, err
}
