package trackers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestHostileTracker(t *testing.T) {
	t.Parallel()
	write := func(status int, body string, header ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
			return true
		}
	}
	type answer struct {
		name   string
		fn     func(http.ResponseWriter, *http.Request) bool
		status int
		code   string
	}
	answers := []answer{
		{"HTML", write(200, "<html>log in</html>"), 503, "trackers.bad_answer"},
		{"empty", write(200, ""), 503, "trackers.bad_answer"},
		{"another object", write(200, `{"hello":"world"}`), 503, "trackers.bad_answer"},
		{"list", write(200, `[]`), 503, "trackers.bad_answer"},
		{"deep", write(200, strings.Repeat("[", 200_000)), 503, "trackers.bad_answer"},
		{"redirect to a private host", write(302, "", "Location", "http://169.254.169.254/latest"), 409, "trackers.moved"},
		{"moved", write(301, "", "Location", "https://elsewhere.example.org/"), 409, "trackers.moved"},
		{"token refused", write(401, `{"message":"Bad credentials"}`), 409, "trackers.login_refused"},
		{"right missing", write(403, `{"message":"no"}`), 409, "trackers.forbidden"},
		{"gone", write(410, ``), 404, "trackers.no_issue"},
		{"limited", write(429, `{}`, "Retry-After", "7200"), 429, "trackers.rate_limited"},
		{"limited until", write(403, `{}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(start.Add(3*time.Hour).Unix())), 429, "trackers.rate_limited"},
		{"limited forever", write(429, `{}`, "Retry-After", "99999999999"), 429, "trackers.rate_limited"},
		{"broken", write(500, `oops`), 503, "trackers.unreachable"},
		{"teapot", write(418, `oops`), 503, "trackers.bad_answer"},
		{"endless", func(w http.ResponseWriter, _ *http.Request) bool {
			for range 4000 {
				if _, err := w.Write([]byte(strings.Repeat(" ", 1024))); err != nil {
					break
				}
			}
			return true
		}, 503, "trackers.bad_answer"},
		{"stalls", func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		}, 503, "trackers.unreachable"},
		{"hangs up", func(w http.ResponseWriter, _ *http.Request) bool {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = c.Close()
			}
			return true
		}, 503, "trackers.unreachable"},
	}
	each(t, func(k *kit, f *fake, _ shop) {
		k.issue("/i/trackers/create")
		for _, a := range answers {
			k.Log(a.name)
			f.answering(a.fn)
			if strings.HasPrefix(a.name, "limited") || a.status != 429 {
				r := k.refused(a.status, a.code, "/i/trackers/sync", "group", k.group)
				if strings.Contains(r.Body, secretToken) || len(r.Body) > 1000 {
					k.Errorf("%s: %.1000s", a.name, r.Body)
				}
				if a.status == 429 && r.Header.Get("Retry-After") == "" {
					k.Errorf("%s: no Retry-After", a.name)
				}
			}
			if i := k.issue("/o/trackers/issue"); i["fault"] != a.code {
				k.Errorf("%s: the page shows %v", a.name, i)
			}
		}
		f.answering(nil)
		if i := k.issue("/i/trackers/sync"); i["fault"] != nil {
			k.Errorf("the fault stays: %v", i)
		}
	})
}

// TestBackOff counts what the job asks of a tracker that is down.
func TestBackOff(t *testing.T) {
	t.Parallel()
	f := newGitHub(t)
	k := newKit(t, f.URL)
	k.set("github", f.URL, `"project":"acme/shop","auth":"token"`)
	k.issue("/i/trackers/create")
	f.answering(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(502); return true })
	before := f.count("GET")
	for range 24 * 60 {
		k.tick(time.Minute)
		k.run()
	}
	if n := f.count("GET") - before; n < 5 || n > 12 {
		k.Errorf("%d requests in a day", n)
	}
	f.answering(nil)
	k.tick(7 * time.Hour)
	k.run()
	if i := k.issue("/o/trackers/issue"); i["fault"] != nil {
		k.Errorf("%v", i)
	}
	f.answering(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", "18000")
		w.WriteHeader(429)
		return true
	})
	k.tick(time.Hour)
	k.run()
	before = f.count("GET")
	for range 4 * 60 {
		k.tick(time.Minute)
		k.run()
	}
	if n := f.count("GET") - before; n != 0 {
		k.Errorf("%d requests though the tracker wants none", n)
	}
}

// TestGuard points trackers at hosts that are not on the internet.
func TestGuard(t *testing.T) {
	t.Parallel()
	f := newGitHub(t)
	k := newKit(t)
	hits := len(f.calls)
	for _, address := range []string{f.URL, strings.Replace(f.URL, "127.0.0.1", "localhost", 1), "http://169.254.169.254", "http://10.0.0.1", "http://[::1]:80", "http://[::ffff:7f00:1]:80"} {
		k.set("github", address, `"project":"acme/shop","auth":"token"`)
		k.refused(400, "trackers.blocked_host", "/i/trackers/check")
		k.refused(400, "trackers.blocked_host", "/i/trackers/create", "group", k.group)
	}
	if len(f.calls) != hits {
		k.Errorf("the host was asked: %q", f.calls)
	}
	if i, _ := k.ok("/o/trackers/issue", "group", k.group)["issue"].(object); i != nil {
		k.Errorf("left behind: %v", i)
	}
}

// TestTwice makes issues of one group at the same time.
func TestTwice(t *testing.T) {
	t.Parallel()
	f := newGitLab(t)
	k := newKit(t, f.URL)
	k.set("gitlab", f.URL, `"project":"acme/mobile/shop","auth":"token"`)
	statuses := make(chan int)
	for range 8 {
		go func() { statuses <- k.call("/i/trackers/create", "group", k.group).Status }()
	}
	made := 0
	for range 8 {
		switch s := <-statuses; s {
		case http.StatusOK:
			made++
		case http.StatusConflict:
		default:
			k.Errorf("status %d", s)
		}
	}
	if made != 1 || f.count("POST") != 1 {
		k.Errorf("%d issues, %d requests", made, f.count("POST"))
	}
}
