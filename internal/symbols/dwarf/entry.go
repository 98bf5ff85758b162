package dwarf

import "quipu/internal/symbols"

// Attributes, as far as they are used.
const (
	attrName          = 0x03
	attrStmtList      = 0x10
	attrLow           = 0x11
	attrHigh          = 0x12
	attrLanguage      = 0x13
	attrCompDir       = 0x1b
	attrOrigin        = 0x31
	attrSpecification = 0x47
	attrRanges        = 0x55
	attrCallColumn    = 0x57
	attrCallFile      = 0x58
	attrCallLine      = 0x59
	attrLinkage       = 0x6e
	attrStrBase       = 0x72
	attrAddrBase      = 0x73
	attrRangesBase    = 0x74
	attrMIPSLinkage   = 0x2007
	attrGNURangesBase = 0x2132
	attrGNUAddrBase   = 0x2133
)

// Tags, as far as they are used.
const (
	tagInlined = 0x1d
	tagFunc    = 0x2e
)

// Languages, as far as they are used.
const langSwift = 0x1e

// Forms.
const (
	formAddr          = 0x01
	formBlock2        = 0x03
	formBlock4        = 0x04
	formData2         = 0x05
	formData4         = 0x06
	formData8         = 0x07
	formString        = 0x08
	formBlock         = 0x09
	formBlock1        = 0x0a
	formData1         = 0x0b
	formFlag          = 0x0c
	formSdata         = 0x0d
	formStrp          = 0x0e
	formUdata         = 0x0f
	formRefAddr       = 0x10
	formRef1          = 0x11
	formRef2          = 0x12
	formRef4          = 0x13
	formRef8          = 0x14
	formRefUdata      = 0x15
	formIndirect      = 0x16
	formSecOffset     = 0x17
	formExprloc       = 0x18
	formFlagPresent   = 0x19
	formStrx          = 0x1a
	formAddrx         = 0x1b
	formRefSup4       = 0x1c
	formStrpSup       = 0x1d
	formData16        = 0x1e
	formLineStrp      = 0x1f
	formRefSig8       = 0x20
	formImplicitConst = 0x21
	formLoclistx      = 0x22
	formRnglistx      = 0x23
	formRefSup8       = 0x24
	formStrx1         = 0x25
	formStrx2         = 0x26
	formStrx3         = 0x27
	formStrx4         = 0x28
	formAddrx1        = 0x29
	formAddrx2        = 0x2a
	formAddrx3        = 0x2b
	formAddrx4        = 0x2c
	formGNUAddrIndex  = 0x1f01
	formGNUStrIndex   = 0x1f02
	formGNURefAlt     = 0x1f20
	formGNUStrpAlt    = 0x1f21
)

// value is the value of an attribute. form 0 = the entry has none.
type value struct {
	form uint16
	u    uint64
	text []byte // of formString
}

func (v value) is() bool { return v.form != 0 }

// address reports whether the value is an address, itself or by its index.
func (v value) address() bool {
	switch v.form {
	case formAddr, formAddrx, formAddrx1, formAddrx2, formAddrx3, formAddrx4, formGNUAddrIndex:
		return true
	}
	return false
}

// entry is what is used of a debugging information entry.
type entry struct {
	tag                            uint16
	children                       bool
	low, high, ranges              value
	name, linkage                  value
	origin, spec                   value
	callFile, callLine, callColumn uint64
	stmtList, compDir              value
	lang                           uint64
	strBase, addrBase, rangesBase  value
}

