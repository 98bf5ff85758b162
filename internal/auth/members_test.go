package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs/docstest"
)

func TestCreateMember(t *testing.T) {
	w := newWorld(t)
	w.member("Bob")
	for _, test := range []struct {
		name   string
		change func(*auth.NewMember)
		code   string
		msg    string
		fields string
	}{
		{"nothing", func(n *auth.NewMember) { *n = auth.NewMember{} }, "auth.member_invalid", "Missing full_name argument", "email full_name password username"},
		{"no name", func(n *auth.NewMember) { n.FullName = "  " }, "auth.member_invalid", "Missing full_name argument", "full_name"},
		{"no user name and no password", func(n *auth.NewMember) { n.Username, n.Password = "", "" }, "auth.member_invalid", "Missing username argument", "password username"},
		{"no password", func(n *auth.NewMember) { n.Password = "" }, "auth.member_invalid", "Missing password argument", "password"},
		{"no address", func(n *auth.NewMember) { n.Email = "" }, "auth.member_invalid", "Missing email argument", "email"},
		{"no real address", func(n *auth.NewMember) { n.Email = "carol" }, "auth.member_invalid", "Invalid email argument", "email"},
		{"weak password", func(n *auth.NewMember) { n.Password = "12345678" }, "auth.password_leaked", "Password is one of the most used leaked passwords: choose another", "password"},
		{"name too long", func(n *auth.NewMember) { n.Username = strings.Repeat("x", 257) }, "auth.member_invalid", "Invalid username argument", "username"},
		{"name taken", func(n *auth.NewMember) { n.Username = " BOB " }, "auth.member_exists", "Email or username already exists", ""},
		{"address taken", func(n *auth.NewMember) { n.Email = "BOB@Example.org" }, "auth.member_exists", "Email or username already exists", ""},
		{"another's address as name", func(n *auth.NewMember) { n.Username = "bob@example.ORG" }, "auth.member_exists", "Email or username already exists", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := auth.NewMember{FullName: "Carol", Username: "carol", Email: "carol@example.org", Password: goodPassword}
			test.change(&n)
			_, err := w.CreateMember(t.Context(), n)
			if fault.CodeOf(err) != test.code {
				t.Fatalf("got %v, want code %s", err, test.code)
			}
			fe := asFault(err)
			var fields []string
			for _, f := range []string{"email", "full_name", "password", "username"} {
				if fe.Fields[f] != "" {
					fields = append(fields, f)
				}
			}
			if fe.Msg != test.msg || strings.Join(fields, " ") != test.fields {
				t.Errorf("got %q, fields %v, want %q, %q", fe.Msg, fe.Fields, test.msg, test.fields)
			}
		})
	}
	m := w.member("  Dora  ", func(n *auth.NewMember) { n.Email = " Dora@Example.ORG " })
	if m.Username != "Dora" || m.Email != "dora@example.org" || len(m.APIKey) != 32 || m.CreatedAt != w.clock.Now().Unix() ||
		m.LastLogin != 0 || m.PasswordChanged != 0 || strings.Contains(m.PasswordHash, goodPassword) {
		t.Errorf("got %+v", m)
	}
}

func asFault(err error) *fault.Error {
	fe, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return &fault.Error{}
	}
	return fe
}

func TestFirstAdminIsOnlyOne(t *testing.T) {
	w := newWorld(t)
	if !w.admin.GlobalAdmin {
		t.Error("the first member is no global administrator")
	}
	if _, err := w.CreateFirstAdmin(t.Context(), auth.NewMember{
		FullName: "x", Username: "x", Email: "x@x", Password: goodPassword,
	}); fault.CodeOf(err) != "auth.not_first" {
		t.Errorf("a second first administrator: %v", err)
	}
	if err := w.DeleteMember(t.Context(), w.admin.ID); fault.CodeOf(err) != "auth.last_admin" {
		t.Errorf("the last administrator can be removed: %v", err)
	}
}

