package views

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/rollup"
)

// readReq is what the reads of views take. The table and the names come in parts.
type readReq struct {
	api.List
	api.Window

	Action   string       `param:"action"`
	Segment  string       `param:"segment"`
	Value    string       `param:"segmentVal"`
	Selected params.Value `param:"selectedViews"`
	Bucket   string       `param:"bucket"`
	// Filter selects the rows that figures are made of; none = all, which cells count.
	Filter params.Value `param:"filter"`
}

// maxViews is how many views an app has at most, and so the longest list of them.
const maxViews = 10_000

// counters are what the table is sorted by, at the places of its columns.
func counters() []string {
	return []string{"view", "u", "n", "t", "d-calc", "s", "e", "b", "br", "scr-calc", "uvc", "d", "uvalue", "scr"}
}

func listing() api.Listing {
	l := api.Listing{Sort: "view", Usual: maxViews, Most: maxViews}
	for _, name := range counters() {
		l.Columns = append(l.Columns, api.Column{Name: name, Field: docs.Field(name)})
	}
	return l
}

// asked is the part of the table that is wanted. Beside what all lists take, a column may be named where its number stands.
func (r readReq) asked() docs.Query {
	q := r.Query(listing())
	if name := r.Column.String(); r.Sort.String() == "" && slices.Contains(counters(), name) {
		q.Sort, q.Desc = docs.Field(name), r.Dir == "desc"
	}
	return q
}

// maxSelected is how many views one read follows over time.
const maxSelected = 50

func (s *service) period(c api.Caller, r readReq) period.Period {
	return r.Frame(c, c.App, s.zones).ParseOrDefault(r.Period)
}

// by returns the value of a segment that is asked for.
func (r readReq) by() query.SubjectSeries {
	if r.Segment == "" || r.Segment == "no-segment" {
		return series()
	}
	return seriesOf(r.Segment, strings.ReplaceAll(r.Value, ".", ":"))
}

// series are the cells of views.
func series() query.SubjectSeries {
	return query.SubjectSeries{Of: rollup.Series{Metric: rollup.Views}, Ends: rollup.Series{Metric: rollup.ViewEnds}}
}

// seriesOf are the cells of views with a value of a segment. Exits, bounces and sessions are known of all visits together only.
func seriesOf(segment, value string) query.SubjectSeries {
	return query.SubjectSeries{Of: rollup.Series{Metric: rollup.ViewSegments, Dim: rollup.SegmentDim(segment, value)}}
}

// read answers from cells, or from the rows that a filter selects.
func (s *service) read(ctx context.Context, c api.Caller, r readReq) (out any, err error) {
	f, err := api.ReadFilter(c, r.Filter)
	if err != nil {
		return nil, err
	}
	cal, _ := s.zones.Get(c.App.Timezone)
	chosen := query.Chosen{App: c.App.ID, Filter: f, Calendar: cal, Known: s.data.Schema}
	err = s.figures.Read(ctx, chosen, func(q *query.Query) error {
		own := *s
		own.query = q
		out, err = own.answer(ctx, c, r)
		return err
	})
	return out, err
}

func (s *service) answer(ctx context.Context, c api.Caller, r readReq) (any, error) {
	switch r.Action {
	case "getTable":
		return s.table(ctx, c, r)
	case "getTotals":
		all, err := s.query.AllSubjects(ctx, c.App.ID, r.by(), s.period(c, r))
		return figuresOf(&all), err
	case "getTableNames", "listNames":
		return s.names(ctx, c, r)
	case "get_view_count", "getViewCount":
		return s.count(ctx, c, api.None{})
	case "get_view_segments":
		return s.segments(ctx, c, api.None{})
	}
	return s.graph(ctx, c, r)
}

// figures are the counters of a view.
type figures struct {
	Visits   int64   `json:"t"`
	Users    int64   `json:"u"`
	New      int64   `json:"n"`
	Starts   int64   `json:"s"`
	Exits    int64   `json:"e"`
	Bounces  int64   `json:"b"`
	Seconds  float64 `json:"d"`
	Scrolled float64 `json:"scr"`
	Uniques  int64   `json:"uvalue"`
	Sessions int64   `json:"uvc"`
	Time     float64 `json:"d-calc"`   // s of a visit
	Depth    float64 `json:"scr-calc"` // per cent of a visit
	BounceOf float64 `json:"br"`       // per cent of the starts
}

func figuresOf(v *query.SubjectSum) figures {
	f := figures{
		Visits: v.Of.Count, Users: v.Users, New: v.New, Starts: v.Of.New, Exits: v.Ends.Count, Bounces: v.Ends.New,
		Seconds: v.Of.Dur, Scrolled: v.Of.Sum, Uniques: v.Uniques, Sessions: v.Ends.Requests,
	}
	if f.Visits > 0 {
		f.Time, f.Depth = f.Seconds/float64(f.Visits), f.Scrolled/float64(f.Visits)
	}
	if f.Starts > 0 {
		f.BounceOf = float64(f.Bounces) * 100 / float64(f.Starts)
	}
	return f
}

