// Package decode is the HTTP edge of ingestion: it turns what SDKs send to
// /i, /i/bulk and /pixel.png into journal records and answers once they are
// durable.
//
// The parameters of a request are the union of its query string and its body,
// which may be urlencoded, multipart or a JSON object, and may be compressed;
// of two parameters of one name the later wins, in place of the earlier.
//
// # Checksums
//
// An app with a salt takes only signed requests. What is signed depends on
// how the parameters came; the checksum pairs themselves are left out of it:
//
//   - urlencoded body: the body as received; the checksum may stand in it or in
//     the query string
//   - no body: the query string as received
//   - multipart: the fields in the order received, as name=value joined by &,
//     nothing decoded; files are not covered
//   - JSON body: the query string, which holds the checksum, followed by the
//     body as received
//
// Parameters that came outside of the signed text are then ignored. A bulk
// request is signed as a whole: its items carry no checksums of their own.
//
// A refused request is counted as one request; what it held was not received.
package decode

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/intake"
	"quipu/internal/model"
	"quipu/internal/store/journal"
)

// Journal stores payloads durably; journal.Journal says how.
type Journal interface {
	Append(ctx context.Context, entries ...journal.Entry) (journal.Position, error)
}

// Outcomes counts what is dropped before it reaches the journal.
type Outcomes interface {
	Count(app model.AppID, item outcome.Item, reason outcome.Reason, n int64)
}

// Pictures keeps uploaded user pictures. Put returns once the picture is
// durable; putting the same content again is no error. It keeps nothing, and says so, when the app has too many that
// may not be in use. The hash is the SHA-256 of the content in hex, and content is the caller's again afterwards.
type Pictures interface {
	Put(ctx context.Context, app model.AppID, hash, mediaType string, content []byte) (kept bool, err error)
}

// Limits bound a request. The zero value of a field means its default.
type Limits struct {
	MaxBody    int64 // bytes, received and after decompression; default 20 MiB
	MaxParams  int   // parameters of a request or bulk item; default 256
	MaxItems   int   // items of a bulk request; default 50,000
	MaxPicture int   // bytes; default 4 MiB
}

// Options configure New. Log, Memory and Watch may be nil, TrustedProxies empty; all others
// are required.
type Options struct {
	Apps apps.Directory
	// LookByKey finds the app of a key in a process beside which others make apps, as apps.Store does; nil = Apps.ByKey.
	LookByKey func(ctx context.Context, key string, look bool) (app *model.App, looked bool, err error)
	Journal   Journal
	Outcomes  Outcomes
	Pictures  Pictures
	Now       func() time.Time
	// Healthy tells whether records may be accepted now and, if not, when clients
	// should come back.
	Healthy func() (retryAfter time.Duration, ok bool)
	// TrustedProxies may say in X-Forwarded-For whom they speak for.
	TrustedProxies []netip.Prefix
	Limits         Limits
	// Memory recognises requests that are sent again, so that the answer says so; nil = it never does.
	Memory Memory
	// Intake charges what requests hold.
	Intake *intake.Intake
	// Projected waits until the pipeline has projected what was appended at a position; nil = nobody waits. A request
	// larger than the share of its client keeps its place until then, or for a few seconds: the journal
	// and the pipeline hold it as often as the edge does.
	Projected func(ctx context.Context, at journal.Position) error
	// Unassigned counts a request, or an item of a bulk request, that belongs to no app: no app has its key, or it is nothing
	// that has one. nil = nobody counts.
	Unassigned func(outcome.Reason)
	// Receipts has what becomes of requests whose senders ask for it; nil = all of it is pending. Reached waits until the pipeline has
	// projected what was appended at a position, and hurries it.
	Receipts *outcome.Receipts
	Reached  func(ctx context.Context, at journal.Position) error
	// Watch is notified of requests; nil = nobody looks.
	Watch *Watchers
	Log   *slog.Logger
}

// Decoder serves the ingestion paths. It is safe for concurrent use.
type Decoder struct {
	o       Options
	scratch sync.Pool // of *scratch
	recent  recent
	outage  outage // of the journal
	noFiles outage // of uploaded pictures
	noApps  outage // of the store of apps
	// known reports whether a parameter is journalled.
	known func(name string) bool
	// Header values, shared by all responses and never changed.
	typeJSON, typePNG, noStore, anyOrigin, exposed []string
}

