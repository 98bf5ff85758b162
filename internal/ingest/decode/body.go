package decode

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/intake"
	"quipu/internal/memory"
)

// form is how the body of a request holds parameters.
type form uint8

const (
	noBody form = iota
	urlencoded
	fields // multipart
	jsonObject
	jsonArray // the items of a bulk request themselves
)

// scratch is the memory one request works in. It is pooled.
type scratch struct {
	params params
	query  []byte // the raw query string
	body   []byte // decompressed
	form   form
	// contentType is the header's.
	contentType  string
	parts        []byte // raw multipart fields as name=value&name=value
	picture      []byte // an uploaded file that may be the user's picture, nil when none came
	pictureNamed bool   // the file came under the name of a picture
	rec          request.Record
	payload      []byte      // records
	ends         []recordEnd // where each record of payload ends
	zipped       *gzip.Reader
	printer      request.Printer
	print        [16]byte // fingerprint of rec, when printed is set
	printed      bool
	claim        memory.Claim // what the request holds
	ip           netip.Addr   // of the client
	once         once
	receipts     receipts
}

// letGo drops what the parameters and records of a request take, which are not needed any more.
func (sc *scratch) letGo() {
	sc.params = params{}
	sc.query, sc.body, sc.picture, sc.parts, sc.payload, sc.ends = nil, nil, nil, nil, nil, nil
	sc.rec = request.Record{}
}

// reset makes sc ready for another request. It returns false when sc has
// grown too large to be kept.
func (sc *scratch) reset() bool {
	if cap(sc.body)+cap(sc.payload)+cap(sc.params.text)+cap(sc.parts) > maxPooled {
		return false
	}
	sc.params.reset()
	sc.query, sc.body, sc.form, sc.contentType, sc.picture, sc.pictureNamed = nil, sc.body[:0], noBody, "", nil, false
	sc.parts, sc.payload, sc.ends = sc.parts[:0], sc.payload[:0], sc.ends[:0]
	sc.rec, sc.printed = request.Record{}, false
	sc.claim, sc.ip, sc.once, sc.receipts = memory.Claim{}, netip.Addr{}, once{}, receipts{}
	return true
}

var (
	errTooLarge = errors.New("body is larger than allowed")
	errEncoding = errors.New("content encoding is not supported")
)

// read fills sc with the parameters of a request; when it cannot it returns
// the answer and false.
func (d *Decoder) read(w http.ResponseWriter, r *http.Request, sc *scratch) (answer, bool) {
	sc.query = raw(r.URL.RawQuery)
	sc.ip = d.clientAddr(r)
	var who memory.Who // the server itself
	if sc.ip.IsValid() {
		who = memory.Address(sc.ip)
	}
	sc.claim = d.o.Intake.Bodies.Claim(who)
	err := d.readBody(w, r, sc)
	if err == nil {
		sc.contentType = header(r, "Content-Type")
		err = sc.readParams(d.o.Limits)
	}
	return answerTo(r, err)
}

// reread fills sc with the parameters of a request whose body was read, none of them trusted to be well-formed.
func (d *Decoder) reread(r *http.Request, sc *scratch) (answer, bool) {
	sc.params.reset()
	sc.parts = sc.parts[:0]
	return answerTo(r, sc.readParams(d.o.Limits))
}

// readParams adds the parameters of the query and the body.
func (sc *scratch) readParams(limits Limits) error {
	err := sc.params.query(sc.query, limits.MaxParams)
	if err == nil {
		err = sc.readForm(sc.contentType, limits)
	}
	sc.params.settle()
	return err
}

