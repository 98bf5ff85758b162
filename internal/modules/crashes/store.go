package crashes

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// about is what people did with a group. Groups that nobody touched have none.
type about struct {
	ID string `json:"_id"` // of the group
	// Viewed says that the group is not new any more, and Hidden, once set, whether it is left out of the table.
	Viewed    bool  `json:"viewed,omitempty"`
	Hidden    *bool `json:"hidden,omitempty"`
	Resolving bool  `json:"resolving,omitempty"`
	// Unresolved says that a resolution was taken back.
	Unresolved bool `json:"unresolved,omitempty"`
	// URL is the secret part of the address of the public page; "" = none was made yet.
	URL      string          `json:"url,omitempty"`
	Public   bool            `json:"public,omitempty"`
	Share    map[string]bool `json:"share,omitempty"` // what the page shows
	Comments []comment       `json:"comments,omitempty"`
	Assigned string          `json:"assigned,omitempty"` // id of a member; "" = nobody
	// Commented says that there was a comment, so that a list without any is shown.
	Commented bool `json:"commented,omitempty"`
}

// comment is what a member said about a group. Times are in ms.
type comment struct {
	ID       string         `json:"_id"`
	Text     string         `json:"text"`
	Time     int64          `json:"time"`
	Edited   int64          `json:"edit_time,omitempty"`
	Author   string         `json:"author"`
	AuthorID model.MemberID `json:"author_id"`
}

// Key returns the id of the group.
func (a about) Key() string { return a.ID }

// Validate accepts: the service checks what it writes.
func (about) Validate() error { return nil }

func spec() docs.Spec[about] {
	return docs.Spec[about]{Name: "crashes.groups", Version: 1, Indexes: []docs.Index[about]{
		{Name: "url", Of: func(a about) []any {
			if a.URL == "" {
				return nil
			}
			return []any{a.URL}
		}},
	}}
}

// seen are the OSes and versions that had reports of groups which were deleted: they are listed with none.
type seen struct {
	ID       string   `json:"_id"`
	OS       []string `json:"os,omitempty"`
	Versions []string `json:"versions,omitempty"`
}

// seenID is the key of the one document of an app.
const seenID = "all"

// maxSeen is how many of each are listed.
const maxSeen = 1000

// Key returns the only key.
func (s seen) Key() string { return s.ID }

// Validate accepts: the service checks what it writes.
func (seen) Validate() error { return nil }

func seenSpec() docs.Spec[seen] { return docs.Spec[seen]{Name: "crashes.seen", Version: 1} }

// newURL returns the secret part of an address.
func newURL() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// update changes what is known of a group, which need not have been touched before.
func update(ctx context.Context, h docs.Handle, app model.AppID, id string, fn func(*about) error) (before, after about, err error) {
	col := spec().In(h, app)
	for {
		after, err = col.Update(ctx, id, func(a *about) error {
			before = *a
			return fn(a)
		})
		if !docs.IsNotFound(err) {
			return before, after, err
		}
		before, after = about{ID: id}, about{ID: id}
		if err = fn(&after); err != nil {
			return before, after, err
		}
		if err = col.Create(ctx, after); err == nil || fault.CodeOf(err) != "docs.exists" {
			return before, after, err
		}
	}
}

// forget removes what people did with the groups of an app that was reset or deleted.
func (s *service) forget(ctx context.Context, app model.AppID) error {
	if _, err := spec().In(s.docs, app).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	if _, err := pinSpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	if _, err := ruledSpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	_, err := seenSpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{})
	return err
}

func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	return s.forget(ctx, ev.App)
}

func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	return s.forget(ctx, ev.App)
}

func (s *service) usersDeleted(_ context.Context, ev topic.UsersDeleted) error {
	s.books.drop(ev.App)
	return nil
}

func (s *service) userMerged(_ context.Context, ev topic.UserMerged) error {
	s.books.merged(ev.App, ev.From, ev.To)
	return nil
}
