package cohorts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/filter"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/store/events"
)

// selection is the users that a filter selects as they are now; the zero filter selects all there are.
type selection struct {
	filter filter.Expr
	// busy says that the filter looks at what each request may change, as the number of sessions; others are asked again only when the
	// properties of a user changed.
	busy    bool
	users   *roaring.Bitmap
	changed *roaring.Bitmap

	started, ready bool
	from           uint64
	// out are users who are not selected, while those who were before are not known yet.
	out *roaring.Bitmap
}

func newSelection(f filter.Expr) *selection {
	return &selection{filter: f, busy: slices.ContainsFunc(f.Paths(), busyPath), users: roaring.New(), changed: roaring.New(), out: roaring.New()}
}

// set notes whether a user is selected.
func (s *selection) set(uid uint32, selected bool) {
	if !s.ready {
		s.out.Remove(uid)
		if !selected {
			s.out.Add(uid)
		}
	}
	if selected && s.users.CheckedAdd(uid) || !selected && s.users.CheckedRemove(uid) {
		s.changed.Add(uid)
	}
}

// forget takes a user out, who is no more.
func (s *selection) forget(uid uint32) {
	if !s.ready {
		s.out.Add(uid)
	}
	s.users.Remove(uid)
}

// person is a profile as filters look at it: as the table of users has it.
type person struct{ p *model.Profile }

// Lookup implements filter.Doc.
func (d person) Lookup(path string) (any, bool) {
	v := d.value(strings.TrimPrefix(path, "up."))
	return v, v != nil
}

func (d person) value(path string) any {
	p := d.p
	if group, key, ok := strings.Cut(path, "."); ok {
		switch group {
		case "custom":
			return memberOf(p.Custom, key)
		case "consent":
			return memberOf(p.Consent, key)
		case "cmp":
			return memberOf(p.Campaign, key)
		}
		return nil
	}
	switch path {
	case "_id":
		return p.ID.String()
	case "did":
		return text(p.DID)
	case "uid":
		return strconv.FormatUint(uint64(p.UID), 10)
	case "name":
		return text(p.Name)
	case "username":
		return text(p.Username)
	case "email":
		return text(p.Email)
	case "organization":
		return text(p.Organization)
	case "phone":
		return text(p.Phone)
	case "gender":
		return text(p.Gender)
	case "picture":
		return text(p.Picture)
	case "byear":
		return whole(p.BirthYear)
	case "hasInfo":
		if p.BirthYear != 0 || cmp.Or(p.Name, p.Username, p.Email, p.Organization, p.Phone, p.Gender, p.Picture) != "" {
			return true
		}
		return nil
	}
	if dim, ok := model.DimensionByKey(path); ok {
		return text(p.Dims[dim])
	}
	return d.activity(path)
}

// activity is what requests change without changing the properties of the user.
func (d person) activity(path string) any {
	p := d.p
	switch path {
	case "lat":
		if p.Loc != nil {
			return finite(p.Loc[0])
		}
	case "lng":
		if p.Loc != nil {
			return finite(p.Loc[1])
		}
	case "fs":
		return whole(p.FirstSession)
	case "ls":
		return whole(p.LastSession)
	case "fac":
		return whole(p.FirstActivity)
	case "lac":
		return whole(p.LastActivity)
	case "first_sync":
		return whole(p.FirstSync)
	case "last_sync":
		return whole(p.LastSync)
	case "sc":
		return whole(p.Sessions)
	case "sd":
		return some(p.LastDuration)
	case "tsd":
		return some(p.TotalDuration)
	}
	return nil
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return events.CleanText(s)
}

func whole(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func some(f float64) any {
	if f == 0 {
		return nil
	}
	return finite(f)
}

func finite(f float64) any {
	if !events.Finite(f) {
		return nil
	}
	return f
}

// memberOf returns a member of an object; those that are in another member are not there, since there are none.
func memberOf[V any](of map[string]V, key string) any {
	v, ok := of[key]
	if !ok || strings.Contains(key, ".") {
		return nil
	}
	if s, ok := any(v).(string); ok {
		return events.CleanText(s)
	}
	return any(v)
}

// busyPath reports whether requests may change what stands at a path without changing the properties of the user.
func busyPath(path string) bool {
	path = strings.TrimPrefix(path, "up.")
	switch path {
	case "fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc", "sd", "tsd", "lat", "lng":
		return true
	}
	return strings.HasPrefix(path, "consent.")
}

// record is a row as filters of steps look at it.
type record struct {
	part *pipeline.Part
	row  *events.Row
}

// Lookup implements filter.Doc.
func (d record) Lookup(path string) (any, bool) {
	var v any
	switch name, ok := strings.CutPrefix(path, "sg."); {
	case ok:
		v = d.part.Segment(d.row, name)
	case path == "c":
		v = d.row.Count
	case path == "s":
		v = finite(d.row.Sum)
	case path == "dur":
		v = finite(d.row.Dur)
	}
	return v, v != nil
}

// rowPath reports whether record knows a path.
func rowPath(path string) bool {
	return strings.HasPrefix(path, "sg.") || path == "c" || path == "s" || path == "dur"
}
