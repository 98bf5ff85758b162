package pebble

import "encoding/binary"

// MaxBlockBytes is what the payloads of a block have at most.
const MaxBlockBytes = maxBlockBytes

// ParseValue reads a value of the database as it is, or with its checksum put right.
func ParseValue(key, value []byte, repair bool) (first, total uint64, payloads [][]byte, err error) {
	if repair && len(value) >= recordHeader {
		value = append([]byte(nil), value...)
		binary.BigEndian.PutUint32(value[1:], checksum(key, value))
	}
	var s stored
	if err := s.parse(key, value); err != nil {
		return 0, 0, nil, err
	}
	if err := s.check(); err != nil {
		return 0, 0, nil, err
	}
	for offset := s.first(); ; offset++ {
		payloads = append(payloads, s.payload(offset))
		if offset == s.last.offset {
			return s.first(), s.last.total, payloads, nil
		}
	}
}

// FormValue returns the value of a block whose last record has an offset and a total.
func FormValue(offset, total uint64, payloads [][]byte) (key, value []byte) {
	var b block
	for _, p := range payloads {
		b.add(mark{offset, total}, p)
	}
	var p packer
	body := p.form(&b)
	key, value = recordKey(only, offset), append(append(value, p.head...), body...)
	binary.BigEndian.PutUint32(value[1:], checksum(key, value))
	return key, value
}
