package decode

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/intake"
	"quipu/internal/model"
	"quipu/internal/turn"
)

// drop is a refused bulk item.
type drop struct {
	app    model.AppID
	reason outcome.Reason
}

// itemByte is about what a byte of a bulk item costs.
const itemByte = 8 * time.Nanosecond

// requestsParam is the parameter that holds the list of a bulk request.
const requestsParam = "requests"

// bulk accepts an array of requests. Items that cannot be taken are skipped and
// counted; all others become records of one append, in order.
//
// The list is all but a few bytes of the body. It is taken for the last member of the body's object, as clients send it, and walked once: where that
// shows that it is not, or not well-formed, or where walking stops early, all that was gathered is forgotten and the body read again, member by member.
func (d *Decoder) bulk(w http.ResponseWriter, r *http.Request, sc *scratch) answer {
	sc.params.trusting = !sc.once.given
	if a, ok := d.read(w, r, sc); !ok {
		return a
	}
	if sc.params.trusted && sc.params.get("receipt") == nil {
		if a, ok := d.walkBulk(r, sc); ok {
			return a
		}
		sc.payload, sc.ends = sc.payload[:0], sc.ends[:0]
	}
	if sc.params.trusted {
		if a, ok := d.reread(r, sc); !ok {
			return a
		}
	}
	a, _ := d.walkBulk(r, sc)
	return a
}

// walkBulk walks the list of a bulk request whose parameters were read, and stores its items. It returns false, with nothing stored, when parameters
// that were trusted have to be read again.
func (d *Decoder) walkBulk(r *http.Request, sc *scratch) (_ answer, ok bool) {
	trusted := sc.params.trusted
	find := d.finder()
	var top *model.App
	if key := sc.params.get("app_key"); !empty(key) {
		var err error
		if top, err = find.app(r.Context(), key); err != nil {
			return find.failed(r.Context(), err), !trusted
		}
	}
	list, ok := sc.requests()
	if !ok {
		return answer{status: http.StatusBadRequest, body: bodyNoRequests}, true
	}
	b := batch{
		d: d, sc: sc, find: find, top: top, answer: success(), params: &params{}, inside: r.Context().Value(insideKey{}) != nil,
		base: request.Record{
			Kind:      request.Client,
			Received:  d.o.Now().UnixMilli(),
			IP:        sc.ip,
			UserAgent: userAgent(r),
		},
	}
	if err := d.wantReceipt(r.Context(), sc, len(list)); err != nil {
		return unavailable(intake.ComeBack), true
	}
	if len(list) > lastPiece {
		sc.payload = slices.Grow(sc.payload, len(list)+len(list)/8)
	}
	ctx := r.Context()
	done, wellFormed := b.walk(ctx, list)
	switch {
	case trusted && !done:
		return answer{}, false
	case !wellFormed:
		return answer{status: http.StatusBadRequest, body: bodyWrongRequests}, true
	case b.unknown != nil:
		return b.find.failed(ctx, b.unknown), true
	case b.busy:
		return unavailable(intake.ComeBack), true
	case b.over:
		return answer{status: http.StatusRequestEntityTooLarge, body: bodyTooManyItems}, true
	}
	return b.store(r), true
}

// store makes the records of the batch durable and counts what it dropped.
func (b *batch) store(r *http.Request) answer {
	d, sc := b.d, b.sc
	if len(sc.ends) > 0 {
		if after, ok := d.o.Healthy(); !ok {
			return unavailable(after)
		}
		b.params.reset() // so that a large body is not kept by it
		if a := d.append(r.Context(), sc); a.status != http.StatusOK {
			return a
		}
		b.answer.partly = true
	}
	d.dropped(b.drops)
	for _, s := range b.seen {
		s.Received, s.IP, s.Method, s.Header = b.base.Received, b.base.IP, r.Method, r.Header.Clone()
		s.Status, s.Body = b.answer.status, b.answer.body
		d.o.Watch.saw(s)
	}
	return b.answer
}

// requests returns the JSON array of a bulk request, false when there is none.
func (sc *scratch) requests() ([]byte, bool) {
	if sc.form == jsonArray {
		return sc.body, true
	}
	q := sc.params.get(requestsParam)
	if empty(q) {
		return nil, false
	}
	v := rawjson.Trim(q.Value)
	if rawjson.KindOf(v) == rawjson.String && rawjson.Valid(v) {
		v, _ = rawjson.Text(nil, v)
	}
	return v, true
}

// maxSeenItems bounds the items of one bulk request that watchers are notified of.
const maxSeenItems = 1001

// batch collects the records of one bulk request.
type batch struct {
	d      *Decoder
	sc     *scratch
	find   finder
	top    *model.App // of the request's own app_key; nil when there is none
	params *params    // of the item at hand
	base   request.Record
	drops  []drop
	seen   []Seen // items that watchers are notified of once the request is accepted
	items  int
	over   bool
	busy   bool // there is no memory for the records
	// unknown says why it is not known whether an app exists.
	unknown error
	kept    bool // an item became a record
	// answer is that of the whole request: success, unless items were refused for its signature.
	answer answer
	inside bool // the request comes from the server itself
	// signed keeps the outcome of checking the request's signature against an app's salt.
	signed map[model.AppID]signature
}

