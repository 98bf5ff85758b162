package ch

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Settings are those of statements at a place.
func Settings(p Place, ordered bool) map[string]string { return p.settings(ordered) }

// StatementOf is that of a change.
func StatementOf(p Place, c Change) Statement { return p.statement(c) }

// Decode reads an answer in the Native format.
func Decode(ctx context.Context, data []byte, most int64, claim Claim, fn func(*Block)) error {
	d := newDecoder(ctx, bytes.NewReader(data), most, claim)
	for {
		b, err := d.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return d.because(err)
		}
		fn(b)
	}
}
