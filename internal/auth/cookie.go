package auth

import "net/http"

// hostPrefix makes a browser take a cookie only over TLS, for the whole of one host and from that host alone, so that no other
// server of the domain can plant one (RFC 6265bis, 4.1.3.2).
const hostPrefix = "__Host-"

// CookieName is the name that a cookie of ours has over TLS, or without.
func CookieName(name string, secure bool) string {
	if secure {
		return hostPrefix + name
	}
	return name
}

// SessionCookie returns the value of the session cookie of a request, "" for none. That which a browser takes over TLS
// only goes first; the plain one is that of a connection without TLS, or of a session from before.
func SessionCookie(r *http.Request, name string) string {
	for _, secure := range []bool{true, false} {
		if c, err := r.Cookie(CookieName(name, secure)); err == nil && c.Value != "" {
			return c.Value
		}
	}
	return ""
}
