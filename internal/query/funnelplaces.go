package query

import (
	"slices"

	"quipu/internal/query/funnel"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// maxPlaced is among how many events a row's is looked for one after the other.
const maxPlaced = 32

// placed is the place of a row's event among those that steps and exclusions name, and what a row of each matches: it is found once for each
// event that there is, where match is computed for each row. Masks are nil where more than the event decides.
func (q *FunnelQuery) placed() (place plan.Expr, masks []uint32) {
	names, keys := newPlaces(), newPlaces()
	for i, step := range q.Steps {
		for _, e := range step {
			if !e.place(names, keys, funnel.StepBit(i)) {
				return nil, nil
			}
		}
	}
	for i, e := range q.Exclusions {
		if !e.place(names, keys, funnel.ExclusionBit(i)) {
			return nil, nil
		}
	}
	n := len(names.texts) + len(keys.texts)
	if n == 0 || n > maxPlaced {
		return nil, nil
	}
	if n == 1 && !q.Others && q.Kinds == nil { // all rows are of it
		return plan.Is(1), append([]uint32{0}, slices.Concat(names.masks, keys.masks)...)
	}
	masks = append([]uint32{0}, names.masks...)
	own := names.among("n")
	if len(keys.texts) == 0 && !q.Others && q.Kinds == nil { // all rows are of the app's own events
		return own, masks
	}
	// Keys stand behind names and a place for what is none of them.
	masks = append(append(masks, 0), keys.masks...)
	others := plan.Do(plan.Add, keys.among("e"), plan.Is(len(names.texts)+1))
	custom := newPlaces()
	custom.add(events.CustomKey, 0)
	return plan.Do(plan.If, plan.Do(plan.Eq, custom.among("e"), plan.Is(1)), own, others), masks
}

// place adds an event to the names of the app's own events or to the keys of others; false = it is none of either.
func (e FunnelEvent) place(names, keys *eventPlaces, bit uint32) bool {
	key, name := e.selector()
	own := key == events.CustomKey
	if e.defined != nil || !e.Filter.IsZero() || own == (name == "") {
		return false
	}
	if own {
		names.add(events.CleanText(name), bit)
	} else {
		keys.add(key, bit)
	}
	return true
}

// eventPlaces are texts, and what rows with each of them match.
type eventPlaces struct {
	texts []string
	masks []uint32
	of    map[string]int
}

func newPlaces() *eventPlaces { return &eventPlaces{of: map[string]int{}} }

func (p *eventPlaces) add(text string, bit uint32) {
	i, ok := p.of[text]
	if !ok {
		i = len(p.texts)
		p.of[text] = i
		p.texts, p.masks = append(p.texts, text), append(p.masks, 0)
	}
	p.masks[i] |= bit
}

// among is the place of the text in a column of events, from 1 on; 0 = it is none of them.
func (p *eventPlaces) among(column string) plan.Expr {
	if len(p.texts) == 0 {
		return plan.Is(0)
	}
	args := []plan.Expr{plan.Ev(column)}
	for _, text := range p.texts {
		args = append(args, plan.Is(text))
	}
	return plan.Do(plan.Place, args...)
}
