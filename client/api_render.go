// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetImagesScreenshotsFileParams are the parameters of GetImagesScreenshotsFile. Zero values are left out.
type GetImagesScreenshotsFileParams struct {
	// Required.
	File string `path:"file"`
}

// GetImagesScreenshotsFile: A picture that was taken of the dashboard.
//
// For every member.
//
// It calls GET /images/screenshots/{file}.
func (c *Client) GetImagesScreenshotsFile(ctx context.Context, p GetImagesScreenshotsFileParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/images/screenshots/{file}", p)
}

// PostRenderParams are the parameters of PostRender. Zero values are left out.
type PostRenderParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Id of the document.
	ID string `body:"id"`
	// The page of the dashboard.
	Route string `body:"route"`
	// Name of a view, or of a page of the dashboard.
	View string `body:"view"`
}

// PostRender: take a picture of a page of the dashboard.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`.
//
// It calls POST /o/render.
func (c *Client) PostRender(ctx context.Context, p PostRenderParams) (out RenderPicture, err error) {
	err = c.call(ctx, "POST", "/o/render", p, false, &out)
	return out, err
}

// RenderPicture is part of answers.
type RenderPicture struct {
	Path string `json:"path"`
}
