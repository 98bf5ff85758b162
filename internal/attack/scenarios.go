package attack

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"quipu/internal/child"
)

// large is as long as a body may be by default, less what surrounds it.
const large = 20_000_000

func zipped(parts ...string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, p := range parts {
		_, _ = io.WriteString(w, p) // a buffer takes everything
	}
	_ = w.Close() // as above
	return b.Bytes()
}

const (
	gzipped = "Content-Encoding: gzip\r\n"
	formed  = "Content-Type: application/x-www-form-urlencoded\r\n"
)

func quiet(ctx context.Context, t *trial) error {
	t.hold(ctx)
	return nil
}

func declared(ctx context.Context, t *trial) error {
	return t.held(ctx, t.n(500, 50), func(int) string {
		return fmt.Sprintf("POST /i HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n", gzipped, large)
	})
}

// held opens connections, sends the beginning of a request on each, and holds them.
func (t *trial) held(ctx context.Context, n int, begin func(i int) string) error {
	crowd(n, func(i int) {
		atomic.AddInt64(&t.Sent, 1)
		c, err := t.open(ctx)
		if err == nil {
			_, err = io.WriteString(c, begin(i))
		}
		if err != nil {
			atomic.AddInt64(&t.Refused, 1)
		}
	})
	t.hold(ctx)
	return nil
}

func bombs(ctx context.Context, t *trial) error {
	body := zipped("app_key="+t.app.Key+"&device_id=x&events=", strings.Repeat("a", large))
	crowd(t.n(200, 30), func(int) { t.post(ctx, "/i", gzipped+formed, body) })
	return nil
}

func bulkBombs(ctx context.Context, t *trial) error {
	item := `{"device_id":"d","app_key":"` + t.app.Key + `","events":[{"key":"x","segmentation":{"a":"` + strings.Repeat("a", 1900) + `"}}]},`
	body := zipped("[", strings.Repeat(item, large/len(item)), "{}]")
	crowd(t.n(60, 8), func(int) { t.post(ctx, "/i/bulk", gzipped+"Content-Type: application/json\r\n", body) })
	return nil
}

func bodies(ctx context.Context, t *trial) error {
	body := []byte(`{"args":"` + strings.Repeat("a", large) + `"}`)
	crowd(t.n(120, 30), func(i int) {
		path := []string{"/i/apps/create", "/o/ping", "/login", "/i/users/create?api_key=forged", "/o/export/data"}[i%5]
		if status := t.post(ctx, path, "Content-Type: application/json\r\n", body); status == http.StatusOK && path != "/login" {
			t.fail("%s answers 200 to 20 MB from nobody", path)
		}
	})
	return nil
}

// fail notes a fault; goroutines of a scenario may call it.
func (t *trial) fail(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fault(format, args...)
}

func manageBombs(ctx context.Context, t *trial) error {
	packed := zipped(`{"args":"`, strings.Repeat("a", 10*large), `"}`)
	nested := []byte(`{"args":[` + strings.Repeat("[],", large/3/4) + `[]]}`)
	crowd(t.n(60, 9), func(i int) {
		switch path := "/i/apps/create?api_key=" + t.app.APIKey; i % 3 {
		case 0:
			t.post(ctx, path, gzipped+"Content-Type: application/json\r\n", packed)
		default:
			t.post(ctx, path, "Content-Type: application/json\r\n", nested)
		}
	})
	return nil
}

func multiparts(ctx context.Context, t *trial) error {
	part := func(name string, n int) string {
		return "--q\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + strings.Repeat("a", n) + "\r\n"
	}
	one := []byte(part("app_key", 3) + part("x", large-1000) + "--q--\r\n")
	many := []byte(strings.Repeat(part("x", 1), large/70) + "--q--\r\n")
	crowd(t.n(80, 12), func(i int) {
		body := one
		if i%2 == 0 {
			body = many
		}
		path := []string{"/i", "/i/apps/create", "/i/apps/create?api_key=" + t.app.APIKey, "/i/bulk"}[i/2%4]
		t.post(ctx, path, "Content-Type: multipart/form-data; boundary=q\r\n", body)
	})
	return nil
}

func headers(ctx context.Context, t *trial) error {
	return t.held(ctx, t.n(500, 60), func(i int) string {
		if i%2 == 0 {
			return "GET /i?app_key=x&device_id=" + strings.Repeat("x", 1_000_000)
		}
		return "GET /i HTTP/1.1\r\n" + strings.Repeat("a:\r\n", 200_000)
	})
}

func drip(ctx context.Context, t *trial) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(t.n(40_000, 2_000))*time.Millisecond)
	defer cancel()
	crowd(t.n(900, 100), func(i int) {
		atomic.AddInt64(&t.Sent, 1)
		begin, rest := "GET /i HTTP/1.1\r\nX: ", "x"
		if i%2 == 0 {
			begin = fmt.Sprintf("POST /i HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", 1000)
		}
		c, err := t.open(ctx)
		if err == nil {
			_, err = io.WriteString(c, begin)
		}
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for err == nil {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_, err = io.WriteString(c, rest)
			}
		}
		atomic.AddInt64(&t.Refused, 1) // closed by the server
	})
	return nil
}

