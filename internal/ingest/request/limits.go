package request

import (
	"unicode/utf8"
)

// The server's maxima, in bytes unless said otherwise. Longer texts are cut
// at a character; more items than allowed are left out; the rest of the
// request is taken. They are far above the limits clients apply themselves.
const (
	MaxDeviceID      = 1024 // a longer device id is refused, not cut
	MaxEventKey      = 512  //
	MaxSegments      = 256  // of one event, a number
	MaxSegmentName   = 256  //
	MaxSegmentValue  = 4096 // text kept in rows
	MaxAggregate     = 1024 // text of a segment value in aggregates, see Cut
	MaxRaw           = 8192 // a segment value that is an array or object; left out when larger
	MaxMetrics       = 64   // a number
	MaxMetricName    = 128  //
	MaxMetricValue   = 4096 //
	MaxNamedProperty = 4096 // name, email, … of a user
	MaxPropertyKey   = 256  //
	MaxPropertyValue = 4096 // a custom property, and each element of a list
	MaxPropertyList  = 1000 // elements of a list, a number
	MaxProperties    = 500  // changes of custom properties in one request, a number
	MaxTraceName     = 2048 //
	MaxTraceMetric   = 32   // name of a metric of a trace
	MaxConsents      = 128  // a number
	MaxPlace         = 256  // region, city
	MaxText          = 4096 // every other text
)

// The bounds of numbers. A number beyond its bound counts as the bound, and what it came in is
// marked as clamped. They are so far apart from what a float64 and an int64 hold that the sums of
// any number of events that a server can receive stay exact or finite, whatever their order: see
// rollup.MaxCount and rollup.MaxSum.
const (
	MaxCount   = 1_000_000_000 // of one event
	MaxSum     = 1e15          // of one event, also negative
	MaxSeconds = 1e9           // dur of one event, session_duration before its cap
	MaxNumber  = 1e100         // a segment, a custom property, a number inside of a list or object; also negative
)

// Cut shortens s to at most n bytes without breaking a character.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// segmentNUL stands for a NUL character in a segment's value; the missing
// semicolon is part of the protocol.
const segmentNUL = "&#9647"

// replacement stands for NUL characters elsewhere.
const replacement = "\uFFFD"

// plain reports whether b is valid UTF-8 without NUL.
func plain(b []byte) bool {
	ascii := true
	for _, c := range b {
		if c == 0 {
			return false
		}
		if c >= utf8.RuneSelf {
			ascii = false
		}
	}
	return ascii || utf8.Valid(b)
}

// appendClean appends b with NUL replaced by nul and what is not UTF-8 by
// U+FFFD.
func appendClean(dst, b []byte, nul string) []byte {
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == 0:
			dst = append(dst, nul...)
			i++
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRune(b[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		}
	}
	return dst
}

// cutBytes is Cut for bytes. The bytes need not be UTF-8.
func cutBytes(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for low := n - utf8.UTFMax; n > low && n > 0 && !utf8.RuneStart(b[n]); {
		n--
	}
	return b[:n]
}
