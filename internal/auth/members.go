package auth

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

const (
	apiKeyLength = 32
	// maxLogin bounds user names and e-mail addresses, in bytes.
	maxLogin = 256
	// maxName bounds full names, in bytes.
	maxName = 512
)

// Faults of member management, in the words of the wire.
var (
	errMemberExists   = fault.New(fault.Conflict, "auth.member_exists", "Email or username already exists")
	errNotFirst       = fault.New(fault.Conflict, "auth.not_first", "A member already exists")
	errLastAdmin      = fault.New(fault.Conflict, "auth.last_admin", "global admin limit")
	errMemberNotFound = fault.New(fault.NotFound, "auth.member_not_found", "User not found")
)

// NewMember is what a member is made of.
type NewMember struct {
	FullName, Username, Password, Email string

	Lang        string
	GlobalAdmin bool
	Locked      bool
	Permission  model.Permission
	// MustChangePassword asks for a new password at the first sign-in; nil = as the rules say.
	MustChangePassword *bool
}

// MemberChange holds the fields of a member to change; nil leaves one as it is.
type MemberChange struct {
	FullName, Username, Password, Email, Lang *string

	GlobalAdmin, Locked *bool
	// MustChangePassword asks for a new password at the next sign-in, or does no longer.
	MustChangePassword *bool
	// Own says that the member chooses the password: it must be a new one, and ends the need to choose one.
	Own bool
	// RotateKey gives the member another API key. A password that someone else gives does so, too.
	RotateKey  bool
	Permission *model.Permission
	// AdminOf and UserOf are the shorthands of WithLegacy, nil for none. They
	// are applied after Permission.
	AdminOf, UserOf []string
	// HomeSettings replaces the settings of the apps it names.
	HomeSettings map[string]any
}

// Members returns copies of all members, in the order of their creation.
func (s *Service) Members(ctx context.Context) ([]model.Member, error) {
	if err := s.members.fresh(ctx); err != nil {
		return nil, err
	}
	list := s.members.all()
	out := make([]model.Member, len(list))
	for i, m := range list {
		out[i] = *m
	}
	return out, nil
}

// ListMembers is the page that q asks for of all members, without their keys. It may be sorted by the index name.
func (s *Service) ListMembers(ctx context.Context, q docs.Query) (docs.Page[model.Member], error) {
	p, err := membersSpec(s.vault).Global(s.db).Page(ctx, q)
	if err != nil {
		return docs.Page[model.Member]{}, fmt.Errorf("list members: %w", err)
	}
	out := docs.Page[model.Member]{Docs: make([]model.Member, len(p.Docs)), Total: p.Total, Matching: p.Matching}
	for i, m := range p.Docs {
		out.Docs[i] = m.Member
	}
	return out, nil
}

// Member returns a member, which must not be changed, or auth.member_not_found.
func (s *Service) Member(ctx context.Context, id model.MemberID) (*model.Member, error) {
	if err := s.members.fresh(ctx); err != nil {
		return nil, err
	}
	m := s.members.id(id)
	if m == nil {
		return nil, errMemberNotFound
	}
	return m, nil
}

// MemberByLogin returns the member with the user name or e-mail address, or
// auth.member_not_found.
func (s *Service) MemberByLogin(ctx context.Context, login string) (*model.Member, error) {
	if err := s.members.fresh(ctx); err != nil {
		return nil, err
	}
	m := s.members.login(strings.TrimSpace(login))
	if m == nil {
		return nil, errMemberNotFound
	}
	return m, nil
}

// HasMembers reports whether there is any member.
func (s *Service) HasMembers(ctx context.Context) (bool, error) {
	n, err := s.CountMembers(ctx)
	return n > 0, err
}

// CreateFirstAdmin makes the first member, a global administrator;
// auth.not_first when there is a member already, however close the race.
func (s *Service) CreateFirstAdmin(ctx context.Context, n NewMember) (*model.Member, error) {
	n.GlobalAdmin, n.Locked = true, false
	if has, err := s.HasMembers(ctx); err != nil || has {
		return nil, errors.Join(err, errIf(has, errNotFirst))
	}
	return s.create(ctx, n, true)
}

