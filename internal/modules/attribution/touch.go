package attribution

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// touchKey is the key of the rows of touches: what brought a user, whenever something did.
const touchKey = "[CLY]_touch"

// kind is that of what visits are counted by: sources, media, campaigns, contents, keywords and campaign ids. Their names are
// those of the dimension and of the value, joined by unit.
const kind schema.Kind = 20

// maxSubjects is how many an app has at most. Visits by further ones count by channel alone.
const maxSubjects = 50_000

// unit separates texts that clients send.
const unit = "\x1f"

// The metrics.
const (
	byChannel    rollup.Metric = 90 // value = channel; Count = sessions begun, New = those of new users
	visits       rollup.Metric = 91 // dim below, value = subject; as byChannel
	ofCampaigns  rollup.Metric = 92 // value = subject of an id; Count = sessions begun by users of the campaign
	installsFrom rollup.Metric = 93 // value = subject of an id; Count = users whom the campaign brought
)

// The dimensions of visits, which are segments of touches, too.
const (
	dimSource   = "source"
	dimMedium   = "medium"
	dimCampaign = "campaign"
	dimContent  = "content"
	dimKeyword  = "keyword"
	dimID       = "id"
)

func dimensions() []string {
	return []string{dimSource, dimMedium, dimCampaign, dimContent, dimKeyword, dimID}
}

// organic is the id by which SDKs say that no campaign brought a user.
const organic = "cly_organic"

// lasting is how long before a session begins a touch may be that brought it, in ms.
const lasting = 30 * 60 * 1000

// origin is where a user came from. Absent texts are "".
type origin struct {
	Channel  string
	Source   string
	Medium   string
	Campaign string
	Content  string
	Term     string
	ID       string // of a campaign
}

// of returns what an origin has in a dimension.
func (o *origin) of(dim string) string {
	switch dim {
	case dimSource:
		return o.Source
	case dimMedium:
		return o.Medium
	case dimCampaign:
		return o.Campaign
	case dimContent:
		return o.Content
	case dimKeyword:
		return o.Term
	case dimID:
		return o.ID
	}
	return o.Channel
}

func (o *origin) drop(dim string) {
	switch dim {
	case dimSource:
		o.Source = ""
	case dimMedium:
		o.Medium = ""
	case dimCampaign:
		o.Campaign = ""
	case dimContent:
		o.Content = ""
	case dimKeyword:
		o.Term = ""
	case dimID:
		o.ID = ""
	}
}

// ingestion is the module's part in ingestion.
func ingestion() *pipeline.Feature {
	return &pipeline.Feature{
		Name: feature, Subjects: kind, MostSubjects: maxSubjects,
		Fields: []string{"campaign_id", "campaign_user", "attribution_data", "aid"}, Rows: []string{touchKey},
		Steps: []pipeline.Addition{
			{After: pipeline.StepEnrich, Step: pipeline.Step{Name: "origin", Apply: arrive}},
			{After: pipeline.StepExpand, Step: pipeline.Step{Name: "touch", Apply: record}},
		},
		Count: func(c *pipeline.Counter, row *events.Row, recorded pipeline.Texts) {
			if id := recorded.Text(dimID); id != "" && recorded.Text("install") != "" {
				if n, ok := c.Subjects.See(subjectName(dimID, id), "", ""); ok {
					cell := c.Subject(row.TS, installsFrom, n)
					cell.Count++
					cell.AddUser(row.UID)
				}
			}
		},
		Sessions: pipeline.Sessions{Began: begin, ReadBegin: readBegin},
		Metrics: []pipeline.Metric{
			{Number: byChannel, Name: "visits by channel"},
			{Number: visits, Name: "visits by origin", Subject: "origin"},
			{Number: ofCampaigns, Name: "sessions of campaigns", Subject: "campaign"},
			{Number: installsFrom, Name: "installs of campaigns", Subject: "campaign"},
		},
		Merge: merge, Places: places,
		State: func(p *model.Profile) map[string]any {
			kept, _ := p.Extra[feature].(map[string]any)
			first := touchOf(kept["first"])
			if first == nil {
				return nil
			}
			out := map[string]any{}
			for _, dim := range []string{"channel", dimSource, dimMedium, dimCampaign} {
				if v := first.of(dim); v != "" {
					out[dim] = v
				}
			}
			return out
		},
		Erase: func(s *pipeline.Erasing, own []pipeline.OwnValues) {
			for _, v := range own {
				if v.Event != touchKey || !slices.Contains(dimensions(), v.Segment) {
					continue
				}
				names := make([]string, len(v.Values))
				for i, value := range v.Values {
					names[i] = subjectName(v.Segment, value)
				}
				s.Delete(names)
			}
		},
	}
}