// New returns a Decoder, or an error that names every missing option.
func New(o Options) (*Decoder, error) {
	var errs []error
	for _, c := range []struct {
		name    string
		missing bool
	}{
		{"Apps", o.Apps == nil},
		{"Journal", o.Journal == nil},
		{"Outcomes", o.Outcomes == nil},
		{"Pictures", o.Pictures == nil},
		{"Now", o.Now == nil},
		{"Healthy", o.Healthy == nil},
		{"Intake", o.Intake == nil},
	} {
		if c.missing {
			errs = append(errs, errors.New("decode: option "+c.name+" is missing"))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if o.Limits.MaxBody <= 0 {
		o.Limits.MaxBody = 20 << 20
	}
	if o.Limits.MaxParams <= 0 {
		o.Limits.MaxParams = 256
	}
	if o.Limits.MaxItems <= 0 {
		o.Limits.MaxItems = 50_000
	}
	if o.Limits.MaxPicture <= 0 {
		o.Limits.MaxPicture = 4 << 20
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Decoder{
		o:         o,
		known:     request.Known,
		scratch:   sync.Pool{New: func() any { return new(scratch) }},
		typeJSON:  []string{"application/json"},
		typePNG:   []string{"image/png"},
		noStore:   []string{"no-store"},
		anyOrigin: []string{"*"},
		exposed:   []string{exposed},
	}, nil
}

// Paths returns the patterns of http.ServeMux for what ServeHTTP answers: the
// three paths with and without a trailing slash, and nothing beneath them.
func Paths() []string {
	return []string{"/i", "/i/{$}", "/i/bulk", "/i/bulk/{$}", "/pixel.png", "/pixel.png/{$}"}
}

// ServeHTTP answers Paths with any verb; OPTIONS is a browser's preflight.
func (d *Decoder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions {
		d.preflight(w, r)
		return
	}
	switch r.URL.Path {
	case "/i", "/i/":
		d.serve(w, r, d.single, false)
	case "/i/bulk", "/i/bulk/":
		d.serve(w, r, d.bulk, false)
	case "/pixel.png", "/pixel.png/":
		d.serve(w, r, d.pixel, true)
	default:
		d.write(w, r, answer{status: http.StatusBadRequest, body: `{"result":"Invalid path"}`})
	}
}

// answer is a response: a JSON body, or its picture on /pixel.png.
type answer struct {
	status     int
	body       string
	retryAfter time.Duration // 0 = none
	receipt    string        // a JSON array that stands in the body; "" = none is wanted
	again      bool          // the Idempotency-Key is known
	once       bool          // the request has an Idempotency-Key
	partly     bool          // some of a bulk request is stored
}

// text is the body as it is sent.
func (a *answer) text() string {
	if a.receipt == "" {
		return a.body
	}
	return strings.TrimSuffix(a.body, "}") + `,"receipt":` + a.receipt + "}"
}

// The fixed answers.
const (
	bodySuccess        = `{"result":"Success"}`
	bodyDuplicate      = `{"result":"Success","info":"Request ignored: Duplicate request"}`
	bodyMissing        = `{"result":"Missing parameter \"app_key\" or \"device_id\""}`
	bodyUnknownApp     = `{"result":"App does not exist"}`
	bodyPaused         = `{"result":"App is currently not accepting data"}`
	bodyLocked         = `{"result":"App is locked"}`
	bodyNoChecksum     = `{"result":"` + textChecksumMissing + `"}`
	bodyWrongChecksum  = `{"result":"` + textChecksumMismatch + `"}`
	bodyIgnored        = `{"result":"Ignoring device_id"}`
	bodyNoRequests     = `{"result":"Missing parameter \"requests\""}`
	bodyWrongRequests  = `{"result":"Invalid parameter \"requests\""}`
	bodyTooLarge       = `{"result":"Request is too large"}`
	bodyTooManyParams  = `{"result":"Request has too many parameters"}`
	bodyTooManyItems   = `{"result":"Request has too many items"}`
	bodyUnreadable     = `{"result":"Request body could not be read"}`
	bodyWrongEncoding  = `{"result":"Content encoding is not supported"}`
	bodyBadKey         = `{"result":"Invalid header Idempotency-Key"}`
	bodyNotAccepting   = `{"result":"Server is not accepting data at the moment"}`
	retryAfterFailure  = 5 * time.Second
	maxUserAgent       = 1024 // bytes
	maxPooled          = 1 << 20
	noScriptDevice     = "no_js"
	noScriptDetails    = `{"name":"No JS"}`
	preflightMaxAge    = "86400" // s
	preflightMethods   = "GET, POST, PUT, DELETE, HEAD, OPTIONS"
	preflightHeaders   = "Content-Type, Content-Encoding, X-Requested-With, countly-token, service-token"
	maxPreflightHeader = 1024 // bytes
)

func success() answer { return answer{status: http.StatusOK, body: bodySuccess} }

// serve runs a handler with scratch memory and writes its answer.
func (d *Decoder) serve(w http.ResponseWriter, r *http.Request, handle func(http.ResponseWriter, *http.Request, *scratch) answer, pixel bool) {
	a := d.answer(w, r, d.scratch.Get().(*scratch), handle)
	if pixel {
		d.writePixel(w, a)
		return
	}
	d.write(w, r, a)
}

// Refusing answers Paths of a server that takes no data: clients come back later, maybe to another one.
func (d *Decoder) Refusing(after time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodOptions:
			d.preflight(w, r)
		case strings.HasPrefix(r.URL.Path, "/pixel.png"):
			d.writePixel(w, unavailable(after))
		default:
			d.write(w, r, unavailable(after))
		}
	})
}

