package query

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/events/plan"
)

// Definitions knows what defined events stand for. The module that keeps them provides the answer while the server is wired; every
// reader of rows asks. The zero value knows none. It is safe for concurrent use once it is wired.
type Definitions struct {
	of func(ctx context.Context, app model.AppID, key string) ([]FunnelEvent, error)

	mu      sync.Mutex
	all     uint64 // changes to those of any app
	changes map[model.AppID]uint64
}

// Provide sets what returns the events that a key stands for; none when it is that of no defined event. A second provider is a
// bug and panics.
func (d *Definitions) Provide(of func(ctx context.Context, app model.AppID, key string) ([]FunnelEvent, error)) {
	if d.of != nil {
		panic("query: defined events are provided twice")
	}
	d.of = of
}

// Of returns the events that a key stands for; none when it is that of no defined event.
func (d *Definitions) Of(ctx context.Context, app model.AppID, key string) ([]FunnelEvent, error) {
	if d == nil || d.of == nil || !strings.HasPrefix(key, model.DefinedPrefix) {
		return nil, nil
	}
	return d.of(ctx, app, key)
}

// Keys returns keys with those of the schema that defined events stand for in place of theirs, each once.
func (d *Definitions) Keys(ctx context.Context, app model.AppID, keys []string) ([]string, error) {
	var out []string
	add := func(key string) {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	for _, key := range keys {
		of, err := d.Of(ctx, app, key)
		if err != nil {
			return nil, err
		}
		for _, e := range of {
			add(e.Key)
		}
		if len(of) == 0 {
			add(key)
		}
	}
	return out, nil
}

// Changed says that the definitions of an app are others from now on. It is called once a change is readable.
func (d *Definitions) Changed(app model.AppID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.changes == nil {
		d.changes = map[model.AppID]uint64{}
	}
	d.changes[app]++
}

// AllChanged says that the definitions of any app may be others from now on.
func (d *Definitions) AllChanged() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all++
}

// Generation counts the changes to an app's definitions since the server began: an answer that names a defined event and was
// computed after a generation was read holds while that generation does.
func (d *Definitions) Generation(app model.AppID) uint64 {
	if d == nil {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changes[app] + d.all
}

// errDefined is the fault of a read of counted figures that names a defined event.
var errDefined = fault.New(fault.Invalid, "figures.defined_event", "Defined events are read from rows: use method=segmentation for their figures")

// errKeys is the fault of a read of one event's figures that names several.
var errKeys = fault.New(fault.Invalid, "figures.several_events", "Expected one event, not a list: query each, or use method=segmentation for all of them together")

// Counted refuses what would answer zeros where figures are counted by the events as they were sent: the key of a defined event, whether or not
// there is one, and a JSON list of keys. Faults: figures.defined_event, figures.several_events (Invalid).
func Counted(key string) error {
	var list []string
	if strings.HasPrefix(key, "[") && json.Unmarshal([]byte(key), &list) == nil {
		return errKeys
	}
	if strings.HasPrefix(key, model.DefinedPrefix) {
		return errDefined
	}
	return nil
}

// Defining returns a reader of the same rows that knows defined events.
func (t *Tables) Defining(d *Definitions) *Tables {
	out := *t
	out.defined = d
	return &out
}

// defined are the events that a defined event stands for.
type defined struct {
	of   []FunnelEvent
	bind binder
}

// condition is that a row is of one of the events.
func (d *defined) condition() plan.Expr {
	list := make([]plan.Expr, len(d.of))
	for i, e := range d.of {
		list[i] = e.condition(d.bind)
	}
	return plan.Any(list...)
}

// definition returns what a key stands for; nil when it is that of no defined event.
func (t *Tables) definition(ctx context.Context, app model.AppID, key string) (*defined, error) {
	of, err := t.defined.Of(ctx, app, key)
	if err != nil || len(of) == 0 {
		return nil, err
	}
	return &defined{of: of, bind: t.bindDefined(app)}, nil
}

// bindDefined is bindTrend that also knows what a user is broken down by, as "cc", by its own name: filters of defined events mean the same
// wherever they are used.
func (t *Tables) bindDefined(app model.AppID) binder {
	bind := t.bindTrend(app)
	return func(path string) (plan.Typed, bool) {
		if _, ok := model.DimensionByKey(path); ok {
			path = "up." + path
		}
		return bind(path)
	}
}

// selection is the condition that a row is of one of some events, and what such rows count by: nil = all count.
func (t *Tables) selection(ctx context.Context, app model.AppID, keys []string) (of, visit plan.Expr, err error) {
	list := make([]plan.Expr, len(keys))
	views, others := false, false
	for i, key := range keys {
		d, err := t.definition(ctx, app, key)
		if err != nil {
			return nil, nil, err
		}
		if d == nil {
			list[i] = rowsOf(key)
			views, others = views || key == viewKey && len(keys) == 1, others || key != viewKey
			continue
		}
		list[i] = d.condition()
		for _, e := range d.of {
			views, others = views || e.Key == viewKey, others || e.Key != viewKey
		}
	}
	if views { // rows that only tell how long a view was seen are no visits
		visit = visits(t.segmentOfKey(app, viewKey, "visit"))
		if others {
			visit = plan.Any(plan.Do(plan.Ne, plan.Ev("e"), plan.Is(viewKey)), visit)
		}
	}
	return plan.Any(list...), visit, nil
}

// resolved is a query whose defined events are known.
func (t *Tables) resolved(ctx context.Context, app model.AppID, q *FunnelQuery) (*FunnelQuery, error) {
	out := *q
	out.Steps = slices.Clone(q.Steps)
	var err error
	for i, step := range q.Steps {
		if out.Steps[i], err = t.resolvedEvents(ctx, app, step); err != nil {
			return nil, err
		}
	}
	out.Exclusions, err = t.resolvedEvents(ctx, app, q.Exclusions)
	return &out, err
}

func (t *Tables) resolvedEvents(ctx context.Context, app model.AppID, list []FunnelEvent) ([]FunnelEvent, error) {
	out := slices.Clone(list)
	for i := range out {
		var err error
		if out[i].defined, err = t.definition(ctx, app, out[i].Key); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// plain are the events that an event stands for: itself, if it is no defined one.
func (e FunnelEvent) plain() []FunnelEvent {
	if e.defined != nil {
		return e.defined.of
	}
	return []FunnelEvent{e}
}
