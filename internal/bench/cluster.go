package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	quipuapp "quipu/internal/app"
	"quipu/internal/selftest/ground"
	"quipu/internal/traffic"
)

// Budgets of a cluster.
const (
	budgetCost     = "≤ 1.5"
	budgetLinear   = "≤ 1.2"
	budgetReads    = "p99 ≤ 50 ms"
	budgetRecovery = "≤ 10 s"
)

// The bounds of a cluster under measurement.
const mostNodes, mostApps = 16, 1000

// check refuses numbers that cannot be measured.
func (o *Options) check() error {
	if o.Cluster == "" {
		return errors.New("the mode needs --cluster FILE, which names the servers")
	}
	if o.Nodes < 1 || o.Nodes > mostNodes || o.ClusterApps < 1 || o.ClusterApps > mostApps || o.Rounds < 1 || o.ReadRounds < 1 || o.Pace < 1 {
		return fmt.Errorf("%d nodes, %d apps, %d rounds, %d rounds of reads, a pace of %d: want 1 to %d nodes, 1 to %d apps, a round, and an event a second", o.Nodes, o.ClusterApps, o.Rounds, o.ReadRounds, o.Pace, mostNodes, mostApps)
	}
	return nil
}

// onCluster measures what events cost a cluster beside a server with its own stores, and the loss of a node.
func onCluster(ctx context.Context, o *Options, r *Report) error {
	if err := o.check(); err != nil {
		return err
	}
	var alone, first, paced []*cost
	own, err := single(ctx, o, o.ClusterApps)
	if err != nil {
		return err
	}
	r.add(ClusterMode, "own stores: processors taken at rest", "", "%.3f", own.rest)
	alone, err = own.ingestion(ctx, r, "own stores", nil, nil)
	var quiet [][]*cost // for as many workers
	for n := 1; err == nil && n <= o.Nodes; n++ {
		var costs []*cost
		if costs, err = own.pacedAt(ctx, n*o.Pace); err == nil {
			quiet = append(quiet, costs)
			for i, how := range sendings(o) {
				r.add(ClusterMode, fmt.Sprintf("own stores, %s at %d events a second: CPU of the server for a million events; processors of the machine that worked", how.path, n*o.Pace), "",
					"%.1f s%s, %.0f %%", costs[i].all(), notAtRest(costs[i].rests), costs[i].busy*100)
			}
		}
	}
	if err := errors.Join(err, own.close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	if err := byRole(ctx, o, r); err != nil {
		return err
	}
	for n := 1; n <= o.Nodes; n++ {
		f, err := clustered(ctx, o, false, o.ClusterApps, slices.Repeat([]string{""}, n)...)
		if err != nil {
			return err
		}
		err = func() (err error) {
			defer func() { err = errors.Join(err, f.close(context.WithoutCancel(ctx))) }()
			name := fmt.Sprintf("%d workers", n)
			if n == 1 {
				name = "1 worker"
				r.add(ClusterMode, "cluster: journal, partitions, apps, users", "", "%s, %d, %d, %d", f.ground.Journal(), f.ground.Partitions(), len(f.apps), o.Users)
			}
			r.add(ClusterMode, name+": processors taken at rest", "", "%.3f", f.rest)
			costs, err := f.ingestion(ctx, r, name, alone, first)
			if n == 1 {
				first = costs
			}
			if err != nil {
				return err
			}
			if costs, err = f.paced(ctx, r, name, quiet[n-1], paced); n == 1 {
				paced = costs
			}
			if err != nil || n < o.Nodes {
				return err
			}
			if err := f.sizes(ctx, r, ClusterMode); err != nil {
				return err
			}
			return f.recovery(ctx, r)
		}()
		if err != nil {
			return err
		}
	}
	return nil
}

// onClusterReads loads one app on a cluster and on a server with its own stores, and measures reads of both.
func onClusterReads(ctx context.Context, o *Options, r *Report) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	own, err := single(ctx, o, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.close(context.WithoutCancel(ctx))) }()
	f, err := clustered(ctx, o, false, 1, slices.Repeat([]string{""}, min(2, o.Nodes))...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close(context.WithoutCancel(ctx))) }()
	for _, c := range []*fleet{own, f} {
		c.reader().app = c.apps[0]
	}
	if err := f.busy(ctx, r, own); err != nil {
		return err
	}
	if err := f.sizes(ctx, r, ClusterReadsMode); err != nil {
		return err
	}
	if err := f.questions(ctx, r, own); err != nil {
		return err
	}
	return f.dashboards(ctx, r)
}

