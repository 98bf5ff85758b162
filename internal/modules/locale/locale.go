// Package locale is the module that names languages: /o/langmap.
package locale

import (
	"context"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"quipu/internal/api"
	"quipu/internal/kernel"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "locale", Features: []string{"locale"},
		Plugin: &kernel.Plugin{Code: "locale", Title: "Languages", Description: "Names the languages of users."},
		Setup: kernel.Alone(func(s *kernel.Scope) error {
			names := languages()
			api.Handle(s.Routes, "/o/langmap", api.Public(), func(context.Context, api.Caller, api.None) (map[string]Language, error) {
				return names, nil
			})
			return nil
		}),
	}
}

// Language is what a language is called in English and by those who speak it.
type Language struct {
	English string `json:"englishName"`
	Native  string `json:"nativeName"`
}

// languages names every language with a code of two letters, and both scripts of Chinese as the counts of
// languages tell them apart.
func languages() map[string]Language {
	out := map[string]Language{}
	english := display.English.Tags()
	add := func(code string, tag language.Tag) {
		l := Language{English: english.Name(tag), Native: display.Self.Name(tag)}
		if l.English == "" || l.English == tag.String() {
			return
		}
		if l.Native == "" {
			l.Native = l.English
		}
		out[code] = l
	}
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			code := string([]rune{a, b})
			if base, err := language.ParseBase(code); err == nil {
				if tag, err := language.Compose(base); err == nil {
					add(code, tag)
				}
			}
		}
	}
	add("zh_hans", language.SimplifiedChinese)
	add("zh_hant", language.TraditionalChinese)
	return out
}
