package writers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// maxTags is how many tags of a subject are kept; later ones are not.
const maxTags = 20

// subjectSet holds the subjects of a kind of an app in memory. They are replaced, never
// changed in place.
type subjectSet struct {
	byName  map[string]*schema.Subject
	byNum   map[uint32]*schema.Subject
	byAlias map[string][]*schema.Subject
	// dirty subjects are to be written; nil = to be removed.
	dirty map[uint32]*schema.Subject
	// listed is what sorted returned last; nil = something changed since.
	listed []schema.Subject
}

func newSubjectSet() *subjectSet {
	return &subjectSet{byName: map[string]*schema.Subject{}, byNum: map[uint32]*schema.Subject{}, byAlias: map[string][]*schema.Subject{}, dirty: map[uint32]*schema.Subject{}}
}

// put adds a subject or replaces the one with its number.
func (s *subjectSet) put(v *schema.Subject) {
	s.listed = nil
	s.unlink(s.byNum[v.Num])
	s.byName[v.Name], s.byNum[v.Num] = v, v
	if v.Alias != "" {
		s.byAlias[v.Alias] = append(s.byAlias[v.Alias], v)
	}
}

// unlink takes a subject out of the aliases.
func (s *subjectSet) unlink(v *schema.Subject) {
	if v == nil || v.Alias == "" {
		return
	}
	left := slices.DeleteFunc(s.byAlias[v.Alias], func(o *schema.Subject) bool { return o.Num == v.Num })
	if len(left) == 0 {
		delete(s.byAlias, v.Alias)
		return
	}
	s.byAlias[v.Alias] = left
}

func (s *subjectSet) remove(v *schema.Subject) {
	s.listed = nil
	s.unlink(v)
	delete(s.byName, v.Name)
	delete(s.byNum, v.Num)
	s.dirty[v.Num] = nil
}

// change replaces a subject and has it written.
func (s *subjectSet) change(v schema.Subject) {
	s.put(&v)
	s.dirty[v.Num] = &v
}

// SeeSubject implements Writer.
func (l *writer) SeeSubject(kind schema.Kind, name, alias, tag string) (uint32, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	set := l.subjectsOf(kind)
	v := set.byName[name]
	if v == nil {
		if len(set.byName) >= cmp.Or(l.most[kind], l.limits.Subjects) {
			return 0, false
		}
		l.Subjects[kind]++
		v = &schema.Subject{Num: l.Subjects[kind], Name: strings.Clone(name)} // the caller's may be part of something large
		set.change(*v)
	}
	if alias != "" && alias != v.Alias || tag != "" && len(v.Tags) < maxTags && !slices.Contains(v.Tags, tag) {
		next := *v
		if alias != "" && alias != v.Alias {
			next.Alias = strings.Clone(alias)
		}
		if tag != "" && len(v.Tags) < maxTags && !slices.Contains(v.Tags, tag) {
			next.Tags = append(slices.Clip(v.Tags), strings.Clone(tag))
		}
		set.change(next)
	}
	return v.Num, true
}

// FindSubject implements Writer.
func (l *writer) FindSubject(kind schema.Kind, name, alias string) (schema.Subject, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	set := l.subjectsOf(kind)
	if v := set.byName[name]; v != nil {
		return *v, true
	}
	var found *schema.Subject
	for _, v := range set.byAlias[alias] {
		if found == nil || v.Num < found.Num {
			found = v
		}
	}
	if found == nil {
		return schema.Subject{}, false
	}
	return *found, true
}

// SetMost implements Writer.
func (l *writer) SetMost(kind schema.Kind, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most == nil {
		l.most = map[schema.Kind]int{}
	}
	l.most[kind] = n
}

// SubjectOf implements Writer.
func (l *writer) SubjectOf(kind schema.Kind, num uint32) (schema.Subject, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.subjectsOf(kind).byNum[num]; v != nil {
		return *v, true
	}
	return schema.Subject{}, false
}

// NoteSubject implements Writer.
func (l *writer) NoteSubject(kind schema.Kind, name, note string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	set := l.subjectsOf(kind)
	if v := set.byName[name]; v != nil && v.Note != note {
		next := *v
		next.Note = strings.Clone(note)
		set.change(next)
	}
}

// HasSubject implements Writer.
func (l *writer) HasSubject(kind schema.Kind, num uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.subjectsOf(kind).byNum[num] != nil
}

// DeleteSubjects implements Writer.
func (l *writer) DeleteSubjects(kind schema.Kind, names []string) []schema.Subject {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []schema.Subject
	set := l.subjectsOf(kind)
	for _, name := range names {
		if v := set.byName[name]; v != nil {
			out = append(out, *v)
			set.remove(v)
		}
	}
	return out
}

// ForgetTexts implements Writer.
func (l *writer) ForgetTexts(kind schema.Kind, aliases, tags []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(aliases)+len(tags) == 0 {
		return
	}
	set := l.subjectsOf(kind)
	for _, v := range set.sorted() {
		var left []string // nil when none is left, as it is read back
		for _, d := range v.Tags {
			if !slices.Contains(tags, d) {
				left = append(left, d)
			}
		}
		if v.Alias != "" && slices.Contains(aliases, v.Alias) {
			v.Alias = ""
		} else if len(left) == len(v.Tags) {
			continue
		}
		v.Tags = left
		set.change(v)
	}
}

// sorted returns all subjects by number. The list is shared: do not change it.
func (s *subjectSet) sorted() []schema.Subject {
	if len(s.byNum) == 0 {
		return nil
	}
	if s.listed != nil {
		return s.listed
	}
	out := make([]schema.Subject, 0, len(s.byNum))
	for _, v := range s.byNum {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b schema.Subject) int { return cmp.Compare(a.Num, b.Num) })
	s.listed = out
	return out
}

// subjectsOf returns the subjects of a kind, to read and to change.
func (l *writer) subjectsOf(kind schema.Kind) *subjectSet {
	set := l.subjects[kind]
	if set == nil {
		set = newSubjectSet()
		l.subjects[kind] = set
	}
	return set
}

// renamed reports whether subjects came, went or changed in the running batch.
func (l *writer) renamed() bool {
	for _, set := range l.subjects {
		if len(set.dirty) > 0 {
			return true
		}
	}
	return false
}

// flushSubjects adds what changed of subjects to a change.
func (l *writer) flushSubjects(c *schema.AppChange) {
	for kind, set := range l.subjects {
		for num, v := range set.dirty {
			if v == nil {
				c.GoneSubjects = append(c.GoneSubjects, schema.SubjectID{Kind: kind, Num: num})
			} else {
				c.Subjects = append(c.Subjects, schema.SubjectRecord{Kind: kind, Subject: v})
			}
		}
		set.dirty = map[uint32]*schema.Subject{}
	}
}

// Subjects implements Details. The list is shared: do not change it.
func (s *Store) Subjects(ctx context.Context, app model.AppID, kind schema.Kind) ([]schema.Subject, error) {
	n, err := s.committedOf(ctx, app)
	if err != nil {
		return nil, err
	}
	for _, of := range n.subjects {
		if of.kind == kind {
			return of.list, nil
		}
	}
	return nil, nil
}
