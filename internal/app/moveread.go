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
	"time"

	"quipu/internal/api"
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

// readAsAdmin answers a read with the rights of a global administrator, once it is done: a task could not be stored while the server is paused.
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
		req, err := http.NewRequestWithContext(api.WithoutTasks(ctx), http.MethodGet, "http://quipu"+a.cfg.BasePath+read.Path+"?"+query.Encode(), nil)
		if err != nil {
			return moveAnswer{}, err
		}
		req.RemoteAddr = "127.0.0.1:1"
		got := &answer{header: http.Header{}}
		a.inner.ServeHTTP(got, req)
		return moveAnswer{got.status, got.body.Bytes()}, nil
	}
	return moveAnswer{}, errors.New("comparing reports needs a global administrator with an API key")
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

// differ says where two contents differ, and how, without what stands there, which people may have written; "" when they are alike. at is the path so far.
func differ(at string, a, b any) string {
	switch a := a.(type) {
	case float64:
		if b, ok := b.(float64); ok {
			if math.Abs(a-b) <= rounding*max(math.Abs(a), math.Abs(b)) {
				return ""
			}
			return at + ": another number"
		}
	case []any:
		b, ok := b.([]any)
		if !ok {
			break
		}
		if len(a) != len(b) {
			return fmt.Sprintf("%s: %d elements and %d", at, len(a), len(b))
		}
		for i := range a {
			if d := differ(fmt.Sprintf("%s[%d]", at, i), a[i], b[i]); d != "" {
				return d
			}
		}
		return ""
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			return differMembers(at, a, b)
		}
	case string:
		if b, ok := b.(string); ok {
			if a == b {
				return ""
			}
			return fmt.Sprintf("%s: another text, of %d bytes and of %d", at, len(a), len(b))
		}
	}
	if a == b {
		return ""
	}
	return at + ": another kind of value"
}

// differMembers is differ of objects.
func differMembers(at string, a, b map[string]any) string {
	keys := slices.Sorted(maps.Keys(a))
	for i, key := range keys {
		path := at + "." + keyName(key, i, len(keys))
		other, there := b[key]
		if !there {
			return path + ": missing in the cluster"
		}
		if d := differ(path, a[key], other); d != "" {
			return d
		}
	}
	keys = slices.Sorted(maps.Keys(b))
	for i, key := range keys {
		if _, there := a[key]; !there {
			return at + "." + keyName(key, i, len(keys)) + ": missing on this server"
		}
	}
	return ""
}

// keyName stands for one of n keys of an object in a path: many are values that people sent, so no others than some of the protocol are named. The others are numbered in their order.
func keyName(key string, i, n int) string {
	switch key {
	case "aaData", "iTotalDisplayRecords", "iTotalRecords", "data", "meta", "overview", "list", "segments", "limits", "users", "crashes", "total", "new", "unique", "t", "n", "u", "c", "s", "dur", "d", "e", "r":
		return key
	// Of users:
	case "_id", "uid", "did", "md5_did", "name", "username", "email", "organization", "phone", "gender", "picture", "byear", "hasInfo", "custom", "consent", "cmp", "chr",
		"fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc", "sd", "tsd", "lv", "lvt", "vc", "lat", "lng":
		return key
	}
	if slices.ContainsFunc(model.Dimensions[:], func(d model.Dimension) bool { return d.Key == key }) {
		return key
	}
	return fmt.Sprintf("{key %d of %d}", i+1, n)
}

// compareReports asks both sides for all reports of the apps, for at most within, and returns how many reports of how many apps it compared and which differ. One that either side
// cannot give differs; those that do are asked for again until settles is over, since lists of users follow up to half a minute later than figures.
func compareReports(ctx context.Context, apps []model.AppID, within, settles time.Duration, now func() time.Time, one, two func(context.Context, moveRead) (moveAnswer, error)) (n, compared int, differences []string, err error) {
	until, settled := now().Add(within), now().Add(settles)
	for _, app := range apps {
		if compared > 0 && now().After(until) {
			break
		}
		for _, read := range reportsOf(app) {
			d, err := compareReport(ctx, read, one, two)
			for err == nil && d != "" && now().Before(settled) {
				select {
				case <-ctx.Done():
					return n, compared, nil, ctx.Err()
				case <-time.After(time.Second):
				}
				d, err = compareReport(ctx, read, one, two)
			}
			if err != nil {
				return n, compared, nil, err
			}
			n++
			if d != "" {
				differences = append(differences, fmt.Sprintf("app %s: %s?%s: %s", app, read.Path, read.Query.Encode(), d))
			}
		}
		compared++
	}
	return n, compared, differences, nil
}

// compareReport asks both sides for a report, and returns where they differ; "" = nowhere.
func compareReport(ctx context.Context, read moveRead, one, two func(context.Context, moveRead) (moveAnswer, error)) (string, error) {
	a, err := one(ctx, read)
	if err != nil {
		return "", err
	}
	b, err := two(ctx, read)
	if err != nil {
		return "", err
	}
	if a.Status == http.StatusOK && b.Status == http.StatusOK {
		return differ("", a.parsed(), b.parsed()), nil
	}
	return fmt.Sprintf("status %d with %d bytes on this server, %d with %d in the cluster", a.Status, len(a.Body), b.Status, len(b.Body)), nil
}
