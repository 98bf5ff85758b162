package request

import (
	"crypto/sha256"
	"encoding/binary"
)

// Fingerprint identifies a client's request across re-sends: it covers the app, the
// device and every parameter in the order received, except rr and the
// checksums, which change between sends. It returns false for a request
// without a 13-digit millisecond timestamp, and for commands: two equal
// requests of that sort may both be meant.
//
// The fingerprint is the first half of the SHA-256 of the app id followed by
// name, form and value of each parameter with their lengths.
func Fingerprint(rec *Record) (fp [16]byte, ok bool) {
	if rec.Kind != Client {
		return fp, false
	}
	for i := range rec.Params {
		if p := &rec.Params[i]; p.Name == "timestamp" {
			ok = isMillis(p.Value)
		}
	}
	if !ok {
		return fp, false
	}
	h := sha256.New()
	h.Write(rec.App[:])
	var head []byte
	for i := range rec.Params {
		p := &rec.Params[i]
		switch p.Name {
		case "rr", "checksum", "checksum256":
			continue
		}
		form := byte(0)
		if p.JSON {
			form = 1
		}
		head = binary.AppendUvarint(head[:0], uint64(len(p.Name)))
		head = append(head, p.Name...)
		head = append(head, form)
		head = binary.AppendUvarint(head, uint64(len(p.Value)))
		h.Write(head)
		h.Write(p.Value)
	}
	h.Write([]byte(rec.Picture))
	var sum [sha256.Size]byte
	return [16]byte(h.Sum(sum[:0])), true
}

// isMillis reports whether v is exactly 13 digits.
func isMillis(v []byte) bool {
	if len(v) != 13 || v[0] == '0' {
		return false
	}
	for _, c := range v {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
