package trackers_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1" // as Jira verifies
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

type object = map[string]any

// kept is an issue of a fake.
type kept struct {
	Number       int64
	Title, Text  string
	Status       string
	Labels, Type string
}

// fake is what the fakes of all trackers share: issues by number, and an answer that stands before any other.
type fake struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	issues   []*kept
	calls    []string // method and path
	override func(w http.ResponseWriter, r *http.Request) bool
	lost     bool // answers to POST do not arrive
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request, fn func() (int, any)) {
	f.mu.Lock()
	f.calls = append(f.calls, r.Method+" "+r.URL.EscapedPath())
	override := f.override
	f.mu.Unlock()
	if override != nil && override(w, r) {
		return
	}
	if r.UserAgent() != "Quipu" {
		f.t.Errorf("agent %q", r.UserAgent())
	}
	f.mu.Lock()
	status, body := fn()
	lost := f.lost && r.Method == http.MethodPost
	f.mu.Unlock()
	if lost {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

func (f *fake) find(number string) *kept {
	for _, i := range f.issues {
		if strconv.FormatInt(i.Number, 10) == number {
			return i
		}
	}
	return nil
}

func (f *fake) change(number int64, status string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.find(strconv.FormatInt(number, 10)).Status = status
}

func (f *fake) issue(number int64) kept {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := f.find(strconv.FormatInt(number, 10)); i != nil {
		return *i
	}
	return kept{}
}

func (f *fake) add(title, status string) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := int64(len(f.issues) + 1)
	f.issues = append(f.issues, &kept{Number: n, Title: title, Status: status})
	return n
}

// copyText gives an issue the text of another.
func (f *fake) copyText(from, to int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.issues[to-1].Text = f.issues[from-1].Text
}

func (f *fake) answering(fn func(w http.ResponseWriter, r *http.Request) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.override = fn
}

// lose has the answers to POST not arrive.
func (f *fake) lose(lost bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost = lost
}

// made is how many issues there are.
func (f *fake) made() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.issues)
}

// count is how many calls of a method there were.
func (f *fake) count(method string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, c := range f.calls {
		if strings.HasPrefix(c, method+" ") {
			n++
		}
	}
	return n
}

// page is a page of the issues of GitHub, the latest first, each with its text.
func (f *fake) page(r *http.Request, show func(*kept) object, text string) []object {
	q := r.URL.Query()
	per, page := 30, 1
	if n, err := strconv.Atoi(q.Get("per_page")); err == nil {
		per = min(n, 100)
	}
	if n, err := strconv.Atoi(q.Get("page")); err == nil {
		page = n
	}
	list := slices.Clone(f.issues)
	slices.Reverse(list)
	out := []object{}
	for n, i := range list {
		if n >= (page-1)*per && n < page*per && (q.Get("state") == "all" || i.Status == "open") {
			one := show(i)
			one[text], one["created_at"] = i.Text, start.Add(time.Duration(i.Number)*time.Minute).Format(time.RFC3339)
			out = append(out, one)
		}
	}
	return out
}

func body(r *http.Request) object {
	out := object{}
	_ = json.NewDecoder(r.Body).Decode(&out)
	return out
}

const secretToken = "tok-3fKq9Zt1-secret"

