// Package modeltest holds the product to a naive model of itself. Its tests
// send random traffic to a whole server and compare every core read with what
// the model says.
//
// The model knows the wire and docs/reference, and nothing of how the server
// works: it keeps the list of what happened, in the order in which it was
// accepted, and computes every answer from that list. Where the wire leaves
// a choice open the model agrees with docs/reference, and where that is silent
// too, a comment says so.
//
// Flags: -seed=N repeats a run, -long=N makes N rounds with seeds of their own,
// -requests=N makes them longer or shorter.
package modeltest
