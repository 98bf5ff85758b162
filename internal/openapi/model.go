package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What generators read of a description.
type (
	readDoc struct {
		Info struct {
			Description string `json:"description"`
		} `json:"info"`
		Tags []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"tags"`
		Paths      map[string]map[string]*readOperation `json:"paths"`
		Components struct {
			Schemas map[string]*readSchema `json:"schemas"`
		} `json:"components"`
	}
	readOperation struct {
		ID          string                  `json:"operationId"`
		Summary     string                  `json:"summary"`
		Description string                  `json:"description"`
		Tags        []string                `json:"tags"`
		Parameters  []*readParameter        `json:"parameters"`
		Body        *readBody               `json:"requestBody"`
		Responses   map[string]readResponse `json:"responses"`
		Faults      []string                `json:"x-quipu-faults"`

		path, verb string
	}
	readParameter struct {
		Name        string               `json:"name"`
		In          string               `json:"in"` // query, path or header; body for what stands in a form
		Description string               `json:"description"`
		Required    bool                 `json:"required"`
		Example     any                  `json:"example"`
		Schema      *readSchema          `json:"schema"`
		Content     map[string]readMedia `json:"content"`

		json bool // it is JSON text in a query or form
	}
	readMedia struct {
		Schema  *readSchema     `json:"schema"`
		Example json.RawMessage `json:"example"`
	}
	readBody struct {
		Content map[string]readMedia `json:"content"`
	}
	readResponse struct {
		Description string               `json:"description"`
		Content     map[string]readMedia `json:"content"`
	}
	readSchema struct {
		Ref         string                 `json:"$ref"`
		Types       typeList               `json:"type"`
		Description string                 `json:"description"`
		Format      string                 `json:"format"`
		Default     any                    `json:"default"`
		Enum        []any                  `json:"enum"`
		Items       *readSchema            `json:"items"`
		Properties  map[string]*readSchema `json:"properties"`
		Required    []string               `json:"required"`
		More        *moreProperties        `json:"additionalProperties"`
		AnyOf       []*readSchema          `json:"anyOf"`
		Request     bool                   `json:"x-request"`
	}
	// typeList is "type", which is one name or several.
	typeList []string
	// moreProperties is additionalProperties: a schema, or true.
	moreProperties struct{ schema *readSchema }
)

// UnmarshalJSON reads one name or a list.
func (l *typeList) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]string)(l))
	}
	*l = typeList{""}
	return json.Unmarshal(b, &(*l)[0])
}

// UnmarshalJSON reads a schema, or a boolean as that of anything.
func (m *moreProperties) UnmarshalJSON(b []byte) error {
	m.schema = &readSchema{}
	if b[0] != '{' {
		return nil
	}
	return json.Unmarshal(b, m.schema)
}

// name is that of a component, "" for a schema that is written out.
func (s *readSchema) name() string { return strings.TrimPrefix(s.Ref, "#/components/schemas/") }

// plain returns the type apart from null, "" for several and for anything, and whether it may be null.
func (s *readSchema) plain() (kind string, null bool) {
	types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	null = len(types) < len(s.Types)
	if len(types) == 1 {
		return types[0], null
	}
	return "", null
}

// read parses a description and returns its operations by path and verb.
func read(doc []byte) (*readDoc, []*readOperation, error) {
	var d readDoc
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, nil, fmt.Errorf("read description: %w", err)
	}
	var list []*readOperation
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, verb := range slices.Sorted(maps.Keys(d.Paths[path])) {
			o := d.Paths[path][verb]
			o.path, o.verb = path, strings.ToUpper(verb)
			for _, p := range o.Parameters {
				if media, ok := p.Content["application/json"]; ok {
					p.Schema, p.json, p.Example = media.Schema, true, media.Example
				}
			}
			o.Parameters = append(o.Parameters, d.fields(o)...)
			list = append(list, o)
		}
	}
	return &d, list, nil
}

// fields are the parameters that stand in the body of an operation.
func (d *readDoc) fields(o *readOperation) []*readParameter {
	if o.Body == nil {
		return nil
	}
	schema := o.Body.Content["multipart/form-data"].Schema // has the files, too
	if schema == nil {
		schema = o.Body.Content["application/x-www-form-urlencoded"].Schema
	}
	if schema != nil && schema.Ref != "" {
		schema = d.Components.Schemas[schema.name()]
	}
	if schema == nil {
		return nil
	}
	var out []*readParameter
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		kind, _ := p.plain()
		out = append(out, &readParameter{
			Name: name, In: "body", Description: p.Description, Required: slices.Contains(schema.Required, name), Schema: p,
			json: p.Ref != "" || kind == "object" || kind == "array" || kind == "",
		})
	}
	return out
}

// answer is the schema of the JSON of a successful answer, nil when it is none, and whether a task may come in its place.
func (o *readOperation) answer() (schema *readSchema, example json.RawMessage, long bool) {
	media, ok := o.Responses["200"].Content["application/json"]
	if !ok {
		return nil, nil, false
	}
	schema = media.Schema
	if len(schema.AnyOf) == 2 && schema.AnyOf[1].name() == "Pending" {
		return schema.AnyOf[0], media.Example, true
	}
	return schema, media.Example, false
}
