package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

const (
	tokenBytes = 20 // 40 hex digits
	// maxTTL keeps the end of a token within what clients can read.
	maxTTL = 100 * 365 * 24 * 3600 // s
	// Bounds of a token's restrictions.
	maxScope   = 64 << 10 // bytes of JSON
	maxRules   = 200
	maxPattern = 1000 // bytes
)

// Token lets a bearer act as its owner, within its restrictions.
//
// Tokens are stored as they are, not hashed: the protocol lists them in full to
// their owner. The store's file is readable by the server only.
type Token struct {
	ID        string         `json:"_id"`  // 40 hex digits; the token itself
	TTL       int64          `json:"ttl"`  // s, 0 = never ends
	Ends      int64          `json:"ends"` // s
	Multi     bool           `json:"multi"`
	Owner     model.MemberID `json:"owner"`
	Apps      []string       `json:"apps"` // none: all
	Purpose   string         `json:"purpose"`
	Temporary bool           `json:"temporary"`
	// Endpoint restricts the paths; nil: all. It is the array that was
	// given: of texts, which are regular expressions for the path, and of objects
	// {endpoint, params}, whose params must be equal in the request, too. What cannot
	// be read matches nothing.
	Endpoint json.RawMessage `json:"endpoint,omitempty"`
}

// Key returns the token.
func (t Token) Key() string { return t.ID }

// Validate refuses tokens without owner.
func (t Token) Validate() error {
	if len(t.ID) != 2*tokenBytes || t.Owner.IsZero() {
		return fault.New(fault.Invalid, "auth.token_no_owner", "Token must have owner. Please provide correct user id")
	}
	return nil
}

func tokensSpec() docs.Spec[Token] {
	return docs.Spec[Token]{Name: "auth.tokens", Version: 1, Search: []docs.Field{".purpose"}, Indexes: []docs.Index[Token]{
		{Name: "owner", Path: ".owner"},
		{Name: "ends", Of: func(t Token) []any {
			if t.TTL == 0 {
				return nil // never
			}
			return []any{t.Ends}
		}},
	}}
}

// live reports whether a token has not ended.
func (t Token) live(now time.Time) bool { return t.TTL == 0 || now.Unix() < t.Ends }

var (
	errTokenInvalid = fault.New(fault.Invalid, "auth.token_invalid", "Token not valid")
	errTokenScope   = fault.New(fault.Invalid, "auth.token_scope", "The restrictions of the token are too large")
)

// NewToken is what a token is made of.
type NewToken struct {
	TTL       int64 // s, 0 = never ends; negative values are taken as 1
	Multi     bool
	Apps      []string
	Endpoint  json.RawMessage // see Token
	Purpose   string
	Temporary bool
}

func (s *Service) makeToken(owner model.MemberID, n NewToken) Token {
	if n.TTL < 0 {
		n.TTL = 1
	}
	n.TTL = min(n.TTL, maxTTL)
	return Token{
		ID: randomHex(tokenBytes), TTL: n.TTL, Ends: s.now().Unix() + n.TTL, Multi: n.Multi, Owner: owner,
		Apps: n.Apps, Endpoint: n.Endpoint, Purpose: n.Purpose, Temporary: n.Temporary,
	}
}

// CreateToken makes a token for its owner. Faults: auth.token_scope.
func (s *Service) CreateToken(ctx context.Context, owner model.MemberID, n NewToken) (Token, error) {
	if len(n.Endpoint) > maxScope || len(n.Apps) > maxRules || len(n.Purpose) > maxScope || len(rulesOf(n.Endpoint)) > maxRules {
		return Token{}, errTokenScope
	}
	for _, r := range rulesOf(n.Endpoint) {
		if len(r.Endpoint) > maxPattern {
			return Token{}, errTokenScope
		}
	}
	if err := s.pruneTokens(ctx); err != nil {
		return Token{}, err
	}
	t := s.makeToken(owner, n)
	if err := tokensSpec().Global(s.db).Create(ctx, t); err != nil {
		return Token{}, fmt.Errorf("store token: %w", err)
	}
	return t, nil
}

// ListTokens is the page that q asks for of a member's tokens that have not ended; only, unless nil, are
// the tokens that may be in it.
func (s *Service) ListTokens(ctx context.Context, owner model.MemberID, only []string, q docs.Query) (docs.Page[Token], error) {
	q.Where = append(ownedBy("owner", owner).Where, docs.Any(docs.Eq(".ttl", 0), docs.Gt("ends", s.now().Unix())))
	if only != nil {
		keys := make([]any, len(only))
		for i, id := range only {
			keys[i] = id
		}
		q.Where = append(q.Where, docs.In("", keys...))
	}
	p, err := tokensSpec().Global(s.db).Page(ctx, q)
	if err != nil {
		return p, fmt.Errorf("list tokens: %w", err)
	}
	return p, nil
}

