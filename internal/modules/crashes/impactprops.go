package crashes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/query/funnel"
	"quipu/internal/query/stats"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Bounds of properties.
const (
	customPaths     = 12   // of users, and of reports
	lookedAtUsers   = 2000 // whose custom properties are known
	mostTested      = 200  // values of a property that are compared, those with the most people
	mostConsents    = 50
	usualProperties = 50
	mostProperties  = 500
)

// The kinds of properties.
const (
	ofUsers    = "user"    // of users hit, and of users who had a session and were not
	ofReports  = "report"  // of users hit, and of users who reported other groups only
	ofConsents = "consent" // of users as they are now
)

// reportPaths are properties of reports that are compared, beside custom segments.
var reportPaths = []string{"background", "online", "root", "muted", "signal", "orientation", "cpu", "view"}

type propertiesReq struct {
	impactReq
	Most int `param:"limit"`
}

// propertiesRes is which values those hit have more or less often than others.
type propertiesRes struct {
	Users   population `json:"users"`
	Reports population `json:"reports"`
	Tested  int        `json:"tested"` // how many values were compared
	Found   []overRep  `json:"properties"`
}

// population is how many people are compared. Few says that they are too few to say anything.
type population struct {
	Hit   int64 `json:"hit"`
	Other int64 `json:"other"`
	Few   bool  `json:"few"`
}

func populationOf(hit, other int64) population {
	return population{hit, other, hit < leastPeople || other < leastPeople}
}

// overRep is a value of a property. Percentages are shares of those hit, and of the others, that have it.
type overRep struct {
	Kind         string  `json:"kind"`
	Path         string  `json:"path"`
	Value        any     `json:"value"` // nil = it is absent
	Hit          int64   `json:"hit"`
	Other        int64   `json:"other"`
	HitPercent   float64 `json:"hitPercent"`
	OtherPercent float64 `json:"otherPercent"`
	Odds         measure `json:"odds"`
	P            float64 `json:"p"`
	Adjusted     float64 `json:"adjusted"` // p, corrected for the number of values compared
	Exact        bool    `json:"exact"`    // p is that of Fisher's exact test
}

// overRepresented answers with the properties that those hit have more often.
func (s *service) overRepresented(ctx context.Context, c api.Caller, r propertiesReq) (propertiesRes, error) {
	if r.Most < 0 || r.Most > mostProperties {
		return propertiesRes{}, bad(fmt.Sprintf("limit is 1 to %d", mostProperties))
	}
	i, err := s.impactOf(ctx, c, r.impactReq)
	if err != nil {
		return propertiesRes{}, err
	}
	p := &representation{s: s, impact: i, most: cmp.Or(r.Most, usualProperties), personal: auth.Can(c.Member, c.App.ID, "users", model.Read)}
	q := p.inPeriod(sessionsBegun(), "")
	about := fmt.Sprint("crash properties ", i.group, i.signatures, p.most, p.personal)
	bytes := func(r *propertiesRes) int64 { return 300 + 300*int64(len(r.Found)) }
	out, err := query.Recalled(ctx, s.data.Sequences, i.app, q, about, bytes, func() (*propertiesRes, error) { return p.find(ctx) })
	if err != nil {
		return propertiesRes{}, err
	}
	return *out, nil
}

// representation compares the properties of those hit with those of others.
type representation struct {
	*impact
	s        *service
	most     int
	personal bool // properties of users may be told
	before   *roaring.Bitmap
	hit      *roaring.Bitmap
	other    *roaring.Bitmap
	out      propertiesRes
}

// inPeriod selects what those not hit have, and reports of the group, each with the value at a path.
func (p *representation) inPeriod(of []query.FunnelEvent, path string) *query.FunnelQuery {
	return &query.FunnelQuery{Steps: [][]query.FunnelEvent{of, p.reports()}, From: p.period.Start, To: p.period.End, Breakdown: path}
}

