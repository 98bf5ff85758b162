package logfile_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/internal/logfile"
)

func tail(t *testing.T, s *logfile.Set, name string, n int64) string {
	t.Helper()
	text, err := s.Tail(name, n)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	s := logfile.New("api", "dashboard")
	log := slog.New(s.Handler("api"))
	log.Warn("early")
	if got := tail(t, s, "api", 0); !strings.Contains(got, "early") {
		t.Errorf("before it is open: %q", got)
	}
	if err := s.Open(dir); err != nil {
		t.Fatal(err)
	}
	log.Info("not an error")
	log.Error("later", "k", "v")
	got := tail(t, s, "api", 0)
	if lines := strings.Split(strings.TrimSpace(got), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "early") || !strings.HasSuffix(lines[1], "level=ERROR msg=later k=v") {
		t.Errorf("log %q, want the early line and the later one", got)
	}
	if got := tail(t, s, "dashboard", 0); got != "" {
		t.Errorf("the other log holds %q", got)
	}
	if cut := tail(t, s, "api", int64(len(got))-3); !strings.HasPrefix(cut, "time=") || !strings.Contains(cut, "later") || strings.Contains(cut, "early") {
		t.Errorf("tail %q, want the last line alone", cut)
	}
	if cut := tail(t, s, "api", 5); len(cut) != 5 {
		t.Errorf("tail of 5 bytes: %q", cut)
	}
	if err := s.Clear("api"); err != nil {
		t.Fatal(err)
	}
	if got := tail(t, s, "api", 0); got != "" {
		t.Errorf("after clearing: %q", got)
	}
}

// TestBounded writes more than a log keeps: the oldest goes, the newest stays, in order.
func TestBounded(t *testing.T) {
	dir := t.TempDir()
	s := logfile.New("api")
	if err := s.Open(dir); err != nil {
		t.Fatal(err)
	}
	log := slog.New(s.Handler("api"))
	long := strings.Repeat("x", 100_000)
	const entries = 130
	for i := range entries {
		log.Error("entry", "n", i, "x", long)
	}
	var size int64
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 8<<20 || len(files) != 2 {
		t.Errorf("%d files of %d bytes, want 2 of 8 MiB at most", len(files), size)
	}
	lines := strings.Split(strings.TrimSpace(tail(t, s, "api", 0)), "\n")
	for i, line := range lines {
		if want := fmt.Sprintf(" n=%d x=", entries-len(lines)+i); !strings.Contains(line, want) {
			t.Fatalf("line %d is %.60s, want%s", i, line, want)
		}
	}
	if len(lines) < 41 {
		t.Errorf("%d lines are left, want more than one file of them", len(lines))
	}
}