// walk takes the elements of the array until one stops it; done says that none did and that the array ends where list does. wellFormed is false when the array was found to be
// malformed.
func (b *batch) walk(ctx context.Context, list []byte) (done, wellFormed bool) {
	var work turn.Counter
	c := rawjson.NewCursor(list)
	for range c.Elements {
		start := c.Pos()
		object, malformed := b.read(&c)
		if c.Malformed() {
			break
		}
		work.Spend(time.Duration(c.Pos()-start) * itemByte)
		if !b.item(ctx, object, malformed) {
			return false, true
		}
	}
	return c.Done(), c.Done()
}

// read reads the parameters of the element at c. An element that is no object has none.
func (b *batch) read(c *rawjson.Cursor) (object, malformed bool) {
	b.params.reset()
	limit := b.d.o.Limits.MaxParams
	if c.Kind() == rawjson.Object {
		begin := *c
		if b.params.object(c, limit) == nil {
			return true, false
		}
		// There are too many parameters, or there is a fault, which is one of the whole array unless the element is nested too deep.
		*c = begin
		c.Value()
		return true, true
	}
	v := c.Value()
	if rawjson.KindOf(v) != rawjson.String {
		return false, false
	}
	v, _ = rawjson.Text(nil, v) // an item that was encoded on its own
	inside := rawjson.NewCursor(v)
	if inside.Kind() != rawjson.Object {
		return false, false
	}
	err := b.params.object(&inside, limit)
	return true, err != nil || !inside.Done()
}

// item takes the element of the array whose parameters were read; it returns false to stop.
func (b *batch) item(ctx context.Context, object, malformed bool) bool {
	if b.items++; b.items > b.d.o.Limits.MaxItems {
		b.over = true
		return false
	}
	if !object {
		b.drop(b.top, outcome.Malformed)
		return true
	}
	app := b.top
	if key := b.params.get("app_key"); !empty(key) {
		var err error
		if app, err = b.find.app(ctx, key); err != nil {
			b.unknown = err
			return false
		}
	}
	if app == nil {
		b.drop(nil, outcome.UnknownApp)
		return true
	}
	reason := b.refusal(app, malformed)
	if len(b.seen) < maxSeenItems && !b.inside && b.d.o.Watch.wanted(app) {
		s := Seen{App: app, Bulk: true}
		s.Params, s.Values = seen(b.params.list)
		if reason != outcome.Accepted {
			s.Refused = reason.String()
		}
		b.seen = append(b.seen, s)
	}
	if reason != outcome.Accepted {
		b.drop(app, reason)
		return true
	}
	rec := &b.sc.rec
	*rec = b.base
	rec.App, rec.Params = app.ID, b.params.only(b.d.known)
	if b.sc.once.given {
		rec.Params = append(rec.Params, b.sc.once.param(b.items-1))
		if !b.kept { // all items of a request are stored or none, so the first speaks for them
			b.kept, b.answer.again = true, b.d.duplicate(app, b.sc)
		}
	}
	rec.Params = b.sc.receipts.accept(rec.Params)
	drops, err := b.d.put(ctx, b.sc, app, rec)
	b.drops, b.busy = append(b.drops, drops...), err != nil
	return err == nil
}

// refusal says why an item of app is dropped; Accepted when it is not.
func (b *batch) refusal(app *model.App, malformed bool) outcome.Reason {
	device := b.params.get("device_id")
	switch {
	case malformed || device == nil:
		return outcome.Malformed
	case app.Paused:
		return outcome.AppPaused
	}
	if app.Locked {
		if q := b.params.get("populator"); q != nil && request.Truthy(q) {
			return outcome.AppLocked
		}
	}
	if app.Salt != "" {
		s, ok := b.signed[app.ID]
		if !ok {
			s = b.check(app.Salt)
			if b.signed == nil {
				b.signed = map[model.AppID]signature{}
			}
			b.signed[app.ID] = s
		}
		switch s {
		case signatureMissing:
			b.answer.body = bodyNoChecksum
			return outcome.ChecksumMissing
		case signatureWrong:
			b.answer.body = bodyWrongChecksum
			return outcome.ChecksumMismatch
		case signatureRight:
		}
	}
	if request.IgnoredParam(device) {
		return outcome.IgnoredDevice
	}
	return outcome.Accepted
}

// check checks the signature of the whole request and that it covers the items.
func (b *batch) check(salt string) signature {
	s := b.sc.check(salt)
	if s != signatureRight || !b.sc.partlySigned() {
		return s
	}
	// The parameters are being walked, so the signed ones are read beside them.
	signed := scratch{body: b.sc.body}
	_ = signed.readForm(b.sc.contentType, b.d.o.Limits) // it was read before without fault
	signed.params.settle()
	sent, covered := b.sc.params.get(requestsParam), signed.params.get(requestsParam)
	if sent == nil || covered == nil || !bytes.Equal(sent.Value, covered.Value) {
		return signatureWrong
	}
	return s
}

func (b *batch) drop(app *model.App, reason outcome.Reason) {
	x := drop{reason: reason} // nobody's: it counts for the server
	if app != nil {
		x.app = app.ID
	}
	b.drops = append(b.drops, x)
	b.sc.receipts.refuse(reason)
}
