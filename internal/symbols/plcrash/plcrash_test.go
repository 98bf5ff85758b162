package plcrash_test

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/symbols"
	"quipu/internal/symbols/plcrash"
)

// message writes a message of protocol buffers: numbers and texts by their fields.
func message(pairs ...any) []byte {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		num := uint64(pairs[i].(int))
		switch v := pairs[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, num<<3), uint64(v))
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, num<<3|2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, num<<3|2), uint64(len(v))), v...)
		}
	}
	return b
}

func report(pairs ...any) []byte { return append([]byte("plcrash\x01"), message(pairs...)...) }

// crash is a report as crash_report.proto has it.
func crash() []byte {
	id := "\x0c\x5d\x9f\xa1\xc8\xb2\x3d\x1f\xb2\xf1\xa0\xb1\xc2\xd3\xe4\xf5"
	return report(
		1, message(1, 1, 2, "17.2", 3, 6, 4, 1_900_000_000),
		2, message(1, "com.example.shop", 2, "77", 3, "2.4.0"),
		3, message(1, 0, 2, message(3, 0x104001010), 3, 0),
		3, message(1, 3, 2, message(3, 0x104002020, 6, message(1, "crash", 2, 0x104002000)), 2, message(3, 0x1040030f0), 2, message(3, 0x99), 3, 1, 4, message(1, "x0", 2, 1)),
		4, message(1, 0x104000000, 2, 0x10000, 3, "/var/My Shop.app/My Shop", 4, id, 5, message(1, 1, 2, 0x0100000c, 3, 0)),
		6, message(1, "SIGSEGV", 2, "SEGV_MAPERR", 3, 0x10),
		7, message(1, "My Shop", 2, 55),
		10, "anything",
	)
}

// TestReport reads a report that was built by the published definition: there is no PLCrashReporter outside of Apple's systems.
func TestReport(t *testing.T) {
	t.Parallel()
	b, ok := plcrash.Decode(base64.StdEncoding.EncodeToString(crash()))
	if !ok {
		t.Fatal("not a report")
	}
	got, err := plcrash.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	want := plcrash.Report{OS: "iOS", OSVersion: "17.2", CPU: "arm64", Version: "2.4.0", Build: "77", Program: "My Shop", Text: `SIGSEGV SEGV_MAPERR at 0x10

Thread 3 Crashed:
0   My_Shop                        0x0000000104002020 crash + 32
1   My_Shop                        0x00000001040030f0 0x104000000 + 12528
2   ???                            0x0000000000000099 0x0 + 0

Thread 0:
0   My_Shop                        0x0000000104001010 0x104000000 + 4112

Binary Images:
0x104000000 - 0x10400ffff My_Shop arm64 <0c5d9fa1c8b23d1fb2f1a0b1c2d3e4f5> /var/My Shop.app/My Shop
`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	thrown, err := plcrash.Parse(report(3, message(1, 0, 3, 1), 5, message(1, "NSRangeException", 2, "index 3\nbeyond", 3, message(3, 5))))
	if err != nil || !strings.HasPrefix(thrown.Text, "NSRangeException: index 3 beyond\n\nLast Exception Backtrace:\n0   ???") {
		t.Errorf("%v %s", err, thrown.Text)
	}
}

// TestHostile reads what is no report, and reports that are far too large.
func TestHostile(t *testing.T) {
	t.Parallel()
	whole := crash()
	for name, b := range map[string][]byte{
		"empty": nil, "magic": []byte("plcrash"), "no threads": []byte("plcrash\x01"), "version": append([]byte("plcrash\x02"), whole[8:]...), "noise": []byte("plcrash\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		"length": []byte("plcrash\x01\x1a\xff\xff\xff\xff\x0f"), "cut": whole[:len(whole)-3], "field 0": []byte("plcrash\x01\x00\x00"), "large": append([]byte("plcrash\x01"), make([]byte, 17<<20)...),
	} {
		if _, err := plcrash.Parse(b); fault.CodeOf(err) != symbols.CodeBadFile {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := []byte("plcrash\x01")
	var frames []byte
	for range 2000 {
		frames = append(frames, message(2, message(3, 0x1234, 6, message(1, strings.Repeat("s", 300), 2, 1)))...)
	}
	for range 500 {
		many = append(many, message(3, frames, 4, message(1, -1, 2, -1, 3, strings.Repeat("n", 5000)))...)
		if len(many) > 8<<20 {
			break
		}
	}
	got, err := plcrash.Parse(many)
	if err != nil || len(got.Text) > 210<<10 {
		t.Errorf("%v, %d bytes", err, len(got.Text))
	}
}

// FuzzParse reads reports of strangers.
func FuzzParse(f *testing.F) {
	f.Add(crash())
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := plcrash.Parse(b)
		if err == nil && (r.Text == "" || len(r.Text) > 220<<10) || err != nil && fault.CodeOf(err) != symbols.CodeBadFile {
			t.Errorf("%v, %d bytes", err, len(r.Text))
		}
	})
}
