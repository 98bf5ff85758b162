package native_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/dwarf"
	"quipu/internal/symbols/native"
	"quipu/internal/testkit/need"
)

// fake is an image in which the address 0x100001000 + n is line n of a function that was inlined into another.
type fake struct{}

func (fake) Base() uint64 { return 0x100000000 }

func (fake) Symbol(name string) (uint64, bool) {
	return 0x100001000, name == "known" || strings.HasPrefix(name, "_kDart")
}

func (fake) Find(_ context.Context, addr uint64) ([]dwarf.Frame, error) {
	n := int(addr) - 0x100001000 // small
	if n < 0 || n > 1000 {
		return nil, nil
	}
	return []dwarf.Frame{{Function: "inner(int)", File: "/src/a.cc", Line: n, Column: 3, Inlined: true}, {Function: "-[Cart pay:]", File: "/src/b.m", Line: 7}}, nil
}

func symbolicate(t *testing.T, text string, images []native.Image, own native.Image) (string, []string) {
	t.Helper()
	var asked []string
	out, _, err := native.Parse(text, images, own).Symbolicate(t.Context(), func(img native.Image) (native.Source, error) {
		asked = append(asked, img.Name+" "+img.ID)
		if img.Name == "UIKitCore" {
			return nil, nil
		}
		return fake{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, asked
}

const (
	found = "%sinner(int) (/src/a.cc:%d) [inlined]\n%s-[Cart pay:] (/src/b.m:7)\n"
	uuid  = "0c5d9fa1c8b23d1fb2f1a0b1c2d3e4f5"
)

// TestForms symbolicates a frame in each form that is known, with each way to find where its image is.
func TestForms(t *testing.T) {
	t.Parallel()
	own := native.Image{Name: "Shop App", ID: uuid, Load: 0x104000000}
	for _, tt := range []struct {
		name, text string
		images     string
		before     string
		line       int
		asked      string
	}{
		{"offset of the image", "3   Shop                                0x0000000104001010 Shop + 4112\n", "", "3   Shop                                0x0000000104001010 ", 15, "Shop "},
		{"first frame", "0   Shop                                0x0000000104001010 Shop + 4112\n", "", "0   Shop                                0x0000000104001010 ", 16, "Shop "},
		{"header of the image", "2  Shop  0x0000000104001010 _mh_execute_header + 4112\n", "", "2  Shop  0x0000000104001010 ", 15, "Shop "},
		{"load address", "2  Shop  0x0000000104001010 0x104000000 + 4112\n", "", "2  Shop  0x0000000104001010 ", 15, "Shop "},
		{"own program", "2  Shop App  0x0000000104001010 main + 2\n", "", "2  Shop App  0x0000000104001010 ", 15, "Shop App " + uuid},
		{"object of images", "2  Kit  0x0000000104001010 $s3Kit3payyyF + 2\n", `{"Kit":{"la":"0x104000000","id":"0C5D9FA1-C8B2-3D1F-B2F1-A0B1C2D3E4F5"}}`, "2  Kit  0x0000000104001010 ", 15, "Kit " + uuid},
		{"list of images", "2  Kit  0x0000000104001010 pay + 2\n", `[{"name":"/x/Kit","la":4362076160,"id":"` + uuid + `"}]`, "2  Kit  0x0000000104001010 ", 15, "Kit " + uuid},
		{"signed pointer", "2  Shop  0x8000000104001010 0x104000000 + 4112\n", "", "2  Shop  0x8000000104001010 ", 15, "Shop "},
		{
			"images in the text", "2  Kit Two  0x0000000104001010 pay + 2\n\nBinary Images:\n0x104000000 -        0x104ffffff +Kit Two arm64  <0c5d9fa1c8b23d1fb2f1a0b1c2d3e4f5> /var/Kit Two\n", "",
			"2  Kit Two  0x0000000104001010 ", 15, "Kit Two " + uuid,
		},
		{
			"Android", "      #01 pc 0000000100001010  /data/app/~~x==/lib/arm64/libshop.so (pay(int)+20) (BuildId: 0c5d9fa1c8b23d1fb2f1a0b1c2d3e4f500112233)\n", "",
			"      #01 pc 0000000100001010  /data/app/~~x==/lib/arm64/libshop.so ", 16, "libshop.so 0c5d9fa1c8b23d1fb2f1a0b1c2d3e4f500112233",
		},
		{"Android within the package", "#00 pc 0000000100001010  /data/app/base.apk!libshop.so (offset 0x1000) (pay+20)\n", "", "#00 pc 0000000100001010  /data/app/base.apk!libshop.so ", 16, "libshop.so "},
		{"Dart", "build_id: '0c5d9fa1c8b23d1fb2f1a0b1c2d3e4f5'\n    #00 abs 000000723d6346d7 virt 0000000100001010 _kDartIsolateSnapshotInstructions+0x10\n", "", "    #00 ", 16, "app " + uuid},
		{"Dart without symbols", "    #01 abs 000000723d6346d7 virt 0000000100001010 <unknown>\n", "", "    #01 ", 16, "app "},
		{"glibc", "./shop(+0x1010) [0x55d0c0001010]\n", "", "./shop ", 16, "shop "},
		{"glibc with a symbol", "/usr/lib/libshop.so(known+0x10) [0x55d0c0001010]\n", "", "/usr/lib/libshop.so ", 16, "libshop.so "},
		{"offset alone", " 4  libshop.so + 0x1010\n", "", " 4  libshop.so ", 15, "libshop.so "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, asked := symbolicate(t, "Fatal\n"+tt.text, native.Images(tt.images), own)
			head, _, _ := strings.Cut(tt.text, "\n    #")
			want := "Fatal\n"
			if strings.HasPrefix(head, "build_id") {
				want += head + "\n"
			}
			want += fmt.Sprintf(found, tt.before, tt.line, tt.before)
			if _, rest, ok := strings.Cut(tt.text, "\n\n"); ok {
				want += "\n" + rest
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if len(asked) != 1 || asked[0] != tt.asked {
				t.Errorf("asked for %q, want %q", asked, tt.asked)
			}
		})
	}
}

// TestUntouched keeps lines that are no frames, or of which nothing is known, as they are.
func TestUntouched(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "\n\n", "0", "java.lang.Error: 0\n\tat a.b.c(D.java:10)", "TypeError: x\n    at n (https://shop.example/app.js:1:9)",
		"1   UIKitCore   0x0000000104001010 -[UIView draw] + 12", "1   Shop   0x0000000104001010 -[Cart pay] + 12", "1   Shop   0x00000001f4001010 0x104000000 + 4026535952",
		"#00 pc 00000000ffffffff  libx.so", "./a(main+0x1) [0x1]", "#0  int (..)", strings.Repeat("1   a   0x0000000104001010 ", 1000),
	} {
		if got, _ := symbolicate(t, text, nil, native.Image{}); got != text {
			t.Errorf("%.80q becomes %.200q", text, got)
		}
	}
}

// TestIDs compares ids in the forms in which builds are named.
func TestIDs(t *testing.T) {
	t.Parallel()
	const build = "0c5d9fa1c8b23d1fb2f1a0b1c2d3e4f500112233"
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{build, build, true},
		{build, "A19F5D0C-B2C8-1F3D-B2F1-A0B1C2D3E4F50", true},
		{build, build[:32], true},
		{"", build, false},
		{build, "1" + build[1:], false},
		{"0C5D9FA1-C8B2-3D1F-B2F1-A0B1C2D3E4F5", uuid, true},
		{"main", "main", false},
	} {
		if got := native.SameID(native.ID(tt.a), native.ID(tt.b)); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a, tt.b, got)
		}
	}
}

