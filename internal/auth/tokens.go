package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

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
	// maxTokens bounds how many tokens a member has at a time. Those of its sessions are not refused.
	maxTokens = 1000
)

// Token lets a bearer act as its owner, within its restrictions.
//
// Tokens are stored under a digest, by which they are found, and sealed: the protocol lists them in full
// to their owner.
type Token struct {
	ID        string         `json:"-"`   // 40 hex digits; the token itself
	Digest    string         `json:"_id"` // of ID
	Sealed    string         `json:"sealed"`
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

// Key returns the digest of the token.
func (t Token) Key() string { return t.Digest }

// Validate refuses tokens without owner.
func (t Token) Validate() error {
	if t.Digest == "" || t.Sealed == "" || t.Owner.IsZero() {
		return fault.New(fault.Invalid, "auth.token_no_owner", "Token must have owner. Please provide correct user id")
	}
	return nil
}

func tokensSpec() docs.Spec[Token] {
	return docs.Spec[Token]{Name: "auth.bearers", Version: 1, Search: []docs.Field{".purpose"}, Indexes: []docs.Index[Token]{
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
	errTokensFull   = fault.Newf(fault.Conflict, "auth.too_many_tokens", "There are already %d tokens, delete some", maxTokens)
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
	// By is the caller: a token makes none that is good for more than it is itself. The zero value is
	// the owner, by other credentials than a token.
	By Identity
}

func (s *Service) makeToken(owner model.MemberID, n NewToken) Token {
	if n.TTL < 0 {
		n.TTL = 1
	}
	n.TTL = min(n.TTL, maxTTL)
	id := randomHex(tokenBytes)
	return Token{
		ID: id, Digest: s.vault.digest(useToken, id), Sealed: s.vault.seal(useToken, owner, id), TTL: n.TTL, Ends: s.now().Unix() + n.TTL, Multi: n.Multi, Owner: owner,
		Apps: n.Apps, Endpoint: n.Endpoint, Purpose: n.Purpose, Temporary: n.Temporary,
	}
}

// CreateToken makes a token for its owner. One made by a token has the same restrictions and end, or
// closer ones. Faults: auth.token_scope, auth.too_many_tokens, access.no_right for what the token that asks has not.
func (s *Service) CreateToken(ctx context.Context, owner model.MemberID, n NewToken) (Token, error) {
	n, err := n.inherit(s.now().Unix())
	if err != nil {
		return Token{}, err
	}
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
	err = s.db.Tx(ctx, func(tx docs.Handle) error {
		col := tokensSpec().Global(tx)
		held, err := col.Count(ctx, ownedBy("owner", owner))
		if err == nil && held >= maxTokens {
			err = errTokensFull
		}
		if err != nil {
			return err
		}
		return col.Create(ctx, t)
	})
	if err != nil {
		return Token{}, fmt.Errorf("store token: %w", err)
	}
	return t, nil
}

// ListTokens is the page that q asks for of a member's tokens that have not ended; only, unless nil, are
// the tokens that may be in it. q may have conditions of its own.
func (s *Service) ListTokens(ctx context.Context, owner model.MemberID, only []string, q docs.Query) (docs.Page[Token], error) {
	q.Where = append(slices.Concat(ownedBy("owner", owner).Where, q.Where), docs.Any(docs.Eq(".ttl", 0), docs.Gt("ends", s.now().Unix())))
	if only != nil {
		keys := make([]any, len(only))
		for i, id := range only {
			keys[i] = s.vault.digest(useToken, id)
		}
		q.Where = append(q.Where, docs.In("", keys...))
	}
	p, err := tokensSpec().Global(s.db).Page(ctx, q)
	if err != nil {
		return p, fmt.Errorf("list tokens: %w", err)
	}
	for i := range p.Docs {
		t := &p.Docs[i]
		if t.ID, err = s.vault.open(useToken, t.Owner, t.Sealed); err != nil {
			return p, fmt.Errorf("list tokens: %w", err)
		}
	}
	return p, nil
}

// DeleteToken removes a token of a member, and says whether there was one.
func (s *Service) DeleteToken(ctx context.Context, owner model.MemberID, id string) (bool, error) {
	q := ownedBy("owner", owner)
	q.Where = append(q.Where, docs.Eq("", s.vault.digest(useToken, id)))
	n, err := tokensSpec().Global(s.db).DeleteWhere(ctx, q)
	if err != nil {
		return false, fmt.Errorf("delete token: %w", err)
	}
	return n > 0, nil
}

// DeleteTokens removes all tokens of a member, and returns how many there were.
func (s *Service) DeleteTokens(ctx context.Context, owner model.MemberID) (int, error) {
	n, err := tokensSpec().Global(s.db).DeleteWhere(ctx, ownedBy("owner", owner))
	if err != nil {
		return 0, fmt.Errorf("delete tokens: %w", err)
	}
	return n, nil
}

// OwnerOfToken returns the member whom a token belongs to, whether it has ended or not. Fault: auth.token_invalid.
func (s *Service) OwnerOfToken(ctx context.Context, id string) (*model.Member, error) {
	t, err := tokensSpec().Global(s.db).Get(ctx, s.vault.digest(useToken, id))
	if docs.IsNotFound(err) {
		return nil, errTokenInvalid
	}
	if err != nil {
		return nil, fmt.Errorf("read token: %w", err)
	}
	return s.Member(ctx, t.Owner)
}

// CheckToken reports whether a token could be used now, and for how many more
// seconds: -1 forever.
func (s *Service) CheckToken(ctx context.Context, id string) (valid bool, seconds int64, err error) {
	t, err := tokensSpec().Global(s.db).Get(ctx, s.vault.digest(useToken, id))
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
	t, err := col.Get(ctx, s.vault.digest(useToken, c.AuthToken))
	if docs.IsNotFound(err) {
		return Token{}, nil, errTokenInvalid
	}
	if err != nil {
		return Token{}, nil, fmt.Errorf("read token: %w", err)
	}
	t.ID = c.AuthToken
	m := s.members.id(t.Owner)
	if m == nil || !t.live(s.now()) || !t.allowsApps(c) || !s.allowsPath(t, c) {
		return Token{}, nil, errTokenInvalid
	}
	if m.Locked {
		return Token{}, nil, errLocked
	}
	if !t.Multi {
		if err := col.Delete(ctx, t.Digest); docs.IsNotFound(err) {
			return Token{}, nil, errTokenInvalid
		} else if err != nil {
			return Token{}, nil, fmt.Errorf("use up token: %w", err)
		}
	}
	return t, m, nil
}

// patternCache keeps compiled patterns. RE2 runs in time linear in the path,
// whatever the pattern.
type patternCache struct {
	cache simplelru.LRUCache[string, *regexp.Regexp]
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