// row is a view in the table.
type row struct {
	ID      string          `json:"_id"`
	Name    string          `json:"view"`
	Display string          `json:"display,omitempty"`
	URL     string          `json:"url,omitempty"`
	Domain  map[string]bool `json:"domain,omitempty"`
	figures
}

// encoded is a text as a key of documents, without dots and without a dollar in front.
func encoded(key string) string {
	key = strings.ReplaceAll(key, ".", "&#46;")
	if strings.HasPrefix(key, "$") {
		key = "&#36;" + key[1:]
	}
	return key
}

// holds reports whether one of the texts has a needle in it, which docs.SearchText made.
func holds(needle string, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(docs.SearchText(text), needle) })
}

// table answers with the views that have figures in the period. The figures are sums over cells, so they are
// sorted here; an app has maxViews at most.
func (s *service) table(ctx context.Context, c api.Caller, r readReq) (api.Table[row], error) {
	p := s.period(c, r)
	list, err := s.known(ctx, c.App.ID)
	if err != nil {
		return api.Table[row]{}, err
	}
	sums, err := s.query.Subjects(ctx, c.App.ID, r.by(), p)
	if err != nil {
		return api.Table[row]{}, err
	}
	places := make(map[uint32]*view, len(list))
	for i := range list {
		places[list[i].Num] = &list[i]
	}
	sums = slices.DeleteFunc(sums, func(v query.SubjectSum) bool { return places[v.Subject] == nil })
	total := len(sums)
	if total == 0 {
		return api.Table[row]{Rows: []row{}}, nil // without an echo, as clients know it
	}
	q := r.asked()
	needle := docs.SearchText(q.Search)
	sums = slices.DeleteFunc(sums, func(sum query.SubjectSum) bool {
		v := places[sum.Subject]
		return !holds(needle, v.Name, v.display, v.Alias)
	})
	if q.Sort == "n" {
		if err := s.query.NewOfSubjects(ctx, c.App.ID, r.by(), p, sums); err != nil {
			return api.Table[row]{}, err
		}
	}
	order(sums, places, string(q.Sort), q.Desc)
	part := api.PartOf(sums, q, total)
	if q.Sort != "n" { // the costly counter of those alone that are shown
		if err := s.query.NewOfSubjects(ctx, c.App.ID, r.by(), p, part.Docs); err != nil {
			return api.Table[row]{}, err
		}
	}
	return api.TableOf(r.List, part, func(sum query.SubjectSum) row { return rowOf(places[sum.Subject], &sum) }), nil
}

func rowOf(v *view, sum *query.SubjectSum) row {
	r := row{ID: v.id, Name: v.Name, Display: v.display, URL: v.Alias, figures: figuresOf(sum)}
	for _, d := range v.Tags {
		if r.Domain == nil {
			r.Domain = map[string]bool{}
		}
		r.Domain[encoded(d)] = true
	}
	return r
}

func order(sums []query.SubjectSum, places map[uint32]*view, key string, desc bool) {
	value := func(v *query.SubjectSum) float64 {
		f := figuresOf(v)
		return map[string]float64{
			"u": float64(f.Users), "n": float64(f.New), "t": float64(f.Visits), "d-calc": f.Time, "s": float64(f.Starts), "e": float64(f.Exits),
			"b": float64(f.Bounces), "br": f.BounceOf, "scr-calc": f.Depth, "uvc": float64(f.Sessions), "d": f.Seconds, "uvalue": float64(f.Uniques), "scr": f.Scrolled,
		}[key]
	}
	sign := 1
	if desc {
		sign = -1
	}
	byName := func(a, b *query.SubjectSum) int {
		x, y := places[a.Subject], places[b.Subject]
		return cmp.Or(cmp.Compare(x.title(), y.title()), cmp.Compare(x.Name, y.Name))
	}
	if key == "view" {
		slices.SortFunc(sums, func(a, b query.SubjectSum) int { return sign * byName(&a, &b) })
		return
	}
	keys := make(map[uint32]float64, len(sums))
	for i := range sums {
		keys[sums[i].Subject] = value(&sums[i])
	}
	slices.SortFunc(sums, func(a, b query.SubjectSum) int {
		return sign * cmp.Or(cmp.Compare(keys[a.Subject], keys[b.Subject]), byName(&a, &b))
	})
}

// name is a view in a list of names.
type name struct {
	ID      string `json:"_id"`
	Name    string `json:"view"`
	Display string `json:"display,omitempty"`
}

