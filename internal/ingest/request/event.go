package request

import (
	"slices"
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/rawjson"
)

// Event is one element of the events parameter.
type Event struct {
	Key          string // never empty
	Count        int64  // not negative; 0 only when sent so
	Sum          float64
	Dur          float64 // s, not negative
	HasSum       bool
	HasDur       bool
	Hour         int8   // 0–23 by the device's clock, -1 unknown
	Dow          int8   // Sunday = 0, -1 unknown
	Timestamp    int64  // ms, device clock; 0 = none, the request's holds
	ID           string // of the event
	PVID         string // id of the previous view
	CVID         string // id of the current view
	Segmentation []Segment
	// Clamped says that a number was beyond its bound, see MaxCount.
	Clamped bool
}

// Segment is one property of an event. Names are unique in an event, in the
// order of first appearance; the last value counts.
type Segment struct {
	Name string
	Kind SegmentKind
	// Text is the value of a text, and the wire's text of a number or boolean.
	Text string
	// Number is the value of a number.
	Number float64
	// JSON is the value as sent when Kind is OtherValue: an array or object.
	JSON string
}

// SegmentKind is the type of a segment's value.
type SegmentKind uint8

// The types of segment values.
const (
	TextValue SegmentKind = iota + 1
	NumberValue
	BoolValue
	OtherValue // array or object: kept in rows, skipped in aggregates
)

// ReservedPrefix begins the keys of internal events.
const ReservedPrefix = "[CLY]_"

// ClientKey reports whether clients may send events with this key: every key
// without the reserved prefix, and the internal events that SDKs report.
// All other internal events are made by the server.
func ClientKey(key string) bool {
	internal, reserved := strings.CutPrefix(key, ReservedPrefix)
	if !reserved {
		return true
	}
	switch internal {
	case "view", "action", "orientation", "star_rating", "nps", "survey", "push_action",
		"content_shown", "content_interacted", "llm_interaction", "llm_interaction_feedback",
		"llm_tool_used", "llm_tool_usage_parameter":
		return true
	}
	return false
}

// chunkSize bounds the block that short texts of a request share, and thereby
// what one text that outlives the request can hold on to.
const chunkSize = 4096

// Parser parses records one after the other. It cuts requests, events, segments and short texts from blocks that
// neighbours share, so a few allocations serve many requests; a block is garbage once nothing of it is used.
// The zero value is ready. A Parser belongs to one goroutine.
type Parser struct {
	chunk    []byte
	scratch  []byte
	requests []Request
	events   []Event
	segments []Segment
	// agent is the clean text of header, the last record's.
	header, agent string
	clamped       bool // a number of what is being read was beyond its bound
	placed        bool // the request has a receipt
	place         int  // of the event that is being read
}

// blockSize bounds the elements of a block of events or segments. The first blocks are smaller.
const blockSize = 128

// requestBlock is blockSize for requests, which are larger: a block beyond 32 KiB costs fresh pages.
const requestBlock = 32

// room returns block, or the next one when fewer than n elements are left in it; it has at most most of them.
func room[T any](block []T, n, most int) []T {
	if cap(block)-len(block) >= n {
		return block
	}
	return make([]T, 0, min(most, max(n, 2*cap(block))))
}

// request returns the next request of the block.
func (p *Parser) request() *Request {
	p.requests = append(room(p.requests, 1, requestBlock), Request{})
	return &p.requests[len(p.requests)-1]
}

// keep copies b into a string that lives in the current block.
func (p *Parser) keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > chunkSize/8 {
		return string(b)
	}
	if cap(p.chunk)-len(p.chunk) < len(b) {
		p.chunk = make([]byte, 0, min(chunkSize, max(512, 2*cap(p.chunk))))
	}
	start := len(p.chunk)
	p.chunk = append(p.chunk, b...)
	return alias(p.chunk[start:])
}

// text returns the text of a JSON string of at most limit bytes; raw is
// what stands between the quotes.
func (p *Parser) text(raw []byte, limit int, nul string) string {
	if len(raw) <= limit && simple(raw) {
		return p.keep(raw)
	}
	// An escape takes six bytes a character, so no text needs more of raw.
	if long := 6*limit + 12; len(raw) > long {
		raw = wholeEscapes(raw, long)
	}
	p.scratch = rawjson.Unescape(p.scratch[:0], raw)
	b := cutBytes(p.scratch, limit)
	if plain(b) {
		return p.keep(b)
	}
	return Cut(string(appendClean(nil, b, nul)), limit)
}

