package swift

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "ask Swift's demangler again")

// TestNames holds names to what Swift's own demangler makes of them. It writes optionals, arrays and dictionaries in full there.
func TestNames(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var in bytes.Buffer
		for line := range strings.Lines(string(data)) {
			name, _, _ := strings.Cut(line, " ---> ")
			in.WriteString(name + "\n")
		}
		cmd := exec.Command("../../../bin/tools/swift-names")
		cmd.Stdin = &in
		if data, err = cmd.Output(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("testdata/names.txt", data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, bad := 0, 0
	for line := range strings.Lines(string(data)) {
		name, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ---> ")
		got, ok := demangle(name, false)
		if !ok {
			got = name
		}
		if all++; got == want {
			continue
		}
		if bad++; bad < 20 {
			t.Errorf("%s\n is %s\nwant %s", name, got, want)
		}
	}
	if all < 600 || bad > 0 {
		t.Errorf("%d of %d names differ", bad, all)
	}
}

// TestSugar writes optionals, arrays and dictionaries as the source does.
func TestSugar(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"$s4shop4CartC3pay2by4whenySi_SdSgtKF": "shop.Cart.pay(by: Swift.Int, when: Swift.Double?) throws -> ()",
		"$sSaySDySSSiGGD":                      "[[Swift.String : Swift.Int]]",
		"$syycSgD":                             "(() -> ())?",
		"$sSSSgSgD":                            "Swift.String??",
	} {
		if got, ok := Demangle(name); !ok || got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestHostile demangles names that stand for far more than they are long, or for nothing.
func TestHostile(t *testing.T) {
	t.Parallel()
	double := "$sSi"
	for range 60 { // a dictionary of the one before, twice
		double = "$sSDy" + strings.TrimPrefix(double, "$s")
	}
	grows := "$s1aV"
	for i := range 200 {
		grows += "SDyA" + string(rune('A'+i%20)) + "A" + string(rune('A'+i%20)) + "G"
	}
	for _, name := range []string{
		"", "$s", "$sA", "$s0", "$s00", "$s0a", "$s99999999999999999999a", "$sA2048_", "$sA999999999A", "$sS2048i", "$s" + strings.Repeat("y", 8000), double, grows + "D",
		"$s" + strings.Repeat("Sg", 4000) + "D", "$sSi" + strings.Repeat("Sg", 4000) + "D", "$sSi" + strings.Repeat("m", 8000) + "D", "$s" + strings.Repeat("1a", 4000),
		"$s0099999a", "$s004____", "$s001aaaaa", "$s3abcr9999999999_l", "$sTf" + strings.Repeat("n", 5000) + "_n", "$sxl" + strings.Repeat("R", 1000), strings.Repeat("$s", 10_000),
		"$s\xff\xfe", "$s1\x00", "$s4shopL_", "$sIegy" + strings.Repeat("y", 5000) + "_", "$s1aA2047A",
	} {
		began := time.Now()
		text, ok := Demangle(name)
		if took := time.Since(began); took > time.Second || len(text) > maxText || ok && text == "" {
			t.Errorf("%.40q: %v, %d bytes, %v", name, took, len(text), ok)
		}
	}
}

// FuzzDemangle demangles names of strangers: the same way each time, within bounds.
func FuzzDemangle(f *testing.F) {
	data, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		f.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if n++; n%5 == 0 || n < 60 {
			name, _, _ := strings.Cut(line, " ---> ")
			f.Add(name)
		}
	}
	f.Fuzz(func(t *testing.T, name string) {
		text, ok := Demangle(name)
		again, _ := Demangle(name)
		if again != text || len(text) > maxText || ok && (text == "" || !Is(name)) {
			t.Errorf("%q is %q, then %q", name, text, again)
		}
	})
}

func BenchmarkDemangle(b *testing.B) {
	for b.Loop() {
		Demangle("$s8Commands0B3SetV10updateFlag3key5value6originyAA8InputKeyV_xAA0G6OriginVtKSQRzlFZSb_Tg5")
	}
}
