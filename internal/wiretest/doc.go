// Package wiretest holds the whole server to the wire from outside: over HTTP,
// and knowing nothing of how it works.
//
// Its tests walk the routes that the server says it has, with every kind of
// caller; compare the answer of each with a golden file; play the wire's
// examples; and send what no client should.
//
// go test -update rewrites the golden files, docs/reference/describe.md among them.
package wiretest
