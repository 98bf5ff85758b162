package whole_test

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

	"github.com/google/go-cmp/cmp"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// upload gives a user a picture of one shade, and returns the picture's hash.
func upload(t *testing.T, s *testkit.Server, a testkit.TestApp, did string, shade uint8) string {
	t.Helper()
	return send(t, s, a, did, drawn(t, shade))
}

// drawn is a picture of one shade.
func drawn(t *testing.T, shade uint8) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Gray{Y: shade}})); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// send uploads a file as a user's picture, with more parameters, and returns its hash.
func send(t *testing.T, s *testkit.Server, a testkit.TestApp, did string, file []byte, more ...string) string {
	t.Helper()
	var body bytes.Buffer
	sum := sha256.Sum256(file)
	w := multipart.NewWriter(&body)
	f, err := w.CreateFormFile("file", "me.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	query := testkit.Query(append([]string{"app_key", a.Key, "device_id", did, "user_details", `{"name":"N"}`}, more...)...)
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

// TestPicturesThatWait has a user replace the picture until the app has as many that wait for a sweep as it may: the next are left out, and
// their requests count, once.
func TestPicturesThatWait(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) {
		c.Data = dir
		c.Modules = map[string]any{"appusers": map[string]any{"pictures_every": "50ms"}}
	}))
	a := s.CreateApp("A", "UTC")
	const size = 4 << 20
	file := func(n uint8) []byte { return append(drawn(t, n), bytes.Repeat([]byte{n}, size-1000)...) }
	picture := func() string {
		t.Helper()
		s.Flush()
		var users struct {
			Data []struct{ Picture string } `json:"aaData"`
		}
		testkit.Decode(t, s.Admin("/o", "app_id", a.ID, "method", "user_details"), &users)
		if len(users.Data) != 1 {
			t.Fatalf("users %+v", users)
		}
		return users.Data[0].Picture
	}
	outcomes := func() map[string]map[string]int64 {
		t.Helper()
		s.Flush()
		var got struct{ Totals map[string]map[string]int64 }
		testkit.Decode(t, s.Admin("/o/ingest/outcomes", "app_id", a.ID), &got)
		return got.Totals
	}
	var kept []string
	for n := range uint8(16) {
		kept = append(kept, send(t, s, a, "d", file(n)))
	}
	left := send(t, s, a, "d", file(16), "timestamp", "1936515600123")
	send(t, s, a, "d", file(16), "timestamp", "1936515600123") // once more
	if got := picture(); got != kept[15] {
		t.Errorf("picture %s, want the last that was kept, %s", got, kept[15])
	}
	if _, err := os.Stat(filepath.Join(dir, "files", left[:2], left)); err == nil {
		t.Error("the picture beyond the quota is stored")
	}
	want := map[string]map[string]int64{
		"request": {"accepted": 17, "duplicate": 1},
		"picture": {"accepted": 16, "picture_quota": 2},
	}
	if diff := cmp.Diff(want, outcomes()); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}

	for _, hash := range kept[:15] {
		path := filepath.Join(dir, "files", hash[:2], hash)
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 { // until the sweep has looked
		if next := send(t, s, a, "d", file(17)); picture() == next {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("no picture is kept after a sweep")
}

// TestErasedPicture erases a person right after an upload: the picture, which another request may be about to name, goes with the sweep.
func TestErasedPicture(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { c.Data = dir }))
	a := s.CreateApp("A", "UTC")
	young, old := upload(t, s, a, "one", 1), upload(t, s, a, "two", 2)
	path := func(hash string) string { return filepath.Join(dir, "files", hash[:2], hash) }
	if err := os.Chtimes(path(old), time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	s.Flush()
	s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", "[1,2]")
	var list struct {
		Data []struct{ State string } `json:"aaData"`
	}
	for range 600 {
		testkit.Decode(t, s.Admin("/o/data_subjects/erasures", "app_id", a.ID), &list)
		if len(list.Data) == 1 && list.Data[0].State == "done" {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if _, err := os.Stat(path(young)); err != nil {
		t.Errorf("the young picture: %v", err)
	}
	if _, err := os.Stat(path(old)); err == nil {
		t.Error("the old picture is still there")
	}
}
