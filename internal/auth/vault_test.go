package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/seal"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/sqlite"
)

// The documents of version 1, with keys and tokens in clear.
const (
	oldMember  = `{"_id":"6991c75b024cb89cdc04efd2","full_name":"Ada Admin","username":"ada","email":"ada@example.org","password_hash":"$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g","api_key":"00112233445566778899aabbccddeeff","global_admin":true,"locked":false,"permission":{"_":{"a":[],"u":[]},"c":{},"r":{},"u":{},"d":{}},"created_at":1936517400,"last_login":0,"password_changed":0,"lang":"de"}`
	oldToken   = `{"_id":"aabbccddeeff00112233445566778899aabbccdd","ttl":0,"ends":1936517400,"multi":true,"owner":"6991c75b024cb89cdc04efd2","apps":null,"purpose":"old","temporary":false}`
	oldSession = `{"_id":"0e","member":"6991c75b024cb89cdc04efd2","created":1936517400,"seen":1936517400,"expires":1936617400,"addr":"192.0.2.1","agent":"x","token":"aabbccddeeff00112233445566778899aabbccdd"}`
	clearKey   = "00112233445566778899aabbccddeeff"
	clearBear  = "aabbccddeeff00112233445566778899aabbccdd"
)

// raw is a document of an old version.
type raw struct {
	key  string
	body json.RawMessage
}

func (r raw) Key() string                   { return r.key }
func (raw) Validate() error                 { return nil }
func (r raw) MarshalJSON() ([]byte, error)  { return r.body, nil }
func (r *raw) UnmarshalJSON(b []byte) error { r.body = append(json.RawMessage{}, b...); return nil }

// oldFolder writes documents as version 1 had them, and returns the path of the store.
func oldFolder(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docs.sqlite")
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Log: discard()})
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, indexes []docs.Index[raw], key, body string) {
		t.Helper()
		spec := docs.Spec[raw]{Name: name, Version: 1, Indexes: indexes}
		if err := spec.Global(db).Put(t.Context(), raw{key, json.RawMessage(body)}); err != nil {
			t.Fatal(err)
		}
	}
	put("members", []docs.Index[raw]{{Name: "api_key", Unique: true, Path: ".api_key"}}, "6991c75b024cb89cdc04efd2", oldMember)
	put("auth.tokens", []docs.Index[raw]{{Name: "owner", Path: ".owner"}}, clearBear, oldToken)
	put("auth.sessions", []docs.Index[raw]{{Name: "member", Path: ".member"}}, "0e", oldSession)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// on runs fn with a service on a store.
func on(t *testing.T, path string, k *seal.Keys, fn func(*auth.Service, *sqlite.Store)) error {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Log: discard()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	at := &clock{now: time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)}
	s, err := auth.Open(t.Context(), auth.Options{DB: db, Log: discard(), Now: at.Now, Config: cheap(), Keys: k, Purge: db.Scrub})
	if err == nil {
		fn(s, db)
	}
	return err
}

// clearIn lists the files beside a store that hold one of the texts.
func clearIn(t *testing.T, path string, texts ...string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range list {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if strings.Contains(string(b), text) {
				out = append(out, filepath.Base(name)+" holds "+text)
			}
		}
	}
	return out
}

