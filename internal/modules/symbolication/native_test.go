package symbolication_test

import (
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/modules/symbolication"
	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

const cart = `namespace shop {
struct Cart { int n; int pay(int by) const; };
static inline __attribute__((always_inline)) int half(int v) { volatile int x = v; return x / 2; }
int Cart::pay(int by) const { return half(n) + by; }
}
`

// library compiles a library and returns its bytes, its build id, and the address of shop::Cart::pay in it.
func library(t *testing.T, flags ...string) (data, id string, pay uint64) {
	t.Helper()
	need.Program(t, "g++")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cart.cc"), []byte(cart), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("g++", append(flags, "-g", "-O1", "-shared", "-fPIC", "-Wl,--build-id", "-o", "libshop.so", "cart.cc")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "libshop.so"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := elf.Open(filepath.Join(dir, "libshop.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }() // it was read only
	note, err := e.Section(".note.gnu.build-id").Data()
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Name == "_ZNK4shop4Cart3payEi" {
			return string(text), hex.EncodeToString(note[16:]), s.Value
		}
	}
	t.Fatal("no function")
	return "", "", 0
}

// report sends a crash and returns the id of its group.
func (k *kit) report(name, json string) string {
	k.Helper()
	k.at = k.at.Add(time.Minute)
	k.s.Clock().Set(k.at)
	k.s.Ingest(k.a, "d", "timestamp", fmt.Sprint(k.at.UnixMilli()), "crash", json)
	k.s.Flush()
	var table struct{ AaData []object }
	testkit.Decode(k, k.o("crashes", "sort", `{"startTs":-1}`), &table)
	for _, row := range table.AaData {
		if row["name"] == name {
			return row["_id"].(string)
		}
	}
	k.Fatalf("no group %q", name)
	return ""
}

// TestNative has crashes of native code wait for their library, which comes in each form that people send, and is found by its build id alone.
func TestNative(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	data, id, pay := library(t)
	packedData, packedID, packedPay := library(t, "-gz=zlib", "-DOTHER")
	tombstone := func(pay uint64, id string) string {
		return fmt.Sprintf("signal 11 (SIGSEGV)\n#00 pc %016x  /data/app/lib/x86_64/libshop.so (pay+4) (BuildId: %s)\n#01 pc 0000000000001234  /system/lib64/libc.so", pay+4, id)
	}
	group := k.report("signal", fmt.Sprintf(`{"_error":%q,"_name":"signal","_os":"Android","_app_version":"3.1"}`, tombstone(pay, id)))
	apple := fmt.Sprintf("0   libshop.so   0x%016x _ZN4shop + 12\n1   libshop.so   0x%016x _ZN4shop + 12", 0x7f0000000000+pay+4, 0x7f0000000000+pay+5)
	other := k.report("other", fmt.Sprintf(`{"_error":%q,"_name":"other","_os":"iOS","_app_version":"3.1","_binary_images":{"libshop.so":{"la":"0x7f0000000000","id":%q}}}`, apple, id))
	third := k.report("third", fmt.Sprintf(`{"_error":%q,"_name":"third","_os":"Android","_app_version":"3.1"}`, tombstone(packedPay, packedID)))
	text := func(group string) string { text, _ := k.group(group)["error"].(string); return text }
	for name, f := range map[string]sent{
		"as it is":    {"symbols", "libshop.so", data},
		"gzip":        {"symbols", "libshop.so.gz", gzipped(t, data)},
		"zip":         {"symbols", "symbols.zip", zipped(t, "lib/x86_64/libshop.so", data, "lib/readme", "x", "mapping.txt", mapping)},
		"wrong name":  {"symbols", "any", data},
		"after other": {"symbols", "libshop.so.debug", data},
	} {
		if got := text(group); strings.Contains(got, "Cart") {
			t.Fatalf("%s: without symbols: %s", name, got)
		}
		symbol := k.add("android_native", "9.9.9", f)
		want := []string{"libshop.so half (", "cart.cc:3) [inlined]\n", "libshop.so shop::Cart::pay(int) const (", "cart.cc:4)\n#01 pc 0000000000001234  /system"}
		for _, w := range want {
			if !strings.Contains(text(group), w) {
				t.Errorf("%s: %q is not in %s", name, w, text(group))
			}
		}
		if got := text(other); strings.Count(got, "shop::Cart::pay(int) const (") != 2 {
			t.Errorf("%s: by the address in memory: %s", name, got)
		}
		if got := text(third); strings.Contains(got, "Cart") {
			t.Errorf("%s: symbols of another build are used: %s", name, got)
		}
		k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", symbol)
	}
	k.add("android", "3.1", sent{"symbols", "libshop.so", data})
	if got := text(third); strings.Contains(got, "Cart") {
		t.Errorf("symbols of the version, but of another build, are used: %s", got)
	}
	k.add("android", "3.1", sent{"symbols", "symbols.zip", zipped(t, "libshop.so", packedData, "mapping.txt", mapping)})
	if got := text(third); !strings.Contains(got, "shop::Cart::pay(int) const (") {
		t.Errorf("packed sections: %s", got)
	}
	if id := k.crash(obfuscated, "Android", "3.1"); text(id) != retraced {
		t.Errorf("a mapping beside libraries is not used: %s", text(id))
	}
	if n := k.files(); n != 4 { // an archive, what it has, a library
		t.Errorf("%d files", n)
	}
}

