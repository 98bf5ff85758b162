package crashes_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestUserIsBack sends a session and a crash in one request, with which a user leaves a resolved group and comes back to it.
func TestUserIsBack(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.begin("one", "Android", "1.0")
	k.crash("one", "boom", "Android", "1.0", "")
	id := k.id("boom")
	k.act("resolve", fmt.Sprintf(`{"crash_id":%q}`, id))
	k.send("one", "begin_session", "1", "ignore_cooldown", "true", "metrics", `{"_os":"Android","_app_version":"2.0"}`, "crash", `{"_error":"boom","_os":"Android","_app_version":"2.0"}`)
	row := k.row("boom")
	if row["users"] != 1.0 || row["is_renewed"] != true || row["is_resolved"] != false {
		t.Errorf("the group is %v", row)
	}
}

// TestResolvedWithoutVersion resolves groups whose reports have no version: any version reopens them, none does not.
func TestResolvedWithoutVersion(t *testing.T) {
	t.Parallel()
	for version, reopens := range map[string]bool{"": false, "0.0": true, "1.0": true} {
		k := newKit(t)
		k.crash("one", "boom", "Android", "", "")
		k.act("resolve", fmt.Sprintf(`{"crash_id":%q}`, k.id("boom")))
		k.crash("two", "boom", "Android", version, "")
		if got := k.row("boom")["is_renewed"] == true && k.row("boom")["is_resolved"] == false; got != reopens {
			t.Errorf("a report of version %q reopens: %v", version, got)
		}
	}
}

// TestGroupsByRules applies rules, sends what they hold for, and takes them back.
func TestGroupsByRules(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	frame := func(n int) string {
		return fmt.Sprintf("java.lang.IllegalStateException: order %d\n\tat com.shop.Cart.pay(Cart.java:%d)\n\tat android.view.View.performClick(View.java:%d)", n, n, n)
	}
	for n := range 3 {
		k.crash(fmt.Sprint("d", n), frame(n), "Android", "1.0", "")
	}
	if rows := k.rows(); len(rows) != 3 {
		t.Fatalf("%d groups", len(rows))
	}
	first := k.id(frame(0))
	k.applyRules(`{"algorithm":2}`, 0)
	k.crash("d9", frame(9), "Android", "1.0", "")
	rows := k.rows()
	if len(rows) != 1 || rows[0]["reports"] != 4.0 || rows[0]["users"] != 4.0 || rows[0]["_id"] != first {
		t.Fatalf("groups by frames: %v", rows)
	}
	if got := k.graph()["crashes"].(object); got["unique"] != 1.0 || got["total"] != 4.0 {
		t.Errorf("counters: %v", got)
	}
	detail := k.detail(first)
	for _, rep := range detail["data"].([]any) {
		if rep.(object)["group"] != first {
			t.Errorf("a report is of %v", rep.(object)["group"])
		}
	}
	k.s.Stop()
	k.s.Start()
	if rows := k.rows(); len(rows) != 1 {
		t.Errorf("%d groups after a restart", len(rows))
	}
	k.verify()
	k.applyRules(`{}`, 1)
	if rows := k.rows(); len(rows) != 4 {
		t.Errorf("%d groups after the rules were taken back", len(rows))
	}
}

// TestStackRules says which frames are of the app.
func TestStackRules(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	sent := func(lib string) string {
		return "TypeError: x is undefined\n    at pay (https://shop.example/cart.js:1:2)\n    at " + lib + " (https://shop.example/vendor.js:7:9)"
	}
	k.crash("one", sent("a"), "Web", "1", "")
	k.crash("two", sent("b"), "Web", "1", "")
	k.applyRules(`{"algorithm":2}`, 0)
	if rows := k.rows(); len(rows) != 2 {
		t.Errorf("%d groups while all frames are of the app", len(rows))
	}
	k.applyRules(`{"algorithm":2,"stack":[{"match":[{"what":"file","pattern":"*/vendor.js"}],"do":"system"}]}`, 1)
	if rows := k.rows(); len(rows) != 1 {
		t.Errorf("%d groups without the frames of the library", len(rows))
	}
}

// TestHostileRules sends rules that nobody could mean.
func TestHostileRules(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	other := k.s.CreateApp("other", "UTC")
	k.crash("one", "boom", "Android", "1.0", "")
	k.crash("two", "bang", "iOS", "1.0", "")
	for _, text := range []string{
		"", "[]", "nope", `{"algorithm":3}`, `{"algorithm":-1}`, `{"more":1}`, `{} {}`, `{"stack":[{"match":[],"do":"app"}]}`,
		`{"stack":[{"match":[{"what":"message","pattern":"*"}],"do":"app"}]}`, `{"stack":[{"match":[{"what":"file","pattern":"*"}],"do":"run"}]}`,
		`{"fingerprints":[{"match":[{"what":"type","pattern":""}],"parts":["x"]}]}`, `{"fingerprints":[{"match":[{"what":"type","pattern":"*"}],"parts":[]}]}`,
		`{"fingerprints":[{"match":[{"what":"type","pattern":"*"}],"parts":["{{password}}"]}]}`, `{"fingerprints":[{"match":[{"what":"type","pattern":"*"}],"parts":["a\u0000b"]}]}`,
		`{"fingerprints":[{"match":[{"what":"type","pattern":"` + strings.Repeat("*a", 400) + `"}],"parts":["x"]}]}`,
	} {
		for _, path := range []string{"/o/crashes/preview_rules", "/i/crashes/rules"} {
			if r := k.s.Post(path, "api_key", k.s.Key, "app_id", k.a.ID, "rules", text); r.Status != http.StatusBadRequest {
				t.Errorf("%s %.60q: %d %s", path, text, r.Status, r.Body)
			}
		}
	}
	if r := k.s.Post("/i/crashes/rules", "api_key", k.s.Key, "app_id", k.a.ID, "rules", "{}", "version", "7"); r.Status != http.StatusConflict {
		t.Errorf("rules of another version: %d %s", r.Status, r.Body)
	}
	boom, bang := k.id("boom"), k.id("bang")
	for action, args := range map[string]string{
		"merge": fmt.Sprintf(`{"crash_id":%q,"crashes":[%q]}`, boom, bang), "split": fmt.Sprintf(`{"crash_id":%q,"variants":[%q]}`, boom, boom),
	} {
		if r := k.s.Post("/i/crashes/"+action, "api_key", k.s.Key, "app_id", k.a.ID, "args", args); r.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", action, r.Status, r.Body)
		}
		if r := k.s.Post("/i/crashes/"+action, "api_key", k.s.Key, "app_id", other.ID, "args", args); r.Status != http.StatusBadRequest {
			t.Errorf("%s of another app's groups: %d %s", action, r.Status, r.Body)
		}
	}
	if rows := k.rows(); len(rows) != 2 {
		t.Errorf("%d groups", len(rows))
	}
}