// TestFirstAdminRace lets several services, as of several processes, race.
func TestFirstAdminRace(t *testing.T) {
	w := emptyWorld(t)
	var services []*auth.Service
	for range 4 {
		services = append(services, w.open())
	}
	var created, refused atomic.Int32
	var wg sync.WaitGroup
	for i, s := range services {
		wg.Go(func() {
			_, err := s.CreateFirstAdmin(t.Context(), auth.NewMember{
				FullName: "x", Username: fmt.Sprintf("admin%d", i), Email: fmt.Sprintf("a%d@x", i), Password: goodPassword,
			})
			switch {
			case err == nil:
				created.Add(1)
			case fault.CodeOf(err) == "auth.not_first":
				refused.Add(1)
			default:
				t.Errorf("create: %v", err)
			}
		})
	}
	wg.Wait()
	if created.Load() != 1 || refused.Load() != 3 {
		t.Errorf("%d created, %d refused, want 1 and 3", created.Load(), refused.Load())
	}
	if n, err := w.open().CountMembers(t.Context()); err != nil || n != 1 {
		t.Errorf("the store has %d members, %v", n, err)
	}
}

func TestUpdateMember(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	bob := w.member("bob")
	w.clock.Add(time.Hour)
	m, err := w.UpdateMember(ctx, bob.ID, auth.MemberChange{
		FullName: new(" Robert "), Email: new("ROB@example.org"), Lang: new("pt"), AdminOf: []string{"x"}, UserOf: []string{"y"},
		HomeSettings: map[string]any{"a": map[string]any{"b": 1.0}},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	if m.FullName != "Robert" || m.Email != "rob@example.org" || m.Username != "bob" || m.Lang != "pt" || m.PasswordChanged != 0 {
		t.Errorf("got %+v", m)
	}
	got, err := json.Marshal(m.Permission)
	want := `{"_":{"a":["x"],"u":[["y"]]},"c":{},"r":{"y":{"all":false,"allowed":{"core":true,"events":true}}},"u":{},"d":{}}`
	if err != nil || string(got) != want {
		t.Errorf("permission is %s, want %s", got, want)
	}
	if _, err := w.MemberByLogin(ctx, "bob@example.org"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the old address still finds the member: %v", err)
	}
	if err := w.try("ROB@EXAMPLE.ORG", goodPassword); err != nil {
		t.Errorf("log in by the new address: %v", err)
	}
	for _, test := range []struct {
		name string
		id   model.MemberID
		ch   auth.MemberChange
		code string
	}{
		{"unknown", model.MemberID{1}, auth.MemberChange{}, "auth.member_not_found"},
		{"name taken", bob.ID, auth.MemberChange{Username: new("ADMIN")}, "auth.member_exists"},
		{"empty name", bob.ID, auth.MemberChange{FullName: new("")}, "auth.member_invalid"},
		{"weak password", bob.ID, auth.MemberChange{Password: new("weak")}, "auth.password_short"},
		{"empty password", bob.ID, auth.MemberChange{Password: new("")}, "auth.member_invalid"},
		{"last admin demoted", w.admin.ID, auth.MemberChange{GlobalAdmin: new(false)}, "auth.last_admin"},
		{"last admin locked", w.admin.ID, auth.MemberChange{Locked: new(true)}, "auth.last_admin"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := w.UpdateMember(ctx, test.id, test.ch, ""); fault.CodeOf(err) != test.code {
				t.Errorf("got %v, want %s", err, test.code)
			}
		})
	}
	if m, err := w.Member(ctx, w.admin.ID); err != nil || !m.GlobalAdmin || m.Locked {
		t.Errorf("after refused changes: %+v, %v", m, err)
	}
	const second = "Another-horse-2"
	if m, err = w.UpdateMember(ctx, bob.ID, auth.MemberChange{Password: new(second), Own: true}, ""); err != nil || m.PasswordChanged != w.clock.Now().Unix() {
		t.Errorf("new password: %+v, %v", m, err)
	}
	if err := w.try("bob", goodPassword); fault.CodeOf(err) != "auth.refused" {
		t.Errorf("the old password: %v", err)
	}
	if err := w.try("bob", second); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

// TestAdminsCannotRemoveEachOther lets two administrators remove one another at once.
func TestAdminsCannotRemoveEachOther(t *testing.T) {
	w := newWorld(t)
	second := w.member("second", func(n *auth.NewMember) { n.GlobalAdmin = true })
	var wg sync.WaitGroup
	var removed atomic.Int32
	for i, id := range []model.MemberID{w.admin.ID, second.ID} {
		s := w.Service
		if i == 1 {
			s = w.open() // another process
		}
		wg.Go(func() {
			switch err := s.DeleteMember(t.Context(), id); fault.CodeOf(err) {
			case "":
				removed.Add(1)
			case "auth.last_admin":
			default:
				t.Errorf("remove: %v", err)
			}
		})
	}
	wg.Wait()
	if removed.Load() != 1 {
		t.Errorf("%d administrators were removed, want 1", removed.Load())
	}
}

func TestDeleteMemberRemovesWhatItHas(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	bob := w.member("bob")
	session, err := w.CreateSession(ctx, bob, auth.SessionInfo{})
	if err != nil {
		t.Fatal(err)
	}
	token, err := w.CreateToken(ctx, bob.ID, auth.NewToken{TTL: 60, Multi: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteMember(ctx, bob.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := w.Session(ctx, session.Cookie); ok || err != nil {
		t.Errorf("the session goes on: %t, %v", ok, err)
	}
	for what, c := range map[string]auth.Credentials{
		"token": {AuthToken: token.ID}, "key": {APIKey: bob.APIKey}, "cookie": {Cookie: session.Cookie},
	} {
		if id, err := w.Authenticate(ctx, c); err == nil {
			t.Errorf("the %s of a removed member still works: %+v", what, id)
		}
	}
	if err := w.try("bob", goodPassword); fault.CodeOf(err) != "auth.refused" {
		t.Errorf("log in after removal: %v", err)
	}
	if list, err := w.tokens(ctx, bob.ID); err != nil || len(list) != 0 {
		t.Errorf("tokens left: %v, %v", list, err)
	}
	if err := w.DeleteMember(ctx, bob.ID); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a second removal: %v", err)
	}
	w.member("bob") // the name is free again
}

func TestForgetApp(t *testing.T) {
	w := newWorld(t)
	app := model.AppID{0xA1}
	name := app.String()
	only := w.member("only", func(n *auth.NewMember) {
		n.Permission.Apps.Admin, n.Permission.Apps.User = []string{name}, [][]string{{name}}
		n.Permission.Read = map[string]model.AppRights{name: {All: true}}
	})
	other := w.member("other", func(n *auth.NewMember) { n.Permission.Apps.Admin = []string{"b"} })
	if _, err := w.UpdateMember(t.Context(), only.ID, auth.MemberChange{HomeSettings: map[string]any{name: map[string]any{}}}, ""); err != nil {
		t.Fatal(err)
	}
	if err := w.ForgetApp(t.Context(), app); err != nil {
		t.Fatal(err)
	}
	m, err := w.open().Member(t.Context(), only.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(model.Permission{}.Clone(), m.Permission); diff != "" || len(m.HomeSettings) != 0 {
		t.Errorf("permission of who had only that app (-want +got):\n%s\nsettings %v", diff, m.HomeSettings)
	}
	if m, err = w.Member(t.Context(), other.ID); err != nil || !m.Permission.Administers("b") {
		t.Errorf("another's permission changed: %+v, %v", m, err)
	}
}

func TestOtherProcessesAreSeen(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	other := w.open()
	bob, err := other.CreateMember(ctx, auth.NewMember{FullName: "Bob", Username: "bob", Email: "bob@x", Password: goodPassword})
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Add(w.cfg.Refresh)
	if id, err := w.Authenticate(ctx, auth.Credentials{APIKey: bob.APIKey}); err != nil || id.Member.ID != bob.ID {
		t.Fatalf("a member made elsewhere: %+v, %v", id, err)
	}
	if _, err := other.UpdateMember(ctx, bob.ID, auth.MemberChange{Locked: new(true)}, ""); err != nil {
		t.Fatal(err)
	}
	w.clock.Add(w.cfg.Refresh)
	if _, err := w.Authenticate(ctx, auth.Credentials{APIKey: bob.APIKey}); fault.CodeOf(err) != "auth.locked" {
		t.Errorf("a member locked elsewhere: %v", err)
	}
	w.clock.Add(w.cfg.Refresh)
	w.db.Hook = func(op docstest.Op) error {
		if op.Name == "generation" {
			return errBroken
		}
		return nil
	}
	if _, err := w.Authenticate(ctx, auth.Credentials{APIKey: w.admin.APIKey}); fault.KindOf(err) != fault.Internal || err == nil {
		t.Errorf("members that cannot be checked are let in: %v", err)
	}
}

func TestMembersAreCopies(t *testing.T) {
	w := newWorld(t)
	list, err := w.Members(context.WithoutCancel(t.Context()))
	if err != nil || len(list) != 1 {
		t.Fatalf("got %v, %v", list, err)
	}
	list[0].GlobalAdmin = false
	if m, err := w.Member(t.Context(), w.admin.ID); err != nil || !m.GlobalAdmin {
		t.Errorf("a change of a list reached the directory: %+v, %v", m, err)
	}
}
