package decode

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
)

// insideKey marks the context of requests that the server makes itself. Watchers, who look at what
// clients send, are not notified of them.
type insideKey struct{}

// Take accepts requests of SDKs for an app from within the server: a JSON array, as the body of
// /i/bulk. It is signed with the app's salt and otherwise treated like one that came over HTTP. It returns
// once the requests are durable. Items that cannot be taken are counted as dropped, as ever.
//
// Faults: ingest.unavailable, with the time to come back, and ingest.refused.
func (d *Decoder) Take(ctx context.Context, app *model.App, requests []byte) error {
	query := "app_key=" + url.QueryEscape(app.Key)
	if app.Salt != "" {
		h := sha256.New()
		h.Write([]byte(query))
		h.Write(requests)
		h.Write([]byte(app.Salt))
		query += "&checksum256=" + hex.EncodeToString(h.Sum(nil))
	}
	r, err := http.NewRequestWithContext(context.WithValue(ctx, insideKey{}, true), http.MethodPost, "/i/bulk?"+query, bytes.NewReader(requests))
	if err != nil {
		return fmt.Errorf("request from inside: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	sc := d.scratch.Get().(*scratch)
	a := d.answer(&noResponse{header: http.Header{}}, r, sc, d.bulk)
	switch a.status {
	case http.StatusOK:
		return nil
	case http.StatusServiceUnavailable:
		f := fault.New(fault.Unavailable, "ingest.unavailable", "Server is not accepting data at the moment")
		f.RetryAfter = max(a.retryAfter, time.Second)
		return f
	}
	return fault.New(fault.Invalid, "ingest.refused", "The requests were refused")
}

// noResponse is the ResponseWriter for body limits, which close the connection of a body that is too large.
type noResponse struct{ header http.Header }

// Header implements http.ResponseWriter.
func (n *noResponse) Header() http.Header { return n.header }

// Write implements http.ResponseWriter.
func (n *noResponse) Write(p []byte) (int, error) { return len(p), nil }

// WriteHeader implements http.ResponseWriter.
func (n *noResponse) WriteHeader(int) {}
