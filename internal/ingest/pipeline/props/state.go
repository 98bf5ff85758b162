package props

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/model"
)

// text is a text of a profile that is part of its state.
type text struct {
	key string
	of  func(*model.Profile) *string
}

// texts are all of them in the order of their keys.
var texts = func() []text {
	list := []text{
		{"name", func(p *model.Profile) *string { return &p.Name }},
		{"username", func(p *model.Profile) *string { return &p.Username }},
		{"email", func(p *model.Profile) *string { return &p.Email }},
		{"organization", func(p *model.Profile) *string { return &p.Organization }},
		{"phone", func(p *model.Profile) *string { return &p.Phone }},
		{"gender", func(p *model.Profile) *string { return &p.Gender }},
		{"picture", func(p *model.Profile) *string { return &p.Picture }},
	}
	for i := range model.Dimensions {
		list = append(list, text{model.Dimensions[i].Key, func(p *model.Profile) *string { return &p.Dims[i] }})
	}
	slices.SortFunc(list, func(a, b text) int { return strings.Compare(a.key, b.key) })
	return list
}()

// Part is a feature's part of user states: text, number, bool or list of these by name, stored as "<Name>.<name>".
type Part struct {
	Name string
	Of   func(p *model.Profile) map[string]any
}

// State returns a profile's properties as the JSON of a user state, and their
// hash. The object has the keys "up.<short name>", "custom.<name>" and
// "cmp.<name>" of what is known, in a fixed order. Counters, times and consent
// are no part of it.
func State(p *model.Profile, parts ...Part) (json []byte, hash uint64) {
	b := append(make([]byte, 0, 512), '{')
	for i := range texts {
		if value := *texts[i].of(p); value != "" {
			b = rawjson.AppendQuote(member(b, "up.", texts[i].key), []byte(value))
		}
	}
	if p.BirthYear != 0 {
		b = strconv.AppendInt(member(b, "up.", "byear"), p.BirthYear, 10)
	}
	for _, k := range sortedKeys(p.Custom) {
		b = appendValue(member(b, "custom.", k), p.Custom[k])
	}
	for _, k := range sortedKeys(p.Campaign) {
		b = rawjson.AppendQuote(member(b, "cmp.", k), []byte(p.Campaign[k]))
	}
	for _, part := range parts {
		values := part.Of(p)
		for _, k := range sortedKeys(values) {
			b = appendValue(member(b, part.Name+".", k), values[k])
		}
	}
	b = append(b, '}')
	return b, xxhash.Sum64(b)
}

// sortedKeys returns the keys of a map in order, with one allocation, which most maps here, having none, do not need.
func sortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
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
	return a.Dims == b.Dims && a.Name == b.Name && a.Username == b.Username && a.Email == b.Email &&
		a.Organization == b.Organization && a.Phone == b.Phone && a.Gender == b.Gender && a.Picture == b.Picture && a.BirthYear == b.BirthYear
}
