package symbolication

import (
	"container/list"
	"os"
	"strings"
	"sync"

	"quipu/internal/symbols/native"
	"quipu/internal/symbols/proguard"
	"quipu/internal/symbols/sourcemap"
)

// maxOpened is about how much memory opened symbol files of all apps take together, in bytes. One file may take more while it is used.
const maxOpened = 64 << 20

// code is the functions of a program or a library, by DWARF or as Breakpad has them.
type code interface {
	native.Source
	ID() string
	Cost() int64
	Close()
}

// names are those that stacks get once functions are known.
type names interface {
	Rewrite(text string) (out string, changed bool)
	Cost() int64
}

// opened is an opened symbol file: one of the four.
type opened struct {
	key     string
	file    *os.File
	js      *sourcemap.Map
	jvm     *proguard.Mapping
	native  []code // one for each architecture
	names   names
	cost    int64
	users   int
	dropped bool // closed when the last user leaves
}

// close closes what was opened; everything was only read.
func (o *opened) close() {
	for _, f := range o.native {
		f.Close()
	}
	_ = o.file.Close()
}

// cache holds opened files, the latest used first. It is safe for concurrent use.
type cache struct {
	most int64

	mu    sync.Mutex
	order list.List // of *opened
	cost  int64
}

// use returns an opened file; done must be called once it is not used any more. Files are not opened at the same time, see service.alone.
func (c *cache) use(key string, open func() (*opened, error)) (o *opened, done func(), err error) {
	if o := c.find(key); o != nil {
		return o, func() { c.leave(o) }, nil
	}
	if o, err = open(); err != nil {
		return nil, nil, err
	}
	o.key, o.users = key, 1
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.PushFront(o)
	c.cost += o.cost
	for e := c.order.Back(); e != nil && c.cost > c.most; {
		before := e.Prev()
		c.remove(e)
		e = before
	}
	return o, func() { c.leave(o) }, nil
}

func (c *cache) find(key string) *opened {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; e = e.Next() {
		if o := held(e); o.key == key {
			c.order.MoveToFront(e)
			o.users++
			return o
		}
	}
	return nil
}

func held(e *list.Element) *opened {
	o, _ := e.Value.(*opened) // the list has nothing else
	return o
}

// remove takes a file out of the list; mu must be held.
func (c *cache) remove(e *list.Element) {
	o := held(e)
	c.order.Remove(e)
	c.cost -= o.cost
	o.dropped = true
	if o.users == 0 {
		o.close()
	}
}

func (c *cache) leave(o *opened) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.users--; o.users == 0 && o.dropped {
		o.close()
	}
}

// drop forgets the files whose keys begin with prefix.
func (c *cache) drop(prefix string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; {
		next := e.Next()
		if strings.HasPrefix(held(e).key, prefix) {
			c.remove(e)
		}
		e = next
	}
}
