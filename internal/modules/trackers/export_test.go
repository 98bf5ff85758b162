package trackers

import (
	"context"
	"slices"

	"quipu/internal/kernel"
	"quipu/internal/store/docs"
	"quipu/internal/store/docs/docstest"
)

// Handle is the service of a server of a test.
type Handle struct {
	svc *service
	// Fail, unless nil, is asked ahead of each call to the documents of links: its error is that of the call.
	Fail func(docstest.Op) error
}

// Watched replaces the module by one whose service the handle has.
func (h *Handle) Watched(list []kernel.Module) []kernel.Module {
	i := slices.IndexFunc(list, func(m kernel.Module) bool { return m.Name == "trackers" })
	list[i].Setup = kernel.With(pick, func(s *kernel.Scope, n uses) (err error) {
		n.Docs = &docstest.Faulty{DB: n.Docs, Hook: func(op docstest.Op) error {
			if h.Fail == nil || op.Collection != linkSpec().Name {
				return nil
			}
			return h.Fail(op)
		}}
		h.svc, err = wired(s, n)
		return err
	})
	return list
}

// Sync runs a turn of the job.
func (h *Handle) Sync(ctx context.Context) error { return h.svc.syncDue(ctx) }

// Held counts the documents of apps.
func (h *Handle) Held(ctx context.Context) (int, error) {
	links, err := linkSpec().AcrossApps(h.svc.docs, "test").Count(ctx, docs.Query{})
	if err != nil {
		return 0, err
	}
	sets, err := settingsSpec().AcrossApps(h.svc.docs, "test").Count(ctx, docs.Query{})
	return links + sets, err
}
