package minidump_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	hexadecimal "encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/dwarf"
	"quipu/internal/symbols/minidump"
)

// TestMacOS walks the stacks of dumps of macOS by the tables of its programs (__unwind_info, __eh_frame). The dumps are moments of recorded runs, see
// TestCompactUnwindARM of package dwarf, so that the calls under way are known.
func TestMacOS(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			folder := "../../dwarf/testdata/compact/"
			program := unpacked(t, folder+fmt.Sprintf("arm64-%d.gz", i))
			list, err := dwarf.Open(t.Context(), bytes.NewReader(program), int64(len(program)), dwarf.Options{})
			if err != nil || len(list) != 1 {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(unpacked(t, folder+fmt.Sprintf("arm64-%d.trace.gz", i)))), "\n")
			moments(t, list[0], program, lines, i == 1)
		})
	}
}

func moments(t *testing.T, f *dwarf.File, program []byte, lines []string, keep bool) {
	t.Helper()
	const base, size, end, low, high = 0x200000000, 0x8000, 0x300000000, 0x16ef00000, 0x16f000000
	stack := make([]byte, high-low)
	var calls []uint64
	deepest := 0
	for n, l := range lines {
		words := strings.Fields(l)
		var v []uint64
		for _, w := range words[:14] {
			x, err := strconv.ParseUint(w, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		for _, w := range words[14:] {
			var at, x uint64
			if _, err := fmt.Sscanf(w, "%x=%x", &at, &x); err != nil {
				t.Fatal(err)
			}
			if at >= low && at < high {
				binary.LittleEndian.PutUint64(stack[at-low:], x)
			}
		}
		pc, sp := v[0], v[1]
		if n%23 == 0 {
			d := newDumper()
			regs := make([]byte, 912)
			binary.LittleEndian.PutUint32(regs, 0x400007)
			put := func(number int, x uint64) { binary.LittleEndian.PutUint64(regs[8+8*number:], x) }
			for k, x := range v[4:] {
				put(19+k, x)
			}
			put(29, v[2])
			put(30, v[3])
			put(31, sp)
			put(32, pc)
			name := d.text("/Applications/Shop.app/shop")
			id, err := hexadecimal.DecodeString(guid(f.ID()))
			if err != nil {
				t.Fatal(err)
			}
			cvSize, cvAt := d.blob(append(append([]byte("RSDS"), id...), "\x00\x00\x00\x00shop\x00"...))
			modules := le32(le64(le32(nil, 1), base), size, 0, 0x5f000000, name)
			modules = append(le32(append(modules, make([]byte, 52)...), cvSize, cvAt, 0, 0), make([]byte, 16)...)
			sys := binary.LittleEndian.AppendUint16(nil, 12)
			sys = append(le32(append(sys, make([]byte, 6)...), 14, 1, 0, 0x8101, 0, 0), make([]byte, 24)...)
			d.stream(7, sys)
			d.stream(4, modules)
			stackSize, stackAt := d.blob(stack[sp-low:])
			regsSize, regsAt := d.blob(regs)
			d.stream(3, le32(le64(le32(nil, 1, 100, 0, 0, 0, 0, 0), sp), stackSize, stackAt, regsSize, regsAt))
			dump, err := minidump.Parse(d.done())
			if err != nil {
				t.Fatal(err)
			}
			frames, err := dump.Walk(t.Context(), &dump.Threads[0], func(*minidump.Module) (minidump.Symbols, error) { return own{f}, nil })
			if err != nil {
				t.Fatal(err)
			}
			want, got := []uint64{pc}, []uint64{}
			for _, ret := range slices.Backward(calls) {
				want = append(want, ret-4)
			}
			want = append(want, end-4)
			for k, fr := range frames {
				got = append(got, fr.Addr)
				if k > 0 && fr.How != minidump.ByRules {
					t.Errorf("line %d: frame %d by %s", n+1, k, fr.How)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("line %d, at %#x: -ran +walked:\n%s", n+1, pc, d)
			}
			if len(got) > deepest && keep && *update { // for tests of those that read dumps
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				_, _ = z.Write(d.b)
				if err := errors.Join(z.Close(), os.WriteFile("testdata/macos-arm64.gz", b.Bytes(), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			deepest = max(deepest, len(got))
		}
		switch op := binary.LittleEndian.Uint32(program[pc-base:]); {
		case op&0xfc000000 == 0x94000000:
			calls = append(calls, pc+4)
		case (op == 0xd65f03c0 || op == 0xd65f0bff) && len(calls) > 0:
			calls = calls[:len(calls)-1]
		}
	}
	if deepest < 6 {
		t.Errorf("at most %d frames", deepest)
	}
}
