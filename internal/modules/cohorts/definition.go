package cohorts

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"quipu/internal/auth"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// Cohort is a set of users of an app as it is stored: the definition, in the form of the wire, and what was computed of it last.
type Cohort struct {
	ID            string         `json:"_id"`
	AppID         string         `json:"app_id"`
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	Type          string         `json:"type"` // "auto" or "manual"
	Steps         []step         `json:"steps"`
	Users         filter.Expr    `json:"user_segmentation"`
	Visibility    string         `json:"visibility"` // "global" or "private"
	Shared        []string       `json:"shared_email_edit"`
	Groups        map[string]int `json:"groups,omitempty"`
	DetailMetrics []string       `json:"detail_metrics,omitempty"`
	Creator       model.MemberID `json:"creator"`
	Created       int64          `json:"created_at"` // ms
	Updated       int64          `json:"updated_at"` // ms
	Hash          string         `json:"hash"`       // the same for definitions that select the same users
	State         string         `json:"state"`
	Result        int64          `json:"result"`              // members
	Calculated    int64          `json:"last_calculated"`     // ms; 0 = never
	Live          bool           `json:"live,omitempty"`      // the members are those of now, and follow at once
	Scheduled     string         `json:"scheduled,omitempty"` // why they do not, see parts
	Hidden        bool           `json:"hidden,omitempty"`
	Rev           uint64         `json:"rev,omitempty"` // grows with each change of the members; answers leave it out
}

// step is a condition on what users did. Times and Query may be JSON in a text, as clients send them.
type step struct {
	Event  string          `json:"event"`
	Type   string          `json:"type"` // "did", "didnt" or "first"
	Period string          `json:"period"`
	Times  json.RawMessage `json:"times,omitempty"` // how often: a number, or an object of $gte, $gt, $lte, $lt and $eq
	Query  filter.Expr     `json:"query,omitzero"`
	Conj   string          `json:"conj,omitempty"`   // "and" (the usual one) or "or", with what the steps before make, or "then", behind the step before
	Within int64           `json:"within,omitempty"` // with "then": seconds behind the step before at most
}

// The types, visibilities and states of cohorts.
const (
	auto   = "auto"
	manual = "manual"

	global  = "global"
	private = "private"

	stateCalculating = "calculating"
	stateCompleted   = "completed"
	stateError       = "error"
)

// Bounds of cohorts.
const (
	maxCohorts = 500 // of an app
	maxSteps   = 20
	maxText    = 2000     // bytes of each text
	maxBytes   = 64 << 10 // of a definition
	maxShared  = 100
	maxGroups  = 200
	maxMetrics = 20
	maxTimes   = 1_000_000_000
	hiddenName = "[CLY]_" // begins the names of cohorts that lists leave out
	maxUsers   = 100_000  // that one request names
	maxWithin  = 366 * 86_400
)

// Key returns the cohort's id.
func (c Cohort) Key() string { return c.ID }

// Validate returns what is wrong with the cohort, in the order of the wire's checks.
func (c Cohort) Validate() error {
	if strings.TrimSpace(c.Name) == "" {
		return errArgs
	}
	if c.Visibility != global && c.Visibility != private {
		return errVisibility
	}
	for i, s := range c.Steps {
		switch {
		case s.Event == "":
			return errStepEvent
		case s.Type == "":
			return errStepType
		case s.Period == "":
			return errStepPeriod
		}
		if _, _, err := s.times(); err != nil {
			return err
		}
		if !slices.Contains([]string{"did", "didnt", "first"}, s.Type) || !slices.Contains([]string{"", "and", "or", "then"}, s.Conj) {
			return invalid("A step's type is did, didnt or first, and its conj and, or or then")
		}
		if i > 0 && s.Conj == "then" {
			if err := s.follows(c.Steps[i-1]); err != nil {
				return err
			}
		} else if s.Within != 0 {
			return invalid("A step has within with the conj then only")
		}
		if s.Type == "first" && len(s.Times) > 0 {
			return invalid("A step of the type first has no times")
		}
	}
	return c.bounds()
}

// follows returns why a step cannot be behind another.
func (s step) follows(before step) error {
	for _, of := range []step{before, s} {
		if least, most, _ := of.times(); least != 1 || most != 0 || of.Type == "first" {
			return invalid("Steps joined by then are done once at least, and have no times")
		}
	}
	switch {
	case before.Type != "did":
		return invalid("A step that another is behind has the type did")
	case strings.Trim(s.Period, `"`) != strings.Trim(before.Period, `"`):
		return invalid("Steps joined by then have one period, in which the last of them is done")
	case s.Within < 1 || s.Within > maxWithin:
		return invalid("A step with the conj then has within, 1 to 31622400 seconds")
	}
	return nil
}

