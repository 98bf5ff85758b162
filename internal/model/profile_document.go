package model

import (
	"crypto/md5" // the wire names MD5 for this field; it protects nothing
	"encoding/hex"
	"strconv"
)

// Document returns the profile under the wire's short keys. Absent values have no key; times
// are seconds.
func (p *Profile) Document() map[string]any {
	hash := md5.Sum([]byte(p.DID))
	d := map[string]any{
		"_id": p.ID.String(), "uid": strconv.FormatUint(uint64(p.UID), 10), "did": p.DID, "md5_did": hex.EncodeToString(hash[:]),
	}
	for key, v := range map[string]string{
		"name": p.Name, "username": p.Username, "email": p.Email, "organization": p.Organization,
		"phone": p.Phone, "gender": p.Gender, "picture": p.Picture, "lv": p.LastView,
	} {
		if v != "" {
			d[key] = v
		}
	}
	for i := range Dimensions {
		if p.Dims[i] != "" {
			d[Dimensions[i].Key] = p.Dims[i]
		}
	}
	for key, v := range map[string]int64{
		"fs": p.FirstSession, "ls": p.LastSession, "fac": p.FirstActivity, "lac": p.LastActivity,
		"first_sync": p.FirstSync, "last_sync": p.LastSync, "sc": p.Sessions, "byear": p.BirthYear,
		"lvt": p.LastViewAt, "vc": p.Views,
	} {
		if v != 0 {
			d[key] = v
		}
	}
	for key, v := range map[string]float64{"sd": p.LastDuration, "tsd": p.TotalDuration} {
		if v != 0 {
			d[key] = v
		}
	}
	if p.Loc != nil {
		d["lat"], d["lng"] = p.Loc[0], p.Loc[1]
	}
	if p.HasInfo() {
		d["hasInfo"] = true
	}
	if len(p.Custom) > 0 {
		d["custom"] = p.Custom
	}
	if len(p.Consent) > 0 {
		d["consent"] = p.Consent
	}
	if len(p.Campaign) > 0 {
		d["cmp"] = p.Campaign
	}
	return d
}

// HasInfo reports whether any named property is known.
func (p *Profile) HasInfo() bool {
	for _, v := range []string{p.Name, p.Username, p.Email, p.Organization, p.Phone, p.Gender, p.Picture} {
		if v != "" {
			return true
		}
	}
	return p.BirthYear != 0
}
