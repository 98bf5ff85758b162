package app

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"quipu/internal/fault"
)

// Why ingestion answers 503, as metrics and /readyz name it.
const (
	refusesStarting = "starting"     // the stores are being opened
	refusesStopping = "stopping"     // the server has been asked to stop
	refusesStore    = "store_failed" // the state can no longer be written; only a restart helps
	refusesDisk     = "disk_full"    // less than ingest.disk_reserve is free
	refusesJournal  = "journal_full" // a large request would exceed ingest.journal_limit
	refusesRows     = "projection"   // a store takes no batches
	refusesRole     = "role"         // the node of a cluster does not have the role
	refusesMoving   = "moving"       // the data moves to a cluster, or has moved
)

// refusesMoved is why a node is not ready when the data of its cluster has moved to a folder. It is none of refusals: the node accepts what devices send.
const refusesMoved = "moved"

// refusals lists every reason that there is.
func refusals() []string {
	return []string{refusesStopping, refusesStore, refusesDisk, refusesJournal, refusesRows, refusesRole, refusesMoving}
}

// refuses says why ingestion answers 503 at present; nil while it accepts.
func (a *App) refuses(ctx context.Context) []string {
	reasons := a.stops()
	if !a.has(roleIngest) {
		return append(reasons, refusesRole)
	}
	if a.kv != nil && a.kv.Failed() != nil {
		reasons = append(reasons, refusesStore)
	}
	if a.kv != nil && a.kv.Full() {
		reasons = append(reasons, refusesDisk)
	}
	if limit := a.cfg.Ingest.JournalLimit; limit > 0 {
		w, err := a.state.Watermark(ctx)
		if err == nil && a.gated != nil {
			w = a.gated.kept(w)
		}
		if _, bytes := a.journal.Size(w); err == nil && bytes+min(a.cfg.Ingest.MaxBody, limit/16) > limit {
			reasons = append(reasons, refusesJournal)
		}
	}
	if a.gated != nil && a.gated.isClosed() {
		reasons = append(reasons, refusesMoving)
	}
	if _, ok := a.work.Healthy(); !ok {
		reasons = append(reasons, refusesRows)
	}
	return reasons
}

// stops is refusesStopping when the server stops.
func (a *App) stops() []string {
	select {
	case <-a.stopping:
		return []string{refusesStopping}
	default:
		return nil
	}
}

// declareHealth declares whether the server accepts data, and every reason why not.
func (a *App) declareHealth(m *metrics) {
	truth := func(yes bool) float64 {
		if yes {
			return 1
		}
		return 0
	}
	m.gauge("ingest_accepting", "1 while ingestion accepts data, 0 while it answers 503.", nil, func() float64 {
		return truth(len(a.refuses(context.Background())) == 0)
	})
	for _, reason := range refusals() {
		m.gauge("ingest_refusing", "1 while ingestion answers 503 for a reason.", map[string]string{"reason": reason}, func() float64 {
			return truth(slices.Contains(a.refuses(context.Background()), reason))
		})
	}
}

// live answers that the process serves.
func live(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") }

// ready answers whether the server does what it is for, ingestion first: 200, or 503. Of a node of a cluster the parameter role asks about one of its
// roles. The reasons are for operators alone.
func (a *App) ready(why bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		role := r.URL.Query().Get("role")
		if role != "" && !slices.Contains(allRoles(), role) {
			w.Header().Set(fault.Header, "request.bad_parameter")
			say(w, http.StatusBadRequest, "role is one of "+strings.Join(allRoles(), ", "))
			return
		}
		reasons := a.unready(r.Context(), role)
		if len(reasons) == 0 {
			say(w, http.StatusOK, "ok")
			return
		}
		w.Header().Set(fault.Header, "system.refusing")
		if why {
			say(w, http.StatusServiceUnavailable, strings.Join(reasons, "\n"))
		} else {
			say(w, http.StatusServiceUnavailable, "not ready")
		}
	}
}

func say(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // a client that left needs no answer
}
