package symbolication

import (
	"context"
	"errors"
	"sync"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/intake"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/files"
)

// Bounds of uploads that are written to disk as they arrive.
const (
	maxSpools = 4       // at a time
	formBytes = 2 << 20 // what a form has beside its files
	step      = 1 << 20 // bytes that are charged at once
)

// errBusy asks the caller to come back.
var errBusy = &fault.Error{
	Kind: fault.Unavailable, Code: "server.busy", Msg: "Too many symbol files are being uploaded, try again later", RetryAfter: intake.ComeBack,
}

// reserved are the bytes that uploads under way take of the quotas of apps. It is safe for concurrent use.
type reserved struct {
	mu     sync.Mutex
	spools int
	bytes  map[model.AppID]int64
}

// begin takes a place among the uploads under way; false when there are too many.
func (r *reserved) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spools >= maxSpools {
		return false
	}
	r.spools++
	return true
}

// end gives back a place and what was reserved with it.
func (r *reserved) end(app model.AppID, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spools--
	if r.bytes[app] -= n; r.bytes[app] <= 0 {
		delete(r.bytes, app)
	}
}

// grow reserves n bytes if no more than most are then reserved for the app.
func (r *reserved) grow(app model.AppID, n, most int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bytes == nil {
		r.bytes = map[model.AppID]int64{}
	}
	if r.bytes[app]+n > most {
		return false
	}
	r.bytes[app] += n
	return true
}

// spool takes the files of an upload that is larger than what is held in memory. Each byte is charged to the quota of the app before it is
// written.
type spool struct {
	s        *service
	app      model.AppID
	free     int64 // bytes of the quota that no symbol takes
	reserved int64
	unused   int64 // of reserved
	list     []*spooled
	closed   bool
}

// spooled is a file of a spool. Its name on disk is its id.
type spooled struct {
	of   *spool
	id   string
	w    *files.Writer
	size int64
	head []byte // the first headBytes
	done bool
}

// toDisk begins an upload of a member, for the app of the address.
func (s *service) toDisk(c api.Caller) (api.Spool, error) {
	return s.begin(c.Request().Context(), c.App)
}

// toDiskByKey begins an upload of a build tool.
func (s *service) toDiskByKey(c api.Caller) (api.Spool, error) {
	app, err := s.appOfKey(c.Request().Context(), c.Params.Text("app_key"))
	if err != nil {
		return nil, err
	}
	return s.begin(c.Request().Context(), app)
}

func (s *service) begin(ctx context.Context, app *model.App) (api.Spool, error) {
	used, err := s.used(ctx, app.ID)
	if err != nil {
		return nil, err
	}
	if used >= s.cfg.MaxAppBytes {
		return nil, errQuota
	}
	if !s.reserved.begin() {
		return nil, errBusy
	}
	s.sweeping.RLock()
	return &spool{s: s, app: app.ID, free: s.cfg.MaxAppBytes - used}, nil
}

// Most implements api.Spool.
func (p *spool) Most() int64 { return p.free + formBytes }

// Create implements params.Spool.
func (p *spool) Create() (params.Spooled, error) {
	if len(p.list) >= p.s.cfg.MaxFiles {
		return nil, errTooMany
	}
	f := &spooled{of: p, id: model.NewID().String()}
	var err error
	if f.w, err = p.s.folder.Create(file(p.app, f.id)); err != nil {
		return nil, err
	}
	p.list = append(p.list, f)
	return f, nil
}

// Write implements params.Spooled.
func (f *spooled) Write(b []byte) (int, error) {
	p, n := f.of, int64(len(b))
	if n > p.unused {
		more := max(step, n)
		if !p.s.reserved.grow(p.app, more, p.free) {
			if more = n; !p.s.reserved.grow(p.app, more, p.free) {
				return 0, errQuota
			}
		}
		p.reserved, p.unused = p.reserved+more, p.unused+more
	}
	p.unused -= n
	f.size += n
	f.head = append(f.head, b[:min(len(b), headBytes-len(f.head))]...)
	return f.w.Write(b)
}

// commit makes the file one of the folder.
func (f *spooled) commit(ctx context.Context) error {
	f.done = true
	return f.w.Commit(ctx)
}

// Close implements api.Spool.
func (p *spool) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	var errs []error
	for _, f := range p.list {
		if !f.done {
			errs = append(errs, f.w.Abort())
		}
	}
	p.s.reserved.end(p.app, p.reserved)
	p.s.sweeping.RUnlock()
	return errors.Join(errs...)
}
