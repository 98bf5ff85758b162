package cohorts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
)

type listReq struct {
	api.List
	Format     string       `param:"outputFormat"`
	Type       string       `param:"type"`
	Group      string       `param:"group"`
	Projection params.Value `param:"projection"`
}

// full is a table of cohorts with how many of them are favourites of the caller.
type full struct {
	api.Table[any]
	Favourites []total `json:"favTotal"`
}

type total struct {
	Value int `json:"value"`
}

// list answers with a page of the cohorts that the caller sees: an array, or a table.
func (s *service) list(ctx context.Context, c api.Caller, r listReq) (any, error) {
	col := spec().In(s.docs, c.App.ID)
	q := r.Query(api.Listing{
		Columns: []api.Column{{Name: "name", Field: "name"}, {Name: "description"}, {Name: "type"}, {Name: "result", Field: "result"}, {Name: "created_at", Field: "created"}},
		Sort:    "name", Usual: maxCohorts, Most: maxCohorts,
	})
	q.Where = shownTo(c.Member)
	if r.Type == auto || r.Type == manual {
		q.Where = append(q.Where, docs.Eq("type", r.Type))
	}
	own := favourites + c.Member.ID.String()
	var err error
	switch r.Group {
	case "":
	case "my":
		q.Where = append(q.Where, docs.Eq("creator", c.Member.ID.String()))
	case "fav":
		q.Filter, err = inGroup(own)
	default:
		q.Filter, err = inGroup(r.Group)
	}
	if err != nil {
		return nil, err
	}
	fields, err := r.fields()
	if err != nil {
		return nil, err
	}
	p, err := col.Page(ctx, q)
	if err != nil {
		return nil, err
	}
	table := api.TableOf(r.List, p, func(d Cohort) any { return projected(s.shown(c, d), fields) })
	if r.Format != "full" {
		return api.Bare(r.List, table), nil
	}
	f, err := inGroup(own)
	if err != nil {
		return nil, err
	}
	favs, err := col.Page(ctx, docs.Query{Where: shownTo(c.Member), Filter: f, Limit: 1})
	return full{table, []total{{favs.Matching}}}, err
}

// shownTo is the condition that lists show a cohort to a member.
func shownTo(who *model.Member) []docs.Cond { return append(visibleTo(who), docs.Missing(".hidden")) }

// inGroup is the filter of the cohorts of a group.
func inGroup(name string) (filter.Expr, error) {
	if !groupForm.MatchString(name) {
		name = "\x00" // no cohort is in it
	}
	return filter.Parse(map[string]any{"groups." + name: 1.0})
}

// fields are those wanted of each cohort; none = all.
func (r listReq) fields() (out []string, err error) {
	if r.Projection.String() != "" && json.Unmarshal(r.Projection.Raw(), &out) != nil {
		return nil, bad("projection")
	}
	return out, nil
}

// projected is a cohort with some of its fields, or itself.
func projected(d Cohort, fields []string) any {
	if len(fields) == 0 {
		return d
	}
	text, err := json.Marshal(d)
	all := map[string]json.RawMessage{}
	if err != nil || json.Unmarshal(text, &all) != nil {
		return d
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return name != "_id" && !slices.Contains(fields, name) })
	return all
}

// shown is a cohort as it is now, without the favourites of others.
func (s *service) shown(c api.Caller, d Cohort) Cohort {
	who := c.Member
	if ready, size := s.live.is(c.App.ID, d); ready {
		d.Live, d.Scheduled, d.Result, d.Calculated, d.State = true, "", size, c.Now.UnixMilli(), stateCompleted
	}
	if d.Type == auto && !s.taps.Holds(c.App.ID) && d.Scheduled == "" && d.Calculated != 0 {
		d.Live = true // on another server, which stores what changes
	}
	d.Groups, d.Rev = maps.Clone(d.Groups), 0
	maps.DeleteFunc(d.Groups, func(name string, _ int) bool {
		return strings.HasPrefix(name, favourites) && name != favourites+who.ID.String()
	})
	return d
}

type namesReq struct {
	Type string `param:"type"`
}

// names answers with the names of the cohorts that the caller sees, by id.
func (s *service) names(ctx context.Context, c api.Caller, r namesReq) (map[string]string, error) {
	q := docs.Query{Where: shownTo(c.Member)}
	if r.Type == auto || r.Type == manual {
		q.Where = append(q.Where, docs.Eq("type", r.Type))
	}
	list, err := spec().In(s.docs, c.App.ID).All(ctx, q)
	out := map[string]string{}
	for _, d := range list {
		out[d.ID] = d.Name
	}
	return out, err
}

