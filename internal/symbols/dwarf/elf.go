package dwarf

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"quipu/internal/symbols"
)

// maxSections is how many sections a file has.
const maxSections = 100_000

// openELF opens an ELF file.
func openELF(r io.ReaderAt, size int64, o Options) ([]*image, error) {
	e, err := elf.NewFile(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, symbols.Bad("%v", err)
	}
	if e.Type == elf.ET_REL {
		return nil, symbols.Bad("it was not linked")
	}
	if len(e.Sections) > maxSections {
		return nil, symbols.TooLarge("more than %d sections", maxSections)
	}
	img := &image{order: e.ByteOrder, arch: archOfELF(e.Machine)}
	first := true
	for _, p := range e.Progs {
		if p.Type != elf.PT_LOAD {
			continue
		}
		if first {
			img.base, first = p.Vaddr-p.Off%max(p.Align, 1), false
			if p.Off == 0 {
				img.base = p.Vaddr
			}
		}
		if p.Flags&elf.PF_X != 0 && p.Vaddr+p.Memsz > p.Vaddr && len(img.exec) < maxExec {
			img.exec = append(img.exec, span{p.Vaddr, p.Vaddr + p.Memsz})
		}
	}
	img.id = buildID(e, r, size)
	to := img.sections()
	for _, s := range e.Sections {
		name := strings.TrimPrefix(strings.TrimPrefix(s.Name, ".debug_"), ".zdebug_")
		if at := to[name]; name != s.Name && at != nil && at.r == nil {
			if *at, err = img.sectionOfELF(r, size, s, o); err != nil {
				return []*image{img}, err
			}
		}
	}
	img.symbolsOfELF(e, r, size)
	if err := img.framesOfELF(e, func(s *elf.Section) (section, error) { return img.sectionOfELF(r, size, s, o) }); err != nil {
		return []*image{img}, err
	}
	return []*image{img}, nil
}

// sections are the sections by their names behind ".debug_".
func (m *image) sections() map[string]*section {
	return map[string]*section{
		"info": &m.info, "abbrev": &m.abbrev, "line": &m.line, "str": &m.str, "line_str": &m.lineStr, "str_offsets": &m.strOffsets,
		"addr": &m.addr, "ranges": &m.ranges, "rnglists": &m.rnglists,
	}
}

func archOfELF(m elf.Machine) string {
	switch m { //nolint:exhaustive // others have their own name
	case elf.EM_X86_64:
		return "amd64"
	case elf.EM_386:
		return "386"
	case elf.EM_AARCH64:
		return "arm64"
	case elf.EM_ARM:
		return "arm"
	}
	return strings.ToLower(strings.TrimPrefix(m.String(), "EM_"))
}

// within is a part of a file as a section; empty when it is not within the file.
func within(r io.ReaderAt, size int64, at, n uint64) section {
	if at > uint64(size) || n > uint64(size)-at { // sizes are not negative
		return section{}
	}
	return section{r: r, at: int64(at), size: int64(n)} // within the file
}

// sectionOfELF returns a section, unpacked into the scratch file where it is packed.
func (m *image) sectionOfELF(r io.ReaderAt, size int64, s *elf.Section, o Options) (section, error) {
	if s.Type == elf.SHT_NOBITS {
		return section{}, nil
	}
	in := within(r, size, s.Offset, s.FileSize)
	old := strings.HasPrefix(s.Name, ".zdebug_")
	if s.Flags&elf.SHF_COMPRESSED == 0 && !old {
		return in, nil
	}
	if o.Scratch == nil {
		return section{}, symbols.Bad("it has packed sections")
	}
	var from io.Reader = s.Open()
	if old {
		head := make([]byte, 12)
		if _, err := in.r.ReadAt(head, in.at); err != nil || in.size < 12 || !bytes.HasPrefix(head, []byte("ZLIB")) {
			return section{}, symbols.Bad("a packed section is damaged")
		}
		z, err := zlib.NewReader(io.NewSectionReader(in.r, in.at+12, in.size-12))
		if err != nil {
			return section{}, symbols.Bad("a packed section is damaged")
		}
		from = z
	}
	if m.scratch == nil {
		var err error
		if m.scratch, err = o.Scratch(); err != nil {
			return section{}, err
		}
	}
	left := o.MaxUnpacked - m.unpacked
	n, err := io.Copy(&writerAt{m.scratch, m.unpacked}, io.LimitReader(&unpacking{from}, left+1))
	if err != nil {
		return section{}, err
	}
	if n > left {
		return section{}, symbols.TooLarge("sections of more than %d bytes unpacked", o.MaxUnpacked)
	}
	out := section{r: m.scratch, at: m.unpacked, size: n}
	m.unpacked += n
	return out, nil
}

