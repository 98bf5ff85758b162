// Package natstest runs servers of NATS JetStream in the process of a test.
package natstest

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quipu/internal/testkit/need"
	"quipu/internal/testkit/respawn"
)

// Accounts of the servers: journals connect with User, operators with System. The password of both is their name.
const (
	User   = "quipu"
	System = "operator"
)

const (
	accountName = "QUIPU"

	maxPayload = 32 << 20
	startFor   = 90 * time.Second // the disk of a busy machine may take its time
)

// Cluster is some servers that share what they keep.
type Cluster struct {
	tb      testing.TB
	nodes   []node
	options []*server.Options
	servers []*server.Server // nil = stopped
	// processes are the servers where each is one of its own.
	processes []*respawn.Process
}

// Options of a cluster. The zero value is one server that syncs each message.
type Options struct {
	Servers int  // 0 = 1
	Lazy    bool // do not sync before acknowledging
	// MaxPayload is the largest message, 0 = 32 MiB.
	MaxPayload int32
	// Apart has each server be a process of its own, which Kill ends without notice. TestMain has to call respawn.Main with Respawned.
	Apart bool
}

// Start starts servers, which the end of the test stops.
func Start(tb testing.TB, o Options) *Cluster {
	tb.Helper()
	if o.Servers == 0 {
		o.Servers = 1
	}
	if o.MaxPayload == 0 {
		o.MaxPayload = maxPayload
	}
	c := &Cluster{tb: tb, servers: make([]*server.Server, o.Servers)}
	dir := tb.TempDir()
	var routes []string
	ports := make([]int, o.Servers)
	for i := range ports {
		ports[i] = freePort(tb)
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	for i := range ports {
		one := node{Name: fmt.Sprintf("n%d", i), Port: freePort(tb), Dir: filepath.Join(dir, fmt.Sprint(i)), MaxPayload: o.MaxPayload, Lazy: o.Lazy}
		if o.Servers > 1 {
			one.Cluster, one.Routes = ports[i], routes
		}
		c.nodes = append(c.nodes, one)
		opts := one.options()
		c.options = append(c.options, opts)
	}
	tb.Cleanup(func() {
		for i := range c.servers {
			c.Stop(i)
		}
	})
	if o.Apart {
		c.processes = make([]*respawn.Process, o.Servers)
	}
	for i := range c.options {
		c.Run(i)
	}
	c.ready()
	return c
}

// node is one of the servers.
type node struct {
	Name          string
	Port, Cluster int // of clients, and of the other servers; 0 = it is alone
	Routes        []string
	Dir           string
	MaxPayload    int32
	Lazy          bool
}

func (n node) options() *server.Options {
	data, system := server.NewAccount(accountName), server.NewAccount("$SYS")
	o := &server.Options{
		ServerName: n.Name, Host: "127.0.0.1", Port: n.Port, NoLog: true, NoSigs: true, MaxPayload: n.MaxPayload,
		JetStream: true, StoreDir: n.Dir, SyncAlways: !n.Lazy,
		Accounts: []*server.Account{data, system}, SystemAccount: "$SYS",
		Users: []*server.User{{Username: User, Password: User, Account: data}, {Username: System, Password: System, Account: system}},
	}
	if n.Cluster > 0 {
		o.Cluster = server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: n.Cluster}
		o.Routes = server.RoutesFromStr(strings.Join(n.Routes, ","))
	}
	return o
}

// Run starts a server that is stopped.
func (c *Cluster) Run(i int) {
	c.tb.Helper()
	if c.processes != nil {
		if err := c.again(i); err != nil {
			c.tb.Fatal(err)
		}
		return
	}
	c.servers[i] = run(c.tb, c.options[i].Clone())
}

// run starts a server.
func run(tb testing.TB, o *server.Options) *server.Server {
	tb.Helper()
	s, err := server.NewServer(o)
	if err != nil {
		tb.Fatalf("start NATS: %v", err)
	}
	var said trouble
	s.SetLoggerV2(&said, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startFor) {
		tb.Fatalf("NATS does not start: %s", said.String())
	}
	account, err := s.LookupAccount(accountName)
	if err != nil {
		tb.Fatalf("account of NATS: %v", err)
	}
	if err := account.EnableJetStream(nil, nil); err != nil {
		tb.Fatalf("enable JetStream: %v", err)
	}
	return s
}

// trouble keeps what a server says before it gives up.
type trouble struct {
	mu    sync.Mutex
	lines []string
}

func (t *trouble) add(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

func (t *trouble) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines[max(0, len(t.lines)-20):], "; ")
}

func (t *trouble) Noticef(string, ...any)            {}
func (t *trouble) Debugf(string, ...any)             {}
func (t *trouble) Tracef(string, ...any)             {}
func (t *trouble) Warnf(format string, args ...any)  { t.add(format, args...) }
func (t *trouble) Errorf(format string, args ...any) { t.add(format, args...) }
func (t *trouble) Fatalf(format string, args ...any) { t.add(format, args...) }

// ready waits until the servers have agreed on a leader and serve the account.
func (c *Cluster) ready() {
	c.tb.Helper()
	nc := c.Connect()
	defer nc.Close()
	js, err := nc.JetStream()
	if err != nil {
		c.tb.Fatal(err)
	}
	late := time.After(startFor)
	for {
		_, err := js.AccountInfo(nats.MaxWait(time.Second))
		if err == nil {
			return
		}
		select {
		case <-late:
			c.tb.Fatalf("JetStream is not ready: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Stop stops a server, which forgets nothing that is on its disk.
func (c *Cluster) Stop(i int) {
	if c.processes != nil {
		_ = c.Kill(i) // it can be gone already
		return
	}
	if s := c.servers[i]; s != nil {
		c.servers[i] = nil
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// Leader returns the server that leads a stream, -1 = none.
func (c *Cluster) Leader(stream string) int {
	if c.processes != nil {
		return c.asked(stream)
	}
	for i, s := range c.servers {
		if s != nil && s.JetStreamIsStreamLeader(accountName, stream) {
			return i
		}
	}
	return -1
}

// URL returns the addresses of all servers.
func (c *Cluster) URL() string {
	var urls []string
	for _, o := range c.options {
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", o.Port))
	}
	return strings.Join(urls, ",")
}

// Connect returns a connection that finds another server when its own goes away. The end of the test closes it.
func (c *Cluster) Connect() *nats.Conn { return c.connect(User) }

// Operate returns a connection of the system account.
func (c *Cluster) Operate() *nats.Conn { return c.connect(System) }

func (c *Cluster) connect(user string) *nats.Conn {
	c.tb.Helper()
	nc, err := nats.Connect(c.URL(), nats.UserInfo(user, user), nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond), nats.RetryOnFailedConnect(true))
	if err != nil {
		c.tb.Fatalf("connect to NATS: %v", err)
	}
	c.tb.Cleanup(nc.Close)
	return nc
}

func freePort(tb testing.TB) int {
	tb.Helper()
	port, err := need.Port()
	if err != nil {
		tb.Fatal(err)
	}
	return port
}
