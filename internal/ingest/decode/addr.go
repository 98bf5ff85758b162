package decode

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

func (d *Decoder) clientAddr(r *http.Request) netip.Addr { return ClientAddr(r, d.o.TrustedProxies) }

// ClientAddr returns the address a request came from: the peer's, or, when
// the peer is a trusted proxy, the rightmost address of X-Forwarded-For that is
// not one. The zero Addr is unknown.
func ClientAddr(r *http.Request, proxies []netip.Prefix) netip.Addr {
	peer := parseAddr(r.RemoteAddr)
	if !trusted(peer, proxies) {
		return peer
	}
	lines := r.Header["X-Forwarded-For"]
	for _, rest := range slices.Backward(lines) {
		for rest != "" {
			entry := rest
			if j := strings.LastIndexByte(rest, ','); j >= 0 {
				rest, entry = rest[:j], rest[j+1:]
			} else {
				rest = ""
			}
			if entry = strings.TrimSpace(entry); entry == "" {
				continue
			}
			a := parseAddr(entry)
			if !a.IsValid() {
				return peer // what stands left of it cannot be believed
			}
			peer = a
			if !trusted(a, proxies) {
				return a
			}
		}
	}
	return peer
}

func trusted(a netip.Addr, proxies []netip.Prefix) bool {
	if !a.IsValid() {
		return false
	}
	for _, p := range proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// parseAddr reads an address with or without port, brackets and zone.
func parseAddr(s string) netip.Addr {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone("")
	}
	if len(s) > 1 && s[0] == '[' && s[len(s)-1] == ']' {
		s = s[1 : len(s)-1]
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}
