package model

import (
	"maps"
	"slices"
)

// Profile is one document per app user: what is known of a person using one
// device id in one app. Keys in the wire's short form stand in the tags;
// absent values are zero and stay off the wire. Times are seconds since 1970
// unless said otherwise.
//
// A profile belongs to the pipeline shard of its app while a batch runs; all
// others get copies.
type Profile struct {
	ID  ProfileID `cbor:"1,keyasint"`
	UID uint32    `cbor:"2,keyasint"` // number in its app, from 1
	DID string    `cbor:"3,keyasint"` // device id

	// Dims are technology and place, of the last session that reported them. Each has a key of its own in the stored form, see
	// Dimension.Stored.
	Dims Dims `cbor:"-"`
	// Loc is [lat, lng]; nil when unknown or opted out.
	Loc *[2]float64 `cbor:"21,keyasint,omitempty"`
	// NoLocation is set by a location opt-out and cleared by a new location.
	NoLocation bool `cbor:"22,keyasint,omitempty"`

	// Activity.
	FirstSession  int64   `cbor:"30,keyasint,omitempty"` // fs
	LastSession   int64   `cbor:"31,keyasint,omitempty"` // ls, start of the last session
	FirstActivity int64   `cbor:"32,keyasint,omitempty"` // fac, device clock
	LastActivity  int64   `cbor:"33,keyasint,omitempty"` // lac, device clock
	FirstSync     int64   `cbor:"34,keyasint,omitempty"` // first_sync, server clock
	LastSync      int64   `cbor:"35,keyasint,omitempty"` // last_sync, server clock
	Sessions      int64   `cbor:"36,keyasint,omitempty"` // sc
	LastDuration  float64 `cbor:"37,keyasint,omitempty"` // sd, s of the last session
	TotalDuration float64 `cbor:"38,keyasint,omitempty"` // tsd, s of all sessions

	// Assigned says that a management call set counters or times of activity, so
	// that they do not follow from what was received.
	Assigned bool `cbor:"39,keyasint,omitempty"`

	// The open session, if any.
	Open SessionState `cbor:"40,keyasint,omitempty"`
	// LastEnd is when the last session ended (ms, device clock), for the cooldown; 0 = never.
	LastEnd int64 `cbor:"41,keyasint,omitempty"`
	// Ended is the session that LastEnd closed, as it was then: a begin within the
	// cooldown takes it up again. The zero value when LastEnd is 0.
	Ended SessionState `cbor:"42,keyasint,omitempty"`

	// LastRequest is the place in the journal of the last request of the user; 0 = none since the server keeps it.
	LastRequest uint64 `cbor:"46,keyasint,omitempty"`

	// LastView is the name of the view visited last and LastViewAt when (s, device clock); Views
	// counts the visits of the last session.
	LastView   string `cbor:"43,keyasint,omitempty"` // lv
	LastViewAt int64  `cbor:"44,keyasint,omitempty"` // lvt
	Views      int64  `cbor:"45,keyasint,omitempty"` // vc

	// Named properties; "" is unset.
	Name         string `cbor:"50,keyasint,omitempty"`
	Username     string `cbor:"51,keyasint,omitempty"`
	Email        string `cbor:"52,keyasint,omitempty"`
	Organization string `cbor:"53,keyasint,omitempty"`
	Phone        string `cbor:"54,keyasint,omitempty"`
	Gender       string `cbor:"55,keyasint,omitempty"`
	BirthYear    int64  `cbor:"56,keyasint,omitempty"` // byear
	Picture      string `cbor:"57,keyasint,omitempty"`

	// Custom properties: string, float64, bool, or []any of these. A value of another type cannot be stored, which stops ingestion.
	Custom map[string]any `cbor:"60,keyasint,omitempty"`
	// Consent is the last full state sent by the SDK.
	Consent map[string]bool `cbor:"61,keyasint,omitempty"`
	// Campaign is the attribution of the install: campaign_id, campaign_user.
	Campaign map[string]string `cbor:"62,keyasint,omitempty"`
	// Extra holds what features keep on a profile, by feature; values as Custom.
	Extra map[string]any `cbor:"63,keyasint,omitempty"`

	// State is the number of the row in the states table that holds the
	// profile's present properties; StateHash tells whether they changed.
	State     uint32 `cbor:"70,keyasint,omitempty"`
	StateHash uint64 `cbor:"71,keyasint,omitempty"`
}

// SessionState is the open session of a profile; the zero value is none.
type SessionState struct {
	// ID is the place in the journal of the request that began it; 0 = no session open.
	ID uint64 `cbor:"1,keyasint,omitempty"`
	// Start and Last are the times of begin and of the last sign of life (ms, device clock).
	Start int64 `cbor:"2,keyasint,omitempty"`
	Last  int64 `cbor:"3,keyasint,omitempty"`
	// Seconds accumulated by session_duration.
	Seconds float64 `cbor:"4,keyasint,omitempty"`
	// Seen is the last sign of life by the server's clock (ms); time-outs go by it.
	Seen int64 `cbor:"5,keyasint,omitempty"`
	// Reopened says that the session had ended and was taken up again within the
	// cooldown; it was then counted with ClosedSeconds at ClosedAt (ms, device clock).
	Reopened      bool    `cbor:"6,keyasint,omitempty"`
	ClosedAt      int64   `cbor:"7,keyasint,omitempty"`
	ClosedSeconds float64 `cbor:"8,keyasint,omitempty"`
	// Visits counts the visits of views, View is the number of the one visited last, and Viewed holds the
	// numbers of all in order, each once. Viewed is replaced, never changed in place.
	Visits int64    `cbor:"9,keyasint,omitempty"`
	View   uint32   `cbor:"10,keyasint,omitempty"`
	Viewed []uint32 `cbor:"11,keyasint,omitempty"`
	// Counted says how views were counted when the session ended; it is taken up again with it.
	Counted CountedViews `cbor:"12,keyasint,omitempty"`
}

// CountedViews is what the end of a session counted of views; the zero value is nothing.
type CountedViews struct {
	Exit   uint32 `cbor:"1,keyasint,omitempty"` // the view that was left
	Bounce bool   `cbor:"2,keyasint,omitempty"` // it was the only visit
	Seen   int    `cbor:"3,keyasint,omitempty"` // how many of Viewed
}

// Clone returns a copy that shares nothing with p.
func (p *Profile) Clone() *Profile {
	c := *p
	if p.Loc != nil {
		loc := *p.Loc
		c.Loc = &loc
	}
	c.Custom = cloneValues(p.Custom)
	c.Consent = maps.Clone(p.Consent)
	c.Campaign = maps.Clone(p.Campaign)
	c.Extra = cloneValues(p.Extra)
	c.Open.Viewed, c.Ended.Viewed = slices.Clone(p.Open.Viewed), slices.Clone(p.Ended.Viewed)
	return &c
}

func cloneValues(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = cloneValue(v)
	}
	return out
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = cloneValue(v[i])
		}
		return out
	case map[string]any:
		return cloneValues(v)
	default:
		return v
	}
}
