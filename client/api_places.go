// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostGeolocationsCreateParams are the parameters of PostGeolocationsCreate. Zero values are left out.
type PostGeolocationsCreateParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostGeolocationsCreate: create a place: a circle on the map.
//
// Needs the right to create `geo`.
//
// It calls POST /i/geolocations/create.
func (c *Client) PostGeolocationsCreate(ctx context.Context, p PostGeolocationsCreateParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "POST", "/i/geolocations/create", p, false, &out)
	return out, err
}

// PostGeolocationsDeleteParams are the parameters of PostGeolocationsDelete. Zero values are left out.
type PostGeolocationsDeleteParams struct {
	// Required. Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the place.
	Gid string `body:"gid"`
}

// PostGeolocationsDelete: delete a place.
//
// Needs the right to delete `geo`.
//
// It calls POST /i/geolocations/delete.
func (c *Client) PostGeolocationsDelete(ctx context.Context, p PostGeolocationsDeleteParams) (out PlacesDeleted, err error) {
	err = c.call(ctx, "POST", "/i/geolocations/delete", p, false, &out)
	return out, err
}

// GetMethodGetLocationsParams are the parameters of GetMethodGetLocations. Zero values are left out.
type GetMethodGetLocationsParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
}

// GetMethodGetLocations: places of the app and of all apps.
//
// Needs the right to read `geo`. The same as `/o?method=get_locations`.
//
// It calls GET /o/method/get_locations.
func (c *Client) GetMethodGetLocations(ctx context.Context, p GetMethodGetLocationsParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/get_locations", p, false, &out)
	return out, err
}

// GetMethodLookupParams are the parameters of GetMethodLookup. Zero values are left out.
type GetMethodLookupParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Address of IPv4 or IPv6; without it, the caller's.
	IPAddress string `query:"ip_address"`
}

// GetMethodLookup: where an address is.
//
// Needs the right to read `geo`. The same as `/o?method=lookup`.
//
// It calls GET /o/method/lookup.
func (c *Client) GetMethodLookup(ctx context.Context, p GetMethodLookupParams) (out PlacesLookupRes, err error) {
	err = c.call(ctx, "GET", "/o/method/lookup", p, false, &out)
	return out, err
}

// GetPlacesCitiesParams are the parameters of GetPlacesCities. Zero values are left out.
type GetPlacesCitiesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// Required. ISO 3166 code of two capital letters.
	Country string `query:"country"`
	// Names of cities, at most 1,000, as sessions have them.
	Cities any `query:"cities"`
}

// GetPlacesCities: where cities of a country lie.
//
// Needs the right to read `core`.
//
// It calls GET /o/places/cities.
func (c *Client) GetPlacesCities(ctx context.Context, p GetPlacesCitiesParams) (out PlacesCitiesRes, err error) {
	err = c.call(ctx, "GET", "/o/places/cities", p, false, &out)
	return out, err
}

// GetPlacesDatabase: which geo database is in use.
//
// For global administrators.
//
// It calls GET /o/places/database.
func (c *Client) GetPlacesDatabase(ctx context.Context) (out PlacesDatabaseRes, err error) {
	err = c.call(ctx, "GET", "/o/places/database", nil, false, &out)
	return out, err
}

// PlacesCitiesRes is part of answers.
type PlacesCitiesRes struct {
	Cities  []PlacesCity      `json:"cities"`
	Known   bool              `json:"known"`
	Regions map[string]string `json:"regions"`
}

// PlacesCity is part of answers.
type PlacesCity struct {
	Lat    float64 `json:"lat"`
	Lng    float64 `json:"lng"`
	Name   string  `json:"name"`
	Region string  `json:"region"`
}

// PlacesDatabaseRes is part of answers.
type PlacesDatabaseRes struct {
	Built  int64  `json:"built"`
	Bytes  int64  `json:"bytes"`
	Cities int64  `json:"cities"`
	Fault  string `json:"fault"`
	File   string `json:"file"`
	Kind   string `json:"kind"`
	Loaded int64  `json:"loaded"`
}

// PlacesDeleted is part of answers.
type PlacesDeleted struct {
	ID      string      `json:"_id"`
	Address string      `json:"address"`
	App     *string     `json:"app"`
	Deleted bool        `json:"deleted"`
	Geo     PlacesPoint `json:"geo"`
	Radius  float64     `json:"radius"`
	Title   string      `json:"title"`
	Unit    string      `json:"unit"`
}

// PlacesLocation is part of answers.
type PlacesLocation struct {
	City    string    `json:"city"`
	Country string    `json:"country"`
	Ll      []float64 `json:"ll,omitempty"`
	Region  string    `json:"region"`
}

// PlacesLookupRes is part of answers.
type PlacesLookupRes struct {
	Location *PlacesLocation `json:"location"`
}

// PlacesPoint is part of answers.
type PlacesPoint struct {
	Coordinates []float64 `json:"coordinates"`
	Type        string    `json:"type"`
}
