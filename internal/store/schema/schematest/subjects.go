package schematest

import (
	"testing"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// subjects sees, finds and forgets subjects, of the kind that was there before there were kinds and of others.
func subjects(t *testing.T, e *Env) {
	t.Helper()
	for n, kind := range []schema.Kind{1, 9} {
		subjectsOf(t, e, app(byte(n)), kind)
	}
}

func subjectsOf(t *testing.T, e *Env, a model.AppID, kind schema.Kind) {
	t.Helper()
	l := e.writer(t, a)
	const other schema.Kind = 2
	if num, ok := l.SeeSubject(other, "home", "/", ""); num != 1 || !ok {
		t.Errorf("subject of another kind: %d, %v", num, ok)
	}
	see := func(name, url, domain string, want uint32) {
		t.Helper()
		num, ok := l.SeeSubject(kind, name, url, domain)
		same(t, name, []any{num, ok}, []any{want, want != 0})
	}
	find := func(name, url string, want uint32) {
		t.Helper()
		v, ok := l.FindSubject(kind, name, url)
		same(t, "find "+name+" "+url, []any{v.Num, ok}, []any{want, want != 0})
	}
	listed := func(want ...schema.Subject) {
		t.Helper()
		same(t, "subjects", must[[]schema.Subject](t)(e.Store.Subjects(t.Context(), a, kind)), want)
	}
	see("home", "/", "x.io", 1)
	see("cart", "/", "", 2)
	see("home", "", "y.io", 1)
	see("home", "", "x.io", 1)
	see("list", "/list", "", 3)
	see("one too many", "/more", "", 0)
	listed()
	e.commit(t)
	home := schema.Subject{Num: 1, Name: "home", Alias: "/", Tags: []string{"x.io", "y.io"}}
	listed(home, schema.Subject{Num: 2, Name: "cart", Alias: "/"}, schema.Subject{Num: 3, Name: "list", Alias: "/list"})
	find("cart", "/list", 2) // the name goes before the path
	find("", "/", 1)         // the first of two
	find("", "/none", 0)
	see("home", "/new", "", 1)
	find("", "/", 2)
	see("home", "/", "", 1)
	find("", "/", 1)

	same(t, "deleted", l.DeleteSubjects(kind, []string{"cart", "unknown"}), []schema.Subject{{Num: 2, Name: "cart", Alias: "/"}})
	same(t, "known numbers", []bool{l.HasSubject(kind, 1), l.HasSubject(kind, 2)}, []bool{true, false})
	l.ForgetTexts(kind, []string{"/"}, []string{"x.io"})
	find("", "/", 0)
	e.commit(t)
	e.Store = e.Reopen()
	l = e.writer(t, a)
	listed(schema.Subject{Num: 1, Name: "home", Tags: []string{"y.io"}}, schema.Subject{Num: 3, Name: "list", Alias: "/list"})
	see("cart", "", "", 4) // no number twice
	see("one too many", "", "", 0)

	l.AddEvent("[CLY]_view")
	l.Segment("[CLY]_view", "platform", schema.Text)
	same(t, "values of a segment of subjects", []bool{
		must[bool](t)(l.AddValue(schema.OfSubjects, "[CLY]_view", "platform", "a")), must[bool](t)(l.AddValue(schema.OfSubjects, "[CLY]_view", "platform", "b")),
		must[bool](t)(l.AddValue(schema.OfSubjects, "[CLY]_view", "platform", "c")), must[bool](t)(l.AddValue(schema.OfSubjects, "[CLY]_view", "platform", "a")),
	}, []bool{true, true, false, true})

	same(t, "of another kind", must[[]schema.Subject](t)(e.Store.Subjects(t.Context(), a, other)), []schema.Subject{{Num: 1, Name: "home", Alias: "/"}})
	if num, _ := l.SeeSubject(other, "next", "", ""); num != 2 {
		t.Errorf("number of another kind after opening: %d", num)
	}
	l.Clear()
	find("home", "", 0)
	e.commit(t)
	listed()
	same(t, "subjects of another app", must[[]schema.Subject](t)(e.Store.Subjects(t.Context(), app(7), kind)), nil)
}