// wholeEscapes cuts raw near n without leaving part of an escape at its end.
func wholeEscapes(raw []byte, n int) []byte {
	i := 0
	for i < n {
		switch {
		case raw[i] != '\\':
			i++
		case i+1 < len(raw) && raw[i+1] == 'u':
			i += 6
		default:
			i += 2
		}
	}
	return raw[:min(i, len(raw))]
}

// simple reports whether raw stands for itself: ASCII without escapes and NUL.
func simple(raw []byte) bool {
	for _, c := range raw {
		if c == '\\' || c == 0 || c >= 0x80 {
			return false
		}
	}
	return true
}

// numberText returns the wire's text of a number.
func (p *Parser) numberText(v []byte, f float64) string {
	p.scratch = appendNumber(p.scratch[:0], v, f)
	return p.keep(p.scratch)
}

// scalar returns the text of a JSON string, number or boolean; anything else
// has none.
func (p *Parser) scalar(v []byte, limit int) (string, bool) {
	switch rawjson.KindOf(v) {
	case rawjson.String:
		return p.text(v[1:len(v)-1], limit, replacement), true
	case rawjson.Number, rawjson.Bool:
		return p.keep(cutBytes(v, limit)), true
	case rawjson.Invalid, rawjson.Null, rawjson.Array, rawjson.Object:
	}
	return "", false
}

// number returns a JSON number, or a number written as a JSON string. One beyond
// the range of a float64 is an infinity.
func number(v []byte) (float64, bool) {
	switch {
	case len(v) >= 2 && v[0] == '"':
		return numberText(v[1 : len(v)-1])
	case rawjson.KindOf(v) != rawjson.Number:
		return 0, false
	}
	return rawjson.ParseWide(v)
}

// within returns f, or the bound that it is beyond.
func (p *Parser) within(f, low, high float64) float64 {
	if f >= low && f <= high {
		return f
	}
	p.clamped = true
	return max(low, min(f, high))
}

// bounded returns a JSON list or object without numbers beyond MaxNumber.
func (p *Parser) bounded(v []byte) []byte {
	v, clamped := rawjson.Bound(v, MaxNumber)
	p.clamped = p.clamped || clamped
	return v
}

// smallInt returns a whole number from 0 to high, -1 for anything else.
func smallInt(v []byte, high float64) int8 {
	f, ok := number(v)
	if !ok || f < 0 || f > high {
		return -1
	}
	return int8(f)
}

// list reads the events parameter into r.
func (p *Parser) list(r *Request, v []byte) {
	r.Events, r.Places, p.place = nil, nil, 0
	c := rawjson.NewCursor(v)
	if c.Kind() == rawjson.Object { // a single event without its array
		if whole := c; whole.Value() == nil || !whole.Done() {
			p.refuse(r, outcome.Malformed)
		} else {
			p.event(r, &c)
		}
		return
	}
	if len(v) == 0 || string(v) == "null" {
		return
	}
	p.events = room(p.events, 8, blockSize)
	r.Events = p.events[len(p.events):] // a list that outgrows the block moves out of it
	for range c.Elements {
		if c.Kind() == rawjson.Object {
			p.event(r, &c)
		} else if c.Value() != nil {
			p.refuse(r, outcome.Malformed)
		}
		if c.Malformed() {
			break
		}
		p.place++
	}
	if !c.Done() {
		p.refuse(r, outcome.Malformed)
	}
	if n := len(p.events) + len(r.Events); n <= cap(p.events) {
		p.events = p.events[:n]
	}
	r.Events = slices.Clip(r.Events)
}

// refuse notes that the event being read is dropped.
func (p *Parser) refuse(r *Request, reason outcome.Reason) {
	r.drop(outcome.Event, reason)
	if p.placed {
		r.Refused = append(r.Refused, outcome.Part{Item: outcome.Event, Index: p.place, Reason: reason})
	}
}

// event reads the event at c and appends it to r, or counts why not. It does neither when the end of the event cannot be found.
func (p *Parser) event(r *Request, c *rawjson.Cursor) {
	begin, before := *c, p.clamped
	e := Event{Count: 1, Hour: -1, Dow: -1}
	p.segments = room(p.segments, 4, blockSize)
	start, segmentsClamped := len(p.segments), false
	p.clamped = false
	for key := range c.Members {
		if string(key) != "segmentation" {
			p.eventMember(&e, key, c)
			continue
		}
		own := p.clamped
		p.segments, p.clamped = p.segments[:start], false // of several the last one counts
		p.segmentation(c)
		p.clamped, segmentsClamped = own, p.clamped
	}
	e.Clamped = p.clamped || segmentsClamped
	p.clamped = before
	refused := outcome.Accepted
	switch {
	case c.Malformed():
		if *c = begin; c.Value() == nil {
			return
		}
		refused = outcome.Malformed // the event is nested so deep that nothing else looks for faults in it
	case e.Key == "":
		refused = outcome.NoKey
	case !ClientKey(e.Key):
		refused = outcome.ReservedKey
	}
	if refused != outcome.Accepted {
		p.segments = p.segments[:start]
		p.refuse(r, refused)
		return
	}
	if n := len(p.segments); n > start {
		e.Segmentation = p.segments[start:n:n]
	}
	r.Events = append(r.Events, e)
	if p.placed {
		r.Places = append(r.Places, p.place)
	}
}

