package concurrentusers

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// maxApps is how many apps a read takes.
const maxApps = 100

// Faults in the words of the wire.
var (
	errNoApp      = fault.New(fault.Invalid, "concurrent.no_app", "Neither r_apps nor app_id is provided.")
	errPermission = fault.New(fault.Invalid, "concurrent.permission", "Insufficient permissions")
	errManyApps   = fault.Newf(fault.Invalid, "concurrent.too_many_apps", "At most %d apps", maxApps)
)

// now is the answer of the wire to method=live.
type now struct {
	Online    int64 `json:"o"`
	New       int64 `json:"n"`
	OnlineMax int64 `json:"om"`
	NewMax    int64 `json:"nm"`
}

// live answers who is online in an app, and who was at most.
func (s *service) live(ctx context.Context, c api.Caller, _ api.None) (now, error) {
	w, err := s.crowds.now(ctx, c.App.ID, c.Now, s.window())
	if err != nil {
		return now{}, err
	}
	most, err := s.upToNow(ctx, c.App, ever, w.count, c.Now)
	if err != nil {
		return now{}, err
	}
	return now{w.count.Online, w.count.New, most[0].Online, most[0].New}, nil
}

// most is the maximum ever of an app.
func (s *service) most(ctx context.Context, app *model.App) (point, error) {
	list, err := s.read(ctx, app, ever, s.now())
	if err != nil {
		return point{}, err
	}
	return list[len(list)-1], nil
}

type metricsReq struct {
	App  string       `param:"app_id"`
	Apps params.Value `param:"r_apps"`
	Mode string       `param:"mode"`
	New  string       `param:"add_new"`
}

// chosen are the apps that a read names and that the caller may read; others are left out.
func (s *service) chosen(c api.Caller, r metricsReq) ([]*model.App, error) {
	var ids []string
	if r.Apps.String() != "" && json.Unmarshal(r.Apps.Raw(), &ids) != nil {
		ids = nil
	}
	if len(ids) == 0 && r.App != "" {
		ids = []string{r.App}
	}
	if len(ids) == 0 {
		return nil, errNoApp
	}
	if len(ids) > maxApps {
		return nil, errManyApps
	}
	var out []*model.App
	for _, text := range ids {
		id, err := model.ParseID(text)
		if err != nil {
			continue
		}
		if app := s.apps.ByID(id); app != nil && s.visible(c, id) && !slices.Contains(out, app) {
			out = append(out, app)
		}
	}
	if len(out) == 0 {
		return nil, errPermission
	}
	return out, nil
}

// visible reports whether the caller may read the online users of an app.
func (s *service) visible(c api.Caller, id model.AppID) bool {
	return c.Identity.AllowsApp(id) && auth.Can(c.Member, id, feature, model.Read)
}

// metrics are the answers of an app by its id, of all users who are online, and of those in their first session.
type metrics struct {
	All map[string]any `json:"ns_o"`
	New map[string]any `json:"ns_n,omitempty"`
}

// present is who is online.
type present struct {
	Online int64 `json:"o"`
	Parts  parts `json:"m"`
}

// moment is a bucket of the wire.
type moment struct {
	Data int64 `json:"data"`
	Time int64 `json:"time"` // ms
}

// peak is a maximum of the wire.
type peak struct {
	Max  int64 `json:"mx"`
	Time int64 `json:"time,omitempty"` // ms
}

// metrics answers in the wire's modes. A mode that is none is 0.
func (s *service) metrics(ctx context.Context, c api.Caller, r metricsReq) (*metrics, error) {
	apps, err := s.chosen(c, r)
	if err != nil {
		return nil, err
	}
	out := &metrics{All: map[string]any{}}
	if params.On(r.New) {
		out.New = map[string]any{}
	}
	mode, err := strconv.Atoi(strings.TrimSpace(r.Mode))
	if err != nil {
		mode = 0
	}
	for _, app := range apps {
		all, fresh, err := s.inMode(ctx, c, app, mode)
		if err != nil {
			return nil, err
		}
		out.All[app.ID.String()] = all
		if out.New != nil {
			out.New[app.ID.String()] = fresh
		}
	}
	return out, nil
}

// inMode answers for an app.
func (s *service) inMode(ctx context.Context, c api.Caller, app *model.App, mode int) (all, fresh any, err error) {
	w, err := s.crowds.now(ctx, app.ID, c.Now, s.window())
	if err != nil {
		return nil, nil, err
	}
	if mode < 2 || mode > 5 {
		return present{w.count.Online, w.parts(false)}, present{w.count.New, w.parts(true)}, nil
	}
	list, err := s.upToNow(ctx, app, kinds[mode-2], w.count, c.Now)
	if err != nil {
		return nil, nil, err
	}
	if mode == 5 {
		return peak{list[0].Online, list[0].OnlineAt}, peak{list[0].New, list[0].NewAt}, nil
	}
	a, f := make([]moment, len(list)), make([]moment, len(list))
	for i, p := range list {
		a[i], f[i] = moment{p.Online, p.Time}, moment{p.New, p.Time}
	}
	return a, f, nil
}

