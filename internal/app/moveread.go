package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"quipu/internal/model"
)

// answer keeps what a handler answers.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// readAsAdmin answers a read with the rights of a global administrator.
func (a *App) readAsAdmin(ctx context.Context, read moveRead) (moveAnswer, error) {
	members, err := a.auth.Members(ctx)
	if err != nil {
		return moveAnswer{}, err
	}
	for i := range members {
		m := &members[i]
		if !m.GlobalAdmin || m.Locked || m.APIKey == "" {
			continue
		}
		query := url.Values{}
		maps.Copy(query, read.Query)
		query.Set("api_key", m.APIKey)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://quipu"+a.cfg.BasePath+read.Path+"?"+query.Encode(), nil)
		if err != nil {
			return moveAnswer{}, err
		}
		req.RemoteAddr = "127.0.0.1:1"
		got := &answer{header: http.Header{}}
		a.inner.ServeHTTP(got, req)
		return moveAnswer{got.status, got.body.Bytes()}, nil
	}
	return moveAnswer{}, errors.New("there is no global administrator with an API key, by whose rights reports could be compared")
}

// moveRead is a read of both sides.
type moveRead struct {
	Path  string     `json:"path"`
	Query url.Values `json:"query"`
}

type moveAnswer struct {
	Status int    `json:"status"`
	Body   []byte `json:"body"`
}

// reportsOf are the reports of an app that both sides have to answer alike.
func reportsOf(app model.AppID) (list []moveRead) {
	add := func(path string, pairs ...string) {
		q := url.Values{"app_id": {app.String()}}
		for i := 0; i < len(pairs); i += 2 {
			q.Set(pairs[i], pairs[i+1])
		}
		list = append(list, moveRead{path, q})
	}
	for _, method := range []string{
		"users", "countries", "cities", "devices", "device_details", "app_versions", "carriers", "browser", "langs", "get_events", "events", "total_users", "views", "crashes",
		"sources", "crash_releases", "user_counts", "get_cohort_list",
	} {
		add("/o", "method", method)
	}
	for _, period := range []string{"30days", "month"} {
		for _, path := range []string{"dashboard", "countries", "sessions", "tops", "loyalty", "durations", "frequency", "events"} {
			add("/o/analytics/"+path, "period", period)
		}
		add("/o/analytics/metric", "period", period, "metric", "platforms")
		for _, event := range []string{"[CLY]_session", "[CLY]_view", "[CLY]_crash"} {
			add("/o", "method", "segmentation", "event", event, "queryObject", "{}", "bucket", "daily", "period", period)
		}
	}
	add("/o", "method", "segmentation", "event", "[CLY]_session", "queryObject", "{}", "bucket", "daily", "projectionKey", `["up.cc"]`, "period", "30days")
	add("/o/slipping", "period", "30days")
	add("/o/retention", "period", "30days", "method", "full", "level", "daily")
	add("/o", "method", "user_details", "limit", "100", "sort", `{"uid":1}`)
	return list
}

// momentary is what answers say of the moment at which they are made.
var momentary = regexp.MustCompile(`"(timeStamp|query_time|lu|lastRefresh|timestamp)":("[^"]*"|\d+)`)

// parsed is the content of an answer.
func (m moveAnswer) parsed() (v any) {
	text := momentary.ReplaceAll(m.Body, []byte(`"$1":0`))
	if json.Unmarshal(text, &v) != nil {
		return string(text)
	}
	return v
}

// rounding is how far sums may be apart: those of values that are no binary fractions depend on the order in which they are added.
const rounding = 1e-9

// alike compares two contents.
func alike(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && math.Abs(a-b) <= rounding*max(math.Abs(a), math.Abs(b))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, alike)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, alike)
	}
	return a == b
}

// compareReports asks both sides for all reports of the apps, for so long, and returns how many reports of how many apps it compared and which differ. One that either side
// cannot give differs.
func compareReports(ctx context.Context, apps []model.AppID, within time.Duration, now func() time.Time, one, two func(context.Context, moveRead) (moveAnswer, error)) (n, compared int, differences []string, err error) {
	until := now().Add(within)
	for _, app := range apps {
		if compared > 0 && now().After(until) {
			break
		}
		for _, read := range reportsOf(app) {
			a, err := one(ctx, read)
			if err != nil {
				return n, compared, nil, err
			}
			b, err := two(ctx, read)
			if err != nil {
				return n, compared, nil, err
			}
			n++
			if a.Status != http.StatusOK || b.Status != http.StatusOK || !alike(a.parsed(), b.parsed()) {
				differences = append(differences, fmt.Sprintf("app %s: %s?%s: %d, %s before and %d, %s now", app, read.Path, read.Query.Encode(), a.Status, short(a.Body), b.Status, short(b.Body)))
			}
		}
		compared++
	}
	return n, compared, differences, nil
}

// short is the beginning of an answer.
func short(body []byte) string {
	const most = 200
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