// TestNativeByVersion finds a program without an id by its name and the version of the app.
func TestNativeByVersion(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	data, _, pay := library(t)
	group := k.report("plain", fmt.Sprintf(`{"_error":"./libshop.so(+%#x) [0x55d0c0001010]","_name":"plain","_os":"Linux","_app_version":"3.1"}`, pay+4))
	k.add("linux", "3.0", sent{"symbols", "libshop.so", data})
	if got, _ := k.group(group)["error"].(string); strings.Contains(got, "Cart") {
		t.Errorf("symbols of another version are used: %s", got)
	}
	symbol := k.add("linux", "3.1", sent{"symbols", "libshop.so", data})
	if got, _ := k.group(group)["error"].(string); !strings.Contains(got, "./libshop.so shop::Cart::pay(int) const (") {
		t.Errorf("error is %s", got)
	}
	if r := k.symbolicate(group, symbol); r.Status != 200 {
		t.Errorf("chosen: %d %s", r.Status, r.Body)
	}
	if got, _ := k.group(group)["error"].(string); !strings.Contains(got, "Cart") {
		t.Errorf("error by chosen symbols is %s", got)
	}
}

// TestHostileNative uploads files that are not what they say.
func TestHostileNative(t *testing.T) {
	k := newKit(t, symbolication.Config{MaxFiles: 2, MaxAppBytes: 64 << 20, MaxFileBytes: 1 << 20})
	data, _, _ := library(t)
	for name, tt := range map[string]struct{ data, want string }{
		"head":      {"\x7fELF", "problem"},
		"cut":       {data[:200], "problem"},
		"class":     {"\xca\xfe\xba\xbe\x00\x00\x00\x41" + strings.Repeat("x", 100), "problem"},
		"universal": {"\xca\xfe\xba\xbe\x00\x00\x00\x02" + strings.Repeat("\xff", 100), "problem"},
		"Mach-O":    {"\xcf\xfa\xed\xfe" + strings.Repeat("\xff", 100), "problem"},
	} {
		status, body := k.post("/i/crash_symbols/upload_symbol", []string{"app_key", k.a.Key, "platform", "ios", "build", "1"}, sent{"symbols", "App", tt.data})
		if status != 200 || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, body := k.post("/i/crash_symbols/upload_symbol", []string{"app_key", k.a.Key, "platform", "javascript", "build", "1"}, sent{"symbols", "App.so", data}); status != 400 {
		t.Errorf("a library as JavaScript: %d %s", status, body)
	}
	k = newKit(t, symbolication.Config{MaxFiles: 2, MaxAppBytes: 64 << 20, MaxFileBytes: 1 << 10})
	packed, _, _ := library(t, "-gz=zlib", "-fno-eliminate-unused-debug-types", "-include", "map")
	if status, body := k.post("/i/crash_symbols/upload_symbol", []string{"app_key", k.a.Key, "platform", "ios", "build", "1"}, sent{"symbols", "App", packed}); status != 200 || !strings.Contains(body, "too large: sections of more than 1024 bytes unpacked") {
		t.Errorf("bomb of sections: %d %s", status, body)
	}
	if n := k.files(); n != 1 {
		t.Errorf("%d files", n)
	}
}
