// Package outbound makes HTTP requests to addresses that members write. They reach hosts of the internet alone, unless the operator allows
// another by name: no loopback, no private network, no metadata service of a cloud, whatever a name resolves to and wherever an answer
// redirects. Answers are bounded in bytes and time.
package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Why a request failed. Errors of Do wrap one of them; ErrUnreachable where no other fits.
var (
	ErrBlocked     = errors.New("outbound: the host is not one of the internet, and the operator does not allow it")
	ErrTooLarge    = errors.New("outbound: the answer is too large")
	ErrTimeout     = errors.New("outbound: the host does not respond in time")
	ErrUnreachable = errors.New("outbound: the host cannot be reached")
)

// Options are what a Client keeps to.
type Options struct {
	// Allow lists hosts beside those of the internet, as "jira.example.internal" or "10.1.2.3", with ":port" for that port alone.
	Allow []string
	// Timeout is how long a request takes, from dialling to the end of the answer.
	Timeout time.Duration
	// MaxBytes is how large an answer is, unpacked.
	MaxBytes int64
	// Agent is the header User-Agent.
	Agent string
}

// Client makes requests. It is safe for concurrent use.
type Client struct {
	o    Options
	http *http.Client
}

// Answer is an answer that was read whole. Redirects are answers like any other.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// CheckAllow reports entries of Options.Allow that are no hosts.
func CheckAllow(list []string) error {
	var errs []error
	for _, entry := range list {
		host := entry
		if h, _, err := net.SplitHostPort(entry); err == nil {
			host = h
		}
		if host == "" || strings.ContainsAny(entry, "/*@ ") {
			errs = append(errs, fmt.Errorf("%q is not a host", entry))
		}
	}
	return errors.Join(errs...)
}

// New returns a client.
func New(o Options) *Client {
	c := &Client{o: o}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext: c.dial, TLSHandshakeTimeout: o.Timeout, ResponseHeaderTimeout: o.Timeout, MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// Address reads the address of a site as people write it: http or https, a host, perhaps a path; no credentials, query or fragment. It
// returns it without a slash at the end.
func Address(text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil, len(text) > 2000:
		return "", errors.New("is not an address")
	case u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("must begin with https:// or http://")
	case u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return "", errors.New("must be a host, perhaps with a path, and nothing else")
	}
	u.Host = strings.ToLower(u.Host)
	return strings.TrimRight(u.String(), "/"), nil
}

// allowed reports whether the operator names the host.
func (c *Client) allowed(host, port string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return slices.ContainsFunc(c.o.Allow, func(entry string) bool {
		entry = strings.ToLower(entry)
		return entry == host || entry == net.JoinHostPort(host, port)
	})
}

// dial connects to a host. What its name resolves to is checked at the moment of connecting, so a name cannot lead elsewhere in between.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("address of host: %w", err)
	}
	d := net.Dialer{Timeout: c.o.Timeout}
	if !c.allowed(host, port) {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil || !Public(at.Addr()) {
				return ErrBlocked
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, address)
}

// special are networks that are global by their form and belong to nobody of the internet, or lead to others.
var special = func() []netip.Prefix {
	var out []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10",
	} {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}()

// Public reports whether an address is one of the internet.
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}

// Request is what is sent.
type Request struct {
	Method, URL string
	Header      http.Header
	Body        []byte // nil = none
}

// Do sends a request and reads the answer. Texts of errors hold no header and no body.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{}, fmt.Errorf("%w: not an address", ErrUnreachable)
	}
	maps.Copy(req.Header, r.Header)
	req.Header.Set("User-Agent", c.o.Agent)
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, reason(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, c.o.MaxBytes+1))
	if err != nil {
		return Answer{}, reason(ctx, err)
	}
	if int64(len(body)) > c.o.MaxBytes {
		return Answer{}, ErrTooLarge
	}
	return Answer{res.StatusCode, res.Header, body}, nil
}

func reason(ctx context.Context, err error) error {
	var timeout net.Error
	switch {
	case errors.Is(err, ErrBlocked):
		return ErrBlocked
	case ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}