// entry reads an entry; the code must have been read, and a must be its abbreviation.
func (u *unit) entry(b *buffer, a *abbrev, e *entry) error {
	*e = entry{tag: a.tag, children: a.children}
	for i := range a.attrs {
		at := &a.attrs[i]
		v, err := u.value(b, at.form, at.implicit)
		if err != nil {
			return err
		}
		switch at.name {
		case attrName:
			e.name = v
		case attrLinkage, attrMIPSLinkage:
			e.linkage = v
		case attrLow:
			e.low = v
		case attrHigh:
			e.high = v
		case attrRanges:
			e.ranges = v
		case attrOrigin:
			e.origin = v
		case attrSpecification:
			e.spec = v
		case attrCallFile:
			e.callFile = v.u
		case attrCallLine:
			e.callLine = v.u
		case attrCallColumn:
			e.callColumn = v.u
		case attrStmtList:
			e.stmtList = v
		case attrCompDir:
			e.compDir = v
		case attrLanguage:
			e.lang = v.u
		case attrStrBase:
			e.strBase = v
		case attrAddrBase, attrGNUAddrBase:
			e.addrBase = v
		case attrRangesBase, attrGNURangesBase:
			e.rangesBase = v
		}
	}
	return nil
}

// sizes are the bytes of forms that have always as many.
var sizes = [...]uint8{
	formData1: 1, formFlag: 1, formRef1: 1, formStrx1: 1, formAddrx1: 1,
	formData2: 2, formRef2: 2, formStrx2: 2, formAddrx2: 2,
	formStrx3: 3, formAddrx3: 3,
	formData4: 4, formRef4: 4, formStrx4: 4, formAddrx4: 4, formRefSup4: 4,
	formData8: 8, formRef8: 8, formRefSig8: 8, formRefSup8: 8,
}

// value reads the value of an attribute.
func (u *unit) value(b *buffer, form uint16, implicit int64) (value, error) {
	v := value{form: form}
	if int(form) < len(sizes) && sizes[form] > 0 {
		v.u = b.uint(int(sizes[form]))
		return v, nil
	}
	switch form {
	case formAddr:
		v.u = b.uint(int(u.addrSize))
	case formBlock2:
		b.skip(b.uint(2))
	case formBlock4:
		b.skip(b.uint(4))
	case formBlock1:
		b.skip(b.uint(1))
	case formBlock, formExprloc:
		b.skip(b.uleb())
	case formString:
		v.text = b.str()
	case formSdata:
		v.u = uint64(b.sleb()) // the bits are kept
	case formUdata, formRefUdata, formStrx, formAddrx, formLoclistx, formRnglistx, formGNUAddrIndex, formGNUStrIndex:
		v.u = b.uleb()
	case formRefAddr:
		if u.version <= 2 {
			v.u = b.uint(int(u.addrSize))
		} else {
			v.u = b.offset(u.is64)
		}
	case formStrp, formSecOffset, formLineStrp, formStrpSup, formGNURefAlt, formGNUStrpAlt:
		v.u = b.offset(u.is64)
	case formFlagPresent:
		v.u = 1
	case formData16:
		b.skip(16)
	case formImplicitConst:
		v.u = uint64(implicit) // the bits are kept
	case formIndirect:
		form := b.uleb()
		if form == formIndirect || form == formImplicitConst || b.bad {
			return v, symbols.Bad("an attribute has an unknown form")
		}
		return u.value(b, small(form), 0)
	default:
		return v, symbols.Bad("an attribute has an unknown form")
	}
	return v, nil
}

// text returns the text of a value; "" for none, and for texts of other files.
func (f *File) text(u *unit, v value) (string, error) {
	switch v.form {
	case formString:
		return string(v.text[:min(len(v.text), maxString)]), nil
	case formStrp:
		return f.image.str.text(v.u)
	case formLineStrp:
		return f.image.lineStr.text(v.u)
	case formStrx, formStrx1, formStrx2, formStrx3, formStrx4, formGNUStrIndex:
		n := 4
		if u.is64 {
			n = 8
		}
		if v.u > 1<<32 {
			return "", symbols.Bad("it refers beyond the end of a section")
		}
		off, err := f.image.strOffsets.number(u.strBase+v.u*uint64(n), n, f.image.order) // 4 or 8
		if err != nil {
			return "", err
		}
		return f.image.str.text(off)
	}
	return "", nil
}

// address returns the address of a value.
func (f *File) address(u *unit, v value) (uint64, error) {
	if v.form == formAddr {
		return v.u, nil
	}
	if v.u > 1<<32 {
		return 0, symbols.Bad("it refers beyond the end of a section")
	}
	return f.image.addr.number(u.addrBase+v.u*uint64(u.addrSize), int(u.addrSize), f.image.order)
}

