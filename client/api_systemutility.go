// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// PostInspectorStart: start the inspector.
//
// For global administrators.
//
// It calls POST /i/inspector/start.
func (c *Client) PostInspectorStart(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/inspector/start", nil, false, &out)
	return out, err
}

// PostInspectorStop: stop the inspector.
//
// For global administrators.
//
// It calls POST /i/inspector/stop.
func (c *Client) PostInspectorStop(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/inspector/stop", nil, false, &out)
	return out, err
}

// PostProfilerDownloadAll: download all profiles.
//
// For global administrators.
//
// It calls POST /i/profiler/download-all.
func (c *Client) PostProfilerDownloadAll(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "POST", "/i/profiler/download-all", nil)
}

// PostProfilerListFiles: list profiles.
//
// For global administrators.
//
// It calls POST /i/profiler/list-files.
func (c *Client) PostProfilerListFiles(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/profiler/list-files", nil, false, &out)
	return out, err
}

// PostProfilerStart: start the profiler.
//
// For global administrators.
//
// It calls POST /i/profiler/start.
func (c *Client) PostProfilerStart(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/profiler/start", nil, false, &out)
	return out, err
}

// PostProfilerStop: stop the profiler.
//
// For global administrators.
//
// It calls POST /i/profiler/stop.
func (c *Client) PostProfilerStop(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/profiler/stop", nil, false, &out)
	return out, err
}

// PostProfilerTakeHeapSnapshot: download a profile of the heap.
//
// For global administrators.
//
// It calls POST /i/profiler/take-heap-snapshot.
func (c *Client) PostProfilerTakeHeapSnapshot(ctx context.Context) ([]byte, error) {
	return c.raw(ctx, "POST", "/i/profiler/take-heap-snapshot", nil)
}

// GetInspectorProfileParams are the parameters of GetInspectorProfile. Zero values are left out.
type GetInspectorProfileParams struct {
	// Required. Name of the profile.
	Profile string `path:"profile"`
}

// GetInspectorProfile: download a profile.
//
// For global administrators.
//
// It calls GET /o/inspector/{profile}.
func (c *Client) GetInspectorProfile(ctx context.Context, p GetInspectorProfileParams) ([]byte, error) {
	return c.raw(ctx, "GET", "/o/inspector/{profile}", p)
}

// GetSystemCpu: load of processors.
//
// For global administrators.
//
// It calls GET /o/system/cpu.
func (c *Client) GetSystemCpu(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/cpu", nil, false, &out)
	return out, err
}

// GetSystemDatabase: state of the document store.
//
// For global administrators.
//
// It calls GET /o/system/database.
func (c *Client) GetSystemDatabase(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/database", nil, false, &out)
	return out, err
}

// GetSystemDbCheck: whether the document store answers.
//
// For global administrators.
//
// It calls GET /o/system/dbCheck.
func (c *Client) GetSystemDbCheck(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/dbCheck", nil, false, &out)
	return out, err
}

// GetSystemDbcheck: whether the document store answers.
//
// For global administrators.
//
// It calls GET /o/system/dbcheck.
func (c *Client) GetSystemDbcheck(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/dbcheck", nil, false, &out)
	return out, err
}