func subjectName(dim, value string) string { return dim + unit + value }

// touch is an origin at a time.
type touch struct {
	origin
	TS   int64 // ms
	Used bool  // a session counts under it
}

// user is what a profile keeps: the first and the latest touch, and the campaign that brought the user. touched and installed are the
// places in the journal of the requests that the latest row of a touch, and the install, belong to; 0 = there is none.
type user struct {
	first, last        *touch
	install            string
	touched, installed uint64
}

func userOf(p *model.Profile) (u user) {
	kept, _ := p.Extra[feature].(map[string]any)
	u.first, u.last = touchOf(kept["first"]), touchOf(kept["last"])
	u.install, _ = kept["install"].(string)
	u.touched, u.installed = placeOf(kept["touched"]), placeOf(kept["installed"])
	return u
}

// lastOf returns the latest touch of a user; nil when there is none.
func lastOf(p *model.Profile) *touch {
	kept, _ := p.Extra[feature].(map[string]any)
	return touchOf(kept["last"])
}

func placeOf(kept any) uint64 {
	text, _ := kept.(string)
	if text == "" {
		return 0
	}
	place, _ := strconv.ParseUint(text, 10, 64)
	return place
}

// keep stores what is known of the user in the profile, whose maps it replaces.
func (u user) keep(p *model.Profile) {
	kept := map[string]any{}
	if u.first != nil {
		kept["first"] = u.first.text()
	}
	if u.last != nil {
		kept["last"] = u.last.text()
	}
	if u.install != "" {
		kept["install"], kept["installed"] = u.install, strconv.FormatUint(u.installed, 10)
	}
	if u.touched != 0 {
		kept["touched"] = strconv.FormatUint(u.touched, 10)
	}
	p.Extra = maps.Clone(p.Extra)
	if p.Extra == nil {
		p.Extra = map[string]any{}
	}
	p.Extra[feature] = kept
}

// places replaces the places in the journal.
func places(p *model.Profile, to func(place uint64) uint64) {
	u := userOf(p)
	if u.touched == 0 && u.installed == 0 {
		return
	}
	u.touched, u.installed = to(u.touched), to(u.installed)
	u.keep(p)
}

// merge keeps the earlier of the first touches with the campaign that brought the user, and the later of the latest.
func merge(p, was, old *model.Profile) {
	a, b := userOf(was), userOf(old)
	if b == (user{}) {
		return
	}
	if a == (user{}) {
		b.keep(p)
		return
	}
	if a.first == nil || b.first != nil && b.first.TS < a.first.TS {
		a.first = b.first
		if b.install != "" {
			a.install, a.installed = b.install, b.installed
		}
	}
	if a.install == "" {
		a.install, a.installed = b.install, b.installed
	}
	if a.last == nil || b.last != nil && b.last.TS > a.last.TS {
		a.last = b.last
	}
	a.keep(p)
}

// reported returns what a request says of where its user came from; false when that is nothing.
func reported(it *pipeline.Item) (origin, bool) {
	var o origin
	if it.Began != nil {
		if from := strings.TrimSpace(it.Request.Metrics.Get("_store")); strings.Contains(from, "://") {
			o = ofAddress(from)
		} else if from != "" && it.Began.New {
			o = origin{Channel: store, Source: clean(from)}
		}
	}
	if tags := tagged(it.Request.User); tags.Source+tags.Medium+tags.Campaign != "" {
		tags.Channel = ofMedium(tags.Medium, tags.Source)
		if tags.Term == "" && tags.Channel == o.Channel {
			tags.Term = o.Term
		}
		o = tags
	}
	if id := clean(it.Request.CampaignID); id != "" {
		if o.ID = id; o.Channel == "" && id != organic {
			o.Channel = campaign
		}
	}
	return o, o != origin{}
}

// tagged returns the UTM tags among the custom properties that a request sets.
func tagged(u *request.UserDetails) (o origin) {
	if u == nil {
		return o
	}
	for i := range u.Custom {
		c := &u.Custom[i]
		name, ok := strings.CutPrefix(c.Key, "utm_")
		value, isText := c.Value.(string)
		if !ok || !isText || c.Op != request.OpSet {
			continue
		}
		switch value = clean(value); name {
		case "source":
			o.Source = value
		case "medium":
			o.Medium = value
		case "campaign":
			o.Campaign = value
		case "content":
			o.Content = value
		case "term":
			o.Term = value
		}
	}
	return o
}

