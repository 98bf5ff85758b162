package notes_test

import (
	"net/http"
	"strconv"
	"testing"

	"quipu/internal/testkit"
)

// TestNotesAreBounded fills an app with notes of one member: it can make no more, others can.
func TestNotesAreBounded(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("shop", "UTC")
	var bob struct {
		APIKey string `json:"api_key"`
	}
	testkit.Decode(t, s.Admin("/i/users/create", "args", `{"full_name":"bob","username":"bob","password":"Correct-horse-1","email":"bob@example.org",`+
		`"permission":{"_":{"a":["`+a.ID+`"],"u":[]}}}`), &bob)
	save := func(key string, n int) testkit.Response {
		return s.Post("/i/notes/save", "api_key", key, "args",
			`{"app_id":"`+a.ID+`","note":"n`+strconv.Itoa(n)+`","ts":1936526400000,"noteType":"public"}`)
	}
	for n := range 1000 {
		if r := save(bob.APIKey, n); r.Status != http.StatusOK {
			t.Fatalf("note %d: %d %s", n, r.Status, r.Body)
		}
	}
	if r := save(bob.APIKey, 1000); r.Status != http.StatusConflict {
		t.Errorf("one note too many: %d %s", r.Status, r.Body)
	}
	if r := save(s.Key, 0); r.Status != http.StatusOK {
		t.Errorf("a note of someone else: %d %s", r.Status, r.Body)
	}
}
