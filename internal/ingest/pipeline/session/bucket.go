package session

import "quipu/internal/model"

const hour = 3600 // s

// frequencyHours are the lower limits of the indices 2 to 11, in hours.
func frequencyHours() [10]int64 {
	return [10]int64{24, 48, 72, 96, 120, 144, 168, 192, 360, 744}
}

// Frequency returns the index of the time since the user's previous session
// start for a session that starts at ts (ms): 0 for the first session, 1 below 24
// hours and when ts lies before the previous start, then days up to 11 for 744
// hours and more. A limit belongs to the index that begins with it.
func Frequency(p *model.Profile, ts int64) int {
	if p.Sessions == 0 {
		return 0
	}
	hours := (ts/1000 - p.LastSession) / hour
	index := 1
	for _, limit := range frequencyHours() {
		if hours < limit {
			break
		}
		index++
	}
	return index
}

// Length returns the index of a session's length in seconds: 0 up to 10 s, 1
// up to 30 s, 2 up to 60 s, 3 up to 3 min, 4 up to 10 min, 5 up to 30 min, 6 up
// to 60 min, 7 beyond. Upper limits belong to their index.
func Length(seconds float64) int {
	for i, limit := range [7]float64{10, 30, 60, 180, 600, 1800, 3600} {
		if seconds <= limit {
			return i
		}
	}
	return 7
}
