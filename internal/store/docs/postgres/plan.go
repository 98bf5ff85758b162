package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"quipu/internal/fault"
	"quipu/internal/store/pg"
)

// Plan lists the steps that Open would do on the tables of a database, and does none.
func Plan(ctx context.Context, o Options) ([]pg.Step, error) {
	cfg, err := o.complete()
	if err != nil {
		return nil, fmt.Errorf("docs options: %w", err)
	}
	d := &Store{schema: o.Schema, secret: cfg.ConnConfig.Password}
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return nil, d.fault(ctx, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it has read only
	t := d.tables()
	missing, err := t.Plan(ctx, conn)
	return missing, d.fault(ctx, d.named(err))
}

// tables are those of the documents.
func (d *Store) tables() *pg.Tables {
	return &pg.Tables{Schema: d.schema, Steps: []pg.Step{{What: "make the tables of documents", SQL: tables}}}
}

// named gives errors of tables the faults that callers know.
func (d *Store) named(err error) error {
	newer, isNewer := errors.AsType[pg.NewerError](err)
	switch {
	case errors.Is(err, pg.ErrForeign):
		return fault.Newf(fault.Internal, "docs.foreign", "The schema %s has tables of another program", d.schema)
	case isNewer:
		return fault.Newf(fault.Internal, "docs.newer_format",
			"The tables have format %d, this version supports up to %d: they were created by a newer version", newer.Have, newer.Know)
	}
	return err
}
