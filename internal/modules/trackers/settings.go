package trackers

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/outbound"
	"quipu/internal/params"
	"quipu/internal/seal"
	"quipu/internal/store/docs"
)

// The trackers, and how a server logs in to one.
const (
	trackerJira   = "jira"
	trackerGitHub = "github"
	trackerGitLab = "gitlab"

	authToken = "token" // of GitHub and GitLab, and the personal access token of Jira Data Center
	authBasic = "basic" // Jira Cloud: e-mail and API token
	authOAuth = "oauth" // Jira: the login of the server
)

// What secrets are sealed for.
const (
	sealedToken   = "trackers.token"
	sealedKey     = "trackers.jira_key"
	sealedAccess  = "trackers.jira_access"
	sealedRequest = "trackers.jira_request"
)

// settings is what an app has set.
type settings struct {
	ID      string `json:"_id"`
	Tracker string `json:"tracker"`
	Address string `json:"address"` // of the site, without a slash at the end
	Project string `json:"project"` // owner/name, group/project, or the key of a project of Jira
	Auth    string `json:"auth"`
	User    string `json:"user,omitempty"`  // e-mail, of basic
	Token   string `json:"token,omitempty"` // sealed
	Type    string `json:"type,omitempty"`  // of issues, Jira alone
	// Labels are given to issues that are made here.
	Labels []string `json:"labels,omitempty"`
	// Todo, Doing and Done are statuses of Jira that count otherwise than their category says.
	Todo  []string `json:"todo,omitempty"`
	Doing []string `json:"doing,omitempty"`
	Done  []string `json:"done,omitempty"`
	// Resolve and Reopen let issues decide about groups, Close and Again groups about issues.
	Resolve bool `json:"resolve_groups"`
	Reopen  bool `json:"reopen_groups"`
	Close   bool `json:"close_issues"`
	Again   bool `json:"reopen_issues"`

	app model.AppID
}

// settingsID is the key of the one document of an app.
const settingsID = "app"

// Key returns the only key.
func (s settings) Key() string { return s.ID }

// Validate accepts: the service checks what it writes.
func (settings) Validate() error { return nil }

func settingsSpec() docs.Spec[settings] {
	return docs.Spec[settings]{Name: "trackers.settings", Version: 1}
}

// home is what links of the same tracker and project share.
func (s *settings) home() string { return s.Tracker + " " + s.Address + " " + s.Project }

// view is the settings as people see them.
type view struct {
	// SetUp says that issues can be made.
	SetUp   bool     `json:"set_up"`
	Tracker string   `json:"tracker"`
	Address string   `json:"address"`
	Project string   `json:"project"`
	Auth    string   `json:"auth"`
	User    string   `json:"user"`
	Type    string   `json:"type"`
	Labels  []string `json:"labels"`
	Todo    []string `json:"todo"`
	Doing   []string `json:"doing"`
	Done    []string `json:"done"`
	Resolve bool     `json:"resolve_groups"`
	Reopen  bool     `json:"reopen_groups"`
	Close   bool     `json:"close_issues"`
	Again   bool     `json:"reopen_issues"`
	// HasToken says that a token is kept; it is never shown.
	HasToken bool `json:"has_token"`
	// JiraAddress is that of the Jira that the server is logged in to, "" for none.
	JiraAddress string `json:"jira_address"`
}

func (s *settings) view() view {
	list := func(l []string) []string { return append([]string{}, l...) }
	return view{
		SetUp: true, Tracker: s.Tracker, Address: s.Address, Project: s.Project, Auth: s.Auth, User: s.User, Type: s.Type, Labels: list(s.Labels), Todo: list(s.Todo),
		Doing: list(s.Doing), Done: list(s.Done), Resolve: s.Resolve, Reopen: s.Reopen, Close: s.Close, Again: s.Again, HasToken: s.Token != "",
	}
}

// of returns what an app has set, or what it has set for Jira as the wire has it. The fault is trackers.not_set_up.
func (s *service) of(ctx context.Context, app *model.App) (*settings, error) {
	set, err := settingsSpec().In(s.docs, app.ID).Get(ctx, settingsID)
	if err != nil && !docs.IsNotFound(err) {
		return nil, err
	}
	if err != nil {
		own, _ := app.Plugins[wireSettings].(map[string]any)
		text := func(name string) string { t, _ := own[name].(string); return strings.TrimSpace(cut(t, maxField)) }
		set = settings{
			Tracker: trackerJira, Auth: authOAuth, Project: text("project"), Type: text("type"), Todo: listOf(own["todo-states"]), Doing: listOf(own["doing-states"]),
			Done: listOf(own["done-states"]), Resolve: true, Reopen: true, Close: true, Again: true,
		}
		if set.Project == "" || set.Type == "" || !projectForms[trackerJira].MatchString(set.Project) {
			return nil, errNotSetUp
		}
	}
	set.app = app.ID
	if set.Auth == authOAuth {
		set.Address = s.jiraAddress()
	}
	return &set, nil
}

