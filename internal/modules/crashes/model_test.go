package crashes_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/modules/crashes"
	"quipu/internal/testkit"
)

var (
	seed    = flag.Uint64("crash-seed", 0, "seed of the random crash traffic; 0 = another each time")
	actions = flag.Int("crash-actions", 300, "how many requests and decisions there are")
)

// The naive model: everything wire.md says of crashes, kept in maps and recomputed for each comparison.

type modelSession struct {
	os, version     string
	fatal, nonfatal bool
}

type modelUser struct {
	uid         int
	os, version string // of the profile
	begun       int
	session     *modelSession
	ever        bool
	active      time.Time // of the last request
	last        map[string]modelRelation
}

// modelRelation is the last report of a variant by a user, or that the user left its group behind it.
type modelRelation struct {
	begun int // sessions, until the report
	place int // in the order of everything that came
	left  bool
}

// modelReport is a report of a variant.
type modelReport struct {
	user    int
	at      time.Time
	version string
	values  map[string]string
	spans   map[string]float64
}

type modelGroup struct {
	key, id         string
	error, os       string
	nonfatal        bool
	reports         int
	start, last     int64
	versions        map[string]int
	values          map[string]map[string]int // histograms by property and value
	spans           map[string][]float64
	users           map[int]bool
	latest          string
	viewed          bool
	isResolved      bool
	resolved        string // version, which may be ""
	renewed         bool
	unresolved      bool
	resolvedVersion any
	hidden          any
	times           []int64 // of reports, ms
	list            []modelReport
}

// counter is a letter of the course under a filter in a period.
type counter struct{ letter, os, version, period string }

type crashModel struct {
	users map[string]*modelUser // by device
	uids  int                   // that were given
	place int
	// variants are what came, each with the state of the group that has its id; to is the variant whose id the group of each has.
	variants map[string]*modelGroup
	to       map[string]string
	pins     map[string]string // what people decided: the variant that one goes with, "" = none
	rules    int               // place in ruleSets
	prints   map[string]string // groups of what rules make of variants
	order    []string          // variants by the first report that is still there
	version  int               // of rules
	counts   map[counter]int
	distinct map[counter]map[int]bool
	zeroOS   map[string]bool // listed with 0 since their groups were deleted
	zeroVer  map[string]bool
}

func newCrashModel() *crashModel {
	return &crashModel{
		users: map[string]*modelUser{}, variants: map[string]*modelGroup{}, to: map[string]string{}, pins: map[string]string{}, prints: map[string]string{},
		counts: map[counter]int{}, distinct: map[counter]map[int]bool{}, zeroOS: map[string]bool{}, zeroVer: map[string]bool{},
	}
}

// count counts under every filter that an OS and a version pass, in the year, the month and the day.
func (m *crashModel) count(letter, os, version string, at time.Time, user int) {
	y, month, d := at.Date()
	filters := [][2]string{{"", ""}}
	if os != "" {
		filters = append(filters, [2]string{os, ""})
	}
	if version != "" {
		filters = append(filters, [2]string{"", version})
	}
	if os != "" && version != "" {
		filters = append(filters, [2]string{os, version})
	}
	for _, f := range filters {
		for _, period := range []string{fmt.Sprint(y), fmt.Sprintf("%d.%d", y, int(month)), fmt.Sprintf("%d.%d.%d", y, int(month), d)} {
			c := counter{letter, f[0], f[1], period}
			if user == 0 {
				m.counts[c]++
				continue
			}
			if m.distinct[c] == nil {
				m.distinct[c] = map[int]bool{}
			}
			m.distinct[c][user] = true
		}
	}
}

func (m *crashModel) user(device string) *modelUser {
	u := m.users[device]
	if u == nil {
		m.uids++
		u = &modelUser{uid: m.uids, last: map[string]modelRelation{}}
		m.users[device] = u
	}
	return u
}

