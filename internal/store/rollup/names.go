package rollup

import "encoding/binary"

// MaxText is the longest dimension and the longest value, in bytes.
const MaxText = 1024

// Other is the value that stands for all values of a metric that have no cells of their own.
const Other = "[CLY]_other"

// ViewValue is the value under which cells are kept of the view with a number.
func ViewValue(num uint32) string {
	return string(binary.BigEndian.AppendUint32(nil, num))
}

// ViewNumber returns the number of the view in a cell's value; 0 when it holds none.
func ViewNumber(value string) uint32 {
	if len(value) != 4 {
		return 0
	}
	return binary.BigEndian.Uint32([]byte(value))
}
