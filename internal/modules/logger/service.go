package logger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/background"
	"quipu/internal/filter"
	"quipu/internal/ingest/decode"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/settings"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

type service struct {
	docs     docs.DB
	apps     *apps.Store
	profiles profile.Reader
	settings *settings.Store
	enabled  func() bool
	now      func() time.Time

	flushing sync.Mutex   // one flush at a time; taken before mu
	waiting  atomic.Int64 // how many wait for a flush, which makes no breaks then
	mu       sync.Mutex   // guards the rest
	windows  map[model.AppID]window
	passed   map[model.AppID]struct{} // apps whose logs the next flush switches off
	pending  map[model.AppID][]row    // at most maxRows each
	last     int64                    // number of the last row, grows within a process and across them
}

// window counts the requests of a minute.
type window struct {
	minute int64
	count  int
}

// Wants reports whether the requests of an app are kept. Those of an app whose log is about to be switched off are not, so that they need not be rendered.
func (s *service) Wants(app *model.App) bool {
	if !s.enabled() {
		return false
	}
	switch s.state(app) {
	case off:
		return false
	case automatic:
		s.mu.Lock()
		defer s.mu.Unlock()
		_, passed := s.passed[app.ID]
		return !passed
	}
	return true
}

func (s *service) state(app *model.App) string { return s.settings.AppText(app, "logger", "state") }

// Saw keeps a request, or has an automatic log switched off when there are too many.
func (s *service) Saw(seen decode.Seen) {
	if s.state(seen.App) == automatic && s.over(seen) {
		return
	}
	r := rowOf(seen)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last+1, seen.Received*1000)
	r.Seq = s.last
	list := append(s.pending[seen.App.ID], r)
	if len(list) > maxRows {
		list = list[len(list)-maxRows:]
	}
	s.pending[seen.App.ID] = list
}

// over counts a request and reports whether the minute's limit is passed.
func (s *service) over(seen decode.Seen) bool {
	limit := int(s.settings.AppNumber(seen.App, "logger", "limit"))
	s.mu.Lock()
	w := s.windows[seen.App.ID]
	if minute := seen.Received / 60_000; w.minute != minute {
		w = window{minute: minute}
	}
	w.count++
	s.windows[seen.App.ID] = w
	if w.count == limit+1 { // once: any other that sees a passed limit only leaves its request out
		s.passed[seen.App.ID] = struct{}{} // the request must not wait until documents can be written
	}
	_, passed := s.passed[seen.App.ID]
	s.mu.Unlock()
	return passed || w.count > limit
}

// switchOff sets the state of an app's log, which shows among the app's plugin settings.
func (s *service) switchOff(ctx context.Context, app model.AppID) error {
	_, _, err := s.apps.Update(ctx, app, func(a *model.App) error {
		plugins := maps.Clone(a.Plugins)
		if plugins == nil {
			plugins = map[string]any{}
		}
		own, _ := plugins["logger"].(map[string]any)
		own = maps.Clone(own)
		if own == nil {
			own = map[string]any{}
		}
		if own["state"] == on { // somebody wants all of them meanwhile
			return nil
		}
		own["state"] = off
		plugins["logger"], a.Plugins = own, plugins
		return nil
	})
	if err != nil && !errors.Is(err, apps.ErrNotFound) {
		return fmt.Errorf("switch off the request log of app %s: %w", app, err)
	}
	return nil
}

// flushed flushes for somebody who waits for it.
func (s *service) flushed(ctx context.Context) error {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	return s.flush(ctx)
}

