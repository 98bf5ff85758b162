package trackers

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// wirePath is where the wire has its writes.
const wirePath = "/i/crashes-jira"

// wire declares the routes of the wire, which know Jira alone.
func (s *service) wire(g *api.Registrar) {
	may := func(a model.Action) api.Access { return api.Feature(feature, a, api.AppParam) }
	api.HandleRawOf(g, wirePath+"?method=login", api.GlobalAdmin(), "the answer leads to Jira", s.wireLogin)
	api.HandleRawOf(g, wirePath+"?method=callback", api.Public(), "the answer may lead to a page", s.wireCallback)
	api.HandleRaw(g, "/crashes-jira/login_callback", api.Public(), "the answer leads to the dashboard", func(w http.ResponseWriter, _ api.Caller) error {
		return redirect(w, "../dashboard/manage/jira")
	})
	api.HandleMethodAt(g, wirePath, "check_login", api.GlobalAdmin(), s.wireCheck)
	api.HandleMethodAt(g, wirePath, "create", may(model.Create), s.wireCreate)
	api.HandleMethodAt(g, wirePath, "sync", may(model.Update), s.wireSync)
	api.HandleMethod(g, wireSettings, api.Feature(feature, model.Read, api.AppParamFirst), s.wireIssues)
}

// failed gives a fault the status 500 and the text that the wire has for it. What the server itself failed at stays as it is.
func failed(err error, text string) error {
	f, ok := errors.AsType[*fault.Error](err)
	if err == nil || !ok || f.Kind == fault.Internal {
		return err
	}
	return &api.StatusError{Status: http.StatusInternalServerError, Result: text, Err: err}
}

// texts of the wire, beside those that say what else went wrong.
const (
	textNoAccess  = "Missing access token, please log in to JIRA"
	textNoConfig  = "Incomplete jira-crashes app config"
	textNoConnect = "Failed to connect to JIRA"
)

func message(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f.Msg
	}
	return "internal error"
}

type prettyReq struct {
	Pretty string `param:"pretty_callback"`
}

func redirect(w http.ResponseWriter, to string) error {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusFound)
	return nil
}

func (s *service) wireLogin(w http.ResponseWriter, c api.Caller, r prettyReq) error {
	to, err := s.begin(c.Request().Context(), r.Pretty != "")
	switch {
	case errors.Is(err, errNotSetUp), errors.Is(err, errSecretLost):
		return failed(err, "Failed to generate oauth object: "+message(err))
	case err != nil:
		return failed(err, "Failed to retrieve oauth token: "+message(err))
	}
	c.Audit("", nil, map[string]any{"address": s.jiraAddress(), "consumer_key": s.consumer()}, nil)
	return redirect(w, to)
}

type callbackReq struct {
	Verifier string `param:"oauth_verifier"`
	Token    string `param:"oauth_token"`
	Pretty   string `param:"pretty_callback"`
}

