// Package symbols holds what the readers of symbol files share: their bounds
// and their faults. The readers are in the folders below; they know no module,
// open no path that a file names, and take time only while their context lives.
package symbols

import (
	"context"
	"fmt"
	"io"

	"quipu/internal/fault"
)

// Codes of faults that readers of symbol files return.
const (
	CodeBadFile  = "symbols.bad_file"  // Invalid: a file that is not what it says
	CodeTooLarge = "symbols.too_large" // TooLarge: more bytes, lines or levels than are read
)

// Bad returns the fault of a file that cannot be read, with what is wrong with it.
func Bad(format string, args ...any) error {
	return fault.New(fault.Invalid, CodeBadFile, "Symbol file cannot be read: "+fmt.Sprintf(format, args...))
}

// TooLarge returns the fault of a file that is beyond a bound.
func TooLarge(format string, args ...any) error {
	return fault.New(fault.TooLarge, CodeTooLarge, "Symbol file is too large: "+fmt.Sprintf(format, args...))
}

// MaxTrace is how many bytes of a trace are symbolicated; what follows stays as it is.
const MaxTrace = 1 << 20

// MaxTraceLines is how many lines a symbolicated trace has at most; what follows is left out.
const MaxTraceLines = 20_000

// Reader reads from r until the context ends.
func Reader(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx: ctx, r: r} }

type reader struct {
	ctx context.Context // a reader has no other way to be cancelled; it lives as long as one call
	r   io.Reader
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, fmt.Errorf("read symbol file: %w", err)
	}
	return r.r.Read(p)
}
