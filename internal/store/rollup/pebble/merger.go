package pebble

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2"

	"quipu/internal/store/rollup"
)

// MergerName is written into the database; changing it makes databases
// unreadable.
const MergerName = "quipu.rollup.v1"

// Merger returns the merge operator of cells. An operand is a value of
// docs/format/rollup.md: counters and users to add, and replacements of user
// numbers in everything older. Operands that are no such value give an error,
// which Pebble reports from the read or the compaction that met it.
func Merger() *pebble.Merger {
	return &pebble.Merger{
		Name: MergerName,
		Merge: func(_, value []byte) (pebble.ValueMerger, error) {
			m := &valueMerger{first: bytes.Clone(value)}
			if err := m.add(m.first); err != nil {
				return nil, err
			}
			return m, nil
		},
	}
}

// moreOperands is for how many operands beside the first there is room at first.
const moreOperands = 3

// operand is one decoded value.
type operand struct {
	cell     rollup.Cell
	replaces replacements
}

// valueMerger collects the operands of one key and folds them at the end,
// where the whole set is known and the users unite in one pass.
type valueMerger struct {
	first []byte // a copy of the first operand
	ops   []operand
	// newestFirst is the order in which ops came; it is settled by the second operand.
	newestFirst bool
}

var _ pebble.DeletableValueMerger = (*valueMerger)(nil)

// add decodes value, whose memory goes back to Pebble unless it is m.first: users refer to a copy.
func (m *valueMerger) add(value []byte) error {
	if len(m.ops) == 1 {
		m.ops = slices.Grow(m.ops, moreOperands)
	}
	m.ops = append(m.ops, operand{})
	op := &m.ops[len(m.ops)-1]
	replaces, set, err := decodeCounters(value, &op.cell)
	if err == nil && set != nil {
		if len(m.ops) > 1 {
			set = bytes.Clone(set)
		}
		op.cell.Users = roaring.New()
		err = readUsers(op.cell.Users, set)
	}
	if err != nil {
		return fmt.Errorf("merge cell: %w", err)
	}
	op.replaces = replaces
	return nil
}

// MergeNewer adds an operand newer than all before.
func (m *valueMerger) MergeNewer(value []byte) error { return m.add(value) }

// MergeOlder adds an operand older than all before.
func (m *valueMerger) MergeOlder(value []byte) error {
	m.newestFirst = true
	return m.add(value)
}

// Finish returns the merged value.
func (m *valueMerger) Finish(includesBase bool) ([]byte, io.Closer, error) {
	value, _, closer, err := m.DeletableFinish(includesBase)
	return value, closer, err
}

// DeletableFinish returns the merged value, and asks for the key's removal
// when there is nothing but replacements that met no cell. A cell that its operands
// empty stays as an empty value, which readers pass over: Pebble v2.1 brings the stored
// value back, or panics, when a compaction merges with it and the result is to be removed.
func (m *valueMerger) DeletableFinish(includesBase bool) ([]byte, bool, io.Closer, error) {
	if len(m.ops) == 1 {
		op := &m.ops[0]
		if len(op.replaces) == 0 || !includesBase {
			return m.first, includesBase && op.cell.IsZero(), nil, nil
		}
	}
	cell, replaces := m.fold()
	if includesBase {
		replaces = nil // nothing is older
	}
	if cell.Users != nil {
		cell.Users.RunOptimize()
	}
	var e encoder
	if err := e.encode(&cell, replaces); err != nil {
		return nil, false, nil, err
	}
	return e.buf, includesBase && m.onlyReplaces(), nil, nil
}

// onlyReplaces reports whether no operand is a cell. A stored cell has no
// replacements, so it is none of them.
func (m *valueMerger) onlyReplaces() bool {
	for i := range m.ops {
		if op := &m.ops[i]; len(op.replaces) == 0 || !op.cell.IsZero() {
			return false
		}
	}
	return true
}

// fold unites the operands from the oldest to the newest.
func (m *valueMerger) fold() (rollup.Cell, replacements) {
	var (
		cell     rollup.Cell
		replaces replacements
		users    []*roaring.Bitmap // of the operands so far, not yet united
	)
	for i := range m.ops {
		op := &m.ops[i]
		if m.newestFirst {
			op = &m.ops[len(m.ops)-1-i]
		}
		if len(op.replaces) > 0 {
			if len(users) > 0 {
				united := roaring.FastOr(users...)
				op.replaces.apply(united)
				users = append(users[:0], united)
			}
			replaces = op.replaces.after(replaces)
		}
		cell.MergeCounters(&op.cell)
		if op.cell.Users != nil {
			users = append(users, op.cell.Users)
		}
	}
	if len(users) > 0 {
		cell.Users = roaring.FastOr(users...)
	}
	return cell, replaces
}
