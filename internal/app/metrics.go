package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/shirou/gopsutil/v4/disk"

	"quipu/internal/auth"
	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/kv"
	"quipu/internal/turn"
)

// metrics are what the server tells Prometheus of itself. docs/reference/monitoring.md lists them.
type metrics struct {
	registry *prometheus.Registry
	outcomes *prometheus.CounterVec
	clamped  *prometheus.CounterVec
	records  prometheus.Counter
	rows     prometheus.Counter
	requests prometheus.Counter
	batches  *prometheus.HistogramVec
	http     *prometheus.HistogramVec
	signIns  *prometheus.CounterVec
	tasks    *prometheus.CounterVec
	queries  *prometheus.HistogramVec
}

// newMetrics declares the metrics of a server.
func (a *App) newMetrics() *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "quipu", Name: name, Help: help})
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "quipu", Name: "ingest_outcomes_total", Help: "What became of what was received, by item and outcome.",
		}, []string{"item", "outcome"}),
		clamped: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "quipu", Name: "ingest_clamped_total", Help: "Accepted items with a number that was cut to its bound, by item.",
		}, []string{"item"}),
		records:  counter("pipeline_records_total", "Journal records projected."),
		rows:     counter("pipeline_event_rows_total", "Event rows stored."),
		requests: counter("pipeline_requests_total", "Requests of clients projected."),
		batches: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "quipu", Name: "pipeline_batch_seconds", Help: "Time that batches take to be applied and committed.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"phase"}),
		http: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "quipu", Name: "http_request_seconds", Help: "Time to answer, by class of route and class of status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
		}, []string{"route", "status"}),
	}
	m.signIns = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "quipu", Name: "sign_ins_total", Help: "Attempts to sign in or to confirm a password, by outcome.",
	}, []string{"outcome"})
	m.tasks = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "quipu", Name: "tasks_total", Help: "Tasks that have ended, by outcome."}, []string{"outcome"})
	m.queries = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "quipu", Name: "query_seconds", Help: "Time that the event store takes for a read, by the kind of question that it is part of.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
	}, []string{"operator"})
	m.begin()
	m.registry.MustRegister(
		m.outcomes, m.signIns, m.clamped, m.records, m.rows, m.requests, m.batches, m.http, m.queries,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// begin makes every series at 0, so that the first of anything is a rise.
func (m *metrics) begin() {
	for _, item := range outcome.Items() {
		m.clamped.WithLabelValues(item.String())
		for _, reason := range outcome.Reasons() {
			m.outcomes.WithLabelValues(item.String(), outcomeLabel(reason))
		}
	}
	for _, end := range auth.SignIns() {
		m.signIns.WithLabelValues(string(end))
	}
	for _, operator := range plan.Operators() {
		m.queries.WithLabelValues(string(operator))
	}
	for _, phase := range []string{"apply", "commit"} {
		m.batches.WithLabelValues(phase)
	}
	for _, route := range []string{"ingest", "write", "read", "site"} {
		for _, status := range []string{"2xx", "3xx", "4xx", "5xx"} {
			m.http.WithLabelValues(route, status)
		}
	}
}

// outcomeLabel is a reason as a label has it.
func outcomeLabel(r outcome.Reason) string {
	if r == outcome.Accepted {
		return r.String()
	}
	return "dropped_" + r.String()
}

// gauge declares a value that is read when it is asked for.
func (m *metrics) gauge(name, help string, labels prometheus.Labels, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "quipu", Name: name, Help: help, ConstLabels: labels,
	}, read))
}

