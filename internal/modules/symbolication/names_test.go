package symbolication_test

import (
	"debug/elf"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/modules/symbolication"
	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

const dartMap = `["CartException","xy","Cart","ab","pay","cd"]`

// TestDartMap has a crash of an obfuscated Flutter app wait for the map of its build, in each form.
func TestDartMap(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	const sentText, want = "xy: no money\\n#0      ab.cd (package:shop/cart.dart:12:3)", "CartException: no money\n#0      Cart.pay (package:shop/cart.dart:12:3)"
	group := k.report("dart", `{"_error":"`+sentText+`","_name":"dart","_os":"Android","_app_version":"3.1"}`)
	text := func() string { text, _ := k.group(group)["error"].(string); return text }
	for name, f := range map[string]sent{
		"as it is": {"symbols", "map.json", dartMap},
		"gzip":     {"symbols", "map.json.gz", gzipped(t, dartMap)},
		"zip":      {"symbols", "symbols.zip", zipped(t, "a/map.json", dartMap, "a/other.json", "7", "mapping.txt", mapping)},
	} {
		if strings.Contains(text(), "CartException") {
			t.Fatalf("%s: without symbols: %s", name, text())
		}
		symbol := k.add("android", "3.1", f)
		if got := text(); got != want {
			t.Errorf("%s: %s", name, got)
		}
		if r := k.symbolicate(group, symbol); r.Status != http.StatusOK {
			t.Errorf("%s: chosen: %d %s", name, r.Status, r.Body)
		}
		k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", symbol)
	}
	if n := k.files(); n != 0 {
		t.Errorf("%d files are left", n)
	}
	k.add("android", "3.2", sent{"symbols", "map.json", dartMap})
	k.add("ios", "3.1", sent{"symbols", "map.json", dartMap})
	if strings.Contains(text(), "CartException") {
		t.Errorf("the map of another build is used: %s", text())
	}
	if status, body := k.post("/i/crash_symbols/add_symbol", []string{"api_key", k.s.Key, "app_id", k.a.ID, "platform", "javascript", "build", "1"}, sent{"symbols", "map.json", dartMap}); status != http.StatusBadRequest || !strings.Contains(body, ".json") {
		t.Errorf("for scripts: %d %s", status, body)
	}
}

// TestUnityLines has a crash of C# that was made into C++, with the symbols of the program and the line map in one archive, as Unity has them, and found by the
// build id alone.
func TestUnityLines(t *testing.T) {
	need.Program(t, "g++")
	k := newKit(t, symbolication.Config{})
	const method = "Cart_Pay_m0123456789ABCDEF0123456789ABCDEF01234567"
	dir := t.TempDir()
	source := "#line 101 \"/b/Il2Cpp/Assembly-CSharp.cpp\"\nextern \"C\" int " + method + "(int by) { volatile int x = by; return x / 2; }\n"
	if err := os.WriteFile(filepath.Join(dir, "a.cc"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("g++", "-g", "-O1", "-shared", "-fPIC", "-Wl,--build-id", "-o", "libil2cpp.so", "a.cc")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "libil2cpp.so"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := elf.Open(filepath.Join(dir, "libil2cpp.so"))
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
	var at uint64
	for _, s := range list {
		if s.Name == method {
			at = s.Value
		}
	}
	const lines = `{"/b/Il2Cpp/Assembly-CSharp.cpp":{"/p/Assets/Cart.cs":{"98":17}}}`
	crash := fmt.Sprintf("signal 11 (SIGSEGV)\\n#00 pc %016x  /data/app/lib/x86_64/libil2cpp.so (BuildId: %s)", at+4, hex.EncodeToString(note[16:]))
	group := k.report("unity", `{"_error":"`+crash+`","_name":"unity","_os":"Android","_app_version":"3.1"}`)
	k.add("android", "other", sent{"symbols", "symbols.zip", zipped(t, "arm64-v8a/libil2cpp.so", string(data), "arm64-v8a/LineNumberMappings.json", lines)})
	got, _ := k.group(group)["error"].(string)
	if want := "libil2cpp.so Cart_Pay (/p/Assets/Cart.cs:17)"; !strings.HasSuffix(got, want) {
		t.Errorf("error is %s, want %s at its end", got, want)
	}
}

// TestHostileNames uploads maps that are damaged, cut short, or of something else: each is kept with what is wrong, and no crash is harmed.
func TestHostileNames(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	group := k.report("dart", `{"_error":"xy: no money","_name":"dart","_os":"Android","_app_version":"3.1"}`)
	for _, text := range []string{"[", "{}", `["a"`, `{"a":{"b":{"1":"x"}}}`, strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 100_000), `["a",` + strings.Repeat("1", 1000), "{\x00}"} {
		symbol := k.add("android", "3.1", sent{"symbols", "map.json", text})
		var list []object
		testkit.Decode(t, k.o("crash_symbols"), &list)
		found := false
		for _, row := range list {
			if row["_id"] == symbol {
				found = true
				if problem, _ := row["problem"].(string); problem == "" {
					t.Errorf("%.20q has no problem", text)
				}
			}
		}
		if !found {
			t.Errorf("%.20q is not listed", text)
		}
		if got, _ := k.group(group)["error"].(string); got != "xy: no money" {
			t.Errorf("%.20q: %s", text, got)
		}
		k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", symbol)
	}
}
