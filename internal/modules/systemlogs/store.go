package systemlogs

import (
	"quipu/internal/fault"
	"quipu/internal/store/docs"
)

// entry is a row of the log as the wire shows it.
type entry struct {
	ID     string         `json:"_id"`
	Action string         `json:"a"`
	Info   map[string]any `json:"i"`
	TS     int64          `json:"ts"` // s
	CD     string         `json:"cd"` // the same as RFC 3339
	User   string         `json:"u"`  // name at that time
	IP     string         `json:"ip"`
	AppID  string         `json:"app_id,omitempty"`
	UserID string         `json:"user_id"`
	// Reported says that a client described the entry by /i/systemlogs; the server saw nothing of it.
	Reported bool `json:"reported,omitempty"`
}

// Key returns the entry's id.
func (e entry) Key() string { return e.ID }

// Validate bounds the action's name.
func (e entry) Validate() error {
	if e.Action == "" || len(e.Action) > 256 {
		return fault.New(fault.Invalid, "systemlogs.no_action", `Missing parameter "action"`)
	}
	return nil
}

func spec() docs.Spec[entry] {
	return docs.Spec[entry]{
		Name: "systemlogs", Version: 1,
		Indexes: []docs.Index[entry]{
			{Name: "ts", Path: ".ts", Order: true}, {Name: "action", Path: ".a", Order: true}, {Name: "user", Path: ".user_id"}, {Name: "app", Path: ".app_id"},
		},
		Search: []docs.Field{".a", ".u", ".ip"},
	}
}
