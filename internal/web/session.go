package web

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/model"
)

// formCookie holds the token of the forms of someone who is not signed in.
const formCookie = "quipu_form"

// deviceCookie keeps a browser that signed in before apart from strangers. It opens nothing.
const deviceCookie = "quipu_device"

// Forms are read before anybody is known, so their bodies are bounded, in bytes, and their fields.
const (
	maxForm   = 1 << 20
	maxFields = 100
)

// session finds the session of a request; ok is false when there is none. One that began without TLS is none over TLS.
func (s *Site) session(r *http.Request) (session auth.Session, ok bool, err error) {
	value := auth.SessionCookie(r, s.opts.Cookie)
	if value == "" || s.opts.Secure(r) && auth.TransportOf(value) == auth.OverPlain {
		return auth.Session{}, false, nil
	}
	session, ok, err = s.opts.Accounts.Session(r.Context(), value)
	if err != nil {
		return auth.Session{}, false, fmt.Errorf("find session: %w", err)
	}
	return session, ok, nil
}

// signIn checks a password, gives the browser a session and takes the form
// token away. Every refusal is a fault of kind Unauthenticated, but that of a
// password that is right and has to be changed first. A session that
// the browser had before ends.
func (s *Site) signIn(w http.ResponseWriter, r *http.Request, login, password string) error {
	m, err := s.opts.Accounts.Login(r.Context(), s.attempt(r, login, password))
	if err != nil {
		return fmt.Errorf("log in: %w", err)
	}
	return s.openSession(w, r, m)
}

// attempt is what a request gives to log in.
func (s *Site) attempt(r *http.Request, login, password string) auth.LoginAttempt {
	a := auth.LoginAttempt{Login: login, Password: password, Addr: s.opts.Client(r)}
	a.Device = s.read(r, s.named(deviceCookie))
	return a
}

// openSession gives the browser of a member who has just logged in its session.
func (s *Site) openSession(w http.ResponseWriter, r *http.Request, m *model.Member) error {
	if old := auth.SessionCookie(r, s.opts.Cookie); old != "" {
		if err := s.opts.Accounts.RevokeSession(r.Context(), old); err != nil {
			return fmt.Errorf("end the session before: %w", err)
		}
	}
	info := auth.SessionInfo{Addr: s.opts.Client(r).String(), Agent: r.UserAgent(), Over: auth.OverPlain}
	if s.opts.Secure(r) {
		info.Over = auth.OverTLS
	}
	session, err := s.opts.Accounts.CreateSession(r.Context(), m, info)
	if err != nil {
		return fmt.Errorf("open session: %w", err)
	}
	s.giveSession(w, r, session)
	http.SetCookie(w, s.cookie(r, &http.Cookie{Name: s.named(formCookie), MaxAge: -1}))
	if device, end := s.opts.Accounts.Device(m, s.attempt(r, "", "").Device); device != "" {
		http.SetCookie(w, s.cookie(r, &http.Cookie{Name: s.named(deviceCookie), Value: device, Expires: end}))
	}
	return nil
}

// giveSession gives the browser the cookie of a session. Over TLS it takes away the plain one, which a session from before may have.
func (s *Site) giveSession(w http.ResponseWriter, r *http.Request, session auth.Session) {
	http.SetCookie(w, s.cookie(r, &http.Cookie{Name: s.opts.Cookie, Value: session.Cookie, Expires: session.Expires}))
	s.dropPlain(w, r)
}

// dropPlain takes away the plain session cookie of a browser that speaks TLS, if it has one.
func (s *Site) dropPlain(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(s.opts.Cookie); err == nil && s.opts.Secure(r) {
		http.SetCookie(w, &http.Cookie{Name: s.opts.Cookie, Path: "/", MaxAge: -1, HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode})
	}
}

// renameSession gives the cookie of a session from before another name, once the browser speaks TLS.
func (s *Site) renameSession(w http.ResponseWriter, r *http.Request, session auth.Session) {
	if s.opts.Secure(r) && s.read(r, s.opts.Cookie) == "" {
		s.giveSession(w, r, session)
	}
}

