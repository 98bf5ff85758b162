package views

import (
	"context"
	"crypto/md5" // the wire names MD5 for ids of views; it protects nothing
	"encoding/hex"
	"errors"
	"slices"

	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/schema"
	"quipu/internal/topic"
)

// label is the name that people gave a view.
type label struct {
	ID      string `json:"_id"`
	Display string `json:"display"`
}

// Key returns the id of the view.
func (l label) Key() string { return l.ID }

// Validate accepts: the service checks what it writes.
func (label) Validate() error { return nil }

func spec() docs.Spec[label] { return docs.Spec[label]{Name: "views.labels", Version: 1} }

// idOf is the id of a view on the wire.
func idOf(app model.AppID, name string) string {
	sum := md5.Sum([]byte(name))
	return app.String() + "_" + hex.EncodeToString(sum[:])
}

// view is what is known of a view.
type view struct {
	schema.Subject
	id, display string
}

// title is what people read.
func (v *view) title() string {
	if v.display != "" {
		return v.display
	}
	return v.Name
}

// known lists the views of an app in order of first appearance.
func (s *service) known(ctx context.Context, app model.AppID) ([]view, error) {
	list, err := s.data.Schema.Subjects(ctx, app, kind)
	if err != nil {
		return nil, err
	}
	labels := map[string]string{}
	for l, err := range spec().In(s.docs, app).List(ctx, docs.Query{}) {
		if err != nil {
			return nil, err
		}
		labels[l.ID] = l.Display
	}
	out := make([]view, len(list))
	for i, v := range list {
		id := idOf(app, v.Name)
		out[i] = view{Subject: v, id: id, display: labels[id]}
	}
	return out, nil
}

// offered lists the views of an app for other modules.
func (s *service) offered(ctx context.Context, app model.AppID) ([]kernel.Subject, error) {
	list, err := s.known(ctx, app)
	out := make([]kernel.Subject, len(list))
	for i := range list {
		out[i] = kernel.Subject{ID: list[i].id, Name: list[i].Name, Title: list[i].title()}
	}
	return out, err
}

// byIDs returns the views with some ids, in the order of the ids.
func byIDs(list []view, ids []string) []view {
	var out []view
	for _, id := range ids {
		if i := slices.IndexFunc(list, func(v view) bool { return v.id == id }); i >= 0 {
			out = append(out, list[i])
		}
	}
	return out
}

// forget removes what people said about the views of an app that was reset.
func (s *service) forget(ctx context.Context, ev topic.AppReset) error {
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return errors.Join(err, s.forgetPictures(ctx, ev.App))
}
