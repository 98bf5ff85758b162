package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"quipu/internal/child"
	"quipu/internal/selftest/ground"
)

// node is a server of the cluster under trial.
type node struct {
	*ground.Node
	t      *trial
	number int
	log    *os.File

	mu      sync.Mutex
	process *child.Process // nil = not running
	roles   string         // "" = all
	wanted  bool           // it is not to end by itself
}

func (t *trial) newNode(ctx context.Context, number int) (*node, error) {
	made, err := t.place.Node(ctx, filepath.Join(t.dir, fmt.Sprintf("node%d", number)))
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(made.Dir+".log", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		made.Close()
		return nil, fmt.Errorf("log of a node: %w", err)
	}
	return &node{Node: made, t: t, number: number, log: log}, nil
}

// environment is what all servers of the trial have in theirs.
func (t *trial) environment() []string {
	// No session times out by the server's clock: an embedded server gets the same much later, and one node is an hour ahead.
	return append(t.place.Env(), "QUIPU_INGEST_SESSION_TIMEOUT=720h")
}

// begin starts the process once.
func (n *node) begin(ctx context.Context, roles string) error {
	o := child.Options{Program: n.t.Program, Env: n.t.Env, Memory: "256MiB", Err: n.log}
	p, err := o.Serve(ctx, n.Dir, n.t.environment(), n.Args(roles)...)
	if err != nil {
		return fmt.Errorf("node %d: %w", n.number, err)
	}
	n.mu.Lock()
	n.process, n.roles, n.wanted = p, roles, true
	n.mu.Unlock()
	go n.watch(p)
	return nil
}

// startLimit is how long a node is tried to be started, as what supervises servers does.
const startLimit = 2 * time.Minute

// start starts the process, again and again while that fails: its servers may be away.
func (n *node) start(ctx context.Context, roles string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		err := n.begin(ctx, roles)
		if err == nil || !pause(ctx, time.Second) {
			return err
		}
	}
}

// watch reports a process that ends by itself.
func (n *node) watch(p *child.Process) {
	<-p.Done
	n.mu.Lock()
	unexpected := n.wanted && n.process == p
	if n.process == p {
		n.process = nil
	}
	n.mu.Unlock()
	if unexpected {
		n.t.fault("node %d ended by itself: %s", n.number, last(p.Log.String(), 600))
	}
}

func last(s string, n int) string {
	s = strings.TrimSpace(s)
	return s[max(0, len(s)-n):]
}

// leave takes the process away from the node, which is then not wanted.
func (n *node) leave() *child.Process {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.process
	n.process, n.wanted = nil, false
	return p
}

// kill ends the process at once.
func (n *node) kill() error {
	if p := n.leave(); p != nil {
		return p.Kill()
	}
	return nil
}

// stop ends the process gracefully; a bad end is a fault.
func (n *node) stop() {
	if p := n.leave(); p != nil {
		if err := p.Stop(); err != nil {
			n.t.fault("node %d: %v", n.number, err)
		}
	}
}

// signal halts the process, or lets it go on.
func (n *node) signal(s syscall.Signal) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.process == nil {
		return nil
	}
	if err := n.process.Cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("signal node %d: %w", n.number, err)
	}
	return nil
}

// ahead sets the node's clock ahead of that of the machine.
func (n *node) ahead(d time.Duration) error {
	// Written aside and renamed, so that it is never read half.
	err := os.WriteFile(n.Clock+".new", []byte(strconv.FormatInt(d.Milliseconds(), 10)), 0o600)
	return errors.Join(err, os.Rename(n.Clock+".new", n.Clock))
}

// at is the address of the node if it runs and has a role; "" = it is not there.
func (n *node) at(role string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.process == nil || n.roles != "" && !strings.Contains(n.roles, role) {
		return ""
	}
	return n.process.URL
}

// close ends everything of the node.
func (n *node) close() error {
	err := errors.Join(n.signal(syscall.SIGCONT), n.kill())
	n.Close()
	return errors.Join(err, n.log.Close())
}

// urls are the addresses of all nodes that clients know, beginning with one of them. A client does not know that a node is halted or cut off.
func (t *trial) urls(first int) (out []string) {
	for i := range t.nodes {
		if u := t.nodes[(first+i)%len(t.nodes)].at("ingest"); u != "" {
			out = append(out, u)
		}
	}
	return out
}

// site is a server with the key of its administrator.
type site struct{ url, key string }

// ask sends a request of the administrator to a server.
func (t *trial) ask(ctx context.Context, at site, path string, values url.Values) (int, string, error) {
	if values == nil {
		values = url.Values{}
	}
	values.Set("api_key", at.key)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.url+path+"?"+values.Encode(), nil)
	if err != nil {
		return 0, "", err
	}
	if path == "/api-key" {
		req.SetBasicAuth(child.AdminUser, child.AdminPassword)
	}
	res, err := t.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), errors.Join(err, res.Body.Close())
}
