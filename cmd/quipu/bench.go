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
	ReadRounds  int               `help:"How often each kind of read is sent." placeholder:"N" default:"100"`
	Days        int               `help:"Days that the loaded events cover." default:"60"`
	Apps        int               `help:"Apps that the mode apps makes (default 10000, short 2000)." placeholder:"N"`
	Cluster     string            `help:"For the modes of a cluster: the file that names its servers, on which databases and streams are made for the run and removed." type:"path" placeholder:"FILE"`
	Nodes       int               `help:"For the modes cluster and cluster-reads: how many nodes there are at most; cluster-reads has no more than 2." default:"3"`
	ClusterApps int               `help:"For the mode cluster: how many apps the nodes serve; cluster-reads has one." default:"64"`
	Pace        int               `help:"For the mode cluster: events a second for each worker, where the cost of several is compared with that of one; the machine should have room for more than all of them." placeholder:"N" default:"1500"`
	Engine      map[string]string `help:"Process ids of a cluster's server on this machine; their CPU time is reported (repeatable)." placeholder:"NAME=PID,…" mapsep:"none"`
	Rounds      int               `help:"Rounds, of which the median counts." default:"3"`
	Connections int               `help:"Connections that send single requests." default:"256"`
	Memory      string            `help:"Cap on memory that the server is given." default:"1GiB"`
	Dir         string            `help:"Folder for the data folders, which are removed at the end (default: the system's for temporary files)." type:"path"`
	Seed        uint64            `help:"Seed of the traffic." default:"1"`
	Rest        string            `help:"How long the server rests before its folder is measured." default:"1m"`
	Limit       string            `help:"Longest duration of the run." default:"2h"`
	Markdown    string            `help:"Write the report to a file in Markdown, too." type:"path" placeholder:"FILE"`
	CPUProfile  string            `name:"cpu-profile" hidden:"" type:"path"`
}

// Help explains the figures.
func (*benchCommand) Help() string {
	return `The command starts "quipu serve" as a child process on a fresh folder and sends it generated SDK traffic over loopback; nothing leaves the machine, and it stops by itself.

ingest: single requests to /i on many connections, next to a handler of net/http that only reads the same bodies. A rate counts what was acknowledged AND projected: the clock stops when the backlog is empty.

bulk: the same through /i/bulk, with 200 SDK requests in each.

reads: dashboard reads over 30 days, on a history loaded through /i/bulk, while a few requests a second arrive.

stalls: how long acknowledgements take at a steady, moderate rate while backups are made, and while bulk data makes the stores flush, compact and write checkpoints.

idle: disk, start-up time and memory at rest with that history, once all that was sent has been worked off.

memory: peak memory while clients read dashboards, list, count and export all rows, and events arrive.

queries: questions over event rows (drill, funnels, retention, flows, formulas) over 31 days, one after the other, each in turn with the same question in SQL that was written by hand, on a copy of the server's file: the answers are compared, the server's time is given as a multiple. Then by 24 clients at once while events arrive.

apps: a server with many apps that sent one request each: memory, disk, start, stop, reads over all apps, verification.

cluster: nodes on the servers that --cluster names, in databases, streams or a topic, and a prefix of files that are made for it and removed; nothing of the cluster's own is read or written. The users of the file need the right to make databases, streams or topics. Events of many apps go to a server with its own stores, to one node, to two, and so on. CPU is the processor time of the nodes beyond what they take at rest, from the first request until they rest again, without that of the servers (--engine NAME=PID reports it for those on this machine). A rate is that of the machine where its processors worked nearly all the time. Where each worker gets --pace events a second, which should leave the machine room, the cost of several is compared with that of one, and with that of a server with its own stores at the same rate. One node with the role ingest and one with work,read run behind relays that count their traffic. Bytes an event are what the stores hold at the end. Then nodes are killed, and a request of each app that is sent at that moment is waited for. The log of requests of each app is off, as it is of all that get more than a thousand requests a minute.

cluster-reads: one app gets the events of --read-events, once on up to two nodes of such a cluster, once on a server with its own stores. Questions are asked of both in turn, and the answers compared; then dashboard reads of the cluster while a few requests a second arrive.

Latencies are measured from the moment at which a request should have been sent, at half the rate found before. CPU is the server's processor time.`
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
