package crashes

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/auth"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// maxSymbolicating is how long one answer waits for names and lines of its stacks; the rest is then shown as it was sent.
const maxSymbolicating = 5 * time.Second

// stack is the error of a report with what says which build it came from.
func (r *stored) stack() kernel.CrashStack {
	return kernel.CrashStack{
		Group: r.group, OS: r.os, Version: r.version, Build: r.texts["app_build"], UUID: r.texts["build_uuid"], Text: r.error,
		Program: r.texts["executable_name"], Load: r.memberText("_load_address"), Images: r.memberText(imageMember), Dump: string(r.dump),
	}
}

// memberText returns a member of the report as text: the text that was sent, or the JSON; "" for none.
func (r *stored) memberText(key string) string {
	for _, m := range r.members {
		if m.key == key {
			return jsonText(m.value)
		}
	}
	return ""
}

// symbolicated returns reports in the form of the wire, in their order. The error of a report with a stack that symbol files know is
// the symbolicated one, beside what was sent. Only members who may read users see whose they are.
func (s *service) symbolicated(ctx context.Context, app model.AppID, list []stored) []map[string]any {
	ctx, cancel := context.WithTimeout(ctx, maxSymbolicating)
	defer cancel()
	out := make([]map[string]any, len(list))
	seen := map[kernel.CrashStack]string{} // "" = no symbols
	asker := auth.Asker(ctx)
	named := asker == nil || auth.MayLookAtPeople(asker, app)
	for i := range list {
		out[i] = list[i].wire()
		if !named {
			delete(out[i], "uid")
		}
		stack := list[i].stack()
		text, known := seen[stack]
		if !known {
			text, _ = s.symbols.Readable(ctx, app, stack)
			seen[stack] = text
		}
		if text != "" {
			showSymbolicated(out[i], text)
		}
	}
	return out
}

// showSymbolicated puts a symbolicated error into a group or a report of the wire.
func showSymbolicated(out map[string]any, text string) {
	out["raw_error"], out["error"], out["symbolicated"] = out["error"], text, true
}

// symbolicateGroup shows the symbolicated error of a group.
func (s *service) symbolicateGroup(ctx context.Context, app model.AppID, id string, out map[string]any) error {
	stack, ok, err := s.firstStack(ctx, app, id)
	if err != nil || !ok {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, maxSymbolicating)
	defer cancel()
	if text, ok := s.symbols.Readable(ctx, app, stack); ok {
		showSymbolicated(out, text)
	}
	return nil
}

// firstStack returns the error of the first report of a group; false when there is no such group.
func (s *service) firstStack(ctx context.Context, app model.AppID, id string) (kernel.CrashStack, bool, error) {
	b, done, err := s.books.of(ctx, app)
	if err != nil {
		return kernel.CrashStack{}, false, err
	}
	g := b.groups[id]
	if g == nil {
		done()
		return kernel.CrashStack{}, false, nil
	}
	first := fmt.Sprintf("%016x%08x", g.first.Offset, g.first.Item)
	done()
	var found *stored
	if err := s.byIDs(ctx, app, []string{first}, func(r *stored) { found = r }); err != nil || found == nil {
		return kernel.CrashStack{Group: id}, err == nil, err
	}
	return found.stack(), true, nil
}

// reportByID returns a report as reads show it; false when there is none with the id.
func (s *service) reportByID(ctx context.Context, app model.AppID, id string) (map[string]any, bool, error) {
	var found []stored
	if err := s.byIDs(ctx, app, []string{id}, func(r *stored) { found = append(found, *r) }); err != nil || len(found) == 0 {
		return nil, false, err
	}
	return s.symbolicated(ctx, app, found)[0], true, nil
}

// maxBuilds is how many builds one answer names.
const maxBuilds = 1000

// buildsSince returns the builds that have reports since a moment, in ms. Reports from before the id of the program was a property of rows
// count to the build without one.
func (s *service) buildsSince(ctx context.Context, app model.AppID, since int64) (out []kernel.CrashBuild, err error) {
	q := &plan.Query{
		App: app, From: plan.Events, Limit: maxBuilds,
		Where: plan.All(plan.Do(plan.Eq, plan.Ev("e"), plan.Is(crashKey)), plan.Do(plan.Ge, plan.Ev("ts"), plan.Is(since))),
		Order: []plan.Order{{By: plan.Agg{Fn: plan.Count}, Desc: true}},
	}
	for _, name := range []string{"os", "app_version", "app_build", "build_uuid"} {
		text := plan.Do(plan.Coalesce, plan.Do(plan.Text, s.tables.Property(app, crashKey, name)), plan.Is(""))
		q.Select = append(q.Select, text)
		q.Order = append(q.Order, plan.Order{By: text})
	}
	q.Select = append(q.Select, plan.Agg{Fn: plan.Count}, plan.Agg{Fn: plan.Max, Of: plan.Ev("ts")})
	err = s.tables.Each(ctx, q, func(r events.Scanner) error {
		var b kernel.CrashBuild
		err := r.Scan(&b.OS, &b.Version, &b.Build, &b.UUID, &b.Reports, &b.Last)
		out = append(out, b)
		return err
	})
	return out, err
}
