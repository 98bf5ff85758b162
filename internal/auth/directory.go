package auth

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// member is a model.Member as the store keeps it: with its key sealed.
type member struct {
	model.Member
	KeyDigest string `json:"key_digest"`
	KeySealed string `json:"key_sealed"`
}

// Key returns the member's id.
func (m member) Key() string { return m.ID.String() }

// Validate refuses members that could not be distinguished.
func (m member) Validate() error {
	if m.ID.IsZero() || m.Username == "" || m.Email == "" || m.PasswordHash == "" || m.KeyDigest == "" || m.KeySealed == "" {
		return fault.New(fault.Invalid, "auth.member_invalid", "A member needs a user name, an e-mail address, a password and a key")
	}
	return nil
}

// membersSpec keeps user names and e-mail addresses in one unique index: since
// either may be used to log in, nobody's name may be somebody else's address.
func membersSpec(v vault) docs.Spec[member] {
	return docs.Spec[member]{
		Name: "members", Version: 2, Migrations: []func(json.RawMessage) (json.RawMessage, error){v.sealMember},
		Indexes: []docs.Index[member]{
			{Name: "login", Unique: true, Fold: true, Of: func(m member) []any { return []any{m.Username, m.Email} }},
			{Name: "key_digest", Unique: true, Path: ".key_digest"},
			{Name: "name", Path: ".full_name", Fold: true, Order: true},
		},
		Search: []docs.Field{".full_name", ".username", ".email"},
	}
}

// directory holds all members in memory. Members in it are never changed,
// only replaced.
//
// Lock order: writes, then mu.
type directory struct {
	db      docs.DB
	vault   vault
	now     func() time.Time
	refresh time.Duration

	writes sync.Mutex // one write and its image here at a time

	mu         sync.RWMutex
	byID       map[model.MemberID]*model.Member
	byLogin    map[string]*model.Member // user names and addresses, folded
	byKey      map[string]*model.Member // by the digest of the api_key
	generation int64
	checked    time.Time
}

func newDirectory(db docs.DB, v vault, now func() time.Time, refresh time.Duration) *directory {
	return &directory{db: db, vault: v, now: now, refresh: refresh}
}

// reload reads all members.
func (d *directory) reload(ctx context.Context) error {
	d.writes.Lock()
	defer d.writes.Unlock()
	return d.reloadLocked(ctx)
}

func (d *directory) reloadLocked(ctx context.Context) error {
	checked := d.now()
	col := membersSpec(d.vault).Global(d.db)
	// The generation is read first: a write in between is then seen again, not missed.
	generation, err := col.Generation(ctx)
	if err != nil {
		return fmt.Errorf("read generation of members: %w", err)
	}
	list, err := col.All(ctx, docs.Query{})
	if err != nil {
		return fmt.Errorf("read members: %w", err)
	}
	members := make([]*model.Member, len(list))
	for i := range list {
		if members[i], err = d.vault.reveal(list[i]); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.byID = make(map[model.MemberID]*model.Member, len(list))
	d.byLogin = make(map[string]*model.Member, 2*len(list))
	d.byKey = make(map[string]*model.Member, len(list))
	for _, m := range members {
		d.add(m)
	}
	d.generation, d.checked = generation, checked
	return nil
}

// fresh looks for writes of other processes when the last look is too old.
func (d *directory) fresh(ctx context.Context) error {
	now := d.now()
	d.mu.RLock()
	due := now.Sub(d.checked) >= d.refresh || now.Before(d.checked)
	known := d.generation
	d.mu.RUnlock()
	// Anyone who finds a look or a write under way goes by what is there.
	if !due || !d.writes.TryLock() {
		return nil
	}
	defer d.writes.Unlock()
	return d.lookLocked(ctx, now, known)
}

// look looks for writes of other processes.
func (d *directory) look(ctx context.Context) error {
	d.writes.Lock()
	defer d.writes.Unlock()
	d.mu.RLock()
	known := d.generation
	d.mu.RUnlock()
	return d.lookLocked(ctx, d.now(), known)
}

func (d *directory) lookLocked(ctx context.Context, now time.Time, known int64) error {
	generation, err := membersSpec(d.vault).Global(d.db).Generation(ctx)
	if err != nil {
		return fmt.Errorf("read generation of members: %w", err)
	}
	if generation != known {
		return d.reloadLocked(ctx)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checked = now
	return nil
}

// write runs fn, which changes the store, and then shows its result: the
// member as stored, or nil when old was removed.
func (d *directory) write(fn func() (*model.Member, error), old model.MemberID) (*model.Member, error) {
	d.writes.Lock()
	defer d.writes.Unlock()
	m, err := fn()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(old)
	if m != nil {
		d.add(m)
	}
	return m, nil
}

// add and remove need mu.

func (d *directory) add(m *model.Member) {
	d.byID[m.ID] = m
	d.byLogin[docs.Fold(m.Username)] = m
	d.byLogin[docs.Fold(m.Email)] = m
	if m.APIKey != "" {
		d.byKey[d.vault.digest(useKey, m.APIKey)] = m
	}
}

func (d *directory) remove(id model.MemberID) {
	m := d.byID[id]
	if m == nil {
		return
	}
	delete(d.byID, id)
	delete(d.byLogin, docs.Fold(m.Username))
	delete(d.byLogin, docs.Fold(m.Email))
	if m.APIKey != "" {
		delete(d.byKey, d.vault.digest(useKey, m.APIKey))
	}
}

// id returns a member, or nil.
func (d *directory) id(id model.MemberID) *model.Member {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.byID[id]
}

// login returns the member with the user name or e-mail address, or nil.
func (d *directory) login(login string) *model.Member {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.byLogin[docs.Fold(login)]
}

// apiKey returns the member with the key, or nil. Keys are found by their digest and
// compared in constant time, so that the time taken tells nothing of them.
func (d *directory) apiKey(key string) *model.Member {
	digest := d.vault.digest(useKey, key)
	d.mu.RLock()
	defer d.mu.RUnlock()
	m := d.byKey[digest]
	if m == nil || subtle.ConstantTimeCompare([]byte(m.APIKey), []byte(key)) != 1 {
		return nil
	}
	return m
}

// all returns the members in the order of their creation.
func (d *directory) all() []*model.Member {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := make([]*model.Member, 0, len(d.byID))
	for _, m := range d.byID {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *model.Member) int {
		if a.CreatedAt != b.CreatedAt {
			return int(a.CreatedAt - b.CreatedAt)
		}
		return bytes.Compare(a.ID[:], b.ID[:])
	})
	return out
}