// sending is how events are sent.
type sending struct {
	path                 string
	perBulk, connections int
}

func sendings(o *Options) []sending {
	return []sending{{"/i", 0, o.Connections}, {"/i/bulk", bulkItems / 4, 16}}
}

// ingestion measures what events cost, once for each sending: the median of the rounds. alone is what they cost a server with its own stores, first what they cost one worker.
func (f *fleet) ingestion(ctx context.Context, r *Report, name string, alone, first []*cost) (out []*cost, err error) {
	for i, how := range sendings(f.o) {
		var costs []*cost
		for n := range f.o.Rounds + 1 {
			events := f.o.Events
			if n == 0 { // it warms up
				events = max(len(f.apps), events/4)
			}
			c, err := f.measure(ctx, f.render(f.nodes, events, how.perBulk), how.connections, 0)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				costs = append(costs, c)
			}
		}
		slices.SortFunc(costs, func(a, b *cost) int { return cmp.Compare(a.all(), b.all()) })
		c := costs[len(costs)/2]
		out = append(out, c)
		what := name + ", " + how.path + ": "
		if alone == nil {
			r.add(ClusterMode, what+"CPU of the server for a million events", "", "%.1f s%s", c.all(), notAtRest(c.rests))
		} else {
			r.add(ClusterMode, what+"CPU of the nodes for a million events; as a multiple of own stores", budgetCost, "%.1f s; %.2f%s", c.all(), c.all()/alone[i].all(), notAtRest(c.rests))
		}
		if first != nil {
			r.add(ClusterMode, what+"CPU for a million events as a multiple of one worker's; each node's share", "", "%.2f; %s", c.all()/first[i].all(), c.shares())
		}
		r.add(ClusterMode, what+"events, acknowledged and counted; processors of the machine that worked", "", "%s", c.rate())
		if text := c.byEngine(); alone != nil && text != "" {
			r.add(ClusterMode, what+"CPU of the engines for a million events", "", "%s", text)
		}
	}
	return out, nil
}

// pacedFor is how long events are sent at a pace, less where nodes are looked at for less than a second.
const pacedFor = 20 * time.Second

// paced measures what events cost when each worker has as much to do as one alone had, at a rate that leaves the machine room, once for each sending: at full speed workers that share the machine have the
// smaller batches the more of them there are, which says nothing of workers with machines of their own. alone is what they cost a server with its own stores at the same rate, first what they cost one worker.
func (f *fleet) paced(ctx context.Context, r *Report, name string, alone, first []*cost) (out []*cost, err error) {
	out, err = f.pacedAt(ctx, f.o.Pace*len(f.nodes))
	if err != nil {
		return nil, err
	}
	for i, how := range sendings(f.o) {
		c := out[i]
		what := fmt.Sprintf("%s, %s at %d events a second each: CPU of the nodes for a million events; processors of the machine that worked", name, how.path, f.o.Pace)
		r.add(ClusterMode, what+"; as a multiple of own stores", budgetCost, "%.1f s%s, %.0f %%; %.2f", c.all(), notAtRest(c.rests), c.busy*100, c.all()/alone[i].all())
		if first != nil {
			r.add(ClusterMode, fmt.Sprintf("%s, %s at %d events a second each: CPU for a million events as a multiple of one worker's; each node's share", name, how.path, f.o.Pace), budgetLinear, "%.2f; %s", c.all()/first[i].all(), c.shares())
		}
	}
	return out, nil
}