// reference returns the offset of the entry that a value refers to; false for none that is in the file.
func (u *unit) reference(v value) (uint64, bool) {
	switch v.form {
	case formRef1, formRef2, formRef4, formRef8, formRefUdata:
		return u.off + v.u, v.u < 1<<62
	case formRefAddr:
		return v.u, true
	}
	return 0, false
}

// span is a range of addresses, without its end.
type span struct{ low, high uint64 }

// spans calls yield for each range of addresses of an entry. It costs f.work.
func (f *File) spans(u *unit, e *entry, yield func(span)) error {
	if e.ranges.is() {
		return f.rangeList(u, e.ranges, yield)
	}
	if !e.low.address() || !e.high.is() {
		return nil
	}
	low, err := f.address(u, e.low)
	if err != nil {
		return err
	}
	high := low + e.high.u
	if e.high.address() {
		if high, err = f.address(u, e.high); err != nil {
			return err
		}
	}
	if high > low {
		yield(span{low, high})
	}
	return nil
}

// rangeList reads a list of ranges of DWARF 2 to 4, or of 5.
func (f *File) rangeList(u *unit, v value, yield func(span)) error {
	if u.version >= 5 {
		return f.rangeList5(u, v, yield)
	}
	off, size, base := v.u, int(u.addrSize), u.low
	most := uint64(1)<<(8*u.addrSize-1)<<1 - 1
	for {
		low, err := f.image.ranges.number(off, size, f.image.order)
		if err != nil {
			return err
		}
		high, err := f.image.ranges.number(off+uint64(size), size, f.image.order)
		if err != nil {
			return err
		}
		if f.work -= 16; f.work < 0 {
			return errWork()
		}
		off += 2 * uint64(size)
		switch {
		case low == 0 && high == 0:
			return nil
		case low == most:
			base = high
		case high > low:
			yield(span{base + low, base + high})
		}
	}
}

func (f *File) rangeList5(u *unit, v value, yield func(span)) error {
	s, order := &f.image.rnglists, f.image.order
	off := v.u
	if v.form == formRnglistx {
		n := 4
		if u.is64 {
			n = 8
		}
		if v.u > 1<<32 {
			return symbols.Bad("it refers beyond the end of a section")
		}
		rel, err := s.number(u.rangesBase+v.u*uint64(n), n, order) // 4 or 8
		if err != nil {
			return err
		}
		off = u.rangesBase + rel
	}
	base := u.low
	for {
		p, err := s.peek(off, 64)
		if err != nil {
			return err
		}
		if f.work -= 16; f.work < 0 {
			return errWork()
		}
		b := buffer{b: p[:min(len(p), 64)], order: order}
		indexed := func() uint64 {
			a, failed := f.address(u, value{form: formAddrx, u: b.uleb()})
			if failed != nil {
				err = failed
			}
			return a
		}
		var low, high uint64
		switch kind := b.u8(); kind {
		case 0:
			if b.bad {
				return symbols.Bad("a list of ranges has no end")
			}
			return nil
		case 1: // base by index
			base = indexed()
		case 2: // both by index
			low, high = indexed(), indexed()
		case 3: // begin by index, length
			low = indexed()
			high = low + b.uleb()
		case 4: // offsets from the base
			low, high = base+b.uleb(), base+b.uleb()
		case 5: // base
			base = b.uint(int(u.addrSize))
		case 6:
			low, high = b.uint(int(u.addrSize)), b.uint(int(u.addrSize))
		case 7:
			low = b.uint(int(u.addrSize))
			high = low + b.uleb()
		default:
			return symbols.Bad("a list of ranges has an unknown entry")
		}
		if err != nil {
			return err
		}
		if b.bad {
			return symbols.Bad("a list of ranges has no end")
		}
		if high > low {
			yield(span{low, high})
		}
		off += uint64(b.at) // within the buffer
	}
}