func errIf(cond bool, err error) error {
	if cond {
		return err
	}
	return nil
}

// CreateMember makes a member. Faults: auth.member_invalid and
// those of a weak password (see Weakness), whose Fields name everything that is wrong and whose
// text names the first, auth.member_exists.
func (s *Service) CreateMember(ctx context.Context, n NewMember) (*model.Member, error) {
	return s.create(ctx, n, false)
}

func (s *Service) create(ctx context.Context, n NewMember, first bool) (*model.Member, error) {
	n.FullName, n.Username = strings.TrimSpace(n.FullName), strings.TrimSpace(n.Username)
	n.Email = docs.Fold(strings.TrimSpace(n.Email))
	if err := s.checkNew(n); err != nil {
		return nil, err
	}
	if err := s.members.fresh(ctx); err != nil {
		return nil, err
	}
	if s.members.login(n.Username) != nil || s.members.login(n.Email) != nil {
		return nil, errMemberExists
	}
	hash, err := s.hash(ctx, n.Password)
	if err != nil {
		return nil, err
	}
	m := &model.Member{
		ID: model.NewID(), FullName: n.FullName, Username: n.Username, Email: n.Email,
		PasswordHash: hash, APIKey: newAPIKey(), GlobalAdmin: n.GlobalAdmin, Locked: n.Locked,
		Permission: n.Permission.Clone(), CreatedAt: s.now().Unix(), Lang: n.Lang, PasswordSet: s.now().Unix(),
		MustChangePassword: !first && s.rules().ForceChange,
	}
	set(&m.MustChangePassword, n.MustChangePassword)
	return s.members.write(func() (*model.Member, error) {
		err := s.db.Tx(ctx, func(tx docs.Handle) error {
			col := membersSpec(s.vault).Global(tx)
			if first {
				if count, err := col.Count(ctx, docs.Query{}); err != nil || count > 0 {
					return errors.Join(err, errIf(count > 0, errNotFirst))
				}
			}
			return col.Create(ctx, s.vault.hide(m))
		})
		return m, memberExists(err)
	}, m.ID)
}

// memberExists gives the store's refusal of a name or address its fault.
func memberExists(err error) error {
	if docs.DuplicateOf(err) == "login" {
		return errMemberExists
	}
	return err
}

func (s *Service) checkNew(n NewMember) error {
	fields := map[string]string{}
	var first string
	bad := func(field, text string) {
		if fields[field] == "" {
			fields[field] = text
		}
		if first == "" {
			first = text
		}
	}
	for _, f := range []struct {
		name, value string
		limit       int
	}{
		{"full_name", n.FullName, maxName}, {"username", n.Username, maxLogin}, {"password", n.Password, 0}, {"email", n.Email, maxLogin},
	} {
		if f.value == "" {
			bad(f.name, "Missing "+f.name+" argument")
		} else if f.limit > 0 && len(f.value) > f.limit {
			bad(f.name, "Invalid "+f.name+" argument")
		}
	}
	if n.Email != "" && !plausibleEmail(n.Email) {
		bad("email", "Invalid email argument")
	}
	code := "auth.member_invalid"
	if weak := s.Weakness(n); weak != NoWeakness && fields["password"] == "" {
		if first == "" {
			code = weaknessCode + string(weak)
		}
		bad("password", s.cfg.Policy.Text(weak))
	}
	if first == "" {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Code: code, Msg: first, Fields: fields}
}

// Weakness returns why a member to be may not have the password.
func (s *Service) Weakness(n NewMember) Weakness {
	return s.cfg.Policy.Check(n.Password, namesOf(n.FullName, n.Username, n.Email)...)
}

// plausibleEmail asks for something before and after one last @, without
// space; only the mail server knows more.
func plausibleEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	return at > 0 && at < len(s)-1 && !strings.ContainsAny(s, " \t\r\n\x00<>\"")
}

