package openapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/openapi"
	"quipu/internal/params"
)

type inner struct {
	Kept   string `json:"kept"`
	Hidden int    `json:"hidden"`
}

type answer struct {
	inner
	Hidden string           `json:"hidden,omitempty"`
	At     time.Time        `json:"at"`
	App    model.AppID      `json:"app"`
	List   []float64        `json:"list"`
	By     map[string]*bool `json:"by"`
	Raw    json.RawMessage  `json:"raw"`
	Next   *answer          `json:"next,omitempty"`
	Secret string           `json:"-"`
}

type request struct {
	ID    string       `path:"id"`
	Query params.Value `param:"query"`
	Limit int          `param:"limit"`
}

// TestDocument describes routes of types that have one of everything.
func TestDocument(t *testing.T) {
	t.Parallel()
	routes := api.NewRoutes()
	g := routes.For("system")
	api.Handle(g, "/o/some/{id}", api.Feature("core", model.Read, api.AppParam), func(context.Context, api.Caller, request) (answer, error) { return answer{}, nil })
	api.Handle(g, "/i/some/{id}", api.GlobalAdmin(), func(context.Context, api.Caller, request) (api.Result, error) { return api.Success(), nil })
	api.HandleRaw(g, "/o?method=raw", api.Authenticated(), "a file", func(http.ResponseWriter, api.Caller) error { return nil })
	text, err := openapi.Document("1.2.3", routes.All())
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	at := func(path ...string) any {
		var v any = doc
		for _, name := range path {
			m, _ := v.(map[string]any)
			v = m[name]
		}
		return v
	}
	type list = []any
	type object = map[string]any
	for _, c := range []struct {
		name string
		got  any
		want any
	}{
		{"version", at("info", "version"), "1.2.3"},
		{"answer", at("paths", "/o/some/{id}", "get", "responses", "200", "content", "application/json", "schema"), object{"$ref": "#/components/schemas/OpenapiTestAnswer"}},
		{"embedded field", at("components", "schemas", "OpenapiTestAnswer", "properties", "kept"), object{"type": "string"}},
		{"hidden field", at("components", "schemas", "OpenapiTestAnswer", "properties", "hidden"), object{"type": "string"}},
		{"time", at("components", "schemas", "OpenapiTestAnswer", "properties", "at"), object{"type": "string", "format": "date-time"}},
		{"id", at("components", "schemas", "OpenapiTestAnswer", "properties", "app"), object{"type": "string"}},
		{"list", at("components", "schemas", "OpenapiTestAnswer", "properties", "list"), object{"type": "array", "items": object{"type": "number"}}},
		{"map", at("components", "schemas", "OpenapiTestAnswer", "properties", "by"), object{"type": "object", "additionalProperties": object{"type": list{"boolean", "null"}}}},
		{"raw", at("components", "schemas", "OpenapiTestAnswer", "properties", "raw"), object{}},
		{"itself", at("components", "schemas", "OpenapiTestAnswer", "properties", "next"), object{"anyOf": list{object{"$ref": "#/components/schemas/OpenapiTestAnswer"}, object{"type": "null"}}}},
		{"secret", at("components", "schemas", "OpenapiTestAnswer", "properties", "Secret"), nil},
		{"required", at("components", "schemas", "OpenapiTestAnswer", "required"), list{"at", "app", "list", "by", "raw", "kept"}},
		{"access", at("paths", "/o/some/{id}", "get", "x-quipu-access"), object{"level": "feature", "features": list{"core"}, "action": "read", "app": "app_id"}},
		{"a write", at("paths", "/i/some/{id}", "post", "requestBody", "content", "application/json", "schema"), object{"$ref": "#/components/schemas/PostSomeIdBody"}},
		{"JSON in a form", at("paths", "/i/some/{id}", "post", "requestBody", "content", "application/x-www-form-urlencoded", "encoding"), object{"query": object{"contentType": "application/json"}}},
		{"a method", at("paths", "/o/method/raw", "get", "operationId"), "getMethodRaw"},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	var names list
	parameters, _ := at("paths", "/o/some/{id}", "get", "parameters").(list)
	for _, p := range parameters {
		m, _ := p.(object)
		names = append(names, m["in"], m["name"], m["required"])
	}
	if d := cmp.Diff(list{"query", "app_id", true, "path", "id", true, "query", "query", nil, "query", "limit", nil}, names); d != "" {
		t.Errorf("parameters (-want +got):\n%s", d)
	}
}
