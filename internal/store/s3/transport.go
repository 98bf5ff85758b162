package s3

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// dateKey is the key of a place for the time that an answer has.
type dateKey struct{}

// dated records the times of answers for callers that need them.
type dated struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (d dated) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(r)
	if to, ok := r.Context().Value(dateKey{}).(*string); ok && err == nil {
		*to = resp.Header.Get("Date")
	}
	return resp, err
}

// patientDialer connects to servers, whose connections end when nothing moves on them for so long.
func patientDialer(stall time.Duration) func(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: min(stall, 10*time.Second)}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		p := &patientConn{Conn: conn, stall: stall}
		p.timer = time.AfterFunc(stall, func() {
			p.stalled.Store(true)
			_ = conn.Close() // ends what waits for it
		})
		return p, nil
	}
}

// patientConn is a connection that ends when nothing moves on it.
type patientConn struct {
	net.Conn
	stall   time.Duration
	timer   *time.Timer
	stalled atomic.Bool
}

// because says why an operation failed.
func (c *patientConn) because(err error) error {
	if err != nil && c.stalled.Load() {
		return fmt.Errorf("nothing came or went for %v: %w", c.stall, err)
	}
	return err
}

// Read implements net.Conn.
func (c *patientConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.timer.Reset(c.stall)
	return n, c.because(err)
}

// Write implements net.Conn.
func (c *patientConn) Write(p []byte) (int, error) {
	c.timer.Reset(c.stall)
	n, err := c.Conn.Write(p)
	return n, c.because(err)
}

// Close implements net.Conn.
func (c *patientConn) Close() error {
	c.timer.Stop()
	return c.Conn.Close()
}
