package attribution

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// subjects lists what visits are counted by.
type subjects interface {
	Subjects(ctx context.Context, app model.AppID, kind schema.Kind) ([]schema.Subject, error)
}

// stores answers the names of stores by package. It is the same for everybody.
func (s *service) stores(context.Context, api.Caller, api.None) (map[string]string, error) {
	return stores, nil
}

// visitRow is a value of a dimension with its visits.
type visitRow struct {
	ID    string `json:"_id"`
	Count int64  `json:"t"` // sessions begun
	New   int64  `json:"n"` // of new users
	Users int64  `json:"u"`
}

// visitsBy are the values of a dimension in a period, those with most visits first.
func (s *service) visitsBy(ctx context.Context, app model.AppID, dim string, p period.Period) ([]visitRow, error) {
	rows := []visitRow{}
	if dim == "channel" {
		list, err := s.query.MetricRows(ctx, app, byChannel, p)
		for _, r := range list {
			rows = append(rows, visitRow{r.ID, r.Sessions, r.New, r.Users})
		}
		return rows, err
	}
	sums, err := s.query.Subjects(ctx, app, query.SubjectSeries{Of: rollup.Series{Metric: visits, Dim: dim}}, p)
	if err != nil || len(sums) == 0 {
		return rows, err
	}
	names, err := s.names(ctx, app, dim)
	if err != nil {
		return nil, err
	}
	for _, v := range sums {
		if name, ok := names[v.Subject]; ok && v.Of.Count > 0 {
			rows = append(rows, visitRow{name, v.Of.Count, v.Of.New, v.Uniques})
		}
	}
	slices.SortFunc(rows, func(a, b visitRow) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.ID, b.ID))
	})
	return rows[:min(len(rows), maxRows)], nil
}

// maxRows is how many values one answer has.
const maxRows = 1000

// names are the values of a dimension by the numbers of their subjects.
func (s *service) names(ctx context.Context, app model.AppID, dim string) (map[uint32]string, error) {
	list, err := s.known.Subjects(ctx, app, kind)
	out := map[uint32]string{}
	for _, v := range list {
		if of, value, ok := strings.Cut(v.Name, unit); ok && of == dim {
			out[v.Num] = value
		}
	}
	return out, err
}

type keywordsReq struct{ api.Window }

// keywords answers what was searched for.
func (s *service) keywords(ctx context.Context, c api.Caller, r keywordsReq) ([]visitRow, error) {
	p := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	if p.Empty() {
		return []visitRow{}, nil
	}
	return s.visitsBy(ctx, c.App.ID, dimKeyword, p)
}

type visitsReq struct {
	api.Window
	// By is a dimension; "" = channel.
	By string `param:"by"`
}

// Validate implements api.Validator.
func (r visitsReq) Validate() error {
	if r.By != "" && r.By != "channel" && !slices.Contains(dimensions(), r.By) {
		return bad("by")
	}
	return nil
}

// visitsRes are visits by a dimension, and by day and channel.
type visitsRes struct {
	By       string             `json:"by"`
	Rows     []visitRow         `json:"rows"`
	Totals   visitRow           `json:"totals"`
	Days     []string           `json:"days"`     // of the period, as 2031-5-14
	Channels map[string][]int64 `json:"channels"` // visits of each day
}

// visits answers where people came from in a period.
func (s *service) visits(ctx context.Context, c api.Caller, r visitsReq) (*visitsRes, error) {
	p := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	out := &visitsRes{By: cmp.Or(r.By, "channel"), Rows: []visitRow{}, Days: []string{}, Channels: map[string][]int64{}}
	if p.Empty() {
		return out, nil
	}
	var err error
	if out.Rows, err = s.visitsBy(ctx, c.App.ID, out.By, p); err != nil {
		return nil, err
	}
	for d := p.First; d <= p.Last; d++ {
		out.Days = append(out.Days, d.ID(period.Dash))
	}
	err = s.cells.Scan(ctx, c.App.ID, rollup.Series{Metric: byChannel}, rollup.Day, rollup.Bucket(p.First), rollup.Bucket(p.Last), func(b rollup.Bucket, value string, cell *rollup.Cell) error {
		if !isChannel(value) {
			return nil
		}
		if out.Channels[value] == nil {
			out.Channels[value] = make([]int64, len(out.Days))
		}
		out.Channels[value][period.Day(b)-p.First] = cell.Count
		out.Totals.Count += cell.Count
		out.Totals.New += cell.New
		return nil
	})
	if err != nil {
		return nil, err
	}
	users, err := rollup.UnionUsers(ctx, s.cells, c.App.ID, rollup.Series{Metric: byChannel}, nil, rollup.Bucket(p.First), rollup.Bucket(p.Last))
	if err == nil {
		out.Totals.Users = int64(users.GetCardinality()) // at most 2^32
	}
	return out, err
}

// figures are those of a campaign on a day or in a period.
type figures struct {
	All      int64   `json:"aclk"` // clicks
	Clicks   int64   `json:"clk"`  // visitors among them
	Bots     int64   `json:"bots"`
	Installs int64   `json:"ins"`
	Sessions int64   `json:"ses"`
	Revenue  float64 `json:"rev"`
	Cost     float64 `json:"total_cost"`
}

