package concurrentusers

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"
	"unique"

	"quipu/internal/model"
	"quipu/internal/store/profile"
)

const (
	// most is how many users of all apps are looked at one by one; those of an app that does not fit are counted alone.
	most = 500_000
	// pace is how long what was found of an app stands for those who read it.
	pace = time.Second
)

// sessions is what is read of profiles.
type sessions interface {
	EachOnline(ctx context.Context, app model.AppID, since int64, fn func(profile.OpenSession) error) error
	Get(ctx context.Context, app model.AppID, id model.ProfileID) (*model.Profile, error)
}

// count is how many users are online, and how many of these are in their first session.
type count struct {
	Online int64 `json:"o"`
	New    int64 `json:"n"`
}

// person is what is known of a user who is online, since a sign of life.
type person struct {
	uid                       uint32
	seen                      int64
	isNew                     bool
	country, platform, source unique.Handle[string]
	device                    device
}

// device is a digest of a device id. Two ids have the same with a chance that is no chance.
type device [16]byte

// crowd are the users of an app who are online.
type crowd struct {
	at     time.Time // when they were looked at
	people []person  // by uid
	count  count
	// whole is false when users were only counted.
	whole bool
}

// crowds knows who is online, app by app. Profiles are read again when there was a sign of life, so each costs about one read a minute.
type crowds struct {
	source sessions

	mu    sync.Mutex // held while one app is looked at
	apps  map[model.AppID]*crowd
	known int // users in all apps
}

func newCrowds(source sessions) *crowds {
	return &crowds{source: source, apps: map[model.AppID]*crowd{}}
}

// look brings an app up to date with its open sessions. Callers hold mu.
func (c *crowds) look(ctx context.Context, app model.AppID, open []profile.OpenSession, at time.Time) (*crowd, error) {
	before := c.apps[app]
	if before == nil {
		before = &crowd{}
	}
	next := &crowd{at: at, count: count{Online: int64(len(open))}}
	if c.known-len(before.people)+len(open) <= most {
		slices.SortFunc(open, func(a, b profile.OpenSession) int { return cmp.Compare(a.UID, b.UID) })
		next.whole, next.people = true, make([]person, 0, len(open)) // most apps have few
		for _, o := range open {
			p, ok := before.person(o.UID)
			if !ok || p.seen != o.Seen {
				stored, err := c.source.Get(ctx, app, o.ID)
				if errors.Is(err, profile.ErrNotFound) {
					continue // merged or deleted since
				}
				if err != nil {
					return nil, err
				}
				p = personOf(o.UID, stored, o.Seen)
			}
			next.people = append(next.people, p)
			if p.isNew {
				next.count.New++
			}
		}
		next.count.Online = int64(len(next.people))
	}
	c.known += len(next.people) - len(before.people)
	if next.count.Online == 0 {
		delete(c.apps, app)
	} else {
		c.apps[app] = next
	}
	return next, nil
}

// person returns what is known of a user.
func (w *crowd) person(uid uint32) (person, bool) {
	i, ok := slices.BinarySearchFunc(w.people, uid, func(p person, uid uint32) int { return cmp.Compare(p.uid, uid) })
	if !ok {
		return person{}, false
	}
	return w.people[i], true
}

func personOf(uid uint32, p *model.Profile, seen int64) person {
	text := func(d model.Dim) unique.Handle[string] { return unique.Make(p.Dims[d]) }
	digest := sha256.Sum256([]byte(p.DID))
	return person{uid: uid, seen: seen, isNew: p.Sessions <= 1, country: text(model.Country), platform: text(model.OS), source: text(model.Source), device: device(digest[:])}
}

// now returns who is online in an app, at most pace ago.
func (c *crowds) now(ctx context.Context, app model.AppID, at time.Time, window time.Duration) (*crowd, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.apps[app]; known != nil && at.Sub(known.at) < pace && at.Sub(known.at) >= 0 {
		return known, nil
	}
	var open []profile.OpenSession
	err := c.source.EachOnline(ctx, app, at.Add(-window).UnixMilli(), func(o profile.OpenSession) error {
		open = append(open, o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.look(ctx, app, open, at)
}

// all looks at all apps and returns how many users of each are online, and 0 for those that had users before.
func (c *crowds) all(ctx context.Context, at time.Time, window time.Duration) (map[model.AppID]count, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[model.AppID]count{}
	for app := range c.apps {
		out[app] = count{}
	}
	var (
		app  model.AppID
		open []profile.OpenSession
	)
	end := func() error {
		if len(open) == 0 {
			return nil
		}
		found, err := c.look(ctx, app, open, at)
		if err == nil {
			out[app] = found.count
		}
		open = open[:0]
		return err
	}
	err := c.source.EachOnline(ctx, model.AppID{}, at.Add(-window).UnixMilli(), func(o profile.OpenSession) error {
		if o.App != app {
			if err := end(); err != nil {
				return err
			}
			app = o.App
		}
		open = append(open, o)
		return nil
	})
	if err == nil {
		err = end()
	}
	if err != nil {
		return nil, err
	}
	for app, n := range out {
		if known := c.apps[app]; n == (count{}) && known != nil {
			c.known -= len(known.people)
			delete(c.apps, app)
		}
	}
	return out, nil
}

// parts are users by value, by the wire's names: country, platform and source.
type parts struct {
	Country  map[string]int64 `json:"cc"`
	Platform map[string]int64 `json:"lv"`
	Source   map[string]int64 `json:"src"`
}

// parts counts users by value; newOnly those in their first session. Users without a value are left out.
func (w *crowd) parts(newOnly bool) parts {
	out := parts{map[string]int64{}, map[string]int64{}, map[string]int64{}}
	for _, p := range w.people {
		if newOnly && !p.isNew {
			continue
		}
		add(out.Country, p.country)
		add(out.Platform, p.platform)
		add(out.Source, p.source)
	}
	return out
}

func add(counts map[string]int64, value unique.Handle[string]) {
	if text := value.Value(); text != "" {
		counts[text]++
	}
}