// answer runs a handler, and gives back what it held.
func (d *Decoder) answer(w http.ResponseWriter, r *http.Request, sc *scratch, handle func(http.ResponseWriter, *http.Request, *scratch) answer) answer {
	ended := false
	defer func() {
		if !ended { // a panic: sc is not used again
			sc.receipts.close()
			sc.claim.Leave()
		}
	}()
	a := answer{status: http.StatusBadRequest, body: bodyBadKey}
	var ok bool
	if sc.once, ok = readOnce(r); ok {
		a = handle(w, r, sc)
		a.once = sc.once.given
	}
	sc.receipts.close()
	if a.status == http.StatusOK {
		a.receipt = sc.receipts.text()
	}
	sc.claim.Leave()
	ended = true
	if sc.reset() {
		d.scratch.Put(sc)
	}
	return a
}

// write sends a JSON answer that pages of any origin may read.
func (d *Decoder) write(w http.ResponseWriter, r *http.Request, a answer) {
	h := w.Header()
	h["Content-Type"] = d.typeJSON
	h["Access-Control-Allow-Origin"] = d.anyOrigin
	setRetryAfter(h, a.retryAfter)
	if a.body != bodySuccess && a.body != bodyDuplicate {
		d.writeFault(w, r, a, faultOf(a.body))
		return
	}
	if a.once {
		h["Access-Control-Expose-Headers"] = d.exposed
		if a.again {
			h.Set(repeatHeader, "true")
		}
	}
	w.WriteHeader(a.status)
	_, _ = writeString(w, a.text()) // the client may be gone
}

// writePixel sends the picture. Only an answer that asks the client to come
// back keeps its status; nothing else would make a page send it again.
func (d *Decoder) writePixel(w http.ResponseWriter, a answer) {
	h := w.Header()
	h["Content-Type"] = d.typePNG
	h["Cache-Control"] = d.noStore
	h["Access-Control-Allow-Origin"] = d.anyOrigin
	if f := faultOf(a.body); f != nil {
		h.Set(fault.Header, f.Code)
		h.Set("Access-Control-Expose-Headers", exposed)
	}
	status := http.StatusOK
	if a.status == http.StatusServiceUnavailable {
		status = a.status
		setRetryAfter(h, a.retryAfter)
	}
	w.WriteHeader(status)
	_, _ = writeString(w, pixelPNG)
}

