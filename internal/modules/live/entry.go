package live

import (
	"strconv"

	"quipu/internal/ingest/pipeline"
)

// feedEvent is what an event of type feed holds.
type feedEvent struct {
	Entries []entry `json:"entries"`
	Skipped int     `json:"skipped,omitempty"` // requests that were left out before them
	Past    bool    `json:"past,omitempty"`    // they were recorded before the stream was opened
}

// entry is a request in the feed; what is unknown or not so is left out.
type entry struct {
	ID      string  `json:"id"`
	At      int64   `json:"at"`            // ms, when it was received
	TS      int64   `json:"ts"`            // ms, when it happened
	UID     string  `json:"uid,omitempty"` // for those who may read users
	New     bool    `json:"new,omitempty"`
	Begin   bool    `json:"begin,omitempty"`
	End     bool    `json:"end,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	Crash   bool    `json:"crash,omitempty"`
	Consent bool    `json:"consent,omitempty"`
	Person  bool    `json:"person,omitempty"`
	Events  []event `json:"events,omitempty"`
	More    int     `json:"more,omitempty"`
	Country string  `json:"country,omitempty"`
	City    string  `json:"city,omitempty"`
	Device  string  `json:"device,omitempty"`
	OS      string  `json:"os,omitempty"`
	Browser string  `json:"browser,omitempty"`
	Version string  `json:"version,omitempty"`
}

type event struct {
	Key      string      `json:"key"`
	Count    int64       `json:"count"`
	Sum      float64     `json:"sum,omitempty"`
	Dur      float64     `json:"dur,omitempty"`
	Segments [][2]string `json:"segments,omitempty"`
	More     int         `json:"more,omitempty"`
}

// entryOf writes an arrival; named says whether it tells whose it is.
func entryOf(a pipeline.Arrival, named bool) entry {
	e := entry{
		ID: strconv.FormatUint(a.Offset, 10), At: a.Received, TS: a.TS, New: a.New, Begin: a.Began, End: a.Ended, Seconds: a.Seconds,
		Crash: a.Crash, Consent: a.Consent, Person: a.Person, More: a.More,
		Country: a.Country, City: a.City, Device: a.Device, OS: a.OS, Browser: a.Browser, Version: a.AppVersion,
	}
	if named {
		e.UID = strconv.FormatUint(uint64(a.UID), 10)
	}
	for _, ev := range a.Events {
		out := event{Key: ev.Key, Count: ev.Count, Sum: ev.Sum, Dur: ev.Dur, More: ev.More}
		for _, s := range ev.Segments {
			out.Segments = append(out.Segments, [2]string{s.Name, s.Value})
		}
		e.Events = append(e.Events, out)
	}
	return e
}
