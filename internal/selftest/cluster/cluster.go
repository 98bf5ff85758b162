// Package cluster proves on the servers at hand that nothing acknowledged by a cluster is lost and nothing is counted twice, whatever fails.
//
// It starts nodes of `quipu serve` with relays of its own to the engines that a cluster's file names, in databases and streams that it makes and removes. Clients send
// numbered requests of many apps to all nodes and send again what was not acknowledged, while nodes are killed, halted, cut off, slowed down and given other roles and
// clocks, and while the servers of the engines are stopped by commands. At the end everything that the stores have is compared with what was acknowledged, and every report
// of every node with that of a server with its own stores that got the same requests in the same order.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"quipu/internal/selftest"
	"quipu/internal/selftest/ground"
)

// Options of Run. The zero value of numbers is their default.
type Options struct {
	// Cluster is the file that names the engines.
	Cluster string
	// Program is the server's executable and Env what its environment has beside this process's.
	Program string
	Env     []string
	// Dir is where the folder of the trial is made; "" = the system's folder for temporary files.
	Dir string
	// Nodes is how many there are; 0 = 3. Apps is how many they serve; 0 = 24. Clients is how many send; 0 = 24.
	Nodes, Apps, Clients int
	// Requests is how many are acknowledged at least; 0 = 20,000. Rounds is how many disturbances there are; 0 = each once.
	Requests, Rounds int
	// Rate is how many requests a second are sent at most; 0 = 1,000. More than the cluster projects would only wait in the journal.
	Rate int
	// Faults are names of disturbances; none = all.
	Faults []string
	// Short holds disturbances no longer than it takes to see something.
	Short bool
	Seed  uint64
	// Servers are those that can be stopped.
	Servers []Server
	// Keep leaves the folder and what was made on the servers; those of failures stay in any case.
	Keep bool
	// Out gets progress and the tables.
	Out io.Writer
	Now func() time.Time
}

// The defaults, and the bounds of what can be told apart.
const (
	defaultNodes, mostNodes       = 3, 16
	defaultApps, mostApps         = 24, 200
	defaultClients, mostClients   = 24, 500
	defaultRequests, mostRequests = 20_000, 50_000_000
	mostRounds                    = 400
	defaultRate, mostRate         = 1_000, 1_000_000
)

// complete fills in defaults and reports every number that is out of range.
func (o *Options) complete() error {
	var errs []error
	for _, n := range []struct {
		name                   string
		value                  *int
		initial, least, atMost int
	}{
		{"nodes", &o.Nodes, defaultNodes, 2, mostNodes},
		{"apps", &o.Apps, defaultApps, 1, mostApps},
		{"clients", &o.Clients, defaultClients, 1, mostClients},
		{"requests", &o.Requests, defaultRequests, 1, mostRequests},
		{"requests a second", &o.Rate, defaultRate, 1, mostRate},
		{"rounds", &o.Rounds, 0, 0, mostRounds},
	} {
		if *n.value == 0 {
			*n.value = n.initial
		}
		if *n.value < n.least || *n.value > n.atMost {
			errs = append(errs, fmt.Errorf("%d %s, want %d to %d", *n.value, n.name, n.least, n.atMost))
		}
	}
	return errors.Join(errs...)
}

// Round is what came of one disturbance.
type Round struct {
	Fault, What string
	// Lasted is how long it did, and Served how long after its end all apps were served again: a request of each was acknowledged, and counted as a report says.
	Lasted, Served time.Duration
	// Acked counts the requests acknowledged meanwhile, Longest is how long a client had to try at most.
	Acked   int64
	Longest time.Duration
}

// Result is what came of all.
type Result struct {
	Seed uint64
	// Acked counts requests acknowledged, Sends how often HTTP requests were sent, Refused those that were to come back later, Unanswered those without an answer.
	Acked, Sends, Refused, Unanswered int64
	// Rows counts the event rows compared, Duplicates the requests dropped as such, Answers the reports compared, Profiles the users.
	Rows, Duplicates, Answers, Profiles int64
	Rounds                              []Round
	Sending, Took                       time.Duration
	// Faults are the losses and differences found; none is what everything is about.
	Faults []string
	// Folder is where the logs of the nodes are, if it was kept.
	Folder string
}

