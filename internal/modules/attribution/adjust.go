package attribution

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/store/docs"
)

// Bounds of postbacks.
const (
	maxFields   = 60
	maxField    = 500 // bytes of a value
	maxWaiting  = 100_000
	waitingDays = 90
	matchedOnce = 500 // how many ids one look at the users looks for
)

// postback is what Adjust said of a device that no user is known of yet.
type postback struct {
	ID       string            `json:"_id"`
	AdjustID string            `json:"adjust_id"`
	Fields   map[string]string `json:"fields"`
	At       int64             `json:"at"` // s
	// Next is when its user is looked for again, s: the longer it waits, the more seldom.
	Next int64 `json:"next"`
}

// Key returns the id.
func (p postback) Key() string { return p.ID }

// Validate implements docs.Document.
func (p postback) Validate() error { return nil }

func postbacks() docs.Spec[postback] {
	return docs.Spec[postback]{Name: "attribution.postbacks", Version: 2, Migrations: []func(json.RawMessage) (json.RawMessage, error){dated}, Indexes: []docs.Index[postback]{
		{Name: "adjust_id", Path: ".adjust_id"}, {Name: "at", Path: ".at", Order: true}, {Name: "next", Path: ".next", Order: true},
	}}
}

// Faults of postbacks, in the words of the wire.
var (
	errNoKey   = fault.New(fault.Invalid, "attribution.args", `Missing parameter "app_key"`)
	errNoApp   = fault.New(fault.Invalid, "attribution.none", "App does not exist")
	errPaused  = fault.New(fault.Invalid, "ingest.app_paused", "App is currently not accepting data")
	errSigned  = fault.New(fault.Forbidden, "attribution.signed", "The app accepts only signed requests, which Adjust cannot send")
	errWaiting = fault.New(fault.Conflict, "attribution.too_many", "Too many postbacks for unknown users")
	errRight   = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
)

type adjustReq struct {
	AppKey   string `param:"app_key"`
	AdjustID string `param:"adjust_id"`
	Event    string `param:"event"`
	// Other callback fields are taken as they come.
	Tracker       string       `param:"tracker_name"`
	LastTracker   string       `param:"last_tracker_name"`
	FirstTracker  string       `param:"first_tracker_name"`
	OutdatedTrack string       `param:"outdated_tracker_name"`
	Adgroup       string       `param:"adgroup_name"`
	Network       string       `param:"network_name"`
	CampaignName  string       `param:"campaign_name"`
	Creative      string       `param:"creative_name"`
	Installed     params.Value `param:"installed_at"`
	Clicked       params.Value `param:"click_time"`
}

// attributed is the answer where the user is known.
type attributed struct {
	Result string `json:"result"`
	Status string `json:"status"`
}

// deferred is the answer where the user is not known yet.
type deferred struct {
	Result   string            `json:"result"`
	Inserted int               `json:"Records inserted"`
	Document map[string]string `json:"document"`
	User     *string           `json:"user"`
}

// adjust takes a postback. That of a user who is known counts at once, others wait for theirs.
func (s *service) adjust(ctx context.Context, c api.Caller, r adjustReq) (any, error) {
	c.NoAudit()
	if r.AppKey == "" {
		return nil, errNoKey
	}
	app, err := s.apps.FindByKey(ctx, r.AppKey)
	switch {
	case err != nil:
		return nil, err
	case app == nil:
		return nil, errNoApp
	case app.Paused:
		return nil, errPaused
	case app.Salt != "":
		s.refused(app.ID, outcome.ChecksumMissing)
		return nil, errSigned
	}
	p := postback{ID: model.NewID().String(), AdjustID: clean(r.AdjustID), Fields: fieldsOf(c.Params), At: c.Now.Unix(), Next: c.Now.Unix()}
	if p.AdjustID == "" {
		return deferred{Result: "Success", Document: p.Fields}, nil // nobody can be found by it
	}
	if s.looking.TryLock() { // users are looked for one postback at a time; a job finds the users of those that come meanwhile
		found, err := s.users(ctx, app.ID, []string{p.AdjustID})
		s.looking.Unlock()
		if err != nil {
			return nil, err
		}
		if did := found[p.AdjustID]; did != "" {
			return attributed{"Success", "attributed"}, s.attribute(ctx, app, did, p)
		}
	}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		return postbacks().In(tx, app.ID).CreateUpTo(ctx, p, maxWaiting, errWaiting)
	})
	return deferred{Result: "Success", Inserted: 1, Document: p.Fields}, err
}

