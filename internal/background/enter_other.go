//go:build !linux

package background

// Enter does nothing: only Linux gives threads of one process priorities of their own.
func Enter() {}
