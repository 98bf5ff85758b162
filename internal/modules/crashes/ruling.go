package crashes

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// The kinds of tasks: what rules would change, changing them, and grouping by names of the source that were not known before.
const (
	previewKind = "crashes.preview"
	rulesKind   = "crashes.rules"
	symbolsKind = "crashes.symbols"
)

var (
	errRulesChanged = fault.New(fault.Conflict, "crashes.rules_changed", "The rules were changed in the meantime")
	errUnlike       = fault.New(fault.Invalid, "crashes.unlike", "Only groups of one platform, all fatal or all non-fatal, can be merged")
	errPins         = fault.New(fault.Conflict, "crashes.too_many_pins", "There are too many merged and split groups")
)

// rulesRes are the rules of an app. Version counts changes; 0 = there were none. At is in ms.
type rulesRes struct {
	Rules   grouped `json:"rules"`
	Version int64   `json:"version"`
	At      int64   `json:"at"`
	By      string  `json:"by"`
	Task    string  `json:"task"`   // that applied them; "" = none did
	Pins    int     `json:"pins"`   // signatures that people put somewhere by hand
	Merged  int     `json:"merged"` // groups of several signatures
}

// readRules answers with the rules of an app.
func (s *service) readRules(ctx context.Context, c api.Caller, _ api.None) (rulesRes, error) {
	kept, rules, err := s.rules(ctx, c.App.ID)
	if err != nil {
		return rulesRes{}, err
	}
	out := rulesRes{Rules: *rules, Version: kept.Version, At: kept.At, By: kept.By, Task: kept.Task}
	if out.Pins, err = pinSpec().In(s.docs, c.App.ID).Count(ctx, docs.Query{}); err != nil {
		return out, err
	}
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return out, err
	}
	defer done()
	for _, g := range b.groups {
		if len(g.variants) > 1 {
			out.Merged++
		}
	}
	return out, nil
}

type rulesReq struct {
	Rules params.Value `param:"rules"`
	// Version is that of the rules that were changed.
	Version int64 `param:"version"`
}

// order is what a task about rules does.
type order struct {
	App     model.AppID     `json:"app"`
	Rules   json.RawMessage `json:"rules"`
	Version int64           `json:"version"`
	By      string          `json:"by,omitempty"`
}

// order reads the rules of a request.
func (r rulesReq) order(c api.Caller) (order, *grouped, error) {
	rules, err := readRules(r.Rules.Raw())
	if err != nil {
		return order{}, nil, err
	}
	text, err := json.Marshal(rules)
	return order{App: c.App.ID, Rules: text, Version: r.Version}, rules, err
}

// previewRules answers what groups rules would make, or with a task that finds out.
func (s *service) previewRules(ctx context.Context, c api.Caller, r rulesReq) (any, error) {
	o, _, err := r.order(c)
	if err != nil {
		return nil, err
	}
	out, err := s.tasks.Run(ctx, jobs.Spec{Kind: previewKind, Type: feature, App: c.App.ID, Creator: c.Member.ID, Params: o, ReportName: "Preview of crash rules"}, nil)
	if err != nil {
		return nil, err
	}
	if pending, ok := out.Pending(); ok {
		return pending, nil
	}
	return out.Result.Data, nil
}

func (s *service) runPreview(ctx context.Context, run *jobs.Run) error {
	var o order
	if err := run.Params(&o); err != nil {
		return err
	}
	rules, err := readRules(o.Rules)
	if err != nil {
		return err
	}
	r, err := s.plan(ctx, o.App, &prints{rules: rules, of: map[string]string{}}, run.Progress)
	if err != nil {
		return err
	}
	return run.SetData(r.summary())
}

// taskRes names the task that does what was asked for.
type taskRes struct {
	Task string `json:"task"`
}

// changeRules makes rules those of the app, by a task that regroups what is there.
func (s *service) changeRules(ctx context.Context, c api.Caller, r rulesReq) (taskRes, error) {
	o, rules, err := r.order(c)
	if err != nil {
		return taskRes{}, err
	}
	kept, before, err := s.rules(ctx, c.App.ID)
	if err != nil {
		return taskRes{}, err
	}
	if kept.Version != r.Version {
		return taskRes{}, errRulesChanged
	}
	o.By = c.Member.FullName
	c.Audit("", before, rules, map[string]any{"version": r.Version + 1})
	id, _, err := s.tasks.Submit(ctx, jobs.Spec{Kind: rulesKind, Type: feature, App: c.App.ID, Creator: c.Member.ID, Params: o, ReportName: "Crash rules", Manual: true, Global: true})
	return taskRes{id}, err
}

