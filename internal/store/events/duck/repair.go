package duck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
)

// damagedEntry finds where DuckDB says the first damaged entry of its log
// begins, behind the entry's head.
var damagedEntry = regexp.MustCompile(`Corrupt WAL file: entry at byte position (\d+)`)

// cutLog opens the store without the end of its log, from the transaction of
// the damaged entry on. A transaction whose COMMIT returned was synced whole, so damage by a power
// cut begins with one that nobody counts on. Whether that is so here shows in the watermark:
// when it does not reach Held, the damage is of another kind, and everything is left
// as it was. The caller is alone; cause is why the store did not open.
func (s *Store) cutLog(ctx context.Context, cause error) error {
	m := damagedEntry.FindStringSubmatch(cause.Error())
	if m == nil {
		return cause
	}
	at, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || at < entryHead {
		return cause
	}
	log := s.opt.Path + ".wal"
	damaged, err := os.ReadFile(log)
	if err != nil || int64(len(damaged)) < at {
		return errors.Join(cause, err)
	}
	keep := log + ".damaged"
	if err := writeSynced(keep, damaged); err != nil {
		return errors.Join(cause, err)
	}
	last, _, err := whole(bytes.NewReader(damaged), at-entryHead)
	if err != nil {
		return errors.Join(cause, err)
	}
	if err := os.Truncate(log, last); err != nil {
		return errors.Join(cause, err)
	}
	err = s.load(ctx)
	if err == nil && !covers(s.own, s.opt.Held) {
		err = fmt.Errorf("%w: without it the store ends at %v, but others hold %v", ErrCorrupt, s.own, s.opt.Held)
		err = errors.Join(err, s.db.exec(ctx, "PRAGMA disable_checkpoint_on_shutdown"), s.db.close())
		s.db, s.stale = nil, true
	}
	if err != nil {
		return errors.Join(cause, err, os.Rename(keep, log))
	}
	s.log.WarnContext(ctx, "event store's log was damaged behind the last commit and is cut off there",
		"kept", last, "cut", int64(len(damaged))-last, "copy", keep)
	return nil
}

func writeSynced(path string, content []byte) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}
