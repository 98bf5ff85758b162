package geo_test

import (
	"testing"

	"quipu/internal/ingest/geo/geotest"
	"quipu/internal/testkit/golden"
)

// TestFixture keeps the database with which browsers test the dashboard.
func TestFixture(t *testing.T) {
	golden.File(t, "testdata/cities.mmdb", geotest.Cities(geotest.MaxMind, built, map[string]geotest.City{
		"93.184.0.0/16": {Country: "DE", Region: "BY", RegionName: "Bavaria", Name: "Munich", Lat: 48.1374, Lng: 11.5755},
		"93.185.0.0/16": {Country: "DE", Region: "BE", RegionName: "Land Berlin", Name: "Berlin", Lat: 52.5244, Lng: 13.4105},
		"93.186.0.0/16": {Country: "DE", Region: "HH", RegionName: "Hamburg", Name: "Hamburg", Lat: 53.5507, Lng: 9.993},
		"81.2.69.0/24":  {Country: "GB", Region: "ENG", RegionName: "England", Name: "London", Lat: 51.5142, Lng: -0.0931},
		"5.50.0.0/16":   {Country: "FR", Region: "IDF", RegionName: "Île-de-France", Name: "Paris", Lat: 48.8534, Lng: 2.3488},
	}))
}