func (s *service) runRules(ctx context.Context, run *jobs.Run) error {
	var o order
	if err := run.Params(&o); err != nil {
		return err
	}
	rules, err := readRules(o.Rules)
	if err != nil {
		return err
	}
	task := run.Task().ID
	r, err := s.apply(ctx, o.App, rules, func(ctx context.Context) (*string, error) {
		err := s.docs.Tx(ctx, func(tx docs.Handle) error {
			col := ruledSpec().In(tx, o.App)
			kept, err := col.Get(ctx, ruledID)
			switch {
			case docs.IsNotFound(err):
			case err != nil:
				return err
			case kept.Task == task && kept.Version == o.Version+1:
				return nil // the task was started again
			}
			if kept.Version != o.Version {
				return errRulesChanged
			}
			return col.Put(ctx, ruled{ID: ruledID, Rules: o.Rules, Version: o.Version + 1, At: s.now().UnixMilli(), By: o.By, Task: task})
		})
		text := string(o.Rules)
		if rules.plain() {
			text = ""
		}
		return &text, err
	}, run.Progress)
	if err != nil {
		return err
	}
	return run.SetData(r.summary())
}

// symbolsChanged has the groups of an app follow the names of the source, which may be others now.
func (s *service) symbolsChanged(ctx context.Context, ev topic.SymbolsChanged) error {
	known, err := s.books.schema.Subjects(ctx, ev.App, kind)
	if err != nil || len(known) == 0 {
		return err
	}
	_, _, err = s.tasks.Submit(ctx, jobs.Spec{Kind: symbolsKind, Type: feature, App: ev.App, Params: order{App: ev.App}, ReportName: "Crashes by new symbols", Global: true})
	return err
}

func (s *service) runSymbols(ctx context.Context, run *jobs.Run) error {
	var o order
	if err := run.Params(&o); err != nil {
		return err
	}
	r, err := s.applySymbols(ctx, o.App, run.Progress)
	if err != nil {
		return err
	}
	return run.SetData(r.summary())
}

// applySymbols groups by the names of the source as they are known now. Where people change the rules meanwhile, it begins again with theirs.
func (s *service) applySymbols(ctx context.Context, app model.AppID, progress func(done, total int64)) (regrouping, error) {
	for {
		kept, rules, err := s.rules(ctx, app)
		if err != nil {
			return regrouping{}, err
		}
		r, err := s.apply(ctx, app, rules, func(ctx context.Context) (*string, error) {
			now, _, err := s.rules(ctx, app)
			if err == nil && now.Version != kept.Version {
				err = errRulesChanged
			}
			return nil, err
		}, progress)
		if !errors.Is(err, errRulesChanged) {
			return r, err
		}
	}
}

// merge puts the reports of groups into the first one named. Its id, comments and state stay; those of the others come back when they are
// split off again.
func (s *service) merge(ctx context.Context, c api.Caller, a args) (any, error) {
	if len(a.ids) < 2 {
		return nil, bad("Name at least two groups")
	}
	into := a.ids[0]
	return s.byHand(ctx, c, func(b *book) (map[string]string, []pin, error) {
		to := b.groups[into]
		if to == nil {
			return nil, nil, errNoGroup
		}
		moves, pins := map[string]string{}, []pin{}
		for _, id := range a.ids[1:] {
			g := b.groups[id]
			if g == nil {
				return nil, nil, errNoGroup
			}
			if g.os != to.os || g.nonfatal != to.nonfatal {
				return nil, nil, errUnlike
			}
			for _, v := range g.signatures() {
				moves[v] = into
				pins = append(pins, pin{ID: v, To: into})
			}
			for name, group := range b.moved {
				if group == id {
					moves[name] = into
				}
			}
		}
		return moves, pins, nil
	})
}

