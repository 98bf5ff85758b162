package app

import (
	"context"
	"sync"

	"quipu/internal/carry"
	"quipu/internal/follow"
)

// wireFollowers adds the followers of what the server itself holds of documents.
func (a *App) wireFollowers(ctx context.Context) error {
	if c := a.cluster; c != nil {
		a.apps.Seek(a.now)
		post, err := carry.New(ctx, carry.Options{Docs: a.docs, Bus: a.bus, Node: c.keeper.Name(), Nodes: c.db.Living, Log: a.log})
		if err != nil {
			return err
		}
		a.notices.Add(post.Follower())
	}
	a.followers.Add(follow.Follower{Name: "apps", Collections: []string{a.apps.Collection()}, Refresh: a.apps.Refresh})
	a.followers.Add(follow.Follower{Name: "settings", Collections: []string{a.config.Collection()}, Refresh: a.config.Refresh})
	a.followers.Add(follow.Follower{Name: "members", Collections: []string{a.auth.Collection()}, Refresh: a.auth.Refresh})
	return nil
}

// follow brings what other processes write to the document store into the copies in memory, until ctx is done. Settings that a
// change makes due in the journal are appended by the job for it. The store of a cluster notifies of writes; any other is written to by tools alone.
func (a *App) follow(ctx context.Context) {
	var n follow.Notifier
	if a.cluster != nil {
		n, _ = a.docs.(follow.Notifier)
	}
	var running sync.WaitGroup
	if a.cluster != nil { // a subscriber may take a while, which members and settings must not wait for
		running.Go(func() { a.notices.Run(ctx, a.log, n) })
	}
	a.followers.Run(ctx, a.log, n)
	running.Wait()
}
