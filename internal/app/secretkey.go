package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/backup"
	"quipu/internal/seal"
	"quipu/internal/store/docs"
)

// secretFile holds, in a data folder, the key by which API keys and tokens are sealed: 64 hex digits.
const secretFile = "secret.key"

// ErrNoSecretKey says that API keys and tokens are sealed by a key that is not there.
var ErrNoSecretKey = errors.New("the secret key by which the API keys and tokens of this folder are sealed is not there")

// secretPath is where the secret key lies unless a variable holds it.
func (c *Config) secretPath() string {
	if c.SecretKeyFile != "" {
		return c.SecretKeyFile
	}
	return filepath.Join(c.Data, secretFile)
}

// readSecret reads the secret key; the error wraps fs.ErrNotExist where there is none.
func (c *Config) readSecret() (*seal.Keys, error) {
	if c.SecretKey != "" {
		keys, err := seal.Parse(c.SecretKey)
		if err != nil {
			return nil, fmt.Errorf("secret_key: %w", err)
		}
		return keys, nil
	}
	path := c.secretPath()
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read secret key: %w", err)
	}
	keys, err := seal.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("secret key %s: %w", path, err)
	}
	return keys, nil
}

// secretKeys reads the secret key of a folder, and makes one where nothing is sealed yet. The error wraps
// ErrNoSecretKey where something is.
func (c *Config) secretKeys(ctx context.Context, db docs.DB) (*seal.Keys, error) {
	keys, err := c.readSecret()
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	sealed, serr := auth.Sealed(ctx, db)
	if serr != nil {
		return nil, fmt.Errorf("look for what is sealed: %w", serr)
	}
	path := c.secretPath()
	if sealed {
		return nil, fmt.Errorf("%w: restore it as %s (a backup contains it only on request), "+
			"or give all members new API keys by quipu admin replace-secret-key", ErrNoSecretKey, path)
	}
	text := seal.Generate()
	if err := writeSecret(path, text); err != nil {
		return nil, err
	}
	return seal.Parse(text)
}

// writeSecret makes the file of a secret key, which must not exist.
func writeSecret(path, text string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write secret key: %w", err)
	}
	_, err = f.WriteString(text + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write secret key: %w", err)
	}
	return syncFolder(filepath.Dir(path))
}

// otherKey says what can be done about a key that is the wrong one.
func (c *Config) otherKey(err error) error {
	if !errors.Is(err, auth.ErrOtherKey) {
		return err
	}
	where := c.secretPath()
	if c.SecretKey != "" {
		where = "secret_key"
	}
	return fmt.Errorf("%w (%s): restore the right one, or give all members new API keys by quipu admin replace-secret-key", err, where)
}

// addSecret puts the secret key into a snapshot.
func (c *Config) addSecret(snapshot string) error {
	if c.SecretKey != "" {
		return errors.New("the secret key stands in the configuration, not in a file: keep it apart")
	}
	text, err := os.ReadFile(c.secretPath())
	if err != nil {
		return fmt.Errorf("read secret key: %w", err)
	}
	return writeSecret(filepath.Join(snapshot, secretFile), strings.TrimSpace(string(text)))
}

// SecretKeyMissing says what is to be done before a server can start on what was restored from a backup, ""
// where it has its secret key.
func SecretKeyMissing(cfg Config, m *backup.Manifest) string {
	if slices.ContainsFunc(m.Files, func(f backup.File) bool { return f.Name == secretFile }) {
		return ""
	}
	if _, err := cfg.readSecret(); err == nil {
		return ""
	}
	return "the backup holds no secret key: before the server starts, put that of the original folder back as " + cfg.secretPath() +
		", or give all members new API keys by quipu admin replace-secret-key"
}

// ReplaceSecretKey gives a data folder that no server is using another secret key, when that of its API keys and tokens
// is lost: every member gets another API key, all tokens and sessions end. Where the configuration has
// a key that one is used. It returns how many members there are.
func ReplaceSecretKey(ctx context.Context, cfg Config) (members int, err error) {
	err = withDocuments(ctx, cfg, func(db documents) error {
		path := cfg.secretPath()
		if cfg.SecretKey != "" {
			keys, err := cfg.readSecret()
			if err != nil {
				return err
			}
			members, err = auth.ReplaceKeys(ctx, db, keys)
			return err
		}
		text, next := seal.Generate(), path+".new"
		keys, err := seal.Parse(text)
		if err != nil {
			return err
		}
		if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove unfinished secret key: %w", err)
		}
		if err := writeSecret(next, text); err != nil {
			return err
		}
		if members, err = auth.ReplaceKeys(ctx, db, keys); err != nil {
			return err
		}
		if err := os.Rename(next, path); err != nil {
			return fmt.Errorf("put secret key in place: %w", err)
		}
		return syncFolder(filepath.Dir(path))
	})
	return members, err
}
