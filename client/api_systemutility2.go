// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetSystemDisks: room on disks.
//
// For global administrators.
//
// It calls GET /o/system/disks.
func (c *Client) GetSystemDisks(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/disks", nil, false, &out)
	return out, err
}

// GetSystemHealthcheckParams are the parameters of GetSystemHealthcheck. Zero values are left out.
type GetSystemHealthcheckParams struct {
	// Required. The conditions that must hold, as JSON or by name.
	Test string `query:"test"`
}

// GetSystemHealthcheck: whether conditions hold.
//
// For global administrators.
//
// It calls GET /o/system/healthcheck.
func (c *Client) GetSystemHealthcheck(ctx context.Context, p GetSystemHealthcheckParams) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/healthcheck", p, false, &out)
	return out, err
}

// GetSystemHistory: figures of the machine over time.
//
// For global administrators.
//
// It calls GET /o/system/history.
func (c *Client) GetSystemHistory(ctx context.Context) (out SystemutilityHistoryRes, err error) {
	err = c.call(ctx, "GET", "/o/system/history", nil, false, &out)
	return out, err
}

// GetSystemMemory: memory.
//
// For global administrators.
//
// It calls GET /o/system/memory.
func (c *Client) GetSystemMemory(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/memory", nil, false, &out)
	return out, err
}

// GetSystemOverall: figures of the machine.
//
// For global administrators.
//
// It calls GET /o/system/overall.
func (c *Client) GetSystemOverall(ctx context.Context) (out Result, err error) {
	err = c.call(ctx, "GET", "/o/system/overall", nil, false, &out)
	return out, err
}

// KernelMemory is part of answers.
type KernelMemory struct {
	Limit    int64 `json:"limit"`
	Resident int64 `json:"resident"`
}

// SystemutilityHistoryRes is part of answers.
type SystemutilityHistoryRes struct {
	Memory   KernelMemory          `json:"memory"`
	Minutes  []SystemutilitySample `json:"minutes"`
	Quarters []SystemutilitySample `json:"quarters"`
}

// SystemutilitySample is part of answers.
type SystemutilitySample struct {
	Cpu      float64 `json:"cpu"`
	Disk     float64 `json:"disk"`
	Memory   float64 `json:"memory"`
	Resident int64   `json:"resident"`
	Ts       int64   `json:"ts"`
	Waiting  int64   `json:"waiting"`
}
