package query

import (
	"context"
	"errors"

	"quipu/internal/model"
	"quipu/internal/store/events"
)

// The kinds of properties, by the values that were met. Any is several of them, or lists.
const (
	KindText   = "text"
	KindNumber = "number"
	KindBool   = "bool"
	KindAny    = "any"
)

// Property is a property of users that an app made up.
type Property struct {
	Name  string
	Kind  string // of the constants
	Users int64  // who have it, of those looked at
}

// Properties lists the custom properties of the users who were active last, of so many users, the most common
// first, at most limit.
func (p *People) Properties(ctx context.Context, app model.AppID, users, limit int) ([]Property, error) {
	statement := `SELECT key, count(*) AS users,
		bool_and(type = 'VARCHAR'), bool_and(type IN ('BIGINT', 'UBIGINT', 'DOUBLE')), bool_and(type = 'BOOLEAN')
		FROM (SELECT custom FROM ` + usersTable(app) + ` WHERE custom IS NOT NULL ORDER BY lac DESC NULLS LAST LIMIT ?) t, json_each(t.custom)
		GROUP BY key ORDER BY users DESC, key LIMIT ?`
	out := []Property{}
	err := p.rows.Query(ctx, statement, []any{users, limit}, func(row events.Scanner) error {
		var text, number, boolean bool
		found := Property{Kind: KindAny}
		if err := row.Scan(&found.Name, &found.Users, &text, &number, &boolean); err != nil {
			return err
		}
		switch {
		case text:
			found.Kind = KindText
		case number:
			found.Kind = KindNumber
		case boolean:
			found.Kind = KindBool
		}
		out = append(out, found)
		return nil
	})
	if errors.Is(err, events.ErrNoApp) {
		return []Property{}, nil
	}
	return out, err
}
