package live_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit"
)

// narrow is a listener whose connections hold next to nothing on their way out.
type narrow struct{ net.Listener }

// Accept implements net.Listener.
func (n narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		err = tcp.SetWriteBuffer(1)
	}
	return c, err
}

// TestSlowReader has a client that asks for a stream and never reads it. It must be dropped while others go
// on, and hold nothing back.
func TestSlowReader(t *testing.T) {
	s := testkit.New(t, quick(map[string]any{"write_timeout": "200ms", "feed": "1ms"}))
	a := s.CreateApp("a", "UTC")
	closed := make(chan string, 10)
	front := httptest.NewUnstartedServer(s.App().Handler())
	front.Listener = narrow{front.Listener}
	front.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- c.RemoteAddr().String()
		}
	}
	front.Start()
	defer front.Close()

	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", front.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.(*net.TCPConn).SetReadBuffer(1); err != nil { // it was dialled as TCP
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "GET /o/live/feed?app_id=%s&api_key=%s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n", a.ID, s.Key)
	if err != nil {
		t.Fatal(err)
	}
	// The answer has begun; from here on nothing is read.
	if line, err := bufio.NewReaderSize(conn, 16).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatalf("%q, %v", line, err)
	}
	healthy := open(t, s, "/o/live/feed", a, s.Key)
	deadline := time.After(patience)
	long := strings.Repeat("x", 100)
	for n := 0; ; n++ {
		s.Ingest(a, "d", "n", fmt.Sprint(n), "events", fmt.Sprintf(`[{"key":"k","segmentation":{"a":"%s","b":"%s","c":"%s","d":"%s"}}]`, long, long, long, long))
		healthy.feed()
		select {
		case addr := <-closed:
			if addr != conn.LocalAddr().String() {
				t.Errorf("%s was dropped, the slow one is %s", addr, conn.LocalAddr())
			}
			s.Ingest(a, "d", "n", "last")
			healthy.feed()
			return
		case <-deadline:
			t.Fatal("the client is still connected")
		default:
		}
	}
}

// TestStop stops the server while streams are open: they are notified, and nobody waits for them.
func TestStop(t *testing.T) {
	s := testkit.New(t, quick(nil))
	a := s.CreateApp("a", "UTC")
	feed, figures := open(t, s, "/o/live/feed", a, s.Key), open(t, s, "/o/live/tiles", a, s.Key)
	s.Stop()
	for _, l := range []*listener{feed, figures} {
		if code := l.end(); code != "live.stopping" {
			t.Errorf("the stream ended with %s", code)
		}
	}
}
