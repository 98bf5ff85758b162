// Package period turns what a reader asks for ("30days", "month",
// "[start,end]") into a window of local days, and instants into the buckets
// of local time in which cells are kept.
//
// Everything is reckoned in civil time of one zone, through a [Calendar]. A
// day is the number of days from 1970-01-01 to a civil date, an hour is
// day*24 + wall-clock hour, a month is year*12 + month-1: the numbers that
// rollup.Bucket carries. An hour that the clocks repeat in autumn is one
// bucket; an hour or a day that they skip is a bucket that stays empty.
package period