func (p *representation) find(ctx context.Context) (*propertiesRes, error) {
	var err error
	if p.before, err = p.s.hitBefore(ctx, p.impact, func(int64) {}); err != nil {
		return nil, err
	}
	p.out.Found = []overRep{}
	if p.out.Users, err = p.people(ctx, sessionsBegun()); err != nil {
		return nil, err
	}
	if p.personal && !p.out.Users.Few {
		if err := p.ofUsers(ctx); err != nil {
			return nil, err
		}
	}
	anyReport := []query.FunnelEvent{{Key: crashKey}}
	if p.out.Reports, err = p.people(ctx, anyReport); err != nil {
		return nil, err
	}
	if !p.out.Reports.Few {
		for _, name := range p.reportProperties() {
			if err := p.compare(ctx, anyReport, ofReports, "sg."+name, p.out.Reports); err != nil {
				return nil, err
			}
		}
	}
	p.rank()
	return &p.out, nil
}

// people finds out who is compared: those hit, and those who did something else and were not hit.
func (p *representation) people(ctx context.Context, of []query.FunnelEvent) (population, error) {
	p.hit, p.other = roaring.New(), roaring.New()
	_, err := p.s.data.Sequences.Each(ctx, p.app, p.inPeriod(of, ""), func(uid uint32, rows []funnel.Row) {
		switch _, hit := p.chosen(uid, rows); {
		case hit:
			p.hit.Add(uid)
		case !p.before.Contains(uid):
			p.other.Add(uid)
		}
	})
	return populationOf(int64(p.hit.GetCardinality()), int64(p.other.GetCardinality())), err // numbers of users are of 32 bits
}

// chosen returns the row whose value counts for a user: the first report of one who is hit, any of the others of one who is not.
func (p *representation) chosen(uid uint32, rows []funnel.Row) (row *funnel.Row, hit bool) {
	for at := range rows {
		if rows[at].Match&reportBit != 0 {
			return &rows[at], true
		}
	}
	return &rows[drawn(uid, 0, len(rows))], false
}

// ofUsers compares properties of users: those that all apps know, custom ones, and what they consented to.
func (p *representation) ofUsers(ctx context.Context) error {
	var paths []string
	for _, d := range model.Dimensions {
		paths = append(paths, "up."+d.Key)
	}
	custom, err := p.s.people.Properties(ctx, p.app, lookedAtUsers, customPaths)
	if err != nil {
		return err
	}
	for _, c := range custom {
		paths = append(paths, "custom."+c.Name)
	}
	for _, path := range paths {
		if err := p.compare(ctx, sessionsBegun(), ofUsers, path, p.out.Users); err != nil {
			return err
		}
	}
	return p.consents(ctx)
}

// reportProperties are the names of properties of reports that are compared.
func (p *representation) reportProperties() []string {
	ev, _ := p.s.data.Schema.Event(p.app, crashKey)
	var out []string
	custom := 0
	for _, seg := range ev.Segments {
		own := strings.HasPrefix(seg.Name, customPrefix)
		if !seg.Listed() || !own && !slices.Contains(reportPaths, seg.Name) || own && custom >= customPaths {
			continue
		}
		if own {
			custom++
		}
		out = append(out, seg.Name)
	}
	return out
}

// tallied is how many of those hit and of the others have a value.
type tallied struct {
	value      any
	hit, other int64
}

// compare compares the values of a property.
func (p *representation) compare(ctx context.Context, of []query.FunnelEvent, kind, path string, all population) error {
	counts := map[uint32]*tallied{}
	names, err := p.s.data.Sequences.Each(ctx, p.app, p.inPeriod(of, path), func(uid uint32, rows []funnel.Row) {
		row, hit := p.chosen(uid, rows)
		if !hit && p.before.Contains(uid) {
			return
		}
		t := counts[row.Group]
		if t == nil {
			t = &tallied{}
			counts[row.Group] = t
		}
		if hit {
			t.hit++
		} else {
			t.other++
		}
	})
	if err != nil {
		return err
	}
	list := make([]tallied, 0, len(counts))
	for id, t := range counts {
		if id == query.OtherGroup {
			continue
		}
		if id != 0 {
			t.value = names[id]
		}
		list = append(list, *t)
	}
	p.add(kind, path, list, len(counts), all)
	return nil
}

