package pebble

import (
	"encoding/binary"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
)

// The layout of keys and values is drawn in docs/format/profile.md.
const (
	appLen          = len(model.AppID{})
	idLen           = len(model.ProfileID{})
	printLen        = len(profile.Fingerprint{})
	printKeyLen     = 1 + 2 + appLen + printLen
	sequenceVersion = 1
)

func profileKey(app model.AppID, id model.ProfileID) []byte {
	return append(kv.AppKey(kv.PrefixProfile, app, idLen), id[:]...)
}

func numberKey(prefix byte, app model.AppID, n uint32) []byte {
	return binary.BigEndian.AppendUint32(kv.AppKey(prefix, app, 4), n)
}

// sessionKey orders by app, then by the last sign of life (ms since 1970).
func sessionKey(app model.AppID, seen int64, id model.ProfileID) []byte {
	k := binary.BigEndian.AppendUint64(kv.AppKey(kv.PrefixOpenSession, app, 8+idLen), uint64(max(seen, 0)))
	return append(k, id[:]...)
}

func parseSession(key, value []byte) (profile.OpenSession, error) {
	var s profile.OpenSession
	if len(key) != 1+appLen+8+idLen || len(value) != 4 {
		return s, fmt.Errorf("open session has a key of %d and a value of %d bytes", len(key), len(value))
	}
	copy(s.App[:], key[1:])
	s.Seen = int64(binary.BigEndian.Uint64(key[1+appLen:]))
	copy(s.ID[:], key[1+appLen+8:])
	s.UID = binary.BigEndian.Uint32(value)
	return s, nil
}

func dayKey(day uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte{kv.PrefixFingerprint}, day)
}

// printPrefix is what the fingerprints of an app and a day begin with.
func printPrefix(day uint16, app model.AppID) []byte {
	return appendPrintPrefix(make([]byte, 0, printKeyLen), day, app)
}

func appendPrintPrefix(k []byte, day uint16, app model.AppID) []byte {
	k = binary.BigEndian.AppendUint16(append(k, kv.PrefixFingerprint), day)
	return append(k, app[:]...)
}

func printKey(day uint16, app model.AppID, f profile.Fingerprint) []byte {
	return append(printPrefix(day, app), f[:]...)
}

func encodeSequence(s profile.Sequence) []byte {
	v := binary.BigEndian.AppendUint32([]byte{sequenceVersion}, s.UID)
	v = binary.BigEndian.AppendUint32(v, s.State)
	return binary.BigEndian.AppendUint64(v, uint64(s.Users))
}

func decodeSequence(v []byte) (profile.Sequence, error) {
	if len(v) != 17 || v[0] != sequenceVersion {
		return profile.Sequence{}, fmt.Errorf("sequence has %d bytes, want 17 of version %d", len(v), sequenceVersion)
	}
	return profile.Sequence{
		UID:   binary.BigEndian.Uint32(v[1:]),
		State: binary.BigEndian.Uint32(v[5:]),
		Users: int64(binary.BigEndian.Uint64(v[9:])),
	}, nil
}
