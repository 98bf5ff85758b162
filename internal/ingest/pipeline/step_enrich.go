package pipeline

import (
	"maps"
	"net/netip"
	"strings"

	"quipu/internal/ingest/pipeline/cells"
	"quipu/internal/ingest/pipeline/props"
)

// enrich brings what the request says of its user into the profile:
// technology, place, attribution, user details.
func enrich(it *Item) error {
	it.technology()
	it.place()
	it.attribution()
	p, r := it.Profile, it.Request
	it.changed = props.Apply(p, r.User) || it.changed
	set(&p.Picture, r.Picture)
	return nil
}

// set stores a value that is known and new. The text is copied: it outlives
// the request, which may hold it in a larger block.
func set(to *string, value string) {
	if value != "" && value != *to {
		*to = strings.Clone(value)
	}
}

// technology keeps what is known of the device; what is missing stays. Only a
// request that begins a session changes what is known already: others may tell less (the
// web SDK repeats its user agent alone) and only fill gaps. The HTTP header is asked
// only when a session begins of which nobody reported the system.
func (it *Item) technology() {
	p, t := it.Profile, it.tech
	if it.Began != nil && p.OS == "" && t.OS == "" && it.Request.UserAgent != "" {
		asked := it.lane.p.o.Describe(it.Request)
		t = &asked
	}
	tell := func(to *string, value string) {
		if *to == "" || it.Request.Begin {
			set(to, value)
		}
	}
	tell(&p.OS, t.OS)
	tell(&p.OSVersion, t.OSVersion)
	tell(&p.Device, t.Device)
	tell(&p.DeviceType, t.DeviceType)
	tell(&p.Manufacturer, t.Manufacturer)
	tell(&p.Resolution, t.Resolution)
	tell(&p.Density, t.Density)
	tell(&p.Carrier, t.Carrier)
	tell(&p.AppVersion, t.AppVersion)
	tell(&p.Language, t.Language)
	tell(&p.Browser, t.Browser)
	tell(&p.BrowserVersion, t.BrowserVersion)
	tell(&p.Source, t.Source)
	tell(&p.SDK, t.SDK)
}

// place keeps where the user is: what the request says, else where its
// address is. An opt-out forgets the place and holds until a request says
// one again.
func (it *Item) place() {
	p, r := it.Profile, it.Request
	told := r.Location.Valid || r.CountryCode != "" || r.City != ""
	switch {
	case told:
		p.NoLocation = false
	case r.Location.OptOut:
		p.NoLocation, p.Loc = true, nil
		p.Country, p.Region, p.City = cells.Unknown, "", cells.Unknown
	}
	if p.NoLocation {
		return
	}
	if r.Location.Valid {
		p.Loc = &[2]float64{r.Location.Lat, r.Location.Lng}
	}
	if r.CountryCode != "" || r.City != "" {
		// What was known of another place does not belong to the new one.
		if r.CountryCode != "" && r.CountryCode != p.Country {
			p.Region, p.City = "", ""
		}
		set(&p.Country, r.CountryCode)
		set(&p.Region, r.Region)
		set(&p.City, r.City)
	} else if it.Began != nil || it.Created || r.IPOverride.IsValid() {
		it.locate()
	}
	if p.Country == "" {
		p.Country = cells.Unknown
	}
	if p.City == "" {
		p.City = cells.Unknown
	}
}

// locate looks the address up.
func (it *Item) locate() {
	look := it.lane.p.o.Locate
	addr := it.Request.IP
	if it.Request.IPOverride.IsValid() {
		addr = it.Request.IPOverride
	}
	if look == nil || addr == (netip.Addr{}) {
		return
	}
	found := look(addr)
	if found.Country == "" {
		return
	}
	p := it.Profile
	if found.Country != p.Country {
		p.Region, p.City = "", ""
	}
	set(&p.Country, found.Country)
	set(&p.Region, found.Region)
	set(&p.City, found.City)
}

// attribution keeps the campaign of an install.
func (it *Item) attribution() {
	p, r := it.Profile, it.Request
	for _, f := range [...]struct{ key, value string }{{"c", r.CampaignID}, {"cu", r.CampaignUser}} {
		if f.value == "" || p.Campaign[f.key] == f.value {
			continue
		}
		next := maps.Clone(p.Campaign)
		if next == nil {
			next = map[string]string{}
		}
		next[f.key] = strings.Clone(f.value)
		p.Campaign, it.changed = next, true
	}
}