// arrive takes down in the profile where a request says that its user came from.
func arrive(it *pipeline.Item) error {
	o, ok := reported(it)
	if !ok {
		return nil
	}
	p := it.Profile
	u := userOf(p)
	now := &touch{origin: o, TS: it.TS, Used: it.Began != nil}
	if u.last != nil && u.last.origin == o && !now.Used && now.TS-u.last.TS < lasting && now.TS >= u.last.TS {
		return nil // it is the same again
	}
	u.touched = it.Offset
	if o.ID != "" && u.install == "" && p.Sessions <= 1 {
		u.install, u.installed = o.ID, it.Offset
	}
	if o.Channel != "" {
		if u.first == nil || now.TS < u.first.TS {
			u.first = now
			it.PropertiesChanged()
		}
		if u.last == nil || now.TS >= u.last.TS { // a late request hides no later touch
			u.last = now
		}
	}
	u.keep(p)
	return nil
}

// record adds the row of the touch that arrive took down.
func record(it *pipeline.Item) error {
	if r := it.Request; it.Began == nil && r.User == nil && r.CampaignID == "" {
		return nil // arrive had nothing to read
	}
	kept, _ := it.Profile.Extra[feature].(map[string]any)
	if placeOf(kept["touched"]) != it.Offset {
		return nil // for most requests, so nothing else is read of what is kept
	}
	o, _ := reported(it)
	w := properties{}
	w.text("channel", o.Channel)
	for _, dim := range dimensions() {
		w.text(dim, o.of(dim))
	}
	if placeOf(kept["installed"]) == it.Offset && o.ID != "" {
		if _, ok := it.Subjects(kind).See(subjectName(dimID, o.ID), "", ""); ok {
			w.text("install", "1")
		}
	}
	it.Record(touchKey, it.TS, o.ID, w)
	return nil
}

// properties are those of a row.
type properties []request.Segment

func (w *properties) text(name, v string) {
	if v != "" {
		*w = append(*w, request.Segment{Name: name, Kind: request.TextValue, Text: v})
	}
}

// visit is what the begin of a session counts: where it came from, in so far as that counts, and the campaign of the user.
type visit struct {
	origin
	New  bool
	User string // id of the campaign that the user belongs to
}

// begin finds where a session came from: what its request says, or an earlier request that no session took its origin from yet.
func begin(it *pipeline.Item, _ *model.Dims) (pipeline.SessionBegin, error) {
	p := it.Profile
	v := &visit{New: it.Began.New}
	from := strings.TrimSpace(it.Request.Metrics.Get("_store"))
	if o, ok := reported(it); ok && o.Channel != "" {
		v.origin = o
	} else if last := lastOf(p); last != nil && !last.Used && it.TS >= last.TS && it.TS-last.TS <= lasting {
		v.origin = last.origin
		u := userOf(p)
		u.last.Used = true
		u.keep(p)
	} else if from != "" && !strings.Contains(from, "://") {
		v.origin = origin{Channel: store, Source: clean(from)}
	}
	if v.Channel == "" {
		v.Channel = direct
	}
	known := it.Subjects(kind)
	for _, dim := range dimensions() {
		if value := v.of(dim); value != "" {
			if _, ok := known.See(subjectName(dim, value), "", ""); !ok {
				v.drop(dim)
			}
		}
	}
	if id := clean(p.Campaign["c"]); id != "" {
		if _, ok := known.See(subjectName(dimID, id), "", ""); ok {
			v.User = id
		}
	}
	return v, nil
}

func readBegin(kept []byte) pipeline.SessionBegin {
	v := visitOf(kept)
	if v == nil || v.Channel == "" {
		return nil
	}
	return v
}

// Count implements pipeline.SessionBegin.
func (v *visit) Count(c *pipeline.Counter, row *events.Row) {
	add := func(cell *rollup.Cell) {
		cell.Count++
		if v.New {
			cell.New++
		}
		cell.AddUser(row.UID)
	}
	add(c.Day(row.TS, rollup.Series{Metric: byChannel}, v.Channel))
	for _, dim := range dimensions() {
		value := v.of(dim)
		if value == "" {
			continue
		}
		if n, ok := c.Subjects.See(subjectName(dim, value), "", ""); ok {
			add(c.Day(row.TS, rollup.Series{Metric: visits, Dim: dim}, rollup.SubjectValue(n)))
		}
	}
	if v.User != "" {
		if n, ok := c.Subjects.See(subjectName(dimID, v.User), "", ""); ok {
			add(c.Subject(row.TS, ofCampaigns, n))
		}
	}
}
