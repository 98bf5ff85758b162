// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// GetRevenueParams are the parameters of GetRevenue. Zero values are left out.
type GetRevenueParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Moment that the period is counted from, in s or ms since 1970.
	Timestamp int64 `query:"timestamp"`
	// Distance of the client from UTC, in minutes west.
	PeriodOffset int64 `query:"periodOffset"`
	// Keys of the events that are purchases; those that the app names unless they are sent. A text is one key.
	Events any `query:"events"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRevenue: revenue by day.
//
// Needs the right to read `revenue`. A read that takes too long goes on as a task.
//
// It calls GET /o/revenue.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRevenue(ctx context.Context, p GetRevenueParams) (out map[string]json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/revenue", p, true, &out)
	return out, err
}

// GetRevenueLtvParams are the parameters of GetRevenueLtv. Zero values are left out.
type GetRevenueLtvParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Keys of the events that are purchases; those that the app names unless they are sent. A text is one key.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Unit of time.
	Unit string `query:"unit"`
	// How many ages are shown, in units; up to 400.
	Ages int64 `query:"ages"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRevenueLtv: what users spend by the time since they were first seen.
//
// Needs the right to read `revenue`. A read that takes too long goes on as a task.
//
// It calls GET /o/revenue/ltv.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRevenueLtv(ctx context.Context, p GetRevenueLtvParams) (out *RevenueLifetimes, err error) {
	err = c.call(ctx, "GET", "/o/revenue/ltv", p, true, &out)
	return out, err
}

// GetRevenueReportParams are the parameters of GetRevenueReport. Zero values are left out.
type GetRevenueReportParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Zone of days and hours, an IANA name or an offset; that of the app without it.
	Timezone string `query:"timezone"`
	// Keys of the events that are purchases; those that the app names unless they are sent. A text is one key.
	Events any `query:"events"`
	// A filter, in the language of queries: `{"up.cc":{"$in":["DE"]}}`.
	Filter any `query:"filter"`
	// Width of the points of a series: `hourly`, `daily`, `weekly`, `monthly`.
	Bucket string `query:"bucket"`
	// The property that results are divided by.
	Breakdown string `query:"breakdown"`
	// How many values of the property are shown; the others are one group.
	BreakdownLimit *int64 `query:"breakdown_limit"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// An earlier period beside it: `previous` (as many days before), `year` (the same dates a year before), or a period.
	Compare string `query:"compare"`
	// Name of the report.
	ReportName string `query:"report_name"`
	// Description of the report.
	ReportDesc string `query:"report_desc"`
	// The period in words.
	PeriodDesc string `query:"period_desc"`
}

// GetRevenueReport: revenue, paying users and averages.
//
// Needs the right to read `revenue`. A read that takes too long goes on as a task.
//
// It calls GET /o/revenue/report.
// A read that takes too long is answered with a *PendingError.
func (c *Client) GetRevenueReport(ctx context.Context, p GetRevenueReportParams) (out *RevenueReport, err error) {
	err = c.call(ctx, "GET", "/o/revenue/report", p, true, &out)
	return out, err
}

// RevenueAgeCell is part of answers.
type RevenueAgeCell struct {
	Ltv     *float64 `json:"ltv"`
	Over    bool     `json:"over"`
	Paying  int64    `json:"paying"`
	Revenue float64  `json:"revenue"`
}

// RevenueAgePoint is part of answers.
type RevenueAgePoint struct {
	Ltv           float64 `json:"ltv"`
	PayingPercent float64 `json:"paying_percent"`
	Revenue       float64 `json:"revenue"`
	Users         int64   `json:"users"`
}

// RevenueBesidePoint is part of answers.
type RevenueBesidePoint struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	At                   string   `json:"at"`
	AverageOrder         *float64 `json:"average_order"`
	Beside               string   `json:"beside"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenueEarlier is part of answers.
type RevenueEarlier struct {
	Data   []RevenueBesidePoint `json:"data"`
	From   int64                `json:"from"`
	Groups []RevenueFigures     `json:"groups,omitempty"`
	To     int64                `json:"to"`
	Totals RevenueFigures       `json:"totals"`
}

// RevenueFigures is part of answers.
type RevenueFigures struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	AverageOrder         *float64 `json:"average_order"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenueGroup is part of answers.
type RevenueGroup struct {
	Arppu                *float64          `json:"arppu"`
	Arpu                 *float64          `json:"arpu"`
	AverageOrder         *float64          `json:"average_order"`
	Data                 []RevenuePoint    `json:"data,omitempty"`
	Paying               int64             `json:"paying"`
	PayingPercent        *float64          `json:"paying_percent"`
	Refunds              float64           `json:"refunds"`
	Revenue              float64           `json:"revenue"`
	Transactions         int64             `json:"transactions"`
	TransactionsPerPayer *float64          `json:"transactions_per_payer"`
	Users                *int64            `json:"users"`
	Values               []json.RawMessage `json:"values"`
}

// RevenueLifetimeOf is part of answers.
type RevenueLifetimeOf struct {
	Curve []*RevenueAgePoint `json:"curve"`
	Other bool               `json:"other,omitempty"`
	Users int64              `json:"users"`
	Value json.RawMessage    `json:"value"`
}

// RevenueLifetimeRow is part of answers.
type RevenueLifetimeRow struct {
	ID    string            `json:"_id"`
	Cells []*RevenueAgeCell `json:"cells"`
	Start int64             `json:"start"`
	Users int64             `json:"users"`
}

// RevenueLifetimes is part of answers.
type RevenueLifetimes struct {
	Ages       int64                `json:"ages"`
	Configured []string             `json:"configured"`
	Curve      []*RevenueAgePoint   `json:"curve"`
	Events     []string             `json:"events"`
	From       int64                `json:"from"`
	Groups     []RevenueLifetimeOf  `json:"groups,omitempty"`
	Rows       []RevenueLifetimeRow `json:"rows"`
	Timezone   string               `json:"timezone"`
	To         int64                `json:"to"`
	Unit       string               `json:"unit"`
	Users      int64                `json:"users"`
}

// RevenueOtherRes is part of answers.
type RevenueOtherRes struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	AverageOrder         *float64 `json:"average_order"`
	Groups               int64    `json:"groups"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenuePoint is part of answers.
type RevenuePoint struct {
	Arppu                *float64 `json:"arppu"`
	Arpu                 *float64 `json:"arpu"`
	At                   string   `json:"at"`
	AverageOrder         *float64 `json:"average_order"`
	Paying               int64    `json:"paying"`
	PayingPercent        *float64 `json:"paying_percent"`
	Refunds              float64  `json:"refunds"`
	Revenue              float64  `json:"revenue"`
	Transactions         int64    `json:"transactions"`
	TransactionsPerPayer *float64 `json:"transactions_per_payer"`
	Users                *int64   `json:"users"`
}

// RevenueReport is part of answers.
type RevenueReport struct {
	Bucket     string           `json:"bucket"`
	Compare    *RevenueEarlier  `json:"compare,omitempty"`
	Configured []string         `json:"configured"`
	Data       []RevenuePoint   `json:"data"`
	Events     []string         `json:"events"`
	From       int64            `json:"from"`
	Groups     []RevenueGroup   `json:"groups,omitempty"`
	Lu         int64            `json:"lu"`
	Other      *RevenueOtherRes `json:"other,omitempty"`
	Timezone   string           `json:"timezone"`
	To         int64            `json:"to"`
	Totals     RevenueFigures   `json:"totals"`
}
