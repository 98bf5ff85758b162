package registry

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/model"
)

// ViewKey is the key of the event that reports views. Its segments have their own limit of
// values, since cells are kept for each value of each view.
const ViewKey = "[CLY]_view"

// BeginKey is the key of the event that stands for a begun session. Its segments are the values that
// a session counts under, and have their own limit of values.
const BeginKey = "[CLY]_session_begin"

// maxDomains is how many domains of a view are kept; later ones are not.
const maxDomains = 20

// ViewSegment reports whether views are counted by the values of a segment.
func ViewSegment(name string) bool {
	switch name {
	case "name", "visit", "start", "exit", "bounce", "view", "dur", "_idv", "referrer":
		return false
	}
	switch utm, ok := strings.CutPrefix(name, "utm_"); {
	case !ok:
		return true
	default:
		return !slices.Contains([]string{"source", "medium", "campaign", "term", "content"}, utm)
	}
}

// View is a page, screen or other view of an app.
type View struct {
	// Num is the number of the view in its app, from 1 in order of first appearance. It is
	// not given out again as long as there is anything else of the app.
	Num  uint32
	Name string
	// URL is the path it was last seen under, "" = none. Several views may have the same.
	URL string
	// Domains it was seen on, in order of first appearance.
	Domains []string
}

// viewRecord is a view as it is stored.
type viewRecord struct {
	Name    string   `cbor:"1,keyasint"`
	URL     string   `cbor:"2,keyasint,omitempty"`
	Domains []string `cbor:"3,keyasint,omitempty"`
}

// viewSet holds the views of an app in memory. Views are replaced, never
// changed in place.
type viewSet struct {
	byName map[string]*View
	byNum  map[uint32]*View
	byURL  map[string][]*View
	// dirty views are to be written; nil = to be removed.
	dirty map[uint32]*View
}

func newViewSet() viewSet {
	return viewSet{byName: map[string]*View{}, byNum: map[uint32]*View{}, byURL: map[string][]*View{}, dirty: map[uint32]*View{}}
}

// put adds a view or replaces the one with its number.
func (s *viewSet) put(v *View) {
	s.unlink(s.byNum[v.Num])
	s.byName[v.Name], s.byNum[v.Num] = v, v
	if v.URL != "" {
		s.byURL[v.URL] = append(s.byURL[v.URL], v)
	}
}

// unlink takes a view out of the URLs.
func (s *viewSet) unlink(v *View) {
	if v == nil || v.URL == "" {
		return
	}
	left := slices.DeleteFunc(s.byURL[v.URL], func(o *View) bool { return o.Num == v.Num })
	if len(left) == 0 {
		delete(s.byURL, v.URL)
		return
	}
	s.byURL[v.URL] = left
}

func (s *viewSet) remove(v *View) {
	s.unlink(v)
	delete(s.byName, v.Name)
	delete(s.byNum, v.Num)
	s.dirty[v.Num] = nil
}

// change replaces a view and has it written.
func (s *viewSet) change(v View) {
	s.put(&v)
	s.dirty[v.Num] = &v
}

// SeeView implements Lane.
func (l *lane) SeeView(name, url, domain string) (uint32, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.views.byName[name]
	if v == nil {
		if len(l.views.byName) >= l.limits.Views {
			return 0, false
		}
		l.view++
		v = &View{Num: l.view, Name: strings.Clone(name)} // the caller's may be part of something large
		l.views.change(*v)
	}
	if url != "" && url != v.URL || domain != "" && len(v.Domains) < maxDomains && !slices.Contains(v.Domains, domain) {
		next := *v
		if url != "" && url != v.URL {
			next.URL = strings.Clone(url)
		}
		if domain != "" && len(v.Domains) < maxDomains && !slices.Contains(v.Domains, domain) {
			next.Domains = append(slices.Clip(v.Domains), strings.Clone(domain))
		}
		l.views.change(next)
	}
	return v.Num, true
}

// FindView implements Lane.
func (l *lane) FindView(name, url string) (View, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.views.byName[name]; v != nil {
		return *v, true
	}
	var found *View
	for _, v := range l.views.byURL[url] {
		if found == nil || v.Num < found.Num {
			found = v
		}
	}
	if found == nil {
		return View{}, false
	}
	return *found, true
}

// HasView implements Lane.
func (l *lane) HasView(num uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.views.byNum[num] != nil
}

// DeleteViews implements Lane.
func (l *lane) DeleteViews(names []string) []View {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []View
	for _, name := range names {
		if v := l.views.byName[name]; v != nil {
			out = append(out, *v)
			l.views.remove(v)
		}
	}
	return out
}

// ForgetPlaces implements Lane.
func (l *lane) ForgetPlaces(urls, domains []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(urls)+len(domains) == 0 {
		return
	}
	for _, v := range l.views.sorted() {
		var left []string // nil when none is left, as it is read back
		for _, d := range v.Domains {
			if !slices.Contains(domains, d) {
				left = append(left, d)
			}
		}
		if v.URL != "" && slices.Contains(urls, v.URL) {
			v.URL = ""
		} else if len(left) == len(v.Domains) {
			continue
		}
		v.Domains = left
		l.views.change(v)
	}
}

// sorted returns all views by number.
func (s *viewSet) sorted() []View {
	if len(s.byNum) == 0 {
		return nil
	}
	out := make([]View, 0, len(s.byNum))
	for _, v := range s.byNum {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b View) int { return cmp.Compare(a.Num, b.Num) })
	return out
}

func viewKey(app model.AppID, num uint32) []byte {
	return binary.BigEndian.AppendUint32(kindKey(app, kindView, 4), num)
}

func (c *codec) encodeView(v *View) ([]byte, error) {
	b, err := c.enc.Marshal(viewRecord{Name: v.Name, URL: v.URL, Domains: v.Domains})
	if err != nil {
		return nil, fmt.Errorf("encode view: %w", err)
	}
	return append([]byte{recordVersion}, b...), nil
}

func (c *codec) decodeView(num uint32, b []byte) (*View, error) {
	if len(b) == 0 || b[0] != recordVersion {
		return nil, errors.New("decode view: unknown version")
	}
	var r viewRecord
	if err := c.dec.Unmarshal(b[1:], &r); err != nil {
		return nil, fmt.Errorf("decode view: %w", err)
	}
	return &View{Num: num, Name: r.Name, URL: r.URL, Domains: r.Domains}, nil
}
