package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"quipu/internal/selftest/ground"
	"quipu/internal/traffic"
)

// fleet is the nodes of a cluster, or one server with its own stores, with apps that all of them serve.
type fleet struct {
	o     *Options
	nodes []*server
	roles []string // of nodes of a cluster, "" = all
	apps  []app
	// ground is where nodes of a cluster are; nil for a server with its own stores.
	ground *ground.Ground
	// relayed has the relays of each node if the bytes between nodes and engines are counted.
	relayed []*ground.Node
	rest    float64 // processors that all nodes take while there is nothing to do

	traffic []*traffic.Generator // by app
	sent    []int64              // requests of each app
	events  int64                // of all
}

// single is a server with its own stores.
func single(ctx context.Context, o *Options, apps int) (*fleet, error) {
	s, err := fresh(ctx, o)
	if err != nil {
		return nil, err
	}
	f := &fleet{o: o, nodes: []*server{s}}
	if err := f.begin(ctx, apps); err != nil {
		return nil, errors.Join(err, f.close(ctx))
	}
	return f, nil
}

// clustered is a new cluster on the servers of the file, of one node for each element of roles, "" = all of them. With relayed, bytes between nodes and engines are counted.
func clustered(ctx context.Context, o *Options, relayed bool, apps int, roles ...string) (_ *fleet, err error) {
	f := &fleet{o: o}
	if f.ground, err = ground.New(ctx, o.Cluster, o.Dir, "quipu_bench"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.close(ctx))
		}
	}()
	for i, r := range roles {
		if relayed {
			n, err := f.ground.Node(ctx, f.dir(i))
			if err != nil {
				return nil, err
			}
			f.relayed = append(f.relayed, n)
		}
		s, err := f.start(ctx, i, r)
		if err != nil {
			return nil, err
		}
		f.nodes, f.roles = append(f.nodes, s), append(f.roles, r)
	}
	return f, f.begin(ctx, apps)
}

// dir is the folder of a node's data.
func (f *fleet) dir(number int) string {
	return filepath.Join(f.ground.Dir, fmt.Sprint("node", number))
}

// start starts the process of a node.
func (f *fleet) start(ctx context.Context, number int, roles string) (*server, error) {
	var args []string
	if len(f.relayed) > 0 {
		args = f.relayed[number].Args(roles)
	} else if args = []string{"serve", "--cluster", f.ground.File}; roles != "" {
		args = append(args, "--roles", roles)
	}
	return serve(ctx, f.o, f.dir(number), f.ground.Env(), fmt.Sprint(".", number), args...)
}

// begin makes the apps, waits until all nodes serve them, and measures what nodes take at rest.
func (f *fleet) begin(ctx context.Context, apps int) error {
	reader := f.reader()
	if err := reader.signIn(ctx); err != nil {
		return err
	}
	for _, s := range f.nodes {
		s.apiKey = reader.apiKey
	}
	var err error
	if f.apps, err = reader.createApps(ctx, apps); err != nil {
		return err
	}
	err = eachOf(apps, func(i int) error { return reader.withoutLog(ctx, f.apps[i]) })
	if err != nil {
		return err
	}
	f.sent = make([]int64, len(f.apps))
	for k, a := range f.apps {
		perApp := float64(f.o.Events*(f.o.Rounds+1)*2) / float64(len(f.apps))
		g, err := traffic.New(traffic.Config{
			Seed: f.o.Seed + uint64(k), AppKey: a.Key, Users: max(10, f.o.Users/len(f.apps)), Start: f.o.Now().Add(-24 * time.Hour), SessionsPerDay: perApp / 12, EventsPerRequest: 4, // few
		})
		if err != nil {
			return err
		}
		f.traffic = append(f.traffic, g)
	}
	if err := f.known(ctx); err != nil {
		return err
	}
	if err := pause(ctx, 2*f.o.Look); err != nil { // what the start left to do
		return err
	}
	before := f.cpu()
	if err := pause(ctx, 2*f.o.Look); err != nil {
		return err
	}
	f.rest = (f.cpu() - before).Seconds() / (2 * f.o.Look).Seconds()
	return nil
}

// withoutLog switches off the log of an app's requests, which does so by itself when there are more than a thousand in a minute: before, it costs more than all else.
func (s *server) withoutLog(ctx context.Context, a app) error {
	_, err := s.get(ctx, "/i/apps/update/plugins", url.Values{"api_key": {s.apiKey}, "app_id": {a.ID}, "args": {`{"logger":{"state":"off"}}`}})
	return err
}

// reader is a node that reads.
func (f *fleet) reader() *server { return f.nodes[len(f.nodes)-1] }

