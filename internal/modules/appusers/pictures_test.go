package appusers_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// upload gives a user a picture of one shade, and returns the picture's hash.
func upload(t *testing.T, s *testkit.Server, a testkit.TestApp, did string, shade uint8) string {
	t.Helper()
	var file, body bytes.Buffer
	if err := png.Encode(&file, image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Gray{Y: shade}})); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(file.Bytes())
	w := multipart.NewWriter(&body)
	f, err := w.CreateFormFile("file", "me.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(file.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	query := testkit.Query("app_key", a.Key, "device_id", did, "user_details", `{"name":"N"}`)
	if r := s.Do(http.MethodPost, "/i?"+query, &body, "Content-Type", w.FormDataContentType()); r.Status != http.StatusOK {
		t.Fatalf("upload: %d %s", r.Status, r.Body)
	}
	return hex.EncodeToString(sum[:])
}

// TestOnePictureOfAUser gives users other pictures: the ones before go once they are old, but not those that somebody has, is about
// to have, or that are young.
func TestOnePictureOfAUser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) {
		c.Data = dir
		c.Modules = map[string]any{"appusers": map[string]any{"pictures_every": "50ms"}}
	}))
	a, b := s.CreateApp("A", "UTC"), s.CreateApp("B", "UTC")
	path := func(hash string) string { return filepath.Join(dir, "files", hash[:2], hash) }
	there := func(hash string) bool {
		_, err := os.Stat(path(hash))
		return err == nil
	}
	age := func(hashes ...string) {
		t.Helper()
		for _, hash := range hashes {
			info, err := os.Stat(path(hash))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path(hash), time.Time{}, info.ModTime().Add(-2*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	gone := func(hash string) {
		t.Helper()
		for range 600 {
			if !there(hash) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("picture %s is still there", hash)
	}

	first, shared := upload(t, s, a, "one", 1), upload(t, s, a, "two", 2)
	upload(t, s, b, "other", 2)
	young := upload(t, s, a, "three", 3)
	s.Flush()
	second := upload(t, s, a, "one", 4)
	upload(t, s, a, "two", 5)   // "other" keeps the one before
	upload(t, s, a, "three", 6) // the one before is young
	s.Flush()
	age(first, shared, second)
	gone(first)
	for name, hash := range map[string]string{"of another app's user": shared, "in use": second, "young": young} {
		if !there(hash) {
			t.Errorf("the picture %s is gone", name)
		}
	}

	// A user who is deleted leaves none, nor one who chooses an address.
	s.Ingest(a, "one", "user_details", `{"picture":"https://example.org/me.png"}`)
	s.Flush()
	gone(second)
	if !there(shared) {
		t.Error("the picture of another app's user is gone")
	}
	s.Admin("/i/apps/delete", "args", `{"app_id":"`+b.ID+`"}`)
	gone(shared)
}
