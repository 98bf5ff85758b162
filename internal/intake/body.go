package intake

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"quipu/internal/memory"
)

// A body has BodyGrace, and then a second for each bodyRate bytes that arrived.
const (
	BodyGrace = 15 * time.Second
	bodyRate  = 2 << 10 // bytes per second
)

// Body is the body of a request as it arrives: charged to a claim, and
// with a deadline that moves on as long as bytes come in.
type Body struct {
	in     *Intake
	r      *http.Request
	src    io.ReadCloser
	conn   *http.ResponseController
	claim  *memory.Claim
	factor int64 // bytes charged for a byte received; 0: the caller charges
	began  time.Time
	due    time.Time // the deadline that was set last
	read   int64
	passed int64 // bytes of read that are held no more
	paid   int64 // of claim
}

// Reader returns the body of r for callers that charge claim themselves.
func (in *Intake) Reader(w http.ResponseWriter, r *http.Request, claim *memory.Claim) *Body {
	return in.body(w, r, claim, 0)
}

func (in *Intake) body(w http.ResponseWriter, r *http.Request, claim *memory.Claim, factor int64) *Body {
	return &Body{in: in, r: r, src: r.Body, conn: http.NewResponseController(w), claim: claim, factor: factor, began: in.o.Now()}
}

// Read implements io.Reader. Errors besides those of the connection: memory.ErrBusy.
func (b *Body) Read(p []byte) (int, error) {
	const most = 64 << 10 // so that little is held before it is charged
	if len(p) > most {
		p = p[:most]
	}
	b.arm()
	n, err := b.src.Read(p)
	b.read += int64(n)
	if need := b.factor*(b.read-b.passed) - b.paid; need > 0 {
		need = max(need, min(b.paid, 1<<20))
		if err := b.claim.Grow(b.r.Context(), need); err != nil {
			return 0, err
		}
		b.paid += need
	}
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		// Work on the request may take longer than its arrival.
		_ = b.conn.SetReadDeadline(time.Time{}) // without a connection there is none
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.in.slowBodies.Add(b.in.Client(b.r))
	}
	return n, err
}

// Passed says that n of the bytes that were read are held no more, since they were written elsewhere. What they were charged is used for
// those that follow.
func (b *Body) Passed(n int64) { b.passed += n }

// arm moves the deadline on.
func (b *Body) arm() {
	due := b.began.Add(BodyGrace + time.Duration(b.read)*time.Second/bodyRate)
	if until := b.claim.Until(); !until.IsZero() && until.Before(due) {
		due = until
	}
	if d := due.Sub(b.due); d < 0 || d > time.Second {
		b.due = due
		_ = b.conn.SetReadDeadline(due) // without a connection there is none
	}
}

// Close implements io.Closer.
func (b *Body) Close() error { return b.src.Close() }
