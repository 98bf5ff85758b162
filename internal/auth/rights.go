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
	rights, ok := rightsOf(&m.Permission, action)[app.String()]
	return ok && (rights.All || rights.Allowed[feature])
}

// IsAppAdmin reports whether a member administers an app.
func IsAppAdmin(m *model.Member, app model.AppID) bool {
	return m != nil && !m.Locked && (m.GlobalAdmin || slices.Contains(m.Permission.Apps.Admin, app.String()))
}

// IsAppUser reports whether an app is among those a member uses.
func IsAppUser(m *model.Member, app model.AppID) bool {
	if m == nil || m.Locked {
		return false
	}
	return slices.ContainsFunc(m.Permission.Apps.User, func(group []string) bool {
		return slices.Contains(group, app.String())
	})
}

func rightsOf(p *model.Permission, action model.Action) map[string]model.AppRights {
	switch action {
	case model.Create:
		return p.Create
	case model.Read:
		return p.Read
	case model.Update:
		return p.Update
	case model.Delete:
		return p.Delete
	case model.NoAction:
	}
	return nil
}
