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

// Transport is what a browser speaks. The cookie of a session begins with that of its log-in.
type Transport byte

// The transports. A cookie without any is of an older version, or of the server's own browser.
const (
	AnyTransport Transport = 0
	OverTLS      Transport = 's'
	OverPlain    Transport = 'p'
)

// TransportOf returns the transport of the log-in that gave a session cookie.
func TransportOf(cookie string) Transport {
	if len(cookie) != markedCookie {
		return AnyTransport
	}
	return Transport(cookie[0])
}

// SessionCookie returns the value of the session cookie of a request, "" for none. The one that a browser accepts over TLS
// only goes first; the plain one is that of a connection without TLS, or of a session from before there were two. A session that began
// over TLS is not found under the plain name, where another server of the domain may have put its cookie. Callers that know that the browser
// speaks TLS also refuse those of OverPlain.
func SessionCookie(r *http.Request, name string) string {
	for _, secure := range []bool{true, false} {
		c, err := r.Cookie(CookieName(name, secure))
		if err == nil && c.Value != "" && (secure || TransportOf(c.Value) != OverTLS) {
			return c.Value
		}
	}
	return ""
}
