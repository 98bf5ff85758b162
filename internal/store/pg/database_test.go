package pg_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"quipu/internal/store/pg"
)

// TestAddressOf has each form of address lead to the new database, with all else as it was.
func TestAddressOf(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{
		"postgres://u:p@h:5433/old?sslmode=disable",
		"postgresql://u:p@h:5433?sslmode=disable&dbname=old",
		"postgres://u:p@h:5433/x?database=old&sslmode=disable",
		"postgres://u:p@h:5433/x?database=old&dbname=older&sslmode=disable",
		"user=u password=p host=h port=5433 dbname=old sslmode=disable",
		"user=u password=p host=h port=5433 database=old sslmode=disable",
		"user=u password='p' host=h port=5433 sslmode=disable options='-c a=b'",
	} {
		address, err := pg.AddressOf(dsn, "new")
		if err != nil {
			t.Errorf("%s: %v", dsn, err)
			continue
		}
		cfg, err := pgx.ParseConfig(address)
		if err != nil || cfg.Database != "new" || cfg.User != "u" || cfg.Password != "p" || cfg.Host != "h" || cfg.Port != 5433 {
			t.Errorf("%s became %s: %v", dsn, address, err)
		}
	}
	address, err := pg.AddressOf("postgres://h/old?application_name=a%20b%2Bc&sslmode=disable", "new")
	if want := "postgres://h/new?application_name=a%20b%2Bc&sslmode=disable"; err != nil || address != want {
		t.Errorf("got %s, %v, want %s", address, err, want)
	}
}

// TestAddressOfRefuses what would lead to another database.
func TestAddressOfRefuses(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{`host=h user=u password=p\`, "host=h password='p", "postgres://h:x/old", "nonsense"} {
		if address, err := pg.AddressOf(dsn, "new"); !errors.Is(err, pg.ErrDSN) {
			t.Errorf("%s became %s, %v", dsn, address, err)
		}
	}
	for _, name := range []string{"", "Upper", "a-b", "a;b", `a"b`} {
		if address, err := pg.AddressOf("postgres://h/old", name); err == nil {
			t.Errorf("database %q got %s", name, address)
		}
	}
}
