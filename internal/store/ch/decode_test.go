package ch_test

import (
	"testing"

	"quipu/internal/fault"
	"quipu/internal/store/ch"
)

// FuzzAnswer has servers that answer anything: no panic, and no more is held than is allowed.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("\x01\x02\x01a\x26AggregateFunction(groupBitmap, UInt32)\x00\x01\x07\x00\x00\x00\x01\x02xy"))
	f.Add([]byte("\x02\x01\x01a\x06UInt32\x07\x00\x00\x00\x01b\x06String\x03;\x00\n"))
	f.Add([]byte("\x01\xff\xff\xff\xff\x07\x01a\x06String\xff\xff\xff\xff\x07"))
	f.Add([]byte("\x01\x02\x01a\x10Nullable(String)\x00\x01\x01x\x00"))
	f.Add([]byte("\x01\x01\x01a\x16LowCardinality(String)\x01\x00\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x01x\x01\x00\x00\x00\x00\x00\x00\x00\x01"))
	f.Add([]byte("\r\n__exception__\r\nCode: 241. DB::Exception: x (MEMORY_LIMIT_EXCEEDED)"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var held, most int64
		err := ch.Decode(t.Context(), data, 1<<20, meter{&held, &most, 2 << 20}, func(b *ch.Block) {
			for i := range b.Columns {
				if col := &b.Columns[i]; len(col.Whole) != b.Rows && len(col.Number) != b.Rows && len(col.Text) != b.Rows {
					t.Errorf("column %d of %d rows has %d, %d, %d values", i, b.Rows, len(col.Whole), len(col.Number), len(col.Text))
				}
			}
		})
		if err != nil && fault.CodeOf(err) == "" {
			t.Errorf("an error without a code: %v", err)
		}
		if most > 1<<20+64<<10 {
			t.Errorf("%d bytes were charged", most)
		}
	})
}
