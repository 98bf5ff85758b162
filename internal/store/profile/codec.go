package profile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/fxamacker/cbor/v2"

	"quipu/internal/model"
)

// profileVersion is the first byte of a stored profile.
const profileVersion = 1

// Codec turns profiles into bytes and back: a version byte and CBOR in its
// core deterministic form (docs/format/profile.md). It is safe for concurrent use.
type Codec struct {
	enc cbor.UserBufferEncMode
	dec cbor.DecMode
}

// NewCodec returns a Codec.
func NewCodec() (*Codec, error) {
	enc, err := cbor.CoreDetEncOptions().UserBufferEncMode()
	if err != nil {
		return nil, fmt.Errorf("profile encoding: %w", err)
	}
	dec, err := cbor.DecOptions{
		DupMapKey:       cbor.DupMapKeyEnforcedAPF,
		IndefLength:     cbor.IndefLengthForbidden,
		TagsMd:          cbor.TagsForbidden,
		IntDec:          cbor.IntDecConvertSignedOrFail,
		DefaultMapType:  reflect.TypeFor[map[string]any](),
		UTF8:            cbor.UTF8DecodeInvalid, // clients send what they like
		MaxNestedLevels: 64,
	}.DecMode()
	if err != nil {
		return nil, fmt.Errorf("profile decoding: %w", err)
	}
	return &Codec{enc: enc, dec: dec}, nil
}

// Encode appends the stored form of p to buf.
func (c *Codec) Encode(buf *bytes.Buffer, p *model.Profile) error {
	buf.WriteByte(profileVersion)
	if err := c.enc.MarshalToBuffer(p, buf); err != nil {
		return fmt.Errorf("encode profile: %w", err)
	}
	return nil
}

// Decode reads what Encode wrote. The profile shares nothing with value.
func (c *Codec) Decode(value []byte) (*model.Profile, error) {
	if len(value) == 0 {
		return nil, errors.New("decode profile: it is empty")
	}
	if value[0] != profileVersion {
		return nil, fmt.Errorf("decode profile: unknown version %d", value[0])
	}
	p := new(model.Profile)
	if err := c.dec.Unmarshal(value[1:], p); err != nil {
		return nil, fmt.Errorf("decode profile: %w", err)
	}
	return p, nil
}
