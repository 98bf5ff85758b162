package app_test

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
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/clustered"
)

// picture sends a user's picture, and returns its hash and the status of the answer.
func picture(t *testing.T, srv *testkit.Server, of testkit.TestApp, shade uint8) (hash string, status int) {
	t.Helper()
	var file, body bytes.Buffer
	if err := png.Encode(&file, image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Gray{Y: shade}})); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(file.Bytes())
	w := multipart.NewWriter(&body)
	f, err := w.CreateFormFile("file", "me.png")
	if err == nil {
		_, err = f.Write(file.Bytes())
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	r := srv.Do(http.MethodPost, "/i?"+testkit.Query("app_key", of.Key, "device_id", "d1", "user_details", `{"name":"N"}`), &body, "Content-Type", w.FormDataContentType())
	return hex.EncodeToString(sum[:]), r.Status
}

// TestMoveBackEnds moves a cluster to a folder. What follows the switch takes longer than it takes the command to see that it holds no partition any more, which then is as it should be.
// Files that got lost in between are there in the end, and nodes take none any more.
func TestMoveBackEnds(t *testing.T) {
	stores := clustered.NewStores(t)
	node := testkit.New(t, stores.Node())
	shop := node.CreateApp("shop", "UTC")
	node.Ingest(shop, "d1", "begin_session", "1")
	hash, status := picture(t, node, shop, 1)
	if status != http.StatusOK {
		t.Fatalf("a picture: %d", status)
	}
	node.Flush()
	cfg := app.DefaultConfig()
	cfg.Cluster, cfg.Data = stores.File, filepath.Join(t.TempDir(), "data")
	err := os.MkdirAll(cfg.Data, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(cfg.Data, "secret.key"), []byte(strings.Repeat("5a", 32)+"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	left, file := false, filepath.Join(cfg.Data, "files", hash[:2], hash)
	err = app.MoveBack(t.Context(), cfg, app.Process{}, app.MoveOptions{Progress: func(line string) {
		t.Log(line)
		if strings.HasPrefix(line, "all cells, rows") { // as a server does that sweeps
			if err := os.Remove(file); err != nil {
				t.Error(err)
			}
		}
		if strings.HasPrefix(line, "the data has left the cluster") {
			left = true
			time.Sleep(4 * time.Second)
		}
	}})
	if err != nil || !left {
		t.Errorf("the move has ended with %v, the data has left: %v", err, left)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("a file that was removed meanwhile: %v", err)
	}
	if _, status := picture(t, node, shop, 2); status != http.StatusServiceUnavailable {
		t.Errorf("a picture that the folder would not get: %d", status)
	}
	node.Ingest(shop, "d1", "begin_session", "1")
}
