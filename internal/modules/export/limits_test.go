package export_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// rows makes a JSON array of n rows.
func rows(n int, row func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = row(i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

func TestLimits(t *testing.T) {
	s := testkit.New(t)
	own := func(i int) string { return fmt.Sprintf(`{"k%d":1}`, i) }
	var copies []string
	for i := range 65 {
		copies = append(copies, fmt.Sprintf(`"c%d":{"formula":{"$eq":"a"}}`, i))
	}
	long := strings.Repeat("ä", 600<<10) // 1.2 MiB
	tests := []struct {
		name   string
		path   string
		pairs  []string
		status int
		body   string
	}{
		{"columns", "/o/export/data", []string{"data", rows(16_385, own)}, 400, `{"result":"An export has at most 16384 columns. Choose fields by projection"}`},
		{"cells", "/o/export/data", []string{"data", rows(5_000, own)}, 413, `{"result":"The rows would fill more than 20000000 cells"}`},
		{"copies", "/o/export/request", []string{"path", "/o/apps/all", "mapper", `{"fields":{` + strings.Join(copies, ",") + `}}`}, 400, `{"result":"At most 64 fields may show the value of another field"}`},
		{"long cell", "/o/export/data", []string{"data", `[{"a":"` + long + `","b":1}]`}, 200, "a,b\r\n" + long[:1<<20] + ",1\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := s.Post(tt.path+"?api_key="+s.Key, append([]string{"type", "csv"}, tt.pairs...)...)
			if r.Status != tt.status || r.Body != tt.body {
				t.Errorf("%d %.200s", r.Status, r.Body)
			}
		})
	}
}

// TestBusy takes the only place for streamed exports with a reader that does not read.
func TestBusy(t *testing.T) {
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) {
		c.Modules = map[string]any{"export": map[string]any{"streams": 1, "patience": "1ms"}}
	}))
	const size = 12 << 20 // more than the buffers between server and reader hold
	form := testkit.Query("type", "csv", "data", rows(size>>16, func(int) string { return `{"a":"` + strings.Repeat("x", 1<<16) + `"}` }))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/o/export/data?api_key="+s.Key, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	stalled, err := transport.RoundTrip(req)
	if err != nil || stalled.StatusCode != http.StatusOK {
		t.Fatal(stalled, err)
	}
	small := func() testkit.Response {
		return s.Post("/o/export/data", "api_key", s.Key, "type", "csv", "data", `[{"a":1}]`)
	}
	r := small()
	if r.Status != http.StatusServiceUnavailable || r.Body != `{"result":"Too many exports are running, try again later"}` || r.Header.Get("Retry-After") != "10" {
		t.Errorf("beside a stalled export: %d %s %v", r.Status, r.Body, r.Header)
	}
	if err := stalled.Body.Close(); err != nil {
		t.Fatal(err)
	}
	for n := 0; r.Status != http.StatusOK; n++ { // the server meets the closed connection with its next write
		if r = small(); n > 100_000 {
			t.Fatalf("after the stalled export has ended: %d %s", r.Status, r.Body)
		}
	}
}
