package outcome

import (
	"fmt"
	"strconv"
	"strings"
)

// Outcomes are stored by UTC day and quarter of an hour, so that they can be read by the local days of any
// time zone: every zone is whole quarters off UTC.

const daySeconds = 24 * 60 * 60

// Place returns the UTC day since 1970 and the quarter of an hour, 0 to 95, of an instant in ms since 1970 UTC;
// instants before 1970 are in the first quarter.
func Place(ms int64) (day uint32, quarter uint8) {
	s := max(ms, 0) / 1000
	return uint32(s / daySeconds), uint8(s % daySeconds / quarterSeconds) // 96 quarters; days of an int64 of ms are far below 1<<32 for the clock's times
}

// Instant returns when a quarter of a UTC day began, ms since 1970 UTC.
func Instant(day uint32, quarter uint8) int64 {
	return (int64(day)*daySeconds + int64(quarter)*quarterSeconds) * 1000
}

// Value is the value of a cell: what is counted, and the quarter of its UTC day. What is item, "accepted",
// "dropped" or "clamped", and a reason, joined by NUL.
func Value(what string, quarter uint8) string { return fmt.Sprintf("%s\x00%02d", what, quarter) }

// SplitValue takes the value of a cell apart. Cells written before quarters were kept have none: they are of a whole day
// of the calendar their app had then, and dated is false.
func SplitValue(value string) (what string, quarter uint8, dated bool) {
	at := strings.LastIndexByte(value, 0)
	if at < 0 || strings.Count(value, "\x00") < 3 {
		return value, 0, false
	}
	n, err := strconv.ParseUint(value[at+1:], 10, 8)
	if err != nil || n >= daySeconds/quarterSeconds {
		return value, 0, false
	}
	return value[:at], uint8(n), true
}