// chains are the steps of a cohort, each with those that it is behind.
func (c Cohort) chains() (list [][]step) {
	for i, s := range c.Steps {
		if n := len(list) - 1; i > 0 && s.Conj == "then" {
			list[n] = append(list[n], s)
		} else {
			list = append(list, []step{s})
		}
	}
	return list
}

func (c Cohort) bounds() error {
	text, err := json.Marshal(c)
	if err != nil || len(text) > maxBytes || len(c.Name) > maxText || len(c.Description) > maxText ||
		len(c.Steps) > maxSteps || len(c.Shared) > maxShared || len(c.Groups) > maxGroups || len(c.DetailMetrics) > maxMetrics {
		return errTooLarge
	}
	switch {
	case c.Type != auto && c.Type != manual:
		return invalid("A cohort's type is auto or manual")
	case c.Type == manual && (len(c.Steps) > 0 || !c.Users.IsZero()):
		return invalid("A manual cohort has no conditions")
	case c.Type == auto && len(c.Steps) == 0 && c.Users.IsZero():
		return errArgs
	}
	return nil
}

func spec() docs.Spec[Cohort] {
	return docs.Spec[Cohort]{Name: feature, Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[Cohort]{
		{Name: "name", Path: ".name", Fold: true, Order: true},
		{Name: "type", Path: ".type"},
		{Name: "creator", Path: ".creator"},
		{Name: "hash", Path: ".hash"},
		{Name: "result", Path: ".result", Order: true},
		{Name: "created", Path: ".created_at", Order: true},
	}}
}

// members are the numbers of a cohort's users.
type members struct {
	ID   string `json:"_id"`  // the cohort's
	Bits string `json:"bits"` // a bitmap in its portable form, in base64
	// From is the place in the journal from which on the server that stored them followed the cohort, where several share the work: one that became
	// live before has been succeeded. 0 = none did.
	From uint64 `json:"from,omitempty"`
}

// Key returns the cohort's id.
func (m members) Key() string { return m.ID }

// Validate returns whether the bitmap is one.
func (m members) Validate() error {
	_, err := base64.StdEncoding.DecodeString(m.Bits)
	return err
}

func membersSpec() docs.Spec[members] { return docs.Spec[members]{Name: "cohorts.members", Version: 1} }

// history is how a cohort changed in a month, by day of the month, in the zone of the app.
type history struct {
	ID     string      `json:"_id"` // the cohort's id, "_" and the month, as 2031:5
	Cohort string      `json:"cohort"`
	Month  string      `json:"month"`
	Days   map[int]day `json:"days"`
}

// day is how many users a cohort had at its last calculation of a day, and how many came and went on it.
type day struct {
	Size    int64 `json:"c"`
	Entered int64 `json:"in"`
	Left    int64 `json:"out"`
}

// Key returns the document's id.
func (h history) Key() string { return h.ID }

// Validate accepts: only the service writes it, from what it computed.
func (history) Validate() error { return nil }

func historySpec() docs.Spec[history] {
	return docs.Spec[history]{Name: "cohorts.history", Version: 1, Indexes: []docs.Index[history]{{Name: "cohort", Path: ".cohort"}}}
}

// visible reports whether a member sees, and with the right to, changes the cohort.
func (c Cohort) visible(who *model.Member) bool {
	return who.GlobalAdmin || c.Visibility == global || c.Creator == who.ID ||
		slices.Contains(c.Shared, strings.ToLower(who.Email))
}

// visibleTo is the condition that a member sees a cohort; none for global administrators.
func visibleTo(who *model.Member) []docs.Cond {
	if who.GlobalAdmin {
		return nil
	}
	conds := []docs.Cond{docs.Eq(".visibility", global), docs.Eq("creator", who.ID.String())}
	if who.Email != "" {
		conds = append(conds, docs.Has(".shared_email_edit", strings.ToLower(who.Email)))
	}
	return []docs.Cond{docs.Any(conds...)}
}

// feature is what a right on a cohort is a right on.
func (c Cohort) feature() string {
	if c.Type == manual {
		return groupsFeature
	}
	return feature
}

// may refuses members without a right on cohorts of this one's type.
func (c Cohort) may(who *model.Member, app model.AppID, action model.Action) error {
	if !auth.Can(who, app, c.feature(), action) {
		return errPermission
	}
	return nil
}

