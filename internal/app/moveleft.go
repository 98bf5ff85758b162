package app

import (
	"context"
	"time"

	"quipu/internal/fault"
)

// leftEvery is how often a node looks whether the data of its cluster has left.
const leftEvery = time.Second

// errLeft is the fault of what a node does no longer do when the data of its cluster has left.
func errLeft() error {
	return fault.New(fault.Unavailable, "cluster.moved", "The data of this cluster has moved to another server")
}

// leaves looks until ctx is done whether the data of the cluster has left for a folder, which is for good, and calls then: the node goes on to accept what devices send into the journal, from which the
// folder's server takes it, answers what they ask, and does nothing else.
func (a *App) leaves(ctx context.Context, then func()) {
	if a.cluster == nil {
		return
	}
	failing := false
	for waited(ctx, leftEvery) == nil {
		m, err := readMovedIn(ctx, a.cluster.db)
		if err != nil && ctx.Err() == nil && !failing {
			a.log.ErrorContext(ctx, "the state does not tell whether the data has moved", "error", err)
		}
		failing = err != nil
		if err == nil && m.Left != "" {
			a.left.Store(true)
			a.log.WarnContext(ctx, "the data of this cluster has moved to a data folder: this node only accepts what devices send, until it is stopped", "move", m.Left)
			then()
			return
		}
	}
}