// TestSealsAnOlderFolder opens a store that holds keys and tokens in clear: they go on, and are nowhere in clear.
func TestSealsAnOlderFolder(t *testing.T) {
	t.Parallel()
	path, ctx := oldFolder(t), t.Context()
	if len(clearIn(t, path, clearKey)) == 0 || len(clearIn(t, path, clearBear)) == 0 {
		t.Fatal("the old store does not hold what the test looks for")
	}
	for range 2 { // and at every start after that
		err := on(t, path, keys(t), func(s *auth.Service, _ *sqlite.Store) {
			id, err := s.Authenticate(ctx, auth.Credentials{APIKey: clearKey})
			if err != nil || id.Member.Username != "ada" || id.Member.APIKey != clearKey || id.Member.Lang != "de" {
				t.Errorf("the key: %+v, %v", id, err)
			}
			id, err = s.Authenticate(ctx, auth.Credentials{AuthToken: clearBear})
			if err != nil || id.Member.Username != "ada" {
				t.Errorf("the token: %+v, %v", id, err)
			}
			p, err := s.ListTokens(ctx, id.Member.ID, nil, docs.Query{Limit: 10})
			if err != nil || len(p.Docs) != 1 || p.Docs[0].ID != clearBear || p.Docs[0].Purpose != "old" {
				t.Errorf("the list: %+v, %v", p.Docs, err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found := clearIn(t, path, clearKey, clearBear); len(found) > 0 {
		t.Errorf("in clear: %q", found)
	}
	// Ending the session ends its token.
	err := on(t, path, keys(t), func(s *auth.Service, _ *sqlite.Store) {
		m, err := s.MemberByLogin(ctx, "ada")
		if err != nil {
			t.Fatal(err)
		}
		if found, err := s.EndSession(ctx, m.ID, "0e"); err != nil || !found {
			t.Errorf("end: %t, %v", found, err)
		}
		if valid, _, err := s.CheckToken(ctx, clearBear); err != nil || valid {
			t.Errorf("the token of an ended session: %t, %v", valid, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestStoredForms reads documents as earlier versions wrote them, and compares what becomes of them with the
// present form. Sealing is deterministic.
func TestStoredForms(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs.sqlite"), Log: discard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for name, collection := range map[string]string{"member": "members", "token": "auth.tokens"} {
		body, err := os.ReadFile(filepath.Join("testdata", name+".v1.json"))
		if err != nil {
			t.Fatal(err)
		}
		var id struct {
			ID string `json:"_id"`
		}
		if err := json.Unmarshal(body, &id); err != nil {
			t.Fatal(err)
		}
		if err := (docs.Spec[raw]{Name: collection, Version: 1}).Global(db).Put(t.Context(), raw{id.ID, body}); err != nil {
			t.Fatal(err)
		}
	}
	_, err = auth.Open(t.Context(), auth.Options{DB: db, Log: discard(), Now: time.Now, Config: cheap(), Keys: keys(t)})
	if err != nil {
		t.Fatal(err)
	}
	same := func(b json.RawMessage) (json.RawMessage, error) { return b, nil }
	for name, spec := range map[string]docs.Spec[raw]{
		"member.v2": {Name: "members", Version: 2, Migrations: []func(json.RawMessage) (json.RawMessage, error){same}},
		"token.v2":  {Name: "auth.bearers", Version: 1},
	} {
		list, err := spec.Global(db).All(t.Context(), docs.Query{})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d documents, %v", name, len(list), err)
		}
		var tree any
		if err := json.Unmarshal(list[0].body, &tree); err != nil {
			t.Fatal(err)
		}
		got, err := json.MarshalIndent(tree, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".json")
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
			t.Errorf("%s: the stored form changed without a migration (-want +got):\n%s", name, diff)
		}
	}
}

// TestSecretKeyLost opens a store by another key, by none, and by one that replaces the lost one.
func TestSecretKeyLost(t *testing.T) {
	t.Parallel()
	path, ctx := oldFolder(t), t.Context()
	if err := on(t, path, keys(t), func(*auth.Service, *sqlite.Store) {}); err != nil {
		t.Fatal(err)
	}
	other, err := seal.Parse(seal.Generate())
	if err != nil {
		t.Fatal(err)
	}
	if err := on(t, path, other, func(*auth.Service, *sqlite.Store) {}); !errors.Is(err, auth.ErrOtherKey) {
		t.Errorf("by another key: %v", err)
	}
	err = on(t, path, nil, func(s *auth.Service, db *sqlite.Store) {
		if sealed, err := auth.Sealed(ctx, db); err != nil || !sealed {
			t.Errorf("sealed: %t, %v", sealed, err)
		}
		if _, err := s.Authenticate(ctx, auth.Credentials{APIKey: clearKey}); fault.CodeOf(err) != "auth.unknown_user" {
			t.Errorf("a key without secret key: %v", err)
		}
		if _, err := s.Authenticate(ctx, auth.Credentials{AuthToken: clearBear}); fault.CodeOf(err) != "auth.token_invalid" {
			t.Errorf("a token without secret key: %v", err)
		}
		if _, err := s.MemberByLogin(ctx, "ada"); err != nil {
			t.Errorf("members without secret key: %v", err)
		}
		if n, err := auth.ReplaceKeys(ctx, db, other); err != nil || n != 1 {
			t.Errorf("replace: %d, %v", n, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	err = on(t, path, other, func(s *auth.Service, _ *sqlite.Store) {
		m, err := s.MemberByLogin(ctx, "ada")
		if err != nil || len(m.APIKey) != 32 || m.APIKey == clearKey {
			t.Fatalf("member: %+v, %v", m, err)
		}
		if _, err := s.Authenticate(ctx, auth.Credentials{APIKey: m.APIKey}); err != nil {
			t.Errorf("the new key: %v", err)
		}
		if valid, _, err := s.CheckToken(ctx, clearBear); err != nil || valid {
			t.Errorf("the old token: %t, %v", valid, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRotation gives a member other keys, and passwords by itself and by someone else.
func TestRotation(t *testing.T) {
	w := newWorld(t)
	ctx, bob := t.Context(), w.member("bob")
	works := func(key string) bool {
		_, err := w.Authenticate(ctx, auth.Credentials{APIKey: key})
		return err == nil
	}
	token := func() string {
		made, err := w.CreateToken(ctx, bob.ID, auth.NewToken{Multi: true})
		if err != nil {
			t.Fatal(err)
		}
		return made.ID
	}
	valid := func(id string) bool {
		ok, _, err := w.CheckToken(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	update := func(ch auth.MemberChange) *model.Member {
		m, err := w.UpdateMember(ctx, bob.ID, ch, "")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first := bob.APIKey
	after, err := w.RotateKey(ctx, bob.ID)
	if err != nil || after.APIKey == first || len(after.APIKey) != 32 || works(first) || !works(after.APIKey) {
		t.Fatalf("rotated %+v, %v; the old key works: %t", after, err, works(first))
	}
	if again := w.open(); true {
		m, err := again.Member(ctx, bob.ID)
		if err != nil || m.APIKey != after.APIKey {
			t.Errorf("after a restart: %+v, %v", m, err)
		}
	}
	held := token()
	if m := update(auth.MemberChange{FullName: new("Bob B")}); m.APIKey != after.APIKey || !works(m.APIKey) {
		t.Error("a change of the name changes the key")
	}
	if m := update(auth.MemberChange{Password: new("Battery-staple-2"), Own: true}); m.APIKey != after.APIKey || !valid(held) {
		t.Error("a password of one's own revokes the key or a token")
	}
	own := update(auth.MemberChange{Password: new("Battery-staple-3"), Own: true, RotateKey: true})
	if works(after.APIKey) || !works(own.APIKey) || !valid(held) {
		t.Error("a password of one's own with another key")
	}
	if _, err := w.CreateSession(ctx, bob, auth.SessionInfo{}); err != nil {
		t.Fatal(err)
	}
	reset := update(auth.MemberChange{Password: new("Battery-staple-4")})
	if works(own.APIKey) || !works(reset.APIKey) || valid(held) {
		t.Error("a password that someone else gives leaves the key or a token")
	}
	if list, err := w.tokens(ctx, bob.ID); err != nil || len(list) != 0 {
		t.Errorf("tokens after a reset: %v, %v", list, err)
	}
	if list, err := w.sessions(ctx, bob.ID); err != nil || len(list) != 0 {
		t.Errorf("sessions after a reset: %v, %v", list, err)
	}
	if _, err := w.RotateKey(context.WithoutCancel(ctx), model.NewID()); fault.CodeOf(err) != "auth.member_not_found" {
		t.Errorf("rotate the key of nobody: %v", err)
	}
}