func (m *crashModel) begin(device, os, version string, at time.Time) {
	u := m.user(device)
	u.active = at
	m.place++
	u.os, u.version = cmp.Or(os, u.os), cmp.Or(version, u.version)
	if was := u.session; was != nil {
		if !was.fatal {
			m.count("crfses", was.os, was.version, at, 0)
			m.count("crauf", was.os, was.version, at, u.uid)
		}
		if !was.nonfatal {
			m.count("crnfses", was.os, was.version, at, 0)
			if !u.ever {
				m.count("craunf", was.os, was.version, at, u.uid)
			}
		}
	}
	u.begun++
	u.session = &modelSession{os: u.os, version: u.version}
	m.count("cr_s", u.os, u.version, at, 0)
	m.count("cr_u", u.os, u.version, at, u.uid)
	for key, v := range m.variants {
		if g := m.variants[m.to[key]]; v.users[u.uid] && g.isResolved && newer(u.version, g.resolved) {
			u.last[key] = modelRelation{left: true, place: m.place}
			m.tally(v)
		}
	}
}

// newer compares versions that are numbers with dots.
func newer(a, b string) bool {
	if a == "" || b == "" {
		return a != b && b == ""
	}
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		var p, q int
		if i < len(x) {
			p, _ = strconv.Atoi(x[i])
		}
		if i < len(y) {
			q, _ = strconv.Atoi(y[i])
		}
		if p != q {
			return p > q
		}
	}
	return false
}

type sentCrash struct {
	error, os, version string
	nonfatal           bool
	values             map[string]string
	spans              map[string]float64
}

func (m *crashModel) crash(device string, c sentCrash, at time.Time) {
	u := m.user(device)
	os, version := cmp.Or(c.os, u.os), cmp.Or(c.version, u.version)
	letter, isNew := "crf", "cruf"
	if c.nonfatal {
		letter, isNew = "crnf", "crunf"
	}
	key := fmt.Sprint(c.error, "|", os, "|", c.nonfatal)
	g := m.variants[key]
	m.count(letter, os, version, at, 0)
	if g == nil {
		g = &modelGroup{
			key: key, id: crashes.Signature(c.error, os, c.nonfatal), error: c.error, os: os, nonfatal: c.nonfatal, start: at.Unix(), versions: map[string]int{}, values: map[string]map[string]int{}, spans: map[string][]float64{},
			users: map[int]bool{},
		}
		m.variants[key] = g
		m.order = append(m.order, key)
		if m.settle(key) {
			m.count(isNew, os, version, at, 0)
		}
	}
	u.active = at
	m.place++
	head := m.variants[m.to[key]]
	if head.isResolved && newer(version, head.resolved) {
		head.isResolved, head.renewed = false, true
	}
	before, latest, ok := 0, -1, false
	for other, r := range u.last {
		if m.to[other] == head.key && r.place > latest && !r.left {
			before, latest, ok = r.begun, r.place, true
		}
	}
	rep := modelReport{u.uid, at, version, c.values, maps.Clone(c.spans)}
	if ok {
		rep.spans["session"] = float64(u.begun - before)
	}
	g.list = append(g.list, rep)
	u.last[key] = modelRelation{begun: u.begun, place: m.place}
	m.tally(g)
	u.ever = u.ever || c.nonfatal
	if u.session != nil {
		u.session.fatal, u.session.nonfatal = u.session.fatal || !c.nonfatal, u.session.nonfatal || c.nonfatal
	}
}

// tally makes the figures of a variant of its reports and of what users have to do with it.
func (m *crashModel) tally(g *modelGroup) {
	g.reports, g.times, g.latest, g.versions, g.values, g.spans, g.users = 0, nil, "", map[string]int{}, map[string]map[string]int{}, map[string][]float64{}, map[int]bool{}
	for _, r := range g.list {
		if g.reports == 0 {
			g.start = r.at.Unix()
		}
		g.reports++
		g.last = r.at.Unix()
		g.times = append(g.times, r.at.UnixMilli())
		if r.version != "" {
			g.versions[r.version]++
			if g.latest == "" || newer(r.version, g.latest) {
				g.latest = r.version
			}
			g.value("app_version", r.version)
		}
		for name, v := range r.values {
			g.value(name, v)
		}
		for name, v := range r.spans {
			g.spans[name] = append(g.spans[name], v)
		}
	}
	for _, u := range m.users {
		if r, ok := u.last[g.key]; ok && !r.left {
			g.users[u.uid] = true
		}
	}
}

