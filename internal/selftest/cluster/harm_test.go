package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/selftest/cluster"
)

// TestCommand has a server's command told what to do, and reports what it says when it fails.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "did")
	s := cluster.Command("db", "f() { echo $1 >> "+file+"; }; f")
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "stop\nstart\n" {
		t.Errorf("the command got %q, %v", got, err)
	}
	bad := cluster.Command("db", "f() { echo cannot $1; exit 3; }; f")
	if err := bad.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot stop") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a failing command: %v", err)
	}
}

// TestOptions refuses what it cannot do before anything is made.
func TestOptions(t *testing.T) {
	for want, o := range map[string]cluster.Options{
		"17 nodes, want 2 to 16":          {Nodes: 17},
		"1 nodes, want 2 to 16":           {Nodes: 1},
		"-1 rounds, want 0 to 400":        {Rounds: -1},
		`no such disturbance: "earth"`:    {Faults: []string{"kill", "earth"}},
		`disturbance: "server-postgres"`:  {Faults: []string{"server-postgres"}},
		"500000000 requests, want 1 to 5": {Requests: 500_000_000},
	} {
		o.Dir, o.Out, o.Now = t.TempDir(), t.Output(), time.Now
		if _, err := cluster.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if left, _ := os.ReadDir(o.Dir); len(left) > 0 {
			t.Errorf("%s: a folder is left", want)
		}
	}
}

// TestStartedAgain has a server started again although the run is given up while it is away.
func TestStartedAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	started := false
	err := cluster.Away(ctx, cluster.Options{Out: t.Output(), Now: time.Now}, cluster.Server{
		Name: "db",
		Stop: func(context.Context) error { cancel(); return nil },
		Start: func(ctx context.Context) error {
			started = true
			return ctx.Err()
		},
	})
	if err != nil || !started {
		t.Errorf("started: %v, %v", started, err)
	}
}
