package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Row is one figure of a report.
type Row struct {
	Mode, Name, Value string
	// Budget is what the figure is held against, "" = nothing.
	Budget string
}

// Report is what a run measured.
type Report struct {
	Command, Commit, Machine string
	At                       time.Time
	// Modes are those that were run.
	Modes []string
	Rows  []Row
}

func (r *Report) add(mode, name, budget, format string, args ...any) {
	r.Rows = append(r.Rows, Row{Mode: mode, Name: name, Budget: budget, Value: fmt.Sprintf(format, args...)})
}

// Table writes the report for people.
func (r *Report) Table(w io.Writer) error {
	fmt.Fprintf(w, "%s\ncommit %s, %s\n%s\n\n", r.Command, r.Commit, r.At.UTC().Format(time.RFC3339), r.Machine)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "mode\tfigure\tvalue\tbudget")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", row.Mode, row.Name, row.Value, row.Budget)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// Markdown writes the report as a page of the reference.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	title, maker, shared := "Benchmarks", "`make bench`", "Load generator, server and the no-op handler share the machine"
	if events := slices.Contains(r.Modes, ClusterMode); events || slices.Contains(r.Modes, ClusterReadsMode) {
		title, shared = "Benchmarks of a cluster", "Load generator, nodes and what of the engines is on this machine share it"
		if !events {
			title = "Benchmarks of reads of a cluster"
		}
		maker = "`quipu bench --cluster FILE --markdown FILE " + strings.Join(r.Modes, " ") + "`"
	}
	b.WriteString("# " + title + "\n\n" + maker + " writes this page; `quipu bench --help` explains every figure.\n\n")
	fmt.Fprintf(&b, "- command: `%s`\n- commit: %s\n- machine: %s\n- measured: %s\n", r.Command, r.Commit, r.Machine, r.At.UTC().Format(time.DateOnly))
	b.WriteString("\n" + shared + ", so rates are read as ratios of the same run.\n\n")
	b.WriteString("| mode | figure | value | budget |\n|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row.Mode, row.Name, row.Value, row.Budget)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// machine describes what the run runs on.
func machine() string {
	model := runtime.GOARCH
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(b), "model name"); ok {
			line, _, _ := strings.Cut(rest, "\n")
			model = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), ":"))
		}
	}
	load := ""
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(b), " ")
		load = ", load average at the start " + load
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s%s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), load)
}

// commit returns what the binary was built from, or, where it does not say,
// what the current folder has checked out.
func commit(ctx context.Context) string {
	rev, dirty := "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				rev = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = " with changes"
			}
		}
	}
	if rev == "" {
		out, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
		if err != nil {
			return "unknown"
		}
		rev = strings.TrimSpace(string(out))
	}
	return rev[:min(12, len(rev))] + dirty
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
