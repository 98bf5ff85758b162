package decode

import (
	"crypto/sha1" // the protocol's older checksum
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"hash"
	"io"
)

// signature is the outcome of a checksum's check.
type signature uint8

const (
	signatureRight signature = iota
	signatureMissing
	signatureWrong
)

// verify checks the checksum of a request of a salted app and narrows the
// parameters down to the signed ones. The package comment says what is signed.
func (sc *scratch) verify(salt string, limits Limits) signature {
	s := sc.check(salt)
	if s == signatureRight && sc.partlySigned() {
		sc.params.reset()
		sc.parts = sc.parts[:0]
		_ = sc.readForm(sc.contentType, limits) // it was read before without fault
		sc.params.settle()
	}
	return s
}

// partlySigned reports whether a signature covers the body but not the query string.
func (sc *scratch) partlySigned() bool {
	return len(sc.query) > 0 && (sc.form == urlencoded || sc.form == fields && len(sc.parts) > 0)
}

// check compares the checksum that came with the one of what is signed.
func (sc *scratch) check(salt string) signature {
	signed, tail := sc.query, []byte(nil)
	switch sc.form {
	case urlencoded:
		signed = sc.body
	case fields:
		if len(sc.parts) > 0 {
			signed = sc.parts
		}
	case jsonObject, jsonArray:
		tail = sc.body
	case noBody:
	}
	got := findChecksum(signed)
	if got.hex == nil {
		got = findChecksum(sc.query)
	}
	switch {
	case got.hex != nil && got.matches(signed, tail, salt):
		return signatureRight
	case got.hex != nil:
		return signatureWrong
	case !empty(sc.params.get("checksum")) || !empty(sc.params.get("checksum256")):
		return signatureWrong // one inside a JSON body cannot cover itself
	}
	return signatureMissing
}

// checksum is what a request claims.
type checksum struct {
	hex    []byte // nil when it claims nothing
	sha256 bool
}

// findChecksum returns the checksum among the pairs of raw; SHA-256 is preferred.
func findChecksum(raw []byte) (c checksum) {
	for len(raw) > 0 {
		var pair []byte
		pair, raw = cutPair(raw)
		if v, ok := cutName(pair, "checksum256="); ok && len(v) > 0 {
			return checksum{hex: v, sha256: true}
		}
		if v, ok := cutName(pair, "checksum="); ok && len(v) > 0 {
			c.hex = v
		}
	}
	return c
}

func cutName(pair []byte, name string) ([]byte, bool) {
	if len(pair) >= len(name) && string(pair[:len(name)]) == name {
		return pair[len(name):], true
	}
	return nil, false
}

// matches hashes raw without its checksum pairs, tail and salt.
func (c checksum) matches(raw, tail []byte, salt string) bool {
	var h hash.Hash
	if c.sha256 {
		h = sha256.New()
	} else {
		h = sha1.New()
	}
	first := true
	for rest := raw; rest != nil; {
		var pair []byte
		pair, rest = cutPair(rest)
		if _, ok := cutName(pair, "checksum256="); ok {
			continue
		}
		if _, ok := cutName(pair, "checksum="); ok {
			continue
		}
		if !first {
			h.Write([]byte{'&'})
		}
		first = false
		h.Write(pair)
	}
	h.Write(tail)
	_, _ = io.WriteString(h, salt)
	want := h.Sum(nil)
	got := make([]byte, len(want))
	if len(c.hex) != hex.EncodedLen(len(want)) {
		return false
	}
	if _, err := hex.Decode(got, c.hex); err != nil {
		return false
	}
	return subtle.ConstantTimeCompare(got, want) == 1
}

// Texts of a refused signature, as the wire has them.
const (
	textChecksumMissing  = "Request does not have checksum"
	textChecksumMismatch = "Request does not match checksum"
)

// Refusal checks the checksum that stands among the pairs of raw, a query
// string or urlencoded body as received, against an app's salt. It returns the
// text of the refusal, and "" when the signature is right or the app has no salt.
func Refusal(raw []byte, salt string) string {
	if salt == "" {
		return ""
	}
	got := findChecksum(raw)
	switch {
	case got.hex == nil:
		return textChecksumMissing
	case !got.matches(raw, nil, salt):
		return textChecksumMismatch
	}
	return ""
}