const tracer = `#include <execinfo.h>
#include <unistd.h>
static inline __attribute__((always_inline)) void dump(int n) { void *p[20]; backtrace_symbols_fd(p, backtrace(p, 20) + n, 1); }
__attribute__((noinline)) static int third(int a) {
	dump(0);
	return a + 1;
}
static inline __attribute__((always_inline)) int second(int a) {
	int r = third(a);
	return r * 2;
}
__attribute__((noinline)) static int first(int a) {
	int r = second(a);
	return r + 3;
}
int main(int argc, char **argv) {
	int r = first(argc);
	return r > 100;
}
`

// TestProcess symbolicates what a process writes of itself.
func TestProcess(t *testing.T) {
	t.Parallel()
	need.Program(t, "gcc")
	for _, flags := range []string{"-O1 -pie -fPIE", "-O2 -no-pie -rdynamic"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.c"), []byte(tracer), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("gcc", append(strings.Fields(flags), "-g", "-fno-optimize-sibling-calls", "-o", "shop", "a.c")...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := exec.Command(filepath.Join(dir, "shop")).Output()
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(filepath.Join(dir, "shop"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }() // it was read only
		st, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		list, err := dwarf.Open(t.Context(), f, st.Size(), dwarf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, n, err := native.Parse(string(text), nil, native.Image{}).Symbolicate(t.Context(), func(img native.Image) (native.Source, error) {
			if img.Name == "shop" {
				return list[0], nil
			}
			return nil, nil
		})
		if err != nil || n < 3 {
			t.Fatalf("%d frames, %v: %s", n, err, text)
		}
		var got []string
		for _, m := range regexp.MustCompile(`shop (\w+) \(.*/a\.c:(\d+)\)( \[inlined\])?`).FindAllStringSubmatch(out, -1) {
			got = append(got, m[1]+" "+m[2]+m[3])
		}
		want := []string{"dump 3 [inlined]", "third 5", "second 9 [inlined]", "first 13", "main 17"}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s\n%s\n%s", flags, d, text, out)
		}
	}
}

// FuzzTrace reads texts of strangers.
func FuzzTrace(f *testing.F) {
	f.Add("3   Shop   0x0000000104001010 Shop + 4112\n#01 pc 0000000100001010  libshop.so\n", `{"Kit":{"la":"0x104000000","id":"x"}}`)
	f.Fuzz(func(t *testing.T, text, images string) {
		_, _, err := native.Parse(text, native.Images(images), native.Image{Name: "Shop", Load: 0x104000000}).Symbolicate(t.Context(), func(native.Image) (native.Source, error) { return fake{}, nil })
		if err != nil {
			t.Error(err)
		}
	})
}
