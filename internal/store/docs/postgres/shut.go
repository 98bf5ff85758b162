package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// codeMoved is the error of the trigger that refuses writes.
const codeMoved = "QP003"

// shutTrigger is the name of the trigger that refuses writes, and of its function.
const shutTrigger = "quipu_shut"

// shutFunction makes the function of the trigger.
const shutFunction = `CREATE OR REPLACE FUNCTION ` + shutTrigger + `() RETURNS trigger LANGUAGE plpgsql AS $shut$
BEGIN
	RAISE EXCEPTION 'the documents have moved to other stores' USING ERRCODE = '` + codeMoved + `';
END
$shut$`

// shutTables are the tables that nobody writes to then.
func shutTables() []string { return []string{"collections", "documents", "entries"} }

// Shut has the database refuse all writes from now on, of this process and of any other, whatever its version, with docs.moved: the documents have moved to other stores. What is
// under way ends first. Reads go on. It may be called again.
func (d *Store) Shut(ctx context.Context) error {
	err := d.tx(ctx, func(tx *writeTx) error {
		there, err := tx.shut(ctx)
		if err != nil {
			return d.fault(ctx, err)
		}
		if _, err := tx.q.Exec(ctx, shutFunction); err != nil {
			return d.fault(ctx, err)
		}
		for _, table := range shutTables() {
			if there[table] {
				continue
			}
			_, err := tx.q.Exec(ctx, "CREATE TRIGGER "+shutTrigger+" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "+table+" FOR EACH STATEMENT EXECUTE FUNCTION "+shutTrigger+"()")
			if err == nil { // also of sessions that apply what another server has written
				_, err = tx.q.Exec(ctx, "ALTER TABLE "+table+" ENABLE ALWAYS TRIGGER "+shutTrigger)
			}
			if err != nil {
				return d.fault(ctx, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("shut documents: %w", err)
	}
	return nil
}

// shut returns the tables that have the trigger.
func (t *writeTx) shut(ctx context.Context) (map[string]bool, error) {
	rows, err := t.q.Query(ctx, `SELECT c.relname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = $1 AND t.tgname = $2`, t.db.schema, shutTrigger)
	if err != nil {
		return nil, err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	return there, err
}