// pacedAt measures what events cost at a rate, once for each sending.
func (f *fleet) pacedAt(ctx context.Context, perSecond int) (out []*cost, err error) {
	for _, how := range sendings(f.o) {
		events := max(len(f.apps), perSecond*int(min(pacedFor, 20*f.o.Look)/time.Millisecond)/1000)
		c, err := f.measure(ctx, f.render(f.nodes, events, how.perBulk), how.connections, float64(perSecond))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// shares are those of the nodes in what all took.
func (c *cost) shares() string {
	var parts []string
	for _, d := range c.nodes {
		parts = append(parts, fmt.Sprintf("%.0f %%", 100*c.million(d)/c.all()))
	}
	return strings.Join(parts, ", ")
}

func (c *cost) byEngine() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(c.engines)) {
		parts = append(parts, fmt.Sprintf("%s %.1f s", name, c.million(c.engines[name])))
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, ", ") + notAtRest(c.rests)
}

// byRole measures a node that only takes in beside one that only works and reads: what each takes, and what each says to the engines and hears from them.
func byRole(ctx context.Context, o *Options, r *Report) (err error) {
	f, err := clustered(ctx, o, true, o.ClusterApps, "ingest", "work,read")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close(context.WithoutCancel(ctx))) }()
	for _, how := range sendings(o) {
		if _, err := f.measure(ctx, f.render(f.nodes[:1], max(len(f.apps), o.Events/4), how.perBulk), how.connections, 0); err != nil {
			return err
		}
		sizes, err := f.ground.Sizes(ctx)
		if err != nil {
			return err
		}
		was := f.passed()
		c, err := f.measure(ctx, f.render(f.nodes[:1], o.Events, how.perBulk), how.connections, 0)
		if err != nil {
			return err
		}
		is := f.passed()
		after, err := f.ground.Sizes(ctx)
		if err != nil {
			return err
		}
		for i, role := range []string{"a node with the role ingest", "a node with the roles work and read"} {
			what := role + ", " + how.path + ": "
			r.add(ClusterMode, what+"CPU for a million events", "", "%.1f s%s", c.million(c.nodes[i]), notAtRest(c.rests))
			for _, e := range ground.Engines() {
				each := func(n int) float64 { return float64(is[i][e][n]-was[i][e][n]) / float64(c.events) }
				if each(0)+each(1) >= 1 {
					r.add(ClusterMode, what+"network to and from "+string(e), "", "%.0f, %.0f B an event", each(0), each(1))
				}
			}
		}
		if text := c.byEngine(); text != "" {
			r.add(ClusterMode, how.path+", roles apart: CPU of the engines for a million events", "", "%s", text)
		}
		r.add(ClusterMode, how.path+": log (WAL) of PostgreSQL, all of its databases", "", "%.0f B an event", float64(after.Log-sizes.Log)/float64(c.events))
	}
	return nil
}

// passed is how many bytes went through the relays of each node, to each engine and from it.
func (f *fleet) passed() (out []map[quipuapp.Engine][2]int64) {
	for _, n := range f.relayed {
		m := map[quipuapp.Engine][2]int64{}
		for e, r := range n.Relays {
			asked, answered := r.Passed()
			m[e] = [2]int64{asked, answered}
		}
		out = append(out, m)
	}
	return out
}

// busy loads one app with the same traffic of many days on both sides. Requests follow each other on one connection, so that rows are the same.
func (f *fleet) busy(ctx context.Context, r *Report, own *fleet) error {
	o := f.o
	start := o.Now().AddDate(0, 0, -o.Days-1)
	for _, c := range []struct {
		*fleet
		name string
	}{{own, "own stores"}, {f, "cluster"}} {
		s := c.reader()
		const perRequest, perSession = 10, 30.0
		g, err := traffic.New(traffic.Config{
			Seed: o.Seed, AppKey: s.app.Key, Users: o.Users, Start: start,
			SessionsPerDay: float64(o.ReadEvents) / perSession / float64(o.Days), EventsPerRequest: perRequest,
		})
		if err != nil {
			return err
		}
		var events, items int64
		var took time.Duration
		before, engines := c.cpu(), o.engines()
		for events < int64(o.ReadEvents) {
			const chunk = 250_000
			l := render(g, min(chunk, int64(o.ReadEvents)-events), bulkItems, s.app.Key)
			began := o.Now()
			if err := saturate(ctx, s.url, l, 1); err != nil {
				return err
			}
			events, items = events+l.events, items+l.items
			if _, err := s.drained(ctx, s.app, items); err != nil {
				return err
			}
			took += o.Now().Sub(began)
		}
		rests, err := c.settled(ctx)
		if err != nil {
			return err
		}
		c.events += events
		r.add(ClusterReadsMode, fmt.Sprintf("%s: %d events of one app, on one connection, acknowledged and counted; CPU for a million events", c.name, events), "", "%.0f/s; %.1f s%s",
			float64(events)/took.Seconds(), (c.cpu()-before).Seconds()/float64(events)*1e6, notAtRest(rests))
		if c.ground != nil && len(o.Engines) > 0 {
			cost := &cost{events: events, engines: o.engines(), rests: rests}
			for name := range cost.engines {
				cost.engines[name] -= engines[name]
			}
			r.add(ClusterReadsMode, "cluster: CPU of the engines for a million events of one app", "", "%s", cost.byEngine())
		}
	}
	return nil
}

