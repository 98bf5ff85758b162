package drill

import (
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// The visibilities of bookmarks.
const (
	visiblePrivate = "private" // to the creator
	visibleShared  = "shared"  // to members who are named
	visibleGlobal  = "global"  // to everyone who may read bookmarks
)

// Bounds of sharing.
const (
	maxShared = 100 // addresses in a list
	maxEmail  = 320 // bytes
)

// sharing is who sees a bookmark beside its creator.
type sharing struct {
	// Visibility is one of the visibilities; "" = private, or global where bookmark.Global says so.
	Visibility string `json:"visibility,omitempty"`
	// View and Edit are the e-mail addresses of members who see a shared one, and of those who may change it, too.
	View []string `json:"shared_email_view,omitempty"`
	Edit []string `json:"shared_email_edit,omitempty"`
}

// fits reports whether the lists are no longer than they may be.
func (s sharing) fits() bool {
	bad := func(e string) bool { return e == "" || len(e) > maxEmail }
	return len(s.View) <= maxShared && len(s.Edit) <= maxShared && !slices.ContainsFunc(s.View, bad) && !slices.ContainsFunc(s.Edit, bad)
}

func (s sharing) shares() bool { return s.Visibility == visibleShared }

// share writes who sees a bookmark into it. What was not sent stays as it is; a client that knows only global makes no shared bookmark private.
func (r bookmarkReq) share(b *bookmark) error {
	switch {
	case r.Visibility != "":
		b.Visibility = r.Visibility
	case params.On(r.Global):
		b.Visibility = visibleGlobal
	case !b.shares():
		b.Visibility = visiblePrivate
	}
	if !slices.Contains([]string{visiblePrivate, visibleShared, visibleGlobal}, b.Visibility) {
		return bad("visibility")
	}
	for _, list := range []struct {
		name string
		sent params.Value
		into *[]string
	}{{"shared_email_view", r.View, &b.View}, {"shared_email_edit", r.Edit, &b.Edit}} {
		if list.sent.String() == "" {
			continue
		}
		emails, ok := texts(list.sent)
		if !ok {
			return bad(list.name)
		}
		*list.into = nil
		for _, e := range emails {
			*list.into = append(*list.into, strings.TrimSpace(e))
		}
	}
	if b.Global = b.Visibility == visibleGlobal; !b.shares() {
		b.View, b.Edit = nil, nil
	}
	return nil
}

// names reports whether a member is in a list of addresses.
func names(list []string, m *model.Member) bool {
	return m.Email != "" && slices.ContainsFunc(list, func(e string) bool { return docs.Fold(e) == docs.Fold(m.Email) })
}

// visible reports whether a member sees a bookmark.
func (b *bookmark) visible(m *model.Member) bool {
	return b.Global || b.shares() && names(b.View, m) || b.changeable(m)
}

// changeable reports whether a member may change a bookmark.
func (b *bookmark) changeable(m *model.Member) bool {
	return b.Creator == m.ID || b.shares() && names(b.Edit, m)
}

// viewers are the addresses of those who see a shared bookmark.
func (b bookmark) viewers() []any {
	var out []any
	if b.shares() {
		for _, e := range slices.Concat(b.View, b.Edit) {
			out = append(out, e)
		}
	}
	return out
}

// seenBy is visible as a condition of the store.
func seenBy(m *model.Member) docs.Cond {
	conditions := []docs.Cond{docs.Eq(".global", true), docs.Eq("creator", m.ID.String())}
	if m.Email != "" {
		conditions = append(conditions, docs.Eq("viewer", m.Email))
	}
	return docs.Any(conditions...)
}

// shownBookmark is a bookmark as a member sees it: only its creator sees whom it is shared with.
type shownBookmark struct {
	bookmark
	Editable bool `json:"editable"` // by the caller
}

func (b bookmark) shown(m *model.Member) shownBookmark {
	out := shownBookmark{b, b.changeable(m)}
	if out.Visibility == "" {
		out.Visibility = visiblePrivate
		if b.Global {
			out.Visibility = visibleGlobal
		}
	}
	if b.Creator != m.ID {
		out.View, out.Edit = nil, nil
	}
	return out
}
