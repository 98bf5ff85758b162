// Package selftest proves on the machine at hand that nothing acknowledged is
// lost and nothing is counted twice.
//
// It runs `quipu serve` as a child process on a folder of its own, sends it numbered
// requests on many connections and keeps the list of those that were acknowledged. Then it
// does some harm, starts the server again, waits until everything is projected, and
// compares event rows, cells, profiles and outcomes with the list. What was sent without
// an answer may be there or not, but never twice. Every comparison ends with what package
// verify does.
//
// What the scenarios simulate, and what not, stands at each of them.
package selftest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quipu/internal/child"
)

// Options of Run.
type Options struct {
	// Program is the server's executable and Env what its environment has beside this process's.
	Program string
	Env     []string
	// Dir is where the data folders are made; "" = the system's folder for temporary files.
	Dir string
	// Scenarios are names of Scenarios; none = all.
	Scenarios []string
	// Rounds is how often each scenario does its harm; 0 = its own number.
	Rounds int
	// Short makes everything smaller and slower to send, for a run of less than a minute.
	Short bool
	Seed  uint64
	// Keep leaves the data folders where they are; those of failures stay in any case.
	Keep bool
	// Out gets progress and the table, Err the log of the servers.
	Out, Err io.Writer
	Now      func() time.Time
}

// Result is what came of one scenario.
type Result struct {
	Scenario string
	Rounds   int
	// Sent, Acked and Unknown count requests: all, those acknowledged, and those
	// without an answer. Rows counts the event rows compared.
	Sent, Acked, Unknown, Refused, Rows int64
	Took                                time.Duration
	// Notes tell what else is worth knowing.
	Notes []string
	// Faults are the losses and differences found; none is what everything is about.
	Faults []string
}

// OK reports whether nothing was lost.
func (r *Result) OK() bool { return len(r.Faults) == 0 }

// scenario is one kind of harm.
type scenario struct {
	name, what    string
	rounds, short int
	// rush sends as fast as the server answers in short runs, too: the harm needs a backlog, or that much data.
	rush bool
	run  func(ctx context.Context, t *trial) error
}

