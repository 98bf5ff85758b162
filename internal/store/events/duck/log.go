package duck

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/duckdb/duckdb-go/v2"
)

// DuckDB's log is a head and entries, each with its length and a checksum
// before it. An entry of a certain content ends each transaction. What a transaction that
// has no end changed is undone when the log is read, but for one kind of entry: that
// which names the blocks into which rows were written past the log. So the store
// cuts a log that is torn off behind its last whole transaction.

// entryHead is the size of an entry's length and checksum, bytes.
const entryHead = 16

// commitEntry is the content of the entry that ends a transaction.
const commitEntry = "\x64\x00\x64\xff\xff"

// errLog says that a log has another form than expected.
var errLog = errors.New("events: log of another form")

// logHead returns the size of a log's head, of which b is the beginning: fields
// with a number of 16 bits and varints for values, and an end. The third one is a list.
func logHead(b []byte) (int64, error) {
	const first, list, end = 0x64, 0x66, 0xffff
	whole := len(b)
	for field := first; ; field++ {
		if len(b) < 2 {
			return 0, errLog
		}
		id := int(binary.LittleEndian.Uint16(b))
		b = b[2:]
		switch {
		case id == end && field > list:
			return int64(whole - len(b)), nil
		case id != field:
			return 0, errLog
		}
		values := uint64(1)
		if id == list {
			n, size := binary.Uvarint(b)
			if size <= 0 || n > 64 {
				return 0, errLog
			}
			values, b = n, b[size:]
		}
		for range values {
			_, size := binary.Uvarint(b)
			if size <= 0 {
				return 0, errLog
			}
			b = b[size:]
		}
	}
}

// whole returns the size of the part of a log up to the end of the last whole
// transaction within its first size bytes, and whether an entry behind that is torn off there.
func whole(log io.ReaderAt, size int64) (last int64, torn bool, err error) {
	head := make([]byte, min(size, 512))
	if _, err := log.ReadAt(head, 0); err != nil {
		return 0, false, fmt.Errorf("read log: %w", err)
	}
	at, err := logHead(head)
	if err != nil {
		return 0, false, err
	}
	last = at
	var entry [entryHead + len(commitEntry)]byte
	for at < size {
		b := entry[:min(int64(len(entry)), size-at)]
		if len(b) < entryHead {
			return last, true, nil
		}
		if _, err := log.ReadAt(b, at); err != nil {
			return 0, false, fmt.Errorf("read log: %w", err)
		}
		n := binary.LittleEndian.Uint64(b)
		if n > uint64(size-at-entryHead) { // not negative
			return last, true, nil
		}
		at += entryHead + int64(n) // at most size
		if n == uint64(len(commitEntry)) && string(b[entryHead:]) == commitEntry {
			last = at
		}
	}
	return last, at > last, nil
}

// cutTorn removes the part of a transaction from the end of a log.
func (s *Store) cutTorn(ctx context.Context) (err error) {
	f, err := os.OpenFile(s.opt.Path+".wal", os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	last, torn, err := whole(f, st.Size())
	if errors.Is(err, errLog) || err == nil && !torn {
		return nil // DuckDB tells what it thinks of it
	}
	if err != nil {
		return err
	}
	// The log belongs to the process that has the file open.
	if err := s.alone(ctx); err != nil {
		return err
	}
	if err := f.Truncate(last); err != nil {
		return err
	}
	return f.Sync()
}

// alone reports, as an error, whether another process has the file open. The
// file stays as it is.
func (s *Store) alone(ctx context.Context) error {
	c, err := duckdb.NewConnector(s.opt.dsn(), nil)
	if err != nil {
		if err = classify(err); errors.Is(err, ErrLocked) {
			return err
		}
		return nil // what is wrong shows when the store is opened
	}
	conn, err := c.Connect(ctx)
	if err != nil {
		return errors.Join(err, c.Close())
	}
	execer, ok := conn.(driver.ExecerContext)
	if !ok {
		return errors.Join(errors.New("the driver's connection runs no statements"), conn.Close(), c.Close())
	}
	_, err = execer.ExecContext(ctx, "PRAGMA disable_checkpoint_on_shutdown", nil)
	return errors.Join(err, conn.Close(), c.Close())
}
