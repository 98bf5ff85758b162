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

// UserRow is a row of the users table.
type UserRow struct {
	UID    uint32
	values []any
}

// Differs lists the columns in which the row is not what the profile gives.
func (r UserRow) Differs(p *model.Profile) []string {
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

// ScanUsers calls fn for the rows of an app's users table in the order of
// their numbers. An app without tables has none.
func (s *Store) ScanUsers(ctx context.Context, app model.AppID, fn func(UserRow) error) error {
	statement := "SELECT " + list(userColumns) + " FROM " + tablesOf(app).users + " WHERE uid > ? ORDER BY uid LIMIT ?"
	after := int64(-1)
	for {
		n := 0
		err := s.query(ctx, statement, []any{after, scanPage}, func(row events.Scanner) error {
			values, dest := make([]any, len(userColumns)), make([]any, len(userColumns))
			for i := range values {
				dest[i] = &values[i]
			}
			if err := row.Scan(dest...); err != nil {
				return err
			}
			uid, ok := values[0].(uint32)
			if !ok {
				return fmt.Errorf("number of a user is a %T", values[0])
			}
			n++
			after = int64(uid)
			return fn(UserRow{UID: uid, values: values})
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