// scenarios lists them in the order in which they run.
func scenarios() []scenario {
	return []scenario{
		{"kill", "SIGKILL at a random instant under load", 50, 3, false, kill},
		{"replay", "SIGKILL while the start replays a backlog", 10, 1, true, killReplay},
		{"power", "power cut: writes that were not synced are lost", 20, 2, false, powerCut},
		{"full", "disk full while ingesting, then freed", 3, 1, true, diskFull},
		{"damage", "torn ends and flipped bits in every file", 2, 1, false, damage},
		{"term", "SIGTERM under load", 10, 1, false, terminate},
		{"clock", "clock jumping back and forth", 5, 1, false, clockJumps},
		{"resend", "requests sent again after lost answers", 5, 1, false, resend},
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

// ErrFaults says that something was lost or differs.
var ErrFaults = errors.New("selftest found faults")

// Run runs the scenarios and prints a table. The error wraps ErrFaults when
// something was lost.
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
	fmt.Fprintf(o.Out, "selftest with seed %d\n", o.Seed)
	var results []*Result
	failed := false
	for _, s := range chosen {
		r, err := o.one(ctx, s)
		if err != nil {
			r.Faults = append(r.Faults, err.Error())
		}
		results = append(results, r)
		failed = failed || !r.OK()
		if ctx.Err() != nil {
			break
		}
	}
	print(o.Out, results)
	if err := ctx.Err(); err != nil {
		return results, err
	}
	if failed {
		return results, ErrFaults
	}
	return results, nil
}

// one runs one scenario in a folder of its own.
func (o *Options) one(ctx context.Context, s scenario) (*Result, error) {
	r := &Result{Scenario: s.name, Rounds: s.rounds}
	if o.Short {
		r.Rounds = s.short
	}
	if o.Rounds > 0 {
		r.Rounds = o.Rounds
	}
	dir, err := os.MkdirTemp(o.Dir, "quipu-selftest-"+s.name+"-")
	if err != nil {
		return r, fmt.Errorf("make data folder: %w", err)
	}
	began := o.Now()
	t := &trial{
		Options: o, result: r, rush: s.rush || !o.Short, dir: dir, data: filepath.Join(dir, "data"),
		rng: rand.New(rand.NewPCG(o.Seed, uint64(len(s.name))<<8|uint64(s.name[0]))), // to be repeatable
	}
	err = s.run(ctx, t)
	if t.child != nil {
		err = errors.Join(err, t.child.Kill())
	}
	r.Took = o.Now().Sub(began)
	if t.load != nil {
		t.load.count(r)
	}
	if o.Keep || err != nil || !r.OK() {
		r.Notes = append(r.Notes, "folder kept: "+dir)
		return r, err
	}
	if err := os.RemoveAll(dir); err != nil {
		return r, fmt.Errorf("remove data folder: %w", err)
	}
	return r, nil
}

// trial is one run of a scenario.
type trial struct {
	*Options
	result *Result
	rush   bool   // sends as fast as the server answers
	dir    string // of the trial
	data   string // the data folder
	rng    *rand.Rand
	child  *child.Process
	load   *load
	last   *comparison // the last one made
	// whole is what an undamaged folder holds; set, a damaged one may lack the end of it.
	whole map[int64]*found
}

// progress tells what happens.
func (t *trial) progress(format string, args ...any) {
	fmt.Fprintf(t.Out, "%-7s %s\n", t.result.Scenario, fmt.Sprintf(format, args...))
}

// fault records a loss or a difference.
func (t *trial) fault(format string, args ...any) {
	const most = 20
	if len(t.result.Faults) == most {
		return // these are enough to go on
	}
	text := fmt.Sprintf(format, args...)
	t.progress("FAULT: %s", text)
	t.result.Faults = append(t.result.Faults, text)
}

func (t *trial) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(t.result.Notes, text) {
		t.result.Notes = append(t.result.Notes, text)
	}
}

// print writes the table.
func print(w io.Writer, results []*Result) {
	fmt.Fprintf(w, "\n%-8s %6s %9s %9s %8s %8s %9s %7s  %s\n", "scenario", "rounds", "sent", "acked", "refused", "unknown", "rows", "took", "result")
	for _, r := range results {
		verdict := "nothing lost"
		if !r.OK() {
			verdict = fmt.Sprintf("%d FAULTS", len(r.Faults))
		}
		fmt.Fprintf(w, "%-8s %6d %9d %9d %8d %8d %9d %6.1fs  %s\n",
			r.Scenario, r.Rounds, r.Sent, r.Acked, r.Refused, r.Unknown, r.Rows, r.Took.Seconds(), verdict)
	}
	for _, r := range results {
		for _, n := range r.Notes {
			fmt.Fprintf(w, "%s: %s\n", r.Scenario, n)
		}
		for _, f := range r.Faults {
			fmt.Fprintf(w, "%s: FAULT: %s\n", r.Scenario, strings.TrimSpace(f))
		}
	}
}

// pause waits; false means that ctx was done first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// children returns how the servers of the trial are run.
func (o *Options) children() child.Options {
	return child.Options{Program: o.Program, Env: o.Env, Memory: "256MiB", Err: o.Err}
}

// serve starts a server on a folder and waits until it listens.
func (o *Options) serve(ctx context.Context, data string, env []string, args ...string) (*child.Process, error) {
	return o.children().Serve(ctx, data, env, args...)
}

// spawn starts the program without waiting for anything.
func (o *Options) spawn(ctx context.Context, env []string, args ...string) (*child.Process, *bufio.Reader, error) {
	return o.children().Spawn(ctx, env, args...)
}
