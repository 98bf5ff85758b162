package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
)

const soundPassword = "Correct-horse-1"

// TestFirstAdminIncomplete starts with a part of the variables: a start as if nothing had been said
// would leave /setup open.
func TestFirstAdminIncomplete(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		admin app.NewAdmin
		want  []string
	}{
		"password alone":  {app.NewAdmin{Password: soundPassword}, []string{"QUIPU_ADMIN_USERNAME", "QUIPU_ADMIN_EMAIL"}},
		"name alone":      {app.NewAdmin{FullName: "Root"}, []string{"QUIPU_ADMIN_USERNAME", "QUIPU_ADMIN_EMAIL", "QUIPU_ADMIN_PASSWORD"}},
		"no e-mail":       {app.NewAdmin{Username: "root", Password: soundPassword}, []string{"QUIPU_ADMIN_EMAIL"}},
		"no such file":    {app.NewAdmin{Username: "root", Email: "r@example.org", PasswordFile: "/nowhere/at/all"}, []string{"QUIPU_ADMIN_PASSWORD_FILE"}},
		"an empty file":   {app.NewAdmin{Username: "root", Email: "r@example.org", PasswordFile: empty}, []string{"QUIPU_ADMIN_PASSWORD_FILE"}},
		"file and value":  {app.NewAdmin{Username: "root", Email: "r@example.org", PasswordFile: empty, Password: soundPassword}, []string{"both"}},
		"a weak password": {app.NewAdmin{Username: "root", Email: "r@example.org", Password: "a"}, []string{"first administrator"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := app.DefaultConfig()
			cfg.Data = t.TempDir()
			a, err := app.Open(t.Context(), cfg, app.Process{Shared: true, FirstAdmin: c.admin})
			if err == nil {
				t.Fatal("the server opens", a.Close())
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not name %s", err, want)
				}
			}
			if strings.Contains(err.Error(), soundPassword) {
				t.Errorf("%q holds the password", err)
			}
		})
	}
}

// TestFirstAdminFromFile reads the password from a file, and does not ask for it once somebody exists.
func TestFirstAdminFromFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(path, []byte(soundPassword+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := app.DefaultConfig()
	cfg.Data = t.TempDir()
	for range 2 {
		a, err := app.Open(t.Context(), cfg, app.Process{Shared: true, FirstAdmin: app.NewAdmin{Username: "root", Email: "r@example.org", PasswordFile: path}})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(path)
	}
}
