// Package merge unites two profiles of one person: a device that changed its
// id (old) goes into the profile of the new id.
//
// The rules, where "newer" is the profile with the later activity (by the
// device's clock, in seconds, then the one whose last request was accepted later,
// then by the server's clock, then the one that stays):
//
//   - the profile that stays keeps its id, device id and number;
//   - plain fields: the newer wins, a field only one side has is kept;
//   - counters add up, first times take the minimum, last times the maximum;
//   - custom properties, consent, attribution and what features keep are united key by key,
//     the newer wins on conflict; lists that features keep are united;
//   - what else features keep is theirs to merge (pipeline.Feature);
//   - the open session of the old profile moves when the new one has none.
package merge

import (
	"maps"

	"quipu/internal/ingest/pipeline/session"
	"quipu/internal/model"
)

// Into moves what is known of old into p, which stays. It returns the session
// of old that had to close because p has one open too; nil when there is none.
// Neither profile shares a map with the other afterwards, but values are shared:
// they are never changed in place.
func Into(p, old *model.Profile) *session.Closed {
	pNewer := newer(p, old)
	recent, rest := p, old
	if !pNewer {
		recent, rest = old, p
	}
	place(p, *recent, *rest)
	fields(p, *recent, *rest)
	activity(p, old)
	return sessions(p, old)
}

// newer reports whether p was active last; p wins a draw. Profiles stored before LastRequest was kept
// may lack it, and lose to those that have it: they were not heard of since.
func newer(p, old *model.Profile) bool {
	if p.LastActivity != old.LastActivity {
		return p.LastActivity > old.LastActivity
	}
	if p.LastRequest != old.LastRequest {
		return p.LastRequest > old.LastRequest
	}
	return p.LastSync >= old.LastSync
}

// place unites where both sides are; region, city and position of another
// country than the newer one are forgotten. A user who opted out last has no place. An older
// opt-out brings none back, and holds while nothing newer is known.
func place(p *model.Profile, recent, rest model.Profile) {
	p.Dims[model.Country], p.Dims[model.Region], p.Dims[model.City] = recent.Dims[model.Country], recent.Dims[model.Region], recent.Dims[model.City]
	p.Loc, p.NoLocation = recent.Loc, recent.NoLocation
	switch {
	case recent.NoLocation:
	case rest.NoLocation:
		if !told(recent.Dims[model.Country]) && !told(recent.Dims[model.City]) && recent.Loc == nil {
			p.Dims[model.Country], p.Dims[model.City], p.NoLocation = rest.Dims[model.Country], rest.Dims[model.City], true
		}
	case told(recent.Dims[model.Country]) && told(rest.Dims[model.Country]) && recent.Dims[model.Country] != rest.Dims[model.Country]:
	default:
		p.Dims[model.Country] = known(recent.Dims[model.Country], rest.Dims[model.Country])
		p.Dims[model.Region] = known(recent.Dims[model.Region], rest.Dims[model.Region])
		p.Dims[model.City] = known(recent.Dims[model.City], rest.Dims[model.City])
		if recent.Loc == nil {
			p.Loc = rest.Loc
		}
	}
}

func fields(p *model.Profile, recent, rest model.Profile) {
	for i := range p.Dims {
		switch d := &model.Dimensions[i]; {
		case model.Dim(i) == model.Country, model.Dim(i) == model.Region, model.Dim(i) == model.City: // there are few
		case d.Required:
			p.Dims[i] = known(recent.Dims[i], rest.Dims[i])
		default:
			p.Dims[i] = pick(recent.Dims[i], rest.Dims[i])
		}
	}
	for _, f := range texts() {
		*f(p) = pick(*f(&recent), *f(&rest))
	}
	p.BirthYear = pick(recent.BirthYear, rest.BirthYear)
	p.Custom = unite(recent.Custom, rest.Custom)
	p.Consent = unite(recent.Consent, rest.Consent)
	p.Campaign = unite(recent.Campaign, rest.Campaign)
	p.Extra = extra(recent.Extra, rest.Extra)
}