// trial is one run.
type trial struct {
	Options
	name   string
	dir    string
	place  *ground.Ground
	nodes  []*node
	load   *load
	keys   site // of the nodes; the address is that of any
	ids    []string
	probes uint16
	client *http.Client
	result *Result
	began  time.Time
	// cancelled reports whether the run has been given up, so that what fails is no fault.
	cancelled func() bool

	mu sync.Mutex // guards what is printed, and Faults

	rngMu sync.Mutex
	rng   *rand.Rand
}

// Run runs a trial and prints a table. The error wraps selftest.ErrFaults when something was lost or differs.
func Run(ctx context.Context, o Options) (*Result, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	t := newTrial(ctx, o)
	plan, err := t.plan()
	if err != nil {
		return nil, err
	}
	if t.place, err = ground.New(ctx, t.Cluster, o.Dir, "quipu_selftest"); err != nil {
		return nil, err
	}
	t.name, t.dir = t.place.Name, t.place.Dir
	t.progress("seed %d, %d nodes, %d apps, %d clients, %d requests a second, %d disturbances; folder %s", t.Seed, t.Nodes, t.Apps, t.Clients, t.Rate, len(plan), t.dir)
	err = t.run(ctx, plan)
	for _, n := range t.nodes {
		err = errors.Join(err, n.close())
	}
	t.client.CloseIdleConnections()
	t.result.Took = t.Now().Sub(t.began)
	if err != nil {
		t.fault("%v", err)
	}
	var left error // of what could not be removed
	switch {
	case t.Keep:
		t.result.Folder = t.dir
	case len(t.result.Faults) > 0:
		t.result.Folder = t.dir
		left = t.place.Redact()
	default:
		left = t.place.Remove(ctx)
	}
	if left != nil {
		t.progress("not everything was removed: %v", left)
	}
	t.print()
	switch {
	case ctx.Err() != nil:
		return t.result, errors.Join(ctx.Err(), left)
	case len(t.result.Faults) > 0:
		return t.result, errors.Join(fmt.Errorf("%w: %d in a cluster, seed %d, logs in %s, data under the name %s", selftest.ErrFaults, len(t.result.Faults), t.Seed, t.dir, t.name), left)
	}
	return t.result, left
}

func newTrial(ctx context.Context, o Options) *trial {
	return &trial{
		Options: o, rng: rand.New(rand.NewPCG(o.Seed, 1)), // to be repeatable
		client: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}, result: &Result{Seed: o.Seed}, began: o.Now(),
		cancelled: func() bool { return ctx.Err() != nil },
	}
}

// run does all but making the place and cleaning up.
func (t *trial) run(ctx context.Context, plan []disturbance) error {
	for n := range t.Nodes {
		made, err := t.newNode(ctx, n+1)
		if err != nil {
			return err
		}
		t.nodes = append(t.nodes, made)
		if err := made.begin(ctx, ""); err != nil {
			return err
		}
	}
	t.progress("%d nodes serve, in what is named %s on the servers", t.Nodes, t.name)
	t.load = newLoad(t, t.Clients)
	var err error
	if t.keys, t.ids, err = t.makeApps(ctx, t.nodes[0].at("")); err != nil {
		return err
	}
	t.progress("%d apps are made", t.Apps)
	if err := t.known(ctx); err != nil {
		return err
	}
	if err := t.disturbed(ctx, plan); err != nil {
		return err
	}
	return t.compare(ctx)
}

