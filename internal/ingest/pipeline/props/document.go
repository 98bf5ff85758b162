package props

import (
	"bytes"
	"strings"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// Document is a profile as a management call describes it, with the wire's
// short keys.
type Document struct {
	// DID is the device id; "" when the document names none.
	DID  string
	json []byte
}

// ParseDocument reads a document. The error is ErrUpdate when it is not a
// JSON object.
func ParseDocument(doc []byte) (*Document, error) {
	d := &Document{json: bytes.Clone(doc)}
	err := rawjson.Members(doc, func(key, v []byte) bool {
		if string(key) == "did" {
			d.DID = request.DeviceID(&request.Param{Value: v, JSON: true})
		}
		return true
	})
	if err != nil {
		return nil, ErrUpdate
	}
	return d, nil
}

// Apply brings what the document says into a profile: named and custom
// properties as Update does, technology and place, and the counters and times
// of activity. Everything else is ignored.
func (d *Document) Apply(p *model.Profile) {
	_, _ = Update(p, d.json) // ParseDocument has seen that it is an object
	texts := map[string]*string{}
	for i := range model.Dimensions {
		if model.Dim(i) != model.SDK { // there are few
			texts[model.Dimensions[i].Key] = &p.Dims[i]
		}
	}
	times := map[string]*int64{
		"fs": &p.FirstSession, "ls": &p.LastSession, "fac": &p.FirstActivity, "lac": &p.LastActivity, "sc": &p.Sessions,
	}
	_ = rawjson.Members(d.json, func(key, v []byte) bool {
		name := string(key)
		if to := texts[name]; to != nil {
			if b, ok := rawjson.Text(nil, v); ok {
				*to = request.Cut(strings.ToValidUTF8(strings.ReplaceAll(string(b), "\x00", "\uFFFD"), "\uFFFD"), request.MaxMetricValue)
			}
			return true
		}
		f, ok := rawjson.Float(v)
		if !ok || f < 0 || f > 1<<53 {
			return true
		}
		switch to := times[name]; {
		case to != nil:
			*to, p.Assigned = int64(f), true
		case name == "tsd":
			p.TotalDuration, p.Assigned = f, true
		}
		return true
	})
}
