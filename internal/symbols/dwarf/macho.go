package dwarf

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"quipu/internal/symbols"
)

// Bounds of Mach-O files.
const (
	maxArchs    = 16
	maxCommands = 16 << 20 // bytes
	maxExec     = 64       // sections of code
)

// Load commands.
const (
	commandSegment   = 0x1
	commandSymtab    = 0x2
	commandSegment64 = 0x19
	commandUUID      = 0x1b
	commandStarts    = 0x26
)

// openMachO opens a Mach-O file, or each of those that a universal file has. The standard library's debug/macho reads all symbols into memory,
// so that only its numbers are known here.
func openMachO(r io.ReaderAt, size int64) ([]*image, error) {
	head := make([]byte, 8)
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, symbols.Bad("it is too short")
	}
	magic := binary.BigEndian.Uint32(head)
	if magic != 0xcafebabe && magic != 0xcafebabf {
		img, err := imageOfMachO(r, 0, size)
		if err != nil {
			return nil, err
		}
		return []*image{img}, nil
	}
	n := binary.BigEndian.Uint32(head[4:])
	if n == 0 || n > maxArchs { // a class of Java begins in the same way, and has its version there
		return nil, symbols.Bad("it is no universal file of Mach-O")
	}
	entry := int64(20)
	if magic == 0xcafebabf {
		entry = 32
	}
	list := make([]byte, entry*int64(n))
	if _, err := r.ReadAt(list, 8); err != nil {
		return nil, symbols.Bad("it is too short")
	}
	var out []*image
	for i := range int64(n) {
		p := list[i*entry:]
		at, length := uint64(binary.BigEndian.Uint32(p[8:])), uint64(binary.BigEndian.Uint32(p[12:]))
		if entry == 32 {
			at, length = binary.BigEndian.Uint64(p[8:]), binary.BigEndian.Uint64(p[16:])
		}
		in := within(r, size, at, length)
		if in.r == nil {
			return nil, symbols.Bad("an architecture is not within the file")
		}
		img, err := imageOfMachO(r, in.at, in.size)
		if err != nil {
			return nil, err
		}
		out = append(out, img)
	}
	return out, nil
}

// imageOfMachO reads the commands of the file of one architecture.
func imageOfMachO(r io.ReaderAt, at, size int64) (*image, error) {
	whole := section{r: r, at: at, size: size}
	head, err := whole.read(0, 28)
	if err != nil {
		return nil, symbols.Bad("it is too short")
	}
	img := &image{order: binary.LittleEndian}
	magic := binary.LittleEndian.Uint32(head)
	if magic>>24 != 0xfe { // the bytes are the other way round
		img.order = binary.BigEndian
		magic = binary.BigEndian.Uint32(head)
	}
	wide := magic == 0xfeedfacf
	if magic&^1 != 0xfeedface {
		return nil, symbols.Bad("it is no Mach-O file")
	}
	b := buffer{b: head[4:], order: img.order}
	cpu, sub, kind := b.u32(), b.u32(), b.u32()
	n, length := b.u32(), b.u32()
	img.arch = archOfMachO(cpu, sub)
	if kind == 1 {
		return nil, symbols.Bad("it was not linked")
	}
	if length > maxCommands {
		return nil, symbols.TooLarge("commands of more than %d bytes", maxCommands)
	}
	from := uint64(28)
	if wide {
		from = 32
	}
	commands, err := whole.read(from, int64(length))
	if err != nil {
		return nil, err
	}
	b = buffer{b: commands, order: img.order}
	to := img.sections()
	var starts section
	for range n {
		if b.left() < 8 {
			break
		}
		start := b.at
		command, length := b.u32(), b.u32()
		if length < 8 || uint64(length) > uint64(len(commands)-start) {
			return nil, symbols.Bad("a command is longer than all of them")
		}
		c := buffer{b: commands[start+8 : start+int(length)], order: img.order}
		b.at = start + int(length)
		switch command {
		case commandUUID:
			if id := c.take(16); id != nil {
				img.id = hex.EncodeToString(id)
			}
		case commandSymtab:
			img.symbolsOfMachO(&whole, &c, wide)
		case commandStarts:
			at, size := c.u32(), c.u32()
			starts = within(r, whole.at+whole.size, uint64(whole.at)+uint64(at), uint64(size)) // not negative
		case commandSegment, commandSegment64:
			segmentOfMachO(img, &whole, &c, command == commandSegment64, to)
		}
	}
	if img.compact != nil && starts.size <= maxFrameTable {
		img.compact.starts = starts
	}
	return img, nil
}

