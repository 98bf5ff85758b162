package crashes

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

const (
	// crashKey is the key of the rows of reports, whose names are the ids of their groups.
	crashKey = request.CrashKey
	// leftKey is the key of rows that say that a user left a group by upgrading; its name is the group's.
	leftKey = "[CLY]_crash_left"
)

// The kinds of subjects: groups, by their ids, and releases, which are an OS and a version of the app that count together.
const (
	kind     schema.Kind = 2
	releases schema.Kind = 3
	// rulings are the rules of an app: the note of the subject rulesName.
	rulings schema.Kind = 4
)

// maxGroups is how many groups an app has at most. Reports of further ones belong to none.
const maxGroups = 100_000

// The metrics. Their cells have the value "" without a dimension, and those of the dimensions below.
const (
	fatalReports    rollup.Metric = 64 // Count = reports, New = groups that one of them was the first of
	nonfatalReports rollup.Metric = 65 // as fatalReports
	freeOfFatal     rollup.Metric = 66 // Count = sessions that were judged, Users = whose
	freeOfNonfatal  rollup.Metric = 67 // as freeOfFatal; Users = those who never had a non-fatal crash
	begunByRelease  rollup.Metric = 68 // by release alone: Count = sessions begun, Users = who began them
)

// The dimensions of cells: by OS as sent, by version of the app with colons, and by both, joined by unit.
const (
	byOS      = "os"
	byVersion = "app_version"
	byRelease = "release"
)

// ingestion is the module's part in ingestion.
func ingestion() *pipeline.Feature {
	rules := &compiled{}
	return &pipeline.Feature{
		Name: feature, Subjects: kind, MostSubjects: maxGroups,
		Fields: []string{"crash"}, Rows: []string{crashKey, leftKey},
		Steps: []pipeline.Addition{
			{After: pipeline.StepExpand, Step: pipeline.Step{Name: "crash", Apply: func(it *pipeline.Item) error { return arrive(it, rules) }}},
		},
		Count:    count,
		Sessions: pipeline.Sessions{Began: begin, ReadBegin: readBegin},
		Decide:   decide,
		Metrics: []pipeline.Metric{
			{Number: fatalReports, Name: "fatal crashes"},
			{Number: nonfatalReports, Name: "non-fatal crashes"},
			{Number: freeOfFatal, Name: "sessions without fatal crash"},
			{Number: freeOfNonfatal, Name: "sessions without non-fatal crash"},
			{Number: begunByRelease, Name: "sessions by release"},
		},
		Merge: merge, Places: places,
		Erase: func(s *pipeline.Erasing, own []pipeline.OwnValues) {
			for _, v := range own {
				if v.Event == crashKey && v.Segment == "group" {
					s.Delete(v.Values)
				}
			}
		},
	}
}

// arrive lets the user leave resolved groups when a session begins with a later version, and puts a report into its group.
func arrive(it *pipeline.Item, rules *compiled) error {
	at := -1
	var r report
	if it.Request.Crash != nil {
		at = slices.IndexFunc(it.Rows, func(r events.Row) bool { return r.Key == crashKey })
		var ok bool
		if r, ok = parse(it.Request.Crash); !ok {
			at = -1
		}
	}
	if it.Began != nil {
		back := ""
		if at >= 0 {
			back = signatureOf(&r, osOf(it.Profile, &r))
		}
		leave(it, back)
	}
	if at < 0 {
		return nil
	}
	return add(it, &it.Rows[at], &r, rules)
}

// osOf is the OS of a report: its own, else that of the profile.
func osOf(p *model.Profile, r *report) string {
	if os := clean(r.texts["os"]); os != "" {
		return os
	}
	return p.Dims[model.OS]
}

