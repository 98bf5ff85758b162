package app

import (
	"context"
	"runtime"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"quipu/internal/store/events/plan"
)

// The ends of runs of jobs and tasks, and of backups, as labels.
const (
	endedWell  = "completed"
	endedBadly = "failed"
)

// declareWork declares what is known of the build, and what became of work in the background.
func (a *App) declareWork(m *metrics) {
	version, commit, _ := strings.Cut(Version(), "+")
	m.gauge("build_info", "1, with what the binary was built from.", prometheus.Labels{"version": version, "commit": commit, "go": runtime.Version()}, func() float64 { return 1 })
	m.registry.MustRegister(jobRuns{a, prometheus.NewDesc("quipu_job_runs_total", "Runs of jobs, by how they ended.", []string{"name", "outcome"}, nil)}, m.tasks)
	for _, end := range []string{endedWell, endedBadly} {
		m.tasks.WithLabelValues(end)
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "quipu", Name: "backups_total", Help: "Backups of the server's own schedule, by how they ended.", ConstLabels: prometheus.Labels{"outcome": end},
		}, func() float64 {
			ok, failed, _ := a.backups.read()
			if end == endedBadly {
				return float64(failed)
			}
			return float64(ok)
		}))
	}
	m.gauge("backup_last_success_timestamp_seconds", "When the newest backup of the server's own schedule was made; 0 = there is none.", nil, func() float64 {
		_, _, last := a.backups.read()
		if last.IsZero() {
			return 0
		}
		return float64(last.Unix())
	})
	m.gauge("move_back_records", "Records in the journal of the cluster from which the data has moved here that are not taken yet; 0 = none, -1 = unknown.", nil, func() float64 { return float64(a.back.missing()) })
	m.gauge("tls_certificate_end_timestamp_seconds", "When the certificate of tls.cert_file ends; 0 = there is none.", nil, func() float64 {
		if until := a.certs.until(); !until.IsZero() {
			return float64(until.Unix())
		}
		return 0
	})
}

// watchReads returns what measures and traces the reads of event rows; nil when nobody asks for that.
func (a *App) watchReads() func(context.Context) func(error) {
	measure := func(ctx context.Context) func(error) {
		began := a.now()
		return func(error) {
			a.metrics.queries.WithLabelValues(string(plan.OperatorOf(ctx))).Observe(a.now().Sub(began).Seconds())
		}
	}
	switch {
	case a.metrics == nil && a.tracer == nil:
		return nil
	case a.tracer == nil:
		return measure
	case a.metrics == nil:
		return a.traceRead
	}
	return func(ctx context.Context) func(error) {
		measured, traced := measure(ctx), a.traceRead(ctx)
		return func(err error) { measured(err); traced(err) }
	}
}

// jobRuns reads the scheduler's own figures.
type jobRuns struct {
	a    *App
	desc *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (c jobRuns) Describe(ch chan<- *prometheus.Desc) { ch <- c.desc }

// Collect implements prometheus.Collector.
func (c jobRuns) Collect(ch chan<- prometheus.Metric) {
	for _, j := range c.a.jobs.List() {
		ch <- prometheus.MustNewConstMetric(c.desc, prometheus.CounterValue, float64(j.Runs-j.Failures), j.Name, endedWell)
		ch <- prometheus.MustNewConstMetric(c.desc, prometheus.CounterValue, float64(j.Failures), j.Name, endedBadly)
	}
}

// taskEnded counts a task.
func (a *App) taskEnded(failed bool) {
	switch {
	case a.metrics == nil:
	case failed:
		a.metrics.tasks.WithLabelValues(endedBadly).Inc()
	default:
		a.metrics.tasks.WithLabelValues(endedWell).Inc()
	}
}
