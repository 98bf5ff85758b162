// Package attack sends a server of its own what hostile clients send, and measures what a well-behaved client
// notices of it.
//
// It runs `quipu serve` as a child process with a cap on its memory. Each scenario attacks it from one
// address, by some means for some time, while a client from another address sends events. What counts is the peak of the
// server's memory, how long acknowledgements take, and that what was acknowledged is counted, no more and no less.
package attack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"quipu/internal/child"
)

// Options of Run. Program, Memory, Now, Out and Err are required.
type Options struct {
	// Program is the server's executable and Env what its environment has beside this process's.
	Program string
	Env     []string
	// Dir is where the data folders are made; "" = the system's folder for temporary files.
	Dir string
	// Memory is the cap of the server, Most what it may take all the same; 0 = the cap, bytes.
	Memory string
	Most   int64
	// Scenarios are names of Scenarios; none = all.
	Scenarios []string
	// Short makes everything smaller, for a run of less than a minute, on one server.
	Short bool
	// Out gets progress and the table, Err the log of the servers.
	Out, Err io.Writer
	Now      func() time.Time
}

// Result is what came of one scenario.
type Result struct {
	Scenario, What string
	// Sent is how much the attack sent: requests, or connections where nothing is completed. Refused is
	// how many of them were turned away with 503 or had their connection closed.
	Sent, Refused int64
	// Peak is the most memory the server took, bytes; 0 where the system does not tell.
	Peak int64
	// P50, P99 and Max are how long acknowledgements of the well-behaved client took.
	P50, P99, Max time.Duration
	// Acked requests of the well-behaved client, Turned away ones, and Counted events.
	Acked, Turned, Counted int64
	// Faults are what must not be.
	Faults []string
}

// OK reports whether the server did as it should.
func (r *Result) OK() bool { return len(r.Faults) == 0 }

// ErrFaults says that the server did not withstand an attack.
var ErrFaults = errors.New("attack found faults")

// scenario is one way to attack.
type scenario struct {
	name, what string
	run        func(ctx context.Context, t *trial) error
}

// scenarios lists them in the order in which they run.
func scenarios() []scenario {
	return []scenario{
		{"none", "nothing: what the well-behaved client sees of a quiet server", quiet},
		{"declared", "gzip bodies of 20 MB are declared and not sent", declared},
		{"bombs", "gzip bodies of 20 kB that unpack to 20 MB, to /i", bombs},
		{"bulk", "gzip bodies that unpack to 20 MB of requests, to /i/bulk", bulkBombs},
		{"bodies", "bodies of 20 MB to the management API, without credentials", bodies},
		{"gzip", "gzip bombs to the management API, with credentials", manageBombs},
		{"multipart", "multipart bodies of 20 MB, to /i and to the management API", multiparts},
		{"headers", "headers of 1 MB, and of 200,000 lines, that do not end", headers},
		{"drip", "headers and bodies of a byte a second", drip},
		{"unread", "answers of 6 MB in all, a connection, that nobody reads, of a member", unread},
		{"streams", "exports and live streams that nobody reads, of a member", streams},
		{"connections", "thousands of connections", connections},
		{"shapes", "JSON of any depth and width, 1e308, NUL, many parameters", shapes},
		{"foreign", "ids of other apps in every place, forged tokens", foreign},
		{"apps", "many apps with one event each", manyApps},
	}
}

// Scenarios lists the names with what each does.
func Scenarios() []string {
	var out []string
	for _, s := range scenarios() {
		out = append(out, s.name+": "+s.what)
	}
	return out
}