// leave takes the user out of the groups that were resolved in an earlier version than that of the session that begins.
// No row says so of the signature back, with which the same request brings the user back: the row of its report stands before.
func leave(it *pipeline.Item, back string) {
	u := userOf(it.Profile)
	version := decoded(it.Profile.Dims[model.AppVersion])
	if len(u.groups) == 0 || version == "" {
		return
	}
	groups, changed := it.Subjects(kind), false
	for _, n := range slices.Sorted(maps.Keys(u.groups)) {
		r := u.groups[n]
		v, known := groups.Of(n)
		if !known { // deleted
			delete(u.groups, n)
			changed = true
			continue
		}
		resolved, ok := strings.CutPrefix(stateOf(groups, groupIn(v)), noteResolved)
		if !ok || r.left || !newer(version, resolved) {
			continue
		}
		r.left, r.place = true, it.Offset
		u.groups[n], changed = r, true
		if v.Name != back {
			it.Record(leftKey, it.TS, v.Name, nil)
		}
	}
	if changed {
		u.keep(it.Profile)
	}
}

// decision is what people decide about groups, as the journal has it.
type decision struct {
	// Resolve has the versions in which groups are resolved, by their ids; Unresolve the ids of groups that are not any more.
	Resolve   map[string]string `json:"resolve,omitempty"`
	Unresolve []string          `json:"unresolve,omitempty"`
	// Rules are those that hold for signatures which come for the first time from here on; "" = the grouping of the protocol, nil = as before.
	Rules *string `json:"rules,omitempty"`
	// Move has the groups that signatures and fingerprints belong to from here on; nowhere for a fingerprint that nothing has any more.
	Move map[string]string `json:"move,omitempty"`
}

// decide takes a decision down. One that cannot be read is none.
func decide(s pipeline.Subjects, text []byte) {
	var d decision
	if json.Unmarshal(text, &d) != nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(d.Resolve)) {
		setState(s, id, noteResolved+d.Resolve[id])
	}
	for _, id := range d.Unresolve {
		setState(s, id, "")
	}
	if d.Rules != nil {
		rules := s.Other(rulings)
		rules.See(rulesName, "", "")
		rules.Note(rulesName, *d.Rules)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Move)) {
		move(s, name, d.Move[name])
	}
}

// add makes the row of a report complete.
func add(it *pipeline.Item, row *events.Row, r *report, rules *compiled) error {
	p := it.Profile
	os, version := osOf(p, r), clean(r.texts["app_version"])
	if version == "" {
		version = decoded(p.Dims[model.AppVersion])
	}
	w := properties{}
	groups, id := it.Subjects(kind), signatureOf(r, os)
	u := userOf(p)
	at, known := settle(groups, id, func() string {
		if rule, ok := it.Subjects(rulings).Find(rulesName, ""); ok {
			return rules.of(rule.Note).fingerprint(id, r.text(), os, r.nonfatal)
		}
		return id
	})
	if known {
		if !at.isNew {
			w.session(groups, u.groups, at.group, p.Sessions)
		}
		if resolved, ok := strings.CutPrefix(stateOf(groups, at.group), noteResolved); ok && newer(version, resolved) {
			setState(groups, at.group, noteRenewed+resolved)
		}
		u.reported(at.number, relation{sessions: p.Sessions, place: it.Offset})
	}
	u.ever = u.ever || r.nonfatal
	if u.session != nil {
		u.session.fatal, u.session.nonfatal = u.session.fatal || !r.nonfatal, u.session.nonfatal || r.nonfatal
	}
	u.keep(p)

	if known {
		row.Name = id
		w.text("group", id)
	}
	w.text("nonfatal", yesOrNo(r.nonfatal, "true", "false"))
	w.text("os", os)
	w.text("app_version", version)
	if at.isNew {
		w.number("first", 1)
	}
	if err := w.counted(it, os, version); err != nil {
		return err
	}
	w.report(r, it.Request.Crash)
	row.Extra = ""
	it.Extend(row, w)
	return nil
}

// clean is a text without the separator of releases.
func clean(text string) string { return strings.ReplaceAll(text, unit, " ") }