// split takes signatures out of a group, into one of their own.
func (s *service) split(ctx context.Context, c api.Caller, a args) (any, error) {
	if len(a.ids) != 1 || len(a.variants) == 0 {
		return nil, bad("Name a group and what is split off")
	}
	return s.byHand(ctx, c, func(b *book) (map[string]string, []pin, error) {
		from := b.groups[a.ids[0]]
		if from == nil {
			return nil, nil, errNoGroup
		}
		off := slices.DeleteFunc(slices.Clone(from.signatures()), func(v string) bool { return !slices.Contains(a.variants, v) })
		if len(off) < len(a.variants) || len(off) == len(from.signatures()) {
			return nil, nil, bad("These are not some of the variants of the group")
		}
		moves, pins := map[string]string{}, []pin{}
		if slices.Contains(off, from.id) { // what stays keeps together under the first of it
			rest := slices.DeleteFunc(slices.Clone(from.signatures()), func(v string) bool { return slices.Contains(off, v) })
			for i, v := range rest {
				moves[v] = rest[0]
				p := pin{ID: v, To: rest[0]}
				if i == 0 {
					p.To = ""
				}
				pins = append(pins, p)
			}
			for name, group := range b.moved {
				if group == from.id && b.variants[name] == nil {
					moves[name] = rest[0]
				}
			}
			off = append([]string{from.id}, slices.DeleteFunc(off, func(v string) bool { return v == from.id })...)
		}
		for i, v := range off {
			moves[v] = off[0]
			p := pin{ID: v, To: off[0]}
			if i == 0 {
				p.To = ""
			}
			pins = append(pins, p)
		}
		return moves, pins, nil
	})
}

// byHand keeps what people decided about signatures, and does it.
func (s *service) byHand(ctx context.Context, c api.Caller, decide func(*book) (map[string]string, []pin, error)) (any, error) {
	app := c.App.ID
	release, err := s.regrouping.hold(ctx, app)
	if err != nil {
		return nil, err
	}
	defer release()
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return nil, err
	}
	moves, pins, err := decide(b)
	done()
	if err != nil {
		return nil, err
	}
	err = s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := pinSpec().In(tx, app)
		for _, p := range pins {
			p.By, p.At = c.Member.ID, c.Now.UnixMilli()
			if err := col.Put(ctx, p); err != nil {
				return err
			}
		}
		n, err := col.Count(ctx, docs.Query{})
		if err == nil && n > maxPins {
			err = errPins
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	shown := pins[:min(len(pins), maxAudited)]
	c.Audit("", nil, shown, map[string]any{"crashes": len(pins)})
	return api.Success(), s.move(context.WithoutCancel(ctx), app, nil, moves)
}

type variantsReq struct {
	Group string `param:"group"`
}

// variantRes is a signature of a group. Times are in seconds.
type variantRes struct {
	ID      string `json:"_id"`
	Name    string `json:"name"`
	Reports int64  `json:"reports"`
	Users   int    `json:"users"`
	Start   int64  `json:"startTs"`
	Last    int64  `json:"lastTs"`
	// Pinned says that people put it where it is.
	Pinned bool   `json:"pinned"`
	Error  string `json:"error"`
}

type variantsRes struct {
	Total    int          `json:"total"`
	Variants []variantRes `json:"variants"` // the first 100, most reports first
}

// maxVariants is how many signatures of a group one answer describes.
const maxVariants = 100

// variantsOf answers with the signatures of a group.
func (s *service) variantsOf(ctx context.Context, c api.Caller, r variantsReq) (variantsRes, error) {
	b, done, err := s.books.of(ctx, c.App.ID)
	if err != nil {
		return variantsRes{}, err
	}
	g := b.groups[r.Group]
	if g == nil {
		done()
		return variantsRes{}, errNoGroup
	}
	var list []row
	for _, id := range g.signatures() {
		v := b.variants[id]
		list = append(list, row{
			ID: id, Name: v.name, Reports: v.reports, Users: v.users.len(), Start: seconds(v.start), Last: seconds(v.last), firstReport: v.first,
		})
	}
	done()
	slices.SortStableFunc(list, func(x, y row) int { return int(y.Reports - x.Reports) })
	out := variantsRes{Total: len(list), Variants: []variantRes{}}
	list = list[:min(len(list), maxVariants)]
	if err := s.errorsOf(ctx, c.App.ID, list); err != nil {
		return out, err
	}
	pins, err := s.pins(ctx, c.App.ID)
	if err != nil {
		return out, err
	}
	for _, v := range list {
		_, pinned := pins[v.ID]
		out.Variants = append(out.Variants, variantRes{v.ID, v.Name, v.Reports, v.Users, v.Start, v.Last, pinned, strings.ToValidUTF8(v.Error[:min(len(v.Error), maxShownVariant)], "")})
	}
	return out, nil
}

// maxShownVariant is how much of an error a list of variants shows, in bytes.
const maxShownVariant = 4 << 10
