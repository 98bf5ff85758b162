package pebble_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/s2"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/journaltest"
	"quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
)

func key(offset uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kv.PrefixJournal, 0, 0}, offset)
}

// alike returns n payloads that are compressed well.
func alike(n, size int) (list [][]byte) {
	for i := range n {
		list = append(list, fmt.Appendf(nil, `{"record":%d,"text":"%s"}`, i+1, strings.Repeat("alike ", size/6)))
	}
	return list
}

// values returns the keys and values of the journal.
func values(t *testing.T, db *kv.DB) (keys, values [][]byte) {
	t.Helper()
	err := db.Scan(t.Context(), []byte{kv.PrefixJournal}, []byte{kv.PrefixJournal + 1}, func(k, v []byte) (bool, error) {
		keys, values = append(keys, bytes.Clone(k)), append(values, bytes.Clone(v))
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys, values
}

// write changes the database beside the journal.
func write(t *testing.T, db *kv.DB, fill func(b *kv.Batch) error) {
	t.Helper()
	b := db.NewBatch()
	if err := errors.Join(fill(b), db.Commit(b)); err != nil {
		t.Fatal(err)
	}
}

// TestBlocks appends records of many sizes at once: few values hold them, in less room where they are alike.
func TestBlocks(t *testing.T) {
	for _, tt := range []struct {
		name     string
		payloads [][]byte
		values   int
		most     int // bytes of all values
	}{
		{"alone", [][]byte{[]byte("alone")}, 1, 13 + 5},
		{"two small ones", [][]byte{[]byte("one"), {}}, 1, 13 + 1 + 1 + 2 + 3},
		{"alike", alike(100, 1000), 2, 20_000},
		{"nothing in them", make([][]byte, 10_000), 3, 10_100},
		{"a large one between others", slices.Concat(alike(2, 10), alike(1, 200_000), alike(2, 10)), 3, 201_000},
		{"as large as a block", slices.Concat(alike(1, 10), [][]byte{make([]byte, 64<<10)}, alike(1, 10)), 3, 70_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fs := vfs.NewMem()
			b := openBox(t, fs, pebble.Options{})
			before := slices.Clone(tt.payloads)
			for i := range before {
				before[i] = bytes.Clone(before[i])
			}
			for range 2 { // the second group uses the memory of the first
				if _, err := b.j.Append(t.Context(), journal.Entries(0, tt.payloads...)...); err != nil {
					t.Fatal(err)
				}
			}
			keys, vs := values(t, b.db)
			size := 0
			for _, v := range vs {
				size += len(v)
			}
			if len(keys) != 2*tt.values || size > 2*tt.most {
				t.Errorf("%d values of %d bytes, want %d of at most %d", len(keys), size, 2*tt.values, 2*tt.most)
			}
			for i := range before {
				if !bytes.Equal(before[i], tt.payloads[i]) {
					t.Fatalf("payload %d of the caller was changed", i)
				}
			}
			for range 2 {
				got := journaltest.All(t, b.j, nil)
				if len(got) != 2*len(before) {
					t.Fatalf("%d records, want %d", len(got), 2*len(before))
				}
				for i, r := range got {
					if !bytes.Equal(r.Payload, before[i%len(before)]) || r.Offset != uint64(i)+1 {
						t.Fatalf("record %d at %d is not as it was written", i, r.Offset)
					}
				}
				b.close(t)
				b = openBox(t, fs, pebble.Options{})
			}
			b.close(t)
		})
	}
}

// TestBlocksMatchModel appends groups of all sizes, reads from, trims and purges at any record, and opens again, after crashes too; all is as in a list.
func TestBlocksMatchModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	fs := vfs.NewCrashableMem()
	b := openBox(t, fs, pebble.Options{})
	defer func() { b.close(t) }()
	var model [][]byte // offset 1 first
	trimmed := 0
	size := func(list [][]byte) (n int64) {
		for _, p := range list {
			n += int64(len(p))
		}
		return n
	}
	for step := range 500 {
		at := trimmed + rng.IntN(len(model)-trimmed+1)
		w := journal.Watermark{0: uint64(at)}
		switch rng.IntN(9) {
		case 0, 1, 2:
			list := alike(1+rng.IntN(300), rng.IntN(600))
			if rng.IntN(3) == 0 {
				noise := make([]byte, rng.IntN(100_000))
				for i := range noise {
					noise[i] = byte(rng.Uint32())
				}
				list[rng.IntN(len(list))] = noise
			}
			pos, err := b.j.Append(t.Context(), journal.Entries(0, list...)...)
			if model = append(model, list...); err != nil || pos.Offset != uint64(len(model)) {
				t.Fatalf("step %d: append: %v, %v", step, pos, err)
			}
		case 3, 4:
			most := 1 + rng.IntN(200_000)
			passed, next := 0, at
			err := b.j.Read(t.Context(), w, most, func(r journal.Record) bool {
				if passed >= most || r.Offset != uint64(next)+1 || !bytes.Equal(r.Payload, model[next]) {
					t.Fatalf("step %d: record %d is wrong, want %d; %d of %d bytes were passed", step, r.Offset, next+1, passed, most)
				}
				passed, next = passed+len(r.Payload), next+1
				return true
			})
			if err != nil || passed < most && next != len(model) {
				t.Fatalf("step %d: read up to %d of %d: %v", step, next, len(model), err)
			}
		case 5:
			if records, bytes := b.j.Size(w); records != int64(len(model)-at) || bytes != size(model[at:]) {
				t.Fatalf("step %d: after %d: %d records, %d bytes, want %d, %d", step, at, records, bytes, len(model)-at, size(model[at:]))
			}
		case 6:
			if err := b.j.Trim(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			trimmed = at
		case 7:
			if err := b.j.Purge(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			trimmed = at
			n := 0
			keys, vs := values(t, b.db)
			for i := range keys {
				first, _, list, err := pebble.ParseValue(keys[i], vs[i], false)
				if err != nil || first <= uint64(at) {
					t.Fatalf("step %d: purged up to %d, there is %d: %v", step, at, first, err)
				}
				n += len(list)
			}
			if n != len(model)-at {
				t.Fatalf("step %d: %d records are left, want %d", step, n, len(model)-at)
			}
		default:
			crashed := fs
			if rng.IntN(2) == 0 { // trims may be undone; nothing else is
				crashed = fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
			}
			b.close(t)
			fs = crashed
			b = openBox(t, fs, pebble.Options{})
		}
	}
	got := journaltest.All(t, b.j, journal.Watermark{0: uint64(trimmed)})
	if len(got) != len(model)-trimmed {
		t.Errorf("%d records are left, want %d", len(got), len(model)-trimmed)
	}
}

// TestCorruptBlocks damages the second of three blocks: the records of the two others can be read, the error names all that are lost, and who steps over it
// record by record gets there, too.
func TestCorruptBlocks(t *testing.T) {
	const each = 20
	for _, size := range []int{10, 1000} { // not compressed, and compressed
		for _, tt := range []struct {
			name   string
			damage func(v []byte) []byte // nil removes the value
		}{
			{"a bit of the payloads", func(v []byte) []byte { v[len(v)-1] ^= 1; return v }},
			{"a bit of the sizes", func(v []byte) []byte { v[16] ^= 1; return v }},
			{"a bit of the total", func(v []byte) []byte { v[12] ^= 1; return v }},
			{"cut off", func(v []byte) []byte { return v[:len(v)-1] }},
			{"nothing", func([]byte) []byte { return []byte{} }},
			{"another version", func(v []byte) []byte { v[0] = 3; return v }},
			{"missing", nil},
		} {
			t.Run(fmt.Sprintf("%s of %d", tt.name, size), func(t *testing.T) {
				fs := vfs.NewMem()
				b := openBox(t, fs, pebble.Options{})
				for range 3 {
					if _, err := b.j.Append(t.Context(), journal.Entries(0, alike(each, size)...)...); err != nil {
						t.Fatal(err)
					}
				}
				keys, vs := values(t, b.db)
				if len(keys) != 3 {
					t.Fatalf("%d values, want 3", len(keys))
				}
				write(t, b.db, func(wb *kv.Batch) error {
					if tt.damage == nil {
						return wb.Delete(keys[1])
					}
					return wb.Set(keys[1], tt.damage(vs[1]))
				})
				read := func(from uint64) (got []uint64, corrupt *pebble.CorruptError) {
					t.Helper()
					err := b.j.Read(t.Context(), journal.Watermark{0: from}, 0, func(r journal.Record) bool { got = append(got, r.Offset); return true })
					if err != nil {
						var ok bool
						if corrupt, ok = errors.AsType[*pebble.CorruptError](err); !ok {
							t.Fatal(err)
						}
					}
					return got, corrupt
				}
				got, corrupt := read(0)
				if len(got) != each || corrupt == nil || corrupt.Offset != each+1 || corrupt.Last != 2*each || !strings.Contains(corrupt.Error(), "records 21 to 40") {
					t.Fatalf("read: %v, %v", got, corrupt)
				}
				if got, corrupt := read(corrupt.Last); len(got) != each || got[0] != 2*each+1 || corrupt != nil {
					t.Errorf("behind it: %v, %v", got, corrupt)
				}
				steps := 0
				for at := corrupt.Offset; at <= corrupt.Last; at++ {
					if got, corrupt = read(at); corrupt == nil {
						break
					}
					steps++
				}
				if steps != each-1 || len(got) != each {
					t.Errorf("record by record: %d steps, %v", steps, got)
				}
				if err := b.j.Trim(t.Context(), journal.Watermark{0: 30}); err != nil {
					t.Error(err)
				}
				if got, corrupt := read(0); len(got) != 0 || corrupt == nil || corrupt.Offset != 31 {
					t.Errorf("trimmed up to the middle: %v, %v", got, corrupt)
				}
				if err := b.j.Purge(t.Context(), journal.Watermark{0: 30}); err != nil {
					t.Errorf("purged up to the middle: %v", err)
				}
				if err := b.j.Close(); err != nil {
					t.Fatal(err)
				}
				write(t, b.db, func(wb *kv.Batch) error { return pebble.PutWatermark(wb, journal.Watermark{0: 30}) })
				if lost, err := pebble.Repair(t.Context(), b.db); lost != 10 || err != nil {
					t.Errorf("repair: %d lost, %v, want 10", lost, err)
				}
				if lost, err := pebble.Repair(t.Context(), b.db); lost != 0 || err != nil {
					t.Errorf("repair again: %d lost, %v", lost, err)
				}
				if err := b.db.Close(); err != nil {
					t.Fatal(err)
				}
				b = openBox(t, fs, pebble.Options{})
				defer b.close(t)
				if got, corrupt := read(0); len(got) != 30 || got[0] != 31 || corrupt != nil {
					t.Errorf("repaired: %v, %v", got, corrupt)
				}
			})
		}
	}
}

// TestHostileBlocks reads blocks with right checksums that no journal writes.
func TestHostileBlocks(t *testing.T) {
	block := func(coding byte, body []byte, numbers ...uint64) []byte {
		v := append(make([]byte, 13), coding)
		v[0] = 2
		for _, n := range numbers {
			v = binary.AppendUvarint(v, n)
		}
		return append(v, body...)
	}
	bomb := binary.AppendUvarint(nil, 1<<31)
	for _, tt := range []struct {
		name  string
		value []byte
		want  string
	}{
		{"no coding", block(0, nil)[:13], "unknown coding"},
		{"unknown coding", block(2, []byte("x"), 1, 1), "unknown coding"},
		{"no number of records", block(0, nil), "wrong number of records"},
		{"no record", block(0, nil, 0), "wrong number of records"},
		{"more records than there are sizes", block(0, nil, 3, 0, 0), "wrong size of a record"},
		{"more records than offsets", block(0, nil, 8, 0, 0, 0, 0, 0, 0, 0, 0), "wrong number of records"},
		{"billions of records", block(0, nil, 1<<62), "wrong number of records"},
		{"a size that lies", block(0, []byte("xy"), 2, 1, 2), "payloads of 2 bytes instead of 3"},
		{"a huge size", block(0, []byte("x"), 1, 1<<63), "wrong size of a record"},
		{"sizes that overflow", block(0, []byte("x"), 3, 1<<63, 1<<63, 1), "wrong size of a record"},
		{"larger than a block", block(0, nil, 2, 1<<19, 1<<19+1), "wrong size of a record"},
		{"unpacks to more than it says", block(1, s2.Encode(nil, []byte("xyz")), 2, 1, 1), "payloads of 3 bytes instead of 2"},
		{"unpacks to gigabytes", block(1, bomb, 1, 1), "instead of 1"},
		{"not packed", block(1, []byte("\x02\xff\xff"), 2, 1, 1), "packed payloads"},
		{"an unknown length", block(1, []byte("\xff"), 1, 1), "packed payloads"},
	} {
		_, _, _, err := pebble.ParseValue(key(7), tt.value, true)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestPurgeWithinALargeBlock purges a part of a block as this version does not write them, but reads them: with a record in it that is larger than what is
// put into one. The others are still there.
func TestPurgeWithinALargeBlock(t *testing.T) {
	fs := vfs.NewMem()
	b := openBox(t, fs, pebble.Options{})
	if err := b.j.Close(); err != nil {
		t.Fatal(err)
	}
	list := [][]byte{[]byte("one"), []byte("two"), bytes.Repeat([]byte("large "), 20_000), []byte("four")}
	write(t, b.db, func(wb *kv.Batch) error { return wb.Set(pebble.FormValue(4, uint64(len(bytes.Join(list, nil))), list)) })
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	b = openBox(t, fs, pebble.Options{})
	defer func() { b.close(t) }()
	for at := range list {
		if err := b.j.Purge(t.Context(), journal.Watermark{0: uint64(at)}); err != nil {
			t.Fatal(err)
		}
		got := journaltest.All(t, b.j, nil)
		if !slices.EqualFunc(got, list[at:], func(r journal.Record, p []byte) bool { return bytes.Equal(r.Payload, p) }) || got[0].Offset != uint64(at)+1 {
			t.Errorf("purged up to %d: %d records are left, or they are others", at, len(got))
		}
		if records, size := b.j.Size(nil); records != int64(len(list)-at) || size != int64(len(bytes.Join(list[at:], nil))) {
			t.Errorf("purged up to %d: %d records, %d bytes", at, records, size)
		}
	}
}

// TestPurgedOffTheDisk purges blocks up to their middle, as the erasure of a person does while others' requests of the same moment are not projected yet, and
// looks for what is gone in the bytes of the files.
func TestPurgedOffTheDisk(t *testing.T) {
	fs := vfs.NewMem()
	b := openBox(t, fs, pebble.Options{})
	defer func() { b.close(t) }()
	scrub := func() {
		t.Helper()
		if err := b.db.Scrub(t.Context(), kv.Prefix([]byte{kv.PrefixJournal})); err != nil {
			t.Fatal(err)
		}
	}
	gone, stays := []byte("device-of-the-erased-0815"), []byte("device-of-somebody-0816")
	found := func() (n [2]int) {
		t.Helper()
		names, err := fs.List("state")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			f, err := fs.Open(fs.PathJoin("state", name))
			if errors.Is(err, iofs.ErrNotExist) {
				continue
			}
			content, rerr := io.ReadAll(f)
			if err := errors.Join(err, rerr, f.Close()); err != nil {
				t.Fatal(err)
			}
			n[0], n[1] = n[0]+bytes.Count(content, gone), n[1]+bytes.Count(content, stays)
		}
		return n
	}
	rng := rand.New(rand.NewPCG(1, 2))
	records := func(text []byte) (list [][]byte) {
		for range 10 {
			p := bytes.Clone(text)
			for range 600 { // random bytes, which no codec makes smaller
				p = append(p, byte(rng.Uint32()))
			}
			list = append(list, p)
		}
		return list
	}
	for _, tabled := range []bool{true, false} { // where the block is when it is purged: in a table, or in the log
		at, err := b.j.Append(t.Context(), journal.Entries(0, slices.Concat(records(gone), records(stays))...)...)
		if err != nil {
			t.Fatal(err)
		}
		if tabled {
			scrub()
		}
		if n := found(); n[0] < 10 || n[1] < 10 {
			t.Fatalf("%d are in the files before, so the test can tell nothing", n)
		}
		if err := b.j.Purge(t.Context(), journal.Watermark{0: at.Offset - 10}); err != nil {
			t.Fatal(err)
		}
		scrub()
		if n := found(); n != [2]int{0, 10} {
			t.Errorf("in a table %v: found %d times, want 0 and 10", tabled, n)
		}
	}
}

// TestRecordsOfFormat1 opens a database as the program before blocks left it, trimmed up to record 6: it is read on, appended to, trimmed and repaired.
func TestRecordsOfFormat1(t *testing.T) {
	fs := vfs.NewMem()
	b := openBox(t, fs, pebble.Options{})
	if err := b.j.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, b.db, func(wb *kv.Batch) error {
		for _, kv := range [][2]string{
			{"0200000000000000000006", "01d23d976700000000000003ed7369787468"},
			{"0200000000000000000007", "016d96022800000000000003ed"},
			{"0200000000000000000008", "01110388a800000000000003fa656967687468207265636f7264"},
			{"0200000000000000000009", "01f8a5aca800000000000003ff6e696e7468"},
			{"01740000", "01000000000000000600000000000003ed"}, // trim point
			{"0166", "00000001"},
		} {
			k, err1 := hex.DecodeString(kv[0])
			v, err2 := hex.DecodeString(kv[1])
			if err := errors.Join(err1, err2, wb.Set(k, v)); err != nil {
				return err
			}
		}
		return nil
	})
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	b = openBox(t, fs, pebble.Options{})
	defer func() { b.close(t) }()
	if err := b.db.Get([]byte{kv.PrefixMeta, 'f'}, func(v []byte) error {
		if !bytes.Equal(v, []byte{0, 0, 0, kv.FormatVersion}) {
			t.Errorf("the format is noted as %x", v)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if records, size := b.j.Size(nil); records != 3 || size != 18 {
		t.Errorf("%d records, %d bytes, want 3, 18", records, size)
	}
	if records, size := b.j.Size(journal.Watermark{0: 8}); records != 1 || size != 5 {
		t.Errorf("behind record 8: %d records, %d bytes, want 1, 5", records, size)
	}
	if diff := cmp.Diff([]string{"", "eighth record", "ninth"}, payloads(t, b.j)); diff != "" {
		t.Error(diff)
	}
	if pos, err := b.j.Append(t.Context(), journal.Entries(0, []byte("tenth"), []byte("eleventh"))...); err != nil || pos.Offset != 11 {
		t.Errorf("append: %v, %v", pos, err)
	}
	if err := b.j.Purge(t.Context(), journal.Watermark{0: 8}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if diff := cmp.Diff([]string{"ninth", "tenth", "eleventh"}, payloads(t, b.j)); diff != "" {
			t.Error(diff)
		}
		if records, size := b.j.Size(journal.Watermark{0: 10}); records != 1 || size != 8 {
			t.Errorf("behind record 10: %d records, %d bytes, want 1, 8", records, size)
		}
		b.close(t)
		if lost, err := repairOf(t, fs); lost != 0 || err != nil {
			t.Errorf("repair: %d, %v", lost, err)
		}
		b = openBox(t, fs, pebble.Options{})
	}
}

// repairOf repairs the journal of a database that is closed.
func repairOf(t *testing.T, fs vfs.FS) (lost int, err error) {
	t.Helper()
	db, err := kv.Open(t.Context(), kv.Options{Dir: "state", FS: fs})
	if err != nil {
		return 0, err
	}
	write(t, db, func(b *kv.Batch) error { return pebble.PutWatermark(b, journal.Watermark{0: 8}) })
	lost, err = pebble.Repair(t.Context(), db)
	return lost, errors.Join(err, db.Close())
}

// FuzzValue reads any value, its checksum put right or not: what can be read is the same once written again.
func FuzzValue(f *testing.F) {
	for _, list := range [][][]byte{{[]byte("alone")}, {[]byte("one"), nil, []byte("three")}, alike(20, 1000), {[]byte("one"), make([]byte, 70_000)}} {
		_, v := pebble.FormValue(100, 1<<20, list)
		f.Add(uint64(100), v, false)
		f.Add(uint64(3), v[:len(v)-1], true)
	}
	f.Fuzz(func(t *testing.T, offset uint64, v []byte, repair bool) {
		first, total, list, err := pebble.ParseValue(key(offset), v, repair)
		if err != nil {
			return
		}
		if first+uint64(len(list))-1 != offset {
			t.Fatalf("%d records from %d to %d", len(list), first, offset)
		}
		if size := len(bytes.Join(list, nil)); len(list) > 1 && size > pebble.MaxBlockBytes {
			t.Fatalf("%d bytes in a block", size)
		}
		k, again := pebble.FormValue(offset, total, list)
		first2, total2, list2, err := pebble.ParseValue(k, again, false)
		if err != nil || first2 != first || total2 != total || !slices.EqualFunc(list, list2, bytes.Equal) {
			t.Fatalf("written again: %d, %d, %v", first2, total2, err)
		}
	})
}
