package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// retry is after how long (ms) browsers connect again.
const retry = 3000

var errSlow = errors.New("the client does not read")

// wire writes server-sent events. Each write has to end within a limit, so that a client that does
// not read holds nothing for long.
type wire struct {
	w     http.ResponseWriter
	c     *http.ResponseController
	limit time.Duration
}

func newWire(w http.ResponseWriter, limit time.Duration) *wire {
	return &wire{w: w, c: http.NewResponseController(w), limit: limit}
}

// begin sends the header. Proxies are asked not to hold events back.
func (o *wire) begin() error {
	// The limit for reading the request would end the stream.
	if err := o.c.SetReadDeadline(time.Time{}); err != nil {
		return fmt.Errorf("keep the connection: %w", err)
	}
	h := o.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	o.w.WriteHeader(http.StatusOK)
	return o.write(fmt.Appendf(nil, "retry: %d\n\n", retry))
}

// comment is a sign of life that clients ignore.
func (o *wire) comment() error { return o.write([]byte(":\n\n")) }

// send sends an event; id is "" for events that are not resumed after.
func (o *wire) send(kind, id string, v any) error {
	var b bytes.Buffer
	b.WriteString("event: " + kind + "\n")
	if id != "" {
		b.WriteString("id: " + id + "\n")
	}
	b.WriteString("data: ")
	if err := json.NewEncoder(&b).Encode(v); err != nil { // one line: the encoder escapes line breaks
		return fmt.Errorf("write event %s: %w", kind, err)
	}
	b.WriteString("\n")
	return o.write(b.Bytes())
}

// end says why the stream is over.
func (o *wire) end(err error) error { return o.send("end", "", endOf(err)) }

func (o *wire) write(p []byte) error {
	late := time.AfterFunc(o.limit, func() {
		_ = o.c.SetWriteDeadline(time.Unix(1, 0)) // long ago: what is being written fails
	})
	_, err := o.w.Write(p)
	if err == nil {
		err = o.c.Flush()
	}
	if !late.Stop() {
		return errors.Join(errSlow, err)
	}
	return err
}
