package systemutility

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"

	"quipu/internal/api"
	"quipu/internal/kernel"
)

// How much of the history is kept: an hour by minute and a day by quarter of an
// hour. It is in memory only and starts empty with the server.
const (
	keptMinutes  = 60
	keptQuarters = 96
)

// sample is what the history holds of a step. Usage is in percent and the mean of
// the step; sizes are bytes and, like what waits, the largest of the step.
type sample struct {
	TS       int64   `json:"ts"` // ms, the start of the step
	CPU      float64 `json:"cpu"`
	Memory   float64 `json:"memory"`
	Disk     float64 `json:"disk"`
	Resident int64   `json:"resident"` // what the server takes of the memory
	Waiting  int64   `json:"waiting"`  // records that are not counted yet
}

// ring holds the samples of the newest steps of a width, the oldest first.
type ring struct {
	width time.Duration
	most  int
	steps []sample
	seen  int // samples in the newest step
}

func (r *ring) add(at time.Time, s sample) {
	s.TS = at.Truncate(r.width).UnixMilli()
	last := len(r.steps) - 1
	if last < 0 || r.steps[last].TS < s.TS {
		r.steps, r.seen = append(r.steps, s), 1
		if len(r.steps) > r.most {
			r.steps = slices.Delete(r.steps, 0, len(r.steps)-r.most)
		}
		return
	}
	step := &r.steps[last] // also when the clock was set back
	r.seen++
	mean := func(was, now float64) float64 { return was + (now-was)/float64(r.seen) }
	step.CPU, step.Memory, step.Disk = mean(step.CPU, s.CPU), mean(step.Memory, s.Memory), mean(step.Disk, s.Disk)
	step.Resident, step.Waiting = max(step.Resident, s.Resident), max(step.Waiting, s.Waiting)
}

// history is what the machine and the server took lately.
type history struct {
	machine *machine
	now     func() time.Time

	mu       sync.Mutex
	minutes  ring
	quarters ring
	busy     cpu.TimesStat // when it was last read; the zero value before
}

func newHistory(m *machine, now func() time.Time) *history {
	return &history{machine: m, now: now, minutes: ring{width: time.Minute, most: keptMinutes}, quarters: ring{width: 15 * time.Minute, most: keptQuarters}}
}

// observe adds the present to the history.
func (h *history) observe(ctx context.Context) error {
	memory, err := h.machine.memory(ctx)
	if err != nil {
		return err
	}
	disks, err := h.machine.disks(ctx)
	if err != nil {
		return err
	}
	progress, err := h.machine.data.Progress(ctx)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	load, err := h.load(ctx)
	if err != nil {
		return err
	}
	s := sample{CPU: load, Memory: memory.Overall.Usage, Disk: disks.Overall.Usage, Resident: h.machine.process().Resident, Waiting: progress.Waiting}
	h.minutes.add(h.now(), s)
	h.quarters.add(h.now(), s)
	return nil
}

// load returns how busy the processors were since it was last asked, in percent. The
// readings of /o/system/cpu are those of its own callers.
func (h *history) load(ctx context.Context) (float64, error) {
	all, err := cpu.TimesWithContext(ctx, false)
	if err != nil || len(all) == 0 {
		return 0, fmt.Errorf("read processors: %w", err)
	}
	total := func(t cpu.TimesStat) float64 {
		return t.User + t.System + t.Idle + t.Nice + t.Iowait + t.Irq + t.Softirq + t.Steal
	}
	was := h.busy
	h.busy = all[0]
	spent := total(all[0]) - total(was)
	if spent <= 0 {
		return 0, nil
	}
	idle := all[0].Idle + all[0].Iowait - was.Idle - was.Iowait
	return max(0, min(100, 100*(spent-idle)/spent)), nil
}

// historyRes is the history with the cap that the server keeps.
type historyRes struct {
	Memory   kernel.Memory `json:"memory"`
	Minutes  []sample      `json:"minutes"`
	Quarters []sample      `json:"quarters"`
}

// read answers with the history up to now.
func (h *history) read(ctx context.Context, _ api.Caller, _ api.None) (historyRes, error) {
	if err := h.observe(ctx); err != nil {
		return historyRes{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return historyRes{Memory: h.machine.process(), Minutes: slices.Clone(h.minutes.steps), Quarters: slices.Clone(h.quarters.steps)}, nil
}
