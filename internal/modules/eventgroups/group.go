package eventgroups

import (
	"bytes"
	"encoding/json"
	"fmt"

	"quipu/internal/fault"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Group is a group of events as the wire shows it.
type Group struct {
	ID           string          `json:"_id"`
	AppID        string          `json:"app_id"`
	Name         string          `json:"name"`
	SourceEvents []string        `json:"source_events"`
	DisplayMap   json.RawMessage `json:"display_map,omitempty"`
	Description  string          `json:"description,omitempty"`
	Status       bool            `json:"status"`
	Order        int             `json:"order"`
}

// Key returns the group's id.
func (g Group) Key() string { return g.ID }

// Bounds of a group.
const (
	maxSources = 100
	maxText    = 64 << 10 // bytes of description and display map, each
)

// Validate refuses groups without a name or events, and too large ones.
func (g Group) Validate() error {
	if g.Name == "" || len(g.SourceEvents) == 0 || len(g.SourceEvents) > maxSources {
		return errArgs
	}
	if len(g.Name) > maxText || len(g.Description) > maxText || len(g.DisplayMap) > maxText {
		return fault.New(fault.TooLarge, "event_groups.too_large", "The event group is too large")
	}
	return nil
}

// Spec declares the collection of groups.
func Spec() docs.Spec[Group] {
	return docs.Spec[Group]{Name: "event_groups", Version: 1, Search: []docs.Field{".name", ".description"}}
}

var (
	errNoArgs   = fault.New(fault.Invalid, "event_groups.no_args", "Error: args not found")
	errArgs     = fault.New(fault.Invalid, "event_groups.args", "Not enough args")
	errNotFound = fault.New(fault.Invalid, "event_groups.not_found", "Could not find event")
)

// args are the fields of a write that were sent; null counts as not sent.
type args map[string]json.RawMessage

func readArgs(v params.Value) (args, error) {
	var a args
	if json.Unmarshal(v.Raw(), &a) != nil || a == nil {
		return nil, errNoArgs
	}
	return a, nil
}

// apply changes the fields of g that were sent.
func (a args) apply(g *Group) error {
	for _, f := range []struct {
		name string
		dst  any
	}{
		{"name", &g.Name},
		{"source_events", &g.SourceEvents},
		{"description", &g.Description},
		{"order", &g.Order},
	} {
		if raw, sent := a[f.name]; sent && string(raw) != "null" && json.Unmarshal(raw, f.dst) != nil {
			return badType(f.name)
		}
	}
	if err := params.CheckName(g.Name); err != nil {
		return err
	}
	if raw, sent := a["display_map"]; sent && string(raw) != "null" {
		if !bytes.HasPrefix(raw, []byte("{")) {
			return badType("display_map")
		}
		g.DisplayMap = raw
	}
	if raw, sent := a["status"]; sent && string(raw) != "null" {
		on, ok := flag(raw)
		if !ok {
			return badType("status")
		}
		g.Status = on
	}
	return nil
}

func badType(name string) error {
	return fault.New(fault.Invalid, "event_groups.bad_type", fmt.Sprintf("Error: Invalid type for %s", name))
}

// flag reads a boolean, also from the text of one.
func flag(raw []byte) (on, ok bool) {
	switch string(bytes.Trim(raw, `"`)) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// ids reads the ids that args name: an id or a list of ids in _id, or args that are
// themselves such a list.
func ids(v params.Value) []string {
	raw := json.RawMessage(v.Raw())
	var a args
	if json.Unmarshal(raw, &a) == nil {
		raw = a["_id"]
	}
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}
