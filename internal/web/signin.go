package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/fault"
)

func (s *Site) home(w http.ResponseWriter, _ *http.Request) error { return s.redirect(w, "/login") }

func (s *Site) showLogin(w http.ResponseWriter, r *http.Request) error {
	switch away, err := s.away(r); {
	case err != nil:
		return err
	case away != "":
		return s.redirect(w, away)
	}
	q := r.URL.Query()
	return s.render(w, r, http.StatusOK, "login", page{
		CSRF:    s.formToken(w, r),
		Message: q.Get("message"),
		Next:    below(q.Get("next")),
	})
}

// away tells where someone belongs who is signed in already, or comes before there is any member; "" for others.
func (s *Site) away(r *http.Request) (path string, err error) {
	_, signedIn, err := s.session(r)
	if err != nil {
		return "", err
	}
	if signedIn {
		return dashboardPage, nil
	}
	some, err := s.opts.Accounts.HasMembers(r.Context())
	if err != nil {
		return "", fmt.Errorf("count members: %w", err)
	}
	if !some {
		return "/setup", nil
	}
	return "", nil
}

func (s *Site) login(w http.ResponseWriter, r *http.Request) error {
	f := readForm(w, r)
	if !s.formAllowed(r, f) {
		return s.redirect(w, loginWith("login.token-expired"))
	}
	err := s.signIn(w, r, f["username"], f["password"])
	if auth.IsPasswordDue(err) {
		return s.askForPassword(w, r, f["username"], f["next"])
	}
	if fault.KindOf(err) == fault.Unavailable {
		return s.redirect(w, loginWith("login.busy"))
	}
	if fault.KindOf(err) == fault.Unauthenticated {
		// One answer for every refusal: it tells neither whether the member
		// exists nor whether the login is blocked.
		target := loginWith("login.result")
		if next := below(f["next"]); next != "" {
			target += "&" + url.Values{"next": {next}}.Encode()
		}
		return s.redirect(w, target)
	}
	if err != nil {
		return err
	}
	if next := below(f["next"]); next != "" {
		return s.redirect(w, next)
	}
	return s.redirect(w, dashboardPage)
}

// below returns path when it is a page of the dashboard, and "" otherwise, so
// that nobody can be sent elsewhere by a link to the sign-in page.
func below(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" {
		return ""
	}
	if !strings.HasPrefix(path, "/dashboard/") || strings.ContainsAny(path, "\\\r\n\t") || strings.Contains(u.Path, "..") {
		return ""
	}
	return u.String()
}

// showLogout is a link someone followed: only a form ends a session.
func (s *Site) showLogout(w http.ResponseWriter, _ *http.Request) error {
	return s.redirect(w, "/login")
}

func (s *Site) logout(w http.ResponseWriter, r *http.Request) error {
	session, signedIn, err := s.session(r)
	if err != nil {
		return err
	}
	if signedIn {
		if f := readForm(w, r); !session.SameCSRF(f["_csrf"]) || s.origin.Check(r) != nil {
			return s.render(w, r, http.StatusForbidden, "error", page{Message: "form.expired"})
		}
		if err := s.opts.Accounts.RevokeSession(r.Context(), session.Cookie); err != nil {
			return fmt.Errorf("sign out: %w", err)
		}
		http.SetCookie(w, s.cookie(r, &http.Cookie{Name: s.opts.Cookie, MaxAge: -1}))
		s.dropPlain(w, r)
	}
	if m := r.URL.Query().Get("message"); m != "" {
		return s.redirect(w, loginWith(m))
	}
	return s.redirect(w, "/login")
}

func (s *Site) showSetup(w http.ResponseWriter, r *http.Request) error {
	some, err := s.opts.Accounts.HasMembers(r.Context())
	if err != nil {
		return fmt.Errorf("count members: %w", err)
	}
	if some {
		return s.redirect(w, "/login")
	}
	return s.render(w, r, http.StatusOK, "setup", page{CSRF: s.formToken(w, r), AskCode: !s.opts.Local(r)})
}

