package jetstream

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFrame(t *testing.T) {
	t.Parallel()
	for _, payloads := range [][][]byte{{{}}, {[]byte("a")}, {[]byte("a"), {}, bytes.Repeat([]byte("x"), 100_000)}} {
		data, records, size := encode([]*appending{{payloads: payloads[:1]}, {payloads: payloads[1:]}})
		if len(data) > frameSize(payloads[:1])+frameSize(payloads[1:]) {
			t.Errorf("a frame of %d bytes is larger than said", len(data))
		}
		want := 0
		for _, p := range payloads {
			want += len(p)
		}
		if records != len(payloads) || size != want {
			t.Errorf("%d records of %d bytes, want %d of %d", records, size, len(payloads), want)
		}
		got, err := decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(payloads, got); diff != "" {
			t.Error(diff)
		}
		for i := range data { // a bit that flips anywhere is noticed
			data[i] ^= 4
			if _, err := decode(data); !errors.Is(err, errFrame) {
				t.Fatalf("byte %d changed: %v", i, err)
			}
			data[i] ^= 4
			if i > 200 {
				break
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	data, _, _ := encode([]*appending{{payloads: [][]byte{[]byte("one"), {}, []byte("three")}}})
	f.Add(data)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		payloads, err := decode(data)
		if err != nil {
			return
		}
		again, _, _ := encode([]*appending{{payloads: payloads}})
		back, err := decode(again)
		if err != nil || !cmp.Equal(payloads, back) {
			t.Errorf("decoded, encoded and decoded again it differs: %v", err)
		}
	})
}
