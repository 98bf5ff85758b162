package pebble

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"quipu/internal/model"
	"quipu/internal/store/kv"

	"quipu/internal/store/schema"
)

// The layout of keys and values is drawn in docs/format/schema.md. The byte
// after the app says what a key holds.
const (
	kindCounters byte = 0x00
	kindEvent    byte = 0x01
	kindValue    byte = 0x02
	kindFirst    byte = 0x03 // subjects of firstKind
	kindSubject  byte = 0x04 // those of all others

	recordVersion   = 1
	countersVersion = 3
	appLen          = len(model.AppID{})
)

// eventRecord is an event key as it is stored.
type eventRecord struct {
	Key string `cbor:"1,keyasint"`
	// Seq is 0 for an event that never came, of which only omitted segments or a
	// whitelist are known.
	Seq       uint32          `cbor:"2,keyasint,omitempty"`
	NextNum   uint32          `cbor:"3,keyasint,omitempty"` // last segment number given out
	Segments  []segmentRecord `cbor:"4,keyasint,omitempty"`
	Whitelist []string        `cbor:"5,keyasint,omitempty"`
}

type segmentRecord struct {
	Name     string          `cbor:"1,keyasint"`
	Num      uint32          `cbor:"2,keyasint"`
	Kind     schema.SlotKind `cbor:"3,keyasint,omitempty"`
	Index    uint8           `cbor:"4,keyasint,omitempty"`
	WasKind  schema.SlotKind `cbor:"5,keyasint,omitempty"`
	WasIndex uint8           `cbor:"6,keyasint,omitempty"`
	Omitted  bool            `cbor:"7,keyasint,omitempty"`
	Opaque   bool            `cbor:"8,keyasint,omitempty"`
}

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

func encodeCounters(c schema.Counters) []byte {
	version := byte(2)
	for kind := range c.Subjects {
		if kind != firstKind {
			version = countersVersion
		}
	}
	v := binary.BigEndian.AppendUint32([]byte{version}, c.ID)
	v = binary.BigEndian.AppendUint32(v, c.Seq)
	if version == 2 {
		return binary.BigEndian.AppendUint32(v, c.Subjects[firstKind])
	}
	for _, kind := range slices.Sorted(maps.Keys(c.Subjects)) {
		v = binary.BigEndian.AppendUint32(append(v, byte(kind)), c.Subjects[kind])
	}
	return v
}

func decodeCounters(v []byte) (schema.Counters, error) {
	if len(v) < 9 {
		return schema.Counters{}, fmt.Errorf("counters have %d bytes, want 9 or more", len(v))
	}
	c := schema.Counters{ID: binary.BigEndian.Uint32(v[1:]), Seq: binary.BigEndian.Uint32(v[5:]), Subjects: map[schema.Kind]uint32{}}
	switch rest := v[9:]; {
	case v[0] == 1 && len(rest) == 0:
	case v[0] == 2 && len(rest) == 4:
		if n := binary.BigEndian.Uint32(rest); n > 0 {
			c.Subjects[firstKind] = n
		}
	case v[0] == countersVersion && len(rest)%5 == 0:
		for ; len(rest) > 0; rest = rest[5:] {
			c.Subjects[schema.Kind(rest[0])] = binary.BigEndian.Uint32(rest[1:])
		}
	default:
		return schema.Counters{}, fmt.Errorf("counters have %d bytes and version %d, want up to version %d", len(v), v[0], countersVersion)
	}
	return c, nil
}

// codec writes and reads event records.
type codec struct {
	enc cbor.EncMode
	dec cbor.DecMode
}

func newCodec() (*codec, error) {
	enc, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		return nil, fmt.Errorf("schema encoding: %w", err)
	}
	// Names are what clients sent, UTF-8 or not.
	dec, err := cbor.DecOptions{DupMapKey: cbor.DupMapKeyEnforcedAPF, UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		return nil, fmt.Errorf("schema decoding: %w", err)
	}
	return &codec{enc, dec}, nil
}

func (c *codec) encode(ev *schema.Record) ([]byte, error) {
	r := eventRecord{Key: ev.Event.Key, Seq: ev.Event.Seq, NextNum: ev.Last, Whitelist: ev.Whitelist}
	for i, s := range ev.Event.Segments {
		r.Segments = append(r.Segments, segmentRecord{
			Name: s.Name, Num: ev.Numbers[i], Kind: s.Slot.Kind, Index: s.Slot.Index,
			WasKind: s.Was.Kind, WasIndex: s.Was.Index, Omitted: s.Omitted, Opaque: s.Opaque,
		})
	}
	v, err := c.enc.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	return append([]byte{recordVersion}, v...), nil
}

func (c *codec) decode(id uint32, v []byte) (*event, error) {
	if len(v) == 0 || v[0] != recordVersion {
		return nil, errors.New("decode event: unknown version")
	}
	var r eventRecord
	if err := c.dec.Unmarshal(v[1:], &r); err != nil {
		return nil, fmt.Errorf("decode event: %w", err)
	}
	ev := newEvent(id, r.Key)
	ev.pub.Seq, ev.nextNum, ev.whitelist = r.Seq, r.NextNum, r.Whitelist
	for i, s := range r.Segments {
		ev.pub.Segments = append(ev.pub.Segments, schema.Segment{
			Name: s.Name, Slot: schema.Slot{Kind: s.Kind, Index: s.Index}, Was: schema.Slot{Kind: s.WasKind, Index: s.WasIndex}, Omitted: s.Omitted, Opaque: s.Opaque,
		})
		ev.nums = append(ev.nums, s.Num)
		ev.index[s.Name] = i
	}
	return ev, nil
}