func (s *Site) setup(w http.ResponseWriter, r *http.Request) error {
	f := readForm(w, r)
	if !s.formAllowed(r, f) {
		return s.render(w, r, http.StatusForbidden, "error", page{Message: "form.expired"})
	}
	some, err := s.opts.Accounts.HasMembers(r.Context())
	if err != nil {
		return fmt.Errorf("count members: %w", err)
	}
	if some {
		return s.redirect(w, "/login")
	}
	again := func(errs ...fieldError) error {
		return s.render(w, r, http.StatusOK, "setup", page{CSRF: s.formToken(w, r), Values: f, Errors: errs, AskCode: !s.opts.Local(r)})
	}
	if !s.opts.Local(r) {
		right, err := s.opts.Accounts.CheckSetupCode(r.Context(), f["code"], s.opts.Client(r))
		if err != nil {
			return fmt.Errorf("check setup code: %w", err)
		}
		if !right {
			return again(fieldError{"code", "code.wrong"})
		}
	}
	signUp := auth.NewMember{FullName: f["full_name"], Username: f["username"], Email: f["email"], Password: f["password"]}
	m, err := s.opts.Accounts.CreateFirstAdmin(r.Context(), signUp)
	if fault.KindOf(err) == fault.Conflict {
		return s.redirect(w, "/login")
	}
	if fe, ok := errors.AsType[*fault.Error](err); ok && fe.Kind == fault.Invalid {
		return again(setupErrors(signUp, fe, s.opts.Accounts.Weakness(signUp))...)
	}
	if err != nil {
		return fmt.Errorf("create first administrator: %w", err)
	}
	err = s.signIn(w, r, signUp.Username, signUp.Password)
	if kind := fault.KindOf(err); kind == fault.Unauthenticated || kind == fault.Unavailable { // strangers at the same address took its attempts
		err = s.openSession(w, r, m)
	}
	if err != nil {
		return err
	}
	return s.redirect(w, dashboardPage)
}

// setupErrors lists what is wrong with a sign-up, in the order of the page's
// fields. Text is a key of the catalogue, or words to show as they are.
func setupErrors(s auth.NewMember, fe *fault.Error, weak auth.Weakness) []fieldError {
	var list []fieldError
	for _, field := range []struct{ name, value, key string }{
		{"full_name", s.FullName, ""},
		{"username", s.Username, ""},
		{"email", s.Email, "email.invalid"},
		{"password", s.Password, "password." + string(weak)},
	} {
		text, wrong := fe.Fields[field.name]
		switch {
		case strings.TrimSpace(field.value) == "":
			list = append(list, fieldError{field.name, "required"})
		case wrong && field.key != "":
			list = append(list, fieldError{field.name, field.key})
		case wrong:
			list = append(list, fieldError{field.name, text})
		}
	}
	if len(list) == 0 {
		list = append(list, fieldError{"full_name", fe.Msg})
	}
	return list
}

// showForgot says how to get a new password. No e-mail leaves this server, so there is
// nothing to fill in: an administrator sets another password, or the command line makes an administrator.
func (s *Site) showForgot(w http.ResponseWriter, r *http.Request) error {
	_, signedIn, err := s.session(r)
	if err != nil {
		return err
	}
	if signedIn {
		return s.redirect(w, dashboardPage)
	}
	return s.render(w, r, http.StatusOK, "forgot", page{})
}

// Missing answers a browser that was led to a path which nothing answers.
func (s *Site) Missing(w http.ResponseWriter, r *http.Request) {
	s.guard(s.missing).ServeHTTP(w, r)
}

func (s *Site) missing(w http.ResponseWriter, r *http.Request) error {
	return s.render(w, r, http.StatusNotFound, "error", page{Message: "page.missing"})
}

// reset answers links to a new password. None are given out, so each is unknown.
func (s *Site) reset(w http.ResponseWriter, r *http.Request) error {
	if r.PathValue("id") == "" {
		return s.missing(w, r)
	}
	return s.redirect(w, "/forgot")
}
