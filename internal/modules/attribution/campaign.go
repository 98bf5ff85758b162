package attribution

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// Campaign is what people advertise with: addresses that its link leads to, and what it costs.
type Campaign struct {
	ID          string            `json:"_id"`
	AppID       string            `json:"app_id"`
	Name        string            `json:"name"`
	Link        string            `json:"link"`  // where the campaign's link leads; "" = only Links
	Links       map[string]string `json:"links"` // by platform, which stand above Link
	Fingerprint bool              `json:"fingerprint"`
	Cost        float64           `json:"cost"`
	CostType    string            `json:"costtype"` // what Cost is paid for
	Type        string            `json:"type,omitempty"`
	TypeData    json.RawMessage   `json:"typedata,omitempty"`
	Postbacks   json.RawMessage   `json:"postbacks,omitempty"`
	Hidden      bool              `json:"is_hidden,omitempty"`
	Creator     model.MemberID    `json:"creator"`
	Created     int64             `json:"created_at"`          // s
	Edited      int64             `json:"edited_at,omitempty"` // s
	// Salt keys the hashes of visitors. It is in no answer.
	Salt string `json:"salt"`
}

// The values of Campaign.CostType.
const (
	perClick   = "click"
	perInstall = "install"
	perAll     = "campaign"
)

// Bounds of campaigns.
const (
	maxCampaigns = 2000 // of an app
	maxName      = 200  // bytes
	maxID        = 128
	maxLink      = 2048
	maxJSON      = 16 << 10
)

// platforms are the keys of Campaign.Links.
var platforms = []string{"android", "ios", "ipad", "windows", "macos", "linux", "desktop", "mobile"}

// Key returns the id.
func (c Campaign) Key() string { return c.ID }

// Validate returns what is wrong with the campaign.
func (c Campaign) Validate() error {
	switch {
	case c.Name == "" || len(c.Name) > maxName:
		return invalid("A campaign has a name of 1 to %d bytes", maxName)
	case !idOK(c.ID):
		return invalid("The id of a campaign is 1 to %d letters, digits, dots, hyphens and underscores", maxID)
	case c.CostType != perClick && c.CostType != perInstall && c.CostType != perAll:
		return invalid("costtype is click, install or campaign")
	case c.Cost < 0 || c.Cost > 1e12 || c.Cost != c.Cost:
		return invalid("cost is a number from 0 to 1000000000000")
	case c.Link != "" && !linkOK(c.Link):
		return invalid("link is an address of a web page or of a store, of at most %d bytes", maxLink)
	case len(c.Type) > maxName || len(c.TypeData) > maxJSON || len(c.Postbacks) > maxJSON:
		return invalid("type, typedata or postbacks is too long")
	}
	for platform, link := range c.Links {
		if !slices.Contains(platforms, platform) || !linkOK(link) {
			return invalid("links are addresses of web pages or of stores by platform: %s", strings.Join(platforms, ", "))
		}
	}
	return nil
}

func idOK(id string) bool {
	return id != "" && len(id) <= maxID && id != organic && strings.IndexFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
	}) < 0
}

// linkOK reports whether an address may be led to: of the web, or of an app that is a store.
func linkOK(link string) bool {
	if len(link) > maxLink || strings.IndexFunc(link, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) >= 0 {
		return false
	}
	u, err := url.Parse(link)
	if err != nil || u.User != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return u.Hostname() != ""
	case "market", "itms-apps", "itms-appss", "ms-windows-store":
		return true
	}
	return false
}

// audited is what the audit log has of a campaign.
func (c Campaign) audited() map[string]any {
	return map[string]any{"_id": c.ID, "name": c.Name, "link": c.Link, "links": maps.Clone(c.Links), "cost": c.Cost, "costtype": c.CostType, "is_hidden": c.Hidden}
}

func spec() docs.Spec[Campaign] {
	return docs.Spec[Campaign]{Name: "attribution.campaigns", Version: 1, Search: []docs.Field{".name", ".link"}, Indexes: []docs.Index[Campaign]{
		{Name: "name", Path: ".name", Fold: true, Order: true},
	}}
}

// route leads from the id in a link to the app of the campaign: ids are unique on the server.
type route struct {
	ID  string      `json:"_id"`
	App model.AppID `json:"app"`
}

// Key returns the id of the campaign.
func (r route) Key() string { return r.ID }

// Validate implements docs.Document.
func (r route) Validate() error { return nil }

func routes() docs.Spec[route] { return docs.Spec[route]{Name: "attribution.routes", Version: 1} }

// day is what a campaign's link was used on a local day of the app.
type day struct {
	ID     string `json:"_id"` // campaign and day, see dayKey
	Camp   string `json:"campaign"`
	Day    int64  `json:"day"`    // days since 1970
	Clicks int64  `json:"clicks"` // by people
	Unique int64  `json:"unique"` // visitors among them
	Bots   int64  `json:"bots"`   // by programs; no part of Clicks
	// By counts clicks by platform.
	By   map[string]int64 `json:"by,omitempty"`
	Cost float64          `json:"cost,omitempty"` // as imported
	Paid bool             `json:"paid,omitempty"` // Cost was imported, and stands above what the campaign's cost makes
}

// Key returns campaign and day.
func (d day) Key() string { return d.ID }

// Validate implements docs.Document.
func (d day) Validate() error { return nil }

func days() docs.Spec[day] {
	return docs.Spec[day]{Name: "attribution.days", Version: 1, Indexes: []docs.Index[day]{
		{Name: "campaign", Path: ".campaign"}, {Name: "day", Path: ".day", Order: true},
	}}
}

// visitors are those of a campaign's day, kept until the day is over.
type visitors struct {
	ID   string `json:"_id"` // that of the day
	Camp string `json:"campaign"`
	Day  int64  `json:"day"`
	// Seen is a bitmap of 32 bits of a keyed hash of address and browser.
	Seen []byte `json:"seen"`
}

// Key returns campaign and day.
func (v visitors) Key() string { return v.ID }

// Validate implements docs.Document.
func (v visitors) Validate() error { return nil }

func visitorsOf() docs.Spec[visitors] {
	return docs.Spec[visitors]{Name: "attribution.visitors", Version: 1, Indexes: []docs.Index[visitors]{
		{Name: "campaign", Path: ".campaign"}, {Name: "day", Path: ".day", Order: true},
	}}
}
