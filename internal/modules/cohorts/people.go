package cohorts

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
)

type usersReq struct {
	Cohort string       `param:"cohort"`
	Query  params.Value `param:"query"`
	UIDs   params.Value `param:"uids"`
	Text   params.Value `param:"text"`
}

// report is what became of a list of users.
type report struct {
	Result    string   `json:"result"`
	Matched   int      `json:"matched"`   // users found
	Changed   int      `json:"changed"`   // of them, those who were not in the cohort, or were, before
	Unmatched []string `json:"unmatched"` // what no user has, as it was sent; the first 1,000
	Missed    int      `json:"missed"`    // how many there are in all
}

const maxUnmatched = 1000

// addUsers puts users into a manual cohort.
func (s *service) addUsers(ctx context.Context, c api.Caller, r usersReq) (report, error) {
	named := named{text: r.Text.String()}
	for _, f := range c.Files {
		if f.Field == "import_file" {
			named.text += "\n" + string(f.Data)
		}
	}
	return s.byHand(ctx, c, r, named, "users_added_to_cohort", func(now, these *roaring.Bitmap) *roaring.Bitmap { return roaring.Or(now, these) })
}

// removeUsers takes users out of a manual cohort.
func (s *service) removeUsers(ctx context.Context, c api.Caller, r usersReq) (report, error) {
	return s.byHand(ctx, c, r, named{}, "users_removed_from_cohort", func(now, these *roaring.Bitmap) *roaring.Bitmap {
		return roaring.AndNot(now, these)
	})
}

// byHand changes the members of a manual cohort by those that a request names.
func (s *service) byHand(ctx context.Context, c api.Caller, r usersReq, from named, action string, fn func(now, these *roaring.Bitmap) *roaring.Bitmap) (report, error) {
	if r.Cohort == "" {
		return report{}, errNoCohort
	}
	d, err := s.found(ctx, c, r.Cohort, errNotFound)
	if err != nil {
		return report{}, err
	}
	if d.Type != manual {
		return report{}, errManual
	}
	if err := from.read(r.UIDs); err != nil {
		return report{}, err
	}
	if r.Query.String() == "" && len(from.uids) == 0 && len(from.dids) == 0 {
		return report{}, errNothing
	}
	if !auth.Can(c.Member, c.App.ID, "users", model.Read) {
		return report{}, errPermission // who is there is for those to know who may read users
	}
	these, missed, err := s.resolve(ctx, c.App.ID, from)
	if err != nil {
		return report{}, err
	}
	if r.Query.String() != "" {
		f, err := condition(r.Query.Raw())
		if err != nil {
			return report{}, err
		}
		more, err := s.tables.Members(ctx, c.App.ID, query.Membership{Filter: f}, func(int64, int64) {})
		if err != nil {
			return report{}, err
		}
		these.Or(more)
	}
	out := report{Result: "Success", Matched: int(these.GetCardinality()), Missed: len(missed), Unmatched: missed[:min(len(missed), maxUnmatched)]} // users
	err = s.keep(ctx, c.App, d, func(now *roaring.Bitmap) *roaring.Bitmap {
		after := fn(now, these)
		out.Changed = int(roaring.Xor(now, after).GetCardinality()) // users
		return after
	})
	if err != nil {
		return report{}, err
	}
	c.Audit(action, nil, map[string]any{"cohort": d.ID, "matched": out.Matched, "changed": out.Changed, "missed": out.Missed}, nil)
	return out, nil
}

// named are the users that a request names: by number, by device, and as lines of either.
type named struct {
	text       string
	uids, dids []string
}

// read sorts what was sent: uids, and text that is JSON of uids or dids, or lines of devices or numbers, of CSV the first column.
func (n *named) read(uids params.Value) error {
	if uids.String() != "" {
		list, ok := texts(uids.Raw())
		if !ok {
			return bad("uids")
		}
		n.uids = list
	}
	var object struct{ UIDs, DIDs json.RawMessage }
	if strings.HasPrefix(strings.TrimSpace(n.text), "{") {
		if json.Unmarshal([]byte(n.text), &object) != nil {
			return bad("import_file")
		}
		more, _ := texts(object.UIDs)
		n.uids = append(n.uids, more...)
		n.dids, _ = texts(object.DIDs)
	} else {
		for line := range strings.Lines(strings.ReplaceAll(n.text, "\\n", "\n")) {
			field, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")), ",")
			if field = strings.Trim(strings.TrimSpace(field), `"`); field != "" {
				n.dids = append(n.dids, field)
			}
		}
	}
	if len(n.uids)+len(n.dids) > maxUsers {
		return errTooLarge
	}
	return nil
}

// texts reads a list of texts or numbers.
func texts(raw []byte) ([]string, bool) {
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	out := make([]string, 0, len(list))
	for _, v := range list {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case float64:
			out = append(out, strconv.FormatFloat(v, 'f', -1, 64))
		default:
			return nil, false
		}
	}
	return out, true
}

// resolve finds the users that are named, and what no user has. A device that no user has may be a number.
func (s *service) resolve(ctx context.Context, app model.AppID, n named) (*roaring.Bitmap, []string, error) {
	out, missed := roaring.New(), []string{}
	devices, err := s.tables.Numbered(ctx, app, "did", n.dids)
	if err != nil {
		return nil, nil, err
	}
	rest := slices.Clone(n.uids)
	for _, did := range n.dids {
		if uid, ok := devices[did]; ok {
			out.Add(uid)
		} else {
			rest = append(rest, did)
		}
	}
	numbers, err := s.tables.Numbered(ctx, app, "uid", rest)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range rest {
		if uid, ok := numbers[text]; ok {
			out.Add(uid)
		} else {
			missed = append(missed, text)
		}
	}
	return out, missed, nil
}
