package decode

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
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
	contentType string
	parts       []byte // raw multipart fields as name=value&name=value
	picture     []byte // user_details[picture], nil when none came
	rec         request.Record
	payload     []byte // records
	ends        []int  // where each record of payload ends
	zipped      *gzip.Reader
}

// reset makes sc ready for another request. It returns false when sc has
// grown too large to be kept.
func (sc *scratch) reset() bool {
	if cap(sc.body)+cap(sc.payload)+cap(sc.params.text)+cap(sc.parts) > maxPooled {
		return false
	}
	sc.params.reset()
	sc.query, sc.body, sc.form, sc.contentType, sc.picture = nil, sc.body[:0], noBody, "", nil
	sc.parts, sc.payload, sc.ends = sc.parts[:0], sc.payload[:0], sc.ends[:0]
	sc.rec = request.Record{}
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
	err := d.readBody(w, r, sc)
	if err == nil {
		if err = sc.params.query(sc.query, d.o.Limits.MaxParams); err == nil {
			sc.contentType = r.Header.Get("Content-Type")
			err = sc.readForm(sc.contentType, d.o.Limits)
		}
	}
	sc.params.settle()
	switch {
	case err == nil:
		return answer{}, true
	case errors.Is(err, errTooLarge):
		return answer{status: http.StatusRequestEntityTooLarge, body: bodyTooLarge}, false
	case errors.Is(err, errParams):
		return answer{status: http.StatusRequestEntityTooLarge, body: bodyTooManyParams}, false
	case errors.Is(err, errEncoding):
		return answer{status: http.StatusUnsupportedMediaType, body: bodyWrongEncoding}, false
	}
	return answer{status: http.StatusBadRequest, body: bodyUnreadable}, false
}

// readBody reads and decompresses the body into sc.body.
func (d *Decoder) readBody(w http.ResponseWriter, r *http.Request, sc *scratch) error {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return nil
	}
	limit := d.o.Limits.MaxBody
	var src io.Reader = http.MaxBytesReader(w, r.Body, limit)
	if r.ContentLength > limit {
		return errTooLarge
	}
	size := r.ContentLength
	switch encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); encoding {
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
		src, size = sc.zipped, 4*size
	case "deflate": // zlib by the standard, bare by many clients
		var err error
		if src, err = inflate(src); err != nil {
			return sizeError(err)
		}
		size *= 4
	default:
		return errEncoding
	}
	body, err := readAll(sc.body[:0], src, size, limit)
	sc.body = body
	return err
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

// readAll appends src to dst, at most limit bytes. size is a guess of how many
// there are, negative when there is none.
func readAll(dst []byte, src io.Reader, size, limit int64) ([]byte, error) {
	const first, most = 512, 1 << 20
	if want := int(min(max(size+1, first), most, limit+1)); cap(dst) < want {
		dst = make([]byte, 0, want)
	}
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := src.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		switch {
		case int64(len(dst)) > limit:
			return dst, errTooLarge
		case errors.Is(err, io.EOF):
			return dst, nil
		case err != nil:
			return dst, sizeError(err)
		}
	}
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
		if err := sc.params.object(trimmed, limits.MaxParams); errors.Is(err, errParams) {
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
				sc.picture = value
			}
		case part.FileName() != "": // no other file means anything
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
			_, ok1 := unhex(v[i+1])
			_, ok2 := unhex(v[i+2])
			if !ok1 || !ok2 {
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
