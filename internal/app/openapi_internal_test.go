package app

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"quipu/internal/fault"
)

// TestUndescribedAPIHasACode asks for a description of the API that cannot be made.
func TestUndescribedAPIHasACode(t *testing.T) {
	t.Parallel()
	a := &App{log: slog.New(slog.DiscardHandler), described: func() (description, error) { return description{}, errors.New("no") }}
	w := httptest.NewRecorder()
	a.serveDescription(w, httptest.NewRequest(http.MethodGet, descriptionPath, nil))
	if got := w.Header().Get(fault.Header); w.Code != http.StatusInternalServerError || got != fault.CodeInternal {
		t.Errorf("got %d %q, want 500 %s", w.Code, got, fault.CodeInternal)
	}
}
