package natstest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quipu/internal/testkit/respawn"
)

// Respawned is the name under which respawn.Main has Serve.
const Respawned = "nats"

// Serve starts one server in this process, for respawn.Main.
func Serve(tb testing.TB, spec []byte) {
	tb.Helper()
	var n node
	if err := json.Unmarshal(spec, &n); err != nil {
		tb.Fatal(err)
	}
	run(tb, n.options())
}

// Kill ends a server without notice, which is a process of its own.
func (c *Cluster) Kill(i int) error {
	if p := c.processes[i]; p != nil {
		return p.Kill()
	}
	return nil
}

// Again starts a server that was killed.
func (c *Cluster) Again(i int) error { return c.again(i) }

func (c *Cluster) again(i int) error {
	if p := c.processes[i]; p != nil {
		return p.Run()
	}
	c.processes[i] = respawn.Start(c.tb, Respawned, c.nodes[i])
	return nil
}

// asked is the server that leads a stream as the servers say, -1 = none.
func (c *Cluster) asked(stream string) int {
	nc, err := nats.Connect(c.URL(), nats.UserInfo(User, User))
	if err != nil {
		return -1
	}
	defer nc.Close()
	js, err := nc.JetStream(nats.MaxWait(2 * time.Second))
	if err != nil {
		return -1
	}
	info, err := js.StreamInfo(stream)
	if err != nil || info.Cluster == nil {
		return -1
	}
	for i, n := range c.nodes {
		if n.Name == info.Cluster.Leader {
			return i
		}
	}
	return -1
}

// Streams lists the streams whose names begin with a prefix.
func (c *Cluster) Streams(prefix string) (list []string, err error) {
	nc, err := nats.Connect(c.URL(), nats.UserInfo(User, User))
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	js, err := nc.JetStream()
	if err != nil {
		return nil, err
	}
	for name := range js.StreamNames() {
		if strings.HasPrefix(name, prefix) {
			list = append(list, name)
		}
	}
	return list, nil
}
