package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// declareMemory declares what memory goes to and who waits for it.
func (a *App) declareMemory(m *metrics) {
	const name, help = "memory_bytes", "Memory by what takes it: the resident set of the process; of that pages of files, which is the binary above all; " +
		"what Go's runtime holds; the event store's buffers; cache and write buffers of the state."
	part := func(part string, read func() float64) { m.gauge(name, help, prometheus.Labels{"part": part}, read) }
	part("resident", func() float64 { return float64(a.memory.Usage().Resident) })
	part("files", func() float64 { return float64(a.memory.Usage().Files) })
	part("go", func() float64 { return float64(a.memory.Usage().Go) })
	if a.kv != nil {
		part("state_cache", func() float64 { cache, _ := a.kv.Memory(); return float64(cache) })
		part("state_buffers", func() float64 { _, buffers := a.kv.Memory(); return float64(buffers) })
		part("events", a.eventsMemory)
	}
	m.gauge("memory_limit_bytes", "The cap that the process keeps.", nil, func() float64 { return float64(a.memory.Plan().Total) })
	m.gauge("memory_short", "1 while heavy work waits because memory is short.", nil, func() float64 {
		if a.memory.Strained() {
			return 1
		}
		return 0
	})
	refused := func(gate string, read func() int64) {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "quipu", Name: "admission_refused_total", ConstLabels: prometheus.Labels{"gate": gate},
			Help: "Work that was turned away because there was no room in time, and connections that were closed because the client stalled.",
		}, func() float64 { return float64(read()) }))
	}
	for _, gate := range append(a.intake.Gates(), a.reads, a.cellGate) {
		labels := prometheus.Labels{"gate": gate.Name}
		m.gauge("admission_used", "What is admitted: bytes of bodies, answers and cells, reads, connections.", labels, func() float64 { return float64(gate.Used()) })
		m.gauge("admission_waiting", "Work that waits for room.", labels, func() float64 { return float64(gate.Waiting()) })
		refused(gate.Name, gate.Refused)
	}
	for _, stalled := range a.intake.Stalled() {
		refused(stalled.Name(), stalled.Count)
	}
}

// eventsMemory asks the event store what its buffers take; -1 = unknown.
func (a *App) eventsMemory() float64 {
	n, err := a.duck.MemoryUsed(context.Background())
	if err != nil {
		return -1
	}
	return float64(n)
}
