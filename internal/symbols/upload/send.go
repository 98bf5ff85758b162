package upload

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// Target is where symbols go, and of which build they are.
type Target struct {
	Server string // address of the server
	AppKey string // key of the app; or AppID and Token
	AppID  string
	// Token is a token of a member who may create crashes.
	Token    string
	Platform string
	Builds   []string
	Note     string
	// Tool is what made the upload, as the list of symbols shows it.
	Tool string
}

// Validate reports what is missing or cannot be.
func (t *Target) Validate() error {
	var out []error
	u, err := url.Parse(t.Server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		out = append(out, fmt.Errorf("%q is not the address of a server, such as https://quipu.example", t.Server))
	}
	if (t.AppKey == "") == (t.Token == "") {
		out = append(out, errors.New("either the key of the app or a token is needed"))
	}
	if t.Token != "" && t.AppID == "" {
		out = append(out, errors.New("a token needs the app id as well"))
	}
	if len(t.Builds) == 0 {
		out = append(out, errors.New("name the build with --build, as its crashes name it: by the version of the app"))
	}
	if len(t.Builds) > MaxBuilds {
		out = append(out, fmt.Errorf("%d builds; an upload has at most %d", len(t.Builds), MaxBuilds))
	}
	return errors.Join(out...)
}

// Packed is the one file that is sent. Close deletes it if it was made.
type Packed struct {
	Name string
	Size int64 // bytes
	file *os.File
	made bool
}

// Close ends the use of the file.
func (p *Packed) Close() error {
	err := p.file.Close()
	if p.made {
		err = errors.Join(err, os.Remove(p.file.Name()))
	}
	return err
}

// Pack makes one packed file of symbol files; one that is packed already stays as it is.
func Pack(files []File) (*Packed, error) {
	if len(files) == 1 {
		f, err := os.Open(files[0].Path)
		if err != nil {
			return nil, err
		}
		if ext := strings.ToLower(path.Ext(files[0].Name)); ext == ".gz" || ext == ".zip" {
			return &Packed{Name: path.Base(files[0].Name), Size: files[0].Size, file: f}, nil
		}
		defer func() { _ = f.Close() }() // it was only read
		return temporary(path.Base(files[0].Name)+".gz", func(w io.Writer) error {
			z := gzip.NewWriter(w)
			if _, err := io.Copy(z, f); err != nil {
				return err
			}
			return z.Close()
		})
	}
	return temporary("symbols.zip", func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, f := range files {
			if err := addTo(z, f); err != nil {
				return fmt.Errorf("pack %s: %w", f.Path, err)
			}
		}
		return z.Close()
	})
}

func addTo(z *zip.Writer, f File) error {
	r, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	w, err := z.Create(f.Name)
	if err == nil {
		_, err = io.Copy(w, r)
	}
	return err
}

