package schematest

import (
	"testing"

	"quipu/internal/store/schema"
)

// views sees, finds and forgets views.
func views(t *testing.T, e *Env) {
	t.Helper()
	a := app(0)
	l := e.writer(t, a)
	see := func(name, url, domain string, want uint32) {
		t.Helper()
		num, ok := l.SeeView(name, url, domain)
		same(t, name, []any{num, ok}, []any{want, want != 0})
	}
	find := func(name, url string, want uint32) {
		t.Helper()
		v, ok := l.FindView(name, url)
		same(t, "find "+name+" "+url, []any{v.Num, ok}, []any{want, want != 0})
	}
	listed := func(want ...schema.View) {
		t.Helper()
		same(t, "views", must[[]schema.View](t)(e.Store.Views(t.Context(), a)), want)
	}
	see("home", "/", "x.io", 1)
	see("cart", "/", "", 2)
	see("home", "", "y.io", 1)
	see("home", "", "x.io", 1)
	see("list", "/list", "", 3)
	see("one too many", "/more", "", 0)
	listed()
	e.commit(t)
	home := schema.View{Num: 1, Name: "home", URL: "/", Domains: []string{"x.io", "y.io"}}
	listed(home, schema.View{Num: 2, Name: "cart", URL: "/"}, schema.View{Num: 3, Name: "list", URL: "/list"})
	find("cart", "/list", 2) // the name goes before the path
	find("", "/", 1)         // the first of two
	find("", "/none", 0)
	see("home", "/new", "", 1)
	find("", "/", 2)
	see("home", "/", "", 1)
	find("", "/", 1)

	same(t, "deleted", l.DeleteViews([]string{"cart", "unknown"}), []schema.View{{Num: 2, Name: "cart", URL: "/"}})
	same(t, "known numbers", []bool{l.HasView(1), l.HasView(2)}, []bool{true, false})
	l.ForgetPlaces([]string{"/"}, []string{"x.io"})
	find("", "/", 0)
	e.commit(t)
	e.Store = e.Reopen()
	l = e.writer(t, a)
	listed(schema.View{Num: 1, Name: "home", Domains: []string{"y.io"}}, schema.View{Num: 3, Name: "list", URL: "/list"})
	see("cart", "", "", 4) // no number twice
	see("one too many", "", "", 0)

	l.AddEvent(schema.ViewKey)
	l.Segment(schema.ViewKey, "platform", schema.Text)
	same(t, "values of a segment of views", []bool{
		must[bool](t)(l.AddValue(schema.ViewKey, "platform", "a")), must[bool](t)(l.AddValue(schema.ViewKey, "platform", "b")),
		must[bool](t)(l.AddValue(schema.ViewKey, "platform", "c")), must[bool](t)(l.AddValue(schema.ViewKey, "platform", "a")),
	}, []bool{true, true, false, true})

	l.Clear()
	find("home", "", 0)
	e.commit(t)
	listed()
	same(t, "views of another app", must[[]schema.View](t)(e.Store.Views(t.Context(), app(1))), nil)
}
