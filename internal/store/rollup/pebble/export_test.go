package pebble

import (
	"github.com/RoaringBitmap/roaring/v2"

	"quipu/internal/store/rollup"
)

// EncodeOperand returns the value of c with replacements, which must be sorted.
func EncodeOperand(c *rollup.Cell, r []rollup.Alias) ([]byte, error) {
	var e encoder
	err := e.encode(c, r)
	return e.buf, err
}

// DecodeOperand reads a value and looks into its users.
func DecodeOperand(b []byte) (*rollup.Cell, []rollup.Alias, error) {
	c := &rollup.Cell{}
	r, err := decodeAll(b, c, roaring.New())
	return c, r, err
}

// AppendKey appends a cell's key.
var AppendKey = appendKey

// CountSerialised is countUsers.
var CountSerialised = countUsers

// FollowAllBytes is subscribersBytes.
const FollowAllBytes = subscribersBytes

// Waiting returns how many bytes wait for all subscribers, and how many c believes they are.
func Waiting(c *Changes) (bytes, counted int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, list := range c.subscribers {
		for _, f := range list {
			for _, a := range f.waiting {
				bytes += len(a.operand)
			}
		}
	}
	return bytes, c.bytes
}
