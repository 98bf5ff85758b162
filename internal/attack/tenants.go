package attack

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"quipu/internal/child"
)

// makeMember makes a member with some rights and returns its key.
func makeMember(ctx context.Context, c *child.Process, app child.Target, rights string) (string, error) {
	name := fmt.Sprintf("member-%x", len(rights)) + app.ID[18:] + strings.Repeat("x", len(app.Key)%3)
	args := fmt.Sprintf(`{"full_name":"M","username":%q,"password":"Correct-horse-battery-1","email":"%s@example.org",%s}`, name, name, rights)
	body, err := c.Admin(ctx, "/i/users/create", url.Values{"api_key": {app.APIKey}, "args": {args}})
	if err != nil {
		return "", fmt.Errorf("make member: %w", err)
	}
	var made struct {
		Key string `json:"api_key"`
	}
	if err := json.Unmarshal(body, &made); err != nil || made.Key == "" {
		return "", fmt.Errorf("make member: %.200s", body)
	}
	return made.Key, nil
}

// foreign is a member with all rights on one app who names another app in every place, and tokens that nobody made.
func foreign(ctx context.Context, t *trial) error {
	own, err := newApp(ctx, t.child, t.app.APIKey, "Own")
	if err != nil {
		return err
	}
	all := fmt.Sprintf(`{%q:{"all":true,"allowed":{}}}`, own.ID)
	key, err := makeMember(ctx, t.child, own, fmt.Sprintf(`"permission":{"_":{"a":[],"u":[[%q]]},"c":%s,"r":%s,"u":%s,"d":%s}`, own.ID, all, all, all, all))
	if err != nil {
		return err
	}
	other := t.app.ID
	places := []url.Values{
		{"app_id": {other}},
		{"app_id": {own.ID}, "args": {`{"app_id":"` + other + `","name":"Taken"}`}},
		{"app_id": {other}, "args": {`{"app_id":"` + own.ID + `","name":"Taken"}`}},
		{"args": {`{"app_id":"` + other + `","name":"Taken"}`}},
		{"app_id": {own.ID}, "apps": {`["` + other + `"]`}},
		{"app_id": {own.ID}, "app_ids": {`["` + other + `"]`}},
		{"app_id": {own.ID + "," + other}},
		{"app_id[]": {other}},
		{"app_id": {strings.ToUpper(other)}},
	}
	paths := []string{
		"/o?method=users", "/o?method=events&event=good", "/o?method=get_events", "/o/analytics/dashboard", "/o/analytics/events/overview",
		"/o/apps/details", "/o/apps/plugins", "/o/app_users/loyalty", "/o/export/db?collection=app_users", "/o/live/tiles", "/o/notes", "/o/ingest/outcomes",
		"/i/apps/update", "/i/apps/delete", "/i/apps/reset", "/i/app_users/delete?query={}&force=true", "/i/app_users/update?query={}&update={}", "/i/notes/save", "/i/events/edit_map",
		"/i/users/create", "/i/apps/create",
	}
	ask := func(path string, v url.Values) {
		status, body := t.get(ctx, with(path, v))
		if status == http.StatusOK && strings.Contains(body, other) {
			t.fail("%s tells a stranger of an app: %.200s", path, body)
		}
	}
	for _, path := range paths {
		for _, place := range places {
			v := url.Values{"api_key": {key}}
			maps.Copy(v, place)
			ask(path, v)
		}
	}
	hex := strings.Repeat("0123456789abcdef", 3)[:40]
	for _, token := range []string{hex, strings.Repeat("f", 40), strings.Repeat("x", 100_000), `{"$ne":null}`, "../../" + hex, "\x00", "' OR 1=1 --", "null", "undefined", "[object Object]"} {
		for _, path := range paths {
			status, body := t.get(ctx, with(path, url.Values{"auth_token": {token}, "app_id": {other}}))
			if status == http.StatusOK {
				t.fail("%s answers 200 to the forged token %.40q: %.200s", path, token, body)
			}
		}
	}
	// The app is what it was.
	body, err := t.child.Admin(ctx, "/o/apps/details", url.Values{"api_key": {t.app.APIKey}, "app_id": {other}})
	if err != nil || strings.Contains(string(body), "Taken") {
		t.fail("a stranger changed the app: %v %.200s", err, body)
	}
	return nil
}

// with adds parameters to a path that may have some.
func with(path string, v url.Values) string {
	if strings.Contains(path, "?") {
		return path + "&" + v.Encode()
	}
	return path + "?" + v.Encode()
}

// manyApps makes apps and sends each an event.
func manyApps(ctx context.Context, t *trial) error {
	for i := range t.n(2000, 30) {
		app, err := newApp(ctx, t.child, t.app.APIKey, fmt.Sprintf("Many %d", i))
		if err != nil {
			return err
		}
		v := url.Values{"app_key": {app.Key}, "device_id": {"d"}, "begin_session": {"1"}, "events": {fmt.Sprintf(`[{"key":"e%d"}]`, i)}}
		if status := t.post(ctx, "/i", formed, []byte(v.Encode())); status != http.StatusOK {
			t.fail("app %d: status %d", i, status)
		}
	}
	return nil
}
