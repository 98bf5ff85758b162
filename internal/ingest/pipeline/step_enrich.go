package pipeline

import (
	"maps"
	"net/netip"
	"strings"

	"quipu/internal/ingest/pipeline/props"
	"quipu/internal/model"
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
	if it.Began != nil && p.Dims[model.OS] == "" && t[model.OS] == "" && it.Request.UserAgent != "" {
		asked := it.shard.p.o.Describe(it.Request)
		t = &asked
	}
	for i := range t {
		if p.Dims[i] == "" || it.Request.Begin {
			set(&p.Dims[i], t[i])
		}
	}
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
		p.Dims[model.Country], p.Dims[model.Region], p.Dims[model.City] = model.Unknown, "", model.Unknown
	}
	if p.NoLocation {
		return
	}
	if r.Location.Valid {
		p.Loc = &[2]float64{r.Location.Lat, r.Location.Lng}
	}
	if r.CountryCode != "" || r.City != "" {
		// What was known of another place does not belong to the new one.
		if r.CountryCode != "" && r.CountryCode != p.Dims[model.Country] {
			p.Dims[model.Region], p.Dims[model.City] = "", ""
		}
		set(&p.Dims[model.Country], r.CountryCode)
		set(&p.Dims[model.Region], r.Region)
		set(&p.Dims[model.City], r.City)
	} else if it.Began != nil || it.Created || r.IPOverride.IsValid() {
		it.locate()
	}
	if p.Dims[model.Country] == "" {
		p.Dims[model.Country] = model.Unknown
	}
	if p.Dims[model.City] == "" {
		p.Dims[model.City] = model.Unknown
	}
}

// locate looks the address up.
func (it *Item) locate() {
	look := it.shard.p.o.Locate
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
	if found.Country != p.Dims[model.Country] || found.Region != "" || found.City != "" {
		// Region and city of an address belong together, and to no other country.
		p.Dims[model.Region], p.Dims[model.City] = "", ""
	}
	set(&p.Dims[model.Country], found.Country)
	set(&p.Dims[model.Region], found.Region)
	set(&p.Dims[model.City], found.City)
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