// newGitHub is GitHub Enterprise Server with the repository acme/shop.
func newGitHub(t *testing.T) *fake {
	t.Helper()
	f := &fake{t: t}
	show := func(i *kept) object {
		return object{"number": i.Number, "html_url": f.URL + "/acme/shop/issues/" + fmt.Sprint(i.Number), "title": i.Title, "state": i.Status}
	}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.serve(w, r, func() (int, any) {
			if r.Header.Get("Authorization") != "Bearer "+secretToken {
				return 401, object{"message": "Bad credentials"}
			}
			if r.Header.Get("Accept") != "application/vnd.github+json" || r.Header.Get("X-GitHub-Api-Version") != "2022-11-28" {
				return 415, nil
			}
			rest, ok := strings.CutPrefix(r.URL.Path, "/api/v3/repos/acme/shop")
			if !ok {
				return 404, object{"message": "Not Found"}
			}
			number := strings.TrimPrefix(rest, "/issues/")
			i := f.find(number)
			switch {
			case rest == "" && r.Method == "GET":
				return 200, object{"full_name": "acme/shop", "has_issues": true}
			case rest == "/issues" && r.Method == "POST":
				in := body(r)
				title, _ := in["title"].(string)
				if strings.Contains(title, "unwanted") {
					return 422, object{"message": "Validation Failed", "errors": []object{{"resource": "Issue", "field": "title", "code": "invalid"}}}
				}
				text, _ := in["body"].(string)
				i = &kept{Number: int64(len(f.issues) + 1), Title: title, Text: text, Status: "open", Labels: fmt.Sprint(in["labels"])}
				f.issues = append(f.issues, i)
				return 201, show(i)
			case rest == "/issues" && r.Method == "GET":
				return 200, f.page(r, show, "body")
			case number == "77":
				return 200, object{"number": 77, "html_url": f.URL, "title": "a change", "state": "open", "pull_request": object{"url": "x"}}
			case i == nil:
				return 404, object{"message": "Not Found"}
			case r.Method == "GET":
				return 200, show(i)
			case r.Method == "PATCH":
				in := body(r)
				if in["state"] == "closed" && in["state_reason"] != "completed" || in["state"] == "open" && in["state_reason"] != "reopened" {
					return 422, object{"message": "state_reason"}
				}
				i.Status, _ = in["state"].(string)
				return 200, show(i)
			}
			return 405, nil
		})
	}))
	t.Cleanup(f.Close)
	return f
}

// newGitLab is a GitLab of one's own with the project acme/mobile/shop.
func newGitLab(t *testing.T) *fake {
	t.Helper()
	f := &fake{t: t}
	show := func(i *kept) object {
		return object{"id": 1000 + i.Number, "iid": i.Number, "web_url": f.URL + "/acme/mobile/shop/-/issues/" + fmt.Sprint(i.Number), "title": i.Title, "state": i.Status}
	}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.serve(w, r, func() (int, any) {
			if r.Header.Get("Private-Token") != secretToken {
				return 401, object{"message": "401 Unauthorized"}
			}
			rest, ok := strings.CutPrefix(r.URL.EscapedPath(), "/api/v4/projects/acme%2Fmobile%2Fshop")
			if !ok {
				return 404, object{"message": "404 Project Not Found"}
			}
			i := f.find(strings.TrimPrefix(rest, "/issues/"))
			switch {
			case rest == "" && r.Method == "GET":
				return 200, object{"id": 5}
			case rest == "/issues" && r.Method == "POST":
				in := body(r)
				title, _ := in["title"].(string)
				if strings.Contains(title, "unwanted") {
					return 400, object{"message": object{"title": []string{"is too long (maximum is 255 characters)"}}}
				}
				text, _ := in["description"].(string)
				i = &kept{Number: int64(len(f.issues) + 1), Title: title, Text: text, Status: "opened", Labels: fmt.Sprint(in["labels"])}
				f.issues = append(f.issues, i)
				return 201, show(i)
			case rest == "/issues" && r.Method == "GET":
				q := r.URL.Query()
				if q.Get("in") != "description" || q.Get("search") == "" {
					return 400, object{"error": "in, search"}
				}
				list := []object{}
				for _, i := range f.issues {
					if strings.Contains(i.Text, q.Get("search")) {
						one := show(i)
						one["description"] = i.Text
						list = append(list, one)
					}
				}
				return 200, list
			case i == nil:
				return 404, object{"message": "404 Not found"}
			case r.Method == "GET":
				return 200, show(i)
			case r.Method == "PUT":
				i.Status = map[any]string{"close": "closed", "reopen": "opened"}[body(r)["state_event"]]
				return 200, show(i)
			}
			return 405, nil
		})
	}))
	t.Cleanup(f.Close)
	return f
}

