package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// SessionConfig says how long a dashboard session lasts: it ends after Idle
// without a request, and after Lifetime in any case (OWASP ASVS 5.0, 7.3). The defaults
// of a day and a week suit a tool that is looked at daily and whose
// worst actions, deleting apps and members, are recoverable from backups only: shorten them
// where browsers are shared.
type SessionConfig struct {
	Idle     time.Duration
	Lifetime time.Duration
}

// Session is an open session of the dashboard.
type Session struct {
	// ID names the session to its owner; it is of no use as a cookie.
	ID string
	// Cookie is the value of the cookie; "" in lists, since it is not stored.
	Cookie string
	// CSRF is the token that changes need, 36 characters in the form of a
	// UUID. It is derived from the cookie; "" in lists.
	CSRF    string
	Member  *model.Member
	Created time.Time
	Seen    time.Time // last request, give or take a few minutes
	Expires time.Time // whatever happens
	Addr    string
	Agent   string
}

// SessionInfo is what is kept of the request that opens a session.
type SessionInfo struct {
	Addr  string
	Agent string    // User-Agent
	Over  Transport // under which the cookie will count
}

// session is a Session as the store keeps it: under the digest of its cookie,
// so that the stored form opens nothing.
type session struct {
	ID      string         `json:"_id"`
	Member  model.MemberID `json:"member"`
	Created int64          `json:"created"` // s
	Seen    int64          `json:"seen"`    // s
	Expires int64          `json:"expires"` // s
	Addr    string         `json:"addr"`
	Agent   string         `json:"agent"`
	Token   string         `json:"token"` // the digest of the auth token made at log-in
}

// Key returns the digest of the cookie.
func (s session) Key() string { return s.ID }

// Validate has nothing to refuse.
func (s session) Validate() error { return nil }

func sessionsSpec(v vault) docs.Spec[session] {
	return docs.Spec[session]{Name: "auth.sessions", Version: 2, Migrations: []func(json.RawMessage) (json.RawMessage, error){v.digestSession}, Search: []docs.Field{".addr", ".agent"}, Indexes: []docs.Index[session]{
		{Name: "member", Path: ".member"},
		{Name: "expires", Path: ".expires"},
		{Name: "seen", Path: ".seen"},
	}}
}

// The token that a log-in on the page makes (wire.md 8).
const (
	loginTokenPurpose = "LoggedInAuth"
	loginTokenTTL     = 1800 // s
)

// A session cookie is 32 random bytes in URL-safe base64, behind the letter of a Transport unless that is AnyTransport.
const cookieBytes = 32

var (
	bareCookie   = base64.RawURLEncoding.EncodedLen(cookieBytes)
	markedCookie = bareCookie + 1
)

func sessionID(cookie string) string {
	sum := sha256.Sum256([]byte(cookie))
	return hex.EncodeToString(sum[:])
}