// upToNow returns the buckets of a kind, the last of which has met those who are online now: the sample may not have come yet.
func (s *service) upToNow(ctx context.Context, app *model.App, k kind, online count, at time.Time) ([]point, error) {
	list, err := s.read(ctx, app, k, at)
	if err != nil {
		return nil, err
	}
	list[len(list)-1].meet(online, at.UnixMilli())
	return list, nil
}

// overview is what the dashboard shows of an app.
type overview struct {
	At      int64    `json:"at"`     // ms
	Window  int64    `json:"window"` // s: how long ago the last sign of life may be
	Now     count    `json:"now"`
	Parts   parts    `json:"m"`
	Whole   bool     `json:"whole"` // false when there are too many users to look at, who are only counted
	Most    bucket   `json:"most"`
	Minutes []bucket `json:"minutes"`
	Hours   []bucket `json:"hours"`
	Days    []bucket `json:"days"`
	// Apps are those whose users are counted together, where several were asked for, and Shared how many of the people who are online now are in more than one of them.
	Apps   []appRow `json:"apps,omitempty"`
	Shared int64    `json:"shared,omitempty"`
}

type overviewReq struct {
	// Apps are the ids of several apps whose users are counted together, a JSON list.
	Apps params.Value `param:"apps"`
}

// overview answers all figures of an app, or of several together.
func (s *service) overview(ctx context.Context, c api.Caller, r overviewReq) (*overview, error) {
	apps, err := s.several(c, r.Apps)
	if err != nil {
		return nil, err
	}
	if len(apps) > 0 {
		return s.together(ctx, c, apps)
	}
	window := s.window()
	w, err := s.crowds.now(ctx, c.App.ID, c.Now, window)
	if err != nil {
		return nil, err
	}
	out := &overview{At: c.Now.UnixMilli(), Window: int64(window.Seconds()), Now: w.count, Parts: w.parts(false), Whole: w.whole}
	var most []bucket
	for k, to := range map[kind]*[]bucket{minutes: &out.Minutes, hours: &out.Hours, days: &out.Days, ever: &most} {
		list, err := s.upToNow(ctx, c.App, k, w.count, c.Now)
		if err != nil {
			return nil, err
		}
		*to = buckets(list)
	}
	out.Most = most[0]
	return out, nil
}

// shownAlert is an alert as reads show it.
type shownAlert struct {
	ID        string         `json:"_id"`
	Name      string         `json:"name"`
	App       string         `json:"app"`
	Type      string         `json:"type"`
	Enabled   bool           `json:"enabled"`
	Def       string         `json:"def,omitempty"`
	Condition string         `json:"condition_title"`
	Users     int64          `json:"users"`
	Minutes   int64          `json:"minutes"`
	Email     []string       `json:"email"`
	CreatedBy model.MemberID `json:"created_by"`
	Creator   string         `json:"createdByUser,omitempty"` // "" = there is no such member any more
	Triggered int64          `json:"last_triggered,omitempty"`
	DefinedAt int64          `json:"defined_at"`
	Status    string         `json:"status"` // ready; triggered while the condition goes on
}

func shown(a alert) shownAlert {
	out := shownAlert{
		ID: a.ID, Name: a.Name, App: a.App, Type: a.Type, Enabled: a.Enabled, Def: a.Def, Condition: a.Condition, Users: a.Users, Minutes: a.Minutes,
		Email: slices.Clone(a.Email), CreatedBy: a.CreatedBy, Triggered: a.Triggered, DefinedAt: a.DefinedAt, Status: "ready",
	}
	if out.Email == nil {
		out.Email = []string{}
	}
	if a.Enabled && a.Fired {
		out.Status = "triggered"
	}
	return out
}

// alerts lists the alerts of all apps that the caller sees.
func (s *service) alerts(ctx context.Context, c api.Caller, _ api.None) ([]shownAlert, error) {
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	var apps []model.AppID
	for _, app := range s.apps.All() {
		if s.visible(c, app.ID) {
			apps = append(apps, app.ID)
		}
	}
	out := []shownAlert{}
	for f, err := range alertSpec().Among(s.docs, apps).List(ctx, docs.Query{Limit: 1000}) {
		if err != nil {
			return nil, err
		}
		row := shown(f.Doc)
		row.Creator = names[f.Doc.CreatedBy]
		out = append(out, row)
	}
	return out, nil
}
