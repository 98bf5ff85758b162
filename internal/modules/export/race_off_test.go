//go:build !race

package export_test

// What TestMemory measures with, unless set otherwise.
const (
	memoryRows   = 60_000
	memoryBudget = 100 << 20 // bytes above idle
)