// csrf derives the token of a session from its cookie, in the form of a UUID.
// Only who has the cookie can, and scripts of other sites have not.
func csrf(cookie string) string {
	mac := hmac.New(sha256.New, []byte(cookie))
	mac.Write([]byte("quipu csrf 1"))
	b := mac.Sum(nil)[:16]
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80 // version 4, as far as the form goes
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// CreateSession opens a session of a member who has just logged in, and makes
// the one token that a log-in on the page makes.
func (s *Service) CreateSession(ctx context.Context, m *model.Member, info SessionInfo) (Session, error) {
	b := make([]byte, cookieBytes)
	_, _ = rand.Read(b) // never fails, see crypto/rand
	cookie := base64.RawURLEncoding.EncodeToString(b)
	if info.Over != AnyTransport {
		cookie = string(rune(info.Over)) + cookie
	}
	now := s.now()
	t := s.makeToken(m.ID, NewToken{TTL: loginTokenTTL, Multi: true, Purpose: loginTokenPurpose})
	d := session{
		ID: sessionID(cookie), Member: m.ID, Created: now.Unix(), Seen: now.Unix(), Expires: now.Add(s.cfg.Session.Lifetime).Unix(),
		Addr: clip(info.Addr, 64), Agent: clip(info.Agent, 256), Token: t.Digest,
	}
	err := s.db.Tx(ctx, func(tx docs.Handle) error {
		if err := tokensSpec().Global(tx).Create(ctx, t); err != nil {
			return err
		}
		return sessionsSpec(s.vault).Global(tx).Create(ctx, d)
	})
	if err != nil {
		return Session{}, fmt.Errorf("open session: %w", err)
	}
	return s.shown(d, m, cookie), nil
}

func clip(text string, n int) string {
	if len(text) > n {
		return text[:n]
	}
	return text
}

func (s *Service) shown(d session, m *model.Member, cookie string) Session {
	out := Session{
		ID: d.ID, Cookie: cookie, Member: m, Addr: d.Addr, Agent: d.Agent,
		Created: time.Unix(d.Created, 0), Seen: time.Unix(d.Seen, 0), Expires: time.Unix(d.Expires, 0),
	}
	if cookie != "" {
		out.CSRF = csrf(cookie)
	}
	return out
}

// Session finds the open session of a cookie, and keeps it from idling out; ok
// is false when there is none, or its member is locked or gone.
func (s *Service) Session(ctx context.Context, cookie string) (_ Session, ok bool, err error) {
	found, ok, err := s.lookSession(ctx, cookie)
	if err != nil || !ok {
		return found, ok, err
	}
	// Writing each request's time would cost a write for each request.
	now, seen := s.now().Unix(), found.Seen.Unix()
	if now-seen > min(int64(s.cfg.Session.Idle/time.Second)/20, 300) {
		_, err := sessionsSpec(s.vault).Global(s.db).Update(ctx, found.ID, func(d *session) error { d.Seen = max(d.Seen, now); return nil })
		if err != nil && !docs.IsNotFound(err) {
			s.log.WarnContext(ctx, "session not kept alive", slog.Any("error", err))
		}
	}
	return found, true, nil
}

// lookSession finds the open session of a cookie without keeping it from idling out.
func (s *Service) lookSession(ctx context.Context, cookie string) (_ Session, ok bool, err error) {
	if len(cookie) != bareCookie && len(cookie) != markedCookie {
		return Session{}, false, nil
	}
	if err := s.members.fresh(ctx); err != nil {
		return Session{}, false, err
	}
	d, err := sessionsSpec(s.vault).Global(s.db).Get(ctx, sessionID(cookie))
	if docs.IsNotFound(err) {
		return Session{}, false, nil
	}
	if err != nil {
		return Session{}, false, fmt.Errorf("read session: %w", err)
	}
	m := s.members.id(d.Member)
	if m == nil || m.Locked || !s.live(d, s.now().Unix()) {
		return Session{}, false, nil
	}
	return s.shown(d, m, cookie), true, nil
}

func (s *Service) live(d session, now int64) bool {
	return now < d.Expires && now-d.Seen < int64(s.cfg.Session.Idle/time.Second)
}

// ListSessions is the page that q asks for of a member's open sessions.
func (s *Service) ListSessions(ctx context.Context, id model.MemberID, q docs.Query) (docs.Page[Session], error) {
	now := s.now().Unix()
	q.Where = append(ownedBy("member", id).Where, docs.Gt("expires", now), docs.Gt("seen", now-int64(s.cfg.Session.Idle/time.Second)))
	p, err := sessionsSpec(s.vault).Global(s.db).Page(ctx, q)
	if err != nil {
		return docs.Page[Session]{}, fmt.Errorf("list sessions: %w", err)
	}
	out := docs.Page[Session]{Docs: []Session{}, Total: p.Total, Matching: p.Matching}
	for _, d := range p.Docs {
		out.Docs = append(out.Docs, s.shown(d, s.members.id(id), ""))
	}
	return out, nil
}

// RevokeSession ends the session of a cookie and removes its token. A cookie
// without session is no error.
func (s *Service) RevokeSession(ctx context.Context, cookie string) error {
	err := s.db.Tx(ctx, func(tx docs.Handle) error {
		d, err := sessionsSpec(s.vault).Global(tx).Get(ctx, sessionID(cookie))
		if err != nil {
			return err
		}
		return s.removeSession(ctx, tx, d)
	})
	if err != nil && !docs.IsNotFound(err) {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// RevokeSessions ends all sessions of a member but the one with the id keep.
func (s *Service) RevokeSessions(ctx context.Context, id model.MemberID, keep string) error {
	err := s.db.Tx(ctx, func(tx docs.Handle) error { return s.removeSessions(ctx, tx, id, keep) })
	if err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	return nil
}

// EndSession ends a session of a member by its id; found is false when there is none of theirs.
func (s *Service) EndSession(ctx context.Context, id model.MemberID, session string) (found bool, err error) {
	err = s.db.Tx(ctx, func(tx docs.Handle) error {
		d, err := sessionsSpec(s.vault).Global(tx).Get(ctx, session)
		if err != nil {
			return err
		}
		if found = d.Member == id; !found {
			return nil
		}
		return s.removeSession(ctx, tx, d)
	})
	if err != nil && !docs.IsNotFound(err) {
		return false, fmt.Errorf("end session: %w", err)
	}
	return found, nil
}

func (s *Service) removeSession(ctx context.Context, tx docs.Handle, d session) error {
	if err := sessionsSpec(s.vault).Global(tx).Delete(ctx, d.ID); err != nil {
		return err
	}
	if err := tokensSpec().Global(tx).Delete(ctx, d.Token); err != nil && !docs.IsNotFound(err) {
		return err
	}
	return nil
}

func (s *Service) removeSessions(ctx context.Context, tx docs.Handle, id model.MemberID, keep string) error {
	list, err := sessionsSpec(s.vault).Global(tx).All(ctx, ownedBy("member", id))
	if err != nil {
		return err
	}
	for _, d := range list {
		if d.ID == keep {
			continue
		}
		if err := s.removeSession(ctx, tx, d); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) pruneSessions(ctx context.Context) error {
	now := s.now()
	_, err := sessionsSpec(s.vault).Global(s.db).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Any(
		docs.Le("expires", now.Unix()), docs.Le("seen", now.Add(-s.cfg.Session.Idle).Unix()),
	)}})
	if err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	return nil
}

// SameCSRF compares a token that a request brings with the session's.
func (s Session) SameCSRF(given string) bool {
	return s.CSRF != "" && subtle.ConstantTimeCompare([]byte(s.CSRF), []byte(given)) == 1
}

// errCSRF answers a change that a session's cookie asks for without its token.
var errCSRF = fault.New(fault.Forbidden, "auth.csrf", "The page is out of date, reload it")
