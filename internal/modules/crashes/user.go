package crashes

import (
	"cmp"
	"maps"
	"strconv"
	"strings"

	"quipu/internal/model"
)

// feature is the name under which profiles, rows and commands know the module.
const feature = "crashes"

// maxGroupsOfUser is how many groups a user is known to be in; beyond it the one that was reported longest ago is forgotten.
const maxGroupsOfUser = 200

// user is what a profile keeps of crashes. It is stored in Profile.Extra, as
//
//	{"session":"Android\u001f2:0\u001ffn","ever":true,"groups":{"7":"3 1042","9":"-5 977"}}
type user struct {
	session *held
	ever    bool                // had a non-fatal crash
	groups  map[uint32]relation // by number
}

// held is the session that began last: what it counts under, and which crashes it held.
type held struct {
	os, version     string
	pair            bool // the two count together as well
	fatal, nonfatal bool
}

// relation is what a user has to do with a group.
type relation struct {
	left     bool   // left it by upgrading
	sessions int64  // begun until the last report
	place    uint64 // in the journal, of the last report or of the leaving
}

func (r relation) text() string {
	sign := ""
	if r.left {
		sign = "-"
	}
	return sign + strconv.FormatInt(r.sessions, 10) + " " + strconv.FormatUint(r.place, 10)
}

func relationOf(text string) (r relation) {
	text, r.left = strings.CutPrefix(text, "-")
	sessions, place, _ := strings.Cut(text, " ")
	r.sessions, _ = strconv.ParseInt(sessions, 10, 64)
	r.place, _ = strconv.ParseUint(place, 10, 64)
	return r
}

// unit separates texts that clients send.
const unit = "\x1f"

func (h *held) text() string {
	return h.os + unit + h.version + unit + yesOrNo(h.pair, "p", "") + yesOrNo(h.fatal, "f", "") + yesOrNo(h.nonfatal, "n", "")
}

func heldOf(text string) *held {
	parts := strings.Split(text, unit)
	if len(parts) != 3 {
		return nil
	}
	has := func(flag string) bool { return strings.Contains(parts[2], flag) }
	return &held{os: parts[0], version: parts[1], pair: has("p"), fatal: has("f"), nonfatal: has("n")}
}

// userOf reads what a profile keeps. The result shares nothing with the profile.
func userOf(p *model.Profile) user {
	var u user
	kept, _ := p.Extra[feature].(map[string]any)
	if text, ok := kept["session"].(string); ok {
		u.session = heldOf(text)
	}
	u.ever, _ = kept["ever"].(bool)
	groups, _ := kept["groups"].(map[string]any)
	if len(groups) > 0 {
		u.groups = make(map[uint32]relation, len(groups))
	}
	for key, v := range groups {
		n, err := strconv.ParseUint(key, 10, 32)
		if text, ok := v.(string); ok && err == nil {
			u.groups[uint32(n)] = relationOf(text)
		}
	}
	return u
}

// keep stores what is known of the user in the profile, whose maps it replaces.
func (u user) keep(p *model.Profile) {
	kept := map[string]any{}
	if u.session != nil {
		kept["session"] = u.session.text()
	}
	if u.ever {
		kept["ever"] = true
	}
	if len(u.groups) > 0 {
		groups := make(map[string]any, len(u.groups))
		for n, r := range u.groups {
			groups[strconv.FormatUint(uint64(n), 10)] = r.text()
		}
		kept["groups"] = groups
	}
	p.Extra = maps.Clone(p.Extra)
	if p.Extra == nil {
		p.Extra = map[string]any{}
	}
	p.Extra[feature] = kept
}

// reported takes down a report of a group.
func (u *user) reported(group uint32, r relation) {
	if u.groups == nil {
		u.groups = map[uint32]relation{}
	}
	u.groups[group] = r
	for len(u.groups) > maxGroupsOfUser {
		oldest := group
		for n, o := range u.groups {
			if cmp.Or(cmp.Compare(o.place, u.groups[oldest].place), cmp.Compare(n, oldest)) < 0 {
				oldest = n
			}
		}
		delete(u.groups, oldest)
	}
}

// places replaces the places in the journal.
func places(p *model.Profile, to func(place uint64) uint64) {
	u := userOf(p)
	if len(u.groups) == 0 {
		return
	}
	for n, r := range u.groups {
		r.place = to(r.place)
		u.groups[n] = r
	}
	u.keep(p)
}

// merge unites the groups of two users: the later word on a group stands, and sessions are counted on in those of both.
func merge(p, was, old *model.Profile) {
	one, other := userOf(was), userOf(old)
	if len(one.groups)+len(other.groups) == 0 {
		return
	}
	u := userOf(p) // the session and the rest are united already
	u.groups = nil
	for _, side := range [...]struct {
		groups map[uint32]relation
		more   int64
	}{{one.groups, old.Sessions}, {other.groups, was.Sessions}} {
		for n, r := range side.groups {
			if r.sessions += side.more; u.groups[n].place <= r.place {
				u.reported(n, r)
			}
		}
	}
	u.keep(p)
}
