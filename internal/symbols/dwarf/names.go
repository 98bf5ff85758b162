package dwarf

import (
	"strings"

	"github.com/ianlancetaylor/demangle"

	"quipu/internal/symbols/swift"
)

// maxHops is how many entries one may refer to through others.
const maxHops = 16

// nameOf returns the name of the function at an entry: that of its origin, or of its declaration. "" is unknown. bare is whether it is the
// name alone, without what the source has around it.
func (f *File) nameOf(off uint64) (name string, bare bool, err error) {
	isSwift := false
	for range maxHops {
		u := f.unitAt(off)
		if u == nil {
			return name, true, nil
		}
		var e entry
		ok, err := f.entryAt(u, off, &e)
		if err != nil || !ok {
			return name, true, err
		}
		isSwift = isSwift || u.swift
		linkage, err := f.text(u, e.linkage)
		if err != nil {
			return name, true, err
		}
		if linkage != "" {
			if text := Demangle(linkage); !isSwift || text != linkage {
				return text, false, nil
			}
		}
		if name == "" {
			if name, err = f.text(u, e.name); err != nil {
				return "", true, err
			}
		}
		if isSwift && name != "" {
			return name, false, nil
		}
		next := e.origin
		if !next.is() {
			next = e.spec
		}
		if off, ok = u.reference(next); !ok {
			break
		}
	}
	return Demangle(name), true, nil
}

// maxMangled is how long a name may be that is demangled, in bytes.
const maxMangled = 8 << 10

// Demangle returns a name of C++ or Rust as the source has it, in the style of LLVM's tools, and one of Swift in that of swift-demangle; every other name is
// returned as it is.
func Demangle(name string) string {
	if len(name) > maxMangled {
		return name
	}
	if swift.Is(name) {
		if text, ok := swift.Demangle(name); ok {
			return text
		}
		return name
	}
	switch {
	case strings.HasPrefix(name, "_Z"), strings.HasPrefix(name, "_R"), strings.HasPrefix(name, "___Z"), strings.HasPrefix(name, "__Z"), strings.HasPrefix(name, "____Z"):
		bare := strings.TrimPrefix(name, "_")
		if !strings.HasPrefix(bare, "_") { // "_Z…" keeps it
			bare = name
		}
		if text, err := demangle.ToString(bare, demangle.LLVMStyle, demangle.MaxLength(14)); err == nil {
			return text
		}
	}
	return name
}
