package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/seal"
	"quipu/internal/store/docs"
)

// What is sealed, as its seal says.
const (
	useKey   = "api_key"
	useToken = "token"
)

// vault hides API keys and tokens in documents. Without keys it seals and opens nothing. Specs by a vault are functions, not methods of it: every
// package that names a Service, as all modules do, would compile their generic types.
type vault struct{ keys *seal.Keys }

// errNoSecretKey answers what cannot be done without the secret key.
var errNoSecretKey = errors.New("the secret key of API keys and tokens is not there")

func (v vault) digest(use, text string) string {
	if v.keys == nil {
		return "-" // which nothing has
	}
	return v.keys.Digest(use, text)
}

// seal returns "", which no document takes, without keys.
func (v vault) seal(use string, owner model.MemberID, text string) string {
	if v.keys == nil {
		return ""
	}
	return v.keys.Seal(use, owner.String(), text)
}

func (v vault) open(use string, owner model.MemberID, sealed string) (string, error) {
	if v.keys == nil {
		return "", nil
	}
	return v.keys.Open(use, owner.String(), sealed)
}

// hide returns a member as the store keeps it.
func (v vault) hide(m *model.Member) member {
	return member{Member: *m, KeyDigest: v.digest(useKey, m.APIKey), KeySealed: v.seal(useKey, m.ID, m.APIKey)}
}

// reveal returns a member with its key, which is "" without keys.
func (v vault) reveal(m member) (*model.Member, error) {
	key, err := v.open(useKey, m.ID, m.KeySealed)
	if err != nil {
		return nil, fmt.Errorf("API key of member %s: %w", m.ID, err)
	}
	m.APIKey = key
	return &m.Member, nil
}

// renew hides the key that a member was given, if it was.
func (v vault) renew(m *member) {
	if m.APIKey != "" {
		*m = v.hide(&m.Member)
	}
}

// sealMember brings a member from version 1, with its key in clear, to version 2.
func (v vault) sealMember(body json.RawMessage) (json.RawMessage, error) {
	var doc map[string]json.RawMessage
	var old struct {
		ID     model.MemberID `json:"_id"`
		APIKey string         `json:"api_key"`
	}
	if err := errors.Join(json.Unmarshal(body, &doc), json.Unmarshal(body, &old)); err != nil {
		return nil, err
	}
	if v.keys == nil {
		return nil, errNoSecretKey
	}
	delete(doc, "api_key")
	for field, value := range map[string]string{"key_digest": v.digest(useKey, old.APIKey), "key_sealed": v.seal(useKey, old.ID, old.APIKey)} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		doc[field] = text
	}
	return json.Marshal(doc)
}

// digestSession brings a session from version 1, which names its token, to version 2, which has its digest.
func (v vault) digestSession(body json.RawMessage) (json.RawMessage, error) {
	var doc session
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	if v.keys == nil {
		return nil, errNoSecretKey
	}
	doc.Token = v.digest(useToken, doc.Token)
	return json.Marshal(doc)
}

// clearToken is a token as version 1 of the collection auth.tokens kept it, in clear. There is no version 2: the
// tokens moved to auth.bearers, under other keys.
type clearToken struct {
	Token
	ID string `json:"_id"`
}

// Key returns the token.
func (t clearToken) Key() string { return t.ID }

// Validate refuses all: nothing is written in this form any more.
func (clearToken) Validate() error { return errors.New("tokens are not kept in clear") }

func clearTokens() docs.Spec[clearToken] {
	return docs.Spec[clearToken]{Name: "auth.tokens", Version: 1}
}

// keyring tells by which key the collections of this package are sealed, and how far sealing went.
type keyring struct {
	ID    string `json:"_id"`
	Check string `json:"check"` // seal.Keys.Check
	// Purged says that no copy in clear of what an older version kept is in the file.
	Purged bool `json:"purged"`
}

const keyringID = "secret"

// Key returns the one key.
func (k keyring) Key() string { return k.ID }

// Validate has nothing to refuse.
func (keyring) Validate() error { return nil }

func keyrings() docs.Spec[keyring] { return docs.Spec[keyring]{Name: "auth.keyring", Version: 1} }

// ErrOtherKey says that documents are sealed by another secret key than the one that was given.
var ErrOtherKey = errors.New("the secret key is not the one by which the API keys and tokens of this folder are sealed")

