// Package stored writes and reads the stored form of what a schema consists of, which all engines keep. docs/format/schema.md
// describes it.
package stored

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"quipu/internal/store/schema"
)

const (
	recordVersion   = 1
	countersVersion = 3
)

// FirstKind is the kind whose subjects stood alone before there were kinds; its counter, and its keys in Pebble, are as they were then.
const FirstKind schema.Kind = 1

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

// subjectRecord is a subject as it is stored.
type subjectRecord struct {
	Name  string   `cbor:"1,keyasint"`
	Alias string   `cbor:"2,keyasint,omitempty"`
	Tags  []string `cbor:"3,keyasint,omitempty"`
	Note  string   `cbor:"4,keyasint,omitempty"`
}

// Counters returns the stored form of counters.
func Counters(c schema.Counters) []byte {
	version := byte(2)
	for kind := range c.Subjects {
		if kind != FirstKind {
			version = countersVersion
		}
	}
	v := binary.BigEndian.AppendUint32([]byte{version}, c.ID)
	v = binary.BigEndian.AppendUint32(v, c.Seq)
	if version == 2 {
		return binary.BigEndian.AppendUint32(v, c.Subjects[FirstKind])
	}
	for _, kind := range slices.Sorted(maps.Keys(c.Subjects)) {
		v = binary.BigEndian.AppendUint32(append(v, byte(kind)), c.Subjects[kind])
	}
	return v
}

// ReadCounters reads what Counters returned.
func ReadCounters(v []byte) (schema.Counters, error) {
	if len(v) < 9 {
		return schema.Counters{}, fmt.Errorf("counters have %d bytes, want 9 or more", len(v))
	}
	c := schema.Counters{ID: binary.BigEndian.Uint32(v[1:]), Seq: binary.BigEndian.Uint32(v[5:]), Subjects: map[schema.Kind]uint32{}}
	switch rest := v[9:]; {
	case v[0] == 1 && len(rest) == 0:
	case v[0] == 2 && len(rest) == 4:
		if n := binary.BigEndian.Uint32(rest); n > 0 {
			c.Subjects[FirstKind] = n
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

// Codec writes and reads records. It is safe for concurrent use.
type Codec struct {
	enc cbor.EncMode
	dec cbor.DecMode
}

// NewCodec returns a codec.
func NewCodec() (*Codec, error) {
	enc, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		return nil, fmt.Errorf("schema encoding: %w", err)
	}
	// Names are what clients sent, UTF-8 or not.
	dec, err := cbor.DecOptions{DupMapKey: cbor.DupMapKeyEnforcedAPF, UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		return nil, fmt.Errorf("schema decoding: %w", err)
	}
	return &Codec{enc, dec}, nil
}

// Event returns the stored form of an event key.
func (c *Codec) Event(ev *schema.Record) ([]byte, error) {
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

// ReadEvent reads what Event returned, of the event with the id.
func (c *Codec) ReadEvent(id uint32, v []byte) (schema.Record, error) {
	if len(v) == 0 || v[0] != recordVersion {
		return schema.Record{}, errors.New("decode event: unknown version")
	}
	var r eventRecord
	if err := c.dec.Unmarshal(v[1:], &r); err != nil {
		return schema.Record{}, fmt.Errorf("decode event: %w", err)
	}
	ev := schema.Record{ID: id, Event: schema.Event{Key: r.Key, Seq: r.Seq}, Last: r.NextNum, Whitelist: r.Whitelist}
	if len(r.Segments) == 0 {
		return ev, nil
	}
	ev.Event.Segments, ev.Numbers = make([]schema.Segment, len(r.Segments)), make([]uint32, len(r.Segments)) // and no more: there are many apps
	for i, s := range r.Segments {
		ev.Event.Segments[i] = schema.Segment{
			Name: s.Name, Slot: schema.Slot{Kind: s.Kind, Index: s.Index}, Was: schema.Slot{Kind: s.WasKind, Index: s.WasIndex}, Omitted: s.Omitted, Opaque: s.Opaque,
		}
		ev.Numbers[i] = s.Num
	}
	return ev, nil
}

// Subject returns the stored form of a subject.
func (c *Codec) Subject(v *schema.Subject) ([]byte, error) {
	b, err := c.enc.Marshal(subjectRecord{Name: v.Name, Alias: v.Alias, Tags: v.Tags, Note: v.Note})
	if err != nil {
		return nil, fmt.Errorf("encode subject: %w", err)
	}
	return append([]byte{recordVersion}, b...), nil
}

// ReadSubject reads what Subject returned, of the subject with the number.
func (c *Codec) ReadSubject(num uint32, b []byte) (*schema.Subject, error) {
	if len(b) == 0 || b[0] != recordVersion {
		return nil, errors.New("decode subject: unknown version")
	}
	var r subjectRecord
	if err := c.dec.Unmarshal(b[1:], &r); err != nil {
		return nil, fmt.Errorf("decode subject: %w", err)
	}
	return &schema.Subject{Num: num, Name: r.Name, Alias: r.Alias, Tags: r.Tags, Note: r.Note}, nil
}
