package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"quipu/internal/attack"
)

// TestAttack runs the short form of every scenario against the command as users have it: the race
// detector takes several times as much memory and does not give it back, so that no cap means
// anything with it. A quarter above the cap is for machines that run other tests beside this one,
// where the collector comes late.
func TestAttack(t *testing.T) {
	program := filepath.Join(t.TempDir(), "quipu")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build the command: %v\n%s", err, out)
	}
	_, err := attack.Run(t.Context(), attack.Options{
		Program: program, Dir: t.TempDir(), Memory: "512MiB", Most: 640 << 20, Short: true,
		Out: t.Output(), Err: t.Output(), Now: time.Now,
	})
	if err != nil {
		t.Errorf("%v (quipu attack --short)", err)
	}
}
