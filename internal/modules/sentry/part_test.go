package sentry_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"quipu/internal/memory"
	"quipu/internal/modules/sentry"
)

// counting counts what is read through it.
type counting struct {
	r    io.Reader
	read int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.read += int64(n)
	return n, err
}

// TestPartIsCharged reads parts of a form: each byte is charged before it is read, and a budget that is used up ends the read.
func TestPartIsCharged(t *testing.T) {
	t.Parallel()
	data := bytes.Repeat([]byte("x"), 3<<20)
	for _, room := range []int64{0, 1 << 20, 5 << 20, 100 << 20} {
		in, charged := &counting{r: bytes.NewReader(data)}, int64(0)
		got, err := sentry.ReadPart(in, func(n int64) error {
			if in.read*sentry.PartCost > charged {
				t.Errorf("%d bytes were read, %d charged", in.read, charged)
			}
			if charged += n; charged > room {
				return memory.ErrBusy
			}
			return nil
		})
		if whole := room >= 100<<20; whole != (err == nil) || whole && !bytes.Equal(got, data) {
			t.Errorf("with %d bytes: %d read, %v", room, len(got), err)
		}
		if err != nil && in.read*sentry.PartCost > room {
			t.Errorf("with room for %d bytes, %d were read", room, in.read)
		}
		if errors.Is(err, memory.ErrBusy) {
			t.Error("the error of the budget is not put in the words of the protocol")
		}
	}
}
