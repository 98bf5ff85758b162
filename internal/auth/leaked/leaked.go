// Package leaked knows the 100,000 most used leaked passwords of eight and more characters, without regard to case.
//
// It embeds no password, only a sorted table of truncated digests, 500 kB, which is searched in place and
// takes no memory besides:
//
//	8 bytes   "leaked 1"
//	4 bytes   number of entries, big-endian
//	5 bytes   each entry: the beginning of the SHA-256 of a password in lower case, ascending
//
// A password that is not in the list is taken for one that is with a chance of 100,000 in 2⁴⁰, about one in ten
// million. tools/leaked/fetch.sh makes the table, and names the list and its licence.
package leaked

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
)

//go:embed list.bin
var list string

const (
	magic      = "leaked 1"
	headerSize = len(magic) + 4
	sumSize    = 5
)

// Contains reports whether a password, in any case, is one of the list. It is as quick for each.
func Contains(password string) bool {
	sum := digest(password)
	n := Len()
	i := sort.Search(n, func(i int) bool { return entry(i) >= string(sum[:]) })
	return i < n && entry(i) == string(sum[:])
}

// Len is how many passwords the list has.
func Len() int { return int(binary.BigEndian.Uint32([]byte(list[len(magic):headerSize]))) }

func entry(i int) string { return list[headerSize+i*sumSize : headerSize+(i+1)*sumSize] }

func digest(password string) [sumSize]byte {
	sum := sha256.Sum256([]byte(strings.ToLower(password)))
	return [sumSize]byte(sum[:sumSize])
}

// Table returns the table of a list of passwords, in the form that this package embeds.
func Table(passwords []string) []byte {
	sums := make([][sumSize]byte, 0, len(passwords))
	for _, p := range passwords {
		sums = append(sums, digest(p))
	}
	slices.SortFunc(sums, func(a, b [sumSize]byte) int { return bytes.Compare(a[:], b[:]) })
	sums = slices.Compact(sums)
	out := binary.BigEndian.AppendUint32([]byte(magic), uint32(len(sums))) // there are not so many passwords
	for _, sum := range sums {
		out = append(out, sum[:]...)
	}
	return out
}
