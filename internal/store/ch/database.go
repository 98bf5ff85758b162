package ch

import (
	"context"
	"fmt"

	"quipu/internal/fault"
)

// MakeDatabase makes a database beside the client's, on all servers of its cluster.
func (c *Client) MakeDatabase(ctx context.Context, database string) error {
	return c.database(ctx, "CREATE DATABASE %s%s", database)
}

// DropDatabase removes a database that MakeDatabase made, with all that is in it. One that is not there is none to remove.
func (c *Client) DropDatabase(ctx context.Context, database string) error {
	return c.database(ctx, "DROP DATABASE IF EXISTS %s%s", database)
}

func (c *Client) database(ctx context.Context, form, database string) error {
	if !name.MatchString(database) {
		return fault.Newf(fault.Invalid, "clickhouse.options", "database %q has to be of letters, digits and the underscore", database)
	}
	return c.Exec(ctx, Statement{SQL: fmt.Sprintf(form, database, c.Place().on())})
}
