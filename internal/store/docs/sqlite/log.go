package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"quipu/internal/fault"
)

// checkLog looks for damage in the write-ahead log that a process which did not close the file left behind.
//
// SQLite reads the log up to the first frame whose checksum is wrong and forgets the rest in silence, because
// that is how the last write before a crash may look. Every transaction is synced before the next one
// begins, so at most one transaction can be incomplete: two commits behind a bad frame, or frames
// behind a bad header, were complete once. The fault is docs.corrupt_log. The format is that of
// https://www.sqlite.org/fileformat2.html#the_write_ahead_log. left says that there is a log.
func checkLog(path string) (left bool, err error) {
	f, err := os.Open(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open log of document store: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var header [logHeader]byte
	if _, err := io.ReadFull(f, header[:]); err != nil {
		return false, nil // nothing was ever written to a log this short
	}
	if header == [logHeader]byte{} {
		return true, nil // the file grew before anything was written to it
	}
	l := newLogReader(header)
	if !l.sound {
		return true, fault.Wrap(errors.New("the header of the log is damaged"), fault.Internal, "docs.corrupt_log", "The log of the document store is damaged")
	}
	whole, late := 0, 0 // commits before and behind the first bad frame
	frame := make([]byte, frameHeader+l.page)
	for bad := false; ; {
		if _, err := io.ReadFull(f, frame); err != nil {
			break // the end, or the beginning of a frame
		}
		ok, commit := l.frame(frame)
		bad = bad || !ok
		switch {
		case !commit:
		case bad:
			late++
		default:
			whole++
		}
	}
	if late > 1 {
		return true, fault.Wrap(fmt.Errorf("the frame after %d complete transactions is damaged, %d follow it", whole, late-1),
			fault.Internal, "docs.corrupt_log", "The log of the document store is damaged")
	}
	return true, nil
}

// Sizes within the log, in bytes.
const (
	logHeader   = 32
	frameHeader = 24
)

// logReader follows the checksums of a log.
type logReader struct {
	order  binary.ByteOrder // of the words that are summed
	page   int
	salt   [8]byte
	s0, s1 uint32
	sound  bool // the header is as it was written
}

func newLogReader(h [logHeader]byte) *logReader {
	l := &logReader{order: binary.LittleEndian, page: int(binary.BigEndian.Uint32(h[8:]))}
	magic := binary.BigEndian.Uint32(h[:])
	if magic == 0x377f0683 {
		l.order = binary.BigEndian
	}
	copy(l.salt[:], h[16:24])
	l.sum(h[:24])
	l.sound = magic>>1 == 0x377f0682>>1 && l.page >= 512 && l.page <= 1<<16 && l.page&(l.page-1) == 0 && l.matches(h[24:])
	return l
}

// sum adds bytes, whose number is a multiple of eight.
func (l *logReader) sum(b []byte) {
	for i := 0; i < len(b); i += 8 {
		l.s0 += l.order.Uint32(b[i:]) + l.s1
		l.s1 += l.order.Uint32(b[i+4:]) + l.s0
	}
}

func (l *logReader) matches(b []byte) bool {
	return binary.BigEndian.Uint32(b) == l.s0 && binary.BigEndian.Uint32(b[4:]) == l.s1
}

// frame reads the next frame. ok says that it is as it was written; commit, that it belongs to this log and ends
// a transaction, whatever became of its checksum. Frames of an earlier use of the file have another salt.
func (l *logReader) frame(b []byte) (ok, commit bool) {
	l.sum(b[:8])
	l.sum(b[frameHeader:])
	mine := [8]byte(b[8:16]) == l.salt
	return mine && l.matches(b[16:24]), mine && binary.BigEndian.Uint32(b[4:]) != 0
}
