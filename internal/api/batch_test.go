package api_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/api"
)

func TestBatch(t *testing.T) {
	srv := server(t)
	ask := func(requests string, header ...string) (int, string) {
		status, body, _ := get(t, srv, "/o/batch?api_key=root&requests="+url.QueryEscape(requests), header...)
		return status, body
	}
	const bad = `{"result":"Bad request parameter: requests: want a JSON list of 1 to 16 addresses like \"/o/apps/mine?x=y\", each of at most 16384 bytes"}`
	const unreadable = `[{"status":400,"error":"request.not_readable","body":{"result":"This path cannot be read"}}]`
	for name, c := range map[string]struct {
		requests string
		status   int
		want     string
	}{
		"in order, each by itself": {
			`["/o/item/1","/o/err/gone","/o/core?app_id=` + appA.ID.String() + `","/o/core","/o/nothing"]`, 200,
			`[{"status":200,"body":"1"},{"status":404,"error":"x.gone","body":{"result":"Not here"}},{"status":200,"body":{"result":"A"}},` +
				`{"status":400,"error":"request.missing_parameter","body":{"result":"Missing parameter \"app_id\""}},` +
				`{"status":400,"error":"request.invalid_path","body":{"result":"Invalid path"}}]`,
		},
		"escaped once":     {`["/o/html"]`, 200, `[{"status":200,"body":{"a":"&lt;b title=&quot;x&quot;&gt;&amp; &amp; &#39;y&#39;","q":"{\"k\":\"v\"}","s":"com&#46;x &amp;#9647"}}]`},
		"a batch":          {`["/o/batch?requests=[]"]`, 200, unreadable},
		"a batch, slashed": {`["/o/batch/?requests=[]"]`, 200, unreadable},
		"a write":          {`["/o/writing"]`, 200, unreadable},
		"a stream":         {`["/o/stream"]`, 200, unreadable},
		"a file":           {`["/o/file"]`, 200, unreadable},
		"a big answer":     {`["/o/big"]`, 200, `[{"status":413,"error":"request.answer_too_large","body":{"result":"The answer is too large"}}]`},
		"none":             {`[]`, 400, bad},
		"no list":          {`"/o/ping"`, 400, bad},
		"seventeen":        {`["` + strings.Repeat(`/o/item/1","`, 16) + `/o/item/1"]`, 400, bad},
		"another host":     {`["//example.test/o/item/1"]`, 400, bad},
		"another scheme":   {`["http://example.test/o/item/1"]`, 400, bad},
		"a write by path":  {`["/i/args"]`, 400, bad},
		"another place":    {`["/other"]`, 400, bad},
		"a long address":   {`["/o/item/1?x=` + strings.Repeat("x", 16<<10) + `"]`, 400, bad},
	} {
		if status, got := ask(c.requests); status != c.status || got != c.want {
			t.Errorf("%s: %d %s, want %d %s", name, status, got, c.status, c.want)
		}
	}
	if status, got := ask(`["/o/err/panic","/o/item/2"]`); status != 200 || strings.Contains(got, "secret") ||
		!strings.HasPrefix(got, `[{"status":500,"error":"server.internal","body":{"result":"Internal error, incident `) || !strings.HasSuffix(got, `{"status":200,"body":"2"}]`) {
		t.Errorf("a panic: %d %s, want a 500 beside the other answer", status, got)
	}
	if status, got, _ := get(t, srv, `/o/batch?requests=["/o/item/1"]`); status != 400 || !strings.Contains(got, "Missing parameter") {
		t.Errorf("without credentials: %d %s, want 400", status, got)
	}
}

// TestBatchCompression compresses batches unless one of their answers may hold credentials.
func TestBatchCompression(t *testing.T) {
	srv := server(t)
	for requests, want := range map[string]string{
		`["/o/long-text"]`: "gzip", `["/o/long-text","/o/item/1"]`: "gzip", `["/o/long-text","/o/secret"]`: "",
	} {
		status, _, h := get(t, srv, "/o/batch?api_key=root&requests="+url.QueryEscape(requests), "Accept-Encoding", "gzip")
		if got := h.Get("Content-Encoding"); status != 200 || got != want {
			t.Errorf("%s: %d, encoding %q, want %q", requests, status, got, want)
		}
	}
}

// TestBatchOfAClientThatLeaves leaves in the middle of a batch: the reads under way end, and those that wait are not made.
func TestBatchOfAClientThatLeaves(t *testing.T) {
	var begun, ended atomic.Int64
	three, all := make(chan struct{}), make(chan struct{})
	srv := server(t, func(g *api.Registrar) {
		api.Handle(g, "/o/slow", api.Authenticated(), func(ctx context.Context, _ api.Caller, _ api.None) (string, error) {
			if begun.Add(1) == 3 {
				close(three)
			}
			select {
			case <-ctx.Done():
				if ended.Add(1) == 3 {
					close(all)
				}
			case <-time.After(time.Minute):
			}
			return "", ctx.Err()
		})
	})
	ctx, leave := context.WithCancel(t.Context())
	requests := url.QueryEscape(`["/o/slow` + strings.Repeat(`","/o/slow`, 9) + `"]`)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+"/o/batch?api_key=root&requests="+requests, nil)
	if err != nil {
		t.Fatal(err)
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		if resp, err := srv.Client().Do(r); err == nil {
			_ = resp.Body.Close()
		}
	}()
	await(t, "three reads begin", three)
	leave()
	await(t, "the client is gone", left)
	await(t, "three reads end", all)
	srv.Close() // waits for the batch
	if n := begun.Load(); n != 3 {
		t.Errorf("%d reads were made, want 3", n)
	}
}

func await(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: not within 20 s", what)
	}
}
