package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"

	"quipu/internal/model"
	"quipu/internal/store/events"
)

// userRow is a row of the users table.
type userRow struct {
	uid    uint32
	values []any
}

// UID implements events.UserRow.
func (r userRow) UID() uint32 { return r.uid }

// Differs implements events.UserRow.
func (r userRow) Differs(p *model.Profile) []string {
	var out []string
	for i, c := range userColumns {
		if !sameValue(r.values[i], c.value(p)) {
			out = append(out, c.name)
		}
	}
	return out
}

// sameValue compares what the driver returned with what was stored.
func sameValue(got any, want driver.Value) bool {
	if got == nil || want == nil {
		return got == nil && want == nil
	}
	return fmt.Sprint(got) == fmt.Sprint(want)
}

// userScan reads rows of the users table.
type userScan struct{ more []any }

func newUserScan(more ...any) userScan { return userScan{more} }

func (s userScan) scan(row events.Scanner) (userRow, error) {
	values, dest := make([]any, len(userColumns)), make([]any, len(userColumns))
	for i := range values {
		dest[i] = &values[i]
	}
	if err := row.Scan(append(dest, s.more...)...); err != nil {
		return userRow{}, err
	}
	uid, ok := values[0].(uint32)
	if !ok {
		return userRow{}, fmt.Errorf("number of a user is a %T", values[0])
	}
	return userRow{uid: uid, values: values}, nil
}

// ScanUsers implements events.Rows.
func (s *Store) ScanUsers(ctx context.Context, app model.AppID, fn func(events.UserRow) error) error {
	statement := func(p place) string {
		return "SELECT " + list(userColumns) + " FROM " + p.users + " WHERE " + p.mine() + " AND uid > ? ORDER BY uid LIMIT ?"
	}
	after := int64(-1)
	scan := newUserScan()
	for {
		n := 0
		err := s.query(ctx, app, statement, []any{after, scanPage}, func(row events.Scanner) error {
			u, err := scan.scan(row)
			if err != nil {
				return err
			}
			n++
			after = int64(u.uid)
			return fn(u)
		})
		switch {
		case errors.Is(err, events.ErrNoApp):
			return nil
		case err != nil:
			return fmt.Errorf("scan users: %w", err)
		case n < scanPage || after == math.MaxUint32:
			return nil
		}
	}
}
