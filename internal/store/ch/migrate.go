package ch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
)

// Step makes a version of tables of the one before; the first makes them of nothing. Each of its statements may be run again.
type Step struct {
	// Number is its place, from 1; Plan says it.
	Number int
	// What it does, for people.
	What string
	SQL  []string
}

// Tables are those of a store in the client's database. Their version is in the table Format, and is how many steps they have seen.
type Tables struct {
	// Format names the table that holds the version; Names are the others.
	Format string
	Names  []string
	Steps  []Step
}

// The oldest server that the statements run on: a year and month.
const (
	leastYear  = 24
	leastMonth = 8
)

// Plan returns the steps that the tables lack. Errors: clickhouse.old_server, clickhouse.foreign, clickhouse.newer_format, and the server's own.
func (t *Tables) Plan(ctx context.Context, c *Client) ([]Step, error) {
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	var found []string
	err := c.Each(ctx, Statement{SQL: "SELECT name FROM system.tables WHERE database = ? AND name IN (?)", Args: []any{c.o.Database, append([]string{t.Format}, t.Names...)}},
		func(b *Block, row int) error {
			found = append(found, b.Columns[0].Text[row])
			return nil
		})
	if err != nil {
		return nil, err
	}
	if !slices.Contains(found, t.Format) {
		if len(found) > 0 {
			return nil, fault.Newf(fault.Conflict, "clickhouse.foreign", "the database has tables of another program: %s", strings.Join(found, ", "))
		}
		return numbered(t.Steps, 0), nil
	}
	version := 0
	err = c.Each(ctx, Statement{SQL: "SELECT max(version) FROM " + t.Format, Ordered: true}, func(b *Block, row int) error {
		version = int(b.Columns[0].Whole[row])
		return nil
	})
	if err != nil {
		return nil, err
	}
	if version > len(t.Steps) {
		return nil, fault.Newf(fault.Conflict, "clickhouse.newer_format", "the tables have format %d, this version supports up to %d: they were created by a newer version", version, len(t.Steps))
	}
	return numbered(t.Steps, version), nil
}

// numbered are the steps behind a version, with their numbers.
func numbered(steps []Step, version int) []Step {
	missing := slices.Clone(steps[version:])
	for i := range missing {
		missing[i].Number = version + i + 1
	}
	return missing
}

// Migrate does the steps that the tables lack and notes each when it is done. ClickHouse has no lock for it: the caller makes sure that nobody else does the
// same. Errors: those of Plan.
func (t *Tables) Migrate(ctx context.Context, c *Client) error {
	steps, err := t.Plan(ctx, c)
	if err != nil || len(steps) == 0 {
		return err
	}
	for i, s := range steps {
		for _, sql := range s.SQL {
			if err := c.Exec(ctx, Statement{SQL: sql}); err != nil {
				return fmt.Errorf("%s: %w", s.What, err)
			}
		}
		b := NewBuilder([]Spec{{"version", "UInt64"}})
		b.Whole(0, uint64(len(t.Steps)-len(steps)+i+1)) // few
		b.End()
		if err := c.Insert(ctx, Statement{SQL: "INSERT INTO " + t.Format + " " + b.Names(), Ordered: true}, b); err != nil {
			return fmt.Errorf("note the version of tables: %w", err)
		}
	}
	return nil
}

// Each calls fn for each row of a result.
func (c *Client) Each(ctx context.Context, st Statement, fn func(b *Block, row int) error) error {
	return c.Query(ctx, st, func(b *Block) error {
		for row := range b.Rows {
			if err := fn(b, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// Claim returns which state the tables belong to, as a table with the column state of type String says; where it says nothing yet, it is written that they belong to
// state.
func (c *Client) Claim(ctx context.Context, table, state string) (owner string, err error) {
	err = c.Each(ctx, Statement{SQL: "SELECT state FROM " + table, Ordered: true}, func(b *Block, row int) error {
		owner = b.Columns[0].Text[row]
		return nil
	})
	if err != nil || owner != "" {
		return owner, err
	}
	b := NewBuilder([]Spec{{Name: "state", Type: "String"}})
	b.Text(0, state)
	b.End()
	return state, c.Insert(ctx, Statement{SQL: "INSERT INTO " + table + " " + b.Names(), Ordered: true}, b)
}

// check refuses servers that are too old.
func (c *Client) check(ctx context.Context) error {
	var version string
	err := c.Each(ctx, Statement{SQL: "SELECT version()"}, func(b *Block, row int) error {
		version = b.Columns[0].Text[row]
		return nil
	})
	if err != nil {
		return err
	}
	if old, err := older(version); err != nil || old {
		return fault.Wrap(err, fault.Conflict, "clickhouse.old_server", fmt.Sprintf("the server is ClickHouse %q, at least %d.%d is needed", version, leastYear, leastMonth))
	}
	return nil
}

// older reports whether a version is before the oldest.
func older(version string) (bool, error) {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false, errors.New("a version of another form")
	}
	year, err := strconv.Atoi(parts[0])
	if err != nil {
		return false, err
	}
	month, err := strconv.Atoi(parts[1])
	return year < leastYear || year == leastYear && month < leastMonth, err
}
