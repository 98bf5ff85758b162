package main

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"quipu/internal/selftest"
)

// TestSelftest runs the short form of every scenario against this binary.
func TestSelftest(t *testing.T) {
	seed := rand.Uint64()
	_, err := selftest.Run(t.Context(), selftest.Options{
		Program: os.Args[0], Env: []string{asQuipu + "=1"}, Dir: t.TempDir(), Short: true, Seed: seed,
		Out: t.Output(), Err: t.Output(), Now: time.Now,
	})
	if err != nil {
		t.Errorf("%v (quipu selftest --short --seed %d)", err, seed)
	}
}
