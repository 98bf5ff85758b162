package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"quipu/internal/attack"
)

// TestAttack runs the short form of every scenario against this binary, or, where that has the race detector, against the command as users have it:
// the detector takes several times as much memory and does not give it back, so that no cap means anything with it. A quarter above the cap is for
// machines that run other tests beside this one, where the collector comes late.
func TestAttack(t *testing.T) {
	program, env := os.Args[0], []string{asQuipu + "=1"}
	if raced() {
		program, env = filepath.Join(t.TempDir(), "quipu"), nil
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", program, ".").CombinedOutput(); err != nil {
			t.Fatalf("build the command: %v\n%s", err, out)
		}
	}
	_, err := attack.Run(t.Context(), attack.Options{
		Program: program, Env: env, Dir: t.TempDir(), Memory: "512MiB", Most: 640 << 20, Short: true,
		Out: t.Output(), Err: t.Output(), Now: time.Now,
	})
	if err != nil {
		t.Errorf("%v (quipu attack --short)", err)
	}
}

// raced reports whether this binary is built with the race detector.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
