package app

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"quipu/internal/ingest/decode"
	"quipu/internal/web"
)

// site makes the pages and says which patterns they answer.
func (a *App) site(client func(*http.Request) netip.Addr, proxies []netip.Prefix) (*web.Site, []string, error) {
	site, err := web.New(web.Options{
		Accounts: a.auth, Log: newLogger(a.cfg.Log, a.level, a.logOut, a.logs.Handler(dashboardLog)), Client: client, Cookie: a.cookie(), Base: a.cfg.BasePath, Bus: a.bus, Now: a.now,
		Local: func(r *http.Request) bool { return direct(r, proxies) && byPerson(r) },
		Secure: func(r *http.Request) bool {
			if r.TLS != nil {
				return true
			}
			// Only a proxy we trust may say that the browser speaks TLS to it.
			peer := decode.ClientAddr(&http.Request{RemoteAddr: r.RemoteAddr}, nil)
			believed := slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(peer) })
			return believed && r.Header.Get("X-Forwarded-Proto") == "https"
		},
	})
	return site, web.Patterns(), err
}

// cookie names the dashboard's cookie.
func (a *App) cookie() string { return web.CookieBelow(sessionCookie, a.cfg.BasePath) }

// below serves requests at a base path as those at the root. Those that come without it are served, too: a proxy may have taken it off.
func below(base string, next http.Handler) http.Handler {
	if base == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, base); ok && (rest == "" || rest[0] == '/') {
			one, u := *r, *r.URL
			u.Path, u.RawPath = rest, strings.TrimPrefix(u.RawPath, base)
			if u.Path == "" {
				u.Path = "/"
			}
			one.URL = &u
			r = &one
		}
		next.ServeHTTP(w, r)
	})
}

// forwards are the headers by which proxies say that they speak for someone else.
func forwards() []string {
	return []string{
		"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Server",
		"X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "Cf-Ray", "Fastly-Client-Ip", "X-Original-Host",
	}
}

// direct reports whether a request comes from this machine and through no proxy. A proxy on this machine that adds no header is known
// by its HTTP/1.0, or by a host or an origin that is not this machine; so is a page elsewhere whose name leads here.
func direct(r *http.Request, proxies []netip.Prefix) bool {
	peer := decode.ClientAddr(&http.Request{RemoteAddr: r.RemoteAddr}, nil)
	if !peer.IsLoopback() || slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(peer) }) {
		return false
	}
	for _, name := range forwards() {
		if len(r.Header[name]) > 0 {
			return false
		}
	}
	if !r.ProtoAtLeast(1, 1) || !loopbackHost(r.Host) {
		return false
	}
	for _, origin := range r.Header["Origin"] {
		u, err := url.Parse(origin)
		if err != nil || !loopbackHost(u.Host) {
			return false
		}
	}
	return true
}

// The user ids of services: from the first to the last, and that of nobody. Those of people begin at 1000.
const (
	firstService = 1
	lastService  = 999
	nobody       = 65534
)

// byPerson reports whether the other end of a connection from this machine belongs to root or a person. A proxy runs as a user of its own;
// all that it sends can be what its client wants, who knows that the server is behind it.
func byPerson(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	client, err := netip.ParseAddrPort(r.RemoteAddr)
	if !ok || err != nil {
		return false
	}
	server, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return false
	}
	plain := func(a netip.AddrPort) netip.AddrPort {
		return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
	}
	owners, err := ownersOf(plain(client), plain(server))
	if err != nil || len(owners) == 0 {
		return false
	}
	return !slices.ContainsFunc(owners, func(uid uint32) bool {
		return uid >= firstService && uid <= lastService || uid == nobody
	})
}

// loopbackHost reports whether a host, with or without port, is this machine by its very name.
func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(strings.ToLower(host), "[]")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}
