package minidump

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/symbols/native"
)

// Bounds of a dump as text.
const (
	maxText        = 200 << 10 // bytes
	maxTextThreads = 64
	maxTextFrames  = 256 // of a thread
)

// Decode returns a dump that was sent as base64 of either alphabet, with or without padding and line breaks; false for what is none.
func Decode(text string) ([]byte, bool) {
	if head := strings.TrimLeft(text, " \r\n"); !strings.HasPrefix(head, "TURNU") { // MDMP
		return nil, false
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "", " ", "", "-", "+", "_", "/", "=", "").Replace(text))
	return b, err == nil && Is(b)
}

// Report is a dump as people read it.
type Report struct {
	// Text is why the process ended, and the stacks of its threads, the one that crashed first.
	Text string
	// Found is how many frames have the name of a function.
	Found int
	// Key is what crashes with the same cause have in common: the reason, and the frames that are sure of the thread that crashed.
	Key string
}

// Read walks the stacks of a dump; of is that of Walk, nil for no symbols. The error is that of ctx or of what knows a module.
func (p *Dump) Read(ctx context.Context, of func(*Module) (Symbols, error)) (Report, error) {
	if of == nil {
		of = func(*Module) (Symbols, error) { return nil, nil }
	}
	var r Report
	var b strings.Builder
	head := p.Reason()
	if head == "" {
		head = "Dump of a process that did not crash"
	}
	r.Key = head
	if p.Exception != nil {
		head += fmt.Sprintf(" at 0x%x", p.Exception.Address)
	}
	b.WriteString(head)
	b.WriteByte('\n')
	order := make([]int, 0, len(p.Threads))
	for i := range p.Threads {
		order = append(order, i)
	}
	if p.Crashed > 0 {
		order = slices.Insert(slices.Delete(order, p.Crashed, p.Crashed+1), 0, p.Crashed)
	}
	for n, i := range order[:min(len(order), maxTextThreads)] {
		t := &p.Threads[i]
		if t.Skipped || t.regs == nil {
			continue
		}
		frames, err := p.Walk(ctx, t, of)
		if err != nil {
			return Report{}, err
		}
		if n == 0 {
			r.Key += p.key(frames)
		}
		b.WriteByte('\n')
		b.WriteString(t.title(i, i == p.Crashed))
		for k := range frames[:min(len(frames), maxTextFrames)] {
			if frames[k].write(&b, k) {
				r.Found++
			}
		}
		if b.Len() > maxText {
			break
		}
	}
	r.Text = strings.TrimRight(b.String(), "\n")
	return r, nil
}

func (t *Thread) title(n int, crashed bool) string {
	out := "Thread " + strconv.Itoa(n)
	if t.Name != "" {
		out += " (" + strings.Map(printable, t.Name) + ")"
	}
	if crashed {
		out += " crashed"
	}
	return out + ":\n"
}

func printable(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

// place is a frame without the name of a function: its module and where in it.
func (f *Frame) place() (module, at string) {
	if f.Module == nil {
		return "???", fmt.Sprintf("0x%x", f.Addr)
	}
	name := strings.Map(func(r rune) rune {
		if r <= ' ' || r == '+' {
			return '_'
		}
		return r
	}, f.Module.Bare())
	if name == "" {
		name = "???"
	}
	return name, fmt.Sprintf("+ 0x%x", f.Addr-f.Module.Base)
}

// write writes a frame, each function of it in a line; named is whether one is known.
func (f *Frame) write(b *strings.Builder, n int) (named bool) {
	module, at := f.place()
	for _, c := range f.Calls {
		if c.Function != "" {
			named = true
			fmt.Fprintf(b, "%-3d %s %s\n", n, module, native.Text(c))
		}
	}
	if !named {
		fmt.Fprintf(b, "%-3d %s %s\n", n, module, at)
	}
	return named
}

// key is where a stack was: its frames that are sure, and, since frames may have been looked for only, the first in the program itself.
func (p *Dump) key(frames []Frame) string {
	var b strings.Builder
	write := func(f *Frame) {
		if f.Module != nil {
			fmt.Fprintf(&b, "\n%s %x", f.Module.Bare(), f.Addr-f.Module.Base)
		}
	}
	sure := 0
	for sure < min(len(frames), 8) && frames[sure].How != ByScan {
		write(&frames[sure])
		sure++
	}
	if slices.ContainsFunc(frames[:sure], func(f Frame) bool { return p.own(f.Module) }) {
		return b.String()
	}
	for i := range frames[sure:] {
		if f := &frames[sure+i]; p.own(f.Module) {
			write(f)
			break
		}
	}
	return b.String()
}

// own reports whether a module is the program itself, which stands first.
func (p *Dump) own(m *Module) bool { return m != nil && m == &p.Modules[0] }
