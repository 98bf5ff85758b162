package main

import (
	"os"
	"testing"
	"time"

	"quipu/internal/attack"
)

// TestAttack runs the short form of every scenario against this binary. Binaries of tests take more
// memory than others, and several times as much with the race detector: under the cap that the
// command uses, memory would be short all the time.
func TestAttack(t *testing.T) {
	_, err := attack.Run(t.Context(), attack.Options{
		Program: os.Args[0], Env: []string{asQuipu + "=1"}, Dir: t.TempDir(), Memory: "2GiB", Most: 4 << 30, Short: true,
		Out: t.Output(), Err: t.Output(), Now: time.Now,
	})
	if err != nil {
		t.Errorf("%v (quipu attack --short)", err)
	}
}
