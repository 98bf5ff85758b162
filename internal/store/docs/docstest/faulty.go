package docstest

import (
	"context"
	"iter"

	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// Op is one call to a store, as a Faulty hook sees it.
type Op struct {
	// Name is the method in lower case: "get", "find", "count", "tally", "insert",
	// "upsert", "replace", "delete", "delete_where", "generation", "tx", "drop_app".
	Name string
	// Collection is "" for tx and drop_app.
	Collection string
}

// Faulty passes every call on to DB unless Hook returns an error for it,
// which is then the call's result. Calls inside a transaction are seen too.
type Faulty struct {
	DB docs.DB
	// Hook is called by many goroutines; nil lets everything pass.
	Hook func(Op) error
}

// Tx runs fn in a transaction whose calls the hook sees.
func (f *Faulty) Tx(ctx context.Context, fn func(docs.Handle) error) error {
	if err := f.check("tx", nil); err != nil {
		return err
	}
	return f.DB.Tx(ctx, func(tx docs.Handle) error { return fn(faultyHandle{f, tx}) })
}

// DropApp removes every document of an app.
func (f *Faulty) DropApp(ctx context.Context, app model.AppID) error {
	if err := f.check("drop_app", nil); err != nil {
		return err
	}
	return f.DB.DropApp(ctx, app)
}

// Close closes the store.
func (f *Faulty) Close() error { return f.DB.Close() }

func (f *Faulty) check(name string, l *docs.Layout) error {
	if f.Hook == nil {
		return nil
	}
	op := Op{Name: name}
	if l != nil {
		op.Collection = l.Name
	}
	return f.Hook(op)
}

func (f *Faulty) handle() faultyHandle { return faultyHandle{f, f.DB} }

// Ensure prepares a collection.
func (f *Faulty) Ensure(ctx context.Context, l *docs.Layout) error { return f.DB.Ensure(ctx, l) }

// Get returns one record.
func (f *Faulty) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	return f.handle().Get(ctx, l, s, key)
}

// Find yields records.
func (f *Faulty) Find(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) iter.Seq2[docs.Record, error] {
	return f.handle().Find(ctx, l, s, q)
}

// Count counts records.
func (f *Faulty) Count(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	return f.handle().Count(ctx, l, s, q)
}

// Tally counts records by the values of an index.
func (f *Faulty) Tally(ctx context.Context, l *docs.Layout, s docs.Scope, index string, q docs.Query) ([]docs.Tally, error) {
	return f.handle().Tally(ctx, l, s, index, q)
}

// Insert stores a new record.
func (f *Faulty) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return f.handle().Insert(ctx, l, r)
}

// Upsert stores a record.
func (f *Faulty) Upsert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	return f.handle().Upsert(ctx, l, r)
}

// Replace stores a record if its revision has not changed.
func (f *Faulty) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (bool, error) {
	return f.handle().Replace(ctx, l, r)
}

// Delete removes a record.
func (f *Faulty) Delete(ctx context.Context, l *docs.Layout, s docs.Scope, key string) error {
	return f.handle().Delete(ctx, l, s, key)
}

// DeleteWhere removes records.
func (f *Faulty) DeleteWhere(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	return f.handle().DeleteWhere(ctx, l, s, q)
}

// Generation returns a collection's write counter.
func (f *Faulty) Generation(ctx context.Context, l *docs.Layout) (int64, error) {
	return f.handle().Generation(ctx, l)
}

// faultyHandle is a DB or a transaction behind the hook.
type faultyHandle struct {
	f *Faulty
	h docs.Handle
}

func (x faultyHandle) Ensure(ctx context.Context, l *docs.Layout) error { return x.h.Ensure(ctx, l) }

func (x faultyHandle) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	if err := x.f.check("get", l); err != nil {
		return docs.Record{}, err
	}
	return x.h.Get(ctx, l, s, key)
}

func (x faultyHandle) Find(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) iter.Seq2[docs.Record, error] {
	return func(yield func(docs.Record, error) bool) {
		if err := x.f.check("find", l); err != nil {
			yield(docs.Record{}, err)
			return
		}
		x.h.Find(ctx, l, s, q)(yield)
	}
}

func (x faultyHandle) Count(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	if err := x.f.check("count", l); err != nil {
		return 0, err
	}
	return x.h.Count(ctx, l, s, q)
}

func (x faultyHandle) Tally(ctx context.Context, l *docs.Layout, s docs.Scope, index string, q docs.Query) ([]docs.Tally, error) {
	if err := x.f.check("tally", l); err != nil {
		return nil, err
	}
	return x.h.Tally(ctx, l, s, index, q)
}

func (x faultyHandle) Insert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	if err := x.f.check("insert", l); err != nil {
		return err
	}
	return x.h.Insert(ctx, l, r)
}

func (x faultyHandle) Upsert(ctx context.Context, l *docs.Layout, r docs.Record) error {
	if err := x.f.check("upsert", l); err != nil {
		return err
	}
	return x.h.Upsert(ctx, l, r)
}

func (x faultyHandle) Replace(ctx context.Context, l *docs.Layout, r docs.Record) (bool, error) {
	if err := x.f.check("replace", l); err != nil {
		return false, err
	}
	return x.h.Replace(ctx, l, r)
}

func (x faultyHandle) Delete(ctx context.Context, l *docs.Layout, s docs.Scope, key string) error {
	if err := x.f.check("delete", l); err != nil {
		return err
	}
	return x.h.Delete(ctx, l, s, key)
}

func (x faultyHandle) DeleteWhere(ctx context.Context, l *docs.Layout, s docs.Scope, q docs.Query) (int, error) {
	if err := x.f.check("delete_where", l); err != nil {
		return 0, err
	}
	return x.h.DeleteWhere(ctx, l, s, q)
}

func (x faultyHandle) Generation(ctx context.Context, l *docs.Layout) (int64, error) {
	if err := x.f.check("generation", l); err != nil {
		return 0, err
	}
	return x.h.Generation(ctx, l)
}
