//go:build race

package export_test

// The race detector keeps several bytes for every byte, and is slow.
const (
	memoryRows   = 10_000
	memoryBudget = 500 << 20 // bytes above idle
)
