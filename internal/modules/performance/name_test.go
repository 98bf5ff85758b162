package performance_test

import (
	"strings"
	"testing"

	"quipu/internal/modules/performance"
)

// TestGroups names the groups of traces.
func TestGroups(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"app_start":     "app_start",
		"Load the cart": "Load the cart",
		"read a/b now?": "read a/b now?",
		"MainActivity":  "MainActivity",
		"https://api.example/v2/orders/17?token=x":                     "api.example/v2/orders/{id}",
		"http://ann:secret@api.example:8080/a#frag":                    "api.example:8080/a",
		"api.example/users/0b54c6a2-1d2e-4f7a-9c11-0d9f6f3e2a10/photo": "api.example/users/{id}/photo",
		"api.example/c0ffee12":                                         "api.example/{id}",
		"api.example/facade":                                           "api.example/facade",
		"api.example/2031-05-14/list":                                  "api.example/{id}/list",
		"api.example/mail/ann@example.org":                             "api.example/mail/{id}",
		"api.example/t/Zm9vYmFyYmF6cXV4MTIz":                           "api.example/t/{id}",
		"api.example/internationalization-of-things":                   "api.example/internationalization-of-things",
		"api.example/v1.2/a.js":                                        "api.example/v1.2/a.js",
		"api.example/" + strings.Repeat("x", 65):                       "api.example/{id}",
		"/checkout/step-2;jsessionid=ABC":                              "/checkout/step-2",
		"10.0.0.1/status":                                              "10.0.0.1/status",
		"https://":                                                     "/",
		"https://?q=1":                                                 "/",
		"//":                                                           "//",
		"/":                                                            "/",
		"a://b://c/d":                                                  "b://c/d",
		"?a=/b":                                                        "/",
	} {
		if got := performance.GroupOf(name); got != want {
			t.Errorf("%q counts under %q, want %q", name, got, want)
		}
	}
}

// FuzzGroup looks at names of any kind: a group is never empty, never longer by more than its placeholders, and a group of its own.
func FuzzGroup(f *testing.F) {
	for _, name := range []string{"a", "https://a/1?b", "a/b c", "/\x00/12", "é/ü/٣", "://", "@/@", "a@b@c/1"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" {
			return
		}
		got := performance.GroupOf(name)
		if got == "" {
			t.Fatalf("%q has no group", name)
		}
		if strings.Contains(got, "/") && !strings.ContainsAny(name, " \t\n") && strings.ContainsAny(got, "?#;") {
			t.Fatalf("%q keeps its query as %q", name, got)
		}
		if len(got) > len(name)+3*strings.Count(name, "/")+1 {
			t.Fatalf("%q grows to %q", name, got)
		}
	})
}
