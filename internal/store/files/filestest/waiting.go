package filestest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/files"
)

// waits has an app upload more than may wait for a sweep.
func waits(t *testing.T, w World) {
	t.Helper()
	s := store(w)
	const size = files.MaxWaiting / 16
	content := func(n int) []byte {
		b := make([]byte, size)
		copy(b, Picture(t))
		binary.BigEndian.PutUint64(b[size-8:], uint64(n))
		return b
	}
	a, b := model.AppID{1}, model.AppID{2}
	upload := func(app model.AppID, n int, want error) string {
		t.Helper()
		hash, err := s.PutWaiting(t.Context(), app, content(n), files.Images())
		if !errors.Is(err, want) {
			t.Fatalf("upload %d: %v, want %v", n, err, want)
		}
		return hash
	}
	crowded := func(want bool) {
		t.Helper()
		if got := s.Crowded(); got != want {
			t.Errorf("crowded %t, want %t", got, want)
		}
	}
	sweep := func(want int) {
		t.Helper()
		old, looked, err := s.Sweep(t.Context(), time.Hour, 100)
		if err != nil || len(old) != want {
			t.Fatalf("%d old files, %v, want %d", len(old), err, want)
		}
		if err := looked(); err != nil {
			t.Fatal(err)
		}
	}
	age := func(hash string) {
		t.Helper()
		w.Age(t, hash[:2]+"/"+hash, 2*time.Hour)
	}

	crowded(false)
	var hashes []string
	for n := range 16 {
		hashes = append(hashes, upload(a, n, nil))
	}
	crowded(true)
	upload(a, 16, files.ErrWaiting)
	upload(a, 3, nil) // is there
	upload(b, 3, nil)
	other := upload(b, 17, nil)
	if got, err := s.Get(t.Context(), other); err != nil || !bytes.Equal(got, content(17)) {
		t.Errorf("the other app's: %d bytes, %v", len(got), err)
	}

	sweep(0) // all are young
	upload(a, 16, files.ErrWaiting)
	age(hashes[0])
	sweep(1)
	last := upload(a, 16, nil)
	upload(a, 18, files.ErrWaiting)
	if err := s.Delete(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	sweep(1)
	upload(a, 18, nil)
	for _, hash := range hashes[1:] {
		age(hash)
	}
	sweep(16)
	crowded(false)
}

// waitsSmall counts a file by what it takes of a disk.
func waitsSmall(t *testing.T, w World) {
	t.Helper()
	s := store(w)
	small := append(Picture(t), make([]byte, 8)...)
	for n := range 20 {
		binary.BigEndian.PutUint64(small[len(small)-8:], uint64(n))
		if _, err := s.PutWaiting(t.Context(), model.AppID{1}, small, files.Images()); err != nil {
			t.Fatal(err)
		}
	}
	large := make([]byte, files.MaxWaiting-20*(4<<10))
	copy(large, small)
	if _, err := s.PutWaiting(t.Context(), model.AppID{1}, append(large, 0), files.Images()); !errors.Is(err, files.ErrWaiting) {
		t.Errorf("a byte more than may wait: %v", err)
	}
	if _, err := s.PutWaiting(t.Context(), model.AppID{1}, large, files.Images()); err != nil {
		t.Errorf("exactly as much as may wait: %v", err)
	}
}
