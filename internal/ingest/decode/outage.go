package decode

import "sync/atomic"

// outage has a time at which writes fail logged once when it begins and once when it ends. Writes run side by side, and one that
// started before a change may return long after it: it neither begins nor ends anything. The zero value is no outage.
type outage struct {
	changes atomic.Uint64 // beginnings and ends so far: odd during an outage
}

// now returns what a write that starts now hands to begin or end.
func (o *outage) now() uint64 { return o.changes.Load() }

// begin notes that a write failed, and reports whether an outage begins with it.
func (o *outage) begin(began uint64) bool {
	return began%2 == 0 && o.changes.CompareAndSwap(began, began+1)
}

// end notes that a write succeeded, and reports whether an outage ends with it.
func (o *outage) end(began uint64) bool {
	return began%2 == 1 && o.changes.CompareAndSwap(began, began+1)
}