// answerTo is the answer when a request cannot be read; it returns true when it can.
func answerTo(r *http.Request, err error) (answer, bool) {
	switch {
	case err == nil:
		return answer{}, true
	case errors.Is(err, memory.ErrBusy), errors.Is(err, os.ErrDeadlineExceeded), r.Context().Err() != nil:
		return unavailable(intake.ComeBack), false
	case errors.Is(err, errTooLarge):
		return answer{status: http.StatusRequestEntityTooLarge, body: bodyTooLarge}, false
	case errors.Is(err, errParams):
		return answer{status: http.StatusRequestEntityTooLarge, body: bodyTooManyParams}, false
	case errors.Is(err, errEncoding):
		return answer{status: http.StatusUnsupportedMediaType, body: bodyWrongEncoding}, false
	}
	return answer{status: http.StatusBadRequest, body: bodyUnreadable}, false
}

// What a request costs while it becomes records, bytes.
const (
	// requestCost is what each takes at least.
	requestCost = 8 << 10
	// byteCost is what is held for a byte of a body: itself, its decoded parameters, the record, and
	// the journal's copy. A query is part of the header, which is held anyway.
	byteCost  = 4
	queryCost = 3
	// zippedCost is what a decompressor takes.
	zippedCost = 48 << 10
	// atOnce is the size of bodies that are charged at once.
	atOnce = 64 << 10
)

// readBody reads and decompresses the body into sc.body, and charges the request.
func (d *Decoder) readBody(w http.ResponseWriter, r *http.Request, sc *scratch) error {
	ctx, cost := r.Context(), requestCost+queryCost*int64(len(sc.query))
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return sc.claim.Grow(ctx, cost)
	}
	limit := d.o.Limits.MaxBody
	if r.ContentLength > limit {
		return errTooLarge
	}
	paid := int64(firstPiece) // bytes of the unpacked body that are charged
	encoding := header(r, "Content-Encoding")
	if encoding != "" {
		if encoding = strings.ToLower(strings.TrimSpace(encoding)); encoding != "identity" {
			cost += zippedCost
		}
	} else if r.ContentLength > 0 && r.ContentLength <= atOnce {
		paid = r.ContentLength + 1
	}
	if err := sc.claim.Grow(ctx, cost+byteCost*paid); err != nil {
		return err
	}
	if r.ContentLength < 0 || r.ContentLength > atOnce {
		r.Body = d.o.Intake.Reader(w, r, &sc.claim)
	}
	var src io.Reader = r.Body
	if r.ContentLength < 0 { // no more arrives than was announced
		src = http.MaxBytesReader(w, r.Body, limit)
	}
	switch encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		var err error
		if sc.zipped == nil {
			sc.zipped, err = gzip.NewReader(src)
		} else {
			err = sc.zipped.Reset(src)
		}
		if err != nil {
			return sizeError(err)
		}
		src = sc.zipped
	case "deflate": // zlib by the standard, bare by many clients
		var err error
		if src, err = inflate(src); err != nil {
			return sizeError(err)
		}
	default:
		return errEncoding
	}
	return sc.readAll(ctx, src, paid, limit)
}

// inflate tells zlib from a bare deflate stream by its first two bytes.
func inflate(src io.Reader) (io.Reader, error) {
	var head [2]byte
	if _, err := io.ReadFull(src, head[:]); err != nil {
		return nil, err
	}
	src = io.MultiReader(bytes.NewReader(head[:]), src)
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(src)
	}
	return flate.NewReader(src), nil
}

// The pieces in which a body of unknown size is charged, bytes.
const (
	firstPiece = 16 << 10
	lastPiece  = 1 << 20
)

// readAll reads src into sc.body, at most limit bytes, of which paid are charged already. What
// comes beyond is charged before there is memory for it.
func (sc *scratch) readAll(ctx context.Context, src io.Reader, paid, limit int64) error {
	var full [][]byte // pieces of a large body, which is not copied each time it grows
	var before int64  // bytes in full
	dst := sc.body[:0]
	defer func() { sc.body = join(full, dst) }()
	for {
		if before+int64(len(dst)) == paid {
			more := min(paid, lastPiece)
			if err := sc.claim.Grow(ctx, byteCost*more); err != nil {
				return err
			}
			paid += more
		}
		if len(dst) == cap(dst) {
			if len(dst) >= lastPiece {
				full, before = append(full, dst), before+int64(len(dst))
				dst = nil
			}
			dst = slices.Grow(dst, int(min(paid-before-int64(len(dst)), lastPiece)))
		}
		n, err := src.Read(dst[len(dst):min(int64(cap(dst)), paid-before)])
		dst = dst[:len(dst)+n]
		switch {
		case before+int64(len(dst)) > limit:
			return errTooLarge
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return sizeError(err)
		}
	}
}

