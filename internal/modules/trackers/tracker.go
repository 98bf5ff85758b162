package trackers

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"quipu/internal/fault"
	"quipu/internal/outbound"
)

// state is what a tracker says of an issue.
type state string

// The states. Trackers without a state between the two have none that is doing.
const (
	isOpen  state = "open"
	isDoing state = "doing"
	isDone  state = "done"
)

// issue is an issue as its tracker has it.
type issue struct {
	Key    string // by which the tracker knows it: a number, or "SHOP-12"
	URL    string // where people see it
	Title  string
	State  state
	Status string // in the words of the tracker
}

// draft is an issue that is to be made.
type draft struct{ Title, Text string }

// tracker is one project or repository at a tracker.
type tracker interface {
	// check finds out whether the project can be reached.
	check(ctx context.Context) error
	// create makes an issue.
	create(ctx context.Context, d draft) (issue, error)
	// find returns the issue whose text has a mark; false when none has, or several have: everybody who can read the issue can copy its text into
	// one of their own. It was made at since or later, in seconds.
	find(ctx context.Context, mark string, since int64) (issue, bool, error)
	// key returns the key of an issue of the project that somebody names by its address, key or number.
	key(text string) (string, error)
	read(ctx context.Context, key string) (issue, error)
	// set gives an issue a state. Where the tracker offers no way there it answers trackers.no_transition.
	set(ctx context.Context, key string, to state) error
	// threeStates reports whether issues may be doing.
	threeStates() bool
}

// open returns the tracker of an app.
func (s *service) open(ctx context.Context, set *settings) (tracker, error) {
	secret := ""
	if set.Auth != authOAuth {
		var err error
		if secret, err = s.unsealed(sealedToken, set.app.String(), set.Token); err != nil {
			return nil, err
		}
	}
	w := &web{http: s.http, now: s.now}
	switch set.Tracker {
	case trackerGitHub:
		w.sign = bearer(secret)
		return github{w, set}, nil
	case trackerGitLab:
		w.sign = func(r *outbound.Request) error { r.Header.Set("Private-Token", secret); return nil }
		return gitlab{w, set}, nil
	}
	switch set.Auth {
	case authOAuth:
		access, err := s.accessToken(ctx)
		if err != nil {
			return nil, err
		}
		w.sign = access.sign
	case authBasic:
		w.sign = func(r *outbound.Request) error {
			req := http.Request{Header: r.Header}
			req.SetBasicAuth(set.User, secret)
			return nil
		}
	default:
		w.sign = bearer(secret)
	}
	return jira{w, set}, nil
}

func bearer(secret string) func(*outbound.Request) error {
	return func(r *outbound.Request) error { r.Header.Set("Authorization", "Bearer "+secret); return nil }
}

// web speaks JSON with the API of a tracker.
type web struct {
	http *outbound.Client
	now  func() time.Time
	sign func(*outbound.Request) error
	// header is sent with each request.
	header http.Header
	// explain returns what the tracker says of a refusal, "" for nothing.
	explain func(body []byte) string
}

// call sends in as JSON, unless it is nil, and reads the answer into out, unless that is nil.
func (w *web) call(ctx context.Context, method, address string, in, out any) error {
	r := outbound.Request{Method: method, URL: address, Header: http.Header{"Accept": {"application/json"}}}
	maps.Copy(r.Header, w.header)
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			return err
		}
		r.Body = body
		r.Header.Set("Content-Type", "application/json")
	}
	if err := w.sign(&r); err != nil {
		return err
	}
	a, err := w.http.Do(ctx, r)
	if err != nil {
		return unreachable(err)
	}
	if a.Status < 200 || a.Status > 299 {
		return w.refused(a)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(a.Body, out); err != nil {
		return errAnswer
	}
	return nil
}

// unreachable is the fault of a request that had no answer.
func unreachable(err error) error {
	switch {
	case errors.Is(err, outbound.ErrBlocked):
		return errBlocked
	case errors.Is(err, outbound.ErrTooLarge):
		return errAnswer
	case errors.Is(err, outbound.ErrTimeout):
		return fault.New(fault.Unavailable, "trackers.unreachable", "The issue tracker does not respond in time")
	}
	return fault.New(fault.Unavailable, "trackers.unreachable", "The issue tracker cannot be reached")
}