// sizes reports what the stores hold.
func (f *fleet) sizes(ctx context.Context, r *Report, mode string) error {
	sizes, err := f.ground.Sizes(ctx)
	if err != nil {
		return err
	}
	r.add(mode, fmt.Sprintf("bytes an event in ClickHouse, of %d events of %d apps", f.events, len(f.apps)), "", "%s", f.largest(sizes.ClickHouse))
	r.add(mode, "bytes an event in PostgreSQL, with indexes", "", "%s", f.largest(sizes.PostgreSQL))
	return nil
}

// largest lists sizes of tables for an event: all of them, and the largest ones.
func (f *fleet) largest(sizes map[string]int64) string {
	var sum int64
	for _, n := range sizes {
		sum += n
	}
	names := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), strings.Compare(a, b)) })
	each := func(n int64) string { return fmt.Sprintf("%.1f", float64(n)/float64(f.events)) }
	var parts []string
	for _, name := range names[:min(5, len(names))] {
		parts = append(parts, name+" "+each(sizes[name]))
	}
	return each(sum) + " B: " + strings.Join(parts, ", ")
}

// dashboards measures dashboard reads of the busy app, while a trickle of events arrives.
func (f *fleet) dashboards(ctx context.Context, r *Report) error {
	s := f.reader()
	done := make(chan struct{})
	var trickled error
	var wg sync.WaitGroup
	wg.Go(func() { trickled = s.trickle(ctx, f.o, done) })
	err := func() error {
		defer close(done)
		return s.readInTurn(ctx, f.o, r, ClusterReadsMode, budgetReads)
	}()
	wg.Wait()
	return errors.Join(err, trickled)
}

// questions asks both sides the same questions of the same rows in turn, on both with nothing beside them, and compares the answers.
func (f *fleet) questions(ctx context.Context, r *Report, own *fleet) error {
	o := f.o
	sides := []*server{f.reader(), own.reader()}
	var lists [2][]question
	for i, s := range sides {
		var err error
		if lists[i], err = s.questions(ctx); err != nil {
			return err
		}
	}
	var compared int
	var differ []string
	for k := range lists[0] {
		pair := [2]question{lists[0][k], lists[1][k]}
		if k == 0 {
			if err := f.arrived(ctx, sides, pair); err != nil {
				return err
			}
		}
		name := pair[0].name
		var took, used [2][]time.Duration
		for round := range min(clusterQuestions, o.ReadRounds) + 1 {
			var figures [2]float64
			for i, s := range sides {
				q := pair[i]
				q.days(o, round+1)
				before, began := s.cpu(), o.Now()
				figure, err := s.figure(ctx, q)
				if err != nil {
					return err
				}
				figures[i] = figure
				if round > 0 {
					took[i], used[i] = append(took[i], o.Now().Sub(began)), append(used[i], s.cpu()-before)
				}
			}
			switch {
			case !alike(figures):
				differ = append(differ, fmt.Sprintf("%s: %v, %v", name, figures[0], figures[1]))
			case figures[0] != 0:
				compared++
			}
		}
		mean := func(list []time.Duration) string {
			var sum time.Duration
			for _, d := range list {
				sum += d
			}
			return fmt.Sprintf("%.0f ms", sum.Seconds()*1e3/float64(len(list)))
		}
		r.add(ClusterReadsMode, name+": p50, max on ClickHouse, CPU of the node; p50, max on DuckDB, CPU of the server", "", "%s, %s, %s; %s, %s, %s",
			ms(quantile(took[0], 0.5)), ms(quantile(took[0], 1)), mean(used[0]), ms(quantile(took[1], 0.5)), ms(quantile(took[1], 1)), mean(used[1]))
	}
	r.add(ClusterReadsMode, "answers that say something and are the same on both; that differ", "0 differ", "%d; %d", compared, len(differ))
	for _, text := range differ[:min(5, len(differ))] {
		r.add(ClusterReadsMode, "differs, on the cluster, with own stores", "", "%s", text)
	}
	return nil
}

