package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/params"
)

// appNames are the parameters, and the fields of args and query, in which requests name apps.
func appNames() []string {
	return []string{"app_id", "app_ids", "appId", "apps", "app", "notes_apps", "selected_app", "r_apps"}
}

// NamedApps returns every app that a request names, wherever routes look for one: by parameter, or by a field of
// the parameters args, query and data, in any case; alone, in a list or separated by commas. The parameter app_id
// counts whatever it holds, and elsewhere what has the form of an id.
func NamedApps(p *params.Params) []string {
	var out []string
	add := func(text string) {
		for part := range strings.SplitSeq(text, ",") {
			part = strings.ToLower(strings.TrimSpace(part))
			if _, err := model.ParseID(part); err == nil && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	if text := p.Text("app_id"); text != "" {
		if id, err := model.ParseID(text); err == nil {
			text = id.String()
		}
		out = append(out, text)
	}
	for _, name := range appNames() {
		if v, sent := p.Get(name); sent {
			eachText(v.Raw(), v.String(), add)
		}
	}
	for _, name := range []string{"args", "query", "data"} {
		if v, sent := p.Get(name); sent {
			eachField(v.Raw(), func(field string, value json.RawMessage) {
				if slices.ContainsFunc(appNames(), func(n string) bool { return strings.EqualFold(n, field) }) {
					eachText(value, "", add)
				}
			})
		}
	}
	return out
}

// eachField calls fn for the fields of a JSON object, repeated ones too; for what is none it does nothing.
func eachField(raw []byte, fn func(name string, value json.RawMessage)) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return
		}
		if text, ok := name.(string); ok {
			fn(text, value)
		}
	}
}

// eachText calls fn for every string in a JSON value, at any depth; for what is no JSON, for the text.
func eachText(raw []byte, text string, fn func(string)) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		fn(text)
		return
	}
	var walk func(any)
	walk = func(v any) {
		switch x := v.(type) {
		case string:
			fn(x)
		case float64: // an id of nothing but digits
			fn(text)
		case []any:
			for _, e := range x {
				walk(e)
			}
		case map[string]any:
			for name, e := range x {
				fn(name)
				walk(e)
			}
		}
	}
	walk(v)
}
