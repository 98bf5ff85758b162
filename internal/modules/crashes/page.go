package crashes

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"html/template"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/text/language"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/store/docs"
)

//go:embed page.html
var pageText string

// errNotShared answers for all addresses that are not those of shared groups.
var errNotShared = fault.New(fault.NotFound, "crashes.not_shared", "This crash is not shared")

// shared is what the page of a group shows. Parts that were not chosen are empty.
type shared struct {
	Name, State, Error string
	Reports, Users     string
	First, Last        string
	Lists              []bars
}

// bars are the values of a property with the number of reports.
type bars struct {
	Title  string
	Values []bar
}

type bar struct {
	Name string
	N    int64
}

// page answers with the public page of a group.
func (s *service) page(w http.ResponseWriter, c api.Caller) error {
	r := c.Request()
	lang, words := languageOf(r)
	t, err := template.New("crash").Funcs(template.FuncMap{"lang": func() string { return lang }, "t": words.of}).Parse(pageText)
	if err != nil {
		return err
	}
	status := http.StatusOK
	found, err := s.shared(r.Context(), c.PathValues["url"])
	if err != nil && fault.CodeOf(err) != "crashes.not_shared" {
		return err
	}
	if err != nil {
		status = http.StatusNotFound
		w.Header().Set(fault.Header, errNotShared.Code)
	}
	var body bytes.Buffer
	if err := t.Execute(&body, found); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", lang)
	h.Set("Vary", "Accept-Language")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	_, err = w.Write(body.Bytes())
	return err
}

// words are the texts of the page in a language by those in English, which stand for what a language lacks.
type words map[string]string

func (w words) of(text string) string { return cmp.Or(w[text], text) }

var german = words{
	"Not shared": "Nicht geteilt", "This crash is not shared, or not any more.": "Dieser Absturz ist nicht oder nicht mehr geteilt.",
	"State": "Status", "open": "offen", "resolved": "behoben", "Reports": "Berichte", "Users": "Nutzer", "First seen": "Zuerst gesehen",
	"Last seen": "Zuletzt gesehen", "Stack trace": "Stacktrace", "App version": "App-Version", "OS version": "Betriebssystemversion", "Device": "Gerät",
}

// languageOf picks the language that a browser asks for.
func languageOf(r *http.Request) (string, words) {
	tags, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		tags = nil
	}
	if _, i, _ := language.NewMatcher([]language.Tag{language.English, language.German}).Match(tags...); i == 1 {
		return "de", german
	}
	return "en", nil
}

// shared finds the group of an address.
func (s *service) shared(ctx context.Context, url string) (*shared, error) {
	if len(url) != 32 {
		return nil, errNotShared
	}
	q := docs.Query{Where: []docs.Cond{docs.Eq("url", url)}, Limit: 1}
	for found, err := range spec().AcrossApps(s.docs, "a shared group is known by its secret address alone").List(ctx, q) {
		if err != nil {
			return nil, err
		}
		if !found.Doc.Public {
			return nil, errNotShared
		}
		b, done, err := s.books.of(ctx, found.App)
		if err != nil {
			return nil, err
		}
		g := b.groups[found.Doc.ID]
		if g == nil {
			done()
			return nil, errNotShared
		}
		r := b.rowOf(g)
		done()
		return s.show(ctx, found, r)
	}
	return nil, errNotShared
}

// show fills in what was chosen.
func (s *service) show(ctx context.Context, found docs.Found[about], r row) (*shared, error) {
	chosen := found.Doc.Share
	out := &shared{Name: r.Name}
	rows := []row{r}
	if chosen["stack"] {
		if err := s.errorsOf(ctx, found.App, rows); err != nil {
			return nil, err
		}
		out.Error = rows[0].Error
	}
	if chosen["state"] {
		out.State = "open"
		if r.Resolved {
			out.State = "resolved"
		}
	}
	if chosen["reports"] {
		out.Reports = strconv.FormatInt(r.Reports, 10)
	}
	if chosen["users"] {
		out.Users = strconv.Itoa(r.Users)
	}
	if chosen["times"] {
		day := func(sec int64) string { return time.Unix(sec, 0).UTC().Format(time.DateOnly) }
		out.First, out.Last = day(r.Start), day(r.Last)
	}
	for _, part := range [...]struct{ chosen, name, title string }{
		{"platform", "app_version", "App version"}, {"platform", "os_version", "OS version"}, {"platform", "device", "Device"},
	} {
		if !chosen[part.chosen] {
			continue
		}
		h, err := s.histogram(ctx, found.App, r.signatures, part.name)
		if err != nil {
			return nil, err
		}
		if values := h.top(10); len(values) > 0 {
			for i := range values {
				values[i].Name = decoded(values[i].Name)
			}
			out.Lists = append(out.Lists, bars{part.title, values})
		}
	}
	return out, nil
}