// fieldsOf are the fields of a postback.
func fieldsOf(all *params.Params) map[string]string {
	out := map[string]string{}
	for _, name := range all.Names() {
		key := strings.Map(func(r rune) rune {
			if r == '.' || r == '$' || r < ' ' {
				return -1
			}
			return r
		}, name)
		switch name {
		case "app_key", "api_key", "auth_token", "app_id":
			continue
		}
		if value := strings.TrimSpace(all.Text(name)); value != "" && key != "" && len(key) <= 100 && len(out) < maxFields {
			out[key] = cut(value)
		}
	}
	return out
}

func cut(text string) string {
	if len(text) > maxField {
		text = strings.ToValidUTF8(text[:maxField], "")
	}
	return text
}

// users returns the device ids of users by their ids of Adjust.
func (s *service) users(ctx context.Context, app model.AppID, ids []string) (map[string]string, error) {
	text, err := json.Marshal(map[string]any{"custom.adjust_id": map[string]any{"$in": ids}})
	if err != nil {
		return nil, err
	}
	f, err := filter.Parse(text)
	if err != nil {
		return nil, err
	}
	of, err := s.tables.Members(ctx, app, query.Membership{Filter: f}, func(_, _ int64) {})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for it := of.Iterator(); it.HasNext() && len(out) < len(ids); {
		p, err := s.profiles.ByUID(ctx, app, it.Next())
		if err != nil {
			continue // gone since
		}
		if id, ok := p.Custom["adjust_id"].(string); ok && out[id] == "" {
			out[id] = p.DID
		}
	}
	return out, nil
}

// attribute records what a postback says as an event of its user, as properties, and as what brought the user.
func (s *service) attribute(ctx context.Context, app *model.App, did string, p postback) error {
	segments, custom := map[string]any{}, map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(p.Fields)) {
		value := p.Fields[name]
		segments[name] = value
		if name == "adjust_id" || name == "event" {
			continue
		}
		custom[name] = value
		custom["first_"+name] = map[string]any{"$setOnce": value}
	}
	network := p.Fields["network_name"]
	if network != "" && !strings.EqualFold(network, "organic") {
		custom["utm_source"], custom["utm_medium"] = network, "paid"
		for tag, field := range map[string]string{"utm_campaign": "campaign_name", "utm_content": "creative_name"} {
			if v := p.Fields[field]; v != "" {
				custom[tag] = v
			}
		}
	}
	request := map[string]any{"device_id": did, "user_details": map[string]any{"custom": custom}}
	if event := p.Fields["event"]; event != "" {
		request["events"] = []any{map[string]any{"key": "adjust_" + event, "count": 1, "segmentation": segments}}
	}
	request["timestamp"] = p.time()
	text, err := json.Marshal([]any{request})
	if err != nil {
		return err
	}
	return s.ingest(ctx, app, text)
}

// time is when what a postback says happened, ms: of a click or an install as it says itself, of all others when the postback came. Its id
// gives the ms, so that two postbacks with the same fields are two, and one that is recorded again is known again.
func (p *postback) time() int64 {
	switch p.Fields["event"] {
	case "", "click", "install", "impression":
		for _, name := range [...]string{"click_time", "installed_at"} {
			if at, err := strconv.ParseInt(p.Fields[name], 10, 64); err == nil && at > p.At-365*86400 && at <= p.At {
				return at * 1000
			}
		}
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.ID)) // never fails
	return (p.At-1)*1000 + int64(h.Sum32()%1000)
}

