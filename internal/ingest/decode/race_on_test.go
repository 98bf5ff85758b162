//go:build race

package decode_test

// raced says that the race detector is at work, with which growing a slice takes a copy more.
const raced = true