// join returns the pieces in full and what follows them as one.
func join(full [][]byte, last []byte) []byte {
	if len(full) == 0 {
		return last
	}
	return slices.Concat(append(full, last)...)
}

// sizeError turns the net/http error of a body that is too large into ours.
func sizeError(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge
	}
	return err
}

// readForm adds the parameters of the body. What the content type says is
// trusted for multipart only: browsers' beacons and hand-written clients
// mislabel the rest, and a body that is a JSON object is nothing else.
func (sc *scratch) readForm(contentType string, limits Limits) error {
	if len(sc.body) == 0 {
		return nil
	}
	mediaType, rest, _ := strings.Cut(contentType, ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	if mediaType == "multipart/form-data" {
		sc.form = fields
		_, attributes, err := mime.ParseMediaType("multipart/form-data;" + rest)
		if err != nil {
			return err
		}
		return sc.readFields(attributes["boundary"], limits)
	}
	trimmed := rawjson.Trim(sc.body)
	isJSON := strings.HasSuffix(mediaType, "json")
	switch rawjson.KindOf(trimmed) {
	case rawjson.Object:
		if !isJSON && rawjson.Members(trimmed, func(_, _ []byte) bool { return true }) != nil {
			break
		}
		sc.form = jsonObject
		c := rawjson.NewCursor(trimmed)
		if err := sc.params.object(&c, limits.MaxParams); errors.Is(err, errParams) {
			return err
		}
		return nil // what stood before a fault counts
	case rawjson.Array:
		sc.form = jsonArray
		return nil
	case rawjson.Invalid, rawjson.Null, rawjson.Bool, rawjson.Number, rawjson.String:
	}
	sc.form = urlencoded
	return sc.params.query(sc.body, limits.MaxParams)
}

// picturePart is the name of an uploaded user picture.
const picturePart = "user_details[picture]"

// isFilePart reports whether SDKs upload a user's picture under a name that says nothing of it: Android as file,
// Java as binaryFile. Such a file is a picture where the request is about the user's details.
func isFilePart(name string) bool { return name == "file" || name == "binaryFile" }

// readFields adds the fields of a multipart body.
func (sc *scratch) readFields(boundary string, limits Limits) error {
	if boundary == "" {
		return errors.New("multipart body without boundary")
	}
	parts := multipart.NewReader(bytes.NewReader(sc.body), boundary)
	for n := 0; ; n++ {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if n > 2*limits.MaxParams {
			return errParams
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		name := part.FormName()
		switch {
		case name == "":
		case name == picturePart:
			if part.FileName() != "" {
				sc.picture, sc.pictureNamed = value, true
			}
		case part.FileName() != "": // no other file means anything
			if isFilePart(name) && !sc.pictureNamed {
				sc.picture = value
			}
		default:
			if len(sc.parts) > 0 {
				sc.parts = append(sc.parts, '&')
			}
			sc.parts = append(append(append(sc.parts, name...), '='), value...)
			if encoded(value) {
				value = sc.params.unescape(value)
			}
			if err := sc.params.add([]byte(name), value, limits.MaxParams); err != nil {
				return err
			}
		}
	}
}

// encoded reports whether a multipart value is the output of a URL encoder:
// nothing in it that needs encoding, and at least one well-formed %XX.
func encoded(v []byte) bool {
	found := false
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch {
		case c == '%':
			if i+2 >= len(v) {
				return false
			}
			if unhex(v[i+1])|unhex(v[i+2]) > 15 {
				return false
			}
			found = true
			i += 2
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte("-_.!~*'()", c) >= 0:
		default:
			return false
		}
	}
	return found
}