// makeApps makes the apps on a server.
func (t *trial) makeApps(ctx context.Context, address string) (site, []string, error) {
	at := site{url: address}
	_, key, err := t.ask(ctx, at, "/api-key", nil)
	if err != nil {
		return at, nil, err
	}
	at.key = key
	zones := []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Etc/UTC"}
	var ids []string
	for k, key := range t.load.apps {
		status, body, err := t.ask(ctx, at, "/i/apps/create", url.Values{"args": {fmt.Sprintf(`{"name":%q,"key":%q,"timezone":%q}`, key, key, zones[k%len(zones)])}})
		var made struct {
			ID string `json:"_id"`
		}
		if err != nil || json.Unmarshal([]byte(body), &made) != nil || made.ID == "" {
			return at, nil, fmt.Errorf("make an app: %d %.200s, %w", status, body, errors.Join(err))
		}
		ids = append(ids, made.ID)
	}
	return at, ids, nil
}

// known waits until all nodes know the apps.
func (t *trial) known(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, servedLimit)
	defer cancel()
	for _, n := range t.nodes {
		for k := range t.Apps {
			for {
				status, body, err := t.ask(limited, site{n.at("read"), t.keys.key}, "/o", url.Values{"app_id": {t.ids[k]}, "method": {"get_events"}})
				if err == nil && status == http.StatusOK {
					break
				}
				if !pause(limited, 50*time.Millisecond) {
					return fmt.Errorf("node %d does not know app %d: %d %.200s, %w", n.number, k, status, body, errors.Join(err))
				}
			}
		}
	}
	return nil
}

// idle is how many requests there are a second once there are enough.
const idle = 200

