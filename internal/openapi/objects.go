package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// clientRoute begins the places of objects that clients send to /i.
const clientRoute = "/i "

// shaped returns the schema of a parameter with the fields that are known of it, or of the elements of its list.
func (f *facts) shaped(place string, schema object) object {
	if of := f.objects[place+"[]"]; of != nil && schema["type"] == "array" {
		out := maps.Clone(schema)
		out["items"] = withFields(object{"type": []string{"object", "string"}}, of)
		return out
	}
	of := f.objects[place]
	if of == nil || schema["type"] != "object" {
		return schema
	}
	return withFields(maps.Clone(schema), of)
}

// withFields adds fields to the schema of an object.
func withFields(schema object, of []field) object {
	properties, required := object{}, []string{}
	for _, f := range of {
		one := f.schema()
		one["description"] = f.text
		if f.name == "*" {
			schema["additionalProperties"] = one
			continue
		}
		properties[f.name] = one
		if f.required {
			required = append(required, f.name)
		}
	}
	if len(properties) > 0 {
		schema["properties"] = properties
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// schema is that of a field's kind, which is one of a parameter, or list or map with the kind of its elements behind a colon.
func (f field) schema() object {
	switch kind, of, _ := strings.Cut(f.kind, ":"); kind {
	case "list":
		return object{"type": "array", "items": field{kind: of}.schema()}
	case "map":
		return object{"type": "object", "additionalProperties": field{kind: of}.schema()}
	case "number":
		return object{"type": "number"}
	case "json":
		return object{}
	}
	schema, _ := parameterFact{kind: f.kind}.schema(anyText)
	return schema
}

// objectGaps compares what is known of the fields of a parameter with the request of its route that was recorded: it sends no others,
// and all that are required.
func (f *facts) objectGaps(route, name string) []string {
	place := route + " " + name
	text, sent := f.examples[route].Parameters[name]
	of, list := f.objects[place], f.objects[place+"[]"]
	if of == nil && list == nil {
		if name == "args" {
			return []string{"internal/openapi/facts/objects.tsv says nothing about " + place}
		}
		return nil
	}
	var elements []map[string]any
	if one := map[string]any{}; sent && list == nil && json.Unmarshal([]byte(text), &one) == nil {
		elements = append(elements, one)
	} else if sent && list != nil {
		var all []any
		_ = json.Unmarshal([]byte(text), &all) // what is no list has no elements
		for _, v := range all {
			if one, ok := v.(map[string]any); ok {
				elements = append(elements, one)
			}
		}
		of = list
	}
	var out []string
	for _, one := range elements {
		for key := range one {
			if !slices.ContainsFunc(of, func(f field) bool { return f.name == key || f.name == "*" }) {
				out = append(out, fmt.Sprintf("internal/openapi/facts/objects.tsv says nothing about the field %s of %s", key, place))
			}
		}
		for _, f := range of {
			if _, ok := one[f.name]; f.required && !ok {
				out = append(out, fmt.Sprintf("internal/openapi/facts/objects.tsv requires %s of %s, but a request succeeded without", f.name, place))
			}
		}
	}
	return out
}