func archOfMachO(cpu, sub uint32) string {
	switch cpu {
	case 0x01000007:
		return "amd64"
	case 7:
		return "386"
	case 0x0100000c:
		if sub&0xff == 2 {
			return "arm64e"
		}
		return "arm64"
	case 12:
		return "arm"
	case 0x0200000c:
		return "arm64_32"
	}
	return fmt.Sprintf("cpu %d", cpu)
}

func text(p []byte) string {
	s, _, _ := strings.Cut(string(p), "\x00")
	return s
}

// segmentOfMachO reads a segment and its sections.
func segmentOfMachO(img *image, whole *section, c *buffer, wide bool, to map[string]*section) {
	width := 4
	if wide {
		width = 8
	}
	name := text(c.take(16))
	low := c.uint(width)
	c.skip(3*uint64(width) + 8) // 4 or 8
	n := c.u32()
	c.skip(4)
	if name == "__TEXT" {
		img.base = low
	}
	for range n {
		section := text(c.take(16))
		c.skip(16)
		addr, size, off := c.uint(width), c.uint(width), c.u32()
		c.skip(12)
		flags := c.u32()
		c.skip(8)
		if wide {
			c.skip(4)
		}
		if c.bad {
			return
		}
		const instructions = 0x80000400
		if flags&instructions != 0 && !strings.Contains(section, "stub") && addr+size > addr && len(img.exec) < maxExec {
			img.exec = append(img.exec, span{addr, addr + size})
		}
		if name == "__TEXT" && off != 0 && (flags&0xff == 0 || flags&0xff == 0xb) { // a dSYM has none of them
			in := within(whole.r, whole.at+whole.size, uint64(whole.at)+uint64(off), size) // not negative
			img.tableOfMachO(section, in, addr)
		}
		section = strings.TrimPrefix(section, "__debug_")
		if section == "str_offs" { // names have at most 16 bytes
			section = "str_offsets"
		}
		if at := to[section]; name == "__DWARF" && at != nil && at.r == nil {
			*at = within(whole.r, whole.at+whole.size, uint64(whole.at)+uint64(off), size) // not negative
		}
	}
}

// tableOfMachO keeps a section that stacks are walked by: __unwind_info and the instructions that it is about, __eh_frame.
func (m *image) tableOfMachO(name string, in section, addr uint64) {
	machine := elf.EM_X86_64
	switch m.arch {
	case "amd64":
	case "arm64", "arm64e":
		machine = elf.EM_AARCH64
	default:
		return
	}
	if in.r == nil || in.size > maxFrameTable {
		return
	}
	if m.compact == nil {
		m.compact = &compact{base: m.base, arm: machine == elf.EM_AARCH64}
	}
	switch {
	case name == "__text":
		m.compact.code, m.compact.codeAddr = in, addr
	case name == "__unwind_info":
		m.compact.in = in
	case name == "__eh_frame" && len(m.frames) == 0: // a file may name it any number of times
		m.frames = append(m.frames, &frames{in: in, addr: addr, eh: true, width: 8, names: registersOf(machine)})
	}
}

// symbolsOfMachO reads where the symbol table is.
func (m *image) symbolsOfMachO(whole *section, c *buffer, wide bool) {
	off, n, names, size := c.u32(), c.u32(), c.u32(), c.u32()
	entry := uint64(12)
	if wide {
		entry = 16
	}
	at, end := uint64(whole.at), whole.at+whole.size // not negative
	m.table = symtab{
		entries: within(whole.r, end, at+uint64(off), uint64(n)*entry), names: within(whole.r, end, at+uint64(names), uint64(size)),
		entry: int(entry), prefix: "_", // 12 or 16
		read: func(b *buffer) (symbol, bool) {
			name, kind := b.u32(), b.u8()
			b.skip(3)
			addr := b.uint(4)
			if wide {
				b.at -= 4
				addr = b.uint(8)
			}
			const stab, where, defined = 0xe0, 0x0e, 0x0e
			return symbol{addr: addr, name: name}, kind&stab == 0 && kind&where == defined && name != 0
		},
	}
}
