package breakpad

import (
	"context"
	"sync"
)

// maxKept is about what the records that were read last take in memory, in bytes. One that is larger is not kept.
const maxKept = 24 << 20

// sized is a record that was read.
type sized interface{ cost() int64 }

// kept holds the records that were read last, by where they stand in the file. The zero value is empty. It is safe for concurrent use.
type kept struct {
	mu   sync.Mutex
	list map[int64]sized
	used []int64 // the latest last
	cost int64
}

// find returns a record; nil when it is not held.
func (k *kept) find(at int64) sized {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := k.list[at]
	if out != nil && k.used[len(k.used)-1] != at {
		for i, n := range k.used {
			if n == at {
				k.used = append(append(k.used[:i:i], k.used[i+1:]...), at)
				break
			}
		}
	}
	return out
}

// add holds a record, and forgets those that were not used for the longest time.
func (k *kept) add(at int64, r sized) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.list[at] != nil || r.cost() > maxKept {
		return
	}
	if k.list == nil {
		k.list = map[int64]sized{}
	}
	k.list[at], k.used, k.cost = r, append(k.used, at), k.cost+r.cost()
	for k.cost > maxKept || len(k.used) > maxKeptRecords {
		k.cost -= k.list[k.used[0]].cost()
		delete(k.list, k.used[0])
		k.used = k.used[1:]
	}
}

// maxKeptRecords is how many records are held.
const maxKeptRecords = 2000

// held returns a record as read reads it, once for all addresses that are looked up in it.
func held[T sized](ctx context.Context, f *File, r *record, read func(context.Context, *record) (T, error)) (T, error) {
	if out, ok := f.kept.find(r.at).(T); ok {
		return out, nil
	}
	out, err := read(ctx, r)
	if err == nil {
		f.kept.add(r.at, out)
	}
	return out, err
}
