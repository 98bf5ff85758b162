package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quipu/internal/backup"
	"quipu/internal/fault"
	"quipu/internal/memory"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/files/disk"
	"quipu/internal/store/journal"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	pebblerollup "quipu/internal/store/rollup/pebble"
)

// RepairOptions of Repair. The zero value is usable.
type RepairOptions struct {
	// Backup is where what cannot be repaired is taken from, as FindBackup finds it; "" = there is none.
	Backup string
	// Progress receives what is being checked; nil = no progress is reported.
	Progress func(text string)
}

// Repaired is what was found and done in one place.
type Repaired struct {
	Store string // documents, state, event store, files, figures
	Found string // "" = nothing was wrong
	Done  string
	Lost  string // "" = nothing is lost
}

// RepairReport tells what Repair found, did and could not save.
type RepairReport struct {
	Stores []Repaired
	// Aside is the folder that holds what was replaced; "" when nothing was.
	Aside string
}

// Whole reports whether nothing was wrong.
func (r *RepairReport) Whole() bool {
	for _, s := range r.Stores {
		if s.Found != "" {
			return false
		}
	}
	return true
}

// ErrNeedsBackup says that a store cannot be repaired from what is left in
// the folder.
var ErrNeedsBackup = errors.New("this cannot be repaired without a backup")

// repair is one run of Repair.
type repair struct {
	cfg    Config
	proc   Process
	o      RepairOptions
	plan   memory.Plan
	report *RepairReport
	aside  string           // where damaged stores go
	copied string           // the backup, restored beside the stores; "" = none
	from   *backup.Manifest // of the backup
	// holes is set when event rows or profiles are lost that cells still count.
	holes bool
}

