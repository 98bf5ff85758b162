package geo

import "context"

// Scan reads the records of a database that was opened from memory.
func (db *DB) Scan(ctx context.Context) error {
	l, err := db.s.scan(ctx)
	db.s.cities = l
	return err
}