// fakeJira is a Jira below a path, with the project SHOP, a workflow, and logins by OAuth 1.0a.
type fakeJira struct {
	*fake
	consumer string
	public   *rsa.PublicKey
	nonces   map[string]bool
	callback string
	now      func() time.Time
	// grant is the verifier of the request token once a person granted it.
	request, verifier, access string
	// search is where it searches: Jira Cloud and Data Center have different places.
	search string
}

var workflow = map[string]string{"To Do": "new", "In Progress": "indeterminate", "Shipped": "done", "Waiting": "indeterminate"}

func newJira(t *testing.T) *fakeJira {
	t.Helper()
	f := &fakeJira{fake: &fake{t: t}, consumer: "quipu", nonces: map[string]bool{}, now: time.Now, search: "/search"}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, ok := strings.CutPrefix(r.URL.Path, "/jira")
		if !ok {
			http.NotFound(w, r)
			return
		}
		if step, ok := strings.CutPrefix(path, "/plugins/servlet/oauth/"); ok {
			f.oauth(w, r, step)
			return
		}
		f.serve(w, r, func() (int, any) { return f.rest(r, path) })
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *fakeJira) trust(pemText string) {
	f.t.Helper()
	block, _ := pem.Decode([]byte(pemText))
	if block == nil {
		f.t.Fatalf("no public key: %q", pemText)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		f.t.Fatal(err)
	}
	f.public = key.(*rsa.PublicKey)
}

func enc(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// signed verifies a request by RFC 5849 and returns its parameters; false when it is not signed right.
func (f *fakeJira) signed(r *http.Request) (map[string]string, bool) {
	text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "OAuth ")
	if !ok || f.public == nil {
		return nil, false
	}
	params := map[string]string{}
	var pairs []string
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		v, err := url.PathUnescape(strings.Trim(value, `"`))
		if err != nil {
			return nil, false
		}
		params[name] = v
		if name != "oauth_signature" {
			pairs = append(pairs, enc(name)+"="+enc(v))
		}
	}
	for name, list := range r.URL.Query() {
		for _, v := range list {
			pairs = append(pairs, enc(name)+"="+enc(v))
		}
	}
	slices.Sort(pairs)
	base := r.Method + "&" + enc("http://"+r.Host+r.URL.EscapedPath()) + "&" + enc(strings.Join(pairs, "&"))
	signature, err := base64.StdEncoding.DecodeString(params["oauth_signature"])
	if err != nil || params["oauth_signature_method"] != "RSA-SHA1" || params["oauth_consumer_key"] != f.consumer || params["oauth_version"] != "1.0" {
		return nil, false
	}
	at, err := strconv.ParseInt(params["oauth_timestamp"], 10, 64)
	if age := f.now().Unix() - at; err != nil || age < -300 || age > 300 || f.nonces[params["oauth_nonce"]] || params["oauth_nonce"] == "" {
		return nil, false
	}
	f.nonces[params["oauth_nonce"]] = true
	digest := sha1.Sum([]byte(base))
	return params, rsa.VerifyPKCS1v15(f.public, crypto.SHA1, digest[:], signature) == nil
}

func (f *fakeJira) oauth(w http.ResponseWriter, r *http.Request, step string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	params, ok := f.signed(r)
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case !ok:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("oauth_problem=signature_invalid"))
	case step == "request-token":
		f.request, f.verifier, f.callback = "request+token/1=", "", params["oauth_callback"]
		_, _ = w.Write([]byte(url.Values{"oauth_token": {f.request}, "oauth_token_secret": {"x"}, "oauth_callback_confirmed": {"true"}}.Encode()))
	case step == "access-token" && params["oauth_token"] == f.request && params["oauth_verifier"] == f.verifier && f.verifier != "":
		f.access = "access+token/2="
		_, _ = w.Write([]byte(url.Values{"oauth_token": {f.access}, "oauth_token_secret": {"y"}, "oauth_expires_in": {"157680000"}}.Encode()))
	default:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte("oauth_problem=permission_unknown"))
	}
}