// tend finds the users of postbacks that wait, and forgets postbacks that waited too long and visitors of days that are over. It looks
// at the apps that have some.
func (s *service) tend(ctx context.Context) error {
	now := s.now().Unix()
	all := postbacks().AcrossApps(s.docs, everyApp)
	old := docs.Query{Where: []docs.Cond{docs.Lt(".at", now-waitingDays*86400)}}
	forgotten := eachApp(ctx, all.List(ctx, old), func(app model.AppID) error {
		_, err := postbacks().In(s.docs, app).DeleteWhere(ctx, old)
		return err
	})
	visitors := s.forgetVisitors(ctx)
	due := docs.Query{Where: []docs.Cond{docs.Le(".next", now)}}
	matched := eachApp(ctx, all.List(ctx, due), func(id model.AppID) error {
		if app := s.apps.ByID(id); app != nil {
			return s.match(ctx, app)
		}
		return nil // deleted a moment ago
	})
	return errors.Join(forgotten, visitors, matched)
}

// everyApp is why a job looks at the documents of all apps.
const everyApp = "a job that looks after every app"

// eachApp calls fn once for each app that has some of the documents. An error of one app does not hold up the others; all errors are returned, each
// with its app.
func eachApp[T docs.Document](ctx context.Context, list iter.Seq2[docs.Found[T], error], fn func(model.AppID) error) error {
	seen := map[model.AppID]bool{}
	for f, err := range list {
		if err != nil {
			return err
		}
		seen[f.App] = true
	}
	var faults []error
	for _, app := range slices.SortedFunc(maps.Keys(seen), func(a, b model.AppID) int { return bytes.Compare(a[:], b[:]) }) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := fn(app); err != nil {
			faults = append(faults, fmt.Errorf("app %s: %w", app, err))
		}
	}
	return errors.Join(faults...)
}

// Bounds of the time after which a user is looked for again.
const (
	soonest = 60       // s
	latest  = 6 * 3600 // s
)

// wait is how long, in s, the user of a postback that has waited so long is left alone: half as long again.
func wait(waited int64) int64 { return min(max(waited/2, soonest), latest) }

// match finds the users of an app's postbacks that are due, the longest overdue first. While an app takes no postbacks they wait on, as if their users
// were not found: else each run of the job would read all of them.
func (s *service) match(ctx context.Context, app *model.App) error {
	col := postbacks().In(s.docs, app.ID)
	now := s.now().Unix()
	for {
		list, err := col.All(ctx, docs.Query{Where: []docs.Cond{docs.Le(".next", now)}, Sort: ".next", Limit: matchedOnce})
		if err != nil || len(list) == 0 {
			return err
		}
		var found map[string]string
		if !app.Paused && app.Salt == "" {
			ids := make([]string, len(list))
			for i, p := range list {
				ids[i] = p.AdjustID
			}
			s.looking.Lock()
			found, err = s.users(ctx, app.ID, slices.Compact(slices.Sorted(slices.Values(ids))))
			s.looking.Unlock()
			if err != nil {
				return err
			}
		}
		var later []postback
		for _, p := range list {
			did := found[p.AdjustID]
			if did == "" {
				p.Next = now + wait(now-p.At)
				later = append(later, p)
				continue
			}
			if err := s.attribute(ctx, app, did, p); err != nil {
				return err
			}
			if err := col.Delete(ctx, p.ID); err != nil && !docs.IsNotFound(err) {
				return err
			}
		}
		err = s.docs.Tx(ctx, func(tx docs.Handle) error {
			for _, p := range later {
				_, err := postbacks().In(tx, app.ID).Update(ctx, p.ID, func(was *postback) error {
					was.Next = p.Next
					return nil
				})
				if err != nil && !docs.IsNotFound(err) { // of an app that was reset meanwhile
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// dated brings a postback to version 2, which is looked for at once.
func dated(body json.RawMessage) (json.RawMessage, error) {
	var p postback
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, err
	}
	p.Next = p.At
	return json.Marshal(p)
}
