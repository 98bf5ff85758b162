package auth_test

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/auth"
	"quipu/internal/store/docs/sqlite"
)

func BenchmarkAuth(b *testing.B) {
	ctx := b.Context()
	log := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(b.TempDir(), "docs.db"), Log: log})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	s, err := auth.Open(ctx, auth.Options{DB: db, Log: log, Now: time.Now, Config: auth.DefaultConfig(), Keys: keys(b)})
	if err != nil {
		b.Fatal(err)
	}
	m, err := s.CreateFirstAdmin(ctx, auth.NewMember{FullName: "A", Username: "a", Email: "a@x", Password: goodPassword})
	if err != nil {
		b.Fatal(err)
	}
	token, err := s.CreateToken(ctx, m.ID, auth.NewToken{Multi: true})
	if err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]auth.Credentials{"api_key": {APIKey: m.APIKey}, "auth_token": {AuthToken: token.ID}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Authenticate(ctx, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("log-in", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Login(ctx, auth.LoginAttempt{Login: "a", Password: goodPassword}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