// unread asks for settings of 60 kB again and again on connections that are not read.
func unread(ctx context.Context, t *trial) error {
	settings := `{"logger":{"x":"` + strings.Repeat("x", 60_000) + `"}}`
	body := url.Values{"app_id": {t.app.ID}, "args": {settings}}.Encode()
	if status := t.post(ctx, "/i/apps/update/plugins?api_key="+t.app.APIKey, formed, []byte(body)); status != http.StatusOK {
		return fmt.Errorf("store settings: status %d", status)
	}
	request := "GET /o/apps/plugins?" + url.Values{"api_key": {t.app.APIKey}, "app_id": {t.app.ID}}.Encode() + " HTTP/1.1\r\nHost: x\r\n\r\n"
	err := t.held(ctx, t.n(500, 60), func(int) string { return strings.Repeat(request, 100) })
	if err != nil {
		return err
	}
	// Others still read.
	other, err := member(ctx, t.child, t.app)
	if err != nil {
		return err
	}
	if _, err := t.child.Admin(ctx, "/o/apps/mine", url.Values{"api_key": {other}}); err != nil {
		t.fail("another member cannot read: %v", err)
	}
	return nil
}

func streams(ctx context.Context, t *trial) error {
	key := url.Values{"api_key": {t.app.APIKey}, "app_id": {t.app.ID}}.Encode()
	events := strings.Repeat(`{"key":"x","segmentation":{"a":"`+strings.Repeat("b", 200)+`"}},`, 500)
	for i := range t.n(100, 10) {
		v := url.Values{"app_key": {t.app.Key}, "device_id": {fmt.Sprint(i)}, "events": {"[" + strings.TrimSuffix(events, ",") + "]"}}
		t.post(ctx, "/i", formed, []byte(v.Encode()))
	}
	if err := t.child.Drain(ctx, t.app); err != nil {
		return err
	}
	return t.held(ctx, t.n(300, 40), func(i int) string {
		path := []string{"/o/live/feed?", "/o/live/tiles?", "/o/export/db?type=json&collection=drill_events&", "/o/export/db?type=csv&collection=app_users&"}[i%4]
		return "GET " + path + key + " HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
	})
}

func connections(ctx context.Context, t *trial) error {
	return t.held(ctx, t.n(5000, 300), func(i int) string {
		if i%2 == 0 {
			return "" // not even a header
		}
		return "GET /o/ping HTTP/1.1\r\nHost: x\r\n\r\n" // and then idle
	})
}

func shapes(ctx context.Context, t *trial) error {
	deep := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	n := t.n(200_000, 20_000)
	values := []string{
		deep("[", "", "]", n), deep(`{"a":`, "1", "}", n), "[" + strings.Repeat("[],", n) + "[]]", "[" + strings.Repeat("{},", n) + "{}]",
		`[{"key":"x","count":1e308,"sum":1e308,"dur":1e308},{"key":"x","count":1e308,"sum":1e308,"dur":1e308}]`,
		`[{"key":"x","count":-1e999,"sum":"NaN","dur":null,"segmentation":{"a":1e308,"b":-1e308}}]`,
		"[{\"key\":\"a\x00b\\u0000c\",\"segmentation\":{\"\\u0000\":\"\\u0000\",\"$a.b\":\"\xff\xfe\",\"__proto__\":{\"x\":1}}}]",
		`{"_os":"` + strings.Repeat("x", n) + `","_app_version":"1e308"}`, `{"custom":{"$inc":{"a":1e308},"a":{"$inc":1e308,"$push":` + deep("[", "", "]", 300) + `}}}`,
		"null", `"[[]]"`, "\x00", "{", "1e308", strings.Repeat("9", n),
	}
	var many strings.Builder
	for i := range n / 10 {
		fmt.Fprintf(&many, "&p%d[a]=1&q%d=2", i, i)
	}
	send := func(path, header, body string) {
		if status := t.post(ctx, path, header, []byte(body)); status >= 500 && status != http.StatusServiceUnavailable {
			t.fail("%.60s with %.60q: status %d", path, body, status)
		}
	}
	for i, v := range values {
		for _, name := range []string{"events", "metrics", "user_details", "consent", "crash", "apm", "timestamp", "session_duration", "device_id", "requests"} {
			q := url.Values{"app_key": {t.app.Key}, "device_id": {fmt.Sprint("shape-", i)}, name: {v}}.Encode()
			send("/i", formed, q)
		}
		send("/i", "Content-Type: application/json\r\n", `{"app_key":"`+t.app.Key+`","device_id":"j","events":`+v+"}")
		send("/i/bulk", "Content-Type: application/json\r\n", `{"app_key":"`+t.app.Key+`","requests":`+v+"}")
		key := "api_key=" + t.app.APIKey + "&app_id=" + t.app.ID
		for _, path := range []string{"/o?method=events&", "/o?method=segmentation&", "/i/apps/update?", "/o/apps/details?", "/o/app_users/download?", "/i/notes/save?"} {
			for _, name := range []string{"args", "period", "event", "query", "queryObject", "filter", "sort", "app_id"} {
				send(path+key, formed, url.Values{name: {v}}.Encode())
			}
		}
	}
	send("/i", formed, "app_key="+t.app.Key+"&device_id=m"+many.String())
	send("/o/ping?api_key="+t.app.APIKey, formed, many.String())
	if err := t.child.Drain(ctx, t.app); err != nil {
		return err
	}
	body, err := t.child.Admin(ctx, "/o", url.Values{"api_key": {t.app.APIKey}, "app_id": {t.app.ID}, "method": {"events"}, "event": {"x"}, "period": {"60days"}})
	if err != nil {
		t.fail("the event page after hostile numbers: %v", err)
	} else if bytes.Contains(body, []byte("Inf")) || bytes.Contains(body, []byte("NaN")) {
		t.fail("the event page holds what is no number: %.200s", body)
	}
	return nil
}

// member makes a global administrator and returns its key.
func member(ctx context.Context, c *child.Process, app child.Target) (string, error) {
	return makeMember(ctx, c, app, `"global_admin":true`)
}
