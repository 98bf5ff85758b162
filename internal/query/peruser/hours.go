package peruser

import "quipu/internal/store/rollup"

// hoursOfDay are the hours of a clock.
const hoursOfDay = 24

// byHour are rows of a group in the order of their hours.
type byHour struct {
	g      *group
	found  []uint32
	own    []uint32            // memory for found
	ends   [hoursOfDay + 1]int // the rows of hour h are found[ends[h]:ends[h+1]]
	firsts *[hoursOfDay]uint64 // nil = of hour 0 alone
}

// runHours is run of hours: groups hold days.
func (sel *selection) runHours(list []*group) {
	var split []byHour
	for len(list) > 0 && sel.room.Load() >= 0 {
		n := 1
		for n < len(list) && sel.key(list[n]) == sel.key(list[0]) {
			n++
		}
		for len(split) < n {
			split = append(split, byHour{})
		}
		for i, g := range list[:n] {
			split[i].split(g, sel)
		}
		for h := range hoursOfDay {
			sel.at = cellKey{rollup.Bucket(list[0].day.Hour(h)), list[0].value}
			for i := range split[:n] {
				split[i].add(sel, h)
			}
			sel.flush(false)
		}
		list = list[n:]
	}
}

// add adds the rows of an hour to the cell of sel.
func (s *byHour) add(sel *selection, h int) {
	if s.g.sums != nil {
		sel.cell.MergeCounters(s.g.sums.at(h))
	}
	found := s.found[s.ends[h]:s.ends[h+1]]
	if len(found) == 0 {
		return
	}
	if sel.mark(s.g, found); s.g.sums != nil {
		return
	}
	sel.s.count(&sel.cell, s.g, found)
	if s.firsts != nil {
		addFirst(&sel.cell, s.firsts[h])
	} else {
		addFirst(&sel.cell, s.g.firstOf(s.found))
	}
}

// split takes the rows of a group that are asked for.
func (s *byHour) split(g *group, sel *selection) {
	if g.sums != nil && g.sums.hours != nil { // they are in order
		s.g, s.found, s.ends, s.firsts = g, sel.all(len(g.uids)), g.sums.ends, nil
		return
	}
	found := sel.all(len(g.uids))
	if sel.ask.Users != nil {
		found = g.of(sel.ask.Users, sized(&sel.found, len(g.uids)))
	}
	s.order(g, found, sel.ask.Users == nil)
	if g.hours != nil && g.sums == nil {
		s.firsts = g.firstsOf(found)
	}
}

// order puts some rows of a group in the order of their hours. It keeps found if it can and shared says that nobody writes to it.
func (s *byHour) order(g *group, found []uint32, shared bool) {
	s.g, s.ends, s.firsts = g, [hoursOfDay + 1]int{}, nil
	if g.hours == nil {
		s.found = append(s.own[:0], found...)
		s.own = s.found
		for h := 1; h <= hoursOfDay; h++ {
			s.ends[h] = len(found)
		}
		return
	}
	last, falls := uint8(0), false
	for _, i := range found {
		h := g.hours[i]
		s.ends[h+1]++
		falls, last = falls || h < last, h
	}
	var next [hoursOfDay]int
	for h := range hoursOfDay {
		next[h] = s.ends[h]
		s.ends[h+1] += s.ends[h]
	}
	if s.found = sized(&s.own, len(found)); !falls {
		if shared {
			s.found = found
			return
		}
		copy(s.found, found)
		return
	}
	for _, i := range found {
		h := g.hours[i]
		s.found[next[h]] = i
		next[h]++
	}
}

// all returns the places of so many rows.
func (sel *selection) all(n int) []uint32 {
	if sel.ask.Users != nil {
		return nil
	}
	for i := len(sel.every); i < n; i++ {
		sel.every = append(sel.every, uint32(i)) // below 2^32
	}
	return sel.every[:n]
}