type getReq struct {
	ID string `param:"cohort"`
}

// get answers with a cohort, or false when there is none that the caller sees.
func (s *service) get(ctx context.Context, c api.Caller, r getReq) (any, error) {
	if r.ID == "" {
		return false, nil
	}
	d, err := s.found(ctx, c, r.ID, errGone)
	if errCode(err) == "cohorts.gone" {
		return false, nil
	}
	return s.shown(c, d), err
}

type metricsReq struct {
	ID      string       `param:"cohort_id"`
	Metrics params.Value `param:"metrics"`
}

type metricsRes struct {
	Size    int64                       `json:"in_cohort"`
	Metrics map[string]map[string]int64 `json:"metrics"`
}

// topValues is how many values of a property metrics show.
const topValues = 3

// metrics answers with the most frequent values of properties among the members of a cohort.
func (s *service) metrics(ctx context.Context, c api.Caller, r metricsReq) (metricsRes, error) {
	out := metricsRes{Metrics: map[string]map[string]int64{}}
	var paths []string
	if r.ID == "" {
		return out, errArgs
	}
	if r.Metrics.String() != "" && json.Unmarshal(r.Metrics.Raw(), &paths) != nil || len(paths) > maxMetrics {
		return out, bad("metrics")
	}
	if !auth.MayAskBy(c.Member, c.App.ID, paths, paths) {
		return out, errRight
	}
	d, err := s.found(ctx, c, r.ID, errGone)
	if err != nil {
		return out, err
	}
	of, err := s.members(ctx, c.App.ID, d)
	if err != nil {
		return out, err
	}
	out.Size = int64(of.GetCardinality()) // numbers of users are of 32 bits
	for _, path := range paths {
		values, err := s.tables.Values(ctx, c.App.ID, path, of)
		if err != nil {
			return out, err
		}
		out.Metrics[path] = top(values)
	}
	return out, nil
}

// top keeps the most frequent values.
func top(values map[string]int64) map[string]int64 {
	keys := slices.SortedFunc(maps.Keys(values), func(a, b string) int { return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b)) })
	out := map[string]int64{}
	for _, k := range keys[:min(len(keys), topValues)] {
		out[k] = values[k]
	}
	return out
}

type dataReq struct {
	Cohorts params.Value `param:"cohorts"`
	Start   params.Value `param:"iDisplayStart"`
	Length  params.Value `param:"iDisplayLength"`
}

// data is what dataReq answers of a cohort.
type data struct {
	ID   string         `json:"_id"`
	Data map[string]any `json:"data"`
}

// usualMembers and mostMembers are how many members a page has, mostData of how many cohorts.
const (
	usualMembers = 50
	mostMembers  = 1000
	mostData     = 50
)

// member is a user of a cohort.
type member struct {
	UID  string `json:"uid"`
	Name string `json:"name,omitempty"`
}

// data answers with a page of the members of cohorts, for those who may read users, and with the history of each by year, month and day.
func (s *service) data(ctx context.Context, c api.Caller, r dataReq) ([]data, error) {
	out := []data{}
	var ids []string
	if json.Unmarshal(r.Cohorts.Raw(), &ids) != nil {
		ids = nil // the wire has an empty answer for it
	}
	start, length := api.List{Start: r.Start, Length: r.Length}.Part(usualMembers, mostMembers)
	for _, id := range ids[:min(len(ids), mostData)] {
		found, err := s.found(ctx, c, id, errGone)
		if errCode(err) == "cohorts.gone" {
			continue
		}
		if err != nil {
			return nil, err
		}
		of, err := s.members(ctx, c.App.ID, found)
		if err != nil {
			return nil, err
		}
		if err := s.persist(ctx, c.App); err != nil { // the history is that of now
			return nil, err
		}
		d, err := s.history(ctx, c.App.ID, id)
		if err != nil {
			return nil, err
		}
		rows := []member{}
		if auth.MayLookAtPeople(c.Member, c.App.ID) {
			if rows, err = s.page(ctx, c.App.ID, of, start, length); err != nil {
				return nil, err
			}
		}
		d["aaData"], d["iTotalRecords"], d["iTotalDisplayRecords"] = rows, of.GetCardinality(), of.GetCardinality()
		out = append(out, data{id, d})
	}
	return out, nil
}