// names lists the views by what people call them.
func (s *service) names(ctx context.Context, c api.Caller, r readReq) ([]name, error) {
	list, err := s.known(ctx, c.App.ID)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b view) int { return cmp.Compare(a.title(), b.title()) })
	q := r.asked()
	out, needle := []name{}, docs.SearchText(q.Search)
	for i := range list {
		if v := &list[i]; holds(needle, v.Name, v.display) {
			out = append(out, name{v.id, v.Name, v.display})
		}
	}
	return api.PartOf(out, q, len(list)).Docs, nil
}

type countRes struct {
	Result int `json:"result"`
}

// count tells how many views the app has.
func (s *service) count(ctx context.Context, c api.Caller, _ api.None) (countRes, error) {
	list, err := s.data.Schema.Subjects(ctx, c.App.ID, kind)
	return countRes{len(list)}, err
}

// segmentsRes is what views can be cut by.
type segmentsRes struct {
	Segments map[string][]string `json:"segments"`
	Domains  []string            `json:"domains"`
	Omit     []string            `json:"omit,omitempty"`
}

func (s *service) segments(ctx context.Context, c api.Caller, _ api.None) (segmentsRes, error) {
	out := segmentsRes{Segments: map[string][]string{}, Domains: []string{}}
	app := c.App.ID
	omitted, err := s.data.Schema.Omitted(ctx, app)
	if err != nil {
		return out, err
	}
	out.Omit = omitted[viewKey]
	e, _ := s.data.Schema.Event(app, viewKey)
	for _, seg := range e.Segments {
		if seg.Omitted || seg.Name == "domain" {
			continue
		}
		values, err := s.data.Schema.Values(ctx, app, viewKey, seg.Name)
		if err != nil {
			return out, err
		}
		if len(values) > 0 {
			slices.Sort(values)
			out.Segments[seg.Name] = values
		}
	}
	out.Domains, err = s.domains(ctx, app)
	return out, err
}

// domains lists the domains that views were seen on, as keys of documents.
func (s *service) domains(ctx context.Context, app model.AppID) ([]string, error) {
	list, err := s.data.Schema.Subjects(ctx, app, kind)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, v := range list {
		for _, d := range v.Tags {
			out = append(out, encoded(d))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// graphRes is the course of some views.
type graphRes struct {
	App  string                                `json:"appID"`
	Data map[string]map[string]json.RawMessage `json:"data"`
}

// graph answers with the buckets of the views that are selected, as time documents.
func (s *service) graph(ctx context.Context, c api.Caller, r readReq) (graphRes, error) {
	out := graphRes{App: c.App.ID.String(), Data: map[string]map[string]json.RawMessage{}}
	ids := selected(r.Selected)
	if len(ids) > maxSelected {
		return out, bad("Invalid request parameter: selectedViews")
	}
	list, err := s.known(ctx, c.App.ID)
	if err != nil {
		return out, err
	}
	chosen := byIDs(list, ids)
	numbers := make([]uint32, len(chosen))
	for i, v := range chosen {
		numbers[i] = v.Num
	}
	step := map[string]period.Step{"h": period.HourStep, "d": period.DayStep, "w": period.WeekStep, "m": period.MonthStep}[r.Bucket]
	rows, err := s.query.SubjectRows(ctx, c.App.ID, r.by(), numbers, s.period(c, r), step)
	if err != nil {
		return out, err
	}
	key := "no-segment"
	if r.by() != series() {
		key = r.Value
	}
	for _, v := range chosen {
		doc, err := json.Marshal(document(rows[v.Num]))
		if err != nil {
			return out, err
		}
		out.Data[v.id] = map[string]json.RawMessage{key: doc}
	}
	return out, nil
}

// document nests buckets by year, month and day; weeks stand under their year as W and their number.
func document(rows []query.SubjectBucket) map[string]any {
	doc := map[string]any{}
	for i := range rows {
		b := rows[i].Bucket
		y, m, d := b.First.Date()
		path := []string{strconv.Itoa(y), strconv.Itoa(m), strconv.Itoa(d)}
		switch b.Step {
		case period.MonthStep:
			path = path[:2]
		case period.WeekStep:
			year, week := b.First.ISOWeek()
			path = []string{strconv.Itoa(year), "W" + strconv.Itoa(week)}
		case period.AutoStep, period.MinuteStep, period.HourStep, period.DayStep, period.YearStep:
		}
		at := doc
		for _, key := range path[:len(path)-1] {
			kid, ok := at[key].(map[string]any)
			if !ok {
				kid = map[string]any{}
				at[key] = kid
			}
			at = kid
		}
		at[path[len(path)-1]] = figuresOf(&rows[i].SubjectSum)
	}
	return doc
}

// selected reads a list of ids, or of objects with the id as view or _id.
func selected(v params.Value) []string {
	var list []any
	if json.Unmarshal(v.Raw(), &list) != nil {
		return nil
	}
	var out []string
	for _, e := range list {
		id, _ := e.(string)
		if m, ok := e.(map[string]any); ok {
			for _, key := range []string{"_id", "view"} {
				if text, ok := m[key].(string); ok {
					id = text
				}
			}
		}
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