func (f *figures) add(g figures) {
	f.All += g.All
	f.Clicks += g.Clicks
	f.Bots += g.Bots
	f.Installs += g.Installs
	f.Sessions += g.Sessions
	f.Revenue += g.Revenue
	f.Cost += g.Cost
}

// course are the figures of campaigns by day.
type course map[string]map[period.Day]*figures

func (c course) at(id string, d period.Day) *figures {
	if c[id] == nil {
		c[id] = map[period.Day]*figures{}
	}
	if c[id][d] == nil {
		c[id][d] = &figures{}
	}
	return c[id][d]
}

// total adds up the days of a campaign. What a whole campaign costs counts once, unless costs were imported.
func (c course) total(d Campaign) (f figures) {
	for _, each := range c[d.ID] {
		f.add(*each)
	}
	if d.CostType == perAll && f.Cost == 0 {
		f.Cost = d.Cost
	}
	f.Revenue, f.Cost = rounded(f.Revenue), rounded(f.Cost)
	return f
}

func rounded(f float64) float64 { return math.Round(f*1e6) / 1e6 }

// figures reads what campaigns did in a period, by day.
func (s *service) figures(ctx context.Context, app *model.App, p period.Period, campaigns []Campaign) (course, error) {
	out := course{}
	if p.Empty() {
		return out, nil
	}
	wanted := map[string]Campaign{}
	for _, d := range campaigns {
		wanted[d.ID] = d
	}
	names, err := s.names(ctx, app.ID, dimID)
	if err != nil {
		return nil, err
	}
	for _, of := range [...]struct {
		metric rollup.Metric
		add    func(*figures, int64)
	}{
		{installsFrom, func(f *figures, n int64) { f.Installs += n }},
		{ofCampaigns, func(f *figures, n int64) { f.Sessions += n }},
	} {
		err := s.cells.Scan(ctx, app.ID, rollup.Series{Metric: of.metric}, rollup.Day, rollup.Bucket(p.First), rollup.Bucket(p.Last), func(b rollup.Bucket, value string, cell *rollup.Cell) error {
			if id := names[rollup.SubjectNumber(value)]; wanted[id].ID != "" && cell.Count != 0 {
				of.add(out.at(id, period.Day(b)), cell.Count)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	imported := map[string]map[period.Day]bool{}
	for d, err := range days().In(s.docs, app.ID).List(ctx, docs.Query{Where: []docs.Cond{docs.Ge(".day", int64(p.First)), docs.Le(".day", int64(p.Last))}}) {
		if err != nil {
			return nil, err
		}
		if wanted[d.Camp].ID == "" {
			continue
		}
		f := out.at(d.Camp, period.Day(d.Day)) // a day
		f.All, f.Clicks, f.Bots = d.Clicks, d.Unique, d.Bots
		if d.Paid {
			f.Cost = d.Cost
			if imported[d.Camp] == nil {
				imported[d.Camp] = map[period.Day]bool{}
			}
			imported[d.Camp][period.Day(d.Day)] = true
		}
	}
	for id, list := range out {
		for at, f := range list {
			if imported[id][at] {
				continue
			}
			switch c := wanted[id]; c.CostType {
			case perClick:
				f.Cost = c.Cost * float64(f.All)
			case perInstall:
				f.Cost = c.Cost * float64(f.Installs)
			}
		}
	}
	return out, s.revenue(ctx, app, p, wanted, out)
}

// revenue adds what users of campaigns paid: the sums of the events that the app's settings name as purchases.
func (s *service) revenue(ctx context.Context, app *model.App, p period.Period, wanted map[string]Campaign, into course) error {
	var keys []string
	for _, key := range purchases(app) {
		list, err := s.groups.Keys(ctx, app.ID, key)
		if err != nil {
			return err
		}
		keys = append(keys, list...)
	}
	if len(keys) == 0 || len(wanted) == 0 {
		return nil
	}
	q := query.RevenueQuery{Events: keys, Period: p, By: []string{"cmp.c"}}
	groups, _, err := s.tables.RevenueGroups(ctx, app.ID, q, "revenue", maxCampaigns)
	if err != nil {
		return err
	}
	groups = slices.DeleteFunc(groups, func(g query.RevenueGroup) bool {
		id, _ := g.Values[0].(string)
		return wanted[id].ID == ""
	})
	if len(groups) == 0 {
		return nil
	}
	return s.tables.RevenueGroupBuckets(ctx, app.ID, q, period.DayStep, groups, func(b period.Bucket, group int, r query.Revenue) error {
		id, _ := groups[group].Values[0].(string)
		into.at(id, b.First).Revenue += r.Net
		return nil
	})
}

// purchases are the events of an app that count as purchases: its setting iap_events.
func purchases(app *model.App) []string {
	settings, _ := app.Plugins["revenue"].(map[string]any)
	switch v := settings["iap_events"].(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var keys []string
		for _, e := range v {
			if key, ok := e.(string); ok && key != "" {
				keys = append(keys, key)
			}
		}
		return keys
	}
	return nil
}

type readReq struct {
	api.List
	api.Window
	Camp     string       `param:"camp_id"`
	Names    string       `param:"list"`
	Data     params.Value `param:"data"`
	GetTable string       `param:"getTable"`
	Filter   string       `param:"filter"`
}

// shownCampaign is a campaign with its figures.
type shownCampaign struct {
	Campaign
	figures
	Path string          `json:"path"` // of its link, on this server
	Data map[string]day0 `json:"data,omitempty"`
}

// day0 are the figures of a day as the wire has them.
type day0 = figures

// MarshalJSON leaves the salt out.
func (c shownCampaign) MarshalJSON() ([]byte, error) {
	out := map[string]any{
		"_id": c.ID, "name": c.Name, "app_id": c.AppID, "link": c.Link, "links": c.Links, "fingerprint": c.Fingerprint, "cost": c.Campaign.Cost,
		"costtype": c.CostType, "type": c.Type, "is_hidden": c.Hidden, "creator": c.Creator, "created_at": c.Created, "edited_at": c.Edited,
		"aclk": c.All, "clk": c.Clicks, "bots": c.Bots, "ins": c.Installs, "rev": c.Revenue, "ses": c.Sessions, "totalCost": c.figures.Cost, "path": c.Path,
	}
	if len(c.TypeData) > 0 {
		out["typedata"] = c.TypeData
	}
	if len(c.Postbacks) > 0 {
		out["postbacks"] = c.Postbacks
	}
	if c.Data != nil {
		out["data"] = c.Data
	}
	return json.Marshal(out)
}

// named is the id and the name of a campaign.
type named struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// dataOf are the days of a campaign.
type dataOf struct {
	ID   string          `json:"_id"`
	Data map[string]day0 `json:"data"`
}

func byDay(list map[period.Day]*figures) map[string]day0 {
	out := map[string]day0{}
	for _, d := range slices.Sorted(maps.Keys(list)) {
		f := *list[d]
		f.Revenue, f.Cost = rounded(f.Revenue), rounded(f.Cost)
		out[d.Label()] = f
	}
	return out
}

func shown(d Campaign, of course) shownCampaign {
	return shownCampaign{Campaign: d, figures: of.total(d), Path: "/campaign/" + d.ID}
}

// listing is how campaigns are listed.
func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "created_at", Field: ".created_at"}}, Sort: "name", Usual: 50, Most: maxCampaigns,
	}
}

