package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"quipu/internal/fault"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/params"
)

// Bounds of a batch.
const (
	maxBatch       = 16       // reads
	maxBatchRead   = 16 << 10 // bytes of the address of a read
	maxBatchAnswer = 1 << 20  // bytes of the answer to a read
	batchAtOnce    = 3        // reads that run at a time: what one caller has of the places
)

var errBatch = fault.Newf(fault.Invalid, "request.bad_batch",
	`Bad request parameter: requests: want a JSON list of 1 to %d addresses like "/o/apps/mine?x=y", each of at most %d bytes`, maxBatch, maxBatchRead)

// batchReq lists the addresses that are read.
type batchReq struct {
	Requests params.Value `param:"requests"`
}

// batchAnswer is the answer to one read of a batch.
type batchAnswer struct {
	Status int             `json:"status"`
	Error  string          `json:"error,omitempty"` // the code of a fault
	Body   json.RawMessage `json:"body"`
}

// HandleBatch declares the route that makes several reads in one request: the parameter requests is a JSON list
// of addresses below /o, and the answer lists, in that order, the status and the body of each. A read passes
// every check that it passes alone, with the credentials of the batch; addresses cannot bring their own. Routes
// that write, stream or send files are refused in a batch (request.not_readable), and so are batches.
// A read whose answer is over 1 MiB fails with request.answer_too_large, and one for whose answer there is no room beside the others of
// the batch with server.busy. Faults: request.bad_batch.
func HandleBatch(g *Registrar, path string) {
	why := "its reads take places of their own among those who read"
	HandleRawOf(g, path, Authenticated().ForTokensOfApps(), why, func(w http.ResponseWriter, c Caller, r batchReq) error {
		targets, err := batchTargets(c, r)
		if err != nil {
			return err
		}
		held := batchRoom{claim: c.server.opts.Intake.Answers.Claim(intake.CallerOf(c.request.Context()).Who())}
		defer held.claim.Leave()
		c.charge = func(context.Context, int) error { return nil } // it was, with the answers in it
		return c.server.writeJSON(w, c, http.StatusOK, c.server.batch(c, targets, &held))
	})
}

// batchRoom is what a batch holds of the memory of answers, until it is sent. It is safe for concurrent use.
type batchRoom struct {
	mu    sync.Mutex // guards claim
	claim memory.Claim
}

// charge takes room for n bytes of an answer, and for as many of that of the batch, which they are written into. It waits only while the batch holds nothing: others
// may wait for what it holds. Faults: server.busy, request.answer_too_large.
func (h *batchRoom) charge(ctx context.Context, n int) error {
	if n > maxBatchAnswer {
		return errInnerBig
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if both := 2 * int64(n); h.claim.Held() > 0 && h.claim.Try(both) || h.claim.Held() == 0 && h.claim.Grow(ctx, both) == nil {
		return nil
	}
	return busy()
}

// batchTargets reads the addresses of a batch.
func batchTargets(c *Call, r batchReq) ([]*url.URL, error) {
	var addresses []string
	if json.Unmarshal(r.Requests.Raw(), &addresses) != nil || len(addresses) == 0 || len(addresses) > maxBatch {
		return nil, errBatch
	}
	out := make([]*url.URL, len(addresses))
	for i, address := range addresses {
		u, ok := readTarget(address)
		if !ok {
			return nil, errBatch
		}
		out[i] = c.withOwnCredentials(u)
	}
	return out, nil
}

// readTarget reads the address of a read below /o. It has no credentials.
func readTarget(address string) (*url.URL, bool) {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxBatchRead || u.Scheme != "" || u.Host != "" || u.Path != "/o" && !strings.HasPrefix(u.Path, "/o/") {
		return nil, false
	}
	values := u.Query()
	values.Del("api_key")
	values.Del("auth_token")
	return &url.URL{Path: u.Path, RawQuery: values.Encode()}, true
}

// withOwnCredentials adds the credentials that the parameters of c hold to an address.
func (c *Call) withOwnCredentials(u *url.URL) *url.URL {
	values := u.Query()
	for _, name := range []string{"api_key", "auth_token"} {
		if text := c.Params.Text(name); text != "" {
			values.Set(name, text)
		}
	}
	return &url.URL{Path: u.Path, RawQuery: values.Encode()}
}

// batch makes the reads of a batch, a few at a time. When the client leaves, those under way end with its context, and no more are made.
func (s *Server) batch(outer *Call, targets []*url.URL, held *batchRoom) []batchAnswer {
	out, secret := make([]batchAnswer, len(targets)), make([]bool, len(targets))
	places := make(chan struct{}, batchAtOnce)
	var all sync.WaitGroup
	for i, target := range targets {
		places <- struct{}{}
		if outer.request.Context().Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-places }()
			out[i], secret[i] = s.batchRead(outer, target, held)
		})
	}
	all.Wait()
	for _, is := range secret {
		outer.secret = outer.secret || is
	}
	return out
}

// batchRead makes one read, and reports whether its answer may hold credentials.
func (s *Server) batchRead(outer *Call, target *url.URL, held *batchRoom) (answer batchAnswer, secret bool) {
	w, c := s.inside(outer, target, maxBatchAnswer)
	c.charge = held.charge
	s.answer(w, c)
	answer = batchAnswer{Status: w.status, Error: w.header.Get(FaultHeader)}
	if w.body.Len() > 0 { // nobody answers a client that is gone
		answer.Body = w.body.Bytes()
	}
	return answer, c.route != nil && c.route.Access.Secret
}

// inside returns a read that is made within a request, and what takes its answer of at most so many bytes.
func (s *Server) inside(outer *Call, target *url.URL, most int) (*innerWriter, *Call) {
	r := outer.request.Clone(outer.request.Context())
	r.Method, r.URL, r.RequestURI, r.Host = http.MethodGet, target, "", outer.request.Host
	r.Body, r.ContentLength, r.TransferEncoding = http.NoBody, 0, nil
	r.Form, r.PostForm, r.MultipartForm = nil, nil, nil
	for _, name := range []string{"Accept-Encoding", "Content-Type", "Content-Length"} {
		r.Header.Del(name)
	}
	r.Header.Set("Accept", "application/json;escape=none") // the batch escapes what it holds
	c := &Call{server: s, request: r, Now: outer.Now, IP: outer.IP, Path: strings.TrimSuffix(target.Path, "/"), batched: true}
	return &innerWriter{header: http.Header{}, status: http.StatusOK, most: most}, c
}

// answer serves a read of a batch as ServeHTTP serves a request.
func (s *Server) answer(w *innerWriter, c *Call) {
	defer s.recoverPanic(w, c)
	err := s.serve(w, c)
	if w.over {
		w.over, err = false, errInnerBig
		w.body.Reset()
	}
	if err != nil {
		c.charge = nil // it is short
		s.writeError(w, c, err)
	}
}

// inBatch refuses what a batch cannot read.
func (c *Call) inBatch(route *Route) error {
	if c.batched && (route.Writes() || route.Raw != "") {
		return errNotInner
	}
	return nil
}
