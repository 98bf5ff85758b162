// Package bench measures a whole server: it starts one as a child process on a
// fresh folder, sends it realistic traffic over loopback, reads it, and reports
// rates, latencies, processor time, memory and disk, next to what a handler
// that does nothing reaches in the same run.
//
// Everything is bounded: by the number of events and by Options.Limit.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"quipu/internal/traffic"
)

// Options of Run. Program, Now and Out are required.
type Options struct {
	// Modes are run in order; see Modes.
	Modes []string
	// Users is the size of the population, Events how many events a mode sends
	// in each round, Rounds how often; ReadEvents is how many the modes reads, stalls, idle, memory and queries load.
	// ReadRounds is how often each kind of read is sent.
	Users, Events, Rounds, ReadEvents, ReadRounds int
	// Apps is how many apps the mode apps makes.
	Apps int
	// Cluster is the file that names the servers on which the modes cluster and cluster-reads make places of their own, Nodes how many nodes it has at most, and ClusterApps how
	// many apps they serve. Engines are process ids of these servers on this machine, by the names of engines: their CPU time is reported.
	Cluster            string
	Nodes, ClusterApps int
	Engines            map[string][]int
	// Pace is how many events a second each worker gets where the cost of several is compared with that of one.
	Pace int
	// Look is for how long nodes are looked at to see whether they are at rest.
	Look time.Duration
	// Days is the span of the traffic that reads, stalls, idle, memory and queries load.
	Days int
	// Connections send at once.
	Connections int
	// Memory is the cap the server is given.
	Memory string
	// Dir holds the data folders; "" = the system's folder for temporary files.
	Dir  string
	Seed uint64
	// Rest is how long the server has nothing to do before its folder is measured.
	Rest time.Duration
	// Limit bounds the run.
	Limit time.Duration
	// Program is the binary of the server, and Env what its environment has beside this process's.
	Program string
	Env     []string
	// Profile is a file for a CPU profile of the server, "" = none; each server overwrites it.
	Profile string
	// Command is what the report shows as how it was made.
	Command string
	Now     func() time.Time
	// Out gets progress, Err what the children complain of.
	Out, Err io.Writer
}

// Modes that measure a cluster, which needs servers: what events cost, and reads.
const (
	ClusterMode      = "cluster"
	ClusterReadsMode = "cluster-reads"
)

// Modes lists what can be measured on one machine alone.
func Modes() []string {
	return []string{"ingest", "bulk", "reads", "stalls", "idle", "memory", "queries", "apps"}
}

// Run runs the modes and returns their figures.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Dir == "" {
		o.Dir = os.TempDir()
	}
	ctx, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	r := &Report{Command: o.Command, Commit: commit(ctx), Machine: machine(), At: o.Now(), Modes: o.Modes}
	syncs, err := fsyncs(&o)
	if err != nil {
		return nil, err
	}
	r.add("machine", "write and sync of 1 kB at the end of a file", "", "%.0f/s", syncs)
	took, err := interruptions(ctx, &o)
	if err != nil {
		return nil, err
	}
	r.add("machine", "the same computation again and again: p50, p99, p99.9", "", "%s, %s, %s", ms(quantile(took, 0.5)), ms(quantile(took, 0.99)), ms(quantile(took, 0.999)))
	var loaded *server // by the first of reads, stalls, idle, memory and queries
	defer func() {
		if loaded != nil {
			_ = loaded.discard() // after an error; the folder is temporary
		}
	}()
	for _, mode := range o.Modes {
		began := o.Now()
		var err error
		switch mode {
		case "ingest":
			err = ingest(ctx, &o, r, 0)
		case "bulk":
			err = ingest(ctx, &o, r, bulkItems)
		case "apps":
			err = manyApps(ctx, &o, r)
		case ClusterMode:
			err = onCluster(ctx, &o, r)
		case ClusterReadsMode:
			err = onClusterReads(ctx, &o, r)
		case "reads", "stalls", "idle", "memory", "queries":
			if loaded == nil {
				if loaded, err = history(ctx, &o, r); err != nil {
					break
				}
			}
			switch mode {
			case "reads":
				err = reads(ctx, &o, r, loaded)
			case "stalls":
				err = stalls(ctx, &o, r, loaded)
			case "idle":
				loaded, err = idle(ctx, &o, r, loaded)
			case "memory":
				err = memory(ctx, &o, r, loaded)
			case "queries":
				loaded, err = queries(ctx, &o, r, loaded)
			}
		default:
			err = fmt.Errorf("unknown mode %q, there are %v", mode, Modes())
		}
		if err != nil {
			return r, fmt.Errorf("bench %s: %w", mode, err)
		}
		fmt.Fprintf(o.Out, "%s done in %s\n", mode, o.Now().Sub(began).Round(time.Second))
	}
	if loaded != nil {
		err := loaded.discard()
		loaded = nil
		return r, err
	}
	return r, nil
}

