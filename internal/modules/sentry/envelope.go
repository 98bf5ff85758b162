package sentry

import (
	"bytes"
	"encoding/json"

	"quipu/internal/ingest/rawjson"
)

// Bounds of envelopes.
const (
	maxItems  = 200
	maxHeader = 64 << 10 // bytes
)

// header is what stands in front of an envelope.
type header struct {
	EventID text `json:"event_id"`
	DSN     text `json:"dsn"`
}

// item is a part of an envelope. kind "" is one that cannot be read.
type item struct {
	kind       string
	data       []byte
	name       string // of a file
	mediaType  string
	attachment string // kind of an attachment
}

type itemHeader struct {
	Type        text `json:"type"`
	Length      *int `json:"length"`
	Filename    text `json:"filename"`
	ContentType text `json:"content_type"`
	Attachment  text `json:"attachment_type"`
}

// line returns a line without its end, and what follows it.
func line(b []byte) (first, rest []byte) {
	first, rest, _ = bytes.Cut(b, []byte{'\n'})
	return bytes.TrimRight(first, "\r"), rest
}

// split takes an envelope apart. What stands before a fault counts; behind it, where items begin cannot be known, which is one item of no kind.
func split(body []byte) (header, []item, error) {
	var head header
	first, rest := line(body)
	if len(first) > maxHeader || rawjson.KindOf(rawjson.Trim(first)) != rawjson.Object || !rawjson.Valid(rawjson.Trim(first)) {
		return head, nil, errEnvelope
	}
	_ = json.Unmarshal(first, &head) // valid; a field of another type stays empty
	var out []item
	for len(bytes.TrimSpace(rest)) > 0 {
		if len(out) >= maxItems {
			return head, append(out, item{}), nil
		}
		var h itemHeader
		first, rest = line(rest)
		if len(bytes.TrimSpace(first)) == 0 {
			continue
		}
		if len(first) > maxHeader || !rawjson.Valid(rawjson.Trim(first)) || json.Unmarshal(first, &h) != nil || h.Type == "" {
			return head, append(out, item{}), nil //nolint:nilerr // an item that cannot be read is one without a kind
		}
		it := item{kind: string(h.Type), name: string(h.Filename), mediaType: string(h.ContentType), attachment: string(h.Attachment)}
		if h.Length == nil {
			it.data, rest = line(rest)
		} else {
			if *h.Length < 0 || *h.Length > len(rest) {
				return head, append(out, item{}), nil
			}
			it.data, rest = rest[:*h.Length], rest[*h.Length:]
			if len(rest) > 0 && rest[0] != '\n' && rest[0] != '\r' {
				return head, append(out, item{}), nil
			}
		}
		out = append(out, it)
	}
	return head, out, nil
}
