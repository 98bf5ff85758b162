package pebble

import (
	"encoding/binary"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/schema"
	"quipu/internal/store/schema/stored"
)

// The layout of keys and values is drawn in docs/format/schema.md. The byte
// after the app says what a key holds.
const (
	kindCounters byte = 0x00
	kindEvent    byte = 0x01
	kindValue    byte = 0x02
	kindFirst    byte = 0x03 // subjects of stored.FirstKind
	kindSubject  byte = 0x04 // those of all others
)

func kindKey(app model.AppID, kind byte, extra int) []byte {
	return append(kv.AppKey(kv.PrefixSchema, app, 1+extra), kind)
}

func eventKey(app model.AppID, id uint32) []byte {
	return binary.BigEndian.AppendUint32(kindKey(app, kindEvent, 4), id)
}

// valuesPrefix is what the values of an event begin with.
func valuesPrefix(app model.AppID, id uint32) []byte {
	return binary.BigEndian.AppendUint32(kindKey(app, kindValue, 4+4+4), id)
}

// segmentPrefix is what the values of a segment begin with.
func segmentPrefix(app model.AppID, k schema.SegmentID) []byte {
	return binary.BigEndian.AppendUint32(valuesPrefix(app, k.Event), k.Segment)
}

func subjectKey(app model.AppID, id schema.SubjectID) []byte {
	if id.Kind == stored.FirstKind {
		return binary.BigEndian.AppendUint32(kindKey(app, kindFirst, 4), id.Num)
	}
	return binary.BigEndian.AppendUint32(append(kindKey(app, kindSubject, 1+4), byte(id.Kind)), id.Num)
}