// wireCallback is where Jira sends the person who granted the login.
func (s *service) wireCallback(w http.ResponseWriter, c api.Caller, r callbackReq) error {
	if s.jiraAddress() == "" || s.consumer() == "" {
		return failed(errNotSetUp, "Failed to generate oauth object: "+errNotSetUp.Msg)
	}
	err := s.complete(c.Request().Context(), r.Token, r.Verifier)
	switch {
	case errors.Is(err, errLate):
		return redirect(w, "?method=login")
	case errors.Is(err, errExpired), errors.Is(err, errSecretLost):
		return failed(err, "Failed to find oauth token: "+message(err))
	case err != nil:
		return failed(err, "Failed to retrieve access token: "+message(err))
	case r.Pretty != "":
		return redirect(w, "../crashes-jira/login_callback")
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, err = w.Write([]byte(`{"result":"Success"}`))
	return err
}

func (s *service) wireCheck(ctx context.Context, c api.Caller, _ api.None) (api.Result, error) {
	c.NoAudit() // it changes nothing
	o, err := s.accessToken(ctx)
	switch {
	case errors.Is(err, errNoLogin):
		return api.Result{}, failed(err, textNoAccess)
	case err != nil:
		return api.Result{}, failed(err, "Failed to find JIRA access token")
	}
	var out struct {
		BaseURL string `json:"baseUrl"`
		Version string `json:"version"`
	}
	w := &web{http: s.http, now: s.now, sign: o.sign, explain: jiraWords}
	err = w.call(ctx, http.MethodGet, s.jiraAddress()+"/rest/api/2/serverInfo", nil, &out)
	if err == nil && out.BaseURL == "" && out.Version == "" {
		err = errAnswer
	}
	if err != nil {
		return api.Result{}, failed(err, "Failed to fetch server info")
	}
	return api.Result{Result: "Successfully fetched server info"}, nil
}

// jiraOf returns the settings of an app for Jira.
func (s *service) jiraOf(ctx context.Context, app *model.App) (*settings, error) {
	set, err := s.of(ctx, app)
	if err == nil && set.Tracker != trackerJira {
		err = errNotSetUp
	}
	return set, err
}

// worded words an error of a request to Jira as the wire does.
func worded(err error, otherwise string) error {
	switch {
	case errors.Is(err, errNotSetUp):
		return failed(err, textNoConfig)
	case errors.Is(err, errNoLogin):
		return failed(err, textNoAccess)
	case errors.Is(err, errSecretLost):
		return failed(err, "Failed to find JIRA access token")
	}
	if e, ok := errors.AsType[duringStep](err); ok {
		return failed(err, e.text)
	}
	switch {
	case fault.CodeOf(err) == "trackers.refused":
		return failed(err, message(err))
	case errors.Is(err, errTransition):
		return failed(err, "Could not find transition")
	}
	return failed(err, otherwise)
}

type wireCreateReq struct {
	Group       string `param:"crashgroup_id"`
	Summary     string `param:"summary"`
	Description string `param:"description"`
}

var errWireParams = bad("Missing params")

func (s *service) wireCreate(ctx context.Context, c api.Caller, r wireCreateReq) (api.Result, error) {
	if r.Group == "" {
		return api.Result{}, errWireParams
	}
	g, err := s.group(ctx, c.App.ID, r.Group)
	if errors.Is(err, errNoGroup) {
		return api.Result{}, &api.StatusError{Status: http.StatusNotFound, Result: "Could not find crash group", Err: err}
	}
	if err != nil {
		return api.Result{}, err
	}
	if _, err := s.get(ctx, c.App.ID, g.ID); !errors.Is(err, errNotLinked) {
		c.NoAudit()
		return api.Result{Result: "There is already a JIRA issue for this crashgroup"}, err
	}
	if _, err := s.jiraOf(ctx, c.App); err != nil {
		return api.Result{}, worded(err, textNoConfig)
	}
	if len(r.Summary) > maxTitle || len(r.Description) > maxText {
		return api.Result{}, bad("Parameter \"summary\" or \"description\" is too long")
	}
	_, err = s.make(ctx, c, g, r.Summary, r.Description, "")
	if errors.Is(err, errLinked) {
		c.NoAudit()
		return api.Result{Result: "There is already a JIRA issue for this crashgroup"}, nil
	}
	if err != nil {
		return api.Result{}, worded(err, textNoConnect)
	}
	return api.Success(), nil
}

type wireGroupReq struct {
	Group string `param:"crashgroup_id"`
}

// maxSynced is how many groups one request brings up to date; the job does the rest.
const maxSynced = 20

func (s *service) wireSync(ctx context.Context, c api.Caller, r wireGroupReq) (api.Result, error) {
	if r.Group == "" {
		return s.wireSyncAll(ctx, c)
	}
	before, err := s.get(ctx, c.App.ID, r.Group)
	if errors.Is(err, errNotLinked) {
		text := "Failed to find crashgroup jira issue"
		if _, gerr := s.group(ctx, c.App.ID, r.Group); errors.Is(gerr, errNoGroup) {
			text = "Failed to find crashgroup"
		}
		return api.Result{}, &api.StatusError{Status: http.StatusNotFound, Result: text, Err: err}
	}
	if err != nil {
		return api.Result{}, err
	}
	if _, err := s.jiraOf(ctx, c.App); err != nil {
		return api.Result{}, worded(err, textNoConfig)
	}
	after, done, err := s.refresh(ctx, c.App, r.Group)
	if errors.Is(err, errNoGroup) {
		return api.Result{}, &api.StatusError{Status: http.StatusNotFound, Result: "Failed to find crashgroup", Err: err}
	}
	if err != nil {
		return api.Result{}, worded(err, "Ran into an error while connecting to JIRA")
	}
	c.Audit("", audited(before), audited(after), nil)
	return api.Result{Result: [...]string{inStep: "Crash is already in sync", changedGroup: "Succesfully updated crash", changedIssue: "Success"}[done]}, nil //nolint:misspell // as the wire has it
}

// wireSyncAll brings all groups of an app up to date: some at once, the rest when the job has its next turn.
func (s *service) wireSyncAll(ctx context.Context, c api.Caller) (api.Result, error) {
	if _, err := s.jiraOf(ctx, c.App); err != nil {
		return api.Result{}, worded(err, textNoConfig)
	}
	col := linkSpec().In(s.docs, c.App.ID)
	list, err := col.All(ctx, docs.Query{Where: []docs.Cond{docs.Lt("due", never)}, Sort: "due"})
	if err != nil {
		return api.Result{}, err
	}
	list = slices.DeleteFunc(list, link.pending)
	for n, l := range list {
		if n < maxSynced {
			_, _, err := s.refresh(ctx, c.App, l.Group)
			if kind := fault.KindOf(err); err != nil && (kind == fault.Unavailable || kind == fault.RateLimited || kind == fault.Internal || errors.Is(err, errNoLogin)) {
				return api.Result{}, worded(err, "Ran into an error while connecting to JIRA")
			}
			continue
		}
		_, err := col.Update(ctx, l.Group, func(l *link) error { l.Due = min(l.Due, s.now().Unix()); return nil })
		if err != nil && !docs.IsNotFound(err) {
			return api.Result{}, err
		}
	}
	c.Audit("", nil, map[string]any{"issues": len(list)}, nil)
	return api.Success(), nil
}

type wireIssuesReq struct {
	Group  string       `param:"crashgroup_id"`
	Groups params.Value `param:"crashgroups"`
}

// wireIssue is a link as the wire has it. Times are in seconds.
type wireIssue struct {
	Group string `json:"_id"`
	Issue struct {
		Key string `json:"key"`
	} `json:"issue"`
	Created int64  `json:"created"`
	Checked int64  `json:"lastChecked"`
	URL     string `json:"url"`
}

// maxIssues is how many links one answer has.
const maxIssues = 1000

// wireIssues lists the issues of groups, of all groups if none is named.
func (s *service) wireIssues(ctx context.Context, c api.Caller, r wireIssuesReq) ([]wireIssue, error) {
	groups := listOfGroups(r.Groups)
	if r.Group != "" {
		groups = append(groups, r.Group)
	}
	q := docs.Query{Limit: maxIssues}
	if len(groups) > 0 {
		groups = groups[:min(len(groups), maxIssues)]
		values := make([]any, len(groups))
		for i, g := range groups {
			values[i] = g
		}
		q.Where = []docs.Cond{docs.In("", values...)}
	}
	out := []wireIssue{}
	for l, err := range linkSpec().In(s.docs, c.App.ID).List(ctx, q) {
		if err != nil {
			return nil, err
		}
		if l.pending() || l.Tracker != trackerJira {
			continue
		}
		one := wireIssue{Group: l.Group, Created: l.Created, Checked: l.Checked, URL: l.URL}
		one.Issue.Key = l.Issue
		out = append(out, one)
	}
	return out, nil
}

// listOfGroups reads ids that stand in a list, or in one text with commas between.
func listOfGroups(v params.Value) []string {
	p := params.Params{}
	p.Set("v", v)
	var parsed any
	if p.Decode("v", &parsed) != nil {
		parsed = v.String()
	}
	var out []string
	switch v := parsed.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, one := range v {
			if text, ok := one.(string); ok {
				out = append(out, text)
			}
		}
	}
	out = slices.DeleteFunc(out, func(id string) bool { return id == "" || len(id) > maxField })
	return out
}