// temporary writes a file that is deleted when it is not needed any more.
func temporary(name string, write func(io.Writer) error) (_ *Packed, err error) {
	f, err := os.CreateTemp("", "quipu-symbols-*")
	if err != nil {
		return nil, err
	}
	p := &Packed{Name: name, file: f, made: true}
	if err = write(f); err == nil {
		p.Size, err = f.Seek(0, io.SeekCurrent)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Done is what the server said of an upload. Problem says why it cannot use the files; "" = it can.
type Done struct {
	ID      string `json:"_id"`
	Problem string `json:"problem"`
}

// attempts is how often a server that is busy or away is tried.
const attempts = 5

// inForm is how large an upload may be that has the key in the form, not in the address, where proxies may log it.
const inForm = 16 << 20

// errAgain is of a server that may take the upload later.
type errAgain struct {
	err   error
	after time.Duration
}

// Error implements error.
func (e *errAgain) Error() string { return e.err.Error() }

// Unwrap returns the error of the attempt.
func (e *errAgain) Unwrap() error { return e.err }

// Send uploads a file, and tries again while the server is busy or away. progress is called with how many bytes of the file were sent, from
// the goroutine that sends; nil = nobody wants to know.
func Send(ctx context.Context, t Target, p *Packed, progress func(sent int64)) (Done, error) {
	if err := t.Validate(); err != nil {
		return Done{}, err
	}
	if progress == nil {
		progress = func(int64) {}
	}
	for n := 1; ; n++ {
		done, err := try(ctx, t, p, progress)
		again, ok := errors.AsType[*errAgain](err)
		if !ok || n == attempts {
			return done, err
		}
		wait := time.NewTimer(max(again.after, time.Second<<(n-1)))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return Done{}, ctx.Err()
		}
	}
}

// form returns the parts of a form before and behind the file, and its type.
func (t *Target) form(name string, fields map[string]string) (head, tail []byte, kind string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, v := range fields {
		if err := w.WriteField(name, v); err != nil {
			return nil, nil, "", err
		}
	}
	if _, err := w.CreateFormFile("symbols", name); err != nil {
		return nil, nil, "", err
	}
	head = bytes.Clone(b.Bytes())
	b.Reset()
	if err := w.Close(); err != nil {
		return nil, nil, "", err
	}
	return head, bytes.Clone(b.Bytes()), w.FormDataContentType(), nil
}

// request returns the request of an upload.
func (t *Target) request(ctx context.Context, p *Packed, progress func(int64)) (*http.Request, error) {
	list, err := json.Marshal(t.Builds)
	if err != nil {
		return nil, err
	}
	fields := map[string]string{"platform": t.Platform, "build": string(list), "sym_tool_ver": t.Tool}
	if t.Note != "" {
		fields["note"] = t.Note
	}
	to, query := strings.TrimRight(t.Server, "/")+"/i/crash_symbols/upload_symbol", url.Values{}
	switch {
	case t.Token != "":
		to = strings.TrimRight(t.Server, "/") + "/i/crash_symbols/add_symbol"
		query.Set("app_id", t.AppID)
	case p.Size > inForm:
		query.Set("app_key", t.AppKey)
	default:
		fields["app_key"] = t.AppKey
	}
	head, tail, kind, err := t.form(p.Name, fields)
	if err != nil {
		return nil, err
	}
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	body := io.MultiReader(bytes.NewReader(head), &counted{r: io.NewSectionReader(p.file, 0, p.Size), progress: progress}, bytes.NewReader(tail))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, body)
	if err != nil {
		return nil, err
	}
	r.ContentLength = int64(len(head)) + p.Size + int64(len(tail))
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Expect", "100-continue") // a refusal comes before the file is sent
	if t.Token != "" {
		r.Header.Set("Countly-Token", t.Token)
	}
	return r, nil
}

func try(ctx context.Context, t Target, p *Packed, progress func(int64)) (Done, error) {
	r, err := t.request(ctx, p, progress)
	if err != nil {
		return Done{}, err
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ExpectContinueTimeout: 5 * time.Second, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return Done{}, ctx.Err()
		}
		return Done{}, &errAgain{err: fmt.Errorf("reach the server: %w", withoutAddress(err))}
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err != nil {
		return Done{}, fmt.Errorf("read the answer: %w", err)
	}
	return answer(res, body)
}

// withoutAddress leaves out the address, which may hold a key.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// answer reads what the server said.
func answer(res *http.Response, body []byte) (Done, error) {
	if to := res.Header.Get("Location"); to != "" && res.StatusCode/100 == 3 {
		where, _, _ := strings.Cut(to, "?")
		return Done{}, fmt.Errorf("the server sends uploads on to %s; name it as --server", where)
	}
	var said struct {
		Done
		Result  string `json:"result"`
		Message string `json:"message"`
	}
	readable := json.Unmarshal(body, &said) == nil
	switch {
	case res.StatusCode == http.StatusOK && readable && said.ID != "":
		return said.Done, nil
	case readable && said.Result != "":
	default:
		said.Result = "an answer that is not of a Quipu server"
	}
	err := fmt.Errorf("the server answered %d: %s", res.StatusCode, said.Result)
	switch res.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After")) // none = 0
		return Done{}, &errAgain{err, min(time.Duration(max(0, seconds))*time.Second, time.Minute)}
	}
	return Done{}, err
}

// counted counts what is read.
type counted struct {
	r        io.Reader
	n        int64
	progress func(int64)
}

// Read implements io.Reader.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	c.progress(c.n)
	return n, err
}