// known waits until all nodes know all apps. Those that do not read are not asked.
func (f *fleet) known(ctx context.Context) error {
	for i, s := range f.nodes {
		if f.ground != nil && f.roles[i] != "" && !strings.Contains(f.roles[i], "read") {
			continue
		}
		for _, a := range f.apps {
			for {
				status, body, err := s.ask(ctx, "/o", url.Values{"api_key": {s.apiKey}, "app_id": {a.ID}, "method": {"get_events"}})
				if err != nil {
					return err
				}
				if status == http.StatusOK {
					break
				}
				if err := pause(ctx, 50*time.Millisecond); err != nil {
					return fmt.Errorf("a node does not know an app: %d %.200s: %w", status, body, err)
				}
			}
		}
	}
	return nil
}

// cpu is the processor time of all nodes.
func (f *fleet) cpu() (sum time.Duration) {
	for _, s := range f.nodes {
		sum += s.cpu()
	}
	return sum
}

// close ends all and removes it.
func (f *fleet) close(ctx context.Context) error {
	errs := make([]error, len(f.nodes))
	var wg sync.WaitGroup
	for i, s := range f.nodes {
		wg.Go(func() { errs[i] = s.stop() })
	}
	wg.Wait()
	for _, n := range f.relayed {
		n.Close()
	}
	err := errors.Join(errs...)
	if f.ground != nil {
		return errors.Join(err, f.ground.Remove(ctx))
	}
	for _, s := range f.nodes {
		err = errors.Join(err, s.remove())
	}
	return err
}

// round is requests of all apps, in turn, for each node that takes them.
type round struct {
	to     []*server
	loads  []*load
	events int64
	items  int64
}

// render makes a round of so many events for some nodes. perBulk > 0 packs so many requests into one of /i/bulk.
func (f *fleet) render(to []*server, events, perBulk int) *round {
	r := &round{to: to}
	for range to {
		r.loads = append(r.loads, &load{})
	}
	var all []*load
	longest := 0
	for k, a := range f.apps {
		l := render(f.traffic[k], int64(max(1, events/len(f.apps))), perBulk, a.Key)
		all, longest = append(all, l), max(longest, len(l.requests))
		f.sent[k] += l.items
		r.events, r.items = r.events+l.events, r.items+l.items
	}
	for i := range longest {
		for k, l := range all {
			if i < len(l.requests) {
				own := r.loads[(i+k)%len(r.loads)]
				own.requests = append(own.requests, l.requests[i])
			}
		}
	}
	f.events += r.events
	return r
}

// drainPoll is how often it is asked whether an app is counted: seldom, as nodes spend time on answers.
const drainPoll = 100 * time.Millisecond