// unite unites the user of a device with that of another, who keeps the number.
func (m *crashModel) unite(device, from string, at time.Time) {
	old := m.users[from]
	if old == nil || from == device {
		m.user(device).active = at
		return
	}
	_, known := m.users[device]
	u := m.user(device)
	first, second := u, old // the one that was active last
	if !known || old.active.After(u.active) {
		first, second = old, u
	}
	u.os, u.version = cmp.Or(first.os, second.os), cmp.Or(first.version, second.version)
	u.session = cmp.Or(first.session, second.session)
	u.ever = u.ever || old.ever
	last := map[string]modelRelation{}
	for _, side := range []struct {
		of   map[string]modelRelation
		more int
	}{{u.last, old.begun}, {old.last, u.begun}} {
		for key, r := range side.of {
			if r.begun += side.more; last[key].place <= r.place {
				last[key] = r
			}
		}
	}
	u.last, u.begun, u.active = last, u.begun+old.begun, at
	delete(m.users, from)
	for _, users := range m.distinct {
		if users[old.uid] {
			delete(users, old.uid)
			users[u.uid] = true
		}
	}
	for _, v := range m.variants {
		for i := range v.list {
			if v.list[i].user == old.uid {
				v.list[i].user = u.uid
			}
		}
		m.tally(v)
	}
}

// alone reports whether a user is the only one with reports of some variant.
func (m *crashModel) alone(uid int) bool {
	for _, v := range m.variants {
		if !slices.ContainsFunc(v.list, func(r modelReport) bool { return r.user != uid }) {
			return true
		}
	}
	return false
}

// erase forgets a user and the reports. The course stays.
func (m *crashModel) erase(device string) {
	uid := m.users[device].uid
	delete(m.users, device)
	for _, v := range m.variants {
		v.list = slices.DeleteFunc(v.list, func(r modelReport) bool { return r.user == uid })
		m.tally(v)
	}
	slices.SortStableFunc(m.order, func(a, b string) int { return m.variants[a].list[0].at.Compare(m.variants[b].list[0].at) })
}

func (g *modelGroup) value(name, v string) {
	if g.values[name] == nil {
		g.values[name] = map[string]int{}
	}
	g.values[name][strings.ReplaceAll(v, ".", ":")]++
}

func (m *crashModel) resolve(g *modelGroup, latest string) {
	g.viewed, g.isResolved, g.resolved, g.resolvedVersion, g.renewed, g.unresolved = true, true, latest, latest, false, false
}

func (m *crashModel) unresolve(g *modelGroup) {
	g.isResolved, g.resolvedVersion, g.renewed, g.unresolved = false, nil, false, true
}

func (m *crashModel) remove(g *modelGroup) {
	if g.os != "" {
		m.zeroOS[g.os] = true
	}
	for v := range g.versions {
		m.zeroVer[strings.ReplaceAll(v, ".", ":")] = true
	}
	for key, to := range m.to {
		if to != g.key {
			continue
		}
		delete(m.variants, key)
		delete(m.to, key)
		delete(m.pins, key)
		m.order = slices.DeleteFunc(m.order, func(o string) bool { return o == key })
		for _, u := range m.users {
			delete(u.last, key)
		}
	}
	maps.DeleteFunc(m.prints, func(_, to string) bool { return to == g.key })
}

// data is the course under a filter.
func (m *crashModel) data(os, version string) object {
	out := object{}
	put := func(c counter, n int) {
		if c.os != os || c.version != version {
			return
		}
		at := out
		for part := range strings.SplitSeq(c.period, ".") {
			if at[part] == nil {
				at[part] = object{}
			}
			at = at[part].(object)
		}
		at[c.letter] = float64(n)
	}
	for c, n := range m.counts {
		put(c, n)
	}
	for c, users := range m.distinct {
		put(c, len(users))
	}
	if len(out) > 0 {
		out["meta"] = object{}
	}
	return out
}

