package app_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/app"
	"quipu/internal/seal"
)

// TestSecretKey starts servers with the secret key in a file of the folder, in another file, in the configuration,
// lost, and replaced.
func TestSecretKey(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cfg := app.DefaultConfig()
	cfg.Data, cfg.Memory = filepath.Join(t.TempDir(), "data"), "256MiB"
	open := func(cfg app.Config) error {
		a, err := app.Open(ctx, cfg, app.Process{Shared: true})
		if err != nil {
			return err
		}
		return a.Close() //nolint:contextcheck // closing must not be cut short
	}
	first, err := app.CreateAdmin(ctx, cfg, app.NewAdmin{Username: "ada", Password: "Correct-horse-1", Email: "ada@example.org", FullName: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(cfg.Data, "secret.key")
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("secret key: %v, %v", st, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := open(cfg); err != nil {
		t.Errorf("with its key: %v", err)
	}
	elsewhere := filepath.Join(t.TempDir(), "key")
	if err := os.Rename(path, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := open(cfg); !errors.Is(err, app.ErrNoSecretKey) || !strings.Contains(err.Error(), path) {
		t.Errorf("without its key: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a key was made in place of the lost one: %v", err)
	}
	byFile, byText, wrong := cfg, cfg, cfg
	byFile.SecretKeyFile, byText.SecretKey, wrong.SecretKey = elsewhere, string(text), seal.Generate()
	if err := open(byFile); err != nil {
		t.Errorf("by secret_key_file: %v", err)
	}
	if err := open(byText); err != nil {
		t.Errorf("by secret_key: %v", err)
	}
	if err := open(wrong); err == nil || !strings.Contains(err.Error(), "replace-secret-key") {
		t.Errorf("by another key: %v", err)
	}
	second, err := app.RotateKey(ctx, byText, "ADA@example.org")
	if err != nil || len(second) != 32 || second == first {
		t.Errorf("rotated to %q, %v", second, err)
	}
	if n, err := app.ReplaceSecretKey(ctx, cfg); err != nil || n != 1 {
		t.Errorf("replaced the keys of %d members, %v", n, err)
	}
	if err := open(cfg); err != nil {
		t.Errorf("with the new key: %v", err)
	}
	if err := open(byText); err == nil {
		t.Error("the lost key still opens the folder")
	}
}