// unpacking makes faults of what cannot be unpacked.
type unpacking struct{ r io.Reader }

// Read implements io.Reader.
func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = symbols.Bad("a packed section is damaged")
	}
	return n, err
}

// writerAt writes behind an offset.
type writerAt struct {
	w  io.WriterAt
	at int64
}

// Write implements io.Writer.
func (w *writerAt) Write(p []byte) (int, error) {
	n, err := w.w.WriteAt(p, w.at)
	w.at += int64(n)
	if err != nil {
		err = fmt.Errorf("unpack section: %w", err)
	}
	return n, err
}

// buildID returns the build id that the linker made, "" for none.
func buildID(e *elf.File, r io.ReaderAt, size int64) string {
	for _, s := range e.Sections {
		if s.Type != elf.SHT_NOTE || s.FileSize > 1<<16 {
			continue
		}
		in := within(r, size, s.Offset, s.FileSize)
		if id := buildIDNote(&in, e); id != "" {
			return id
		}
	}
	for _, p := range e.Progs {
		if p.Type != elf.PT_NOTE || p.Filesz > 1<<16 {
			continue
		}
		in := within(r, size, p.Off, p.Filesz)
		if id := buildIDNote(&in, e); id != "" {
			return id
		}
	}
	return ""
}

func buildIDNote(in *section, e *elf.File) string {
	if in.r == nil {
		return ""
	}
	p, err := in.read(0, in.size)
	if err != nil {
		return ""
	}
	b := buffer{b: p, order: e.ByteOrder}
	for b.left() >= 12 {
		nameSize, size, kind := b.u32(), b.u32(), b.u32()
		name := b.take(int(nameSize))
		b.skip(uint64(-nameSize & 3))
		desc := b.take(int(size))
		b.skip(uint64(-size & 3))
		if kind == 3 && string(name) == "GNU\x00" && len(desc) > 0 && len(desc) <= 64 {
			return hex.EncodeToString(desc)
		}
	}
	return ""
}

// symbolsOfELF finds the symbol table, the dynamic one where there is no other.
func (m *image) symbolsOfELF(e *elf.File, r io.ReaderAt, size int64) {
	s := e.SectionByType(elf.SHT_SYMTAB)
	if s == nil || s.FileSize == 0 {
		s = e.SectionByType(elf.SHT_DYNSYM)
	}
	if s == nil || s.Link == 0 || int(s.Link) >= len(e.Sections) {
		return
	}
	names := e.Sections[s.Link]
	if s.Flags&elf.SHF_COMPRESSED != 0 || names.Flags&elf.SHF_COMPRESSED != 0 || s.Type == elf.SHT_NOBITS {
		return
	}
	thumb := e.Machine == elf.EM_ARM
	m.table = symtab{entries: within(r, size, s.Offset, s.FileSize), names: within(r, size, names.Offset, names.FileSize), entry: 24}
	fn := func(info uint8, shndx uint16, s symbol) (symbol, bool) {
		if thumb {
			s.addr &^= 1
		}
		kind := elf.ST_TYPE(info)
		return s, (kind == elf.STT_FUNC || kind == elf.STT_GNU_IFUNC) && elf.SectionIndex(shndx) != elf.SHN_UNDEF
	}
	m.table.read = func(b *buffer) (symbol, bool) {
		name, info := b.u32(), b.u8()
		b.skip(1)
		shndx, addr, size := b.u16(), b.uint(8), b.uint(8)
		return fn(info, shndx, symbol{addr, name, uint32(min(size, 1<<32-1))}) // cut
	}
	if e.Class == elf.ELFCLASS32 {
		m.table.entry = 16
		m.table.read = func(b *buffer) (symbol, bool) {
			name, addr, size, info := b.u32(), b.u32(), b.u32(), b.u8()
			b.skip(1)
			return fn(info, b.u16(), symbol{uint64(addr), name, size})
		}
	}
}
