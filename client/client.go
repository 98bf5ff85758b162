// Package client calls the HTTP API of a server. Its operations and types are generated from the server's description (api.go); this file
// has what they share: credentials, parameters, faults and streams.
//
//	c, err := client.New("https://quipu.example", os.Getenv("QUIPU_KEY"))
//	apps, err := c.GetAppsMine(ctx, client.GetAppsMineParams{})
//
// A fault of the server is an *Error: decide by its Code.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// maxAnswer bounds an answer that is read into memory, bytes.
const maxAnswer = 256 << 20

// Client calls one server with the key of a member or a token. It is safe for concurrent use.
type Client struct {
	base   *url.URL
	key    string
	http   *http.Client
	strict bool
}

// Strict returns a client of the same server by whose calls a parameter that makes no sense, such as the period "last week", is refused. By
// those of c the server answers without it.
func (c *Client) Strict() *Client {
	out := *c
	out.strict = true
	return &out
}

// New returns a client of the server at an address such as https://quipu.example. key is the API key of a member, or a token; it may be
// empty for what needs none, such as PostI.
func New(address, key string) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, fmt.Errorf("address of the server: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("address of the server: %q is no http(s) address", address)
	}
	// Credentials never follow to another address.
	never := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{base: u, key: key, http: &http.Client{CheckRedirect: never}}, nil
}

// Error is a fault that the server answered with.
type Error struct {
	Status int // of HTTP
	// Code says what is wrong, as docs/reference/errors.md lists it; "" when the answer is none of the API.
	Code   string
	Detail string            // in words
	Fields map[string]string // what is wrong with single parameters, nil for most faults
	// Params are numbers that Detail names, such as the line and the character of a statement; nil for most faults.
	Params map[string]int
	// Incident is the number of an unexpected fault in the log of the server.
	Incident string
	// RetryAfter is how long to wait before the request is sent again; 0 = the server does not say.
	RetryAfter time.Duration
}

// Error returns the code and the text.
func (e *Error) Error() string {
	text := e.Detail
	if text == "" {
		text = http.StatusText(e.Status)
	}
	for name, wrong := range e.Fields {
		text += fmt.Sprintf("; %s: %s", name, wrong)
	}
	if e.Incident != "" {
		text += " (incident " + e.Incident + ")"
	}
	if e.Code == "" {
		return fmt.Sprintf("%d: %s", e.Status, text)
	}
	return e.Code + ": " + text
}

// Temporary reports whether the same request may succeed later.
func (e *Error) Temporary() bool { return e.Status == http.StatusTooManyRequests || e.Status >= 500 }

// PendingError says that a read goes on as a task, which GetTasksTask reads.
type PendingError struct{ TaskID string }

// Error returns the id of the task.
func (e *PendingError) Error() string { return "the read goes on as task " + e.TaskID }

// File is an uploaded file; the zero value is none.
type File struct {
	Name    string
	Content []byte
}

// Do calls a path with parameters, for what no operation is generated for, and reads the JSON of the answer into out, unless that is nil.
func (c *Client) Do(ctx context.Context, verb, path string, params url.Values, out any) error {
	return c.call(ctx, verb, path, params, false, out)
}

// call makes a request and reads its answer into out. params is a struct of parameters or url.Values.
func (c *Client) call(ctx context.Context, verb, path string, params any, long bool, out any) error {
	body, err := c.raw(ctx, verb, path, params)
	if err != nil {
		return err
	}
	if long {
		var task map[string]json.RawMessage
		if json.Unmarshal(body, &task) == nil && len(task) == 1 && task["task_id"] != nil {
			var id string
			if json.Unmarshal(task["task_id"], &id) == nil {
				return &PendingError{TaskID: id}
			}
		}
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("answer of %s: %w", path, err)
	}
	return nil
}

// raw makes a request and returns the body of its answer.
func (c *Client) raw(ctx context.Context, verb, path string, params any) ([]byte, error) {
	res, err := c.send(ctx, verb, path, params, "application/json;escape=none, application/problem+json, */*")
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if cerr := res.Body.Close(); err == nil {
		err = cerr
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("answer of %s: %w", path, err)
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("answer of %s: it is larger than %d bytes", path, maxAnswer)
	}
	return body, nil
}

