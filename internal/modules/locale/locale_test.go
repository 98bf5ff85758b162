package locale_test

import (
	"testing"

	"quipu/internal/testkit"
)

func TestLanguages(t *testing.T) {
	s := testkit.New(t)
	r := s.Get("/o/langmap")
	var got map[string]struct {
		English string `json:"englishName"`
		Native  string `json:"nativeName"`
	}
	testkit.Decode(t, r.Body, &got)
	for code, want := range map[string][2]string{
		"en": {"English", "English"}, "de": {"German", "Deutsch"}, "pt": {"Portuguese", "português"}, "ja": {"Japanese", "日本語"},
		"zh_hans": {"Simplified Chinese", "简体中文"}, "zh_hant": {"Traditional Chinese", "繁體中文"},
	} {
		if l := got[code]; l.English != want[0] || l.Native != want[1] {
			t.Errorf("%s is %q, %q; want %q", code, l.English, l.Native, want)
		}
	}
	if len(got) < 150 {
		t.Errorf("%d languages, want at least those that people speak", len(got))
	}
	for code, l := range got {
		if l.English == "" || l.Native == "" {
			t.Errorf("%s has no name: %+v", code, l)
		}
	}
}