// Run runs the scenarios and prints a table. The error wraps ErrFaults when the server did not withstand one.
func Run(ctx context.Context, o Options) ([]*Result, error) {
	var chosen []scenario
	for _, s := range scenarios() {
		if len(o.Scenarios) == 0 || slices.Contains(o.Scenarios, s.name) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 || len(o.Scenarios) > 0 && len(chosen) < len(o.Scenarios) {
		return nil, fmt.Errorf("no such scenario among %q", o.Scenarios)
	}
	var results []*Result
	for len(chosen) > 0 {
		n := 1
		if o.Short {
			n = len(chosen)
		}
		part, err := o.server(ctx, chosen[:n])
		results = append(results, part...)
		if err != nil {
			return results, err
		}
		chosen = chosen[n:]
	}
	print(o.Out, results)
	if slices.ContainsFunc(results, func(r *Result) bool { return !r.OK() }) {
		return results, ErrFaults
	}
	return results, nil
}

// server runs scenarios against one server.
func (o *Options) server(ctx context.Context, list []scenario) (results []*Result, err error) {
	dir, err := os.MkdirTemp(o.Dir, "quipu-attack-")
	if err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := child.Options{Program: o.Program, Env: o.Env, Memory: o.Memory, Err: o.Err}.Serve(ctx, filepath.Join(dir, "data"), nil)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	defer func() { err = errors.Join(err, c.Kill()) }()
	app, err := c.Target(ctx)
	if err != nil {
		return nil, fmt.Errorf("make app: %w", err)
	}
	for _, s := range list {
		r, err := o.one(ctx, s, c, app)
		if err != nil {
			return append(results, r), fmt.Errorf("scenario %s: %w", s.name, err)
		}
		results = append(results, r)
		fmt.Fprintf(o.Out, "%s done\n", s.name)
	}
	if err := c.Stop(); err != nil {
		results[len(results)-1].fault("%v", err)
	}
	return results, nil
}

// one runs one scenario.
func (o *Options) one(ctx context.Context, s scenario, c *child.Process, victim child.Target) (*Result, error) {
	r := &Result{Scenario: s.name, What: s.what}
	good, err := newApp(ctx, c, victim.APIKey, "Good "+s.name)
	if err != nil {
		return r, err
	}
	t := &trial{Options: o, Result: r, child: c, app: victim, addr: strings.TrimPrefix(c.URL, "http://")}
	stop := make(chan struct{})
	measured := make(chan *client, 1)
	go func() { measured <- behave(ctx, t, good.Key, stop) }()
	err = s.run(ctx, t)
	close(stop)
	g := <-measured
	if t.closeAll(); err != nil {
		return r, err
	}
	select {
	case <-c.Done:
		r.fault("the server ended: %s", c.Log)
		return r, nil
	default:
	}
	return r, t.judge(ctx, g, good)
}

// judge compares what the well-behaved client saw with what the server has.
func (t *trial) judge(ctx context.Context, g *client, good child.Target) (err error) {
	r := t.Result
	r.P50, r.P99, r.Max = quantile(g.took, 0.5), quantile(g.took, 0.99), quantile(g.took, 1)
	r.Acked, r.Turned = int64(len(g.took)), g.turned
	if r.Acked == 0 {
		r.fault("nothing of the well-behaved client was acknowledged")
	}
	if g.turned > 0 {
		r.fault("%d requests of the well-behaved client were turned away", g.turned)
	}
	if g.fault != nil {
		r.fault("the well-behaved client: %v", g.fault)
	}
	if r.Counted, err = settled(ctx, t.child, good, r.Acked); err != nil {
		return err
	}
	if r.Counted < r.Acked || r.Counted > r.Acked+g.unknown {
		r.fault("%d events were acknowledged, %d without an answer, and %d are counted", r.Acked, g.unknown, r.Counted)
	}
	r.Peak = t.child.Memory("VmHWM")
	if most := t.most(); r.Peak > most {
		r.fault("the server took %d MiB of %d", r.Peak>>20, most>>20)
	}
	return nil
}

func (r *Result) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}

func quantile(took []time.Duration, q float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// print writes the table, in Markdown.
func print(w io.Writer, results []*Result) {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| attack\t| sent\t| turned away\t| peak memory, MiB\t| acknowledgement p50, p99, max, ms\t| acknowledged, counted\t|")
	fmt.Fprintln(t, "|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, r := range results {
		fmt.Fprintf(t, "| %s\t| %d\t| %d\t| %d\t| %s, %s, %s\t| %d, %d\t|\n", r.What, r.Sent, r.Refused, r.Peak>>20, ms(r.P50), ms(r.P99), ms(r.Max), r.Acked, r.Counted)
	}
	_ = t.Flush() // to a terminal or a buffer
	for _, r := range results {
		for _, f := range r.Faults {
			fmt.Fprintf(w, "%s: %s\n", r.Scenario, f)
		}
	}
}
