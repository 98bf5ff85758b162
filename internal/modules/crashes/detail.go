package crashes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/schema"
)

// histogram counts reports by value.
type histogram map[string]int64

// span sums up numbers of reports.
type span struct {
	Total float64 `json:"total"`
	Count int64   `json:"count"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

// detail answers with a group and its latest reports. The group is not new any more.
func (s *service) detail(ctx context.Context, c api.Caller, id string) (map[string]any, error) {
	r, a, resolved, err := s.open(ctx, c.App.ID, id)
	of := r.signatures
	if err != nil {
		return nil, err
	}
	rows := []row{r}
	if err := s.errorsOf(ctx, c.App.ID, rows); err != nil {
		return nil, err
	}
	out := map[string]any{}
	text, err := json.Marshal(rows[0])
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	if err := s.symbolicateGroup(ctx, c.App.ID, id, out); err != nil {
		return nil, err
	}
	maps.Copy(out, resolved)
	out["url"], out["is_public"] = a.URL, a.Public
	if a.Share != nil {
		out["share"] = a.Share
	}
	if a.Commented {
		out["comments"] = append([]comment{}, a.Comments...)
	}
	if a.Assigned != "" {
		name, err := s.nameOf(ctx, a.Assigned)
		if err != nil {
			return nil, err
		}
		if name != "" {
			out["assignee"] = assignee{a.Assigned, name}
		} else {
			delete(out, "assigned")
		}
	}
	issue, err := s.offers.Issue(ctx, c.App.ID, id)
	if err != nil {
		return nil, err
	}
	if issue != nil {
		out["issue"] = issue
	}
	if err := s.distributions(ctx, c.App.ID, of, out); err != nil {
		return nil, err
	}
	if out["total"], err = s.population(ctx, c.App.ID); err != nil {
		return nil, err
	}
	out["data"], err = s.latest(ctx, c.App.ID, id, of, s.config.ReportLimit)
	return out, err
}

// open returns a group, and marks it as viewed. resolved is what else is known of its life.
func (s *service) open(ctx context.Context, app model.AppID, id string) (r row, a about, resolved map[string]any, err error) {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return r, a, nil, err
	}
	defer done()
	g := b.groups[id]
	if g == nil {
		return r, a, nil, errNoGroup
	}
	r, resolved = b.rowOf(g), map[string]any{}
	switch {
	case g.note != "":
		resolved["resolved_version"] = g.resolvedIn()
	case g.about.Unresolved:
		resolved["resolved_version"] = nil
	}
	if g.about.Unresolved {
		resolved["is_renewed"] = g.isRenewed()
	}
	if g.about.Viewed && g.about.URL != "" {
		a, err = spec().In(s.docs, app).Get(ctx, id)
		return r, a, resolved, err
	}
	_, a, err = update(ctx, s.docs, app, id, func(a *about) error {
		a.Viewed, a.URL = true, cmp.Or(a.URL, newURL())
		return nil
	})
	if err == nil {
		s.books.changed(ctx, app, b, a)
	}
	return r, a, resolved, err
}

// population is how many users the app has.
func (s *service) population(ctx context.Context, app model.AppID) (n int64, err error) {
	q := &plan.Query{App: app, From: plan.Users, Select: []plan.Expr{plan.Agg{Fn: plan.Count}}}
	err = s.tables.Each(ctx, q, func(r events.Scanner) error { return r.Scan(&n) })
	return n, err
}

// signed selects the reports that have one of the signatures.
func signed(signatures []string) plan.Expr {
	return plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.OneOf(plan.Ev("n"), signatures))
}

// top returns the n values with the most reports.
func (h histogram) top(n int) []bar {
	var out []bar
	for name, reports := range h {
		out = append(out, bar{name, reports})
	}
	slices.SortFunc(out, func(x, y bar) int { return cmp.Or(cmp.Compare(y.N, x.N), cmp.Compare(x.Name, y.Name)) })
	return out[:min(n, len(out))]
}

// maxBars bounds the values of a distribution: the most frequent ones are kept.
const maxBars = 1000

// textNames are the properties that have a histogram.
var textNames = []string{"os_version", "manufacture", "device", "resolution", "app_version", "cpu", "opengl", "orientation"}

// spanNames are the properties that are summed up.
var spanNames = []string{"ram", "disk", "bat", "run", "session"}

// distributions adds what the reports of a group say together.
func (s *service) distributions(ctx context.Context, app model.AppID, of []string, out map[string]any) error {
	ev, _ := s.data.Schema.Event(app, crashKey)
	var list []schema.Segment
	for _, seg := range ev.Segments {
		if strings.HasPrefix(seg.Name, customPrefix) || slices.Contains(flagNames, seg.Name) || slices.Contains(textNames, seg.Name) {
			list = append(list, seg)
		}
	}
	found, err := s.histograms(ctx, app, of, list)
	if err != nil {
		return err
	}
	custom := map[string]histogram{}
	for i, h := range found {
		own, isCustom := strings.CutPrefix(list[i].Name, customPrefix)
		switch {
		case len(h) == 0:
		case isCustom:
			custom[encoded(own)] = h
		default:
			out[list[i].Name] = h
		}
	}
	if len(custom) > 0 {
		out["custom"] = custom
	}
	return s.spans(ctx, app, of, out)
}

// maxTallied is how many values of all properties together are counted at once, in memory. A property that has more is counted by the store.
const maxTallied = 100_000

// tally counts the values of properties.
type tally struct {
	counts []map[string]int64 // by property; nil = it has too many values
	values int                // of all maps
}

// add counts a value. It leaves out the property with the most values when there are too many of all.
func (t *tally) add(property int, value string) {
	h := t.counts[property]
	if h == nil || value == "" {
		return
	}
	if _, known := h[value]; !known {
		if t.values++; t.values > maxTallied {
			widest := 0
			for i := range t.counts {
				if len(t.counts[i]) > len(t.counts[widest]) {
					widest = i
				}
			}
			t.values -= len(t.counts[widest])
			t.counts[widest] = nil
			if widest == property {
				t.values-- // it was not added
				return
			}
		}
		value = strings.Clone(value)
	}
	h[value]++
}

// histograms counts the reports of a group by the values of each of some properties, as keys of documents. Rows are read at most twice:
// those columns that hold one property, and then the one that holds all others, which is parsed here once, where the store would parse it for
// each property.
func (s *service) histograms(ctx context.Context, app model.AppID, of []string, list []schema.Segment) ([]histogram, error) {
	t := tally{counts: make([]map[string]int64, len(list))}
	q := &plan.Query{App: app, From: plan.Events, Where: signed(of)}
	var columns []int
	others := map[string]int{}
	for i := range list {
		t.counts[i] = map[string]int64{}
		if in := plan.PlacesOf(&list[i]); in.Rest && in.Was == nil {
			others[list[i].Name] = i
			continue
		}
		columns = append(columns, i)
		q.Select = append(q.Select, plan.Do(plan.Coalesce, plan.Do(plan.Text, s.tables.Property(app, crashKey, list[i].Name)), plan.Is("")))
	}
	if len(columns) > 0 {
		err := s.tables.EachColumns(ctx, q, func(c *events.Columns) error {
			for n, i := range columns {
				for _, value := range c.List[n].Text {
					t.add(i, value)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if err := s.tallyOthers(ctx, app, of, others, &t); err != nil {
		return nil, err
	}
	out := make([]histogram, len(list))
	for i, h := range t.counts {
		if h == nil {
			var err error
			if out[i], err = s.histogram(ctx, app, of, list[i].Name); err != nil {
				return nil, err
			}
			continue
		}
		out[i] = histogram{}
		for _, b := range histogram(h).top(maxBars) {
			out[i][encoded(b.Name)] += b.N
		}
	}
	return out, nil
}

// tallyOthers counts the values of properties that share a column.
func (s *service) tallyOthers(ctx context.Context, app model.AppID, of []string, others map[string]int, t *tally) error {
	if len(others) == 0 {
		return nil
	}
	q := &plan.Query{App: app, From: plan.Events, Where: signed(of), Select: []plan.Expr{rawColumn()}}
	return s.tables.Each(ctx, q, func(r events.Scanner) error {
		var extra string
		if err := r.Scan(&extra); err != nil {
			return err
		}
		_ = rawjson.Members([]byte(extra), func(key, v []byte) bool { // what is no JSON has no members
			name := key
			if bytes.IndexByte(key, '\\') >= 0 {
				name = rawjson.Unescape(nil, key)
			}
			if i, ok := others[string(name)]; ok {
				if text, scalar := scalarText(v); scalar {
					t.add(i, text)
				}
			}
			return true
		})
		return nil
	})
}

// histogram counts the reports of a group by the values of a property, as keys of documents.
func (s *service) histogram(ctx context.Context, app model.AppID, of []string, name string) (histogram, error) {
	value := plan.Do(plan.Coalesce, plan.Do(plan.Text, s.tables.Property(app, crashKey, name)), plan.Is(""))
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.All(signed(of), plan.Do(plan.Ne, value, plan.Is(""))), Select: []plan.Expr{value, plan.Agg{Fn: plan.Count}},
		Order: []plan.Order{{By: plan.Agg{Fn: plan.Count}, Desc: true}, {By: value}}, Limit: maxBars,
	}
	out := histogram{}
	err := s.tables.Each(ctx, q, func(r events.Scanner) error {
		var text string
		var n int64
		if err := r.Scan(&text, &n); err != nil {
			return err
		}
		out[encoded(text)] += n
		return nil
	})
	return out, err
}

// spans adds sums of numbers.
func (s *service) spans(ctx context.Context, app model.AppID, of []string, out map[string]any) error {
	q := &plan.Query{App: app, From: plan.Events, Where: signed(of)}
	var dest []any
	spans := make([]span, len(spanNames))
	for i, name := range spanNames {
		n := plan.Do(plan.Number, s.tables.Property(app, crashKey, name))
		known := plan.Do(plan.Not, plan.Do(plan.IsNull, n))
		zero := func(fn plan.AggFn) plan.Expr {
			return plan.Do(plan.Coalesce, plan.Agg{Fn: fn, Of: n}, plan.Is(0.0))
		}
		q.Select = append(q.Select, zero(plan.Sum), plan.Agg{Fn: plan.Count, When: known}, zero(plan.Min), zero(plan.Max))
		dest = append(dest, &spans[i].Total, &spans[i].Count, &spans[i].Min, &spans[i].Max)
	}
	if err := s.tables.Each(ctx, q, func(r events.Scanner) error { return r.Scan(dest...) }); err != nil {
		return err
	}
	for i, name := range spanNames {
		if spans[i].Count > 0 {
			out[name] = spans[i]
		}
	}
	return nil
}

// rawColumn is what rawOf reads the report from.
func rawColumn() plan.Expr { return plan.Do(plan.Coalesce, plan.Rest{}, plan.Is("")) }

// rawOf returns the report that a row keeps; nil when it keeps none.
func rawOf(extra string) (raw []byte) {
	_ = rawjson.Members([]byte(extra), func(key, v []byte) bool { // what is no JSON has no members
		if string(key) == "report" {
			raw = v
		}
		return raw == nil
	})
	return raw
}

// stored is a report with what stands in its row beside it.
type stored struct {
	report
	id, group, os, version string
	uid                    uint32
	ts                     int64 // ms
	session                float64
}

// columnsOf are what stored reads.
func (s *service) columnsOf(app model.AppID) []plan.Expr {
	text := func(name string) plan.Expr {
		return plan.Do(plan.Coalesce, plan.Do(plan.Text, s.tables.Property(app, crashKey, name)), plan.Is(""))
	}
	return []plan.Expr{
		plan.Ev("off"), plan.Ev("item"), plan.Ev("ts"), plan.Ev("uid"), plan.Do(plan.Coalesce, plan.Ev("n"), plan.Is("")), text("os"), text("app_version"),
		plan.Do(plan.Coalesce, plan.Do(plan.Number, s.tables.Property(app, crashKey, "session")), plan.Is(-1.0)), rawColumn(),
	}
}

// scan reads the row of a report; false when it keeps none.
func scan(r events.Scanner) (out stored, ok bool, err error) {
	var offset uint64
	var item uint32
	var extra string
	if err := r.Scan(&offset, &item, &out.ts, &out.uid, &out.group, &out.os, &out.version, &out.session, &extra); err != nil {
		return out, false, err
	}
	out.id = fmt.Sprintf("%016x%08x", offset, item)
	out.report, ok = parse(rawOf(extra))
	return out, ok, nil
}

// wire is the report as reads show it.
func (r *stored) wire() map[string]any {
	out := r.report.wire()
	out["_id"], out["group"], out["uid"], out["ts"] = r.id, r.group, strconv.FormatUint(uint64(r.uid), 10), seconds(r.ts)
	for key, v := range map[string]string{"os": r.os, "app_version": r.version} {
		if v != "" {
			out[key] = v
		}
	}
	if r.session >= 0 {
		out["session"] = r.session
	}
	return out
}

// maxShown is how many bytes of reports one answer holds; older reports are left out.
const maxShown = 16 << 20

// latest returns the last reports of a group, the newest first.
func (s *service) latest(ctx context.Context, app model.AppID, id string, of []string, n int) ([]map[string]any, error) {
	q := &plan.Query{
		App: app, From: plan.Events, Where: signed(of), Select: s.columnsOf(app), Limit: n,
		Order: []plan.Order{{By: plan.Ev("off"), Desc: true}, {By: plan.Ev("item"), Desc: true}},
	}
	var found []stored
	size := 0
	err := s.tables.Each(ctx, q, func(r events.Scanner) error { //nolint:contextcheck // walking a dump without symbols is bounded and reads nothing
		rep, ok, err := scan(r)
		if err != nil || !ok {
			return err
		}
		rep.group = id
		for _, m := range rep.members {
			size += len(m.value)
		}
		if size <= maxShown || len(found) == 0 {
			found = append(found, rep)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.symbolicated(ctx, app, found), nil
}

// placeOf reads the id of a report; false when it is none.
func placeOf(id string) (events.Place, bool) {
	if len(id) != 24 {
		return events.Place{}, false
	}
	offset, err := strconv.ParseUint(id[:16], 16, 63)
	item, err2 := strconv.ParseUint(id[16:], 16, 32)
	return events.Place{Offset: offset, Item: uint32(item)}, err == nil && err2 == nil
}

// byIDs calls fn with the reports of an app that have one of the ids.
func (s *service) byIDs(ctx context.Context, app model.AppID, ids []string, fn func(*stored)) error {
	var offsets []int64
	for _, id := range ids {
		if p, ok := placeOf(id); ok {
			offsets = append(offsets, int64(p.Offset)) // of 63 bits
		}
	}
	if len(offsets) == 0 {
		return nil
	}
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.OneOf(plan.Ev("off"), offsets)),
		Select: s.columnsOf(app),
	}
	var found []stored
	err := s.tables.Each(ctx, q, func(r events.Scanner) error { //nolint:contextcheck // walking a dump without symbols is bounded and reads nothing
		rep, ok, err := scan(r)
		if err == nil && ok && slices.Contains(ids, rep.id) {
			found = append(found, rep)
		}
		return err
	})
	if err != nil || len(found) == 0 {
		return err
	}
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return err
	}
	for i := range found {
		if found[i].group != "" {
			found[i].group = b.groupOf(found[i].group)
		}
	}
	done()
	for i := range found {
		fn(&found[i])
	}
	return nil
}

type reportsReq struct {
	IDs params.Value `param:"report_ids"`
	ID  string       `param:"report_id"`
}

// reports answers with reports by their ids. Those that are not of the app are left out.
func (s *service) reports(ctx context.Context, c api.Caller, r reportsReq) (map[string]map[string]any, error) {
	out := map[string]map[string]any{}
	var ids []string
	if text := r.IDs.String(); text != "" {
		var list []any
		if json.Unmarshal(r.IDs.Raw(), &list) != nil {
			list = []any{text}
		}
		for _, v := range list {
			if id, ok := v.(string); ok {
				ids = append(ids, id)
			}
		}
	}
	if r.ID != "" {
		ids = append(ids, r.ID)
	}
	if len(ids) > maxReports {
		return nil, bad("Too many report_ids")
	}
	var found []stored
	if err := s.byIDs(ctx, c.App.ID, ids, func(rep *stored) { found = append(found, *rep) }); err != nil {
		return nil, err
	}
	for i, rep := range s.symbolicated(ctx, c.App.ID, found) {
		out[found[i].id] = rep
	}
	return out, nil
}

// maxListedUsers is how many users one answer lists.
const maxListedUsers = 100_000

// userList answers with the users who are in a group.
func (s *service) userList(ctx context.Context, c api.Caller, id string) ([]string, error) {
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return nil, err
	}
	defer done()
	g := b.groups[id]
	if g == nil {
		return nil, errNoGroup
	}
	if !auth.MayLookAtPeople(c.Member, c.App.ID) {
		return nil, errUsers
	}
	out := make([]string, 0, g.users.len())
	for uid := range g.users.all() {
		if len(out) >= maxListedUsers {
			break
		}
		out = append(out, strconv.FormatUint(uint64(uid), 10))
	}
	return out, nil
}

type ofUserReq struct {
	api.List
	UID string `param:"uid"`
	// Names wants the groups described.
	Names bool `param:"names"`
}

// userRow is a group that a user reported. Last is in seconds. What describes the group is there when it is wanted.
type userRow struct {
	Group    string `json:"group"`
	Reports  int64  `json:"reports"`
	Last     int64  `json:"last"`
	Name     string `json:"name,omitempty"`
	NonFatal *bool  `json:"nonfatal,omitempty"`
}

// ofUser answers with the groups that a user reported.
func (s *service) ofUser(ctx context.Context, c api.Caller, r ofUserReq) (api.Table[userRow], error) {
	out := api.Table[userRow]{Echo: r.Echo.Echo(), Rows: []userRow{}}
	if r.UID == "" {
		return out, bad("Please provide user uid")
	}
	uid, err := strconv.ParseUint(r.UID, 10, 32)
	if err != nil {
		return out, nil //nolint:nilerr // what is no number is no user's
	}
	if !auth.MayLookAtPeople(c.Member, c.App.ID) {
		return out, errUsers
	}
	last := plan.Agg{Fn: plan.Max, Of: plan.Ev("ts")}
	name := plan.Do(plan.Coalesce, plan.Ev("n"), plan.Is(""))
	q := &plan.Query{
		App: c.App.ID, From: plan.Events, Select: []plan.Expr{name, plan.Agg{Fn: plan.Count}, last},
		Where: plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.Do(plan.Eq, plan.Ev("uid"), plan.Is(int64(uid))), plan.Do(plan.Ne, name, plan.Is(""))), // of 32 bits
		Order: []plan.Order{{By: last, Desc: true}, {By: name}}, Limit: maxListedUsers,
	}
	var rows []userRow
	err = s.tables.Each(ctx, q, func(sc events.Scanner) error {
		var row userRow
		if err := sc.Scan(&row.Group, &row.Reports, &row.Last); err != nil {
			return err
		}
		row.Last = seconds(row.Last)
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return out, err
	}
	if rows, err = s.byGroup(ctx, c.App.ID, rows); err != nil {
		return out, err
	}
	if key, desc := r.userOrder(); key != "" {
		slices.SortStableFunc(rows, func(x, y userRow) int {
			order := map[string]int{"group": cmp.Compare(x.Group, y.Group), "reports": cmp.Compare(x.Reports, y.Reports), "last": cmp.Compare(x.Last, y.Last)}[key]
			if desc {
				return -order
			}
			return order
		})
	}
	start, length := r.Part(mostRows, maxListedUsers)
	out.Total, out.Display = len(rows), len(rows)
	start = min(start, len(rows))
	out.Rows = append(out.Rows, rows[start:min(start+length, len(rows))]...)
	if r.Names {
		err = s.describe(ctx, c.App.ID, out.Rows)
	}
	return out, err
}

// byGroup adds up rows of signatures by the groups that they belong to, in the order of the first of each.
func (s *service) byGroup(ctx context.Context, app model.AppID, rows []userRow) ([]userRow, error) {
	b, done, err := s.books.of(ctx, app)
	if err != nil || len(b.moved) == 0 {
		if err == nil {
			done()
		}
		return rows, err
	}
	defer done()
	out, places := rows[:0], map[string]int{}
	for _, r := range rows {
		r.Group = b.groupOf(r.Group)
		at, known := places[r.Group]
		if !known {
			places[r.Group] = len(out)
			out = append(out, r)
			continue
		}
		out[at].Reports += r.Reports
		out[at].Last = max(out[at].Last, r.Last)
	}
	return out, nil
}

// describe adds names and fatality of groups.
func (s *service) describe(ctx context.Context, app model.AppID, rows []userRow) error {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return err
	}
	defer done()
	for i := range rows {
		if g := b.groups[rows[i].Group]; g != nil {
			rows[i].Name, rows[i].NonFatal = g.name, &g.nonfatal
		}
	}
	return nil
}

func (r *ofUserReq) userOrder() (key string, desc bool) {
	columns := []string{"group", "reports", "last"}
	if key, desc := r.SortBy(); slices.Contains(columns, key) {
		return key, desc
	}
	for i, name := range columns {
		if text := r.Column.String(); text == strconv.Itoa(i) || text == name {
			return name, r.Dir != "asc"
		}
	}
	return "", false
}