// bulkItems is how many SDK requests a bulk request holds.
const bulkItems = 200

// ingest measures /i, or /i/bulk when perBulk is not 0.
func ingest(ctx context.Context, o *Options, r *Report, perBulk int) (err error) {
	mode, connections, perRequest := "ingest", o.Connections, 3.0
	if perBulk > 0 {
		mode, connections, perRequest = "bulk", 4, 10
	}
	noop, err := spawn(ctx, o, nil, "bench-noop")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, noop.stop()) }()
	s, err := fresh(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		if s != nil {
			err = errors.Join(err, s.discard())
		}
	}()
	sessions := float64(o.Events*(o.Rounds+2)) / (perRequest * 3)
	g, err := traffic.New(traffic.Config{
		Seed: o.Seed, AppKey: s.app.Key, Users: o.Users, Start: o.Now().Add(-24 * time.Hour), SessionsPerDay: sessions * 24 / 23, EventsPerRequest: perRequest,
	})
	if err != nil {
		return err
	}
	// The first round warms both up.
	sent := &load{}
	var noopRate, ackRate, rate, eventRate, ratio, noopCPU, cpu, cpuEvents []float64
	for round := range o.Rounds + 1 {
		l := render(g, int64(o.Events), perBulk, s.app.Key)
		requests := float64(len(l.requests))
		measure := func(p *process, do func() error) (took, used time.Duration, err error) {
			began, before := o.Now(), p.cpu()
			err = do()
			return o.Now().Sub(began), p.cpu() - before, err
		}
		took, used, err := measure(noop, func() error { return saturate(ctx, noop.url, l, connections) })
		if err != nil {
			return err
		}
		nr, nc := requests/took.Seconds(), used.Seconds()/requests
		var acked time.Duration
		sent.items, sent.events, sent.bytes = sent.items+l.items, sent.events+l.events, sent.bytes+l.bytes
		took, used, err = measure(s.process, func() error {
			began := o.Now()
			if err := saturate(ctx, s.url, l, connections); err != nil {
				return err
			}
			acked = o.Now().Sub(began)
			_, err := s.drained(ctx, s.app, sent.items)
			return err
		})
		if err != nil {
			return err
		}
		if round == 0 {
			continue
		}
		noopRate, noopCPU = append(noopRate, nr), append(noopCPU, nc*1e6)
		ackRate = append(ackRate, requests/acked.Seconds())
		rate = append(rate, requests/took.Seconds())
		ratio = append(ratio, requests/took.Seconds()/nr)
		eventRate = append(eventRate, float64(l.events)/took.Seconds())
		cpu = append(cpu, used.Seconds()/requests*1e6)
		cpuEvents = append(cpuEvents, used.Seconds()/float64(l.events)*1e6)
	}
	fair := median(rate)
	r.add(mode, "requests in a round, SDK requests, events, bytes a body", "", "%d, %d, %d, %d", sent.items/int64(max(perBulk, 1))/int64(o.Rounds+1), sent.items/int64(o.Rounds+1),
		sent.events/int64(o.Rounds+1), sent.bytes/max(1, sent.items)*int64(max(perBulk, 1)))
	r.add(mode, "no-op handler: requests, CPU a request", "", "%.0f/s, %.1f µs", median(noopRate), median(noopCPU))
	r.add(mode, "durable acknowledgements while sending", "", "%.0f/s", median(ackRate))
	r.add(mode, "requests, acknowledged and projected", "", "%.0f/s", fair)
	if perBulk == 0 {
		r.add(mode, "ratio to the no-op handler (median of rounds), projected", "≥ 0.40", "%.2f (%.2f … %.2f)", median(ratio), slices.Min(ratio), slices.Max(ratio))
		r.add(mode, "ratio of acknowledgements alone", "", "%.2f", median(ackRate)/median(noopRate))
		r.add(mode, "CPU of the server a request", "", "%.1f µs", median(cpu))
		r.add(mode, "events, acknowledged and projected", "", "%.0f/s", median(eventRate))
	} else {
		r.add(mode, "events, acknowledged and projected", "≥ 150000/s", "%.0f/s", median(eventRate))
	}
	budget := ""
	if perBulk > 0 {
		budget = "≤ 10 s"
	}
	r.add(mode, "CPU of the server for a million events", budget, "%.1f s", median(cpuEvents))
	if err := latency(ctx, o, r, s, g, mode, perBulk, connections, fair/2, sent); err != nil {
		return err
	}
	got, err := s.drained(ctx, s.app, sent.items)
	if err != nil {
		return err
	}
	r.add(mode, "backlog at the end; requests accepted of sent; events accepted of sent", "", "0; %d of %d; %d of %d",
		got["request"]["accepted"], sent.items, got["event"]["accepted"], sent.events)
	r.add(mode, "peak memory of the server (RSS)", "", "%s", mib(s.memory("VmHWM")))
	stopped := s
	s = nil
	defer func() { err = errors.Join(err, stopped.remove()) }()
	if err := stopped.stop(); err != nil {
		return err
	}
	disk, err := stopped.disk()
	if err != nil {
		return err
	}
	r.add(mode, "disk after a stop: folder, event store, state", "", "%s", disk.each(sent.events))
	return nil
}