// refused is the fault of an answer that is no success.
func (w *web) refused(a outbound.Answer) error {
	if after, limited := w.limited(a); limited {
		f := fault.New(fault.RateLimited, "trackers.rate_limited", "The issue tracker accepts no more requests for now")
		f.RetryAfter = after
		return f
	}
	words := ""
	if w.explain != nil {
		words = sentence(w.explain(a.Body))
	}
	switch {
	case a.Status == http.StatusUnauthorized:
		return fault.New(fault.Conflict, "trackers.login_refused", "The issue tracker refuses the login"+words)
	case a.Status == http.StatusForbidden:
		return fault.New(fault.Conflict, "trackers.forbidden", "The account lacks a permission in the issue tracker"+words)
	case a.Status == http.StatusNotFound, a.Status == http.StatusGone:
		return errNoIssue
	case a.Status >= 300 && a.Status < 400:
		return fault.New(fault.Conflict, "trackers.moved", "The issue tracker has moved: correct its address, project or issue")
	case a.Status == http.StatusBadRequest, a.Status == http.StatusConflict, a.Status == http.StatusUnprocessableEntity:
		return fault.New(fault.Invalid, "trackers.refused", "The issue tracker refused the request"+words)
	case a.Status >= http.StatusInternalServerError:
		return fault.New(fault.Unavailable, "trackers.unreachable", "The issue tracker reported an internal error")
	}
	return errAnswer
}

// longestWait bounds how long a tracker is left alone at its word.
const longestWait = 6 * time.Hour

// limited reports whether an answer says that there were too many requests, and when to come back.
func (w *web) limited(a outbound.Answer) (time.Duration, bool) {
	h := a.Header
	exhausted := a.Status == http.StatusForbidden && (h.Get("X-Ratelimit-Remaining") == "0" || h.Get("Retry-After") != "")
	if a.Status != http.StatusTooManyRequests && !exhausted {
		return 0, false
	}
	after := time.Minute
	if n, err := strconv.Atoi(h.Get("Retry-After")); err == nil {
		after = time.Duration(min(max(n, 0), int(longestWait/time.Second))) * time.Second
	} else if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		after = at.Sub(w.now())
	} else {
		for _, name := range []string{"X-Ratelimit-Reset", "Ratelimit-Reset"} {
			if at, err := strconv.ParseInt(h.Get(name), 10, 64); err == nil {
				after = time.Unix(at, 0).Sub(w.now())
				break
			}
		}
	}
	return min(max(after, time.Second), longestWait), true
}

// sentence makes words of a tracker the end of a fault's text: one line, bounded.
func sentence(words string) string {
	words = strings.Join(strings.FieldsFunc(words, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar }), " ")
	if words == "" {
		return ""
	}
	return ": " + cut(words, 500)
}

// cut shortens a text to n bytes, at the border of a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return strings.ToValidUTF8(text, "")
	}
	return strings.ToValidUTF8(text[:n-len("…")], "") + "…"
}

// pathOf returns the path of an address at a site, false when it lies elsewhere. The path has no slash in front and at the end.
func pathOf(site, address string) (string, bool) {
	at, err := url.Parse(strings.TrimSpace(address))
	base, err2 := url.Parse(site)
	if err != nil || err2 != nil || at.User != nil || !strings.EqualFold(at.Host, base.Host) || at.Scheme != base.Scheme {
		return "", false
	}
	path, ok := strings.CutPrefix(at.Path, base.Path)
	if !ok || !strings.HasPrefix(path, "/") {
		return "", false
	}
	return strings.Trim(path, "/"), true
}

// numberOf reads the number of an issue: "12", "#12", or the path of its address behind prefix.
func numberOf(site, text string, prefixes ...string) (string, error) {
	text = strings.TrimSpace(text)
	number := strings.TrimPrefix(text, "#")
	if strings.Contains(text, "/") {
		path, ok := pathOf(site, text)
		found := false
		for _, prefix := range prefixes {
			if rest, is := cutFold(path, prefix); ok && is {
				number, found = rest, true
			}
		}
		if !found {
			return "", errOtherProject
		}
	}
	if n, err := strconv.ParseInt(number, 10, 64); err != nil || n <= 0 || strings.HasPrefix(number, "+") {
		return "", errIssueName
	}
	return strings.TrimLeft(number, "0"), nil
}

func cutFold(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return "", false
	}
	return text[len(prefix):], true
}

// linkable returns an address that a tracker says if it lies at its site, else the one that follows from the key.
func linkable(site, said, otherwise string) string {
	if _, ok := pathOf(site, said); ok {
		return said
	}
	return otherwise
}
