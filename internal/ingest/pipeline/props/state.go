package props

import (
	"maps"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/model"
)

// State returns a profile's properties as the JSON of a user state, and their
// hash. The object has the keys "up.<short name>", "custom.<name>" and
// "cmp.<name>" of what is known, in a fixed order. Counters, times and consent
// are no part of it.
func State(p *model.Profile) (json []byte, hash uint64) {
	b := append(make([]byte, 0, 512), '{')
	for _, f := range [...]struct{ key, value string }{
		{"av", p.AppVersion},
		{"brw", p.Browser},
		{"brwv", p.BrowserVersion},
		{"c", p.Carrier},
		{"cc", p.Country},
		{"cty", p.City},
		{"d", p.Device},
		{"dnst", p.Density},
		{"dt", p.DeviceType},
		{"email", p.Email},
		{"gender", p.Gender},
		{"la", p.Language},
		{"mnf", p.Manufacturer},
		{"name", p.Name},
		{"organization", p.Organization},
		{"p", p.OS},
		{"phone", p.Phone},
		{"picture", p.Picture},
		{"pv", p.OSVersion},
		{"r", p.Resolution},
		{"rgn", p.Region},
		{"sdk", p.SDK},
		{"src", p.Source},
		{"username", p.Username},
	} {
		if f.value != "" {
			b = rawjson.AppendQuote(member(b, "up.", f.key), []byte(f.value))
		}
	}
	if p.BirthYear != 0 {
		b = strconv.AppendInt(member(b, "up.", "byear"), p.BirthYear, 10)
	}
	for _, k := range slices.Sorted(maps.Keys(p.Custom)) {
		b = appendValue(member(b, "custom.", k), p.Custom[k])
	}
	for _, k := range slices.Sorted(maps.Keys(p.Campaign)) {
		b = rawjson.AppendQuote(member(b, "cmp.", k), []byte(p.Campaign[k]))
	}
	b = append(b, '}')
	return b, xxhash.Sum64(b)
}

// member appends what stands before a value.
func member(b []byte, prefix, key string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(rawjson.AppendQuote(b, []byte(prefix+key)), ':')
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return rawjson.AppendQuote(b, []byte(v))
	case bool:
		return strconv.AppendBool(b, v)
	case float64:
		return strconv.AppendFloat(b, v, 'g', -1, 64)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, e)
		}
		return append(b, ']')
	}
	return append(b, "null"...)
}

// SameFields reports whether two profiles agree in all that State writes but
// custom properties and attribution.
func SameFields(a, b *model.Profile) bool {
	return a.AppVersion == b.AppVersion && a.Browser == b.Browser && a.BrowserVersion == b.BrowserVersion &&
		a.Carrier == b.Carrier && a.Country == b.Country && a.City == b.City && a.Device == b.Device &&
		a.Density == b.Density && a.DeviceType == b.DeviceType && a.Email == b.Email && a.Gender == b.Gender &&
		a.Language == b.Language && a.Manufacturer == b.Manufacturer && a.Name == b.Name &&
		a.Organization == b.Organization && a.OS == b.OS && a.Phone == b.Phone && a.Picture == b.Picture &&
		a.OSVersion == b.OSVersion && a.Resolution == b.Resolution && a.Region == b.Region && a.SDK == b.SDK &&
		a.Source == b.Source && a.Username == b.Username && a.BirthYear == b.BirthYear
}