// disturbed sends until there are enough requests and everything has been done that was planned.
func (t *trial) disturbed(ctx context.Context, plan []disturbance) error {
	began := t.Now()
	sending, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t.load.run(ctx, sending)
	}()
	defer func() { <-ended }()
	defer stop()
	if _, err := t.served(ctx); err != nil {
		return err
	}
	enough := func() bool {
		if t.load.acked.Load() < int64(t.Requests) {
			return false
		}
		t.load.rate.Store(min(idle, int64(t.Rate)))
		return true
	}
	for i, d := range plan {
		// Disturbances are spread over the requests; there is time in between, too.
		for calm := t.Now().Add(t.between(t.held(time.Second), t.held(3*time.Second))); t.Now().Before(calm) || !enough() && t.load.acked.Load() < int64(t.Requests)*int64(i)/int64(len(plan)); {
			if !pause(ctx, 20*time.Millisecond) {
				return ctx.Err()
			}
		}
		if err := t.round(ctx, i, len(plan), d); err != nil {
			return err
		}
	}
	for !enough() {
		if !pause(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
	stop()
	<-ended
	t.result.Sending = t.Now().Sub(began)
	l := t.load
	t.result.Acked, t.result.Sends, t.result.Refused, t.result.Unanswered = l.acked.Load(), l.sends.Load(), l.refused.Load(), l.lost.Load()
	t.progress("%d requests acknowledged in %v, %.0f a second; waiting until all is settled", t.result.Acked, t.result.Sending.Round(time.Second), float64(t.result.Acked)/t.result.Sending.Seconds())
	return ctx.Err()
}

// round does one disturbance.
func (t *trial) round(ctx context.Context, i, of int, d disturbance) error {
	before, began := t.load.acked.Load(), t.Now()
	t.load.longest.Store(0)
	r := Round{Fault: d.name}
	h := &harm{trial: t, free: slices.Clone(t.nodes)}
	err := d.run(ctx, h)
	r.Lasted, r.What = t.Now().Sub(began), strings.Join(h.did, "; ")
	if err != nil {
		return fmt.Errorf("round %d, %s (%s): %w", i+1, d.name, r.What, err)
	}
	if r.Served, err = t.served(ctx); err != nil {
		return fmt.Errorf("round %d, %s (%s): %w", i+1, d.name, r.What, err)
	}
	for _, restore := range h.after {
		if err := restore(); err != nil {
			return fmt.Errorf("round %d, %s (%s): %w", i+1, d.name, r.What, err)
		}
	}
	r.Acked, r.Longest = t.load.acked.Load()-before, time.Duration(t.load.longest.Load())
	t.result.Rounds = append(t.result.Rounds, r)
	t.progress("%d of %d: %s: %s; lasted %.1f s, all apps served %.1f s after; %d acknowledged so far", i+1, of, d.name, r.What, r.Lasted.Seconds(), r.Served.Seconds(), t.load.acked.Load())
	return nil
}

// servedLimit is how long it may take until all apps are served again.
const servedLimit = 3 * time.Minute

// served sends a request of each app and waits until all are counted, as a node reports that can read.
func (t *trial) served(ctx context.Context) (time.Duration, error) {
	began := t.Now()
	t.probes++
	limited, cancel := context.WithTimeout(ctx, servedLimit)
	defer cancel()
	w := t.load.prober()
	var errs [2]error
	for k := range t.Apps {
		w.deliver(limited, w.probe(k, t.probes))
	}
	for k := range t.Apps {
		for try := 0; ; try++ {
			at := t.nodes[try%len(t.nodes)].at("read")
			if at != "" {
				asked, stop := context.WithTimeout(limited, 3*time.Second)
				status, body, err := t.ask(asked, site{at, t.keys.key}, "/o", url.Values{"app_id": {t.ids[k]}, "method": {"get_events"}})
				stop()
				if err == nil && status == http.StatusOK && strings.Contains(body, `"`+probeKey(t.probes)+`"`) {
					break
				}
				errs = [2]error{err, fmt.Errorf("%d %.300s", status, body)}
			}
			if !pause(limited, 20*time.Millisecond) {
				return 0, errors.Join(fmt.Errorf("app %d of %d is not served again after %v", k+1, t.Apps, t.Now().Sub(began).Round(time.Second)), errs[0], errs[1])
			}
		}
	}
	return t.Now().Sub(began), nil
}

// pause waits; false means that ctx was done first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// progress tells what happens.
func (t *trial) progress(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.say(format, args...)
}

func (t *trial) say(format string, args ...any) {
	fmt.Fprintf(t.Out, "%6.1fs %s\n", t.Now().Sub(t.began).Seconds(), fmt.Sprintf(format, args...))
}

// fault records a loss or a difference. What fails because the run has been given up is neither.
func (t *trial) fault(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 20
	if len(t.result.Faults) == most || t.cancelled() {
		return // these are enough to go on
	}
	text := fmt.Sprintf(format, args...)
	t.say("FAULT: %s", text)
	t.result.Faults = append(t.result.Faults, text)
}

// print writes the tables.
func (t *trial) print() {
	r, w := t.result, t.Out
	if len(r.Rounds) > 0 {
		fmt.Fprintf(w, "\n%-20s %7s %8s %9s %8s  %s\n", "disturbance", "lasted", "served", "acked", "longest", "what")
	}
	for _, x := range r.Rounds {
		fmt.Fprintf(w, "%-20s %6.1fs %7.1fs %9d %7.1fs  %s\n", x.Fault, x.Lasted.Seconds(), x.Served.Seconds(), x.Acked, x.Longest.Seconds(), x.What)
	}
	fmt.Fprintf(w, "\nacknowledged %d requests in %d sendings (%d told to come back, %d without an answer), %d dropped as duplicates\n", r.Acked, r.Sends, r.Refused, r.Unanswered, r.Duplicates)
	fmt.Fprintf(w, "compared %d event rows, %d users, %d answers; took %v\n", r.Rows, r.Profiles, r.Answers, r.Took.Round(time.Second))
	if len(r.Faults) == 0 {
		fmt.Fprintln(w, "nothing lost, nothing counted twice")
		return
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "FAULT: %s\n", strings.TrimSpace(f))
	}
	fmt.Fprintf(w, "seed %d; folder kept: %s; data kept in what is named %s on the servers\n", t.Seed, t.dir, t.name)
}
