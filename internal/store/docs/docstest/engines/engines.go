// Package engines opens document stores of every engine for tests of what several processes do with one of them.
package engines

import (
	"log/slog"
	"path/filepath"
	"testing"

	"quipu/internal/store/docs"
	"quipu/internal/store/docs/postgres"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/pgtest"
)

// Connect opens the same documents once more with each call, as another process does. They are closed when the test ends.
type Connect func() docs.DB

// All make empty documents of each engine, which go with the test. The package's TestMain has to call pgtest.Main.
func All() map[string]func(*testing.T) Connect {
	log := slog.New(slog.DiscardHandler)
	return map[string]func(*testing.T) Connect{
		"sqlite": func(t *testing.T) Connect {
			t.Helper()
			path := filepath.Join(t.TempDir(), "docs.sqlite")
			return connect(t, func() (docs.DB, error) {
				return sqlite.Open(t.Context(), sqlite.Options{Path: path, Log: log})
			})
		},
		"postgres": func(t *testing.T) Connect {
			t.Helper()
			dsn := pgtest.Shared(t).Database(t)
			return connect(t, func() (docs.DB, error) {
				return postgres.Open(t.Context(), postgres.Options{DSN: dsn, Log: log})
			})
		},
	}
}

func connect(t *testing.T, open func() (docs.DB, error)) Connect {
	t.Helper()
	return func() docs.DB {
		t.Helper()
		db, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		return db
	}
}
