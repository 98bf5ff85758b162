package app

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/openapi"
)

// descriptionPath is where the description of the API is.
const descriptionPath = "/openapi.json"

// description is the description of the API, compressed: it is asked for seldom.
type description struct {
	packed []byte // gzip
	tag    string // of its content
}

// describeAPI makes the description of the routes.
func (a *App) describeAPI() (description, error) {
	text, err := openapi.Document(release, a.routes.All())
	if err != nil {
		return description{}, err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return description{}, fmt.Errorf("compress description: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return description{}, fmt.Errorf("compress description: %w", err)
	}
	if err := w.Close(); err != nil {
		return description{}, fmt.Errorf("compress description: %w", err)
	}
	sum := sha256.Sum256(text)
	return description{b.Bytes(), `"` + hex.EncodeToString(sum[:8]) + `"`}, nil
}

// serveDescription answers with the description of the API. It says what the program has, for everyone.
func (a *App) serveDescription(w http.ResponseWriter, r *http.Request) {
	d, err := a.described()
	if err != nil {
		a.log.ErrorContext(r.Context(), "the API cannot be described", slog.Any("error", err))
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Expose-Headers", fault.Header)
		w.Header().Set(fault.Header, fault.CodeInternal)
		http.Error(w, "Internal error", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", d.tag)
	if r.Header.Get("If-None-Match") == d.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json; charset=utf-8")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		_, _ = w.Write(d.packed) // a client that left needs no answer
		return
	}
	text, err := gzip.NewReader(bytes.NewReader(d.packed))
	if err != nil { // what was compressed above
		a.log.ErrorContext(r.Context(), "the description of the API cannot be unpacked", slog.Any("error", err))
		return
	}
	_, _ = io.Copy(w, text) // as above
}

// DescribeAPI prints the HTTP API as OpenAPI, as a server answers it.
func DescribeAPI(w io.Writer) error {
	routes, err := Routes()
	if err != nil {
		return err
	}
	text, err := openapi.Document(release, routes)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Routes opens a server on an empty folder and returns the routes it has, as Describe does.
func Routes() (routes []*api.Route, err error) {
	dir, err := os.MkdirTemp("", "quipu-routes-")
	if err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	defer func() {
		if rerr := os.RemoveAll(dir); err == nil && rerr != nil {
			err = rerr
		}
	}()
	cfg := DefaultConfig()
	cfg.Data, cfg.Log.Level = dir, "error"
	a, err := Open(context.Background(), cfg, Process{})
	if err != nil {
		return nil, err
	}
	return a.routes.All(), a.Close()
}
