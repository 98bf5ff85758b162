// Package swift demangles names of Swift: those of Swift 5 ($s, and $e of Embedded Swift), of 4.2 ($S) and of 4 (_T0), as docs/ABI/Mangling.rst of the Swift
// project defines them. What is written is what swift-demangle writes.
//
// A mangled name is a program for a stack: identifiers and operators that take what stands before them. parse runs it and leaves nodes; the printer writes
// them. Neither takes more time or memory than their bounds allow, whatever a name says: substitutions make nodes that are parts of several
// others, so that a short name may stand for a very long one, which is given up.
package swift

import "strings"

// Bounds of a name.
const (
	maxMangled = 8 << 10  // bytes
	maxText    = 32 << 10 // bytes of what is written
	maxDepth   = 400      // nodes within nodes
	maxNodes   = 20_000
)

// Is reports whether a name begins as mangled ones of Swift do.
func Is(name string) bool { return prefix(name) != "" }

// prefix returns what a mangled name begins with.
func prefix(name string) string {
	for _, p := range []string{"$s", "$S", "$e", "_T0"} {
		if strings.HasPrefix(name, p) {
			return p
		}
		if p[0] == '$' && strings.HasPrefix(name, "_"+p) {
			return "_" + p
		}
	}
	return ""
}

// Demangle returns a name as the source has it; false for one that is not mangled, or in a way that is not known.
func Demangle(name string) (string, bool) { return demangle(name, true) }

// demangle is Demangle; sugar is whether optionals, arrays and dictionaries are written as in the source.
func demangle(name string, sugar bool) (text string, ok bool) {
	start := prefix(name)
	if start == "" || len(name) > maxMangled {
		return "", false
	}
	p := &parser{s: name[len(start):], old: start == "_T0", sugar: sugar}
	root := p.parse()
	if root == nil {
		return "", false
	}
	w := &printer{sugar: sugar}
	w.print(root)
	if w.failed || w.b.Len() == 0 {
		return "", false
	}
	return w.b.String(), true
}

// node is a part of a name.
type node struct {
	kind string
	text string
	n    int
	kids []*node
	typ  bool // it can stand where a type does
}

// kid returns a child; nil when there is none.
func (n *node) kid(i int) *node {
	if n == nil || i >= len(n.kids) {
		return nil
	}
	return n.kids[i]
}

// child returns the first child of a kind; nil for none.
func (n *node) child(kind string) *node {
	if n != nil {
		for _, k := range n.kids {
			if k.kind == kind {
				return k
			}
		}
	}
	return nil
}

// standard are the types that have letters of their own, with their kinds.
var standard = map[string]string{
	"A": "V AutoreleasingUnsafeMutablePointer", "a": "V Array", "b": "V Bool", "D": "V Dictionary", "d": "V Double", "f": "V Float", "h": "V Set",
	"I": "V DefaultIndices", "i": "V Int", "J": "V Character", "N": "V ClosedRange", "n": "V Range", "O": "V ObjectIdentifier", "P": "V UnsafePointer",
	"p": "V UnsafeMutablePointer", "R": "V UnsafeBufferPointer", "r": "V UnsafeMutableBufferPointer", "S": "V String", "s": "V Substring", "u": "V UInt",
	"V": "V UnsafeRawPointer", "v": "V UnsafeMutableRawPointer", "W": "V UnsafeRawBufferPointer", "w": "V UnsafeMutableRawBufferPointer", "q": "O Optional",
	"B": "P BinaryFloatingPoint", "E": "P Encodable", "e": "P Decodable", "F": "P FloatingPoint", "G": "P RandomNumberGenerator", "H": "P Hashable",
	"j": "P Numeric", "K": "P BidirectionalCollection", "k": "P RandomAccessCollection", "L": "P Comparable", "l": "P Collection", "M": "P MutableCollection",
	"m": "P RangeReplaceableCollection", "Q": "P Equatable", "T": "P Sequence", "t": "P IteratorProtocol", "U": "P UnsignedInteger", "X": "P RangeExpression",
	"x": "P Strideable", "Y": "P RawRepresentable", "y": "P StringProtocol", "Z": "P SignedInteger", "z": "P BinaryInteger",
	"cA": "P Actor", "cC": "V CheckedContinuation", "cc": "V UnsafeContinuation", "cE": "V CancellationError", "ce": "V UnownedSerialExecutor", "cF": "P Executor",
	"cf": "P SerialExecutor", "cG": "V TaskGroup", "cg": "V ThrowingTaskGroup", "ch": "P TaskExecutor", "cI": "P AsyncIteratorProtocol", "ci": "P AsyncSequence", "cJ": "V UnownedJob",
	"cM": "C MainActor", "cP": "V TaskPriority", "cS": "V AsyncStream", "cs": "V AsyncThrowingStream", "cT": "V Task", "ct": "V UnsafeCurrentTask",
}

// builtin are the types of the compiler behind B.
var builtin = map[byte]string{
	'b': "BridgeObject", 'B': "UnsafeValueBuffer", 'c': "RawUnsafeContinuation", 'D': "DefaultActorStorage", 'd': "NonDefaultDistributedActorStorage",
	'e': "Executor", 'I': "IntLiteral", 'j': "Job", 'P': "PackIndex", 'O': "UnknownObject", 'o': "NativeObject", 'p': "RawPointer", 't': "SILToken", 'w': "Word",
	'A': "ImplicitActor",
}
