package systemutility

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
)

const (
	maxProfile = 10 * time.Minute // of one processor profile
	maxFiles   = 20               // profiles that are kept
)

var (
	errStarted    = fault.New(fault.Invalid, "profiler.started", "Error: Already started")
	errNotStarted = fault.New(fault.Invalid, "profiler.not_started", "Error: Profiler needs to be started")
	errNoFiles    = fault.New(fault.NotFound, "profiler.no_files", "Profiler files couldn't be found")
)

// profiler keeps profiles of the process in a folder. Go has one processor
// profile a process, so two servers in one process cannot take one at the same time.
type profiler struct {
	dir string
	now func() time.Time

	mu    sync.Mutex // guards the rest
	file  *os.File   // of the profile under way; nil = none
	began time.Time
}

func (p *profiler) name(kind string) string {
	return fmt.Sprintf("%s-%s.pprof", kind, p.now().UTC().Format("20060102-150405.000"))
}

// create makes room for a new file and opens it.
func (p *profiler) create(kind string) (*os.File, error) {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of profiles: %w", err)
	}
	names, err := p.names()
	if err != nil {
		return nil, err
	}
	for len(names) >= maxFiles {
		if err := os.Remove(filepath.Join(p.dir, names[0])); err != nil {
			return nil, fmt.Errorf("remove old profile: %w", err)
		}
		names = names[1:]
	}
	return os.Create(filepath.Join(p.dir, p.name(kind)))
}

// names lists the profiles, the oldest first.
func (p *profiler) names() ([]string, error) {
	entries, err := os.ReadDir(p.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list profiles: %w", err)
	}
	times, names := map[string]time.Time{}, []string{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			names, times[e.Name()] = append(names, e.Name()), info.ModTime()
		}
	}
	slices.SortFunc(names, func(a, b string) int { return times[a].Compare(times[b]) })
	return names, nil
}

func (p *profiler) start(_ context.Context, c api.Caller, _ api.None) (api.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != nil {
		return api.Result{}, errStarted
	}
	f, err := p.create("cpu")
	if err != nil {
		return api.Result{}, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return api.Result{}, errors.Join(errStarted, f.Close(), os.Remove(f.Name()))
	}
	p.file, p.began = f, p.now()
	c.Audit("", map[string]any{"running": false}, map[string]any{"running": true}, nil)
	return api.Result{Result: "Starting profiler for all processes"}, nil
}

func (p *profiler) stop(_ context.Context, c api.Caller, _ api.None) (api.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return api.Result{}, errNotStarted
	}
	c.Audit("", map[string]any{"running": true}, map[string]any{"running": false}, nil)
	return api.Result{Result: "Stoping profiler for all processes"}, p.end()
}

// end closes the profile under way.
func (p *profiler) end() error {
	pprof.StopCPUProfile()
	err := p.file.Close()
	p.file = nil
	return err
}

// limit ends a profile that nobody stopped.
func (p *profiler) limit(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil || p.now().Sub(p.began) < maxProfile {
		return nil
	}
	return p.end()
}

func (p *profiler) list(_ context.Context, c api.Caller, _ api.None) (api.Result, error) {
	c.NoAudit()
	names, err := p.names()
	if err == nil && len(names) == 0 {
		err = errNoFiles
	}
	return api.Result{Result: names}, err
}

// download packs all profiles.
func (p *profiler) download(_ context.Context, c api.Caller, _ api.None) (api.File, error) {
	c.NoAudit()
	names, err := p.names()
	if err == nil && len(names) == 0 {
		err = errNoFiles
	}
	if err != nil {
		return api.File{}, err
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	pack := tar.NewWriter(zip)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			return api.File{}, fmt.Errorf("read profile: %w", err)
		}
		if err := pack.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), ModTime: p.now()}); err != nil {
			return api.File{}, fmt.Errorf("pack profile: %w", err)
		}
		if _, err := pack.Write(text); err != nil {
			return api.File{}, fmt.Errorf("pack profile: %w", err)
		}
	}
	if err := errors.Join(pack.Close(), zip.Close()); err != nil {
		return api.File{}, fmt.Errorf("pack profiles: %w", err)
	}
	return api.File{Type: "application/gzip", Name: "profiler.tar.gz", Content: out.Bytes()}, nil
}

// heap takes a profile of the memory, keeps it and sends it.
func (p *profiler) heap(_ context.Context, c api.Caller, _ api.None) (api.File, error) {
	c.NoAudit()  // a look at the process, which changes nothing
	runtime.GC() // the profile describes the last collection
	var out bytes.Buffer
	if err := pprof.WriteHeapProfile(&out); err != nil {
		return api.File{}, fmt.Errorf("take heap profile: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f, err := p.create("heap")
	if err != nil {
		return api.File{}, err
	}
	_, err = f.Write(out.Bytes())
	return api.File{Type: "application/octet-stream", Name: filepath.Base(f.Name()), Content: out.Bytes()}, errors.Join(err, f.Close())
}
