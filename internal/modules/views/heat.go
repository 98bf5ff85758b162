package views

import (
	"cmp"
	"context"
	"slices"

	"quipu/internal/api"
	"quipu/internal/query"
)

// heatmap is where users click on a view and how far they scroll.
type heatmap struct {
	View string `json:"view"` // its id
	Name string `json:"name"` // what people read

	Clicks    int64 `json:"clicks"`
	Users     int64 `json:"users"`
	Dead      int64 `json:"dead"`
	Rage      int64 `json:"rage"`
	RageUsers int64 `json:"rage_users"`
	Visits    int64 `json:"visits"`
	// Clicked are the visits with a click, Median and Late the ms to the first click of the half and of nine tenths of these.
	Clicked int64 `json:"clicked"`
	Median  int64 `json:"first_click"`
	Late    int64 `json:"first_click_late"`
	// Scrolls is how often scrolling was reported, Reached how often it came as far as each per cent of the page, from 0 to 100.
	Scrolls int64   `json:"scrolls"`
	Reached []int64 `json:"reached"`
	// Width and Height are the medians of the page's size in pixels, 0 where nothing was reported.
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Spots are cells of a grid of Columns × Rows over the page: column, row, clicks, dead clicks, rage clicks. Cut says that there are
	// more, with fewer clicks.
	Columns int        `json:"columns"`
	Rows    int        `json:"rows"`
	Spots   [][5]int64 `json:"spots"`
	Cut     bool       `json:"cut"`
}

// maxSpots bounds the cells of an answer; those with most clicks are kept.
const maxSpots = 20_000

// heat answers the figures of a page of heat maps.
func (s *service) heat(ctx context.Context, c api.Caller, r heatReq) (heatmap, error) {
	q, err := s.clicks(ctx, c, r)
	if err != nil {
		return heatmap{}, err
	}
	m, err := s.data.Sequences.ClickMap(ctx, c.App.ID, q)
	if err != nil {
		return heatmap{}, err
	}
	out := heatmap{
		View: idOf(c.App.ID, q.Subject.Name), Name: q.Subject.Name, Clicks: m.Clicks, Users: m.Users, Dead: m.Dead, Rage: m.Rage, RageUsers: m.RageUsers,
		Visits: m.Visits, Clicked: m.Clicked, Median: m.Median, Late: m.Late, Scrolls: m.Scrolls, Reached: m.Reached[:], Width: m.Width, Height: m.Height,
		Columns: query.ClickColumns, Rows: query.ClickRows, Spots: [][5]int64{},
	}
	list := slices.Clone(m.Spots)
	if out.Cut = len(list) > maxSpots; out.Cut {
		slices.SortStableFunc(list, func(a, b query.Spot) int { return cmp.Compare(b.Clicks, a.Clicks) })
		list = list[:maxSpots]
	}
	for _, spot := range list {
		out.Spots = append(out.Spots, [5]int64{int64(spot.Column), int64(spot.Row), spot.Clicks, spot.Dead, spot.Rage})
	}
	return out, nil
}