// declareGauges declares what is read from the stores.
func (a *App) declareGauges(m *metrics) {
	backlog := func(of func(records, bytes int64) int64) func() float64 {
		return func() float64 {
			w, err := a.state.Watermark(context.Background())
			if err != nil {
				return -1
			}
			return float64(of(a.journal.Size(w)))
		}
	}
	m.gauge("journal_backlog_records", "Records accepted and not projected yet; -1 = unknown.", nil, backlog(func(n, _ int64) int64 { return n }))
	m.gauge("journal_backlog_bytes", "Bytes accepted and not projected yet; -1 = unknown.", nil, backlog(func(_, n int64) int64 { return n }))
	m.gauge("outbox_rows", "Event rows projected and not moved to the event store yet.", nil, func() float64 { return float64(a.work.Outbox()) })
	m.gauge("pipeline_healthy", "1 while records are being projected, 0 while a store refuses.", nil, func() float64 {
		if _, ok := a.work.Healthy(); ok {
			return 1
		}
		return 0
	})
	m.gauge("disk_free_bytes", "Free bytes on the disk of the data folder; -1 = unknown.", nil, func() float64 {
		n, err := a.diskFree()
		if err != nil {
			return -1
		}
		return float64(n)
	})
	a.declareHealth(m)
	a.declareMemory(m)
	a.declareWork(m)
	a.declareTraces(m)
	if a.kv == nil {
		return // the stores are on other machines
	}
	const size, sizeHelp = "store_bytes", "Bytes that a store takes on disk."
	m.gauge(size, sizeHelp, prometheus.Labels{"store": "state"}, func() float64 { return float64(a.kv.DiskUsed()) })
	for _, space := range kv.Spaces() {
		m.gauge("state_bytes", "Bytes that a part of the state takes on disk, without the log; -1 = unknown.", prometheus.Labels{"part": space.Name}, func() float64 {
			n, err := a.kv.Size(space)
			if err != nil {
				return -1
			}
			return float64(n)
		})
	}
	inFolder := map[string]string{"events": eventsFile, "documents": docsFile}
	if a.cfg.Docs != "" {
		delete(inFolder, "documents")
	}
	for store, file := range inFolder {
		m.gauge(size, sizeHelp, prometheus.Labels{"store": store}, func() float64 {
			return float64(fileSize(filepath.Join(a.cfg.Data, file)) + fileSize(filepath.Join(a.cfg.Data, file+".wal")) +
				fileSize(filepath.Join(a.cfg.Data, file+"-wal")))
		})
	}
}

// diskFree is what is free on the disk of the data folder, bytes.
func (a *App) diskFree() (uint64, error) {
	if a.kv != nil {
		return a.kv.DiskFree()
	}
	u, err := disk.Usage(a.cfg.Data)
	if err != nil {
		return 0, err
	}
	return u.Free, nil
}

// fileSize is the size of a file, 0 when there is none.
func fileSize(path string) int64 {
	st, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return st.Size()
}

// observe counts what the pipeline did.
func (m *metrics) observe(o pipeline.Observation) {
	for k, n := range o.Outcomes {
		m.outcomes.WithLabelValues(k.Item.String(), outcomeLabel(k.Reason)).Add(float64(n))
	}
	for item, n := range o.Clamped {
		m.clamped.WithLabelValues(item.String()).Add(float64(n))
	}
	if o.Records == 0 {
		return
	}
	m.records.Add(float64(o.Records))
	m.rows.Add(float64(o.Rows))
	m.requests.Add(float64(o.Requests))
	m.batches.WithLabelValues("apply").Observe(o.Apply.Seconds())
	m.batches.WithLabelValues("commit").Observe(o.Commit.Seconds())
}

// unassigned counts what came for no app.
func (a *App) unassigned(reason outcome.Reason) {
	if a.metrics != nil {
		a.metrics.outcomes.WithLabelValues(outcome.Request.String(), outcomeLabel(reason)).Inc()
	}
}

// measured times the answers of a handler by class of route, and has work in the background give way meanwhile.
func (a *App) measured(next http.Handler) http.Handler {
	ingest := map[string]bool{}
	for _, p := range decode.Paths() {
		ingest[p] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn.BeginWait()
		defer turn.EndWait()
		began := a.now()
		s := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
				return // it lasted as long as somebody looked
			}
			a.metrics.http.WithLabelValues(routeClass(r.URL.Path, ingest), strconv.Itoa(s.status/100)+"xx").Observe(a.now().Sub(began).Seconds())
		}()
		next.ServeHTTP(s, r)
	})
}

// routeClass is ingest, write (/i/…), read (/o/…) or site.
func routeClass(path string, ingest map[string]bool) string {
	switch {
	case ingest[path]:
		return "ingest"
	case path == "/i" || strings.HasPrefix(path, "/i/"):
		return "write"
	case path == "/o" || strings.HasPrefix(path, "/o/"):
		return "read"
	}
	return "site"
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach what is below.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// MetricsHandler answers with all metrics. It is never part of Handler.
func (a *App) MetricsHandler() http.Handler {
	return promhttp.HandlerFor(a.metrics.registry, promhttp.HandlerOpts{})
}