// grant is what a person does at Jira: it returns the address that the browser is sent back to.
func (f *fakeJira) grant() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.verifier = "v3r1f"
	return f.callback + "&" + url.Values{"oauth_token": {f.request}, "oauth_verifier": {f.verifier}}.Encode()
}

func (f *fakeJira) authorised(r *http.Request) bool {
	if user, pass, ok := r.BasicAuth(); ok {
		return user == "dev@example.org" && pass == secretToken
	}
	if r.Header.Get("Authorization") == "Bearer "+secretToken {
		return true
	}
	params, ok := f.signed(r)
	return ok && f.access != "" && params["oauth_token"] == f.access
}

func (f *fakeJira) rest(r *http.Request, path string) (int, any) {
	if !f.authorised(r) {
		return 401, object{"errorMessages": []string{"You are not authenticated."}}
	}
	status := func(name string) object { return object{"name": name, "statusCategory": object{"key": workflow[name]}} }
	rest := strings.TrimPrefix(path, "/rest/api/2")
	key, isTransition := strings.CutSuffix(strings.TrimPrefix(rest, "/issue/SHOP-"), "/transitions")
	i := f.find(key)
	switch {
	case rest == "/serverInfo":
		return 200, object{"baseUrl": f.URL + "/jira", "version": "9.12.0"}
	case rest == "/project/SHOP":
		return 200, object{"key": "SHOP"}
	case rest == "/issue" && r.Method == "POST":
		fields, _ := body(r)["fields"].(object)
		title, _ := fields["summary"].(string)
		text, _ := fields["description"].(string)
		kind, _ := fields["issuetype"].(object)
		if p, _ := fields["project"].(object); p["key"] != "SHOP" || kind["name"] != "Bug" || strings.Contains(title, "unwanted") {
			return 400, object{"errorMessages": []string{}, "errors": object{"summary": "Summary is invalid.", "issuetype": "The issue type selected is invalid."}}
		}
		i = &kept{Number: int64(len(f.issues) + 1), Title: title, Text: text, Status: "To Do", Labels: fmt.Sprint(fields["labels"])}
		f.issues = append(f.issues, i)
		return 201, object{"id": fmt.Sprint(10000 + i.Number), "key": fmt.Sprintf("SHOP-%d", i.Number), "self": "x"}
	case rest == f.search && r.Method == "GET":
		project, word, ok := strings.Cut(r.URL.Query().Get("jql"), " AND description ~ ")
		if !ok || project != `project = "SHOP"` {
			return 400, object{"errorMessages": []string{"jql"}}
		}
		list := []object{}
		for _, i := range f.issues {
			if strings.Contains(i.Text, strings.Trim(word, `"`)) {
				list = append(list, object{"key": fmt.Sprintf("SHOP-%d", i.Number), "fields": object{"summary": i.Title, "status": status(i.Status), "description": i.Text}})
			}
		}
		return 200, object{"issues": list}
	case strings.HasPrefix(rest, "/search"):
		return 404, nil
	case i == nil:
		return 404, object{"errorMessages": []string{"Issue does not exist or you do not have permission to see it."}}
	case isTransition && r.Method == "GET":
		var list []object
		for n, to := range []string{"To Do", "In Progress", "Shipped"} {
			if to != i.Status {
				list = append(list, object{"id": fmt.Sprint(11 + n), "name": "To " + to, "to": status(to)})
			}
		}
		return 200, object{"transitions": list}
	case isTransition && r.Method == "POST":
		t, _ := body(r)["transition"].(object)
		i.Status = map[any]string{"11": "To Do", "12": "In Progress", "13": "Shipped"}[t["id"]]
		return 204, nil
	case r.Method == "GET" && r.URL.Query().Get("fields") == "summary,status":
		return 200, object{"key": "SHOP-" + key, "fields": object{"summary": i.Title, "status": status(i.Status)}}
	}
	return 405, nil
}