func writeString(w http.ResponseWriter, s string) (int, error) {
	if sw, ok := w.(interface{ WriteString(string) (int, error) }); ok {
		return sw.WriteString(s)
	}
	return w.Write([]byte(s))
}

func setRetryAfter(h http.Header, after time.Duration) {
	if after > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64(math.Ceil(after.Seconds())), 10))
	}
}

// preflight tells a browser that pages of any origin may send anything.
func (d *Decoder) preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["Access-Control-Allow-Origin"] = d.anyOrigin
	h.Set("Access-Control-Allow-Methods", preflightMethods)
	headers := r.Header.Get("Access-Control-Request-Headers")
	if headers == "" || len(headers) > maxPreflightHeader {
		headers = preflightHeaders
	}
	h.Set("Access-Control-Allow-Headers", headers)
	h.Set("Access-Control-Max-Age", preflightMaxAge)
	h.Set("Vary", "Access-Control-Request-Headers")
	w.WriteHeader(http.StatusNoContent)
}

func (d *Decoder) single(w http.ResponseWriter, r *http.Request, sc *scratch) answer {
	if a, ok := d.read(w, r, sc); !ok {
		return a
	}
	return d.accept(r, sc, false)
}

func (d *Decoder) pixel(w http.ResponseWriter, r *http.Request, sc *scratch) answer {
	if a, ok := d.read(w, r, sc); !ok {
		return a
	}
	return d.accept(r, sc, true)
}

// accept checks the parameters of one request in the protocol's order and
// appends its record.
func (d *Decoder) accept(r *http.Request, sc *scratch, pixel bool) answer {
	key := sc.params.get("app_key")
	if empty(key) {
		return answer{status: http.StatusBadRequest, body: bodyMissing}
	}
	f := d.finder()
	app, err := f.app(r.Context(), key)
	if err != nil {
		return f.failed(r.Context(), err)
	}
	if app == nil {
		if !pixel && empty(sc.params.get("device_id")) {
			return answer{status: http.StatusBadRequest, body: bodyMissing}
		}
		d.unassigned(outcome.UnknownApp)
		return answer{status: http.StatusBadRequest, body: bodyUnknownApp}
	}
	if !pixel {
		if err := d.wantReceipt(r.Context(), sc, len(sc.query)+len(sc.body)); err != nil {
			return unavailable(intake.ComeBack)
		}
	}
	if !d.o.Watch.wanted(app) {
		return d.take(r, app, sc, pixel)
	}
	params, values := seen(sc.params.list)
	a := d.take(r, app, sc, pixel)
	d.watch(r, app, params, values, a)
	return a
}

// take checks a request to an app and appends its record.
func (d *Decoder) take(r *http.Request, app *model.App, sc *scratch, pixel bool) answer {
	if !pixel && empty(sc.params.get("device_id")) {
		d.o.Outcomes.Count(app.ID, outcome.Request, outcome.IgnoredDevice, 1)
		if queued(&sc.params) {
			sc.receipts.refuse(outcome.IgnoredDevice)
			return answer{status: http.StatusOK, body: bodyIgnored}
		}
		return answer{status: http.StatusBadRequest, body: bodyMissing}
	}
	if a, ok := d.admit(app, sc); !ok {
		return a
	}
	if pixel {
		sc.noScript()
	}
	return d.store(r, app, sc)
}

