package openapi

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// TypeScriptClient generates the operations and types of the client for TypeScript.
func TypeScriptClient(doc []byte) ([]byte, error) {
	d, list, err := read(doc)
	if err != nil {
		return nil, err
	}
	g := &tsWriter{doc: d, used: map[string]bool{}}
	g.printf("// Generated from the description of the API (quipu describe --openapi); do not edit.\n\nimport { Base, type Json, type Upload } from './client.js';\n")
	for _, o := range list {
		g.parameters(o)
	}
	g.printf("\n/** The operations of the API. */\nexport class Quipu extends Base {")
	for _, o := range list {
		g.operation(o)
	}
	g.printf("}\n")
	for _, name := range slices.Sorted(maps.Keys(g.used)) {
		g.component(name)
	}
	return []byte(g.b.String()), nil
}

type tsWriter struct {
	doc  *readDoc
	b    strings.Builder
	used map[string]bool // components
}

func (g *tsWriter) printf(text string, args ...any) { fmt.Fprintf(&g.b, text, args...) }

// comment writes a text as a comment of its own lines.
func (g *tsWriter) comment(indent, text string) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "*/", "*\\/")
	if text != "" {
		g.printf("%s/** %s */\n", indent, strings.ReplaceAll(text, "\n", "\n"+indent+" * "))
	}
}

func (g *tsWriter) parameters(o *readOperation) {
	if len(o.Parameters) == 0 {
		return
	}
	g.printf("\n/** Parameters of {@link Quipu.%s}. */\nexport interface %s {\n", o.ID, paramsName(o))
	for _, p := range o.Parameters {
		g.comment("  ", p.Description)
		optional := "?"
		if p.Required || p.In == "path" {
			optional = ""
		}
		g.printf("  %s%s: %s;\n", property(p.Name), optional, g.parameterType(p))
	}
	g.printf("}\n")
}

func paramsName(o *readOperation) string { return strings.ToUpper(o.ID[:1]) + o.ID[1:] + "Params" }

func (g *tsWriter) parameterType(p *readParameter) string {
	switch {
	case p.Schema.Format == "binary":
		return "Upload"
	case p.json:
		return "Json"
	}
	return g.tsType(p.Schema)
}

func (g *tsWriter) operation(o *readOperation) {
	schema, _, long := o.answer()
	result, how := "Blob", "raw"
	if schema != nil {
		result, how = g.tsType(schema), "call"
	}
	g.printf("\n")
	text := strings.TrimSuffix(o.Summary, ".") + ". " + o.Description + "\n`" + o.verb + " " + o.path + "`"
	if long {
		text += ". A read that takes too long throws a PendingError."
	}
	g.comment("  ", text)
	arguments, given := "", ""
	if len(o.Parameters) > 0 {
		usual := " = {}"
		if slices.ContainsFunc(o.Parameters, func(p *readParameter) bool { return p.Required || p.In == "path" }) {
			usual = ""
		}
		arguments = "p: " + paramsName(o) + usual
		var places []string
		for _, p := range o.Parameters {
			places = append(places, property(p.Name)+": '"+p.In+"'")
		}
		given = ", p, { " + strings.Join(places, ", ") + " }"
	}
	g.printf("  %s(%s): Promise<%s> {\n    return this.%s('%s', '%s'%s);\n  }\n", o.ID, arguments, result, how, o.verb, o.path, given)
}

func (g *tsWriter) tsType(s *readSchema) string {
	if s == nil {
		return "Json"
	}
	if name := s.name(); name != "" {
		if !g.used[name] {
			g.used[name] = true
			c := g.doc.Components.Schemas[name]
			g.tsType(&readSchema{Items: c.Items, More: c.More, AnyOf: c.AnyOf, Types: c.Types})
			for _, p := range c.Properties {
				g.tsType(p)
			}
		}
		return name
	}
	if len(s.AnyOf) > 0 {
		var parts []string
		for _, one := range s.AnyOf {
			parts = append(parts, g.tsType(one))
		}
		return strings.Join(parts, " | ")
	}
	if len(s.Enum) > 0 {
		var parts []string
		for _, v := range s.Enum {
			text := fmt.Sprint(v)
			if _, ok := v.(string); ok {
				text = strconv.Quote(text)
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, " | ")
	}
	kind, null := s.plain()
	of := "Json"
	switch {
	case s.Items != nil && kind == "array":
		of = "Array<" + g.tsType(s.Items) + ">"
	case s.More != nil && kind == "object" && len(s.Properties) == 0:
		of = "Record<string, " + g.tsType(s.More.schema) + ">"
	case kind == "string", kind == "boolean":
		of = kind
	case kind == "integer", kind == "number":
		of = "number"
	}
	if null && of != "Json" {
		of += " | null"
	}
	return of
}

func (g *tsWriter) component(name string) {
	s := g.doc.Components.Schemas[name]
	g.printf("\n")
	g.comment("", s.Description)
	if len(s.Properties) == 0 {
		g.printf("export type %s = %s;\n", name, g.tsType(s))
		return
	}
	g.printf("export interface %s {\n", name)
	for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[field]
		g.comment("  ", p.Description)
		optional := "?"
		if slices.Contains(s.Required, field) {
			optional = ""
		}
		g.printf("  %s%s: %s;\n", property(field), optional, g.tsType(p))
	}
	g.printf("}\n")
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// property is a name as a key of an object.
func property(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `\'`) + "'"
}
