package query

import (
	"fmt"
	"slices"
	"strconv"

	"quipu/internal/store/events/plan"
)

// groupBy adds a property to group by. With edges, its numbers are cut into ranges, which are texts of two digits, so that
// they sort.
func (b *trendPlan) groupBy(path string, edges []float64, bind binder) {
	var e plan.Expr
	var names []string
	if len(b.by)+1 == b.chr {
		b.by, b.bins = append(b.by, nil), append(b.bins, nil)
		return
	}
	if len(edges) > 0 {
		names = rangeNames(edges)
		if of := numbersAt(path, bind); of != nil {
			e = plan.Do(plan.If, plan.Do(plan.IsNull, of), plan.Is(nil), rangeOf(of, edges, 0))
		}
	} else if typed, ok := bind(path); ok {
		e = plan.Do(plan.Text, typed)
	}
	b.by, b.bins = append(b.by, e), append(b.bins, names)
}

// rangeOf is the number of the range that a number is in, of those from the first edge on.
func rangeOf(of plan.Expr, edges []float64, first int) plan.Expr {
	if len(edges) == 0 {
		return plan.Is(fmt.Sprintf("%02d", first))
	}
	half := len(edges) / 2
	below := plan.Do(plan.Lt, of, plan.Is(edges[half]))
	return plan.Do(plan.If, below, rangeOf(of, edges[:half], first), rangeOf(of, edges[half+1:], first+half+1))
}

// rangeNames are the names of ranges.
func rangeNames(edges []float64) []string {
	text := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	names := []string{"< " + text(edges[0])}
	for i := range edges[1:] {
		names = append(names, "["+text(edges[i])+", "+text(edges[i+1])+")")
	}
	return append(names, "≥ "+text(edges[len(edges)-1]))
}

// shown is a value of a property as groups have it.
func (b *trendPlan) shown(property int, found any) any {
	text, ok := found.(string)
	if !ok || b.bins[property] == nil {
		return found
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i >= len(b.bins[property]) {
		return found
	}
	return b.bins[property][i]
}

// stored is what rows have for a value of a group; ok is false for a missing one.
func (b *trendPlan) stored(property int, value any) (text string, ok bool) {
	text, ok = value.(string)
	if i := slices.Index(b.bins[property], text); ok && i >= 0 {
		text = fmt.Sprintf("%02d", i)
	}
	return text, ok
}

// exactly is the condition that a row is of one of the groups.
func (b *trendPlan) exactly(groups []TrendGroup) plan.Expr { return b.exact(groups, 0) }

// exact is exactly by the properties from one on: groups with the same value there are looked at together.
func (b *trendPlan) exact(groups []TrendGroup, from int) plan.Expr {
	if from == len(b.by) {
		return plan.All()
	}
	e := b.by[from]
	type part struct {
		text   string
		absent bool
	}
	var order []part
	parts := map[part][]TrendGroup{}
	for _, g := range groups {
		text, ok := b.stored(from, g.Values[from])
		p := part{text, !ok}
		if e == nil && ok && from+1 != b.chr {
			continue // no row has the value
		}
		if parts[p] == nil {
			order = append(order, p)
		}
		parts[p] = append(parts[p], g)
	}
	var all []plan.Expr
	var last []string // values behind which no other property comes
	for _, p := range order {
		switch {
		case from+1 == b.chr && p.absent:
			all = append(all, plan.All(b.inPart(nil), b.exact(parts[p], from+1)))
		case from+1 == b.chr:
			all = append(all, plan.All(b.inPart(p.text), b.exact(parts[p], from+1)))
		case e == nil:
			all = append(all, b.exact(parts[p], from+1))
		case p.absent:
			all = append(all, plan.All(plan.Do(plan.IsNull, e), b.exact(parts[p], from+1)))
		case from == len(b.by)-1:
			last = append(last, p.text)
		default:
			all = append(all, plan.All(plan.Do(plan.Eq, e, plan.Is(p.text)), b.exact(parts[p], from+1)))
		}
	}
	if len(last) > 0 {
		all = append(all, plan.OneOf(e, last))
	}
	return plan.Any(all...)
}
