package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"quipu/internal/fault"
	"quipu/internal/memory"
)

// Limits bound what one request may carry.
type Limits struct {
	Body   int64 // bytes, after decompression
	Params int   // number of parameters
	// Spool takes the files of a form; nil = they are held in memory.
	Spool Spool
}

// maxFields bounds what the fields of a form hold beside files that are spooled, in bytes.
const maxFields = 1 << 20

// Passing is a body that charges what is read of it. Passed says that so many bytes are held no more.
type Passing interface{ Passed(n int64) }

// File is an uploaded part of a multipart body.
type File struct {
	Field string
	Name  string
	// Data is the content; nil when Spooled has it.
	Data []byte
	// Spooled is the content of a file that went to a Spool; nil when Data has it.
	Spooled Spooled
}

// Spool takes the files of a form outside of memory.
type Spool interface {
	// Create begins a file.
	Create() (Spooled, error)
}

// Spooled is a file as a Spool keeps it. Faults of Write end the request.
type Spooled interface{ io.Writer }

// Read collects the parameters of r. Body parameters win over those of the
// query string. Errors: fault.TooLarge when a limit is passed, fault.Invalid when a body
// cannot be read as what it says it is, or a value is nested too deeply.
func Read(r *http.Request, lim Limits) (*Params, []File, error) {
	p, files, err := read(r, lim)
	if err != nil {
		return nil, nil, err
	}
	return p, files, p.checkDepth()
}

// Query returns the parameters of the address of r alone. The fault is request.too_deep or request.too_many_parameters.
func Query(r *http.Request, lim Limits) (*Params, error) {
	head := &http.Request{URL: r.URL, Header: http.Header{}}
	p, _, err := Read(head, lim)
	return p, err
}

// maxDepth bounds how deeply the value of a parameter is nested: far more than
// anyone needs, and far less than any store or parser behind it takes.
const maxDepth = 200

// checkDepth refuses values that are nested too deeply.
func (p *Params) checkDepth() error {
	for _, name := range p.names {
		if p.nested[name] == nil && deep(p.values[name].Raw()) { // brackets are one level
			return fault.New(fault.Invalid, "request.too_deep", "A parameter is nested too deeply")
		}
	}
	return nil
}

// deep reports whether text that begins as a JSON list or object is nested too
// deeply, valid or not.
func deep(text []byte) bool {
	text = bytes.TrimSpace(text)
	if len(text) <= maxDepth || text[0] != '[' && text[0] != '{' {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[', c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']', c == '}':
			depth--
		}
	}
	return false
}

func read(r *http.Request, lim Limits) (*Params, []File, error) {
	p := &Params{}
	over := false
	add := func(name, value string) bool {
		if len(p.names) >= lim.Params {
			over = true
			return false
		}
		p.AddPair(name, value)
		return true
	}
	EachPair(r.URL.RawQuery, add)
	p.signed = r.URL.RawQuery
	if r.Body == nil || r.Body == http.NoBody {
		return p, nil, limitFault(over)
	}
	ctype, attrs, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // an unreadable type is sniffed
	if ctype == "multipart/form-data" {
		files, err := readMultipart(r, attrs["boundary"], lim, add)
		if err != nil {
			return nil, nil, err
		}
		return p, files, limitFault(over)
	}
	body, err := readBody(r.Body, lim.Body)
	if err != nil {
		return nil, nil, err
	}
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '{' && (strings.HasSuffix(ctype, "json") || json.Valid(trimmed)) {
		if err := addObject(p, trimmed, lim); err != nil {
			return nil, nil, err
		}
		return p, nil, nil
	}
	if strings.HasSuffix(ctype, "json") {
		return p, nil, limitFault(over)
	}
	if len(body) > 0 {
		p.signed = string(body)
	}
	EachPair(string(body), add)
	return p, nil, limitFault(over)
}

func limitFault(over bool) error {
	if over {
		return fault.New(fault.TooLarge, "request.too_many_parameters", "Too many parameters")
	}
	return nil
}

func readBody(body io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err != nil {
		if errors.Is(err, memory.ErrBusy) {
			return nil, busyFault()
		}
		if _, ok := errors.AsType[*http.MaxBytesError](err); !ok {
			return nil, fault.Wrap(err, fault.Invalid, "request.unreadable", "Request body could not be read")
		}
	}
	if int64(len(b)) > limit {
		return nil, fault.New(fault.TooLarge, "request.too_large", "Request is too large")
	}
	return b, nil
}

func addObject(p *Params, body []byte, lim Limits) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return fault.Wrap(err, fault.Invalid, "request.bad_json", "Request body is not valid JSON")
	}
	if len(object)+len(p.names) > lim.Params {
		return limitFault(true)
	}
	for name, raw := range object {
		p.repeated(name)
		var text string
		if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
			p.Set(name, Value{Text: text})
			continue
		}
		p.Set(name, Value{JSON: raw})
	}
	return nil
}

func readMultipart(r *http.Request, boundary string, lim Limits, add func(name, value string) bool) ([]File, error) {
	if boundary == "" {
		return nil, fault.New(fault.Invalid, "request.bad_multipart", "Multipart body has no boundary")
	}
	passing, _ := r.Body.(Passing)
	r.Body = http.MaxBytesReader(nil, r.Body, lim.Body)
	mr, err := r.MultipartReader()
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "request.bad_multipart", "Multipart body could not be read")
	}
	var files []File
	fields := 0
	for {
		part, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, multipartFault(err)
		}
		if len(files) >= lim.Params {
			return nil, limitFault(true)
		}
		if lim.Spool != nil && part.FileName() != "" {
			f, err := spool(lim.Spool, part, passing)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
			continue
		}
		var from io.Reader = part
		if lim.Spool != nil {
			from = io.LimitReader(part, maxFields)
		}
		data, err := io.ReadAll(from)
		if err != nil {
			return nil, multipartFault(err)
		}
		if fields += len(data); lim.Spool != nil && fields >= maxFields {
			return nil, fault.New(fault.TooLarge, "request.too_large", "Request is too large")
		}
		if part.FileName() == "" {
			if !add(part.FormName(), string(data)) {
				return files, nil
			}
			continue
		}
		files = append(files, File{Field: part.FormName(), Name: part.FileName(), Data: data})
	}
}

// spool writes a file of a form as it arrives.
func spool(to Spool, part *multipart.Part, passing Passing) (File, error) {
	w, err := to.Create()
	if err != nil {
		return File{}, err
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := part.Read(buf)
		if _, werr := w.Write(buf[:n]); werr != nil {
			return File{}, werr
		}
		if passing != nil {
			passing.Passed(int64(n))
		}
		if errors.Is(err, io.EOF) {
			return File{Field: part.FormName(), Name: part.FileName(), Spooled: w}, nil
		}
		if err != nil {
			return File{}, multipartFault(err)
		}
	}
}

// busyFault is the fault of a body for which there is no room. That is to be expected, so it has no cause to be logged.
func busyFault() error {
	return &fault.Error{Kind: fault.Unavailable, Code: "server.busy", Msg: "Server is busy, try again later", RetryAfter: 5 * time.Second}
}

func multipartFault(err error) error {
	if errors.Is(err, memory.ErrBusy) {
		return busyFault()
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return fault.New(fault.TooLarge, "request.too_large", "Request is too large")
	}
	return fault.Wrap(fmt.Errorf("multipart: %w", err), fault.Invalid, "request.bad_multipart", "Multipart body could not be read")
}
