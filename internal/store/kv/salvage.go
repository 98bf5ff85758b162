package kv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
)

// Gap is a stretch of keys that cannot be read: those after After and before
// Before; nil is the beginning or the end.
type Gap struct{ After, Before []byte }

// Touches reports whether keys that begin with a prefix may lie in the gap.
func (g Gap) Touches(prefix []byte) bool {
	return (g.Before == nil || bytes.Compare(prefix, g.Before) < 0) && (g.After == nil || bytes.Compare(g.After, After(prefix)) < 0)
}

// Salvage copies all keys that can be read into another, empty database and
// returns how many these are and where the others lie. Nothing may be written meanwhile.
func (db *DB) Salvage(ctx context.Context, to *DB) (keys int64, gaps []Gap, err error) {
	s := salvage{from: db, to: to, batch: to.NewBatch()}
	defer func() { s.batch.Discard() }()
	for next, ok := []byte{0}, true; ok; { // before every key, see the prefixes
		if next, ok, err = s.run(ctx, next); err != nil {
			return s.keys, s.gaps, fmt.Errorf("salvage state: %w", err)
		}
	}
	if err := to.Commit(s.batch); err != nil { //nolint:contextcheck // a commit cannot be given up half-way
		return s.keys, s.gaps, fmt.Errorf("salvage state: %w", err)
	}
	return s.keys, s.gaps, nil
}

type salvage struct {
	from, to *DB
	batch    *Batch
	keys     int64
	last     []byte // the last key copied
	gaps     []Gap
}

// run copies from a key on until something cannot be read, and returns where
// to go on; false at the end.
func (s *salvage) run(ctx context.Context, from []byte) (next []byte, more bool, err error) {
	const batchBytes = 4 << 20
	it, err := s.from.Iter(from, nil)
	if err != nil {
		return nil, false, err
	}
	for ok := it.First(); ok; ok = it.Next() {
		v, verr := it.ValueAndErr()
		if verr != nil {
			break
		}
		if err := errors.Join(s.batch.Set(it.Key(), v), ctx.Err()); err != nil {
			return nil, false, errors.Join(err, it.Close())
		}
		s.keys++
		s.last = append(s.last[:0], it.Key()...)
		if s.batch.Len() < batchBytes {
			continue
		}
		if err := s.to.CommitNoSync(s.batch); err != nil { //nolint:contextcheck // a commit cannot be given up half-way
			return nil, false, errors.Join(err, it.Close())
		}
		s.batch = s.to.NewBatch()
	}
	broken := it.Error() != nil || it.Valid()
	_ = it.Close() // repeats the error
	if !broken {
		return nil, false, nil
	}
	start := from
	if bytes.Compare(s.last, from) >= 0 {
		start = append(bytes.Clone(s.last), 0)
	}
	gap := Gap{After: bytes.Clone(s.last)}
	if next, more = s.skip(start); more {
		gap.Before = next
	}
	s.gaps = append(s.gaps, gap)
	return next, more, nil
}

// skip returns the next key behind one where reading fails, about: it
// tries ever further ahead, then searches back.
func (s *salvage) skip(from []byte) (next []byte, more bool) {
	const width = 40 // bytes, longer than where keys differ
	low := new(big.Int).SetBytes(append(bytes.Clone(from[:min(len(from), width)]), make([]byte, width-min(len(from), width))...))
	end := new(big.Int).Lsh(big.NewInt(1), 8*width)
	key := func(n *big.Int) []byte { return n.FillBytes(make([]byte, width)) }
	step := big.NewInt(1)
	high := new(big.Int).Add(low, step)
	for {
		if high.Cmp(end) >= 0 {
			return nil, false
		}
		if s.readable(key(high)) {
			break
		}
		low.Set(high)
		step.Lsh(step, 1)
		high.Add(low, step)
	}
	for mid := new(big.Int); mid.Sub(high, low).Cmp(big.NewInt(1)) > 0; {
		if mid.Add(low, high).Rsh(mid, 1); s.readable(key(mid)) {
			high.Set(mid)
		} else {
			low.Set(mid)
		}
	}
	it, err := s.from.Iter(key(high), nil)
	if err != nil {
		return nil, false
	}
	defer func() { _ = it.Close() }() // only read
	if !it.First() {
		return nil, false
	}
	return bytes.Clone(it.Key()), true
}

// readable reports whether the first key from a place on can be read; also
// when there is none.
func (s *salvage) readable(key []byte) bool {
	it, err := s.from.Iter(key, nil)
	if err != nil {
		return false
	}
	if it.First() {
		_, err = it.ValueAndErr()
	} else {
		err = it.Error()
	}
	_ = it.Close() // repeats the error
	return err == nil
}
