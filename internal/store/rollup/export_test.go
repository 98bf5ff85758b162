package rollup

import "github.com/RoaringBitmap/roaring/v2"

// EncodeOperand returns the value of c with replacements, which must be sorted.
func EncodeOperand(c *Cell, r []Alias) ([]byte, error) {
	var e encoder
	err := e.encode(c, r)
	return e.buf, err
}

// DecodeOperand reads a value and looks into its users.
func DecodeOperand(b []byte) (*Cell, []Alias, error) {
	c := &Cell{}
	r, err := decodeAll(b, c, roaring.New())
	return c, r, err
}

// AppendKey appends a cell's key.
var AppendKey = appendKey

// CountSerialised is countUsers.
var CountSerialised = countUsers