func (s *Service) hash(ctx context.Context, password string) (string, error) {
	var hash string
	err := s.hashing(ctx, func() (err error) {
		hash, err = s.passwords.Hash(composed(password))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails, see crypto/rand
	return hex.EncodeToString(b)
}

// UpdateMember changes a member and returns it as stored. Faults: as
// CreateMember, auth.member_not_found, auth.last_admin when no unlocked global
// administrator would be left, auth.password_reused when the member chooses a password that it has
// or had. A new password ends the member's sessions but the one with
// the id keep, and removes the tokens made at log-in; one that someone else gives replaces the API key and removes
// all tokens.
func (s *Service) UpdateMember(ctx context.Context, id model.MemberID, ch MemberChange, keep string) (*model.Member, error) {
	return s.change(ctx, id, ch, keep, func(*model.Member) error { return nil })
}

// change is UpdateMember with more to do to, or ask of, the member at the moment of the change.
func (s *Service) change(
	ctx context.Context, id model.MemberID, ch MemberChange, keep string, also func(*model.Member) error,
) (*model.Member, error) {
	before, err := s.Member(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.checkChange(&ch, before); err != nil {
		return nil, err
	}
	ch.RotateKey = ch.RotateKey || ch.Password != nil && !ch.Own
	var hash string
	if ch.Password != nil {
		if ch.Own {
			if err := s.refuseReused(ctx, id, *ch.Password); err != nil {
				return nil, err
			}
		}
		if hash, err = s.hash(ctx, *ch.Password); err != nil {
			return nil, err
		}
	}
	rules := s.rules()
	m, err := s.updateMember(ctx, id, func(m *model.Member) error {
		if err := also(m); err != nil {
			return err
		}
		set(&m.FullName, ch.FullName)
		set(&m.Username, ch.Username)
		set(&m.Email, ch.Email)
		set(&m.Lang, ch.Lang)
		set(&m.GlobalAdmin, ch.GlobalAdmin)
		set(&m.Locked, ch.Locked)
		if ch.Permission != nil {
			m.Permission = ch.Permission.Clone()
		}
		m.Permission = WithLegacy(m.Permission, ch.AdminOf, ch.UserOf)
		if hash != "" {
			s.setPassword(m, hash, ch.Own, rules)
		}
		if ch.RotateKey {
			m.APIKey = newAPIKey()
		}
		if hash == "" || !ch.Own {
			set(&m.MustChangePassword, ch.MustChangePassword)
		}
		for app, settings := range ch.HomeSettings {
			if m.HomeSettings == nil {
				m.HomeSettings = map[string]any{}
			}
			m.HomeSettings[app] = settings
		}
		return nil
	}, func(ctx context.Context, tx docs.Handle) error {
		if hash == "" {
			return nil
		}
		if !ch.Own {
			if _, err := tokensSpec().Global(tx).DeleteWhere(ctx, ownedBy("owner", id)); err != nil {
				return err
			}
		}
		return s.removeSessions(ctx, tx, id, keep)
	})
	return m, err
}

func set[T any](dst, v *T) {
	if v != nil {
		*dst = *v
	}
}

func (s *Service) checkChange(ch *MemberChange, before *model.Member) error {
	trim := func(p *string, f func(string) string) *string {
		if p == nil {
			return nil
		}
		v := f(strings.TrimSpace(*p))
		return &v
	}
	same := func(v string) string { return v }
	ch.FullName, ch.Username, ch.Email = trim(ch.FullName, same), trim(ch.Username, same), trim(ch.Email, docs.Fold)
	// What is not changed passes as a value that is right.
	n := NewMember{FullName: before.FullName, Username: before.Username, Email: before.Email, Password: *ptrOr(ch.Password, "x")}
	set(&n.FullName, ch.FullName)
	set(&n.Username, ch.Username)
	set(&n.Email, ch.Email)
	err := s.checkNew(n)
	fe, ok := errors.AsType[*fault.Error](err)
	if !ok || ch.Password != nil {
		return err
	}
	delete(fe.Fields, "password")
	if len(fe.Fields) == 0 {
		return nil
	}
	return fe
}

func ptrOr(p *string, def string) *string {
	if p != nil {
		return p
	}
	return &def
}

// updateMember changes one member in a transaction, runs also in it, and keeps
// an administrator in office.
func (s *Service) updateMember(ctx context.Context, id model.MemberID, fn func(*model.Member) error,
	also func(context.Context, docs.Handle) error,
) (*model.Member, error) {
	return s.members.write(func() (*model.Member, error) {
		var out *model.Member
		err := s.db.Tx(ctx, func(tx docs.Handle) error {
			var ruled bool
			stored, err := membersSpec(s.vault).Global(tx).Update(ctx, id.String(), func(m *member) error {
				ruled = rules(&m.Member)
				if err := fn(&m.Member); err != nil {
					return err
				}
				s.vault.renew(m) // where fn gave it another key
				return nil
			})
			if err != nil {
				return err
			}
			if out, err = s.vault.reveal(stored); err != nil {
				return err
			}
			if ruled && !rules(out) {
				if err := s.checkRuled(ctx, tx); err != nil {
					return err
				}
			}
			if also != nil {
				return also(ctx, tx)
			}
			return nil
		})
		if docs.IsNotFound(err) {
			return nil, errMemberNotFound
		}
		return out, memberExists(err)
	}, id)
}

func rules(m *model.Member) bool { return m.GlobalAdmin && !m.Locked }

// checkRuled is auth.last_admin when no unlocked global administrator is left.
func (s *Service) checkRuled(ctx context.Context, tx docs.Handle) error {
	n, err := membersSpec(s.vault).Global(tx).Count(ctx, docs.Query{Where: []docs.Cond{docs.Eq(".global_admin", true), docs.Ne(".locked", true)}})
	if err != nil {
		return err
	}
	return errIf(n == 0, errLastAdmin)
}

// DeleteMember removes a member with its sessions, tokens and throttle state.
// Faults: auth.member_not_found, auth.last_admin.
func (s *Service) DeleteMember(ctx context.Context, id model.MemberID) error {
	_, err := s.members.write(func() (*model.Member, error) {
		err := s.db.Tx(ctx, func(tx docs.Handle) error {
			col := membersSpec(s.vault).Global(tx)
			m, err := col.Get(ctx, id.String())
			if err != nil {
				return err
			}
			if err := col.Delete(ctx, id.String()); err != nil {
				return err
			}
			if rules(&m.Member) {
				if err := s.checkRuled(ctx, tx); err != nil {
					return err
				}
			}
			if _, err := sessionsSpec(s.vault).Global(tx).DeleteWhere(ctx, ownedBy("member", id)); err != nil {
				return err
			}
			if _, err := tokensSpec().Global(tx).DeleteWhere(ctx, ownedBy("owner", id)); err != nil {
				return err
			}
			return forgetLogin(ctx, tx, memberState(id))
		})
		return nil, err
	}, id)
	if docs.IsNotFound(err) {
		return errMemberNotFound
	}
	return err
}

func ownedBy(index docs.Field, id model.MemberID) docs.Query {
	return docs.Query{Where: []docs.Cond{docs.Eq(index, id.String())}}
}

// ForgetApp removes an app from every member's permission and settings.
func (s *Service) ForgetApp(ctx context.Context, app model.AppID) error {
	name := app.String()
	var errs []error
	for _, m := range s.members.all() {
		if _, settings := m.HomeSettings[name]; !settings && !m.Permission.Mentions(name) {
			continue
		}
		_, err := s.updateMember(ctx, m.ID, func(m *model.Member) error {
			m.Permission = m.Permission.Without(name)
			delete(m.HomeSettings, name)
			return nil
		}, nil)
		if err != nil && fault.CodeOf(err) != errMemberNotFound.Code {
			errs = append(errs, fmt.Errorf("member %s: %w", m.ID, err))
		}
	}
	return errors.Join(errs...)
}

// CountMembers returns how many members there are.
func (s *Service) CountMembers(ctx context.Context) (int, error) {
	if err := s.members.fresh(ctx); err != nil {
		return 0, err
	}
	s.members.mu.RLock()
	defer s.members.mu.RUnlock()
	return len(s.members.byID), nil
}