// texts lists the plain text fields but for the dimensions.
func texts() []func(*model.Profile) *string {
	return []func(*model.Profile) *string{
		func(p *model.Profile) *string { return &p.Name },
		func(p *model.Profile) *string { return &p.Username },
		func(p *model.Profile) *string { return &p.Email },
		func(p *model.Profile) *string { return &p.Organization },
		func(p *model.Profile) *string { return &p.Phone },
		func(p *model.Profile) *string { return &p.Gender },
		func(p *model.Profile) *string { return &p.Picture },
	}
}

// activity adds counters and widens spans of time.
func activity(p, old *model.Profile) {
	if old.LastSession > p.LastSession {
		p.LastDuration = old.LastDuration
	}
	p.Assigned = p.Assigned || old.Assigned
	p.Sessions += old.Sessions
	p.TotalDuration += old.TotalDuration
	p.FirstSession = first(p.FirstSession, old.FirstSession)
	p.FirstActivity = first(p.FirstActivity, old.FirstActivity)
	p.FirstSync = first(p.FirstSync, old.FirstSync)
	p.LastSession = max(p.LastSession, old.LastSession)
	p.LastActivity = max(p.LastActivity, old.LastActivity)
	p.LastSync = max(p.LastSync, old.LastSync)
	p.LastRequest = max(p.LastRequest, old.LastRequest)
}

// sessions settles the open sessions of both and the one that ended last.
func sessions(p, old *model.Profile) *session.Closed {
	if p.Open.ID != 0 {
		p.LastEnd, p.Ended = 0, model.SessionState{}
		if old.Open.ID == 0 {
			return nil
		}
		last := p.LastDuration
		closing := *old
		c := session.Abandon(&closing)
		p.LastDuration = last
		return c
	}
	if old.Open.ID != 0 {
		p.Open = old.Open
		p.LastDuration = old.Open.Seconds
		p.LastEnd, p.Ended = 0, model.SessionState{}
		return nil
	}
	if old.LastEnd > p.LastEnd {
		p.LastEnd, p.Ended = old.LastEnd, old.Ended
	}
	return nil
}

// pick returns the first value that is not zero.
func pick[T comparable](a, b T) T {
	var zero T
	if a != zero {
		return a
	}
	return b
}

// known is pick for places, where "Unknown" is as good as nothing when the
// other side knows.
func known(a, b string) string {
	if a == "" || (!told(a) && b != "") {
		return b
	}
	return a
}

// told reports whether a country or city is known.
func told(place string) bool { return place != "" && place != model.Unknown }

// first returns the smaller of two times, 0 being no time.
func first(a, b int64) int64 {
	if a == 0 || (b != 0 && b < a) {
		return b
	}
	return a
}

// unite returns a new map of both sides' keys; recent wins on conflict. Two
// empty maps give nil.
func unite[V any](recent, rest map[string]V) map[string]V {
	if len(recent)+len(rest) == 0 {
		return nil
	}
	out := make(map[string]V, len(recent)+len(rest))
	maps.Copy(out, rest)
	maps.Copy(out, recent)
	return out
}

// extra unites what features keep: as unite, but two lists become one with
// the elements of both, the older's first, and two maps are united in the same way.
func extra(recent, rest map[string]any) map[string]any {
	out := unite(recent, rest)
	for k, a := range rest {
		b, both := recent[k]
		if !both {
			continue
		}
		switch a := a.(type) {
		case []any:
			if b, ok := b.([]any); ok {
				out[k] = lists(a, b)
			}
		case map[string]any:
			if b, ok := b.(map[string]any); ok {
				out[k] = extra(b, a)
			}
		}
	}
	return out
}

// lists returns the elements of a and those of b that a lacks. Elements that
// are no plain values are kept as they are.
func lists(a, b []any) []any {
	seen := make(map[any]bool, len(a)+len(b))
	out := make([]any, 0, len(a)+len(b))
	for _, list := range [2][]any{a, b} {
		for _, v := range list {
			switch v.(type) {
			case string, float64, bool, int64, uint64, nil:
				if seen[v] {
					continue
				}
				seen[v] = true
			}
			out = append(out, v)
		}
	}
	return out
}
