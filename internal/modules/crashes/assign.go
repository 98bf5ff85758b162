package crashes

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
)

var errNoMember = fault.New(fault.Invalid, "crashes.no_member", "No such member may read the crashes of the app")

// assignee is a member to whom groups may be assigned.
type assignee struct {
	ID   string `json:"_id"`
	Name string `json:"full_name"`
}

// self stands for the caller where a member is named.
const self = "me"

// assign gives groups to a member, who has to be able to read them, or to nobody.
func (s *service) assign(ctx context.Context, c api.Caller, a args) (any, error) {
	to := a.member
	if to == self {
		to = c.Member.ID.String()
	}
	if to != "" {
		list, err := s.assignees(ctx, c, api.None{})
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(m assignee) bool { return m.ID == to }) {
			return nil, errNoMember
		}
	}
	return s.changing(func(known *about) error {
		known.Assigned = to
		return nil
	})(ctx, c, a)
}

// assignees lists the members to whom groups of the app may be assigned, by name.
func (s *service) assignees(ctx context.Context, c api.Caller, _ api.None) ([]assignee, error) {
	members, err := s.members.Members(ctx)
	if err != nil {
		return nil, err
	}
	out := []assignee{}
	for i := range members {
		if m := &members[i]; auth.Can(m, c.App.ID, feature, model.Read) {
			out = append(out, assignee{m.ID.String(), m.FullName})
		}
	}
	slices.SortFunc(out, func(x, y assignee) int {
		return cmp.Or(strings.Compare(strings.ToLower(x.Name), strings.ToLower(y.Name)), strings.Compare(x.ID, y.ID))
	})
	return out, nil
}

// nameOf is the name of the member to whom a group is assigned; "" when there is no such member any more.
func (s *service) nameOf(ctx context.Context, id string) (string, error) {
	members, err := s.members.Members(ctx)
	if err != nil {
		return "", err
	}
	for i := range members {
		if members[i].ID.String() == id {
			return members[i].FullName, nil
		}
	}
	return "", nil
}
