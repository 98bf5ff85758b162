package wiretest_test

import (
	"strconv"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

// TestNotes plays the life of notes (wire.md 11.24).
func TestNotes(t *testing.T) {
	t.Parallel()
	s := server(t)
	a, b := s.CreateApp("A", "UTC"), s.CreateApp("B", "UTC")
	person := func(name string) member {
		return createMember(t, s, name, map[string]any{"permission": everything(a.ID)})
	}
	ann, bob := person("ann"), person("bob")
	boss := createMember(t, s, "boss", map[string]any{"permission": permission([]string{a.ID}, nil, nil)})
	save := func(key, fields string) testkit.Response {
		return s.Post("/i/notes/save", "api_key", key, "args", `{"app_id":"`+a.ID+`",`+fields+`}`)
	}
	texts := func(key string, pairs ...string) string {
		t.Helper()
		r := s.Get("/o/notes", append([]string{"api_key", key, "app_id", a.ID}, pairs...)...)
		rows, ok := dig(t, r.Body, "aaData").([]any)
		if !ok {
			t.Fatalf("notes %v: %d %s", pairs, r.Status, r.Body)
		}
		var out []string
		for _, row := range rows {
			note, _ := row.(map[string]any)["note"].(string)
			out = append(out, note)
		}
		return strings.Join(out, ",")
	}
	want := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: notes %q, want %q", what, got, want)
		}
	}
	want("none", texts(ann.key), "")
	done(t, "public", save(ann.key, `"note":"public","ts":`+noonMS+`,"noteType":"public","color":"#f00","category":true`))
	row := s.Get("/o/notes", "api_key", ann.key, "app_id", a.ID).Body
	for field, v := range map[string]string{
		"app_id": `"` + a.ID + `"`, "note": `"public"`, "ts": noonMS, "noteType": `"public"`, "emails": `[]`, "color": `"#f00"`, "category": `true`,
		"owner": `"` + ann.id + `"`, "owner_name": `"Full ann"`, "indicator": `"A"`, "created_at": noonMS, "updated_at": noonMS,
	} {
		part(t, "the row", row, v, "aaData", "0", field)
	}
	done(t, "private", save(ann.key, `"note":"private","ts":`+ms(-1)+`,"noteType":"private"`))
	done(t, "shared", save(ann.key, `"note":"shared","ts":`+ms(-2)+`,"noteType":"shared","emails":["BOB@example.org"]`))
	done(t, "lenient", save(ann.key, `"note":"lenient"`))
	done(t, "old", save(ann.key, `"note":"old","ts":`+ms(-40*86400000)+`,"noteType":"public"`))
	want("the owner", texts(ann.key), "lenient,public,private,shared")
	want("someone it is shared with", texts(bob.key), "lenient,public,shared")
	want("the app's administrator", texts(boss.key), "lenient,public")
	want("a global administrator", texts(s.Key), "lenient,public")
	want("a longer period", texts(bob.key, "period", "365days"), "lenient,public,shared,old")
	want("a window", texts(ann.key, "period", "["+ms(-41*86400000)+","+ms(-39*86400000)+"]"), "old")
	want("a search, whatever the case", texts(ann.key, "sSearch", "PUB"), "public")
	want("a search for LIKE's signs", texts(ann.key, "sSearch", "%"), "")
	want("a type", texts(ann.key, "note_type", "private"), "private")
	want("a category", texts(ann.key, "category", "[true]"), "public")
	want("ascending", texts(ann.key, "iSortCol_0", "2", "sSortDir_0", "asc"), "shared,private,public,lenient")
	want("a page", texts(ann.key, "iDisplayStart", "1", "iDisplayLength", "2"), "public,private")
	want("as a method", methodTexts(t, s.Get("/o", "api_key", bob.key, "app_id", a.ID, "method", "notes").Body), "lenient,public,shared")

	s.Admin("/i/notes/save", "args", `{"app_id":"`+b.ID+`","note":"of b","ts":`+ms(1000)+`,"noteType":"public"}`)
	want("the app's own", texts(s.Key), "lenient,public")
	want("of several apps", texts(s.Key, "notes_apps", `["`+a.ID+`","`+b.ID+`","`+unknownID+`"]`), "of b,lenient,public")
	want("of an app one may not read", texts(ann.key, "notes_apps", `["`+b.ID+`"]`), "")
	want("of all apps", methodTexts(t, s.Get("/o/notes", "api_key", s.Key).Body), "of b,lenient,public")
	same(t, "an ordinary member names an app", s.Get("/o/notes", "api_key", ann.key), 401, wrong("No app_id provided"))
	same(t, "that it may read", s.Get("/o/notes", "api_key", ann.key, "app_id", b.ID), 401, wrong("User does not have right"))
	same(t, "a period that is none", s.Get("/o/notes", "api_key", s.Key, "app_id", a.ID, "period", "nonsense"), 400, wrong("Bad request parameter: period"))

	id := func(note string) string {
		t.Helper()
		rows := dig(t, s.Get("/o/notes", "api_key", ann.key, "app_id", a.ID, "sSearch", note).Body, "aaData", "0", "_id")
		text, _ := rows.(string)
		return text
	}
	pub, priv := id("public"), id("private")
	same(t, "another's note", save(bob.key, `"_id":"`+pub+`","note":"x","noteType":"public"`), 403, wrong("Not allow to edit note"))
	same(t, "another's private note", save(boss.key, `"_id":"`+priv+`","note":"x"`), 403, wrong("Not allow to edit note"))
	done(t, "the administrator edits a public one", save(boss.key, `"_id":"`+pub+`","note":"edited","ts":`+noonMS+`,"noteType":"public"`))
	want("edited", texts(bob.key), "lenient,edited,shared")
	part(t, "the owner stays", s.Get("/o/notes", "api_key", bob.key, "app_id", a.ID).Body, `"Full ann"`, "aaData", "0", "owner_name")
	same(t, "an unknown note", save(ann.key, `"_id":"`+unknownID+`","note":"x"`), 404, wrong("Note not found"))
	same(t, "without args", s.Post("/i/notes/save", "api_key", s.Key, "app_id", a.ID), 400, wrong("Not enough args"))

	remove := func(key string, pairs ...string) testkit.Response {
		return s.Post("/i/notes/delete", append([]string{"api_key", key}, pairs...)...)
	}
	same(t, "delete another's note", remove(bob.key, "app_id", a.ID, "note_id", pub), 403, wrong("Not allow to delete this note"))
	same(t, "delete another's private note", remove(boss.key, "app_id", a.ID, "note_id", priv), 403, wrong("Not allow to delete this note"))
	same(t, "delete an unknown note", remove(ann.key, "app_id", a.ID, "note_id", unknownID), 404, wrong("Note not found"))
	same(t, "delete nothing", remove(ann.key, "app_id", a.ID), 404, wrong("Note not found"))
	done(t, "delete one's own", remove(ann.key, "app_id", a.ID, "note_id", priv))
	done(t, "the global administrator deletes", remove(s.Key, "note_id", pub))
	want("what is left", texts(ann.key), "lenient,shared")
	done(t, "reset", s.Post("/i/apps/reset", "api_key", s.Key, "args", `{"app_id":"`+a.ID+`","period":"all"}`))
	want("nothing after a reset", texts(ann.key, "period", "365days"), "")
	want("the other app's stay", methodTexts(t, s.Get("/o/notes", "api_key", s.Key, "app_id", b.ID).Body), "of b")
}

// ms is a time that many milliseconds from noon.
func ms(offset int64) string { return strconv.FormatInt(noon.UnixMilli()+offset, 10) }

func methodTexts(t *testing.T, body string) string {
	t.Helper()
	rows, _ := dig(t, body, "aaData").([]any)
	var out []string
	for _, row := range rows {
		note, _ := row.(map[string]any)["note"].(string)
		out = append(out, note)
	}
	return strings.Join(out, ",")
}