// DeleteToken removes a token of a member, and says whether there was one.
func (s *Service) DeleteToken(ctx context.Context, owner model.MemberID, id string) (bool, error) {
	q := ownedBy("owner", owner)
	q.Where = append(q.Where, docs.Eq("", id))
	n, err := tokensSpec().Global(s.db).DeleteWhere(ctx, q)
	if err != nil {
		return false, fmt.Errorf("delete token: %w", err)
	}
	return n > 0, nil
}

// CheckToken reports whether a token could be used now, and for how many more
// seconds: -1 for ever.
func (s *Service) CheckToken(ctx context.Context, id string) (valid bool, seconds int64, err error) {
	t, err := tokensSpec().Global(s.db).Get(ctx, id)
	if docs.IsNotFound(err) {
		return false, 0, nil
	}
	if err != nil {
		return false, 0, fmt.Errorf("read token: %w", err)
	}
	now := s.now()
	m := s.members.id(t.Owner)
	switch {
	case !t.live(now) || m == nil || m.Locked:
		return false, 0, nil
	case t.TTL == 0:
		return true, -1, nil
	}
	return true, t.Ends - now.Unix(), nil
}

func (s *Service) pruneTokens(ctx context.Context) error {
	_, err := tokensSpec().Global(s.db).DeleteWhere(ctx, docs.Query{Where: []docs.Cond{docs.Le("ends", s.now().Unix())}})
	if err != nil {
		return fmt.Errorf("prune tokens: %w", err)
	}
	return nil
}

// use checks a token against a request and returns it with its owner. A token for a single use is gone
// after the first that passes: of uses at the same time exactly one does.
func (s *Service) use(ctx context.Context, c Credentials) (Token, *model.Member, error) {
	col := tokensSpec().Global(s.db)
	t, err := col.Get(ctx, c.AuthToken)
	if docs.IsNotFound(err) {
		return Token{}, nil, errTokenInvalid
	}
	if err != nil {
		return Token{}, nil, fmt.Errorf("read token: %w", err)
	}
	m := s.members.id(t.Owner)
	if m == nil || !t.live(s.now()) || !t.allowsApp(c.AppID) || !s.allowsPath(t, c) {
		return Token{}, nil, errTokenInvalid
	}
	if m.Locked {
		return Token{}, nil, errLocked
	}
	if !t.Multi {
		if err := col.Delete(ctx, t.ID); docs.IsNotFound(err) {
			return Token{}, nil, errTokenInvalid
		} else if err != nil {
			return Token{}, nil, fmt.Errorf("use up token: %w", err)
		}
	}
	return t, m, nil
}

func (t Token) allowsApp(app string) bool { return app == "" || allowsApp(t.Apps, app) }

// allowsApp reports whether a list of app ids, empty for all, has the app.
func allowsApp(apps []string, app string) bool {
	return len(apps) == 0 || slices.ContainsFunc(apps, func(a string) bool { return strings.EqualFold(a, app) })
}

// rule is one element of Token.Endpoint.
type rule struct {
	Endpoint string                     `json:"endpoint"`
	Params   map[string]json.RawMessage `json:"params"`
	bad      bool
}

// rulesOf reads a restriction: an array, or one object.
func rulesOf(raw json.RawMessage) []rule {
	if len(raw) == 0 {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	out := make([]rule, 0, len(list))
	for _, e := range list {
		var r rule
		err := json.Unmarshal(e, &r.Endpoint)
		if err != nil {
			err = json.Unmarshal(e, &r)
		}
		// An empty pattern, and null, would match everything.
		r.bad = err != nil || r.Endpoint == ""
		out = append(out, r)
	}
	return out
}

func (s *Service) allowsPath(t Token, c Credentials) bool {
	if len(t.Endpoint) == 0 {
		return true
	}
	return slices.ContainsFunc(rulesOf(t.Endpoint), func(r rule) bool {
		if r.bad {
			return false
		}
		re := s.patterns.get(r.Endpoint)
		if re == nil || !re.MatchString(c.Path) {
			return false
		}
		for name, want := range r.Params {
			if c.Param == nil || !sameParam(want, c.Param(name)) {
				return false
			}
		}
		return true
	})
}

// sameParam compares a JSON value with a parameter's text.
func sameParam(want json.RawMessage, got string) bool {
	var text string
	if json.Unmarshal(want, &text) == nil {
		return text == got
	}
	var a, b any
	if json.Unmarshal(want, &a) != nil || json.Unmarshal([]byte(got), &b) != nil {
		return false
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// patternCache keeps compiled patterns. RE2 runs in time linear in the path,
// whatever the pattern.
type patternCache struct {
	cache *lru.Cache[string, *regexp.Regexp]
}

func newPatternCache() (*patternCache, error) {
	c, err := lru.New[string, *regexp.Regexp](256)
	if err != nil {
		return nil, fmt.Errorf("make pattern cache: %w", err)
	}
	return &patternCache{c}, nil
}

// get returns nil for what is no pattern, or too long a one.
func (p *patternCache) get(pattern string) *regexp.Regexp {
	if len(pattern) > maxPattern {
		return nil
	}
	if re, ok := p.cache.Get(pattern); ok {
		return re
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = nil
	}
	p.cache.Add(pattern, re)
	return re
}
