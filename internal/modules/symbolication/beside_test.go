package symbolication_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/modules/symbolication"
	"quipu/internal/testkit/need"
)

// TestProgramBesideSymbols has a dump of macOS, whose stack only the tables of the program lead through, and whose names only another file has: both are
// used, whichever came first.
func TestProgramBesideSymbols(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	dump := base64.StdEncoding.EncodeToString([]byte(real(t, "macos-arm64")))
	code := real(t, "../../dwarf/testdata/compact/arm64-1")
	var uuid string
	for at := 32; at < 4096; at += int(code[at+4]) | int(code[at+5])<<8 {
		if code[at] == 0x1b {
			uuid = strings.ToUpper(fmt.Sprintf("%x", code[at+8:at+24]))
			break
		}
	}
	var sym strings.Builder
	fmt.Fprintf(&sym, "MODULE mac arm64 %s0 shop\nFILE 0 /src/frames.c\n", uuid)
	sym.WriteString("FUNC 3b0 50 0 run_of_symbols\n3b0 50 30 0\nFUNC 400 38 0 again_of_symbols\n400 38 27 0\n")
	group := k.report("dump", fmt.Sprintf(`{"_name":"dump","_binary_crash_dump":%q,"_app_version":"1.0"}`, dump))
	text := func() string { text, _ := k.group(group)["error"].(string); return text }
	want := "\n7   shop run_of_symbols (/src/frames.c:30)\n"
	if got := text(); strings.Contains(got, want) || strings.Contains(got, "again") {
		t.Fatalf("without symbols: %s", got)
	}
	for i := range 2 {
		files := []sent{{"symbols", "shop.sym", sym.String()}, {"symbols", "shop", code}}
		var ids []string
		for n := range files {
			ids = append(ids, k.add("macos", "7.7", files[(n+i)%2]))
		}
		if got := text(); !strings.Contains(got, want) || strings.Count(got, "again_of_symbols (/src/frames.c:27)") != 4 {
			t.Errorf("%d: %s", i, got)
		}
		for _, id := range ids {
			k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", id)
		}
	}
}

// TestDebugFileBesideProgram has a program without lines beside the file that has them.
func TestDebugFileBesideProgram(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	data, id, pay := library(t)
	dir := t.TempDir()
	tool := need.Program(t, "objcopy")
	if err := os.WriteFile(filepath.Join(dir, "whole"), []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(flag, name string) string {
		if out, err := exec.Command(tool, flag, filepath.Join(dir, "whole"), filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	files := []sent{{"symbols", "libshop.so.debug", read("--only-keep-debug", "debug")}, {"symbols", "libshop.so", read("--strip-debug", "stripped")}}
	group := k.report("signal", fmt.Sprintf(`{"_error":%q,"_name":"signal","_os":"Android","_app_version":"3.1"}`, fmt.Sprintf("#00 pc %016x  /data/app/libshop.so (BuildId: %s)", pay+4, id)))
	for i := range 2 {
		var ids []string
		for n := range files {
			ids = append(ids, k.add("android_native", "9.9.9", files[(n+i)%2]))
		}
		if got, _ := k.group(group)["error"].(string); !strings.Contains(got, "cart.cc:3) [inlined]") {
			t.Errorf("%d: %s", i, got)
		}
		for _, id := range ids {
			k.s.Admin("/i/crash_symbols/remove_symbol", "app_id", k.a.ID, "id", id)
		}
	}
}
