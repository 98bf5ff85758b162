package datepresets

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// With whom a preset is shared.
const (
	shareNone     = "none"
	shareAll      = "all-users"
	shareSelected = "selected-users"
)

// preset is a range of dates with a name, as it is stored.
type preset struct {
	ID         string           `json:"_id"`
	Name       string           `json:"name"`
	Range      json.RawMessage  `json:"range"`
	ShareWith  string           `json:"share_with"`
	EmailEdit  []string         `json:"shared_email_edit"`
	EmailView  []string         `json:"shared_email_view"`
	GroupsEdit []string         `json:"shared_user_groups_edit"`
	GroupsView []string         `json:"shared_user_groups_view"`
	WithoutNow bool             `json:"exclude_current_day"`
	Owner      model.MemberID   `json:"owner_id"`
	CreatedAt  int64            `json:"created_at"` // ms
	EditedAt   int64            `json:"edited_at"`  // ms, 0 = never
	Favourites []model.MemberID `json:"favourites"` // of whom
	Order      int              `json:"sort_order"`
}

// Key returns the preset's id.
func (p preset) Key() string { return p.ID }

// Validate bounds what people may write.
func (p preset) Validate() error {
	text, err := json.Marshal(p)
	if err != nil || len(text) > 256<<10 || len(p.Name) > 1000 {
		return fault.New(fault.Invalid, "datepresets.too_large", "The preset is too large")
	}
	return nil
}

func spec() docs.Spec[preset] {
	return docs.Spec[preset]{Name: "datepresets", Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[preset]{
		{Name: "order", Path: ".sort_order", Order: true},
		{Name: "viewer", Fold: true, Of: func(p preset) []any {
			var out []any
			for _, e := range slices.Concat(p.EmailView, p.EmailEdit) {
				out = append(out, e)
			}
			return out
		}},
	}}
}

func named(list []string, m *model.Member) bool {
	return slices.ContainsFunc(list, func(e string) bool { return m.Email != "" && strings.EqualFold(e, m.Email) })
}

// readableBy reports whether a member sees the preset.
func (p *preset) readableBy(m *model.Member) bool {
	return m.GlobalAdmin || p.Owner == m.ID || p.ShareWith == shareAll || p.ShareWith == shareSelected && (named(p.EmailView, m) || named(p.EmailEdit, m))
}

// readable is readableBy as conditions of the store.
func readable(m *model.Member) []docs.Cond {
	if m.GlobalAdmin {
		return nil
	}
	any := []docs.Cond{docs.Eq(".owner_id", m.ID.String()), docs.Eq(".share_with", shareAll)}
	if m.Email != "" {
		any = append(any, docs.All(docs.Eq(".share_with", shareSelected), docs.Eq("viewer", m.Email)))
	}
	return []docs.Cond{docs.Any(any...)}
}

// editableBy reports whether a member may change the preset.
func (p *preset) editableBy(m *model.Member) bool {
	return m.GlobalAdmin || p.Owner == m.ID || p.ShareWith == shareSelected && named(p.EmailEdit, m)
}

// shown is the preset as the wire shows it to a member: only its owner sees whom it is shared with.
func (p *preset) shown(m *model.Member) map[string]any {
	out := map[string]any{
		"_id": p.ID, "name": p.Name, "range": p.Range, "share_with": p.ShareWith, "exclude_current_day": p.WithoutNow,
		"owner_id": p.Owner, "created_at": p.CreatedAt, "sort_order": p.Order,
		"fav": slices.Contains(p.Favourites, m.ID), "is_owner": p.Owner == m.ID,
	}
	if p.EditedAt != 0 {
		out["edited_at"] = p.EditedAt
	}
	for name, list := range map[string][]string{
		"shared_email_edit": p.EmailEdit, "shared_email_view": p.EmailView, "shared_user_groups_edit": p.GroupsEdit, "shared_user_groups_view": p.GroupsView,
	} {
		if out[name] = false; p.Owner == m.ID {
			out[name] = append([]string{}, list...)
		}
	}
	return out
}

// fields are what a client sends of a preset.
type fields struct {
	ID         string       `param:"preset_id"`
	Name       string       `param:"name"`
	Range      params.Value `param:"range"`
	ShareWith  string       `param:"share_with"`
	EmailEdit  params.Value `param:"shared_email_edit"`
	EmailView  params.Value `param:"shared_email_view"`
	GroupsEdit params.Value `param:"shared_user_groups_edit"`
	GroupsView params.Value `param:"shared_user_groups_view"`
	WithoutNow params.Value `param:"exclude_current_day"`
	Fav        params.Value `param:"fav"`
	Order      params.Value `param:"sort_order"`
}

func invalid(name string) error {
	return fault.New(fault.Invalid, "datepresets.invalid_"+name, "Invalid "+name)
}

// read decodes a parameter that was sent.
func read(v params.Value, name string, dst any) error {
	if v.String() == "" {
		return nil
	}
	if json.Unmarshal(v.Raw(), dst) != nil {
		return invalid(name)
	}
	return nil
}

// fill changes what was sent of a preset.
func (f fields) fill(p *preset) error {
	if err := params.CheckName(f.Name); err != nil {
		return err
	}
	if f.Name != "" {
		p.Name = f.Name
	}
	if f.Range.String() != "" {
		// A range is a list, an object, or the name of a period.
		raw := bytes.TrimSpace(f.Range.Raw())
		if !json.Valid(raw) || raw[0] != '[' && raw[0] != '{' && raw[0] != '"' {
			return invalid("range")
		}
		p.Range = raw
	}
	if f.ShareWith != "" {
		if f.ShareWith != shareNone && f.ShareWith != shareAll && f.ShareWith != shareSelected {
			return invalid("share_with")
		}
		p.ShareWith = f.ShareWith
	}
	for _, list := range []struct {
		v    params.Value
		name string
		dst  *[]string
	}{
		{f.EmailEdit, "shared_email_edit", &p.EmailEdit},
		{f.EmailView, "shared_email_view", &p.EmailView},
		{f.GroupsEdit, "shared_user_groups_edit", &p.GroupsEdit},
		{f.GroupsView, "shared_user_groups_view", &p.GroupsView},
	} {
		if err := read(list.v, list.name, list.dst); err != nil {
			return err
		}
	}
	return read(f.WithoutNow, "exclude_current_day", &p.WithoutNow)
}
