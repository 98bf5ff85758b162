package openapi

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// schema returns the schema of the JSON that encoding/json makes of values of a type.
func (d *describer) schema(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()):
		return object{} // it writes itself
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return object{"type": "string"}
	}
	switch t.Kind() { //nolint:exhaustive // no answer holds the others
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Pointer:
		return orNull(d.schema(t.Elem()))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return object{"type": "string", "contentEncoding": "base64"}
		}
		return object{"type": "array", "items": d.schema(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": d.schema(t.Elem()), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schema(t.Elem())}
	case reflect.Struct:
		return d.structure(t)
	}
	return object{}
}

// orNull adds null to what a schema allows.
func orNull(schema object) object {
	switch kind := schema["type"].(type) {
	case string:
		out := maps.Clone(schema)
		out["type"] = []string{kind, "null"}
		return out
	case nil:
		if len(schema) == 0 {
			return schema
		}
	}
	return object{"anyOf": []any{schema, object{"type": "null"}}}
}

// structure returns the schema of a struct, by reference if the type has a name.
func (d *describer) structure(t reflect.Type) object {
	if t.Name() == "" || strings.Contains(t.Name(), "[") {
		return d.members(t)
	}
	path := strings.Split(t.PkgPath(), "/")
	name := camel(path[len(path)-1]) + camel(t.Name())
	for i := 2; d.named[name] != nil && d.named[name] != t; i++ { // types of one name in two packages of one name
		name = camel(path[len(path)-1]) + camel(t.Name()) + strconv.Itoa(i)
	}
	if d.named[name] == nil {
		d.named[name] = t
		d.schemas[name] = d.members(t)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// members returns the schema of a struct's fields.
func (d *describer) members(t reflect.Type) object {
	properties, required := object{}, []string{}
	d.fields(t, properties, &required)
	out := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func (d *describer) fields(t reflect.Type, properties object, required *[]string) {
	var embedded []reflect.Type // their fields come last: those of t hide them
	defer func() {
		for _, inner := range embedded {
			d.fields(inner, properties, required)
		}
	}()
	for f := range t.Fields() {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "-" && options == "" {
			continue
		}
		if f.Anonymous && tag == "" {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				embedded = append(embedded, inner)
				continue
			}
		}
		if !f.IsExported() {
			continue
		}
		name := tag
		if name == "" {
			name = f.Name
		}
		if _, hidden := properties[name]; hidden {
			continue
		}
		schema := d.schema(f.Type)
		if strings.Contains(options, "string") {
			schema = object{"type": "string"}
		}
		properties[name] = schema
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			*required = append(*required, name)
		}
	}
}
