package app

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/follow"
	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// The roles of a node of a cluster.
const (
	roleIngest = "ingest" // takes what devices send, and answers what they ask
	roleWork   = "work"   // projects a share of the journal, runs jobs and queued tasks
	roleRead   = "read"   // serves the dashboard, reports and the management API
)

func allRoles() []string { return []string{roleIngest, roleWork, roleRead} }

// roleFaults says what is wrong with the roles; "" when nothing is.
func (c *Config) roleFaults() string {
	if len(c.Roles) == 0 {
		return "names no role: one or more of " + strings.Join(allRoles(), ", ")
	}
	for i, role := range c.Roles {
		if !slices.Contains(allRoles(), role) {
			return fmt.Sprintf("%q is none of %s", role, strings.Join(allRoles(), ", "))
		}
		if slices.Contains(c.Roles[:i], role) {
			return fmt.Sprintf("%s is named twice", role)
		}
	}
	if c.Cluster == "" && len(c.Roles) < len(allRoles()) {
		return "only nodes of a cluster have some of the roles; a server without cluster has all"
	}
	return ""
}

// has reports whether the server has a role.
func (a *App) has(role string) bool { return slices.Contains(a.cfg.Roles, role) }

// elsewhere is how soon who asked a node without the role should ask again: another node may get the request.
const elsewhere = 5 * time.Second

// errRole is the fault of what a node does not do.
func errRole(role string) error {
	f := fault.Newf(fault.Unavailable, "cluster.no_role", "This node does not have the role %s", role)
	f.RetryAfter = elsewhere
	return f
}

// gate refuses requests that are for nodes with another role, and all but those of devices once the data of the cluster has left. What asks for the state of the process is answered by every node.
func (a *App) gate(next http.Handler, server *api.Server) http.Handler {
	whole := a.has(roleIngest) && a.has(roleRead)
	if whole && a.cluster == nil {
		return next
	}
	ofDevices := ingests()
	refused := a.ingest.Refusing(elsewhere)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		left := a.left.Load()
		switch path := r.URL.Path; {
		case whole && !left, path == "/livez", path == "/readyz":
			next.ServeHTTP(w, r)
		case ofDevices(path):
			if a.has(roleIngest) {
				next.ServeHTTP(w, r)
			} else {
				refused.ServeHTTP(w, r)
			}
		default:
			role := roleRead
			if server.OfDevices(path) {
				role = roleIngest
			}
			switch {
			case r.Method == http.MethodOptions, a.has(role) && (!left || role == roleIngest):
				next.ServeHTTP(w, r)
			case left && role == roleRead:
				server.Refuse(w, r, errLeft()) //nolint:contextcheck // the request carries its context
			default:
				server.Refuse(w, r, errRole(role)) //nolint:contextcheck // the request carries its context
			}
		}
	})
}

// unready says why a node does not do what its roles ask for, or one of them if that is named; nil while it does.
func (a *App) unready(ctx context.Context, role string) []string {
	if role != "" && !a.has(role) {
		return []string{refusesRole}
	}
	if a.left.Load() && role != roleIngest {
		return append(a.stops(), refusesMoved)
	}
	if role == roleRead || role == "" && !a.has(roleIngest) && !a.has(roleWork) {
		return a.stops()
	}
	if role == roleWork || role == "" && !a.has(roleIngest) {
		reasons := a.stops()
		if _, ok := a.work.Healthy(); !ok {
			reasons = append(reasons, refusesRows)
		}
		return reasons
	}
	return a.refuses(ctx)
}

// parkEvery is how often a node that projects nothing hands over what it counted at its edge.
const parkEvery = 10 * time.Second

// parked are outcomes that a node without work counted.
type parked struct {
	ID     string        `json:"_id"`
	Counts []parkedCount `json:"counts"`
}

type parkedCount struct {
	App    model.AppID    `json:"app"`
	Item   outcome.Item   `json:"item"`
	Reason outcome.Reason `json:"reason"`
	Time   int64          `json:"time"` // see outcome.Key
	Count  int64          `json:"count"`
}

// Key returns the document's id.
func (p parked) Key() string { return p.ID }

// Validate accepts: only nodes write it.
func (parked) Validate() error { return nil }

func parkedSpec() docs.Spec[parked] { return docs.Spec[parked]{Name: "outcomes.parked", Version: 1} }

// maxParked is how many counts one document has.
const maxParked = 1000

// park hands over what was counted at the edge. What cannot be handed over is counted again.
func (a *App) park(ctx context.Context, edge *outcome.Counter) error {
	var list []parkedCount
	for app, counts := range edge.Drain() {
		for k, n := range counts {
			list = append(list, parkedCount{app, k.Item, k.Reason, k.Time, n})
		}
	}
	for part := range slices.Chunk(list, maxParked) {
		if err := parkedSpec().Global(a.docs).Create(ctx, parked{model.NewID().String(), part}); err != nil {
			for _, c := range part {
				edge.Add(c.App, outcome.Key{Item: c.Item, Reason: c.Reason, Time: c.Time}, c.Count)
			}
			return err
		}
	}
	return nil
}

// unpark takes over what nodes without work have counted. all is false when there may be more of it.
func (a *App) unpark(ctx context.Context, edge *outcome.Counter) (all bool, err error) {
	var list []parked
	err = a.docs.Tx(ctx, func(tx docs.Handle) (err error) {
		col := parkedSpec().Global(tx)
		if list, err = col.All(ctx, docs.Query{Limit: maxParked}); err != nil {
			return err
		}
		for _, p := range list {
			if err := col.Delete(ctx, p.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	for _, p := range list {
		for _, c := range p.Counts {
			edge.Add(c.App, outcome.Key{Item: c.Item, Reason: c.Reason, Time: c.Time}, c.Count)
		}
	}
	return len(list) < maxParked, nil
}

// wireRoles has nodes of a cluster hand over to each other what only some of them do.
func (a *App) wireRoles(edge *outcome.Counter) {
	if a.cluster == nil {
		if a.back != nil {
			a.back.unpark = func(ctx context.Context) (bool, error) { return a.unpark(ctx, edge) }
		}
		return
	}
	a.followers.Add(follow.Follower{Name: "tasks", Collections: []string{a.tasks.Collection()}, Refresh: a.tasks.Refresh})
	if a.has(roleWork) {
		a.jobs.For("ingest").Every("outcomes", parkEvery, func(ctx context.Context) error {
			_, err := a.unpark(ctx, edge)
			return err
		})
		return
	}
	a.handOver = func(ctx context.Context) error { return a.park(ctx, edge) }
}

// handsOver hands over what was counted at the edge until ctx is done, and the rest then.
func (a *App) handsOver(ctx context.Context) {
	if a.handOver == nil {
		return
	}
	failing := false
	look := func(ctx context.Context) {
		err := a.handOver(ctx)
		if err != nil && !failing {
			a.log.WarnContext(ctx, "outcomes cannot be handed over, they are kept", "error", err)
		}
		failing = err != nil
	}
	for waited(ctx, parkEvery) == nil {
		look(ctx)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastMove)
	defer cancel()
	look(last)
}
