package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// Some SDKs are in no package registry that every machine reaches, so they cannot run here. The files of
// testdata/recorded hold what they send: the requests of one run of each, byte by byte, against
// a server with the app key and the salt below. A line is a comment, or "at" and the time of the recording,
// or method, target and, when there is a body, its content type and itself as Go strings.
const (
	recordedKey  = "0123456789abcdef0123456789abcdef01234567"
	recordedSalt = "pepper"
)

// sent is a recorded request.
type sent struct {
	method, target    string
	contentType, body string
}

// recording reads a file of testdata/recorded.
func recording(t *testing.T, name string) (at time.Time, requests []sent) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "recorded", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		first, rest, _ := strings.Cut(line, " ")
		switch first {
		case "#", "":
			continue
		case "at":
			seconds, err := strconv.ParseInt(rest, 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			at = time.Unix(seconds, 0)
			continue
		}
		r := sent{method: first}
		r.target, rest, _ = strings.Cut(rest, " ")
		for _, part := range []*string{&r.contentType, &r.body} {
			if rest == "" {
				break
			}
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				t.Fatalf("%s: %v in %q", name, err, rest)
			}
			if *part, err = strconv.Unquote(quoted); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			rest = strings.TrimPrefix(rest[len(quoted):], " ")
		}
		requests = append(requests, r)
	}
	if at.IsZero() || len(requests) == 0 {
		t.Fatalf("%s is no recording", name)
	}
	return at, requests
}

// replay sends the requests in order over one connection. It fails when an answer would keep a request in
// the queue of the SDK: the SDKs drop a request of their queue when the status is 2xx and the body is a JSON object with
// a result, and take any JSON object of a success as an answer to what they ask at once.
func replay(t *testing.T, s *testkit.Server, requests []sent) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := conn.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	answers := bufio.NewReader(conn)
	for _, r := range requests {
		head := r.method + " " + r.target + " HTTP/1.1\r\nHost: analytics.example.org\r\n"
		if r.body != "" {
			head += fmt.Sprintf("Content-Type: %s\r\nContent-Length: %d\r\n", r.contentType, len(r.body))
		}
		if _, err := io.WriteString(conn, head+"\r\n"+r.body); err != nil {
			t.Fatalf("%s %s: %v", r.method, r.target, err)
		}
		res, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatalf("%s %s: %v", r.method, r.target, err)
		}
		text, err := io.ReadAll(res.Body)
		if cerr := res.Body.Close(); err != nil || cerr != nil {
			t.Fatalf("%s %s: %v, %v", r.method, r.target, err, cerr)
		}
		var object map[string]any
		err = json.Unmarshal(text, &object)
		asked := strings.Contains(r.target, "/o/sdk") && !strings.Contains(r.target, "method=ab&")
		if res.StatusCode/100 != 2 || err != nil || !asked && object["result"] == nil {
			t.Errorf("%s %s stays in the queue: %d %s", r.method, r.target, res.StatusCode, text)
		}
	}
	s.Flush()
}

