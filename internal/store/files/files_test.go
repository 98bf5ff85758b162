package files_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"testing"

	"quipu/internal/fault"
	"quipu/internal/store/files"
)

func picture(t *testing.T) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := png.Encode(&buf, image.NewRGBA(image.Rect(0, 0, 3, 3))); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestPutGetDelete(t *testing.T) {
	s, err := files.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, data := t.Context(), picture(t)
	first, err := s.Put(ctx, data, 1000, files.Images())
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Put(ctx, data, 1000, files.Images())
	if err != nil || again != first {
		t.Errorf("second Put = %q, %v, want %q", again, err, first)
	}
	got, err := s.Get(ctx, first)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("Get = %d bytes, %v, want the %d stored", len(got), err, len(data))
	}
	if err := errors.Join(s.Delete(ctx, first), s.Delete(ctx, first)); err != nil {
		t.Errorf("Delete twice: %v", err)
	}
	if _, err := s.Get(ctx, first); !errors.Is(err, files.ErrNotFound) {
		t.Errorf("Get after Delete: %v, want ErrNotFound", err)
	}
}

func TestPutRefuses(t *testing.T) {
	s, err := files.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		max  int
		code string
	}{
		"too large":        {picture(t), 10, "files.too_large"},
		"html in disguise": {[]byte("<html><script>alert(1)</script>"), 1000, "files.bad_type"},
		"empty":            {nil, 1000, "files.bad_type"},
	} {
		if _, err := s.Put(t.Context(), c.data, c.max, files.Images()); fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want code %s", name, err, c.code)
		}
	}
}

func TestGetRefusesPaths(t *testing.T) {
	s, err := files.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "x", "../../etc/passwd", "zz"} {
		if _, err := s.Get(t.Context(), name); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("Get(%q) = %v, want ErrNotFound", name, err)
		}
	}
}
