package systemutility

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/mem"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
)

// machine reads what the system reports of itself.
type machine struct {
	dir  string
	docs docs.DB
	data kernel.Data
	// process returns what the server takes of the memory.
	process func() kernel.Memory
}

// detail is one part: a processor, a disk, a store.
type detail struct {
	ID    string  `json:"id"`
	Usage float64 `json:"usage"` // percent
	Total float64 `json:"total"`
	Used  float64 `json:"used"`
	Free  float64 `json:"free"`
	Units string  `json:"units"` // of Total, Used and Free
}

// part is what is known of memory, processors, disks or stores.
type part struct {
	Overall struct {
		Usage float64 `json:"usage"` // percent
	} `json:"overall"`
	Details []detail `json:"details"`
}

func partOf(usage float64, details ...detail) part {
	p := part{Details: details}
	p.Overall.Usage = usage
	return p
}

// bytesOf makes a detail of sizes in bytes.
func bytesOf(id string, used, total uint64) detail {
	used = min(used, total)
	return detail{ID: id, Usage: percent(used, total), Total: float64(total), Used: float64(used), Free: float64(total - used), Units: "bytes"}
}

func percent(used, total uint64) float64 {
	if total == 0 {
		return 0
	}
	return 100 * float64(used) / float64(total)
}

// answer makes an endpoint of a reading.
func answer[T any](read func(context.Context) (T, error)) func(context.Context, api.Caller, api.None) (api.Result, error) {
	return func(ctx context.Context, _ api.Caller, _ api.None) (api.Result, error) {
		v, err := read(ctx)
		return api.Result{Result: v}, err
	}
}

func (m *machine) memory(ctx context.Context) (part, error) {
	v, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return part{}, fmt.Errorf("read memory: %w", err)
	}
	all := bytesOf("memory", v.Total-min(v.Available, v.Total), v.Total)
	details := []detail{all}
	if swap, err := mem.SwapMemoryWithContext(ctx); err == nil && swap.Total > 0 { // not every system tells
		details = append(details, bytesOf("swap", swap.Used, swap.Total))
	}
	return partOf(all.Usage, details...), nil
}

// cpu tells how busy processors were since it was last asked.
func (m *machine) cpu(ctx context.Context) (part, error) {
	each, err := cpu.PercentWithContext(ctx, 0, true)
	if err != nil {
		return part{}, fmt.Errorf("read processors: %w", err)
	}
	var sum float64
	details := make([]detail, 0, len(each))
	for i, p := range each {
		p = max(0, min(p, 100))
		sum += p
		details = append(details, detail{ID: "cpu" + strconv.Itoa(i), Usage: p, Total: 100, Used: p, Free: 100 - p, Units: "percent"})
	}
	return partOf(sum/float64(max(1, len(details))), details...), nil
}

// disks reports the disk that holds the data first, then of the others.
func (m *machine) disks(ctx context.Context) (part, error) {
	own, err := disk.UsageWithContext(ctx, m.dir)
	if err != nil {
		return part{}, fmt.Errorf("read disk of the data folder: %w", err)
	}
	data := bytesOf("data", own.Used, own.Used+own.Free)
	details := []detail{data}
	partitions, err := disk.PartitionsWithContext(ctx, false)
	if err != nil {
		return partOf(data.Usage, details...), nil //nolint:nilerr // not every system lists them; ours is known
	}
	for _, p := range partitions {
		if u, err := disk.UsageWithContext(ctx, p.Mountpoint); err == nil && u.Total > 0 {
			details = append(details, bytesOf(p.Mountpoint, u.Used, u.Used+u.Free))
		}
	}
	return partOf(data.Usage, details...), nil
}

// database tells what the stores take of the disk that they could have.
func (m *machine) database(ctx context.Context) (part, error) {
	own, err := disk.UsageWithContext(ctx, m.dir)
	if err != nil {
		return part{}, fmt.Errorf("read disk of the data folder: %w", err)
	}
	sizes := map[string]uint64{}
	var sum uint64
	for id, pattern := range map[string]string{"documents": "docs.sqlite*", "events": "events.duckdb*", "state": "state", "files": "files"} {
		paths, err := filepath.Glob(filepath.Join(m.dir, pattern))
		if err != nil {
			return part{}, err
		}
		for _, path := range paths {
			n, err := size(path)
			if err != nil {
				return part{}, err
			}
			sizes[id] += n
			sum += n
		}
	}
	room := sum + own.Free
	var details []detail
	for _, id := range []string{"documents", "events", "state", "files"} {
		details = append(details, bytesOf(id, sizes[id], room))
	}
	return partOf(percent(sum, room), details...), nil
}

