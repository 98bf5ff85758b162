package query

import (
	"math"
	"strconv"
)

// Figure is a number of a summary beside that of the period before.
type Figure[T int64 | float64 | string] struct {
	Total T `json:"total"`
	// Change is "NA", or a percentage with at most one decimal.
	Change string `json:"change"`
	// Trend is "u" for up and equal, "d" for down.
	Trend string `json:"trend"`
}

// figure compares now with before. Total is set by the caller.
func figure[T int64 | float64 | string](total T, now, before float64) Figure[T] {
	return ratioFigure(total, ratio{now, 1}, ratio{before, 1})
}

// ratio is num/den, or 0 when den is 0. It is not divided, so that halves stay
// halves when they are rounded. den is not negative.
type ratio struct{ num, den float64 }

// ratioFigure compares now with before. Total is set by the caller.
func ratioFigure[T int64 | float64 | string](total T, now, before ratio) Figure[T] {
	f := Figure[T]{Total: total, Change: "NA", Trend: "u"}
	if before.num == 0 || before.den == 0 || math.IsNaN(now.num) || math.IsNaN(before.num) {
		return f
	}
	if now.den == 0 {
		now = ratio{0, 1}
	}
	was := before.num * now.den
	diff := now.num*before.den - was
	if diff < 0 {
		f.Trend = "d"
	}
	if now.num == 0 {
		// Clients know a fall to nothing as a change of 100%, without a sign.
		f.Change = "100%"
		return f
	}
	t := tenths(math.Abs(diff)*100, math.Abs(was))
	text := strconv.FormatInt(t/10, 10)
	if t%10 != 0 {
		text += "." + strconv.FormatInt(t%10, 10)
	}
	if diff < 0 && t != 0 {
		text = "-" + text
	}
	f.Change = text + "%"
	return f
}

// tenths returns num/den in tenths, halves rounded up; 0 when den is 0. Both
// must not be negative.
func tenths(num, den float64) int64 {
	if den == 0 {
		return 0
	}
	x := math.Floor(num*10/den + 0.5)
	if x > math.MaxInt64/2 || math.IsNaN(x) {
		return math.MaxInt64 / 2
	}
	return int64(x)
}

// oneDecimal writes num/den with one decimal, halves rounded up.
func oneDecimal(num, den float64) string {
	sign := ""
	if num < 0 {
		sign, num = "-", -num
	}
	t := tenths(num, den)
	if t == 0 {
		sign = ""
	}
	return sign + strconv.FormatInt(t/10, 10) + "." + strconv.FormatInt(t%10, 10)
}

// percent returns the share of part in whole with at most one decimal.
func percent(part, whole int64) float64 {
	return float64(tenths(float64(part)*100, float64(whole))) / 10
}

// duration writes seconds divided by n as people read it: "1.5 min", "8.1
// hours", "2.0 days", "0.5 years".
func duration(seconds, n float64) string {
	if n == 0 {
		return "0.0 min"
	}
	const (
		minute = 60
		hour   = 60 * minute
		day    = 24 * hour
		year   = 365 * day
	)
	switch each := seconds / n; {
	case each < hour:
		return oneDecimal(seconds, n*minute) + " min"
	case each < day:
		return oneDecimal(seconds, n*hour) + " hours"
	case each < 100*day:
		return oneDecimal(seconds, n*day) + " days"
	default:
		return oneDecimal(seconds, n*year) + " years"
	}
}