// Repair checks every store of a data folder that no server uses and repairs
// what it can. Nothing is thrown away: what is replaced goes to a folder "damaged-…" in the data folder.
// The error wraps ErrNeedsBackup where only a backup helps.
func Repair(ctx context.Context, cfg Config, proc Process, o RepairOptions) (*RepairReport, error) {
	proc.fill()
	total, err := ParseBytes(cfg.Memory)
	if err != nil {
		return nil, err
	}
	if err := isDataFolder(cfg.Data); err != nil {
		return nil, err
	}
	if cfg.Docs != "" && o.Backup != "" {
		return nil, errOwnDatabase
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	r := &repair{
		cfg: cfg, proc: proc, o: o, plan: memory.Split(total), report: &RepairReport{},
		aside: filepath.Join(cfg.Data, "damaged-"+proc.Now().UTC().Format("20060102-150405")),
	}
	if err := r.stores(ctx); err != nil {
		return r.report, err
	}
	o.Progress("figures")
	if err := r.figures(ctx); err != nil {
		return r.report, fmt.Errorf("repair figures: %w", err)
	}
	return r.report, nil
}

// stores repairs the stores one by one, while nobody else may open the folder.
func (r *repair) stores(ctx context.Context) (err error) {
	lock, err := lockFolder(r.cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	a := &App{cfg: r.cfg, log: newLogger(r.cfg.Log, levelOf(r.cfg.Log), r.proc.Err, discard{}), now: time.Now}
	if err := a.checkFormats(ctx); err != nil {
		return err
	}
	if r.o.Backup != "" {
		r.o.Progress("backup")
		r.copied = filepath.Join(r.cfg.Data, "repair")
		defer func() { err = errors.Join(err, os.RemoveAll(r.copied)) }()
		if err := os.RemoveAll(r.copied); err != nil {
			return fmt.Errorf("make room for the backup: %w", err)
		}
		source, err := FindBackup(ctx, r.cfg, r.o.Backup, "")
		if err != nil {
			return err
		}
		if r.from, err = source.Restore(ctx, r.copied); err != nil {
			return err
		}
	}
	for _, step := range []struct {
		store string
		do    func(context.Context) (Repaired, error)
	}{{"documents", r.documents}, {"state", r.state}, {"event store", r.events}, {"files", r.files}} {
		r.o.Progress(step.store)
		done, err := step.do(ctx)
		done.Store = step.store
		r.report.Stores = append(r.report.Stores, done)
		if err != nil {
			return fmt.Errorf("repair %s: %w", step.store, err)
		}
	}
	return syncFolder(r.cfg.Data)
}

// setAside moves files or folders of the data folder out of the way.
func (r *repair) setAside(names ...string) error {
	if err := os.MkdirAll(r.aside, 0o700); err != nil {
		return fmt.Errorf("set aside: %w", err)
	}
	r.report.Aside = r.aside
	for _, name := range names {
		err := os.Rename(filepath.Join(r.cfg.Data, name), filepath.Join(r.aside, filepath.Base(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("set aside: %w", err)
		}
	}
	return nil
}

// takeFromBackup puts files or folders of the backup into their places, which
// must be free.
func (r *repair) takeFromBackup(names ...string) error {
	if r.copied == "" {
		return ErrNeedsBackup
	}
	for _, name := range names {
		err := os.Rename(filepath.Join(r.copied, name), filepath.Join(r.cfg.Data, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("take from backup: %w", err)
		}
	}
	return nil
}

// since tells what lies behind the backup.
func (r *repair) since(what string) string {
	return what + " since the backup of " + time.UnixMilli(r.from.Created).UTC().Format(time.RFC3339)
}

// documents checks the document store. Damaged indexes are rebuilt; for damaged
// documents there is only the backup.
func (r *repair) documents(ctx context.Context) (done Repaired, err error) {
	if r.cfg.Docs != "" {
		return r.checkDatabase(ctx)
	}
	path := filepath.Join(r.cfg.Data, docsFile)
	check := func(salvage bool) (*sqlite.Store, error) {
		if st, err := os.Stat(path); err != nil || st.Size() == 0 {
			return nil, errors.Join(errLostDocs, err)
		}
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Log: newLogger(r.cfg.Log, levelOf(r.cfg.Log), r.proc.Err, discard{}), Salvage: salvage})
		if err != nil {
			return nil, err
		}
		return db, db.Check(ctx)
	}
	db, err := check(false)
	if err == nil {
		return done, db.Close()
	}
	done.Found = err.Error()
	if fault.CodeOf(err) == "docs.corrupt_log" {
		if db, err = check(true); err == nil {
			done.Done, done.Lost = "kept what stands before the damage", "changes of documents that stood behind it in the log"
			return done, db.Close()
		}
	}
	part := path + ".repaired"
	if db != nil {
		err = db.Backup(ctx, part) // copies the documents and makes the indexes from them
		_ = db.Close()             // of a damaged file
	}
	if db != nil && err == nil {
		if err := errors.Join(r.setAside(docsFile, docsFile+"-wal", docsFile+"-shm"), os.Rename(part, path)); err != nil {
			return done, err
		}
		if db, err = check(false); err == nil {
			done.Done = "copied the documents and rebuilt the indexes"
			return done, db.Close()
		}
		if db != nil {
			_ = db.Close() // goes aside, too
		}
	}
	_ = os.Remove(part) // if there is one, it is of no use
	if r.copied == "" {
		return done, fmt.Errorf("%w: %s", ErrNeedsBackup, done.Found)
	}
	if err := errors.Join(r.setAside(docsFile, docsFile+"-wal", docsFile+"-shm"), r.takeFromBackup(docsFile)); err != nil {
		return done, err
	}
	done.Done, done.Lost = "took the documents of the backup", r.since("members, apps, settings and other documents that were made or changed")
	return done, nil
}

// checkDatabase checks documents that are in a database of their own, which repairs nothing of them.
func (r *repair) checkDatabase(ctx context.Context) (done Repaired, err error) {
	db, err := openDocuments(ctx, r.cfg, newLogger(r.cfg.Log, levelOf(r.cfg.Log), r.proc.Err, discard{}))
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Check(ctx); err != nil {
		done.Found = err.Error()
		return done, fmt.Errorf("%w of the database: %s", ErrNeedsBackup, done.Found)
	}
	return done, nil
}

// openState opens the state.
func (r *repair) openState(ctx context.Context, name string, readOnly bool) (*kv.DB, error) {
	return kv.Open(ctx, kv.Options{
		Dir: filepath.Join(r.cfg.Data, name), ReadOnly: readOnly, CacheBytes: r.plan.Cache, BufferBytes: uint64(r.plan.Buffer), // positive
		Logger: newLogger(r.cfg.Log, levelOf(r.cfg.Log), r.proc.Err, discard{}), Merger: pebblerollup.Merger(),
	})
}

// bare reports whether no server ever ran on the folder.
func (r *repair) bare() bool {
	for _, name := range []string{"state", eventsFile} {
		if _, err := os.Lstat(filepath.Join(r.cfg.Data, name)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// state checks the state. What cannot be read is left out of a new one, when
// that is nothing on which all of the rest depends; else state and event store come from the
// backup, because they belong together.
func (r *repair) state(ctx context.Context) (done Repaired, err error) {
	if r.bare() {
		return done, nil
	}
	db, err := r.openState(ctx, "state", true)
	if errors.Is(err, kv.ErrLocked) || errors.Is(err, kv.ErrNewer) {
		return done, err
	}
	if err != nil {
		done.Found = err.Error()
		return r.bothFromBackup(done)
	}
	_, err = db.Check(ctx)
	if err == nil {
		return r.journal(ctx, done, db.Close()) //nolint:contextcheck // closing must not be cut short
	}
	if ctx.Err() != nil {
		return done, errors.Join(err, db.Close()) //nolint:contextcheck // closing must not be cut short
	}
	done.Found = err.Error()
	const part = "state.repaired"
	if err := os.RemoveAll(filepath.Join(r.cfg.Data, part)); err != nil {
		return done, errors.Join(err, db.Close()) //nolint:contextcheck // closing must not be cut short
	}
	fresh, err := r.openState(ctx, part, false)
	if err != nil {
		return done, errors.Join(err, db.Close()) //nolint:contextcheck // closing must not be cut short
	}
	keys, gaps, err := db.Salvage(ctx, fresh)
	_ = db.Close()                                          //nolint:contextcheck // nothing was written
	if err := errors.Join(err, fresh.Close()); err != nil { //nolint:contextcheck // closing must not be cut short
		return done, err
	}
	lost, vital := gapsOf(gaps)
	if vital {
		if err := os.RemoveAll(filepath.Join(r.cfg.Data, part)); err != nil {
			return done, err
		}
		return r.bothFromBackup(done)
	}
	r.holes = true
	if err := errors.Join(r.setAside("state"), os.Rename(filepath.Join(r.cfg.Data, part), filepath.Join(r.cfg.Data, "state"))); err != nil {
		return done, err
	}
	done.Done = fmt.Sprintf("copied %d entries that can be read", keys)
	done.Lost = strings.Join(lost, ", ")
	return r.journal(ctx, done, nil)
}

// journal repairs the journal of a state that can be read otherwise.
func (r *repair) journal(ctx context.Context, done Repaired, err error) (Repaired, error) {
	if err != nil {
		return done, err
	}
	db, err := r.openState(ctx, "state", false)
	if err != nil {
		return done, err
	}
	lost, err := pebblejournal.Repair(ctx, db)
	if lost > 0 {
		done.Found = strings.TrimPrefix(done.Found+"; the journal has gaps", "; ")
		done.Lost = strings.TrimPrefix(fmt.Sprintf("%s, %d requests that were accepted and not yet projected", done.Lost, lost), ", ")
	}
	return done, errors.Join(err, db.Close()) //nolint:contextcheck // closing must not be cut short
}

// bothFromBackup replaces state and event store.
func (r *repair) bothFromBackup(done Repaired) (Repaired, error) {
	if r.copied == "" {
		return done, fmt.Errorf("%w: %s", ErrNeedsBackup, done.Found)
	}
	names := []string{"state", eventsFile, eventsFile + ".wal"}
	if err := errors.Join(r.setAside(names...), r.takeFromBackup(names...)); err != nil {
		return done, err
	}
	done.Done, done.Lost = "took state and event store of the backup", r.since("all data that was collected")
	return done, nil
}

// gapsOf says in words what lies in gaps, and whether all of the rest depends on it.
func gapsOf(gaps []kv.Gap) (lost []string, vital bool) {
	for _, part := range []struct {
		prefix byte
		name   string
		vital  bool
	}{
		{kv.PrefixMeta, "watermarks", true},
		{kv.PrefixSequence, "sequences", true},
		{kv.PrefixSchema, "names of events and where their properties are", true},
		{kv.PrefixMarks, "marks", true},
		{kv.PrefixJournal, "requests in the journal", false},
		{kv.PrefixProfile, "profiles of users", false},
		{kv.PrefixUID, "numbers of users", false},
		{kv.PrefixAlias, "merges of users", false},
		{kv.PrefixOpenSession, "open sessions", false},
		{kv.PrefixFingerprint, "the memory of duplicates", false},
		{kv.PrefixOutbox, "event rows on their way to the event store", false},
		{kv.PrefixRollup, "aggregated figures", false},
	} {
		n := 0
		for _, g := range gaps {
			if g.Touches([]byte{part.prefix}) {
				n++
			}
		}
		if n > 0 {
			lost = append(lost, fmt.Sprintf("%s (in %d gaps)", part.name, n))
			vital = vital || part.vital
		}
	}
	return lost, vital
}

// events checks the event store. What can be read of a damaged one is copied;
// if that is nothing, the backup's takes its place, and else an empty one.
func (r *repair) events(ctx context.Context) (done Repaired, err error) {
	if r.bare() {
		return done, nil
	}
	state, err := r.openState(ctx, "state", false)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, state.Close()) }() //nolint:contextcheck // closing must not be cut short
	held, err := pebblejournal.LoadRowsMark(ctx, state)
	if err != nil {
		return done, err
	}
	path := filepath.Join(r.cfg.Data, eventsFile)
	open := func(held journal.Watermark) (*duck.Store, error) {
		return duck.Open(ctx, duck.Options{Path: path, MemoryLimit: r.plan.Events, Held: held, Logger: newLogger(r.cfg.Log, levelOf(r.cfg.Log), r.proc.Err, discard{})})
	}
	db, err := open(held)
	if errors.Is(err, duck.ErrLocked) || errors.Is(err, duck.ErrFormat) || ctx.Err() != nil {
		return done, errors.Join(err, ctx.Err())
	}
	if err == nil {
		if err = db.Check(ctx); err != nil {
			err = errors.Join(err, db.Close()) //nolint:contextcheck // closing must not be cut short
		}
	}
	if err != nil {
		if !errors.Is(err, duck.ErrCorrupt) {
			return done, err
		}
		done.Found = err.Error()
		r.holes = true
		if err := r.replaceEvents(ctx, &done, path); err != nil {
			return done, err
		}
		if db, err = open(nil); err != nil {
			return done, err
		}
	}
	rows, err := db.Watermark(ctx)
	if err := errors.Join(err, db.Close()); err != nil { //nolint:contextcheck // closing must not be cut short
		return done, err
	}
	if rows[0] >= held[0] {
		return done, nil
	}
	r.holes = true
	if done.Found == "" {
		done.Found = "the event store has lost its last rows"
	}
	done.Lost = strings.TrimPrefix(fmt.Sprintf("%s; event rows of the journal records from %d to %d", done.Lost, rows[0]+1, held[0]), "; ")
	b := state.NewBatch()
	defer b.Discard()
	if err := pebblejournal.PutRowsMark(b, journal.Watermark{0: rows[0]}); err != nil {
		return done, err
	}
	return done, state.Commit(b) //nolint:contextcheck // a commit cannot be given up half-way
}

// replaceEvents makes an event store of what can be read of the damaged one.
func (r *repair) replaceEvents(ctx context.Context, done *Repaired, path string) error {
	part := path + ".repaired"
	log := path + ".wal"
	for _, without := range []string{"", "without its log "} {
		if err := errors.Join(removed(part), removed(part+".wal")); err != nil {
			return err
		}
		if without != "" {
			if _, err := os.Stat(log); err != nil {
				break
			}
			if err := r.setAside(eventsFile + ".wal"); err != nil {
				return err
			}
		}
		lost, err := duck.Salvage(ctx, path, part, r.plan.Events)
		if ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if err != nil {
			continue
		}
		done.Done = "copied what can be read " + without + "to a new event store"
		var texts []string
		for _, l := range lost {
			texts = append(texts, fmt.Sprintf("%d of %d rows of table %s", l.Rows, l.Of, l.Table))
		}
		done.Lost = strings.Join(texts, ", ")
		return errors.Join(r.setAside(eventsFile, eventsFile+".wal"), os.Rename(part, path))
	}
	if err := errors.Join(removed(part), removed(part+".wal"), r.setAside(eventsFile, eventsFile+".wal")); err != nil {
		return err
	}
	if r.copied == "" {
		done.Done = "began an empty event store; aggregated figures and profiles stay"
		return nil
	}
	done.Done = "took the event store of the backup"
	return r.takeFromBackup(eventsFile, eventsFile+".wal")
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// files checks the uploaded files.
func (r *repair) files(ctx context.Context) (done Repaired, err error) {
	const dir = "files"
	store, err := disk.Open(filepath.Join(r.cfg.Data, dir))
	if err != nil {
		return done, err
	}
	var bad []string
	if _, err := store.Check(ctx, func(hash string) { bad = append(bad, hash) }); err != nil {
		return done, err
	}
	lost := 0
	for _, hash := range bad {
		name := filepath.Join(dir, hash[:2], hash)
		if err := r.setAside(name); err != nil {
			return done, err
		}
		err := r.takeFromBackup(name)
		if _, serr := os.Stat(filepath.Join(r.cfg.Data, name)); err != nil && !errors.Is(err, ErrNeedsBackup) {
			return done, err
		} else if serr != nil {
			lost++
		}
	}
	if len(bad) > 0 {
		done.Found = fmt.Sprintf("%d damaged files", len(bad))
		done.Done = fmt.Sprintf("took %d of the backup", len(bad)-lost)
	}
	if lost > 0 {
		done.Lost = fmt.Sprintf("%d uploaded files", lost)
	}
	return done, nil
}
