package crashes

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quipu/internal/api"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// readReq is what the reads of crashes take.
type readReq struct {
	api.List
	Group    string       `param:"group"`
	Userlist bool         `param:"userlist"`
	ListAll  bool         `param:"list"`
	Graph    bool         `param:"graph"`
	Query    params.Value `param:"query"`
	Filter   string       `param:"filter"`
	OS       string       `param:"os"`
	Version  string       `param:"app_version"`
}

// read answers with what is asked for.
func (s *service) read(ctx context.Context, c api.Caller, r readReq) (any, error) {
	switch {
	case r.Group != "" && r.Userlist:
		return s.userList(ctx, c, r.Group)
	case r.Group != "":
		return s.detail(ctx, c, r.Group)
	case r.ListAll:
		return s.list(ctx, c)
	case r.Graph:
		return s.graph(ctx, c, r)
	}
	return s.table(ctx, c, r)
}

// row is a group in the table. Times are in seconds.
type row struct {
	ID          string `json:"_id"`
	Error       string `json:"error"`
	Name        string `json:"name"`
	OS          string `json:"os"`
	NonFatal    bool   `json:"nonfatal"`
	New         bool   `json:"is_new"`
	Resolved    bool   `json:"is_resolved"`
	Hidden      *bool  `json:"is_hidden,omitempty"`
	Renewed     *bool  `json:"is_renewed,omitempty"`
	Resolving   *bool  `json:"is_resolving,omitempty"`
	Reports     int64  `json:"reports"`
	Users       int    `json:"users"`
	Last        int64  `json:"lastTs"`
	Start       int64  `json:"startTs"`
	Latest      string `json:"latest_version"`
	Assigned    string `json:"assigned,omitempty"` // id of a member
	firstReport events.Place
	signatures  []string
}

func (b *book) rowOf(g *group) row {
	r := row{
		ID: g.id, Name: g.name, OS: g.os, NonFatal: g.nonfatal, New: g.isNew(), Resolved: g.isResolved(), Hidden: g.about.Hidden,
		Reports: g.reports, Users: g.users.len(), Last: seconds(g.last), Start: seconds(g.start), Latest: g.latest, firstReport: g.first,
		signatures: g.signatures(), Assigned: g.about.Assigned,
	}
	if renewed := g.isRenewed(); renewed || g.note != "" {
		r.Renewed = &renewed
	}
	if g.about.Resolving {
		r.Resolving = &g.about.Resolving
	}
	return r
}

func seconds(ms int64) int64 { return ms / 1000 }

// Bounds of the table.
const (
	usualRows = 50
	mostRows  = 1000
)

// sortColumns are what the table is sorted by, at the places of its columns.
var sortColumns = []string{"", "name", "os", "reports", "lastTs", "users", "latest_version", "startTs"}

// presets are the filters that have a name.
var presets = map[string]func(*group) bool{
	"crash-resolved": (*group).isResolved, "crash-hidden": (*group).isHidden, "crash-fatal": func(g *group) bool { return !g.nonfatal },
	"crash-unresolved": func(g *group) bool { return !g.isResolved() }, "crash-nonfatal": func(g *group) bool { return g.nonfatal },
	"crash-new": (*group).isNew, "crash-viewed": func(g *group) bool { return !g.isNew() },
	"crash-reoccurred": (*group).isRenewed, "crash-resolving": func(g *group) bool { return g.about.Resolving },
	"crash-assigned": func(g *group) bool { return g.about.Assigned != "" }, "crash-unassigned": func(g *group) bool { return g.about.Assigned == "" },
}

// condition returns what the groups of the table meet, the search left aside.
func (r *readReq) condition(b *book) (func(*group) bool, error) {
	var f filter.Expr
	if text := r.Query.String(); text != "" {
		var err error
		if f, err = filter.Parse(json.RawMessage(r.Query.Raw())); err != nil {
			return nil, bad(`Could not parse parameter "query"`)
		}
	}
	preset := presets[r.Filter]
	hidden := r.Filter == "crash-hidden" || slices.Contains(f.Paths(), "is_hidden")
	return func(g *group) bool {
		return (hidden || !g.isHidden()) && (preset == nil || preset(g)) && (f.IsZero() || f.Match(groupDoc{b, g}))
	}, nil
}

// groupDoc is a group as filters see it.
type groupDoc struct {
	b *book
	g *group
}

