package ch

import (
	"context"
	"fmt"
	"strings"

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

// Sizes returns how much the tables of the client's database take, bytes; in a cluster, those of one replica of each shard.
func (c *Client) Sizes(ctx context.Context) (map[string]int64, error) {
	sizes := map[string]int64{}
	p := c.Place()
	from := "system.parts"
	if p.Name != "" {
		from = "cluster(" + p.quoted() + ", system.parts)"
	}
	err := c.Each(ctx, Statement{SQL: "SELECT table, toInt64(sum(bytes_on_disk)) FROM " + from + " WHERE active AND database = ? GROUP BY table", Args: []any{p.Database}}, func(b *Block, row int) error {
		sizes[strings.TrimSuffix(b.Columns[0].Text[row], local)] = b.Columns[1].Whole[row]
		return nil
	})
	return sizes, err
}

func (c *Client) database(ctx context.Context, form, database string) error {
	if !name.MatchString(database) {
		return fault.Newf(fault.Invalid, "clickhouse.options", "database %q must consist of letters, digits and underscores", database)
	}
	return c.Exec(ctx, Statement{SQL: fmt.Sprintf(form, database, c.Place().on())})
}
