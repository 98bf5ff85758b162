package appusers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/profile"
)

// personForm says what of one user is wanted.
type personForm struct {
	// Bucket is the step of a graph, hourly, daily, weekly or monthly; "" = that of the period.
	Bucket string `param:"bucket"`
	// Compare asks for the period before beside the one asked for.
	Compare bool `param:"comparisonMode"`
	// Event is the key of an event; all, or "", is every event, custom-events those of the app's own.
	Event string `param:"event"`
	// Session is a session's id, or an object with it as _id or lsid.
	Session params.Value `param:"session"`
	Limit   params.Value `param:"limit"`
	Skip    params.Value `param:"skip"`
	// Paging is snapshot, the usual, which leaves out rows that arrive while pages are read, or live, which does not.
	Paging string `param:"paginationMode"`
}

// errors of reads of one user.
var (
	errCalculate = fault.New(fault.Invalid, "app_users.bad_calculate", "Bad request parameter: calculate: want eventsTable, graph, history or sessions")
	errNoUser    = fault.New(fault.Invalid, "app_users.no_user", "User not found")
	errWhichUser = fault.New(fault.Invalid, "app_users.which_user", `Missing parameter "uid" or "did"`)
	errCursor    = fault.New(fault.Invalid, "app_users.bad_cursor", "Bad request parameter: cursor")
	errSession   = fault.New(fault.Invalid, "app_users.bad_session", "Bad request parameter: session: want the id of a session")
)

// calculate answers with something of one user.
func (s *service) calculate(ctx context.Context, c api.Caller, r detailsReq) (any, error) {
	read, ok := map[string]func(context.Context, api.Caller, detailsReq, *model.Profile) (any, error){
		"eventsTable": s.eventsTable, "graph": s.graph, "history": s.history, "sessions": s.sessions,
	}[r.Calculate]
	if !ok {
		return nil, errCalculate
	}
	if r.UID == "" && r.DID == "" {
		return nil, errWhichUser
	}
	p, err := s.one(ctx, c.App, r)
	if errors.Is(err, profile.ErrNotFound) {
		return nil, errNoUser
	}
	if err != nil {
		return nil, err
	}
	return read(ctx, c, r, p)
}

// period is the period that is asked for, all time when none is.
func (s *service) period(c api.Caller, r detailsReq) period.Period {
	if strings.TrimSpace(r.Period) == "" {
		r.Period = "0days"
	}
	return r.Frame(c, c.App, &s.zones).ParseOrDefault(r.Period)
}

// end is the last instant of a period. Clocks of devices may be ahead, so the period that ends today has no end.
func end(p period.Period) int64 {
	if p.Last >= p.Today {
		return 1 << 53
	}
	return p.End
}

// eventDoc is an event of a user in an answer. Times are ms.
type eventDoc struct {
	ID       string         `json:"_id"`
	TS       int64          `json:"ts"`
	Received int64          `json:"cd"`
	Key      string         `json:"e"`
	Name     string         `json:"n,omitempty"`
	Count    int64          `json:"c"`
	Sum      float64        `json:"s"`
	Dur      float64        `json:"dur"`
	Session  string         `json:"lsid,omitempty"`
	Segments map[string]any `json:"sg,omitempty"`
}

// eventsRes is a page of the events of a user.
type eventsRes struct {
	api.Table[eventDoc]
	Cursor string `json:"cursor,omitempty"` // of the last row; none on the last page
	More   bool   `json:"hasNextPage"`
}

// position is what a cursor holds.
type position struct {
	query.UserEventPlace
	Until uint64 `json:"u,omitempty"` // largest offset of the first page's rows; 0 in live mode
}

func (p position) text() (string, error) {
	raw, err := json.Marshal(p)
	return base64.RawURLEncoding.EncodeToString(raw), err
}

func readCursor(text string) (position, error) {
	var p position
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(raw, &p) != nil || p.Offset >= 1<<63 || p.Until >= 1<<63 {
		return p, errCursor
	}
	return p, nil
}

// eventsTable lists the events of a user, the latest first.
func (s *service) eventsTable(ctx context.Context, c api.Caller, r detailsReq, p *model.Profile) (any, error) {
	if r.Paging != "" && r.Paging != "snapshot" && r.Paging != "live" {
		return nil, api.BadParam("paginationMode", r.Paging, "mode: want snapshot or live")
	}
	session, err := r.session()
	if err != nil {
		return nil, err
	}
	if skip := r.Skip; skip.String() != "" {
		r.Start = skip
	}
	if limit := r.Limit; limit.String() != "" {
		r.Length = limit
	}
	when := s.period(c, r)
	u := query.UserEvents{UID: p.UID, From: when.Start, To: end(when), Key: r.Event, Session: session, Search: strings.TrimSpace(r.Search)}
	u.Offset, u.Limit = r.Part(defaultPage, maxPage)
	switch r.Event {
	case "all":
		u.Key = ""
	case "custom-events":
		u.Key, u.Custom = "", true
	}
	if text := r.Cursor.String(); text != "" {
		at, err := readCursor(text)
		if err != nil {
			return nil, err
		}
		u.Behind, u.Until, u.Offset = &at.UserEventPlace, at.Until, 0
	}
	size := u.Limit
	u.Limit++
	found, err := s.tables.EventsOfUser(ctx, c.App.ID, u)
	if err != nil {
		return nil, err
	}
	out := eventsRes{More: len(found.Rows) > size}
	out.Echo, out.Total, out.Display, out.Rows = r.Echo.Echo(), int(found.Total), int(found.Total), []eventDoc{}
	rows := found.Rows[:min(size, len(found.Rows))]
	for i := range rows {
		out.Rows = append(out.Rows, docOf(&rows[i]))
	}
	if out.More {
		at := position{UserEventPlace: rows[len(rows)-1].Place, Until: u.Until}
		if r.Paging != "live" && at.Until == 0 {
			at.Until = found.Last
		}
		if out.Cursor, err = at.text(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func docOf(e *query.UserEvent) eventDoc {
	d := eventDoc{
		ID: strconv.FormatUint(e.Place.Offset, 10) + "." + strconv.FormatUint(uint64(e.Place.Item), 10), TS: e.Place.TS, Received: e.Received,
		Key: e.Key, Name: e.Name, Count: e.Count, Sum: e.Sum, Dur: e.Dur, Segments: e.Segments,
	}
	if strings.HasPrefix(e.Key, "[CLY]_session") { // beside properties they keep what features count by
		maps.DeleteFunc(d.Segments, func(_ string, v any) bool { _, kept := v.(json.RawMessage); return kept })
	}
	if e.Session != 0 {
		d.Session = strconv.FormatUint(e.Session, 10)
	}
	return d
}

// session reads which session events are wanted of; 0 = any.
func (r personForm) session() (uint64, error) {
	text := strings.TrimSpace(r.Session.String())
	if text == "" {
		return 0, nil
	}
	if strings.HasPrefix(text, "{") {
		var ids struct {
			ID  json.RawMessage `json:"_id"`
			LID json.RawMessage `json:"lsid"`
		}
		if json.Unmarshal(r.Session.Raw(), &ids) != nil {
			return 0, errSession
		}
		raw := ids.ID
		if raw == nil {
			raw = ids.LID
		}
		text = string(raw)
	}
	n, err := strconv.ParseUint(strings.Trim(text, `"`), 10, 63)
	if err != nil || n == 0 {
		return 0, errSession
	}
	return n, nil
}
