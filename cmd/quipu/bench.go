package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"quipu/internal/bench"
)

// benchCommand measures this binary.
type benchCommand struct {
	Modes       []string          `arg:"" optional:"" enum:"ingest,bulk,reads,stalls,idle,memory,queries,apps,cluster,cluster-reads" help:"What to measure (default: all but cluster and cluster-reads)."`
	Short       bool              `help:"Smaller sizes, for a run of two to three minutes."`
	Users       int               `help:"Users of the population (default 1000000, short 50000)." placeholder:"N"`
	Events      int               `help:"Events sent in each round (default 1000000, short 150000)." placeholder:"N"`
	ReadEvents  int               `help:"Events loaded for reads, stalls, idle, memory and queries (default 10000000, short 1000000)." placeholder:"N"`
	ReadRounds  int               `help:"Number of reads of each kind." placeholder:"N" default:"100"`
	Days        int               `help:"Days that the loaded events cover." default:"60"`
	Apps        int               `help:"Apps that the mode apps creates (default 10000, short 2000)." placeholder:"N"`
	Cluster     string            `help:"For the cluster modes: file that names the servers, on which databases and streams are created for the run and removed afterwards." type:"path" placeholder:"FILE"`
	Nodes       int               `help:"For the modes cluster and cluster-reads: maximum number of nodes; cluster-reads uses at most 2." default:"3"`
	ClusterApps int               `help:"For the mode cluster: number of apps; cluster-reads uses one." default:"64"`
	Pace        int               `help:"For the mode cluster: events a second for each worker, when comparing the cost of several workers with that of one; the machine must be able to serve more than all of them together." placeholder:"N" default:"1500"`
	Engine      map[string]string `help:"Process ids of a cluster's server on this machine; their CPU time is reported (repeatable)." placeholder:"NAME=PID,…" mapsep:"none"`
	Rounds      int               `help:"Number of rounds; the median is reported." default:"3"`
	Connections int               `help:"Connections that send single requests." default:"256"`
	Memory      string            `help:"Memory limit of the server." default:"1GiB"`
	Dir         string            `help:"Folder for the data folders, which are removed at the end (default: the system's temporary folder)." type:"path"`
	Seed        uint64            `help:"Seed of the traffic." default:"1"`
	Rest        string            `help:"Idle time before the data folder is measured." default:"1m"`
	Limit       string            `help:"Maximum duration of the run." default:"2h"`
	Markdown    string            `help:"Also write the report to a Markdown file." type:"path" placeholder:"FILE"`
	CPUProfile  string            `name:"cpu-profile" hidden:"" type:"path"`
}

// Help explains the figures.
func (*benchCommand) Help() string {
	return `The command starts "quipu serve" as a child process on a fresh folder and sends it generated SDK traffic over loopback; nothing leaves the machine, and it stops by itself.

ingest: single requests to /i on many connections, compared with a net/http handler that only reads the same bodies. Rates count requests that were acknowledged AND projected: the clock stops when the backlog is empty.

bulk: the same through /i/bulk, with 200 SDK requests in each.

reads: dashboard reads over 30 days, on a history loaded through /i/bulk, while a few requests a second arrive.

stalls: latency of acknowledgements at a steady, moderate rate during backups, and while bulk data makes the stores flush, compact and write checkpoints.

idle: disk, start-up time and memory at rest with that history, once everything sent has been processed.

memory: peak memory while clients read dashboards, list, count and export all rows, and events arrive.

queries: questions over event rows (drill, funnels, retention, flows, formulas) over 31 days, one after the other, each in turn with the same question in hand-written SQL on a copy of the server's file: the answers are compared, and the server's time is given as a multiple. Then by 24 clients at once while events arrive.

apps: a server with many apps that sent one request each: memory, disk, start, stop, reads over all apps, verification.

cluster: nodes on the servers named by --cluster, in databases, streams or a topic, and a file prefix that are created for the run and removed afterwards; the cluster's own data is neither read nor written. The users in the file need the right to create databases, streams or topics. Events of many apps go to a single server, to one node, to two, and so on. CPU is the processor time of the nodes beyond their idle use, from the first request until they are idle again, excluding the servers (--engine NAME=PID reports it for those on this machine). A rate is the machine's limit if its processors were busy nearly all the time. With --pace events a second for each worker, which should leave the machine spare capacity, the cost of several workers is compared with that of one, and with that of a single server at the same rate. One node with the role ingest and one with work,read run behind relays that count their traffic. Bytes per event are measured in the stores at the end. Then nodes are killed while requests of each app are sent, and the time until they are counted is measured. Request logs are off, as for all apps with more than a thousand requests a minute.

cluster-reads: one app gets the events of --read-events, once on up to two nodes of such a cluster, once on a single server. Both answer the same questions in turn, and the answers are compared; then dashboard reads of the cluster while a few requests a second arrive.

Latencies are measured from the time at which a request should have been sent, at half the rate measured before. CPU is the server's processor time.`
}

// Run measures and prints the report.
func (c *benchCommand) Run(ctx context.Context, out io.Writer) (err error) {
	limit, err := time.ParseDuration(c.Limit)
	if err != nil {
		return fmt.Errorf("--limit: %w", err)
	}
	rest, err := time.ParseDuration(c.Rest)
	if err != nil {
		return fmt.Errorf("--rest: %w", err)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	size := func(given, short, long int) int {
		switch {
		case given > 0:
			return given
		case c.Short:
			return short
		}
		return long
	}
	engines, err := processes(c.Engine)
	if err != nil {
		return fmt.Errorf("--engine: %w", err)
	}
	o := bench.Options{
		Cluster: c.Cluster, Nodes: c.Nodes, ClusterApps: c.ClusterApps, Pace: c.Pace, Engines: engines, Look: time.Second,
		Modes: c.Modes, Users: size(c.Users, 50_000, 1_000_000), Events: size(c.Events, 150_000, 1_000_000),
		ReadEvents: size(c.ReadEvents, 1_000_000, 10_000_000), ReadRounds: c.ReadRounds, Days: c.Days, Rounds: c.Rounds, Connections: c.Connections, Memory: c.Memory, Dir: c.Dir,
		Apps: size(c.Apps, 2000, 10_000), Seed: c.Seed, Limit: limit, Rest: rest, Program: program, Profile: c.CPUProfile, Command: "quipu " + strings.Join(os.Args[1:], " "),
		Now: time.Now, Out: out, Err: os.Stderr,
	}
	if len(o.Modes) == 0 {
		o.Modes = bench.Modes()
	}
	report, err := bench.Run(ctx, o)
	if report != nil {
		err = errors.Join(err, report.Table(out))
	}
	if err != nil || c.Markdown == "" {
		return err
	}
	f, err := os.Create(c.Markdown)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return errors.Join(report.Markdown(f), f.Close())
}

// processes reads process ids by name.
func processes(lists map[string]string) (map[string][]int, error) {
	out := map[string][]int{}
	for name, list := range lists {
		for text := range strings.SplitSeq(list, ",") {
			pid, err := strconv.Atoi(text)
			if err != nil || pid < 1 {
				return nil, fmt.Errorf("%s: %q is not a process id", name, text)
			}
			out[name] = append(out[name], pid)
		}
	}
	return out, nil
}

type benchNoopCommand struct{}

// Run serves until the process is asked to stop.
func (benchNoopCommand) Run(ctx context.Context, out io.Writer) error {
	return bench.ServeNoop(ctx, out)
}

// profiled runs do and, unless path is "", writes a CPU profile of it.
func profiled(path string, do func() error) error {
	if path == "" {
		return do()
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = do()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}
