package geo

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// lookEvery is how often the file is looked at for a change.
const lookEvery = 5 * time.Second

// Watch reads the records of the database, and then the file whenever it has changed, until ctx is done.
func (db *DB) Watch(ctx context.Context) {
	db.index(ctx)
	var seen stamp
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			seen = db.look(ctx, seen)
		}
	}
}

// Check opens a file and reads every record of it.
func Check(ctx context.Context, file string) error {
	s, err := openFile(file, "")
	if err != nil {
		return err
	}
	_, err = s.scan(ctx)
	return errors.Join(err, s.close())
}

// index reads the records of what is in use.
func (db *DB) index(ctx context.Context) {
	db.changing.Lock()
	defer db.changing.Unlock()
	db.mu.RLock()
	s := db.s
	db.mu.RUnlock()
	if s == nil || s.file.path == "" || s.cities != nil {
		return // the embedded one has no cities
	}
	l, err := s.scan(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		db.o.Log.ErrorContext(ctx, "the geo database is damaged: addresses in damaged parts give no place", slog.String("file", s.file.path), slog.Any("error", err))
		db.note(s.file, "damaged: "+err.Error())
		return
	}
	db.mu.Lock()
	s.cities = l
	db.mu.Unlock()
	db.o.Log.InfoContext(ctx, "geo database read", slog.String("file", s.file.path), slog.String("kind", clean(s.r.Metadata.DatabaseType)),
		slog.Time("built", s.r.Metadata.BuildTime().UTC()), slog.Int("cities", len(l.list)))
}

// look reads the file if it is another than the one tried, and the same as at the look before: one that changes is still being written.
// It returns the file as it is now.
func (db *DB) look(ctx context.Context, before stamp) stamp {
	db.mu.RLock()
	tried := db.tried
	db.mu.RUnlock()
	if tried.path == "" {
		return stamp{}
	}
	now, err := stampOf(tried.path)
	if err == nil && now != tried && now == before {
		_ = db.Reload(ctx, now.path)
	}
	return now // a database whose file is gone stays in use
}

// Reload reads a file, or goes back to the embedded database for "". A file that cannot be read leaves the database that is in use; the
// error is logged and shown in Info.
func (db *DB) Reload(ctx context.Context, file string) error {
	db.changing.Lock()
	defer db.changing.Unlock()
	mark := stamp{}
	if file != "" {
		mark, _ = stampOf(file)
		mark.path = file
	}
	s, err := db.open(file)
	if err == nil && s != nil && file != "" {
		mark = s.file
		if s.cities, err = s.scan(ctx); err != nil {
			_ = s.close()
		}
	}
	if err != nil {
		db.o.Log.ErrorContext(ctx, "the geo database cannot be used; the one from before stays in use", slog.String("file", file), slog.Any("error", err))
		db.note(mark, err.Error())
		return err
	}
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		if s != nil {
			return s.close()
		}
		return nil
	}
	before := db.s
	db.s, db.tried, db.fault = s, mark, ""
	db.mu.Unlock()
	if before != nil {
		if err := before.close(); err != nil { // no lookup has it any more
			db.o.Log.WarnContext(ctx, "the geo database from before stays in memory", slog.Any("error", err))
		}
	}
	i := db.Info()
	db.o.Log.InfoContext(ctx, "geo database read", slog.String("file", file), slog.String("kind", i.Kind), slog.Time("built", i.Built), slog.Int("cities", i.Cities))
	return nil
}

// note keeps why a file is not in use as it should be.
func (db *DB) note(mark stamp, fault string) {
	db.mu.Lock()
	db.tried, db.fault = mark, fault
	db.mu.Unlock()
}