// graph is the overview.
func (m *crashModel) graph() object {
	of := func(n int) float64 { return float64(n) }
	affected, fatal := map[int]bool{}, map[int]bool{}
	var total, resolved, reportsFatal, news, renewed int
	oses, versions, highest := object{}, object{}, ""
	for os := range m.zeroOS {
		oses[os] = 0.0
	}
	for v := range m.zeroVer {
		versions[v] = 0.0
	}
	add := func(in object, key string, n int) {
		was, _ := in[key].(float64)
		in[key] = was + of(n)
	}
	for _, g := range m.groups() {
		total += g.reports
		maps.Copy(affected, g.users)
		if !g.nonfatal {
			reportsFatal += g.reports
			maps.Copy(fatal, g.users)
		}
		if g.isResolved {
			resolved++
		}
		if !g.viewed {
			news++
		}
		if g.renewed {
			renewed++
		}
		if g.os != "" {
			add(oses, g.os, g.reports)
		}
		for v, n := range g.versions {
			add(versions, strings.ReplaceAll(v, ".", ":"), n)
		}
		if g.latest != "" && (highest == "" || newer(g.latest, highest)) {
			highest = g.latest
		}
	}
	return object{
		"users": object{"total": of(len(m.users)), "affected": of(len(affected)), "fatal": of(len(fatal)), "nonfatal": of(len(affected) - len(fatal))},
		"crashes": object{
			"total": of(total), "unique": of(len(m.groups())), "resolved": of(resolved), "unresolved": of(len(m.groups()) - resolved), "fatal": of(reportsFatal),
			"nonfatal": of(total - reportsFatal), "news": of(news), "renewed": of(renewed), "os": oses, "highest_app": highest, "app_version": versions,
		},
		"loss": 0.0, "data": m.data("", ""),
	}
}

// row is a group as the table has it.
func (g *modelGroup) row() object {
	out := object{
		"error": g.error, "name": strings.Split(g.error, "\n")[0], "os": g.os, "nonfatal": g.nonfatal, "is_new": !g.viewed, "is_resolved": g.isResolved, "reports": float64(g.reports),
		"users": float64(len(g.users)), "lastTs": float64(g.last), "startTs": float64(g.start), "latest_version": g.latest,
	}
	if g.hidden != nil {
		out["is_hidden"] = g.hidden
	}
	return out
}

// distributions are what the detail has beside the row.
func (g *modelGroup) distributions() object {
	out, custom := object{}, object{}
	for name, values := range g.values {
		h := object{}
		for v, n := range values {
			h[v] = float64(n)
		}
		if own, ok := strings.CutPrefix(name, "custom."); ok {
			custom[own] = h
			continue
		}
		out[name] = h
	}
	if len(custom) > 0 {
		out["custom"] = custom
	}
	for name, list := range g.spans {
		sum := 0.0
		for _, v := range list {
			sum += v
		}
		out[name] = object{"total": sum, "count": float64(len(list)), "min": slices.Min(list), "max": slices.Max(list)}
	}
	return out
}

// modelKit plays random traffic to a server and a model.
type modelKit struct {
	*kit
	r     *rand.Rand
	m     *crashModel
	later []func() // of the model, for requests that wait to be sent together
	bulk  []object
}

func pickOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// request sends a request, alone or with others. then is what it does to the model.
func (k *modelKit) request(device string, pairs object, then func(at time.Time)) {
	k.at = k.at.Add(pickOf(k.r, time.Second, time.Minute, 3*time.Hour, 40*time.Hour))
	at := k.at
	k.s.Clock().Set(at)
	pairs["device_id"], pairs["timestamp"], pairs["app_key"] = device, at.UnixMilli(), k.a.Key
	k.bulk = append(k.bulk, pairs)
	k.later = append(k.later, func() { then(at) })
	if k.r.IntN(3) > 0 {
		k.flush()
	}
}

// flush sends what waits.
func (k *modelKit) flush() {
	k.Helper()
	if len(k.bulk) == 0 {
		return
	}
	text, err := json.Marshal(k.bulk)
	if err != nil {
		k.Fatal(err)
	}
	if r := k.s.Post("/i/bulk", "requests", string(text)); r.Status != 200 {
		k.Fatalf("bulk: %d %s", r.Status, r.Body)
	}
	for _, then := range k.later {
		then()
	}
	k.bulk, k.later = nil, nil
	k.s.Flush()
}