// store appends the record of a request that was admitted.
func (d *Decoder) store(r *http.Request, app *model.App, sc *scratch) answer {
	device := sc.params.get("device_id") // a checksum may have narrowed the parameters
	if empty(device) {
		d.o.Outcomes.Count(app.ID, outcome.Request, outcome.ChecksumMismatch, 1)
		sc.receipts.refuse(outcome.ChecksumMismatch)
		return answer{status: http.StatusOK, body: bodyWrongChecksum}
	}
	if request.IgnoredParam(device) {
		d.o.Outcomes.Count(app.ID, outcome.Request, outcome.IgnoredDevice, 1)
		sc.receipts.refuse(outcome.IgnoredDevice)
		return answer{status: http.StatusOK, body: bodyIgnored}
	}
	if after, ok := d.o.Healthy(); !ok {
		return unavailable(after)
	}
	rec := &sc.rec
	*rec = request.Record{
		Kind:      request.Client,
		App:       app.ID,
		Received:  d.o.Now().UnixMilli(),
		IP:        sc.ip,
		UserAgent: userAgent(r),
		Params:    sc.params.only(d.known),
	}
	came := sc.hasPicture()
	if came {
		began := d.noFiles.now()
		if err := d.keepPicture(r.Context(), app.ID, sc, rec); err != nil {
			return d.failed(r.Context(), &d.noFiles, began, err)
		}
		if d.noFiles.end(began) {
			d.o.Log.InfoContext(r.Context(), "ingestion accepts pictures again")
		}
	}
	unusable := came && rec.Picture == ""
	if sc.once.given {
		rec.Params = append(rec.Params, sc.once.param(-1))
	}
	again := d.duplicate(app, sc)
	rec.Params = sc.receipts.accept(rec.Params)
	drops, err := d.put(r.Context(), sc, app, rec)
	if err != nil {
		return unavailable(intake.ComeBack)
	}
	a := d.append(r.Context(), sc)
	if a.status == http.StatusOK {
		d.dropped(drops)
		switch {
		case again && sc.once.given:
			a.again = true
		case again:
			a.body = bodyDuplicate
		case unusable:
			d.o.Outcomes.Count(app.ID, outcome.Picture, outcome.Malformed, 1)
		}
	}
	return a
}

// open checks the app's state. It counts what it refuses.
func (d *Decoder) open(app *model.App, sc *scratch) (answer, bool) {
	if app.Paused {
		d.o.Outcomes.Count(app.ID, outcome.Request, outcome.AppPaused, 1)
		return answer{status: http.StatusBadRequest, body: bodyPaused}, false
	}
	if app.Locked {
		if q := sc.params.get("populator"); q != nil && request.Truthy(q) {
			d.o.Outcomes.Count(app.ID, outcome.Request, outcome.AppLocked, 1)
			return answer{status: http.StatusForbidden, body: bodyLocked}, false
		}
	}
	return answer{}, true
}

// admit checks the app's state and the checksum. It counts what it refuses.
func (d *Decoder) admit(app *model.App, sc *scratch) (answer, bool) {
	refuse := func(status int, body string, reason outcome.Reason) (answer, bool) {
		d.o.Outcomes.Count(app.ID, outcome.Request, reason, 1)
		sc.receipts.refuse(reason)
		return answer{status: status, body: body}, false
	}
	if a, ok := d.open(app, sc); !ok {
		return a, false
	}
	if app.Salt != "" {
		switch sc.verify(app.Salt, d.o.Limits) {
		case signatureMissing:
			return refuse(http.StatusOK, bodyNoChecksum, outcome.ChecksumMissing)
		case signatureWrong:
			return refuse(http.StatusOK, bodyWrongChecksum, outcome.ChecksumMismatch)
		case signatureRight:
		}
	}
	return answer{}, true
}

// dropped counts requests that were not taken.
func (d *Decoder) dropped(drops []drop) {
	for _, x := range drops {
		if x.app.IsZero() {
			d.unassigned(x.reason)
			continue
		}
		d.o.Outcomes.Count(x.app, outcome.Request, x.reason, 1)
	}
}

// unassigned counts what belongs to no app: on the ledger of the server, which has the zero id.
func (d *Decoder) unassigned(reason outcome.Reason) {
	d.o.Outcomes.Count(model.AppID{}, outcome.Request, reason, 1)
	if d.o.Unassigned != nil {
		d.o.Unassigned(reason)
	}
}

// append makes the records of sc durable.
func (d *Decoder) append(ctx context.Context, sc *scratch) answer {
	began := d.outage.now()
	at, err := d.o.Journal.Append(ctx, sc.entries()...)
	if err != nil {
		return d.failed(ctx, &d.outage, began, err)
	}
	if d.outage.end(began) {
		d.o.Log.InfoContext(ctx, "ingestion accepts data again")
	}
	d.accepted(sc)
	d.await(ctx, &sc.receipts, at)
	if !sc.claim.Until().IsZero() && d.o.Projected != nil {
		d.follow(ctx, sc, at)
	}
	return success()
}

