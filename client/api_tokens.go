// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostTokenCreateParams are the parameters of PostTokenCreate. Zero values are left out.
type PostTokenCreateParams struct {
	// Id of the app that the token is for, or several.
	App string `body:"app"`
	// Ids of apps: a JSON list, or separated by commas.
	Apps string `body:"apps"`
	// Paths that the token is for: texts or patterns.
	Endpoint string `body:"endpoint"`
	// Parameters that requests with the token must have.
	Endpointquery any `body:"endpointquery"`
	// Whether the token may be used more than once.
	Multi *bool `body:"multi"`
	// What the token is for.
	Purpose string `body:"purpose"`
	// Seconds until the token ends; 0 for never.
	TTL *int64 `body:"ttl"`
}

// PostTokenCreate: create a token.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls POST /i/token/create.
func (c *Client) PostTokenCreate(ctx context.Context, p PostTokenCreateParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/token/create", p, false, &out)
	return out, err
}

// PostTokenDeleteParams are the parameters of PostTokenDelete. Zero values are left out.
type PostTokenDeleteParams struct {
	// Required. The token.
	Tokenid string `body:"tokenid"`
}

// PostTokenDelete: delete a token.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls POST /i/token/delete.
func (c *Client) PostTokenDelete(ctx context.Context, p PostTokenDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/token/delete", p, false, &out)
	return out, err
}

// GetTokenCheckParams are the parameters of GetTokenCheck. Zero values are left out.
type GetTokenCheckParams struct {
	// Required. The token.
	Token string `query:"token"`
}

// GetTokenCheck: whether a token is valid.
//
// For every member. Tokens that are limited to apps may be used.
//
// It calls GET /o/token/check.
func (c *Client) GetTokenCheck(ctx context.Context, p GetTokenCheckParams) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/token/check", p, false, &out)
	return out, err
}

// GetTokenListParams are the parameters of GetTokenList. Zero values are left out.
type GetTokenListParams struct {
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

// GetTokenList: list tokens of the caller.
//
// For every member. The answer is a list, which pages, sorts and searches. Tokens that are limited to apps may be used.
//
// It calls GET /o/token/list.
func (c *Client) GetTokenList(ctx context.Context, p GetTokenListParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/token/list", p, false, &out)
	return out, err
}
