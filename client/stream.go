package client

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// maxEvent bounds an event of a stream, bytes.
const maxEvent = 8 << 20

// Event is an event of a stream.
type Event struct {
	Kind string // feed, tiles, end and so on
	ID   string // "" for an event without one
	Data []byte // JSON
}

// Stream reads a stream of the server, such as /o/live/feed, and calls each with every event until that returns an error, the stream ends
// or ctx is done. It returns the first error; nil = the server ended the stream.
func (c *Client) Stream(ctx context.Context, path string, params any, each func(Event) error) error {
	res, err := c.send(ctx, http.MethodGet, path, params, "text/event-stream, application/problem+json")
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if kind := res.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		return fmt.Errorf("%s is no stream, but %s", path, kind)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, maxEvent)
	var e Event
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 {
			if len(e.Data) > 0 {
				if err := each(e); err != nil {
					return err
				}
			}
			e = Event{}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(name) {
		case "event":
			e.Kind = string(value)
		case "id":
			e.ID = string(value)
		case "data":
			if len(e.Data) > 0 {
				e.Data = append(e.Data, '\n')
			}
			e.Data = append(e.Data, value...)
			if len(e.Data) > maxEvent {
				return fmt.Errorf("an event of %s is larger than %d bytes", path, maxEvent)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("stream of %s: %w", path, err)
	}
	return nil
}