// cookie completes a cookie with what all of ours share: the whole of this host, and nobody else. Over TLS its name
// makes the browser hold to that.
func (s *Site) cookie(r *http.Request, c *http.Cookie) *http.Cookie {
	c.Secure = s.opts.Secure(r)
	c.Name = auth.CookieName(c.Name, c.Secure)
	c.Path = "/"
	c.HttpOnly = true
	c.SameSite = http.SameSiteLaxMode
	return c
}

// named is the name of a cookie of ours: servers below other paths of the host have cookies of their own.
func (s *Site) named(name string) string { return CookieBelow(name, s.opts.Base) }

// CookieBelow is the name of a cookie of a server below a base path. The cookie itself is of the whole host, which the names that browsers
// guard (__Host-) demand; what else the host serves is of the same origin anyhow.
func CookieBelow(name, base string) string { return name + strings.ReplaceAll(base, "/", "-") }

// read returns the value of a cookie that cookie has made for such a request, "" for none.
func (s *Site) read(r *http.Request, name string) string {
	c, err := r.Cookie(auth.CookieName(name, s.opts.Secure(r)))
	if err != nil {
		return ""
	}
	return c.Value
}

// formToken returns the token for the forms of a page. A browser keeps its
// token over failed attempts, so that a second try needs no reload.
func (s *Site) formToken(w http.ResponseWriter, r *http.Request) string {
	if value := s.read(r, s.named(formCookie)); isToken(value) {
		return value
	}
	token := newToken()
	http.SetCookie(w, s.cookie(r, &http.Cookie{Name: s.named(formCookie), Value: token}))
	return token
}

// formAllowed reports whether a form comes from our own page: the token in it
// is the one in the cookie, and the browser names no other origin.
func (s *Site) formAllowed(r *http.Request, f form) bool {
	value := s.read(r, s.named(formCookie))
	same := isToken(value) && subtle.ConstantTimeCompare([]byte(f["_csrf"]), []byte(value)) == 1
	return same && s.origin.Check(r) == nil
}

// newToken returns a random token in the form of a UUID.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// isToken reports whether t has the form of newToken's results.
func isToken(t string) bool {
	if len(t) != 36 {
		return false
	}
	for i, c := range []byte(t) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// form is the text fields of a posted body.
type form map[string]string

// readForm reads a urlencoded, multipart or JSON body of up to maxForm. What cannot be read is
// an empty form, which lacks its token and so is refused by every page.
func readForm(w http.ResponseWriter, r *http.Request) form {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && media == "multipart/form-data" {
		return readMultipart(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return form{}
	}
	if media == "application/json" {
		return readJSON(body)
	}
	if bytes.Count(body, []byte("&")) >= maxFields {
		return form{}
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return form{}
	}
	return form{}.fill(values)
}

// readJSON reads the text fields of an object.
func readJSON(body []byte) form {
	f, dec := form{}, json.NewDecoder(bytes.NewReader(body))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return form{}
	}
	for n := 1; dec.More(); n++ {
		name, err := dec.Token()
		var value json.RawMessage
		if err != nil || n > maxFields || dec.Decode(&value) != nil {
			return form{}
		}
		var text string
		if key, ok := name.(string); ok && json.Unmarshal(value, &text) == nil {
			f[key] = text
		}
	}
	if _, err := dec.Token(); err != nil {
		return form{}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return form{}
	}
	return f
}

func readMultipart(r *http.Request) form {
	err := r.ParseMultipartForm(maxForm)
	if r.MultipartForm != nil {
		err = errors.Join(err, r.MultipartForm.RemoveAll())
	}
	n := 0
	for _, values := range r.PostForm {
		n += len(values)
	}
	if err != nil || n > maxFields {
		return form{}
	}
	return form{}.fill(r.PostForm)
}

func (f form) fill(values url.Values) form {
	for name, v := range values {
		f[name] = v[0]
	}
	return f
}

// loginWith returns the path of the sign-in page with a message.
func loginWith(message string) string {
	return "/login?" + url.Values{"message": {message}}.Encode()
}
