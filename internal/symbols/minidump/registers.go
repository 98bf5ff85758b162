package minidump

import "strings"

// cpu is what the walk has to know of a processor.
type cpu struct {
	width  int      // bytes of a register
	size   int      // bytes of a context up to the last register that is read
	names  []string // of the registers
	places []int    // of the registers in a context
	saved  uint64   // the registers that functions restore, a bit each
	ip, sp int      // numbers of registers
	fp     int
	lr     int // -1 = none
}

// The processors. Registers are numbered as they are listed.
var cpus = map[string]*cpu{
	X86: {
		width: 4, size: 204, names: strings.Fields("eip esp ebp ebx esi edi eax ecx edx eflags"),
		places: []int{184, 196, 180, 164, 160, 156, 176, 172, 168, 192}, saved: 0b111100, ip: 0, sp: 1, fp: 2, lr: -1,
	},
	AMD64: {
		width: 8, size: 256, names: strings.Fields("rip rsp rbp rbx r12 r13 r14 r15 rax rdx rcx rsi rdi r8 r9 r10 r11"),
		places: []int{248, 152, 160, 144, 216, 224, 232, 240, 120, 136, 128, 168, 176, 184, 192, 200, 208}, saved: 0b11111100, ip: 0, sp: 1, fp: 2, lr: -1,
	},
	ARM64: arm64(),
}

func arm64() *cpu {
	c := &cpu{width: 8, size: 272, ip: 0, sp: 1, fp: 2, lr: 3}
	c.names, c.places = []string{"pc", "sp", "fp", "lr"}, []int{264, 256, 8 + 29*8, 8 + 30*8}
	c.saved = 1 << 2
	for i := range 29 {
		if i >= 19 {
			c.saved |= 1 << len(c.names)
		}
		c.names, c.places = append(c.names, "x"+itoa(i)), append(c.places, 8+8*i)
	}
	return c
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return string([]rune{rune('0' + n/10), rune('0' + n%10)})
}

// number returns the number of a register by its name; -1 for none.
func (c *cpu) number(name string) int {
	switch {
	case c.lr < 0:
	case name == "x29":
		name = "fp"
	case name == "x30":
		name = "lr"
	}
	for i, n := range c.names {
		if n == name {
			return i
		}
	}
	return -1
}

// registers are those of a frame.
type registers struct {
	cpu    *cpu
	values [40]uint64
	valid  uint64 // a bit for each register whose value is known
}

func (r *registers) ip() uint64 { return r.values[r.cpu.ip] }
func (r *registers) sp() uint64 { return r.values[r.cpu.sp] }

func (r *registers) has(n int) bool { return n >= 0 && r.valid>>n&1 != 0 }

func (r *registers) set(n int, v uint64) {
	r.values[n] = v
	r.valid |= 1 << n
}

// context reads the registers of a thread; nil when they are not known.
func (p *Dump) context(d data) *registers {
	c := cpus[p.CPU]
	if c == nil || len(d) < c.size {
		return nil
	}
	r := &registers{cpu: c}
	for i, at := range c.places {
		v := d.u64(at)
		if c.width == 4 {
			v = uint64(d.u32(at))
		}
		r.set(i, v)
	}
	return r
}
