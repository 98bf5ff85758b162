package crashes

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/store/rollup"
)

// Bounds of an answer about releases.
const (
	maxReleases = 10
	maxChanges  = 20 // groups of a kind and a release
)

// A group is more frequent in a release when it had at least so many reports there and so many times as many by session as in the release
// before, both had enough sessions, and chance alone hardly makes such a difference: it is this many standard errors.
const (
	leastReports  = 10
	leastSessions = 50
	leastRatio    = 2
	leastErrors   = 3
)

// releasesRes is what changed with the latest releases, the latest first.
type releasesRes struct {
	Releases []releaseChange `json:"releases"`
}

// releaseChange is what changed with a version of the app: groups that it was the first to report, that came back with it after they were
// resolved, and that are more frequent than in the release before. Sessions and reports are those of all time.
type releaseChange struct {
	Version  string    `json:"version"`
	Before   string    `json:"before"` // the release that it is compared with; "" = there is none
	Sessions int64     `json:"sessions"`
	Fatal    int64     `json:"fatal"`
	NonFatal int64     `json:"nonfatal"`
	New      []changed `json:"new"`
	Returned []changed `json:"returned"`
	Frequent []changed `json:"frequent"`
	// Counts are how many there are of each, also beyond those that are listed.
	Counts struct {
		New      int `json:"new"`
		Returned int `json:"returned"`
		Frequent int `json:"frequent"`
	} `json:"counts"`
}

// changed is a group with its reports in a release and in the one before. Ratio is that of reports by session; 0 = there were none before.
type changed struct {
	ID       string  `json:"_id"`
	Name     string  `json:"name"`
	NonFatal bool    `json:"nonfatal"`
	Reports  int64   `json:"reports"`
	Before   int64   `json:"before"`
	Ratio    float64 `json:"ratio"`
}

// releases answers with what changed with the latest releases. Hidden groups are left out.
func (s *service) releases(ctx context.Context, c api.Caller, _ api.None) (releasesRes, error) {
	sessions, err := s.sessionsByVersion(ctx, c.App.ID)
	if err != nil {
		return releasesRes{}, err
	}
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return releasesRes{}, err
	}
	defer done()
	return releasesRes{b.releases(sessions)}, nil
}

// sessionsByVersion returns how many sessions began with each version of the app, dots as they were sent.
func (s *service) sessionsByVersion(ctx context.Context, app model.AppID) (map[string]int64, error) {
	out := map[string]int64{}
	err := s.data.Cells.Scan(ctx, app, rollup.Series{Metric: rollup.AppVersions}, rollup.Month, 0, math.MaxUint32, func(_ rollup.Bucket, value string, c *rollup.Cell) error {
		out[decoded(value)] += c.Count
		return nil
	})
	return out, err
}

func (b *book) releases(sessions map[string]int64) []releaseChange {
	known := map[string]bool{}
	for _, v := range b.versions {
		known[v] = true
	}
	for v, n := range sessions {
		known[v] = known[v] || n > 0 && v != model.Unknown
	}
	delete(known, "")
	list := make([]string, 0, len(known))
	for v := range known {
		list = append(list, v)
	}
	slices.SortFunc(list, func(x, y string) int { return cmp.Or(compareVersions(y, x), cmp.Compare(x, y)) })
	list = list[:min(len(list), maxReleases+1)]
	out := make([]releaseChange, min(len(list), maxReleases))
	for i := range out {
		out[i] = releaseChange{Version: list[i], Sessions: sessions[list[i]], New: []changed{}, Returned: []changed{}, Frequent: []changed{}}
		if i+1 < len(list) {
			out[i].Before = list[i+1]
		}
		for _, g := range b.groups {
			out[i].add(b, g, sessions[out[i].Before])
		}
		out[i].cut()
	}
	return out
}

// add adds a group to the lists of a release that it belongs to.
func (r *releaseChange) add(b *book, g *group, sessionsBefore int64) {
	reports, before := b.reportsOf(g, r.Version), b.reportsOf(g, r.Before)
	if g.nonfatal {
		r.NonFatal += reports
	} else {
		r.Fatal += reports
	}
	if reports == 0 || g.isHidden() {
		return
	}
	c := changed{ID: g.id, Name: g.name, NonFatal: g.nonfatal, Reports: reports, Before: before}
	if before > 0 && sessionsBefore > 0 && r.Sessions > 0 {
		c.Ratio = float64(reports) * float64(sessionsBefore) / (float64(before) * float64(r.Sessions))
	}
	switch {
	case g.born == r.Version:
		r.New = append(r.New, c)
	case g.isRenewed() && b.returnedIn(g) == r.Version:
		r.Returned = append(r.Returned, c)
	case moreFrequent(reports, r.Sessions, before, sessionsBefore):
		r.Frequent = append(r.Frequent, c)
	}
}

// cut orders the lists by reports and bounds them.
func (r *releaseChange) cut() {
	r.Counts.New, r.Counts.Returned, r.Counts.Frequent = len(r.New), len(r.Returned), len(r.Frequent)
	for _, list := range []*[]changed{&r.New, &r.Returned, &r.Frequent} {
		slices.SortFunc(*list, func(x, y changed) int { return cmp.Or(cmp.Compare(y.Reports, x.Reports), cmp.Compare(x.ID, y.ID)) })
		*list = (*list)[:min(len(*list), maxChanges)]
	}
}

// reportsOf returns how many reports of a group have a version.
func (b *book) reportsOf(g *group, version string) int64 {
	if v, ok := b.places[version]; ok && version != "" {
		for _, c := range g.by {
			if c.version == v {
				return c.reports
			}
		}
	}
	return 0
}

// returnedIn returns the version with which a group came back: the lowest that is later than the one it was resolved in.
func (b *book) returnedIn(g *group) (version string) {
	for _, c := range g.by {
		v := b.versions[c.version]
		if compareVersions(v, g.resolvedIn()) > 0 && (version == "" || compareVersions(v, version) < 0) {
			version = v
		}
	}
	return version
}

// moreFrequent reports whether reports are more frequent by session than before, beyond what chance makes of it.
func moreFrequent(reports, sessions, before, sessionsBefore int64) bool {
	if reports < leastReports || sessions < leastSessions || sessionsBefore < leastSessions {
		return false
	}
	m, n := float64(sessions), float64(sessionsBefore)
	now, then := float64(reports)/m, float64(before)/n
	return now >= leastRatio*then && now-then >= leastErrors*math.Sqrt(float64(reports+before)/(m+n)*(1/m+1/n))
}
