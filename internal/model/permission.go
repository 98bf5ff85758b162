package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// MarshalJSON writes the wire's form: every list and map is there, if only
// empty.
func (p Permission) MarshalJSON() ([]byte, error) {
	type plain Permission // without this method
	p = p.Clone()
	return json.Marshal(plain(p))
}

// UnmarshalJSON reads what clients send: parts may be missing, null, or an
// empty array where an object belongs.
func (p *Permission) UnmarshalJSON(b []byte) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return fmt.Errorf("permission is no object: %w", err)
	}
	*p = Permission{}
	if raw := parts["_"]; isObject(raw) {
		if err := json.Unmarshal(raw, &p.Apps); err != nil {
			return err
		}
	}
	for name, rules := range map[string]*map[string]AppRights{"c": &p.Create, "r": &p.Read, "u": &p.Update, "d": &p.Delete} {
		if raw := parts[name]; isObject(raw) {
			if err := json.Unmarshal(raw, rules); err != nil {
				return fmt.Errorf("permission %s: %w", name, err)
			}
		}
	}
	*p = p.Clone()
	return nil
}

// UnmarshalJSON accepts u as groups of apps and as a flat list of apps, which
// becomes one group.
func (a *PermissionApps) UnmarshalJSON(b []byte) error {
	var parts struct {
		Admin json.RawMessage `json:"a"`
		User  json.RawMessage `json:"u"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return fmt.Errorf("permission _: %w", err)
	}
	*a = PermissionApps{Admin: []string{}, User: [][]string{}}
	if isArray(parts.Admin) {
		if err := json.Unmarshal(parts.Admin, &a.Admin); err != nil {
			return fmt.Errorf("permission _.a: %w", err)
		}
	}
	if !isArray(parts.User) {
		return nil
	}
	var groups []json.RawMessage
	if err := json.Unmarshal(parts.User, &groups); err != nil {
		return fmt.Errorf("permission _.u: %w", err)
	}
	var flat []string
	for _, g := range groups {
		if isArray(g) {
			var apps []string
			if err := json.Unmarshal(g, &apps); err != nil {
				return fmt.Errorf("permission _.u: %w", err)
			}
			if len(apps) > 0 {
				a.User = append(a.User, apps)
			}
			continue
		}
		var app string
		if err := json.Unmarshal(g, &app); err != nil {
			return fmt.Errorf("permission _.u: %w", err)
		}
		if app == "" {
			continue // null, as a hole in the list
		}
		flat = append(flat, app)
	}
	if len(flat) > 0 {
		a.User = append(a.User, flat)
	}
	return nil
}

// MarshalJSON writes {} for an app without any right of its own, and both
// fields otherwise.
func (r AppRights) MarshalJSON() ([]byte, error) {
	if !r.All && r.Allowed == nil {
		return []byte("{}"), nil
	}
	type plain AppRights
	if r.Allowed == nil {
		r.Allowed = map[string]bool{}
	}
	return json.Marshal(plain(r))
}

// UnmarshalJSON reads rights leniently: what is no object grants nothing, and
// so does a feature whose value is not true.
func (r *AppRights) UnmarshalJSON(b []byte) error {
	*r = AppRights{}
	var parts struct {
		All     json.RawMessage `json:"all"`
		Allowed json.RawMessage `json:"allowed"`
	}
	if !isObject(b) {
		return nil
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	r.All = isTrue(parts.All)
	if parts.Allowed == nil {
		if parts.All != nil {
			r.Allowed = map[string]bool{}
		}
		return nil
	}
	r.Allowed = map[string]bool{}
	if !isObject(parts.Allowed) {
		return nil
	}
	var allowed map[string]json.RawMessage
	if err := json.Unmarshal(parts.Allowed, &allowed); err != nil {
		return err
	}
	for feature, v := range allowed {
		r.Allowed[feature] = isTrue(v)
	}
	return nil
}

func isObject(b []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) }

func isArray(b []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) }

func isTrue(b []byte) bool { return string(b) == "true" || string(b) == `"true"` }

// Clone returns a copy that shares nothing with p and has no nil lists or maps.
func (p Permission) Clone() Permission {
	out := Permission{Apps: PermissionApps{Admin: append([]string{}, p.Apps.Admin...), User: [][]string{}}}
	for _, group := range p.Apps.User {
		out.Apps.User = append(out.Apps.User, slices.Clone(group))
	}
	out.Create, out.Read, out.Update, out.Delete = cloneRules(p.Create), cloneRules(p.Read), cloneRules(p.Update), cloneRules(p.Delete)
	return out
}

func cloneRules(rules map[string]AppRights) map[string]AppRights {
	out := make(map[string]AppRights, len(rules))
	for app, r := range rules {
		out[app] = AppRights{All: r.All, Allowed: maps.Clone(r.Allowed)}
	}
	return out
}

// Mentions reports whether the app stands anywhere in p.
func (p Permission) Mentions(app string) bool {
	if p.Administers(app) || p.Uses(app) {
		return true
	}
	for _, rules := range []map[string]AppRights{p.Create, p.Read, p.Update, p.Delete} {
		if _, ok := rules[app]; ok {
			return true
		}
	}
	return false
}

// Administers reports whether the app stands in _.a.
func (p Permission) Administers(app string) bool { return slices.Contains(p.Apps.Admin, app) }

// Uses reports whether the app stands in a group of _.u.
func (p Permission) Uses(app string) bool {
	return slices.ContainsFunc(p.Apps.User, func(group []string) bool { return slices.Contains(group, app) })
}

// Rules returns the rules of an action by app; nil for NoAction.
func (p Permission) Rules(a Action) map[string]AppRights {
	switch a {
	case Create:
		return p.Create
	case Read:
		return p.Read
	case Update:
		return p.Update
	case Delete:
		return p.Delete
	case NoAction:
	}
	return nil
}

// Without returns a copy of p that does not mention the app; a group that had
// only this app goes too.
func (p Permission) Without(app string) Permission {
	out := p.Clone()
	is := func(a string) bool { return a == app }
	out.Apps.Admin = slices.DeleteFunc(out.Apps.Admin, is)
	for i := range out.Apps.User {
		out.Apps.User[i] = slices.DeleteFunc(out.Apps.User[i], is)
	}
	out.Apps.User = slices.DeleteFunc(out.Apps.User, func(group []string) bool { return len(group) == 0 })
	for _, rules := range []map[string]AppRights{out.Create, out.Read, out.Update, out.Delete} {
		delete(rules, app)
	}
	return out
}