func (k *modelKit) step() {
	r := k.r
	device := fmt.Sprint("d", r.IntN(9))
	oses, versions := []string{"Android", "Android", "iOS", ""}, []string{"1.9", "1.10", "2.0", "2.0.1", ""}
	begin := func(pairs object) func(time.Time) {
		os, version := pickOf(r, oses...), pickOf(r, versions...)
		metrics := object{}
		if os != "" {
			metrics["_os"] = os
		}
		if version != "" {
			metrics["_app_version"] = version
		}
		pairs["begin_session"], pairs["metrics"], pairs["ignore_cooldown"] = 1, metrics, "true"
		return func(at time.Time) { k.m.begin(device, os, version, at) }
	}
	crash := func(pairs object) func(time.Time) {
		c, sent := k.sentCrash(oses, versions)
		pairs["crash"] = sent
		return func(at time.Time) { k.m.crash(device, c, at) }
	}
	switch n := r.IntN(100); {
	case n < 35:
		pairs := object{}
		k.request(device, pairs, begin(pairs))
	case n < 75:
		pairs := object{}
		k.request(device, pairs, crash(pairs))
	case n < 82: // both in one request
		pairs := object{}
		first, then := begin(pairs), crash(pairs)
		k.request(device, pairs, func(at time.Time) { first(at); then(at) })
	case n < 86:
		from := fmt.Sprint("d", r.IntN(9))
		k.flush()
		if k.m.users[from] != nil && from != device {
			k.request(device, object{"old_device_id": from}, func(at time.Time) { k.m.unite(device, from, at) })
		}
	case n < 88:
		k.flush()
		if u := k.m.users[device]; u != nil && !k.m.alone(u.uid) {
			k.s.Admin("/i/app_users/delete", "app_id", k.a.ID, "query", fmt.Sprintf(`{"did":%q}`, device))
			k.s.Flush()
			k.m.erase(device)
		}
	default:
		k.decide()
	}
}

// sentCrash makes a crash up, and its form on the wire.
func (k *modelKit) sentCrash(oses, versions []string) (sentCrash, object) {
	r := k.r
	c := sentCrash{
		error: fmt.Sprintf("Error %d\n\tat a.b(C.java:%d)", r.IntN(4), 1), os: pickOf(r, oses...), version: pickOf(r, versions...), nonfatal: r.IntN(2) == 0,
		values: map[string]string{}, spans: map[string]float64{},
	}
	sent := object{"_error": c.error}
	for name, v := range map[string]string{"_os": c.os, "_app_version": c.version} {
		if v != "" {
			sent[name] = v
		}
	}
	if c.nonfatal || r.IntN(2) == 0 {
		sent["_nonfatal"] = pickOf[any](r, c.nonfatal, fmt.Sprint(c.nonfatal))
	}
	for _, name := range []string{"device", "os_version", "resolution"} {
		if r.IntN(2) == 0 {
			c.values[name] = pickOf(r, "a.1", "b", "c")
			sent["_"+name] = c.values[name]
		}
	}
	for _, name := range []string{"root", "online", "background"} {
		if r.IntN(3) == 0 {
			is := r.IntN(2) == 0
			c.values[name] = map[bool]string{true: "yes", false: "no"}[is]
			sent["_"+name] = pickOf[any](r, is, fmt.Sprint(is))
		}
	}
	if r.IntN(2) == 0 {
		v := pickOf(r, "x", "7.2")
		c.values["custom.plan"] = v
		sent["_custom"] = object{"plan": v}
	}
	if r.IntN(2) == 0 {
		used := 16 * r.IntN(8)
		c.spans["ram"] = float64(used) / 128 * 100
		sent["_ram_current"], sent["_ram_total"] = fmt.Sprint(used), 128
	}
	if r.IntN(2) == 0 {
		c.spans["run"] = float64(r.IntN(100))
		sent["_run"] = c.spans["run"]
	}
	return c, sent
}

