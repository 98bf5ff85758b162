package pebble

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/model"

	"quipu/internal/store/schema"
)

// maxDomains is how many domains of a view are kept; later ones are not.
const maxDomains = 20

// viewRecord is a view as it is stored.
type viewRecord struct {
	Name    string   `cbor:"1,keyasint"`
	URL     string   `cbor:"2,keyasint,omitempty"`
	Domains []string `cbor:"3,keyasint,omitempty"`
}

// viewSet holds the views of an app in memory. Views are replaced, never
// changed in place.
type viewSet struct {
	byName map[string]*schema.View
	byNum  map[uint32]*schema.View
	byURL  map[string][]*schema.View
	// dirty views are to be written; nil = to be removed.
	dirty map[uint32]*schema.View
}

func newViewSet() viewSet {
	return viewSet{byName: map[string]*schema.View{}, byNum: map[uint32]*schema.View{}, byURL: map[string][]*schema.View{}, dirty: map[uint32]*schema.View{}}
}

// put adds a view or replaces the one with its number.
func (s *viewSet) put(v *schema.View) {
	s.unlink(s.byNum[v.Num])
	s.byName[v.Name], s.byNum[v.Num] = v, v
	if v.URL != "" {
		s.byURL[v.URL] = append(s.byURL[v.URL], v)
	}
}

// unlink takes a view out of the URLs.
func (s *viewSet) unlink(v *schema.View) {
	if v == nil || v.URL == "" {
		return
	}
	left := slices.DeleteFunc(s.byURL[v.URL], func(o *schema.View) bool { return o.Num == v.Num })
	if len(left) == 0 {
		delete(s.byURL, v.URL)
		return
	}
	s.byURL[v.URL] = left
}

func (s *viewSet) remove(v *schema.View) {
	s.unlink(v)
	delete(s.byName, v.Name)
	delete(s.byNum, v.Num)
	s.dirty[v.Num] = nil
}

// change replaces a view and has it written.
func (s *viewSet) change(v schema.View) {
	s.put(&v)
	s.dirty[v.Num] = &v
}

// SeeView implements Writer.
func (l *writer) SeeView(name, url, domain string) (uint32, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.views.byName[name]
	if v == nil {
		if len(l.views.byName) >= l.limits.Views {
			return 0, false
		}
		l.View++
		v = &schema.View{Num: l.View, Name: strings.Clone(name)} // the caller's may be part of something large
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

// FindView implements Writer.
func (l *writer) FindView(name, url string) (schema.View, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.views.byName[name]; v != nil {
		return *v, true
	}
	var found *schema.View
	for _, v := range l.views.byURL[url] {
		if found == nil || v.Num < found.Num {
			found = v
		}
	}
	if found == nil {
		return schema.View{}, false
	}
	return *found, true
}

// HasView implements Writer.
func (l *writer) HasView(num uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.views.byNum[num] != nil
}

// DeleteViews implements Writer.
func (l *writer) DeleteViews(names []string) []schema.View {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []schema.View
	for _, name := range names {
		if v := l.views.byName[name]; v != nil {
			out = append(out, *v)
			l.views.remove(v)
		}
	}
	return out
}

// ForgetPlaces implements Writer.
func (l *writer) ForgetPlaces(urls, domains []string) {
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
func (s *viewSet) sorted() []schema.View {
	if len(s.byNum) == 0 {
		return nil
	}
	out := make([]schema.View, 0, len(s.byNum))
	for _, v := range s.byNum {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b schema.View) int { return cmp.Compare(a.Num, b.Num) })
	return out
}

func viewKey(app model.AppID, num uint32) []byte {
	return binary.BigEndian.AppendUint32(kindKey(app, kindView, 4), num)
}

func (c *codec) encodeView(v *schema.View) ([]byte, error) {
	b, err := c.enc.Marshal(viewRecord{Name: v.Name, URL: v.URL, Domains: v.Domains})
	if err != nil {
		return nil, fmt.Errorf("encode view: %w", err)
	}
	return append([]byte{recordVersion}, b...), nil
}

func (c *codec) decodeView(num uint32, b []byte) (*schema.View, error) {
	if len(b) == 0 || b[0] != recordVersion {
		return nil, errors.New("decode view: unknown version")
	}
	var r viewRecord
	if err := c.dec.Unmarshal(b[1:], &r); err != nil {
		return nil, fmt.Errorf("decode view: %w", err)
	}
	return &schema.View{Num: num, Name: r.Name, URL: r.URL, Domains: r.Domains}, nil
}
