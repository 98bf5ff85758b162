//go:build !linux

package memory

// Arrange does nothing here.
func Arrange() {}

// trimC does nothing here.
func trimC() {}
