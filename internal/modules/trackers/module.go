// Package trackers is the module for issue trackers: it makes issues of crash groups at Jira, GitHub and GitLab, links groups with issues
// that are there, and keeps the states of both in step. docs/reference/trackers.md says how each tracker is set up and which rules hold.
//
// Faults: trackers.not_set_up, trackers.no_login, trackers.secret_lost, trackers.linked, trackers.other_tracker, trackers.login_refused,
// trackers.forbidden, trackers.moved, trackers.no_transition, trackers.no_issues (Conflict), trackers.bad_settings, trackers.bad_parameter,
// trackers.bad_issue, trackers.other_project, trackers.pull_request, trackers.refused, trackers.blocked_host, trackers.login_expired
// (Invalid), trackers.not_linked, trackers.no_issue, trackers.no_group, trackers.no_project (NotFound), trackers.rate_limited (RateLimited),
// trackers.unreachable, trackers.bad_answer (Unavailable).
package trackers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/outbound"
	"quipu/internal/seal"
	appsettings "quipu/internal/settings"
	"quipu/internal/store/docs"
)

// feature is the permission of the module's routes: issues belong to crashes.
const feature = "crashes"

// wireSettings is the namespace of the settings of Jira, of the server and of apps, as the wire has it.
const wireSettings = "crashes-jira"

// Config is what operators set.
type Config struct {
	// AllowHosts are hosts of trackers that are not on the internet, as "jira.example.internal" or "10.1.2.3:8080".
	AllowHosts []string `json:"allow_hosts"`
	// SyncEvery is how often the state of an issue is read.
	SyncEvery kernel.Duration `json:"sync_every"`
	// Timeout is how long a tracker may take to answer.
	Timeout kernel.Duration `json:"timeout"`
}

// Validate reports what is out of bounds.
func (c Config) Validate() error {
	var out []error
	if err := outbound.CheckAllow(c.AllowHosts); err != nil {
		out = append(out, errors.Join(errors.New("trackers.allow_hosts"), err))
	}
	if d := time.Duration(c.SyncEvery); d < time.Minute || d > 24*time.Hour {
		out = append(out, errors.New("trackers.sync_every is not between 1m and 24h"))
	}
	if d := time.Duration(c.Timeout); d < 100*time.Millisecond || d > time.Minute {
		out = append(out, errors.New("trackers.timeout is not between 100ms and 1m"))
	}
	return errors.Join(out...)
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "trackers", Requires: []string{"crashes"}, Features: []string{feature},
		Plugin: &kernel.Plugin{
			Code: wireSettings, Title: "Issue trackers", Description: "Makes issues of crash groups at Jira, GitHub and GitLab, and keeps the states of both in step.",
		},
		Defaults: Config{AllowHosts: []string{}, SyncEvery: kernel.Duration(5 * time.Minute), Timeout: kernel.Duration(15 * time.Second)},
		Setup:    kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Directory
	kernel.Shared
	kernel.Secrets
}

func pick(c *kernel.Capabilities) uses {
	return uses{c.Documents, c.Directory, c.Shared, c.Secrets}
}

type service struct {
	cfg      Config
	docs     docs.DB
	apps     *apps.Store
	crashes  *kernel.Crashes
	symbols  *kernel.Symbols
	keys     *seal.Keys
	settings *appsettings.Store
	http     *outbound.Client
	bus      *hook.Bus
	log      *slog.Logger
	now      func() time.Time
	// keying lets one request make the key of the server for Jira.
	keying sync.Mutex
	// syncing lets one request at a time bring a link up to date.
	syncing linkLocks
}

// maxAnswer bounds what a tracker answers, in bytes.
const maxAnswer = 2 << 20

// jobEvery is how often links are looked for whose turn it is.
const jobEvery = time.Minute

func setup(s *kernel.Scope, n uses) error {
	_, err := wired(s, n)
	return err
}

