package symbolication_test

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"quipu/internal/modules/symbolication"
)

// real returns a file of those that the tests of minidumps use.
func real(t *testing.T, name string) string { // as the files are
	t.Helper()
	f, err := os.Open("../../symbols/minidump/testdata/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was read only
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestMinidump has crashes that are minidumps, in each form in which SDKs send them, and symbols of Breakpad that come later.
func TestMinidump(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	dump := base64.StdEncoding.EncodeToString([]byte(real(t, "test.dmp")))
	const name = "EXCEPTION_ACCESS_VIOLATION_WRITE at 0x45"
	group := k.report(name, fmt.Sprintf(`{"_binary_crash_dump":%q,"_app_version":"1.0"}`, dump))
	if other := k.report(name, fmt.Sprintf(`{"_error":%q,"_native_cpp":true,"_app_version":"1.0"}`, dump)); other != group {
		t.Error("a dump in place of the error has another group")
	}
	g := k.group(group)
	const raw = name + "\n\nThread 0 crashed:\n0   test_app.exe + 0x429e\n1   test_app.exe + 0x"
	if text, _ := g["error"].(string); !strings.HasPrefix(text, raw) || g["os"] != "Windows" || g["reports"] != 2.0 {
		t.Fatalf("without symbols: %v %v %s", g["os"], g["reports"], text)
	}
	symbol := k.add("windows", "7.7", sent{"symbols", "test_app.sym", real(t, "test_app.sym")})
	const want = name + "\n\nThread 0 crashed:\n0   test_app.exe `anonymous namespace'::CrashFunction (c:\\test_app.cc:58)\n1   test_app.exe main (c:\\test_app.cc:65)\n" +
		"2   test_app.exe __tmainCRTStartup (f:\\sp\\vctools\\crt_bld\\self_x86\\crt\\src\\crt0.c:327)\n3   kernel32.dll + 0x16fd6"
	g = k.group(group)
	if g["error"] != want {
		t.Errorf("with symbols: %s", g["error"])
	}
	if text, _ := g["raw_error"].(string); !strings.HasPrefix(text, raw) {
		t.Errorf("raw: %s", text)
	}
	if r := k.symbolicate(group, symbol); r.Status != 200 {
		t.Errorf("chosen: %d %s", r.Status, r.Body)
	}
	report, _ := g["data"].([]any)[0].(object)
	if got := k.s.Admin("/o/crashes/download_binary", "app_id", k.a.ID, "crash_id", report["_id"].(string)); got != real(t, "test.dmp") {
		t.Errorf("download has %d bytes", len(got))
	}
	// The same symbols serve a stack that is sent as text.
	text := "Error\n0   test_app.exe + 0x429e\n1   test_app.exe + 0x4200"
	plain := k.report("text", fmt.Sprintf(`{"_error":%q,"_name":"text","_os":"Windows","_app_version":"1.0","_binary_images":{"test_app.exe":{"id":"5A9832E5-2872-41C1-838E-D98914E9B7FF"}}}`, text))
	if got, _ := k.group(plain)["error"].(string); !strings.Contains(got, "CrashFunction (c:\\test_app.cc:58)") || !strings.Contains(got, "main (c:\\test_app.cc:65)") {
		t.Errorf("text: %s", got)
	}
}

// TestHostileMinidump sends dumps and symbols that are not what they say.
func TestHostileMinidump(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	whole := real(t, "test.dmp")
	for i, tt := range []struct{ dump, name string }{
		{whole[:40], "Minidump that cannot be read"},
		{"MDMP\x93\xa7\x00\x00" + strings.Repeat("\xff", 400), "Minidump that cannot be read"},
	} {
		k.report(tt.name, fmt.Sprintf(`{"_error":%q,"_app_version":"2.%d"}`, base64.StdEncoding.EncodeToString([]byte(tt.dump)), i))
	}
	k.report("Unknown", fmt.Sprintf(`{"_binary_crash_dump":%q,"_app_version":"2"}`, base64.StdEncoding.EncodeToString([]byte(whole[:40]))))
	k.report("own", fmt.Sprintf(`{"_error":"own","_binary_crash_dump":%q,"_app_version":"2"}`, base64.StdEncoding.EncodeToString([]byte(whole))))
	for name, text := range map[string]string{
		"no functions": "MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 app\n",
		"no id":        "MODULE Linux x86_64 short app\nFUNC 0 1 0 f\n",
		"noise":        "MODULE " + strings.Repeat("\x00\xff", 5000),
	} {
		if status, body := k.post("/i/crash_symbols/upload_symbol", []string{"app_key", k.a.Key, "platform", "linux", "build", "1"}, sent{"symbols", "a.sym", text}); status != 200 || !strings.Contains(body, "problem") {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}
