// Package app is the composition root: it reads the configuration, opens the
// stores, wires the modules and runs the server. It is the only place where
// the clock and the process's environment come in.
package app