// latency sends at half of what the server keeps up with, and measures
// beside it how long it takes until something acknowledged is readable.
func latency(ctx context.Context, o *Options, r *Report, s *server, g *traffic.Generator, mode string, perBulk, connections int, perSecond float64, sent *load) error {
	probe, err := s.createApp(ctx, "Probe")
	if err != nil {
		return err
	}
	l := render(g, int64(o.Events), perBulk, s.app.Key)
	if most := int(perSecond * 8); len(l.requests) > most && perBulk == 0 { // 8 seconds are enough
		l = l.first(max(most, 1))
	}
	sent.items, sent.events = sent.items+l.items, sent.events+l.events
	done := make(chan struct{})
	var delays []time.Duration
	var probeErr error
	probed := make(chan struct{})
	go func() {
		defer close(probed)
		delays, probeErr = s.probe(ctx, o, probe, done)
	}()
	took, err := pace(ctx, o, s.url, l, connections, perSecond)
	close(done)
	<-probed
	if err := errors.Join(err, probeErr); err != nil {
		return err
	}
	r.add(mode, fmt.Sprintf("latency at half the rate (%.0f/s): p50, p99, p99.9", perSecond), "", "%s, %s, %s",
		ms(quantile(took, 0.5)), ms(quantile(took, 0.99)), ms(quantile(took, 0.999)))
	r.add(mode, "acknowledged → readable at that rate: p50, max", "≤ 1 s", "%s, %s", ms(quantile(delays, 0.5)), ms(quantile(delays, 1)))
	return nil
}
