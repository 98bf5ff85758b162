package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"quipu/internal/systemd"
)

// unixPrefix begins addresses of sockets in the file system.
const unixPrefix = "unix:"

// maxSocketPath is how long the path of a socket may be, bytes, on every system.
const maxSocketPath = 100

// The names of sockets of the service manager that are not the public one.
const (
	metricsSocket  = "metrics"
	redirectSocket = "redirect"
)

// listeners are those of a server; the zero value is none. Their holder closes them.
type listeners struct {
	public    []net.Listener
	operators net.Listener // of metrics and health; nil = none
	redirect  net.Listener // of plain HTTP beside TLS; nil = none
}

// listen opens the listeners that are configured. Sockets of the service manager stand in their place.
func listen(ctx context.Context, cfg Config, sockets []systemd.Socket) (on listeners, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, on.close())
		}
	}()
	for i, s := range sockets {
		ln := counted(s.Listener)
		switch {
		case s.Name == metricsSocket && on.operators == nil && cfg.MetricsListen != "":
			on.operators = ln
		case s.Name == redirectSocket && on.redirect == nil && cfg.TLS.RedirectListen != "":
			on.redirect = ln
		case s.Name == metricsSocket || s.Name == redirectSocket:
			for _, rest := range sockets[i:] {
				err = errors.Join(err, rest.Listener.Close())
			}
			return on, errors.Join(fmt.Errorf("the service manager passes a second socket %s, or one whose address is not configured", s.Name), err)
		default:
			on.public = append(on.public, ln)
		}
	}
	if len(on.public) == 0 {
		ln, err := listenOn(ctx, cfg.Listen)
		if err != nil {
			return on, fmt.Errorf("cannot listen on %s: %w", cfg.Listen, err)
		}
		on.public = []net.Listener{ln}
	}
	if on.operators == nil && cfg.MetricsListen != "" {
		if on.operators, err = listenOn(ctx, cfg.MetricsListen); err != nil {
			return on, fmt.Errorf("cannot listen for metrics on %s: %w", cfg.MetricsListen, err)
		}
	}
	if on.redirect == nil && cfg.TLS.RedirectListen != "" {
		if on.redirect, err = listenOn(ctx, cfg.TLS.RedirectListen); err != nil {
			return on, fmt.Errorf("cannot listen for redirects on %s: %w", cfg.TLS.RedirectListen, err)
		}
	}
	return on, nil
}

// close closes all of them; those that a server has closed are passed over.
func (on listeners) close() error {
	var errs []error
	for _, ln := range append(on.public, on.redirect, on.operators) {
		if ln != nil {
			if err := ln.Close(); !errors.Is(err, net.ErrClosed) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// listenOn listens on HOST:PORT, or on unix:PATH for those who may open the socket: the user and the group of the process.
func listenOn(ctx context.Context, address string) (net.Listener, error) {
	path, ok := strings.CutPrefix(address, unixPrefix)
	if !ok {
		return (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	}
	if err := dropStale(ctx, path); err != nil {
		return nil, err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o660); err != nil { // the proxy's user is of the group
		return nil, errors.Join(err, ln.Close())
	}
	return counted(ln), nil
}

// dropStale removes the socket of a process that is gone.
func dropStale(ctx context.Context, path string) error {
	st, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if st.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s exists and is not a socket", path)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if c, err := (&net.Dialer{}).DialContext(ctx, "unix", path); err == nil {
		return errors.Join(fmt.Errorf("another process listens on %s", path), c.Close())
	}
	return os.Remove(path)
}

// counted has the clients of a socket of the file system count as 127.0.0.1: they have no address.
func counted(ln net.Listener) net.Listener {
	if _, ok := ln.Addr().(*net.UnixAddr); ok {
		return local{ln}
	}
	return ln
}

type local struct{ net.Listener }

// Accept implements net.Listener.
func (l local) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if u, ok := c.(*net.UnixConn); ok {
		return localConn{u}, nil
	}
	return c, nil
}

type localConn struct{ *net.UnixConn }

// RemoteAddr implements net.Conn.
func (localConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// checkListen says what is wrong with an address to listen on, "" = nothing.
func checkListen(address string) string {
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		if !filepath.IsAbs(path) {
			return fmt.Sprintf("%q: the path of a socket is absolute, as unix:/run/quipu/quipu.sock", address)
		}
		if len(path) > maxSocketPath {
			return fmt.Sprintf("%q: the path of a socket has at most %d bytes", address, maxSocketPath)
		}
		return ""
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Sprintf("%q is neither HOST:PORT nor unix:PATH", address)
	}
	return ""
}

// urlOf is the address of a listener for people, with the host as it was configured.
func urlOf(addr net.Addr, configured, scheme, base string) string {
	if u, ok := addr.(*net.UnixAddr); ok {
		return unixPrefix + u.Name
	}
	url := scheme + "://" + addr.String()
	host, _, err := net.SplitHostPort(configured)
	if tcp, ok := addr.(*net.TCPAddr); ok && err == nil && host != "" {
		url = scheme + "://" + net.JoinHostPort(host, strconv.Itoa(tcp.Port))
	}
	return url + base
}
