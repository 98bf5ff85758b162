package pebble

import (
	"encoding/binary"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/rollup"
)

// KeyPrefix is the first byte of every key of this package in the shared
// Pebble database.
const KeyPrefix = kv.PrefixRollup

const (
	appEnd    = 1 + len(model.AppID{}) // end of prefix and app
	metricEnd = appEnd + 1             // end of the metric
	dimStart  = metricEnd + 2          // start of the dimension's bytes
)

// errKey says that bytes under KeyPrefix are no key of the layout.
var errKey = errors.New("rollup: malformed key")

// appendApp appends what all keys of an app begin with.
func appendApp(b []byte, app model.AppID) []byte {
	b = append(b, KeyPrefix)
	return append(b, app[:]...)
}

// appendSeries appends what all keys of a series begin with.
func appendSeries(b []byte, app model.AppID, s rollup.Series) ([]byte, error) {
	if len(s.Dim) > rollup.MaxText {
		return nil, fmt.Errorf("rollup: dimension of metric %d has %d bytes, at most %d are allowed", s.Metric, len(s.Dim), rollup.MaxText)
	}
	b = appendApp(b, app)
	b = append(b, byte(s.Metric))
	b = binary.BigEndian.AppendUint16(b, uint16(len(s.Dim)))
	return append(b, s.Dim...), nil
}

// appendBucket appends the part of the key between series and value.
func appendBucket(b []byte, g rollup.Grain, bucket rollup.Bucket) []byte {
	b = append(b, byte(g))
	return binary.BigEndian.AppendUint32(b, uint32(bucket))
}

// appendKey appends the whole key of a cell.
func appendKey(b []byte, app model.AppID, k rollup.Key) ([]byte, error) {
	if len(k.Value) > rollup.MaxText {
		return nil, fmt.Errorf("rollup: value of metric %d has %d bytes, at most %d are allowed", k.Series.Metric, len(k.Value), rollup.MaxText)
	}
	b, err := appendSeries(b, app, k.Series)
	if err != nil {
		return nil, err
	}
	b = appendBucket(b, k.Grain, k.Bucket)
	return append(b, k.Value...), nil
}

// seriesLen returns how many bytes of a cell's key name the series.
func seriesLen(key []byte) (int, error) {
	if len(key) < dimStart {
		return 0, errKey
	}
	n := dimStart + int(binary.BigEndian.Uint16(key[metricEnd:]))
	if len(key) < n+5 {
		return 0, errKey
	}
	return n, nil
}

// successor returns the smallest key above all keys that begin with prefix;
// nil when there is none. It changes prefix.
func successor(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			prefix[i]++
			return prefix[:i+1]
		}
	}
	return nil
}
