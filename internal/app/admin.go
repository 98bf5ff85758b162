package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"quipu/internal/auth"
)

// NewAdmin describes a global administrator to be created. The password may stand in a file instead.
type NewAdmin struct{ Username, Password, PasswordFile, Email, FullName string }

// AdminFromEnviron reads who the first administrator of an empty data folder is to be: the variables QUIPU_ADMIN_….
func AdminFromEnviron(getenv func(string) string) NewAdmin {
	return NewAdmin{
		Username: getenv("QUIPU_ADMIN_USERNAME"), Password: getenv("QUIPU_ADMIN_PASSWORD"), PasswordFile: getenv("QUIPU_ADMIN_PASSWORD_FILE"),
		Email: getenv("QUIPU_ADMIN_EMAIL"), FullName: getenv("QUIPU_ADMIN_NAME"),
	}
}

// Secret returns the password, which may stand in a file.
func (n NewAdmin) Secret() (string, error) {
	switch {
	case n.PasswordFile != "" && n.Password != "":
		return "", errors.New("QUIPU_ADMIN_PASSWORD and QUIPU_ADMIN_PASSWORD_FILE are both set")
	case n.PasswordFile != "":
		return secretOf("QUIPU_ADMIN_PASSWORD_FILE", n.PasswordFile)
	case n.Password == "":
		return "", errors.New("QUIPU_ADMIN_PASSWORD or QUIPU_ADMIN_PASSWORD_FILE is not set")
	}
	return n.Password, nil
}

// complete reads the password from its file, and names every variable that is missing.
func (n NewAdmin) complete() (NewAdmin, error) {
	var errs []error
	password, err := n.Secret()
	if err != nil {
		errs = append(errs, err)
	}
	n.Password = password
	for name, value := range map[string]string{"QUIPU_ADMIN_USERNAME": n.Username, "QUIPU_ADMIN_EMAIL": n.Email} {
		if value == "" {
			errs = append(errs, fmt.Errorf("%s is not set", name))
		}
	}
	if n.FullName == "" {
		n.FullName = n.Username
	}
	slices.SortFunc(errs, byText)
	return n, errors.Join(errs...)
}

func byText(a, b error) int { return strings.Compare(a.Error(), b.Error()) }

func (n NewAdmin) member() auth.NewMember {
	return auth.NewMember{
		FullName: n.FullName, Username: n.Username, Password: n.Password, Email: n.Email, GlobalAdmin: true,
	}
}

// authConfig is the part of the configuration that concerns log-ins.
func (c *Config) authConfig() auth.Config {
	out := auth.DefaultConfig()
	t := &out.Throttle
	t.Attempts, t.Block = c.Login.Attempts, c.Login.Block
	t.AddressAttempts, t.AddressWindow = c.Login.AddressAttempts, c.Login.AddressWindow
	t.MaxBlock, t.AccountMaxBlock = max(t.MaxBlock, t.Block), max(t.AccountMaxBlock, t.Block)
	t.AccountAttempts = max(c.Login.AccountAttempts, t.Attempts)
	return out
}

// createFirst creates the first administrator if nobody exists and one was asked for.
func createFirst(ctx context.Context, svc *auth.Service, n NewAdmin) error {
	if n == (NewAdmin{}) {
		return nil
	}
	exists, err := svc.HasMembers(ctx)
	if err != nil || exists {
		return err
	}
	if n, err = n.complete(); err != nil {
		return fmt.Errorf("first administrator: %w", err)
	}
	if _, err := svc.CreateFirstAdmin(ctx, n.member()); err != nil {
		return fmt.Errorf("create first administrator: %w", err)
	}
	return nil
}

// withDocuments runs fn on the documents of a data folder that no server is using.
func withDocuments(ctx context.Context, cfg Config, fn func(documents) error) (err error) {
	lock, err := lockFolder(cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	log := newLogger(cfg.Log, levelOf(cfg.Log), nil, slog.DiscardHandler)
	fresh := isFresh(cfg.Data)
	a := &App{cfg: cfg, log: log, now: time.Now}
	if err := a.checkFormats(ctx); err != nil {
		return err
	}
	db, err := openDocuments(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if fresh { // the other stores, when they are made, have the formats of this version, too
		if err := a.noteFormats(ctx); err != nil {
			return err
		}
	}
	return fn(db)
}

// withMembers runs fn on the members of a data folder that no server is using.
func withMembers(ctx context.Context, cfg Config, fn func(*auth.Service) error) error {
	return withDocuments(ctx, cfg, func(db documents) error {
		keys, err := cfg.secretKeys(ctx, db)
		if err != nil {
			return err
		}
		svc, err := auth.Open(ctx, auth.Options{
			DB: db, Log: newLogger(cfg.Log, levelOf(cfg.Log), nil, slog.DiscardHandler), Now: time.Now, Config: cfg.authConfig(), Keys: keys, Purge: db.Scrub,
		})
		if err != nil {
			return cfg.otherKey(err)
		}
		return fn(svc)
	})
}

// CreateAdmin creates a global administrator in a data folder that no server
// is using, and returns the api_key.
func CreateAdmin(ctx context.Context, cfg Config, n NewAdmin) (key string, err error) {
	if n, err = n.complete(); err != nil {
		return "", err
	}
	err = withMembers(ctx, cfg, func(svc *auth.Service) error {
		m, err := svc.CreateMember(ctx, n.member())
		if err != nil {
			return fmt.Errorf("create administrator: %w", err)
		}
		key = m.APIKey
		return nil
	})
	return key, err
}

// RotateKey gives a member of a data folder that no server is using, named by user name or e-mail address,
// another API key, and returns it.
func RotateKey(ctx context.Context, cfg Config, login string) (key string, err error) {
	err = withMembers(ctx, cfg, func(svc *auth.Service) error {
		m, err := svc.MemberByLogin(ctx, login)
		if err == nil {
			m, err = svc.RotateKey(ctx, m.ID)
		}
		if err != nil {
			return fmt.Errorf("rotate API key of %s: %w", login, err)
		}
		key = m.APIKey
		return nil
	})
	return key, err
}
