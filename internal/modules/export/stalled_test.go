package export_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// TestStalledReadersLoseTheirPlaces has a reader with small buffers take the only place for streamed exports, and read no
// more than the beginning. Others are turned away meanwhile, and have the place when the deadline for
// writing is over, although the connection stays open.
func TestStalledReadersLoseTheirPlaces(t *testing.T) {
	const limit = 2 * time.Second
	s := testkit.New(t, testkit.WithWriteLimit(limit), testkit.WithConfig(func(c *app.Config) {
		c.Modules = map[string]any{"export": map[string]any{"streams": 1, "patience": "20ms"}}
	}))
	const size = 12 << 20 // more than the buffers between server and reader hold
	form := testkit.Query("type", "csv", "data", rows(size>>16, func(int) string { return `{"a":"` + strings.Repeat("x", 1<<16) + `"}` }))
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the server has ended it
	stalled := c.(*net.TCPConn)
	if err := stalled.SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(stalled, "POST /o/export/data?api_key=%s HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", s.Key, len(form), form)
	if err != nil {
		t.Fatal(err)
	}
	status := make([]byte, len("HTTP/1.1 200 OK"))
	if _, err := io.ReadFull(stalled, status); err != nil || string(status) != "HTTP/1.1 200 OK" {
		t.Fatalf("%s %v", status, err)
	}
	began := time.Now()
	small := func() testkit.Response {
		return s.Post("/o/export/data", "api_key", s.Key, "type", "csv", "data", `[{"a":1}]`)
	}
	r := small()
	if r.Status != http.StatusServiceUnavailable || r.Body != `{"result":"Too many exports are running, try again later"}` || r.Header.Get("Retry-After") != "10" {
		t.Errorf("beside a stalled reader: %d %s %v", r.Status, r.Body, r.Header)
	}
	for r.Status != http.StatusOK { // each waits for the patience of exports
		if r = small(); time.Since(began) > 10*limit {
			t.Fatalf("long after the deadline for writing: %d %s", r.Status, r.Body)
		}
	}
	if r.Body != "a\r\n1\r\n" {
		t.Errorf("once there is a place: %q", r.Body)
	}
}