func TestRecordedSDKs(t *testing.T) {
	s := testkit.New(t) // one for all: each recording sets its clock
	for _, c := range []struct {
		file, salt string
		users      map[string]any
		buy        map[string]any
		outcomes   map[string]map[string]int
		profiles   map[string]map[string]any // device id → what is known; nil = there is none
		again      bool                      // the same requests again change nothing
	}{
		{
			file: "java.txt", salt: recordedSalt, again: true,
			users:    map[string]any{"t": 2, "n": 2, "u": 2, "d": 2},
			buy:      map[string]any{"c": 8, "s": 14, "dur": 16},
			outcomes: map[string]map[string]int{"event": {"accepted": 6}, "session": {"accepted": 2}, "crash": {"accepted": 1}},
			profiles: map[string]map[string]any{
				"ada": nil,
				"merged": {"name": "Ada", "cty": "Bremen", "sc": 1, "tsd": 2, "lv": "home", "sdk": "[java-native]_24:1:5", "custom": map[string]any{
					"best": 7, "tags": []string{"a"}, "tier": "gold", "visits": 2,
				}},
				"bob": {"sc": 1, "av": "1:2:3"},
			},
		},
		{
			file: "java-backend.txt", salt: recordedSalt, again: true,
			users:    map[string]any{"t": 1, "n": 1, "u": 1, "d": 37},
			buy:      map[string]any{"c": 3, "s": 4.5, "dur": 4},
			outcomes: map[string]map[string]int{"event": {"accepted": 3}, "session": {"accepted": 1}, "crash": {"accepted": 1}},
			profiles: map[string]map[string]any{
				"ada": {"name": "Ada", "byear": 1990, "cty": "Bremen", "sc": 1, "tsd": 37, "custom": map[string]any{
					"best": 7, "tags": []string{"a", "b"}, "tier": "gold", "visits": 2,
				}},
				"bob": {"sdk": "[java-native-backend]_24:1:5"}, "undefined": nil,
			},
		},
		{
			file: "cpp.txt", salt: recordedSalt, again: true,
			users:    map[string]any{"t": 2, "n": 2, "u": 2, "d": nil},
			buy:      map[string]any{"c": 5, "s": 5, "dur": 4},
			outcomes: map[string]map[string]int{"event": {"accepted": 9}, "session": {"accepted": 2, "session_cooldown": 1}, "crash": {"accepted": 1}},
			profiles: map[string]map[string]any{
				"ada":    nil,
				"merged": {"name": "Ada", "byear": 1990, "email": "ada@example.org", "sc": 1, "lat": 53.1, "lng": 8.8, "custom": map[string]any{"tier": "gold"}},
				"bob":    {"name": "Ada", "sc": 1, "sdk": "[cpp-native-unknown]_23:2:2"},
			},
		},
		{
			file:     "raspberry.txt",
			users:    map[string]any{"t": 1, "n": 1, "u": 1, "d": 60},
			buy:      map[string]any{"c": 1, "s": 3, "dur": nil},
			outcomes: map[string]map[string]int{"event": {"accepted": 1}, "session": {"accepted": 1}},
			profiles: map[string]map[string]any{"ada": {"sc": 1, "tsd": 60, "p": "Linux"}},
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			at, requests := recording(t, c.file)
			s.Clock().Set(at.Add(10 * time.Second))
			a := recordedApp(t, s, c.file, c.salt)
			replay(t, s, requests)
			check := func(t *testing.T) {
				t.Helper()
				users := dayOf(t, at, read(t, s, a, "/o", "method", "users"))
				expect(t, "sessions", figures(users, "t", "n", "u", "d"), c.users)
				expect(t, "buy", figures(dayOf(t, at, read(t, s, a, "/o", "method", "events", "event", "buy")), "c", "s", "dur"), c.buy)
				for did, want := range c.profiles {
					got := profile(t, s, a, did)
					if want == nil {
						if len(got) != 0 {
							t.Errorf("profile of %s = %v, want none", did, got)
						}
						continue
					}
					var keys []string
					for k := range want {
						keys = append(keys, k)
					}
					expect(t, "profile of "+did, figures(got, keys...), want)
				}
			}
			check(t)
			got := outcomes(t, s, a)
			for _, item := range []string{"event", "session", "crash"} {
				expectOnly(t, got, item, c.outcomes[item])
			}
			if c.again {
				replay(t, s, requests)
				check(t)
			}
			// The key is the recording's, so the next recording needs it.
			s.Admin("/i/apps/update", "app_id", a.ID, "args", fmt.Sprintf(`{"app_id":%q,"key":"was-%s"}`, a.ID, a.ID))
		})
	}
}

// recordedApp makes the app of the recordings.
func recordedApp(t *testing.T, s *testkit.Server, name, salt string) testkit.TestApp {
	t.Helper()
	args, err := json.Marshal(map[string]string{"name": name, "timezone": "UTC", "country": "DE", "key": recordedKey, "salt": salt})
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		ID  string `json:"_id"`
		Key string `json:"key"`
	}
	testkit.Decode(t, s.Admin("/i/apps/create", "args", string(args)), &made)
	return testkit.TestApp(made)
}
