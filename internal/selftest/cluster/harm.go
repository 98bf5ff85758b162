package cluster

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"quipu/internal/app"
	"quipu/internal/child"
	"quipu/internal/selftest/ground"
	"quipu/internal/selftest/relay"
)

// Server is one of those of the engines, which a trial may stop and start again.
type Server struct {
	Name        string
	Stop, Start func(ctx context.Context) error
}

// Command is a server that commands of a shell stop and start.
func Command(name, command string) Server {
	do := func(what string) func(context.Context) error {
		return func(ctx context.Context) error {
			cmd := exec.CommandContext(ctx, "sh", "-c", command+" "+what)  // the operator's own
			cmd.SysProcAttr, cmd.WaitDelay = child.OwnGroup(), time.Second // what it leaves running may have its output
			out, err := cmd.CombinedOutput()
			if errors.Is(err, exec.ErrWaitDelay) {
				err = nil
			}
			if err != nil {
				return fmt.Errorf("%s %s: %w: %s", command, what, err, last(string(out), 400))
			}
			return nil
		}
	}
	return Server{Name: name, Stop: do("stop"), Start: do("start")}
}

// disturbance is one kind of harm.
type disturbance struct {
	name, what string
	run        func(ctx context.Context, h *harm) error
}

// harm is what one round does.
type harm struct {
	*trial
	mu    sync.Mutex
	free  []*node // nodes to which nothing was done yet
	did   []string
	after []func() error // what is done once all apps are served again
}

// disturbances lists all that can be done.
func disturbances(servers []Server) []disturbance {
	list := []disturbance{
		{"kill", "SIGKILL of a node, which stays away until all apps are served", killOne},
		{"kill-all", "SIGKILL of all nodes at once", killAll},
		{"halt", "SIGSTOP of a node for longer than its leases hold, then SIGCONT: it still thinks that it holds partitions", halt},
		{"term", "SIGTERM of a node under load", term},
		{"roles", "a node starts again with one role only, then with all", roles},
		{"clock", "the clock of a node goes an hour ahead, and back", clock},
		{"reset", "all connections of a node are reset again and again", resets},
	}
	for _, e := range ground.Engines() {
		list = append(list,
			disturbance{"cut-" + string(e), "a node is cut from it for longer than leases hold, both ways; then connections break", func(ctx context.Context, h *harm) error {
				return h.cut(ctx, e, relay.Fault{Asks: true, Answers: true}, true)
			}},
			disturbance{"asks-" + string(e), "what a node asks of it does not arrive until later, and answers do", func(ctx context.Context, h *harm) error {
				return h.cut(ctx, e, relay.Fault{Asks: true}, false)
			}},
			disturbance{"answers-" + string(e), "what a node asks of it arrives, and answers are lost: outcomes are unknown", func(ctx context.Context, h *harm) error {
				return h.cut(ctx, e, relay.Fault{Answers: true}, true)
			}},
			disturbance{"slow-" + string(e), "each piece of what all nodes and it say takes a while, as with a slow network or disk", func(ctx context.Context, h *harm) error {
				return h.slow(ctx, e)
			}})
	}
	for _, s := range servers {
		list = append(list, disturbance{"server-" + s.Name, "it is stopped, and started again", func(ctx context.Context, h *harm) error { return h.away(ctx, s) }})
	}
	return append(list, disturbance{"together", "one node is killed, another cut from PostgreSQL, and a server stopped, at once", together})
}

// Disturbances lists the names with what each does, those of servers left out.
func Disturbances() []string {
	var out []string
	for _, d := range disturbances(nil) {
		out = append(out, d.name+": "+d.what)
	}
	return append(out, "server-NAME: a server that --server names is stopped, and started again")
}

// plan says what is done: all that is chosen, in turn, in an order by the seed.
func (t *trial) plan() ([]disturbance, error) {
	all := disturbances(t.Servers)
	if len(t.Faults) > 0 {
		var chosen []disturbance
		for _, name := range t.Faults {
			i := slices.IndexFunc(all, func(d disturbance) bool { return d.name == name })
			if i < 0 {
				return nil, fmt.Errorf("no such disturbance: %q", name)
			}
			chosen = append(chosen, all[i])
		}
		all = chosen
	}
	if t.Rounds == 0 {
		t.Rounds = len(all)
	}
	var list []disturbance
	for len(list) < t.Rounds {
		t.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		list = append(list, all[:min(len(all), t.Rounds-len(list))]...)
	}
	return list, nil
}

// note tells what is done.
func (h *harm) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.did = append(h.did, fmt.Sprintf(format, args...))
}

// take chooses a node to which nothing was done in this round.
func (h *harm) take() *node {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.random(len(h.free))
	n := h.free[i]
	h.free = slices.Delete(h.free, i, i+1)
	return n
}

// later has something done once all apps are served again.
func (h *harm) later(do func() error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.after = append(h.after, do)
}

// held shortens a time where everything is to be short.
func (t *trial) held(d time.Duration) time.Duration {
	if t.Short {
		return d / 3
	}
	return d
}

