package members

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// fields are the names that args may have.
func fields() []string {
	return []string{
		"user_id", "full_name", "username", "password", "email", "lang", "global_admin", "locked", "must_change_password",
		"permission", "admin_of", "user_of", "send_notification",
	}
}

// ignored returns a fault for each part of args that changes nothing: names that are not known, and rights on apps and features that
// there are not (members.unknown_field, members.unknown_feature, members.unknown_app).
func (s *service) ignored(a args) (faults []error) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !slices.Contains(fields(), name) {
			faults = append(faults, fault.New(fault.Invalid, "members.unknown_field", fmt.Sprintf("args: %q is not a field of a member", clip(name))))
		}
	}
	p, err := a.permission()
	if err != nil {
		return faults // which is the answer
	}
	var apps, features []string
	if p != nil {
		faults = append(faults, unknownParts(a["permission"])...)
		apps = slices.Concat(p.Apps.Admin, slices.Concat(p.Apps.User...))
		for _, rights := range []map[string]model.AppRights{p.Create, p.Read, p.Update, p.Delete} {
			for app, r := range rights {
				apps, features = append(apps, app), slices.AppendSeq(features, maps.Keys(r.Allowed))
			}
		}
	}
	for _, name := range []string{"admin_of", "user_of"} {
		if list, err := a.list(name); err == nil {
			apps = append(apps, list...)
		}
	}
	known := s.features()
	for _, feature := range sortedOnce(features) {
		if !slices.Contains(known, feature) {
			faults = append(faults, fault.New(fault.Invalid, "members.unknown_feature", fmt.Sprintf("permission: %q is not a feature", clip(feature))))
		}
	}
	for _, app := range sortedOnce(apps) {
		id, err := model.ParseID(app)
		if app != "" && (err != nil || s.apps.ByID(id) == nil) {
			faults = append(faults, fault.New(fault.Invalid, "members.unknown_app", fmt.Sprintf("permission: %q is not an app", clip(app))))
		}
	}
	return faults
}

// unknownParts are the names in a permission that are none of its parts.
func unknownParts(raw json.RawMessage) (faults []error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	var parts map[string]json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return nil // which args.permission refuses
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if !slices.Contains([]string{"_", "c", "r", "u", "d"}, name) {
			faults = append(faults, fault.New(fault.Invalid, "members.unknown_field", fmt.Sprintf("permission: %q is none of _, c, r, u and d", clip(name))))
		}
	}
	return faults
}

func sortedOnce(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// clip bounds what a message repeats of the caller's text.
func clip(text string) string {
	if len(text) > 100 {
		return text[:100] + "…"
	}
	return text
}
