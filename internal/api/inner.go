package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/params"
)

// Inner reads the server's own API from inside, in the name of a caller whose request was
// admitted before: exports and reports are made of such reads. Nothing leaves the process.
type Inner struct {
	routes *Routes
	auth   *auth.Service
}

// Inner returns the reader. It works once the server is up.
func (g *Registrar) Inner(a *auth.Service) *Inner { return &Inner{routes: g.routes, auth: a} }

// Proxy returns what an inner read needs to know of the caller.
func (c *Call) Proxy() auth.Proxy { return c.Identity.Proxy() }

// maxInner bounds the answer of an inner read, in bytes.
const maxInner = 256 << 20

var (
	errNotInner = fault.New(fault.Invalid, "request.not_readable", "This path cannot be read")
	errInnerBig = fault.New(fault.TooLarge, "request.answer_too_large", "The answer is too large")
)

// Get returns the JSON that path, below /o, answers to the parameters, with its text as
// it is. Credentials among the parameters are ignored. Every check of an outer request is made, by the caller's
// present rights. The fault of a request that fails is returned as it is; routes that write, or answer with
// something else than JSON, are refused: request.not_readable.
func (i *Inner) Get(ctx context.Context, as auth.Proxy, path string, p *params.Params) ([]byte, error) {
	server := i.routes.server
	if server == nil {
		return nil, fault.New(fault.Unavailable, "request.not_ready", "The server is starting")
	}
	path = strings.TrimSuffix(path, "/")
	if path != "/o" && !strings.HasPrefix(path, "/o/") {
		return nil, errNotInner
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("inner request: %w", err)
	}
	r.URL.Path = path
	r.Header.Set("Accept", "application/json;escape=none")
	own := &params.Params{}
	for _, name := range p.Names() {
		if name != "api_key" && name != "auth_token" {
			v, _ := p.Get(name)
			own.Set(name, v)
		}
	}
	c := &Call{
		request: r, Now: server.opts.Now(), Path: path, Params: own,
		again: func(cred Credentials) (Identity, error) { return i.auth.Again(ctx, as, cred) },
	}
	route, values, known := i.routes.find(path)
	if !known {
		return nil, i.routes.unknown(path)
	}
	c.PathValues = values
	if route.methods {
		route, err = server.methodRoute(c) //nolint:contextcheck // the call carries the request and its context
	} else if route.Writes() || route.Raw != "" {
		err = errNotInner
	} else {
		err = server.admit(c, route.Access) //nolint:contextcheck // as above
	}
	if err != nil {
		return nil, err
	}
	if route.Writes() || route.Raw != "" {
		return nil, errNotInner
	}
	c.route = route
	w := &innerWriter{header: http.Header{}, most: maxInner}
	if err := route.run(w, c, server); err != nil {
		if w.over {
			return nil, errInnerBig
		}
		return nil, err
	}
	return w.body.Bytes(), nil
}

// innerWriter keeps an answer.
type innerWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
	most   int // bytes of the body
	over   bool
}

// Header implements http.ResponseWriter.
func (w *innerWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *innerWriter) WriteHeader(status int) { w.status = status }

// Write implements http.ResponseWriter.
func (w *innerWriter) Write(p []byte) (int, error) {
	if w.body.Len()+len(p) > w.most {
		w.over = true
		return 0, errors.New("answer is too large")
	}
	return w.body.Write(p)
}
