package stored

import (
	"cmp"
	"slices"

	"quipu/internal/model"
)

// The fields of the stored structures, in the order of their keys, which are those of the cbor tags.

func fieldsOf[S any](fields ...field[S]) []field[S] { return fields }

var profileFields = withDimensions(
	field[model.Profile]{1, func(w *writer, key uint64, p *model.Profile) {
		w.head(kindUint, key)
		w.head(kindBytes, uint64(len(p.ID)))
		w.b = append(w.b, p.ID[:]...)
	}, func(r *reader, p *model.Profile) {
		if copy(p.ID[:], r.take(r.expect(kindBytes))) != len(p.ID) {
			r.fail("id of another length")
		}
	}},
	field[model.Profile]{2, func(w *writer, key uint64, p *model.Profile) {
		w.head(kindUint, key)
		w.head(kindUint, uint64(p.UID))
	}, uintField(2, func(p *model.Profile) *uint32 { return &p.UID }).get},
	field[model.Profile]{3, func(w *writer, key uint64, p *model.Profile) {
		w.head(kindUint, key)
		w.text(p.DID)
	}, func(r *reader, p *model.Profile) { p.DID = r.text() }},
	field[model.Profile]{21, putPlace, getPlace},
	flagField(22, func(p *model.Profile) *bool { return &p.NoLocation }),
	intField(30, func(p *model.Profile) *int64 { return &p.FirstSession }),
	intField(31, func(p *model.Profile) *int64 { return &p.LastSession }),
	intField(32, func(p *model.Profile) *int64 { return &p.FirstActivity }),
	intField(33, func(p *model.Profile) *int64 { return &p.LastActivity }),
	intField(34, func(p *model.Profile) *int64 { return &p.FirstSync }),
	intField(35, func(p *model.Profile) *int64 { return &p.LastSync }),
	intField(36, func(p *model.Profile) *int64 { return &p.Sessions }),
	floatField(37, func(p *model.Profile) *float64 { return &p.LastDuration }),
	floatField(38, func(p *model.Profile) *float64 { return &p.TotalDuration }),
	flagField(39, func(p *model.Profile) *bool { return &p.Assigned }),
	structField(40, func(p *model.Profile) *model.SessionState { return &p.Open }, sessionFields),
	intField(41, func(p *model.Profile) *int64 { return &p.LastEnd }),
	structField(42, func(p *model.Profile) *model.SessionState { return &p.Ended }, sessionFields),
	textField(43, func(p *model.Profile) *string { return &p.LastView }),
	intField(44, func(p *model.Profile) *int64 { return &p.LastViewAt }),
	intField(45, func(p *model.Profile) *int64 { return &p.Views }),
	uintField(46, func(p *model.Profile) *uint64 { return &p.LastRequest }),
	textField(50, func(p *model.Profile) *string { return &p.Name }),
	textField(51, func(p *model.Profile) *string { return &p.Username }),
	textField(52, func(p *model.Profile) *string { return &p.Email }),
	textField(53, func(p *model.Profile) *string { return &p.Organization }),
	textField(54, func(p *model.Profile) *string { return &p.Phone }),
	textField(55, func(p *model.Profile) *string { return &p.Gender }),
	intField(56, func(p *model.Profile) *int64 { return &p.BirthYear }),
	textField(57, func(p *model.Profile) *string { return &p.Picture }),
	mapField(60, func(p *model.Profile) *map[string]any { return &p.Custom }, (*writer).value, (*reader).value),
	mapField(61, func(p *model.Profile) *map[string]bool { return &p.Consent }, (*writer).flag, (*reader).flag),
	mapField(62, func(p *model.Profile) *map[string]string { return &p.Campaign }, (*writer).text, (*reader).text),
	mapField(63, func(p *model.Profile) *map[string]any { return &p.Extra }, (*writer).value, (*reader).value),
	uintField(70, func(p *model.Profile) *uint32 { return &p.State }),
	uintField(71, func(p *model.Profile) *uint64 { return &p.StateHash }),
)

var sessionFields = fieldsOf(
	uintField(1, func(s *model.SessionState) *uint64 { return &s.ID }),
	intField(2, func(s *model.SessionState) *int64 { return &s.Start }),
	intField(3, func(s *model.SessionState) *int64 { return &s.Last }),
	floatField(4, func(s *model.SessionState) *float64 { return &s.Seconds }),
	intField(5, func(s *model.SessionState) *int64 { return &s.Seen }),
	flagField(6, func(s *model.SessionState) *bool { return &s.Reopened }),
	intField(7, func(s *model.SessionState) *int64 { return &s.ClosedAt }),
	floatField(8, func(s *model.SessionState) *float64 { return &s.ClosedSeconds }),
	intField(9, func(s *model.SessionState) *int64 { return &s.Visits }),
	uintField(10, func(s *model.SessionState) *uint32 { return &s.View }),
	field[model.SessionState]{11, func(w *writer, key uint64, s *model.SessionState) {
		if len(s.Viewed) == 0 {
			return
		}
		w.head(kindUint, key)
		w.head(kindList, uint64(len(s.Viewed)))
		for _, v := range s.Viewed {
			w.head(kindUint, uint64(v))
		}
	}, func(r *reader, s *model.SessionState) {
		n := r.open(kindList)
		s.Viewed = make([]uint32, n)
		for i := range s.Viewed {
			v := r.expect(kindUint)
			if s.Viewed[i] = uint32(v); uint64(s.Viewed[i]) != v { // checked
				r.fail("number out of range")
			}
		}
	}},
	structField(12, func(s *model.SessionState) *model.CountedViews { return &s.Counted }, viewFields),
)

var viewFields = fieldsOf(
	uintField(1, func(c *model.CountedViews) *uint32 { return &c.Exit }),
	flagField(2, func(c *model.CountedViews) *bool { return &c.Bounce }),
	intField(3, func(c *model.CountedViews) *int { return &c.Seen }),
)

// withDimensions adds the fields of dimensions, each under the key that its row names.
func withDimensions(fields ...field[model.Profile]) []field[model.Profile] {
	for i := range model.Dimensions {
		fields = append(fields, textField(model.Dimensions[i].Stored, func(p *model.Profile) *string { return &p.Dims[i] }))
	}
	slices.SortFunc(fields, func(a, b field[model.Profile]) int { return cmp.Compare(a.key, b.key) })
	return fields
}

func putPlace(w *writer, key uint64, p *model.Profile) {
	if p.Loc == nil {
		return
	}
	w.head(kindUint, key)
	w.head(kindList, uint64(len(p.Loc)))
	for _, v := range p.Loc {
		w.float(v)
	}
}

func getPlace(r *reader, p *model.Profile) {
	if n := r.open(kindList); n != len(p.Loc) {
		r.fail("place of another form")
		return
	}
	p.Loc = &[2]float64{r.float(), r.float()}
}
