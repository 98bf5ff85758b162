package symbolication_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quipu/internal/modules/symbolication"
)

// TestDebugIDs has two builds of one version whose scripts have the same name: the debug id says which map is meant, wherever it stands.
func TestDebugIDs(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	const one, two, three, four = "85314830-023f-4cf1-a267-535f4e37bb17", "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	of := func(source, id string) string {
		if id != "" {
			id = `,"debugId":"` + id + `"`
		}
		return fmt.Sprintf(`{"version":3,"file":"app.js","sources":["src/%s.ts"],"names":["pay"],"mappings":"QAEIA"%s}`, source, id)
	}
	n := 0
	send := func(id string) string {
		n++
		images := ""
		if id != "" {
			images = fmt.Sprintf(`,"_binary_images":[{"name":"https://shop.example/assets/app.js","id":%q,"type":"sourcemap"},{"name":"https://shop.example/other.js","id":%q,"type":"sourcemap"}]`, id, four)
		}
		return k.report(fmt.Sprint("e", n), fmt.Sprintf(`{"_error":"TypeError: x\n    at n%d (https://shop.example/assets/app.js:1:9)","_name":"e%d","_os":"Windows","_app_version":"7"%s}`, n, n, images))
	}
	first, second, third, unknown, without := send(strings.ToUpper(one)), send(two), send(three), send("44444444-4444-4444-8444-444444444444"), send("")
	check := func(what, group, want string) {
		t.Helper()
		got, _ := k.group(group)["error"].(string)
		if want == "" && strings.Contains(got, "src/") || want != "" && !strings.Contains(got, "src/"+want+".ts:3:") {
			t.Errorf("%s, want %q: %s", what, want, got)
		}
	}
	k.add("javascript", "7", sent{"symbols", "app.js.map", of("one", one)})
	k.at = k.at.Add(time.Millisecond) // within the same second
	k.s.Clock().Set(k.at)
	k.add("javascript", "7", sent{"symbols", "app.js.map", of("two", two)})
	check("by the first id", first, "one")
	check("by the second id", second, "two")
	check("of a build without a map", third, "")
	check("of an unknown build", unknown, "")
	check("without an id the latest of the version", without, "two")
	k.add("javascript", "8", sent{"symbols[]", "other.js.map", of("other", four)}, sent{"symbols[]", "any.js.map", of("three", three)})
	check("of another version and name", third, "three")
	check("still by the first id", first, "one")
	k.add("javascript", "44444444-4444-4444-8444-444444444444", sent{"symbols", "app.js.map", of("four", "")})
	check("a map without an id that was uploaded for one", unknown, "four")
}
