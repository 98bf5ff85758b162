package views

import (
	_ "embed" // the script
	"net/http"
	"strconv"

	"quipu/internal/api"
)

// heatmapScript draws heat maps over the pages of a site. The SDK for the web loads it; docs/reference/heatmaps.md says when.
//
//go:embed heatmap.js
var heatmapScript []byte

// script answers the script of heat maps. It is the same for everyone and holds no data: these need a token.
func script(w http.ResponseWriter, _ api.Caller) error {
	h := w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(heatmapScript)))
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	_, err := w.Write(heatmapScript)
	return err
}