// read answers one campaign, names, days or a table.
func (s *service) read(ctx context.Context, c api.Caller, r readReq) (any, error) {
	col := spec().In(s.docs, c.App.ID)
	p := r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
	switch {
	case r.Camp != "":
		d, err := col.Get(ctx, r.Camp)
		if unknownID(err) {
			return struct{}{}, nil
		}
		if err != nil {
			return nil, err
		}
		of, err := s.figures(ctx, c.App, p, []Campaign{d})
		if err != nil {
			return nil, err
		}
		out := shown(d, of)
		out.Data = byDay(of[d.ID])
		return out, nil
	case params.On(r.Names):
		out := []named{}
		for d, err := range col.List(ctx, docs.Query{Sort: "name"}) {
			if err != nil {
				return nil, err
			}
			out = append(out, named{d.ID, d.Name})
		}
		return out, nil
	case r.Data.String() != "":
		return s.data(ctx, c, p, r.Data)
	}
	q := r.Query(listing())
	q.Where = append(q.Where, hidden(r.Filter == "campaign-hidden"))
	page, err := col.Page(ctx, q)
	if err != nil {
		return nil, err
	}
	of, err := s.figures(ctx, c.App, p, page.Docs)
	if err != nil {
		return nil, err
	}
	return api.TableOf(r.List, page, func(d Campaign) shownCampaign { return shown(d, of) }), nil
}

func hidden(is bool) docs.Cond {
	if is {
		return docs.Eq(".is_hidden", true)
	}
	return docs.Missing(".is_hidden")
}

// data answers the days of some campaigns. The id of organic installs is that of none.
func (s *service) data(ctx context.Context, c api.Caller, p period.Period, v params.Value) (any, error) {
	var ids []string
	if json.Unmarshal(v.Raw(), &ids) != nil || len(ids) > maxCampaigns {
		return nil, bad("data")
	}
	list := make([]Campaign, len(ids))
	for i, id := range ids {
		if id == "[CLY]_organic" {
			id = organic
		}
		d, err := spec().In(s.docs, c.App.ID).Get(ctx, id)
		if err != nil && !unknownID(err) {
			return nil, err
		}
		if list[i] = d; err != nil {
			list[i] = Campaign{}
		}
		if id == organic {
			list[i] = Campaign{ID: organic}
		}
	}
	of, err := s.figures(ctx, c.App, p, list)
	if err != nil {
		return nil, err
	}
	out := []dataOf{}
	for i, id := range ids {
		out = append(out, dataOf{id, byDay(of[list[i].ID])})
	}
	return out, nil
}
