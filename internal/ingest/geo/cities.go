package geo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// City is a city that a database knows, with where it lies. RegionName is Region in English, where the database has both.
type City struct {
	Country, Region, RegionName, Name string
	Lat, Lng                          float64
}

// cities are those of a database, by country, name and region. Texts are shared.
type cities struct {
	list    []city
	regions map[[2]string]string // names by country and code, where they differ
}

type city struct {
	country, region, name string
	lat, lng              float32
}

// Bounds of what is kept of a database, in entries: well above all cities that databases have.
const (
	maxCities  = 500_000
	maxRegions = 20_000
)

// separator is what lies between the search tree and the data, in bytes.
const separator = 16

// errLimit says that a database names more cities than there are.
var errLimit = fmt.Errorf("more than %d cities", maxCities)

// scan reads every record once, in the order of the search tree's nodes. It follows no paths, so that a tree that leads in circles costs
// no more than its size. A record that cannot be read is an error: the file is damaged.
func (s *source) scan(ctx context.Context) (*cities, error) {
	m := s.r.Metadata
	size := s.data()
	if uint64(m.NodeCount)*uint64(m.RecordSize)/4 > uint64(len(s.all)) {
		return nil, errors.New("the search tree is cut off")
	}
	seen := make([]uint64, size/64+1)
	found := map[city]struct{}{}
	out := &cities{regions: map[[2]string]string{}}
	texts := map[string]string{}
	one := func(t string) string { // the same text once in memory
		if known, ok := texts[t]; ok {
			return known
		}
		texts[t] = t
		return t
	}
	records := 0
	for node := range uint64(m.NodeCount) {
		if node%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, v := range s.node(node) {
			if v <= uint64(m.NodeCount) {
				continue
			}
			at := v - uint64(m.NodeCount) - separator
			if v < uint64(m.NodeCount)+separator || at >= size {
				return nil, fmt.Errorf("node %d points beyond the data", node)
			}
			if seen[at/64]&(1<<(at%64)) != 0 {
				continue
			}
			seen[at/64] |= 1 << (at % 64)
			records++
			p, region, err := s.read(s.r.LookupOffset(uintptr(at)))
			if err != nil {
				return nil, fmt.Errorf("record at %d: %w", at, err)
			}
			if p.Region != region && p.Region != "" && region != "" && len(out.regions) < maxRegions {
				out.regions[[2]string{one(p.Country), one(p.Region)}] = one(region)
			}
			if p.City == "" || !p.Located {
				continue
			}
			c := city{country: one(p.Country), region: one(p.Region), name: one(p.City)}
			if _, ok := found[c]; ok {
				continue // networks of a city lie at places of their own; the first is as good as any
			}
			if len(out.list) == maxCities {
				return nil, errLimit
			}
			found[c] = struct{}{}
			c.lat, c.lng = float32(p.Lat), float32(p.Lng)
			out.list = append(out.list, c)
		}
	}
	if m.NodeCount > 0 && records == 0 {
		return nil, errors.New("no record at all")
	}
	out.list = slices.Clip(out.list)
	slices.SortFunc(out.list, func(a, b city) int {
		return cmp.Or(strings.Compare(a.country, b.country), strings.Compare(a.name, b.name), strings.Compare(a.region, b.region))
	})
	return out, nil
}

// node reads both records of a node of the search tree.
func (s *source) node(n uint64) [2]uint64 {
	three := func(b []byte) uint64 { return uint64(b[0])<<16 | uint64(b[1])<<8 | uint64(b[2]) }
	switch s.r.Metadata.RecordSize {
	case 24:
		b := s.all[n*6 : n*6+6]
		return [2]uint64{three(b), three(b[3:])}
	case 28:
		b := s.all[n*7 : n*7+7]
		return [2]uint64{uint64(b[3]>>4)<<24 | three(b), uint64(b[3]&0xf)<<24 | three(b[4:])}
	default:
		b := s.all[n*8 : n*8+8]
		return [2]uint64{uint64(b[0])<<24 | three(b[1:]), uint64(b[4])<<24 | three(b[5:])}
	}
}

func (l *cities) shown(c *city) City {
	name := l.regions[[2]string{c.country, c.region}]
	if name == "" {
		name = c.region
	}
	return City{Country: c.country, Region: c.region, RegionName: name, Name: c.name, Lat: rounded(c.lat), Lng: rounded(c.lng)}
}

// rounded is a coordinate as databases have it, to four decimals.
func rounded(v float32) float64 { return math.Round(float64(v)*1e4) / 1e4 }

// named returns the cities of a country that have one of some names, in the order of the names.
func (l *cities) named(country string, names []string) []City {
	var out []City
	for _, name := range names {
		at, _ := slices.BinarySearchFunc(l.list, city{country: country, name: name}, func(a, b city) int {
			return cmp.Or(strings.Compare(a.country, b.country), strings.Compare(a.name, b.name))
		})
		for at < len(l.list) && l.list[at].country == country && l.list[at].name == name {
			out = append(out, l.shown(&l.list[at]))
			at++
		}
	}
	return out
}

// regionsOf returns the names of a country's regions by their codes.
func (l *cities) regionsOf(country string) map[string]string {
	out := map[string]string{}
	for key, name := range l.regions {
		if key[0] == country {
			out[key[1]] = name
		}
	}
	return out
}

// nearest returns the city next to a point, and how far it is, in kilometres; false where there is none.
func (l *cities) nearest(lat, lng float64) (City, float64, bool) {
	best, least := -1, math.Inf(1)
	for i := range l.list {
		c := &l.list[i]
		if math.Abs(float64(c.lat)-lat)*kmPerDegree >= least {
			continue
		}
		if d := Distance(lat, lng, float64(c.lat), float64(c.lng)); d < least {
			best, least = i, d
		}
	}
	if best < 0 {
		return City{}, 0, false
	}
	return l.shown(&l.list[best]), least, true
}

const (
	earthRadius = 6371.0088 // km, the mean
	kmPerDegree = earthRadius * math.Pi / 180
)

// Distance returns how far two points on the globe are from each other, in kilometres.
func Distance(lat1, lng1, lat2, lng2 float64) float64 {
	rad := func(d float64) float64 { return d * math.Pi / 180 }
	a, b := math.Sin(rad(lat2-lat1)/2), math.Sin(rad(lng2-lng1)/2)
	h := a*a + math.Cos(rad(lat1))*math.Cos(rad(lat2))*b*b
	return 2 * earthRadius * math.Asin(math.Sqrt(min(1, h)))
}
