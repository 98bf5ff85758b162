// Package memory keeps the process below its cap, whatever it is asked to do.
//
// Three kinds of allocators share the cap: Go's heap, Pebble's cache and write buffers,
// and DuckDB with its own allocator; code pages of the binary come on top. Split gives the
// engines fixed parts of the cap. What they really take, and what no engine counts, shows
// only in the resident set of the process, so a Governor looks at that a few times a
// second: Go's soft limit is what the others leave. When the resident set comes near the cap
// all the same, heavy reads wait and then large requests of clients, before anything is refused for good.
package memory
