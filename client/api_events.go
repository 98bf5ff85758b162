// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostEventsChangeVisibilityParams are the parameters of PostEventsChangeVisibility. Zero values are left out.
type PostEventsChangeVisibilityParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Keys of events.
	Events any `body:"events"`
	// Required. Whether events are shown or hidden.
	SetVisibility string `body:"set_visibility"`
}

// PostEventsChangeVisibility: show or hide events.
//
// Needs the right to update `events`.
//
// It calls POST /i/events/change_visibility.
func (c *Client) PostEventsChangeVisibility(ctx context.Context, p PostEventsChangeVisibilityParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/change_visibility", p, false, &out)
	return out, err
}

// PostEventsDeleteEventsParams are the parameters of PostEventsDeleteEvents. Zero values are left out.
type PostEventsDeleteEventsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Keys of events.
	Events any `body:"events"`
}

// PostEventsDeleteEvents: delete events with their data.
//
// Needs the right to delete `events`.
//
// It calls POST /i/events/delete_events.
func (c *Client) PostEventsDeleteEvents(ctx context.Context, p PostEventsDeleteEventsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/delete_events", p, false, &out)
	return out, err
}

// PostEventsEditMapParams are the parameters of PostEventsEditMap. Zero values are left out.
type PostEventsEditMapParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Names, descriptions and visibility of events by key.
	EventMap any `body:"event_map"`
	// Keys of events in the order in which menus list them.
	EventOrder any `body:"event_order"`
	// Events and properties that the overview of events shows.
	EventOverview any `body:"event_overview"`
	// Segments that are left out, by event.
	OmittedSegments any `body:"omitted_segments"`
}

// PostEventsEditMap: name, describe and order events.
//
// Needs the right to update `events`.
//
// It calls POST /i/events/edit_map.
func (c *Client) PostEventsEditMap(ctx context.Context, p PostEventsEditMapParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/edit_map", p, false, &out)
	return out, err
}

// PostEventsWhitelistSegmentsParams are the parameters of PostEventsWhitelistSegments. Zero values are left out.
type PostEventsWhitelistSegmentsParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Segments that are kept, by event.
	WhitelistedSegments any `body:"whitelisted_segments"`
}

// PostEventsWhitelistSegments: choose the segments that are kept.
//
// Needs the right to update `events`.
//
// It calls POST /i/events/whitelist_segments.
func (c *Client) PostEventsWhitelistSegments(ctx context.Context, p PostEventsWhitelistSegmentsParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/events/whitelist_segments", p, false, &out)
	return out, err
}

// GetMethodGetEventsParams are the parameters of GetMethodGetEvents. Zero values are left out.
type GetMethodGetEventsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodGetEvents: events of an app with their segments.
//
// Needs the right to read `core`. The same as `/o?method=get_events`.
//
// It calls GET /o/method/get_events.
func (c *Client) GetMethodGetEvents(ctx context.Context, p GetMethodGetEventsParams) (out EventsList, err error) {
	err = c.call(ctx, "GET", "/o/method/get_events", p, false, &out)
	return out, err
}

// EventsCard is part of answers.
type EventsCard struct {
	EventKey      string `json:"eventKey"`
	EventName     string `json:"eventName"`
	EventProperty string `json:"eventProperty"`
	IsEventGroup  bool   `json:"is_event_group"`
	Order         int64  `json:"order"`
	PropertyName  string `json:"propertyName"`
}

// EventsLimits is part of answers.
type EventsLimits struct {
	EventLimit                  int64 `json:"event_limit"`
	EventSegmentationLimit      int64 `json:"event_segmentation_limit"`
	EventSegmentationValueLimit int64 `json:"event_segmentation_value_limit"`
}

// EventsList is part of answers.
type EventsList struct {
	Limits              EventsLimits                          `json:"limits"`
	List                []string                              `json:"list,omitempty"`
	Map                 map[string]map[string]json.RawMessage `json:"map,omitempty"`
	OmittedSegments     map[string][]string                   `json:"omitted_segments,omitempty"`
	Order               []string                              `json:"order,omitempty"`
	Overview            []EventsCard                          `json:"overview,omitempty"`
	Segments            map[string][]string                   `json:"segments,omitempty"`
	WhitelistedSegments map[string][]string                   `json:"whitelisted_segments,omitempty"`
}
