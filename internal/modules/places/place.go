package places

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"quipu/internal/fault"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Bounds of what people may keep and ask for.
const (
	maxPlaces  = 1000 // of an app, and of all apps
	maxTitle   = 200  // runes
	maxAddress = 64   // bytes of an internet address
	maxNames   = 1000 // of cities
	maxRadius  = 20_037.5
)

// units are the lengths that radii are given in, in kilometres.
var units = map[string]float64{"km": 1, "m": 0.001, "mi": 1.609344, "ft": 0.0003048}

// point is a GeoJSON object.
type point struct {
	Type        string    `json:"type"`
	Coordinates []float64 `json:"coordinates"` // longitude, latitude
}

// place is a circle on the map, as it is stored.
type place struct {
	ID      string  `json:"_id"`
	Title   string  `json:"title"`
	Radius  float64 `json:"radius"`
	Unit    string  `json:"unit"`
	Geo     point   `json:"geo"`
	App     string  `json:"app"` // "" = of all apps
	Address string  `json:"address"`
	Created int64   `json:"created"` // ms
}

// Key returns the place's id.
func (p place) Key() string { return p.ID }

// Validate reports what place has seen.
func (p place) Validate() error {
	if p.Title == "" || p.Radius <= 0 || len(p.Geo.Coordinates) != 2 {
		return errArgs
	}
	return nil
}

func (p place) lng() float64 { return p.Geo.Coordinates[0] }
func (p place) lat() float64 { return p.Geo.Coordinates[1] }

func spec() docs.Spec[place] {
	return docs.Spec[place]{Name: "places", Version: 1, Indexes: []docs.Index[place]{{Name: "title", Path: ".title", Order: true}}}
}

// shown is a place as the wire has it.
type shown struct {
	ID      string  `json:"_id"`
	Title   string  `json:"title"`
	Radius  float64 `json:"radius"`
	Unit    string  `json:"unit"`
	Geo     point   `json:"geo"`
	App     *string `json:"app"` // null = of all apps
	Address string  `json:"address"`
}

type created struct {
	shown
	Created int64 `json:"created"` // ms
}

type deleted struct {
	shown
	Deleted bool `json:"deleted"`
}

func (p place) shown() shown {
	out := shown{ID: p.ID, Title: p.Title, Radius: p.Radius, Unit: p.Unit, Geo: p.Geo, Address: p.Address}
	if p.App != "" {
		out.App = &p.App
	}
	return out
}

type createReq struct {
	Args params.Value `param:"args"`
}

// place reads what is to be kept.
func (r createReq) place() (place, error) {
	var in struct {
		Title  string          `json:"title"`
		Radius *float64        `json:"radius"`
		Unit   string          `json:"unit"`
		Geo    json.RawMessage `json:"geo"`
		App    string          `json:"app"`
	}
	err := json.Unmarshal(r.Args.Raw(), &in)
	in.Title = strings.TrimSpace(in.Title)
	if err != nil || in.Title == "" || in.Radius == nil || in.Unit == "" || len(in.Geo) == 0 || string(in.Geo) == "null" {
		return place{}, errCreateArgs
	}
	p := place{Title: in.Title, Radius: *in.Radius, Unit: in.Unit, App: in.App}
	if json.Unmarshal(in.Geo, &p.Geo) != nil || p.Geo.Type != "Point" || len(p.Geo.Coordinates) != 2 || !within(p.lng(), 180) || !within(p.lat(), 90) {
		return place{}, errBadGeo
	}
	fields := map[string]string{}
	if utf8.RuneCountInString(p.Title) > maxTitle || strings.ContainsFunc(p.Title, unicode.IsControl) {
		fields["title"] = fmt.Sprintf("at most %d characters, none of them control characters", maxTitle)
	}
	km, ok := units[p.Unit]
	if !ok {
		fields["unit"] = "km, m, mi or ft"
	} else if p.Radius <= 0 || p.Radius*km > maxRadius {
		fields["radius"] = fmt.Sprintf("above 0 and at most %g km, half the way around the globe", maxRadius)
	}
	if len(fields) > 0 {
		err := fault.New(fault.Invalid, "places.bad_place", "Bad location: "+faults(fields))
		err.Fields = fields
		return place{}, err
	}
	return p, nil
}

// faults joins what is wrong with fields.
func faults(fields map[string]string) string {
	var out []string
	for _, name := range []string{"title", "unit", "radius"} {
		if text, ok := fields[name]; ok {
			out = append(out, name+" must be "+text)
		}
	}
	return strings.Join(out, "; ")
}

func within(v, bound float64) bool { return v >= -bound && v <= bound }