// Sealed reports whether documents hold anything that is sealed, which needs the key that they were sealed by.
func Sealed(ctx context.Context, db docs.DB) (bool, error) {
	_, err := keyrings().Global(db).Get(ctx, keyringID)
	if docs.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// adopt checks the secret key, and seals what an older version kept in clear.
func (s *Service) adopt(ctx context.Context, purge func(context.Context) error) error {
	if s.vault.keys == nil {
		return nil
	}
	col := keyrings().Global(s.db)
	ring, err := col.Get(ctx, keyringID)
	switch {
	case docs.IsNotFound(err):
		// It is written first: nothing is ever sealed by a key that is not known here.
		ring = keyring{ID: keyringID, Check: s.vault.keys.Check()}
		if err := col.Create(ctx, ring); err != nil {
			return fmt.Errorf("note secret key: %w", err)
		}
	case err != nil:
		return fmt.Errorf("read secret key's check: %w", err)
	case ring.Check != s.vault.keys.Check():
		return ErrOtherKey
	}
	if ring.Purged {
		return nil
	}
	if err := s.sealTokens(ctx); err != nil {
		return fmt.Errorf("seal tokens: %w", err)
	}
	// The first look at a collection brings it to its present version.
	_, err = membersSpec(s.vault).Global(s.db).Count(ctx, docs.Query{})
	_, err2 := sessionsSpec(s.vault).Global(s.db).Count(ctx, docs.Query{})
	if err := errors.Join(err, err2); err != nil {
		return fmt.Errorf("seal API keys: %w", err)
	}
	if purge != nil {
		if err := purge(ctx); err != nil {
			return fmt.Errorf("purge keys in clear: %w", err)
		}
	}
	ring.Purged = true
	if err := col.Put(ctx, ring); err != nil {
		return fmt.Errorf("note secret key: %w", err)
	}
	return nil
}

// sealTokens moves the tokens that an older version kept in clear.
func (s *Service) sealTokens(ctx context.Context) error {
	return s.db.Tx(ctx, func(tx docs.Handle) error {
		list, err := clearTokens().Global(tx).All(ctx, docs.Query{})
		if err != nil {
			return err
		}
		for _, old := range list {
			t := old.Token
			t.Digest, t.Sealed = s.vault.digest(useToken, old.ID), s.vault.seal(useToken, t.Owner, old.ID)
			if err := tokensSpec().Global(tx).Put(ctx, t); err != nil {
				return err
			}
		}
		_, err = clearTokens().Global(tx).DeleteWhere(ctx, docs.Query{})
		return err
	})
}

// RotateKey gives a member another API key; the one before stops at once. Faults: auth.member_not_found.
func (s *Service) RotateKey(ctx context.Context, id model.MemberID) (*model.Member, error) {
	return s.updateMember(ctx, id, func(m *model.Member) error {
		m.APIKey = newAPIKey()
		return nil
	}, nil)
}

func newAPIKey() string { return randomHex(apiKeyLength / 2) }

// ReplaceKeys seals documents by other keys when those that they were sealed by are lost: every member gets
// another API key, and all tokens and sessions end. It returns how many members there are.
func ReplaceKeys(ctx context.Context, db docs.DB, keys *seal.Keys) (int, error) {
	v, n := vault{keys}, 0
	err := db.Tx(ctx, func(tx docs.Handle) error {
		col := membersSpec(v).Global(tx)
		list, err := col.All(ctx, docs.Query{})
		if err != nil {
			return err
		}
		for _, m := range list {
			if _, err := col.Update(ctx, m.Key(), func(m *member) error {
				m.APIKey = newAPIKey()
				v.renew(m)
				return nil
			}); err != nil {
				return err
			}
		}
		n = len(list)
		if _, err := tokensSpec().Global(tx).DeleteWhere(ctx, docs.Query{}); err != nil {
			return err
		}
		if _, err := sessionsSpec(v).Global(tx).DeleteWhere(ctx, docs.Query{}); err != nil {
			return err
		}
		return keyrings().Global(tx).Put(ctx, keyring{ID: keyringID, Check: keys.Check(), Purged: true})
	})
	if err != nil {
		return 0, fmt.Errorf("replace secret key: %w", err)
	}
	return n, nil
}
