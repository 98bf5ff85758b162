package crashes

import (
	"context"
	"fmt"
	"time"

	"quipu/internal/kernel"
	"quipu/internal/model"
)

// maxSymbolicating is how long one answer waits for names and lines of its stacks; the rest is then shown as it was sent.
const maxSymbolicating = 5 * time.Second

// stack is the error of a report with what says which build it came from.
func (r *stored) stack() kernel.CrashStack {
	return kernel.CrashStack{
		Group: r.group, OS: r.os, Version: r.version, Build: r.texts["app_build"], UUID: r.texts["build_uuid"], Text: r.error,
	}
}

// symbolicated returns reports in the form of the wire, in their order. The error of a report with a stack that symbol files know is
// the symbolicated one, beside what was sent.
func (s *service) symbolicated(ctx context.Context, app model.AppID, list []stored) []map[string]any {
	ctx, cancel := context.WithTimeout(ctx, maxSymbolicating)
	defer cancel()
	out := make([]map[string]any, len(list))
	seen := map[kernel.CrashStack]string{} // "" = no symbols
	for i := range list {
		out[i] = list[i].wire()
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
