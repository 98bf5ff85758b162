package kv_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"quipu/internal/store/kv"
)

// The spaces have what was written to each of them, and together no more than the folder.
func TestSpaces(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	db, err := kv.Open(t.Context(), kv.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	random := rand.NewChaCha8([32]byte{7})
	written := map[string]int{"profiles": 400, "cells": 100, "users": 200} // values of 4 kB that do not compress
	prefixes := map[string][]byte{"profiles": {kv.PrefixProfile}, "cells": {kv.PrefixRollup}, "users": {kv.PrefixUID, kv.PrefixAlias}}
	const size = 4 << 10
	for name, n := range written {
		for i := range n {
			value := make([]byte, size)
			_, _ = random.Read(value) // never fails
			b := db.NewBatch()
			key := binary.BigEndian.AppendUint32([]byte{prefixes[name][i%len(prefixes[name])]}, uint32(i))
			if err := b.Set(key, value); err != nil {
				t.Fatal(err)
			}
			if err := db.Commit(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := db.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	var sum int64
	seen := map[string]bool{}
	for _, s := range kv.Spaces() {
		n, err := db.Size(s)
		if err != nil {
			t.Fatal(err)
		}
		seen[s.Name], sum = true, sum+n
		want := int64(written[s.Name] * size)
		if n < want || n > want+want/10+16<<10 {
			t.Errorf("%s: %d bytes, want about %d", s.Name, n, want)
		}
	}
	if whole := folderSize(t, dir); sum > whole {
		t.Errorf("the spaces have %d bytes, the folder %d", sum, whole)
	}
	for name := range written {
		if !seen[name] {
			t.Errorf("there is no space %s", name)
		}
	}
}

// Every first byte of the list of keys is in one space, so that the sizes are of all keys.
func TestSpacesAreWhole(t *testing.T) {
	t.Parallel()
	all := []byte{
		kv.PrefixMeta, kv.PrefixJournal, kv.PrefixProfile, kv.PrefixUID, kv.PrefixSequence, kv.PrefixAlias, kv.PrefixOpenSession,
		kv.PrefixFingerprint, kv.PrefixSchema, kv.PrefixMarks, kv.PrefixOutbox, kv.PrefixMirror, kv.PrefixRollup,
	}
	for _, p := range all {
		n := 0
		for _, s := range kv.Spaces() {
			n += bytes.Count(s.Prefixes(), []byte{p})
		}
		if n != 1 {
			t.Errorf("keys that begin with %#x are in %d spaces", p, n)
		}
	}
}
