package symbolication_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/modules/symbolication"
	"quipu/internal/testkit"
)

// noise is a file of n bytes that cannot be packed.
func noise(n int) string {
	var seed [32]byte
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(seed).Read(b) // never fails
	return string(b)
}

// large sends a form as a client does that waits for the server to want the body.
func (k *kit) large(address string, pairs []string, files ...sent) (int, string) {
	k.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i+1 < len(pairs); i += 2 {
		if err := w.WriteField(pairs[i], pairs[i+1]); err != nil {
			k.Fatal(err)
		}
	}
	for _, f := range files {
		p, err := w.CreateFormFile(f.field, f.name)
		if err == nil {
			_, err = io.WriteString(p, f.data)
		}
		if err != nil {
			k.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		k.Fatal(err)
	}
	r, err := http.NewRequestWithContext(k.Context(), http.MethodPost, k.s.URL()+address, &body)
	if err != nil {
		k.Fatal(err)
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Expect", "100-continue") // a refusal comes before the body, which would otherwise meet a closed connection
	client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute, DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		k.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }() // it is read to its end
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		k.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// unfinished counts files that are being written.
func (k *kit) unfinished() int {
	k.Helper()
	list, err := filepath.Glob(filepath.Join(k.dir, "files", "symbols", "*.part"))
	if err != nil {
		k.Fatal(err)
	}
	return len(list)
}

// smallBodies makes a kit whose server holds bodies of at most 1 MiB.
func smallBodies(t *testing.T, cfg symbolication.Config) *kit {
	t.Helper()
	k := &kit{T: t, at: start}
	k.s = testkit.New(t, testkit.At(start), testkit.WithConfig(func(c *app.Config) {
		k.dir, c.Ingest.MaxBody = c.Data, 1<<20
		c.Modules = map[string]any{"symbolication": cfg}
	}))
	k.a = k.s.CreateApp("shop", "UTC")
	return k
}

// TestLargeUpload uploads what no body may hold: it goes to disk as it arrives, and symbolicates like a small one.
func TestLargeUpload(t *testing.T) {
	k := smallBodies(t, symbolication.Config{MaxFiles: 10, MaxAppBytes: 200 << 20, MaxFileBytes: 64 << 20})
	id := k.crash(obfuscated, "Android", "2.0")
	padded := mapping + strings.Repeat("# a line that says nothing at all of any class or method\n", 1<<21/57)
	byKey := "/i/crash_symbols/upload_symbol?app_key=" + k.a.Key
	byMember := "/i/crash_symbols/add_symbol?" + testkit.Query("api_key", k.s.Key, "app_id", k.a.ID)
	for _, tt := range []struct {
		name, address string
		file          sent
	}{
		{"by the key of the app", byKey, sent{"symbols", "mapping.txt", padded}},
		{"by a member", byMember, sent{"symbols", "mapping.txt", padded}},
		{"packed", byMember, sent{"symbols", "mapping.zip", zipped(t, "x.png", noise(2<<20), "mapping.txt", mapping)}},
	} {
		status, body := k.large(tt.address, []string{"platform", "android", "build", "2.0"}, tt.file)
		var out struct {
			ID string `json:"_id"`
		}
		if status != http.StatusOK || strings.Contains(body, "problem") {
			t.Fatalf("%s: %d %s", tt.name, status, body)
		}
		testkit.Decode(t, body, &out)
		if g := k.group(id); g["error"] != retraced {
			t.Errorf("%s: error is %v", tt.name, g["error"])
		}
		if got := k.o("download_symbol", "symbol_id", out.ID); got != tt.file.data {
			t.Errorf("%s: download of %d bytes, want %d", tt.name, len(got), len(tt.file.data))
		}
		k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", out.ID)
		if n := k.files(); n != 0 {
			t.Errorf("%s: %d files after removal", tt.name, n)
		}
	}
	if status, body := k.large(byMember, []string{"platform", "ios", "build", "1"}, sent{"symbols", "app.zip", noise(24 << 20)}); status != http.StatusBadRequest || !strings.Contains(body, "not a zip file") {
		t.Errorf("24 MiB: %d %s", status, body)
	}
	if n := k.files(); n != 0 {
		t.Errorf("%d files are left", n)
	}
}

// TestLargeUploadRefused sends large bodies that are not to be kept: none of their bytes stays on disk.
func TestLargeUploadRefused(t *testing.T) {
	k := smallBodies(t, symbolication.Config{MaxFiles: 2, MaxAppBytes: 4 << 20, MaxFileBytes: 2 << 20})
	own := k.a
	other := k.s.CreateApp("other", "UTC")
	form := []string{"platform", "android", "build", "1"}
	file := sent{"symbols", "mapping.txt", mapping + noise(2<<20)}
	key, member := "/i/crash_symbols/upload_symbol", "/i/crash_symbols/add_symbol"
	for _, tt := range []struct {
		name, address string
		pairs         []string
		files         []sent
		status        int
		want          string
	}{
		{"no key in the address", key, append(form, "app_key", own.Key), []sent{file}, 401, "App does not exist"},
		{"wrong key", key + "?app_key=x", form, []sent{file}, 401, "App does not exist"},
		{"key of another app in the form", key + "?app_key=" + own.Key, append(form, "app_key", other.Key), []sent{file}, 401, "App does not exist"},
		{"no credentials in the address", member, append(form, "api_key", k.s.Key, "app_id", own.ID), []sent{file}, 400, "Missing parameter"},
		{"wrong credentials", member + "?api_key=x&app_id=" + own.ID, form, []sent{file}, 401, "User does not exist"},
		{"another app in the form", member + "?" + testkit.Query("api_key", k.s.Key, "app_id", own.ID), append(form, "app_id", other.ID), []sent{file}, 200, "Success"},
		{"beyond the quota", key + "?app_key=" + own.Key, form, []sent{{"symbols", "a.txt", noise(3 << 20)}}, 413, "The symbol files of the app exceed their space limit"},
		{"far beyond the quota", key + "?app_key=" + own.Key, form, []sent{{"symbols", "a.txt", noise(9 << 20)}}, 413, "Request is too large"},
		{"large field", key + "?app_key=" + other.Key, append(form, "note", noise(3<<20)), nil, 413, "Request is too large"},
		{"too many files", key + "?app_key=" + other.Key, form, []sent{file, {"symbols", "b.txt", "b"}, {"symbols", "c.txt", "c"}}, 400, "exceeds the maximum"},
		{"program", key + "?app_key=" + other.Key, form, []sent{{"symbols", "a.exe", file.data}}, 400, "extension is not allowed"},
		{"bomb", key + "?app_key=" + other.Key, form, []sent{{"symbols", "a.zip", zipped(t, "a.bin", noise(1<<20), "a.txt", strings.Repeat("a", 3<<20))}}, 413, "too large"},
	} {
		before := k.files()
		status, body := k.large(tt.address, tt.pairs, tt.files...)
		if status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d %s, want %d %s", tt.name, status, body, tt.status, tt.want)
		}
		if n := k.files(); status != http.StatusOK && n != before {
			t.Errorf("%s: %d files were left", tt.name, n-before)
		}
	}
	var of, ofOther []object
	testkit.Decode(t, k.o("crash_symbols"), &of)
	k.a = other
	testkit.Decode(t, k.o("crash_symbols"), &ofOther)
	if len(of) != 1 || len(ofOther) != 0 {
		t.Errorf("the app of the address has %d symbols, that of the form %d", len(of), len(ofOther))
	}
}

// TestRefusedWhileSending is refused by its third file and goes on sending slowly, as clients do that read no answer before their body is
// sent: the answer reaches it.
func TestRefusedWhileSending(t *testing.T) {
	k := smallBodies(t, symbolication.Config{MaxFiles: 2, MaxAppBytes: 8 << 20, MaxFileBytes: 8 << 20})
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := range 3 {
		p, err := w.CreateFormFile("symbols", fmt.Sprint(i, ".txt"))
		if err == nil {
			_, err = io.WriteString(p, noise(1<<20))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(k.s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // its answer is read
	_, err = fmt.Fprintf(conn, "POST /i/crash_symbols/upload_symbol?app_key=%s&platform=ios&build=1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		k.a.Key, w.FormDataContentType(), body.Len(), body.Next(2<<20+512<<10))
	for err == nil && body.Len() > 0 { // for longer than the server waits before it closes a connection that it is done with
		time.Sleep(100 * time.Millisecond)
		_, err = conn.Write(body.Next(64 << 10))
	}
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }() // it is read to its end
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusBadRequest || !strings.Contains(string(text), "exceeds the maximum") {
		t.Errorf("%d %s %v", answer.StatusCode, text, err)
	}
}

// TestLargeAtOnce sends more large uploads at a time than there is room for: together they stay within the quota.
func TestLargeAtOnce(t *testing.T) {
	k := smallBodies(t, symbolication.Config{MaxFiles: 2, MaxAppBytes: 8 << 20, MaxFileBytes: 8 << 20})
	var wg sync.WaitGroup
	var mu sync.Mutex
	kept := 0
	for i := range 8 {
		wg.Go(func() {
			status, body := k.large("/i/crash_symbols/upload_symbol?app_key="+k.a.Key, []string{"platform", "ios", "build", fmt.Sprint(i)}, sent{"symbols", "a.txt", noise(3 << 20)})
			mu.Lock()
			defer mu.Unlock()
			switch status {
			case http.StatusOK:
				kept++
			case http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable:
			default:
				t.Errorf("%d %s", status, body)
			}
		})
	}
	wg.Wait()
	if kept == 0 || kept > 2 || k.files() != kept || k.unfinished() != 0 {
		t.Errorf("%d uploads of 3 MiB were kept in 8 MiB; there are %d files, %d of them unfinished", kept, k.files(), k.unfinished())
	}
}

// TestKeySwitchedOff has an app refuse uploads by its key, small and large.
func TestKeySwitchedOff(t *testing.T) {
	k := smallBodies(t, symbolication.Config{MaxFiles: 2, MaxAppBytes: 8 << 20, MaxFileBytes: 8 << 20})
	k.s.Admin("/i/apps/update/plugins", "app_id", k.a.ID, "args", `{"crashes":{"upload_by_key":false}}`)
	address := "/i/crash_symbols/upload_symbol?app_key=" + k.a.Key
	form := []string{"platform", "android", "build", "1"}
	for _, data := range []string{mapping, mapping + noise(2<<20)} {
		if status, body := k.large(address, form, sent{"symbols", "mapping.txt", data}); status != http.StatusForbidden || !strings.Contains(body, "switched off") {
			t.Errorf("%d bytes: %d %s", len(data), status, body)
		}
	}
	k.add("android", "1", sent{"symbols", "mapping.txt", mapping})
	var out struct {
		ByKey bool `json:"by_key"`
	}
	testkit.Decode(t, k.o("crash_symbols_overview"), &out)
	if out.ByKey || k.files() != 1 {
		t.Errorf("overview: %+v, %d files", out, k.files())
	}
}

// TestOverview lists symbols with their sizes, and the builds with crashes that have none.
func TestOverview(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	k.crash(obfuscated, "Android", "1.0")
	k.crash(obfuscated, "Android", "2.0")
	k.crash(obfuscated+"\n\tat x.y(z:1)", "Android", "2.0")
	k.crash("boom", "iOS", "2.0")
	k.s.Ingest(k.a, "d", "timestamp", fmt.Sprint(k.at.UnixMilli()), "crash", `{"_error":"native","_os":"Linux","_app_version":"9","_build_uuid":"AB-1"}`)
	k.s.Flush()
	k.add("android", "2.0", sent{"symbols", "mapping.gz", gzipped(t, mapping)})
	k.s.Clock().Set(k.at.Add(time.Minute))
	k.add("android", "1.0", sent{"symbols", "mapping.txt", "nothing"}) // cannot be read
	k.s.Clock().Set(k.at.Add(2 * time.Minute))
	k.add("javascript", "ab-1", sent{"symbols", "app.js.map", bundle})
	type missing struct {
		OS, Version, Build, UUID string
		Reports                  int
	}
	var out struct {
		Symbols []struct {
			Platform, Problem string
			Builds            []string
			Size              int
			Files             []object
		}
		Missing    []missing
		Used, Most int
	}
	testkit.Decode(t, k.o("crash_symbols_overview"), &out)
	want := []missing{{"Android", "1.0", "", "", 1}, {"iOS", "2.0", "", "", 1}}
	if fmt.Sprint(out.Missing) != fmt.Sprint(want) {
		t.Errorf("missing: %v, want %v", out.Missing, want)
	}
	sum := 0
	for _, sym := range out.Symbols {
		sum += sym.Size
	}
	packed := len(gzipped(t, mapping)) + len(mapping)
	if len(out.Symbols) != 3 || out.Symbols[0].Platform != "javascript" || out.Symbols[1].Problem == "" || out.Symbols[2].Size != packed || out.Used != sum || out.Most != 1<<30 {
		t.Errorf("overview: %+v", out)
	}
}
