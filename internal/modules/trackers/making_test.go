package trackers_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/store/docs/docstest"
)

// cut has the server end behind the making of an issue: the intent is on disk, nothing that follows is.
func (k *kit) cut() {
	k.Helper()
	var writes atomic.Int32
	k.h.Fail = func(op docstest.Op) error {
		if op.Name == "get" || op.Name == "find" || writes.Add(1) == 1 {
			return nil
		}
		return errors.New("the server has ended")
	}
	if r := k.call("/i/trackers/create", "group", k.group); r.Status < 500 {
		k.Fatalf("%d %s", r.Status, r.Body)
	}
	k.h.Fail = nil
}

// TestCutWhileMaking ends the server between the making of an issue and the link: the job finds it, and so does the next attempt.
func TestCutWhileMaking(t *testing.T) {
	t.Parallel()
	each(t, func(k *kit, f *fake, s shop) {
		for range 230 { // pages
			f.add("another", s.open)
		}
		k.cut()
		if n := f.made(); n != 231 {
			k.Fatalf("%d issues", n)
		}
		for range 120 {
			f.add("a later one", s.open)
		}
		k.refused(409, "trackers.linked", "/i/trackers/create", "group", k.group)
		k.run()
		if i := k.issue("/o/trackers/issue"); i != nil {
			k.Errorf("settled while it may be under way: %v", i)
		}
		k.tick(5 * time.Minute)
		k.run()
		key := strings.Replace(s.key, "1", "231", 1)
		if i := k.issue("/o/trackers/issue"); i["key"] != key || i["url"] != f.URL+strings.TrimSuffix(s.url, "1")+"231" && s.name != "jira" || i["state"] != "open" {
			k.Errorf("not found again: %v", i)
		}
		k.act("resolve")
		k.tick(time.Minute)
		k.run()
		if f.issue(231).Status != s.closed {
			k.Errorf("not in step: %+v", f.issue(231))
		}
		k.ok("/i/trackers/unlink", "group", k.group)

		k.cut()
		k.tick(5 * time.Minute)
		if i := k.issue("/i/trackers/create", "title", "Another title"); i["key"] != strings.Replace(s.key, "1", "352", 1) {
			k.Errorf("made again: %v", i)
		}
		if n := f.made(); n != 352 {
			k.Errorf("%d issues", n)
		}
	})
}

// TestAnswerLost has the answers of a tracker not arrive: it made the issue.
func TestAnswerLost(t *testing.T) {
	t.Parallel()
	each(t, func(k *kit, f *fake, s shop) {
		f.lose(true)
		k.refused(503, "trackers.unreachable", "/i/trackers/create", "group", k.group)
		f.lose(false)
		if i := k.issue("/o/trackers/issue"); i != nil {
			k.Errorf("an issue that nobody knows of: %v", i)
		}
		if i := k.issue("/i/trackers/create"); i["key"] != s.key || f.made() != 1 {
			k.Errorf("%v, %d issues", i, f.made())
		}
		k.ok("/i/trackers/unlink", "group", k.group)

		// It did not make the issue, and is away for a while.
		f.answering(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(502); return true })
		k.refused(503, "trackers.unreachable", "/i/trackers/create", "group", k.group)
		k.refused(503, "trackers.unreachable", "/i/trackers/create", "group", k.group)
		before := f.count("GET")
		for range 120 {
			k.tick(time.Minute)
			k.run()
		}
		if n := f.count("GET") - before; n < 2 || n > 12 {
			k.Errorf("looked for it %d times in two hours", n)
		}
		f.answering(nil)
		k.tick(7 * time.Hour)
		k.run()
		if n, err := k.h.Held(k.Context()); n != 1 || err != nil {
			k.Errorf("%d documents, want the settings alone: %v", n, err)
		}
		if i := k.issue("/i/trackers/create"); i["key"] != strings.Replace(s.key, "1", "2", 1) || f.made() != 2 {
			k.Errorf("%v, %d issues", i, f.made())
		}
	})
}

// TestForgedMark has a stranger copy the text of an issue whose link was never written: which of the two is the server's own cannot be told, so the group
// gets neither, and the next attempt makes an issue of its own.
func TestForgedMark(t *testing.T) {
	t.Parallel()
	each(t, func(k *kit, f *fake, s shop) {
		older := f.add("a stranger's", s.open) // its text is changed later
		k.cut()
		f.copyText(2, older)
		f.copyText(2, f.add("a stranger's", s.open))
		k.tick(5 * time.Minute)
		k.run()
		if i := k.issue("/o/trackers/issue"); i != nil {
			k.Errorf("linked with %v", i)
		}
		if i := k.issue("/i/trackers/create"); i["key"] != strings.Replace(s.key, "1", "4", 1) {
			k.Errorf("made %v", i)
		}

		k.ok("/i/trackers/unlink", "group", k.group)
		k.cut()
		f.copyText(5, f.add("a stranger's", s.open))
		k.tick(5 * time.Minute)
		if i := k.issue("/i/trackers/create"); i["key"] != strings.Replace(s.key, "1", "7", 1) {
			k.Errorf("made at the next attempt: %v", i)
		}
	})
}

// TestCutAtJiraCloud finds an issue by the search that Jira Cloud has.
func TestCutAtJiraCloud(t *testing.T) {
	t.Parallel()
	f := newJira(t)
	f.search = "/search/jql"
	k := newKit(t, f.URL)
	k.set("jira", f.URL+"/jira", `"project":"SHOP","auth":"basic","user":"dev@example.org","type":"Bug"`)
	k.cut()
	k.tick(5 * time.Minute)
	k.run()
	if i := k.issue("/o/trackers/issue"); i["key"] != "SHOP-1" {
		k.Errorf("%v", i)
	}
	// The project is another one by now: what was cut short there is forgotten.
	k.ok("/i/trackers/unlink", "group", k.group)
	k.cut()
	k.set("github", f.URL, `"project":"acme/shop","auth":"token"`)
	k.tick(5 * time.Minute)
	k.run()
	if n, err := k.h.Held(k.Context()); n != 1 || err != nil {
		k.Errorf("%d documents, want the settings alone: %v", n, err)
	}
}