// send sends a round and waits until all of it is counted. perSecond is how many events are sent in a second, 0 = as many as are taken.
func (f *fleet) send(ctx context.Context, r *round, connections int, perSecond float64) error {
	errs := make([]error, len(r.to))
	var wg sync.WaitGroup
	for i, s := range r.to {
		wg.Go(func() {
			l, connections := r.loads[i], max(1, connections/len(r.to))
			if perSecond == 0 {
				errs[i] = saturate(ctx, s.url, l, connections)
				return
			}
			_, errs[i] = pace(ctx, f.o, s.url, l, connections, perSecond*float64(len(l.requests))/float64(r.events))
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return f.drained(ctx)
}

// drained waits until everything that was sent is counted. Apps are asked for in turn, so that one which takes longer than others does not keep these from being found.
func (f *fleet) drained(ctx context.Context) error {
	s := f.reader()
	counted := make([]bool, len(f.apps))
	for {
		err := eachOf(len(f.apps), func(k int) error {
			if counted[k] {
				return nil
			}
			got, err := s.outcomes(ctx, f.apps[k])
			if errors.Is(err, errBusy) {
				return nil
			}
			counted[k] = got.total("request") >= f.sent[k]
			return err
		})
		if err != nil || !slices.Contains(counted, false) {
			return err
		}
		if err := pause(ctx, drainPoll); err != nil {
			return fmt.Errorf("not everything that was sent is counted: %w", err)
		}
	}
}

// settleMost is how often nodes are looked at until they are at rest again.
const settleMost = 20

// enginesRest is how many processors the engines may take, those whose processes are known, when everything has arrived.
const enginesRest = 0.2

// settled waits until no rows wait for the event store and nodes do no more than at rest, nor do engines for them: what was counted is in all stores, but for changes of users,
// which wait for more of the same for half a minute. It reports whether that was so in time.
func (f *fleet) settled(ctx context.Context) (rests bool, err error) {
	// A question about rows has a server move those that would wait for more.
	if _, err := f.reader().get(ctx, "/o", url.Values{
		"api_key": {f.reader().apiKey}, "app_id": {f.apps[0].ID}, "method": {"segmentation"}, "event": {"[CLY]_view"}, "queryObject": {"{}"}, "bucket": {"daily"}, "period": {"7days"},
	}); err != nil {
		return false, err
	}
	busy := func() (nodes, engines time.Duration) {
		if f.ground != nil {
			for _, d := range f.o.engines() {
				engines += d
			}
		}
		return f.cpu(), engines
	}
	for range settleMost {
		nodes, engines := busy()
		if err := pause(ctx, f.o.Look); err != nil {
			return false, err
		}
		now, enginesNow := busy()
		var waiting int64
		for _, s := range f.nodes {
			n, err := s.outbox(ctx)
			if err != nil {
				return false, err
			}
			waiting += n
		}
		share := func(d time.Duration) float64 { return d.Seconds() / f.o.Look.Seconds() }
		if waiting == 0 && share(now-nodes) < 1.5*f.rest+0.03*float64(len(f.nodes)) && share(enginesNow-engines) < enginesRest {
			return true, nil
		}
	}
	return false, nil
}

// notAtRest is what a figure of processor time says beside it when not all of the work was waited for.
func notAtRest(rests bool) string {
	if rests {
		return ""
	}
	return " (did not come to rest)"
}

// cost is what a round took.
type cost struct {
	events int64
	took   time.Duration // until all was counted
	// nodes is the processor time of each node beyond what it takes at rest, until nothing more was done; engines that of each engine whose processes are known.
	nodes   []time.Duration
	engines map[string]time.Duration
	busy    float64 // share of the machine's processors that worked while it was sent and counted
	rests   bool    // nodes and engines came to rest afterwards
}

// million is a time for a million events, seconds.
func (c *cost) million(d time.Duration) float64 { return d.Seconds() / float64(c.events) * 1e6 }

// all is the processor time of all nodes for a million events, seconds.
func (c *cost) all() float64 {
	var sum time.Duration
	for _, d := range c.nodes {
		sum += d
	}
	return c.million(sum)
}

func (c *cost) rate() string {
	return fmt.Sprintf("%.0f/s, %.0f %%", float64(c.events)/c.took.Seconds(), c.busy*100)
}

// measure sends a round and measures what it costs. perSecond is as in send.
func (f *fleet) measure(ctx context.Context, r *round, connections int, perSecond float64) (*cost, error) {
	used := func() (out []time.Duration) {
		for _, s := range f.nodes {
			out = append(out, s.cpu())
		}
		return out
	}
	c := &cost{events: r.events, engines: map[string]time.Duration{}}
	before, engines, machine, began := used(), f.o.engines(), busyTime(), f.o.Now()
	if err := f.send(ctx, r, connections, perSecond); err != nil {
		return nil, err
	}
	c.took, c.busy = f.o.Now().Sub(began), machine.share(busyTime())
	var err error
	if c.rests, err = f.settled(ctx); err != nil {
		return nil, err
	}
	resting := time.Duration(f.rest / float64(len(f.nodes)) * float64(f.o.Now().Sub(began)))
	for i, d := range used() {
		c.nodes = append(c.nodes, max(0, d-before[i]-resting))
	}
	for name, d := range f.o.engines() {
		c.engines[name] = d - engines[name]
	}
	return c, nil
}

// engines is the processor time of the processes of each engine.
func (o *Options) engines() map[string]time.Duration {
	out := map[string]time.Duration{}
	for name, list := range o.Engines {
		for _, pid := range list {
			out[name] += cpuOfAll(pid)
		}
	}
	return out
}

// cpuOfAll is the processor time of a process and those that it has started and that are there, and of those that it has waited for.
func cpuOfAll(pid int) time.Duration {
	list, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	var sum time.Duration
	for _, path := range list {
		f := statOf(path)
		switch {
		case len(f) < 15:
		case filepath.Base(filepath.Dir(path)) == strconv.Itoa(pid):
			sum += ticks(f[11:15])
		case f[1] == strconv.Itoa(pid):
			sum += ticks(f[11:13])
		}
	}
	return sum
}

// times are those of the machine's processors since it started.
type times struct{ all, idle time.Duration }

// busyTime reads them; zero where the system does not tell.
func busyTime() (t times) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return t
	}
	line, _, _ := strings.Cut(string(b), "\n")
	f := strings.Fields(line)
	if len(f) < 9 || f[0] != "cpu" {
		return t
	}
	return times{all: ticks(f[1:9]), idle: ticks(f[4:6])}
}

// share is how much of the time since t the processors worked.
func (t times) share(now times) float64 {
	if now.all <= t.all {
		return 0
	}
	return 1 - float64(now.idle-t.idle)/float64(now.all-t.all)
}