// random returns a number below n.
func (t *trial) random(n int) int {
	t.rngMu.Lock()
	defer t.rngMu.Unlock()
	return t.rng.IntN(n)
}

// between returns a random duration.
func (t *trial) between(least, most time.Duration) time.Duration {
	t.rngMu.Lock()
	defer t.rngMu.Unlock()
	return least + time.Duration(t.rng.Int64N(int64(most-least)))
}

// lease is a little longer than the leases of partitions hold.
const lease = app.LeaseTTL + time.Second

// beyond is longer than a lease.
func (h *harm) beyond() time.Duration { return h.between(lease, lease+h.held(5*time.Second)) }

func killOne(ctx context.Context, h *harm) error {
	n := h.take()
	h.note("node %d", n.number)
	h.later(func() error { return n.start(ctx, "") })
	return n.kill()
}

func killAll(ctx context.Context, h *harm) error {
	var errs []error
	for _, n := range h.nodes {
		errs = append(errs, n.kill())
	}
	h.note("%d nodes", len(h.nodes))
	return errors.Join(append(errs, h.all(func(n *node) error { return n.start(ctx, "") }))...)
}

// all does something to all nodes at once.
func (h *harm) all(do func(*node) error) error {
	errs := make([]error, len(h.nodes))
	var wg sync.WaitGroup
	for i, n := range h.nodes {
		wg.Go(func() { errs[i] = do(n) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func halt(ctx context.Context, h *harm) error {
	n, d := h.take(), h.beyond()
	h.note("node %d for %.1f s", n.number, d.Seconds())
	if err := n.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	pause(ctx, d)
	return n.signal(syscall.SIGCONT)
}

func term(ctx context.Context, h *harm) error {
	n := h.take()
	h.note("node %d", n.number)
	n.stop()
	return n.start(ctx, "")
}

func roles(ctx context.Context, h *harm) error {
	n := h.take()
	role := []string{"ingest", "work", "read", "ingest,read"}[h.random(4)]
	h.note("node %d: %s", n.number, role)
	n.stop()
	if err := n.start(ctx, role); err != nil {
		return err
	}
	pause(ctx, h.between(h.held(4*time.Second), h.held(9*time.Second)))
	n.stop()
	return n.start(ctx, "")
}

func clock(ctx context.Context, h *harm) error {
	n := h.take()
	h.note("node %d", n.number)
	err := n.ahead(time.Hour)
	pause(ctx, h.between(h.held(6*time.Second), h.held(12*time.Second)))
	return errors.Join(err, n.ahead(0))
}

func resets(ctx context.Context, h *harm) error {
	n := h.take()
	h.note("node %d", n.number)
	for end := h.Now().Add(h.between(h.held(5*time.Second), h.held(10*time.Second))); h.Now().Before(end); {
		for _, r := range n.Relays {
			r.Reset()
		}
		if !pause(ctx, h.between(50*time.Millisecond, 500*time.Millisecond)) {
			return ctx.Err()
		}
	}
	return nil
}

// cut holds back what a node and an engine say.
func (h *harm) cut(ctx context.Context, e app.Engine, f relay.Fault, breaks bool) error {
	n, d := h.take(), h.beyond()
	h.note("node %d for %.1f s", n.number, d.Seconds())
	r := n.Relays[e]
	r.Set(f)
	pause(ctx, d)
	if breaks {
		r.Reset()
	}
	r.Set(relay.Fault{})
	return nil
}

func (h *harm) slow(ctx context.Context, e app.Engine) error {
	delay := h.between(20*time.Millisecond, 250*time.Millisecond)
	h.note("%d ms", delay.Milliseconds())
	for _, n := range h.nodes {
		n.Relays[e].Set(relay.Fault{Delay: delay})
	}
	pause(ctx, h.between(h.held(6*time.Second), h.held(15*time.Second)))
	for _, n := range h.nodes {
		n.Relays[e].Set(relay.Fault{})
	}
	return nil
}

// away stops a server for a while.
func (h *harm) away(ctx context.Context, s Server) error {
	d := h.between(h.held(time.Second), h.held(12*time.Second))
	h.note("%s for %.1f s", s.Name, d.Seconds())
	err := s.Stop(ctx)
	pause(ctx, d)
	// Started again in any case: it is not ours.
	again, cancel := context.WithTimeout(context.WithoutCancel(ctx), startLimit)
	defer cancel()
	return errors.Join(err, s.Start(again))
}

func together(ctx context.Context, h *harm) error {
	parts := []func(context.Context, *harm) error{
		killOne,
		func(ctx context.Context, h *harm) error {
			return h.cut(ctx, app.EnginePostgreSQL, relay.Fault{Answers: true}, true)
		},
	}
	if len(h.Servers) > 0 {
		s := h.Servers[h.random(len(h.Servers))]
		parts = append(parts, func(ctx context.Context, h *harm) error { return h.away(ctx, s) })
	}
	errs := make([]error, len(parts))
	var wg sync.WaitGroup
	for i, part := range parts {
		wg.Go(func() { errs[i] = part(ctx, h) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
