package backup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	lockRenewed = 5 * time.Minute // how often the lock of a backup under way is written once more
	lockStale   = 30 * time.Minute
	lockRemoval = 30 * time.Second // how long the removal may take after a backup was cut short
)

// ErrBusy says that another process writes to a repository.
var ErrBusy = errors.New("another backup is being written there")

// holder is a process that writes to a repository.
type holder struct {
	Host    string `json:"host"`
	Boot    string `json:"boot"`  // of the kernel; tells machines of one name apart
	Space   string `json:"space"` // of process ids
	Process int    `json:"process"`
	Began   string `json:"began"` // by the clock of the kernel; tells processes of one id apart
}

func self() holder {
	host, _ := os.Hostname() // "" is as good as another name
	space, _ := os.Readlink("/proc/self/ns/pid")
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return holder{Host: host, Boot: strings.TrimSpace(string(boot)), Space: space, Process: os.Getpid(), Began: began(os.Getpid())}
}

// began is when a process began; "" = it is gone, or the system does not say.
func began(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // the name in front may hold anything
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}

// gone reports whether a holder was a process of this machine that has ended.
func (h holder) gone(me holder) bool {
	return h.Host == me.Host && h.Boot == me.Boot && h.Space == me.Space && h.Space != "" && h.Began != "" && began(h.Process) != h.Began
}

// lock has the repository for the caller alone, until release. It writes a lock first and then looks for others, so that of two at most one
// goes on. held fails when others have removed the lock. Locks of processes that have ended, and those that have not been renewed for long, are removed.
func (r *Repository) lock(ctx context.Context) (held func(context.Context) error, release func() error, err error) {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	name := locksDir + "/" + hex.EncodeToString(id[:]) + ".json"
	me := self()
	if err := r.putJSON(ctx, name, me); err != nil {
		return nil, nil, err
	}
	held = func(ctx context.Context) error {
		if _, err := r.place.get(ctx, name); err != nil {
			return fmt.Errorf("the lock of this backup was lost, for example by a pause of more than %s: %w", lockStale, err)
		}
		return nil
	}
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(lockRenewed)
		defer t.Stop()
		for {
			select {
			case <-stop:
				return
			case <-t.C:
				if held(ctx) == nil { // one that others have removed is not made again
					_ = r.putJSON(ctx, name, me) // the next time will do
				}
			}
		}
	}()
	release = func() error {
		close(stop)
		<-ended
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockRemoval)
		defer cancel()
		if err := r.place.remove(ctx, name); err != nil {
			return fmt.Errorf("remove lock %s: %w", name, err)
		}
		return nil
	}
	if err := r.alone(ctx, name, me); err != nil {
		return nil, nil, errors.Join(err, release())
	}
	return held, release, nil
}

// alone looks for locks of others.
func (r *Repository) alone(ctx context.Context, own string, me holder) error {
	var mine time.Time
	var others []object
	for o, err := range r.place.list(ctx, locksDir) {
		if err != nil {
			return err
		}
		if o.name == own {
			mine = o.modified
		} else {
			others = append(others, o)
		}
	}
	for _, o := range others {
		text, err := r.place.get(ctx, o.name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		var h holder
		_ = json.Unmarshal(text, &h) // what cannot be read is nobody's, and goes when it is old
		if !h.gone(me) && mine.Sub(o.modified) < lockStale {
			return fmt.Errorf("%w: by process %d of %s (%s)", ErrBusy, h.Process, h.Host, o.name)
		}
		if err := r.place.remove(ctx, o.name); err != nil {
			return err
		}
	}
	return nil
}