// settle gives a definition the form in which it is kept, and its hash.
func (c *Cohort) settle() {
	if c.Steps == nil {
		c.Steps = []step{}
	}
	for i := range c.Steps {
		if c.Steps[i].Type == "didnot" { // as in the steps of drill
			c.Steps[i].Type = "didnt"
		}
		if string(c.Steps[i].Times) == "null" {
			c.Steps[i].Times = nil
		}
	}
	emails := []string{}
	for _, e := range c.Shared {
		if e = strings.ToLower(strings.TrimSpace(e)); e != "" && !slices.Contains(emails, e) {
			emails = append(emails, e)
		}
	}
	c.Shared = emails
	c.Hidden = strings.HasPrefix(c.Name, hiddenName)
	c.Hash = c.hash()
}

// hash is the same for definitions that select the same users: what has no effect does not count.
func (c Cohort) hash() string {
	if c.Type == manual {
		return c.ID
	}
	type normal struct {
		Event, Type, Period, Query, Conj string
		Least, Most                      int64
		Within                           int64 `json:",omitempty"`
	}
	var list []normal
	for i, s := range c.Steps {
		n := normal{Event: s.Event, Type: s.Type, Period: strings.Trim(s.Period, `"`), Query: s.Query.String(), Conj: s.Conj, Within: s.Within}
		if i == 0 || n.Conj == "" {
			n.Conj = "and"
		}
		n.Least, n.Most, _ = s.times() // Validate refuses what has no meaning
		list = append(list, n)
	}
	text, err := json.Marshal([]any{c.AppID, list, c.Users.String()})
	if err != nil {
		return c.ID
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// times returns how often a step asks for; most 0 = any number.
func (s step) times() (least, most int64, err error) {
	raw := s.Times
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if len(raw) == 0 || string(raw) == "{}" || string(raw) == "null" {
		return 1, 0, nil
	}
	bad := invalid("Times is how often at least, or an object of $gte, $gt, $lte, $lt and $eq with whole numbers")
	var n float64
	limits := map[string]float64{}
	if json.Unmarshal(raw, &n) == nil {
		limits["$gte"] = n
	} else if json.Unmarshal(raw, &limits) != nil {
		return 0, 0, bad
	}
	least, most = 1, maxTimes+1
	for op, n := range limits {
		if n != math.Trunc(n) || n < 0 || n > maxTimes {
			return 0, 0, bad
		}
		switch v := int64(n); op {
		case "$gte":
			least = max(least, v)
		case "$gt":
			least = max(least, v+1)
		case "$lte":
			most = min(most, v)
		case "$lt":
			most = min(most, v-1)
		case "$eq":
			least, most = max(least, v), min(most, v)
		default:
			return 0, 0, bad
		}
	}
	if most < least {
		return 0, 0, invalid("A step asks for once at least; for users who never did it, use the type didnt")
	}
	if most > maxTimes {
		most = 0
	}
	return least, most, nil
}

// paths are the properties that a definition looks at.
func (c Cohort) paths() []string {
	out := c.Users.Paths()
	for _, s := range c.Steps {
		out = append(out, s.Query.Paths()...)
	}
	return out
}

// cohorts are the ids of the cohorts that a definition names.
func (c Cohort) cohorts() (ids []string) {
	filters := []filter.Expr{c.Users}
	for _, s := range c.Steps {
		filters = append(filters, s.Query)
	}
	for _, f := range filters {
		for _, path := range f.Paths() {
			if id, ok := strings.CutPrefix(path, "chr."); ok {
				ids = append(ids, strings.TrimSuffix(id, ".in"))
			} else if path == "chr" {
				texts, _ := f.Asked(path)
				ids = append(ids, texts...)
			}
		}
	}
	return ids
}

// compile makes what a definition asks for at a moment.
func (s *service) compile(ctx context.Context, app *model.App, now time.Time, c Cohort) (query.Membership, error) {
	cal, _ := s.zones.Get(app.Timezone)
	frame := period.NewFrame(now, cal, &s.zones, period.Overrides{})
	out := query.Membership{Filter: c.Users}
	for _, chain := range c.chains() {
		st := chain[len(chain)-1]
		p, err := frame.Parse(strings.Trim(st.Period, `"`))
		if err != nil {
			return out, errPeriod
		}
		m := query.MemberStep{First: st.Type == "first", Or: chain[0].Conj == "or"}
		for i, of := range chain {
			keys, err := s.groups.Keys(ctx, app.ID, of.Event)
			if err != nil {
				return out, err
			}
			if i < len(chain)-1 {
				m.Before = append(m.Before, query.Before{Events: keys, Filter: of.Query, Within: chain[i+1].Within * 1000})
				continue
			}
			m.Did = query.Did{Not: st.Type == "didnt", Events: keys, Filter: st.Query, From: p.Start, To: p.End}
		}
		if m.Least, m.Most, err = st.times(); err != nil {
			return out, err
		}
		out.Steps = append(out.Steps, m)
	}
	return out, nil
}
