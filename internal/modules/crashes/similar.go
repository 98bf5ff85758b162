package crashes

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"quipu/internal/api"
)

// Bounds of the search for similar groups.
const (
	maxCompared = 60  // groups whose first reports are read
	maxSimilar  = 10  // groups that are listed
	leastAlike  = 0.3 // of 1
)

// similarTo is a group that resembles another one.
type similarTo struct {
	ID         string  `json:"_id"`
	Name       string  `json:"name"`
	OS         string  `json:"os"`
	Reports    int64   `json:"reports"`
	Users      int     `json:"users"`
	Last       int64   `json:"lastTs"` // s
	Resolved   bool    `json:"is_resolved"`
	Similarity float64 `json:"similarity"` // 0.3 to 1
}

type similarReq struct {
	Group string `param:"group"`
}

// similar lists groups whose stacks resemble that of a group, those that do most first. Of an app with many groups, those are compared whose
// names have most words in common with the group's.
func (s *service) similar(ctx context.Context, c api.Caller, r similarReq) ([]similarTo, error) {
	own, others, err := s.alike(ctx, c, r.Group)
	if err != nil || len(others) == 0 {
		return []similarTo{}, err
	}
	rows := append([]row{own}, others...)
	if err := s.errorsOf(ctx, c.App.ID, rows); err != nil {
		return nil, err
	}
	features := placesOf(rows[0])
	out := []similarTo{}
	for _, o := range rows[1:] {
		if share := overlap(features, placesOf(o)); share >= leastAlike {
			out = append(out, similarTo{o.ID, o.Name, o.OS, o.Reports, o.Users, o.Last, o.Resolved, math.Round(share*100) / 100})
		}
	}
	slices.SortFunc(out, func(x, y similarTo) int {
		return cmp.Or(cmp.Compare(y.Similarity, x.Similarity), cmp.Compare(y.Reports, x.Reports), strings.Compare(x.ID, y.ID))
	})
	return out[:min(len(out), maxSimilar)], nil
}

// alike returns a group and those of its OS whose names have most words in common with its name; what is equal stands by reports.
func (s *service) alike(ctx context.Context, c api.Caller, id string) (own row, others []row, err error) {
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return own, nil, err
	}
	defer done()
	g := b.groups[id]
	if g == nil {
		return own, nil, errNoGroup
	}
	words := wordsOf(g.name)
	type candidate struct {
		g     *group
		share float64
	}
	var list []candidate
	for _, o := range b.groups {
		if o != g && o.os == g.os && !o.isHidden() {
			list = append(list, candidate{o, overlap(words, wordsOf(o.name))})
		}
	}
	slices.SortFunc(list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.share, x.share), cmp.Compare(y.g.reports, x.g.reports), strings.Compare(x.g.id, y.g.id))
	})
	for _, o := range list[:min(len(list), maxCompared)] {
		others = append(others, b.rowOf(o.g))
	}
	return b.rowOf(g), others, nil
}

// wordsOf are the words of a name.
func wordsOf(name string) map[string]float64 {
	out := map[string]float64{}
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !isLetter(r) }) {
		out[word] = 1
	}
	return out
}

// placesOf are the type of an error and the places in its frames, with how much each counts: frames of the app's own code and the upper ones count
// more.
func placesOf(r row) map[string]float64 {
	t := traceOf(r.Error, r.OS, r.NonFatal)
	out := map[string]float64{}
	if t.kind != "" {
		out["kind "+t.kind] = 2
	}
	for i, f := range t.frames {
		weight := 1 / (1 + float64(i)/8)
		if f.own {
			weight *= 2
		}
		place := f.function + " " + f.file
		out[place] = max(out[place], weight)
	}
	if len(out) == 0 {
		return wordsOf(r.Name)
	}
	return out
}

// overlap is the weighted Jaccard index of two sets: the sum of the lesser weights by that of the greater ones; 0 when one is empty.
func overlap(a, b map[string]float64) float64 {
	var both, all float64
	for name, x := range a {
		both += min(x, b[name])
		all += max(x, b[name])
	}
	for name, y := range b {
		if _, known := a[name]; !known {
			all += y
		}
	}
	if all == 0 {
		return 0
	}
	return both / all
}