// add compares the values of a property, of which there are so many, with those of the others. What all have tells nothing; of two values, one is the contrary of the
// other, and the one that those hit have more often is shown.
func (p *representation) add(kind, path string, list []tallied, values int, all population) {
	if values < 2 {
		return
	}
	slices.SortFunc(list, func(a, b tallied) int {
		return cmp.Or(cmp.Compare(b.hit+b.other, a.hit+a.other), cmp.Compare(fmt.Sprint(a.value), fmt.Sprint(b.value)))
	})
	if values == 2 && len(list) == 2 {
		if share := func(t tallied) float64 { return float64(t.hit)/float64(all.Hit) - float64(t.other)/float64(all.Other) }; share(list[1]) > share(list[0]) {
			list[0] = list[1]
		}
		list = list[:1]
	}
	for _, t := range list[:min(len(list), mostTested)] {
		have := t.hit + t.other
		if have < leastPeople || all.Hit+all.Other-have < leastPeople {
			continue
		}
		hit, other := stats.Share{Did: t.hit, Of: all.Hit}, stats.Share{Did: t.other, Of: all.Other}
		c := stats.Compare(hit, other)
		high := c.OddsHigh
		p.out.Found = append(p.out.Found, overRep{
			Kind: kind, Path: path, Value: t.value, Hit: t.hit, Other: t.other, HitPercent: 100 * hit.Rate(), OtherPercent: 100 * other.Rate(),
			Odds: measure{c.Odds, c.OddsLow, &high}, P: c.P, Exact: c.Exact,
		})
	}
}

// consents compares what users consent to now.
func (p *representation) consents(ctx context.Context) error {
	if _, err := p.people(ctx, sessionsBegun()); err != nil {
		return err
	}
	counts := map[string]*tallied{}
	q := &plan.Query{App: p.app, From: plan.Users, Where: plan.Do(plan.Not, plan.Do(plan.IsNull, plan.Us("consent"))), Select: []plan.Expr{plan.Us("uid"), plan.Us("consent")}}
	err := p.s.tables.Each(ctx, q, func(r events.Scanner) error {
		var uid uint32
		var text string
		if err := r.Scan(&uid, &text); err != nil {
			return err
		}
		hit, other := p.hit.Contains(uid), p.other.Contains(uid)
		given := map[string]any{}
		if !hit && !other {
			return nil
		}
		_ = json.Unmarshal([]byte(text), &given) // what is no object has no consents
		for name, v := range given {
			if yes, is := v.(bool); !is || !yes {
				continue
			}
			t := counts[name]
			if t == nil {
				if len(counts) == mostConsents {
					continue
				}
				t = &tallied{value: true}
				counts[name] = t
			}
			if hit {
				t.hit++
			} else {
				t.other++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := p.out.Users
	for name, t := range counts {
		none := tallied{hit: all.Hit - t.hit, other: all.Other - t.other}
		p.add(ofConsents, "consent."+name, []tallied{*t, none}, 2, all)
	}
	return nil
}

// rank corrects for the number of values compared, and keeps those whose odds are surely farthest from even.
func (p *representation) rank() {
	list := p.out.Found
	p.out.Tested = len(list)
	chances := make([]float64, len(list))
	for i := range list {
		chances[i] = list[i].P
	}
	for i, adjusted := range stats.FalseDiscoveries(chances) {
		list[i].Adjusted = adjusted
	}
	slices.SortFunc(list, func(a, b overRep) int {
		return cmp.Or(cmp.Compare(b.Odds.strength(), a.Odds.strength()), cmp.Compare(a.P, b.P), cmp.Compare(a.Path, b.Path), cmp.Compare(fmt.Sprint(a.Value), fmt.Sprint(b.Value)))
	})
	p.out.Found = list[:min(len(list), p.most)]
}

// strength is how far from even odds are at least, as a logarithm; below zero where even lies within the interval.
func (m *measure) strength() float64 {
	if m.Value >= 1 {
		return math.Log(max(m.Low, 1e-9))
	}
	return -math.Log(max(*m.High, 1e-9))
}
