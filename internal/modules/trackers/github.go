package trackers

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// github is a repository at github.com or a GitHub Enterprise Server, by version 2022-11-28 of its REST API.
type github struct {
	web *web
	cfg *settings
}

// site of GitHub itself, whose API is at an address of its own.
const githubSite = "https://github.com"

func (g github) at(path string) string {
	base := g.cfg.Address + "/api/v3"
	if g.cfg.Address == githubSite {
		base = "https://api.github.com"
	}
	owner, name, _ := strings.Cut(g.cfg.Project, "/")
	return base + "/repos/" + url.PathEscape(owner) + "/" + url.PathEscape(name) + path
}

type githubIssue struct {
	Number      int64           `json:"number"`
	URL         string          `json:"html_url"`
	Title       string          `json:"title"`
	State       string          `json:"state"`
	PullRequest json.RawMessage `json:"pull_request"`
}

func (g github) issue(i githubIssue) (issue, error) {
	if i.Number <= 0 || i.State != "open" && i.State != "closed" {
		return issue{}, errAnswer
	}
	if i.PullRequest != nil {
		return issue{}, errPullRequest
	}
	key := strconv.FormatInt(i.Number, 10)
	out := issue{Key: key, URL: linkable(g.cfg.Address, i.URL, g.cfg.Address+"/"+g.cfg.Project+"/issues/"+key), Title: i.Title, State: isOpen, Status: i.State}
	if i.State == "closed" {
		out.State = isDone
	}
	return out, nil
}

func (g github) call(ctx context.Context, method, path string, in any) (issue, error) {
	g.prepare()
	var out githubIssue
	if err := g.web.call(ctx, method, g.at(path), in, &out); err != nil {
		return issue{}, err
	}
	return g.issue(out)
}

func (g github) prepare() {
	g.web.header = http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}}
	g.web.explain = func(body []byte) string {
		var said struct {
			Message string `json:"message"`
			Errors  []struct {
				Field   string `json:"field"`
				Code    string `json:"code"`
				Message string `json:"message"`
			} `json:"errors"`
		}
		if json.Unmarshal(body, &said) != nil {
			return ""
		}
		parts := []string{said.Message}
		for _, e := range said.Errors {
			parts = append(parts, strings.TrimSpace(e.Field+" "+e.Code+" "+e.Message))
		}
		return strings.Join(parts, ", ")
	}
}

func (g github) check(ctx context.Context) error {
	g.prepare()
	var out struct {
		HasIssues *bool `json:"has_issues"`
	}
	if err := g.web.call(ctx, http.MethodGet, g.at(""), nil, &out); err != nil {
		return projectOf(err)
	}
	if out.HasIssues == nil {
		return errAnswer
	}
	if !*out.HasIssues {
		return errNoIssues
	}
	return nil
}

func (g github) create(ctx context.Context, d draft) (issue, error) {
	in := map[string]any{"title": d.Title, "body": d.Text}
	if len(g.cfg.Labels) > 0 {
		in["labels"] = g.cfg.Labels
	}
	i, err := g.call(ctx, http.MethodPost, "/issues", in)
	return i, projectOf(err)
}

// maxPages bounds how many pages of a list of issues are read for one.
const maxPages = 20

// find reads the list of issues, the latest first: what search answers is behind it.
func (g github) find(ctx context.Context, mark string, since int64) (issue, bool, error) {
	g.prepare()
	q := url.Values{"state": {"all"}, "sort": {"created"}, "direction": {"desc"}, "per_page": {"100"}, "since": {time.Unix(since, 0).UTC().Format(time.RFC3339)}}
	var found []githubIssue
	for page := 1; page <= maxPages; page++ {
		q.Set("page", strconv.Itoa(page))
		var list []struct {
			githubIssue
			Body    string    `json:"body"`
			Created time.Time `json:"created_at"`
		}
		if err := g.web.call(ctx, http.MethodGet, g.at("/issues?"+q.Encode()), nil, &list); err != nil {
			return issue{}, false, projectOf(err)
		}
		for _, i := range list {
			if i.PullRequest == nil && strings.Contains(i.Body, mark) {
				found = append(found, i.githubIssue)
			}
		}
		if n := len(list); n < 100 || list[n-1].Created.Unix() < since {
			break
		}
	}
	if len(found) != 1 {
		return issue{}, false, nil
	}
	out, err := g.issue(found[0])
	return out, err == nil, err
}

func (g github) key(text string) (string, error) {
	return numberOf(g.cfg.Address, text, g.cfg.Project+"/issues/")
}

func (g github) read(ctx context.Context, key string) (issue, error) {
	return g.call(ctx, http.MethodGet, "/issues/"+key, nil)
}

func (g github) set(ctx context.Context, key string, to state) error {
	change := map[string]any{"state": "open", "state_reason": "reopened"}
	if to == isDone {
		change = map[string]any{"state": "closed", "state_reason": "completed"}
	}
	_, err := g.call(ctx, http.MethodPatch, "/issues/"+key, change)
	return err
}

func (github) threeStates() bool { return false }