// send makes a request. Answers that are no success become errors.
func (c *Client) send(ctx context.Context, verb, path string, params any, accept string) (*http.Response, error) {
	s, err := sentOf(path, params)
	if err != nil {
		return nil, err
	}
	to := *c.base
	to.Path += s.path
	to.RawPath = c.base.EscapedPath() + s.escaped
	var body io.Reader
	kind := ""
	switch {
	case verb == http.MethodGet:
		s.query = merge(s.query, s.form)
	case len(s.files) > 0:
		if kind, body, err = s.multipart(); err != nil {
			return nil, err
		}
	default:
		kind, body = "application/x-www-form-urlencoded", strings.NewReader(s.form.Encode())
	}
	to.RawQuery = s.query.Encode()
	req, err := http.NewRequestWithContext(ctx, verb, to.String(), body)
	if err != nil {
		return nil, fmt.Errorf("request of %s: %w", path, err)
	}
	maps.Copy(req.Header, s.header)
	req.Header.Set("Accept", accept)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if c.strict {
		req.Header.Set("Prefer", "handling=strict")
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		if at, ok := errors.AsType[*url.Error](err); ok {
			err = at.Err // without the address, which may have values that are not to be shown
		}
		return nil, fmt.Errorf("call %s: %w", path, err)
	}
	if res.StatusCode/100 == 2 {
		return res, nil
	}
	return nil, faultOf(res)
}

func faultOf(res *http.Response) error {
	const most = 64 << 10
	text, _ := io.ReadAll(io.LimitReader(res.Body, most)) // what arrived says more than why the rest did not
	_ = res.Body.Close()
	e := &Error{Status: res.StatusCode, Code: res.Header.Get("Quipu-Error")}
	if s, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && s > 0 {
		e.RetryAfter = time.Duration(s) * time.Second
	}
	var p struct {
		Detail, Incident string
		Fields           map[string]string
		Params           map[string]int
		Result           any
	}
	if json.Unmarshal(text, &p) == nil {
		e.Detail, e.Fields, e.Params, e.Incident = p.Detail, p.Fields, p.Params, p.Incident
		if s, ok := p.Result.(string); ok && e.Detail == "" {
			e.Detail = s
		}
	}
	return e
}

// sent are the parameters of a request in their places.
type sent struct {
	path, escaped string
	query, form   url.Values
	header        http.Header
	files         map[string]File
}

func merge(into, from url.Values) url.Values {
	maps.Copy(into, from)
	return into
}

// sentOf puts the fields of a struct of parameters where their tags say: query, body, path or header. Zero values are left out.
func sentOf(path string, params any) (*sent, error) {
	s := &sent{path: path, escaped: path, query: url.Values{}, form: url.Values{}, header: http.Header{}, files: map[string]File{}}
	if values, ok := params.(url.Values); ok {
		s.form = values
		return s, nil
	}
	v := reflect.ValueOf(params)
	if v.Kind() != reflect.Struct {
		return s, nil
	}
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		f := v.Field(i)
		if name := tag.Get("path"); name != "" {
			text, err := textOf(f)
			if err != nil {
				return nil, err
			}
			s.path = strings.ReplaceAll(s.path, "{"+name+"}", text)
			s.escaped = strings.ReplaceAll(s.escaped, "{"+name+"}", url.PathEscape(text))
			continue
		}
		if f.IsZero() {
			continue
		}
		if file, ok := reflect.TypeAssert[File](f); ok {
			s.files[tag.Get("body")] = file
			continue
		}
		text, err := textOf(f)
		if err != nil {
			return nil, err
		}
		switch {
		case tag.Get("query") != "":
			s.query.Set(tag.Get("query"), text)
		case tag.Get("body") != "":
			s.form.Set(tag.Get("body"), text)
		case tag.Get("header") != "":
			s.header.Set(tag.Get("header"), text)
		}
	}
	return s, nil
}

// textOf is a parameter as text: what is neither text, number nor boolean is JSON.
func textOf(f reflect.Value) (string, error) {
	for (f.Kind() == reflect.Pointer || f.Kind() == reflect.Interface) && !f.IsNil() {
		f = f.Elem()
	}
	switch f.Kind() { //nolint:exhaustive // all others are JSON
	case reflect.String:
		return f.String(), nil
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(f.Int(), 10), nil
	case reflect.Float64:
		return strconv.FormatFloat(f.Float(), 'g', -1, 64), nil
	case reflect.Bool:
		return strconv.FormatBool(f.Bool()), nil
	}
	if raw, ok := reflect.TypeAssert[json.RawMessage](f); ok {
		return string(raw), nil
	}
	b, err := json.Marshal(f.Interface())
	if err != nil {
		return "", fmt.Errorf("parameter: %w", err)
	}
	return string(b), nil
}

func (s *sent) multipart() (kind string, body io.Reader, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, values := range s.form {
		for _, v := range values {
			if err := w.WriteField(name, v); err != nil {
				return "", nil, fmt.Errorf("write form: %w", err)
			}
		}
	}
	for name, f := range s.files {
		part, err := w.CreateFormFile(name, f.Name)
		if err == nil {
			_, err = part.Write(f.Content)
		}
		if err != nil {
			return "", nil, fmt.Errorf("write form: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return "", nil, fmt.Errorf("write form: %w", err)
	}
	return w.FormDataContentType(), &b, nil
}
