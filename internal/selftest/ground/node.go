package ground

import (
	"context"
	"fmt"
	"os"

	"quipu/internal/app"
	"quipu/internal/selftest"
	"quipu/internal/selftest/relay"
)

// Engines are those that a node reaches by relays.
func Engines() []app.Engine {
	return []app.Engine{app.EnginePostgreSQL, app.EngineClickHouse, app.EngineJournal}
}

// Node is a node whose clock can be set and that reaches the engines by relays of its own.
type Node struct {
	Dir    string // of its data
	Clock  string // file with the milliseconds that its clock is off
	Relays map[app.Engine]*relay.Relay

	cluster string
}

// Node makes a node with a folder, which does not run yet.
func (g *Ground) Node(ctx context.Context, dir string) (*Node, error) {
	n := &Node{Dir: dir, Clock: dir + ".clock", Relays: map[app.Engine]*relay.Relay{}, cluster: g.File}
	if err := os.WriteFile(n.Clock, []byte("0"), 0o600); err != nil {
		return nil, fmt.Errorf("clock of a node: %w", err)
	}
	for _, e := range Engines() {
		r, err := relay.New(ctx)
		if err != nil {
			n.Close()
			return nil, err
		}
		n.Relays[e] = r
	}
	return n, nil
}

// Args are the arguments of a process that serves as the node, "" = with all roles.
func (n *Node) Args(roles string) []string {
	args := []string{selftest.ServeCommand, "--clock", n.Clock, "--cluster", n.cluster}
	for e, r := range n.Relays {
		args = append(args, "--through", string(e)+"="+r.Addr())
	}
	if roles != "" {
		args = append(args, "--roles", roles)
	}
	return args
}

// Close closes the relays.
func (n *Node) Close() {
	for _, r := range n.Relays {
		r.Close()
	}
}