// listOf reads texts that stand in a list, or in one text with commas between.
func listOf(v any) []string {
	var out []string
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && len(text) <= maxField && len(out) < maxList {
			out = append(out, text)
		}
	}
	switch v := v.(type) {
	case string:
		for part := range strings.SplitSeq(v, ",") {
			add(part)
		}
	case []any:
		for _, one := range v {
			if text, ok := one.(string); ok {
				add(text)
			}
		}
	}
	return out
}

// Bounds of what is set.
const (
	maxField = 200  // bytes
	maxToken = 2000 // bytes
	maxList  = 20
)

var projectForms = map[string]*regexp.Regexp{
	trackerJira:   regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,99}$`),
	trackerGitHub: regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$`),
	trackerGitLab: regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*){1,20}$`),
}

// sites are the addresses of trackers that most have.
var sites = map[string]string{trackerGitHub: githubSite, trackerGitLab: "https://gitlab.com"}

// wanted is what a member wants to set.
type wanted struct {
	Tracker string   `json:"tracker"`
	Address string   `json:"address"`
	Project string   `json:"project"`
	Auth    string   `json:"auth"`
	User    string   `json:"user"`
	Token   string   `json:"token"` // "" = that which is kept
	Type    string   `json:"type"`
	Labels  []string `json:"labels"`
	Todo    []string `json:"todo"`
	Doing   []string `json:"doing"`
	Done    []string `json:"done"`
	Resolve bool     `json:"resolve_groups"`
	Reopen  bool     `json:"reopen_groups"`
	Close   bool     `json:"close_issues"`
	Again   bool     `json:"reopen_issues"`
}

type settingsReq struct {
	Args params.Value `param:"args"`
}

// read checks what is wanted, and reports all that is wrong with it at once.
func (r settingsReq) read() (w wanted, err error) {
	dec := json.NewDecoder(strings.NewReader(string(r.Args.Raw())))
	dec.DisallowUnknownFields()
	if dec.Decode(&w) != nil {
		return w, bad("Could not parse parameter \"args\"")
	}
	wrong := map[string]string{}
	for _, text := range []*string{&w.Tracker, &w.Address, &w.Project, &w.Auth, &w.User, &w.Token, &w.Type} {
		*text = strings.TrimSpace(*text)
	}
	form := projectForms[w.Tracker]
	if form == nil {
		return w, badSettings(map[string]string{"tracker": "must be jira, github or gitlab"})
	}
	if w.Tracker == trackerJira {
		w.Project = strings.ToUpper(w.Project)
	}
	if w.Address == "" {
		w.Address = sites[w.Tracker]
	}
	if w.Auth != authOAuth {
		address, err := outbound.Address(w.Address)
		if err != nil {
			wrong["address"] = err.Error()
		}
		w.Address = address
	} else {
		w.Address = ""
	}
	w.Project = strings.Trim(w.Project, "/")
	if len(w.Project) > maxField || !form.MatchString(w.Project) || slices.Contains(strings.Split(w.Project, "/"), "..") || slices.Contains(strings.Split(w.Project, "/"), ".") {
		wrong["project"] = map[string]string{trackerJira: "must be the key of a project, as SHOP", trackerGitHub: "must be owner/repository", trackerGitLab: "must be group/project"}[w.Tracker]
	}
	switch {
	case w.Tracker != trackerJira && w.Auth != authToken, w.Tracker == trackerJira && !slices.Contains([]string{authToken, authBasic, authOAuth}, w.Auth):
		wrong["auth"] = "must be token, or for Jira basic or oauth"
	case w.Auth == authBasic && (w.User == "" || strings.Contains(w.User, ":")):
		wrong["user"] = "must be the e-mail address of the account"
	}
	if w.Tracker == trackerJira && w.Type == "" {
		wrong["type"] = "must be a type of issues, as Bug"
	}
	if len(w.Token) > maxToken || strings.ContainsFunc(w.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		wrong["token"] = "must be of printable characters without blanks"
	}
	if len(w.User) > maxField || len(w.Type) > maxField {
		wrong["user"] = "must be shorter"
	}
	for name, list := range map[string][]string{"labels": w.Labels, "todo": w.Todo, "doing": w.Doing, "done": w.Done} {
		for _, text := range list {
			if text == "" || len(text) > maxField || strings.Contains(text, ",") {
				wrong[name] = "must be texts of at most 200 bytes without commas"
			}
		}
		if len(list) > maxList {
			wrong[name] = "must be at most 20"
		}
	}
	for _, label := range w.Labels {
		if w.Tracker == trackerJira && strings.ContainsAny(label, " \t") {
			wrong["labels"] = "must have no blanks in Jira"
		}
	}
	if len(wrong) > 0 {
		return w, badSettings(wrong)
	}
	return w, nil
}

func badSettings(fields map[string]string) error {
	var parts []string
	for name, text := range fields {
		parts = append(parts, name+" "+text)
	}
	slices.Sort(parts)
	f := fault.New(fault.Invalid, "trackers.bad_settings", strings.Join(parts, ", "))
	f.Fields = fields
	return f
}

// saveSettings sets the tracker of an app. The token that is kept is used for the tracker and the address that it was entered for alone.
func (s *service) saveSettings(ctx context.Context, c api.Caller, r settingsReq) (view, error) {
	w, err := r.read()
	if err != nil {
		return view{}, err
	}
	col := settingsSpec().In(s.docs, c.App.ID)
	old, err := col.Get(ctx, settingsID)
	known := err == nil
	if err != nil && !docs.IsNotFound(err) {
		return view{}, err
	}
	set := settings{
		ID: settingsID, Tracker: w.Tracker, Address: w.Address, Project: w.Project, Auth: w.Auth, User: w.User, Type: w.Type, Labels: w.Labels, Todo: w.Todo, Doing: w.Doing,
		Done: w.Done, Resolve: w.Resolve, Reopen: w.Reopen, Close: w.Close, Again: w.Again,
	}
	switch {
	case w.Auth == authOAuth:
	case w.Token != "":
		set.Token = s.keys.Seal(sealedToken, c.App.ID.String(), w.Token)
	case known && old.Token != "" && old.Tracker == set.Tracker && old.Address == set.Address && old.Auth == set.Auth && old.User == set.User:
		set.Token = old.Token
	default:
		return view{}, badSettings(map[string]string{"token": "must be entered for this address and account"})
	}
	if err := col.Put(ctx, set); err != nil {
		return view{}, err
	}
	var before any
	if known {
		before = old.view()
	}
	out := set.view()
	c.Audit("", before, out, map[string]any{"new_secret": w.Token != ""})
	out.JiraAddress = s.loggedInTo(ctx)
	return out, nil
}

// removeSettings forgets the tracker of an app and its token. What groups are linked with is kept, and shown as it was last.
func (s *service) removeSettings(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	col := settingsSpec().In(s.docs, c.App.ID)
	old, err := col.Get(ctx, settingsID)
	if docs.IsNotFound(err) {
		return api.Result{}, errNotSetUp
	}
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("", old.view(), nil, nil)
	return api.Success(), col.Delete(ctx, settingsID)
}

func (s *service) readSettings(ctx context.Context, c api.Caller, _ api.None) (view, error) {
	out := (&settings{Resolve: true, Reopen: true, Close: true, Again: true}).view()
	out.SetUp = false
	set, err := s.of(ctx, c.App)
	switch {
	case err == nil:
		out = set.view()
	case !errors.Is(err, errNotSetUp):
		return view{}, err
	}
	out.JiraAddress = s.loggedInTo(ctx)
	return out, nil
}

// checked is the answer of a check that found nothing wrong.
type checked struct {
	Result  string `json:"result"`
	Project string `json:"project"`
}

func (s *service) check(ctx context.Context, c api.Caller, _ api.None) (checked, error) {
	c.NoAudit() // it changes nothing
	set, err := s.of(ctx, c.App)
	if err != nil {
		return checked{}, err
	}
	t, err := s.open(ctx, set)
	if err != nil {
		return checked{}, err
	}
	return checked{"Success", set.Project}, t.check(ctx)
}

// unsealed opens a secret.
func (s *service) unsealed(use, owner, sealed string) (string, error) {
	text, err := s.keys.Open(use, owner, sealed)
	if errors.Is(err, seal.ErrWrongKey) {
		return "", errSecretLost
	}
	return text, err
}