// page is a part of the members, by number, with their names.
func (s *service) page(ctx context.Context, app model.AppID, of *roaring.Bitmap, start, length int) ([]member, error) {
	out := []member{}
	size := int(of.GetCardinality()) // numbers of users are of 32 bits
	for at := start; at < size && at-start < length; at++ {
		uid, err := of.Select(uint32(at)) // below size
		if err != nil {
			return nil, err
		}
		m := member{UID: strconv.FormatUint(uint64(uid), 10)}
		p, err := s.profiles.ByUID(ctx, app, uid)
		if err != nil && !errors.Is(err, profile.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			m.Name = p.Name
		}
		out = append(out, m)
	}
	return out, nil
}

// history is the history of a cohort as a time document.
func (s *service) history(ctx context.Context, app model.AppID, id string) (map[string]any, error) {
	out := map[string]any{}
	list, err := historySpec().In(s.docs, app).All(ctx, docs.Query{Where: []docs.Cond{docs.Eq("cohort", id)}})
	for _, h := range list {
		year, month, _ := strings.Cut(h.Month, ":")
		months, ok := out[year].(map[string]any)
		if !ok {
			months = map[string]any{}
			out[year] = months
		}
		months[month] = h.Days
	}
	return out, err
}

// signature is a condition and the cohorts that have it.
type signature struct {
	Data    step     `json:"data"`
	Cohorts []string `json:"cid"`
}

type identified struct {
	ID         string `json:"_id"`
	Name       string `json:"name"`
	State      string `json:"state"`
	Calculated int64  `json:"last_calculated"` // ms
}

type stateRes struct {
	Hashes  map[string]signature  `json:"hashes"`
	Cohorts map[string]identified `json:"cohorts"`
	TS      int64                 `json:"ts"` // s
}

// state answers with the conditions of the cohorts that the caller sees, each once.
func (s *service) state(ctx context.Context, c api.Caller, _ api.None) (stateRes, error) {
	out := stateRes{Hashes: map[string]signature{}, Cohorts: map[string]identified{}, TS: c.Now.Unix()}
	list, err := spec().In(s.docs, c.App.ID).All(ctx, docs.Query{Where: shownTo(c.Member)})
	for _, d := range list {
		out.Cohorts[d.ID] = identified{d.ID, d.Name, d.State, d.Calculated}
		for _, st := range d.Steps {
			st.Conj, st.Within = "", 0
			hash := Cohort{AppID: d.AppID, Type: auto, Steps: []step{st}}.hash()
			sig := out.Hashes[hash]
			sig.Data = st
			if !slices.Contains(sig.Cohorts, d.ID) {
				sig.Cohorts = append(sig.Cohorts, d.ID)
			}
			out.Hashes[hash] = sig
		}
	}
	return out, err
}

type previewReq struct {
	Steps params.Value `param:"steps"`
	Users params.Value `param:"user_segmentation"`
}

// previewRes is how many users conditions select, and of how many.
type previewRes struct {
	Users uint64 `json:"users"`
	Of    uint64 `json:"of"`
}

// preview answers how many users the conditions of a cohort that is not kept select now.
func (s *service) preview(ctx context.Context, c api.Caller, r previewReq) (previewRes, error) {
	d := Cohort{ID: "preview", AppID: c.App.ID.String(), Type: auto}
	if err := (fields{Name: "preview", Visibility: global, Steps: r.Steps, Users: r.Users}).fill(&d); err != nil {
		return previewRes{}, err
	}
	if err := d.Validate(); err != nil {
		return previewRes{}, err
	}
	if !auth.MayAskOfUsers(c.Member, c.App.ID, d.paths()) {
		return previewRes{}, errRight
	}
	q, err := s.compile(ctx, c.App, c.Now, d)
	if err != nil {
		return previewRes{}, err
	}
	quiet := func(int64, int64) {}
	users, err := s.rows.Select(ctx, c.App.ID, q, quiet)
	if err != nil {
		return previewRes{}, err
	}
	all, err := s.tables.Members(ctx, c.App.ID, query.Membership{}, quiet)
	if err != nil {
		return previewRes{}, err
	}
	return previewRes{users.GetCardinality(), all.GetCardinality()}, nil
}
