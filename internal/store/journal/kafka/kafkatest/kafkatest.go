// Package kafkatest runs Kafka's own brokers for tests: processes of Java on loopback, each of which is broker and controller (KRaft),
// from the files that tools/kafka/fetch.sh gets.
package kafkatest

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit/need"
)

// clusterID names the cluster; Kafka wants 16 bytes in base64.
const clusterID = "cXVpcHVxdWlwdXF1aXB1cQ"

// How long a broker has to start, and to end.
const (
	startFor = 2 * time.Minute
	stopFor  = 20 * time.Second
)

// Cluster is some brokers that share what they keep.
type Cluster struct {
	tb      testing.TB
	java    string
	libs    string
	dir     string
	ports   []int // of clients
	brokers []*broker
}

// broker is a process.
type broker struct {
	cmd   *exec.Cmd
	said  bytes.Buffer
	ended chan struct{}
}

// Start starts brokers, which the end of the test stops. Without Java or Kafka the test is skipped, or, where CI is set, fails. root is the path of the
// project's folder from that of the test.
func Start(tb testing.TB, root string, brokers int) *Cluster {
	tb.Helper()
	need.File(tb, filepath.Join(root, "bin/tools/kafka/done"), "tools/kafka/fetch.sh")
	libs, err := filepath.Abs(filepath.Join(root, "bin/tools/kafka"))
	if err != nil {
		tb.Fatal(err)
	}
	c := &Cluster{tb: tb, java: need.Program(tb, "java"), libs: filepath.Join(libs, "*"), dir: tb.TempDir(), brokers: make([]*broker, brokers)}
	controllers := make([]int, brokers)
	var voters []string
	for i := range brokers {
		c.ports = append(c.ports, freePort(tb))
		controllers[i] = freePort(tb)
		voters = append(voters, fmt.Sprintf("%d@127.0.0.1:%d", i, controllers[i]))
	}
	for i := range brokers {
		config := strings.Join([]string{
			"process.roles=broker,controller", fmt.Sprintf("node.id=%d", i), "controller.quorum.voters=" + strings.Join(voters, ","),
			fmt.Sprintf("listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d", c.ports[i], controllers[i]),
			fmt.Sprintf("advertised.listeners=PLAINTEXT://127.0.0.1:%d", c.ports[i]), "controller.listener.names=CONTROLLER",
			"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT", "log.dirs=" + c.data(i),
			"offsets.topic.replication.factor=1", "transaction.state.log.replication.factor=1", "transaction.state.log.min.isr=1",
			"auto.create.topics.enable=false", "broker.session.timeout.ms=6000", "broker.heartbeat.interval.ms=500", "replica.lag.time.max.ms=3000",
			"replica.fetch.max.bytes=33554432", "message.max.bytes=33554432", "log.segment.bytes=16777216", "num.network.threads=1", "num.io.threads=2",
			"log.cleaner.dedupe.buffer.size=4194304", "controlled.shutdown.enable=false",
		}, "\n")
		if err := os.WriteFile(c.config(i), []byte(config), 0o600); err != nil {
			tb.Fatal(err)
		}
		if i > 0 {
			if err := c.formatLike(i); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		format := exec.CommandContext(tb.Context(), c.java, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", c.libs, "kafka.tools.StorageTool", "format", "-t", clusterID, "-c", c.config(i))
		if out, err := format.CombinedOutput(); err != nil {
			tb.Fatalf("format the folder of a broker: %v\n%s", err, out)
		}
	}
	tb.Cleanup(func() {
		for i := range c.brokers {
			c.end(i, syscall.SIGKILL)
		}
	})
	for i := range brokers {
		c.Run(i)
	}
	for i := range brokers {
		c.Await(i)
	}
	return c
}

// formatLike gives a broker a folder as the first one's, which Java takes most of a second to format.
func (c *Cluster) formatLike(i int) error {
	if err := os.CopyFS(c.data(i), os.DirFS(c.data(0))); err != nil {
		return err
	}
	path := filepath.Join(c.data(i), "meta.properties")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var id [16]byte
	_, _ = rand.Read(id[:])
	own := regexp.MustCompile(`(?m)^node\.id=.*$`).ReplaceAllString(string(text), fmt.Sprintf("node.id=%d", i))
	own = regexp.MustCompile(`(?m)^directory\.id=.*$`).ReplaceAllLiteralString(own, "directory.id="+base64.RawURLEncoding.EncodeToString(id[:]))
	return os.WriteFile(path, []byte(own), 0o600)
}

func (c *Cluster) config(i int) string { return filepath.Join(c.dir, fmt.Sprintf("%d.properties", i)) }
func (c *Cluster) data(i int) string   { return filepath.Join(c.dir, fmt.Sprintf("data%d", i)) }

// Run starts a broker that is stopped. It returns before the broker answers.
func (c *Cluster) Run(i int) {
	c.tb.Helper()
	b := &broker{ended: make(chan struct{})}
	//nolint:noctx // it ends by a signal
	b.cmd = exec.Command(c.java, "-Xmx256m", "-Xms64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", c.libs, "kafka.Kafka", c.config(i))
	b.cmd.Stdout, b.cmd.Stderr = &b.said, &b.said
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := b.launch(); err != nil {
		c.tb.Fatalf("start a broker: %v", err)
	}
	c.brokers[i] = b
}

// launch starts the process from a thread that lives as long as it, because the kernel ends the process with the thread, and
// threads end with goroutines that were bound to them.
func (b *broker) launch() error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := b.cmd.Start()
		started <- err
		if err == nil {
			_ = b.cmd.Wait()
			close(b.ended)
		}
	}()
	return <-started
}

// Await waits until a broker takes connections.
func (c *Cluster) Await(i int) {
	c.tb.Helper()
	b := c.brokers[i]
	late := time.After(startFor)
	dialer := net.Dialer{Timeout: time.Second}
	for {
		conn, err := dialer.DialContext(c.tb.Context(), "tcp", c.Addrs()[i])
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-b.ended:
			c.tb.Fatalf("a broker ended:\n%s", b.said.String())
		case <-late:
			c.tb.Fatalf("a broker does not answer: %v", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Kill ends a broker without notice.
func (c *Cluster) Kill(i int) { c.end(i, syscall.SIGKILL) }

func (c *Cluster) end(i int, sig os.Signal) {
	b := c.brokers[i]
	if b == nil {
		return
	}
	c.brokers[i] = nil
	select {
	case <-b.ended:
		c.tb.Errorf("a broker ended by itself, %v:\n%s", b.cmd.ProcessState, b.said.String())
		return
	default:
	}
	if err := b.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		c.tb.Errorf("stop a broker: %v", err)
	}
	select {
	case <-b.ended:
	case <-time.After(stopFor):
		c.tb.Errorf("a broker does not stop")
	}
}

// Addrs returns the addresses of all brokers.
func (c *Cluster) Addrs() []string {
	list := make([]string, len(c.ports))
	for i, p := range c.ports {
		list[i] = fmt.Sprintf("127.0.0.1:%d", p)
	}
	return list
}

func freePort(tb testing.TB) int {
	tb.Helper()
	port, err := need.Port()
	if err != nil {
		tb.Fatal(err)
	}
	return port
}