// wired returns the service of a server.
func wired(s *kernel.Scope, n uses) (*service, error) {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return nil, err
	}
	svc := &service{
		cfg: cfg, docs: n.Docs, apps: n.Apps, crashes: n.Crashes, symbols: n.Symbols, keys: n.Keys, settings: s.Settings, bus: s.Bus, log: s.Log, now: s.Now,
		http: outbound.New(outbound.Options{Allow: cfg.AllowHosts, Timeout: time.Duration(cfg.Timeout), MaxBytes: maxAnswer, Agent: "Quipu"}),
	}
	for _, name := range []string{settingAddress, settingConsumer, settingCallback} {
		s.Settings.Declare(wireSettings, name, appsettings.Setting{Default: ""})
	}
	n.Crashes.ProvideIssues(func(ctx context.Context, app model.AppID, group string) (any, error) {
		if !s.Enabled() {
			return nil, nil
		}
		return svc.shown(ctx, app, group)
	})
	svc.own(s.Routes)
	svc.wire(s.Routes)
	s.Jobs.Every("sync", jobEvery, svc.syncDue)
	hook.On(s.Bus, s.Name, svc.decided)
	hook.On(s.Bus, s.Name, svc.appReset)
	hook.On(s.Bus, s.Name, svc.appDeleted)
	return svc, nil
}

// own declares the routes of Quipu's own.
func (s *service) own(g *api.Registrar) {
	may := func(a model.Action) api.Access { return api.Feature(feature, a, api.AppParam) }
	admin, global := api.AppAdmin(api.AppParam), api.GlobalAdmin()
	api.Handle(g, "/o/trackers", may(model.Read), s.readSettings)
	api.Handle(g, "/o/trackers/issue", may(model.Read), s.readIssue)
	api.Handle(g, "/o/trackers/draft", may(model.Read), s.draft)
	api.Handle(g, "/i/trackers/settings", admin, s.saveSettings)
	api.Handle(g, "/i/trackers/remove", admin, s.removeSettings)
	api.Handle(g, "/i/trackers/check", admin, s.check)
	api.Handle(g, "/i/trackers/create", may(model.Create), s.create)
	api.Handle(g, "/i/trackers/link", may(model.Update), s.link)
	api.Handle(g, "/i/trackers/unlink", may(model.Update), s.unlink)
	api.Handle(g, "/i/trackers/sync", may(model.Update), s.sync)
	api.Handle(g, "/i/trackers/state", may(model.Update), s.setState)
	api.Handle(g, "/o/trackers/jira", global, s.readJira)
	api.Handle(g, "/i/trackers/jira", global, s.saveJira)
	api.Handle(g, "/i/trackers/jira/login", global, s.loginJira)
	api.Handle(g, "/i/trackers/jira/logout", global, s.logoutJira)
}

// Faults.
var (
	errNotSetUp     = fault.New(fault.Conflict, "trackers.not_set_up", "No issue tracker is set up for the app")
	errNoLogin      = fault.New(fault.Conflict, "trackers.no_login", "Nobody has logged in to Jira")
	errSecretLost   = fault.New(fault.Conflict, "trackers.secret_lost", "The secret key of the server was replaced: enter the token again")
	errLinked       = fault.New(fault.Conflict, "trackers.linked", "The crash group already has an issue")
	errNotLinked    = fault.New(fault.NotFound, "trackers.not_linked", "The crash group has no issue")
	errOtherTracker = fault.New(fault.Conflict, "trackers.other_tracker", "The issue belongs to a different tracker or project than the app uses now")
	errNoGroup      = fault.New(fault.NotFound, "trackers.no_group", "There is no such crash group")
	errNoIssue      = fault.New(fault.NotFound, "trackers.no_issue", "There is no such issue in the issue tracker")
	errNoProject    = fault.New(fault.NotFound, "trackers.no_project", "There is no such project in the issue tracker, or the account does not see it")
	errNoIssues     = fault.New(fault.Conflict, "trackers.no_issues", "Issues are switched off in the project")
	errIssueName    = fault.New(fault.Invalid, "trackers.bad_issue", "Specify the issue by its address or number")
	errOtherProject = fault.New(fault.Invalid, "trackers.other_project", "The issue belongs to another project than the app's")
	errPullRequest  = fault.New(fault.Invalid, "trackers.pull_request", "This is a pull request, not an issue")
	errTransition   = fault.New(fault.Conflict, "trackers.no_transition", "The workflow of the issue has no transition to that state")
	errBlocked      = fault.New(fault.Invalid, "trackers.blocked_host", "The address is not a public internet address; the operator can allow it with trackers.allow_hosts")
	errAnswer       = fault.New(fault.Unavailable, "trackers.bad_answer", "The response is not from the tracker's API; check its address")
	errExpired      = fault.New(fault.Invalid, "trackers.login_expired", "The login at Jira is no longer in progress, start again")
)

// projectOf is an error about a project where that of an issue is missing.
func projectOf(err error) error {
	if errors.Is(err, errNoIssue) {
		return errNoProject
	}
	return err
}

func bad(message string) error { return fault.New(fault.Invalid, "trackers.bad_parameter", message) }
