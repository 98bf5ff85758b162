package apps

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
)

// What an app gets where nothing usable was given.
const (
	defaultCountry  = "TR"
	defaultTimezone = "Etc/GMT"
	defaultCategory = "6"
	defaultType     = "mobile"
)

// argsReq is the request of the writes that take one args object.
type argsReq struct {
	Args params.Value `param:"args"`
}

// fields returns args as an object.
func (r argsReq) fields() (map[string]any, error) {
	if r.Args.String() == "" {
		return nil, invalid("apps.missing_args", "Error: Missing 'args' parameter")
	}
	var m map[string]any
	if err := json.Unmarshal(r.Args.Raw(), &m); err != nil || m == nil {
		return nil, invalid("apps.bad_args", "Error: Invalid 'args' parameter")
	}
	return m, nil
}

func invalid(code, msg string) error { return fault.New(fault.Invalid, code, msg) }

// text reads a field as text; numbers count as text.
func text(m map[string]any, name string) (string, bool) {
	switch v := m[name].(type) {
	case string:
		return strings.TrimSpace(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

func validCountry(s string) bool {
	r, err := language.ParseRegion(s)
	return err == nil && r.IsCountry() && len(s) == 2 && s == strings.ToUpper(s)
}

func validTimezone(s string) bool {
	_, err := time.LoadLocation(s)
	return err == nil && s != "" && s != "Local"
}

func validCategory(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 1 && n <= 20
}

func validType(s string) bool { return slices.Contains([]string{"mobile", "web", "desktop"}, s) }

func validName(s string) bool { return s != "" && len(s) <= 256 && !strings.ContainsRune(s, 0) }

func validKey(s string) bool {
	return s != "" && len(s) <= 256 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// orDefault returns the field if it is usable, and def otherwise.
func orDefault(m map[string]any, name string, valid func(string) bool, def string) string {
	if v, ok := text(m, name); ok && valid(v) {
		return v
	}
	return def
}

// newApp builds an app from the args of create.
func newApp(m map[string]any, owner model.MemberID, now time.Time) (model.App, error) {
	name, ok := text(m, "name")
	if !ok || name == "" {
		return model.App{}, invalid("apps.missing_name", "Error: Missing name argument")
	}
	if !validName(name) {
		return model.App{}, invalid("apps.invalid_name", "Error: Invalid type for name")
	}
	app := model.App{
		Name: name, Owner: owner, CreatedAt: now.Unix(), EditedAt: now.Unix(),
		Country:  orDefault(m, "country", validCountry, defaultCountry),
		Timezone: orDefault(m, "timezone", validTimezone, defaultTimezone),
		Category: orDefault(m, "category", validCategory, defaultCategory),
		Type:     orDefault(m, "type", validType, defaultType),
	}
	if key, ok := text(m, "key"); ok && key != "" {
		if !validKey(key) {
			return model.App{}, invalid("apps.invalid_key", "Error: Invalid type for key")
		}
		app.Key = key
	}
	for _, name := range []string{"salt", "checksum_salt"} {
		if salt, ok := text(m, name); ok {
			app.Salt = salt
		}
	}
	return app, nil
}

// badProps names the fields that cannot be used, in order.
func badProps(names []string) error {
	slices.Sort(names)
	return invalid("apps.invalid_props", "Invalid props: "+strings.Join(slices.Compact(names), ","))
}

// change applies the args of update to an app and returns what is different now.
func change(app *model.App, m map[string]any) (map[string]any, error) {
	changed := map[string]any{}
	var bad []string
	set := func(name string, field *string, valid func(string) bool) {
		if _, sent := m[name]; !sent {
			return
		}
		v, ok := text(m, name)
		if !ok || !valid(v) {
			bad = append(bad, name)
			return
		}
		if v != *field {
			*field, changed[name] = v, v
		}
	}
	if _, sent := m["name"]; sent {
		if name, ok := text(m, "name"); !ok || !validName(name) {
			return nil, invalid("apps.invalid_name", "Invalid app name")
		}
	}
	if _, sent := m["key"]; sent {
		if key, ok := text(m, "key"); !ok || !validKey(key) {
			return nil, invalid("apps.invalid_key", "Invalid app key")
		}
	}
	anyText := func(string) bool { return true }
	set("name", &app.Name, validName)
	set("key", &app.Key, validKey)
	set("country", &app.Country, validCountry)
	set("timezone", &app.Timezone, validTimezone)
	set("category", &app.Category, validCategory)
	set("type", &app.Type, validType)
	set("checksum_salt", &app.Salt, anyText)
	set("salt", &app.Salt, anyText)
	flag := func(name string, field *bool) {
		v, sent := m[name]
		if !sent {
			return
		}
		on, ok := v.(bool)
		if t, isText := v.(string); isText {
			on, ok = t == "true", t == "true" || t == "false"
		}
		if !ok {
			bad = append(bad, name)
		} else if on != *field {
			*field, changed[name] = on, on
		}
	}
	flag("locked", &app.Locked)
	flag("paused", &app.Paused)
	if len(bad) > 0 {
		return nil, badProps(bad)
	}
	return changed, nil
}
