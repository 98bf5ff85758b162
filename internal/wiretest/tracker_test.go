package wiretest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// newTracker is an issue tracker that answers as GitHub and as Jira do, with one issue. It believes every login: the module's tests
// have trackers that do not.
func newTracker(t *testing.T) string {
	t.Helper()
	var mu sync.Mutex
	state := "open"
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/plugins/servlet/oauth/"):
			_, _ = w.Write([]byte("oauth_token=" + strings.TrimSuffix(strings.TrimPrefix(path, "/plugins/servlet/oauth/"), "-token") + "&oauth_token_secret=x"))
		case path == "/rest/api/2/serverInfo":
			_, _ = w.Write([]byte(`{"baseUrl":"x","version":"9"}`))
		case path == "/rest/api/2/issue":
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"key":"SHOP-1"}`))
		case path == "/rest/api/2/issue/SHOP-1":
			_, _ = w.Write([]byte(`{"key":"SHOP-1","fields":{"summary":"E: gone","status":{"name":"To Do","statusCategory":{"key":"new"}}}}`))
		case path == "/api/v3/repos/acme/shop":
			_, _ = w.Write([]byte(`{"has_issues":true}`))
		case strings.HasPrefix(path, "/api/v3/repos/acme/shop/issues"):
			switch {
			case strings.Contains(string(body), `"closed"`):
				state = "closed"
			case r.Method == http.MethodPatch:
				state = "open"
			}
			fmt.Fprintf(w, `{"number":1,"title":"E: gone","state":%q,"html_url":"%s/acme/shop/issues/1"}`, state, s.URL)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}