// Lookup implements filter.Doc.
func (d groupDoc) Lookup(path string) (any, bool) {
	g := d.g
	switch path {
	case "_id":
		return g.id, true
	case "name":
		return g.name, true
	case "os":
		return g.os, g.os != ""
	case "nonfatal":
		return g.nonfatal, true
	case "is_new":
		return g.isNew(), true
	case "is_resolved":
		return g.isResolved(), true
	case "is_renewed":
		return g.isRenewed(), true
	case "is_resolving":
		return g.about.Resolving, true
	case "is_hidden":
		return g.isHidden(), g.about.Hidden != nil
	case "resolved_version":
		return g.resolvedIn(), g.note != ""
	case "latest_version":
		v := g.latest
		return v, v != ""
	case "reports":
		return float64(g.reports), true
	case "users":
		return float64(g.users.len()), true
	case "assigned":
		return g.about.Assigned, g.about.Assigned != ""
	case "lastTs":
		return float64(seconds(g.last)), true
	case "startTs":
		return float64(seconds(g.start)), true
	}
	if version, ok := strings.CutPrefix(path, "app_version."); ok {
		for _, v := range g.by {
			if encoded(d.b.versions[v.version]) == version {
				return float64(v.reports), true
			}
		}
	}
	return nil, false
}

// searching returns what names have to meet: the text as a regular expression, as clients send it, or as it is where it is none.
func searching(text string) func(name string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return func(string) bool { return true }
	}
	if len(text) <= filter.MaxPattern {
		if re, err := regexp.Compile("(?i)" + text); err == nil {
			if regexp.QuoteMeta(text) == text && isASCII(text) {
				return plainly(text, re.MatchString)
			}
			return re.MatchString
		}
	}
	needle := docs.SearchText(text)
	return func(name string) bool { return strings.Contains(docs.SearchText(name), needle) }
}

// plainly is a search for a text without regard to case, which takes a tenth of the time of the expression that otherwise decides about names with
// other characters.
func plainly(text string, otherwise func(string) bool) func(name string) bool {
	low := strings.ToLower(text)
	first, upper := low[0], strings.ToUpper(low)[0]
	return func(name string) bool {
		for at := 0; len(name)-at >= len(low); at++ {
			rest := name[at : len(name)-len(low)+1]
			i := strings.IndexByte(rest, first)
			if j := strings.IndexByte(rest, upper); i < 0 || j >= 0 && j < i {
				i = j
			}
			if i < 0 {
				break
			}
			if at += i; strings.EqualFold(name[at:at+len(low)], low) && isASCII(name[at:at+len(low)]) {
				return true
			}
		}
		return !isASCII(name) && otherwise(name)
	}
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// table answers with the groups of the app.
func (s *service) table(ctx context.Context, c api.Caller, r readReq) (api.Table[row], error) {
	page, err := s.groups(ctx, c, r)
	if err != nil {
		return api.Table[row]{}, err
	}
	if err := s.errorsOf(ctx, c.App.ID, page.Docs); err != nil {
		return api.Table[row]{}, err
	}
	return api.TableOf(r.List, page, api.Itself[row]), nil
}

func (s *service) groups(ctx context.Context, c api.Caller, r readReq) (docs.Page[row], error) {
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return docs.Page[row]{}, err
	}
	defer done()
	meets, err := r.condition(b)
	if err != nil {
		return docs.Page[row]{}, err
	}
	found, total := make([]*group, 0, len(b.groups)), 0
	searched := searching(r.Search)
	for _, g := range b.groups {
		if !meets(g) {
			continue
		}
		total++
		if searched(g.name) {
			found = append(found, g)
		}
	}
	start, length := r.Part(usualRows, mostRows)
	key, desc := r.order()
	start = min(start, len(found))
	end := min(start+length, len(found))
	best(found, end, b.comparing(key, desc))
	page := docs.Page[row]{Total: total, Matching: len(found), Docs: make([]row, 0, end-start)}
	for _, g := range found[start:end] {
		page.Docs = append(page.Docs, b.rowOf(g))
	}
	return page, nil
}