// flush switches logs off, stores what was seen, and drops what an app has too much of.
func (s *service) flush(ctx context.Context) error {
	s.flushing.Lock()
	defer s.flushing.Unlock()
	s.mu.Lock()
	pending, passed := s.pending, slices.Collect(maps.Keys(s.passed))
	s.pending = map[model.AppID][]row{}
	s.mu.Unlock()
	var errs []error
	for _, id := range passed {
		if err := s.switchOff(ctx, id); err != nil {
			errs = append(errs, err) // the next flush tries again
			continue
		}
		s.mu.Lock()
		delete(s.passed, id)
		s.mu.Unlock()
	}
	breaks := background.Breaks{Now: s.now}
	for some := range together(pending) {
		if s.waiting.Load() == 0 {
			breaks.Next(ctx)
		}
		if s.store(ctx, some) == nil {
			continue
		}
		for i := range some { // what cannot be stored of one app holds up no other
			if err := s.store(ctx, some[i:i+1]); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// part are requests of an app, the oldest first.
type part struct {
	app  model.AppID
	rows []row
}

// atOnce is how many requests are stored in one transaction: all writers of documents take turns, those of other nodes of a cluster, too.
const atOnce = 100

// together gathers requests of all apps into parts that are stored at once.
func together(pending map[model.AppID][]row) iter.Seq[[]part] {
	return func(yield func([]part) bool) {
		var list []part
		n := 0
		for app, rows := range pending {
			for len(rows) > 0 {
				take := min(len(rows), atOnce-n)
				list, n = append(list, part{app, rows[:take]}), n+take
				if rows = rows[take:]; n < atOnce {
					continue
				}
				if !yield(list) {
					return
				}
				list, n = nil, 0
			}
		}
		if len(list) > 0 {
			yield(list)
		}
	}
}

// store stores requests, and drops what their apps have too much of. Those of apps that are gone are left out.
func (s *service) store(ctx context.Context, list []part) error {
	for _, p := range list {
		app := s.apps.ByID(p.app)
		if app == nil {
			continue
		}
		for i := range p.rows {
			if err := s.complete(ctx, app, &p.rows[i]); err != nil {
				return err
			}
		}
	}
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		for _, p := range list {
			if s.apps.ByID(p.app) == nil {
				continue
			}
			col := spec().In(tx, p.app)
			if err := col.CreateAll(ctx, p.rows); err != nil {
				return err
			}
			old, err := col.All(ctx, docs.Query{Sort: "seq", Desc: true, Offset: maxRows, Limit: 1})
			if err != nil {
				return err
			}
			if len(old) == 0 {
				continue
			}
			if _, err := col.DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Le("seq", old[0].Seq)}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// complete fills in what the request did not say of its device and place from the profile.
func (s *service) complete(ctx context.Context, app *model.App, r *row) error {
	if r.Device.ID == "" {
		return nil
	}
	p, err := s.profiles.Get(ctx, app.ID, model.NewProfileID(app.IDKey, r.Device.ID))
	if errors.Is(err, profile.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for dim, dst := range map[model.Dim]*string{
		model.Device: &r.Device.Device, model.OS: &r.Device.Platform, model.Country: &r.Place.Country, model.City: &r.Place.City,
	} {
		*dst = cmp.Or(*dst, p.Dims[dim])
	}
	for dim, dst := range map[model.Dim]*string{model.OSVersion: &r.Device.Version, model.AppVersion: &r.AppVersion} {
		*dst = cmp.Or(*dst, plainVersion(p.Dims[dim])) // as an SDK sends them, which is how other requests show them
	}
	return nil
}

// plainVersion undoes what a profile does to a version: "a14:1" is "14.1".
func plainVersion(text string) string {
	if digit := strings.IndexAny(text, "0123456789"); digit > 0 {
		text = text[digit:]
	}
	return strings.ReplaceAll(text, ":", ".")
}

type logsReq struct {
	api.List
	Filter params.Value `param:"filter"`
}

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{
			{Name: "reqts", Field: "seq"},
			{},
			{Name: "outcome", Field: ".c"},
			{Name: "id", Field: ".d.id"},
			{Name: "device", Field: ".d.d"},
			{Name: "sdk", Field: ".s.name"},
			{Name: "version", Field: ".v"},
			{Name: "ts", Field: ".ts"},
			{Name: "method", Field: ".m"},
			{Name: "country", Field: ".l.cc"},
		},
		Sort: "seq", Desc: true, Usual: maxRows, Most: maxRows,
	}
}

// log is the form that the wire has for the log.
type log struct {
	Logs  []row  `json:"logs"`
	State string `json:"state"`
}

// logTable is the log as a table.
type logTable struct {
	api.Table[row]
	State string   `json:"state"`
	Kinds []string `json:"kinds"` // what requests of the log are about
}

// logs returns the newest rows first, at most as many as are kept. An unusable filter is none.
func (s *service) logs(ctx context.Context, c api.Caller, r logsReq) (any, error) {
	if err := s.flushed(ctx); err != nil {
		return nil, err
	}
	if app := s.apps.ByID(c.App.ID); app != nil { // which the flush may have changed
		c.App = app
	}
	q := r.Query(listing())
	if f, err := filter.Parse(r.Filter.Raw()); err == nil {
		q.Filter = f
	}
	col := spec().In(s.docs, c.App.ID)
	p, err := col.Page(ctx, q)
	if err != nil {
		return nil, err
	}
	table := api.TableOf(r.List, p, api.Itself[row])
	if !r.InTable() {
		return log{Logs: table.Rows, State: s.state(c.App)}, nil
	}
	out := logTable{Table: table, State: s.state(c.App), Kinds: []string{}}
	found, err := col.Tally(ctx, "kind", docs.Query{})
	for _, one := range found {
		if name, ok := one.Value.(string); ok {
			out.Kinds = append(out.Kinds, name)
		}
	}
	return out, err
}

type info struct {
	Capped bool   `json:"capped"`
	Count  int    `json:"count"`
	Max    int    `json:"max"`
	Status string `json:"status"`
}

func (s *service) info(ctx context.Context, c api.Caller, _ api.None) (info, error) {
	if err := s.flushed(ctx); err != nil {
		return info{}, err
	}
	n, err := spec().In(s.docs, c.App.ID).Count(ctx, docs.Query{})
	return info{Capped: true, Count: n, Max: maxRows, Status: s.state(c.App)}, err
}

// appReset drops what is not stored yet of an app that was reset.
func (s *service) appReset(_ context.Context, ev topic.AppReset) error {
	s.drop(ev.App)
	return nil
}

// erasedElsewhere drops what is not stored yet of an app from which another server erases users: this one is not told whose requests they were.
func (s *service) erasedElsewhere(_ context.Context, ev topic.UsersErased) error {
	if ev.UIDs == nil {
		s.drop(ev.App)
	}
	return nil
}

// drop drops what is not stored yet of an app. Requests being stored are stored when it returns.
func (s *service) drop(app model.AppID) {
	s.flushing.Lock()
	defer s.flushing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, app)
}

// forget deletes the rows of an app that was reset.
func (s *service) forget(ctx context.Context, ev topic.AppReset) error {
	s.flushing.Lock()
	defer s.flushing.Unlock()
	_, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// maxRows is how many rows an app keeps.
const maxRows = 1000

// row is a request as the wire shows it. Times are ms.
type row struct {
	ID         string            `json:"_id"`
	Seq        int64             `json:"seq"`
	TS         int64             `json:"ts"`    // by the device, if it said
	Received   int64             `json:"reqts"` // by the server
	Device     device            `json:"d"`
	Place      place             `json:"l"`
	AppVersion string            `json:"v"`
	Types      map[string]string `json:"t"`
	Query      string            `json:"q"`
	SDK        sdk               `json:"s"`
	Header     map[string]string `json:"h"`
	Method     string            `json:"m"`
	Bulk       bool              `json:"b"`
	Cancelled  any               `json:"c"` // false, or why the request was not taken
	Response   string            `json:"res"`
	Problems   []string          `json:"p"`
}

type device struct {
	ID       string `json:"id"`
	Device   string `json:"d"`
	Platform string `json:"p"`
	Version  string `json:"pv"`
}

type place struct {
	Country string `json:"cc"`
	City    string `json:"cty"`
}

type sdk struct {
	Version string `json:"version"`
	Name    string `json:"name"`
}

// Key returns the row's id.
func (r row) Key() string { return r.ID }

// Validate accepts: the edge bounds what it tells.
func (row) Validate() error {
	return nil
}

func spec() docs.Spec[row] {
	return docs.Spec[row]{
		Name: "logger.requests", Version: 1, Search: []docs.Field{".q", ".d.id", ".d.d", ".d.p", ".v", ".s.name", ".l.cty", ".c"},
		Indexes: []docs.Index[row]{
			{Name: "seq", Of: func(r row) []any { return []any{r.Seq} }, Order: true},
			{Name: "kind", Of: func(r row) []any {
				var out []any
				for kind := range r.Types {
					out = append(out, kind)
				}
				return out
			}},
		},
	}
}

// kinds are the parameters that say what a request is about.
var kinds = [...]string{
	"begin_session", "session_duration", "end_session", "events", "metrics", "user_details", "crash", "consent", "old_device_id",
	"token_session", "campaign_id", "attribution_data", "location", "apm",
}

func rowOf(seen decode.Seen) row {
	v := seen.Values
	r := row{
		ID: model.NewID().String(), TS: seen.Received, Received: seen.Received, Query: seen.Params, Method: seen.Method, Bulk: seen.Bulk,
		Device: device{ID: v["device_id"]}, Place: place{Country: strings.ToUpper(v["country_code"]), City: v["city"]},
		SDK: sdk{Version: v["sdk_version"], Name: v["sdk_name"]}, Types: map[string]string{}, Header: headers(seen.Header),
		Cancelled: false, Response: seen.Body, Problems: []string{},
	}
	if seen.Refused != "" {
		r.Cancelled = seen.Refused
	}
	if ts, err := strconv.ParseInt(v["timestamp"], 10, 64); err == nil && ts > 0 {
		if len(v["timestamp"]) <= 10 {
			ts *= 1000
		}
		r.TS = ts
	}
	for _, kind := range kinds {
		if text, sent := v[kind]; sent {
			r.Types[kind] = text
		}
	}
	var metrics map[string]any
	if text := v["metrics"]; text != "" && json.Unmarshal([]byte(text), &metrics) != nil {
		r.Problems = append(r.Problems, "metrics is not a JSON object")
	}
	text := func(name string) string { s, _ := metrics[name].(string); return s }
	r.Device.Device, r.Device.Platform, r.Device.Version, r.AppVersion = text("_device"), text("_os"), text("_os_version"), text("_app_version")
	for _, name := range []string{"events", "crash", "user_details", "consent"} {
		if text := v[name]; text != "" && len(text) < 16<<10 && !json.Valid([]byte(text)) {
			r.Problems = append(r.Problems, name+" is not JSON")
		}
	}
	return r
}

// headers returns what a request's header says, without credentials.
func headers(h http.Header) map[string]string {
	out := map[string]string{}
	for name, values := range h {
		switch name {
		case "Authorization", "Cookie", "Countly-Token", "Service-Token", "Proxy-Authorization":
			continue
		}
		out[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return out
}

var _ decode.Watcher = (*service)(nil)