// alike says whether two sums of an answer's figures are the same, but for the order in which they were added.
func alike(figures [2]float64) bool {
	return math.Abs(figures[0]-figures[1]) <= 1e-9*math.Abs(figures[1])
}

// clusterQuestions is how often each question is asked of both sides behind the first time: some take many seconds.
const clusterQuestions = 2

// arriveLimit is how long rows may be on their way to ClickHouse.
const arriveLimit = 20 * time.Second

// arrived waits until both sides answer a question about other days than those that are measured alike, as long as rows may be on their way.
func (f *fleet) arrived(ctx context.Context, sides []*server, pair [2]question) error {
	for end := f.o.Now().Add(arriveLimit); ; {
		var figures [2]float64
		for i, s := range sides {
			q := pair[i]
			q.days(f.o, 0)
			figure, err := s.figure(ctx, q)
			if err != nil {
				return err
			}
			figures[i] = figure
		}
		if alike(figures) || f.o.Now().After(end) {
			return nil
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

// figure asks a question and sums up the answer, if there is a way to.
func (s *server) figure(ctx context.Context, q question) (sum float64, err error) {
	body, err := s.read(ctx, q.read)
	if err == nil && bytes.Contains(body, []byte(`"task_id"`)) {
		err = errors.New("it went on as a task")
	}
	if err == nil && q.figure != nil {
		sum, err = q.figure(body)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", q.name, err)
	}
	return sum, err
}

// losses is how often a node is lost.
const losses = 3

// recovery kills nodes and measures how long it takes until all apps are counted again.
func (f *fleet) recovery(ctx context.Context, r *Report) error {
	if len(f.nodes) < 2 {
		return nil
	}
	var took []time.Duration
	times := min(losses, f.o.ReadRounds)
	for n := range times {
		lost := n % (len(f.nodes) - 1) // the last one reads
		began := f.o.Now()
		if err := f.nodes[lost].kill(); err != nil {
			return err
		}
		others := slices.Concat(f.nodes[:lost], f.nodes[lost+1:])
		err := f.send(ctx, f.render(others, len(f.apps), 0), len(others), 0)
		took = append(took, f.o.Now().Sub(began))
		if err != nil {
			return err
		}
		if n == times-1 {
			f.nodes = others
			break
		}
		again, err := f.start(ctx, lost, "")
		if err != nil {
			f.nodes = others
			return err
		}
		again.apiKey, f.nodes[lost] = f.nodes[lost].apiKey, again
		if err := pause(ctx, quipuapp.LeaseTTL/2); err != nil { // it takes its share
			return err
		}
	}
	r.add(ClusterMode, fmt.Sprintf("a node is killed: until a request of each of %d apps, sent then, is counted; median and longest of %d", len(f.apps), len(took)), budgetRecovery, "%s, %s",
		quantile(took, 0.5).Round(10*time.Millisecond), quantile(took, 1).Round(10*time.Millisecond))
	return nil
}

// kill ends the process without notice.
func (p *process) kill() error {
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill process: %w", err)
	}
	if err := <-p.done; err == nil {
		return errors.New("the process ended before it was killed")
	}
	p.ended = true
	return nil
}
