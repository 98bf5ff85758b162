package definedevents

import (
	"encoding/json"
	"strings"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// definition is a defined event: a row that any of its events selects is one of it.
type definition struct {
	ID          string         `json:"_id"` // the key under which it stands for its events
	AppID       string         `json:"app_id"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Events      []source       `json:"events"`
	Hide        bool           `json:"hide"` // whether menus leave out the events that it takes whole
	Creator     model.MemberID `json:"creator"`
	Created     int64          `json:"created"` // ms
	Changed     int64          `json:"changed"` // ms
}

// source is an event that a definition stands for: a key, for a view its name ("" = any), and a filter on its rows.
type source struct {
	Event string      `json:"event"`
	Name  string      `json:"name,omitempty"`
	Query filter.Expr `json:"query,omitzero"`
}

// UnmarshalJSON reads a key, or an object.
func (s *source) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &s.Event) == nil {
		return nil
	}
	type object source
	return json.Unmarshal(b, (*object)(s))
}

// Bounds of definitions.
const (
	maxDefinitions = 500 // of an app
	maxName        = 200 // bytes
	maxText        = 2000
	maxEvents      = 50
	maxKey         = 2048     // bytes
	maxBytes       = 64 << 10 // of a definition as JSON
)

// viewKey is the event whose rows have a name.
const viewKey = "[CLY]_view"

// Key returns the id.
func (d definition) Key() string { return d.ID }

// Validate returns what is wrong with the definition, whatever the app has sent.
func (d definition) Validate() error {
	if d.Name == "" || len(d.Name) > maxName || strings.HasPrefix(d.Name, internalPrefix) {
		return invalid("A defined event has a name of 1 to %d bytes that does not begin with %s", maxName, internalPrefix)
	}
	if len(d.Description) > maxText {
		return invalid("A description has at most %d bytes", maxText)
	}
	if len(d.Events) == 0 || len(d.Events) > maxEvents {
		return invalid("A defined event stands for 1 to %d events", maxEvents)
	}
	for _, e := range d.Events {
		switch {
		case e.Event == "" || len(e.Event) > maxKey || len(e.Name) > maxKey:
			return invalid("An event has a key of 1 to %d bytes", maxKey)
		case strings.HasPrefix(e.Event, model.DefinedPrefix) || strings.HasPrefix(e.Event, model.EventGroupPrefix):
			return invalid("A defined event stands for events, not for defined events or groups")
		case e.Name != "" && e.Event != viewKey:
			return invalid("Only views have names")
		}
	}
	if text, err := json.Marshal(d); err != nil || len(text) > maxBytes {
		return invalid("A defined event has at most %d bytes", maxBytes)
	}
	return nil
}

// internalPrefix begins the keys of events that are not the app's own.
const internalPrefix = "[CLY]_"

// selected is what selects the rows of the definition.
func (d definition) selected() []query.FunnelEvent {
	out := make([]query.FunnelEvent, len(d.Events))
	for i, e := range d.Events {
		out[i] = query.FunnelEvent{Key: e.Event, Name: e.Name, Filter: e.Query}
	}
	return out
}

// keys are those of its events.
func (d definition) keys() []string {
	out := make([]string, len(d.Events))
	for i, e := range d.Events {
		out[i] = e.Event
	}
	return out
}

// paths are those of its filters.
func (d definition) paths() []string {
	var out []string
	for _, e := range d.Events {
		out = append(out, e.Query.Paths()...)
	}
	return out
}

func spec() docs.Spec[definition] {
	return docs.Spec[definition]{Name: "definedevents", Version: 1, Search: []docs.Field{".name", ".description"}, Indexes: []docs.Index[definition]{
		{Name: "name", Path: ".name", Fold: true, Order: true, Unique: true},
	}}
}
