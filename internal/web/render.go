package web

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"

	"golang.org/x/text/language"
)

//go:embed templates locales
var files embed.FS

// languages are the shipped ones; the first is the fallback.
func languages() []language.Tag { return []language.Tag{language.English, language.German} }

// pages are the templates of one language.
type pages struct {
	lang      string
	texts     map[string]string
	templates map[string]*template.Template
}

// page is what templates see.
type page struct {
	Lang, Base, Style, Icon string
	CSRF                    string
	Message                 string // a key of the catalogue; unknown ones show nothing
	Next                    string
	Incident                string
	AskCode                 bool // on the page of the first administrator
	Due                     bool // the password has to be changed
	Values                  form
	Errors                  []fieldError
}

// fieldError is what is wrong with a field.
type fieldError struct {
	Field, Text string
}

// Error returns the text of the first error of a field, or "".
func (p page) Error(field string) string {
	for _, e := range p.Errors {
		if e.Field == field {
			return e.Text
		}
	}
	return ""
}

func (s *Site) loadPages() error {
	s.pages = map[string]*pages{}
	for _, tag := range languages() {
		lang := tag.String()
		raw, err := files.ReadFile("locales/" + lang + ".json")
		if err != nil {
			return fmt.Errorf("read locale %s: %w", lang, err)
		}
		p := &pages{lang: lang, templates: map[string]*template.Template{}}
		if err := json.Unmarshal(raw, &p.texts); err != nil {
			return fmt.Errorf("parse locale %s: %w", lang, err)
		}
		for _, name := range []string{"login", "password", "setup", "forgot", "error"} {
			t, err := template.New("layout.html").Funcs(p.funcs()).
				ParseFS(files, "templates/layout.html", "templates/"+name+".html")
			if err != nil {
				return fmt.Errorf("parse page %s: %w", name, err)
			}
			p.templates[name] = t
		}
		s.pages[lang] = p
	}
	return nil
}

// funcs are the functions of the templates: t gives a text of the catalogue,
// or its argument when the catalogue has none; known tells whether it has one.
func (p *pages) funcs() template.FuncMap {
	return template.FuncMap{
		"t": func(key string) string {
			if text, ok := p.texts[key]; ok {
				return text
			}
			return key
		},
		"known": func(key string) bool { return p.texts["message."+key] != "" },
	}
}

// pagesFor picks the language that the browser asks for.
func (s *Site) pagesFor(r *http.Request) *pages {
	tags, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		tags = nil
	}
	_, i, _ := language.NewMatcher(languages()).Match(tags...)
	return s.pages[languages()[i].String()]
}

// render writes a page.
func (s *Site) render(w http.ResponseWriter, r *http.Request, status int, name string, p page) error {
	set := s.pagesFor(r)
	p.Lang, p.Base, p.Style, p.Icon = set.lang, s.opts.Base, s.opts.Base+s.style, s.opts.Base+s.icon
	var body bytes.Buffer
	if err := set.templates[name].Execute(&body, p); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", set.lang)
	h.Set("Vary", "Accept-Language")
	w.WriteHeader(status)
	_, err := w.Write(body.Bytes())
	if err != nil {
		s.opts.Log.DebugContext(r.Context(), "page not delivered", slog.String("page", name), slog.Any("err", err))
	}
	return nil
}

// fail logs an error once and shows a page with the incident's number.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, err error) {
	ctx := r.Context()
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		s.opts.Log.DebugContext(ctx, "client gone", slog.String("path", r.URL.Path))
		return
	}
	incident := newToken()[:8]
	s.opts.Log.ErrorContext(ctx, "page failed", slog.String("path", r.URL.Path), slog.String("incident", incident), slog.Any("err", err))
	if err := s.render(w, r, http.StatusInternalServerError, "error", page{Message: "server.error", Incident: incident}); err != nil {
		http.Error(w, "Server Error", http.StatusInternalServerError)
	}
}