func yesOrNo(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// properties are those of a row.
type properties []request.Segment

func (w *properties) text(name, v string) {
	if v != "" {
		*w = append(*w, request.Segment{Name: name, Kind: request.TextValue, Text: v})
	}
}

func (w *properties) number(name string, v float64) {
	*w = append(*w, request.Segment{Name: name, Kind: request.NumberValue, Number: v})
}

// session adds how many sessions the user began since the last report of the group; nothing for one who never had it, or left it.
func (w *properties) session(groups pipeline.Subjects, of map[uint32]relation, group string, begun int64) {
	var last relation
	found := false
	for n, r := range of {
		if r.left || found && r.place <= last.place {
			continue
		}
		if v, ok := groups.Of(n); ok && groupIn(v) == group {
			last, found = r, true
		}
	}
	if found {
		w.number("session", float64(max(0, begun-last.sessions)))
	}
}

// counted adds by what the report is counted: a property has a maximum of values, beyond which they count in totals only.
func (w *properties) counted(it *pipeline.Item, os, version string) error {
	var by []string
	for _, d := range [...]struct{ dim, value string }{{byOS, os}, {byVersion, version}} {
		if d.value == "" {
			continue
		}
		ok, err := it.Counts(crashKey, d.dim, d.value)
		if err != nil {
			return err
		}
		if ok {
			by = append(by, d.dim)
		}
	}
	if len(by) == 2 {
		if _, ok := it.Subjects(releases).See(release(os, encoded(version)), "", ""); ok {
			by = append(by, byRelease)
		}
	}
	w.text("counted_by", strings.Join(by, " "))
	return nil
}

// release is the value under which an OS and a version of the app, with colons, count together.
func release(os, version string) string { return os + unit + version }

// report adds what the report says, and the report itself.
func (w *properties) report(r *report, raw []byte) {
	w.text("name", r.title())
	for _, name := range [...]string{
		"os_version", "manufacture", "device", "resolution", "cpu", "opengl", "orientation", "browser", "view", "type", "app_build", "build_uuid",
	} {
		w.text(name, r.texts[name])
	}
	for _, name := range [...]string{"ram", "disk", "bat"} {
		if v, ok := r.percent(name); ok {
			w.number(name, v)
		}
	}
	if v, ok := r.numbers["run"]; ok && v >= 0 {
		w.number("run", min(v, request.MaxSeconds))
	}
	for _, name := range flagNames {
		if v, ok := r.flags[name]; ok {
			w.text(name, yesOrNo(v, "yes", "no"))
		}
	}
	*w = append(*w, request.Segment{Name: "report", Kind: request.OtherValue, JSON: r.stored(raw)})
	for _, c := range r.custom {
		w.text(customPrefix+c.name, c.value)
	}
}

// flagNames are the switches in the order in which they get their places.
var flagNames = []string{"background", "online", "root", "muted", "signal"}

// customPrefix begins the names of properties that are custom segments.
const customPrefix = "custom_"

// count counts a row. Rows from the time before there were groups have no properties, and count nowhere.
func count(c *pipeline.Counter, row *events.Row, recorded pipeline.Texts) {
	fatality := recorded.Text("nonfatal")
	if row.Key != crashKey || fatality == "" {
		return
	}
	metric := fatalReports
	if fatality == "true" {
		metric = nonfatalReports
	}
	os, version := recorded.Text("os"), encoded(recorded.Text("app_version"))
	counted := strings.Fields(recorded.Text("counted_by"))
	first := recorded.Text("first") != ""
	each(os, version, counted, func(dim, value string) {
		cell := c.Day(row.TS, rollup.Series{Metric: metric, Dim: dim}, value)
		cell.Count++
		if first {
			cell.New++
		}
	})
}

// each calls fn for the dimensions that something is counted by, with its values.
func each(os, version string, counted []string, fn func(dim, value string)) {
	fn("", "")
	for _, dim := range counted {
		switch dim {
		case byOS:
			fn(dim, os)
		case byVersion:
			fn(dim, version)
		case byRelease:
			fn(dim, release(os, version))
		}
	}
}

// begun is what the begin of a session counts: the session, by its release, and the one before, which is judged.
type begun struct {
	OS      string  `json:"o,omitempty"`
	Version string  `json:"v,omitempty"` // with colons
	Pair    bool    `json:"p,omitempty"` // the two count together
	Judged  *judged `json:"j,omitempty"` // nil: there is none before
}

// judged is a session whose user began the next.
type judged struct {
	OS      string `json:"o,omitempty"`
	Version string `json:"v,omitempty"`
	Pair    bool   `json:"p,omitempty"`
	Fatal   bool   `json:"f,omitempty"` // it held a fatal crash
	Other   bool   `json:"n,omitempty"` // it held a non-fatal crash
	Ever    bool   `json:"e,omitempty"` // its user had a non-fatal crash, then or before
}

// begin judges the session that began last, and takes down what the new one counts under.
func begin(it *pipeline.Item, dims *model.Dims) (pipeline.SessionBegin, error) {
	p := it.Profile
	u, b := userOf(p), &begun{}
	if h := u.session; h != nil {
		b.Judged = &judged{OS: h.os, Version: h.version, Pair: h.pair, Fatal: h.fatal, Other: h.nonfatal, Ever: u.ever}
	}
	now := held{os: clean(dims[model.OS]), version: clean(dims[model.AppVersion])}
	if now.os != "" && now.version != "" {
		_, now.pair = it.Subjects(releases).See(release(now.os, now.version), "", "")
	}
	if now.pair {
		b.OS, b.Version, b.Pair = now.os, now.version, true
	}
	u.session = &now
	u.keep(p)
	if *b == (begun{}) {
		return nil, nil // nothing counts
	}
	return b, nil
}

// Kept implements pipeline.SessionBegin.
func (b *begun) Kept() string {
	text := appendVersion(make([]byte, 0, 128), b.OS, b.Version, b.Pair)
	if j := b.Judged; j != nil {
		text = appendName(text, 0, "j")
		from := len(text)
		text = appendVersion(text, j.OS, j.Version, j.Pair)
		for _, f := range [...]struct {
			name string
			set  bool
		}{{"f", j.Fatal}, {"n", j.Other}, {"e", j.Ever}} {
			if f.set {
				text = append(appendName(text, from, f.name), "true"...)
			}
		}
		text = append(text, '}')
	}
	return string(append(text, '}'))
}

// appendVersion begins a JSON object of what begun and judged have in common.
func appendVersion(text []byte, os, version string, pair bool) []byte {
	from := len(text)
	text = append(text, '{')
	if os != "" {
		text = rawjson.AppendQuote(appendName(text, from, "o"), []byte(os))
	}
	if version != "" {
		text = rawjson.AppendQuote(appendName(text, from, "v"), []byte(version))
	}
	if pair {
		text = append(appendName(text, from, "p"), "true"...)
	}
	return text
}

// appendName appends the name of a member of the object that begins at from.
func appendName(text []byte, from int, name string) []byte {
	if len(text) > from+1 {
		text = append(text, ',')
	}
	return append(append(append(text, '"'), name...), `":`...)
}

func readBegin(kept []byte) pipeline.SessionBegin {
	b := &begun{}
	if json.Unmarshal(kept, b) != nil {
		return nil
	}
	return b
}

// Count implements pipeline.SessionBegin.
func (b *begun) Count(c *pipeline.Counter, row *events.Row) {
	if b.Pair {
		cell := c.Day(row.TS, rollup.Series{Metric: begunByRelease, Dim: byRelease}, release(b.OS, b.Version))
		cell.Count++
		cell.AddUser(row.UID)
	}
	if b.Judged == nil {
		return
	}
	if !b.Judged.Fatal {
		b.Judged.count(c, row, freeOfFatal, true)
	}
	if !b.Judged.Other {
		b.Judged.count(c, row, freeOfNonfatal, !b.Judged.Ever)
	}
}

func (j *judged) count(c *pipeline.Counter, row *events.Row, m rollup.Metric, user bool) {
	var by []string
	if j.OS != "" {
		by = append(by, byOS)
	}
	if j.Version != "" {
		by = append(by, byVersion)
	}
	if j.Pair {
		by = append(by, byRelease)
	}
	each(j.OS, j.Version, by, func(dim, value string) {
		cell := c.Day(row.TS, rollup.Series{Metric: m, Dim: dim}, value)
		cell.Count++
		if user {
			cell.AddUser(row.UID)
		}
	})
}
