package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit/clustered"
)

// TestClusterFiles uploads a symbol file to one node, and reads and deletes it on another.
func TestClusterFiles(t *testing.T) {
	stores := clustered.NewStores(t)
	secret := filepath.Join(t.TempDir(), "secret.key")
	if err := os.WriteFile(secret, []byte(strings.Repeat("5a", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	node := func() *process {
		t.Helper()
		return startWith(t, []string{"--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--cluster", stores.File}, append([]string{"QUIPU_SECRET_KEY_FILE=" + secret}, admin...)...)
	}
	one := newSide(t, node())
	two := node()
	member := url.Values{"api_key": {one.key}, "app_id": {one.ids[0]}}

	mapping := "com.example.A -> a:\n" + strings.Repeat("    void x() -> y\n", 1<<20) // more than is held in memory
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for key, value := range map[string]string{"api_key": one.key, "app_id": one.ids[0], "platform": "android", "build": "1.0"} {
		if err := form.WriteField(key, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := form.CreateFormFile("symbols", "mapping.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, mapping); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, one.url+"/i/crash_symbols/add_symbol", &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("upload: %d %s, %v", res.StatusCode, answer, err)
	}
	objects, err := filepath.Glob(filepath.Join(stores.S3.Dir, "files/quipu/symbols/*"))
	if err != nil || len(objects) != 1 {
		t.Fatalf("objects %v, %v", objects, err)
	}
	with := func(pairs ...string) url.Values {
		v := url.Values{}
		for key := range member {
			v.Set(key, member.Get(key))
		}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v
	}
	var id string
	for end := time.Now().Add(20 * time.Second); id == ""; time.Sleep(100 * time.Millisecond) {
		_, text := two.get("/o", with("method", "crash_symbols"))
		var list []struct {
			ID string `json:"_id"`
		}
		if json.Unmarshal([]byte(text), &list) == nil && len(list) == 1 {
			id = list[0].ID
		} else if time.Now().After(end) {
			t.Fatalf("the other node lists %s", text)
		}
	}
	for _, p := range []*process{two, two, one.process} {
		if status, got := p.get("/o", with("method", "download_symbol", "symbol_id", id)); status != http.StatusOK || got != mapping {
			t.Errorf("download: %d, %d bytes", status, len(got))
		}
	}
	if status, text := two.get("/i/crash_symbols/remove_symbol", with("args", fmt.Sprintf(`{"id":%q}`, id), "id", id)); status != http.StatusOK {
		t.Fatalf("remove: %d %s", status, text)
	}
	if left, err := filepath.Glob(filepath.Join(stores.S3.Dir, "files/quipu/symbols/*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if status, _ := one.get("/o", with("method", "download_symbol", "symbol_id", id)); status == http.StatusOK {
		t.Error("a symbol that the other node deleted can be downloaded")
	}
	for _, p := range []*process{one.process, two} {
		if err := p.end(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
}
