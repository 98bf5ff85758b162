package kv

import "quipu/internal/model"

// The first byte of every key says whose it is. The list is part of the
// format (docs/format/kv.md): never reuse a number.
const (
	PrefixMeta        byte = 0x01 // format version, watermarks, trim points
	PrefixJournal     byte = 0x02 // journal records
	PrefixProfile     byte = 0x03 // app, profile id → profile
	PrefixUID         byte = 0x04 // app, user number → profile id
	PrefixSequence    byte = 0x05 // app → sequences
	PrefixAlias       byte = 0x06 // app, merged user number → user number
	PrefixOpenSession byte = 0x07 // app, last sign of life, profile id → user number
	PrefixFingerprint byte = 0x08 // day, app, request hash → nothing
	PrefixSchema      byte = 0x09 // app → events, segments, values
	PrefixMarks       byte = 0x0a // app → what was taken from its rows, settings in force
	PrefixOutbox      byte = 0x0b // partition, offset, app → rows on their way to the event store
	PrefixMirror      byte = 0x0c // partition, offset, app → users to be mirrored in the event store
	PrefixRollup      byte = 0x10 // cells
)

// The second byte of meta keys.
const (
	metaFormat    byte = 'f' // → format version
	metaScrub     byte = 's' // nothing; comes and goes while the database is scrubbed
	MetaWatermark byte = 'w' // partition → last offset projected
	MetaTrim      byte = 't' // partition → last offset trimmed from the journal
	MetaRows      byte = 'e' // partition → last offset that the event store has committed
	MetaTaken     byte = 'k' // partition of another journal → last offset that the journal has taken from it
)

// FormatVersion is the version of the key space as a whole. Values carry
// their own version bytes; this one changes when keys move. Opening a folder of an
// earlier version notes the present one:
//
//	2  journal records are kept in blocks under the offset of the last
const FormatVersion = 2

// AppKey appends the prefix and the app to dst, room for extra bytes reserved.
func AppKey(prefix byte, app model.AppID, extra int) []byte {
	k := make([]byte, 0, 1+len(app)+extra)
	k = append(k, prefix)
	return append(k, app[:]...)
}

// After returns the smallest key that is greater than every key beginning
// with prefix, or nil when there is none.
func After(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			end := make([]byte, i+1)
			copy(end, prefix)
			end[i]++
			return end
		}
	}
	return nil
}
