package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"quipu/internal/ingest/decode"
	"quipu/internal/kernel"
	"quipu/internal/web"
)

// Describe prints what the server consists of: modules, routes with the access they
// need, configuration with its defaults, topics and jobs. The text is the same
// for every run of a build, so it is kept as a golden file.
func Describe(w io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "quipu-describe-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer func() {
		if rerr := os.RemoveAll(dir); err == nil && rerr != nil {
			err = rerr
		}
	}()
	cfg := DefaultConfig()
	cfg.Data, cfg.Log.Level = dir, "error"
	a, err := Open(context.Background(), cfg, Process{})
	if err != nil {
		return err
	}
	text := a.describe()
	if err := a.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// describe renders the description of an open server.
func (a *App) describe() string {
	var b strings.Builder
	section := func(title string) { fmt.Fprintf(&b, "\n## %s\n\n", title) }
	list := a.modules()
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })

	b.WriteString("# Quipu, as `quipu describe` prints it\n")
	section("Modules")
	for _, m := range list {
		fmt.Fprintf(&b, "- %s", m.Name)
		if len(m.Requires) > 0 {
			fmt.Fprintf(&b, ", requires %s", strings.Join(m.Requires, ", "))
		}
		if m.Defaults != nil {
			text, err := json.Marshal(m.Defaults)
			if err != nil { // a Config is a plain struct
				text = []byte(err.Error())
			}
			fmt.Fprintf(&b, ", configuration %s", text)
		}
		b.WriteByte('\n')
	}
	section("Permission keys")
	fmt.Fprintf(&b, "%s\n", strings.Join(kernel.Features(list), " "))
	section("Routes")
	for _, r := range a.routes.All() {
		path := r.Path
		if r.Method != "" {
			path += "?method=" + r.Method
		}
		access := r.Access.Level.String()
		if r.Access.Feature != "" {
			access += " " + strings.Join(append([]string{r.Access.Feature}, r.Access.Or...), "|") + ":" + r.Access.Action.String()
		}
		if src := r.Access.App.String(); src != "" {
			access += ", " + src
		}
		if r.Access.Writes {
			access += ", writes"
		}
		if r.Access.TokensOfApps {
			access += ", tokens of apps"
		}
		if r.List {
			access += ", list"
		}
		fmt.Fprintf(&b, "- %s — %s (%s)", path, access, r.Owner)
		if r.Long {
			b.WriteString(", goes on as a task")
		}
		if r.Raw != "" {
			fmt.Fprintf(&b, ", raw: %s", r.Raw)
		}
		b.WriteByte('\n')
	}
	section("Routes outside the API")
	for _, p := range decode.Paths() {
		fmt.Fprintf(&b, "- %s — app_key (ingest)\n", p)
	}
	b.WriteString("- /api-key — HTTP Basic (auth)\n")
	fmt.Fprintf(&b, "- %s — public (openapi)\n", descriptionPath)
	for _, p := range web.Patterns() {
		fmt.Fprintf(&b, "- %s — page (web)\n", p)
	}
	section("Configuration")
	for _, line := range configLines(DefaultConfig()) {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	section("Topics")
	topics := a.bus.Topics()
	names := make([]string, 0, len(topics))
	for name := range topics {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		sort.Strings(topics[name])
		fmt.Fprintf(&b, "- %s → %s\n", name, strings.Join(topics[name], ", "))
	}
	section("Jobs")
	for _, j := range a.jobs.List() {
		fmt.Fprintf(&b, "- %s, every %s, on %s\n", j.Name, j.Every, j.On)
	}
	return b.String()
}
