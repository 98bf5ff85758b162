package openapi

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// TypeScriptClient generates the operations and types of the client for TypeScript: groups/NAME.ts with the operations of a group and the
// types that no other group has, types.ts with the rest, and api.ts, which makes one class of all groups. Keys are the names of the files.
func TypeScriptClient(doc []byte) (map[string][]byte, error) {
	d, list, err := read(doc)
	if err != nil {
		return nil, err
	}
	writers := map[string]*tsWriter{}
	for group, operations := range grouped(list) {
		g := &tsWriter{doc: d, used: map[string]bool{}}
		for _, o := range operations {
			g.parameters(o)
		}
		g.printf("\n/** Operations of the group %s. */\nexport class %s extends Base {", group, tsGroup(group))
		for _, o := range operations {
			g.operation(o)
		}
		g.printf("}\n")
		writers[group] = g
	}
	own, shared := ownTypes(writers, func(g *tsWriter) map[string]bool { return g.used })
	types := &tsWriter{doc: d, used: map[string]bool{}}
	for _, name := range shared {
		types.component(name)
	}
	out := map[string][]byte{"types.ts": []byte(tsHead + tsImport(types.b.String(), "./client.js", []string{"Json", "Upload"}) + types.b.String())}
	for group, g := range writers {
		for _, name := range own[group] {
			g.component(name)
		}
		text := g.b.String()
		out["groups/"+group+".ts"] = []byte(tsHead + "import { Base } from '../client.js';\n" + tsImport(text, "../client.js", []string{"Json", "Upload"}) + tsImport(text, "../types.js", shared) + text)
	}
	out["api.ts"] = []byte(tsAPI(slices.Sorted(maps.Keys(writers))))
	return out, nil
}

// tsHead begins all generated files.
const tsHead = "// Generated from the description of the API (quipu describe --openapi); do not edit.\n\n"

// tsGroup names the class of a group.
func tsGroup(group string) string { return exported(group) + "Operations" }

// tsImport imports those of the names that a text has.
func tsImport(text, from string, names []string) string {
	var used []string
	for _, name := range names {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(text) {
			used = append(used, name)
		}
	}
	if len(used) == 0 {
		return ""
	}
	return "import type { " + strings.Join(used, ", ") + " } from '" + from + "';\n"
}

// tsAPI makes one class of all groups, by the mixins of TypeScript's handbook.
func tsAPI(groups []string) string {
	var b, names strings.Builder
	b.WriteString(tsHead + "import { Base } from './client.js';\n")
	for i, group := range groups {
		fmt.Fprintf(&b, "import { %s } from './groups/%s.js';\n", tsGroup(group), group)
		if i > 0 {
			names.WriteString(", ")
		}
		names.WriteString(tsGroup(group))
	}
	b.WriteString("\nexport * from './types.js';\n")
	for _, group := range groups {
		fmt.Fprintf(&b, "export * from './groups/%s.js';\n", group)
	}
	fmt.Fprintf(&b, "\n/** The operations of the API. */\nexport interface Quipu extends %s {}\n", names.String())
	fmt.Fprintf(&b, `
/** The operations of the API. */
export class Quipu extends Base {}

for (const group of [%s]) {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(group.prototype))) {
    if (name !== 'constructor') Object.defineProperty(Quipu.prototype, name, member);
  }
}
`, names.String())
	return b.String()
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