// decide does something with a group as a member does.
func (k *modelKit) decide() {
	k.Helper()
	k.flush()
	groups := k.m.groups()
	keys := slices.Sorted(maps.Keys(groups))
	if len(keys) == 0 {
		return
	}
	if k.r.IntN(3) == 0 {
		k.regroup(keys)
		return
	}
	whole := groups[pickOf(k.r, keys...)]
	g := k.m.variants[whole.key]
	args := fmt.Sprintf(`{"crash_id":%q}`, g.id)
	switch n := k.r.IntN(20); {
	case n < 9:
		k.same("resolve", k.act("resolve", args), fmt.Sprintf(`{%q:%q}`, g.id, whole.latest))
		k.m.resolve(g, whole.latest)
	case n < 13:
		k.act("unresolve", args)
		k.m.unresolve(g)
	case n < 15:
		k.act("view", args)
		g.viewed = true
	case n < 18:
		name := pickOf(k.r, "hide", "show")
		k.act(name, args)
		g.hidden = name == "hide"
	default:
		k.act("delete", args)
		k.m.remove(whole)
	}
}

// ids returns the table by the ids of groups.
func (k *modelKit) ids() map[string]object {
	k.Helper()
	rows := map[string]object{}
	for _, row := range k.rows("iDisplayLength", "1000", "query", `{"is_hidden":{"$ne":"x"}}`) {
		rows[fmt.Sprint(row["_id"])] = row
	}
	return rows
}

// compare compares every counter, every row and every detail.
func (k *modelKit) compare() {
	k.Helper()
	k.flush()
	k.same("graph", k.graph(), k.m.graph())
	for _, os := range []string{"", "Android", "iOS"} {
		for _, version := range []string{"", "1.9", "1.10", "2.0", "2.0.1", "9"} {
			k.same("data of "+os+" "+version, k.graph("os", os, "app_version", strings.ReplaceAll(version, ".", ":"))["data"], k.m.data(os, version))
		}
	}
	rows, groups := k.ids(), k.m.groups()
	if len(rows) != len(groups) {
		k.Errorf("%d groups, want %d", len(rows), len(groups))
	}
	for key, g := range groups {
		want := g.row()
		want["_id"] = g.id
		if g.renewed || g.resolvedVersion != nil {
			want["is_renewed"] = g.renewed
		}
		k.same("row of "+key, rows[g.id], want)
		k.compareDetail(g, want)
		k.m.variants[key].viewed = true // it was read
	}
}

func (k *modelKit) compareDetail(g *modelGroup, row object) {
	k.Helper()
	want := maps.Clone(row)
	maps.Copy(want, g.distributions())
	want["total"], want["is_public"] = float64(len(k.m.users)), false
	switch {
	case g.resolvedVersion != nil:
		want["resolved_version"] = g.resolvedVersion
	case g.unresolved:
		want["resolved_version"] = nil
	}
	if g.unresolved {
		want["is_renewed"] = g.renewed
	}
	got := k.detail(g.id)
	reports, _ := got["data"].([]any)
	if len(reports) != min(100, g.reports) {
		k.Errorf("%s: %d reports are shown of %d", g.key, len(reports), g.reports)
	}
	for i, rep := range reports {
		if ts := rep.(object)["ts"]; ts != float64(g.times[len(g.times)-1-i]/1000) {
			k.Errorf("%s: report %d is of %v", g.key, i, ts)
		}
	}
	delete(got, "data")
	delete(got, "url")
	k.same("detail of "+g.key, got, want)
	var users []string
	testkit.Decode(k, k.o("group", g.id, "userlist", "true"), &users)
	in := []string{}
	for uid := range g.users {
		in = append(in, fmt.Sprint(uid))
	}
	slices.Sort(users)
	slices.Sort(in)
	k.same("users of "+g.key, users, in)
}

// TestWalkRandomTraffic sends random sessions and crashes over months, alone and together, decides about groups, and compares every counter with the
// model again and again, also after the server was started again and after its figures were made of rows once more. Users are merged and erased
// meanwhile.
func TestWalkRandomTraffic(t *testing.T) {
	t.Parallel()
	n := *seed
	if n == 0 {
		n = rand.Uint64()
	}
	t.Logf("-crash-seed=%d", n)
	k := &modelKit{kit: newKit(t), r: rand.New(rand.NewPCG(n, 0)), m: newCrashModel()} // reproducible
	for i := range *actions {
		k.step()
		if i%100 == 99 {
			k.compare()
		}
		if t.Failed() {
			t.Fatalf("after %d actions", i+1)
		}
	}
	k.verify()
	k.s.Stop()
	k.s.Start()
	k.compare()
}
