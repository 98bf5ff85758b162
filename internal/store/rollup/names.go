package rollup

import "encoding/binary"

// MaxText is the longest dimension and the longest value, in bytes.
const MaxText = 1024

// Other is the value that stands for all values of a metric that have no cells of their own.
const Other = "[CLY]_other"

// SubjectValue is the value under which cells are kept of the subject with a number.
func SubjectValue(num uint32) string {
	return string(binary.BigEndian.AppendUint32(nil, num))
}

// SubjectNumber returns the number of the subject in a cell's value; 0 when it holds none.
func SubjectNumber(value string) uint32 {
	if len(value) != 4 {
		return 0
	}
	return binary.BigEndian.Uint32([]byte(value))
}
