//go:build !linux

package app

import "net/netip"

// ownersOf returns root: who owns the other end of a connection is not known here.
func ownersOf(_, _ netip.AddrPort) ([]uint32, error) { return []uint32{0}, nil }
