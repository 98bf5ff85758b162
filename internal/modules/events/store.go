package events

import (
	"context"
	"encoding/json"
	"fmt"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// meta is what people said about an app's events; one document an app. A nil field was never set
// and stays off the wire; an empty one was emptied and shows as such.
type meta struct {
	Order     []string                  `json:"order"`
	Map       map[string]map[string]any `json:"map"`
	Overview  []card                    `json:"overview"`
	Whitelist bool                      `json:"whitelist"` // one was set at some time
}

// maxMeta bounds what people may say about the events of an app, in bytes.
const maxMeta = 4 << 20

// metaKey names the only document of the collection.
const metaKey = "events"

// Key returns the name of the only document.
func (meta) Key() string { return metaKey }

// Validate accepts: the service checks what it writes.
func (meta) Validate() error { return nil }

// card is an event on the overview, as the wire shows it.
type card struct {
	EventKey      string `json:"eventKey"`
	EventProperty string `json:"eventProperty"`
	Order         int    `json:"order"`
	IsEventGroup  bool   `json:"is_event_group"`
	EventName     string `json:"eventName"`
	PropertyName  string `json:"propertyName"`
}

func spec() docs.Spec[meta] { return docs.Spec[meta]{Name: "events.meta", Version: 1} }

// load returns the app's document, the zero one if there is none.
func (s *service) load(ctx context.Context, app model.AppID) (meta, error) {
	m, err := spec().In(s.docs, app).Get(ctx, metaKey)
	if docs.IsNotFound(err) {
		return meta{}, nil
	}
	return m, err
}

// change applies fn to the app's document, making it if needed, and returns what it was and is.
func (s *service) change(ctx context.Context, app model.AppID, fn func(*meta) error) (before, after meta, err error) {
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		c := spec().In(tx, app)
		if before, err = c.Get(ctx, metaKey); err != nil && !docs.IsNotFound(err) {
			return err
		}
		m, err := c.Get(ctx, metaKey) // another copy
		if err != nil && !docs.IsNotFound(err) {
			return err
		}
		if err := fn(&m); err != nil {
			return err
		}
		after = m
		text, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("measure event metadata: %w", err)
		}
		if len(text) > maxMeta {
			return fault.New(fault.TooLarge, "events.meta_too_large", "Too much event metadata")
		}
		return c.Put(ctx, m)
	})
	return before, after, err
}
