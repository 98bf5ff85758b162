// Package plcrash reads the binary reports of PLCrashReporter, which Apple's apps send: "plcrash", a version, and a message of protocol buffers as
// crash_report.proto of the project defines it. The result is a text in the form of Apple's reports, which package native symbolicates.
package plcrash

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"path"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/symbols"
)

// Bounds of a report. Anything beyond them is dropped.
const (
	maxThreads = 200
	maxFrames  = 512 // of a thread
	maxImages  = 2000
	maxName    = 1000       // bytes of a text
	maxText    = 200 << 10  // bytes of what is written
	maxSize    = 16 << 20   // bytes of a report
	magic      = "plcrash"  // and a byte of the version
	base64Head = "cGxjcmFz" // how it begins as base64
)

// Report is a report that was read.
type Report struct {
	OS, OSVersion string // "" unknown
	CPU           string // as Quipu calls processors; "" unknown
	Version       string // of the app, "" unknown
	Build         string // of the app, "" unknown
	Program       string // name of the process, "" unknown
	// Text is the reason for the crash, then the stacks (crashed thread first), then the images.
	Text string
}

// Is reports whether bytes begin a report.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Maybe reports whether a text may be a report as base64.
func Maybe(text string) bool { return strings.HasPrefix(strings.TrimLeft(text, " \r\n"), base64Head) }

// Decode returns a report that was sent as base64, with or without padding and line breaks; false for what is none.
func Decode(text string) ([]byte, bool) {
	if !Maybe(text) {
		return nil, false
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "", " ", "", "-", "+", "_", "/", "=", "").Replace(text))
	return b, err == nil && Is(b)
}

// field is a part of a message: a number, or bytes.
type field struct {
	num  int
	n    uint64
	data []byte
}

// fields calls yield for the parts of a message; false when it is damaged.
func fields(b []byte, yield func(field)) bool {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 || key>>3 == 0 || key>>3 > math.MaxInt32 {
			return false
		}
		b = b[n:]
		f := field{num: int(key >> 3)} // checked
		switch key & 7 {
		case 0:
			if f.n, n = binary.Uvarint(b); n <= 0 {
				return false
			}
		case 1:
			if n = 8; len(b) < n {
				return false
			}
			f.n = binary.LittleEndian.Uint64(b)
		case 2:
			size, m := binary.Uvarint(b)
			if m <= 0 || size > uint64(len(b)-m) { // not negative
				return false
			}
			f.data = b[m : m+int(size)] // within the message
			n = m + int(size)           // within the message
		case 5:
			if n = 4; len(b) < n {
				return false
			}
			f.n = uint64(binary.LittleEndian.Uint32(b))
		default:
			return false
		}
		b = b[n:]
		yield(f)
	}
	return true
}

func (f field) text() string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(f.data[:min(len(f.data), maxName)]), ""))
}

type frame struct {
	pc, start uint64
	symbol    string
}

type thread struct {
	number  uint64
	crashed bool
	frames  []frame
}

type image struct {
	base, size uint64
	name, id   string
	cpu        string
}

// reader is what was read of a report.
type reader struct {
	bad            bool
	out            Report
	threads        []thread
	images         []image
	thrown, reason string
	exception      []frame
	signal, code   string
	address        uint64
}

// Parse reads a report. Faults: symbols.bad_file for what is none, is damaged or has no threads.
func Parse(b []byte) (Report, error) {
	if !Is(b) || len(b) < 9 || b[7] != 1 || len(b) > maxSize {
		return Report{}, bad("it does not begin as one")
	}
	r := &reader{}
	r.each(b[8:], func(f field) {
		switch f.num {
		case 1:
			r.system(f.data)
		case 2:
			r.each(f.data, func(f field) {
				switch f.num {
				case 2:
					r.out.Build = f.text()
				case 3:
					r.out.Version = f.text()
				}
			})
		case 3:
			if len(r.threads) < maxThreads {
				r.thread(f.data)
			}
		case 4:
			if len(r.images) < maxImages {
				r.image(f.data)
			}
		case 5:
			r.each(f.data, func(f field) {
				switch f.num {
				case 1:
					r.thrown = f.text()
				case 2:
					r.reason = f.text()
				case 3:
					r.exception = r.frame(r.exception, f.data)
				}
			})
		case 6:
			r.each(f.data, func(f field) {
				switch f.num {
				case 1:
					r.signal = f.text()
				case 2:
					r.code = f.text()
				case 3:
					r.address = f.n
				}
			})
		case 7:
			r.each(f.data, func(f field) {
				if f.num == 1 {
					r.out.Program = f.text()
				}
			})
		}
	})
	if r.bad || len(r.threads) == 0 {
		return Report{}, bad("it is damaged or has no threads")
	}
	if r.out.Version == "" {
		r.out.Version = r.out.Build
	}
	r.write()
	return r.out, nil
}

func bad(what string) error {
	return fault.New(fault.Invalid, symbols.CodeBadFile, "Report of PLCrashReporter cannot be read: "+what)
}

