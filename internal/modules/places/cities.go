package places

import (
	"context"
	"encoding/json"
	"time"

	"quipu/internal/api"
	"quipu/internal/params"
)

type citiesReq struct {
	Country string       `param:"country"`
	Cities  params.Value `param:"cities"`
}

// city is where a city lies.
type city struct {
	Name   string  `json:"name"`
	Region string  `json:"region"`
	Lat    float64 `json:"lat"`
	Lng    float64 `json:"lng"`
}

type citiesRes struct {
	// Known says that the geo database knows cities at all.
	Known   bool              `json:"known"`
	Cities  []city            `json:"cities"`
	Regions map[string]string `json:"regions"` // English names by the codes that sessions have
}

// cities finds cities of a country by their names, and what its regions are called.
func (s *service) cities(_ context.Context, _ api.Caller, r citiesReq) (citiesRes, error) {
	if len(r.Country) != 2 || r.Country[0] < 'A' || r.Country[0] > 'Z' || r.Country[1] < 'A' || r.Country[1] > 'Z' {
		return citiesRes{}, errBadCountry
	}
	var names []string
	if r.Cities.String() != "" && (json.Unmarshal(r.Cities.Raw(), &names) != nil || len(names) > maxNames) {
		return citiesRes{}, errBadCities
	}
	found, regions := s.geo.Cities(r.Country, names)
	out := citiesRes{Known: s.geo.Info().Cities > 0, Cities: make([]city, len(found)), Regions: regions}
	for i, c := range found {
		out.Cities[i] = city{c.Name, c.Region, c.Lat, c.Lng}
	}
	if out.Regions == nil {
		out.Regions = map[string]string{}
	}
	return out, nil
}

// databaseRes says which geo database is in use.
type databaseRes struct {
	Kind   string `json:"kind"`   // what its maker calls it; "" = there is none
	File   string `json:"file"`   // "" = the embedded one
	Built  int64  `json:"built"`  // ms, when it was made; 0 = there is none
	Loaded int64  `json:"loaded"` // ms, since when it is in use
	Bytes  int64  `json:"bytes"`
	Cities int    `json:"cities"` // how many it knows
	Fault  string `json:"fault"`  // why a newer file is not in use, or what is wrong with this one; "" = nothing
}

func (s *service) database(context.Context, api.Caller, api.None) (databaseRes, error) {
	i := s.geo.Info()
	ms := func(t time.Time) int64 {
		if t.IsZero() {
			return 0
		}
		return t.UnixMilli()
	}
	return databaseRes{Kind: i.Kind, File: i.File, Built: ms(i.Built), Loaded: ms(i.Loaded), Bytes: i.Bytes, Cities: i.Cities, Fault: i.Fault}, nil
}
