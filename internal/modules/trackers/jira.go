package trackers

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// jira is a project at Jira Cloud or Jira Data Center, by version 2 of its REST API, which both have.
type jira struct {
	web *web
	cfg *settings
}

var jiraKey = regexp.MustCompile(`^[A-Z][A-Z0-9_]{1,99}-[1-9][0-9]{0,17}$`)

type jiraStatus struct {
	Name     string `json:"name"`
	Category struct {
		Key string `json:"key"`
	} `json:"statusCategory"`
}

// stateOf puts a status where the app says, or else where Jira's own category of it is.
func (j jira) stateOf(s jiraStatus) state {
	named := func(list []string) bool {
		return slices.ContainsFunc(list, func(n string) bool { return strings.EqualFold(n, s.Name) })
	}
	switch {
	case named(j.cfg.Done):
		return isDone
	case named(j.cfg.Doing):
		return isDoing
	case named(j.cfg.Todo):
		return isOpen
	case s.Category.Key == "done":
		return isDone
	case s.Category.Key == "indeterminate":
		return isDoing
	}
	return isOpen
}

func (j jira) call(ctx context.Context, method, path string, in, out any) error {
	j.web.explain = jiraWords
	return j.web.call(ctx, method, j.cfg.Address+"/rest/api/2"+path, in, out)
}

// jiraWords are the errors of an answer in one line.
func jiraWords(body []byte) string {
	var said struct {
		Messages []string          `json:"errorMessages"`
		Errors   map[string]string `json:"errors"`
	}
	if json.Unmarshal(body, &said) != nil {
		return ""
	}
	for _, field := range slices.Sorted(maps.Keys(said.Errors)) {
		said.Messages = append(said.Messages, said.Errors[field])
	}
	return strings.Join(said.Messages, ", ")
}

func (j jira) check(ctx context.Context) error {
	var out struct {
		Key string `json:"key"`
	}
	if err := j.call(ctx, http.MethodGet, "/project/"+url.PathEscape(j.cfg.Project), nil, &out); err != nil {
		return projectOf(err)
	}
	if out.Key == "" {
		return errAnswer
	}
	return nil
}

func (j jira) create(ctx context.Context, d draft) (issue, error) {
	kind := map[string]string{"name": j.cfg.Type}
	if strings.Trim(j.cfg.Type, "0123456789") == "" {
		kind = map[string]string{"id": j.cfg.Type}
	}
	fields := map[string]any{"project": map[string]string{"key": j.cfg.Project}, "issuetype": kind, "summary": d.Title, "description": d.Text}
	if len(j.cfg.Labels) > 0 {
		fields["labels"] = j.cfg.Labels
	}
	var out struct {
		Key string `json:"key"`
	}
	if err := j.call(ctx, http.MethodPost, "/issue", map[string]any{"fields": fields}, &out); err != nil {
		return issue{}, projectOf(err)
	}
	if !jiraKey.MatchString(out.Key) {
		return issue{}, errAnswer
	}
	made := issue{Key: out.Key, URL: j.browse(out.Key), Title: d.Title, State: isOpen}
	// The issue is there: that its status cannot be read now is found out later.
	if full, err := j.read(ctx, out.Key); err == nil {
		made = full
	}
	return made, nil
}

// find searches by JQL. Jira Cloud has /search/jql alone, Data Center /search alone.
func (j jira) find(ctx context.Context, mark string, _ int64) (issue, bool, error) {
	q := url.Values{"jql": {`project = "` + j.cfg.Project + `" AND description ~ "` + mark + `"`}, "fields": {"summary,status,description"}, "maxResults": {"10"}}
	var out struct {
		Issues []struct {
			Key    string `json:"key"`
			Fields struct {
				jiraFields
				Text string `json:"description"`
			} `json:"fields"`
		} `json:"issues"`
	}
	err := j.call(ctx, http.MethodGet, "/search/jql?"+q.Encode(), nil, &out)
	if errors.Is(err, errNoIssue) {
		err = j.call(ctx, http.MethodGet, "/search?"+q.Encode(), nil, &out)
	}
	if err != nil {
		return issue{}, false, projectOf(err)
	}
	found := -1
	for n, i := range out.Issues {
		switch {
		case !strings.Contains(i.Fields.Text, mark):
		case found >= 0:
			return issue{}, false, nil
		default:
			found = n
		}
	}
	if found < 0 {
		return issue{}, false, nil
	}
	one, err := j.issue(out.Issues[found].Key, out.Issues[found].Fields.jiraFields)
	return one, err == nil, err
}

func (j jira) browse(key string) string { return j.cfg.Address + "/browse/" + key }

func (j jira) key(text string) (string, error) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "/") {
		path, ok := pathOf(j.cfg.Address, text)
		rest, isIssue := strings.CutPrefix(path, "browse/")
		if !ok || !isIssue {
			return "", errOtherProject
		}
		text = rest
	}
	text = strings.ToUpper(text)
	if strings.Trim(text, "0123456789") == "" && text != "" {
		text = j.cfg.Project + "-" + text
	}
	if !jiraKey.MatchString(text) {
		return "", errIssueName
	}
	if project, _, _ := strings.Cut(text, "-"); project != j.cfg.Project {
		return "", errOtherProject
	}
	return text, nil
}

func (j jira) read(ctx context.Context, key string) (issue, error) {
	var out struct {
		Key    string     `json:"key"`
		Fields jiraFields `json:"fields"`
	}
	if err := j.call(ctx, http.MethodGet, "/issue/"+url.PathEscape(key)+"?fields=summary,status", nil, &out); err != nil {
		return issue{}, err
	}
	return j.issue(out.Key, out.Fields)
}

type jiraFields struct {
	Summary string     `json:"summary"`
	Status  jiraStatus `json:"status"`
}

func (j jira) issue(key string, f jiraFields) (issue, error) {
	if !jiraKey.MatchString(key) || f.Status.Name == "" {
		return issue{}, errAnswer
	}
	if project, _, _ := strings.Cut(key, "-"); project != j.cfg.Project { // it was moved
		return issue{}, errOtherProject
	}
	return issue{Key: key, URL: j.browse(key), Title: f.Summary, State: j.stateOf(f.Status), Status: f.Status.Name}, nil
}

// set takes the first transition of the workflow that leads to a status of the state.
func (j jira) set(ctx context.Context, key string, to state) error {
	path := "/issue/" + url.PathEscape(key) + "/transitions"
	var out struct {
		Transitions []struct {
			ID string     `json:"id"`
			To jiraStatus `json:"to"`
		} `json:"transitions"`
	}
	if err := j.call(ctx, http.MethodGet, path, nil, &out); err != nil {
		return duringStep{"Failed to get JIRA issue transitions", err}
	}
	for _, t := range out.Transitions {
		if j.stateOf(t.To) == to {
			err := j.call(ctx, http.MethodPost, path, map[string]any{"transition": map[string]string{"id": t.ID}}, nil)
			if err != nil {
				return duringStep{"Failed to transition JIRA issue", err}
			}
			return nil
		}
	}
	return errTransition
}

// duringStep is an error of a step that the wire has a text for.
type duringStep struct {
	text string
	err  error
}

// Error returns the error without the step.
func (e duringStep) Error() string { return e.err.Error() }

// Unwrap returns the error of the step.
func (e duringStep) Unwrap() error { return e.err }

func (jira) threeStates() bool { return true }
