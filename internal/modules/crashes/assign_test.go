package crashes_test

import (
	"fmt"
	"net/http"
	"testing"

	"quipu/internal/testkit"
)

// TestAssign gives groups to members, takes them away, finds them by it, and refuses members who may not read the app's crashes.
func TestAssign(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, name := range []string{"one", "two"} {
		k.s.Ingest(k.a, "d", "timestamp", fmt.Sprint(start.UnixMilli()), "crash", `{"_error":"`+name+`","_os":"iOS"}`)
	}
	k.s.Flush()
	create := func(name, permission string) string {
		var made struct {
			ID string `json:"_id"`
		}
		testkit.Decode(t, k.s.Admin("/i/users/create", "args", fmt.Sprintf(`{"full_name":%q,"username":%q,"password":"Correct-horse-2","email":%q,"permission":%s}`, name, name, name+"@example.org", permission)), &made)
		return made.ID
	}
	ann := create("Ann", fmt.Sprintf(`{"c":{},"r":{%q:{"all":false,"allowed":{"crashes":true}}},"u":{},"d":{},"_":{"u":[[%q]],"a":[]}}`, k.a.ID, k.a.ID))
	other := create("bob", fmt.Sprintf(`{"c":{},"r":{%q:{"all":false,"allowed":{"core":true}}},"u":{},"d":{},"_":{"u":[[%q]],"a":[]}}`, k.a.ID, k.a.ID))
	var members []struct {
		ID   string `json:"_id"`
		Name string `json:"full_name"`
	}
	testkit.Decode(t, k.s.Admin("/o", "method", "crash_members", "app_id", k.a.ID), &members)
	names := []string{}
	for _, m := range members {
		names = append(names, m.Name)
	}
	k.same("members", names, []string{"Admin", "Ann"})
	assigned := func(name string) any {
		var group struct {
			Assigned string
			Assignee *struct {
				ID   string `json:"_id"`
				Name string `json:"full_name"`
			}
		}
		testkit.Decode(t, k.s.Admin("/o", "method", "crashes", "app_id", k.a.ID, "group", k.id(name)), &group)
		if group.Assignee == nil {
			return group.Assigned
		}
		k.same("id of the member", group.Assignee.ID, group.Assigned)
		return group.Assignee.Name
	}
	ids := func(pairs ...string) []string {
		var table struct {
			Rows []struct{ Name string } `json:"aaData"`
		}
		testkit.Decode(t, k.s.Admin("/o", append([]string{"method", "crashes", "app_id", k.a.ID, "sort", `{"name":1}`}, pairs...)...), &table)
		out := []string{}
		for _, r := range table.Rows {
			out = append(out, r.Name)
		}
		return out
	}
	k.same("at first", assigned("one"), "")
	k.act("assign", fmt.Sprintf(`{"crash_id":%q,"member":%q}`, k.id("one"), ann))
	k.same("assigned", assigned("one"), "Ann")
	k.same("assigned groups", ids("filter", "crash-assigned"), []string{"one"})
	k.same("groups of nobody", ids("filter", "crash-unassigned"), []string{"two"})
	k.same("groups of Ann", ids("query", `{"assigned":"`+ann+`"}`), []string{"one"})
	k.act("assign", fmt.Sprintf(`{"crashes":[%q,%q],"member":"me"}`, k.id("one"), k.id("two")))
	k.same("both to the caller", []any{assigned("one"), assigned("two")}, []any{"Admin", "Admin"})
	for what, member := range map[string]string{"without the right": other, "unknown": "0123456789abcdef01234567", "no id": "x"} {
		r := k.s.Post("/i/crashes/assign", "api_key", k.s.Key, "app_id", k.a.ID, "args", fmt.Sprintf(`{"crash_id":%q,"member":%q}`, k.id("one"), member))
		if r.Status != http.StatusBadRequest || r.Header.Get("Quipu-Error") != "crashes.no_member" {
			t.Errorf("%s: %d %s", what, r.Status, r.Body)
		}
	}
	k.act("assign", fmt.Sprintf(`{"crash_id":%q,"member":""}`, k.id("one")))
	k.same("to nobody", assigned("one"), "")
	k.act("assign", fmt.Sprintf(`{"crash_id":%q,"member":%q}`, k.id("one"), ann))
	k.s.Admin("/i/users/delete", "args", `{"user_ids":["`+ann+`"]}`)
	k.same("after the member was deleted", assigned("one"), "")
}

// TestSimilar has groups whose stacks have all, most, few and no places in common.
func TestSimilar(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	crash := func(name, os string, frames ...string) {
		text := "com.shop." + name + ": x"
		for _, f := range frames {
			text += `\n\tat com.shop.` + f + `(Shop.java:3)`
		}
		k.s.Ingest(k.a, "d", "timestamp", fmt.Sprint(start.UnixMilli()), "crash", `{"_name":"`+name+`","_error":"`+text+`","_os":"`+os+`"}`)
		k.s.Flush()
	}
	crash("Own", "Android", "Cart.pay", "Cart.add", "Main.run")
	crash("Near", "Android", "Cart.pay", "Cart.add", "Main.start")
	crash("Far", "Android", "Login.go", "Main.run", "Main.loop", "Main.wait")
	crash("None", "Android", "Login.leave", "Other.go")
	crash("Elsewhere", "iOS", "Cart.pay", "Cart.add", "Main.run")
	id := func(name string) string {
		for _, row := range k.rows() {
			if row["name"] == name {
				return row["_id"].(string)
			}
		}
		t.Fatalf("no group %q", name)
		return ""
	}
	similar := func(name string) (out []string) {
		var list []struct {
			Name       string
			Similarity float64
		}
		testkit.Decode(t, k.s.Admin("/o", "method", "crash_similar", "app_id", k.a.ID, "group", id(name)), &list)
		for _, g := range list {
			if g.Similarity < 0.3 || g.Similarity > 1 {
				t.Errorf("similarity of %s is %g", g.Name, g.Similarity)
			}
			out = append(out, g.Name)
		}
		return out
	}
	k.same("of Own", similar("Own"), []string{"Near"})
	k.same("of None", len(similar("None")), 0)
	k.act("hide", fmt.Sprintf(`{"crash_id":%q}`, id("Near")))
	k.same("hidden", len(similar("Own")), 0)
	r := k.s.Get("/o", "method", "crash_similar", "api_key", k.s.Key, "app_id", k.a.ID, "group", "x")
	if r.Status/100 != 4 {
		t.Errorf("unknown group: %d %s", r.Status, r.Body)
	}
}