// size adds up the files of a folder, or is that of a file. Files that go meanwhile count nothing.
func size(path string) (uint64, error) {
	var sum uint64
	err := filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			sum += uint64(max(0, info.Size()))
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", filepath.Base(path), err)
	}
	return sum, nil
}

// everything is the answer of overall, and what health is checked on.
type everything struct {
	ID       string `json:"id"`
	Platform string `json:"platform"`
	CPU      part   `json:"cpu"`
	Memory   part   `json:"memory"`
	Disks    part   `json:"disks"`
	Database part   `json:"database"`
}

func (m *machine) overall(ctx context.Context) (everything, error) {
	out := everything{Platform: runtime.GOOS}
	var err error
	if out.ID, err = os.Hostname(); err != nil {
		return out, fmt.Errorf("read host name: %w", err)
	}
	for _, read := range []struct {
		dst *part
		fn  func(context.Context) (part, error)
	}{{&out.CPU, m.cpu}, {&out.Memory, m.memory}, {&out.Disks, m.disks}, {&out.Database, m.database}} {
		if *read.dst, err = read.fn(ctx); err != nil {
			return out, err
		}
	}
	return out, nil
}

// lookup finds a path such as "cpu.overall.usage".
func (e everything) Lookup(path string) (any, bool) {
	values := map[string]any{"id": e.ID, "platform": e.Platform}
	for name, p := range map[string]part{"cpu": e.CPU, "memory": e.Memory, "disks": e.Disks, "database": e.Database} {
		values[name+".overall.usage"] = p.Overall.Usage
		for _, d := range p.Details {
			values[name+"."+d.ID+".usage"], values[name+"."+d.ID+".free"] = d.Usage, d.Free
			values[name+"."+d.ID+".used"], values[name+"."+d.ID+".total"] = d.Used, d.Total
		}
	}
	v, ok := values[path]
	return v, ok
}

type healthReq struct {
	Test params.Value `param:"test"`
}

// healthcheck answers true when all conditions hold, else false with the status 500, which
// watchers look for. Without conditions it answers whether the server accepts data.
func (m *machine) healthcheck(ctx context.Context, _ api.Caller, r healthReq) (api.Result, error) {
	test, err := filter.Parse(r.Test.Raw())
	if err != nil {
		return api.Result{}, fault.Wrap(err, fault.Invalid, "system.bad_test", "Invalid parameter: test")
	}
	if test.IsZero() {
		if p, err := m.data.Progress(ctx); err != nil || len(p.Refuses) > 0 {
			return unwell()
		}
		return api.Result{Result: true}, nil
	}
	all, err := m.overall(ctx)
	if err != nil {
		return api.Result{}, err
	}
	if !test.Match(all) {
		return unwell()
	}
	return api.Result{Result: true}, nil
}

func unwell() (api.Result, error) {
	return api.Result{}, &api.StatusError{
		Status: http.StatusInternalServerError, Result: false, Err: fault.New(fault.Unavailable, "system.unhealthy", "The conditions are not met"),
	}
}

// ping is a collection that is always empty; reading it shows that the document store answers.
type ping struct{}

// Key returns nothing: no ping is ever stored.
func (ping) Key() string { return "" }

// Validate accepts.
func (ping) Validate() error { return nil }

// check reads from the stores.
func (m *machine) check(ctx context.Context, _ api.Caller, _ api.None) (api.Result, error) {
	_, err := docs.Spec[ping]{Name: "systemutility.ping", Version: 1}.Global(m.docs).Count(ctx, docs.Query{})
	if err == nil {
		if _, err = m.data.Profiles.ByUID(ctx, model.AppID{}, 1); errors.Is(err, profile.ErrNotFound) {
			err = nil
		}
	}
	if err != nil {
		return api.Result{}, &api.StatusError{
			Status: http.StatusInternalServerError, Result: false, Err: fault.Wrap(err, fault.Unavailable, "system.db_error", "A store does not respond"),
		}
	}
	return api.Result{Result: true}, nil
}
