#!/usr/bin/env python3
"""Records how a program of macOS for arm64 runs: record.py PROGRAM ADDRESS > TRACE

The program, a library without imports, is run by Unicorn (pip install unicorn) from the function at ADDRESS (hexadecimal) until that returns. Each line of
the trace is an instruction that is about to run: pc, sp, fp, lr and x19 to x28, then what was written to memory since the line before, as address=value.
TestCompactUnwindARM reads it.
"""
import struct
import sys

from unicorn import UC_ARCH_ARM64, UC_HOOK_CODE, UC_HOOK_MEM_WRITE, UC_MODE_ARM, Uc
from unicorn.arm64_const import UC_ARM64_REG_CPACR_EL1, UC_ARM64_REG_LR, UC_ARM64_REG_PC, UC_ARM64_REG_SP, UC_ARM64_REG_X19, UC_ARM64_REG_X29, UC_CPU_ARM64_MAX

BASE, STACK, END = 0x200000000, 0x16F000000, 0x300000000
data = open(sys.argv[1], "rb").read()
run = int(sys.argv[2], 16)
uc = Uc(UC_ARCH_ARM64, UC_MODE_ARM, UC_CPU_ARM64_MAX)
uc.mem_map(BASE, 1 << 20)
uc.mem_map(STACK - (1 << 20), 1 << 20)
uc.mem_map(END, 4096)
at = 32
for _ in range(struct.unpack_from("<I", data, 16)[0]):
    kind, size = struct.unpack_from("<II", data, at)
    if kind == 0x19:
        addr, _, off, length = struct.unpack_from("<QQQQ", data, at + 24)
        uc.mem_write(BASE + addr, data[off : off + length])
    at += size
uc.reg_write(UC_ARM64_REG_CPACR_EL1, uc.reg_read(UC_ARM64_REG_CPACR_EL1) | 3 << 20)
uc.reg_write(UC_ARM64_REG_SP, STACK - 4096)
uc.reg_write(UC_ARM64_REG_X29, STACK - 2048)
uc.reg_write(UC_ARM64_REG_LR, END)
for i in range(10):
    uc.reg_write(UC_ARM64_REG_X19 + i, 0x1111 * (i + 1))
written = []
shown = [UC_ARM64_REG_PC, UC_ARM64_REG_SP, UC_ARM64_REG_X29, UC_ARM64_REG_LR] + [UC_ARM64_REG_X19 + i for i in range(10)]


def write(_uc, _access, addr, size, value, _data):
    for i in range(size):
        written.append((addr + i, value >> 8 * i & 255))


def code(uc, addr, _size, _data):
    words = sorted({a & ~7 for a, _ in written})
    print(*["%x" % uc.reg_read(r) for r in shown], *["%x=%x" % (w, struct.unpack("<Q", uc.mem_read(w, 8))[0]) for w in words])
    written.clear()


uc.hook_add(UC_HOOK_MEM_WRITE, write)
uc.hook_add(UC_HOOK_CODE, code)
uc.emu_start(BASE + run, END)
