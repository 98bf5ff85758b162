package minidump_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/breakpad"
	"quipu/internal/symbols/dwarf"
	"quipu/internal/symbols/minidump"
	"quipu/internal/testkit/need"
)

var update = flag.Bool("update", false, "record again what minidump-processor answers")

// stackwalk is what stacks are compared with, fetch what brings it.
const (
	stackwalk = "../../../bin/tools/stackwalk"
	fetch     = "tools/symbols/fetch.sh"
)

var seed = flag.Uint64("seed", 0, "the one random dump that is compared")

// store has symbol files in the folders in which minidump-stackwalk looks for them.
type store struct {
	dir   string
	files map[string]*breakpad.File
}

func newStore(t *testing.T) *store {
	t.Helper()
	return &store{dir: t.TempDir(), files: map[string]*breakpad.File{}}
}

// add puts a symbol file in.
func (s *store) add(t *testing.T, text []byte) {
	t.Helper()
	f, err := breakpad.Open(t.Context(), bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	s.files[f.ID()] = f
	name := strings.TrimSuffix(f.Name(), ".pdb") + ".sym"
	dir := filepath.Join(s.dir, f.Name(), strings.ToUpper(f.ID()[:32])+f.ID()[32:])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// of returns the symbols of a module.
func (s *store) of(m *minidump.Module) (minidump.Symbols, error) {
	for id, f := range s.files {
		if m.ID != "" && (id == m.ID || id == guid(m.ID)+"0") {
			return f, nil
		}
	}
	return nil, nil
}

// guid is a build id as Breakpad has it.
func guid(id string) string {
	id = (id + strings.Repeat("0", 32))[:32]
	return id[6:8] + id[4:6] + id[2:4] + id[:2] + id[10:12] + id[8:10] + id[14:16] + id[12:14] + id[16:]
}

func line(thread, n int, how, module string, addr uint64, calls []dwarf.Frame) string {
	out := fmt.Sprintf("%d.%d %s %s %#x", thread, n, how, module, addr)
	for _, c := range calls {
		out += " | " + c.Function
		if c.File != "" {
			out += fmt.Sprintf(" (%s:%d)", c.File, c.Line)
		}
	}
	return out
}

// ours are the frames of all threads.
func ours(t *testing.T, dump []byte, s *store) []string {
	t.Helper()
	p, err := minidump.Parse(dump)
	if err != nil {
		return []string{"none"}
	}
	out := []string{fmt.Sprintf("%s crashed %d: %s", p.CPU, p.Crashed, p.Reason())}
	if p.Exception != nil {
		out[0] += fmt.Sprintf(" %#x", p.Exception.Address)
	}
	for i := range p.Threads {
		frames, err := p.Walk(t.Context(), &p.Threads[i], s.of)
		if err != nil {
			t.Fatal(err)
		}
		for n, f := range frames {
			module, addr := "-", f.Addr
			if f.Module != nil {
				module, addr = f.Module.Bare(), addr-f.Module.Base
			}
			out = append(out, line(i, n, f.How, module, addr, f.Calls))
		}
	}
	return out
}

// limited is a command with 2 GB of memory: what walks random stacks may want all there is.
func limited(ctx context.Context, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 2000000 && exec "$0" "$@"`, name}, args...)...)
}

// theirs are the frames that minidump-stackwalk finds.
func theirs(t *testing.T, path, symbols string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // it walks stacks that do not end forever
	defer cancel()
	out, err := limited(ctx, need.File(t, stackwalk, fetch), symbols, path).Output()
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return []string{"none"}
	}
	return parsed(t, out)
}

// parsed are the frames that minidump-processor prints.
func parsed(t *testing.T, out []byte) []string {
	t.Helper()
	type call struct {
		Function, File string
		Line           int
	}
	var got struct {
		Crash struct {
			Thread  *int `json:"crashing_thread"`
			Address string
			Type    string
		} `json:"crash_info"`
		System struct {
			CPU string `json:"cpu_arch"`
		} `json:"system_info"`
		Threads []struct {
			Frames []struct {
				call
				Trust, Module, Offset string
				ModuleOffset          string `json:"module_offset"`
				Inlines               []call
			}
		}
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	crashed := -1
	if got.Crash.Thread != nil {
		crashed = *got.Crash.Thread
	}
	list := []string{fmt.Sprintf("%s crashed %d: %s", got.System.CPU, crashed, got.Crash.Type)}
	if got.Crash.Address != "" {
		list[0] += fmt.Sprintf(" %#x", hex(got.Crash.Address))
	}
	for i, th := range got.Threads {
		for n, f := range th.Frames {
			var calls []dwarf.Frame
			for _, c := range append(f.Inlines, f.call) {
				if c.Function != "" {
					calls = append(calls, dwarf.Frame{Function: dwarf.Demangle(c.Function), File: c.File, Line: c.Line})
				}
			}
			module, addr := "-", hex(f.Offset)
			if f.Module != "" {
				module, addr = f.Module, hex(f.ModuleOffset)
			}
			list = append(list, line(i, n, f.Trust, module, addr, calls))
		}
	}
	return list
}

func hex(text string) (n uint64) {
	_, _ = fmt.Sscanf(text, "0x%x", &n) // 0 for what is none
	return n
}

func unpacked(tb testing.TB, name string) []byte {
	tb.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was read only
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// TestReal walks the stacks of real programs as minidump-stackwalk does: of Windows with and without symbols, of Linux and macOS.
func TestReal(t *testing.T) {
	t.Parallel()
	list, err := filepath.Glob("testdata/*.dmp.gz")
	if err != nil || len(list) < 5 {
		t.Fatal(list, err)
	}
	for _, path := range list {
		for _, with := range []bool{false, true} {
			name := strings.TrimSuffix(filepath.Base(path), ".dmp.gz")
			if with && name != "test" {
				continue
			}
			s := newStore(t)
			if with {
				s.add(t, unpacked(t, "test_app.sym.gz"))
				name += "-symbols"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dump := unpacked(t, filepath.Base(path))
				golden := filepath.Join("testdata", name+".txt")
				if *update {
					file := filepath.Join(t.TempDir(), "a.dmp")
					if err := os.WriteFile(file, dump, 0o600); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(golden, []byte(strings.Join(theirs(t, file, s.dir), "\n")+"\n"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(strings.Split(strings.TrimRight(string(want), "\n"), "\n"), ours(t, dump, s)); d != "" {
					t.Errorf("-minidump-stackwalk +ours:\n%s", d)
				}
			})
		}
	}
}
