package app

import (
	"net/http"
	"net/netip"
	"slices"

	"quipu/internal/ingest/decode"
	"quipu/internal/web"
)

// site makes the pages and says which patterns they answer.
func (a *App) site(client func(*http.Request) netip.Addr, proxies []netip.Prefix) (*web.Site, []string, error) {
	site, err := web.New(web.Options{
		Accounts: a.auth, Log: newLogger(a.cfg.Log, a.logOut, a.logs.Handler(dashboardLog)), Client: client, Cookie: sessionCookie, Bus: a.bus, Now: a.now,
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