// eventMember reads one member of an event that is not its segmentation.
func (p *Parser) eventMember(e *Event, key []byte, c *rawjson.Cursor) {
	switch string(key) {
	case "key":
		e.Key, _ = p.scalar(c.Value(), MaxEventKey)
	case "count":
		e.Count = 1
		switch f, ok := number(c.Value()); {
		case ok && f >= 1:
			e.Count = int64(p.within(f, 1, MaxCount))
		case ok && f == 0:
			e.Count = 0
		}
	case "sum":
		e.Sum, e.HasSum = number(c.Value())
		e.Sum = p.within(e.Sum, -MaxSum, MaxSum)
	case "dur":
		if e.Dur, e.HasDur = number(c.Value()); e.Dur < 0 {
			e.Dur, e.HasDur = 0, false
		}
		e.Dur = p.within(e.Dur, 0, MaxSeconds)
	case "timestamp":
		e.Timestamp = timestampValue(c.Value())
	case "hour":
		e.Hour = smallInt(c.Value(), 23)
	case "dow":
		e.Dow = smallInt(c.Value(), 6)
	case "id":
		e.ID, _ = p.scalar(c.Value(), MaxText)
	case "pvid":
		e.PVID, _ = p.scalar(c.Value(), MaxText)
	case "cvid":
		e.CVID, _ = p.scalar(c.Value(), MaxText)
	}
}

func timestampValue(v []byte) int64 {
	if len(v) >= 2 && v[0] == '"' {
		return timestamp(v[1 : len(v)-1])
	}
	return timestamp(v)
}

// segmentation appends the segments at c to the block; what is no object, nor the text of one, has none.
func (p *Parser) segmentation(c *rawjson.Cursor) {
	start := len(p.segments)
	if c.Kind() == rawjson.Object {
		begin := *c
		if p.segmentsOf(c, start); !c.Malformed() {
			return
		}
		*c, p.segments = begin, p.segments[:start]
	}
	v := c.Value()
	if rawjson.KindOf(v) == rawjson.String {
		v, _ = rawjson.Text(nil, v)
	}
	inside := rawjson.NewCursor(v)
	p.segmentsOf(&inside, start) // what stood before a fault is kept
}

// segmentsOf appends the members of the object at c to the segments that begin at start.
func (p *Parser) segmentsOf(c *rawjson.Cursor, start int) {
	for key := range c.Members {
		s, ok := p.segment(c.Value())
		if !ok || len(key) == 0 {
			continue
		}
		s.Name = p.text(key, MaxSegmentName, replacement)
		again := false
		for i := start; i < len(p.segments) && !again; i++ {
			if again = p.segments[i].Name == s.Name; again {
				p.segments[i] = s
			}
		}
		if !again && len(p.segments)-start < MaxSegments {
			p.segments = append(p.segments, s)
		}
	}
}

// segment reads one value; null, and what is too large or too deep, is none.
func (p *Parser) segment(v []byte) (Segment, bool) {
	switch rawjson.KindOf(v) {
	case rawjson.String:
		return Segment{Kind: TextValue, Text: p.text(v[1:len(v)-1], MaxSegmentValue, segmentNUL)}, true
	case rawjson.Number:
		f, ok := rawjson.ParseWide(v)
		if !ok {
			return Segment{}, false
		}
		f = p.within(f, -MaxNumber, MaxNumber)
		return Segment{Kind: NumberValue, Number: f, Text: p.numberText(v, f)}, true
	case rawjson.Bool:
		if v[0] == 't' {
			return Segment{Kind: BoolValue, Text: "true"}, true
		}
		return Segment{Kind: BoolValue, Text: "false"}, true
	case rawjson.Array, rawjson.Object:
		if len(v) > MaxRaw || !rawjson.Valid(v) {
			return Segment{}, false
		}
		if v = p.bounded(v); len(v) > MaxRaw {
			return Segment{}, false
		}
		return Segment{Kind: OtherValue, JSON: cleanText(v, MaxRaw)}, true
	case rawjson.Invalid, rawjson.Null:
	}
	return Segment{}, false
}
