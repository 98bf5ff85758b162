// Package geotest writes small databases in MaxMind's format for tests.
package geotest

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"slices"
)

// City is a record of a city database.
type City struct {
	Country, Region, RegionName, Name string
	Lat, Lng                          float64
}

// Layout is how a maker of databases writes a city.
type Layout int

// The layouts.
const (
	MaxMind Layout = iota // GeoLite2 City: regions have codes
	DBIP                  // DB-IP City Lite: regions have names alone
	Flat                  // ip-location-db: fields beside each other
)

// Types are the names that the databases of each layout have.
var types = [...]string{MaxMind: "GeoLite2-City", DBIP: "DBIP-City-Lite (compat=City)", Flat: "dbip-city-ipv4"}

// Cities writes a database of cities by network.
func Cities(layout Layout, built uint32, networks map[string]City) []byte {
	values := map[string][]byte{}
	for network, c := range networks {
		values[network] = c.encode(layout)
	}
	return Database(types[layout], built, values)
}

func (c City) encode(layout Layout) []byte {
	if layout == Flat {
		return Map("country_code", Text(c.Country), "state1", Text(c.RegionName), "city", Text(c.Name), "latitude", Double(c.Lat), "longitude", Double(c.Lng))
	}
	english := func(name string) []byte { return Map("names", Map("en", Text(name))) }
	region := english(c.RegionName)
	if layout == MaxMind {
		region = Map("iso_code", Text(c.Region), "names", Map("en", Text(c.RegionName)))
	}
	pairs := []any{"country", Map("iso_code", Text(c.Country)), "location", Map("latitude", Double(c.Lat), "longitude", Double(c.Lng))}
	if c.Name != "" {
		pairs = append(pairs, "city", english(c.Name))
	}
	if c.Region != "" || c.RegionName != "" {
		pairs = append(pairs, "subdivisions", List(region))
	}
	return Map(pairs...)
}

// separator lies between the search tree and the data, in bytes.
const separator = 16

// Database writes a database of networks and values made by Text, Map and the like. The same networks and values give the same bytes.
func Database(kind string, built uint32, networks map[string][]byte) []byte {
	type node [2]int // child: 0 empty, >0 node, <0 −(1+offset of data)
	nodes := []node{{}}
	var data []byte
	at := map[string]int{} // equal values are written once
	list := make([]string, 0, len(networks))
	for network := range networks {
		list = append(list, network)
	}
	slices.Sort(list)
	for _, network := range list {
		p := netip.MustParsePrefix(network)
		addr, bits := p.Addr().As16(), p.Bits()
		if p.Addr().Is4() { // IPv4 lives at ::/96
			v4 := p.Addr().As4()
			addr, bits = [16]byte{}, bits+96
			copy(addr[12:], v4[:])
		}
		value := networks[network]
		offset, ok := at[string(value)]
		if !ok {
			offset = len(data)
			at[string(value)] = offset
			data = append(data, value...)
		}
		place := 0
		for i := range bits {
			bit := addr[i/8] >> (7 - i%8) & 1
			if i == bits-1 {
				nodes[place][bit] = -1 - offset
				break
			}
			if nodes[place][bit] == 0 {
				nodes = append(nodes, node{})
				nodes[place][bit] = len(nodes) - 1
			}
			place = nodes[place][bit]
		}
	}
	var out []byte
	for _, n := range nodes {
		for _, c := range n {
			v := c
			switch {
			case c == 0:
				v = len(nodes)
			case c < 0:
				v = len(nodes) + separator + (-c - 1)
			}
			out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
		}
	}
	out = append(append(out, make([]byte, separator)...), data...)
	out = append(out, Marker...)
	return append(out, Map(
		"node_count", number(6, uint32(len(nodes))), "record_size", number(5, 32), "ip_version", number(5, 6), // small
		"binary_format_major_version", number(5, 2), "binary_format_minor_version", number(5, 0),
		"database_type", Text(kind), "build_epoch", append([]byte{4, 2}, number(6, built)[1:]...), // uint64
	)...)
}

// Marker stands before the metadata of a database.
const Marker = "\xab\xcd\xefMaxMind.com"

// number writes an unsigned integer of a type: 5 has 16 bits, 6 has 32.
func number(kind byte, v uint32) []byte {
	b := binary.BigEndian.AppendUint32(nil, v)
	if kind == 5 {
		return append([]byte{kind<<5 | 2}, b[2:]...)
	}
	return append([]byte{kind<<5 | 4}, b...)
}

// Text writes a text.
func Text(s string) []byte { return append(head(2, len(s)), s...) }

// Double writes a number.
func Double(v float64) []byte {
	return binary.BigEndian.AppendUint64(head(3, 8), math.Float64bits(v))
}

// Pointer writes a reference to the value at an offset of the data.
func Pointer(offset uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{1<<5 | 3<<3}, offset)
}

// Map writes a map: name, value, and so on.
func Map(pairs ...any) []byte {
	out := head(7, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		out = append(append(out, Text(fmt.Sprint(pairs[i]))...), pairs[i+1].([]byte)...) // what the functions here return
	}
	return out
}

// List writes a list of values.
func List(values ...[]byte) []byte {
	return append([]byte{byte(len(values)), 11 - 7}, slices.Concat(values...)...)
}

// head writes the type and the size of a value.
func head(kind byte, size int) []byte {
	switch {
	case size < 29:
		return []byte{kind<<5 | byte(size)}
	case size < 285:
		return []byte{kind<<5 | 29, byte(size - 29)}
	default:
		return []byte{kind<<5 | 30, byte((size - 285) >> 8), byte(size - 285)}
	}
}