func (r *reader) each(b []byte, yield func(field)) {
	if !fields(b, yield) {
		r.bad = true
	}
}

func (r *reader) system(b []byte) {
	r.each(b, func(f field) {
		switch f.num {
		case 1:
			r.out.OS = map[uint64]string{0: "macOS", 1: "iOS", 2: "iOS", 4: "tvOS"}[f.n]
		case 2:
			r.out.OSVersion = f.text()
		case 3:
			r.out.CPU = map[uint64]string{0: "x86", 1: "amd64", 2: "arm", 5: "arm", 6: "arm64"}[f.n]
		}
	})
}

func (r *reader) thread(b []byte) {
	var t thread
	r.each(b, func(f field) {
		switch f.num {
		case 1:
			t.number = f.n
		case 2:
			t.frames = r.frame(t.frames, f.data)
		case 3:
			t.crashed = f.n != 0
		}
	})
	r.threads = append(r.threads, t)
}

func (r *reader) frame(list []frame, b []byte) []frame {
	var one frame
	r.each(b, func(f field) {
		switch f.num {
		case 3:
			one.pc = f.n
		case 6:
			r.each(f.data, func(f field) {
				switch f.num {
				case 1:
					one.symbol = f.text()
				case 2:
					one.start = f.n
				}
			})
		}
	})
	if len(list) >= maxFrames {
		return list
	}
	return append(list, one)
}

func (r *reader) image(b []byte) {
	var one image
	r.each(b, func(f field) {
		switch f.num {
		case 1:
			one.base = f.n
		case 2:
			one.size = f.n
		case 3:
			one.name = f.text()
		case 4:
			one.id = hex.EncodeToString(f.data[:min(len(f.data), 16)])
		case 5:
			var encoding, kind uint64
			r.each(f.data, func(f field) {
				switch f.num {
				case 1:
					encoding = f.n
				case 2:
					kind = f.n
				}
			})
			if encoding == 1 { // of Mach
				one.cpu = map[uint64]string{7: "i386", 0x01000007: "x86_64", 12: "arm", 0x0100000c: "arm64"}[kind]
			}
		}
	})
	r.images = append(r.images, one)
}

// bare is the name of an image in frames, which has no spaces.
func (i *image) bare() string {
	name := path.Base(strings.ReplaceAll(i.name, " ", "_"))
	if name == "." || name == "/" {
		return "???"
	}
	return name
}

func (r *reader) imageOf(addr uint64) *image {
	for i := range r.images {
		if img := &r.images[i]; addr >= img.base && addr-img.base < img.size {
			return img
		}
	}
	return nil
}

// write writes the report as a text.
func (r *reader) write() {
	var b strings.Builder
	switch {
	case r.thrown != "":
		b.WriteString(r.thrown)
		if r.reason != "" {
			b.WriteString(": " + r.reason)
		}
	case r.signal != "":
		b.WriteString(r.signal)
		if r.code != "" && r.code != "#0" {
			b.WriteString(" " + r.code)
		}
		fmt.Fprintf(&b, " at 0x%x", r.address)
	default:
		b.WriteString("Report of a process that did not crash")
	}
	b.WriteByte('\n')
	if len(r.exception) > 0 {
		r.stack(&b, "Last Exception Backtrace:", r.exception)
	}
	for _, crashed := range []bool{true, false} {
		for _, t := range r.threads {
			if t.crashed != crashed {
				continue
			}
			head := fmt.Sprintf("Thread %d:", t.number)
			if crashed {
				head = fmt.Sprintf("Thread %d Crashed:", t.number)
			}
			r.stack(&b, head, t.frames)
		}
	}
	b.WriteString("\nBinary Images:\n")
	for i := range r.images {
		img := &r.images[i]
		if b.Len() > maxText || img.size == 0 || img.base > math.MaxUint64-img.size {
			continue
		}
		cpu, id := img.cpu, img.id
		if cpu == "" {
			cpu = "unknown"
		}
		if len(id) != 32 {
			id = strings.Repeat("0", 32)
		}
		fmt.Fprintf(&b, "0x%x - 0x%x %s %s <%s> %s\n", img.base, img.base+img.size-1, img.bare(), cpu, id, img.name)
	}
	r.out.Text = b.String()
}

func (r *reader) stack(b *strings.Builder, head string, list []frame) {
	if b.Len() > maxText*3/4 { // the images need the rest
		return
	}
	b.WriteString("\n" + head + "\n")
	for i, f := range list {
		if b.Len() > maxText*3/4 {
			return
		}
		name, base := "???", uint64(0)
		if img := r.imageOf(f.pc); img != nil {
			name, base = img.bare(), img.base
		}
		fmt.Fprintf(b, "%-4d%-30s 0x%016x ", i, name, f.pc)
		switch {
		case f.symbol != "" && f.start > 0 && f.start <= f.pc:
			fmt.Fprintf(b, "%s + %d\n", f.symbol, f.pc-f.start)
		case base > 0:
			fmt.Fprintf(b, "0x%x + %d\n", base, f.pc-base)
		default:
			b.WriteString("0x0 + 0\n")
		}
	}
}