// order returns what the table is sorted by; the groups reported last stand first unless the request says otherwise.
func (r *readReq) order() (key string, desc bool) {
	if key, desc := r.SortBy(); slices.Contains(sortColumns[1:], key) {
		return key, desc
	}
	desc = r.Dir != "asc"
	text := r.Column.String()
	if slices.Contains(sortColumns[1:], text) {
		return text, desc
	}
	for i, name := range sortColumns {
		if name != "" && text == string(rune('0'+i)) {
			return name, desc
		}
	}
	return "lastTs", desc
}

// comparing returns the order by a column; what is equal stands in order of first appearance.
func (b *book) comparing(key string, desc bool) func(x, y *group) int {
	by := map[string]func(x, y *group) int{
		"name":    func(x, y *group) int { return strings.Compare(x.name, y.name) },
		"os":      func(x, y *group) int { return strings.Compare(x.os, y.os) },
		"reports": func(x, y *group) int { return cmp.Compare(x.reports, y.reports) },
		"users":   func(x, y *group) int { return cmp.Compare(x.users.len(), y.users.len()) },
		"lastTs":  func(x, y *group) int { return cmp.Compare(x.last, y.last) },
		"startTs": func(x, y *group) int { return cmp.Compare(x.start, y.start) },
		"latest_version": func(x, y *group) int {
			return compareVersions(x.latest, y.latest)
		},
	}[key]
	return func(x, y *group) int {
		order := by(x, y)
		if desc {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(x.first.Offset, y.first.Offset), cmp.Compare(x.first.Item, y.first.Item))
	}
}

// best puts the n least elements in front, sorted: a page of a long list needs no order of the rest.
func best(list []*group, n int, compare func(x, y *group) int) {
	if n <= 0 {
		return
	}
	if n >= len(list)/4 {
		slices.SortFunc(list, compare)
		return
	}
	heap := list[:n] // the greatest of the least on top
	down := func(i int) {
		for {
			kid := 2*i + 1
			if kid >= n {
				return
			}
			if kid+1 < n && compare(heap[kid+1], heap[kid]) > 0 {
				kid++
			}
			if compare(heap[kid], heap[i]) <= 0 {
				return
			}
			heap[i], heap[kid] = heap[kid], heap[i]
			i = kid
		}
	}
	for i := n/2 - 1; i >= 0; i-- {
		down(i)
	}
	for i := n; i < len(list); i++ {
		if compare(list[i], heap[0]) < 0 {
			list[i], heap[0] = heap[0], list[i]
			down(0)
		}
	}
	slices.SortFunc(heap, compare)
}

// errorsOf fills in the errors and whole names of groups, which are those of their first reports. Of errors that take more than maxShown
// together, only the names are shown.
func (s *service) errorsOf(ctx context.Context, app model.AppID, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	offsets := make([]int64, len(rows))
	at := map[events.Place]*row{}
	for i := range rows {
		offsets[i] = int64(rows[i].firstReport.Offset) // an offset
		at[rows[i].firstReport] = &rows[i]
	}
	q := &plan.Query{
		App: app, From: plan.Events, Where: plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.OneOf(plan.Ev("off"), offsets)),
		Select: []plan.Expr{plan.Ev("off"), plan.Ev("item"), rawColumn()},
	}
	size := 0
	return s.tables.Each(ctx, q, func(sc events.Scanner) error { //nolint:contextcheck // walking a dump without symbols is bounded and reads nothing
		var place events.Place
		var extra string
		if err := sc.Scan(&place.Offset, &place.Item, &extra); err != nil {
			return err
		}
		if r := at[place]; r != nil {
			if rep, ok := parse(rawOf(extra)); ok {
				r.Name, r.Error = rep.title(), rep.display(rep.text())
			}
			if size += len(r.Error); size > maxShown { // the group has the rest
				r.Error = r.Name
			}
		}
		return nil
	})
}

// listed is a group in the list of names.
type listed struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// list answers with the names of all groups, in order of first appearance.
func (s *service) list(ctx context.Context, c api.Caller) ([]listed, error) {
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return nil, err
	}
	defer done()
	out := make([]listed, 0, len(b.groups))
	for _, g := range b.ordered() {
		out = append(out, listed{g.id, g.name})
	}
	return out, nil
}

// ordered lists the groups in order of first appearance.
func (b *book) ordered() []*group {
	out := make([]*group, 0, len(b.groups))
	for _, g := range b.groups {
		out = append(out, g)
	}
	slices.SortFunc(out, byPlace)
	return out
}
