package auth

import (
	"slices"

	"quipu/internal/model"
)

// Can reports whether a member may do something with a feature of an app:
// global administrators and the app's administrators always, others need
// to be users of the app and to have the right (wire.md 7.2). Locked members may nothing.
func Can(m *model.Member, app model.AppID, feature string, action model.Action) bool {
	if m == nil || m.Locked {
		return false
	}
	if m.GlobalAdmin || IsAppAdmin(m, app) {
		return true
	}
	if !IsAppUser(m, app) {
		return false
	}
	rights, ok := m.Permission.Rules(action)[app.String()]
	return ok && (rights.All || rights.Allowed[feature])
}

// IsAppAdmin reports whether a member administers an app; global
// administrators do.
func IsAppAdmin(m *model.Member, app model.AppID) bool {
	return m != nil && !m.Locked && (m.GlobalAdmin || m.Permission.Administers(app.String()))
}

// IsAppUser reports whether an app is among those a member uses.
func IsAppUser(m *model.Member, app model.AppID) bool {
	return m != nil && !m.Locked && m.Permission.Uses(app.String())
}

// LegacyFeatures are what the shorthand user_of lets a member read.
func LegacyFeatures() []string { return []string{"core", "events"} }

// WithLegacy returns a permission after the shorthands of old clients:
// adminOf becomes the apps administered, and userOf the apps used, with the right to read
// LegacyFeatures in those that had no right to read yet. nil leaves either as it is. The
// ids are not verified.
func WithLegacy(p model.Permission, adminOf, userOf []string) model.Permission {
	p = p.Clone()
	if adminOf != nil {
		p.Apps.Admin = append([]string{}, adminOf...)
	}
	if userOf == nil {
		return p
	}
	p.Apps.User = [][]string{}
	if len(userOf) > 0 {
		p.Apps.User = [][]string{slices.Clone(userOf)}
	}
	for _, app := range userOf {
		if _, ok := p.Read[app]; ok {
			continue
		}
		allowed := map[string]bool{}
		for _, f := range LegacyFeatures() {
			allowed[f] = true
		}
		p.Read[app] = model.AppRights{Allowed: allowed}
	}
	return p
}

// Merge returns the union of permissions: anyone who has it may do what any of
// them allows.
func Merge(ps ...model.Permission) model.Permission {
	out := model.Permission{}.Clone()
	for _, p := range ps {
		for _, app := range p.Apps.Admin {
			if !out.Administers(app) {
				out.Apps.Admin = append(out.Apps.Admin, app)
			}
		}
		for _, group := range p.Apps.User {
			fresh := slices.DeleteFunc(slices.Clone(group), out.Uses)
			if len(fresh) > 0 {
				out.Apps.User = append(out.Apps.User, fresh)
			}
		}
		for _, action := range []model.Action{model.Create, model.Read, model.Update, model.Delete} {
			mergeRules(out.Rules(action), p.Rules(action), p.Uses)
		}
	}
	return out
}

// mergeRules leaves out the rules of apps that uses denies: without membership
// they grant nothing, and must not come alive through another permission.
func mergeRules(dst, src map[string]model.AppRights, uses func(string) bool) {
	for app, rights := range src {
		if !uses(app) {
			continue
		}
		merged := dst[app]
		merged.All = merged.All || rights.All
		for feature, allowed := range rights.Allowed {
			if merged.Allowed == nil {
				merged.Allowed = map[string]bool{}
			}
			merged.Allowed[feature] = merged.Allowed[feature] || allowed
		}
		dst[app] = merged
	}
}
