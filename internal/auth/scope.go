package auth

import (
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// Reach says what a route answers about, which decides whether tokens of apps may use it.
type Reach uint8

// The reaches. The zero value keeps tokens of apps out.
const (
	ReachServer Reach = iota // the whole server, or all that a member has
	ReachApp                 // the app that the request names
	ReachToken               // no more than the rights of the caller, which for a token of apps end with them
)

// allowsApps reports whether a token of apps is good for a request: the route is about an app or keeps to
// the caller's, and every app that the request names is the token's.
func (t Token) allowsApps(c Credentials) bool {
	if len(t.Apps) == 0 {
		return true
	}
	if c.Reach == ReachServer || c.Times != nil && c.Times("app_id") > 1 {
		return false
	}
	var named []string
	if c.Apps != nil {
		named = c.Apps()
	}
	if c.Reach == ReachApp && len(named) == 0 {
		return false
	}
	return !slices.ContainsFunc(named, func(app string) bool { return !allowsApp(t.Apps, app) })
}

// allowsApp reports whether a list of app ids, empty for all, has the app.
func allowsApp(apps []string, app string) bool {
	return len(apps) == 0 || slices.ContainsFunc(apps, func(a string) bool { return strings.EqualFold(a, app) })
}

// narrowed returns the member with no rights outside of apps, empty for all: what a token of apps
// lends of its owner. A global administrator becomes an administrator of the apps.
func narrowed(m *model.Member, apps []string) *model.Member {
	if len(apps) == 0 {
		return m
	}
	out := *m
	out.GlobalAdmin, out.Permission = false, model.Permission{}.Clone()
	for _, app := range apps {
		app = strings.ToLower(app)
		if m.GlobalAdmin || m.Permission.Administers(app) {
			out.Permission.Apps.Admin = append(out.Permission.Apps.Admin, app)
		}
		if m.Permission.Uses(app) {
			out.Permission.Apps.User = append(out.Permission.Apps.User, []string{app})
		}
		for _, action := range []model.Action{model.Create, model.Read, model.Update, model.Delete} {
			if rights, ok := m.Permission.Rules(action)[app]; ok {
				out.Permission.Rules(action)[app] = rights
			}
		}
	}
	return &out
}

// errTokenExceeds refuses to make a token that is good for more than the one that asks for it.
var errTokenExceeds = fault.New(fault.Forbidden, "access.no_right", "User does not have right")

// inherit returns n with the restrictions of the token that asks for it. now is in seconds.
func (n NewToken) inherit(now int64) (NewToken, error) {
	by := n.By
	if by.Token == "" && !by.Restricted {
		return n, nil
	}
	if len(by.Apps) > 0 {
		if slices.ContainsFunc(n.Apps, func(app string) bool { return !allowsApp(by.Apps, app) }) {
			return n, errTokenExceeds
		}
		if len(n.Apps) == 0 {
			n.Apps = by.Apps
		}
	}
	if len(by.Endpoint) > 0 {
		held := rulesOf(by.Endpoint)
		for _, wanted := range rulesOf(n.Endpoint) {
			if !wanted.bad && !slices.ContainsFunc(held, wanted.within) {
				return n, errTokenExceeds
			}
		}
		if len(n.Endpoint) == 0 {
			n.Endpoint = by.Endpoint
		}
	}
	n.Multi = n.Multi && !by.Once
	if left := max(by.Ends-now, 1); by.Ends > 0 && (n.TTL == 0 || n.TTL > left) {
		n.TTL = left
	}
	return n, nil
}

// within reports whether r allows nothing that held does not: it has the same pattern, and every parameter
// that held asks for.
func (r rule) within(held rule) bool {
	if held.bad || r.Endpoint != held.Endpoint {
		return false
	}
	for name, value := range held.Params {
		if mine, ok := r.Params[name]; !ok || !sameJSON(value, mine) {
			return false
		}
	}
	return true
}

// rule is one element of Token.Endpoint.
type rule struct {
	Endpoint string                     `json:"endpoint"`
	Params   map[string]json.RawMessage `json:"params"`
	bad      bool
}

// rulesOf reads a restriction: an array, or one object.
func rulesOf(raw json.RawMessage) []rule {
	if len(raw) == 0 {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	out := make([]rule, 0, len(list))
	for _, e := range list {
		var r rule
		err := json.Unmarshal(e, &r.Endpoint)
		if err != nil {
			err = json.Unmarshal(e, &r)
		}
		// An empty pattern, and null, would match everything.
		r.bad = err != nil || r.Endpoint == ""
		out = append(out, r)
	}
	return out
}

func (s *Service) allowsPath(t Token, c Credentials) bool {
	if len(t.Endpoint) == 0 {
		return true
	}
	return slices.ContainsFunc(rulesOf(t.Endpoint), func(r rule) bool {
		if r.bad {
			return false
		}
		re := s.patterns.get(r.Endpoint)
		if re == nil || !re.MatchString(c.Path) {
			return false
		}
		for name, want := range r.Params {
			// Of a parameter that is sent twice only one counts: nobody else shall read the other.
			if c.Param == nil || c.Times != nil && c.Times(name) > 1 || !sameParam(want, c.Param(name)) {
				return false
			}
		}
		return true
	})
}

// sameParam compares a JSON value with a parameter's text.
func sameParam(want json.RawMessage, got string) bool {
	var text string
	if json.Unmarshal(want, &text) == nil {
		return text == got
	}
	return sameJSON(want, []byte(got))
}

// sameJSON compares two JSON texts as values; what is no JSON equals nothing.
func sameJSON(one, other []byte) bool {
	var a, b any
	if json.Unmarshal(one, &a) != nil || json.Unmarshal(other, &b) != nil {
		return false
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
