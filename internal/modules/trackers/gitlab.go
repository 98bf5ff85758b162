package trackers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// gitlab is a project at gitlab.com or a GitLab of one's own, by version 4 of its REST API.
type gitlab struct {
	web *web
	cfg *settings
}

type gitlabIssue struct {
	IID   int64  `json:"iid"`
	URL   string `json:"web_url"`
	Title string `json:"title"`
	State string `json:"state"`
}

func (g gitlab) at(path string) string {
	return g.cfg.Address + "/api/v4/projects/" + url.PathEscape(g.cfg.Project) + path
}

func (g gitlab) call(ctx context.Context, method, path string, in any) (issue, error) {
	g.prepare()
	var i gitlabIssue
	if err := g.web.call(ctx, method, g.at(path), in, &i); err != nil {
		return issue{}, err
	}
	return g.issue(i)
}

func (g gitlab) issue(i gitlabIssue) (issue, error) {
	if i.IID <= 0 || i.State != "opened" && i.State != "closed" {
		return issue{}, errAnswer
	}
	key := strconv.FormatInt(i.IID, 10)
	out := issue{Key: key, URL: linkable(g.cfg.Address, i.URL, g.cfg.Address+"/"+g.cfg.Project+"/-/issues/"+key), Title: i.Title, State: isOpen, Status: i.State}
	if i.State == "closed" {
		out.State = isDone
	}
	return out, nil
}

func (g gitlab) prepare() {
	g.web.explain = func(body []byte) string {
		var said struct {
			Message any    `json:"message"`
			Error   string `json:"error"`
		}
		if json.Unmarshal(body, &said) != nil {
			return ""
		}
		if said.Message == nil {
			return said.Error
		}
		return strings.Trim(fmt.Sprint(said.Message), "[]") // a text, or lists of texts by field
	}
}

func (g gitlab) check(ctx context.Context) error {
	g.prepare()
	var out struct {
		ID int64 `json:"id"`
	}
	if err := g.web.call(ctx, http.MethodGet, g.at(""), nil, &out); err != nil {
		return projectOf(err)
	}
	if out.ID <= 0 {
		return errAnswer
	}
	return nil
}

func (g gitlab) create(ctx context.Context, d draft) (issue, error) {
	in := map[string]any{"title": d.Title, "description": d.Text}
	if len(g.cfg.Labels) > 0 {
		in["labels"] = strings.Join(g.cfg.Labels, ",")
	}
	i, err := g.call(ctx, http.MethodPost, "/issues", in)
	return i, projectOf(err)
}

func (g gitlab) find(ctx context.Context, mark string, since int64) (issue, bool, error) {
	g.prepare()
	q := url.Values{"scope": {"all"}, "search": {mark}, "in": {"description"}, "created_after": {time.Unix(since, 0).UTC().Format(time.RFC3339)}}
	var list []struct {
		gitlabIssue
		Text string `json:"description"`
	}
	if err := g.web.call(ctx, http.MethodGet, g.at("/issues?"+q.Encode()), nil, &list); err != nil {
		return issue{}, false, projectOf(err)
	}
	var found []gitlabIssue
	for _, i := range list {
		if strings.Contains(i.Text, mark) {
			found = append(found, i.gitlabIssue)
		}
	}
	if len(found) != 1 {
		return issue{}, false, nil
	}
	out, err := g.issue(found[0])
	return out, err == nil, err
}

func (g gitlab) key(text string) (string, error) {
	return numberOf(g.cfg.Address, text, g.cfg.Project+"/-/issues/", g.cfg.Project+"/-/work_items/", g.cfg.Project+"/issues/")
}

func (g gitlab) read(ctx context.Context, key string) (issue, error) {
	return g.call(ctx, http.MethodGet, "/issues/"+key, nil)
}

func (g gitlab) set(ctx context.Context, key string, to state) error {
	event := "reopen"
	if to == isDone {
		event = "close"
	}
	_, err := g.call(ctx, http.MethodPut, "/issues/"+key, map[string]any{"state_event": event})
	return err
}

func (gitlab) threeStates() bool { return false }
