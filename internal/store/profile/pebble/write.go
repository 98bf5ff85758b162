package pebble

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/kv"
	"quipu/internal/store/profile"
	"quipu/internal/store/profile/stored"
	"quipu/internal/turn"
)

// Writer adds changes to batches. It is for one goroutine at a time.
type Writer struct {
	db     *kv.DB
	buf    []byte
	prints []profile.Print
}

// NewWriter returns a writer for the database.
func NewWriter(db *kv.DB) *Writer { return &Writer{db: db} }

// Write adds a change to a batch. It keeps nothing of the change.
func (w *Writer) Write(b *kv.Batch, c *profile.Change) error {
	if c.Forget > 0 {
		if err := b.DeleteRange(dayKey(0), dayKey(c.Forget)); err != nil {
			return fmt.Errorf("forget fingerprints: %w", err)
		}
	}
	for i := range c.Apps {
		if err := w.app(b, &c.Apps[i]); err != nil {
			return fmt.Errorf("write profiles of app %s: %w", c.Apps[i].App, err)
		}
	}
	return nil
}

// profileWork is about what it takes to write a profile, printWork a fingerprint.
const (
	profileWork = 3 * time.Microsecond
	printWork   = 200 * time.Nanosecond
)

func (w *Writer) app(b *kv.Batch, c *profile.AppChange) error {
	if c.Cleared {
		if err := w.wipe(b, c.App); err != nil {
			return err
		}
	}
	var work turn.Counter
	for i := range c.Profiles {
		work.Spend(profileWork)
		if err := w.profile(b, c.App, &c.Profiles[i]); err != nil {
			return err
		}
	}
	if c.Sequence != nil {
		if err := b.Set(kv.AppKey(kv.PrefixSequence, c.App, 0), encodeSequence(*c.Sequence)); err != nil {
			return err
		}
	}
	for old, to := range c.Aliases {
		if err := putNumber(b, numberKey(kv.PrefixAlias, c.App, old), to); err != nil {
			return err
		}
	}
	return w.newPrints(b, c)
}

// newPrints writes fingerprints in the order of their keys: Pebble finds the place of each in its write buffer next
// to that of the one before.
func (w *Writer) newPrints(b *kv.Batch, c *profile.AppChange) error {
	w.prints = slices.AppendSeq(w.prints[:0], maps.Keys(c.Prints))
	slices.SortFunc(w.prints, comparePrints)
	var work turn.Counter
	for i := range w.prints {
		work.Spend(printWork)
		k := &w.prints[i]
		w.buf = append(appendPrintPrefix(w.buf[:0], k.Day, c.App), k.Hash[:]...)
		if err := b.Set(w.buf, nil); err != nil {
			return err
		}
	}
	return nil
}

// comparePrints orders fingerprints of an app as their keys are. Hashes hardly ever share their first eight bytes,
// and order matters to speed only.
func comparePrints(a, b profile.Print) int {
	if a.Day != b.Day {
		return cmp.Compare(a.Day, b.Day)
	}
	return cmp.Compare(binary.BigEndian.Uint64(a.Hash[:]), binary.BigEndian.Uint64(b.Hash[:]))
}

// profile writes a profile and moves what is indexed of it.
func (w *Writer) profile(b *kv.Batch, app model.AppID, c *profile.Changed) error {
	p, was := c.Profile, c.Was
	if was.Stored {
		if p == nil || p.UID != was.UID {
			if err := b.Delete(numberKey(kv.PrefixUID, app, was.UID)); err != nil {
				return err
			}
		}
		if was.Open && (p == nil || p.Open.ID == 0 || p.Open.Seen != was.Seen) {
			if err := b.Delete(sessionKey(app, was.Seen, c.ID)); err != nil {
				return err
			}
		}
		if p == nil {
			return b.Delete(profileKey(app, c.ID))
		}
	}
	if p == nil {
		return nil // came and went within the batch
	}
	var err error
	if w.buf, err = stored.Append(w.buf[:0], p); err != nil {
		return err
	}
	if err := b.Set(profileKey(app, c.ID), w.buf); err != nil {
		return err
	}
	if !was.Stored || p.UID != was.UID {
		if err := b.Set(numberKey(kv.PrefixUID, app, p.UID), c.ID[:]); err != nil {
			return err
		}
	}
	if p.Open.ID != 0 && (!was.Stored || !was.Open || p.Open.Seen != was.Seen || p.UID != was.UID) {
		return putNumber(b, sessionKey(app, p.Open.Seen, c.ID), p.UID)
	}
	return nil
}

// putNumber sets key to n, and removes it when n is 0.
func putNumber(b *kv.Batch, key []byte, n uint32) error {
	if n == 0 {
		return b.Delete(key)
	}
	return b.Set(key, []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

// wipe removes all of an app that is stored.
func (w *Writer) wipe(b *kv.Batch, app model.AppID) error {
	for _, prefix := range []byte{kv.PrefixProfile, kv.PrefixUID, kv.PrefixAlias, kv.PrefixOpenSession} {
		from := kv.AppKey(prefix, app, 0)
		if err := b.DeleteRange(from, kv.After(from)); err != nil {
			return err
		}
	}
	if err := b.Delete(kv.AppKey(kv.PrefixSequence, app, 0)); err != nil {
		return err
	}
	days, err := days(w.db)
	if err != nil {
		return err
	}
	for _, day := range days {
		from := printPrefix(day, app)
		if err := b.DeleteRange(from, kv.After(from)); err != nil {
			return err
		}
	}
	return nil
}
