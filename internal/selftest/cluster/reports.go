package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"
)

// question is a report.
type question struct {
	path   string
	values [][2]string
}

// questions are the reports whose answers follow from the requests of an app.
func questions() (out []question) {
	add := func(path string, pairs ...string) {
		q := question{path: path}
		for i := 0; i < len(pairs); i += 2 {
			q.values = append(q.values, [2]string{pairs[i], pairs[i+1]})
		}
		out = append(out, q)
	}
	for _, method := range []string{"users", "countries", "devices", "device_details", "app_versions", "carriers", "get_events", "total_users"} {
		add("/o", "method", method)
	}
	add("/o", "method", "events", "event", "load")
	for _, period := range []string{"30days", "month"} {
		add("/o/analytics/dashboard", "period", period)
		add("/o/analytics/sessions", "period", period)
		add("/o/analytics/tops", "period", period)
		add("/o", "method", "segmentation", "event", "load", "queryObject", "{}", "bucket", "daily", "projectionKey", `["sg.worker"]`, "period", period)
		add("/o", "method", "segmentation", "event", "[CLY]_session", "queryObject", "{}", "bucket", "daily", "period", period)
		add("/o/analytics/durations", "period", period)
		add("/o/analytics/frequency", "period", period)
	}
	return out
}

// ofNow finds what answers say of the moment at which they were made.
func ofNow() *regexp.Regexp { return regexp.MustCompile(`"(timeStamp|query_time|lu)":("[^"]*"|\d+)`) }

// answer is that of a server to a question about an app, in a form that servers have in common: ids of apps differ.
func (t *trial) answer(ctx context.Context, at site, ids []string, number int, q question) (int, any, error) {
	v := url.Values{"app_id": {ids[number]}}
	for _, pair := range q.values {
		v.Set(pair[0], pair[1])
	}
	status, body, err := t.ask(ctx, at, q.path, v)
	if err != nil {
		return 0, nil, err
	}
	for k, id := range ids {
		body = strings.ReplaceAll(body, id, fmt.Sprint("app", k))
	}
	body = ofNow().ReplaceAllString(body, `"$1":0`)
	var parsed any
	if json.Unmarshal([]byte(body), &parsed) != nil {
		parsed = body
	}
	return status, parsed, nil
}

// alikeLimit is how long an answer may lag behind.
const alikeLimit = time.Minute

// reports compares all answers of all nodes with those of a server with its own stores.
func (t *trial) reports(ctx context.Context, own site, ids []string) error {
	said, asked := 0, 0
	for number := range t.Apps {
		for _, q := range questions() {
			asked++
			answers := make([]bool, len(t.nodes))
			var wg sync.WaitGroup
			for i, n := range t.nodes {
				wg.Go(func() { answers[i] = t.alike(ctx, own, ids, n, number, q) })
			}
			wg.Wait()
			if answers[0] {
				said++
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if len(t.result.Faults) > 5 {
				return nil
			}
		}
	}
	if said < asked/2 {
		t.fault("only %d of %d answers say anything", said, asked)
	}
	return nil
}

// alike waits until a node gives the answer of a server with its own stores, and reports whether that says anything.
func (t *trial) alike(ctx context.Context, own site, ids []string, n *node, number int, q question) bool {
	end := t.Now().Add(alikeLimit)
	for {
		status, want, err := t.answer(ctx, own, ids, number, q)
		gotStatus, got, gotErr := t.answer(ctx, site{n.at("read"), t.keys.key}, t.ids, number, q)
		if err = errors.Join(err, gotErr); err == nil && gotStatus == status && reflect.DeepEqual(got, want) {
			t.mu.Lock()
			t.result.Answers++
			t.mu.Unlock()
			if status != http.StatusOK && status != http.StatusNotFound {
				t.fault("app %d, %s %v: %d %v", number, q.path, q.values, status, want)
			}
			return status == http.StatusOK && len(fmt.Sprint(want)) > 20
		}
		if t.Now().After(end) || !pause(ctx, 100*time.Millisecond) {
			wanted, _ := json.Marshal(want)
			has, _ := json.Marshal(got)
			t.fault("node %d, app %d, %s %v: %d %s (%v), the server with its own stores says %d %s", n.number, number, q.path, q.values, gotStatus, around(has, wanted), err, status, around(wanted, has))
			return false
		}
	}
}

// around is the part of a text in which it differs from another.
func around(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return "…" + string(a[max(0, i-80):min(len(a), i+160)]) + "…"
}
