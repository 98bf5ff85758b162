package app

import (
	"net/http"

	"quipu/internal/memory"
	evstore "quipu/internal/store/events"
)

// Gates are the gates of a server, for tests.
type Gates struct{ gates }

// NewGates makes the gates of a governor.
func NewGates(g *memory.Governor) *Gates { return &Gates{newGates(g)} }

// Admitted puts the gates in front of a handler.
func (g *Gates) Admitted(next http.Handler) http.Handler { return g.admitted(next) }

// Queued puts the gate of reads in front of an event store.
func (g *Gates) Queued(r evstore.Reader) evstore.Reader { return queued{r, g.reads} }