// patience is how long a large request is followed. It is durable, so the answer is the same when the pipeline has
// not reached it by then.
const patience = 5 * time.Second

// follow keeps the place of a large request until it is projected. A client that leaves does not free it sooner.
func (d *Decoder) follow(ctx context.Context, sc *scratch, at journal.Position) {
	sc.letGo()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := d.o.Projected(ctx, at); err != nil {
		d.o.Log.DebugContext(ctx, "a large request is not projected yet", "error", err)
	}
}

// failed answers a request that could not be stored, begun at a time of an outage; the client sends it again.
func (d *Decoder) failed(ctx context.Context, o *outage, began uint64, err error) answer {
	if ctx.Err() != nil {
		d.o.Log.DebugContext(ctx, "client left before its request was stored", "error", err)
	} else if o.begin(began) {
		d.o.Log.ErrorContext(ctx, "ingestion refuses data", "error", err)
	}
	return unavailable(retryAfterFailure)
}

func unavailable(after time.Duration) answer {
	return answer{status: http.StatusServiceUnavailable, body: bodyNotAccepting, retryAfter: max(after, time.Second)}
}

// finder finds the apps of a request, which waits for one look for unknown apps at most.
type finder struct {
	d      *Decoder
	began  uint64
	looked bool
}

func (d *Decoder) finder() finder { return finder{d: d, began: d.noApps.now()} }

// app finds the app of a key; a key that is not text has none. An error says that it is not known whether there is one.
func (f *finder) app(ctx context.Context, key *request.Param) (*model.App, error) {
	if key == nil || key.JSON {
		return nil, nil
	}
	if f.d.o.LookByKey == nil {
		return f.d.o.Apps.ByKey(text(key.Value)), nil
	}
	app, looked, err := f.d.o.LookByKey(ctx, text(key.Value), !f.looked)
	f.looked = f.looked || looked
	if looked && err == nil && f.d.noApps.end(f.began) {
		f.d.o.Log.InfoContext(ctx, "ingestion finds apps again")
	}
	return app, err
}

// failed answers a request of which it is not known whether its app exists.
func (f *finder) failed(ctx context.Context, err error) answer {
	return f.d.failed(ctx, &f.d.noApps, f.began, err)
}

// queued reports whether a request comes from the queue of an SDK, which says how many requests remain in it. It
// stays at the head of that queue until its answer has a status of success and a result.
func queued(p *params) bool { return p.get("rr") != nil }

// empty reports whether a parameter is absent or holds nothing.
func empty(q *request.Param) bool { return q == nil || len(q.Value) == 0 }

func userAgent(r *http.Request) string {
	return request.Cut(header(r, "User-Agent"), maxUserAgent)
}

// header returns the first value of a header by its canonical name.
func header(r *http.Request, name string) string {
	if v := r.Header[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// noScript fills in what a page without scripts cannot send.
func (sc *scratch) noScript() {
	if !empty(sc.params.get("device_id")) {
		return
	}
	sc.params.put(request.Param{Name: "device_id", Value: []byte(noScriptDevice)})
	if empty(sc.params.get("user_details")) {
		sc.params.put(request.Param{Name: "user_details", Value: []byte(noScriptDetails)})
	}
}

// hasPicture reports whether a file came that is to be the user's picture.
func (sc *scratch) hasPicture() bool {
	return sc.picture != nil && (sc.pictureNamed || !empty(sc.params.get("user_details")))
}

// keepPicture stores the uploaded picture and notes its hash in rec, also when there is no room for it: a request that is sent again
// is the same then, whatever became of its picture.
func (d *Decoder) keepPicture(ctx context.Context, app model.AppID, sc *scratch, rec *request.Record) error {
	mediaType := pictureType(sc.picture)
	if mediaType == "" || len(sc.picture) > d.o.Limits.MaxPicture {
		return nil // the rest of the request is as good as without it
	}
	hash := pictureHash(sc.picture)
	name := hex.EncodeToString(hash[:])
	kept, err := d.o.Pictures.Put(ctx, app, name, mediaType, sc.picture)
	if err != nil {
		return err
	}
	rec.Picture, rec.PictureLeftOut = name, !kept
	return nil
}
