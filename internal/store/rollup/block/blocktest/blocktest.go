// Package blocktest has a store of cells for tests of states that keep none: cells in a Pebble database of their own, which blocks
// reach in the way in which they reach a store in another place.
package blocktest

import (
	"context"
	"encoding/binary"
	"errors"

	"quipu/internal/store/kv"
	"quipu/internal/store/rollup/block"
	pebblerollup "quipu/internal/store/rollup/pebble"
	pebblestate "quipu/internal/store/state/pebble"
)

// Cells implements block.Store. The number of each partition's last block is kept with the cells and changes with them.
type Cells struct {
	db    *kv.DB
	whole *pebblestate.Store
	// Fault is asked before a sending is taken and after it was; an error refuses it, or loses the answer. nil = all goes well.
	Fault func(point string) error
}

// New returns the cells of a database that was opened with the merger of cells.
func New(db *kv.DB) (*Cells, error) {
	whole, err := pebblestate.New(db)
	if err != nil {
		return nil, err
	}
	return &Cells{db: db, whole: whole}, nil
}

// key is that of the number of a partition's last block.
func key(partition uint16) []byte { return binary.BigEndian.AppendUint16([]byte{0xf0}, partition) }

// Put implements block.Store.
func (c *Cells) Put(ctx context.Context, s block.Sending, blocks []block.Block) error {
	if err := c.at("before"); err != nil {
		return err
	}
	if uint64(len(blocks)) != s.Last-s.First+1 {
		return errors.New("a sending lacks blocks")
	}
	var last uint64
	err := c.db.Get(key(s.Partition), func(v []byte) error {
		last = binary.BigEndian.Uint64(v)
		return nil
	})
	if err != nil && !errors.Is(err, kv.ErrNotFound) {
		return err
	}
	if last+1 < s.First {
		return errors.New("a sending leaves blocks out")
	}
	if s.First <= last && last < s.Last {
		return c.rest(ctx, s, blocks, last)
	}
	if last < s.First {
		return c.rest(ctx, s, blocks, s.First-1)
	}
	return c.at("after")
}

// rest takes the blocks after last: each is a commit of its own, so a crash may leave the first of a sending.
func (c *Cells) rest(ctx context.Context, s block.Sending, blocks []block.Block, last uint64) error {
	for n := last + 1; n <= s.Last; n++ {
		if err := c.put(ctx, key(s.Partition), n, blocks[n-s.First]); err != nil {
			return err
		}
	}
	return c.at("after")
}

func (c *Cells) at(point string) error {
	if c.Fault == nil {
		return nil
	}
	return c.Fault(point)
}

func (c *Cells) put(ctx context.Context, key []byte, n uint64, apps block.Block) error {
	b := c.db.NewBatch()
	defer b.Discard()
	for _, a := range apps {
		for _, r := range a.Remove {
			if err := pebblerollup.Remove(ctx, c.db.Reader(), b.Pebble(), a.ID, r); err != nil {
				return err
			}
		}
		if err := pebblerollup.Write(b.Pebble(), a.ID, a.Cells); err != nil {
			return err
		}
		if err := merged(b, &a); err != nil {
			return err
		}
		if len(a.Replace) > 0 {
			if err := c.whole.ReplaceUsers(ctx, a.ID, a.Replace); err != nil {
				return err
			}
		}
	}
	if err := b.Set(key, binary.BigEndian.AppendUint64(nil, n)); err != nil {
		return err
	}
	return c.db.Commit(b) //nolint:contextcheck // a commit cannot be given up half-way
}

// merged notes merges where the embedded profiles do, so that watchers of the database are notified.
func merged(b *kv.Batch, a *block.App) error {
	if from := kv.AppKey(kv.PrefixAlias, a.ID, 0); a.Unmerge {
		if err := b.DeleteRange(from, kv.After(from)); err != nil {
			return err
		}
	}
	for old, to := range a.Merged {
		key := binary.BigEndian.AppendUint32(kv.AppKey(kv.PrefixAlias, a.ID, 4), old)
		if to == 0 {
			if err := b.Delete(key); err != nil {
				return err
			}
			continue
		}
		if err := b.Set(key, binary.BigEndian.AppendUint32(nil, to)); err != nil {
			return err
		}
	}
	return nil
}
