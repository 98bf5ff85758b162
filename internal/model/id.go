package model

import (
	"crypto/rand"
	"crypto/sha1" // the protocol names SHA-1 for profile ids; it is no secret
	"encoding/hex"
	"fmt"
)

// ID is a 12-byte identifier, 24 lower-case hex digits as text. The zero
// value is no id.
type ID [12]byte

// IDLength is how many characters an id has as text.
const IDLength = 2 * len(ID{})

// EventGroupPrefix begins the ids of groups of events, which stand where keys of events do.
const EventGroupPrefix = "[CLY]_group_"

// DefinedPrefix begins the ids of defined events, which stand where keys of events do.
const DefinedPrefix = "[CLY]_defined_"

// AppID identifies an app.
type AppID = ID

// MemberID identifies a dashboard member.
type MemberID = ID

// NewID returns a random id.
func NewID() ID {
	var id ID
	_, _ = rand.Read(id[:]) // never fails, see crypto/rand
	return id
}

// ParseID reads 24 hex digits in either case.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != IDLength {
		return ID{}, fmt.Errorf("id has %d characters, want %d", len(s), IDLength)
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return ID{}, fmt.Errorf("id is not hex: %w", err)
	}
	return id, nil
}

// String returns the 24 hex digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// IsZero reports whether id is no id.
func (id ID) IsZero() bool { return id == ID{} }

// MarshalText writes the 24 hex digits; the zero id is empty text.
func (id ID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	return []byte(id.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (id *ID) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*id = ID{}
		return nil
	}
	v, err := ParseID(string(b))
	if err != nil {
		return err
	}
	*id = v
	return nil
}

// ProfileID is the SHA-1 of an app's first key and a device id (wire.md 5.3).
type ProfileID [20]byte

// NewProfileID derives the id of a device's profile. idKey is the key the app
// was born with, not its present one.
func NewProfileID(idKey, deviceID string) ProfileID {
	// Room for nearly all ids, so that none of this is allocated.
	var room [128]byte
	return sha1.Sum(append(append(room[:0], idKey...), deviceID...))
}

// ParseProfileID reads 40 hex digits.
func ParseProfileID(s string) (ProfileID, error) {
	var p ProfileID
	if len(s) != 40 {
		return p, fmt.Errorf("profile id has %d characters, want 40", len(s))
	}
	if _, err := hex.Decode(p[:], []byte(s)); err != nil {
		return ProfileID{}, fmt.Errorf("profile id is not hex: %w", err)
	}
	return p, nil
}

// String returns the 40 hex digits.
func (p ProfileID) String() string { return hex.EncodeToString(p[:]) }
