package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
)

// People reads the users table of the event store: lists of users by
// condition, and what is counted over users.
type People struct{ rows events.Reader }

// NewPeople returns a reader of users.
func NewPeople(rows events.Reader) *People { return &People{rows: rows} }

// Page is what a list of users asks for. Sort is a short key of profiles; an unknown one
// sorts by number. Limit 0 counts only.
type Page struct {
	Filter        filter.Expr
	Search        string // part of the device id, name, user name or e-mail, whatever its case
	Sort          string
	Desc          bool
	Offset, Limit int
}

// List returns the numbers of a page of users, and how many match in all.
func (p *People) List(ctx context.Context, app model.AppID, page Page) ([]uint32, int64, error) {
	where, args := page.Filter.SQL(filter.DuckDB{}, userColumn)
	if page.Search != "" {
		var parts []string
		for _, c := range []string{"did", "name", "username", "email"} {
			parts = append(parts, fmt.Sprintf("contains(lower(%q), lower(?))", c))
			args = append(args, events.CleanText(page.Search))
		}
		where = "(" + where + ") AND coalesce(" + strings.Join(parts, " OR ") + ", false)"
	}
	found, err := p.rows.Users(ctx, app, events.UserQuery{Where: where, Args: args, Order: page.order(), Limit: page.Limit, Offset: page.Offset})
	return found.UIDs, found.Total, err
}

// order is what a list is sorted by; "" when that is unknown.
func (page Page) order() string {
	c, ok := userColumn(page.Sort)
	if !ok {
		return ""
	}
	order := c.Expr
	if page.Sort == "uid" { // as a number, which its text does not sort as
		order = `"uid"`
	}
	if page.Desc {
		order += " DESC"
	}
	return order + " NULLS LAST"
}

// Find returns the numbers of a page of users whom the text of its search may mean, and how many there are in all.
// By is one of FindBy, whose value then has to be the text; "" finds it in any of them, and in part, whatever its case.
// Those last active come first unless the page is sorted. Its filter does not count.
func (p *People) Find(ctx context.Context, app model.AppID, by string, page Page) ([]uint32, int64, error) {
	text := events.CleanText(page.Search)
	q := events.UserQuery{Order: page.order(), Limit: page.Limit, Offset: page.Offset}
	if q.Order == "" {
		q.Order = "lac DESC NULLS LAST"
	}
	if c, ok := userColumn(by); ok && by != "" {
		q.Where, q.Args = "coalesce(CAST("+c.Expr+" AS VARCHAR) = ?, false)", []any{text}
	} else {
		parts := []string{"CAST(uid AS VARCHAR) = ?", "_id = lower(?)"}
		q.Args = []any{text, text}
		for _, c := range []string{"did", "name", "username", "email", "phone", "custom"} {
			parts = append(parts, fmt.Sprintf("contains(lower(%q), lower(?))", c))
			q.Args = append(q.Args, text)
		}
		q.Where = "coalesce(" + strings.Join(parts, ", false) OR coalesce(") + ", false)"
	}
	found, err := p.rows.Users(ctx, app, q)
	return found.UIDs, found.Total, err
}

// FindBy lists what Find may look at alone.
func FindBy() []string { return []string{"uid", "_id", "did", "name", "username", "email", "phone"} }

// userColumn finds the column of a path of a profile document. Text columns
// are named by the wire's keys; properties people made up are in JSON.
func userColumn(path string) (filter.Column, bool) {
	path = strings.TrimPrefix(path, "up.")
	if key, ok := strings.CutPrefix(path, "custom."); ok {
		return jsonColumn("custom", key)
	}
	if key, ok := strings.CutPrefix(path, "consent."); ok {
		return jsonColumn("consent", key)
	}
	if key, ok := strings.CutPrefix(path, "cmp."); ok {
		return jsonColumn("cmp", key)
	}
	switch path {
	case "uid":
		return filter.Column{Expr: `CAST("uid" AS VARCHAR)`, Type: filter.Text}, true
	case "_id", "did", "cc", "rgn", "cty", "d", "dt", "mnf", "p", "pv", "av", "r", "c", "dnst", "la", "src", "brw", "brwv", "sdk",
		"name", "username", "email", "organization", "phone", "gender", "picture":
		return filter.Column{Expr: `"` + path + `"`, Type: filter.Text}, true
	case "fs", "ls", "fac", "lac", "first_sync", "last_sync", "sc", "byear":
		return filter.Column{Expr: `"` + path + `"`, Type: filter.Integer}, true
	case "sd", "tsd", "lat", "lng":
		return filter.Column{Expr: `"` + path + `"`, Type: filter.Number}, true
	case "hasInfo":
		return filter.Column{Expr: `"hasInfo"`, Type: filter.Bool}, true
	}
	return filter.Column{}, false
}

// jsonColumn addresses a key of a JSON column by a JSON pointer, which is a
// literal of the statement: quotes are doubled, and the pointer's own signs escaped.
func jsonColumn(column, key string) (filter.Column, bool) {
	if key == "" || len(key) > 512 || strings.ContainsRune(key, 0) {
		return filter.Column{}, false
	}
	// Escape a pointer's own signs first: what dots separate are its parts.
	pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1", ".", "/").Replace(key)
	return filter.Column{
		Expr: fmt.Sprintf(`json_extract("%s"::JSON, '%s')`, column, strings.ReplaceAll(pointer, "'", "''")), Type: filter.JSON,
	}, true
}

// LoyaltyRow is the number of users with so many sessions.
type LoyaltyRow struct {
	Label string `json:"_id"`
	Count int64  `json:"count"`
	Index int    `json:"index"`
}

// loyalty are the ranges of wire.md 4.3: label and smallest number of sessions.
var loyalty = []struct {
	label string
	from  int
}{{"1", 1}, {"2", 2}, {"3-5", 3}, {"6-9", 6}, {"10-19", 10}, {"20-49", 20}, {"50-99", 50}, {"100-499", 100}, {"500+", 500}}

// Loyalty counts users by their number of sessions, of those active since a
// moment (the zero time = ever). Only ranges with users are returned, ascending.
func (p *People) Loyalty(ctx context.Context, app model.AppID, f filter.Expr, since time.Time) ([]LoyaltyRow, error) {
	where, args := f.SQL(filter.DuckDB{}, userColumn)
	if !since.IsZero() {
		where = "(" + where + ") AND coalesce(lac >= ?, false)"
		args = append(args, since.Unix())
	}
	var bucket strings.Builder
	bucket.WriteString("CASE")
	for i, r := range slices.Backward(loyalty) {
		fmt.Fprintf(&bucket, " WHEN sc >= %d THEN %d", r.from, i)
	}
	bucket.WriteString(" END")
	statement := fmt.Sprintf("SELECT %s AS bucket, count(*) FROM %s WHERE sc >= 1 AND (%s) GROUP BY bucket ORDER BY bucket",
		bucket.String(), usersTable(app), where)
	out := []LoyaltyRow{}
	err := p.rows.Query(ctx, statement, args, func(row events.Scanner) error {
		var index int
		var n int64
		if err := row.Scan(&index, &n); err != nil {
			return err
		}
		out = append(out, LoyaltyRow{Label: loyalty[index].label, Count: n, Index: index})
		return nil
	})
	if errors.Is(err, events.ErrNoApp) {
		return []LoyaltyRow{}, nil
	}
	return out, err
}
