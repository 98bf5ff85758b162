package web

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/topic"
)

// The cookie that keeps the name which someone signed in with for the page that asks for
// another password, so that no address has it. It opens nothing.
const (
	nameCookie    = "quipu_name"
	nameCookieAge = 600 // s
	maxName       = 256 // bytes
)

// Pages of the dashboard; that of the account opens with the form that changes the password.
const (
	dashboardPage = "/dashboard"
	accountPage   = dashboardPage + "/manage/account#password"
)

// askForPassword leads someone whose password is right, but due, to the page that changes it.
func (s *Site) askForPassword(w http.ResponseWriter, r *http.Request, login, next string) error {
	http.SetCookie(w, s.cookie(r, &http.Cookie{Name: s.named(nameCookie), Value: base64.RawURLEncoding.EncodeToString([]byte(login)), MaxAge: nameCookieAge}))
	return s.redirect(w, passwordPage("", next))
}

// passwordPage returns the path of the page that changes a password.
func passwordPage(message, next string) string {
	q := url.Values{}
	if message != "" {
		q.Set("message", message)
	}
	if next := below(next); next != "" {
		q.Set("next", next)
	}
	if len(q) == 0 {
		return "/password"
	}
	return "/password?" + q.Encode()
}

func (s *Site) showPassword(w http.ResponseWriter, r *http.Request) error {
	switch away, err := s.away(r); {
	case err != nil:
		return err
	case away == dashboardPage:
		return s.redirect(w, accountPage)
	case away != "":
		return s.redirect(w, away)
	}
	q, login := r.URL.Query(), s.dueName(r)
	return s.render(w, r, http.StatusOK, "password", page{
		CSRF: s.formToken(w, r), Message: q.Get("message"), Next: below(q.Get("next")), Due: login != "", Values: form{"username": login},
	})
}

// dueName returns the name of someone whose sign-in led to the page since the password has to be changed, or "".
func (s *Site) dueName(r *http.Request) string {
	name, err := base64.RawURLEncoding.DecodeString(s.read(r, s.named(nameCookie)))
	if err != nil || len(name) > maxName {
		return ""
	}
	return string(name)
}

// changePassword replaces the password and starts a session. Wrong
// credentials are counted, and answered, as those of a sign-in are.
func (s *Site) changePassword(w http.ResponseWriter, r *http.Request) error {
	f := readForm(w, r)
	if !s.formAllowed(r, f) {
		return s.redirect(w, passwordPage("login.token-expired", f["next"]))
	}
	again := func(errs ...fieldError) error {
		return s.render(w, r, http.StatusOK, "password", page{
			CSRF: s.formToken(w, r), Next: below(f["next"]), Due: s.dueName(r) != "", Values: form{"username": f["username"]}, Errors: errs,
		})
	}
	if errs := missingFields(f); len(errs) > 0 {
		return again(errs...)
	}
	attempt := s.attempt(r, f["username"], f["present"])
	m, err := s.opts.Accounts.ChangePassword(r.Context(), attempt, f["wanted"])
	switch {
	case fault.KindOf(err) == fault.Unavailable:
		return s.redirect(w, passwordPage("login.busy", f["next"]))
	case fault.KindOf(err) == fault.Unauthenticated:
		return s.redirect(w, passwordPage("login.result", f["next"]))
	case auth.IsPasswordReused(err):
		return again(fieldError{"wanted", "password.reused"})
	case fault.KindOf(err) == fault.Invalid:
		return again(fieldError{"wanted", strings.Replace(fault.CodeOf(err), "auth.password_", "password.", 1)})
	case err != nil:
		return fmt.Errorf("change password: %w", err)
	}
	s.recordPassword(r, m)
	if err := s.openSession(w, r, m); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(r, &http.Cookie{Name: s.named(nameCookie), MaxAge: -1}))
	if next := below(f["next"]); next != "" {
		return s.redirect(w, next)
	}
	return s.redirect(w, dashboardPage)
}

// missingFields lists what is not filled in, and a repetition that differs.
func missingFields(f form) []fieldError {
	var list []fieldError
	for _, field := range []string{"username", "present", "wanted", "again"} {
		if strings.TrimSpace(f[field]) == "" {
			list = append(list, fieldError{field, "required"})
		}
	}
	if len(list) == 0 && f["wanted"] != f["again"] {
		list = append(list, fieldError{"again", "password.differ"})
	}
	return list
}

// recordPassword tells the audit log.
func (s *Site) recordPassword(r *http.Request, m *model.Member) {
	ev := topic.Action{
		At: s.opts.Now(), Name: "users_password", Member: m.ID, Username: m.Username, IP: s.opts.Client(r).String(), Path: "/password",
		After: map[string]any{"user_id": m.ID, "password_changed": m.PasswordChanged},
	}
	if err := hook.Emit(r.Context(), s.opts.Bus, ev); err != nil {
		s.opts.Log.ErrorContext(r.Context(), "action not recorded", slog.String("path", r.URL.Path), slog.Any("error", err))
	}
}
