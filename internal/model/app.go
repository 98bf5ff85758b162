package model

import "time"

// App is an application that sends data.
type App struct {
	ID      AppID  `json:"_id"`
	Name    string `json:"name"`
	Country string `json:"country"` // ISO 3166 alpha-2
	// Timezone is an IANA name; all cells of the app are in it.
	Timezone string `json:"timezone"`
	Category string `json:"category"`
	Type     string `json:"type"` // mobile, web, desktop
	// Key is what SDKs send; it may be rotated.
	Key string `json:"key"`
	// IDKey is the key at birth; profile ids are made with it forever.
	IDKey string `json:"id_key"`
	// Salt switches checksums on when it is not empty.
	Salt string `json:"salt,omitempty"`
	// Owner made the app.
	Owner     MemberID `json:"owner"`
	CreatedAt int64    `json:"created_at"` // s
	EditedAt  int64    `json:"edited_at"`  // s
	HasImage  bool     `json:"has_image"`
	// Image is the content hash of the stored icon; "" means the default one.
	Image string `json:"image,omitempty"`
	// Locked apps refuse deletion, reset and the populator.
	Locked bool `json:"locked,omitempty"`
	// Paused apps refuse data with "App is currently not accepting data".
	Paused bool `json:"paused,omitempty"`
	// Plugins are per-app settings: feature → setting → value.
	Plugins map[string]any `json:"plugins,omitempty"`
}

// Consolidate is the key of Plugins that lists the apps that the data of an app flow into, beside the app itself.
const Consolidate = "consolidate"

// FlowsInto returns the apps that the app's data flow into. Ids that are none are left out.
func (a *App) FlowsInto() []AppID {
	list, _ := a.Plugins[Consolidate].([]any)
	var out []AppID
	for _, v := range list {
		text, _ := v.(string)
		if id, err := ParseID(text); err == nil && id != a.ID {
			out = append(out, id)
		}
	}
	return out
}

// Location returns the app's time zone; an unknown name gives UTC.
func (a *App) Location() *time.Location {
	loc, err := time.LoadLocation(a.Timezone)
	if err != nil {
		return time.UTC
	}
	return loc
}
